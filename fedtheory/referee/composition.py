"""Verdicts on claims that are given lemmas: never stronger than the weakest of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..claim import Claim
from ..errors import UsageError
from ..formats import Document, Json
from ..outside import alike
from ..verdict import CONTRADICTION, LEMMA, POSITIVE, STRENGTH, TRUST, Verdict

CLIENTS = ("m", "S")
SHOWN = {"assumed": "z3"}  # what a lemma takes for granted is a condition of it, which is shown where it is used
CLOSED = "was"  # of an entry that is taken over: what its verdict rested on
CHANGED = ("verdict", "trust", "tier", "scope", "reason", "assumed")
UNKNOWN: Json = {"verdict": "unknown", "trust": "", "tier": None, "scope": None, "assumed": []}


def verify(claim: Claim | str, **options: object) -> Verdict:
    """Decide one claim, and the lemmas that it is given: its verdict is never stronger than theirs.

    Parameters
    ----------
    claim : Claim or str
        Made by the `claim` decorator, or the id of a published one, such as ``"pfedme/lemma2a"``.
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
    if isinstance(claim, str):
        from .. import registry  # which imports the paper of the claim

        claim = registry.claim(claim)
    if getattr(claim, "lemmas", ()):
        with_lemmas([claim])  # or two of one id would be taken for one
    return _with_its_lemmas(claim, options, {})


def _with_its_lemmas(claim: Claim, options: Json, known: dict[str, dict[str, object]]) -> Verdict:
    """The verdict on a claim and on its lemmas, each of which is decided once; `known` has the entries of these by id."""
    from . import decide  # with its engines, which other commands do without

    v = decide.verify(claim, **options)
    lemmas = {one.id: one for one in claim.lemmas}
    for id, one in lemmas.items():
        if id not in known:
            own = _with_its_lemmas(one, options, known)
            known[id] = {**own.to_json(), "certificate": own.certificate}
    if lemmas:
        entry = {**v.to_json(), "certificate": v.certificate}
        said = composed(entry, [known[id] for id in lemmas], known, lengths_of(claim))
        for name in ("given", *CHANGED):
            setattr(v, name, said[name])
        v.crashed |= bool(said.get("crashed"))
        v.certificate = said.get("certificate")
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
        for lemma in claim.lemmas:
            own = find(lemma.id) if find else lemma
            itself = own.id in (*above, claim.id)
            if own.body is not lemma.body or (own.world != lemma.world and not itself):
                raise UsageError(f"claim {claim.id}: its lemma {lemma.id} is another claim than the one of that id")
            add(own, (*above, claim.id))

    for claim in claims:
        add(claim, ())
    return list(out.values())


def of_its_lemmas_too(claim: Claim, own: Mapping[str, Mapping[str, object]]) -> Json:
    """The stored certificates of a claim, and of the lemmas that it is proved from, which its own certificate holds as well."""
    return {key: found for c in (claim, *claim.lemmas) for key, found in own.get(c.id, {}).items()}


def _same(one: Claim, other: Claim) -> bool:
    return alike(one.body, other.body) and one.world == other.world


def compose(entries: Iterable[Json], claims: Mapping[str, Claim]) -> list[Json]:
    """Report entries in which every verdict on a claim with lemmas is no stronger than theirs.

    An entry gets ``given``: ``[{"id", "verdict", "trust"}]`` of its lemmas, and ``alone``: what it says of itself where that
    is changed.
    """
    found = {e["id"]: {**e, **e["alone"], "alone": None, CLOSED: e["trust"]} if e.get("alone") else e for e in entries}
    done: dict[str, Json] = {}

    def final(id: str) -> Json:
        if id not in done:
            claim = claims.get(id)
            ids = list(dict.fromkeys(one.id for one in claim.lemmas)) if claim else []
            lemmas = [final(i) if i in found else missing(i) for i in ids]
            lengths = lengths_of(claim) if claim else frozenset()
            done[id] = composed(found[id], lemmas, {**found, **done}, lengths) if ids else found[id]
        return done[id]

    return [final(id) for id in found]


def missing(id: str) -> Json:
    """What is known of a lemma that was not decided."""
    return {"id": id, "verdict": "unknown", "trust": "", "reason": "it was not decided"}


def lengths_of(claim: Claim) -> frozenset[str]:
    """The sizes of which a claim is about all at once: where it says a limit, the lengths that its lemmas may list."""
    if not claim.limits:
        return frozenset()
    world: Any = claim.world
    below = [claim.world, *(one.world for one in with_lemmas(claim.lemmas))]
    return frozenset({w.index for w in below if w.index} - (world.sizes.keys() - {world.index}))


