"""Least-squares clients on given data, exact: floats are rationals, and so is everything that is computed from them.

``f_i(w) = |X_i w - y_i|^2/(2 n_i) = w' A_i w/2 - b_i' w + c_i``. Vectors go in and out as object arrays of Fractions (or
of balls, where a body has roots); matrices stay in python-flint. Eigenvalues are irrational, so the constants L_i and
mu_i are enclosed: an exact LDL^T decides on which side of a rational each of them lies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import flint
import numpy as np

from fedtheory.engines.certificate import semidefinite
from fedtheory.errors import UsageError

WIDTH = Fraction(1, 10**9)  # relative width of an enclosure


class Enclosure(NamedTuple):
    """Rationals around the extreme eigenvalues of one client: ``mu_lower <= mu_i <= mu_upper``, and L likewise."""

    mu_lower: Fraction
    mu_upper: Fraction
    L_lower: Fraction
    L_upper: Fraction


class LeastSquares:
    """Stacked least-squares clients.

    Parameters
    ----------
    clients : sequence of (X, y)
        Finite features ``(n_i, d)`` and targets ``(n_i,)``, as floats or integers.

    Raises
    ------
    UsageError
        If there is no client, or the shapes do not fit together, or an entry is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> f = LeastSquares([(np.eye(2), np.array([1.0, 3.0]))])
    >>> f.optimum()
    array([[Fraction(1, 1), Fraction(3, 1)]], dtype=object)
    """

    xp = np

    def __init__(self, clients: Sequence[tuple[np.ndarray, np.ndarray]]) -> None:
        data = [(np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.float64)) for X, y in clients]
        if not data:
            raise UsageError("LeastSquares(clients=...) must hold at least one client, got none")
        for i, (X, y) in enumerate(data):
            if X.ndim != 2 or 0 in X.shape or y.shape != X.shape[:1] or X.shape[1] != data[0][0].shape[1]:
                raise UsageError(
                    f"LeastSquares(clients=...) must hold features (n_i, d) of one d and targets (n_i,), "
                    f"got {X.shape} and {y.shape} for client {i}"
                )
            if not (np.isfinite(X).all() and np.isfinite(y).all()):
                raise UsageError(f"LeastSquares(clients=...) must hold finite numbers, got others for client {i}")
        self.m, self.d = len(data), data[0][0].shape[1]
        self.A, self.b, self.c = [], [], []
        for X, y in data:
            n, Xq, yq = len(y), _exact(X), _exact(y[:, None])
            self.A.append(Xq.transpose() * Xq / n)
            self.b.append(Xq.transpose() * yq / n)
            self.c.append((yq.transpose() * yq)[0, 0] / (2 * n))
        self._guess = [np.linalg.svd(X, compute_uv=False) ** 2 / len(y) for X, y in data]
        self._tall = [len(y) >= self.d for _, y in data]
        self._inverse: dict[tuple[int, Any], Any] = {}

    def value(self, W: np.ndarray) -> np.ndarray:
        """f_i(w_i), ``(m,)``, for W ``(m, d)`` or ``(1, d)``."""
        out = np.empty(self.m, dtype=object)
        for i, u in enumerate(self._columns(W)):
            out[i] = _scalar((u.transpose() * (_like(self.A[i], u) * u - _like(self.b[i] * 2, u)))[0, 0] / 2 + self.c[i])
        return out

    def grad(self, W: np.ndarray) -> np.ndarray:
        """Gradient A_i w_i - b_i, ``(m, d)``."""
        return self._rows([_like(self.A[i], u) * u - _like(self.b[i], u) for i, u in enumerate(self._columns(W))])

    def prox(self, W: np.ndarray, lam: Any) -> np.ndarray:
        """The minimiser of f_i(theta) + lam_i/2 |theta - w_i|^2, ``(m, d)``; lam is shared or ``(m,)``."""
        lams = [_number(v) for v in np.broadcast_to(np.asarray(lam, dtype=object), (self.m,))]
        out = []
        for i, (u, s) in enumerate(zip(self._columns(W), lams, strict=True)):
            P = self._resolvent(i, s)
            u = flint.arb_mat(u) if isinstance(P, flint.arb_mat) else u
            out.append(_like(P, u) * (u * s + _like(self.b[i], u)))
        return self._rows(out)

    def enclosure(self, i: int) -> Enclosure:
        """Rational bounds on the extreme eigenvalues of A_i, of relative width 1e-9, decided exactly."""
        return self.constants()[i]

    def constants(self) -> tuple[Enclosure, ...]:
        """The enclosure of every client."""
        return self._constants

    @cached_property
    def _constants(self) -> tuple[Enclosure, ...]:
        out = []
        for A, guess, tall in zip(self.A, self._guess, self._tall, strict=True):
            L = _bracket(lambda c, A=A: not at_most(A, c), float(guess.max())) if guess.max() > 0 else (Fraction(0),) * 2
            singular = not tall or A.det() == 0  # A_i is semidefinite, so its least eigenvalue is then exactly 0
            mu = (Fraction(0),) * 2 if singular else _bracket(lambda c, A=A: at_least(A, c), float(guess.min()))
            out.append(Enclosure(*mu, *L))
        return tuple(out)

    @property
    def curvature(self) -> np.ndarray:
        """Lower bounds on the curvature of every client, ``(m, 1)``."""
        out = np.empty((self.m, 1), dtype=object)
        out[:, 0] = [e.mu_lower for e in self.constants()]
        return out

    def optimum(self) -> np.ndarray:
        """The minimiser of the mean of f_i, ``(1, d)``.

        Raises
        ------
        ValueError
            If it is not unique.
        """
        return self._solve(_sum(self.A), _sum(self.b))

    def optimum_of_envelope(self, lam: Fraction) -> np.ndarray:
        """The minimiser of the mean Moreau envelope, ``(1, d)``, for a shared rational lam.

        Its gradient is the mean of lam (w - P_i (lam w + b_i)) with P_i the inverse of A_i + lam.

        Raises
        ------
        ValueError
            If it is not unique.
        """
        s = _number(lam)
        P = [self._resolvent(i, s) for i in range(self.m)]
        return self._solve(_identity(self.d) * self.m - _sum(P) * s, _sum([p * b for p, b in zip(P, self.b, strict=True)]))

    def _solve(self, M: flint.fmpq_mat, r: flint.fmpq_mat) -> np.ndarray:
        try:
            w = M.solve(r, algorithm="dixon")
        except ZeroDivisionError:
            raise ValueError("the data are rank-deficient, so the minimiser is not unique") from None
        return self._rows([w])

    def _resolvent(self, i: int, s: Any) -> Any:
        """(A_i + s I)^{-1}, kept for rational s."""
        if isinstance(s, flint.arb):
            return (flint.arb_mat(self.A[i]) + flint.arb_mat(_identity(self.d)) * s).inv()
        key = (i, s)
        if key not in self._inverse:
            self._inverse[key] = (self.A[i] + _identity(self.d) * s).inv()
        return self._inverse[key]

    def _columns(self, W: np.ndarray) -> list[Any]:
        """The rows of W ``(m, d)`` or ``(1, d)`` as ``m`` column matrices."""
        if W.shape not in ((self.m, self.d), (1, self.d)):
            raise UsageError(f"LeastSquares: a point must be ({self.m}, {self.d}) or (1, {self.d}), got {W.shape}")
        columns = [_column(row) for row in W]
        return columns * self.m if len(columns) < self.m else columns

    def _rows(self, columns: list[Any]) -> np.ndarray:
        out = np.empty((len(columns), self.d), dtype=object)
        for i, u in enumerate(columns):
            out[i] = [_scalar(v) for v in u.entries()]
        return out


def at_least(A: flint.fmpq_mat, c: Fraction) -> bool:
    """Whether every eigenvalue of the symmetric A is at least c: inertia of A - c I by an exact LDL^T."""
    return _semidefinite(A - _identity(A.nrows()) * _number(c))


def at_most(A: flint.fmpq_mat, c: Fraction) -> bool:
    """Whether every eigenvalue of the symmetric A is at most c: inertia of c I - A by an exact LDL^T."""
    return _semidefinite(_identity(A.nrows()) * _number(c) - A)


def _semidefinite(M: flint.fmpq_mat) -> bool:
    n = M.nrows()
    return semidefinite({("G", i, j): M[i, j] if i == j else M[i, j] * 2 for i in range(n) for j in range(i, n)})


def _bracket(reached: Callable[[Fraction], bool], guess: float) -> tuple[Fraction, Fraction]:
    """Rationals lo, hi of few digits with ``reached(lo)`` and not ``reached(hi)``, of relative width at most WIDTH."""
    low = high = guess
    step = 3e-10
    while not reached(lo := _digits(low * (1 - step))):
        low, step = float(lo), min(0.9, 10 * step)
    step = 3e-10
    while reached(hi := _digits(high * (1 + step))):
        high, step = float(hi), 10 * step
    while hi - lo > WIDTH * lo:
        middle = _digits(float(lo + hi) / 2)
        lo, hi = (middle, hi) if reached(middle) else (lo, middle)
    return lo, hi


def _digits(v: float) -> Fraction:
    return Fraction(f"{v:.12g}")


def _exact(a: np.ndarray) -> flint.fmpq_mat:
    return flint.fmpq_mat(*a.shape, [flint.fmpq(*float(v).as_integer_ratio()) for v in a.flat])


def _identity(d: int) -> flint.fmpq_mat:
    return flint.fmpq_mat(d, d, [int(i == j) for i in range(d) for j in range(d)])


def _sum(parts: Sequence[Any]) -> Any:
    return sum(parts[1:], start=parts[0])


def _number(v: Any) -> Any:
    return v if isinstance(v, flint.arb) else flint.fmpq(int(v.numerator), int(v.denominator))


def _scalar(v: Any) -> Any:
    return v if isinstance(v, flint.arb) else Fraction(int(v.p), int(v.q))


def _column(row: np.ndarray) -> Any:
    entries = [_number(v) for v in row]
    if any(isinstance(v, flint.arb) for v in entries):
        return flint.arb_mat(len(entries), 1, [flint.arb(v) for v in entries])
    return flint.fmpq_mat(len(entries), 1, entries)


def _like(M: Any, u: Any) -> Any:
    """M on the number type of u."""
    return flint.arb_mat(M) if isinstance(u, flint.arb_mat) else M
