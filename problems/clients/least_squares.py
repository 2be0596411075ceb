"""Least-squares and ridge clients on float arrays: ``f_i(w) = |X_i w - y_i|^2/(2 n_i) + l2/2 |w|^2``.

Example 5.1 of FedADMM (S. Zhou, G. Y. Li, Federated Learning via Inexact ADMM) is this problem with l2 = 0, whose
Lipschitz constants are r_i = lambda_max(X_i'X_i)/n_i.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from fedtheory.problem import Constants, Optimum

from .linear_models import LinearModelClients
from .spectra import hessian_block, keeps_hessians, largest, quadratic_optimum, shifted_solve, smallest
from .store import Block


class LeastSquaresClients(LinearModelClients):
    """Stacked least-squares clients.

    Parameters
    ----------
    clients : sequence of (X, y)
        Features ``(n_i, p)`` and targets ``(n_i,)``, finite; d = p.
    l2 : float
        Coefficient of the regulariser, at least 0.
    xp, device : namespace, device, optional
        Where the arrays go; NumPy if not given.

    Raises
    ------
    UsageError
        If there is no client, shapes do not fit together, an entry is not finite or l2 is negative.

    Examples
    --------
    >>> import numpy as np
    >>> f = LeastSquaresClients([(np.eye(2), np.array([1.0, 3.0])), (np.eye(2), np.array([3.0, 5.0]))])
    >>> f.optimum().w_star
    array([[2., 4.]])
    >>> f.constants().L_i
    array([0.5, 0.5])
    """

    def _loss(self, S: Any, b: Block) -> Any:
        return (S[..., 0, :] - b.y) ** 2 / 2

    def _slope(self, S: Any, b: Block) -> Any:
        return (S - b.y[:, None, :]) * b.weight

    def _bend(self, S: Any, D: Any, b: Block) -> Any:
        return D * b.weight + self.xp.zeros_like(S)

    def _curvature(self, S: Any, b: Block) -> tuple[Any, list[tuple[int, Any]]]:
        return self.xp.ones_like(S) * b.weight, []

    @cached_property
    def _constants(self) -> Constants:
        L_i = largest(self.store)
        mu_i = np.minimum(smallest(self.store), L_i)
        how = (
            "the extreme eigenvalues of X_i'X_i/n_i + l2, attained at every point: L_i from the smaller Gram matrix, "
            "mu_i from squared singular values, l2 itself where n_i < p"
        )
        return Constants(L_i + self.l2, mu_i + self.l2, how)

    @cached_property
    def _pull(self) -> Any:
        """X_i'y_i/n_i, ``(m, p)``."""
        zero = self.xp.zeros((1, 1, self.d), dtype=self.store.X.dtype, device=self.device)
        return -self._flat(self.store.map(lambda b, Z: self._data_slope(b, Z), zero, axis=-3))

    def _data_slope(self, b: Block, W: Any) -> Any:
        return self.xp.matmul(self._slope(self.xp.matmul(W, b.Xt), b), b.X)

    @cached_property
    def _spectrum(self) -> tuple[Any, Any] | None:
        """Eigenvalues ``(m, p)`` and vectors ``(m, p, p)`` of the Hessians; None where they would outgrow their budget."""
        if not keeps_hessians(self.m, self.d):
            return None
        return tuple(self.xp.linalg.eigh(self.hessian(self._pull)))  # type: ignore[return-value]

    def prox(self, W: Any, lam: Any) -> Any:
        """(X'X/n + l2 + lam)^{-1} (X'y/n + lam w), ``(..., m, d)``, in closed form.

        The spectral decompositions are kept where they are small; else a block of clients is solved at a time.

        Raises
        ------
        UsageError
            If a penalty lam_i is not above -mu_i, so that the minimiser would not be unique.
        """
        W, lam = self.point("prox", W), self.penalty("prox", lam)[:, None]
        q = self._pull + lam * W
        if self._spectrum is not None:
            return shifted_solve(*self._spectrum, lam, q)
        xp, parts, size = self.xp, [], hessian_block(self.d)
        eye = xp.eye(self.d, dtype=q.dtype, device=self.device)
        for lo in range(0, self.m, size):
            hi = min(lo + size, self.m)
            shift = lam if lam.shape[0] == 1 else lam[lo:hi, :]
            H = self.subset(np.arange(lo, hi)).hessian(self._pull[lo:hi, :]) + eye * shift[..., None]
            parts.append(xp.linalg.solve(H, q[..., lo:hi, :][..., None])[..., 0])
        return xp.concat(parts, axis=-2)

    @cached_property
    def _optimum(self) -> Optimum:
        return quadratic_optimum(self, self.xp.mean(self._pull, axis=-2, keepdims=True))
