"""A note in LaTeX for a paper's authors: what is wrong, where, the counterexample in two lines, what holds instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..claim import Claim
from ..engines.counterexamples.witness import free_of
from ..engines.search.at_rest import replayed
from ..formats import Document
from ..paper import Paper
from ..verdict import NEGATIVE
from .page import reading, value
from .points import scalars_of, sizes_of
from .proofs import Latex, escaped, printed
from .screen import statement
from .tables import short

Entry = Document
OPENS = (
    r"\documentclass{article}", r"\usepackage{amsmath,amssymb}", r"\setlength{\parindent}{0pt}",
    r"\setlength{\parskip}{4pt}", r"\begin{document}", r"\raggedright",
)  # fmt: skip
GROUPS = (("Statements", True, False), ("Steps and remarks", False, False), ("In one reading", None, True))


def errata(papers: Sequence[Paper], entries: Sequence[Entry], claims: Mapping[str, Claim], said: str) -> Iterator[str]:
    """The lines of a document that compiles by itself, a section a paper.

    Parameters
    ----------
    papers : list of Paper
    entries : list of dict
        Of a report; what does not hold is listed, as printed first, then in readings.
    claims : dict of Claim
        Those of them whose source is at hand; of the others a witness is shown by its numbers alone.
    said : str
        How the verdicts were reached, in words.
    """
    yield from OPENS
    for paper in papers:
        own = [e for e in entries if e["id"].split("/")[0] == paper.id]
        yield rf"\section*{{Remarks on {escaped(paper.title)}}}"
        if about := ": ".join(filter(None, (paper.authors, paper.reference))):
            yield escaped(about) + r"\par"
        yield escaped(said) + r"\par"
        yield from _paper(paper, own, claims)
    yield r"\end{document}"


def found_by(head: Mapping[str, object], origin: str) -> str:
    """How verdicts were reached, in words, from the head of a report and where it comes from."""
    return (
        f"Found by fedtheory {head['version']}, budget {head['budget']}, seed {head['seed']}{origin}. Every counterexample "
        "meets all assumptions that are stated, in exact arithmetic; fedtheory explain ID shows each in full."
    )


def faults(paper: Paper, own: Sequence[Entry]) -> list[object]:
    """What is wrong in a paper: entries of what does not hold, and its misprints."""
    return [*_wrong(own), *_misprints(paper)]


def _wrong(own: Sequence[Entry]) -> list[Entry]:
    return [e for e in own if e["verdict"] in NEGATIVE and "~" not in e["id"]]


def _misprints(paper: Paper) -> list[tuple[str, str]]:
    return [(id, row["erratum"]) for id, row in paper.bindings().items() if "erratum" in row]


def _paper(paper: Paper, own: Sequence[Entry], claims: Mapping[str, Claim]) -> Iterator[str]:
    wrong, misprints = _wrong(own), _misprints(paper)
    if not wrong and not misprints:
        yield r"Nothing of what was looked at is wrong.\par"
    for title, stated, read in GROUPS:
        listed = [e for e in wrong if ("@" in e["id"]) == read and stated in (None, bool(statement(e)))]
        if listed:
            yield from (rf"\subsection*{{{title}}}", r"\begin{enumerate}")
            for e in listed:
                yield from _item(e, claims.get(e["id"]))
            yield r"\end{enumerate}"
    told = [reading(claims[e["id"]], e["witness"]) for e in wrong if e["witness"] and e["id"] in claims]
    if told := [text for text in dict.fromkeys(told) if text]:
        yield r"\subsection*{How the numbers of a counterexample are read}"
        yield from (rf"{escaped(' '.join(text.split()))}\par" for text in told)
    if misprints:
        yield from (r"\subsection*{Misprints in definitions and algorithms}", r"\begin{itemize}")
        inventory = paper.inventory()
        for id, erratum in misprints:
            place = inventory[id]["locator"] if id in inventory else id
            yield rf"\item {escaped(place)}: {printed(erratum)}."
        yield r"\end{itemize}"


def _item(e: Entry, claim: Claim | None) -> Iterator[str]:
    """One thing that is wrong."""
    place = e["locator"] or e["id"]
    yield rf"\item \textbf{{{escaped(place)}}} (\texttt{{{escaped(e['id'])}}}, {e['verdict']})\par"
    if e["latex"]:
        yield printed(" ".join(e["latex"].split())) + r"\par"
    if e["note"]:
        yield rf"Read as: {printed(e['note'])}\par"
    if e["witness"]:
        yield from _witness(e["witness"], claim)
    else:
        yield rf"Why: {escaped(e['reason'].splitlines()[0] if e['reason'] else e['verdict'])}\par"
    if repair := e["repair"]:
        yield rf"\emph{{What holds instead}} ({repair['verdict']}): {printed(repair['latex'])}\par"


def _witness(w: Document, claim: Claim | None) -> Iterator[str]:
    """Where it fails, a line; both sides, another."""
    shown = w["free"] if claim is None else replayed(claim).world.legible(_vectors(w, claim))
    scalars = w["scalars"] if claim is None else scalars_of(w, replayed(claim).world)
    numbers = [(k, str(v)) for k, v in sizes_of(w).items()]
    numbers += [(k, value(v)) for k, v in (*scalars.items(), *((k, w["free"][k]) for k in w["free"] if k in shown))]
    style = Latex()
    at = ", ".join(f"${style.called(k)}$ = {escaped(v)}" for k, v in numbers)
    which = f" ({escaped(w['relation'])})" if w.get("relation") else ""
    yield rf"\emph{{Counterexample}} at {at or 'any numbers'}:\par"
    left, right = (escaped(short(w[side])) for side in ("lhs", "rhs"))
    yield rf"left side {left}, right side {right}{which}, so that ${style.op(w['op'])}$ fails.\par"


def _vectors(w: Mapping[str, object], claim: Claim) -> Document:
    return free_of(w, replayed(claim).world).vectors
