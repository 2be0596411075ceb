"""fedtheory mutants: how many small falsifications of the true claims the search refutes."""

from __future__ import annotations

import argparse
import dataclasses
from contextlib import closing
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, did_you_mean
from ..mutants.edits import OPERATORS
from ..processes import workers_of
from ..referee.cache import Cache, Sources, place
from ..verdict import POSITIVE
from .known import Known
from .options import words
from .terminal import INTERRUPTED, bar, consoles

if TYPE_CHECKING:
    from rich.console import Console


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("mutants", allow_abbrev=False)
    parser.add_argument("report", metavar="REPORT.json", help="a report of fedtheory verify")
    parser.add_argument(
        "what", nargs="*", default=[], metavar="ID|PATTERN|FILE.py",
        help="claims (default: all published true ones of the report), or files of drafts",
    )  # fmt: skip
    parser.add_argument("--paper", help="claims of one paper only")
    parser.add_argument("--budget", default="quick", help="quick, standard or deep (default: quick)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the search (default: 0)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="judge on the workers of a dask.distributed scheduler")
    parser.add_argument("--operators", help=f"comma list of {', '.join(OPERATORS)} (default: all)")
    parser.add_argument("--json", metavar="FILE", help="write every mutant and what became of it")
    parser.add_argument("--no-cache", action="store_true", help="judge every mutant, and keep nothing for the next run")
    parser.add_argument("--survivors", action="store_true", help="list every mutant that was not refuted, and why")
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command."""
    from .. import files
    from ..mutants import judge as mutation
    from ..referee import ledger

    out, err = consoles(o.json)
    operators = _operators(o)
    if o.json:
        files.check_writable(o.json)
    entries = ledger.read_report(o.report)["claims"]
    known = Known(o.what)
    chosen = {c.id for c in known.select(o.paper)}
    true = [e for e in entries if e["id"] in chosen]
    if not true:
        raise UsageError(f"{o.report} has none of these claims; those of a draft need its file: FILE.py")
    sources = Sources()
    claims = [known.claim(e["id"]) for e in true]
    options = {"budget": o.budget, "seed": o.seed, "backend": "numpy"}
    keys = ledger.keys(claims, known.sources, sources, known.certificates(claims), **options)
    cache = None if o.no_cache else Cache(place(), sources)
    by_claim: dict[str, list[mutation.Judged]] = {}
    complete = False
    try:
        with workers_of(o.scheduler), bar(err, "mutants") as progress:
            task = progress.add_task("", total=sum(e["verdict"] in POSITIVE for e in true))
            found = mutation.run(
                true, known.claim, known.editable, budget=o.budget, seed=o.seed, jobs=o.jobs, operators=operators,
                keys=keys, cache=cache,
            )  # fmt: skip
            with closing(found):
                for id, of_claim in found:
                    by_claim[id] = of_claim
                    progress.update(task, description=id, advance=1)
        complete = True
    except KeyboardInterrupt:
        err.print("interrupted; the figures below are of the mutants so far")
    if cache is not None and cache.trouble:
        err.print(f"fedtheory: {cache.trouble}", highlight=False, soft_wrap=True)
    judged = [j for e in true for j in by_claim.get(e["id"], [])]
    counts = mutation.shares(judged)
    data = {
        "schema": ledger.SCHEMA, "version": files.version(), "seed": o.seed, "budget": o.budget,
        "complete": complete, "operators": operators, "shares": counts,
        "mutants": [dataclasses.asdict(j) for j in judged],
    }  # fmt: skip
    failed = files.tried(lambda: files.write_json(o.json, data, "mutants")) if o.json else ""
    _show(judged, counts, o.survivors, out)
    died = [j for j in judged if j.outcome == "died"]
    for j in died:
        err.print(f"fedtheory: {j.id}: {j.reason}", highlight=False)
    if failed:
        raise UsageError(failed)
    return INTERRUPTED if not complete else 3 if died else 0


def _show(judged: list[Any], counts: Any, survivors: bool, out: Console) -> None:
    """Print the shares, the survivors if they are asked for, and advice on hypotheses."""
    from ..show.tables import shares_table

    out.print(shares_table(counts))
    for j in judged if survivors else []:
        if j.outcome not in ("refuted", "invalid"):
            out.print(f"{j.id}  {j.operator}: {j.change}: {j.outcome}: {j.reason}", highlight=False, soft_wrap=True)
    for j in judged:
        if j.operator == "hypothesis" and j.outcome in ("still true", "survived"):
            why = "not needed" if j.outcome == "still true" else "no need for it was found"
            out.print(f"advice  {j.id} {j.change}: {why}", highlight=False, soft_wrap=True)


def _operators(o: argparse.Namespace) -> tuple[str, ...]:
    """The operators that are asked for, after the other options are checked."""
    from ..engines.budget import budget_named

    budget_named(o.budget, "--budget")
    if o.jobs < 1:
        raise UsageError(f"--jobs must be at least 1, got {o.jobs}")
    if o.seed < 0:
        raise UsageError(f"--seed must be at least 0, got {o.seed}")
    operators = tuple(words("operators", o.operators)) if o.operators else OPERATORS
    for name in operators:
        if name not in OPERATORS:
            known = ", ".join(OPERATORS)
            raise UsageError(f"--operators must be of {known}, got {name!r}{did_you_mean(name, OPERATORS)}")
    return operators
