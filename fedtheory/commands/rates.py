"""fedtheory rates: every explicit bound of a theorem at the tightest legal setting that is found, and a run under it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from ..errors import UsageError
from ..files import check_folder, check_writable, write_text
from ..formats import Json
from ..paper import Paper
from ..rates.record import Rate
from ..rates.search import DRAWS, QUICK, Best, search
from ..rates.worst import Worst, worst
from ..referee import ledger
from ..referee.cache import Cache, Sources, place
from ..referee.shipped import Shipped
from ..registry import paper, papers
from ..show.rates import Tried, page, pictures, rates_table
from ..verdict import STRENGTH
from .known import Known
from .options import count
from .terminal import bar, consoles

ROUNDS = (1, 2, 4, 8)  # of which the performance-estimation program is solved
OPTIONS: Json = {"budget": "quick", "seed": 0, "backend": "numpy"}  # of verdicts


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    parser = commands.add_parser("rates")
    parser.add_argument("paper", nargs="?", help="one paper alone")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} settings a bound in place of {DRAWS}")
    parser.add_argument("--seed", default="0", help="of the search (default: 0)")
    parser.add_argument("--only", metavar="TEXT", help="bounds of which the id has this in it")
    parser.add_argument("--page", metavar="FILE.md", help="write the page, and the pictures in a folder FILE beside it")
    parser.set_defaults(run=main)


def main(o: argparse.Namespace) -> int:
    """Run the command; 1 where a run is above a bound that is true."""
    out, err = consoles(o.page)
    seed = count("seed", o.seed, 0)
    chosen = [paper(o.paper, "rates PAPER")] if o.paper else list(papers().values())
    rates = [(p, r) for p in chosen for r in p.rates() or () if not o.only or o.only in r.id]
    if not rates:
        what = f" with {o.only!r} in the id" if o.only else ""
        stated = ", ".join(p.id for p in papers().values() if p.rates())
        raise UsageError(
            f"{', '.join(p.id for p in chosen)}: no explicit bounds{what}; papers that have some: {stated}"
        )
    if o.page:
        if not o.page.endswith(".md"):
            raise UsageError(f"--page must end in .md, got {o.page!r}")
        check_writable(o.page, "--page")
        check_folder(str(Path(o.page).with_suffix("")), "--page")
    draws = QUICK if o.quick else DRAWS
    with bar(err, "rates") as progress:
        task = progress.add_task("", total=len(rates) + 1)
        verdicts = decided([id for _, r in rates for id in r.claims])
        progress.update(task, advance=1)
        found = []
        for p, r in rates:
            progress.update(task, description=f"{p.id}, {r.theorem}, {r.kind}")
            best = search(r, seed=seed, draws=draws)
            weakest = min((verdicts[id] for id in r.claims), key=lambda v: STRENGTH.get(v, -1))
            found.append(Tried(p.id, best, weakest, worst_of(best)))
            progress.update(task, advance=1)
    out.print(rates_table(found))
    if o.page:
        folder = Path(o.page).with_suffix("")
        pictures(found, folder)
        write_text(o.page, page(found, titles(chosen), seed, folder.name, o.quick))
    wrong = [t for t in found if t.contradicts]
    for t in wrong:
        err.print(
            f"fedtheory: {t.paper}, {t.rate.theorem}, {t.rate.kind}: a run is above a bound that is {t.verdict}",
            highlight=False,
        )
    return 1 if wrong else 0


def titles(chosen: Sequence[Paper]) -> Mapping[str, str]:
    """The titles of papers by id."""
    return {p.id: p.title for p in chosen}


def worst_of(best: Best) -> list[Worst]:
    """What the program says of the first rounds at the setting of the search."""
    rate: Rate = best.rate
    if rate.program is None:
        return []
    found = (worst(*rate.program(best.setting, T), T) for T in ROUNDS)
    return [w for w in found if w is not None]


def decided(ids: Sequence[str]) -> dict[str, str]:
    """The verdicts on claims by id: from evidence that is checked again, from the cache, or decided now."""
    known = Known(dict.fromkeys(ids))
    selected, sources = known.select(None), Sources()
    stored = known.certificates(selected)
    keys = ledger.keys(selected, known.sources, sources, stored, **OPTIONS)
    found: dict[str, Json] = {}
    run = ledger.run(
        selected, known.claim, **OPTIONS, jobs=1, claim_limit=None, stored=stored, done={}, keys=keys,
        cache=Cache(place(), sources), shipped=Shipped(known.evidence(selected), OPTIONS),
    )  # fmt: skip
    with closing(run):
        for e in run:
            if "error" in e:
                raise UsageError(e["error"])
            found[e["id"]] = e
    whole = ledger.finished([found[c.id] for c in selected if c.id in found], {c.id: c for c in selected})
    return {e["id"]: e["verdict"] for e in whole}
