"""Instances of other kinds and sizes, and far out, where the search has found nothing and nothing is proved.

What a world calls its relatives: functions of one variable with several bends, more dimensions than it lists, longer
sequences where a claim is about every length. An instance of one is an instance of the claim's own world, on which an exact
replay decides. Far out are parameters over hundreds of decades, and points at such distances: where a term that was forgotten
is all that counts.
"""

from __future__ import annotations

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable, UnitsMismatch, UsageError
from ..numbers import Floats
from ..verdict import Evidence
from ..world import Free, World
from . import exact
from .docket import Docket
from .shrink import refutation
from .violations import Hunt

FAR = ((1, 1e25), (3, 1e-25), (12, 1e60), (25, 1.0))  # powers of parameters with multiples of points
SHAPES = 3  # sizes that are looked at there
MANY, FEW = 200, 30  # instances of each, and where they share their scalars
NEAREST = 1  # of them, kept; twenty times as many are replayed
MORE, WIDE = 4, 200  # where instances share their scalars: for each one of the search before, and of an evaluation
PART = 4  # of the instances of the search before, where conditions stand at points
KEEP = 3  # instances of least slack that are edited, and replayed exactly at the end


def elsewhere(claim: Claim, docket: Docket) -> Evidence:
    """Look for a counterexample in the relatives of the world; silent where there is none.

    A certificate holds for every instance of its sizes, in every dimension: relatives of other sizes are what is left.
    """
    if not any((e.engine, e.outcome) == ("falsify", "silent") for e in docket.found):
        return Evidence("elsewhere", "silent")
    for world in claim.world.relatives():
        other = bool(_sizes(world) - _sizes(claim.world))
        if (other and _takes(claim, world)) or not (other or docket.certified):
            try:
                found = _refuting(claim, world, docket)
            except UsageError:
                if not other:
                    raise
                continue  # the body knows the listed sizes alone
            if found is not None:
                return refutation("elsewhere", claim, [found])
    found = None if docket.certified else _far_out(claim, docket)
    return Evidence("elsewhere", "silent") if found is None else refutation("elsewhere", claim, [found])


def _takes(claim: Claim, world: World) -> bool:
    """Whether the body can be asked there: it may have powers that are too large."""
    try:
        claim.relations(world.units())
    except UsageError:
        return False
    except (UnitsMismatch, NotApplicable, ZeroDivisionError):
        pass
    return True


def _sizes(world: World) -> set[frozenset[tuple[str, int]]]:
    """The sizes of the world without dimensions."""
    most = max(world.sizes.get("m", (1,)))
    return {frozenset((k, n) for k, n in shape.items() if k != "d") for shape in world.shapes(most)}


def _far_out(claim: Claim, docket: Docket) -> Free | None:
    """An instance far out at which the exact replay refutes."""
    world = claim.world
    hunt = Hunt(claim.body, world, Floats(docket.xp, docket.device), NEAREST, owner=claim.id)
    rng = np.random.default_rng(np.random.SeedSequence([docket.seed, 13]))
    for shape in sorted(world.shapes(docket.limits.search_m) or [{}], key=lambda s: sum(s.values()))[:SHAPES]:
        try:
            for free in world.sample(rng, shape, 1, MANY if world.batched_scalars else FEW):
                for power, scale in FAR:
                    hunt.look(world.far(free, power, scale))
                    if hunt.refuted is not None:
                        return hunt.refuted
        except NotApplicable:  # no draw of the parameters meets the conditions
            continue
    return None


def _refuting(claim: Claim, world: World, docket: Docket) -> Free | None:
    """An instance at which the exact replay refutes."""
    hunt = Hunt(claim.body, world, Floats(docket.xp, docket.device), KEEP, owner=claim.id)
    share = PART if world.at_points else 1  # draws within conditions at points are dear
    try:
        if hunt.apart:
            hunt.spend(docket.limits, docket.seed, share)
        else:
            hunt.run(MORE * docket.limits.shared // share, docket.limits.search_m, docket.seed, WIDE)
    except NotApplicable:  # no draw of the parameters meets the conditions
        return None
    if hunt.refuted is not None:
        return hunt.refuted
    return next((f for f in hunt.candidates if exact.judge(claim.body, world, f, claim.id).outcome == "refutes"), None)
