"""Instances at which a target is negative, read off the semidefinite program that has no certificate of it.

The program of a certificate has no solution exactly where its dual has: a Gram matrix of the leaves and values that meet
every inequality and make the target negative. The solver gives one well inside of the inequalities, then one of small
trace, which is of low rank as a rule; vectors of as few dimensions as suffice are rounded, and the values follow from them
by a linear program. Nothing here refutes: the caller replays the instance exactly.

Rests on the factorisation of a positive semidefinite Gram matrix: it is that of vectors of as many dimensions as its rank.
Incomplete: the solver's instance is moved to rationals near it, and a thin one may be lost by that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from ....errors import NotApplicable
from ....formats import Json
from ....gram.forms import CONSTANT, Key, Space
from ....numbers import fraction, rational
from . import cone

ROUNDINGS = (1, 2, 10, 100, 10**4, 10**6)  # denominators of all coordinates at once
LARGEST = 1e3  # size of a value
LEAST = 1e-7  # margin below which the solver's word is noise
SHARE = 0.5  # of the largest margin that is kept where the trace is made small
Terms = dict[Key, Fraction]


@dataclass(frozen=True)
class Found:
    """An instance of the space in rationals.

    Attributes
    ----------
    leaves : array (n, d)
        Coordinates of every leaf.
    values : array (k,)
    """

    leaves: np.ndarray
    values: np.ndarray


class Primal:
    """The Gram matrices and values that meet the inequalities of a space by a margin, and miss a target by it."""

    def __init__(self, target: Terms, space: Space) -> None:
        self.n, self.k = len(space.leaves), len(space.values)
        below = {key: -c for key, c in target.items()}
        forms = [form.clean() for _, form in space.inequalities]
        signed = {tuple(sorted(f.items())): f for f in forms if f}  # 0 <= 0 says nothing
        twice = [key for key in signed if tuple((k, -c) for k, c in key) in signed]  # equalities stand with both signs
        equal = [signed[key] for key in twice]
        self.equal = [signed[key] for key in twice if key[0][1] > 0] + [form.clean() for _, form in space.equalities]
        self.above = [below, *(f for f in forms if f and f not in equal)]

    def solutions(self) -> Iterator[Found]:
        """Instances, those of the fewest dimensions and the simplest numbers first."""
        try:
            inner = self._solve(None)
        except (OverflowError, NotApplicable):  # no number for a solver, or there is none
            return
        if inner is None:
            return
        margin, G, v = inner
        low = self._solve(SHARE * margin)
        for gram, values in ([low[1:]] if low is not None else []) + [(G, v)]:
            each = (_coordinates(gram, d) for d in range(1, self.n + 1))
            few = next((u for u in each if self._margin(u @ u.T, values) > 0), None)
            if few is not None:
                yield from self._rounded(few)

    def _solve(self, margin: float | None) -> tuple[float, np.ndarray, np.ndarray] | None:
        """(margin, Gram matrix, values): the largest margin for a trace of at most 1, or the least trace for that margin."""
        from scipy import sparse

        n, k = self.n, self.k
        entries = n * (n + 1) // 2
        size = k + entries + 1  # values, the Gram matrix as a column, and the margin or the trace
        zeros = np.array([self._row(f) for f in self.equal]).reshape(len(self.equal), size - 1)
        rows = np.array([self._row(f) for f in self.above])
        constants = np.array([float(f.get(CONSTANT, 0)) for f in self.above])
        trace = np.zeros(size - 1)
        trace[[k + cone.position(i, i) for i in range(n)]] = 1.0
        scale = np.abs(rows).max(axis=1, initial=0.0) + np.abs(constants)
        if margin is None:
            signed = [np.c_[-rows, scale], np.append(trace, 0.0)[None], np.eye(1, size, size - 1)]
            rhs = [constants, [1.0], [1.0]]
        else:
            signed = [np.c_[-rows, 0 * scale], np.append(trace, -1.0)[None]]
            rhs = [constants - margin * scale, [0.0]]
        box = np.eye(k, size)
        matrix = np.c_[np.zeros((entries, k)), -np.eye(entries), np.zeros(entries)]
        A = [np.c_[zeros, np.zeros(len(zeros))], *signed, box, -box, matrix]
        b = np.concatenate(
            [[-float(f.get(CONSTANT, 0)) for f in self.equal], *rhs, np.full(2 * k, LARGEST), np.zeros(entries)]
        )
        cost = np.zeros(size)
        cost[-1] = -1.0 if margin is None else 1.0
        length = sum(len(part) for part in signed) + 2 * k
        found = cone.minimise(cost, sparse.csc_matrix(np.vstack(A)), b, zeros=len(zeros), signed=length, n=n)
        if found is None or (margin is None and found.x[-1] < LEAST):
            return None
        x = np.asarray(found.x)
        return float(x[-1]), cone.matrix(x[k:-1], n), x[:k]

    def _row(self, form: Terms) -> np.ndarray:
        """Coefficients of the values and of the column of the Gram matrix."""
        row = np.zeros(self.k + self.n * (self.n + 1) // 2)
        for key, c in form.items():
            if key and key[0] == "v":
                row[key[1]] += float(c)
            elif key:
                i, j = sorted(key[1:])
                row[self.k + cone.position(i, j)] += cone.coefficient(float(c), i, j)
        return row

    def _margin(self, gram: np.ndarray, values: np.ndarray) -> float:
        return float(min(_value(f, gram, values) for f in self.above))

    def _rounded(self, vectors: np.ndarray) -> Iterator[Found]:
        """The vectors in fractions of growing denominators, each with values that meet every inequality."""
        if not any(CONSTANT in f for f in (*self.above, *self.equal)):
            vectors = vectors / np.abs(vectors).max()
        for D in ROUNDINGS:
            exact = self._straight(np.frompyfunc(lambda c, D=D: Fraction(round(c * D), D), 1, 1)(vectors))
            gram = exact @ exact.T
            values = self._values(gram, D)
            if values is None:
                continue
            met = all(_value(f, gram, values) == 0 for f in self.equal)
            if met and all(_value(f, gram, values) >= 0 for f in self.above):
                yield Found(exact, values)

    def _values(self, gram: np.ndarray, D: int) -> np.ndarray | None:
        """Values for given vectors, by the largest margin, in rationals."""
        none = np.zeros(0, dtype=object)
        if not self.k:
            return none
        from scipy.optimize import linprog

        def split(forms: list[Terms]) -> tuple[np.ndarray, np.ndarray]:
            rest = [float(_value(f, gram, np.zeros(self.k, dtype=object))) for f in forms]
            return np.array([self._row(f)[: self.k] for f in forms]).reshape(-1, self.k), np.array(rest)

        rows, rest = split(self.above)
        equal, known = split(self.equal)
        scale = np.abs(rows).max(axis=1) + np.abs(rest)
        k = self.k
        # the largest margin; then, with half of it, the least sizes
        A = np.c_[-rows, rows, scale]
        bounds: list[tuple[Any, Any]] = [(0, LARGEST)] * (2 * k) + [(None, 1.0)]
        fixed: Json = {"A_eq": np.c_[equal, -equal, np.zeros(len(equal))], "b_eq": -known} if len(equal) else {}
        cost = np.zeros(2 * k + 1)
        cost[-1] = -1.0
        found = linprog(cost, A_ub=A, b_ub=rest, bounds=bounds, method="highs", **fixed)
        if found.status != 0 or found.x[-1] < 0:
            return None
        bounds[-1] = (SHARE * found.x[-1], None)
        small = linprog(1.0 + cost, A_ub=A, b_ub=rest, bounds=bounds, method="highs", **fixed)
        x = small.x if small.status == 0 else found.x
        near = [Fraction(float(c)).limit_denominator(100 * D * D) for c in x[:k] - x[k : 2 * k]]
        return self._moved(np.array(near, dtype=object), gram)

    def _straight(self, vectors: np.ndarray) -> np.ndarray:
        """The vectors, moved to meet the equalities of inner products one after the other, where they are linear in a leaf."""
        zero = np.full(self.k, Fraction(0))
        met: list[Terms] = []
        for form in (f for f in self.equal if not any(key and key[0] == "v" for key in f)):
            met.append(form)
            if _value(form, vectors @ vectors.T, zero) == 0:
                continue
            moves = [(leaf, step) for leaf in range(self.n) if (step := self._step(leaf, met, vectors)) is not None]
            if not moves:
                return vectors
            leaf, step = min(moves, key=lambda move: float(move[1] @ move[1]))
            vectors = np.array([v + step if k == leaf else v for k, v in enumerate(vectors)])
        return vectors

    def _step(self, leaf: int, forms: list[Terms], vectors: np.ndarray) -> np.ndarray | None:
        """The least move of a leaf that meets the last form and keeps the others; None where it is not in it, or squared."""
        gram, zero = vectors @ vectors.T, np.full(self.k, Fraction(0))
        own = [f for f in forms if any(key and leaf in key[1:] for key in f)]
        if forms[-1] not in own or any(("G", leaf, leaf) in f for f in own):
            return None
        rows = [
            sum((c * vectors[sum(key[1:]) - leaf] for key, c in f.items() if leaf in key[1:]), 0 * vectors[0])
            for f in own
        ]
        return _least(rows, [-_value(f, gram, zero) for f in own])

    def _moved(self, values: np.ndarray, gram: np.ndarray) -> np.ndarray | None:
        """The nearest values that meet the equalities."""
        bound = [f for f in self.equal if any(key and key[0] == "v" for key in f)]
        if not bound:
            return values
        rows = [[f.get(("v", j), Fraction(0)) for j in range(self.k)] for f in bound]
        step = _least(rows, [-_value(f, gram, values) for f in bound])
        return None if step is None else values + step


def _least(rows: Sequence[Sequence[object]], gaps: Sequence[object]) -> np.ndarray | None:
    """The least vector with these inner products with the rows; None where they depend on each other."""
    A, b = (flint.fmpq_mat([[rational(c) for c in row] for row in table]) for table in (rows, [[g] for g in gaps]))
    try:
        step = A.transpose() * (A * A.transpose()).solve(b)
    except ZeroDivisionError:
        return None
    return np.array([fraction(step[j, 0]) for j in range(step.nrows())], dtype=object)


def _value(form: Terms, gram: np.ndarray, values: np.ndarray) -> Fraction | float:
    """A form at an instance."""
    total: Fraction | float = Fraction(0)
    for key, c in form.items():
        total += c * (1 if key == CONSTANT else values[key[1]] if key[0] == "v" else gram[key[1], key[2]])
    return total


def _coordinates(gram: np.ndarray, d: int) -> np.ndarray:
    """Vectors ``(n, d)`` with nearly this Gram matrix, the first ones along the first axes."""
    sizes, axes = np.linalg.eigh(gram)
    vectors = axes[:, -d:] * np.sqrt(np.maximum(sizes[-d:], 0.0))
    return np.linalg.qr(vectors.T)[1].T
