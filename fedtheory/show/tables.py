"""What people look at: the verdict table, the coverage table, one claim explained."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..claim import Claim
from ..figures import decimal
from ..paper import Rows
from ..theorem import Printed
from .points import points_of, scalars_of
from .proofs import document, escaped, proof_lines

if TYPE_CHECKING:
    from ..engines.counterexamples.exact import Side
    from ..formats import Document, Json

COLOURS = {
    "proved": "bold green", "certified": "green", "supported": "cyan", "refuted": "bold red", "vacuous": "magenta",
    "unknown": "yellow",
}  # fmt: skip


TRUST = {
    "kernel": "a certificate that the stand-alone checker accepts", "replayed": "an exact witness",
    "z3": "the word of a solver, which nothing re-checks", "search": "a search",
    "assumed": "what is assumed and not proved",
}  # fmt: skip


def leaves_of(part: Document) -> Iterator[str]:
    """The names of the vectors of a part of a certificate."""
    yield from (part.get("leaves") or {}).values()


LONGEST = 12  # characters of a fraction that is shown as it is
FEW = 3  # digits of a number that is read as exact
NO_PROOF = "none that a checker accepts; the verdict rests on"


def proofs_in_latex(entries: Sequence[tuple[Claim, Json]]) -> Iterator[str]:
    """The lines of a document with the certificates of some claims."""
    sections = []
    for claim, e in entries:
        lines = [f"{escaped(claim.locator)}: {e['verdict']}" if claim.locator else e["verdict"]]
        if e.get("certificate"):
            lines += proof_lines(e["certificate"], latex=True)
        else:
            lines.append(f"Proof: {NO_PROOF} {e.get('trust') or 'nothing'}.")
        sections.append((claim.id, claim.latex, lines))
    return document(sections)


def assumption(one: Mapping[str, str]) -> str:
    """What is taken for granted, which row would prove it, and which claim takes it so."""
    row = f", which {one['row']} would prove" if one["row"] else ""
    return f"{one['why']}{row} ({one['by']})"


def number(value: Any, digits: int = 4) -> str:
    """A short figure; a dash for none."""
    return "-" if value is None else f"{value + 0.0:.{digits}g}"


def short(text: Any) -> str:
    """An exact number as people read it: small fractions as they are, long ones in decimals, a ball by its ends.

    Examples
    --------
    >>> short("16/25"), short(["1.18170032946e-28", "1.18170032947e-28"]), short("1/" + 400 * "3")
    ('16/25', '1.1817e-28', '3e-400')
    """
    if isinstance(text, list):
        if len(text) != 2 or not isinstance(text[0], str):
            return str(text)
        ends = list(dict.fromkeys(_rounded(Fraction(end)) for end in text))
        return ends[0] if len(ends) == 1 else f"[{', '.join(ends)}]"
    q = Fraction(text)
    plain = str(q)
    return plain if len(plain) <= LONGEST else _rounded(q)


def _rounded(q: Fraction) -> str:
    """A number in so many decimals that it does not look like another one, such as 1; as 1 - 1e-30 where that takes too many.

    Examples
    --------
    >>> [_rounded(Fraction(text)) for text in ("0.9999999", "0.50000004", "12345.678", "1/3")]
    ['0.9999999', '0.50000004', '12345.7', '0.33333']
    >>> _rounded(1 - Fraction("1e-30")), _rounded(1 + Fraction("1e-30"))
    ('1 - 1e-30', '1 + 1e-30')
    """
    for digits in range(5, LONGEST):
        text = decimal(q, digits)
        several = len(Decimal(text.split("e")[0]).normalize().as_tuple().digits) > FEW
        if (several and not text.lstrip("-").isdigit()) or Fraction(text) == q:
            return text
    text = decimal(q)
    apart = q - Fraction(text)
    return f"{text} {'+' if apart > 0 else '-'} {decimal(abs(apart))}" if text.lstrip("-").isdigit() else text


def with_readings(claims: Iterable[str]) -> set[str]:
    """The rows of which a claim in some reading exists; a repair is none, for it is not what is printed."""
    return {id.split("@")[0] for id in claims if "@" in id and "~" not in id}


def binding(id: str, claims: Collection[str], bound: Collection[str], read: Collection[str]) -> str:
    """To what a row is bound: a claim as printed, else what `bound` says (other), else readings alone; empty for nothing.

    Examples
    --------
    >>> claims = ["p/a", "p/b@fixed", "p/c~repaired", "p/d@drawn"]
    >>> [binding(id, claims, ["p/d"], with_readings(claims)) for id in ("p/a", "p/b", "p/c", "p/d")]
    ['claim', 'reading', '', 'other']
    """
    if id in claims:
        return "claim"
    return "other" if id in bound else "reading" if id in read else ""


def coverage_table(rows: Mapping[str, Rows], claims: Mapping[str, Claim], bound: Mapping[str, Rows]) -> Table:
    """Rows of each paper's inventory by kind: all, bound to a claim, to readings of it alone, bound otherwise, missing."""
    read = with_readings(claims)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("paper", "kind", "rows", "claims", "readings", "other bindings", "missing"):
        table.add_column(name, justify="left" if name in ("paper", "kind") else "right")
    for paper, inventory in rows.items():
        kinds = sorted({r["kind"] for r in inventory.values()})
        for kind in [*kinds, "all"]:
            ids = [i for i, r in inventory.items() if kind in (r["kind"], "all")]
            ways = Counter(binding(i, claims, bound[paper], read) for i in ids)
            style = "bold" if kind == "all" else ""
            table.add_row(
                paper, kind, str(len(ids)), *(str(ways[way]) for way in ("claim", "reading", "other", "")), style=style
            )
    return table


