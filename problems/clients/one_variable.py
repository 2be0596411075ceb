"""Clients of one variable whose curvature is attained at one end only: where bounds for quadratics fail.

- Huber: curvature L inside a knee and 0 beyond it. Gradients are bounded, so the heterogeneity is finite although the
  Hessians differ; far out every bound that uses strong convexity is tested at mu = 0.
- tanh: the gradient is a tanh, curvature L at the centre and falling to 0, not attained; smooth to every order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from array_api_compat import device as device_of

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from fedtheory.problem import Constants, Optimum

from .base import Clients, namespace


class ScalarClients(Clients):
    """Stacked functions of one variable with centres, widths and curvatures ``(m,)``, one sample each."""

    words = ("centers", "knees", "scales")
    d = 1

    def _hold(self, arrays: tuple[Any, Any, Any], xp: Any, device: Any) -> None:
        host = []
        for word, a in zip(self.words, arrays, strict=True):
            a = np.asarray(to_host(a), dtype=np.float64)
            if a.ndim > 1 or a.size == 0:
                raise UsageError(f"`{self.name}({word}=...)` must be a number or (m,), got shape {a.shape}.")
            if not np.isfinite(a).all() or (word != "centers" and (a <= 0).any()):
                rule = "finite" if word == "centers" else "positive and finite"
                bad = a[~np.isfinite(a)] if not np.isfinite(a).all() else a[a <= 0]
                raise UsageError(f"`{self.name}({word}=...)` must be {rule}, got {bad.flat[0]}.")
            host.append(a)
        try:
            host = list(np.broadcast_arrays(*(np.atleast_1d(a) for a in host)))
        except ValueError:
            shapes = ", ".join(str(a.shape) for a in host)
            raise UsageError(f"`{self.name}({', '.join(self.words)})` must have one length, got {shapes}.") from None
        self.xp = namespace(xp)
        where = {} if device is None else {"device": device}
        self._place(*(self.xp.asarray(np.array(a), **where) for a in host))

    def _place(self, center: Any, width: Any, scale: Any) -> None:
        self.center, self.width, self.scale = center, width, scale
        self.device = device_of(center)
        self.m = int(center.shape[0])
        self.n = np.ones(self.m, dtype=np.int64)

    def _select(self, clients: np.ndarray) -> Any:
        out = object.__new__(type(self))
        out.xp = self.xp
        chosen = self.xp.asarray(clients, device=self.device)
        out._place(*(self.xp.take(a, chosen, axis=0) for a in (self.center, self.width, self.scale)))
        return out

    def _away(self, call: str, W: Any) -> Any:
        """w_i - c_i, ``(..., m)``."""
        return self.point(call, W)[..., 0] - self.center

    def _slope(self, u: Any) -> Any:
        raise NotImplementedError

    def _bend(self, u: Any) -> Any:
        raise NotImplementedError

    def grad(self, W: Any, rows: Any = None) -> Any:
        """Gradient of f_i at w_i, ``(..., m, 1)``."""
        if rows is not None:
            return self.minibatch(rows).grad(W)
        return self._slope(self._away("grad", W))[..., None]

    def hessian_product(self, W: Any, V: Any, rows: Any = None) -> Any:
        """Second derivative of f_i at w_i times v_i, ``(..., m, 1)``."""
        if rows is not None:
            self.minibatch(rows)
        return self._bend(self._away("hessian_product", W))[..., None] * self.point("hessian_product", V)

    def hessian(self, W: Any) -> Any:
        """Second derivative of f_i at w_i, ``(..., m, 1, 1)``."""
        return self._bend(self._away("hessian", W))[..., None, None]

    def sample_variance(self, W: Any) -> Any:
        """0 of every client, ``(..., m)``: it is its only sample."""
        return self.xp.zeros_like(self._away("sample_variance", W))

    @property
    def slope_bound(self) -> np.ndarray:
        """The supremum of |f_i'|, ``(m,)`` on the host; the mean of its squares bounds sigma_f^2."""
        return to_host(self.scale * self.width)

    @cached_property
    def _optimum(self) -> Optimum:
        """By bisection to adjacent floats: the mean slope increases."""
        c = to_host(self.center)

        def slope(w: float) -> float:
            at = self.xp.asarray([[w]], dtype=self.xp.float64, device=self.device)
            return math.fsum(to_host(self.grad(at))[:, 0]) / self.m

        w, other = zero_set(slope, float(c.min()), float(c.max()))
        kind = "unique"
        if other - w > 8 * math.ulp(max(abs(w), abs(other))):
            kind = f"nearest to 0 of the interval [{w:.6g}, {other:.6g}] on which the computed mean slope is 0"
            w = min(max(w, 0.0), other)
        w_star = self.xp.asarray([[w]], dtype=self.xp.float64, device=self.device)
        f_star = math.fsum(to_host(self.value(w_star))) / self.m
        return Optimum(w_star, f_star, abs(slope(w)), f"bisection to adjacent floats; {kind}")


