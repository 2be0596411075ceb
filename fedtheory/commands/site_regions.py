"""The regions of a paper's theorems on its page: maps in the two parameters that a user sets first, at the paper's own settings."""

from __future__ import annotations

import itertools
import math
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ..formats import Document
from ..paper import Paper
from ..regions.audit import Line, Setting, outcome
from ..show.maps import Mark, maps
from ..show.site.papers import Region
from .regions import about, exactly, mapped, numbers_in, promising, said_of, theorems_of

PRINTED = "as printed"


def settings_of(paper: Paper) -> Iterator[tuple[str, Setting]]:
    """(problem, setting) of a paper's ``audited.json``, each with the constants of its problem."""
    audited = paper.audited()
    for one in audited.get("settings", ()):
        given = {**audited["problems"][one["problem"]], **one["values"]}
        values = {k: float(v) if isinstance(v, str) else v for k, v in given.items()}  # "inf"
        values |= {k: np.array(v, dtype=np.float64) for k, v in given.items() if isinstance(v, list)}
        yield one["problem"], Setting(paper.id, one["label"], one["kind"], one["locator"], values)


def audit(paper: Paper) -> Sequence[Line]:
    """A paper's settings against its theorems: a line a problem and a theorem, none sought nearby."""
    catalogue = paper.catalogue()
    if catalogue is None:
        return ()
    found: dict[tuple[str, str, str], Line] = {}
    for _, s in settings_of(paper):
        for t in theorems_of(catalogue):
            line = found.setdefault((s.label, s.kind, t.name), Line(paper.id, s.label, s.kind, t.name, s))
            line.outcomes.append(outcome(catalogue, t, s.values))
    return list(found.values())


def region(paper: Paper) -> Region | None:
    """The maps of the theorems that promise a rate; None of a paper without printed settings, or with no two such parameters."""
    catalogue = paper.catalogue()
    by_problem: dict[str, list[Setting]] = {}
    for problem, s in settings_of(paper):
        if s.kind == PRINTED:
            by_problem.setdefault(problem, []).append(s)
    if catalogue is None or not by_problem:
        return None
    problem, same = max(
        by_problem.items(), key=lambda pair: (_finite(pair[1][0]), len(pair[1]))
    )  # the first of the largest
    given = {**catalogue.settings, **same[0].values}
    chosen = promising(catalogue)
    for x, y in itertools.combinations(catalogue.tuned, 2):
        own = exactly({k: v for k, v in given.items() if k not in (x, y)})
        every, groups = about(catalogue, chosen, own, x, y)
        theirs = {n for conditions in groups for c in conditions for n in every[c.printed].depends_on()}
        if {x, y} <= theirs:
            break
    else:
        return None
    marks = list(_marks(same, x, y))
    drawn = mapped(every, groups, own, marks, x, y)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "map.svg"
        maps(drawn, marks, str(path), f"{paper.id}: {numbers_in(every, own)}")
        picture = path.read_text(encoding="utf-8")
    said = [line for m in drawn for line in said_of(m)]
    needed = {k: v for k, v in own.items() if k in theirs and k in catalogue.names}
    return Region(picture, (x, y), problem, said, _command(paper, needed, (x, y)))


def _finite(s: Setting) -> bool:
    return not any(isinstance(v, float) and math.isinf(v) for v in s.values.values())


def _marks(settings: Sequence[Setting], x: str, y: str) -> Iterator[Mark]:
    """Every point at which the paper ran its method, once."""
    points = dict.fromkeys((s.values[x], s.values[y]) for s in settings if x in s.values and y in s.values)
    for k, (a, b) in enumerate(points):
        if all(not isinstance(v, np.ndarray) and 0 < v < math.inf for v in (a, b)):
            yield Mark(float(a), float(b), "" if k else "the paper's settings")


def _command(paper: Paper, needed: Document, axes: tuple[str, str]) -> str:
    """The command that draws the same; where a number is one a client, the one that measures them."""
    measured = any(isinstance(v, np.ndarray) for v in needed.values())
    numbers = "--data NAME" if measured else " ".join(f"--{k} {float(v):.6g}" for k, v in needed.items())
    return f"fedtheory constants {paper.id} {numbers} --map {axes[0]} {axes[1]} --plot FILE.svg"
