"""The evidence that a paper ships: what decided each claim, and the checks that it decides it still.

``evidence.json`` of a paper has for a claim what the engines said, with its proof or counterexample, under the hash of what the
claim says (`statement`) and of the sources of the engines. A claim that says something else, or engines that are others, have no
evidence. Of what has some

- a proof is checked by the stand-alone checker, and it must be one of this claim's verdict and scope;
- a counterexample is replayed exactly, on the claim as it is now, and every condition must hold there;
- what a search supports is searched again with the same counts, and the search must find nothing at the same sizes, in as many
  instances and as near, and refute the control; what other searches found nothing in is believed;
- what has the word of a solver (also that conditions cannot hold together), or rests on something assumed, is proved again by the
  engines that prove, and they must say the same; that the search found nothing beside them is believed.

The relations, hypotheses and sides in a proof are those of the claim since the hash covers them: they are not computed again.
Figures (tightness, slack, instances looked at) are those of the shipped evidence. All else is decided.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..claim import Claim
from ..drafts.source_names import files_of
from ..errors import NotApplicable, UsageError
from ..formats import Document, Json
from ..registry import packages_of_engines
from .cache import STATED, Sources, digest, digest_of_json
from .composition import accepted_with_lemmas, of_its_lemmas_too
from .statement import statement

if TYPE_CHECKING:  # with its arrays, which a list of claims does without
    from ..engines.context import Docket, Stored

VERSION = 1
RECHECKED, SEARCHED, PROVED = "re-checked", "searched again", "proved again"
# rooms of fedtheory that decide nothing
ASIDE = ("commands", "latex", "mutants", "rates", "regions", "schemas", "show", "templates", "testing", "theory")
GROUND = ("cli", "__main__", "catalogue")  # and files beside them
TOLD = ("z3", "assumed")  # trust that no certificate gives
# of an entry, what is the claim's own, the run's or the report's
NOT_KEPT = (*STATED, "paper", "repair", "seconds", "key", "cached", "certificate", "shipped", "given", "alone")
TIMED = ("median_ms",)
ROUNDED = 0.01  # of the instances and of the least slack of a search that is made again where floats round otherwise
RESTS = ("verdict", "trust", "tier", "scope", "assumed")  # of what proves


@functools.cache
def engines() -> str:
    """The hash of the sources that decide claims: the engines, their numbers and worlds; papers count by what a claim says."""
    files = [f for f in files_of("fedtheory") if f.parent.name != "fedtheory" or f.stem not in GROUND]
    kept = [f for f in files if not set(_within(f, "fedtheory")) & set(ASIDE)]
    others = [f for package in ("problems", *packages_of_engines()) for f in files_of(package)]
    return Sources().digest((*kept, *others))


def _within(file: Path, package: str) -> tuple[str, ...]:
    """The folders between a package and a file of it."""
    parts = file.parts[:-1]
    return parts[len(parts) - parts[::-1].index(package) :] if package in parts else ()


def says(claim: Claim) -> str:
    """The hash under which the evidence of a claim stands."""
    control = None if claim.control is None else statement(claim.control)  # type: ignore[arg-type]  # of any value
    return digest([VERSION, claim.id, statement(claim), control])


def written(entries: Iterable[Document], claims: Mapping[str, Claim], **options: object) -> dict[str, Json]:
    """The evidence file of each paper, of entries as the ledger yields them; claims that crashed or were ended have none."""
    papers: dict[str, Json] = {}
    for e in entries:
        if e.get("crashed") or e.get("guards") or e["verdict"] == "unknown":
            continue
        said = {name: value for name, value in e.items() if name not in NOT_KEPT}
        said["hypotheses"] = {**e["hypotheses"], "met_in_experiments": None}
        said["evidence"] = [_untimed(one) for one in e["evidence"]]
        one = json.loads(json.dumps({"says": says(claims[e["id"]]), "entry": said, "proof": e.get("certificate")}))
        file = papers.setdefault(
            e["id"].split("/")[0],
            {"schema": "fedtheory evidence", "version": VERSION, "engines": engines(), **options, "claims": {}},
        )
        file["claims"][e["id"]] = one | {"check": digest(one)}
    return papers


def _untimed(evidence: Document) -> Json:
    """What an engine said, without the times among its numbers."""
    return {**evidence, "numbers": {k: v for k, v in evidence["numbers"].items() if k not in TIMED}}


def in_lines(file: Document) -> str:
    """An evidence file with a line a claim."""
    head = json.dumps({**file, "claims": {}}).removesuffix("}}")
    short = {"separators": (",", ":"), "ensure_ascii": False}
    lines = (f"{json.dumps(id)}: {json.dumps(one, **short)}" for id, one in file["claims"].items())  # type: ignore[arg-type]
    return head + "\n" + ",\n".join(lines) + "\n}}\n"


class Shipped:
    """The evidence of papers, as far as it was made with the options of a run.

    Parameters
    ----------
    files : iterable of mapping
        Evidence files.
    options : plain data
        Budget, seed, backend.
    stored : mapping
        Stored certificates by claim and key, for what is proved again.
    """

    def __init__(
        self, files: Iterable[Document], options: Document, stored: Mapping[str, Stored] | None = None
    ) -> None:
        self._stored = stored or {}
        self._stood: dict[str, tuple[Claim, bool]] = {}  # a claim is a lemma of many
        wanted = {"engines": engines(), **options}
        same = (f for f in files if all(f.get(name) == value for name, value in wanted.items()))
        self._claims = {id: one for f in same for id, one in f["claims"].items()}
        self._options = options

    def stands(self, claim: Claim) -> bool:
        """Whether there is evidence of what the claim says, undamaged; nothing of it is checked."""
        claimed, stands = self._stood.get(claim.id, (None, False))
        if claimed is not claim:
            one = self._claims.get(claim.id, {})
            kept = {name: one.get(name) for name in ("says", "entry", "proof")}
            stands = one.get("says") == says(claim) and one.get("check") == digest_of_json(kept)
            self._stood[claim.id] = claim, stands
        return stands

    def get(self, claim: Claim) -> Json | None:
        """The entry of a claim whose evidence is good, as a run that decides it would write it; else None."""
        if not self.stands(claim):
            return None
        one = self._claims[claim.id]
        said = one["entry"]
        how = self._holds(claim, said, one["proof"])
        if not how:
            return None
        from ..verdict import Verdict

        blank = Verdict(claim.id, claim.id.split("/")[0]).to_json()
        own = {name: getattr(claim, name) for name in STATED if name != "repair"}
        own["uses"] = list(claim.uses)
        entry = blank | said | own | {"shipped": how, "seconds": 0.0}
        if one["proof"] is not None:
            entry["certificate"] = one["proof"]
        return entry

    def _holds(self, claim: Claim, said: Document, proof: Mapping[str, object] | None) -> str:
        """How the evidence was checked; empty where there is none that can be, or it fails."""
        if said["verdict"] == "refuted":
            return RECHECKED if _replays(claim, said["witness"]) else ""
        if proof is not None and self._proves(claim, said, proof):
            return RECHECKED
        if said["verdict"] in ("proved", "vacuous") and said["trust"] in TOLD:
            return PROVED if self._proves_again(claim, said) else ""
        if said["verdict"] == "supported" and said["trust"] == "search":
            return SEARCHED if self._supports(claim, said) else ""
        return ""

    def _proves(self, claim: Claim, said: Document, proof: Document) -> bool:
        """Whether the checker accepts a proof, after those of the claim's lemmas, and it is of this verdict where that holds."""
        if (proof.get("id"), proof.get("verdict")) != (claim.id, said["verdict"]):
            return False
        if said["verdict"] == "proved":
            covered = proof["scope"] == said["scope"] == "all"
        else:
            covered = all(where in said["scope"] for where in proof["scope"])
        lemmas = {
            c.id: {"id": c.id, "certificate": self._claims[c.id]["proof"]} for c in _below(claim) if self.stands(c)
        }
        return covered and accepted_with_lemmas({"id": claim.id, "certificate": proof}, lemmas)

    def _proves_again(self, claim: Claim, said: Document) -> bool:
        """Whether the engines that prove say what they said."""
        from .decide import proof as found

        stored = of_its_lemmas_too(claim, self._stored)
        try:  # the checker does not accept what is there, so that none is sought
            v = found(claim, replace(self._docket(), stored=stored, certificates=False))
        except Exception:  # the claim is decided, and what crashes is shown there
            return False
        proves = [_untimed(e.to_json()) for e in v.evidence if e.outcome == "proves"]
        before = [e for e in said["evidence"] if e["outcome"] == "proves"]
        own = {name: getattr(v, name) for name in RESTS}
        same = digest(own) == digest({name: said[name] for name in RESTS})
        return not v.guards and bool(proves) and digest(proves) == digest(before[: len(proves)]) and same

    def _docket(self) -> Docket:
        from .._arrays import backend
        from ..engines.budget import budget_named
        from ..engines.context import Docket

        xp = backend(self._options["backend"])
        return Docket(budget_named(self._options["budget"]), self._options["seed"], xp)

    def _supports(self, claim: Claim, said: Document) -> bool:
        """Whether the search, made again, finds nothing at the same sizes, in as many instances, and refutes the control."""
        from ..engines.search.engine import power, search

        docket = self._docket()
        try:
            found = power(claim, docket.after(search(claim, docket)))
        except Exception:  # the claim is decided, and what crashes is shown there
            return False
        if found.outcome != "supports":
            return False
        again = [one.to_json() for one in (*found.rests_on, found)]
        before = [
            e for e in said["evidence"] if (e["engine"], e["outcome"]) in {(a["engine"], a["outcome"]) for a in again}
        ]
        return len(again) == len(before) and all(map(_searches_alike, again, before))


