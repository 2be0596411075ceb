"""fedtheory check: a verdict on a line of LaTeX or of plain text, and the line as a claim in Python."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from .. import files
from ..engines.budget import budget_named
from ..errors import UsageError
from ..instance import Instance
from ..latex.line import Read, read_line
from . import verify

TAKEN = (
    "given",
    "xp",
    "kind",
    "m",
    "N",
    "d",
    "f",
    "F",
    "w_star",
    "axis",
    "center",
    "curvature",
    "far",
    "flat",
    "kinked",
    "knee",
    "offset",
    "slope",
)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("check")
    parser.add_argument("line", metavar="LINE", help="a relation, in LaTeX or as plain text: '2 a b <= a^2 + b^2'")
    add_reading(parser)
    parser.add_argument("--write", metavar="FILE.py", help="write the claim in Python; nothing is decided")
    parser.add_argument("--name", default="line", help="of the claim, draft/NAME (default: line)")
    parser.add_argument("--budget", help="quick, standard or deep (default: quick)")
    parser.add_argument("--seed", type=int, help="seed of the search (default: 0)")
    parser.set_defaults(run=main)


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how a line is read."""
    parser.add_argument(
        "--where", action="append", default=[], metavar="CONDITIONS",
        help="what is given, with commas between: '\\lambda > \\mu > 0'; w_{t+1} = ... says what a name is",
    )  # fmt: skip
    parser.add_argument("--class", dest="of", default="", metavar="CLASS", help="of the functions f: 'smooth convex L'")
    parser.add_argument(
        "--envelope", default="", metavar="LETTER", help="F is the Moreau envelope of f with this parameter"
    )
    parser.add_argument(
        "--vectors", default="", metavar="LETTERS", help="letters that are vectors, where that is open: g,h"
    )


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    budget_named(o.budget or "quick", "--budget")
    if (o.seed or 0) < 0:
        raise UsageError(f"--seed must be at least 0, got {o.seed}")
    read = read_of(o)
    if o.write:
        return written(o.write, read)
    for number, said in enumerate(read.readings, 1):
        print(f"read as {said}" if len(read.readings) == 1 else f"reading {number} of {len(read.readings)}: {said}")
    if len(read.readings) > 1:
        print("the line can be read in more than one way; brackets choose")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{o.name}.py"
        path.write_text(read.python, encoding="utf-8")
        status = verify.main(_options(str(path), o))
    print(f"\n{read.python}", end="")
    return status


def read_of(o: argparse.Namespace) -> Read:
    """The line of the options as claims.

    Raises
    ------
    UsageError
        If it is not understood, or an option has no such value.
    """
    if not o.name.replace("-", "_").isidentifier() or not o.name.islower():
        raise UsageError(f"--name must be of small letters, digits, - and _, and begin with a letter, got {o.name!r}")
    vectors = [v.strip().lstrip("\\") for v in o.vectors.split(",") if v.strip()]
    return read_line(
        o.line,
        where=o.where,
        functions=o.of,
        envelope=o.envelope,
        vectors=vectors,
        id=f"draft/{o.name}",
        taken=taken_names(),
    )


def taken_names() -> set[str]:
    """The names that every instance has, so that no letter of a line can have them."""
    return {*TAKEN, *(n for n in dir(Instance) if not n.startswith("_"))}


def written(path: str, read: Read) -> int:
    """Write the claims of a line as a file."""
    if not path.endswith(".py"):
        raise UsageError(f"--write must be a file of Python, such as my_lemma.py, got {path!r}")
    if os.path.exists(path):
        raise UsageError(f"--write {path}: it is there already")
    files.check_writable(path, "--write")
    files.write_text(path, read.python)
    for said in read.readings:
        print(f"read as {said}")
    print(f"wrote {path}\nnext: fedtheory verify {path}")
    return 0


def _options(path: str, o: argparse.Namespace) -> argparse.Namespace:
    """The options of fedtheory verify for one file."""
    parser = argparse.ArgumentParser()
    verify.add_parser(parser.add_subparsers())
    return parser.parse_args([
        "verify", path, "--no-cache", "--all", *(["--budget", o.budget] if o.budget else []),
        *(["--seed", str(o.seed)] if o.seed is not None else []),
    ])  # fmt: skip
