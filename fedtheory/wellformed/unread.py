"""Scalars that a world declares and nothing reads: mostly a symbol of the paper that was forgotten in the body."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable
from ..instance import Instance
from ..numbers import Floats
from ..world import World


def unread(claim: Claim) -> list[str]:
    """The scalars that neither the body nor a condition, a formula, a lemma or the function class of the world reads.

    Nothing is said of worlds with parts of their own, such as the states of a method, nor of scalars that a lemma has as well.

    Examples
    --------
    >>> from fedtheory import claim, le
    >>> from problems import Scalars, positive
    >>> unread(claim("draft/step", world=Scalars(a=positive(), b=positive()))(lambda x: le(0, x.a)))
    ['b']
    """
    world: World = claim.world
    parts = claim.world.parts()
    x = None if parts.own_names else _instance(world)
    if x is None:
        return []
    kept = {"m", *getattr(parts.f, "needs", ()), parts.envelope, parts.diversity}
    kept |= {*parts.listed, *(name for one in claim.lemmas for name in one.world.scalars)}
    readers = list(_readers(claim))
    with np.errstate(all="ignore"):
        return [name for name in world.scalars if name not in kept and not any(_reads(fn, x, name) for fn in readers)]


def _instance(world: Any) -> Instance | None:
    """Some instance, which need not meet the conditions; None where there is none to be drawn."""
    bare = dataclasses.replace(world, given=(), **({"every": ()} if world.parts().every else {}))
    shape = (bare.shapes(2) or [{}])[-1]
    try:
        free = next(iter(bare.sample(np.random.default_rng(0), shape, 1, 1)), None)
        return None if free is None else bare.build(free, Floats())
    except NotApplicable:
        return None


def _readers(claim: Claim) -> Iterator[Callable[[Instance], object]]:
    """All that is a function of an instance."""
    parts = claim.world.parts()
    yield claim.body
    yield from parts.derived.values()
    yield from (c.relation for c in (*claim.world.given, *parts.obeys))
    yield from (partial(_at_0, c.relation) for c in parts.every)


def _at_0(relation: Callable[..., object], x: Instance) -> object:
    return relation(x, 0)


def _reads(fn: Callable[[Instance], object], x: Instance, name: str) -> bool:
    """Whether a function asks for a name; it is taken to where it does not come to its end for another reason."""
    try:
        fn(x.without([name]))
    except Exception:
        return True
    return False
