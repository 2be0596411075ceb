"""The referee: runs every engine that applies to a claim and combines what they say into one verdict."""

from __future__ import annotations

import dataclasses
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import backend as namespace
from ..claim import Body, Claim
from ..engines import best, certify, exact, lift, smt
from ..engines import search as falsify
from ..engines.certify import Stored
from ..errors import NotApplicable, UsageError, did_you_mean
from ..files import traced
from ..numbers import Floats
from ..units import Unit, UnitsMismatch
from ..verdict import Evidence, Verdict
from ..world import Free
from .witness import witness

CHECK_BATCH = 50


@dataclass(frozen=True)
class Budget:
    """Counts, never seconds: instances for the claim and for its control, exact replays, clients, z3 steps, grid."""

    name: str
    instances: int
    replays: int
    largest_m: int
    rlimit: int
    grid: int
    batch: int = falsify.BATCH


BUDGETS = {
    "quick": Budget("quick", 2_000, 5, 2, 2_000_000, 2),
    "standard": Budget("standard", 50_000, 125, 3, 50_000_000, 4),
    "deep": Budget("deep", 2_000_000, 5_000, 4, 2_000_000_000, 8),
}


def budget_named(name: str) -> Budget:
    """The budget called `name`.

    Raises
    ------
    UsageError
        If there is none.
    """
    if name not in BUDGETS:
        raise UsageError(f"--budget must be one of {', '.join(BUDGETS)}, got {name!r}{did_you_mean(name, BUDGETS)}")
    return BUDGETS[name]


def verify(
    claim: Claim,
    *,
    budget: str = "quick",
    seed: int = 0,
    backend: str = "numpy",
    device: Any = None,
    stored: Stored | None = None,
    xp: Any = None,
) -> Verdict:
    """Decide one claim.

    Parameters
    ----------
    claim : Claim
        Made by the `claim` decorator.
    budget : {"quick", "standard", "deep"}
        Counts of instances, replays, clients and solver steps.
    seed : int
        Same seed and budget, same verdict, on every backend.
    backend : {"numpy", "torch", "cupy"}
        Where the search runs.
    stored : dict, optional
        Certificates by key; found ones are re-checked without a solver and new ones are added.

    Returns
    -------
    Verdict

    Raises
    ------
    UsageError
        If the claim, the budget or the backend is not usable as given.
    """
    if not isinstance(claim, Claim):
        raise UsageError(f"verify(claim) needs a claim made by @claim(...), got {type(claim).__name__}")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise UsageError(f"verify(seed=...) must be an integer of at least 0, got {seed!r}")
    limits = budget_named(budget)
    xp = namespace(backend) if xp is None else xp
    v = Verdict(
        claim.id, claim.id.split("/")[0], claim.locator, claim.kind, claim.step, claim.latex,
        uses=list(claim.uses), note=claim.note, source=claim.source,
        hypotheses={"satisfiable": None, "homogeneous": None, "met_in_experiments": None, "needed": None},
    )  # fmt: skip
    started = time.perf_counter()
    try:
        preflight(claim)
        _decide(claim, v, limits, seed, xp, device, stored if stored is not None else {})
    except UsageError:
        raise
    except Exception as error:
        v.verdict, v.tier, v.crashed = "unknown", None, True
        places, told = traced(error)
        v.reason = f"an engine crashed: {type(error).__name__}: {error} ({places[-1]})"
        v.evidence.append(Evidence("referee", "fails", reason=told))
    v.seconds = time.perf_counter() - started
    return v


def preflight(claim: Claim) -> None:
    """Run the body on one small batch and check the shapes of its relations.

    Raises
    ------
    UsageError
        If a side is neither ``(..., 1)`` nor ``(..., m)``, or the body itself raises.
    """
    world = claim.world
    if not hasattr(world, "shapes"):
        raise UsageError(
            f"claim {claim.id}: world=... must be a world such as Scalars(...) or Points(...), got {world!r}"
        )
    shape = (world.shapes(2) or [{}])[-1]
    try:
        free = next(iter(world.sample(np.random.default_rng(0), shape, 1, 3)))
    except NotApplicable:
        return
    with np.errstate(all="ignore"):
        x = world.build(free, Floats())
        bodies = {"": claim.body} | ({" (control)": claim.control.body} if claim.control else {})
        for what, body in bodies.items():
            for side, value in _sides(claim, body, x, what):
                if hasattr(value, "shape") and (
                    value.ndim > 2 or (value.ndim and value.shape[-1] not in (1, shape.get("m", 1)))
                ):
                    raise UsageError(
                        f"claim {claim.id}{what}: the {side} has shape {tuple(value.shape)} for 3 instances with "
                        f"m={shape.get('m', 1)}; a side must be (..., 1) or (..., m), so take x.sq, x.dot, x.mean or x.total"
                    )


