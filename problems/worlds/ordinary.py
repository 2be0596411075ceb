"""Instances whose clients are convex and bounded below: of two counterexamples the one to which nobody objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from fedtheory.errors import NotApplicable
from fedtheory.numbers import Fractions
from fedtheory.world import Free


def is_ordinary(world: Any, free: Free) -> bool:
    """Whether the clients of an instance are known to be convex and bounded below; true where there are none."""
    if world.parts().f is None:
        return True
    bare = replace(world, given=world.on_scalars) if world.at_points else world  # conditions at points may have roots
    try:
        told = getattr(bare.build(free, Fractions()).f, "convex_below", None)
        return told is not None and told()
    except (
        ZeroDivisionError,
        ValueError,
        NotApplicable,
    ):  # what asks nothing of them, or reads roots, is refuted all the same
        return False


def convex_part(world: Any) -> tuple[Any, Callable[[Free], Free]] | None:
    """The world with the convex clients of its class alone, and its instances as those of the world; None without such a class."""
    convex = getattr(world.parts().f, "convex", None)
    if convex is None:
        return None

    def outward(free: Free) -> Free:
        own = {k: v for k, v in free.vectors.items() if k in world.f.data}
        return free.replace(vectors={**free.vectors, **world.f.of_convex(own, free.scalars)})

    return replace(world, f=convex()), outward
