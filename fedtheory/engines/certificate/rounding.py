"""From floats to rationals: null spaces in small fractions, exact solutions near a guess."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat


def null_space(S: np.ndarray, precision: int) -> list[list[Fraction]]:
    """Vectors with denominators up to `precision` near the null space of a nearly semidefinite matrix; none for 0."""
    if not S.size or not precision:
        return []
    w, V = np.linalg.eigh(S)
    N = V[:, w < 1e-5 * max(1.0, float(w[-1]))].T
    rows = N.copy()
    pivots: list[int] = []
    for r in range(len(rows)):  # reduced row echelon form with complete pivoting
        free = [c for c in range(rows.shape[1]) if c not in pivots]
        i, c = max(((i, c) for i in range(r, len(rows)) for c in free), key=lambda p: abs(rows[p[0], p[1]]))
        rows[[r, i]] = rows[[i, r]]
        rows[r] /= rows[r, c]
        for other in range(len(rows)):
            if other != r:
                rows[other] -= rows[other, c] * rows[r]
        pivots.append(c)
    return [[Fraction(float(v)).limit_denominator(precision) for v in row] for row in rows]


class Solutions:
    """The exact solutions of ``A x = b``; large multipliers are the dependent ones."""

    def __init__(self, A: list[list[Fraction]], b: list[Fraction], sizes: Any) -> None:
        self.n = len(sizes)
        self.order = sorted(range(self.n), key=lambda c: -abs(sizes[c]))
        self.rows: list[tuple[int, list[tuple[int, fmpq]], fmpq]] = []  # pivot, its free variables, right side
        self.solvable = True
        if not A:
            return
        R, rank = fmpq_mat([[_q(row[c]) for c in self.order] + [_q(r)] for row, r in zip(A, b, strict=True)]).rref()
        for r in range(rank):
            nonzero = [c for c in range(self.n + 1) if R[r, c] != 0]
            if nonzero[0] == self.n:
                self.solvable = False
                return
            self.rows.append((nonzero[0], [(c, R[r, c]) for c in nonzero[1:] if c < self.n], R[r, self.n]))

    def near(self, guess: list[Fraction]) -> list[Fraction] | None:
        """The solution that keeps the guess in the free variables; None if there is none."""
        if not self.solvable:
            return None
        x = [_q(guess[c]) for c in self.order]
        for pivot, others, right in self.rows:
            x[pivot] = right - sum((k * x[c] for c, k in others), fmpq(0))
        out = [Fraction(0)] * self.n
        for position, c in enumerate(self.order):
            out[c] = Fraction(int(x[position].p), int(x[position].q))
        return out


def _q(f: Fraction) -> fmpq:
    return fmpq(f.numerator, f.denominator)
