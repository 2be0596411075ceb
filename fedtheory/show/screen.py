"""The first screen of `fedtheory verify`: the statements of each paper that fall, with their repairs, and where the rest is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from rich.text import Text

from ..formats import Document
from .tables import COLOURS
from .theorems import called
from .verdicts import FEW, WRONG, complaint, counts, verdict_lines, wrapped

Entry = Document
HEAD = ("falls", "refuted", "repaired")
LINES = 20  # of a terminal of 80 columns
FALSE = ("vacuous", "refuted")
NAMED = 5  # statements of a paper that are named where they have no lines of their own
UNDECIDED = 3  # claims of a paper that stand with their reasons; how many more there are is said
TRUE_KINDS = ("condition", "definition", "algorithm")  # of rows that a statement names and that are none
KINDS = {
    "reading": ("reading", "readings"), "repair": ("repair", "repairs"), "step": ("step of a proof", "steps of proofs"),
    "condition": ("condition", "conditions"), "definition": ("definition", "definitions"),
    "algorithm": ("algorithm line", "algorithm lines"), "text": ("in the text", "in the text"),
}  # fmt: skip


def shown(
    entries: Sequence[Entry], width: int, *, published: Collection[str], every: bool = False, refuted: bool = False
) -> Iterator[Text]:
    """What is printed of a run: many published claims as a screen, drafts and a few claims line by line.

    Parameters
    ----------
    entries : list of dict
        Entries of a report.
    width : int
        Columns of the terminal.
    published : collection of str
        Ids of the claims that are of papers.
    every, refuted : bool
        As in `verdict_lines`, which prints what is asked for so.
    """
    of_papers = [e for e in entries if e["id"] in published]
    if every or refuted or len(of_papers) <= FEW:
        yield from verdict_lines(entries, width, every=every, refuted=refuted)
        return
    drafts = [e for e in entries if e["id"] not in published]
    if drafts:
        yield from verdict_lines(drafts, width)
    yield from screen(of_papers, width)


def screen(entries: Sequence[Entry], width: int) -> Iterator[Text]:
    """At most `LINES` lines of `width` columns, where no line has to be broken and there are few papers."""
    papers = list(dict.fromkeys(e["id"].split("/")[0] for e in entries))
    own = {p: [e for e in entries if e["id"].split("/")[0] == p] for p in papers}
    end = list(_next(entries, width))
    for most in range(LINES, 0, -1):
        lines = list(_papers(own, width, most))
        if len(lines) + len(end) <= LINES:
            break
    yield from lines
    yield from end


def statement(e: Entry) -> str:
    """The theorem, lemma, corollary or proposition that a claim is; nothing for a reading, a repair, a step or a remark.

    Examples
    --------
    >>> statement({"id": "a/lemma1b", "kind": "rate", "step": False, "locator": "Section 3.2, Lemma 1; proof A.2"})
    'Lemma 1'
    >>> statement({"id": "a/rem2", "kind": "rate", "step": False, "locator": "Section 4, below Theorem 2"})
    ''
    """
    return called(e.get("locator", "")) if kind(e) == "text" else ""


def kind(e: Entry) -> str:
    """What a claim is: a reading, a repair, a step, a condition, a definition, a line of an algorithm, or text."""
    if "~" in e["id"]:
        return "repair"
    if "@" in e["id"]:
        return "reading"
    if e.get("step"):
        return "step"
    return e["kind"] if e.get("kind") in TRUE_KINDS else "text"


def kinds(entries: Sequence[Entry]) -> str:
    """How many of each kind there are.

    Examples
    --------
    >>> kinds([{"id": "a/x@literal"}, {"id": "a/y", "step": True}, {"id": "a/z", "step": True}])
    '2 steps of proofs, 1 reading'
    """
    found = Counter(kind(e) for e in entries)
    return ", ".join(f"{n} {KINDS[k][n > 1]}" for k, n in sorted(found.items(), key=lambda pair: -pair[1]))


def _papers(own: Mapping[str, Sequence[Entry]], width: int, most: int) -> Iterator[Text]:
    """Of each paper counts, the statements that fall, how many other rows do, and what is not decided."""
    cells, left = {}, {}
    for paper, entries in own.items():
        fallen: dict[str, list[Entry]] = {}
        for e in entries:
            if e["verdict"] in FALSE and (name := statement(e)):
                fallen.setdefault(name, []).append(e)
        order = sorted(fallen, key=_rank)
        left[paper] = order[most - 1 :] if len(order) > most else []
        cells[paper] = [(n, _ids(fallen[n]), _repairs(fallen[n])) for n in order if n not in left[paper]]
    every = [HEAD, *(c for each in cells.values() for c in each)]
    size = [max(len(c[i]) for c in every) for i in (0, 1)]
    if len(every) > 1:
        yield Text("  " + _line(HEAD, size), "bold")
    for paper, entries in own.items():
        if len(own) > 1:
            first, *more = wrapped(f"{paper}  {len(entries)}: {brief(entries)}", "  ", width)
            first.stylize("bold", 0, len(paper))
            yield first
            yield from more
        for cell in cells[paper]:
            first, *more = wrapped("  " + _line(cell, size), " " * (size[0] + 4), width)
            first.stylize(COLOURS["refuted"], 2, 2 + len(cell[0]))
            yield first
            yield from more
        if left[paper]:
            named = left[paper] if len(left[paper]) <= NAMED else left[paper][: NAMED - 1]
            more_of = f" and {len(left[paper]) - len(named)} more" if len(left[paper]) > len(named) else ""
            yield from wrapped(f"  and {', '.join(named)}{more_of}", "    ", width)
        rest = [e for e in entries if e["verdict"] in FALSE and not statement(e)]
        if rest:
            yield from wrapped(f"  {'also ' if cells[paper] else ''}refuted: {kinds(rest)}", "    ", width)
        yield from _undecided([e for e in entries if e["verdict"] == "unknown"], width)


def brief(entries: Sequence[Entry]) -> str:
    """Counts of verdicts, in few words."""
    return counts(entries).replace(" from what is assumed", " assumed")


def _line(cell: Sequence[str], size: Sequence[int]) -> str:
    return f"{cell[0]:{size[0]}}  {cell[1]:{size[1]}}  {cell[2]}".rstrip()


def _rank(name: str) -> tuple[int, list[int]]:
    """Theorems first, then corollaries, propositions and lemmas, each by its number, and what is none at the end."""
    word, _, number = name.partition(" ")
    order = ("Theorem", "Corollary", "Proposition", "Lemma", "")
    return order.index(word), [int(n) for n in re.findall(r"[0-9]+", number)]


def _ids(entries: Sequence[Entry]) -> str:
    return ", ".join(e["id"].split("/", 1)[1] + (" (vacuous)" if e["verdict"] == "vacuous" else "") for e in entries)


def _repairs(entries: Sequence[Entry]) -> str:
    """The repairs by their verdicts."""
    found: dict[str, list[str]] = {}
    for e in entries:
        if e.get("repair"):
            found.setdefault(e["repair"]["verdict"] or "undecided", []).append(e["repair"]["id"].split("/", 1)[1])
    return "; ".join(f"{verdict} {', '.join(dict.fromkeys(ids))}" for verdict, ids in found.items()) or "no repair"


def _undecided(entries: Sequence[Entry], width: int) -> Iterator[Text]:
    for e in entries[:UNDECIDED]:
        for line in complaint(e, width - 2):
            yield Text("  ") + line
    if len(entries) > UNDECIDED:
        yield Text(f"  unknown  {len(entries) - UNDECIDED} more")


def _next(entries: Sequence[Entry], width: int) -> Iterator[Text]:
    """The counts of all, and what to type next."""
    total = f"{len(entries)} claims: "
    yield from wrapped(total + brief(entries), "", width)
    wrong = [e for e in entries if e["verdict"] in WRONG]
    first = min(wrong, key=lambda e: _rank(statement(e)), default=None)
    explained = f"fedtheory explain {first['id']}; --refuted: witnesses; " if first is not None else ""
    yield from wrapped(f"next: {explained}--all: every row", "      ", width)
