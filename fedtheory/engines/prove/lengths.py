"""Certificates of a claim about runs at the lengths that its world lists, where no lemma leads to every length.

A run of a few steps is a claim about the points that it comes to, as any other. What is so certified says nothing of longer
runs, nor of other parameters where these are listed: all that searches has looked there before, and must have the power to.

Rests on `symbolic` and `listed`, and is as complete as they are, at these lengths.
"""

from __future__ import annotations

from dataclasses import replace

from ...claim import Claim
from ...verdict import Evidence
from ..budget import smaller
from ..context import Docket
from .listed import at_each_size, of_runs
from .symbolic import for_all_parameters

HISTORIES = "at some of the listed sizes there are more histories of draws than are averaged over"


def lengths(claim: Claim, docket: Docket) -> Evidence:
    """The certificates of the largest counts at which there are any; silent where a claim is about no run."""
    if not of_runs(claim.world):
        return Evidence("gram", "silent")
    engines = (for_all_parameters, at_each_size) if docket.limits.thorough else (at_each_size,)
    found = [Evidence("gram", "silent")]
    if claim.world.beyond(docket.limits.largest_m):  # nor of fewer clients: no search looks at those sizes
        return Evidence("gram", "declines", reason=HISTORIES)
    for limits in (docket.limits, *smaller(docket.limits)):
        found = [engine(claim, replace(docket, limits=limits)) for engine in engines]
        certified = next((said for said in found if said.outcome == "certifies"), None)
        if certified is not None:
            return certified
    return found[-1]
