"""Indicators of closed convex sets, of a bounded diameter or not.

A point at which a body looks lies in the set: the value there is 0, and the subgradient g is a normal of the set.
``x.h.prox(w, lam)`` is the projection of w for every lam. Necessary and sufficient are, for every pair of points,

    <g_a, x_a - x_b> >= 0,    |x_a - x_b| <= D,

the latter where the diameter is bounded: the convex hull of the points is such a set. Reference: A. Taylor, J. Hendrickx, F.
Glineur, Exact worst-case performance of first-order methods for composite convex optimization, SIAM Journal on Optimization 27
(2017), Theorem 3.6.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from .base import FunctionClass, Known
from .growth import stationary
from .undrawn import Undrawn


@dataclass(frozen=True)
class Indicator(Undrawn):
    """Of a closed convex set; `D` names a scalar that bounds its diameter."""

    name: str
    D: str | None = None

    zero: ClassVar[bool] = True  # wherever a body looks
    source: ClassVar[str] = "Taylor, Hendrickx, Glineur (2017), composite, Theorem 3.6"

    @property
    def needs(self) -> tuple[str, ...]:
        """The diameter."""
        return (self.D,) if self.D else ()

    def inequalities(self, x: Any, client: Known) -> Iterator[tuple[str, Any]]:
        """Two for every pair of points."""
        D = client.own(getattr(x, self.D)) if self.D else None
        inner = stationary(client)  # with the normal 0, of which nothing is asked
        for a, (w, g, _) in enumerate(client.points):
            for b, (z, _, _) in enumerate(client.points):
                if a != b and a not in inner:
                    yield f"{a} {b} normal", client.dot(g, w - z)
                if a < b and D is not None:
                    yield f"{a} {b} diameter", D * D - client.dot(w - z, w - z)


def ConvexIndicator(D: str | None = None) -> FunctionClass:
    """Of a closed convex set, with a diameter of at most D where it is named."""
    return Indicator("that are the indicator of a convex set", D)
