"""Instances of other kinds and sizes, and far out, where the search has found nothing and nothing is proved.

What a world calls its relatives: functions of one variable with several bends, more dimensions than it lists, longer
sequences where a claim is about every length. An instance of one is an instance of the claim's own world, on which an exact
replay decides. Far out are parameters over hundreds of decades, and points at such distances: where a term that was forgotten
is all that counts.

Rests on the exact replay. Functions of several variables are sums of ridge functions (A. Pinkus, Ridge Functions, Cambridge
2015) with piecewise linear derivatives. Incomplete: a class has functions of no such form.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable, UnitsMismatch, UsageError
from ...numbers import Floats
from ...verdict import Evidence
from ...world import Free, World
from .. import exact
from ..context import Docket
from ..hunt import Hunt, smallest
from ..refutation import refutation

FAR = ((1, 1e25), (3, 1e-25), (12, 1e60), (25, 1.0))  # powers of parameters with multiples of points
SHAPES = 3  # sizes that are looked at there
STARTS, DECADES = 2, (-400, 400, 4000)  # rational parameters, and powers of ten, beyond floats
MANY, FEW = 200, 30  # instances of each, and where they share their scalars
NEAREST = 1  # of them, kept; twenty times as many are replayed
MORE, WIDE = 4, 200  # where instances share their scalars: for each one of the search before, and of an evaluation
PART = 4  # of the instances of the search before, where conditions stand at points
FIRST, POLISHED = 1200, 40  # instances of a size that are looked at anew, and rounds of small edits of the best of them
KEEP = 3  # instances of least slack that are edited, and replayed exactly at the end


def elsewhere(claim: Claim, docket: Docket) -> Evidence:
    """Look for a counterexample in the relatives of the world; silent where there is none.

    A certificate holds for every instance of its sizes, in every dimension: relatives of other sizes are what is left.
    """
    if not any((e.engine, e.outcome) == ("falsify", "silent") for e in docket.found):
        return Evidence("elsewhere", "silent")
    for world in claim.world.relatives():
        other = bool(_sizes(world) - _sizes(claim.world))
        skipped = not takes(claim, world) if other else docket.certified
        if skipped:
            continue
        try:
            found = _refuting(claim, world, docket)
        except UsageError:
            if not other:
                raise
            continue  # the body knows the listed sizes alone
        if found is not None:
            return refutation("elsewhere", claim, [found])
    found = None if docket.certified else _far_out(claim, docket)
    if found is None and not docket.certified:
        found = _beyond_floats(claim, docket) if claim.world.batched_scalars else _near(claim, docket)
    return Evidence("elsewhere", "silent") if found is None else refutation("elsewhere", claim, [found])


def takes(claim: Claim, world: World) -> bool:
    """Whether the body can be asked there: it may have powers that are too large."""
    try:
        claim.relations(world.units())
    except UsageError:
        return False
    except (UnitsMismatch, NotApplicable, ZeroDivisionError):
        return True
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
    for shape in smallest(world, docket.limits.search_m, SHAPES):
        try:
            for free in world.sample(rng, shape, 1, MANY if world.batched_scalars else FEW):
                for power, scale in FAR:
                    hunt.look(world.far(free, power, scale))
                    if hunt.refuted is not None:
                        return hunt.refuted
        except NotApplicable:  # no draw of the parameters meets the conditions
            continue
    return None


def _near(claim: Claim, docket: Docket) -> Free | None:
    """An instance of small sizes, near those of least slack, at which the exact replay refutes."""
    for shape in smallest(claim.world, docket.limits.search_m, SHAPES):
        hunt = _hunt(claim, claim.world.only(shape), docket)
        try:
            hunt.run(FIRST, docket.limits.search_m, docket.seed)
        except NotApplicable:  # no draw of the parameters meets the conditions
            continue
        if hunt.refuted is None:
            hunt.polish(docket.seed, WIDE, POLISHED)
        found = _refuted(hunt)
        if found is not None:
            return found
    return None


def _beyond_floats(claim: Claim, docket: Docket) -> Free | None:
    """Rational parameters beyond what floats hold, one of them or all, at which the exact replay refutes."""
    world = claim.world
    for shape in smallest(world, docket.limits.largest_m, SHAPES):
        try:
            starts = world.grid(shape, STARTS)
        except NotApplicable:
            continue
        for start in starts:
            free = [k for k in start if world.scalars[k].high is None]
            for moved in (*([k] for k in free), free) if len(free) > 1 else [free]:
                for power in DECADES:
                    row = {k: v * Fraction(10) ** power if k in moved else v for k, v in start.items()}
                    one = Free(shape, row)
                    if exact.judge(claim.body, world, one, claim.id).outcome == "refutes":
                        return one
    return None


def _refuting(claim: Claim, world: World, docket: Docket) -> Free | None:
    """An instance at which the exact replay refutes."""
    hunt = _hunt(claim, world, docket)
    share = PART if world.at_points else 1  # draws within conditions at points are dear
    try:
        if hunt.apart:
            hunt.spend(docket.limits, docket.seed, share)
        else:
            hunt.run(MORE * docket.limits.shared // share, docket.limits.search_m, docket.seed, WIDE)
    except NotApplicable:  # no draw of the parameters meets the conditions
        return None
    return _refuted(hunt)


def _hunt(claim: Claim, world: World, docket: Docket) -> Hunt:
    return Hunt(claim.body, world, Floats(docket.xp, docket.device), KEEP, owner=claim.id)


def _refuted(hunt: Hunt) -> Free | None:
    """The instance of a hunt at which the exact replay refutes, those of least slack among them."""
    if hunt.refuted is not None:
        return hunt.refuted
    judged = ((free, exact.judge(hunt.body, hunt.world, free, hunt.owner)) for free in hunt.candidates)
    return next((free for free, replay in judged if replay.outcome == "refutes"), None)
