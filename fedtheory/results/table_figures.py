"""The figures of a table that empirical rows are tested on, kept as plain data: every seed's, so that they are judged again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..files import version
from ..formats import Document, Json
from ..runs.store import plain
from .groups import Figures

SCHEMA = 1


@dataclass(frozen=True)
class Kept:
    """What is kept of the runs of one table.

    Attributes
    ----------
    cells : sequence of Figures
    stood_in : sequence of str
        Problems whose data are not those of the paper.
    """

    cells: Sequence[Figures] = ()
    stood_in: Sequence[str] = ()

    def joined(self, newer: Kept) -> Kept:
        """Both; of what both have of a seed the newer one, and of a problem whose data have become others nothing older."""
        again = {c.problem for c in newer.cells}
        other = {p for p in again if (p in self.stood_in) != (p in newer.stood_in)}
        cells = {_name(c): c for c in self.cells if c.problem not in other}
        for c in newer.cells:
            before = cells.get(_name(c))
            older = {} if before is None else before.kept
            own = {**older, **{name: {**older.get(name, {}), **values} for name, values in c.kept.items()}}
            cells[_name(c)] = Figures(c.problem, c.method, c.setting, c.axes, own)
        return Kept(list(cells.values()), sorted({*newer.stood_in, *(s for s in self.stood_in if s not in again)}))

    def plain(self) -> Json:
        """As JSON."""
        cells = [
            {
                "problem": c.problem, "method": c.method, "setting": c.setting, "axes": dict(c.axes),
                "figures": {name: {str(seed): v for seed, v in own.items()} for name, own in c.kept.items()},
            }
            for c in self.cells
        ]  # fmt: skip
        return plain({"schema": SCHEMA, "version": version(), "stood_in": self.stood_in, "cells": cells})


def _name(c: Figures) -> str:
    return str((c.problem, c.method, c.setting, sorted(c.axes.items())))


def kept(data: Document) -> Kept:
    """What a file holds that `Kept.plain` made; nothing where it is empty."""
    cells = [
        Figures(
            c["problem"], c["method"], c["setting"], c["axes"],
            {name: {int(seed): float(v) for seed, v in own.items()} for name, own in c["figures"].items()},
        )
        for c in data.get("cells", [])
    ]  # fmt: skip
    return Kept(cells, data.get("stood_in", []))
