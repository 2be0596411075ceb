"""Instances made against a claim: the worst ones that the semidefinite program knows, where it has no certificate.

A search draws functions and points of kinds that it was taught. The program sees every function of the class in any
dimension, and what it finds is the instance of least slack, wherever that lies: in a thin direction, or with functions that
no search draws. Its solution is made rational, with functions that are given by gradients and values where the class has a
theorem on interpolation, and replayed exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..claim import Claim
from ..errors import NotApplicable
from ..verdict import Evidence
from ..world import Free, World
from . import exact
from .certificate.check import check
from .certificate.primal import Primal
from .certify import LARGEST_LEAVES, abstract_shapes, targets_of
from .docket import Docket
from .shrink import refutation

POINTS = 8  # parameters at which instances are sought
FEW = 12  # targets of one of them


def adversary(claim: Claim, docket: Docket) -> Evidence:
    """Look for a counterexample where there is no certificate; silent where there is none."""
    world = claim.world
    if world.batched_scalars or not world.known_at_points():
        return Evidence("adversary", "silent")
    for shape in abstract_shapes(world, docket.limits.largest_m):
        for scalars in _parameters(world, shape):
            for free in _against(claim, scalars, shape):
                if exact.judge(claim.body, world, free, claim.id).outcome == "refutes":
                    return refutation("adversary", claim, [free])
    return Evidence("adversary", "silent")


def _parameters(world: World, shape: dict[str, int]) -> list[dict[str, Any]]:
    try:
        return world.general(shape, POINTS) if world.scalars else [{}]
    except NotApplicable:  # the conditions are not rational
        return []


def _against(claim: Claim, scalars: Mapping[str, Any], shape: dict[str, int]) -> Iterator[Free]:
    """Instances at which a target is negative, or not zero where it should be."""
    try:
        targets, space, _, _ = targets_of(claim, claim.world, scalars, shape)
    except (NotApplicable, ZeroDivisionError):
        return
    if len(space.leaves) > LARGEST_LEAVES:
        return
    space.close()
    for op, target in targets[:FEW]:
        for sign in (1, -1) if op == "==" else (1,):
            wanted = {key: sign * c for key, c in target.items()}
            for found in () if check(wanted, space, {}) else Primal(wanted, space).solutions():
                free = claim.world.placed(space, found.leaves, found.values, scalars, shape)
                if free is not None:
                    yield free
