"""Falsification: a search for violations with exact replay, the simplest witness, and the power of the search.

A claim in which the search finds nothing is *supported* only if the same search refutes the claim's control.

Rests on no theorem: *supported* says that a search which refutes a false neighbour has found nothing. It is never a proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...claim import Body, Claim, Control, default_controls, scaled_control
from ...errors import NotApplicable, UsageError
from ...formats import Json
from ...numbers import Floats
from ...relation import Condition
from ...verdict import Evidence
from ...world import Free, World
from ..budget import Search
from ..context import Docket
from ..counterexamples import exact
from ..counterexamples.hunt import Hunt
from ..prove.listed import of_runs
from .proposing import Candidate, Proposals, proposes
from .small import Simple, simple

SPECIAL = "a condition is an equality of points, and instances that meet it are drawn where vectors are zero"
IN_PART = "of clients that are {} the search has only some"
ONE_CLIENT = "no instance of several clients met the stated conditions"
ONE_SELECTION = "all clients take part in every instance that was looked at, as fewer have more histories than are"
GIVE_ONE = (
    'give one that you know to be false: control=Control("why", share="9/10") for def body(x, share=1), or '
    'Control("why", body)'
)
FEW_CLIENTS = "of clients that are {} only necessary inequalities are known, and the search has few of them"


@proposes("falsify")
def search(claim: Claim, docket: Docket) -> Proposals:
    """Look for a counterexample; silent where instances were decided and none refutes (see `power`)."""
    docket = docket.cross_check() if docket.proved else docket
    try:
        seen = searched(claim, claim.body, docket)
    except NotApplicable as error:
        yield Evidence("falsify", "declines", reason=str(error))
        return
    hunt = seen.hunt
    if claim.world.at_points and not seen.trials:
        printed = ", ".join(c.printed for c in claim.world.at_points)
        yield Evidence("falsify", "declines", reason=f"no draw met the stated conditions at points: {printed}")
        return
    figures: Json = {"trials": seen.trials, "min_slack": hunt.min_slack}
    numbers = {**figures, "replays": seen.simple.judged + hunt.judged + len(hunt.candidates)}
    said: Json = {"numbers": numbers, "figures": figures}
    if seen.simple.refuting:
        starts = seen.simple.starts(Search.starts)
        yield Candidate([*starts, *smaller(claim, starts[0].shape, docket)], said)
    if hunt.refuted is not None:
        yield Candidate([simplest(claim, hunt.refuted, docket)], said)
    results = [exact.judge(claim.body, claim.world, free, claim.id) for free in hunt.candidates]
    outcomes = [r.outcome for r in results]
    figures |= _tightness(hunt, results) | _domain(hunt, results)
    said["hypotheses"] = {"satisfiable": True} if "holds" in outcomes or "domain" in outcomes else {}
    if "refutes" in outcomes:
        yield Candidate([simplest(claim, hunt.candidates[outcomes.index("refutes")], docket)], said)
    for lost in hunt.beyond:
        yield Candidate([lost], said)
    outside = next((r.reason for r in results if r.outcome == "outside" and "of its class" in r.reason), "")
    reason = outside or ("" if hunt.trials and "holds" in outcomes else "no searched instance was decided exactly")
    if hunt.undefined > hunt.trials:
        reason = "at most of the searched instances floats cannot compute the sides"
    nowhere = hunt.undefined >= max(hunt.trials, 1) and not _is_somewhere(claim, hunt, outcomes)
    if nowhere:  # a proof would be of nothing
        reason = f"no instance was found at which the claim is defined: a side is undefined at all {hunt.undefined} searched ones"
        yield Evidence("falsify", "declines", reason=reason, doubt=True, **said)
        return
    if reason:
        yield Evidence("falsify", "declines", reason=reason, **said)
        return
    shapes = claim.world.shapes(docket.limits.search_m)
    looked_at = [shape for shape in shapes if tuple(shape.items()) in hunt.seen] or shapes
    yield Evidence("falsify", "silent", looked_at, **said)


def _is_somewhere(claim: Claim, hunt: Hunt, outcomes: Sequence[str]) -> bool:
    """Whether the claim is defined and true at an instance, in exact numbers: one of least slack, or one of those in floats."""
    if "holds" in outcomes or hunt.defined is None:
        return "holds" in outcomes
    return exact.judge(claim.body, claim.world, hunt.defined, claim.id).outcome == "holds"


def power(claim: Claim, docket: Docket) -> Evidence:
    """Whether a search that found nothing supports the claim: it does if the same search refutes the control.

    A claim without a control is held against half of its right side, then against the other direction.
    """
    before = docket.searched
    if docket.certified:
        listed = any(e.engine == "gram" and e.outcome == "certifies" for e in docket.found)
        if of_runs(claim.world) or (listed and claim.world.at_points):
            return _between(claim, docket, looked=before is not None)
        return Evidence("control", "silent")
    if before is None:
        return Evidence("control", "silent")
    f = claim.world.parts().f
    if f is not None and not f.sufficient:
        return Evidence("control", "declines", reason=f"no power: {FEW_CLIENTS.format(f.name)}")
    if getattr(f, "searched_in_part", False):
        return Evidence("control", "declines", reason=f"no power: {IN_PART.format(f.name)}")
    if claim.world.at_points and _has_equalities(claim.world, before.scope):
        return Evidence("control", "declines", reason=f"no power: {SPECIAL}")
    if _of_many(claim.world.shapes(docket.limits.search_m)) and not _of_many(before.scope):
        return Evidence("control", "declines", reason=f"no power: {ONE_CLIENT}")
    if _selects(claim.world.beyond(docket.limits.search_m)) and not _selects(before.scope):
        return Evidence("control", "declines", reason=f"no power: {ONE_SELECTION}")
    if claim.world.partly:
        return Evidence("control", "declines", reason=f"no power: {claim.world.partly}")
    for control in (controls := _controls(claim)):
        seen = searched(claim, control.body, docket)
        if seen.refutes:
            because = f"the control is refuted: {control.because}"
            refuted = Evidence("control", "refutes", numbers={"trials": seen.trials}, reason=because)
            beyond: list[Any] = next(
                (e.scope for e in docket.found if (e.engine, e.outcome) == ("magnitudes", "silent")), []
            )
            return Evidence("falsify", "supports", [*before.scope, *beyond], before.numbers, rests_on=(refuted,))
    reason = f"no power: {_not_refuted(claim, *controls)}"
    return Evidence("control", "declines", numbers={"min_slack": seen.hunt.min_slack}, reason=reason)


def _not_refuted(claim: Claim, *controls: Control) -> str:
    """Which controls the search left standing; where none was given, how one is."""
    said = f"the search did not refute the control ({', '.join(c.because for c in controls)})"
    return said if claim.control else f"{said}, so {GIVE_ONE}"


def _of_many(shapes: Sequence[Any]) -> bool:
    """Whether some instances are of several clients."""
    return any(shape.get("m", 1) > 1 for shape in shapes)


def _selects(shapes: Iterable[Any]) -> bool:
    """Whether some instances are of fewer clients than there are."""
    return any("S" in shape and shape["S"] < shape.get("m", 1) for shape in shapes)


def _controls(claim: Claim) -> tuple[Control, ...]:
    """The claim's own control, else what stands in for one."""
    if claim.control is not None:
        return (claim.control,)
    by_default = default_controls(claim.body, claim.id)
    return by_default if claim.world.batched_scalars else (scaled_control(claim.body, claim.id),)


