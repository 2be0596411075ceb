"""L-smooth functions that are bounded below, not necessarily convex.

Necessary and sufficient for interpolation by an L-smooth function with the greatest lower bound f_inf are the inequalities
of L-smooth functions at pairs of points and, at every point,

    f(x) - |grad f(x)|^2/(2 L) >= f_inf.

Reference: Y. Drori, O. Shamir, The complexity of finding stationary points with stochastic gradient descent, ICML 2020,
arXiv 1910.01845, Theorem 7. Its interpolating function is, with z_i = x_i - g_i/L and phi_i = f_i - |g_i|^2/(2 L),

    f(y) = min over weights of L/2 |y - z_bar|^2 + L/4 (mean of |z_i|^2 - |z_bar|^2) + mean of phi_i,

means over the weights: it is at least min_i phi_i, which it attains at z_i. A smaller f_inf is that of one point more, far
away, with gradient 0 and this value.

The search clients are sums of functions of one variable along orthogonal axes: ``h v^2/2 + s v`` with ``-L <= h <= L`` for
``|v| <= a``, and a curvature ``0 <= k <= L`` beyond, so that a concave middle makes a well on each side. Where k = 0 they are
bounded below exactly when ``|s| <= h a``.
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
from ..tabled import DATA, LEAST, tabled_clients
from ..tabled import READING as TABLED_READING
from .base import FunctionClass, Known, Task
from .curvature import pairs
from .knees import Knees, at_optimum, at_rest, in_common, of_first, solvable
from .ridged import READING as RIDGES
from .ridged import Ridged, bounded_below, ridged_clients


@dataclass(frozen=True)
class SmoothBoundedBelow(Knees):
    """L-Lipschitz gradient and ``inf f > -infinity``, not necessarily convex; `L` names the scalar."""

    L: str = "L"

    name: ClassVar[str] = "smooth and bounded below"
    sufficient: ClassVar[bool] = True
    bounded_below: ClassVar[bool] = True
    source: ClassVar[str] = "Drori, Shamir (2020), Theorem 7"
    reading: ClassVar[str] = (
        "How to read a counterexample: a client is a sum of functions of one variable along the axes of Q, the reflection "
        "along `axis`, around `center`, with the slope Q slope there and the value `offset`. Its curvature is L curvature; along "
        "an axis that is `kinked` it is L (2 curvature - 1) within the distance `knee` and L far beyond it. Where it is 0 beyond "
        "the knee the slope is cut to what keeps the client bounded below; with w_star of several clients, or with a bound on "
        "diversity, it is L there instead. A single client is moved so that w_star minimises it."
    )

    @property
    def needs(self) -> tuple[str, ...]:
        """L."""
        return (self.L,)

    def conditions(self, x: Any) -> list[Relation]:
        """Nothing: L is positive by its range."""
        return []

    def inequalities(self, x: Any, client: Known) -> Iterator[tuple[str, Any]]:
        """Those of smooth functions, and the distance to the infimum at every point."""
        L = client.own(getattr(x, self.L))
        yield from pairs(-L, L, client)
        for a, (_, g, f) in enumerate(client.points):
            yield f"{a} smooth", f - client.infimum - client.dot(g, g) / (2 * L)

    def clients(self, x: Instance, data: Mapping[str, Any], numbers: Numbers, task: Task) -> tuple[Any, list[Relation]]:
        """Members; those that share a minimiser have common axes and knees, which tell whether it is one.

        The mean of such clients has the mean curvatures, within and beyond the knee, and is stationary at the centre:
        that is a minimiser when the mean curvature within is not negative. For the minimiser of the envelopes the
        clients are convex quadratics.
        """
        if DATA[0] in data:
            return tabled_clients(self, x, data, numbers, task)
        if "ridge_axis" in data:
            x, shared = in_common(x, least=(self.L,)) if task.diversity else (x, [])
            ridges, more = ridged_clients(self.bounds(x), x, data, numbers, task, True)
            return ridges, [*shared, *more, *bounded_below(ridges.lines)]
        alone = task.optimum_of == "f" and data["curvature"].shape[-2] == 1
        several = bool(task.diversity or (task.optimum_of and not alone))
        common = ("axis", "knee", *(("curvature", "far", "kinked") if task.diversity else ())) if several else ()
        data = {k: of_first(v) if k in common else v for k, v in data.items()}
        if task.optimum_of == "F":
            data = {**data, "kinked": data["kinked"] * 0}
        x, shared = in_common(x, least=(self.L,)) if task.diversity else (x, [])
        problem = self.built(x, data, numbers, several)
        given: list[Relation] = []
        if alone:
            problem, given = at_rest(problem, x)
        elif task.optimum_of:
            problem, given = at_optimum(problem, x, task)
            given.append(le(0, x.mean_vec(problem.curvature), "w_star is a minimiser"))
        return problem, [*shared, *self.membership_of(problem, x), *solvable(problem, task), *given]

    def bounds(self, x: Any) -> tuple[Any, Any]:
        """Of the curvature."""
        L = getattr(x, self.L)
        return -L, L

    def ridged(self) -> FunctionClass:
        """This class with search clients that bend along axes which are not orthogonal."""
        return RidgedBelow(self.L)

    def convex(self) -> FunctionClass:
        """The class itself, whose clients without a knee are convex."""
        return self

    def of_convex(self, data: Mapping[str, Any], scalars: Mapping[str, Any]) -> dict[str, Any]:
        """The free data without knees."""
        return {**data, "kinked": data["kinked"] * 0}

    def tabled(self, optimum: bool) -> str:
        """How to read clients of this class that are known at points alone; empty where a minimiser is asked for."""
        return (
            "" if optimum else f"{TABLED_READING.format(source=self.source)} Their greatest lower bounds are `{LEAST}`."
        )

    def built(self, x: Any, data: Mapping[str, Any], numbers: Numbers, several: bool) -> Quadratics:
        """Clients that are in the class by construction."""
        xp = numbers.xp
        L = per_client(getattr(x, self.L))
        u, kinked, knee = (data[k] for k in ("curvature", "kinked", "knee"))
        k = (u + (data["far"] - u) * kinked) * L
        if several:
            k = xp.where(k == 0, k * 0 + L, k)
        h = (2 * u - 1) * L * kinked + k * (1 - kinked)
        h = xp.where((k == 0) & (h < 0), h * 0, h)
        problem = Quadratics(h, data["axis"], data["slope"], data["center"], data["offset"], numbers, k, knee, True)
        s = problem.reflect(data["slope"])
        most = h * knee
        s = xp.where(k == 0, numbers.maximum(numbers.minimum(s, most), -most), s)
        return dataclasses.replace(problem, slope=problem.reflect(s))

    def membership_of(self, problem: Quadratics, x: Any) -> list[Relation]:
        """The conditions, exact on any client with a knee, under which it is in the class."""
        xp = problem.numbers.xp
        L = per_client(getattr(x, self.L))
        h, k, s, a = problem.wells()
        return [
            le(-L, h, "curvature at least -L"),
            le(h, L, "curvature at most L"),
            le(0, k, "curvature at least 0 beyond the knee"),
            le(k, L, "curvature at most L"),
            lt(0, a, "knee"),
            le(xp.where(k == 0, xp.abs(s), h * 0), xp.where(k == 0, h * a, h * 0), "bounded below"),
        ]

    # given clients

    def measured(self, problem: Any) -> dict[str, tuple[np.ndarray, Callable[..., Any]]]:
        """The smoothness from above."""
        return {self.L: (problem.smoothness, max)}

    def membership(self, x: Any, problem: Any) -> list[Relation]:
        """L against a proved bound; least-squares clients are bounded below."""
        return [le(problem.smoothness, getattr(x, self.L), "curvature at most L")]

    def refused(self, problem: Any) -> str:
        """No least-squares client is refused."""
        return ""


@dataclass(frozen=True)
class RidgedBelow(Ridged, SmoothBoundedBelow):
    """The class with clients that bend along axes which are not orthogonal."""

    reading: ClassVar[str] = RIDGES

    @property
    def flat(self) -> float:
        """Half way between -L and L."""
        return 0.5
