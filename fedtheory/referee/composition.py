"""Verdicts on claims that are given lemmas: never stronger than the weakest of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..claim import Claim
from ..errors import UsageError
from ..outside import alike
from ..verdict import LEMMA, POSITIVE, STRENGTH, TRUST, Verdict

CHANGED = ("verdict", "trust", "tier", "scope", "reason")


def verify(claim: Claim, **options: Any) -> Verdict:
    """Decide one claim, and the lemmas that it is given: its verdict is never stronger than theirs.

    Parameters
    ----------
    claim : Claim
        Made by the `claim` decorator.
    **options
        budget, seed, backend, device, stored, xp: see `referee.decide.verify`.

    Returns
    -------
    Verdict

    Raises
    ------
    UsageError
        If the claim, a lemma, or an option is not usable as given.
    """
    if getattr(claim, "premises", ()):
        with_lemmas([claim])  # or two of one id would be taken for one
    return _with_its_lemmas(claim, options, {})


def _with_its_lemmas(claim: Claim, options: dict[str, Any], known: dict[str, dict[str, Any]]) -> Verdict:
    """The verdict on a claim and on its lemmas, each of which is decided once; `known` has the entries of these by id."""
    from . import decide  # with its engines, which other commands do without

    v = decide.verify(claim, **options)
    lemmas = {p.claim.id: p.claim for p in claim.premises}
    for id, one in lemmas.items():
        if id not in known:
            known[id] = _with_its_lemmas(one, options, known).to_json()
    if lemmas:
        said = composed(v.to_json(), [known[id] for id in lemmas])
        for name in ("given", *CHANGED):
            setattr(v, name, said[name])
    return v


def with_lemmas(claims: Iterable[Claim], find: Callable[[str], Claim] | None = None) -> list[Claim]:
    """The claims, each followed by the lemmas that it stands on, as `find` gives them; else those that it was given.

    Raises
    ------
    UsageError
        If a claim stands on itself, two claims have one id, or a lemma is not what is found under its id.
    """
    out: dict[str, Claim] = {}

    def add(claim: Claim, above: tuple[str, ...]) -> None:
        if claim.id in above:
            raise UsageError(f"claim {claim.id} stands on itself: {' <- '.join([*above, claim.id])}")
        if claim.id in out and not _same(claim, out[claim.id]):
            raise UsageError(f"two different claims have the id {claim.id}; give one of them another id")
        if claim.id in out:
            return
        out[claim.id] = claim
        for p in claim.premises:
            own = find(p.claim.id) if find else p.claim
            itself = own.id in (*above, claim.id)
            if own.body is not p.claim.body or (own.world != p.claim.world and not itself):
                raise UsageError(f"claim {claim.id}: its lemma {p.claim.id} is another claim than the one of that id")
            add(own, (*above, claim.id))

    for claim in claims:
        add(claim, ())
    return list(out.values())


def _same(one: Claim, other: Claim) -> bool:
    return alike(one.body, other.body) and one.world == other.world


def compose(entries: Iterable[dict[str, Any]], claims: Mapping[str, Claim]) -> list[dict[str, Any]]:
    """Report entries in which every verdict on a claim with lemmas is no stronger than theirs.

    An entry gets ``given``: ``[{"id", "verdict", "trust"}]`` of its lemmas, and ``alone``: what it says of itself where that
    is changed.
    """
    found = {e["id"]: {**e, **e["alone"], "alone": None} if e.get("alone") else e for e in entries}
    done: dict[str, dict[str, Any]] = {}

    def final(id: str) -> dict[str, Any]:
        if id not in done:
            claim = claims.get(id)
            ids = list(dict.fromkeys(p.claim.id for p in claim.premises)) if claim else []
            done[id] = composed(found[id], [final(i) if i in found else missing(i) for i in ids]) if ids else found[id]
        return done[id]

    return [final(id) for id in found]


def missing(id: str) -> dict[str, Any]:
    """What is known of a lemma that was not decided."""
    return {"id": id, "verdict": "unknown", "trust": "", "reason": "it was not decided"}


def composed(entry: dict[str, Any], lemmas: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The entry of a claim with the verdicts on its lemmas."""
    found = {e["id"]: e for e in lemmas}
    given = [{name: e[name] for name in ("id", "verdict", "trust")} for e in found.values()]
    out = {**entry, "given": given}
    if entry["verdict"] not in POSITIVE:
        return out
    failing = [e for e in given if e["verdict"] not in POSITIVE]
    limiting = failing or [e for e in given if e["verdict"] != "proved"]
    if limiting:
        said = ", ".join(f"{e['id']}, which is {e['verdict']}" for e in limiting)
        out["reason"] = f"it holds given {said}"
    if failing:
        out |= {"verdict": "unknown", "trust": "", "tier": None, "scope": None}
    else:
        out["verdict"] = min((e["verdict"] for e in (entry, *limiting)), key=lambda verdict: STRENGTH[verdict])
        out["scope"] = _scope(entry, [found[e["id"]] for e in limiting])
        out["trust"] = max((e["trust"] for e in (entry, *given)), key=TRUST.index)
    if out["verdict"] != entry["verdict"]:
        out.pop("certificate", None)  # it shows what holds given the lemmas
    before = {name: entry[name] for name in CHANGED}
    return out | ({"alone": before} if any(out[name] != value for name, value in before.items()) else {})


def _scope(entry: dict[str, Any], lemmas: Sequence[dict[str, Any]]) -> Any:
    """Where a claim holds, and where each of its lemmas does; what is another's scope says so where there are several."""
    limited = [e for e in (entry, *lemmas) if isinstance(e.get("scope"), list)]
    if len(limited) < 2:
        return limited[0]["scope"] if limited else entry["scope"]
    return [p if e is entry else _of_lemma(e["id"], p) for e in limited for p in e["scope"]]


def _of_lemma(id: str, point: Any) -> Any:
    return {LEMMA: id, **point} if isinstance(point, Mapping) else point  # the id of a lemma's own lemma stays
