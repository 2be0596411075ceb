"""The classes with two bounds on the curvature, and their interpolation inequality.

Reference: A. Taylor, J. Hendrickx, F. Glineur, Smooth strongly convex interpolation and exact worst-case performance of
first-order methods, Mathematical Programming 161 (2017), Theorem 4; with mu < 0 for weakly convex and L-smooth
non-convex functions, T. Rotaru, F. Glineur, P. Patrinos (2022), Theorem 3.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedtheory.errors import UsageError
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Relation, le, lt

from ..quadratics import Quadratics, per_client
from ..tabled import DATA, tabled_clients
from ..tabled import READING as TABLED_READING
from .base import FunctionClass, Known, Task, Triple
from .bends import READING, Bends, bent_clients
from .knees import Knees, at_optimum, in_common, of_first, solvable
from .ridged import READING as RIDGES
from .ridged import Ridged, ridged_clients


@dataclass(frozen=True)
class Curvature(Knees):
    """Functions with ``mu <= curvature <= L``; `lower` and `upper` read mu and L off the instance.

    ``upper=None`` is no smoothness. Names of scalars are given as strings, ``"-L"`` is minus the scalar.
    """

    name: str
    lower: str | None = None
    upper: str | None = None

    sufficient: ClassVar[bool] = True
    by_curvature: ClassVar[bool] = True  # a class is within another where its bounds are
    bounded_below: ClassVar[bool] = False
    source: ClassVar[str] = (
        "Taylor, Hendrickx, Glineur (2017), Theorem 4; Rotaru, Glineur, Patrinos (2022), Theorem 3.1"
    )
    reading: ClassVar[str] = (
        "How to read a counterexample: a client is f_i(w) = (w - center)' Q H Q (w - center)/2 + slope_i' (w - center) + offset_i "
        "with Q the reflection along `axis` and H the curvatures mu + (L - mu) curvature along its axes (mu + curvature where the "
        "class has no L; mu = -L for smooth non-convex clients). Along an axis that is `kinked` the curvature changes to the one "
        "given by `far` at the distance `knee`. Errors have the relative size `error_reach` along `error_axis`. Parts that are "
        "zero are left out; `fedtheory explain ID` has all of them."
    )

    @property
    def needs(self) -> tuple[str, ...]:
        """The scalars that its bounds name."""
        return tuple(bound.lstrip("-") for bound in (self.lower, self.upper) if bound)

    @property
    def bounded(self) -> bool:
        """Whether there is an upper bound."""
        return self.upper is not None

    @property
    def nonconvex(self) -> bool:
        """Whether the lower bound is negative."""
        return self.lower is not None and self.lower.startswith("-")

    def bounds(self, x: Any) -> tuple[Any, Any]:
        """(mu, L) on the instance's numbers; L is None when it is infinite."""
        return _read(self.lower, x) if self.lower else 0, _read(self.upper, x) if self.upper else None

    def conditions(self, x: Any) -> list[Relation]:
        """mu < L where both are named."""
        if not self.upper or not self.lower or self.nonconvex:
            return []
        return [lt(*self.bounds(x), f"{self.lower} < {self.upper}")]

    def inequalities(self, x: Any, client: Known) -> Iterator[tuple[str, Any]]:
        """One for every ordered pair of points."""
        mu, L = (client.own(bound) for bound in self.bounds(x))
        yield from pairs(mu, L, client)

    def clients(self, x: Instance, data: Mapping[str, Any], numbers: Numbers, task: Task) -> tuple[Any, list[Relation]]:
        """Clients of the class; at an optimum of non-convex ones quadratics with common axes, which tell a minimiser."""
        if DATA[0] in data:
            return tabled_clients(self, x, data, numbers, task)
        x, given = self.shared(x) if task.diversity else (x, [])
        if "ridge_axis" in data:
            ridges, more = ridged_clients(self.bounds(x), x, data, numbers, task, self.nonconvex)
            return ridges, [*given, *more]
        if "bent" in data:
            bent, more = bent_clients(self.bounds(x), x, data, numbers, task, self.nonconvex)
            return bent, [*given, *more]
        concave = bool(task.optimum_of and self.nonconvex)
        positions = one_basis(data, equal=task.diversity, straight=concave)
        problem, more = self.built(x, {**data, **positions}, numbers)
        given += [*more, *solvable(problem, task)]
        if task.optimum_of:
            problem, more = at_optimum(problem, x, task)
            given += more
        if concave:
            h = problem.curvature
            lam = None if task.lam is None else per_client(task.lam)
            mean = h * lam / (h + lam) if task.optimum_of == "F" else h
            given.append(le(0, x.mean_vec(mean), "w_star is a minimiser"))
        return problem, given

    def shared(self, x: Instance) -> tuple[Instance, list[Relation]]:
        """The instance with bounds that all clients have in common."""
        convex = (self.lower,) if self.lower and not self.nonconvex else ()
        return in_common(x, least=tuple(name for name in self.needs if name not in convex), largest=convex)

    def bent(self) -> FunctionClass:
        """This class with search clients that have several bends."""
        return BentCurvature(self.name, self.lower, self.upper)

    def ridged(self) -> FunctionClass:
        """This class with search clients that bend along axes which are not orthogonal."""
        return RidgedCurvature(self.name, self.lower, self.upper)

    def tabled(self, optimum: bool) -> str:
        """How to read clients that are known at points alone; empty where nothing tells a minimiser that is asked for."""
        return "" if optimum and self.nonconvex else TABLED_READING.format(source=self.source)

    def convex(self) -> FunctionClass:
        """The class of its convex members."""
        return Curvature(f"convex, {self.name}", upper=self.upper) if self.nonconvex else self

    def of_convex(self, data: Mapping[str, Any], scalars: Mapping[str, Any]) -> dict[str, Any]:
        """The free data of a client of `convex` as those of one of this class."""
        if not self.nonconvex:
            return dict(data)
        low = np.asarray(scalars[str(self.lower)[1:]], dtype=object)
        low = low[..., None] if low.ndim else low
        moved = {k: (1 + data[k]) / 2 if self.bounded else data[k] + low for k in ("curvature", "far")}
        return {**data, **moved}

    def built(self, x: Any, data: Mapping[str, Any], numbers: Numbers) -> tuple[Quadratics, list[Relation]]:
        """The clients with these positions of their curvatures, and their membership in the class."""
        u, far, knee = (data[k] for k in ("curvature", "far", "knee"))
        given = [le(0, u, "curvature at least mu"), le(0, far, "curvature at least mu"), lt(0, knee, "knee")]
        mu, L = (b if b is None else per_client(b) for b in self.bounds(x))
        if L is not None:
            given += [le(u, 1, "curvature at most L"), le(far, 1, "curvature at most L")]
        h, k = (p + mu if L is None else p * (L - mu) + mu for p in (u, far))
        return Quadratics(h, data["axis"], data["slope"], data["center"], data["offset"], numbers, k, knee), given

    # given clients

    def measured(self, problem: Any) -> dict[str, tuple[np.ndarray, Callable[..., Any]]]:
        """The smoothness from above, the strong convexity from below."""
        out: dict[str, tuple[np.ndarray, Callable[..., Any]]] = {}
        if self.upper:
            out[self.upper] = problem.smoothness, max
        if self.lower and not self.nonconvex:
            out[self.lower] = problem.curvature[:, 0], min
        return out

    def membership(self, x: Any, problem: Any) -> list[Relation]:
        """mu and L against proved bounds on the curvature of the data."""
        lower, upper = self.bounds(x)
        given = [le(lower, problem.curvature[:, 0], "curvature at least mu")]
        return given if upper is None else [*given, le(problem.smoothness, upper, "curvature at most L")]

    def refused(self, problem: Any) -> str:
        """A strongly convex class refuses features of deficient rank."""
        deficient = problem.deficient() if self.lower and not self.nonconvex else ""
        return deficient and f"{deficient}, so it is not strongly convex"


