"""Where commands write: tables on stdout, progress and complaints on stderr."""

from __future__ import annotations

import argparse
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


def consoles() -> tuple[Any, Any]:
    """Consoles on stdout and stderr; a file or a pipe gets lines of 160 characters."""
    from rich.console import Console

    return Console(soft_wrap=False, width=None if sys.stdout.isatty() else 160), Console(stderr=True)


def bar(err: Any, what: str) -> Any:
    """A progress bar on stderr; none where stderr is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"),
        console=err, transient=True, disable=not err.is_terminal,
    )  # fmt: skip
