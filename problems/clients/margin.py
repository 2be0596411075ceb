"""Multi-class margin clients: the linear model of FLAME's synthetic experiment.

``f_i(w) = 1/n_i sum_j 1/C sum_{c != y_ij} h(1 - s_ijy + s_ijc) + l2/2 |w|^2`` with s = w x and the hinge
``h(u) = max(0, u)``: the multi-class margin loss with margin 1 and p = 1, which divides by C and not by C - 1.

- Plain: not smooth, L_i = inf. At a kink, u = 0, the subgradient is the one of the flat side (slope 0). Where no sample is
  on a kink the loss is affine, so mu_i = l2 exactly.
- Smoothed by eps > 0: h is replaced by its Moreau envelope, 0 for u <= 0, u^2/(2 eps) up to eps, u - eps/2 beyond. The
  second derivative of a sample is at most 1/(eps C) times the Laplacian of a star with C - 1 leaves, whose largest
  eigenvalue is C, times x x'. So ``L_i <= lambda_max(X_i'X_i)/(eps n_i) + l2``, and that is attained at w = 0 if the
  client has one label only and eps > 1, since then every u is 1. ``mu_i = l2`` exactly and at every point: adding one
  vector to the rows of all classes leaves every u alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from fedtheory._arrays import to_host
from fedtheory.checks import whole
from fedtheory.errors import UsageError
from fedtheory.problem import Constants, Optimum

from . import newton
from .base import curvature_penalty, namespace, reached
from .linear_models import LinearModelClients
from .softmax import class_labels
from .spectra import largest
from .store import Block, store_clients


class MarginClients(LinearModelClients):
    """Stacked clients with the multi-class margin loss, plain or smoothed.

    Parameters
    ----------
    clients : sequence of (X, y)
        Features ``(n_i, p)`` and integer labels ``(n_i,)`` from 0 to classes - 1.
    classes : int
        Classes C, at least 2; w is reshaped to ``(C, p)``, so d = C p.
    l2 : float
        Coefficient of the regulariser, at least 0.
    smoothing : float or None
        Positive parameter eps of the smoothed hinge; None is the plain loss, without prox and optimum.
    xp, device : namespace, device, optional
        Where the arrays go; NumPy if not given.

    Raises
    ------
    UsageError
        If there is no client, shapes do not fit together, an entry is not finite, a label is out of range, or an option is.

    Examples
    --------
    >>> import numpy as np
    >>> f = MarginClients([(np.ones((1, 1)), np.array([0]))], classes=2)
    >>> f.value(np.zeros((1, 2))), f.grad(np.zeros((1, 2)))
    (array([0.5]), array([[-0.5,  0.5]]))
    """

    def __init__(
        self,
        clients: Sequence[tuple[Any, Any]],
        *,
        classes: int,
        l2: float = 0.0,
        smoothing: float | None = None,
        xp: Any = None,
        device: Any = None,
    ) -> None:
        self._configure(classes=classes, l2=l2, smoothing=smoothing)
        self._hold(store_clients(self.name, clients, namespace(xp), device, self._targets))

    def _configure(self, *, classes: int, l2: float = 0.0, smoothing: float | None = None) -> None:  # type: ignore[override]
        self.classes, self.l2 = whole(f"{self.name}(classes=...)", classes, 2), curvature_penalty(self.name, l2)
        if smoothing is not None:
            ok = isinstance(smoothing, Real) and not isinstance(smoothing, bool)
            if not ok or not math.isfinite(smoothing) or smoothing <= 0:
                raise UsageError(
                    f"`{self.name}(smoothing=...)` must be positive and finite, or None, got {smoothing!r}."
                )
        self.smoothing = None if smoothing is None else float(smoothing)
        self.slope_sq = (self.classes - 1) / self.classes  # C - 1 entries 1/C, one entry (C - 1)/C

    def _targets(self, name: str, y: np.ndarray) -> np.ndarray:
        return class_labels(name, y, self.classes)

    def _excess(self, S: Any, b: Block) -> tuple[Any, Any]:
        """u = 1 - s_y + s_c, ``(..., k, C, width)``, and whether c is the label."""
        xp, own = self.xp, b.is_label(self.classes)
        return 1 + S - xp.sum(xp.where(own, S, xp.zeros_like(S)), axis=-2, keepdims=True), own

    def _loss(self, S: Any, b: Block) -> Any:
        if self.in_place and self.smoothing is None:
            return self._loss_in_place(S, b)
        xp = self.xp
        U, own = self._excess(S, b)
        zero = xp.zeros_like(U)
        H = xp.maximum(U, zero)
        if self.smoothing is not None:
            H = xp.where(self.smoothing > U, H * H / (2 * self.smoothing), H - self.smoothing / 2)
        return xp.sum(xp.where(own, zero, H), axis=-2) / self.classes

    def _loss_in_place(self, S: np.ndarray, b: Block) -> np.ndarray:
        """The plain loss on NumPy, over S itself."""
        flat, at = _labels(S, b)
        own = flat[at][..., None, :]
        S += 1
        S -= own
        np.maximum(S, 0, out=S)
        flat[at] = 0
        return np.sum(S, axis=-2) / self.classes

    def _right(self, S: Any, b: Block) -> Any:
        return self.xp.argmax(S, axis=-2) == b.y

    def _slope(self, S: Any, b: Block) -> Any:
        if self.in_place and self.smoothing is None:
            return self._slope_in_place(S, b)
        xp = self.xp
        U, own = self._excess(S, b)
        zero, one = xp.zeros_like(U), xp.ones_like(U)
        if self.smoothing is None:
            A = xp.where(U > 0, one, zero)
        else:
            A = xp.minimum(xp.maximum(U, zero), one * self.smoothing) / self.smoothing
        A = xp.where(own, zero, A)
        return (A - xp.where(own, xp.sum(A, axis=-2, keepdims=True), zero)) * (b.weight / self.classes)

    def _slope_in_place(self, S: np.ndarray, b: Block) -> np.ndarray:
        """The slope of the plain loss on NumPy, over S itself."""
        flat, at = _labels(S, b)
        np.greater(S, (flat[at] - 1)[..., None, :], out=S)  # which hinges slope, the label's own among them
        flat[at] = 1 - S.sum(axis=-2)
        S *= b.weight / self.classes
        return S

    def _active(self, S: Any, b: Block) -> tuple[Any, Any, Any]:
        """Which hinges are curved, 0 or 1 ``(..., k, C, width)`` and 0 at the label; the label; their curvature over C."""
        xp = self.xp
        U, own = self._excess(S, b)
        zero = xp.zeros_like(U)
        if self.smoothing is None:
            return zero, own, 0.0
        on = xp.where(~own & (U > 0) & (self.smoothing > U), xp.ones_like(U), zero)
        return on, own, b.weight / (self.smoothing * self.classes)

    def _bend(self, S: Any, D: Any, b: Block) -> Any:
        xp = self.xp
        on, own, size = self._active(S, b)
        out = on * (D - xp.sum(xp.where(own, D, xp.zeros_like(D)), axis=-2, keepdims=True))
        return (out - xp.where(own, xp.sum(out, axis=-2, keepdims=True), xp.zeros_like(out))) * size

    def _curvature(self, S: Any, b: Block) -> tuple[Any, list[tuple[int, Any]]]:
        """The Laplacian of the star: ``diag(a + o |a|) - a o' - o a'``, the last two as a difference of squares."""
        on, own, size = self._active(S, b)
        label = self.xp.astype(own, on.dtype)
        D = (on + label * self.xp.sum(on, axis=-2, keepdims=True)) * size
        root = (size / 2) ** 0.5
        return D, [(-1, (on + label) * root), (1, (on - label) * root)]

    def prox(self, W: Any, lam: Any) -> Any:
        """The minimiser of f_i(theta) + lam_i/2 |theta - w_i|^2, by Newton's method; for the smoothed loss.

        Raises
        ------
        UsageError
            For the plain loss, or if a penalty lam_i is not above -mu_i.
        """
        self._require_smooth("prox")
        return super().prox(W, lam)

    @cached_property
    def _optimum(self) -> Optimum:
        self._require_smooth("optimum")
        if not self.l2:
            raise UsageError(
                f"`{self.name}.optimum()` needs l2 > 0, since the smoothed loss is flat in places, got l2=0."
            )
        return newton.optimum(self)

    def _require_smooth(self, call: str) -> None:
        if self.smoothing is None:
            raise UsageError(f"`{self.name}.{call}()` needs a smooth loss; use smoothing=..., got smoothing=None.")

    @cached_property
    def _constants(self) -> Constants:
        mu_i = np.full(self.m, self.l2)
        if self.smoothing is None:
            how = "not smooth: L_i = inf; mu_i = l2, attained at every point off the kinks, since the loss is affine there"
            return Constants(np.full(self.m, np.inf), mu_i, how)
        L_i = largest(self.store) / self.smoothing + self.l2
        which = reached(self._one_label() & (self.smoothing > 1), "attained at w = 0", "one label (and eps > 1)")
        how = f"L_i = lambda_max(X_i'X_i)/(eps n_i) + l2 with eps = smoothing, {which}; mu_i = l2, attained at every point"
        return Constants(L_i, mu_i, how)

    def _one_label(self) -> np.ndarray:
        """Whether all samples of a client have one label, ``(m,)`` on the host."""
        xp = self.xp

        def of(b: Block) -> Any:
            y = b.y if b.mask is None else xp.where(b.mask > 0, b.y, b.y[:, :1])
            return xp.max(y, axis=-1) == xp.min(y, axis=-1)

        return to_host(self.store.map(of, axis=0))


def _labels(S: np.ndarray, b: Block) -> tuple[np.ndarray, np.ndarray]:
    """The scores ``(..., k, C, width)`` in one row, and where in it those of the labels are, ``(..., k, width)``."""
    *front, C, width = S.shape
    first = np.arange(0, S.size, C * width).reshape(*front, 1)
    return S.reshape(-1), b.y * width + np.arange(width) + first