@dataclass(frozen=True)
class BentCurvature(Bends, Curvature):
    """The class with clients that have several bends."""

    reading: ClassVar[str] = READING


@dataclass(frozen=True)
class RidgedCurvature(Ridged, Curvature):
    """The class with clients that bend along axes which are not orthogonal."""

    reading: ClassVar[str] = RIDGES

    @property
    def flat(self) -> float:
        """Where a curvature of 0 stands between the bounds."""
        return 0.0 if not self.nonconvex else 0.5 if self.bounded else 1.0


def one_basis(data: Mapping[str, Any], *, equal: bool, straight: bool) -> dict[str, Any]:
    """Axes, knees and positions of the curvatures within and beyond them.

    With `equal`, every client has those of the first, so that gradients differ by the same vectors everywhere. With
    `straight`, the clients are quadratics that share their axes, so that mean curvatures are read off.
    """
    u, axis, knee = data["curvature"], data["axis"], data["knee"]
    far = u if straight else u + (data["far"] - u) * data["kinked"]
    if equal or straight:
        axis = of_first(axis)
    if equal:
        u, far, knee = (of_first(a) for a in (u, far, knee))
    return {"curvature": u, "far": far, "knee": knee, "axis": axis}


def _read(expression: str, x: Any) -> Any:
    return -getattr(x, expression[1:]) if expression.startswith("-") else getattr(x, expression)


