"""Exact LDL^T: whether a symmetric rational matrix is positive semidefinite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def semidefinite(M: Sequence[Sequence[Any]]) -> bool:
    """Decide whether a symmetric matrix is positive semidefinite, by its pivots.

    Parameters
    ----------
    M : sequence of rows
        Exact numbers whose order is known: `fmpq` or `Fraction`. It is not changed.

    Examples
    --------
    >>> from fractions import Fraction
    >>> semidefinite([[Fraction(1), Fraction(1)], [Fraction(1), Fraction(1)]])
    True
    >>> semidefinite([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(1)]])
    False
    """
    work = [list(row) for row in M]
    n = len(work)
    for k in range(n):
        pivot = work[k][k]
        if pivot < 0:
            return False
        if pivot == 0:
            if any(work[k][j] != 0 for j in range(k + 1, n)):
                return False
            continue
        for i in range(k + 1, n):
            if work[i][k] != 0:
                factor = work[i][k] / pivot
                for j in range(i, n):
                    work[i][j] = work[j][i] = work[i][j] - factor * work[k][j]
    return True
