"""fedtheory errata: what is wrong in a paper, as a note for its authors in LaTeX."""

from __future__ import annotations

import argparse

from .. import files
from ..errors import UsageError
from .as_shipped import add_source, answers
from .known import Known
from .site import papers_of
from .terminal import consoles


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    errata = commands.add_parser("errata")
    add_source(errata)
    errata.add_argument("--write", default=files.STDOUT, metavar="FILE.tex", help="where to (default: stdout)")
    errata.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    from ..show.errata import errata, found_by

    if not (o.what or o.paper or o.report):
        raise UsageError("errata needs --paper PAPER, claims, a file with claims, or --from REPORT.json")
    files.check_writable(o.write, "--write")
    _, err = consoles(o.write)
    entries, claims, head, origin = answers(o, Known(o.what), err, "errata")
    files.write_text(o.write, "\n".join(errata(papers_of(entries), entries, claims, found_by(head, origin))) + "\n")
    return 0
