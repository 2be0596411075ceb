"""The referee: asks every engine in order and combines what they say into one verdict."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from .._arrays import backend as namespace
from ..bodies import told
from ..claim import Claim
from ..engines.budget import budget_named
from ..engines.context import Docket, Stored
from ..errors import UsageError
from ..files import traced
from ..guard import OverTime, limited, noting
from ..verdict import CONTRADICTION, POSITIVE, Evidence, Verdict
from ..wellformed.evaluated_twice import audit
from ..wellformed.hollow import hollow
from ..wellformed.shapes import preflight
from .order import asked, beside, proving

if TYPE_CHECKING:
    from types import ModuleType

    from ..formats import Json

UNDEFINED_AT = "a side is undefined at "
DECIDES = {"proved": "proves", "certified": "certifies"}
TIERS = {"expectation": "enumeration", "gram": "certificate"}  # else the engine's own name


def verify(
    claim: Claim,
    *,
    budget: str = "quick",
    seed: int = 0,
    backend: str = "numpy",
    device: object = None,
    stored: Stored | None = None,
    xp: ModuleType | None = None,
    claim_limit: float | None = None,
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
    claim_limit : float, optional
        Seconds after which the claim is left undecided; none by default.

    Returns
    -------
    Verdict

    Raises
    ------
    UsageError
        If the claim, the budget or the backend is not usable as given.
    """
    _require_plain(claim, seed, stored)
    xp = namespace(backend) if xp is None else xp
    _require_arrays(xp, device)
    docket = Docket(budget_named(budget), int(seed), xp, device, {} if stored is None else stored)
    v = undecided(claim)
    started = time.perf_counter()
    try:
        with noting() as v.guards, limited(claim_limit):
            preflight(claim)
            audit(claim)
            v.hollow = "" if claim.limits else hollow(claim)
            ask(claim, docket, v)
        settle(claim, v)
    except OverTime:
        over(v, claim_limit)
    except UsageError as error:
        raise UsageError(told(str(error), f"claim {claim.id}")) from None
    except SystemExit as error:
        raise UsageError(f"claim {claim.id}: the body ends the program: SystemExit: {error}") from None
    except Exception as error:
        crashed(v, error)
    v.seconds = time.perf_counter() - started
    return v


def _require_plain(claim: Claim, seed: object, stored: object) -> None:
    """Refuse what is no claim, no seed and no store."""
    if not isinstance(claim, Claim):
        raise UsageError(f"verify(claim) needs a claim made by @claim(...), got {type(claim).__name__}")
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or seed < 0:
        raise UsageError(f"verify(seed=...) must be an integer of at least 0, got {seed!r}")
    if stored is not None and not isinstance(stored, dict):
        raise UsageError(f"verify(stored=...) must be a dict of certificates by key, got {stored!r}")


def settle(claim: Claim, v: Verdict) -> None:
    """The verdict on what was said, and what it rests on."""
    conclude(v)
    trust(v, clients_of(claim))
    if v.verdict in POSITIVE and claim.assumed:
        v.assumed = [{"why": a.printed, "row": a.would_be, "by": claim.id} for a in claim.assumed]
        v.trust, v.certificate = "assumed", None


def proof(claim: Claim, docket: Docket) -> Verdict:
    """What the engines that prove say until one does, and what they alone come to: no search, no figures of one."""
    v = undecided(claim)
    with noting() as v.guards:
        for stage in proving(claim):
            if docket.proved or v.hypotheses["satisfiable"] is False:
                break
            if stage.when(docket):
                said = stage.engine(claim, docket)
                v.take(said)
                docket = docket.after(said)
    settle(claim, v)
    return v


def crashed(v: Verdict, error: Exception) -> None:
    """Leave a claim undecided at which an engine is broken, with the traceback."""
    v.verdict, v.trust, v.tier, v.crashed, v.certificate = "unknown", "", None, True, None
    places, trace = traced(error)
    v.reason = f"an engine crashed: {type(error).__name__}: {error} ({places[-1]})"
    v.evidence.append(Evidence("referee", "fails", reason=trace))


def over(v: Verdict, limit: float | None) -> None:
    """Leave a claim undecided that took longer than it may."""
    v.verdict, v.trust, v.tier, v.scope, v.witness, v.certificate = "unknown", "", None, None, None, None
    v.reason = f"it was not decided within {limit:g} s, the limit of a claim (--claim-limit)"
    v.guards.append(v.reason)


def _require_arrays(xp: ModuleType, device: object) -> None:
    """Refuse what is no array namespace, and a device that it does not have."""
    if not callable(getattr(xp, "asarray", None)):
        raise UsageError(f"verify(xp=...) must be an array namespace such as array_api_compat.numpy, got {xp!r}")
    try:
        xp.asarray([0.0], device=device)
    except (TypeError, ValueError, RuntimeError, AttributeError) as error:
        why = " ".join(str(error).split())
        raise UsageError(f"verify(device=...) must be a device of {xp.__name__}, got {device!r}: {why}") from None