def shares_table(counts: Mapping[str, Mapping[str, int]]) -> Table:
    """Outcomes of the mutants by operator, and the share that the search refuted, of the false ones and of all."""
    outcomes = tuple(next(iter(counts.values())))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("operator", *outcomes, "refuted of the false ones", "refuted of all"):
        table.add_column(name, justify="left" if name == "operator" else "right")
    for operator, row in counts.items():
        valid = sum(n for outcome, n in row.items() if outcome not in ("invalid", "vacuous"))
        false = valid - row["still true"]
        share = [f"{row['refuted'] / n:.0%}" if n else "-" for n in (false, valid)]
        table.add_row(operator, *(str(n) for n in row.values()), *share)
    return table


def explain(claim: Claim, entry: Json, sides: Sequence[Side], console: Console, scope: str = "") -> None:
    """Formula, hypotheses, body, evidence, and the witness with both sides of every relation, as they were replayed."""
    from ..wellformed.unread import unread  # with its numbers, which a table of verdicts does without

    console.print(Text(claim.id, "bold"), Text(entry["verdict"], COLOURS[entry["verdict"]]), Text(claim.locator))
    console.print("source:    ", Text(claim.source))
    if entry.get("hollow"):
        console.print("this is:   ", Text(entry["hollow"]))
    if claim.latex:
        console.print("of the row:" if entry.get("hollow") else "printed:   ", Text(claim.latex))
    if claim.note:
        console.print("reading:   ", Text(claim.note))
    stated = [
        f"{one.printed} ({one.where})" if one.where else one.printed for one in claim.by if isinstance(one, Printed)
    ]
    console.print("hypotheses:", Text(", ".join(dict.fromkeys([*claim.world.hypotheses(), *stated])) or "none"))
    if idle := unread(claim):
        console.print("unread:    ", Text(f"{', '.join(idle)} (declared in the world, read by nothing)"))
    if claim.uses:
        console.print("stands on: ", Text(", ".join(claim.uses)))
    for lemma in entry.get("given", ()):
        on = f", {lemma['trust']}" if lemma["trust"] else ""
        console.print("given:     ", Text(f"{lemma['id']} ({lemma['verdict']}{on})"))
    for one in entry.get("assumed", ()):
        console.print("assumed:   ", Text(assumption(one)))
    try:
        console.print("body:")
        console.print(Text(inspect.getsource(claim.body).rstrip()))
    except OSError:
        console.print(Text("  (source not available)"))
    if claim.control:
        console.print("control:   ", Text(claim.control.because))
    if scope:
        console.print("scope:     ", Text(scope))
    if points := points_of(entry, [name for name, s in claim.world.scalars.items() if s.weight]):
        console.print("at:        ", Text(points))
    if entry.get("trust"):
        console.print("rests on:  ", Text(f"{entry['trust']} ({TRUST[entry['trust']]})"))
    for e in entry["evidence"]:
        console.print("evidence:  ", Text(evidence_line(e)))
    if entry["witness"]:
        w = entry["witness"]
        console.print("witness:   ", Text(f"sizes {w['shape']}"))
        for part in (scalars_of(w, claim.world), w["free"]):
            for k, v in part.items():
                console.print(f"   {k} =", Text(str(v).replace("'", "")))
        for side in sides:
            truth = "holds" if side.truth else "fails"
            console.print(
                f"   {side.name} {short_side(side.lhs)} {side.op} {short_side(side.rhs)} {truth}".replace("    ", "   ")
            )
    if entry["repair"]:
        console.print(
            "repair:    ", Text(f"{entry['repair']['id']} is {entry['repair']['verdict']}: {entry['repair']['latex']}")
        )


