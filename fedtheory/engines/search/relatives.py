"""Instances of other kinds and sizes, and far out, where the search has found nothing and nothing is proved.

What a world calls its relatives: functions of one variable with several bends, more dimensions than it lists, longer
sequences where a claim is about every length. An instance of one is an instance of the claim's own world, on which an exact
replay decides. Far out are parameters over hundreds of decades, and points at such distances: where a term that was forgotten
is all that counts.

Rests on the exact replay. Functions of several variables are sums of ridge functions (A. Pinkus, Ridge Functions, Cambridge
2015) with piecewise linear derivatives. Incomplete: a class has functions of no such form.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable, UnitsMismatch, UsageError
from ...numbers import Floats
from ...world import Described, Free, World
from ..budget import Relatives
from ..context import Docket
from ..counterexamples.hunt import Hunt, smallest
from .proposing import Proposals, proposes

DECADES = (-400, 400, 4000)  # powers of ten, beyond floats
FAR = ((1, 1e25), (3, 1e-25), (12, 1e60), (25, 1.0))  # powers of parameters with multiples of points


@proposes("elsewhere")
def elsewhere(claim: Claim, docket: Docket) -> Proposals:
    """Instances of the relatives of the world, far out and near.

    A certificate holds for every instance of its sizes, in every dimension: relatives of other sizes are what is left.
    """
    if docket.searched is None:
        return
    for world in claim.world.relatives():
        other = bool(_sizes(world) - _sizes(claim.world))
        skipped = not takes(claim, world) if other else docket.certified
        if skipped:
            continue
        try:
            yield from _of_relative(claim, world, docket, dear=other or bool(world.at_points))
        except UsageError:
            if not other:
                raise
            # the body knows the listed sizes alone
    if not docket.certified:
        yield from _far_out(claim, docket)
        yield from _beyond_floats(claim, docket) if claim.world.batched_scalars else _near(claim, docket)


def takes(claim: Claim, world: Described) -> bool:
    """Whether the body can be asked there: it may have powers that are too large."""
    try:
        claim.relations(world.units())
    except UsageError:
        return False
    except (UnitsMismatch, NotApplicable, ZeroDivisionError):
        return True
    return True


def _sizes(world: Described) -> set[frozenset[tuple[str, int]]]:
    """The sizes of the world without dimensions."""
    most = max(world.sizes.get("m", (1,)))
    return {frozenset((k, n) for k, n in shape.items() if k != "d") for shape in world.shapes(most)}


def _far_out(claim: Claim, docket: Docket) -> Iterator[Free]:
    """Instances far out."""
    world, effort = claim.world, docket.limits.of(Relatives)
    hunt = Hunt(claim.body, world, Floats(docket.xp, docket.device), Relatives.nearest, owner=claim.id)
    rng = np.random.default_rng(np.random.SeedSequence([docket.seed, 13]))
    for shape in smallest(world, docket.limits.search_m, effort.sizes):
        try:
            for free in world.sample(rng, shape, 1, effort.many if world.batched_scalars else effort.few):
                for power, scale in FAR:
                    hunt.look(world.far(free, power, scale))
                    if hunt.refuted is not None:
                        yield hunt.refuted
        except NotApplicable:  # no draw of the parameters meets the conditions
            continue


def _near(claim: Claim, docket: Docket) -> Iterator[Free]:
    """Instances of small sizes, near those of least slack."""
    effort = docket.limits.of(Relatives)
    for shape in smallest(claim.world, docket.limits.search_m, effort.sizes):
        hunt = _hunt(claim, claim.world.only(shape), docket)
        try:
            hunt.run(effort.first, docket.limits.search_m, docket.seed)
        except NotApplicable:  # no draw of the parameters meets the conditions
            continue
        if hunt.refuted is None:
            hunt.polish(docket.seed, Relatives.wide, effort.polished)
        yield from hunt.proposals


def _beyond_floats(claim: Claim, docket: Docket) -> Iterator[Free]:
    """Rational parameters beyond what floats hold, one of them or all."""
    world, effort = claim.world, docket.limits.of(Relatives)
    for shape in smallest(world, docket.limits.largest_m, effort.sizes):
        try:
            starts = world.grid(shape, effort.starts)
        except NotApplicable:
            continue
        for start in starts:
            free = [k for k in start if world.scalars[k].high is None]
            for moved in (*([k] for k in free), free) if len(free) > 1 else [free]:
                for power in DECADES:
                    row = {k: v * Fraction(10) ** power if k in moved else v for k, v in start.items()}
                    yield Free(shape, row)


def _of_relative(claim: Claim, world: World, docket: Docket, *, dear: bool) -> Iterator[Free]:
    """Instances of a relative, as the search looks at it; fewer where they are larger, or drawn within conditions at points."""
    hunt = _hunt(claim, world, docket)
    share = Relatives.part if dear else 1
    try:
        if hunt.apart:
            hunt.spend(docket.limits, docket.seed, share)
        else:
            hunt.run(
                Relatives.more * docket.limits.shared // share, docket.limits.search_m, docket.seed, Relatives.wide
            )
    except NotApplicable:  # no draw of the parameters meets the conditions
        return
    yield from hunt.proposals


def _hunt(claim: Claim, world: World, docket: Docket) -> Hunt:
    return Hunt(claim.body, world, Floats(docket.xp, docket.device), docket.limits.of(Relatives).keep, owner=claim.id)
