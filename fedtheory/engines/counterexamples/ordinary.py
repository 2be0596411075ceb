"""A counterexample with convex functions that are bounded below, where there is one of the size of another.

Who is shown a function that falls without end, or bends the wrong way, objects to it before reading on. Such a witness is
kept only where edits of it, and a short search among the convex functions of the class, refute nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable, UsageError
from ...world import Free
from ..budget import Witness
from .exact import judge, slack
from .hunt import Hunt

CLEAR = -0.01  # a relative violation that is seen at once
SEED = 20200613  # not that of the search, so that the witness is the same for every seed
OWN = ("curvature", "far", "kinked", "slope")  # free data that say how a client bends and falls


def ordinary(claim: Claim, free: Free) -> Free | None:
    """A refuting instance of the size of `free` with convex functions that are bounded below; None where none is found."""
    try:
        part = claim.world.convex_part()
        if part is None or not set(OWN) <= set(free.vectors):
            return None
        inner, outward = part
        for edit in _edits(free):
            if _refutes(claim, found := outward(edit)):
                return found
        hunt = Hunt(claim.body, inner.only(free.shape), exhaust=True, owner=claim.id)
        hunt.run(Witness.instances, Witness.largest_m, SEED, Witness.batch)
        seen = [] if hunt.refuted is None else [hunt.refuted.map(Fraction)]
        seen += [_bent(one) for one in seen]  # a linear function is convex, and not bounded below
        return next((found for found in map(outward, seen) if _refutes(claim, found)), None)
    except (NotApplicable, UsageError, ZeroDivisionError, OverflowError):
        return None


def _edits(free: Free) -> Iterator[Free]:
    """The same points with quadratics of the largest curvature and of none, with the slopes as they are and without."""
    exact = free.map(Fraction)
    for position in (1, 0):
        for keep in (1, 0):
            yield exact.replace(vectors={**exact.vectors, **_straight(exact, position, keep)})


def _straight(free: Free, position: Any, keep: int) -> dict[str, object]:
    v, one = free.vectors, free.vectors["curvature"] * 0 + Fraction(position)
    return {"curvature": one, "far": one, "kinked": v["kinked"] * 0, "slope": v["slope"] * keep}


def _bent(free: Free) -> Free:
    """The instance with a little curvature everywhere."""
    some: Any = Fraction(1, 100)
    least = {k: np.maximum(free.vectors[k], some) for k in ("curvature", "far")}
    return free.replace(vectors={**free.vectors, **least})


def _refutes(claim: Claim, free: Free) -> bool:
    result = judge(claim.body, claim.world, free, claim.id)
    if result.outcome != "refutes" or not claim.world.ordinary(free):
        return False
    return min((slack(s) for s in result.relations if s.truth is False), default=0.0) <= CLEAR