def _searches_alike(again: Document, before: Document) -> bool:
    """Whether a search says the same again, of as many instances.

    Draws are floats, and another processor rounds otherwise: one at the edge of a condition may fall on its other side, and of
    two edits that are nearly as good the other one is followed.
    """
    said = [digest([e[name] for name in ("engine", "outcome", "scope", "reason")]) for e in (again, before)]
    trials, slacks = ([e["numbers"].get(name) for e in (again, before)] for name in ("trials", "min_slack"))
    as_many = abs(trials[0] - trials[1]) <= trials[1] * ROUNDED
    as_near = slacks[0] == slacks[1] or (None not in slacks and math.isclose(*slacks, rel_tol=ROUNDED, abs_tol=1e-9))
    return said[0] == said[1] and as_many and as_near


def _below(claim: Claim) -> Iterator[Claim]:
    """The lemmas that a claim stands on, and theirs."""
    for one in claim.lemmas:
        yield one
        yield from _below(one)


def _replays(claim: Claim, witness: Document) -> bool:
    """Whether a counterexample refutes a claim exactly, where every condition holds."""
    from ..engines.counterexamples.exact import replay
    from ..engines.counterexamples.witness import free_of
    from ..engines.search.at_rest import replayed

    try:
        own = replayed(claim)
        result = replay(own.body, own.world, free_of(witness, own.world), claim.id)
    except (NotApplicable, UsageError):
        return False
    return result.outcome == "refutes" and all(s.truth is True for s in result.given)
