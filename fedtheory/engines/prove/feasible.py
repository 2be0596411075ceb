"""An instance that meets the stated conditions: without one a proof would be about nothing.

z3 sees the conditions on the scalars. Whether functions and points exist that meet the others, an instance shows, in exact
numbers; and so it does for numbers among many quantities, of which lemmas hold by what these mean.

Rests on the instance that it shows. Incomplete: conditions can hold together where no draw meets them, and then nothing is
proved of the claim.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.forms import CONSTANT
from ...verdict import Evidence
from ...world import World
from ..budget import Feasible
from ..certificates.sdp.primal import Primal
from ..context import Docket
from ..counterexamples import exact
from .listed import abstract_shapes, targets_of

DEFINED = {("falsify", "silent"), ("smt", "silent"), ("smt", "certifies")}  # who has met the claim where it is defined
LACKING = "no instance is known that meets the conditions and at which the claim is defined, so a proof would be about nothing"


def exhibit(claim: Claim, docket: Docket) -> Evidence:
    """Look for one instance at which every condition holds exactly; declines where none is found."""
    said = {(e.engine, e.outcome) for e in docket.found if e.engine == "falsify" or e.hypotheses.get("satisfiable")}
    known = docket.hypothesis("satisfiable") and (said & DEFINED or not claim.world.index)
    if known or not (claim.world.given or claim.world.at_points or claim.world.index):
        return Evidence("exhibit", "silent")
    world: World = claim.world.at_example() if claim.world.index else claim.world  # type: ignore[attr-defined]
    rng = np.random.default_rng(np.random.SeedSequence([0, 11]))  # that something exists is the same for every seed
    worlds = (world, *world.relatives()) if world.index else (world,)  # a longer one, where it is about every length
    instances, more = docket.limits.of(Feasible).instances, docket.limits.of(Feasible).more
    places = [(w, s) for w in worlds for s in w.shapes(2)]
    for (at, shape), drawn in ((place, n * instances) for n in (1, more) for place in places):
        try:
            for free in at.sample(rng, shape, 2, drawn):
                for index in range(instances):
                    found = exact.replay(claim.body, at, at.pick(free, index), claim.id)
                    if found.given and found.outcome != "domain" and all(side.truth for side in found.given):
                        return Evidence("exhibit", "silent", hypotheses={"satisfiable": True})
        except NotApplicable:  # no draw of the scalars at this size
            continue
    if _solved(claim, docket):
        return Evidence("exhibit", "silent", hypotheses={"satisfiable": True})
    return Evidence("exhibit", "declines", reason=LACKING)


def _solved(claim: Claim, docket: Docket) -> bool:
    """Whether an instance that the semidefinite program knows is one, in exact numbers; where nothing draws any."""
    world = claim.world
    if world.batched_scalars or not world.known_at_points():
        return False
    for shape in abstract_shapes(world, docket.limits.largest_m):
        try:
            for scalars in world.general(shape, docket.limits.of(Feasible).parameters) if world.scalars else [{}]:
                _, space, _, _ = targets_of(claim, world, scalars, shape)
                space.close()
                for found in Primal({CONSTANT: Fraction(-1)}, space).solutions():  # a target that every instance misses
                    free = world.placed(space, found.leaves, found.values, scalars, shape)
                    if free is None:
                        continue
                    said = exact.replay(claim.body, world, free, claim.id)
                    if said.given and said.outcome != "domain" and all(side.truth for side in said.given):
                        return True
        except (NotApplicable, ZeroDivisionError):
            continue
    return False
