"""fedtheory data status: which data sets are at hand, and how to get the others."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..errors import UsageError, did_you_mean
from ..show.runs import data_table
from .terminal import consoles

ACTIONS = ("status",)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("data", allow_abbrev=False)
    parser.add_argument("action", metavar="ACTION", help="status: every data set, its files and their digests")
    parser.add_argument("more", nargs="*", default=[], help=argparse.SUPPRESS)
    parser.add_argument("--root", metavar="FOLDER", help="where data files lie")
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command; a missing file is no failure."""
    from problems.data.datasets import status

    if o.action not in ACTIONS:
        raise UsageError(f"data ACTION must be status, got {o.action!r}{did_you_mean(o.action, ACTIONS)}")
    if o.more:
        raise UsageError(f"data status takes no more words, got {' '.join(o.more)!r}")
    if o.root is not None and not Path(o.root).is_dir():
        raise UsageError(f"--root must be a folder, got {o.root!r}")
    out, _ = consoles()
    out.print(data_table(status(o.root)))
    return 0
