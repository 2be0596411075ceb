"""Where commands write: tables on stdout, progress and complaints on stderr."""

from __future__ import annotations

import _thread
import argparse
import codecs
import os
import re
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from .._start import INTERRUPTED as INTERRUPTED
from ..errors import UsageError
from ..files import on_stdout

if TYPE_CHECKING:
    from types import FrameType
    from typing import IO, TextIO

    from rich.console import Console

SAME = 3.0  # seconds within which signals are one interruption
AGAIN = 0.01  # seconds after which one comes again that Python has dropped


class Answered(SystemExit):
    """The words of the command line are refused, or were a question such as --help."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line.

    `late` adds what depends on the installed packages, once the words are for this command.
    """

    late: Callable[[Parser], None] | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        late, self.late = self.late, None
        if late is not None:
            late(self)
        found = super().parse_known_args(args, namespace)
        for action in self._actions:
            if action.default != "" and getattr(found[0], action.dest, None) == "":
                self.error(f"{[*action.option_strings, action.metavar or action.dest][0]} needs a value, got ''")
        return found

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} ({self.prog} --help shows the options)\n")

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        print(message or "", end="", file=sys.stderr)
        raise Answered(status)


PIPE = 100_000  # columns of a file or a pipe: nothing is broken, so that lines can be searched
PLAIN = {"\u2026": "~", "\u2013": "-", "\u2014": "-", "\u2019": "'", "\u2265": ">=", "\u2264": "<=", "\u03b5": "eps"}


class Stripped:
    """A stream without blanks at the ends of lines, with which tables are filled up."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write the text without the blanks."""
        return self._stream.write(re.sub(r" +(?=\n)", "", text))


def consoles(*outputs: str | None) -> tuple[Console, Console]:
    """Consoles on stdout and stderr; a file or a pipe gets lines as long as they are, NO_COLOR no escape sequence at all.

    Where one of the `outputs` of the command goes to stdout, tables go to stderr.

    Raises
    ------
    UsageError
        If two of them go there.
    """
    from rich.console import Console

    class Quiet(Console):
        """Goes on in silence when nobody reads any more."""

        def on_broken_pipe(self) -> None:
            self.quiet = True
            silence(self.file)

    taken = [path for path in outputs if on_stdout(path)]
    if len(taken) > 1:
        raise UsageError(f"only one output can go to stdout, got {' and '.join(map(str, taken))}")
    tables = sys.stderr if taken else sys.stdout
    colours = None if os.environ.get("NO_COLOR") else "auto"
    width = None if tables.isatty() else PIPE
    out = Quiet(file=Stripped(tables), width=width, color_system=colours)  # type: ignore[arg-type]
    return out, Quiet(stderr=True, color_system=colours)  # type: ignore[arg-type]


def silence(stream: IO[str]) -> None:
    """Send what is still to be written to a stream nowhere."""
    try:
        number = stream.fileno()
    except (OSError, ValueError):  # no file of the system, so nothing is written at the end
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


@contextmanager
def stoppable(*, program: bool = False) -> Iterator[None]:
    """Ctrl-C and SIGTERM interrupt alike; what comes within a few seconds of it is the same interruption.

    So an impatient second Ctrl-C does not cut off the report that is being written. A `program` is about to end afterwards,
    with the status that it says: a Ctrl-C that comes then is not delivered, and Python does not end itself by the signal
    where an interruption went through text that it executed. One that came while Python cleared away, where exceptions are
    printed and dropped, or while an attribute of a class learned its name, where they become a RuntimeError, comes again; and
    what was half made when it came is cleared away in silence.
    """
    last = -SAME  # before any time of the clock

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal last
        before, last = last, time.monotonic()
        if last - before <= SAME:
            return
        if any(f.f_code.co_name == "__set_name__" for f, _ in traceback.walk_stack(frame)):
            again()
        else:
            raise KeyboardInterrupt

    def again() -> None:
        nonlocal last
        last = -SAME
        threading.Timer(AGAIN, _thread.interrupt_main).start()

    def dropped(what: Any) -> None:
        if issubclass(what.exc_type, KeyboardInterrupt):
            again()
        elif last == -SAME:
            printed(what)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    printed, sys.unraisablehook = sys.unraisablehook, dropped
    handlers = {s: signal.signal(s, stop) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        exec("")
        if not program:
            sys.unraisablehook = printed
        if program and hasattr(signal, "pthread_sigmask"):  # not on Windows
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        for s, handler in handlers.items():
            signal.signal(s, signal.SIG_IGN if program else handler)


def speak_plainly() -> None:
    """Let stdout and stderr write what their encoding does not have as something near to it."""
    codecs.register_error("fedtheory", _plain)
    for stream in (sys.stdout, sys.stderr):
        if not (getattr(stream, "encoding", None) or "utf-8").lower().startswith("utf") and hasattr(
            stream, "reconfigure"
        ):
            stream.reconfigure(errors="fedtheory")


def _plain(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(PLAIN.get(c, "?") for c in error.object[error.start : error.end]), error.end


def bar(err: Console, what: str, *, shown: bool = True, remaining: bool = False) -> Any:
    """A progress bar on stderr; none where stderr is no terminal, or it is not to be `shown`.

    With `remaining` the share that is done and the time that is left, in place of counts and the time that has passed.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as Left

    figures: Any = (TaskProgressColumn(), Left()) if remaining else (MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(
        TextColumn(what), BarColumn(), *figures, TextColumn("{task.description}"),
        console=err, transient=True, disable=not (shown and err.is_terminal),
    )  # fmt: skip
