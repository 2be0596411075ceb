"""fedtheory mutants: how many small falsifications of the true claims the search refutes."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

from ..errors import UsageError, did_you_mean
from ..mutants.edits import OPERATORS
from .known import Known
from .terminal import INTERRUPTED, bar, consoles


def add_parser(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "mutants", help="falsify true claims a little and count what the search refutes", allow_abbrev=False
    )
    parser.add_argument("report", metavar="REPORT.json", help="a report of fedtheory verify")
    parser.add_argument(
        "what", nargs="*", default=[], metavar="ID|PATTERN|FILE.py",
        help="claims (default: all published true ones of the report), or files of drafts",
    )  # fmt: skip
    parser.add_argument("--paper", help="claims of one paper only")
    parser.add_argument("--budget", default="quick", help="quick, standard or deep (default: quick)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the search (default: 0)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--operators", help=f"comma list of {', '.join(OPERATORS)} (default: all)")
    parser.add_argument("--json", metavar="FILE", help="write every mutant and what became of it")
    parser.add_argument("--survivors", action="store_true", help="list every mutant that was not refuted, and why")
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    from .. import files
    from ..mutants import judge as mutation
    from ..referee import ledger
    from ..show.tables import shares_table

    out, err = consoles()
    operators = _operators(o)
    if o.json:
        files.check_writable(o.json)
    entries = ledger.read_report(o.report)["claims"]
    known = Known(o.what)
    chosen = {c.id for c in known.select(o.paper)}
    true = [e for e in entries if e["id"] in chosen]
    if not true:
        raise UsageError(f"{o.report} has none of these claims; those of a draft need its file: FILE.py")
    judged: list[mutation.Judged] = []
    complete = True
    with bar(err, "mutants") as progress:
        task = progress.add_task("", total=len(true))
        found = mutation.run(
            true, known.claim, known.editable, budget=o.budget, seed=o.seed, jobs=o.jobs, operators=operators,
            progress=lambda id: progress.update(task, description=id, advance=1),
        )  # fmt: skip
        try:
            for one in found:
                judged.append(one)
        except KeyboardInterrupt:
            err.print("interrupted; the figures below are of the mutants so far")
            complete = False
    counts = mutation.shares(judged)
    out.print(shares_table(counts))
    if o.survivors:
        for j in judged:
            if j.outcome not in ("refuted", "invalid"):
                out.print(f"{j.id}  {j.operator}: {j.change}: {j.outcome}: {j.reason}", highlight=False, soft_wrap=True)
    for j in judged:
        if j.operator == "hypothesis" and j.outcome in ("still true", "survived"):
            why = "not needed" if j.outcome == "still true" else "no need for it was found"
            out.print(f"advice  {j.id} {j.change}: {why}", highlight=False, soft_wrap=True)
    if o.json:
        data = {
            "schema": ledger.SCHEMA, "version": files.version(), "seed": o.seed, "budget": o.budget,
            "complete": complete, "operators": operators, "shares": counts,
            "mutants": [dataclasses.asdict(j) for j in judged],
        }  # fmt: skip
        files.write_json(o.json, data)
    return 0 if complete else INTERRUPTED


def _operators(o: argparse.Namespace) -> tuple[str, ...]:
    """The operators that are asked for, after the other options are checked."""
    from ..referee.budget import budget_named

    budget_named(o.budget, "--budget")
    if o.jobs < 1:
        raise UsageError(f"--jobs must be at least 1, got {o.jobs}")
    if o.seed < 0:
        raise UsageError(f"--seed must be at least 0, got {o.seed}")
    operators = tuple(o.operators.split(",")) if o.operators else OPERATORS
    for name in operators:
        if name not in OPERATORS:
            known = ", ".join(OPERATORS)
            raise UsageError(f"--operators must be of {known}, got {name!r}{did_you_mean(name, OPERATORS)}")
    return operators
