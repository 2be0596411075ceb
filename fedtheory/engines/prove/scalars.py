"""z3 on claims about scalars: satisfiable conditions, a proof for all parameters, or a rational witness.

On any world it says whether the stated conditions can hold together.

Rests on the elimination of quantifiers over the reals (A. Tarski 1951; G. Collins 1975), as nlsat does it for one block of
them (D. Jovanovic, L. de Moura, IJCAR 2012). Complete for polynomials and roots, which are unknowns with their squares, up to
the count of steps; exponentials and logarithms are left to other engines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...claim import Body, Claim
from ...errors import NotApplicable
from ...formats import Json
from ...quantity import ByName
from ...relation import Relation, relations_of
from ...verdict import Evidence
from ...world import Described, Free
from ..budget import Products, Questions
from ..certificates.parts import Part, scalar_parts
from ..certificates.products.recall import sought
from ..context import Docket
from ..counterexamples import exact
from ..counterexamples.refutation import refutation
from ..z3.index import Counted
from ..z3.terms import Real, defined, elementary, formulas, nowhere, on, rational_value, satisfiable, scope, solve
from ..z3.trees import z3_module


def smt(claim: Claim, docket: Docket) -> Evidence:
    """Decide a claim about scalars at every shape; of other claims, whether their conditions can hold together."""
    world, limits = claim.world, docket.limits
    shapes = world.shapes(limits.largest_m) or [{}]
    if not world.batched_scalars:
        wider = world.shapes(limits.search_m) or [{}]
        answers = (satisfiable(world, shape, rlimit=limits.rlimit) for shape in wider)
        somewhere = next((a for a in answers if a is not False), False)
        if somewhere is False and not nowhere(world, limits.rlimit):
            somewhere = None  # other sizes than those that are listed may meet them
        met = None if somewhere and world.at_points else somewhere  # z3 sees the scalars only
        return Evidence("smt", "silent", hypotheses={"satisfiable": met})
    if world.index and docket.proved:  # for every length
        # longer ones may meet what the first does not
        met = satisfiable(world, shapes[0], rlimit=limits.rlimit, claim=claim) or None
        if met is None and contradictory(world, rlimit=limits.rlimit):
            met = False
        return Evidence("smt", "silent", hypotheses={"satisfiable": met})
    proved: list[dict[str, int]] = []
    parts: list[Part | None] = []
    known: dict[str, bool | None] = {}
    for shape in shapes:
        try:
            part = _part(claim, shape, docket, 0)
            answer = decide(claim.body, world, shape, rlimit=limits.rlimit, owner=claim.id, known=part is not None)
        except NotApplicable as error:
            return Evidence("smt", "declines", reason=str(error), hypotheses=known)
        if answer.outcome == "vacuous":
            continue
        known = {"satisfiable": answer.satisfiable}
        if answer.outcome == "refutes" and answer.free is not None:
            return _replayed(claim, answer.free, known)
        if answer.outcome != "proves":
            doubt = answer.reason == IRRATIONAL or (answer.reason == NOWHERE and len(shapes) == 1)
            return Evidence("smt", "declines", [shape], reason=answer.reason, hypotheses=known, doubt=doubt)
        proved.append(shape)
        if part is None and docket.certificates:
            part = _part(claim, shape, docket, Products.long if limits.thorough else Products.short)
        parts.append(part)
    if not proved:
        wider = [s for s in world.shapes(limits.search_m) if s not in shapes]
        answers = (satisfiable(world, s, rlimit=limits.rlimit) for s in wider)
        if any(a is not False for a in answers) or not (shapes == [{}] or nowhere(world, limits.rlimit)):
            reason = "z3: the conditions hold at none of the sizes that were looked at"
            return Evidence("smt", "declines", shapes, reason=reason, doubt=True)
        reason = "z3: the conditions are unsatisfiable"
        return Evidence("smt", "proves", shapes, reason=reason, hypotheses={"satisfiable": False})
    everywhere = proved == [{}]
    numbers: Json = {}
    if limits.thorough:
        numbers, needed = _needed(claim, proved, limits.rlimit // Questions.aside)
        known |= needed
    outcome = "proves" if everywhere else "certifies"
    certificate = [
        {"where": "all" if everywhere else shape, **part} for shape, part in zip(proved, parts, strict=True) if part
    ]
    return Evidence(
        "smt", outcome, "all" if everywhere else proved, numbers, hypotheses=known,
        certificate=certificate if len(certificate) == len(proved) else None,
    )  # fmt: skip


def _part(claim: Claim, shape: dict[str, int], docket: Docket, programs: int) -> Part | None:
    """A product certificate at one shape: one that is easily found or stored, or one that is sought."""
    key = " ".join([claim.id, "products", *(f"{k}={v}" for k, v in shape.items())])

    def search(recalled: Mapping[str, str]) -> tuple[Part, dict[str, str]]:
        return scalar_parts(claim.body, claim.world, shape, claim.id, recalled, programs=programs)

    return sought(docket.stored, key, programs, search)


def _replayed(claim: Claim, free: Free, known: Mapping[str, bool | None]) -> Evidence:
    """z3's model counts where the exact replay refutes."""
    result = exact.replay(claim.body, claim.world, free, claim.id)
    if result.outcome == "refutes":
        return refutation("smt", claim, [free], hypotheses=known)
    reason = f"z3's model replays as {result.outcome}: {result.reason}"
    return Evidence("smt", "declines", reason=reason, hypotheses=known)


