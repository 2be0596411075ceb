"""Least-squares clients on given data, exact: floats are rationals, and so is everything computed from them.

``f_i(w) = |X_i w - y_i|^2/(2 n_i) = w' A_i w/2 - b_i' w + c_i``. Vectors go in and out as object arrays of Fractions,
or of balls for a body with roots; matrices stay in python-flint. Eigenvalues are irrational, so the constants L_i and
mu_i are enclosed: an exact LDL^T decides on which side of a rational each of them lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
import numpy as np

from fedtheory.errors import UsageError

from .enclosures import Enclosure, enclose
from .matrices import column, fraction, identity, like, matrix, number, particular, total


class LeastSquares:
    """Stacked least-squares clients.

    Parameters
    ----------
    clients : sequence of (X, y)
        Finite features ``(n_i, d)`` and targets ``(n_i,)``, as floats or integers.

    Attributes
    ----------
    m, d : int
        Clients and dimension.
    A, b, c : list
        Of every client, X'X/n ``(d, d)``, X'y/n ``(d, 1)`` and |y|^2/(2 n), in python-flint rationals.

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
        self.A: list[Any] = []
        self.b: list[Any] = []
        self.c: list[Any] = []
        for X, y in data:
            n, Xq, yq = len(y), matrix(X), matrix(y[:, None])
            self.A.append(Xq.transpose() * Xq / n)
            self.b.append(Xq.transpose() * yq / n)
            self.c.append((yq.transpose() * yq)[0, 0] / (2 * n))
        self._spectra = [(np.linalg.svd(X, compute_uv=False) ** 2 / len(y)).tolist() for X, y in data]
        self._inverse: dict[tuple[int, Any], Any] = {}

    def value(self, W: np.ndarray) -> np.ndarray:
        """f_i(w_i), ``(m,)``, for W ``(m, d)`` or ``(1, d)``."""
        out = np.empty(self.m, dtype=object)
        for i, u in enumerate(self._columns(W)):
            out[i] = fraction((u.transpose() * (like(self.A[i], u) * u - like(self.b[i] * 2, u)))[0, 0] / 2 + self.c[i])
        return out

    def grad(self, W: np.ndarray) -> np.ndarray:
        """Gradient A_i w_i - b_i, ``(m, d)``."""
        return self._rows([like(self.A[i], u) * u - like(self.b[i], u) for i, u in enumerate(self._columns(W))])

    def prox(self, W: np.ndarray, lam: Any) -> np.ndarray:
        """The minimiser of f_i(theta) + lam_i/2 |theta - w_i|^2, ``(m, d)``; lam is shared or ``(m,)``."""
        lams = [number(v) for v in np.broadcast_to(np.asarray(lam, dtype=object), (self.m,))]
        out = []
        for i, (u, s) in enumerate(zip(self._columns(W), lams, strict=True)):
            P = self._resolvent(i, s)
            u = flint.arb_mat(u) if isinstance(P, flint.arb_mat) else u
            out.append(like(P, u) * (u * s + like(self.b[i], u)))
        return self._rows(out)

    def enclosure(self, i: int) -> Enclosure:
        """Rational bounds on the extreme eigenvalues of A_i, of relative width 1e-9, decided exactly."""
        return self.constants()[i]

    def constants(self) -> tuple[Enclosure, ...]:
        """The enclosure of every client."""
        return self._constants

    @cached_property
    def _constants(self) -> tuple[Enclosure, ...]:
        return tuple(enclose(A, min(s), max(s)) for A, s in zip(self.A, self._spectra, strict=True))

    @property
    def curvature(self) -> np.ndarray:
        """Lower bounds on the curvature of every client, ``(m, 1)``."""
        out = np.empty((self.m, 1), dtype=object)
        out[:, 0] = [e.mu_lower for e in self.constants()]
        return out

    @property
    def curvatures(self) -> tuple[np.ndarray, ...]:
        """The bounds of `curvature`, as search clients list theirs."""
        return (self.curvature,)

    @property
    def smoothness(self) -> np.ndarray:
        """Upper bounds on the curvature of every client, ``(m,)``."""
        return np.array([e.L_upper for e in self.constants()], dtype=object)

    def deficient(self) -> str:
        """Which client has features of deficient rank, in words, or an empty string."""
        for i, e in enumerate(self.constants()):
            if e.mu_lower == 0:
                return f"client {i} has features of rank below {self.d}"
        return ""

    def infimum(self) -> np.ndarray:
        """The least value of every client, ``(m,)``: c_i - b_i' w/2 at any solution of A_i w = b_i."""
        out = np.empty(self.m, dtype=object)
        for i, (A, b, c) in enumerate(zip(self.A, self.b, self.c, strict=True)):
            out[i] = fraction(c - (b.transpose() * particular(A, b))[0, 0] / 2)
        return out

    def optimum(self) -> np.ndarray:
        """The minimiser of the mean of f_i, ``(1, d)``.

        Raises
        ------
        ValueError
            If it is not unique.
        """
        return self._unique(*self._stationary())

    def optimum_of_envelope(self, lam: Fraction) -> np.ndarray:
        """The minimiser of the mean Moreau envelope, ``(1, d)``, for a shared rational lam.

        Its gradient is the mean of lam (w - P_i (lam w + b_i)) with P_i the inverse of A_i + lam.

        Raises
        ------
        ValueError
            If it is not unique.
        """
        return self._unique(*self._stationary(lam))

    def minimiser(self, lam: Fraction | None = None) -> np.ndarray:
        """A minimiser of the mean of f_i, or with lam of the mean Moreau envelope, ``(1, d)``; one of many where the data are
        rank-deficient."""
        M, r = self._stationary(lam)
        try:
            return self._unique(M, r)
        except ValueError:
            return self._rows([particular(M, r)])

    def _stationary(self, lam: Fraction | None = None) -> tuple[flint.fmpq_mat, flint.fmpq_mat]:
        """(M, r) such that M w = r at every minimiser of the mean of f_i, or of their envelopes."""
        if lam is None:
            return total(self.A), total(self.b)
        s = number(lam)
        P = [self._resolvent(i, s) for i in range(self.m)]
        return identity(self.d) * self.m - total(P) * s, total([p * b for p, b in zip(P, self.b, strict=True)])

    def _unique(self, M: flint.fmpq_mat, r: flint.fmpq_mat) -> np.ndarray:
        try:
            w = M.solve(r, algorithm="dixon")  # type: ignore[call-arg]
        except ZeroDivisionError:
            raise ValueError("the data are rank-deficient, so the minimiser is not unique") from None
        return self._rows([w])

    def _resolvent(self, i: int, s: Any) -> Any:
        """(A_i + s I)^{-1}, kept for rational s."""
        if isinstance(s, flint.arb):
            return (flint.arb_mat(self.A[i]) + flint.arb_mat(identity(self.d)) * s).inv()
        key = (i, s)
        if key not in self._inverse:
            self._inverse[key] = (self.A[i] + identity(self.d) * s).inv()
        return self._inverse[key]

    def _columns(self, W: np.ndarray) -> list[Any]:
        """The rows of W ``(m, d)`` or ``(1, d)`` as ``m`` column matrices."""
        if W.shape not in ((self.m, self.d), (1, self.d)):
            raise UsageError(f"LeastSquares: a point must be ({self.m}, {self.d}) or (1, {self.d}), got {W.shape}")
        columns = [column(row) for row in W]
        return columns * self.m if len(columns) < self.m else columns

    def _rows(self, columns: list[Any]) -> np.ndarray:
        out = np.empty((len(columns), self.d), dtype=object)
        for i, u in enumerate(columns):
            out[i] = [fraction(v) for v in u.entries()]
        return out
