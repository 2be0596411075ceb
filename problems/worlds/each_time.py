"""Vectors that are new at every step of a run: how they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from fedtheory.instance import Instance

from .classes.knees import vectors
from .steps import signed_reach, unit_directions

Reach = Callable[[Instance], Any] | None
EVERY = slice(None)


def anywhere(rng: np.random.Generator, name: str, size: tuple[int, ...], within: bool) -> dict[str, np.ndarray]:
    """Vectors for every step, as directions and relative lengths where they are drawn within a reach."""
    if within:
        return {f"{name}_axis": rng.standard_normal(size), f"{name}_reach": signed_reach(rng, (*size[:-1], 1))}
    own = vectors(rng, int(np.prod(size[:-2])), *size[-2:]).reshape(size)
    held = rng.random((size[0], *(1,) * (len(size) - 1))) < 0.3  # the same at every step
    return {name: np.where(held, own[:, :1], own)}


def drawn(name: str, x: Instance, data: Mapping[str, Any], reach: Reach, at: object = ...) -> Any:
    """The vectors of a point for every step, or for those at a place among them: as they are, or within a reach.

    Where a search drew them within a reach they are directions and lengths.
    """
    if reach is None or f"{name}_axis" not in data:
        return data[name][at]
    return unit_directions(data[f"{name}_axis"][at], x.xp) * data[f"{name}_reach"][at] * reach(x)
