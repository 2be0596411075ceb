"""Strict relations of parameters that only a search supports: whether their sides meet where no draw lies.

``0 < (exp(a) - exp(7 b))^2`` fails on a curve that no draw hits, and its slack is no guide to it. Starting at small rational
parameters the difference of the sides is made small in floats; where it falls by twelve decades within a bounded region, the
sides meet there as far as floats tell. That refutes nothing, and nothing is supported.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable
from ..numbers import Floats
from ..relation import Relation
from ..verdict import Evidence
from ..world import Free, World
from .docket import Docket
from .violations import met_by

SHAPES, STARTS = 3, 4  # sizes, the smallest first, and parameters of each
LARGEST = 1e3  # parameters, and their inverses, among which the sides may meet
FALL = 1e-12  # of the difference, after which it is as good as none
NEAR, SMALL = 1e-6, 1e-3  # relative distances at which the difference is still so small
STEPS = 600  # evaluations from one start


def strict(claim: Claim, docket: Docket) -> Evidence:
    """Doubt where the sides of a strict relation meet in floats; silent everywhere else."""
    world = claim.world
    if not world.batched_scalars or not any((e.engine, e.outcome) == ("falsify", "silent") for e in docket.found):
        return Evidence("strict", "silent")
    for shape in sorted(world.shapes(docket.limits.largest_m) or [{}], key=lambda s: sum(s.values()))[:SHAPES]:
        try:
            starts = world.grid(shape, STARTS)
        except NotApplicable:
            continue
        for start in starts:
            meets = _meeting(claim, world, shape, start)
            if meets:
                reason = (
                    f"a strict relation: its sides meet in floats near {meets}, and there is no exact counterexample"
                )
                return Evidence("strict", "declines", [shape], reason=reason, doubt=True)
    return Evidence("strict", "silent")


def _meeting(claim: Claim, world: World, shape: dict[str, int], start: dict[str, Any]) -> str:
    """Parameters at which the sides of a strict relation meet, in words; empty where the walk finds none."""
    from scipy.optimize import minimize

    names = [(name, np.shape(value)) for name, value in start.items()]
    flat = (
        np.concatenate([np.ravel(np.asarray(value, dtype=float)) for value in start.values()]) if names else np.zeros(0)
    )
    if not names or (flat <= 0).any():
        return ""

    def scalars(at: np.ndarray) -> dict[str, np.ndarray]:
        out, k = {}, 0
        for name, size in names:
            count = math.prod(size)
            out[name], k = np.exp(at[k : k + count])[None], k + count
        return out

    def difference(at: np.ndarray) -> float:
        if np.abs(at).max() > math.log(LARGEST):
            return math.inf
        with np.errstate(all="ignore"):
            try:
                x = world.build(Free(shape, scalars(at)), Floats())
                if not met_by(x):
                    return math.inf
                gaps = [_least(r) for r in claim.relations(x) if r.op == "<"]
            except (ZeroDivisionError, OverflowError):
                return math.inf
        return min(gaps, default=math.inf)

    first = difference(np.log(flat))
    if not 0 < first < math.inf:
        return ""
    walk = minimize(
        difference, np.log(flat), method="Nelder-Mead",
        options={"maxfev": STEPS, "xatol": 1e-12, "fatol": 0.0, "adaptive": len(flat) > 3},
    )  # fmt: skip
    near = (difference(walk.x + step) for step in (-NEAR, NEAR))  # where a floor jumps the sides do not meet
    if not walk.fun <= FALL * first or not all(gap <= SMALL * first for gap in near if gap < math.inf):
        return ""
    return ", ".join(f"{name} = {', '.join(f'{v:.6g}' for v in values[0])}" for name, values in scalars(walk.x).items())


def _least(r: Relation) -> float:
    """The least difference of the two sides."""
    gaps = np.asarray(r.rhs, dtype=float) - np.asarray(r.lhs, dtype=float)
    return float(np.min(np.where(np.isfinite(gaps), gaps, np.inf)))
