"""How tight a proved bound is, by the semidefinite program that its certificate solves: not by what a search came upon.

The least factor of the right side with which the bound still has a certificate, at parameters in general position. Where
every instance of the program is one of the world, an instance attains it.
"""

from __future__ import annotations

from ..claim import Claim
from ..errors import NotApplicable
from ..verdict import Evidence
from .certify import abstract_shapes, steady, targets_of, tightness
from .docket import Docket

POINTS = 2  # parameters at which the program is solved


def tight(claim: Claim, docket: Docket) -> Evidence:
    """The largest such factor as a figure of the verdict, unless the search has seen a larger one; silent where there is none."""
    world = claim.world
    if world.batched_scalars or not world.known_at_points():
        return Evidence("tight", "silent")
    found: list[float] = []
    try:
        shape = abstract_shapes(world, docket.limits.largest_m)[0]
        for scalars in world.general(shape, POINTS) if world.scalars else [{}]:
            _, space, relations, _ = targets_of(claim, world, scalars, shape)
            value = steady(tightness(relations, space))
            if value is None:
                return Evidence("tight", "silent")
            found.append(min(value, 1.0))
    except (NotApplicable, ZeroDivisionError, IndexError, OverflowError):  # the last: no number for a solver
        return Evidence("tight", "silent")
    if not found:
        return Evidence("tight", "silent")
    known = docket.figure("tightness")
    return Evidence("tight", "silent", numbers={"sdp": found}, figures={"tightness": max([*found, known or 0.0])})
