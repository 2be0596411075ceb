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
from flint import fmpq

from ...errors import NotApplicable
from ...gram.forms import CONSTANT, Form, Key, Space
from .rounding import Solutions, null_space

DENOMINATORS = (1, 12, 1000, 10**6, 10**9)


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


@dataclass(frozen=True)
class Numeric:
    """What the solver found.

    Attributes
    ----------
    x : array
        Multipliers.
    scaled : array
        The same in the balanced program, where their sizes can be compared.
    S : array (n, n)
        Gram matrix of the residual in the balanced program.
    D : list of Fraction
        Powers of two: a null vector v of S stands for D v.
    tau : float
        The factor, 1 if none was sought.
    powers : array
        ``x = scaled * 2.0**powers``.
    """

    x: np.ndarray
    scaled: np.ndarray
    S: np.ndarray
    D: list[Fraction]
    tau: float
    powers: np.ndarray


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

    def balance(self, columns: list[dict[Key, Any]], weight: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Powers of two for the leaves, the values and the forms (the target last) that bring coefficients near one.

        Units of a problem would otherwise reach the solver as coefficients many decades apart. The larger `weight`, the
        less is changed.
        """
        n, v = len(self.leaves), len(self.values)
        value_at = {key: n + i for i, key in enumerate(self.values)}
        rows, rhs = [], []
        for f, form in enumerate([*columns, self.target]):
            for key, c in form.items():
                row = np.zeros(n + v + len(columns) + 1)
                row[n + v + f] = 1.0
                if key and key[0] == "G":
                    row[self.at[key[1]]] += 1.0
                    row[self.at[key[2]]] += 1.0
                elif key:
                    row[value_at[key]] = 1.0
                rows.append(row)
                rhs.append(-np.log2(abs(float(c))))
        size = n + v + len(columns) + 1
        A = np.vstack([*rows, weight * np.eye(size)])
        powers = np.rint(np.linalg.lstsq(A, np.array([*rhs, *([0.0] * size)]), rcond=None)[0])
        return powers[:n], powers[n : n + v], powers[n + v :]

    def solve(self, cost: float, scale: Form | None = None, *, weight: float = 1e-3) -> Numeric | None:
        """Solve numerically for multipliers; with `scale`, for the least tau such that ``tau scale + target`` is certified.

        Returns None when the solver finds none.
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

        leaf_power, value_power, form_power = self.balance(columns, weight)
        value_row = {key: i for i, key in enumerate(self.values)}
        const_row = len(self.values)
        nonneg = const_row + 1
        psd = nonneg + k
        size = n * (n + 1) // 2
        b = np.zeros(psd + size)

        def entries(form: dict[Key, Any], power: float) -> Any:
            for key, c in form.items():
                if key == CONSTANT:
                    yield const_row, float(c) * 2.0**power
                elif key[0] == "v":
                    row = value_row[key]
                    yield row, float(c) * 2.0 ** (power + value_power[row])
                else:
                    i, j = sorted((self.at[key[1]], self.at[key[2]]))
                    value = float(c) * 2.0 ** (power + leaf_power[i] + leaf_power[j])
                    yield psd + j * (j + 1) // 2 + i, value if i == j else value / np.sqrt(2)

        for row, c in entries(self.target, form_power[-1]):
            b[row] += c
        for col, form in enumerate(columns):
            for row, c in entries(form, form_power[col]):
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
        powers = form_power[:-1] - form_power[-1]
        unscaled = x * 2.0**powers
        D = [Fraction(2) ** int(p) for p in leaf_power]
        if scale is not None:
            gap = abs(solution.obj_val - solution.obj_val_dual)
            exactly = str(solution.status) == "Solved" or gap <= 1e-7 * abs(solution.obj_val)
            return Numeric(unscaled[:-1], x[:-1], S, D, float(unscaled[-1]), powers[:-1]) if exactly else None
        return Numeric(unscaled, x, S, D, 1.0, powers)

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

    def round(self, numeric: Numeric) -> Certificate | None:
        """Find a rational certificate near a numeric one."""
        x, scaled = numeric.x, numeric.scaled
        least = 1e-6 * max(1.0, float(np.abs(scaled).max(initial=0.0)))
        k = len(self.forms) - self.n_free
        active = [c for c in range(len(self.forms)) if c >= k or scaled[c] > least]
        for precision in (0, 20, 1000, 10**6):
            null = [[v * d for v, d in zip(row, numeric.D, strict=True)] for row in null_space(numeric.S, precision)]
            if precision and not null:
                break
            A, b = self._equations(active, null)
            solutions = Solutions(A, b, x[active])
            inner = self.interior(numeric, active, A, b, null) if solutions.solvable else None
            for values in (x[active], inner):
                if values is None:
                    continue
                for D in DENOMINATORS:
                    exact = solutions.near([Fraction(float(v)).limit_denominator(D) for v in values])
                    if exact is None:
                        break
                    multipliers = {self.names[c]: f for c, f in zip(active, exact, strict=True) if f}
                    if check(self.target, self.space, multipliers):
                        return Certificate(multipliers)
        return None

    def interior(
        self, numeric: Numeric, active: list[int], A: Any, b: Any, null: list[list[Fraction]]
    ) -> np.ndarray | None:
        """Multipliers as far as possible from the boundary of the face on which `null` vanishes; they survive rounding."""
        import clarabel
        from scipy import linalg, sparse

        weights = 2.0 ** numeric.powers[active]
        E = np.array([[float(v) for v in row] for row in A]).reshape(len(A), len(active)) * weights
        e = np.array([float(v) for v in b])
        norms = np.linalg.norm(np.column_stack([E, e]), axis=1) + 1e-300
        E, e = E / norms[:, None], e / norms
        start = numeric.scaled[active] + np.linalg.lstsq(E, e - E @ numeric.scaled[active], rcond=None)[0]
        Z = linalg.null_space(E, rcond=1e-9) if len(E) else np.eye(len(active))
        D = np.array([float(d) for d in numeric.D])
        N = np.array([[float(v) for v in row] for row in null]).reshape(len(null), len(D)) / D
        B = linalg.null_space(N, rcond=1e-9) if len(N) else np.eye(len(D))
        if not Z.shape[1] or not B.shape[1]:
            return None
        target = B.T @ (self._matrix(self.target) * np.outer(D, D)) @ B
        forms = [
            B.T @ (self._matrix(self.forms[c]) * np.outer(D, D)) @ B * w for c, w in zip(active, weights, strict=True)
        ]
        size = max(1.0, float(np.abs(numeric.S).max()))
        base = (target - sum(v * F for v, F in zip(start, forms, strict=True))) / size
        moves = [-sum(v * F for v, F in zip(z, forms, strict=True)) / size for z in Z.T]
        upper = np.triu_indices(B.shape[1])
        order = np.lexsort((upper[0], upper[1]))
        rows, cols = upper[0][order], upper[1][order]
        stretch = np.where(rows == cols, 1.0, np.sqrt(2.0))

        def svec(M: np.ndarray) -> np.ndarray:
            return M[rows, cols] * stretch

        signed = [k for k, c in enumerate(active) if c < len(self.forms) - self.n_free]
        lhs = np.vstack([
            np.column_stack([-Z[signed], np.ones(len(signed))]),
            np.append(np.zeros(Z.shape[1]), 1.0)[None],
            np.column_stack([*(-svec(M) for M in moves), svec(np.eye(B.shape[1]))]),
        ])  # fmt: skip
        rhs = np.concatenate([start[signed], [1.0], svec(base)])
        cones = [clarabel.NonnegativeConeT(len(signed) + 1), clarabel.PSDTriangleConeT(B.shape[1])]
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.max_threads = 1
        q = np.append(np.zeros(Z.shape[1]), -1.0)
        variables = sparse.csc_matrix((len(q), len(q)))
        solution = clarabel.DefaultSolver(variables, q, sparse.csc_matrix(lhs), rhs, cones, settings).solve()
        if str(solution.status) not in ("Solved", "AlmostSolved"):
            return None
        return (start + Z @ np.asarray(solution.x)[:-1]) * weights

    def _matrix(self, form: dict[Key, Fraction]) -> np.ndarray:
        """The Gram part of a form as a symmetric matrix over this program's leaves."""
        M = np.zeros((len(self.leaves), len(self.leaves)))
        for key, c in form.items():
            if key and key[0] == "G":
                i, j = self.at[key[1]], self.at[key[2]]
                M[i, j] += float(c) / 2
                M[j, i] += float(c) / 2
        return M


def propose(target: dict[Key, Fraction], space: Space) -> Certificate | None:
    """A certificate of ``target >= 0``, or None when none was found (which refutes nothing)."""
    if check(target, space, {}):
        return Certificate({})
    program = Program(target, space)
    if not program.forms:
        return None
    # a sparse corner first, balanced and as it stands, then a point well inside the set
    for cost, weight in ((1.0, 1e-3), (1.0, 1e3), (0.0, 1e-3)):
        numeric = program.solve(cost, weight=weight)
        if numeric is None:
            continue
        found = program.round(numeric)
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
    for weight in (1e-3, 1e3):
        numeric = program.solve(0.0, scale=rhs, weight=weight)
        if numeric is not None:
            return numeric.tau
    return None
