"""Multiples of what a class says after which no value of a function is left: what remains is of numbers that have signs alone."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from ...gram.linear import linear_solution
from ...gram.products import names_in
from ...gram.ratio import Coefficient, Ratio, nonzero, polynomial
from ..budget import Coordinates


def without_values(
    gap: Coefficient, known: Sequence[Coefficient], own: Collection[str]
) -> Iterator[list[tuple[int, Coefficient]]]:
    """Multiples of few of what is known to be at least 0 after which no value of a function is left in a gap.

    These are of the parameters, `own`, alone: (which of the known, how many times it is taken).
    """
    target, rows = slopes(gap, own), [slopes(value, own) for value in known]
    if target is None:
        return
    if not target:
        yield []
        yield from ([(i, Fraction(1)), (j, Fraction(1))] for i, j in _cycles(rows))
    for size in range(1, Coordinates.taken + 1):
        for chosen in itertools.combinations(range(len(known)), size):
            times = _times([rows[k] for k in chosen], target) if target else None
            if times is not None and not any(isinstance(c, Fraction) and c <= 0 for c in times):
                yield list(zip(chosen, times, strict=True))


def _times(
    rows: Sequence[Mapping[str, Coefficient] | None], target: Mapping[str, Coefficient]
) -> list[Coefficient] | None:
    """The only multiples of rows that add up to a target; None where there are none, or several."""
    each = [row for row in rows if row is not None]
    names = sorted({*target, *(v for row in each for v in row)})
    A = [[row.get(v, Fraction(0)) for row in each] for v in names]
    found, loose = linear_solution(A, [target.get(v, Fraction(0)) for v in names], len(each))
    return None if loose or len(each) < len(rows) else found


def _cycles(rows: Sequence[Mapping[str, Coefficient] | None]) -> Iterator[tuple[int, int]]:
    """Pairs of rows that cancel each other."""
    for (i, a), (j, b) in itertools.combinations(enumerate(rows), 2):
        if a and b and a.keys() == b.keys() and not any(nonzero(a[v] + b[v]) for v in a):
            yield i, j


def slopes(value: Coefficient, own: Collection[str]) -> dict[str, Coefficient] | None:
    """How many times each value of a function is in a number; None where it is not affine in them, by the parameters alone."""
    if not isinstance(value, Ratio):
        return {}
    names = value.top.context().names()
    values = [n for n in names_in([value]) if n.startswith("v:")]
    if not {*values}.isdisjoint(names_in([polynomial(value.bottom)])):
        return None
    out: dict[str, Coefficient] = {}
    for name in sorted(values):
        out[name] = polynomial(value.top.derivative(names.index(name))) / polynomial(value.bottom)
        if not names_in([out[name]]) <= {*own}:
            return None
    return out