def _named(name: str) -> str:
    """The name of a scalar of the world; a number, say, is a UsageError."""
    if isinstance(name, str) and name.isidentifier():
        return name
    raise UsageError(
        "a bound of a class must be the name of a scalar of the world, such as 'L' with Points(..., "
        f"L=positive(CURVATURE)), got {name!r}"
    )


def Convex() -> FunctionClass:
    """Closed, proper and convex."""
    return Curvature("convex")


def StronglyConvex(mu: str = "mu") -> FunctionClass:
    """mu-strongly convex, not necessarily smooth."""
    return Curvature("strongly convex", lower=_named(mu))


def Smooth(L: str = "L") -> FunctionClass:
    """L-Lipschitz gradient, not necessarily convex."""
    return Curvature("smooth", lower=f"-{_named(L)}", upper=L)


def SmoothConvex(L: str = "L") -> FunctionClass:
    """Convex with L-Lipschitz gradient."""
    return Curvature("smooth convex", upper=_named(L))


def SmoothStronglyConvex(mu: str = "mu", L: str = "L") -> FunctionClass:
    """mu-strongly convex with L-Lipschitz gradient, mu < L."""
    return Curvature("smooth strongly convex", lower=_named(mu), upper=_named(L))


def WeaklyConvex(rho: str = "rho") -> FunctionClass:
    """f + rho/2 |.|^2 convex."""
    return Curvature("weakly convex", lower=f"-{_named(rho)}")


def pairs(mu: Any, L: Any, client: Known) -> Iterator[tuple[str, Any]]:
    """The interpolation inequality at every ordered pair of points of a client, labelled by their numbers."""
    for a, p in enumerate(client.points):
        for b, q in enumerate(client.points):
            if a != b:
                yield f"{a} {b}", interpolation(mu, L, client.dot, p, q)


def interpolation(mu: Any, L: Any, dot: Callable[[Any, Any], Any], x: Triple, y: Triple) -> Any:
    """The slack, non-negative on the class, of the interpolation inequality between two points.

    Parameters
    ----------
    mu, L : number
        Curvature bounds, ``mu < L``; L is None for a class without smoothness.
    dot : callable
        The inner product.
    x, y : (point, gradient, value)
        For one client.

    Returns
    -------
    f(x) - f(y) - <g(y), x - y> minus the class's lower bound on it.
    """
    (px, gx, fx), (py, gy, fy) = x, y
    dx, dg = px - py, gx - gy
    slack = fx - fy - dot(gy, dx)
    if L is None:
        return slack - dot(dx, dx) * mu / 2
    # 1/(2(1 - mu/L)) (|dg|^2/L + mu |dx|^2 - 2 mu/L <dg, dx>)
    return slack - (dot(dg, dg) + dot(dx, dx) * (mu * L) - dot(dg, dx) * (2 * mu)) / (2 * (L - mu))
