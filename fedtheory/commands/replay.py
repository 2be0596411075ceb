"""fedtheory replay, explain and list: one claim looked at closely, and all of them by id."""

from __future__ import annotations

import argparse
import fnmatch
from typing import TYPE_CHECKING

from .. import shelf
from ..errors import UsageError
from .known import Known
from .terminal import consoles

if TYPE_CHECKING:
    from ..engines.counterexamples.exact import Side


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the three commands."""
    replay = commands.add_parser("replay")
    replay.add_argument("report", metavar="REPORT.json")
    replay.add_argument("id", metavar="ID")
    replay.add_argument(
        "file", nargs="*", default=[], metavar="FILE.py", help="where the claim is, if it is not one of the papers'"
    )
    replay.set_defaults(run=_replay)

    explain = commands.add_parser("explain")
    explain.add_argument(
        "what", nargs="+", metavar="ID|PATTERN|FILE.py", help="claims, and the file of those that are a draft's"
    )
    explain.add_argument("--proof", action="store_true", help="and the certificate as mathematics, as it was checked")
    explain.add_argument("--latex", action="store_true", help="with --proof: a document in LaTeX, and nothing else")
    explain.set_defaults(run=_explain)

    listing = commands.add_parser("list")
    listing.add_argument("what", nargs="*", metavar="PATTERN|FILE.py")
    listing.add_argument("--paper")
    listing.add_argument("--shelf", action="store_true", help="the shelf: lemmas to stand on, fedtheory.shelf")
    listing.add_argument("--where", action="store_true", help="with the file and line of every claim")
    listing.add_argument(
        "--symbols", action="store_true", help="the symbols of the papers, as tables in markdown, instead"
    )
    listing.add_argument(
        "--engines", action="store_true", help="what decides a claim, in order, as tables in markdown, instead"
    )
    listing.set_defaults(run=_list)


def _replay(o: argparse.Namespace) -> int:
    from ..drafts import is_draft
    from ..engines.counterexamples.exact import replay
    from ..engines.counterexamples.witness import free_of
    from ..engines.search.at_rest import replayed
    from ..errors import did_you_mean
    from ..referee.ledger import read_report

    for word in o.file:
        if not is_draft(word):
            raise UsageError(f"replay takes one ID, and then the files of drafts, got {word!r}")
    data = read_report(o.report)
    by_id = {e["id"]: e for e in data["claims"]}
    if o.id not in by_id:
        raise UsageError(f"{o.report} has no claim {o.id!r}{did_you_mean(o.id, by_id)}")
    if not by_id[o.id].get("witness"):
        raise UsageError(f"{o.id} is {by_id[o.id]['verdict']} in {o.report} and has no witness to replay")
    try:
        claim = replayed(Known(o.file).claim(o.id))
    except UsageError as error:
        advice = "" if o.file else f"; a draft needs its file: fedtheory replay {o.report} {o.id} FILE.py"
        raise UsageError(f"{error}{advice}") from None
    try:
        free = free_of(by_id[o.id]["witness"], claim.world)
    except UsageError as error:
        raise UsageError(f"{o.report}, {o.id}: {error}") from None
    result = replay(claim.body, claim.world, free, o.id)
    for line in dict.fromkeys(_line("given    ", s.name, s) for s in result.given):  # also those of equal clients, once
        print(line)
    for side in result.relations:
        print(_line("relation ", side.name or o.id, side))
    print(f"{o.id}: {'refuted, exactly' if result.outcome == 'refutes' else result.outcome + ' ' + result.reason}")
    return 0 if result.outcome == "refutes" else 1


def _line(kind: str, name: str, side: Side) -> str:
    from ..show.tables import short_side

    return f"{kind} {name}: {short_side(side.lhs)} {side.op} {short_side(side.rhs)} {_truth(side.truth)}"


def _truth(truth: bool | None) -> str:
    return {True: "holds", False: "FAILS", None: "is not decided"}[truth]


def _explain(o: argparse.Namespace) -> int:
    from ..referee import ledger
    from ..referee.cache import Cache, Sources, place
    from ..show import tables
    from ..show.failures import sides
    from ..show.verdicts import scope_line

    if o.latex and not o.proof:
        raise UsageError("--latex goes with --proof")
    out, _ = consoles()
    known = Known(o.what)
    selected = {c.id: c for c in known.select()}
    claims = list(selected.values())
    stored = known.certificates(claims)
    sources = Sources()
    keys = ledger.keys(claims, known.sources, sources, stored, budget="quick", seed=0, backend="numpy")
    cache = None if o.proof else Cache(place(), sources)  # which keeps verdicts without their certificates
    found = list(ledger.run(claims, known.claim, stored=stored, keys=keys, cache=cache))
    for e in found:
        if "error" in e:
            raise UsageError(e["error"])
    entries = sorted(found, key=lambda e: list(selected).index(e["id"]))
    entries = ledger.finished(entries, selected)
    asked = [e for e in entries if not known.patterns or any(fnmatch.fnmatchcase(e["id"], p) for p in known.patterns)]
    if o.latex:
        for line in tables.proofs_in_latex([(selected[e["id"]], e) for e in asked]):
            print(line)
        return 0
    for e in asked:
        claim = selected[e["id"]]
        tables.explain(claim, e, sides(claim, e), out, scope_line(e))
        if o.proof:
            tables.proof(e, out)
    return 0


def _engines(o: argparse.Namespace) -> int:
    if o.what or o.where or o.paper or o.shelf or o.symbols:
        raise UsageError(f"--engines goes with nothing else, got {' '.join(o.what) or 'an option'}")
    from ..referee.order import OF_LIMITS, ORDER, table, with_installed

    print(f"{table(with_installed(ORDER))}\n\nOf a limit:\n\n{table(OF_LIMITS)}")
    return 0


def _list(o: argparse.Namespace) -> int:
    if o.engines:
        return _engines(o)
    if o.shelf:
        if o.paper:
            raise UsageError(f"--shelf is the paper shelf, got --paper {o.paper} as well")
        o.paper = shelf.PAPER
    if o.symbols:
        if o.what or o.where:
            raise UsageError(f"--symbols goes with --paper alone, got {' '.join(o.what) or '--where'}")
        from ..registry import paper, papers
        from ..show.symbols import symbol_tables

        print(symbol_tables([paper(o.paper)] if o.paper else papers().values()))
        return 0
    from rich.text import Text

    from ..show.listing import columns

    out, _ = consoles()
    last = ("where", "source") if o.where else ("printed", "latex")
    rows = [
        {"id": c.id, "kind": c.kind, "locator": c.locator, last[0]: getattr(c, last[1])}
        for c in Known(o.what).select(o.paper)
    ]
    names, *lines = columns(rows, out.width)
    out.print(Text(names, "bold"), soft_wrap=True)
    out.print(Text("\n".join(lines)), soft_wrap=True)
    return 0
