"""The semidefinite program of a certificate, balanced by powers of two: numeric multipliers, or the least factor.

Rests on weak duality between the program and its dual, instances of least slack (Drori, Teboulle 2014; Taylor, Hendrickx,
Glineur 2017).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ....gram.forms import CONSTANT, Form, Key, Space, Terms
from ...budget import Programs
from . import cone

WEIGHTS = (1e-3, 1e3)  # of leaving a program as it stands when it is balanced
GAP = 1e-7  # relative gap up to which an almost solved program gives a factor


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


@dataclass(frozen=True)
class Powers:
    """Powers of two of the leaves, the function values and the forms (the target last) that balance a program."""

    leaves: np.ndarray
    values: np.ndarray
    forms: np.ndarray


class Program:
    """The linear matrix inequality of one target: columns are multipliers, rows keys of the affine forms."""

    def __init__(self, target: dict[Key, Fraction], space: Space) -> None:
        self.target, self.space = target, space
        self.names = [n for n, _ in space.inequalities] + [n for n, _ in space.equalities]
        self.signed = len(space.inequalities)  # multipliers that must not be negative; they stand first
        self.forms = [f.clean() for _, f in (*space.inequalities, *space.equalities)]
        keys = set(target).union(*self.forms) if self.forms else set(target)
        self._index(keys)

    def _index(self, keys: set[Key]) -> None:
        self.values = sorted(k for k in keys if k and k[0] == "v")
        self.row_of = {key: row for row, key in enumerate(self.values)}
        self.leaves = sorted({i for k in keys if k and k[0] == "G" for i in k[1:]})
        self.at = {leaf: k for k, leaf in enumerate(self.leaves)}

    def widen(self, form: Terms) -> None:
        """Make room for the values and leaves of one more form."""
        self._index({*form, *self.values, *(("G", leaf, leaf) for leaf in self.leaves)})

    def solve(self, cost: float, scale: Form | None = None, *, weight: float = WEIGHTS[0]) -> Numeric | None:
        """Solve numerically for multipliers; with `scale`, for the least tau such that ``tau scale + target`` is certified.

        Parameters
        ----------
        cost : float
            Of every multiplier, where no factor is sought.
        weight : float
            The larger, the less the program is balanced.

        Returns
        -------
        Numeric or None
            None when the solver finds none.

        Raises
        ------
        NotApplicable
            If no solver is installed.
        """
        columns = list(self.forms) + ([{k: -c for k, c in scale.clean().items()}] if scale is not None else [])
        powers = self.balance(columns, weight)
        A, b = self._rows(columns, powers)
        q = np.zeros(len(columns))
        if scale is not None:
            q[-1] = 1.0
        else:
            q[: self.signed] = cost
        solution = cone.minimise(
            q, A, b, zeros=len(self.values), signed=1 + self.signed, n=len(self.leaves), iterations=Programs.iterations
        )
        if solution is None:
            return None
        x = np.asarray(solution.x)
        S = cone.matrix((b - A @ x)[self._first_entry :], len(self.leaves))
        D = [Fraction(2) ** int(p) for p in powers.leaves]
        steps = powers.forms[:-1] - powers.forms[-1]
        unscaled = x * 2.0**steps
        if scale is None:
            return Numeric(unscaled, x, S, D, 1.0, steps)
        gap = abs(solution.obj_val - solution.obj_val_dual)
        if str(solution.status) != "Solved" and gap > GAP * abs(solution.obj_val):
            return None
        return Numeric(unscaled[:-1], x[:-1], S, D, float(unscaled[-1]), steps[:-1])

    @property
    def _first_entry(self) -> int:
        """The row at which the entries of the Gram matrix start, after values, constant and signs."""
        return len(self.values) + 1 + self.signed

    def _rows(self, columns: Sequence[Terms], powers: Powers) -> tuple[object, np.ndarray]:
        """(A, b) with ``b - A x`` the values, the constant, the signed multipliers and the Gram matrix of the residual."""
        from scipy import sparse

        n = len(self.leaves)
        b = np.zeros(self._first_entry + n * (n + 1) // 2)
        for row, c in self._entries(self.target, powers, powers.forms[-1]):
            b[row] += c
        cells = [
            (row, col, c)
            for col, form in enumerate(columns)
            for row, c in self._entries(form, powers, powers.forms[col])
        ]
        cells += [(len(self.values) + 1 + k, k, -1.0) for k in range(self.signed)]
        rows, cols, data = ([cell[k] for cell in cells] for k in range(3))
        return sparse.csc_matrix((data, (rows, cols)), shape=(len(b), len(columns))), b

    def _entries(self, form: Terms, powers: Powers, power: float) -> Iterator[tuple[int, float]]:
        """(row, coefficient) of every key of a form in the balanced program."""
        for key, c in form.items():
            if key == CONSTANT:
                yield len(self.values), float(c) * 2.0**power
            elif key[0] == "v":
                row = self.row_of[key]
                yield row, float(c) * 2.0 ** (power + powers.values[row])
            else:
                i, j = sorted((self.at[key[1]], self.at[key[2]]))
                value = float(c) * 2.0 ** (power + powers.leaves[i] + powers.leaves[j])
                yield self._first_entry + cone.position(i, j), cone.coefficient(value, i, j)

    def balance(self, columns: Sequence[Terms], weight: float) -> Powers:
        """Powers of two that bring the coefficients of the columns and of the target near one.

        Units of a problem would otherwise reach the solver as coefficients many decades apart. The larger `weight`, the
        less is changed.
        """
        n, v = len(self.leaves), len(self.values)
        size = n + v + len(columns) + 1
        rows, rhs = [], []
        for f, form in enumerate([*columns, self.target]):
            for key, c in form.items():
                row = np.zeros(size)
                row[n + v + f] = 1.0
                if key and key[0] == "G":
                    row[self.at[key[1]]] += 1.0
                    row[self.at[key[2]]] += 1.0
                elif key:
                    row[n + self.row_of[key]] = 1.0
                rows.append(row)
                rhs.append(-np.log2(abs(float(c))))
        A = np.vstack([*rows, weight * np.eye(size)])
        powers = np.rint(np.linalg.lstsq(A, np.array([*rhs, *([0.0] * size)]), rcond=None)[0])
        return Powers(powers[:n], powers[n : n + v], powers[n + v :])

    def gram(self, form: dict[Key, Fraction]) -> np.ndarray:
        """The Gram part of a form as a symmetric matrix over this program's leaves, in floats."""
        M = np.zeros((len(self.leaves), len(self.leaves)))
        for key, c in form.items():
            if key and key[0] == "G":
                i, j = self.at[key[1]], self.at[key[2]]
                M[i, j] += float(c) / 2
                M[j, i] += float(c) / 2
        return M


def best_factor(lhs: Form, rhs: Form, space: Space) -> float | None:
    """The least tau with ``lhs <= tau rhs`` that the semidefinite program can prove (numeric)."""
    program = Program((-lhs).clean(), space)
    program.widen(rhs.clean())
    for weight in WEIGHTS:
        numeric = program.solve(0.0, scale=rhs, weight=weight)
        if numeric is not None:
            return numeric.tau
    return None