def proof(entry: Json, console: Console) -> None:
    """The certificate of a verdict as mathematics, or why there is none."""
    if entry.get("certificate"):
        console.print("proof:      for all vectors and numbers that the function class allows")
        if any(name.startswith("spread ") for part in entry["certificate"]["parts"] for name in leaves_of(part)):
            console.print(
                "            (mean: over the clients; deviation: of client i from it; spread: for all other deviations)"
            )
        for line in proof_lines(entry["certificate"]):
            console.print(Text("  " + line))
    else:
        console.print("proof:     ", Text(f"{NO_PROOF} {entry.get('trust') or 'nothing'}"))


def short_side(value: object) -> str:
    """One side of a relation."""
    import flint  # with which numbers come; a list of claims needs none

    from ..numbers import readable

    shown = readable(value)
    return shown.str(8) if isinstance(shown, flint.arb) else short(str(shown))


def evidence_line(e: Document) -> str:
    """What one engine says: outcome, where it declines at some sizes which, figures, reason.

    Examples
    --------
    >>> evidence_line({"engine": "gram", "outcome": "declines", "scope": [{"m": 1, "S": 1}], "numbers": {}, "reason": "no"})
    'gram declines at m=1 S=1: no'
    """
    at = ""
    if e["outcome"] in ("declines", "fails") and isinstance(e["scope"], list):
        at = " at " + _some([_sizes(s) for s in e["scope"]])
    figures = ", ".join(f"{k}={_figure(v)}" for k, v in e["numbers"].items() if v is not None and v != [])
    return f"{e['engine']} {e['outcome']}{at}" + "".join(f": {t}" for t in (figures, e["reason"]) if t)


def _sizes(point: object) -> str:
    return " ".join(f"{k}={v}" for k, v in point.items()) if isinstance(point, Mapping) else str(point)


def _some(texts: list[str], most: int = 4) -> str:
    return "; ".join(texts[:most]) + (f" and {len(texts) - most} more" if len(texts) > most else "")


def _figure(v: object) -> str:
    if (
        isinstance(v, list)
        and v
        and all(isinstance(p, Mapping) and isinstance(next(iter(p.values()), 0), str) for p in v)
    ):
        return ", ".join(f"{c} [{name}]" for p in v for name, c in p.items()) or "none"  # multipliers
    if isinstance(v, list):
        sizes = [_sizes(p) for p in v if isinstance(p, Mapping)]
        return f"({_some(sizes)})" if sizes else str(len(v))
    if isinstance(v, Mapping):
        return "; ".join(f"{k}: {_figure(each)}" if v else str(k) for k, each in v.items())
    return f"{v:.4g}" if isinstance(v, float) else str(v)
