"""Search clients with one change of curvature along each axis, which classes take over in whole or in part.

The free data of a client are rational: a position between the bounds of the curvature within a `knee` and one beyond it
(`far`, where the axis is `kinked`), the reflection that turns the axes, the gradient and the value at the centre.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from fedtheory.numbers.per_row import PerRow
from fedtheory.relation import Relation, eq, le, lt

from ..quadratics import Moreau, Quadratics, per_client
from .base import Task


class Knees:
    """Free data of clients with a knee: how they are drawn, edited and read."""

    data: ClassVar[tuple[str, ...]] = ("curvature", "far", "kinked", "knee", "axis", "slope", "offset", "center")

    spatial: ClassVar[tuple[str, ...]] = ("axis", "slope", "center")
    spectral: ClassVar[Mapping[str, int]] = MappingProxyType(
        {"curvature": 1, "far": 1, "kinked": 0, "knee": 1, "flat": 0}
    )

    @property
    def bounded(self) -> bool:
        """Whether curvatures are positions in [0, 1] between two bounds; else distances above the lower one."""
        return True

    def draw(self, rng: np.random.Generator, batch: int, m: int, d: int) -> dict[str, np.ndarray]:
        """Free data ``(batch, m, d)``, ``center`` ``(batch, 1, d)`` and ``offset`` ``(batch, m)``."""
        return {
            "curvature": curvatures(rng, (batch, m, d), self.bounded),
            "far": curvatures(rng, (batch, m, d), self.bounded),
            "kinked": (rng.random((batch, 1, 1)) < 0.4) * np.ones((batch, m, d)),
            "knee": np.abs(vectors(rng, batch, m, d)) + 1e-3,
            "axis": rng.standard_normal((batch, m, d)),
            "slope": vectors(rng, batch, m, d),
            "offset": rng.standard_normal((batch, m)) * (rng.random((batch, 1)) < 0.2),
            "center": vectors(rng, batch, 1, d) * (rng.random((batch, 1, 1)) < 0.3),
        }

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        """Positive knees, zeros and ones, and positions in their range."""
        if name == "knee":
            return np.maximum(np.abs(v), 1e-6)
        if name in ("kinked", "flat"):
            return (v != 0) * 1.0
        if name in ("curvature", "far"):
            return np.clip(np.abs(v), 0.0, 1.0 if self.bounded else None)
        return v

    def legible(self, vectors: Mapping[str, Any]) -> dict[str, Any]:
        """Without knees where no axis is kinked, and without flat axes, centres and offsets that are zero."""
        smooth = not np.any(np.asarray(vectors.get("kinked", 0)) != 0)
        silent = {"far", "knee", "kinked"} if smooth else set()
        silent |= {k for k in ("offset", "center", "flat") if not np.any(np.asarray(vectors.get(k, 0)) != 0)}
        return {k: v for k, v in vectors.items() if k not in silent}


def of_first(a: Any) -> Any:
    """The first client's data for every client."""
    return a[..., :1, :] + a * 0


def in_common(x: Any, *, least: tuple[str, ...], largest: tuple[str, ...] = ()) -> tuple[Any, list[Relation]]:
    """An instance with bounds of the curvature that hold for every client, and the relations under which there is one.

    Clients whose gradients differ by the same vector everywhere have equal curvatures, which all their own bounds allow:
    the least of the scalars `least`, the largest of the scalars `largest`.
    """
    own = {k: getattr(x, k) for k in (*least, *largest)}
    own = {k: v for k, v in own.items() if hasattr(v, "shape") and not isinstance(v, PerRow)}
    if not own:
        return x, []
    shared = x.at(**{k: x.max(v) if k in largest else x.min(v) for k, v in own.items()})
    return shared, [
        le(getattr(shared, low), getattr(shared, high), "bounds in common") for low in largest for high in least
    ]


def solvable(problem: Any, task: Task) -> list[Relation]:
    """That every inner problem f_i + lam_i/2 |. - w|^2 is strongly convex, where there are envelopes."""
    if task.lam is None:
        return []
    lam = per_client(task.lam)
    return [lt(0, c + lam, "the inner problem is strongly convex") for c in problem.curvatures]


def at_optimum(problem: Any, x: Any, task: Task) -> tuple[Any, list[Relation]]:
    """The clients with gradients at the centre, of f or of its envelope, that sum to zero."""
    slope = problem.slope - x.mean_vec(problem.slope)
    if task.optimum_of == "F":
        slope = slope - problem.bend(-slope / per_client(task.lam))  # grad f at the prox of w_star
    problem = dataclasses.replace(problem, slope=slope)
    f = Moreau(problem, task.lam, x.sq) if task.optimum_of == "F" else problem
    return problem, [eq(x.sq(x.mean_vec(f.grad(problem.center))), 0, "w_star is stationary")]


def at_rest(problem: Quadratics, x: Any) -> tuple[Quadratics, list[Relation]]:
    """One client, bounded below, moved so that the centre is a minimiser of it, whatever its shape."""
    w_star = problem.center
    problem = dataclasses.replace(problem, center=w_star - problem.reflect(problem.lowest()[0]))
    given = [
        eq(x.sq(problem.grad(w_star)), 0, "w_star is stationary"),
        le(problem.value(w_star), problem.infimum(), "w_star is a minimiser"),
    ]
    return problem, given


def vectors(rng: np.random.Generator, *size: int) -> np.ndarray:
    """Gaussian ``(batch, m, d)`` vectors over many magnitudes; some rows have equal, aligned, zero or uneven clients."""
    batch, m, _ = size
    v = rng.standard_normal(size)
    scale = np.where(rng.random((batch, 1, 1)) < 0.3, 10.0 ** rng.uniform(-4, 4, (batch, 1, 1)), 1.0)
    uneven = np.where(rng.random((batch, 1, 1)) < 0.3, 10.0 ** rng.uniform(-3, 3, (batch, m, 1)), 1.0)
    aligned = v[:, :1] * rng.standard_normal((batch, m, 1))
    kind = rng.random((batch, 1, 1))
    v = np.where(kind < 0.15, v[:, :1], np.where(kind < 0.35, aligned, v))
    v = np.where(rng.random((batch, m, 1)) < 0.08, 0.0, v)
    return v * scale * uneven


def curvatures(rng: np.random.Generator, size: tuple[int, ...], bounded: bool) -> np.ndarray:
    """Positions between mu and L in [0, 1], or distances above mu; ends, and log-uniform to condition numbers of 1e8."""
    ends = rng.integers(0, 2, size).astype(float)
    spread = 10.0 ** rng.uniform(-8, 0, size)
    inner = np.where(rng.random(size) < 0.5, 0.5, rng.random(size))  # 1/2 is a flat client where mu = -L
    kind = rng.random(size)
    u = np.where(kind < 0.45, ends, np.where(kind < 0.6, spread, np.where(kind < 0.75, 1.0 - spread, inner)))
    return (
        u
        if bounded
        else u * 10.0 ** np.where(rng.random((size[0], 1, 1)) < 0.5, rng.uniform(-9, 9, (size[0], 1, 1)), 0.0)
    )
