"""Clients in several dimensions that are sums of functions of one variable along axes that need not be orthogonal.

``f_i(w) = sum_j h_ij(<a_j, w - c>) + base/2 |w - c|^2 + offset_i`` with functions h_ij whose derivative is linear between knots.
Sums along orthogonal axes have curvatures that commute along a line, so that a gradient never turns away and back; these have
not. They are rational in their data, and their prox is known where the axes are orthogonal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fedtheory.errors import NotApplicable

from .bent import Bent
from .quadratics import per_client


@dataclass(frozen=True)
class Ridges:
    """Stacked clients.

    Attributes
    ----------
    lines : Bent
        The functions of one variable, centred at 0, ``(..., k, m, .)`` for k axes.
    axes : array (..., k, d)
    base : number or array (..., m)
        Curvature beside that of the lines.
    center : array (..., 1, d)
    offset : array (..., m)
        Value at the centre, where every line is 0.
    room : array (..., 1)
        By how much the square of it a bound on the diversity exceeds the diversity.
    numbers : Numbers
        Of the arrays.
    orthogonal : bool
        Whether the axes are, so that there is a prox.
    """

    lines: Bent
    axes: Any
    base: Any
    center: Any
    offset: Any
    room: Any
    numbers: Any
    orthogonal: bool

    @property
    def m(self) -> int:
        return self.lines.m

    @property
    def d(self) -> int:
        return int(self.axes.shape[-1])

    def _along(self, u: Any) -> Any:
        """Coordinates of vectors ``(..., m, d)`` along the axes, ``(..., k, m, 1)``."""
        return self.numbers.dot(self.axes[..., :, None, :] + 0 * u[..., None, :, :], u[..., None, :, :])[..., None]

    def _sum(self, s: Any) -> Any:
        """``sum_j s_j a_j`` of coordinates ``(..., k, m, 1)``, ``(..., m, d)``."""
        return self.numbers.sum(s * self.axes[..., :, None, :], axis=-3)

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(..., m)``."""
        u = W - self.center
        lines = self.numbers.sum(self.lines.value(self._along(u)), axis=-2)
        return lines + self.numbers.dot(u, u) * self.base / 2 + self.offset

    def grad(self, W: Any) -> Any:
        """Gradient of f_i at w_i, ``(..., m, d)``."""
        u = W - self.center
        return self._sum(self.lines.grad(self._along(u))) + u * per_client(self.base)

    def prox(self, W: Any, lam: Any) -> Any:
        """The stationary point of f_i(theta) + lam_i/2 |theta - w_i|^2.

        Raises
        ------
        NotApplicable
            If the axes are not orthogonal.
        """
        if not self.orthogonal:
            raise NotApplicable("the prox of sums along axes that are not orthogonal")
        u = (W - self.center) * per_client(lam / (lam + self.base))
        p = self._along(u)
        steps = (self.lines.prox(p, self.stiffness(lam)) - p) / self._lengths_sq()[..., None]
        return self.center + u + self._sum(steps)

    def stiffness(self, lam: Any) -> Any:
        """Parameter of the prox of every line, ``(..., k, m)`` or ``(..., k, 1)``."""
        return (lam + self.base) / self._lengths_sq()

    def _lengths_sq(self) -> Any:
        """``(..., k, 1)``."""
        return self.numbers.dot(self.axes, self.axes)[..., None]

    def infimum(self) -> Any:
        """Of lines whose axes depend on each other it is not known.

        Raises
        ------
        NotApplicable
            Always.
        """
        raise NotApplicable("the infimum of sums along axes that are not orthogonal")

    def diversity(self, x: Any) -> Any:
        """A bound on the mean of |grad f_i - grad f|^2, ``(..., 1)``: a product of two lines is at most half of their squares."""
        a, b = self.axes[..., :1, :], self.axes[..., 1:, :]
        across = self.numbers.dot(a, b)[..., None]
        across = self.numbers.maximum(across, -across)
        spread = self.lines.diversity(x) * (self._lengths_sq() + across)
        return self.numbers.sum(spread, axis=-2) + self.room * self.room
