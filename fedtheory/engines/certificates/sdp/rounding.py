"""From floats to rationals: null spaces in small fractions, exact solutions near a guess, and the first that checks.

Rests on the rounding of H. Peyrl, P. Parrilo, Computing sum of squares decompositions with rational coefficients, Theoretical
Computer Science 409 (2008): a point inside of the feasible set has rational ones around it. Where there is no interior, null
vectors are guessed and kept. Incomplete where these are irrational.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from ....gram.forms import Key
from .check import check
from .interior import inner_point
from .program import Numeric, Program

DENOMINATORS = (1, 12, 100, 1000, 10**4, 10**5, 10**6, 10**7, 10**9)  # of multipliers
PRECISIONS = (0, 20, 100, 1000, 10**4, 10**5, 10**6, 10**7)  # denominators of null vectors; with 0 there are none
SMALLEST = 1e-6  # relative size below which a multiplier is taken for zero


def rounded(program: Program, numeric: Numeric) -> dict[str, Fraction] | None:
    """Rational multipliers near numeric ones that certify the target; None if none was found.

    Small multipliers are dropped. A null vector of the numeric Gram matrix in small fractions must stay one exactly: then
    the rounding cannot leave the cone across that face.
    """
    least = SMALLEST * max(1.0, float(np.abs(numeric.scaled).max(initial=0.0)))
    active = [c for c in range(len(program.forms)) if c >= program.signed or numeric.scaled[c] > least]
    for precision in PRECISIONS:
        null = [[v * d for v, d in zip(row, numeric.D, strict=True)] for row in null_space(numeric.S, precision)]
        if precision and not null:
            return None
        A, b = equations(program, active, null)
        solutions = Solutions(A, b, numeric.x[active])
        inner = inner_point(program, numeric, active, A, b, null) if solutions.solvable else None
        for values in (numeric.x[active], inner):
            found = None if values is None else _first_certificate(program, active, solutions, values)
            if found is not None:
                return found
    return None


def _first_certificate(
    program: Program, active: list[int], solutions: Solutions, values: np.ndarray
) -> dict[str, Fraction] | None:
    for D in DENOMINATORS:
        exact = solutions.near([Fraction(float(v)).limit_denominator(D) for v in values])
        if exact is None:
            return None
        multipliers = {program.names[c]: f for c, f in zip(active, exact, strict=True) if f}
        if check(program.target, program.space, multipliers):
            return multipliers
    return None


def equations(
    program: Program, active: list[int], null: list[list[Fraction]]
) -> tuple[list[list[Fraction]], list[Fraction]]:
    """Exact linear equations on the active multipliers: no values left, and S times each null vector zero."""
    A, b = [], []
    for key in program.values:
        A.append([program.forms[c].get(key, Fraction(0)) for c in active])
        b.append(program.target.get(key, Fraction(0)))
    for v in null:
        for i in range(len(program.leaves)):
            A.append([_row_times(program, program.forms[c], i, v) for c in active])
            b.append(_row_times(program, program.target, i, v))
    return A, b


def _row_times(program: Program, form: dict[Key, Fraction], i: int, v: list[Fraction]) -> Fraction:
    """Row i of a form's Gram matrix times a vector."""
    total = Fraction(0)
    for j, vj in enumerate(v):
        if vj:
            a, b = sorted((program.leaves[i], program.leaves[j]))
            c = form.get(("G", a, b), Fraction(0))
            total += vj * (c if a == b else c / 2)
    return total


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
