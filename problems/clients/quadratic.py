"""Quadratic clients on float arrays: ``f_i(w) = w' A_i w/2 - b_i' w + c_i`` with symmetric A_i, definite or not."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from array_api_compat import device as device_of

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from fedtheory.problem import Constants, Optimum

from .base import Clients, namespace
from .spectra import quadratic_optimum, shifted_solve

ROUNDING = 1e-12  # asymmetry of A, and a negative eigenvalue of the mean, relative to the largest entry or eigenvalue


class QuadraticClients(Clients):
    """Stacked quadratic clients; each counts as one sample.

    Parameters
    ----------
    A, b, c : array_like (m, d, d), (m, d), (m,)
        Symmetric matrices, linear terms and constants (0 if not given).
    xp, device : namespace, device, optional
        Where the arrays go; NumPy if not given.

    Raises
    ------
    UsageError
        If shapes do not fit together, an entry is not finite, or a matrix is not symmetric.

    Examples
    --------
    >>> import numpy as np
    >>> f = QuadraticClients([[[2.0]], [[4.0]]], [[2.0], [4.0]])
    >>> f.optimum().w_star, f.constants().mu
    (array([[1.]]), 2.0)
    """

    def __init__(self, A: Any, b: Any, c: Any = None, *, xp: Any = None, device: Any = None) -> None:
        A, b = (np.asarray(to_host(a), dtype=np.float64) for a in (A, b))
        if A.ndim != 3 or 0 in A.shape or A.shape[1] != A.shape[2] or b.shape != A.shape[:2]:
            raise UsageError(f"`QuadraticClients(A, b)` must be (m, d, d) and (m, d), got {A.shape} and {b.shape}.")
        c = np.zeros(len(A)) if c is None else np.asarray(to_host(c), dtype=np.float64)
        if c.shape != b.shape[:1]:
            raise UsageError(f"`QuadraticClients(c=...)` must be ({len(A)},), got {c.shape}.")
        for name, a in (("A", A), ("b", b), ("c", c)):
            if not np.isfinite(a).all():
                raise UsageError(
                    f"`QuadraticClients({name}=...)` must hold finite numbers, got {a[~np.isfinite(a)][0]}."
                )
        gap = np.abs(A - A.mT).max()
        if gap > ROUNDING * np.abs(A).max():
            raise UsageError(f"`QuadraticClients(A=...)` must be symmetric, got entries that differ by {gap:.3g}.")
        self.xp = namespace(xp)
        where = {} if device is None else {"device": device}
        self.A, self.b, self.c = (self.xp.asarray(a, **where) for a in ((A + A.mT) / 2, b, c))
        self.device = device_of(self.A)
        self.m, self.d = b.shape
        self.n = np.ones(self.m, dtype=np.int64)

    def _select(self, clients: np.ndarray) -> QuadraticClients:
        out = object.__new__(QuadraticClients)
        chosen = self.xp.asarray(clients, device=self.device)
        out.A, out.b, out.c = (self.xp.take(a, chosen, axis=0) for a in (self.A, self.b, self.c))
        out.xp, out.device, out.d, out.m, out.n = self.xp, self.device, self.d, len(clients), self.n[clients]
        return out

    def _times(self, W: Any) -> Any:
        """A_i w_i, ``(..., m, d)``."""
        return self.xp.matmul(self.A, W[..., None])[..., 0]

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(..., m)``."""
        W = self.point("value", W)
        return self.xp.sum((self._times(W) / 2 - self.b) * W, axis=-1) + self.c

    def grad(self, W: Any, rows: Any = None) -> Any:
        """A_i w_i - b_i, ``(..., m, d)``."""
        if rows is not None:
            return self.minibatch(rows).grad(W)
        return self._times(self.point("grad", W)) - self.b

    def hessian_product(self, W: Any, V: Any, rows: Any = None) -> Any:
        """A_i v_i, ``(..., m, d)``."""
        if rows is not None:
            self.minibatch(rows)
        W = self.point("hessian_product", W)
        return self._times(self.point("hessian_product", V)) + self.xp.zeros_like(W)

    def hessian(self, W: Any) -> Any:
        """A_i, ``(..., m, d, d)``."""
        return self.A + self.xp.zeros_like(self.point("hessian", W))[..., None]

    def sample_variance(self, W: Any) -> Any:
        """0 of every client, ``(..., m)``: it is its only sample."""
        return self.xp.zeros_like(self.value(W))

    @cached_property
    def _spectrum(self) -> tuple[Any, Any]:
        """Eigenvalues ``(m, d)``, increasing, and vectors ``(m, d, d)``."""
        return tuple(self.xp.linalg.eigh(self.A))  # type: ignore[return-value]

    @cached_property
    def floor(self) -> np.ndarray:  # type: ignore[override]
        """The smallest eigenvalues, ``(m,)``."""
        return to_host(self._spectrum[0])[:, 0]

    @cached_property
    def _constants(self) -> Constants:
        h = to_host(self._spectrum[0])
        how = "eigenvalues of A_i, attained at every point: mu_i the smallest, L_i the largest absolute value"
        return Constants(np.abs(h).max(axis=-1), h[:, 0], how)

    def prox(self, W: Any, lam: Any) -> Any:
        """(A_i + lam)^{-1} (b_i + lam w), ``(..., m, d)``, by the spectral decomposition.

        Raises
        ------
        UsageError
            If a penalty lam_i is not above -mu_i, so that the minimiser would not be unique.
        """
        W, lam = self.point("prox", W), self.penalty("prox", lam)[:, None]
        return shifted_solve(*self._spectrum, lam, self.b + lam * W)

    @cached_property
    def _optimum(self) -> Optimum:
        h, V = (to_host(a) for a in self.xp.linalg.eigh(self.xp.mean(self.A, axis=0)))
        pull = self.xp.mean(self.b, axis=-2, keepdims=True)
        cut = max(ROUNDING, self.d * np.finfo(float).eps) * np.abs(h).max()
        if h[0] < -cut:
            raise UsageError(f"`QuadraticClients.optimum()` needs a convex mean, got the eigenvalue {h[0]:.3g}.")
        drift = np.abs(to_host(pull)[0] @ V[:, h <= cut]).max(initial=0.0)
        if drift > ROUNDING * np.abs(to_host(self.b)).max():
            rule = "needs a mean that is bounded below"
            raise UsageError(
                f"`QuadraticClients.optimum()` {rule}, got a slope of {drift:.3g} where it has no curvature."
            )
        return quadratic_optimum(self, pull)
