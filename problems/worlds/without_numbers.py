"""Instances of functions at points without numbers: abstract ones, of unknown vectors and values, and those of units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fedtheory.gram.forms import Space
from fedtheory.instance import Instance
from fedtheory.numbers import Units
from fedtheory.units import GRADIENT, LENGTH

from . import mixing, vanishing
from .abstract import AbstractClients, UnitClients
from .quadratics import Moreau


def abstract_instance(
    world: Any, scalars: Mapping[str, Any], shape: dict[str, int], space: Space, known: vanishing.Equations | None
) -> Instance:
    """The instance of a world whose vectors and values are unknown, but for what conditions give by others.

    With None in the place of these the gradients at w_star are any vectors, too.
    """
    numbers = space.numbers
    x = world.scope(world.convert(scalars, numbers), shape, numbers)
    m = shape.get("m", 1)
    given = vanishing.Vectors(space, x, m, known or vanishing.Equations())
    names = given.named(world.at, world.clients_at)
    drawn: set[int] = set()
    names |= mixing.abstract_matrices(world.mixing, space, x, m, drawn)
    if world.f is not None:
        problem = AbstractClients(space, m, world.f, x, drawn)
        if known is None or given.star_is_zero:
            w_star = vanishing.optimum(space, problem, m, zero=given.star_is_zero) if world.optimum_of else None
        else:
            w_star = world.abstract_optimum(space, problem, x, m)
        given.declare(problem)
        names |= {"f": problem} | ({"w_star": w_star} if world.optimum_of else {})
        if world.envelope:
            names["F"] = Moreau(problem, getattr(x, world.envelope), x.sq)
        if world.diversity:
            bound = space.value(world.diversity)
            names[world.diversity] = np.array([bound], dtype=object)
            for p in world.at:
                G = problem.grad(names[p])
                space.nonnegative(f"{world.diversity} at {p}", bound - x.mean(x.sq(G - x.mean_vec(G))))
    out: Instance = world.abstract_finish(names, x, shape, space)
    return out


def unit_instance(world: Any) -> Instance:
    """The instance of a world in which every number is its unit."""
    shape, numbers = world.shapes(2)[-1], Units()
    m = shape.get("m", 1)
    names: dict[str, Any] = {k: unit_vectors(1) for k in world.at} | {k: unit_vectors(m) for k in world.clients_at}
    scope = world.scope(world.unit_names(shape), shape, numbers)
    names |= dict.fromkeys(world.mixing, mixing.same)
    if world.f is not None:
        names |= {"f": UnitClients.of(world.f, m)} | ({"w_star": unit_vectors(1)} if world.optimum_of else {})
        if world.envelope:
            names["F"] = UnitClients(m)
        if world.diversity:
            names[world.diversity] = np.array([GRADIENT**2], dtype=object)
    out: Instance = world.unit_finish({**scope._names, **names}, shape, numbers, scope.given)
    return out


def unit_vectors(m: int) -> np.ndarray:
    """Vectors ``(m, 1)`` whose coordinates carry a length."""
    return np.full((m, 1), LENGTH, dtype=object)