def _sides(claim: Claim, body: Body, x: Any, what: str) -> list[tuple[str, Any]]:
    from ..relation import as_relations

    try:
        relations = as_relations(body(x), claim.id + what)
    except NotApplicable as error:
        raise UsageError(f"claim {claim.id}{what}: {error}") from None
    except UsageError:
        raise
    except ZeroDivisionError:  # a side is undefined at these sizes; the search and the replay say so
        return []
    except Exception as error:
        line = next(
            (f.lineno for f in reversed(traceback.extract_tb(error.__traceback__)) if f.filename == _file(body)), None
        )
        at = f" at line {line}" if line else ""
        raise UsageError(f"claim {claim.id}{what}: the body raises {type(error).__name__}{at}: {error}") from None
    return [(side, getattr(r, side)) for r in relations for side in ("lhs", "rhs")]


def _file(body: Body) -> str:
    code = getattr(body, "__code__", None)
    return code.co_filename if code else ""


def _decide(claim: Claim, v: Verdict, limits: Budget, seed: int, xp: Any, device: Any, stored: Stored) -> None:
    _units(claim, v)
    _smt(claim, v, limits)
    if v.hypotheses["satisfiable"] is False:
        v.verdict, v.tier, v.scope = "vacuous", "smt", "all"
        v.reason = "the stated conditions cannot hold together"
        return
    if v.witness is None and not _proved(v):
        v.evidence.append(lift.lift(claim, stored=stored, rlimit=limits.rlimit, partial=limits.name != "quick"))
    # a proof is cross-checked on as many instances, in larger batches and with fewer replays of rounding noise
    effort = dataclasses.replace(limits, replays=1, batch=CHECK_BATCH) if _proved(v) else limits
    searched = _falsify(claim, v, effort, seed, xp, device)
    if not claim.world.batched_scalars and v.witness is None and not (_proved(v) and limits.name == "quick"):
        e = certify.certify(claim, largest_m=limits.largest_m, grid=limits.grid, stored=stored)
        v.evidence.append(e)
        if v.tightness is not None and e.numbers.get("sdp_tightness") is not None:
            v.tightness = max(v.tightness, e.numbers["sdp_tightness"])
    if _proved(v) and limits.name != "quick" and not claim.world.batched_scalars:
        v.evidence.append(best.best_constant(claim, rlimit=limits.rlimit))
    if searched is not None and not any(e.outcome in ("proves", "certifies") for e in v.evidence):
        _power(claim, v, limits, seed, xp, device, searched)
    outcomes = {e.outcome for e in v.evidence if e.engine not in ("units", "control")}
    if "refutes" in outcomes and "proves" in outcomes:
        v.crashed = True
        v.reason = "internal error: one engine proves what another refutes"
    elif "refutes" in outcomes:
        v.verdict, v.tier = "refuted", "exact"
        v.scope = [v.witness["shape"]] if v.witness else None
        v.replay = f"fedtheory replay REPORT.json {claim.id}"
    elif "proves" in outcomes:
        e = next(e for e in v.evidence if e.outcome == "proves")
        v.verdict, v.tier, v.scope = "proved", e.engine, "all"
    elif "certifies" in outcomes:
        e = next(e for e in v.evidence if e.outcome == "certifies")
        v.verdict, v.scope = "certified", e.scope
        v.tier = {"expectation": "enumeration", "gram": "certificate"}.get(e.engine, e.engine)
    elif "supports" in outcomes:
        v.verdict, v.tier = "supported", "falsify"
        v.scope = next(e.scope for e in v.evidence if e.engine == "falsify")
    elif not v.reason:
        v.reason = "; ".join(e.reason for e in v.evidence if e.reason) or "no engine decided it"


