"""Convex functions whose subgradients are at most M in length, smooth or not.

Necessary and sufficient for interpolation are the inequalities of convex (or of L-smooth convex) functions at pairs of points
and ``|g|^2 <= M^2`` at every point.

Sufficient without smoothness: the largest of the affine functions ``f_a + <g_a, . - x_a>`` takes these values, has the g_a
among its subgradients, and all of its subgradients are means of the g_a. With smoothness: let ``phi`` be the largest convex
function with ``phi(g_a) <= <g_a, x_a> - f_a - |g_a|^2/(2 L)``; it is infinite beyond the means of the g_a, and so is
``phi + |.|^2/(2 L)``, whose conjugate is convex, L-smooth, has the values f_a and the gradients g_a, and no gradient beyond
these means. A mean of vectors of length at most M has length at most M.

Reference: A. Taylor, J. Hendrickx, F. Glineur, Exact worst-case performance of first-order methods for composite convex
optimization, SIAM Journal on Optimization 27 (2017), Theorem 3.5.

The search clients are sums of Huber functions along orthogonal axes: they do not bend beyond the knee, and slopes and knees
are shrunk until the largest slopes along all axes together are at most M. They are only some of the class, and no claim is
*supported* by them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Relation, le

from ..tabled import DATA
from .base import FunctionClass, Known, Task
from .curvature import Curvature


@dataclass(frozen=True)
class Lipschitz(Curvature):
    """Convex, `upper`-smooth where that is named, and with subgradients of at most `M`, which names a scalar."""

    M: str = "M"

    by_curvature: ClassVar[bool] = False
    searched_in_part: ClassVar[bool] = True
    source: ClassVar[str] = "Taylor, Hendrickx, Glineur (2017), composite, Theorem 3.5; the proof stands in the module"
    spectral: ClassVar[Mapping[str, int]] = {**Curvature.spectral, "knee": 0}  # an axis that nothing uses adds no slope

    @property
    def needs(self) -> tuple[str, ...]:
        """The bounds and M."""
        return (*super().needs, self.M)

    def inequalities(self, x: Any, client: Known) -> Iterator[tuple[str, Any]]:
        """Those of convex functions, and the length of every subgradient."""
        yield from super().inequalities(x, client)
        M = client.own(getattr(x, self.M))
        for a, (_, g, _) in enumerate(client.points):
            yield f"{a} short", M * M - client.dot(g, g)

    def clients(self, x: Instance, data: Mapping[str, Any], numbers: Numbers, task: Task) -> tuple[Any, list[Relation]]:
        """Huber functions with slopes that are short enough, all clients shrunk by the same factor."""
        if DATA[0] in data:
            return super().clients(x, data, numbers, task)
        data = {**data, "far": data["far"] * 0, "kinked": data["kinked"] * 0 + 1}
        problem, given = super().clients(x, data, numbers, task)
        M = getattr(x, self.M)
        share = x.min(x.minimum(M / (1 + steepest(problem)), 1))[..., None]
        problem = dataclasses.replace(problem, slope=problem.slope * share, knee=problem.knee * share)
        return problem, [*given, le(steepest(problem), M, "gradients at most M")]

    def refused(self, problem: Any) -> str:
        """All clients that are given by data: no bound on all their gradients is proved."""
        return "no bound on all gradients of these clients is proved"


def steepest(problem: Any) -> Any:
    """A bound on |grad f_i| everywhere, ``(..., m)``: the sum over the axes of the largest slope along each."""
    h, _, s, a = problem.wells()
    return problem.numbers.xp.sum(abs(s) + h * a, axis=-1)


def ConvexLipschitz(M: str = "M") -> FunctionClass:
    """Convex with subgradients of at most M."""
    return Lipschitz("convex with short subgradients", M=M)


def SmoothConvexLipschitz(L: str = "L", M: str = "M") -> FunctionClass:
    """Convex, L-smooth, with gradients of at most M."""
    return Lipschitz("smooth convex with short gradients", upper=L, M=M)
