"""Instances made against a claim: the worst ones that the semidefinite program knows, where it has no certificate.

A search draws functions and points of kinds that it was taught. The program sees every function of the class in any
dimension, and what it finds is the instance of least slack, wherever that lies: in a thin direction, or with functions that
no search draws. Its solution is made rational, with functions that are given by gradients and values where the class has a
theorem on interpolation, and replayed exactly.

Rests on the primal program of performance estimation (Taylor, Hendrickx, Glineur 2017, as `prove.listed`): a Gram matrix and
values that meet sufficient interpolation inequalities are those of functions of the class. Complete, at the parameters that
it looks at, where the inequalities are sufficient and the solver's instance can be made rational.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.forms import Space
from ...numbers import Fractions
from ...quantity import ByName
from ...world import Drawn, World
from ..budget import Certificates, WorstCase
from ..certificates.sdp.check import check
from ..certificates.sdp.primal import Found, Primal
from ..context import Docket
from ..counterexamples import exact
from ..prove.listed import Targets, abstract_shapes, of_runs, targets_of
from .proposing import Proposals, proposes

SPREAD = 1e3  # ratio of parameters up to which the solver is at ease
DIGITS = 10**3  # denominator of a drawn parameter, where that stays within the conditions


@proposes("adversary")
def adversary(claim: Claim, docket: Docket) -> Proposals:
    """The worst instances where there is no certificate."""
    world = claim.world
    if world.batched_scalars or not world.known_at_points():
        return
    effort = docket.limits.of(WorstCase)
    few = docket.limits.largest_m
    for shape in abstract_shapes(world, few if of_runs(world) else max(few, effort.largest_m)):
        parameters = _parameters(world, shape, docket.seed, effort)
        many = shape.get("m", 1) > few or (of_runs(world) and shape[world.index] > min(world.sizes[world.index]))
        for scalars in parameters[: effort.many_at] if many else parameters:
            try:
                targets, space, _, _ = targets_of(claim, world, scalars, shape)
            except (NotApplicable, ZeroDivisionError):
                continue
            if len(space.leaves) > Certificates.leaves:
                break
            for found in _against(targets[: effort.targets], space):
                free = world.placed(space, found.leaves, found.values, scalars, shape)
                if free is not None:
                    yield free


def _parameters(world: World, shape: dict[str, int], seed: int, effort: WorstCase) -> list[dict[str, object]]:
    """In general position, and near the boundary of the region."""
    if not world.scalars:
        return [{}]
    try:
        return [*world.general(shape, effort.points), *_drawn(world, shape, seed, effort)]
    except (NotApplicable, ZeroDivisionError):  # the conditions are not rational, or met by no draw
        return []


def _drawn(world: Drawn, shape: dict[str, int], seed: int, effort: WorstCase) -> list[dict[str, object]]:
    rows = world.draw_scalars(np.random.default_rng(np.random.SeedSequence([seed, 17])), shape, effort.drawn)
    found: list[ByName] = []
    for i in range(effort.drawn):
        sizes = np.concatenate([v[i] for v in rows.values()])
        if len(found) == effort.near or sizes.max() > SPREAD * sizes.min():
            continue
        for digits in (DIGITS, None):
            row = {k: _rational(v[i], world.scalars[k].per_client, digits) for k, v in rows.items()}
            if all(side.truth for side in exact.decide(world.scope(row, shape, Fractions()).given)):
                found.append(row)
                break
    return found


def _rational(values: np.ndarray, per_client: bool, digits: int | None) -> Any:
    exactly = [Fraction(float(v)) for v in values]
    short = exactly if digits is None else [v.limit_denominator(digits) for v in exactly]
    return np.array(short, dtype=object) if per_client else short[0]


def _against(targets: Targets, space: Space) -> Iterator[Found]:
    """Instances at which a target is negative, or not zero where it should be."""
    space.close()
    for op, target in targets:
        for sign in (1, -1) if op == "==" else (1,):
            wanted = {key: sign * c for key, c in target.items()}
            if not check(wanted, space, {}):
                yield from Primal(wanted, space).solutions()