def undecided(claim: Claim) -> Verdict:
    """The verdict on a claim before any engine is asked."""
    return Verdict(
        claim.id, claim.id.split("/")[0], claim.locator, claim.kind, claim.step, claim.latex,
        uses=list(claim.uses), note=claim.note, source=claim.source,
        hypotheses={"satisfiable": None, "homogeneous": None, "met_in_experiments": None, "needed": None},
    )  # fmt: skip


def ask(claim: Claim, docket: Docket, v: Verdict) -> None:
    """Ask the engines in order and enter what they say; none is asked about hypotheses that cannot hold together."""
    for stage in asked(claim):
        if stage.when(docket) and v.hypotheses["satisfiable"] is not False:
            said = stage.engine(claim, docket)
            v.take(said)
            docket = docket.after(said)


def conclude(v: Verdict) -> None:
    """The verdict on what was said, by the order of precedence: vacuous, refuted, proved, certified, supported, unknown."""
    aside = beside()
    said = {e.outcome: e for e in reversed(v.evidence) if e.engine not in aside}
    empty = next((e.reason for e in v.evidence if e.engine == "exhibit" and e.outcome == "declines"), "")
    doubt = next((e.reason for e in v.evidence if e.doubt), "")
    if v.hypotheses["satisfiable"] is False:
        v.verdict, v.tier, v.scope = "vacuous", "smt", "all"
        v.reason = "the stated conditions cannot hold together"
    elif "refutes" in said and "proves" in said and not said["proves"].numbers.get("lemmas"):
        v.crashed, v.reason = True, CONTRADICTION
    elif "refutes" in said:
        v.verdict, v.tier = "refuted", "exact"
        v.scope = [v.witness["shape"]] if v.witness else None
        v.replay = f"fedtheory replay REPORT.json {v.id}"
    elif doubt:
        v.reason = doubt
    elif empty:
        v.reason = empty
    elif "proves" in said:
        v.verdict, v.tier, v.scope = "proved", said["proves"].engine, "all"
    elif "certifies" in said:
        e = said["certifies"]
        v.verdict, v.tier, v.scope = "certified", TIERS.get(e.engine, e.engine), e.scope
    elif "supports" in said:
        e = said["supports"]
        v.verdict, v.tier, v.scope = "supported", TIERS.get(e.engine, e.engine), e.scope
    else:
        v.reason = "; ".join(e.reason for e in v.evidence if e.reason) or "no engine decided it"


def clients_of(claim: Claim) -> Json:
    """Whether a claim is about one client, or about several of them alone, and all that may be chosen: its certificate says so."""
    counts = claim.world.sizes.get("m", (1, 2))
    clients: Json = {"clients": "one"} if max(counts) == 1 else {"clients": "several"} if min(counts) > 1 else {}
    chosen = [
        ", ".join(f"{k}={v}" for k, v in one.items())
        for one in claim.world.to_choose({"m": 1}, generic=max(counts) > 1)
    ]
    return {**clients, **({"choices": chosen} if chosen != [""] else {})}


def trust(v: Verdict, clients: Json) -> None:
    """On what the verdict rests, apart from lemmas; a certificate counts when the stand-alone checker accepts it."""
    v.trust = {"refuted": "replayed", "supported": "search", "unknown": ""}.get(v.verdict, "z3")
    if v.verdict not in DECIDES:
        return
    said = [e for e in v.evidence if e.outcome == DECIDES[v.verdict]]
    decides = next((e for e in said if e.certificate is not None), None)
    if decides is None:
        return
    parts = decides.certificate or []
    if not parts and decides.theorem is None:  # it is a lemma as it stands
        v.trust = "kernel"
        return
    # what is undefined for all parameters in a part of the scope needs no certificate there
    scope = "all" if v.verdict == "proved" else [part["where"] for part in parts]
    claim: Json = {"id": v.id, "verdict": v.verdict, "scope": scope, "parts": parts, **clients}
    if decides.theorem is not None:
        claim["theorem"] = decides.theorem
    if undefined := str(decides.figures.get("domain", "")).removeprefix(UNDEFINED_AT):
        claim["undefined"] = undefined.split("; ")
    if decides.theorem is not None and any(isinstance(use["lemma"], str) for use in decides.theorem["uses"]):
        v.certificate = claim  # which the checker accepts, or not, once those of the lemmas are at hand
        return
    # not at the top, since `python -m fedtheory.fedtheory_check` runs that file by itself
    from ..fedtheory_check import accepted

    if accepted(claim)[0]:
        v.trust, v.certificate = "kernel", claim