def composed(
    entry: dict[str, object],
    lemmas: Iterable[Json],
    known: Mapping[str, dict[str, object]],
    lengths: frozenset[str] = frozenset(),
) -> Json:
    """The entry of a claim with the verdicts on its lemmas; `known` has the entries of these and of their lemmas.

    Of `lengths` none may be listed: a limit does not follow from what is known at some.
    """
    found = {e["id"]: e for e in lemmas}
    given = [{name: e[name] for name in ("id", "verdict", "trust")} for e in found.values()]
    was = entry.pop(CLOSED, "")
    out = {**entry, "given": given}
    if entry["trust"] == "z3" and (was == "kernel" or accepted_with_lemmas(entry, known)):
        out["trust"] = "kernel"
    elif entry.get("certificate") and entry["trust"] == "z3":
        out.pop("certificate")
    if entry["verdict"] == "refuted" and _proved_given(entry) and all(e["verdict"] == "proved" for e in given):
        return {**out, **UNKNOWN, "reason": CONTRADICTION, "crashed": True}
    if entry["verdict"] not in POSITIVE:
        return out
    failing = [e for e in given if e["verdict"] not in POSITIVE]
    limiting = failing or [e for e in given if e["verdict"] != "proved"]
    if limiting:
        said = ", ".join(f"{e['id']}, which is {e['verdict']}" for e in limiting)
        out["reason"] = f"it holds given {said}"
    if failing:
        out |= UNKNOWN
    else:
        out["verdict"] = min((e["verdict"] for e in (entry, *limiting)), key=lambda verdict: STRENGTH[verdict])
        out["scope"] = _scope(entry, [found[e["id"]] for e in limiting])
        out["trust"] = max((out["trust"], *(SHOWN.get(e["trust"], e["trust"]) for e in given)), key=TRUST.index)
        if out["scope"] == []:
            ids = ", ".join(e["id"] for e in limiting)
            out |= UNKNOWN
            out["reason"] = f"there is no number of clients at which all that it stands on is known to hold ({ids})"
        listing = [e["id"] for e in limiting if lengths & _listed(found[e["id"]].get("scope"))]
        if listing:
            out |= UNKNOWN
            out["reason"] = f"a limit is about every length, and {', '.join(listing)} is certified at listed ones"
    if out["verdict"] != entry["verdict"]:
        out.pop("certificate", None)  # it shows what holds given the lemmas
    before = {name: entry.get(name, []) for name in CHANGED}
    return out | ({"alone": before} if any(out[name] != value for name, value in before.items()) else {})


def _proved_given(entry: Json) -> bool:
    """Whether an engine proves the claim from its lemmas."""
    return any(e["outcome"] == "proves" and e["numbers"].get("lemmas") for e in entry.get("evidence", ()))


def accepted_with_lemmas(entry: Mapping[str, object], known: Mapping[str, Mapping[str, object]]) -> bool:
    """Whether the stand-alone checker accepts the certificate of a theorem after those of its lemmas, each checked once."""
    return bool(_earlier(entry, known))


CHECKED: dict[tuple[int, ...], tuple[Any, Json]] = {}  # by certificates, which stay alive here


def _earlier(entry: Mapping[str, object], known: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """What the checker has accepted with a certificate and those of its lemmas, by id; nothing where it rejects one."""
    # not at the top, since `python -m fedtheory.fedtheory_check` runs that file by itself
    from ..fedtheory_check import accepted

    order = in_order([entry], known)
    key = tuple(map(id, order))
    if order and key not in CHECKED:
        parts = [_earlier({"id": one["id"], "certificate": one}, known) for one in order[:-1]]
        earlier = {id: said for part in parts for id, said in part.items()}
        uses = [use["lemma"] for use in order[-1].get("theorem", {}).get("uses", ())]
        at_hand = all(lemma in earlier for lemma in uses if isinstance(lemma, str))  # else all the work is for nothing
        good = all(parts) and at_hand and accepted(order[-1], earlier)[0] and entry["id"] in earlier
        CHECKED[key] = order, earlier if good else {}
    return CHECKED[key][1] if order else {}


def in_order(entries: Iterable[Mapping[str, object]], known: Mapping[str, Mapping[str, object]]) -> list[Json]:
    """The certificates of some entries, each after those of the lemmas that it uses."""
    out: dict[str, Json] = {}

    def add(entry: Document) -> None:
        certificate = entry.get("certificate")
        if not certificate or entry["id"] in out:
            return
        for use in certificate.get("theorem", {}).get("uses", ()):
            if isinstance(use["lemma"], str) and use["lemma"] in known:
                add(known[use["lemma"]])
        out[entry["id"]] = certificate

    for one in entries:
        add(one)
    return list(out.values())


def _scope(entry: Json, lemmas: Sequence[dict[str, object]]) -> Any:
    """Where a claim and each of its lemmas hold, at sizes that all of them have; what is another's scope says so.

    Empty where there are no such sizes.
    """
    limited = [e for e in (entry, *lemmas) if isinstance(e.get("scope"), list)]
    if len(limited) < 2:
        return limited[0]["scope"] if limited else entry["scope"]
    known = [[_sizes(p) for p in e["scope"]] for e in limited]
    shared = _joined(known)
    return [
        p if e is entry else _of_lemma(e["id"], p)
        for e in limited for p in e["scope"] if any(_agree(_sizes(p), sizes) for sizes in shared)
    ]  # fmt: skip


def _sizes(point: object) -> dict[str, int]:
    """How many clients there are at a point of a scope, and how many of them are selected, where it says so."""
    return {k: point[k] for k in CLIENTS if k in point} if isinstance(point, Mapping) else {}


def _listed(scope: object) -> set[str]:
    """The names of the sizes and parameters that a scope lists."""
    points = [p for p in scope if isinstance(p, Mapping)] if isinstance(scope, list) else []
    in_words = [part.partition("=") for p in points for part in str(p.get("sizes", "")).split(", ")]
    return {k for p in points for k in p} | {name for name, sign, _ in in_words if sign}


def _joined(known: Sequence[Sequence[dict[str, int]]]) -> list[dict[str, int]]:
    """The sizes that agree with one of each of some lists."""
    out: list[dict[str, int]] = [{}]
    for each in known:
        met = {tuple(sorted({**a, **b}.items())) for a in out for b in each if _agree(a, b)}
        out = [dict(sizes) for sizes in sorted(met)]
    return out


def _agree(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    return all(other.get(k, n) == n for k, n in one.items())


def _of_lemma(id: str, point: object) -> Any:
    return {LEMMA: id, **point} if isinstance(point, Mapping) else point  # the id of a lemma's own lemma stays
