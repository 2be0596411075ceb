"""Entries of claims for what is written about them: evidence that papers ship is re-checked, the rest is decided."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..claim import Claim
from ..errors import UsageError
from ..files import version
from ..processes import cores
from ..referee import ledger
from ..referee.shipped import Shipped
from .known import Known
from .terminal import bar

if TYPE_CHECKING:
    from rich.console import Console

    from ..formats import Json

AS_SHIPPED: Json = {"budget": "quick", "seed": 0, "backend": "numpy"}


Answers = tuple[list[dict[str, Any]], dict[str, Claim], dict[str, Any], str]


def add_source(parser: argparse.ArgumentParser) -> None:
    """Add the options by which claims are named whose verdicts are re-checked, decided, or taken from a report."""
    parser.add_argument(
        "what",
        nargs="*",
        default=[],
        metavar="ID|PATTERN|FILE.py|FOLDER/",
        help="claims (default: all) or files with claims",
    )
    parser.add_argument(
        "--paper", action="append", metavar="PAPER", help="claims of one paper; may stand several times"
    )
    parser.add_argument("--from", dest="report", metavar="REPORT.json", help="take the verdicts of a report")
    parser.add_argument("--jobs", type=int, help="processes (default: one a core when there are many claims)")


def answers(o: argparse.Namespace, known: Known, err: Console, title: str) -> Answers:
    """(entries, claims by id, head of the report, where the verdicts come from) of what a command line names.

    Raises
    ------
    UsageError
        If nothing is named that is there, or a report is not as it was written.
    """
    if o.jobs is not None and o.jobs < 1:
        raise UsageError(f"--jobs must be at least 1, got {o.jobs}")
    if o.report:
        return _of_report(o, known)
    selected = {c.id: c for paper in o.paper or [None] for c in known.select(paper)}
    entries = decided(known, list(selected.values()), err, title, o.jobs)
    for e in entries:
        e["hypotheses"]["met_in_experiments"] = known.met(e["id"])
    head = {"version": version(), "budget": AS_SHIPPED["budget"], "seed": AS_SHIPPED["seed"]}
    return entries, selected, head, ""


def _of_report(o: argparse.Namespace, known: Known) -> Answers:
    """Entries of a report, with the claims that say the same now as when it was written."""
    from ..referee.cache import Sources

    report = ledger.read_report(o.report)
    entries = [e for e in report["claims"] if not o.paper or e["id"].split("/")[0] in o.paper]
    if known.patterns:
        named = {c.id for c in known.select()}
        entries = [e for e in entries if e["id"] in named]
    if not entries:
        raise UsageError(f"--from {o.report} has none of the claims that are asked for")
    if edited := [e["id"] for e in entries if e.get("edited")]:
        raise UsageError(f"--from {o.report}: these entries are not as they were written: {', '.join(edited)}")
    claims: dict[str, Claim] = {}
    for e in entries:
        try:
            claims[e["id"]] = known.claim(e["id"])
        except UsageError:  # of a draft that is not named, or gone
            continue
    listed = list(claims.values())
    options = {"budget": report["budget"], "seed": report["seed"], "backend": "numpy"}
    keys = ledger.keys(listed, known.sources, Sources(), known.certificates(listed), **options)
    same = {e["id"]: claims[e["id"]] for e in entries if e.get("key") and keys.get(e["id"]) == e["key"]}
    head = {name: report[name] for name in ("version", "budget", "seed")}
    return entries, same, head, f", from the report {Path(o.report).name}, of which nothing was re-checked"


def decided(known: Known, selected: Sequence[Claim], err: Console, title: str, jobs: int | None = None) -> list[Json]:
    """The entries of claims in their order, with their certificates.

    Parameters
    ----------
    title : str
        What the bar on `err` is called.
    jobs : int, optional
        Processes; one a core where there are many claims.

    Raises
    ------
    UsageError
        If a claim cannot be decided as it is written.
    """
    jobs = jobs or (cores() if len(selected) > ledger.MANY else 1)
    stored = known.certificates(selected)
    shipped = Shipped(known.evidence(selected), AS_SHIPPED, ledger.by_claim(stored))
    found: dict[str, Json] = {}
    with bar(err, title) as progress:
        task = progress.add_task("", total=len(selected))
        answers = ledger.run(list(selected), known.claim, **AS_SHIPPED, stored=stored, jobs=jobs, shipped=shipped)
        with closing(answers):
            for e in answers:
                if "error" in e:
                    raise UsageError(e["error"])
                found[e["id"]] = e
                progress.update(task, description=e["id"], advance=1)
    return ledger.finished((found[c.id] for c in selected), {c.id: c for c in selected})
