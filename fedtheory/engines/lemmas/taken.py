"""What a claim takes for granted, where it means something in the model: searched there, so that nothing false is assumed.

Rests on the search. Incomplete as that: what it does not refute is still assumed, and the verdict says so.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ...claim import Claim, everywhere
from ...theorem import Assumed
from ...verdict import Evidence
from ...world import World
from ..context import Docket
from ..search.engine import search


def taken(claim: Claim, docket: Docket) -> Evidence:
    """Look for a run, or for points, at which what is assumed is false; silent where it is about numbers alone."""
    world: Any = claim.world
    if world.batched_scalars:  # any numbers: a counterexample would be of no function and no run
        return Evidence("assumed", "silent")
    for one in claim.assumed:
        own = dataclasses.replace(world, **_without(world, one))
        body = (
            everywhere(one.relation, world.index, claim.id)
            if any(c is one for c in world.parts().every)
            else one.relation
        )
        said = search(Claim(f"{claim.id}: {one.printed}", body, own), docket)
        if said.outcome == "refutes":
            return Evidence("assumed", "declines", reason=f"what is assumed is false: {one.printed}", doubt=True)
    return Evidence("assumed", "silent")


def _without(world: World, one: Assumed) -> dict[str, Any]:
    """The conditions of a world without one of them, by kind."""
    kinds = {"given": world.given, "every": world.parts().every}
    return {kind: tuple(c for c in stated if c is not one) for kind, stated in kinds.items() if one in stated}