def _between(claim: Claim, docket: Docket, *, looked: bool) -> Evidence:
    """Whether the search looks between the parameters at which there are certificates, where conditions stand at points.

    At a parameter such conditions may leave instances of which nothing can be false; a default control that turns the sign
    would be refuted by these.
    """
    if not (claim.world.scalars or of_runs(claim.world)):  # there is nothing between
        return Evidence("control", "silent")
    control = claim.control or default_controls(claim.body, claim.id)[0]
    if looked and searched(claim, control.body, docket).refutes:
        return Evidence("control", "silent")
    if (looked or not claim.world.parts().drawn) and _by_others(claim, control, docket):
        return Evidence("control", "silent")
    reason = (
        f"there are certificates at listed parameters{' and lengths' if claim.world.index else ''} only, and "
        f"between them no power: {_not_refuted(claim, control)}"
    )
    return Evidence("control", "declines", reason=reason, doubt=True)


def _by_others(claim: Claim, control: Control, docket: Docket) -> bool:
    """Whether the engine that looks at the duals of certificates, and found nothing, refutes the control by an exact instance."""
    from .worst_case import adversary  # which asks the programs, and these the search

    if not any((e.engine, e.outcome) == ("adversary", "silent") for e in docket.found):
        return False
    asked = replace(docket, found=tuple(e for e in docket.found if e.outcome == "silent"))
    try:
        return adversary(replace(claim, body=control.body, control=None), asked).witness is not None
    except (NotApplicable, UsageError):
        return False


