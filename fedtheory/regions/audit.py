"""The printed settings of a paper against its own theorems: what holds, what fails and by how much, the nearest legal setting."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ..catalogue import Catalogue, Parameters, Theorem, row_of
from ..quantity import ByName, Values
from .forms import forms
from .intervals import Interval, Solution, solve
from .nearest import Nearest, nearest


@dataclass(frozen=True)
class Setting:
    """One printed setting.

    Attributes
    ----------
    paper, label : str
        The paper's id, and the problem as the tables call it.
    kind : str
        ``as printed`` or ``as coded``.
    locator : str
        Of the table, figure or section.
    values : mapping of str to number or ndarray (m,)
        Hyper-parameters and constants of the problem by the names of the catalogue.
    note : str
        What stands in for what, and what is not printed.
    """

    paper: str
    label: str
    kind: str
    locator: str
    values: Values
    note: str = ""


@dataclass(frozen=True)
class Alone:
    """The least change of one parameter alone that meets the conditions: its name, its value at the end, the factor."""

    name: str
    value: float
    factor: float


@dataclass(frozen=True)
class Outcome:
    """One theorem at one setting.

    Attributes
    ----------
    failing : mapping of str to float
        By condition the factor by which the worst client misses it; inf where a side is not positive.
    undecided : mapping of str to str
        By condition what is missing.
    """

    failing: Mapping[str, float]
    undecided: Mapping[str, str]

    @property
    def holds(self) -> bool | None:
        """Whether the theorem applies; None where a condition is not decided and none fails."""
        return False if self.failing else None if self.undecided else True


@dataclass
class Line:
    """One theorem, or several with the same conditions, at all settings on one problem.

    `example` is the first setting at which it fails, or the first one; the nearest legal setting and the least change of one
    parameter alone are its own, and `needs` says for which values of what is not known the theorem holds.
    """

    paper: str
    label: str
    kind: str
    theorem: str
    example: Setting
    outcomes: list[Outcome] = field(default_factory=list)
    nearest: Nearest | None = None
    alone: Alone | None = None
    needs: Solution | None = None

    @property
    def fails(self) -> bool:
        """Whether a condition fails at some setting."""
        return any(o.failing for o in self.outcomes)

    def worst(self) -> dict[str, tuple[float, float]]:
        """By condition that fails somewhere the least and the largest factor by which it is missed."""
        found: dict[str, list[float]] = {}
        for o in self.outcomes:
            for name, factor in o.failing.items():
                found.setdefault(name, []).append(factor)
        return {name: (min(f), max(f)) for name, f in found.items()}

    def undecided(self) -> dict[str, str]:
        """Conditions that are not decided at some setting, and why."""
        return {name: why for o in self.outcomes for name, why in o.undecided.items()}


def outcome(catalogue: Catalogue, theorem: Theorem, values: Mapping[str, object]) -> Outcome:
    """What the conditions of a theorem come to at a setting."""
    x = Parameters(exact(values), catalogue.derived)
    failing, undecided = {}, {}
    for c in theorem.conditions:
        row = row_of(c, x)
        if row.holds is None:
            undecided[c.printed] = row.missing
        elif not row.holds:
            failing[c.printed] = factor(row.lhs, row.rhs)
    return Outcome(failing, undecided)


def factor(lhs: Any, rhs: Any) -> float:
    """How many times the left side is the right one; inf where that is no number.

    Examples
    --------
    >>> factor(5, 2), factor(1, 0), factor(1, -1)
    (2.5, inf, inf)
    """
    low, high = float(lhs), float(rhs)
    return low / high if low > 0 and 0 < high < math.inf else math.inf


def lines(catalogue: Catalogue, settings: Iterable[Setting], theorems: Sequence[Theorem]) -> list[Line]:
    """The settings of one paper, a line a problem and a theorem; those with the same conditions share one."""
    same: dict[tuple[Any, ...], list[Theorem]] = {}
    for t in theorems:
        same.setdefault(t.conditions, []).append(t)
    found: dict[tuple[str, str, str], Line] = {}
    for s in settings:
        for own in same.values():
            name = "; ".join(t.name for t in own)
            line = found.setdefault((s.label, s.kind, name), Line(s.paper, s.label, s.kind, name, s))
            line.outcomes.append(outcome(catalogue, own[0], s.values))
            if line.outcomes[-1].failing and not any(o.failing for o in line.outcomes[:-1]):
                line.example = s
    by_name = {"; ".join(t.name for t in own): own[0] for own in same.values()}
    for line in found.values():
        theorem = by_name[line.theorem]
        if line.fails:
            line.nearest, line.alone = legal(catalogue, theorem, line.example.values)
        else:
            line.needs = what_is_missing(catalogue, theorem, line.example.values)
    return list(found.values())


def exact(values: Mapping[str, object]) -> ByName:
    """Numbers as Fractions, decimals as they are printed; arrays and infinite numbers as they are."""

    def one(v: Any) -> Any:
        if isinstance(v, np.ndarray) or (isinstance(v, float) and math.isinf(v)):
            return v
        return Fraction(repr(v)) if isinstance(v, float) else Fraction(v)

    return {k: one(v) for k, v in values.items()}


def legal(catalogue: Catalogue, theorem: Theorem, values: Mapping[str, object]) -> tuple[Nearest | None, Alone | None]:
    """The nearest setting that meets a theorem, rounds aside, and the least change of one parameter alone."""
    given = exact({k: v for k, v in values.items() if k != catalogue.rounds})
    names = [n for n in catalogue.tuned if n in given]
    own = forms(catalogue, theorem.conditions, given)
    found: list[Alone] = []
    for n in names:
        if not any(n in f.depends_on() for f in own):
            continue
        s = solve(own, n, {k: v for k, v in given.items() if k != n}, conflict=False)
        found += [Alone(n, v, v / float(given[n])) for i in s.intervals for v in _ends(i) if v > 0]
    alone = min(found, key=lambda a: abs(math.log(a.factor)), default=None)
    return nearest(catalogue, theorem.conditions, given, names), alone


def _ends(i: Interval) -> list[float]:
    return [float(e) for e in (i.low, i.high) if e is not None]


def what_is_missing(catalogue: Catalogue, theorem: Theorem, values: Mapping[str, object]) -> Solution | None:
    """For which values of the one constant that is not known the theorem holds; None where there is no such one."""
    given = exact({k: v for k, v in values.items() if k != catalogue.rounds})
    own = forms(catalogue, theorem.conditions, given)
    unknown = {f.missing.removeprefix("needs ") for f in own if f.missing.startswith("needs ")} - {catalogue.rounds}
    if len(unknown) != 1 or not unknown <= set(catalogue.names):
        return None
    (name,) = unknown
    return solve(forms(catalogue, theorem.conditions, given, name), name, given, zero=name in catalogue.zero)
