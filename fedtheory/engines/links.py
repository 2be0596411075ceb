"""Statements on the way of a composed proof: decided in a world of functions, or following from what is known of numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable
from ..instance import Instance
from ..relation import Relation
from ..verdict import Evidence
from ..world import World
from . import exact
from .certificate.parts import Kept, Part, components, parts_of
from .certificate.products import LONG, SHORT
from .certificate.recall import sought
from .docket import Docket
from .induction import NotShown, implied, induction
from .lift import lift
from .smt import smt

FEW = 2  # listed values of a size, other than numbers of clients, at which a statement on the way is decided;
FURTHER = (4, 7)  # at all others, and at these, it is held against rational instances,
DRAWN, LARGE = 3, 8  # so many, and one of sizes beyond this
SEED = 20221201
CLIENTS = ("m", "S", "d")
ANY_TIME = "t:any"  # an index below the length, at which what holds for every t is used
ANY_ELEMENT = "s:any"  # an index below that one, where a lemma about sequences is used at the length t


def decided(
    id: str, world: World, body: Callable[[Instance], Any], docket: Docket, parts: list[Part | None]
) -> Evidence:
    """What the engine for a world says of a statement on the way, at few of the listed sizes.

    At the others, and beyond them, rational instances have to agree.

    The parts of its certificate are added to `parts`, None where there is none.
    """
    few = {k: v if k in CLIENTS or world.batched_scalars else v[:FEW] for k, v in world.sizes.items()}
    link = Claim(id, body, world.at_sizes(few) if few else world)
    limits = dataclasses.replace(docket.limits, thorough=True)
    engine = induction if world.index else smt if world.batched_scalars else lift
    answer = engine(link, dataclasses.replace(docket, limits=limits))
    if answer.outcome in ("proves", "certifies"):
        failing = _further(link.id, world, body)
        if failing is not None:
            reason = f"it is not shown at {', '.join(f'{k} = {v}' for k, v in failing.items())}"
            return Evidence(answer.engine, "declines", reason=reason)
        own = answer.certificate
        parts += [None] if own is None else [{**part, "where": f"{id}, {part['where']}"} for part in own]
    return answer


def _further(id: str, world: World, body: Callable[[Instance], Any]) -> dict[str, int] | None:
    """Another size at which the statement fails at some rational instance, or none is decided; None where it holds at all."""
    several = {k: v for k, v in world.sizes.items() if k not in CLIENTS and len(v) > 1}
    if world.index or world.batched_scalars or not several:
        return None
    rng = np.random.default_rng(SEED)
    small = world.at_sizes({k: v[:FEW] for k, v in world.sizes.items()}).shapes(max(FURTHER))[-1]
    for name, listed in several.items():
        for value in (*listed[FEW:], *(n for n in FURTHER if n not in listed)):
            shape = {**small, name: value}
            if not _holds(id, world.only(shape), body, shape, rng):
                return shape
    return None


def _holds(id: str, world: World, body: Callable[[Instance], Any], shape: dict[str, int], rng: Any) -> bool:
    """Whether a statement holds exactly at every drawn instance where it is defined, and at one at least."""
    outcomes, count = [], DRAWN if max(shape.values()) <= LARGE else 1
    try:
        for free in world.sample(rng, shape, 1, count):
            drawn = [world.pick(free, k) for k in range(count)]
            outcomes += [exact.judge(body, world, one, id).outcome for one in drawn]
    except NotApplicable:  # no draw of the parameters meets the conditions
        return False
    return "holds" in outcomes and "refutes" not in outcomes


def follow(
    where: str, names: Sequence[str], given: Sequence[Relation], needed: Sequence[Relation], docket: Docket
) -> Part | None:
    """The part of a certificate that shows that conditions follow from what is given; None if z3 alone says so.

    Raises
    ------
    NotShown
        If one of them does not follow.
    """
    stated = components(given)  # terms that are alive keep their numbers
    known = {(a.get_id(), op, b.get_id()) for a, op, b, _ in stated}
    asked = [r for r in needed if any((a.get_id(), op, b.get_id()) not in known for a, op, b, _ in components([r]))]
    if not asked:
        return {}
    each: list[Part | None] = []
    programs = LONG if docket.limits.thorough else SHORT
    kept = Kept()
    for r in asked:  # each with the whole budget

        def search(recalled: Mapping[str, str], r: Relation = r) -> tuple[Part, dict[str, str]]:
            return parts_of(names, stated, components([r]), recalled, programs=programs, kept=kept)

        part = sought(docket.stored, f"{where} products {r.name}", programs, search)
        if part is None and implied(given, [r], docket.limits.rlimit) is not True:
            raise NotShown(f"{where}: its condition {r.name} is not met where it is used")
        each.append(part)
    return None if None in each else {"where": f"{where} applies", "each": each}
