"""A world of functions in words: what is assumed of it, and how a search gives its parts."""

from __future__ import annotations

from collections.abc import Mapping

from fedtheory.world import Parts

from . import noise, weighted
from .matrices import Stochastic
from .participation import SAID


def assumed(world: Parts, mixing: Mapping[str, Stochastic]) -> list[str]:
    """The class of the clients, their weights, what is known of w_star, and what is drawn or mixes."""
    f = world.f
    out = [f"clients {f.name}"] if f is not None else []
    out += [weighted.SAID.format(world.weights)] if world.weights else []
    if f is not None and not f.sufficient:
        out.append(f"of such clients only necessary inequalities are known ({f.source})")
    if world.optimum_of:
        operators = getattr(f, "operator", False)
        out.append("w_star is a zero of the mean" if operators else f"w_star minimises {world.optimum_of}")
    if world.diversity:
        out.append(f"{world.diversity} bounds the variance of the gradients")
    out += [SAID[world.participation]] if world.participation else []
    out += [noise.SAID] if world.noise else []
    return out + [kind.said(name, world.weights) for name, kind in mixing.items()]


def read(world: Parts, mixing: Mapping[str, Stochastic]) -> str:
    """How the search clients are given, their weights, and the matrices."""
    own = [world.f.reading] if world.f is not None else []
    own += [weighted.READING.format(world.weights)] if world.weights else []
    return " ".join([*own, *(kind.read(name, world.weights) for name, kind in mixing.items())])
