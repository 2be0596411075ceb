"""Certificates of a claim at listed parameters and client numbers, for the whole function class in any dimension.

Rests on performance estimation: Y. Drori, M. Teboulle, Mathematical Programming 145 (2014); A. Taylor, J. Hendrickx, F.
Glineur, Smooth strongly convex interpolation and exact worst-case performance of first-order methods, Mathematical
Programming 161 (2017). Weak duality makes every certificate a proof. Complete at each of the parameters where the
inequalities of the class are sufficient for interpolation, the program has an interior (strong duality), and rounding
succeeds; where they are only necessary a true claim may have none.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...formats import Json
from ...gram.forms import SIZES, Form, Gap, Space, Terms, gaps, with_room
from ...quantity import ByName
from ...relation import Relation
from ...verdict import Evidence
from ...world import Abstract, Described, World
from ..budget import Certificates
from ..certificates.parts import Part
from ..certificates.sdp.check import check
from ..certificates.sdp.program import best_factor
from ..certificates.sdp.propose import propose
from ..certificates.slack import listed_part
from ..context import Docket, Stored
from ..z3.terms import satisfiable

EQUAL = "of several clients with weights only equal ones can be listed"
Targets = list[tuple[str, Terms]]  # operator, and the form that must be non-negative or vanish


@dataclass
class Listed:
    """What was certified and what was not, size by size.

    Attributes
    ----------
    scope, declined : list of dict
        Sizes and parameters with and without a certificate.
    skipped : list of dict
        Sizes of the world at which none was sought.
    times : list of float
        Milliseconds of each.
    best : float or None
        The least factor on the right side at the largest number of clients (numeric).
    undefined : list of dict
        Sizes and parameters at which a side is undefined.
    beyond : list of dict
        Sizes that are too large for a certificate to be sought.
    relations : int
        How many relations the body has.
    enumerated : bool
        Whether draws were enumerated and no certificate needed a multiplier.
    parts : list
        The part of the claim's certificate at each of them, None where it was not made.
    """

    scope: list[Json] = field(default_factory=list)
    declined: list[Json] = field(default_factory=list)
    skipped: list[Json] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    best: float | None = None
    enumerated: bool = True
    undefined: list[Json] = field(default_factory=list)
    beyond: list[Json] = field(default_factory=list)
    relations: int = 0
    parts: list[Part | None] = field(default_factory=list)

    @property
    def numbers(self) -> Json:
        """Figures of the evidence."""
        return {
            "certificates": len(self.scope),
            "median_ms": float(np.median(self.times)) if self.times else None,
            "sdp_tightness": self.best,
            "declined": self.declined,
            "beyond": self.beyond,
            "skipped": self.skipped,
        }


def certify(claim: Claim, docket: Docket) -> Evidence:
    """Seek a certificate at every size up to the budget's clients, and at a few rational parameters each.

    Stored certificates are re-checked without a solver; new ones are added to the store. The outcome is ``certifies``
    when there is one at each of them; the scope lists where. Claims about scalars are z3's.
    """
    if claim.world.batched_scalars or of_runs(claim.world):
        return Evidence("gram", "silent")
    return at_each_size(claim, docket)


def of_equal_weights(world: World) -> bool:
    """Whether explicit clients are those of equal weights, in a world that has others, too."""
    return bool(world.parts().weights) and max(world.sizes.get("m", (1,))) > 1


def of_runs(world: Described) -> bool:
    """Whether a world has runs of functions, of every length, of which it lists a few."""
    return bool(world.index) and not world.batched_scalars


def at_each_size(claim: Claim, docket: Docket) -> Evidence:
    """`certify`, also at the listed lengths of a run."""
    if of_equal_weights(claim.world):
        return Evidence("gram", "declines", reason=EQUAL)
    listed = Listed(skipped=skipped_shapes(claim.world, docket.limits.largest_m))
    for shape in abstract_shapes(claim.world, docket.limits.largest_m):
        gap = _at_shape(claim, docket, shape, listed)
        if gap is not None:
            return gap
    if not listed.scope:
        return Evidence("gram", "declines", reason="no certificate was sought")
    if listed.undefined and listed.relations > 1:  # one of them is undefined there, and another may fail
        reason = "a side is undefined where the other relations are not judged"
        return Evidence("gram", "declines", listed.undefined, listed.numbers, reason=reason)
    known = [t for t in (docket.figure("tightness"), listed.best) if t is not None]
    figures: Json = {"tightness": max(known)} if len(known) == 2 else {}
    if listed.undefined:
        figures["domain"] = f"a side is undefined at {len(listed.undefined)} of the listed parameters and sizes"
    engine = "expectation" if listed.enumerated else "gram"
    certificate = None if None in listed.parts else [part for part in listed.parts if part]
    return Evidence(
        engine, "certifies", listed.scope, listed.numbers, "any dimension", figures=figures, certificate=certificate
    )


def _at_shape(claim: Claim, docket: Docket, shape: dict[str, int], listed: Listed) -> Evidence | None:
    """Certificates at one size, entered in `listed`; evidence that the engine declines where one is lacking."""
    world, m = claim.world, shape.get("m", 1)
    count = max(Certificates.points, docket.limits.grid) if len(world.scalars) > 1 else docket.limits.grid
    try:
        points = world.general(shape, count) if world.scalars else [{}]
    except NotApplicable as error:
        return Evidence("gram", "declines", [shape], reason=f"the conditions are not rational: {error}")
    if not (points and world.scalars) and satisfiable(world, shape, rlimit=docket.limits.rlimit) is False:
        return None  # there is no instance of these sizes
    for scalars in points:
        where = {**shape, **_plain(scalars)}
        if where in listed.scope:  # where the conditions leave one set of parameters, it is listed again and again
            continue
        started = time.perf_counter()
        try:
            targets, space, relations, draws = targets_of(claim, world, scalars, shape)
        except NotApplicable as error:
            return Evidence("gram", "declines", [where], reason=str(error))
        except ZeroDivisionError:
            listed.undefined.append(where)
            continue
        listed.relations = len(relations)
        key = f"{claim.id} {json.dumps(where, sort_keys=True)}"
        too_large = len(space.leaves) > Certificates.leaves and m > Certificates.smallest_m
        if too_large:  # it is said, and the scope does not have these sizes
            listed.beyond.append(where)
            continue
        found = _certificates(targets, space, docket.stored, key)
        listed.times.append(1000 * (time.perf_counter() - started))
        if found is None:
            listed.declined.append(where)
            reason = "the semidefinite program gave no certificate"
            return Evidence("gram", "declines", [where], listed.numbers, reason=reason)
        listed.scope.append(where)
        listed.parts.append(_part(where, relations, space, found))
        listed.enumerated &= bool(draws) and not any(found)
        if m == docket.limits.largest_m and listed.best is None and world.sufficient:
            listed.best = steady(tightness(relations, space))
    if points:
        return None
    return Evidence("gram", "declines", [shape], reason="no rational parameters met the conditions")


def _part(
    where: dict[str, object], relations: Sequence[Relation], space: Space, found: list[dict[str, str]]
) -> Part | None:
    """The part of the certificate at one list of parameters."""
    rows = {name: form.clean() for name, form in space.inequalities}
    stated = [(op, (gap.lhs.clean(), gap.rhs.clean())) for r in relations for op, gap in _ways(r)]
    try:
        part = listed_part(
            (op, sides, rows, {name: Fraction(text) for name, text in multipliers.items()})
            for (op, sides), multipliers in zip(stated, found, strict=True)
        )
    except (NotApplicable, KeyError):
        return None
    return {"where": where, **part}


def abstract_shapes(world: World, largest_m: int) -> list[dict[str, int]]:
    """The sizes at which certificates differ: any dimension is covered, and one step covers every step of a run."""
    shapes: list[dict[str, int]] = []
    for s in world.shapes(largest_m):
        if world.counts_steps and s["steps"] > s["k0"]:
            continue
        if world.local_steps and s[world.local_steps] > Certificates.steps:
            continue
        for chosen in world.to_choose(s):
            one = {**s, "d": 1, **chosen}
            if one not in shapes:
                shapes.append(one)
    return shapes


def skipped_shapes(world: Described, largest_m: int) -> list[ByName]:
    """Numbers of local steps that the world lists and that are too many for a certificate."""
    many = {s["R"] for s in world.shapes(largest_m) if s.get("R", 1) > Certificates.steps}
    return [{"R": R} for R in sorted(many)]


def targets_of(
    claim: Claim, world: Abstract, scalars: Mapping[str, object], shape: dict[str, int]
) -> tuple[Targets, Space, tuple[Relation, ...], Sequence[Any]]:
    """The affine forms that must be non-negative, their space, its relations and draws of the abstract instance."""
    (targets, stated, space, relations, draws), again = with_room(
        lambda size: tuple(_targets(claim, world, scalars, shape, Space(size, scale)) for scale in (1, -2)), SIZES
    )
    if again[:2] != (targets, stated):
        raise NotApplicable("the body reads coordinates of a vector; inner products are x.dot and x.sq")
    if any(op != "==" for op, _ in targets):
        space.close()
    return targets, space, relations, draws


def _targets(
    claim: Claim, world: Abstract, scalars: Mapping[str, object], shape: dict[str, int], space: Space
) -> tuple[Targets, Targets, Space, tuple[Relation, ...], Sequence[object]]:
    x = world.abstract(scalars, shape, space)
    relations = claim.relations(x)
    if any(r.op == "<" for r in relations):
        raise NotApplicable("a strict inequality has no certificate")
    premises = x.given if world.at_points else ()
    targets, stated = ([(op, f.clean()) for r in each for op, f in _ways(r)] for each in (relations, premises))
    return targets, stated, space, relations, x._draws


def _ways(relation: Relation) -> Iterator[tuple[str, Gap]]:
    """Operator and gap of every entry of a relation; an equation that is no identity is two inequalities."""
    for gap in gaps(relation):
        if relation.op == "==" and gap.clean():
            yield from (("<=", gap), ("<=", Gap(gap.rhs, gap.lhs)))
        else:
            yield relation.op, gap


def _certificates(targets: Targets, space: Space, stored: Stored, key: str) -> list[dict[str, str]] | None:
    """Multipliers of every target, as text: the stored ones if they check, else new ones, which are stored."""
    known = stored.get(key)
    if known is not None and len(known) == len(targets) and all(map(_checks, known, targets, [space] * len(targets))):
        return known
    found: list[dict[str, str]] = []
    for op, target in targets:
        if op == "==":
            if target:
                return None
            found.append({})
            continue
        try:
            proposal = propose(target, space)
        except NotApplicable:  # no solver here, and the store does not hold this one
            return None
        if proposal is None:
            return None
        found.append({k: str(f) for k, f in proposal.multipliers.items()})
    if any(found):  # what needs no multipliers is found as fast as it is read
        stored[key] = found
    return found


def _checks(known: Mapping[str, str], target: tuple[str, Terms], space: Space) -> bool:
    """Whether stored multipliers certify a target, exactly."""
    op, form = target
    multipliers = {name: Fraction(text) for name, text in known.items()}
    return (op == "<=" or not form) and check(form, space, multipliers)


def tightness(relations: Sequence[Relation], space: Space) -> float | None:
    """The least factor on the right side of the one relation that the semidefinite program can prove (numeric)."""
    r = relations[0]
    lhs, rhs = np.broadcast_arrays(np.asarray(r.lhs, dtype=object), np.asarray(r.rhs, dtype=object))
    a, b = Form.of(lhs.flat[0]), Form.of(rhs.flat[0])
    if len(relations) > 1 or r.op == "==" or not b.clean() or not a.clean():
        return None
    try:
        value = best_factor(a, b, space)
    except NotApplicable:
        return None
    return value if value is not None and 0 < value <= 1 + 1e-6 else None


def steady(value: float | None) -> float | None:
    """A number of the solver with the digits that are the same on every processor."""
    return None if value is None else float(f"{value:.6g}")


def _plain(scalars: Mapping[str, object]) -> ByName:
    return {k: [str(e) for e in v] if isinstance(v, np.ndarray) else str(v) for k, v in scalars.items()}
