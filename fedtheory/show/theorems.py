"""The theorems, lemmas, corollaries and propositions at a glance: verdict, what it rests on, sizes, what is assumed."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from rich.text import Text

from ..claim import Claim
from ..formats import Document

HEAD = (
    "| statement | claim | verdict | rests on | for which lengths and clients | assumed |",
    "|---|---|---|---|---|---|",
)
COLUMNS = ("statement", "claim", "verdict", "rests on", "for which lengths and clients")
LEAST = 24  # columns that the last one has, however narrow the terminal is
STATEMENT = re.compile(r"(Theorem|Lemma|Corollary|Proposition) [A-Z]?\.?[0-9][0-9.]*")
BESIDE = re.compile(r"proof|below|above|before|after|remark", re.I)  # of a place near a statement
OTHERWISE = ("duplicate", "prose")  # bindings of statements that are no claims of their own
LENGTHS = ("m", "S", "d")  # sizes that are no lengths


class Stated(NamedTuple):
    """A statement, or a reading or repair of it; `title` is that of the first of them alone."""

    title: str
    id: str
    verdict: str
    trust: str
    where: str
    assumed: tuple[str, ...] = ()


def called(locator: str) -> str:
    """The theorem, lemma, corollary or proposition that stands at a place; nothing for what stands near one.

    Examples
    --------
    >>> called("Section 4.4, Theorem 2 1), (19); proof Appendix D"), called("Section 4.4, below Theorem 2")
    ('Theorem 2', '')
    """
    found = (STATEMENT.search(place) for place in locator.split(";") if not BESIDE.search(place))
    return next((one.group().rstrip(".") for one in found if one), "")


def stated(inventory: Document, bindings: Document, claims: Mapping[str, Claim], entries: Document) -> list[Stated]:
    """The statements of a paper, or what a draft claims, each with its readings and repairs; no steps of proofs.

    Parameters
    ----------
    inventory, bindings : dict
        The rows of a paper, and what those are bound to that are no claims; empty for a draft.
    claims : dict of Claim
        By id.
    entries : dict
        Entries of a report by id; claims that have none are left out.
    """
    own = dict.fromkeys(re.split("[@~]", id)[0] for id in claims) if not inventory else {}
    out = []
    for row, title in [*((id, called(r["locator"])) for id, r in inventory.items()), *((id, "-") for id in own)]:
        ids = [i for i in claims if re.split("[@~]", i)[0] == row and i in entries and not claims[i].step]
        found = [_decided(i, claims[i], entries[i]) for i in sorted(ids, key=lambda i: i != row)] if title else []
        other = bindings.get(row, {})
        if title and row not in entries and _says(inventory.get(row), other):
            said = f"as {_short(other['to'])}" if "to" in other else other["binding"]
            if found or other.get("to") in entries or entries.keys() >= claims.keys():
                found.insert(0, Stated("", row, said, "", "-"))
        out += [one._replace(title="" if k else title) for k, one in enumerate(found)]
    return out


def _says(row: Document | None, bound: Document) -> bool:
    """Whether a row that is no claim says something all the same."""
    return row is not None and bound.get("binding") in OTHERWISE and row["kind"] not in ("definition", "condition")


def _decided(id: str, claim: Claim, e: Document) -> Stated:
    return Stated(
        "", id, e["verdict"], e.get("trust", ""), where(claim, e), tuple(one["why"] for one in e.get("assumed", ()))
    )


def theorems(rows: Collection[Stated]) -> str:
    """Statements as a table in Markdown."""
    cells = (
        (r.title, f"`{_short(r.id)}`", r.verdict, r.trust or "-", r.where, "; ".join(r.assumed) or "-") for r in rows
    )
    return "\n".join([*HEAD, *(f"| {' | '.join(row)} |" for row in cells)])


def lines(papers: Mapping[str, Collection[Stated]], width: int) -> Iterator[Text]:
    """Statements by paper as lines of a terminal: what is assumed stands below what rests on it, and nothing is cut.

    Parameters
    ----------
    papers : dict
        From `stated`, by the names of the papers.
    width : int
        Columns.
    """
    from .tables import COLOURS

    rows = [(r.title, _short(r.id), r.verdict, r.trust or "-", r.where) for own in papers.values() for r in own]
    if not rows:
        yield Text("no theorem, lemma, corollary or proposition is among these claims")
        return
    size = [max(len(row[k]) for row in (COLUMNS, *rows)) for k in range(4)]
    start = sum(size) + 2 * len(size)
    yield Text("  ".join([*(name.ljust(n) for name, n in zip(COLUMNS, size, strict=False)), COLUMNS[-1]]), "bold")
    for paper, own in papers.items():
        if own:
            yield Text(paper, "bold")
        for r in own:
            cells = (r.title, _short(r.id), r.verdict, r.trust or "-")
            first, *more = textwrap.wrap(r.where, max(width - start, LEAST)) or ["-"]
            line = Text("  ".join([*(c.ljust(n) for c, n in zip(cells, size, strict=True)), first]).rstrip())
            at = size[0] + size[1] + 4
            line.stylize(COLOURS.get(r.verdict, ""), at, at + len(r.verdict))
            yield line
            yield from (Text(" " * start + text) for text in more)
            for why in r.assumed:
                said = textwrap.wrap(f"assumed: {why}", max(width - 4, LEAST), subsequent_indent="  ")
                yield from (Text("    " + text, "yellow") for text in said)


def _short(id: str) -> str:
    return id.split("/", 1)[-1]


def where(claim: Claim, entry: Mapping[str, object]) -> str:
    """For which lengths and numbers of clients a verdict is.

    Examples
    --------
    >>> from fedtheory import claim, le
    >>> from problems import Sequences, at_least
    >>> one = claim("draft/x", world=Sequences("T", sequences={"D": at_least(0)}))(lambda x: le(0, x.D[x.T]))
    >>> where(one, {"verdict": "proved", "scope": "all"})
    'every T >= 1'
    """
    from .page import scope_text

    if entry["verdict"] not in ("proved", "certified", "supported"):
        return "-"
    if entry["scope"] != "all":
        return scope_text(entry) or "listed parameters"
    world: Any = claim.world
    said = [f"every {world.index} >= {world.parts().first}"] if world.index else []
    counts = world.sizes.get("m")
    if counts:
        said.append(
            "one client" if max(counts) == 1 else f"every m >= {min(counts)}" + (" and S" if "S" in world.sizes else "")
        )
    others = [k for k, v in world.sizes.items() if k not in (*LENGTHS, world.index)]
    said += [f"every {k}" for k in others]
    return ", ".join(said) or "no length and no clients in it"
