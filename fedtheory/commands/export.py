"""fedtheory export: certificates in the language of a proof assistant."""

from __future__ import annotations

import argparse

from ..errors import UsageError
from .as_shipped import decided
from .known import Known
from .terminal import consoles


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    export = commands.add_parser("export")
    export.add_argument(
        "what", nargs="*", metavar="ID|PATTERN|FILE.py|FOLDER/", help="claims (default: all) or files with claims"
    )
    export.add_argument("--coq", metavar="FILE", required=True, help="write a file that coqc checks; - is stdout")
    export.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    from .. import files
    from ..show.coq import coq_file

    files.check_writable(o.coq, "--coq")
    _, err = consoles(o.coq)
    known = Known(o.what)
    selected = known.select()
    entries = decided(known, selected, err, "export")
    without = [e["id"] for e in entries if not e.get("certificate")]
    if len(without) == len(entries):
        raise UsageError(f"--coq {o.coq}: there is no certificate that a checker accepts of {', '.join(without)}")
    files.write_text(o.coq, coq_file(e["certificate"] for e in entries if e.get("certificate")))
    if without:
        many = f"{len(without)} of {len(entries)} claims are left out, without a certificate that a checker accepts"
        err.print(f"{many}: {', '.join(without)}", highlight=False, markup=False, soft_wrap=True)
    crashed = [e for e in entries if e.get("crashed")]
    for e in crashed:
        err.print(f"fedtheory: {e['id']}: {e['reason']}", highlight=False, markup=False, soft_wrap=True)
    return 3 if crashed else 0
