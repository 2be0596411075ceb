"""Certificates of a claim at listed parameters and client numbers, for the whole function class in any dimension."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable
from ..gram.forms import SIZES, Form, Space, gaps, with_room
from ..verdict import Evidence
from ..world import World
from .certificate import program as certificate

SMALLEST_M = 2  # client numbers up to which every size must have its certificate; larger ones are listed if found
LARGEST_LEAVES = 24  # unknown vectors up to which a certificate is sought for more clients
LARGEST_R = 3  # local steps up to which certificates are sought; the search goes further
Stored = dict[str, list[dict[str, str]]]


def certify(claim: Claim, *, largest_m: int, grid: int, stored: Stored) -> Evidence:
    """Seek a certificate at every size and at `grid` rational parameters each.

    Stored certificates are re-checked without a solver; new ones are added to `stored`. The outcome is ``certifies``
    when every size with at most `SMALLEST_M` clients has one; the scope lists where.
    """
    world = claim.world
    scope: list[dict[str, Any]] = []
    declined: list[dict[str, Any]] = []
    times: list[float] = []
    best: float | None = None
    enumerated = True
    for shape in abstract_shapes(world, largest_m):
        found_here = undefined = False
        try:
            points = world.grid(shape, grid) if world.scalars else [{}]
        except NotApplicable as error:
            return Evidence("gram", "declines", [shape], reason=f"the conditions are not rational: {error}")
        for scalars in points:
            where = {**shape, **_plain(scalars)}
            started = time.perf_counter()
            try:
                targets, space, relations, draws = targets_of(claim, world, scalars, shape)
            except NotApplicable as error:
                return Evidence("gram", "declines", [where], reason=str(error))
            except ZeroDivisionError:
                undefined = True
                continue
            too_large = len(space.leaves) > LARGEST_LEAVES and shape.get("m", 1) > SMALLEST_M
            found = (
                None
                if too_large
                else _certificates(targets, space, stored, f"{claim.id} {json.dumps(where, sort_keys=True)}")
            )
            times.append(1000 * (time.perf_counter() - started))
            if found is None:
                declined.append(where)
                continue
            found_here = True
            scope.append(where)
            enumerated &= bool(draws) and not any(found)
            if shape.get("m", 1) == largest_m and best is None and world.sufficient:
                best = tightness(relations, space)
        if not found_here and not undefined and shape.get("m", 1) <= SMALLEST_M:
            reason = (
                "the semidefinite program gave no certificate"
                if declined
                else "no rational parameters met the conditions"
            )
            return Evidence("gram", "declines", [shape], reason=reason)
    if not scope:
        return Evidence("gram", "declines", reason="no certificate was sought")
    numbers = {
        "certificates": len(scope),
        "median_ms": float(np.median(times)),
        "sdp_tightness": best,
        "declined": declined,
    }
    return Evidence("expectation" if enumerated else "gram", "certifies", scope, numbers, "any dimension")


def abstract_shapes(world: World, largest_m: int) -> list[dict[str, int]]:
    """The sizes at which certificates differ: any dimension is covered, and one step covers every step of a run."""
    shapes: list[dict[str, int]] = []
    for s in world.shapes(largest_m):
        if s.get("steps", 1) > s.get("k0", 1) or s.get("R", 1) > LARGEST_R:
            continue
        s = {**s, "d": 1}
        if s not in shapes:
            shapes.append(s)
    return shapes


def targets_of(claim: Claim, world: World, scalars: Mapping[str, Any], shape: dict[str, int]) -> Any:
    """The affine forms that must be non-negative, their space, its relations and draws of the abstract instance."""
    (targets, stated, space, relations, draws), again = with_room(
        lambda size: tuple(_targets(claim, world, scalars, shape, Space(size, scale)) for scale in (1, -2)), SIZES
    )
    if again[:2] != (targets, stated):
        raise NotApplicable("the body reads coordinates of a vector; inner products are x.dot and x.sq")
    if any(op != "==" for op, _ in targets):
        space.close()
    return targets, space, relations, draws


def _targets(claim: Claim, world: World, scalars: Mapping[str, Any], shape: dict[str, int], space: Space) -> Any:
    x = world.abstract(scalars, shape, space)
    relations = claim.relations(x)
    if any(r.op == "<" for r in relations):
        raise NotApplicable("a strict inequality has no certificate")
    premises = x.given if world.at_points else ()
    targets, stated = ([(r.op, f.clean()) for r in each for f in gaps(r)] for each in (relations, premises))
    return targets, stated, space, relations, x._draws


def _certificates(targets: Any, space: Any, stored: Stored, key: str) -> list[dict[str, str]] | None:
    known = stored.get(key)
    if known is not None and len(known) == len(targets):
        multipliers = [{k: Fraction(f) for k, f in entry.items()} for entry in known]
        names = dict(space.inequalities) | dict(space.equalities)
        if all(
            set(c) <= set(names) and (op == "<=" or not t) and certificate.check(t, space, c)
            for (op, t), c in zip(targets, multipliers, strict=True)
        ):
            return known
    found: list[dict[str, str]] = []
    for op, target in targets:
        if op == "==":
            if target:
                return None
            found.append({})
            continue
        try:
            proposal = certificate.propose(target, space)
        except NotApplicable:  # no solver here, and the store does not hold this one
            return None
        if proposal is None:
            return None
        found.append({k: str(f) for k, f in proposal.multipliers.items()})
    if any(found):  # what needs no multipliers is found as fast as it is read
        stored[key] = found
    return found


def tightness(relations: Any, space: Any) -> float | None:
    """The least factor on the right side of the one relation that the semidefinite program can prove (numeric)."""
    r = relations[0]
    lhs, rhs = np.broadcast_arrays(np.asarray(r.lhs, dtype=object), np.asarray(r.rhs, dtype=object))
    a, b = Form.of(lhs.flat[0]), Form.of(rhs.flat[0])
    if len(relations) > 1 or r.op == "==" or not b.clean() or not a.clean():
        return None
    try:
        value = certificate.best_factor(a, b, space)
    except NotApplicable:
        return None
    return value if value is not None and 0 < value <= 1 + 1e-6 else None


def _plain(scalars: Mapping[str, Any]) -> dict[str, Any]:
    return {k: [str(e) for e in v] if isinstance(v, np.ndarray) else str(v) for k, v in scalars.items()}
