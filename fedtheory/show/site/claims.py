"""What the page of one claim shows, as plain data for its template."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from ...claim import Claim
from ...engines.counterexamples.witness import free_of, kin
from ...engines.search.at_rest import replayed
from ...formats import Document, Json
from ...theorem import Printed
from ..coq import coq_file
from ..failures import sides
from ..page import below, value
from ..points import points_of
from ..proofs import proof_lines
from ..tables import TRUST, assumption, evidence_line, number, short, short_side
from ..theorems import STATEMENT
from ..verdicts import in_a_line, scope_line
from .mathematics import coded, proof_line

Entry = Document
MEANS = {
    "proved": "true for all parameters, every number of clients, any dimension",
    "certified": "true at the listed parameters and sizes, any dimension",
    "supported": "no counterexample was found, by a search that refutes the claim's control",
    "refuted": "false as printed: a counterexample meets every stated assumption, in exact arithmetic",
    "vacuous": "its conditions cannot hold together, or leave nothing to claim",
    "unknown": "not decided; the reason is given",
}
KINDS = ("as printed", "step", "reading", "repair")
DEPTH = 8  # of the tree of what a claim stands on
LONG = 40  # lines of a proof that stand on the claim's page; longer ones have a page of their own


@dataclass(frozen=True)
class Row:
    """A claim of a site: what a report says of it, and the claim itself where its source is at hand.

    Attributes
    ----------
    entry : dict
        Of a report.
    claim : Claim or None
    """

    entry: Entry
    claim: Claim | None

    @property
    def id(self) -> str:
        """Its id."""
        return self.entry["id"]

    @property
    def paper(self) -> str:
        """The id of its paper."""
        return self.id.split("/")[0]

    @property
    def name(self) -> str:
        """Its id within the paper."""
        return self.id.split("/", 1)[1]

    @property
    def file(self) -> str:
        """The file of its page, from the root of the site on."""
        return f"claims/{self.paper}/{self.name}.html"

    @property
    def url(self) -> str:
        """The same as a link."""
        return quote(self.file)

    @property
    def kind(self) -> str:
        """As printed, a step of a proof, a reading, or a repair."""
        marks = (("~", "repair"), ("@", "reading"))
        found = [kind for sign, kind in marks if sign in self.name]
        return found[0] if found else "step" if self.entry["step"] else "as printed"

    @property
    def title(self) -> str:
        """The theorem or lemma of its place, or the place; whether it is a reading or a repair of that."""
        place = self.entry["locator"] or self.name
        found = STATEMENT.search(place)
        said = found.group().rstrip(".") if found and self.kind != "step" else place
        return {"reading": f"Reading of {said}", "repair": f"Repair of {said}"}.get(self.kind, said)

    @property
    def line(self) -> str:
        """The witness, reason or scope in one line."""
        return in_a_line(self.entry).partition(": ")[2]


def facts(row: Row) -> Iterator[tuple[str, str]]:
    """(what, in words) of a verdict."""
    e = row.entry
    yield "verdict", f"{e['verdict']}: {MEANS[e['verdict']]}"
    if e.get("trust"):
        yield "rests on", f"{e['trust']}: {TRUST[e['trust']]}"
    if e["tier"]:
        yield "decided by", e["tier"]
    if said := scope_line(e) or ("all parameters" if e["verdict"] == "proved" and not e.get("assumed") else ""):
        yield "scope", said
    weights = [name for name, s in row.claim.world.scalars.items() if s.weight] if row.claim else []
    if points := points_of(e, weights):
        yield "at", points
    if e["tightness"] is not None:
        yield "largest left/right found", number(e["tightness"])
    for what, key in (("undefined", "domain"), ("reason", "reason")):
        if e[key]:
            yield what, e[key]
    met = e["hypotheses"].get("met_in_experiments")
    if met is not None:
        yield "in the paper's experiments", "its conditions are met" if met else "its conditions are not met"


def hypotheses(claim: Claim | None) -> list[str]:
    """What is assumed in the world of a claim and by its statement, once each."""
    if claim is None:
        return []
    stated = [f"{o.printed} ({o.where})" if o.where else o.printed for o in claim.by if isinstance(o, Printed)]
    return list(dict.fromkeys([*claim.world.hypotheses(), *stated]))


def assumed(e: Entry) -> list[str]:
    """What is assumed and not proved, in words."""
    return [assumption(one) for one in e.get("assumed", ())]


def witness(row: Row) -> Json | None:
    """The counterexample: numbers by name, and both sides of every relation, re-evaluated exactly where the claim is at hand."""
    w = row.entry["witness"]
    if not w:
        return None
    numbers = [(k, str(v)) for k, v in w["shape"].items() if k != "select"]
    numbers += [(k, value(v)) for k, v in w["scalars"].items()]
    if row.claim is None:
        shown, reading = w["free"], ""
        found = [(w.get("relation") or "", short(w["lhs"]), w["op"], short(w["rhs"]), False)]
    else:
        world = replayed(row.claim).world
        shown, reading = world.legible(free_of(w, world).vectors), kin(free_of(w, world), world).reading()
        found = [
            (s.name, short_side(s.lhs), s.op, short_side(s.rhs), bool(s.truth)) for s in sides(row.claim, row.entry)
        ]
    numbers += [(k, value(v)) for k, v in w["free"].items() if k in shown]
    return {"numbers": numbers, "sides": found, "reading": coded(reading.strip())}


def proof(e: Entry) -> list[Any]:
    """The lines of its certificate as mathematics: (depth, HTML) each."""
    certificate = e.get("certificate")
    return [proof_line(line) for line in proof_lines(certificate, latex=True)] if certificate else []


def coq(e: Entry) -> str:
    """A file that Coq checks; empty where there is no certificate."""
    return coq_file([e["certificate"]]) if e.get("certificate") else ""


def body(claim: Claim | None) -> str:
    """The claim in Python."""
    if claim is None:
        return ""
    try:
        return inspect.cleandoc(inspect.getsource(claim.body))
    except OSError:  # of a notebook that is gone
        return ""


def tree(id: str, rows: Mapping[str, Row], depth: int = 0, seen: frozenset[str] = frozenset()) -> list[Json]:
    """What a claim stands on, each with what that stands on; a circle ends where it closes."""
    row = rows.get(id)
    if row is None or depth == DEPTH or id in seen:
        return []
    listed = below(id, {id: row.claim}) if row.claim else row.entry["uses"]
    return [{"id": u, "row": rows.get(u), "below": tree(u, rows, depth + 1, seen | {id})} for u in listed]


def above(rows: Mapping[str, Row]) -> dict[str, list[Row]]:
    """By id the claims that stand on a claim, directly."""
    found: dict[str, list[Row]] = {}
    for row in rows.values():
        for u in below(row.id, {row.id: row.claim}) if row.claim else row.entry["uses"]:
            found.setdefault(u, []).append(row)
    return found


def commands(row: Row, files: Sequence[str]) -> list[str]:
    """Command lines that decide, show and export the claim; `files` hold drafts."""
    where = " ".join(("", *files)) if files else ""
    id = f"'{row.id}'" if "~" in row.id else row.id
    out = [f"fedtheory verify {id}{where}", f"fedtheory explain {id}{where} --proof"]
    if row.entry.get("certificate"):
        out.append(f"fedtheory export {id}{where} --coq {row.name}.v")
    if row.entry["witness"]:
        out += [f"fedtheory verify {id}{where} --json report.json", f"fedtheory replay report.json {id}{where}"]
    return out


def evidence(e: Entry) -> list[str]:
    """What every engine said, a line each."""
    return [evidence_line(one) for one in e["evidence"]]
