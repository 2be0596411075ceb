"""A world of functions whose clients are given data: draws what the data leave free, builds the exact instance.

One unit of length is the size of the least-squares solution and one unit of curvature the largest L_i. Scalars that
bound the class come from the data; all others, and the points, are short rationals drawn around these units.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory._arrays import as_floats
from fedtheory.errors import NotApplicable
from fedtheory.instance import Instance
from fedtheory.numbers import AllBalls, Balls, Fractions, Numbers
from fedtheory.relation import lt
from fedtheory.world import Free, Scalar

from ..worlds.classes.base import FunctionClass
from ..worlds.conditions import holds
from ..worlds.function_world import FunctionWorld
from ..worlds.participation import ways_to_take_part
from ..worlds.quadratics import Moreau
from ..worlds.region import Region
from .least_squares import LeastSquares

DRAWS = 100  # rows of scalars looked at in one go
POINTS = 20  # draws of the points until the conditions at points are met
REACH = (0.25,) * 5 + (1.0,) * 20  # first within two decades of the units of the data, then all eighteen of the search
SELECTIONS = 20  # subsets of clients that an expectation enumerates at most


@dataclass(frozen=True)
class DataWorld:
    """A world of functions whose clients are given; enough of a `World` for the exact replay."""

    world: FunctionWorld
    problem: LeastSquares

    def breaks(self, x: Instance) -> str:
        """Real clients are of their class: there is nothing that they break."""
        return ""

    def draw(self, rng: np.random.Generator) -> Free:
        """One instance in short rationals that meets the stated conditions on the scalars.

        Raises
        ------
        NotApplicable
            If no size of the claim goes with these data, or no draw of the scalars or of the points meets the conditions.
        """
        shape = self._shape(rng)
        solution = as_floats(self.problem.minimiser()[0])
        if not np.isfinite(solution).all():
            raise NotApplicable("the least-squares solution of these data is larger than floats go")
        size = float(np.sqrt(np.mean(solution**2))) or 1.0
        scalars = next(self._scalars(rng, shape, size), None)
        if scalars is None:
            known = ", ".join(f"{k} = {_short_text(v)}" for k, v in self._constants().items())
            raise NotApplicable(f"no draw of the parameters met the stated conditions{known and f' with {known}'}")
        scale = np.where(solution == 0, size, np.abs(solution))
        near = bool(rng.random() < 0.5)
        centre = solution * near
        if near and self.world.optimum_of:
            centre = as_floats(self._w_star(self._exactly(scalars, shape))[0])
        for _ in range(POINTS):
            vectors = {}
            for key, v in self.world.draw_vectors(rng, shape, 1).items():
                if key in (*self.world.at, *self.world.clients_at):
                    vectors[key] = short(centre + scale * v[0], 5)
                elif key not in self._class.data:
                    vectors[key] = short(self.world.admit(key, np.round(4 * v[0]) / 4), 5)
            free = Free(shape, scalars, vectors)
            if not self.world.at_points or self._stated(free):
                return free
        printed = ", ".join(c.printed for c in self.world.at_points)
        raise NotApplicable(f"no draw of the points met the stated conditions: {printed}")

    @property
    def _class(self) -> FunctionClass:
        assert self.world.f is not None
        return self.world.f

    def _stated(self, free: Free) -> bool:
        """Whether every condition at points holds exactly; one with a root is left to the replay."""
        try:
            x = self._build(free, Fractions())
            return all(holds(r).all() for c in self.world.at_points for r in c.relations(x))
        except NotApplicable:
            return True

    def build(self, free: Free, numbers: Numbers) -> Instance:
        """The instance; `given` has the class membership, and stays exact where only the body needs balls."""
        numbers = (
            AllBalls() if isinstance(numbers, Balls) else numbers
        )  # exact clients are made of Fractions or of balls
        x = self._build(free, numbers)
        if numbers.kind == Fractions.kind:
            return x
        try:
            given = self._build(free, Fractions()).given
        except NotApplicable:
            return x
        return Instance(numbers, x._names, draws=x._draws, given=given)

    def _build(self, free: Free, numbers: Numbers) -> Instance:
        world, problem = self.world, self.problem
        x = world.scope(world.convert(free.scalars, numbers), free.shape, numbers)
        data = {k: numbers.array(v) for k, v in free.vectors.items()}
        names = {**x._names, **{k: data[k] for k in (*world.at, *world.clients_at)}, "f": problem}
        given = list(x.given)
        known = self._exactly(free.scalars, free.shape)
        given += self._class.membership(known, problem)
        if world.envelope:
            lam = getattr(known, world.envelope)
            given.append(lt(0, problem.curvature[:, 0] + lam, "the inner problem is strongly convex"))
            names["F"] = Moreau(problem, getattr(x, world.envelope), x.sq)
        if world.optimum_of:
            names["w_star"] = numbers.array(self._w_star(known))
        if world.diversity:  # equal Hessians, so the gradients differ by the same vector everywhere
            G = problem.grad(np.full((1, problem.d), Fraction(0), dtype=object))
            names[world.diversity] = numbers.array(x.mean(Fractions().dot(G - x.mean_vec(G), G - x.mean_vec(G))))
        out = world.finish(names, given, free.shape, data, numbers)
        return out.assuming(world.stated_of(out)) if world.at_points else out

    def _shape(self, rng: np.random.Generator) -> dict[str, int]:
        m = self.problem.m
        sizes = {**self.world.sizes, "m": (m,), "d": (self.problem.d,)}
        if "select" in sizes:
            sizes["select"] = tuple(range(1, 2**m))
        shapes = dataclasses.replace(self.world, sizes=sizes).shapes(m)
        shapes = [s for s in shapes if ways_to_take_part(self.world.participation, s) <= SELECTIONS]
        if not shapes:
            raise NotApplicable(f"no size of the claim goes with m = {m} clients and at most {SELECTIONS} selections")
        return shapes[rng.integers(len(shapes))]

    def _exactly(self, scalars: Mapping[str, Any], shape: Mapping[str, int]) -> Instance:
        """The scalars in Fractions; with the formulas only where lam or a bound of the class is one, as others have roots."""
        asked = {*self._class.needs, *([self.world.envelope] if self.world.envelope else [])}
        numbers = Fractions()
        return (
            Instance(numbers, dict(scalars)) if asked <= scalars.keys() else self.world.scope(scalars, shape, numbers)
        )

    def _w_star(self, known: Instance) -> np.ndarray:
        if self.world.optimum_of == "F":
            return self.problem.minimiser(getattr(known, str(self.world.envelope)))
        return self.problem.minimiser()

    def _constants(self) -> dict[str, Any]:
        """The scalars that bound the class: the largest L, the least mu, or one a client."""
        scalars, measured = self.world.scalars, self._class.measured(self.problem)
        return {k: v if scalars[k].per_client else worst(v) for k, (v, worst) in measured.items() if k in scalars}

    def _scalars(self, rng: np.random.Generator, shape: dict[str, int], size: float) -> Iterator[dict[str, Any]]:
        """Scalars that meet every condition exactly, drawn by the world's ranges in the units of the data."""
        fixed = self._constants()
        free = {k: s for k, s in self.world.scalars.items() if k not in fixed}
        curvature = float(max(self.problem.smoothness))
        for reach in REACH:
            rows = Region(free).draw_scalars(rng, shape, DRAWS)
            rows = {k: _rescale(v, free[k], curvature, size, reach) for k, v in rows.items()}
            n = DRAWS if rows else 1
            known = {k: np.tile(np.reshape(np.asarray(v, dtype=float), (1, -1)), (n, 1)) for k, v in fixed.items()}
            for row in np.flatnonzero(self.world.feasible({**rows, **known}, shape)):
                if not all(np.isfinite(v[row]).all() for v in rows.values()):
                    continue  # the data are of the size of the largest floats
                drawn = {k: short(v[row] if free[k].per_client else v[row, 0], 3) for k, v in rows.items()}
                if self._met(drawn | fixed, shape):
                    yield drawn | fixed

    def _met(self, scalars: dict[str, Any], shape: dict[str, int]) -> bool:
        """Whether every condition on the scalars holds exactly; one with a root is left to the replay."""
        try:
            return all(holds(r).all() for r in self.world.scope(scalars, shape, Fractions()).given)
        except NotApplicable:
            return True


def short(v: Any, digits: int) -> Any:
    """Round floats to rationals of a few decimal digits."""
    out = np.frompyfunc(lambda s: Fraction(f"{s:.{digits}g}"), 1, 1)(np.asarray(v, dtype=float))
    return out if np.ndim(v) else Fraction(out)


def _rescale(v: np.ndarray, spec: Scalar, curvature: float, size: float, reach: float) -> np.ndarray:
    """A scalar of unit E^e M^k in the units of the data, E = curvature size^2 and M = size."""
    if spec.high is not None:
        return v
    low = float(spec.low or 0)
    with np.errstate(all="ignore"):
        unit = np.float64(curvature) ** float(spec.unit.e) * np.float64(size) ** float(2 * spec.unit.e + spec.unit.k)
        return low + (v - low) ** reach * unit


def _short_text(v: Any) -> str:
    return f"({', '.join(f'{float(e):.4g}' for e in v)})" if isinstance(v, np.ndarray) else f"{float(v):.4g}"
