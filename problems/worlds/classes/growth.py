"""Functions of which something is known around a minimiser w_star that a body looks at.

``QuadraticGrowth("L")``: convex, ``f(x) - f* <= L/2 |x - x*|^2`` for every minimiser x*; not necessarily smooth. Necessary and
sufficient for interpolation are the inequalities of convex functions at pairs of points, and for every minimiser x* and every
point

    f* >= f(x) + <g, x* - x> + |g|^2/(2 L).

They are necessary since ``f(x) + <g, y - x> <= f(y) <= f* + L/2 |y - x*|^2`` at ``y = x* + g/L``. Where the values of all other
points are above f*, the largest of ``f_a + <g_a, . - x_a>`` and of ``f* + eps/2 |. - x*|^2`` with a small eps > 0 is such a
function: the affine ones are below ``f* + L/2 |. - x*|^2`` by the inequality, and x* is its only minimiser. In a counterexample
all inequalities are strict, so that it has such values.

Reference: B. Goujaud, A. Taylor, A. Dieuleveut, Optimal first-order methods for convex functions with a quadratic upper bound
(2022), arXiv 2205.15033, Theorem 2.6.

``RsiEb("mu", "L")``: ``<g, x - x*> >= mu |x - x*|^2`` (restricted secant inequality) and ``|g| <= L |x - x*|`` (error bound), not
necessarily convex. These two at every point are necessary, and where they are strict also sufficient, for gradients alone;
nothing is known of values, so a body may not ask for them. Sufficient: to ``c/2 |x - x*|^2`` with mu < c < L add, in balls
around the points x_a that do not meet, ``eta(|x - x_a|) <h, x - x_a>`` with ``h = g_a - c (x_a - x*)`` and eta going from 1 to 0
like a logarithm, so slowly that ``|eta'(t)| t`` is small: the gradient is then, up to what is small, a mean of ``c (x - x*)``
and of g_a, and both conditions are convex in it.

Reference: C. Guille-Escuret, A. Ibrahim, B. Goujaud, I. Mitliagkas, Gradient descent is optimal under lower restricted secant
inequality and upper error bound, NeurIPS 2022, arXiv 2203.00342, Theorem 1.

The search clients are smooth convex ones, and strongly convex ones, which are only some of either class, so that no claim is
*supported* by them. A world has one such function, with ``optimum_of="f"``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedtheory.gram.ratio import nonzero
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Relation

from ..tabled import DATA, tabled_clients
from .base import FunctionClass, Known, Task
from .curvature import Curvature, pairs


@dataclass(frozen=True)
class Around(Curvature):
    """What both classes share: search clients of the curvatures `lower` and `upper`, and a minimiser among the points."""

    by_curvature: ClassVar[bool] = False
    searched_in_part: ClassVar[bool] = True
    around_minimiser: ClassVar[bool] = True
    strict: ClassVar[bool] = True

    def clients(self, x: Instance, data: Mapping[str, Any], numbers: Numbers, task: Task) -> tuple[Any, list[Relation]]:
        """Members with the bounds of the curvature, or what is known at points."""
        if DATA[0] in data:
            return tabled_clients(self, x, data, numbers, task)
        return super().clients(x, data, numbers, task)


@dataclass(frozen=True)
class QuadraticGrowth(Around):
    """Convex with a quadratic upper bound around every minimiser; see the module."""

    source: ClassVar[str] = "Goujaud, Taylor, Dieuleveut (2022), Theorem 2.6"

    def inequalities(self, x: Any, client: Known) -> Iterator[tuple[str, Any]]:
        """Of convex functions, and the quadratic upper bound at every minimiser that is looked at."""
        yield from pairs(0, None, client)
        L = client.own(getattr(x, str(self.upper)))
        for s in stationary(client):
            star, _, least = client.points[s]
            for a, (point, g, f) in enumerate(client.points):
                if a != s:
                    yield f"{a} {s} growth", least - f - client.dot(g, star - point) - client.dot(g, g) / (2 * L)


@dataclass(frozen=True)
class RestrictedSecant(Around):
    """The restricted secant inequality and the error bound; see the module."""

    source: ClassVar[str] = "Guille-Escuret, Ibrahim, Goujaud, Mitliagkas (2022), Theorem 1"
    valued: ClassVar[bool] = False

    def inequalities(self, x: Any, client: Known) -> Iterator[tuple[str, Any]]:
        """Two at every point and every minimiser that is looked at."""
        mu, L = (client.own(bound) for bound in self.bounds(x))
        for s in stationary(client):
            star = client.points[s][0]
            for a, (point, g, _) in enumerate(client.points):
                if a != s:
                    away = point - star
                    yield f"{a} {s} secant", client.dot(g, away) - mu * client.dot(away, away)
                    yield f"{a} {s} error", L * L * client.dot(away, away) - client.dot(g, g)


def stationary(client: Known) -> list[int]:
    """The places of the points at which the gradient is zero, and not only for some parameters."""
    return [k for k, (_, g, _) in enumerate(client.points) if not any(nonzero(c) for c in g.view(np.ndarray))]


def ConvexQG(L: str = "L") -> FunctionClass:
    """Convex, at most f* + L/2 dist^2 of its minimisers."""
    return QuadraticGrowth("convex with a quadratic upper bound", upper=L)


def RsiEb(mu: str = "mu", L: str = "L") -> FunctionClass:
    """Restricted secant inequality with mu and error bound with L around a minimiser."""
    return RestrictedSecant("with a restricted secant inequality and an error bound", lower=mu, upper=L)
