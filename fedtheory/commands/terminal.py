"""Where commands write: tables on stdout, progress and complaints on stderr."""

from __future__ import annotations

import argparse
import codecs
import os
import re
import sys
from collections.abc import Callable
from typing import Any, NoReturn

INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line.

    `late` adds what depends on the installed packages, once the words are for this command.
    """

    late: Callable[[Parser], None] | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        late, self.late = self.late, None
        if late is not None:
            late(self)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} ({self.prog} --help shows the options)", file=sys.stderr)
        raise SystemExit(2)


PIPE = 100_000  # columns of a file or a pipe: nothing is broken, so that lines can be searched
PLAIN = {"\u2026": "~", "\u2013": "-", "\u2014": "-", "\u2019": "'", "\u2265": ">=", "\u2264": "<=", "\u03b5": "eps"}


class Stripped:
    """A stream without blanks at the ends of lines, with which tables are filled up."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write the text without the blanks."""
        return self._stream.write(re.sub(r" +(?=\n)", "", text))


def consoles() -> tuple[Any, Any]:
    """Consoles on stdout and stderr; a file or a pipe gets lines as long as they are, NO_COLOR no escape sequence at all."""
    from rich.console import Console

    colours = None if os.environ.get("NO_COLOR") else "auto"
    width = None if sys.stdout.isatty() else PIPE
    out = Console(file=Stripped(sys.stdout), width=width, color_system=colours)  # type: ignore[arg-type]
    return out, Console(stderr=True, color_system=colours)  # type: ignore[arg-type]


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


def bar(err: Any, what: str) -> Any:
    """A progress bar on stderr; none where stderr is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"),
        console=err, transient=True, disable=not err.is_terminal,
    )  # fmt: skip
