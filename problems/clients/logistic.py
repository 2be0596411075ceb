"""Logistic clients: ``f_i(w) = 1/n_i sum_j (log(1 + exp(z_ij)) - b_ij z_ij) + regulariser``, z = <x, w>, b in {0, 1}.

FedADMM (S. Zhou, G. Y. Li, Federated Learning via Inexact ADMM), Example 5.2, has the regulariser l2/2 |w|^2. The
non-convex one, l2/2 sum_k w_k^2/(1 + w_k^2), is the usual bounded penalty of the non-convex experiments.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from fedtheory.problem import Constants

from .base import reached
from .linear_models import LinearModelClients
from .spectra import largest
from .store import Block


class LogisticClients(LinearModelClients):
    """Stacked logistic clients with the regulariser ``l2/2 |w|^2``.

    Parameters
    ----------
    clients : sequence of (X, y)
        Features ``(n_i, p)`` and labels ``(n_i,)``, all of them 0 and 1 or all of them -1 and +1; d = p.
    l2 : float
        Coefficient of the regulariser, at least 0.
    xp, device : namespace, device, optional
        Where the arrays go; NumPy if not given.

    Raises
    ------
    UsageError
        If there is no client, shapes do not fit together, an entry is not finite, a label is another or l2 is negative.

    Examples
    --------
    >>> import numpy as np
    >>> f = LogisticClients([(np.array([[1.0], [-1.0]]), np.array([1, 0]))], l2=0.5)
    >>> f.constants().L, f.constants().mu
    (0.75, 0.5)
    """

    slope_sq = 1.0

    def _targets(self, name: str, y: np.ndarray) -> np.ndarray:
        """Labels as -1 and +1; padding is 0."""
        own = np.unique(y).tolist()
        if not (set(own) <= {0.0, 1.0} or set(own) <= {-1.0, 1.0}):
            raise UsageError(f"`{name}(clients=...)` must have labels 0 and 1, or -1 and +1, got {own[:5]}.")
        return np.where(y > 0, 1.0, -1.0)

    def _loss(self, S: Any, b: Block) -> Any:
        U = S[..., 0, :] * -b.y
        zero = self.xp.zeros_like(U)
        return self.xp.maximum(U, zero) + self.xp.log1p(self.xp.exp(-self.xp.abs(U)))

    def _right(self, S: Any, b: Block) -> Any:
        return S[..., 0, :] * b.y > 0

    def _slope(self, S: Any, b: Block) -> Any:
        y = b.y[:, None, :]
        return self._sigmoid(S * -y) * (y * -b.weight)

    def _sigmoid(self, U: Any) -> Any:
        """1/(1 + exp(-u)) to full relative precision on both sides."""
        e = self.xp.exp(-self.xp.abs(U))
        return self.xp.where(U >= 0, self.xp.ones_like(e), e) / (1 + e)

    def _bend(self, S: Any, D: Any, b: Block) -> Any:
        e = self.xp.exp(-self.xp.abs(S))
        return D * (e / (1 + e) ** 2 * b.weight)

    def _curvature(self, S: Any, b: Block) -> tuple[Any, list[tuple[int, Any]]]:
        return self._bend(S, self.xp.ones_like(S), b), []

    @cached_property
    def _constants(self) -> Constants:
        L_i = largest(self.store) / 4 + self.l2
        how = (
            "L_i = lambda_max(X_i'X_i)/(4 n_i) + l2, attained at w = 0; mu_i = l2, the infimum far out in a direction "
            "orthogonal to no sample, attained where X_i has no full column rank"
        )
        return Constants(L_i, np.full(self.m, self.l2), how)


class NonconvexLogisticClients(LogisticClients):
    """Stacked logistic clients with the regulariser ``l2/2 sum_k w_k^2/(1 + w_k^2)``, of curvature -l2/4 to l2.

    Parameters, errors: as `LogisticClients`.

    Examples
    --------
    >>> import numpy as np
    >>> f = NonconvexLogisticClients([(np.array([[1.0, 1.0], [-1.0, 1.0]]), np.array([1, 0]))], l2=0.5)
    >>> f.constants().L, f.constants().mu
    (0.75, -0.125)
    """

    @property
    def floor(self) -> float:
        """-l2/4, a lower bound on mu_i."""
        return -self.l2 / 4

    def _penalty_value(self, W: Any) -> Any:
        square = W * W
        return self.xp.sum(square / (1 + square), axis=(-2, -1)) * (self.l2 / 2)

    def _penalty_slope(self, W: Any) -> Any:
        return W / (1 + W * W) ** 2 * self.l2

    def _penalty_bend(self, W: Any, V: Any) -> Any:
        square = W * W
        return V * ((1 - 3 * square) / (1 + square) ** 3 * self.l2)

    @cached_property
    def _constants(self) -> Constants:
        L_i = largest(self.store) / 4 + self.l2
        which = reached(
            self._never_alone(), "the infimum", "a feature k that is never the only nonzero one of a sample"
        )
        how = (
            "L_i = lambda_max(X_i'X_i)/(4 n_i) + l2, attained at w = 0; mu_i = -l2/4, the least curvature of the "
            f"regulariser, at |w_k| = 1 while the other features silence the samples: {which}"
        )
        return Constants(L_i, np.full(self.m, 0.0 - self.l2 / 4), how)

    def _never_alone(self) -> np.ndarray:
        """Whether some feature of a client is never the only nonzero one of a sample, ``(m,)`` on the host."""
        xp = self.xp

        def of(b: Block) -> Any:
            on = xp.astype(b.X != 0, xp.int64)
            alone = xp.where(xp.sum(on, axis=-1, keepdims=True) == 1, on, xp.zeros_like(on))
            return xp.any(xp.max(alone, axis=-2) == 0, axis=-1)

        return to_host(self.store.map(of, axis=0))
