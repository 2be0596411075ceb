"""Multinomial logistic clients: ``f_i(w) = 1/n_i sum_j (log sum_c exp(s_ijc) - s_ijy) + l2/2 |w|^2``, s = w x.

The Hessian is the mean of ``(diag(p) - p p') (x) x x'`` plus l2, with the probabilities p of a sample.

- ``diag(p) - p p'`` has eigenvalues from 0 (the constant vector) to at most 1/2, reached at two classes of probability 1/2
  each. So ``L_i <= lambda_max(X_i'X_i)/(2 n_i) + l2``. For two classes that is attained at w = 0. For more it is the
  supremum if the samples lie in an open half-space {x : u'x > 0}: send the scores of all classes but two down along -u,
  and the Hessian tends to the one of two classes. A constant column (a bias) gives such a u. It is never more than C/2
  times the curvature at w = 0.
- ``mu_i = l2`` exactly and at every point: adding one vector to the rows of all classes leaves the probabilities alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from fedtheory._arrays import to_host
from fedtheory.checks import whole
from fedtheory.errors import UsageError
from fedtheory.problem import Constants

from .base import curvature_penalty, namespace, reached
from .linear_models import LinearModelClients
from .spectra import largest
from .store import Block, store_clients

SAFE = 600.0  # exp of a score this large, times the number of classes, is finite; of its negative, not zero


class SoftmaxClients(LinearModelClients):
    """Stacked softmax clients with cross-entropy.

    Parameters
    ----------
    clients : sequence of (X, y)
        Features ``(n_i, p)`` and integer labels ``(n_i,)`` from 0 to classes - 1.
    classes : int
        Classes C, at least 2; w is reshaped to ``(C, p)``, so d = C p. A bias is a constant column of X.
    l2 : float
        Coefficient of the regulariser, at least 0.
    xp, device : namespace, device, optional
        Where the arrays go; NumPy if not given.

    Raises
    ------
    UsageError
        If there is no client, shapes do not fit together, an entry is not finite, a label is out of range, or an option is.

    Examples
    --------
    >>> import numpy as np
    >>> f = SoftmaxClients([(np.ones((4, 1)), np.array([0, 1, 2, 3]))], classes=4, l2=0.5)
    >>> f.value(np.zeros((1, 4))).round(4)
    array([1.3863])
    >>> f.constants().L
    1.0
    """

    slope_sq = 2.0

    def __init__(
        self, clients: Sequence[tuple[Any, Any]], *, classes: int, l2: float = 0.0, xp: Any = None, device: Any = None
    ) -> None:
        self._configure(classes=classes, l2=l2)
        self._hold(store_clients(self.name, clients, namespace(xp), device, self._targets))

    def _configure(self, *, classes: int, l2: float = 0.0) -> None:  # type: ignore[override]
        self.classes, self.l2 = whole(f"{self.name}(classes=...)", classes, 2), curvature_penalty(self.name, l2)

    def _targets(self, name: str, y: np.ndarray) -> np.ndarray:
        return class_labels(name, y, self.classes)

    def _loss(self, S: Any, b: Block) -> Any:
        xp = self.xp
        top = xp.max(S, axis=-2, keepdims=True)
        own = xp.sum(xp.where(b.is_label(self.classes), S, xp.zeros_like(S)), axis=-2)
        return xp.log(xp.sum(xp.exp(S - top), axis=-2)) + top[..., 0, :] - own

    def _right(self, S: Any, b: Block) -> Any:
        return self.xp.argmax(S, axis=-2) == b.y

    def _probabilities(self, S: Any) -> Any:
        E = self.xp.exp(S - self.xp.max(S, axis=-2, keepdims=True))
        return E / self.xp.sum(E, axis=-2, keepdims=True)

    def _slope(self, S: Any, b: Block) -> Any:
        if self.in_place:
            return self._slope_in_place(S, b)
        P = self._probabilities(S)
        return (P - self.xp.astype(b.is_label(self.classes), P.dtype)) * b.weight

    def _slope_in_place(self, S: np.ndarray, b: Block) -> np.ndarray:
        """The slope on NumPy, over S itself: scores of moderate size need no shift, and one pass does the weights."""
        if not max(S.max(), -S.min()) < SAFE:
            S -= S.max(axis=-2, keepdims=True)
        np.exp(S, out=S)
        S *= b.weight / S.sum(axis=-2, keepdims=True)
        if "target" not in b.kept:
            b.kept["target"] = b.is_label(self.classes) * b.weight
        S -= b.kept["target"]
        return S

    def _bend(self, S: Any, D: Any, b: Block) -> Any:
        P = self._probabilities(S)
        return P * (D - self.xp.sum(P * D, axis=-2, keepdims=True)) * b.weight

    def _curvature(self, S: Any, b: Block) -> tuple[Any, list[tuple[int, Any]]]:
        P = self._probabilities(S)
        return P * b.weight, [(-1, P * b.weight**0.5)]

    @cached_property
    def _constants(self) -> Constants:
        L_i = largest(self.store) / 2 + self.l2
        half_space = reached(self._half_space(), "the supremum", "a feature of one sign")
        which = "attained at w = 0" if self.classes == 2 else half_space
        how = f"L_i = lambda_max(X_i'X_i)/(2 n_i) + l2, {which}; mu_i = l2, attained at every point"
        return Constants(L_i, np.full(self.m, self.l2), how)

    def _half_space(self) -> np.ndarray:
        """Whether some feature of a client is positive in all samples, or negative in all, ``(m,)`` on the host."""
        xp = self.xp

        def of(b: Block) -> Any:
            sign = xp.sign(b.X)
            spare = xp.zeros_like(sign) if b.mask is None else (1 - b.mask)[..., None]  # padding has no say
            return xp.any((xp.min(sign + spare, axis=-2) > 0) | (xp.max(sign - spare, axis=-2) < 0), axis=-1)

        return to_host(self.store.map(of, axis=0))


def class_labels(name: str, y: np.ndarray, classes: int) -> np.ndarray:
    """Labels as int64 from 0 to classes - 1."""
    bad = (y != np.floor(y)) | (y < 0) | (y >= classes)
    if bad.any():
        raise UsageError(f"`{name}(clients=...)` must have integer labels from 0 to {classes - 1}, got {y[bad][0]}.")
    return y.astype(np.int64)