def _units(claim: Claim, v: Verdict) -> None:
    try:
        x = claim.world.units()
    except (UnitsMismatch, NotApplicable) as error:
        v.hypotheses["homogeneous"] = None if isinstance(error, NotApplicable) else False
        v.evidence.append(Evidence("units", "declines", numbers={"homogeneous": False}, reason=f"conditions: {error}"))
        return
    v.hypotheses["homogeneous"] = not any(_mismatch(r) for r in x.given)
    try:
        wrong = [m for m in map(_mismatch, claim.relations(x)) if m]
    except UnitsMismatch as error:
        wrong = [str(error)]
    except (NotApplicable, ZeroDivisionError) as error:
        v.evidence.append(Evidence("units", "declines", reason=str(error)))
        return
    v.evidence.append(
        Evidence(
            "units", "declines" if wrong else "supports", numbers={"homogeneous": not wrong}, reason="; ".join(wrong)
        )
    )


def _mismatch(r: Any) -> str:
    for a, b in np.broadcast(np.asarray(r.lhs, dtype=object), np.asarray(r.rhs, dtype=object)):
        if not Unit.of(a).same(Unit.of(b)):
            return f"a relation between [{a}] and [{b}]"
    return ""


def _smt(claim: Claim, v: Verdict, limits: Budget) -> None:
    shapes = claim.world.shapes(limits.largest_m) or [{}]
    if not claim.world.batched_scalars:
        answers = (smt.satisfiable(claim.world, shape, rlimit=limits.rlimit) for shape in shapes)
        v.hypotheses["satisfiable"] = next((a for a in answers if a is not False), False)
        return
    proved, empty = [], []
    for shape in shapes:
        try:
            answer = smt.decide(claim.body, claim.world, shape, rlimit=limits.rlimit, owner=claim.id)
        except NotApplicable as error:
            v.evidence.append(Evidence("smt", "declines", reason=str(error)))
            return
        if answer.outcome == "vacuous":
            empty.append(shape)
            continue
        v.hypotheses["satisfiable"] = answer.satisfiable
        if answer.outcome == "refutes" and answer.free is not None:
            result = exact.replay(claim.body, claim.world, answer.free, claim.id)
            if result.outcome == "refutes":
                _refuted(claim, v, answer.free, "smt")
            else:
                reason = f"z3's model replays as {result.outcome}: {result.reason}"
                v.evidence.append(Evidence("smt", "declines", reason=reason))
            return
        if answer.outcome != "proves":
            v.evidence.append(Evidence("smt", "declines", [shape], reason=answer.reason))
            return
        proved.append(shape)
    if not proved:
        v.hypotheses["satisfiable"] = False
        v.evidence.append(Evidence("smt", "proves", empty, reason="z3: the conditions are unsatisfiable"))
        return
    everywhere = proved == [{}]
    numbers = _conditions(claim, v, proved[0], limits) if limits.name != "quick" else {}
    outcome = "proves" if everywhere else "certifies"
    v.evidence.append(Evidence("smt", outcome, "all" if everywhere else proved, numbers))


def _conditions(claim: Claim, v: Verdict, shape: dict[str, int], limits: Budget) -> dict[str, Any]:
    """Which stated conditions a proved claim needs, and which are its exact boundary."""
    try:
        found = smt.boundaries(claim.body, claim.world, shape, rlimit=limits.rlimit, owner=claim.id)
    except NotApplicable:  # the claim is proved all the same
        return {}
    if found and all(b.needed is not None for b in found):
        v.hypotheses["needed"] = all(b.needed for b in found)
    return {"needed": [b.name for b in found if b.needed], "sharp": [b.name for b in found if b.sharp],
            "can be dropped": [b.name for b in found if b.needed is False]}  # fmt: skip


def _proved(v: Verdict) -> bool:
    return any(e.outcome == "proves" for e in v.evidence)


def _search(claim: Claim, body: Body, limits: Budget, seed: int, xp: Any, device: Any) -> falsify.Search:
    return falsify.search(
        body, claim.world, judge=_judge(claim, body), instances=limits.instances, largest_m=limits.largest_m,
        seed=seed, keep=limits.replays, batch=limits.batch, xp=xp, device=device, owner=claim.id,
    )  # fmt: skip


def _judge(claim: Claim, body: Body) -> Callable[[Free], tuple[str, float]]:
    def one(free: Free) -> tuple[str, float]:
        r = exact.replay(body, claim.world, free, claim.id)
        return r.outcome, min((exact.slack(s) for s in r.relations), default=0.0)

    return one


