"""What the page of one paper shows, as plain data for its template."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from ...formats import Json
from ...paper import Paper
from ...verdict import NEGATIVE, POSITIVE, VERDICTS
from ..audit import fails
from ..screen import statement
from ..tables import with_readings
from ..theorems import where
from .claims import KINDS, Row, tree
from .mathematics import printed

Rows = Mapping[str, Row]
SECTION = re.compile(r"[,;(]")


@dataclass(frozen=True)
class Region:
    """A picture of where theorems apply.

    Attributes
    ----------
    svg : str
    axes : (str, str)
        The parameters.
    problem : str
        Whose numbers the others have.
    said : list of str
        What the picture says, a line a theorem.
    command : str
        What draws it.
    """

    svg: str
    axes: tuple[str, str]
    problem: str
    said: Sequence[str]
    command: str


@dataclass(frozen=True)
class Beside:
    """What a paper's page has besides its claims.

    Attributes
    ----------
    audit : list of regions.audit.Line
        Its printed settings against its theorems.
    pictures : list of (title, link, picture)
        Its tables, figures and rates.
    region : Region or None
    empirical : dict
        By the id of an empirical row (verdict, why).
    note : bool
        Whether there is a note for its authors.
    """

    audit: Sequence[Any] = ()
    pictures: Sequence[tuple[str, str, str]] = ()
    region: Region | None = None
    empirical: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    note: bool = False


class Page:
    """One paper with its claims.

    Parameters
    ----------
    paper : Paper
    rows : dict of Row
        Its claims by id, with readings and repairs.
    beside : Beside
    """

    def __init__(self, paper: Paper, rows: Rows, beside: Beside) -> None:
        self.paper, self.rows, self.beside = paper, rows, beside
        self.id, self.title = paper.id, paper.title
        self.said = ": ".join(filter(None, (paper.authors, paper.reference)))
        self.file = f"papers/{paper.id}.html"
        self.url = quote(self.file)
        self.region_file, self.note_file = f"regions/{paper.id}.svg", f"errata/{paper.id}.tex"
        self.counts = Counter(row.entry["verdict"] for row in rows.values())

    @property
    def bindings(self) -> Any:
        """What the rows that are no claims are bound to."""
        return self.paper.bindings()

    @property
    def rows_bound(self) -> str:
        """How many rows there are, and how many claims say what they print."""
        inventory = self.paper.inventory()
        if not inventory:
            return f"{len(self.rows)} claims of a draft"
        bound = sum(id in self.rows for id in inventory)
        read = sum(id not in self.rows for id in with_readings(self.rows) if id in inventory)
        return f"{len(inventory)} rows, {bound} of them claims, {read} more in readings"

    @property
    def statements(self) -> list[Json]:
        """Theorems, lemmas, corollaries and propositions, each followed by its readings and repairs."""
        out = []
        for row in self.rows.values():
            if title := statement(row.entry):
                near = [r for r in self.rows.values() if re.split(r"[@~]", r.id)[0] == row.id]
                near.sort(key=lambda r: KINDS.index(r.kind))
                for k, one in enumerate(near):
                    size = where(one.claim, one.entry) if one.claim else one.line
                    said = [a["why"] for a in one.entry.get("assumed", ())]
                    out.append({"title": "" if k else title, "row": one, "where": size, "assumed": said})
        return out

    @property
    def fallen(self) -> list[tuple[str, Row]]:
        """Statements that do not hold as printed."""
        found = [(statement(row.entry), row) for row in self.rows.values() if row.entry["verdict"] in NEGATIVE]
        return [(title, row) for title, row in found if title]

    @property
    def wrong(self) -> tuple[list[Json], list[Json]]:
        """What does not hold as printed or in a reading, with its repair: (statements, all else)."""
        first = {row.id for _, row in self.fallen}
        wrong = [r for r in self.rows.values() if r.entry["verdict"] in NEGATIVE and r.kind != "repair"]
        parts = ([r for r in wrong if (r.id in first) == stated] for stated in (True, False))
        stated, others = ([self._wrong(row) for row in part] for part in parts)
        return stated, others

    def _wrong(self, row: Row) -> dict[str, object]:
        repair = row.entry["repair"]
        return {
            "row": row, "printed": printed(row.entry["latex"]),
            "repair": self.rows.get(repair["id"]) if repair else None,
            "said": printed(repair["latex"]) if repair else "",
        }  # fmt: skip

    @property
    def misprints(self) -> list[tuple[str, str]]:
        """Rows whose definition is misprinted, and how it is read."""
        return [(id.split("/", 1)[1], printed(row["erratum"])) for id, row in self.bindings.items() if "erratum" in row]

    @property
    def trees(self) -> tuple[list[Json], list[Json]]:
        """What the claims stand on that nothing else stands on: (of statements, of all else)."""
        found = {id: tree(id, self.rows) for id in self.rows if "~" not in id}
        used = {n["id"] for nodes in found.values() for n in nodes}
        tops: list[Json] = [
            {"id": id, "row": self.rows[id], "below": t} for id, t in found.items() if t and id not in used
        ]
        stated, others = ([t for t in tops if bool(statement(t["row"].entry)) == s] for s in (True, False))
        return stated, others

    @property
    def conditions(self) -> list[tuple[str, str]]:
        """The conditions of its theorems, each with its place."""
        catalogue = self.paper.catalogue()
        if catalogue is None:
            return []
        every = [*catalogue.conditions, *(c for t in catalogue.theorems for c in (*t.conditions, *t.proof))]
        return [(c.printed, c.where) for c in {c.printed: c for c in every}.values()]

    @property
    def bounds(self) -> list[tuple[str, str]]:
        """Its explicit bounds, by their places."""
        catalogue = self.paper.catalogue()
        return [(b.where, f"{b.left} <= {b.printed}") for b in catalogue.bounds] if catalogue is not None else []

    @property
    def audit(self) -> list[tuple[str, ...]]:
        """Problem, theorem, at how many settings it applies, what fails by which factor."""
        out: list[tuple[str, ...]] = []
        for line in self.beside.audit:
            held = sum(o.holds is True for o in line.outcomes)
            problem = line.label + ("" if line.kind == "as printed" else f", {line.kind}")
            out.append((problem, line.theorem, f"{held} of {len(line.outcomes)}", fails(line)))
        return out

    @property
    def sections(self) -> list[tuple[str, list[Json]]]:
        """Every row of the inventory with its readings and repairs, under the section of the paper that it stands in."""
        out: dict[str, list[Json]] = {}
        inventory, left = self.paper.inventory(), dict(self.rows)
        for id, line in inventory.items():
            own = out.setdefault(line["locator"].split(",")[0], [])
            near = [i for i in left if i == id or re.split(r"[@~]", i)[0] == id]
            near.sort(key=lambda i: KINDS.index(left[i].kind))
            if id not in near:
                own.append(self._unbound(id, line))
            own += [self._claim(left.pop(i), alone=i == id or id not in near) for i in near]
        for row in left.values():
            place = SECTION.split(row.entry["locator"])[0].strip()
            out.setdefault(place or "Claims", []).append(self._claim(row, alone=True))
        return list(out.items())

    def _claim(self, row: Row, *, alone: bool) -> dict[str, object]:
        e = row.entry
        words = e["hollow"] or (printed(e["latex"]) if alone else "")
        remark = printed(e["note"]) or (row.line if e["verdict"] not in POSITIVE else e["domain"] or row.line)
        return {"row": row, "name": row.name, "printed": words, "remark": remark, "bound": "", "near": ""}

    def _unbound(self, id: str, line: Mapping[str, str]) -> dict[str, object]:
        bound = self.bindings.get(id, {})
        if found := self.beside.empirical.get(id):
            bound = {"binding": found[0], "reason": found[1]}
        to = bound.get("to", "")
        near = self.rows[to].url if to in self.rows else ""
        if not near and to in self.paper.inventory():
            near = f"{self.url}#row-{to.split('/', 1)[1]}"
        kind = bound.get("binding", "in a reading" if id in with_readings(self.rows) else line["kind"])
        said = bound.get("erratum") or bound.get("reason") or to
        return {
            "row": None,
            "name": id.split("/", 1)[1],
            "printed": printed(line["formula"]),
            "bound": kind,
            "remark": printed(said),
            "near": near if said == to else "",
        }

    @property
    def empirical(self) -> list[tuple[str, int]]:
        """(verdict, how many) of its empirical rows, the most frequent first."""
        return Counter(v for id, (v, _) in self.beside.empirical.items() if id in self.paper.inventory()).most_common()

    @property
    def contents(self) -> list[tuple[str, str]]:
        """Anchors of the parts that there are, with their titles."""
        known = (
            ("statements", "Statements", self.statements), ("refuted", "What does not hold", any(self.wrong)),
            ("misprints", "Misprints", self.misprints), ("trees", "What stands on what", any(self.trees)),
            ("regions", "Where it applies", self.conditions),
            ("tables", "Tables and figures", self.beside.pictures or self.empirical), ("rows", "Every row", True),
        )  # fmt: skip
        return [(anchor, title) for anchor, title, there in known if there]


def verdicts_of(rows: Rows) -> list[str]:
    """The verdicts that there are, those that hold first."""
    found = {row.entry["verdict"] for row in rows.values()}
    return [v for v in dict.fromkeys((*POSITIVE, *NEGATIVE, *VERDICTS)) if v in found]