@dataclass(frozen=True)
class Searched:
    """Both parts of a search: the simple instances, and the hunt, which has not begun where one of them refutes."""

    simple: Simple
    hunt: Hunt

    @property
    def trials(self) -> int:
        return self.simple.trials + self.hunt.trials

    @property
    def refutes(self) -> bool:
        """Whether an exact replay refutes: at a simple instance, during the hunt, or at an instance of least slack."""
        if self.simple.refuting or self.hunt.refuted is not None:
            return True
        body, world, owner = self.hunt.body, self.hunt.world, self.hunt.owner
        last = (*self.hunt.candidates, *self.hunt.beyond)
        return any(exact.judge(body, world, free, owner).outcome == "refutes" for free in last)


def searched(claim: Claim, body: Body, docket: Docket) -> Searched:
    """The search within its limits; `body` is the claim's own, its control's or a mutant's.

    Raises
    ------
    NotApplicable
        If no draw of the parameters meets the stated conditions.
    """
    limits = docket.limits
    hunt = Hunt(body, claim.world, Floats(docket.xp, docket.device), limits.replays, owner=claim.id)
    first = simple(hunt, limits.simple, limits.search_m, limits.grid)
    if not first.refuting:
        try:
            hunt.spend(limits, docket.seed)
        except NotApplicable:
            if limits.simple:
                raise
            first = simple(
                hunt, limits.of(Search).unmet, limits.search_m, limits.grid
            )  # what no draw meets small rationals may
            if not first.trials:
                raise
    return Searched(first, hunt)


def simplest(claim: Claim, free: Free, docket: Docket) -> Free:
    """The worst instance of the smallest shape at which a short search refutes; `free` itself if it finds none."""
    return next(iter(smaller(claim, free.shape, docket, same=True)), free)


def smaller(claim: Claim, shape: Mapping[str, int], docket: Docket, *, same: bool = False) -> list[Free]:
    """The worst instance of the smallest shape below `shape` (or as large) at which a short search refutes, if any."""
    world, size = claim.world, sum(shape.values())
    for other in sorted(world.shapes(shape.get("m", 1)), key=lambda s: sum(s.values()))[: Search.sizes]:
        if sum(other.values()) >= size + same:
            break
        hunt = Hunt(claim.body, world.only(other), exhaust=True, owner=claim.id)
        try:
            hunt.run(Search.short, Search.short_m, docket.seed, Search.short_batch)
        except NotApplicable:  # the conditions were met by no draw at this size
            continue
        if hunt.refuted is not None:
            return [hunt.refuted]
    return []


def _has_equalities(world: World, shapes: Iterable[dict[str, int]]) -> bool:
    """Whether a condition at points is an equality of named points: draws meet it by rejection, where a vector is zero."""
    parts = world.parts()
    points = (*parts.at, *parts.clients_at)
    drawn = (free for shape in shapes for free in world.sample(np.random.default_rng(0), shape, 1, 1))
    free = next(drawn, None)
    if free is None:
        return False
    x = world.build(free, Floats())

    def reads_points(c: Condition) -> bool:
        try:
            c.relations(x.without(points))
        except UsageError:
            return True
        return False

    return any(r.op == "==" for c in world.at_points if reads_points(c) for r in c.relations(x))


def _tightness(hunt: Hunt, results: list[exact.Replay]) -> dict[str, float]:
    """The largest lhs/rhs that was decided, where right sides are positive."""
    ratios = [exact.ratio(r.relations) for r in results if r.outcome == "holds"]
    if not (hunt.positive and ratios and None not in ratios):
        return {}
    return {"tightness": max(r for r in ratios if r is not None)}


def _domain(hunt: Hunt, results: list[exact.Replay]) -> dict[str, str]:
    """Where a side was undefined."""
    reasons = sorted({r.reason for r in results if r.outcome == "domain"})
    if not (hunt.undefined or reasons):
        return {}
    where = f"a side is undefined at {f'{hunt.undefined} searched' if hunt.undefined else 'replayed'} instances"
    return {"domain": where + "".join(f" ({r})" for r in reasons)}