class HuberClients(ScalarClients):
    """Stacked Huber functions ``scale u^2/2`` for |u| <= knee, ``scale knee (|u| - knee/2)`` beyond, u = w - center.

    Parameters
    ----------
    centers, knees, scales : array_like (m,) or number
        Scale is the curvature L_i; knees and scales are positive.
    xp, device : namespace, device, optional
        Where the arrays go; NumPy if not given.

    Raises
    ------
    UsageError
        If lengths differ, or an entry is not finite or not positive.

    Examples
    --------
    >>> f = HuberClients([0.0, 4.0], 1.0, [1.0, 3.0])
    >>> f.optimum().w_star
    array([[3.66666667]])
    """

    def __init__(self, centers: Any, knees: Any, scales: Any, *, xp: Any = None, device: Any = None) -> None:
        self._hold((centers, knees, scales), xp, device)

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(..., m)``."""
        xp = self.xp
        a = xp.abs(self._away("value", W))
        near = xp.minimum(a, self.width + xp.zeros_like(a))
        return self.scale * near * (a - near / 2)

    def _slope(self, u: Any) -> Any:
        xp, knee = self.xp, self.width + self.xp.zeros_like(u)
        return self.scale * xp.maximum(xp.minimum(u, knee), -knee)

    def _bend(self, u: Any) -> Any:
        return self.xp.where(self.xp.abs(u) <= self.width, self.scale, self.xp.zeros_like(self.scale))

    def prox(self, W: Any, lam: Any) -> Any:
        """The minimiser of f_i(theta) + lam_i/2 |theta - w_i|^2, ``(..., m, 1)``, in closed form.

        Raises
        ------
        UsageError
            If a penalty is not positive.
        """
        u, lam = self._away("prox", W), self.penalty("prox", lam)
        xp = self.xp
        near, beyond = u * self.scale / (lam + self.scale), xp.sign(u) * self.scale * self.width / lam
        inside = xp.abs(u) * lam <= self.width * (lam + self.scale)
        return W - xp.where(inside, near, beyond)[..., None]

    @property
    def kinks(self) -> np.ndarray:
        """Where a gradient bends, ``(2 m,)`` on the host."""
        c, k = to_host(self.center), to_host(self.width)
        return np.concatenate([c - k, c + k])

    @cached_property
    def _constants(self) -> Constants:
        how = "L_i = scale, attained within the knee; mu_i = 0, attained beyond it"
        return Constants(to_host(self.scale), np.zeros(self.m), how)


class TanhClients(ScalarClients):
    """Stacked functions ``scale width^2 log cosh(u/width)``, u = w - center, with gradient ``scale width tanh(u/width)``.

    Parameters
    ----------
    centers, widths, scales : array_like (m,) or number
        Scale is the curvature L_i at the centre; widths and scales are positive.
    xp, device : namespace, device, optional
        Where the arrays go; NumPy if not given.

    Raises
    ------
    UsageError
        If lengths differ, or an entry is not finite or not positive.

    Examples
    --------
    >>> f = TanhClients([-1.0, 1.0], 1.0, 2.0)
    >>> f.constants().L, f.constants().mu
    (2.0, 0.0)
    """

    words = ("centers", "widths", "scales")

    def __init__(self, centers: Any, widths: Any, scales: Any, *, xp: Any = None, device: Any = None) -> None:
        self._hold((centers, widths, scales), xp, device)

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(..., m)``."""
        xp = self.xp
        a = xp.abs(self._away("value", W) / self.width)
        t = xp.tanh(xp.minimum(a, xp.ones_like(a)))
        near = -xp.log1p(-t * t) / 2  # log cosh without cancellation
        far = a + xp.log1p(xp.exp(-2 * a)) - math.log(2)
        return self.scale * self.width**2 * xp.where(a < 1, near, far)

    def _slope(self, u: Any) -> Any:
        return self.scale * self.width * self.xp.tanh(u / self.width)

    def _bend(self, u: Any) -> Any:
        e = self.xp.exp(-2 * self.xp.abs(u / self.width))
        return self.scale * 4 * e / (1 + e) ** 2

    @cached_property
    def _constants(self) -> Constants:
        how = "L_i = scale, attained at the centre; mu_i = 0, the infimum far out, not attained"
        return Constants(to_host(self.scale), np.zeros(self.m), how)


def zero_set(slope: Callable[[float], float], low: float, high: float) -> tuple[float, float]:
    """The first and the last float at which an increasing function with slope(low) <= 0 <= slope(high) is nearest to 0.

    Examples
    --------
    >>> zero_set(lambda w: w - 3.0, 0.0, 5.0)
    (3.0, 3.0)
    >>> zero_set(lambda w: min(w + 1, max(w - 1, 0.0)), -5.0, 5.0)
    (-1.0, 1.0)
    """
    first = _bisect(lambda w: slope(w) >= 0, low, high)
    if slope(first[1]) != 0:  # it jumps over 0 between two floats
        w = min(first, key=lambda w: abs(slope(w)))
        return w, w
    return first[1], _bisect(lambda w: slope(w) > 0, first[1], high)[0]


def _bisect(reached: Callable[[float], bool], low: float, high: float) -> tuple[float, float]:
    """Adjacent floats between which `reached` turns true, or an end twice where it does not turn."""
    if reached(low):
        return low, low
    if not reached(high):
        return high, high
    while (middle := low + (high - low) / 2) not in (low, high):
        low, high = (low, middle) if reached(middle) else (middle, high)
    return low, high
