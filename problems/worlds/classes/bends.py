"""Search clients of one variable with several bends, for the classes with two bounds on the curvature."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from fedtheory.numbers import Numbers
from fedtheory.relation import Relation, le

from ..bent import Bent
from ..quadratics import per_client
from .base import Task
from .knees import at_optimum, of_first, solvable, vectors

KNOTS = 5
READING = (
    "How to read a counterexample with `bent`: a client is a function of one variable, around `center`, with the value "
    "offset_i and the gradient L slope_i there. Its curvature is mu + (L - mu) bent, piece by piece between the distances "
    "`bent_at` from the centre (mu = -L for smooth non-convex clients). Where the class has no L, |mu| stands for L and for "
    "L - mu, and 1 where it has no mu. With w_star the slopes have the mean 0, those of the envelopes for its minimiser; with "
    "a bound on diversity the outer pieces are those of the first client. Parts that are zero are left out."
)


class Bends:
    """Free data of such clients: how they are drawn, edited and read."""

    data: ClassVar[tuple[str, ...]] = ("bent", "bent_at", "slope", "offset", "center")
    spatial: ClassVar[tuple[str, ...]] = ("bent_at", "slope", "center")
    spectral: ClassVar[Mapping[str, int]] = MappingProxyType({})

    bounded: Any  # whether curvatures are positions in [0, 1] between two bounds, else distances above the lower one

    def draw(self, rng: np.random.Generator, batch: int, m: int, d: int) -> dict[str, np.ndarray]:
        """Free data of a batch; half of the knots are evenly spaced, and half of the clients go from bound to bound."""
        up = rng.integers(0, 2, (batch, m, 1))
        ends = np.where(
            rng.random((batch, m, 1)) < 0.4,
            (np.arange(KNOTS + 1) + up) % 2,
            rng.choice([0, 1, 1, 0.5], (batch, m, KNOTS + 1)),
        )
        bent = np.where(rng.random((batch, 1, 1)) < 0.6, ends, rng.random((batch, m, KNOTS + 1)))
        width = rng.choice([0.5, 1.0, 2.0], (batch, 1, 1))
        gaps = np.where(rng.random((batch, 1, 1)) < 0.5, 1, rng.choice([0, 1, 2], (batch, 1, KNOTS)))
        even = gaps.cumsum(axis=-1) - rng.integers(1, KNOTS + 1, (batch, 1, 1))
        loose = np.sort(rng.standard_normal((batch, 1, KNOTS)) * 2, axis=-1)
        knots = width * np.where(rng.random((batch, 1, 1)) < 0.6, even, loose)
        bowl = rng.random((batch, 1, 1)) < 0.4  # steep about the centre and far out, as where the centre is a minimiser
        beyond = np.pad(knots, ((0, 0), (0, 0), (1, 1)), constant_values=((0, 0), (0, 0), (-np.inf, np.inf)))
        steep = (beyond[..., 1:] >= 0) & (beyond[..., :-1] <= 0)
        steep[..., [0, -1]] = True
        bent = np.where(bowl & steep, 1.0, bent)
        if not self.bounded:  # where mu < 0, 1 is a flat piece
            bent = bent * np.where(bowl & steep, 2.0, rng.choice([1, 1, 2, 4], bent.shape))
            bent = bent * 10.0 ** np.where(rng.random((batch, 1, 1)) < 0.3, rng.uniform(0, 3, (batch, 1, 1)), 0.0)
        level = np.where(rng.random((batch, m, 1)) < 0.6, width * rng.integers(-2, 3, (batch, m, 1)), 0.0)
        slope = np.where(rng.random((batch, 1, 1)) < 0.7, level, vectors(rng, batch, m, 1))
        return {
            "bent": bent,
            "bent_at": knots,
            "slope": slope,
            "offset": rng.standard_normal((batch, m)) * (rng.random((batch, 1)) < 0.2),
            "center": vectors(rng, batch, 1, 1) * (rng.random((batch, 1, 1)) < 0.1),
        }

    def settle(self, rng: np.random.Generator, free: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Free data with two points in three at a knot, or midway between two of them."""
        knots = free["bent_at"][:, 0]
        spots = np.concatenate([knots, (knots[:, 1:] + knots[:, :-1]) / 2], axis=1)
        out = dict(free)
        for name, v in free.items():
            if name in self.data or v.shape[-1] != 1:
                continue
            pick = rng.integers(spots.shape[1], size=v.shape[:2])
            here = np.take_along_axis(spots, pick, axis=1)[..., None] + free["center"]
            out[name] = np.where(rng.random(v.shape) < 2 / 3, here, v)
        return out

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        """Positions in their range."""
        return np.clip(np.abs(v), 0.0, 1.0 if self.bounded else None) if name == "bent" else v


def bent_clients(
    bounds: tuple[Any, Any], x: Any, data: Mapping[str, Any], numbers: Numbers, task: Task, nonconvex: bool
) -> tuple[Bent, list[Relation]]:
    """The clients with curvatures between the bounds, and the conditions under which they are what is asked for."""
    mu, L = (b if b is None else per_client(b) for b in bounds)
    p = data["bent"]
    if task.diversity:
        p = outer_in_common(p, numbers)
    given = [le(0, p, "curvature at least mu")] + ([le(p, 1, "curvature at most L")] if L is not None else [])
    size: Any = -mu if nonconvex else mu  # type: ignore[operator]
    unit = L if L is not None else 1 if isinstance(mu, int) else size
    pieces = p * (unit if L is None else L - mu) + mu
    knots = numbers.xp.sort(data["bent_at"], axis=-1)
    clients: Any = Bent(pieces, knots, data["slope"] * unit, data["center"], data["offset"], numbers)
    given += solvable(clients, task)
    if task.optimum_of:
        clients, more = at_optimum(clients, x, task)
        given += more
        if nonconvex:
            alone = clients.m == 1  # its envelope has the same minimisers
            given += (
                clients.at_minimum(x) if task.optimum_of == "f" or alone else [le(0, pieces, "w_star is a minimiser")]
            )
    return clients, given


def outer_in_common(p: Any, numbers: Numbers) -> Any:
    """Pieces of which the outer ones are those of the first client: gradients differ by no more than at the knots."""
    return numbers.xp.concat([of_first(p[..., :1]), p[..., 1:-1], of_first(p[..., -1:])], axis=-1)