def _needed(claim: Claim, shapes: Sequence[dict[str, int]], rlimit: int) -> tuple[ByName, dict[str, bool | None]]:
    """Which stated conditions a proved claim needs at one of the sizes, and which are its exact boundary at each."""
    try:
        each = [boundaries(claim.body, claim.world, s, rlimit=rlimit, owner=claim.id) for s in shapes]
    except NotApplicable:  # the claim is proved all the same
        return {}, {}
    found = [
        Boundary(same[0].name, _any([b.needed for b in same]), _not(_any([_not(b.sharp) for b in same])))
        for same in zip(*each, strict=True)
    ]
    numbers = {
        "needed": [b.name for b in found if b.needed],
        "sharp": [b.name for b in found if b.sharp],
        "can be dropped": [b.name for b in found if b.needed is False],
    }
    said = found and all(b.needed is not None for b in found)
    return numbers, {"needed": all(b.needed for b in found)} if said else {}


def _any(said: Sequence[bool | None]) -> bool | None:
    return True if True in said else None if None in said else False


def _not(said: bool | None) -> bool | None:
    return None if said is None else not said


IRRATIONAL = "z3: a counterexample with irrational parameters"
NOWHERE = "z3: a side is undefined wherever the conditions hold"


@dataclass(frozen=True)
class Answer:
    """``outcome`` is proves, vacuous, refutes or declines; a refutation carries the model as free data."""

    outcome: str
    satisfiable: bool | None = None
    free: Free | None = None
    reason: str = ""


def decide(
    body: Body, world: Described, shape: dict[str, int], *, rlimit: int, owner: str = "", known: bool = False
) -> Answer:
    """Prove or refute a claim about scalars at one shape; `rlimit` counts z3's own steps, never seconds.

    Where it is `known` to hold, by a product certificate, z3 says only that there is something for which it does.
    """
    if not world.batched_scalars:
        raise NotApplicable("z3 decides claims about scalars only")
    z3 = z3_module()
    try:
        x, symbols = scope(world, shape)
        stated = relations_of(body, x, owner)
        relations, conditions = formulas(stated), formulas(x.given)
        facts = [formulas(elementary(x, [relation])) for relation in relations]
    except ZeroDivisionError:
        return Answer("declines", reason=f"z3: a side is undefined at {shape}")
    except z3.Z3Exception as error:
        raise NotApplicable(f"z3: {error}") from None
    possible, _ = solve(defined(conditions), rlimit)
    if possible is False:
        return Answer("vacuous", False, reason="z3: the conditions are unsatisfiable")
    reasons: list[str] = []
    for relation, own in zip(
        relations, facts, strict=True
    ):  # each on its own domain: one may fail where another is undefined
        base = defined([*conditions, *own], [relation])
        if solve(base, rlimit)[0] is False:
            reasons.append(NOWHERE)
            continue
        if known:
            continue
        refuted, model = solve([*base, z3.Not(relation)], rlimit)
        if refuted is True and model is not None:
            free = _free(world, model, symbols, shape)
            if free is not None:
                return Answer("refutes", True, free)
            reasons.append(IRRATIONAL)
        elif refuted is not False:
            reasons.append("z3: undecided within its limit")
    if reasons:
        return Answer("declines", possible, reason=IRRATIONAL if IRRATIONAL in reasons else reasons[0])
    return Answer("proves", possible)


@dataclass(frozen=True)
class Boundary:
    """What z3 says of one stated condition of a claim that holds under all of them.

    Attributes
    ----------
    name : str
        The condition as printed.
    needed : bool or None
        Whether the claim fails somewhere beyond it; False is advice: it can be dropped.
    sharp : bool or None
        Whether the claim fails everywhere beyond it, so that the condition is the exact boundary of the region.
    """

    name: str
    needed: bool | None
    sharp: bool | None


def boundaries(body: Body, world: Described, shape: dict[str, int], *, rlimit: int, owner: str = "") -> list[Boundary]:
    """For every stated condition: is it needed, and is it the exact boundary (proved from both sides)?

    Raises
    ------
    NotApplicable
        If there is no z3, or the body is none of its terms.
    """
    z3 = z3_module()
    out = []
    for stated in world.given:
        try:
            x, _ = scope(world.without(stated), shape)
            base, claim = formulas(x.given), formulas(relations_of(body, x, owner))
            beyond = z3.Not(z3.And(*formulas(stated.relations(x))))
        except (ZeroDivisionError, z3.Z3Exception) as error:
            raise NotApplicable(f"z3: {error}") from None
        there = defined([*base, beyond], claim)
        needed, _ = solve([*there, z3.Not(z3.And(*claim))], rlimit)
        somewhere, _ = solve([*there, *claim], rlimit)
        out.append(Boundary(stated.printed, needed, None if somewhere is None else needed is True and not somewhere))
    return out


def contradictory(world: Any, *, rlimit: int) -> bool:
    """Whether the conditions of a world with an index, those for every t apart, contradict each other at every length."""
    z3 = z3_module()
    numbers = Counted(world.index, world.first)
    try:
        given = on(numbers, replace(world, every=()), {world.index: world.first})[0].given
        n = Real(z3.Real(world.index))
        known = [*given, *numbers.elementary(formulas(given)), *numbers.ranges(), Relation(world.first, "<=", n)]
        return solve(defined(formulas(known)), rlimit)[0] is False
    except (NotApplicable, ZeroDivisionError, z3.Z3Exception):
        return False


def _free(world: Described, model: object, symbols: Mapping[str, np.ndarray], shape: dict[str, int]) -> Free | None:
    """The model as free data; None if a number of it is irrational."""
    scalars: ByName = {}
    for name, terms in symbols.items():
        entries = [rational_value(model, t.term) for t in terms]
        if any(e is None for e in entries):
            return None
        scalars[name] = np.array(entries, dtype=object) if world.scalars[name].per_client else entries[0]
    return Free(shape, scalars)
