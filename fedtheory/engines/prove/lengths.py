"""Certificates of a claim about runs at the lengths that its world lists, where no lemma leads to every length.

A run of a few steps is a claim about the points that it comes to, as any other. What is so certified says nothing of longer
runs, nor of other parameters where these are listed: all that searches has looked there before, and must have the power to.

Rests on `symbolic` and `listed`, and is as complete as they are, at these lengths.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

from ...claim import Claim
from ...verdict import Evidence
from ..budget import smaller
from ..context import Docket
from .listed import at_each_size, of_runs
from .symbolic import for_all_parameters

HISTORIES = "at some of the listed sizes there are more histories of draws than are averaged over"


def lengths(claim: Claim, docket: Docket) -> Evidence:
    """The certificates of the largest counts and of most lengths at which there are any; silent where a claim is about no run."""
    if not of_runs(claim.world):
        return Evidence("gram", "silent")
    engines = (for_all_parameters, at_each_size) if docket.limits.thorough else (at_each_size,)
    if claim.world.beyond(docket.limits.largest_m):  # nor of fewer clients: no search looks at those sizes
        return Evidence("gram", "declines", reason=HISTORIES)
    found: list[Evidence] = []
    for limits, (one, left) in itertools.product((docket.limits, *smaller(docket.limits)), _shorter(claim)):
        found.extend(engine(one, replace(docket, limits=limits)) for engine in engines)
        certified = next((said for said in found if said.outcome == "certifies"), None)
        if certified is not None:
            none = f"; none was found at {claim.world.index} = {left[0]}" if left else ""
            return replace(certified, reason=certified.reason + none)
    return found[0]


def _shorter(claim: Claim) -> list[tuple[Claim, tuple[int, ...]]]:
    """The claim, and it at fewer lengths, two at least, with those that are left out: a longer list says no less."""
    world: Any = claim.world
    lengths = tuple(sorted(world.sizes[world.index]))
    each = range(len(lengths), min(len(lengths), 2) - 1, -1)
    at = (world.at_sizes({**world.sizes, world.index: lengths[:n]}) for n in each)
    return [(replace(claim, world=one), lengths[n:]) for n, one in zip(each, at, strict=True)]
