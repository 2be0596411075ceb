"""Support functions ``max over s in C of <s, x>`` of closed convex sets C in the ball of radius M, or in any.

A subgradient at x is a point of C that attains it. Necessary and sufficient are

    f(x_a) = <g_a, x_a>,    <g_b, x_a> <= f(x_a)  for every pair,    |g_a| <= M,

the last where M is named: the support function of the convex hull of the g_a has these values and subgradients. Reference: A.
Taylor, J. Hendrickx, F. Glineur, Exact worst-case performance of first-order methods for composite convex optimization, SIAM
Journal on Optimization 27 (2017), Theorem 3.6 (a support function is the conjugate of an indicator).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from .base import FunctionClass, Known
from .undrawn import Undrawn


@dataclass(frozen=True)
class Support(Undrawn):
    """Of a closed convex set; `M` names a scalar that bounds its points."""

    name: str
    M: str | None = None

    source: ClassVar[str] = "Taylor, Hendrickx, Glineur (2017), composite, Theorem 3.6"

    @property
    def needs(self) -> tuple[str, ...]:
        """The radius."""
        return (self.M,) if self.M else ()

    def inequalities(self, x: Any, client: Known) -> Iterator[tuple[str, Any]]:
        """At every point and every pair; the equality as two of them."""
        M = client.own(getattr(x, self.M)) if self.M else None
        for a, (w, g, f) in enumerate(client.points):
            yield f"{a} attained", f - client.dot(g, w)
            yield f"{a} attained reversed", client.dot(g, w) - f
            if M is not None:
                yield f"{a} short", M * M - client.dot(g, g)
            for b, (_, h, _) in enumerate(client.points):
                if a != b:
                    yield f"{a} {b} largest", client.dot(g, w) - client.dot(h, w)


def ConvexSupport(M: str | None = None) -> FunctionClass:
    """Of a closed convex set, in the ball of radius M where it is named."""
    return Support("that are the support function of a convex set", M)