def _falsify(claim: Claim, v: Verdict, limits: Budget, seed: int, xp: Any, device: Any) -> dict[str, Any] | None:
    """Search for a counterexample; the figures of a search that found none and decided something, else None."""
    world = claim.world
    try:
        found = _search(claim, claim.body, limits, seed, xp, device)
    except NotApplicable as error:
        v.evidence.append(Evidence("falsify", "declines", reason=str(error)))
        return None
    v.trials, v.min_slack = found.trials, found.min_slack
    numbers = {"trials": found.trials, "min_slack": found.min_slack, "replays": found.judged + len(found.candidates)}
    if found.refuted is not None:
        _refuted(claim, v, simplest(claim, found.refuted, seed, _judge(claim, claim.body)), "falsify", numbers)
        return None
    results = [exact.replay(claim.body, world, free, claim.id) for _, free in found.candidates]
    ratios = [exact.ratio(r.relations) for r in results if r.outcome == "holds"]
    if found.positive and ratios and None not in ratios:
        v.tightness = max(r for r in ratios if r is not None)
    if any(r.outcome in ("holds", "domain") for r in results):
        v.hypotheses["satisfiable"] = True
    if found.undefined or any(r.outcome == "domain" for r in results):
        reasons = sorted({r.reason for r in results if r.outcome == "domain"})
        v.domain = f"a side is undefined at {found.undefined} searched instances" + "".join(f" ({r})" for r in reasons)
    refuting = next(
        (free for (_, free), r in zip(found.candidates, results, strict=True) if r.outcome == "refutes"), None
    )
    if refuting is not None:
        _refuted(claim, v, simplest(claim, refuting, seed, _judge(claim, claim.body)), "falsify", numbers)
        return None
    if not found.trials or not any(r.outcome == "holds" for r in results):
        reason = "no searched instance was decided exactly"
        v.evidence.append(Evidence("falsify", "declines", numbers=numbers, reason=reason))
        return None
    return numbers


def _power(claim: Claim, v: Verdict, limits: Budget, seed: int, xp: Any, device: Any, numbers: dict[str, Any]) -> None:
    """The claim is supported if the same search refutes its control."""
    if claim.control is None:
        v.evidence.append(Evidence("falsify", "declines", numbers=numbers, reason="no power: the claim has no control"))
        return
    against = _search(claim, claim.control.body, limits, seed, xp, device)
    judge = _judge(claim, claim.control.body)
    if against.refuted is None and not any(judge(f)[0] == "refutes" for _, f in against.candidates):
        reason = f"no power: the search did not refute the control ({claim.control.because})"
        v.evidence.append(Evidence("control", "declines", numbers={"min_slack": against.min_slack}, reason=reason))
        return
    because = f"the control is refuted: {claim.control.because}"
    v.evidence.append(Evidence("control", "refutes", numbers={"trials": against.trials}, reason=because))
    v.evidence.append(Evidence("falsify", "supports", claim.world.shapes(limits.largest_m), numbers))


def simplest(claim: Claim, free: Free, seed: int, judge: Callable[[Free], tuple[str, float]]) -> Free:
    """The worst instance of the smallest shape at which a short search refutes; `free` itself if it finds none."""
    world = claim.world
    size = sum(free.shape.values())
    for shape in sorted(world.shapes(free.shape.get("m", 1)), key=lambda s: sum(s.values())):
        if sum(shape.values()) > size:
            break
        only = world.only(shape)
        try:
            found = falsify.search(
                claim.body, only, instances=400, largest_m=9, seed=seed, judge=judge, exhaust=True, owner=claim.id
            )
        except NotApplicable:  # the conditions were met by no draw at this size
            continue
        if found.refuted is not None:
            return found.refuted
    return free


def _refuted(claim: Claim, v: Verdict, free: Free, engine: str, numbers: Any = None) -> None:
    free, result = exact.shrink(claim.body, claim.world, free, claim.id)
    v.witness = witness(free, result)
    worst = result.worst
    if worst is not None:
        v.min_slack, v.tightness = exact.slack(worst), exact.ratio(result.relations)
    v.evidence.append(Evidence(engine, "refutes", [free.shape], numbers or {}, "replayed exactly"))
