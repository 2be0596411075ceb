"""An instance that meets the conditions at points: without one a proof would be about nothing.

z3 sees the conditions on the scalars. Whether functions and points exist that meet the others, an instance shows, in exact
numbers.
"""

from __future__ import annotations

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable
from ..verdict import Evidence
from . import exact
from .docket import Docket

INSTANCES = 4  # of a batch that are replayed
LACKING = "no instance is known that meets the stated conditions at points, so a proof would be about nothing"


def exhibit(claim: Claim, docket: Docket) -> Evidence:
    """Look for one instance at which every condition holds exactly; declines where none is found."""
    if not claim.world.at_points or docket.hypothesis("satisfiable"):
        return Evidence("exhibit", "silent")
    rng = np.random.default_rng(np.random.SeedSequence([docket.seed, 11]))
    for shape in claim.world.shapes(2):
        try:
            for free in claim.world.sample(rng, shape, 2, INSTANCES):
                for index in range(INSTANCES):
                    found = exact.replay(claim.body, claim.world, claim.world.pick(free, index), claim.id)
                    if found.given and all(side.truth for side in found.given):
                        return Evidence("exhibit", "silent", hypotheses={"satisfiable": True})
        except NotApplicable:  # no draw of the scalars at this size
            continue
    return Evidence("exhibit", "declines", reason=LACKING)
