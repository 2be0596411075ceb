"""How tight a proved bound is, by what its proof solves: not by what a search came upon.

The least factor of the right side with which the bound still holds. Of a claim about functions it is that with which there is
still a certificate, at parameters in general position: where every instance of the semidefinite program is one of the world,
an instance attains it. Of a claim about scalars z3 brackets it, between an instance that it names and a factor that it proves.

Rests on strong duality: where interpolation is exact, the least factor with a certificate is attained, or approached, by
instances of sufficient dimension. Incomplete: a factor is known at the parameters that were looked at, and of scalars between
two numbers.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from ...claim import Claim
from ...errors import NotApplicable
from ...instance import Instance
from ...relation import Relation
from ...verdict import Evidence
from ..budget import Tightness
from ..context import Docket
from ..counterexamples import exact
from .listed import abstract_shapes, steady, targets_of, tightness
from .scalars import decide

NEAR = 0.99  # a share of the right side, and of a factor, from which on it is not looked for nearer ones


def tight(claim: Claim, docket: Docket) -> Evidence:
    """The least such factor as a figure of the verdict, unless the search has seen a larger one; silent where there is none."""
    try:
        if claim.world.batched_scalars:
            return _bracketed(claim, docket)
        return Evidence("tight", "silent") if docket.certified else _solved(claim, docket)
    except (NotApplicable, ZeroDivisionError, IndexError, OverflowError):  # the last: no number for a solver
        return Evidence("tight", "silent")


def _solved(claim: Claim, docket: Docket) -> Evidence:
    """By the semidefinite program."""
    world = claim.world
    if not world.known_at_points():
        return Evidence("tight", "silent")
    found: list[float] = []
    shape = abstract_shapes(world, docket.limits.largest_m)[0]
    for scalars in world.general(shape, docket.limits.of(Tightness).points) if world.scalars else [{}]:
        _, space, relations, _ = targets_of(claim, world, scalars, shape)
        value = steady(tightness(relations, space))
        if value is None:
            return Evidence("tight", "silent")
        found.append(min(value, 1.0))
    if not found:
        return Evidence("tight", "silent")
    known = docket.figure("tightness")
    return Evidence("tight", "silent", numbers={"sdp": found}, figures={"tightness": max([*found, known or 0.0])})


def _bracketed(claim: Claim, docket: Docket) -> Evidence:
    """By z3, at every listed shape, from the largest share that the search has seen."""
    known = docket.figure("tightness")
    if claim.world.index or not known or known >= NEAR:
        return Evidence("tight", "silent")
    low, high = known, Fraction(1)
    for _ in range(docket.limits.of(Tightness).steps):
        share = _between(low, high)
        above = _above(claim, share, docket)
        if above is None:
            break
        low, high = (max(low, above), high) if above else (low, share)
        if low >= NEAR * high:
            break
    if high == 1:
        return Evidence("tight", "silent", figures={"tightness": low})
    near = float(high) if low >= NEAR * high else low
    reason = f"it holds with {high} of its right side as well"
    shapes = _shapes(claim, docket)
    if shapes == [{}]:
        return Evidence("tight", "supports", "all", {"at most": str(high)}, reason, figures={"tightness": near})
    at = ", ".join(f"{k} = {' or '.join(map(str, sorted({s[k] for s in shapes})))}" for k in shapes[0])
    numbers = {"at most": str(high)}
    return Evidence("tight", "supports", shapes, numbers, f"{reason}, at {at}", figures={"tightness": near})


def _shapes(claim: Claim, docket: Docket) -> list[dict[str, int]]:
    return claim.world.shapes(docket.limits.largest_m) or [{}]


def _between(low: float, high: Fraction) -> Fraction:
    """The next factor: a simple one just above what was seen, else the middle."""
    simple = Fraction(low).limit_denominator(Tightness.denominator)
    if low <= simple < high and low >= NEAR * simple:
        return simple
    return ((Fraction(low) + high) / 2).limit_denominator(Tightness.denominator**2)


def _above(claim: Claim, share: Fraction, docket: Docket) -> float | None:
    """lhs/rhs at an instance where the bound fails with this share of its right side; 0 where there is none, None if undecided."""

    def body(x: Instance) -> tuple[Relation, ...]:
        return tuple(dataclasses.replace(r, rhs=r.rhs * share) for r in claim.relations(x))

    for shape in _shapes(claim, docket):
        answer = decide(body, claim.world, shape, rlimit=docket.limits.rlimit // Tightness.aside, owner=claim.id)
        if answer.outcome == "refutes" and answer.free is not None:
            return exact.ratio(exact.replay(claim.body, claim.world, answer.free, claim.id).relations)
        if answer.outcome not in ("proves", "vacuous"):
            return None
    return 0.0
