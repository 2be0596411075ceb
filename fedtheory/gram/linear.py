"""Linear equations whose coefficients are rational functions of the parameters."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .ratio import Coefficient, nonzero


def linear_solution(
    A: Sequence[Sequence[Coefficient]], b: Sequence[Coefficient], n: int, *, dividing: bool = True
) -> tuple[list[Coefficient] | None, list[int]]:
    """(the solution of ``A x = b`` with loose unknowns zero, positions of the loose ones); None if there is none."""
    rows = [[*row, right] for row, right in zip(A, b, strict=True)]
    pivots: list[tuple[int, int]] = []
    r = 0
    for c in range(n):
        there = (i for i in range(r, len(rows)) if nonzero(rows[i][c]))
        pivot = next((i for i in there if dividing or isinstance(rows[i][c], Fraction)), None)
        if pivot is None:
            continue
        rows[r], rows[pivot] = rows[pivot], rows[r]
        rows[r] = [v / rows[r][c] for v in rows[r]]
        for i in range(len(rows)):
            if i != r and nonzero(rows[i][c]):
                factor = rows[i][c]
                rows[i] = [v - factor * w for v, w in zip(rows[i], rows[r], strict=True)]
        pivots.append((r, c))
        r += 1
    if any(nonzero(row[-1]) for row in rows[r:]):
        return None, []
    x: list[Coefficient] = [Fraction(0)] * n
    for i, c in pivots:
        x[c] = rows[i][-1]
    bound = {c for _, c in pivots}
    return x, [c for c in range(n) if c not in bound]
