"""Rational certificates: multipliers from a semidefinite program, rounded, and checked by an exact LDL^T.

For a relation ``lhs <= rhs`` whose slack is an affine form, a certificate is a set of multipliers, non-negative on the
inequalities of the space, such that ``slack - sum(multiplier * inequality)`` has no function values, a non-negative
constant and a positive semidefinite Gram matrix. `check` needs no solver; `propose` asks Clarabel.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from ..errors import NotApplicable
from .gram import CONSTANT, Form, Key, Space

DENOMINATORS = (1, 2, 12, 60, 1000, 10**6, 10**9)


@dataclass(frozen=True)
class Certificate:
    """Nonzero multipliers by the name of their inequality or equality."""

    multipliers: dict[str, Fraction]


def residual(target: dict[Key, Fraction], space: Space, multipliers: dict[str, Fraction]) -> dict[Key, Fraction]:
    """``target - sum(multiplier * form)``, without zero coefficients."""
    out = dict(target)
    forms = dict(space.inequalities) | dict(space.equalities)
    for name, factor in multipliers.items():
        for key, coefficient in forms[name].clean().items():
            out[key] = out.get(key, Fraction(0)) - factor * coefficient
    return {k: c for k, c in out.items() if c}


def check(target: dict[Key, Fraction], space: Space, multipliers: dict[str, Fraction]) -> bool:
    """Decide exactly whether the multipliers certify ``target >= 0`` on the space."""
    known = {name for name, _ in space.inequalities}
    equal = {name for name, _ in space.equalities}
    if any(name not in known | equal or (name in known and f < 0) for name, f in multipliers.items()):
        return False
    rest = residual(target, space, multipliers)
    if any(key[0] == "v" for key in rest if key) or rest.get(CONSTANT, 0) < 0:
        return False
    return semidefinite({k: c for k, c in rest.items() if k and k[0] == "G"})


def semidefinite(entries: dict[Key, Fraction]) -> bool:
    """Exact LDL^T: whether the quadratic form with these Gram coefficients is positive semidefinite."""
    index = sorted({i for _, i, j in entries for i in (i, j)})
    n = len(index)
    at = {leaf: k for k, leaf in enumerate(index)}
    M = [[fmpq(0)] * n for _ in range(n)]
    for (_, i, j), c in entries.items():
        value = fmpq(c.numerator, c.denominator)
        if i == j:
            M[at[i]][at[i]] = value
        else:
            M[at[i]][at[j]] = M[at[j]][at[i]] = value / 2
    for k in range(n):
        pivot = M[k][k]
        if pivot < 0:
            return False
        if pivot == 0:
            if any(M[k][j] != 0 for j in range(k + 1, n)):
                return False
            continue
        for i in range(k + 1, n):
            if M[i][k] != 0:
                factor = M[i][k] / pivot
                for j in range(i, n):
                    M[i][j] = M[j][i] = M[i][j] - factor * M[k][j]
    return True


class Program:
    """The linear matrix inequality of one target: columns are multipliers, rows keys of the affine forms."""

    def __init__(self, target: dict[Key, Fraction], space: Space) -> None:
        self.target, self.space = target, space
        self.names = [n for n, _ in space.inequalities] + [n for n, _ in space.equalities]
        self.n_free = len(space.equalities)
        self.forms = [f.clean() for _, f in (*space.inequalities, *space.equalities)]
        keys = set(target).union(*self.forms) if self.forms else set(target)
        self.values = sorted(k for k in keys if k and k[0] == "v")
        self.leaves = sorted({i for k in keys if k and k[0] == "G" for i in k[1:]})
        self.at = {leaf: k for k, leaf in enumerate(self.leaves)}

    def solve(self, cost: float, scale: Form | None = None) -> tuple[np.ndarray, np.ndarray, float] | None:
        """Solve numerically for multipliers; with `scale`, for the least tau such that ``tau scale + target`` is certified.

        Returns (multipliers, Gram matrix of the residual, tau), or None when the solver finds none.
        """
        try:
            import clarabel
            from scipy import sparse
        except ImportError as error:
            raise NotApplicable(f"no semidefinite solver: {error}") from None
        n = len(self.leaves)
        columns = list(self.forms) + ([{k: -c for k, c in scale.clean().items()}] if scale is not None else [])
        m, k = len(columns), len(self.forms) - self.n_free
        rows: list[int] = []
        cols: list[int] = []
        data: list[float] = []

        def put(row: int, col: int, value: float) -> None:
            rows.append(row)
            cols.append(col)
            data.append(value)

        value_row = {key: i for i, key in enumerate(self.values)}
        const_row = len(self.values)
        nonneg = const_row + 1
        psd = nonneg + k
        size = n * (n + 1) // 2
        b = np.zeros(psd + size)

        def entries(form: dict[Key, Any]) -> Any:
            for key, c in form.items():
                if key == CONSTANT:
                    yield const_row, float(c)
                elif key[0] == "v":
                    yield value_row[key], float(c)
                else:
                    i, j = sorted((self.at[key[1]], self.at[key[2]]))
                    yield psd + j * (j + 1) // 2 + i, float(c) if i == j else float(c) / np.sqrt(2)

        for row, c in entries(self.target):
            b[row] += c
        for col, form in enumerate(columns):
            for row, c in entries(form):
                put(row, col, c)
        for col in range(k):
            put(nonneg + col, col, -1.0)
        A = sparse.csc_matrix((data, (rows, cols)), shape=(psd + size, m))
        q = np.zeros(m)
        if scale is not None:
            q[-1] = 1.0
        else:
            q[:k] = cost
        cones = [clarabel.ZeroConeT(len(self.values)), clarabel.NonnegativeConeT(1 + k), clarabel.PSDTriangleConeT(n)]
        if not self.values:
            cones = cones[1:]
        if not n:
            cones = cones[:-1]
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.max_iter = 100
        settings.max_threads = 1
        solution = clarabel.DefaultSolver(sparse.csc_matrix((m, m)), q, A, b, cones, settings).solve()
        if str(solution.status) not in ("Solved", "AlmostSolved"):
            return None
        x = np.asarray(solution.x)
        S = np.zeros((n, n))
        s = b[psd:] - (A @ x)[psd:]
        for j in range(n):
            for i in range(j + 1):
                value = s[j * (j + 1) // 2 + i]
                S[i, j] = S[j, i] = value if i == j else value / np.sqrt(2)
        tau = float(x[-1]) if scale is not None else 1.0
        return (x[:-1] if scale is not None else x), S, tau

    def _equations(self, active: list[int], null: list[list[Fraction]]) -> tuple[list[list[Fraction]], list[Fraction]]:
        """Exact linear equations on the active multipliers: no values left, and S times each null vector zero."""
        A, b = [], []
        for key in self.values:
            A.append([self.forms[c].get(key, Fraction(0)) for c in active])
            b.append(self.target.get(key, Fraction(0)))
        for v in null:
            for i in range(len(self.leaves)):
                A.append([self._row_times(self.forms[c], i, v) for c in active])
                b.append(self._row_times(self.target, i, v))
        return A, b

    def _row_times(self, form: dict[Key, Fraction], i: int, v: list[Fraction]) -> Fraction:
        total = Fraction(0)
        for j, vj in enumerate(v):
            if vj:
                a, b = sorted((self.leaves[i], self.leaves[j]))
                c = form.get(("G", a, b), Fraction(0))
                total += vj * (c if a == b else c / 2)
        return total

    def round(self, x: np.ndarray, S: np.ndarray) -> Certificate | None:
        """Find a rational certificate near a numeric one."""
        scale = max(1.0, float(np.abs(x).max(initial=0.0)))
        k = len(self.forms) - self.n_free
        active = [c for c in range(len(self.forms)) if c >= k or x[c] > 1e-6 * scale]
        for null in ([], null_space(S)):
            if null is None:
                continue
            A, b = self._equations(active, null)
            for D in DENOMINATORS:
                guess = [Fraction(float(x[c])).limit_denominator(D) for c in active]
                exact = nearest_solution(A, b, guess)
                if exact is None:
                    break
                multipliers = {self.names[c]: f for c, f in zip(active, exact, strict=True) if f}
                if check(self.target, self.space, multipliers):
                    return Certificate(multipliers)
        return None


def propose(target: dict[Key, Fraction], space: Space) -> Certificate | None:
    """A certificate of ``target >= 0``, or None when none was found (which refutes nothing)."""
    if check(target, space, {}):
        return Certificate({})
    program = Program(target, space)
    if not program.forms:
        return None
    for cost in (1.0, 1e-4):  # a sparse corner first, then a point well inside the set
        numeric = program.solve(cost)
        if numeric is None:
            continue
        found = program.round(numeric[0], numeric[1])
        if found is not None:
            return found
    return None


def best_factor(lhs: Form, rhs: Form, space: Space) -> float | None:
    """The least tau with ``lhs <= tau rhs`` that the semidefinite program can prove (numeric)."""
    program = Program((-lhs).clean(), space)
    extra = {k for k in rhs.clean() if k and k[0] == "v"} - set(program.values)
    leaves = {i for k in rhs.clean() if k and k[0] == "G" for i in k[1:]} - set(program.leaves)
    if extra or leaves:
        program.values = sorted({*program.values, *extra})
        program.leaves = sorted({*program.leaves, *leaves})
        program.at = {leaf: k for k, leaf in enumerate(program.leaves)}
    numeric = program.solve(0.0, scale=rhs)
    return None if numeric is None else numeric[2]


def null_space(S: np.ndarray) -> list[list[Fraction]] | None:
    """Rational vectors that span the numeric null space of a nearly semidefinite matrix; None if it has none."""
    if not S.size:
        return None
    w, V = np.linalg.eigh(S)
    N = V[:, w < 1e-5 * max(1.0, float(w[-1]))].T
    if not len(N):
        return None
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
    return [[Fraction(float(v)).limit_denominator(1000) for v in row] for row in rows]


def nearest_solution(A: list[list[Fraction]], b: list[Fraction], guess: list[Fraction]) -> list[Fraction] | None:
    """An exact solution of ``A x = b`` that keeps the guess in the free variables; None if there is none."""
    if not A:
        return guess
    n = len(guess)
    order = sorted(range(n), key=lambda c: -abs(guess[c]))  # large multipliers become the dependent ones
    M = fmpq_mat([[_q(row[c]) for c in order] + [_q(rhs)] for row, rhs in zip(A, b, strict=True)])
    R, rank = M.rref()
    x = [_q(guess[c]) for c in order]
    pivots = []
    for r in range(rank):
        pivot = next(c for c in range(n + 1) if R[r, c] != 0)
        if pivot == n:
            return None
        pivots.append((r, pivot))
    dependent = {p for _, p in pivots}
    for r, p in pivots:
        x[p] = R[r, n] - sum((R[r, c] * x[c] for c in range(p + 1, n) if c not in dependent), fmpq(0))
    out = [Fraction(0)] * n
    for position, c in enumerate(order):
        out[c] = Fraction(int(x[position].p), int(x[position].q))
    return out


def _q(f: Fraction) -> fmpq:
    return fmpq(f.numerator, f.denominator)
