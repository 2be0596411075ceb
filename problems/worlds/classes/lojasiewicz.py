"""L-smooth functions with the Polyak-Lojasiewicz inequality ``|grad f(x)|^2 >= 2 mu (f(x) - inf f)``.

No inequalities that are sufficient for interpolation are known in closed form. Necessary, and used here, are those of
L-smooth functions at pairs of points and, at every point,

    |grad f(x)|^2/(2 L) <= f(x) - inf f <= |grad f(x)|^2/(2 mu),

the left one since a step of 1/L decreases f by at least that much.

References: H. Abbaszadehpeivasti, E. de Klerk, M. Zamani, Conditions for linear convergence of the gradient method for
non-convex optimization, Optimization Letters 17 (2023), arXiv 2204.00647; A. Rubbens, J. Hendrickx, A. Taylor, A
constructive approach to strengthen algebraic descriptions of function and operator classes (2025), arXiv 2504.14377,
Proposition 3.4 for these inequalities.

The search clients are sums of functions of one variable along orthogonal axes, and such a sum is in the class when every
summand is: ``|grad f|^2`` and ``f - inf f`` are the sums of theirs. A summand phi is ``h v^2/2 + s v`` for ``|v| <= a``
and has the curvature k beyond. Let ``g = phi'^2 - 2 mu (phi - inf phi)``, so that ``g' = 2 phi' (phi'' - mu)``; g vanishes
at the minimiser. On each side of it phi' has one sign, unless phi has another stationary point, where g < 0. So g >= 0
everywhere exactly when k >= mu (or phi is constant beyond the knees, and then throughout), no other point is
stationary, and g >= 0 at the knees: where the minimiser is within them, h >= mu; else g >= 0 at the knee that is the
farther one from it. These are the conditions in `membership_of`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Relation, le, lt

from ..quadratics import Quadratics, per_client
from .base import Known, Task
from .curvature import pairs
from .knees import Knees, at_optimum, at_rest, in_common, of_first, solvable

NEWTON = 2  # steps towards the largest knee of a concave middle
AT_REST = 0.25  # of the draws: clients whose minimisers are at the centre, where nothing pulls


@dataclass(frozen=True)
class Lojasiewicz(Knees):
    """L-smooth with the Polyak-Lojasiewicz constant mu, not necessarily convex; `mu` and `L` name the scalars."""

    mu: str = "mu"
    L: str = "L"

    name: ClassVar[str] = "smooth and Polyak-Lojasiewicz"
    sufficient: ClassVar[bool] = False
    bounded_below: ClassVar[bool] = True
    source: ClassVar[str] = "Rubbens, Hendrickx, Taylor (2025), Proposition 3.4"
    data: ClassVar[tuple[str, ...]] = (*Knees.data, "flat")
    reading: ClassVar[str] = (
        "How to read a counterexample: a client is a sum of functions of one variable along the axes of Q, the reflection "
        "along `axis`, around `center`, with the slope Q slope there (0 where `flat`) and the value `offset`. Its curvature is "
        "mu + (L - mu) curvature, or 0 where `flat`. Along an axis that is `kinked` that is its curvature beyond the distance "
        "`knee`, with `far` in place of `curvature`; within it is 0 where `flat`, else with p = 2 curvature - 1 it is L p for "
        "p < 0 and mu + (L - mu) p for p >= 0, where knees that are too large for mu are cut. With w_star, or with a bound on "
        "diversity, it is mu + (L - mu) curvature within the knee, unless a single client is moved so that w_star minimises it."
    )

    @property
    def needs(self) -> tuple[str, ...]:
        """mu and L."""
        return (self.mu, self.L)

    def bounds(self, x: Any) -> tuple[Any, Any]:
        """(mu, L) on the instance's numbers."""
        return getattr(x, self.mu), getattr(x, self.L)

    def conditions(self, x: Any) -> list[Relation]:
        """mu < L: beyond it the class has constants only."""
        return [lt(*self.bounds(x), f"{self.mu} < {self.L}")]

    def inequalities(self, x: Any, client: Known) -> Iterator[tuple[str, Any]]:
        """Those of smooth functions, and both bounds on f - inf f at every point."""
        mu, L = (client.own(bound) for bound in self.bounds(x))
        yield from pairs(-L, L, client)
        for a, (_, g, f) in enumerate(client.points):
            yield f"{a} smooth", f - client.infimum - client.dot(g, g) / (2 * L)
            yield f"{a} PL", client.dot(g, g) / (2 * mu) - (f - client.infimum)

    def draw(self, rng: np.random.Generator, batch: int, m: int, d: int) -> dict[str, np.ndarray]:
        """Clients with a knee, some of them flat along some axes."""
        flat = (rng.random((batch, 1, 1)) < 0.4) & (rng.random((batch, m, d)) < 0.5)
        free = {**super().draw(rng, batch, m, d), "flat": flat * 1.0}
        if m > 1:
            free["slope"] = free["slope"] * (rng.random((batch, 1, 1)) >= AT_REST)
        return free

    def clients(
        self, x: Instance, data: Mapping[str, Any], numbers: Numbers, task: Task
    ) -> tuple[Quadratics, list[Relation]]:
        """Members; convex ones with common axes and flats where several share a minimiser or differ by a vector.

        Clients that all rest at w_star share it whatever their axes and flats are.
        """
        alone = task.optimum_of == "f" and data["curvature"].shape[-2] == 1
        convex = bool(task.diversity or (task.optimum_of and not alone))
        common = ("axis", "flat", *(("curvature", "far", "kinked", "knee") if task.diversity else ())) if convex else ()
        moved = numbers.xp.any(data["slope"] != 0, axis=(-2, -1), keepdims=True) | bool(task.diversity)
        data = {k: numbers.xp.where(moved, of_first(v), v) if k in common else v for k, v in data.items()}
        x, shared = in_common(x, least=(self.L,), largest=(self.mu,)) if task.diversity else (x, [])
        problem = self.built(x, data, numbers, convex)
        if task.optimum_of and not alone:
            problem, given = at_optimum(problem, x, task)
        elif alone:
            problem, given = at_rest(problem, x)
        else:
            given = []
        return problem, [*shared, *self.membership_of(problem, x), *solvable(problem, task), *given]

    def built(self, x: Any, data: Mapping[str, Any], numbers: Numbers, convex: bool) -> Quadratics:
        """Clients that are in the class by construction."""
        xp = numbers.xp
        mu, L = (per_client(bound) for bound in self.bounds(x))
        u, flat, kinked, knee = (data[k] for k in ("curvature", "flat", "kinked", "knee"))
        beyond = mu + (L - mu) * (u + (data["far"] - u) * kinked)
        p = u if convex else 2 * u - 1
        within = xp.where(p < 0, p * L, mu + (L - mu) * p)
        k = beyond * (1 - flat * (1 - kinked))
        h = (within * kinked + beyond * (1 - kinked)) * (1 - flat)
        problem = Quadratics(h, data["axis"], data["slope"], data["center"], data["offset"], numbers, k, knee, True)
        s = problem.reflect(data["slope"]) * (1 - flat)
        knee = xp.where(h < 0, numbers.minimum(knee, largest_knee(xp, mu, h, k) * xp.abs(s)), knee)
        return dataclasses.replace(problem, slope=problem.reflect(s), knee=knee)

    def membership_of(self, problem: Quadratics, x: Any) -> list[Relation]:
        """The conditions, exact on any client with a knee, under which it is in the class; see the module."""
        xp = problem.numbers.xp
        mu, L = (per_client(bound) for bound in self.bounds(x))
        h, k, s, a = problem.wells()
        size, zero = xp.abs(s), h * 0
        inner = size < h * a
        past = size - h * a
        rise = 4 * mu * size * a + mu * past * past / xp.where(k == 0, zero + 1, k)
        return [
            le(-L, h, "curvature at least -L"),
            le(h, L, "curvature at most L"),
            le(k, L, "curvature at most L"),
            le(0, a, "knee"),
            le(0, k, "curvature at least 0 beyond the knee"),
            le(0, k * (k - mu), "curvature 0 or at least mu beyond the knee"),
            le(xp.where(k == 0, size + xp.abs(h) * a, zero), 0, "constant where it is flat beyond the knee"),
            le(xp.where(h < 0, -h * a, zero), size, "no stationary point where it is concave"),
            le(xp.where(inner, zero + mu, zero), h * xp.where(inner, zero + 1, zero), "curvature mu at the minimiser"),
            le(xp.where(inner, zero, rise), (size + h * a) ** 2, "Polyak-Lojasiewicz at the farther knee"),
        ]

    # given clients

    def measured(self, problem: Any) -> dict[str, tuple[np.ndarray, Callable[..., Any]]]:
        """The smoothness from above, the strong convexity from below."""
        return {self.L: (problem.smoothness, max), self.mu: (problem.curvature[:, 0], min)}

    def membership(self, x: Any, problem: Any) -> list[Relation]:
        """mu and L against proved bounds: a mu-strongly convex client has the inequality with mu."""
        mu, L = self.bounds(x)
        return [
            le(mu, problem.curvature[:, 0], "curvature at least mu"),
            le(problem.smoothness, L, "curvature at most L"),
        ]

    def refused(self, problem: Any) -> str:
        """Features of deficient rank: the least positive curvature of such data is not enclosed."""
        deficient = problem.deficient()
        return deficient and f"{deficient}, and no bound on its least positive curvature is proved"


def largest_knee(xp: Any, mu: Any, h: Any, k: Any) -> Any:
    """A knee that is small enough for mu, by Newton's method from below, per unit of slope, where h < 0.

    With ``q = mu/k`` and ``t = a/s`` the inequality at the farther knee reads ``(1 - q) - B t + (1 - q) h^2 t^2 >= 0`` with
    ``B = 2 (2 mu - (1 + q) h)``: convex and falling up to its first root, so that a step from below stays below.
    """
    h = xp.where(h < 0, h, h * 0)
    q = mu / xp.where(k == 0, k * 0 + mu, k)
    B = 2 * (2 * mu - (1 + q) * h)
    square = (1 - q) * h * h
    t = (1 - q) / B
    for _ in range(NEWTON):
        t = t + ((1 - q) - B * t + square * t * t) / (B - 2 * square * t)
    return t
