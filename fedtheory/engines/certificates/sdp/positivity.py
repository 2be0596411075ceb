"""Whether multipliers that are rational functions prove a form non-negative, for all parameters of a region.

Rests on Schur complements: with a positive pivot a matrix is positive semidefinite where the complement is (E. Haynsworth
1968); else on Sylvester's criterion, that all principal minors are at least 0. Both are necessary and sufficient; incomplete
is the proof of the signs (`signs`), the order of the minors, and a pivot of both signs.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ....formats import Json
from ....gram.forms import CONSTANT, Terms
from ....gram.ratio import nonzero
from ...budget import Programs
from ..signs import Signs

Multipliers = Json


def proves(target: Terms, rows: Mapping[str, Terms], multipliers: Multipliers, signs: Signs) -> bool:
    """Decide exactly whether the multipliers prove ``target >= 0`` on the whole region."""
    rest = dict(target)
    for name, factor in multipliers.items():
        if not (signs.defined(factor) and signs.nonnegative(factor)):
            return False
        for key, c in rows[name].items():
            if not signs.defined(c):
                return False
            rest[key] = rest.get(key, Fraction(0)) - factor * c
    rest = {k: c for k, c in rest.items() if nonzero(c)}
    if any(k and k[0] == "v" for k in rest):
        return False
    if CONSTANT in rest and not signs.nonnegative(rest.pop(CONSTANT)):
        return False
    return all(_semidefinite(block, signs) for block in _blocks(rest))


def _blocks(entries: Terms) -> list[list[list[Any]]]:
    """Symmetric matrices of the connected components of a quadratic form."""
    neighbours: dict[int, set[int]] = {}
    for _, i, j in entries:
        neighbours.setdefault(i, set()).add(j)
        neighbours.setdefault(j, set()).add(i)
    out = []
    left = set(neighbours)
    while left:
        component, stack = set(), [min(left)]
        while stack:
            i = stack.pop()
            if i not in component:
                component.add(i)
                stack += neighbours[i] - component
        left -= component
        order = sorted(component)

        def entry(i: int, j: int) -> Any:
            c = entries.get(("G", min(i, j), max(i, j)), Fraction(0))
            return c if i == j else c / 2

        out.append([[entry(i, j) for j in order] for i in order])
    return out


def _semidefinite(M: list[list[Any]], signs: Signs) -> bool:
    """Positive semidefinite on the whole region: by pivots that are positive or zero throughout, or by all minors."""
    work = [row[:] for row in M]
    left = list(range(len(M)))
    while left:
        if any(not nonzero(work[i][i]) and any(nonzero(work[i][j]) for j in left) for i in left):
            return False
        left = [i for i in left if nonzero(work[i][i])]
        pivot = next((i for i in left if signs.positive(work[i][i])), None)
        if pivot is None:
            return not left or (len(M) <= Programs.minors and _minors(M, signs))
        left.remove(pivot)
        for i in left:
            factor = work[i][pivot] / work[pivot][pivot]
            if nonzero(factor):
                for j in left:
                    work[i][j] = work[i][j] - factor * work[pivot][j]
    return True


def _minors(M: list[list[object]], signs: Signs) -> bool:
    n = len(M)
    return all(
        signs.nonnegative(_determinant([[M[i][j] for j in rows] for i in rows]))
        for size in range(1, n + 1)
        for rows in itertools.combinations(range(n), size)
    )


def _determinant(M: list[list[Any]]) -> Any:
    if len(M) == 1:
        return M[0][0]
    total: Any = Fraction(0)
    for j, c in enumerate(M[0]):
        if nonzero(c):
            minor = _determinant([[row[k] for k in range(len(M)) if k != j] for row in M[1:]])
            total = total + c * minor * (1 if j % 2 == 0 else -1)
    return total
