"""The power of the referee on its own claims: how many small falsifications of true claims its search refutes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from ..claim import Claim
from ..engines.budget import budget_named
from ..engines.context import Docket
from ..engines.search.engine import searched
from ..errors import NotApplicable, UsageError
from ..formats import Json
from ..processes import TRIES, each
from ..referee.cache import Cache, digest
from ..referee.decide import verify
from ..verdict import POSITIVE
from .edits import OPERATORS, Mutant, mutants

OUTCOMES = ("refuted", "still true", "vacuous", "survived", "invalid")


@dataclass(frozen=True)
class Judged:
    """One mutant and what became of it.

    Attributes
    ----------
    id, operator, change : str
        Of the claim and of the mutant.
    outcome : str
        ``refuted``; ``still true`` (proved or certified, so no search can refute it); ``vacuous``; ``survived`` (no
        counterexample was found); ``invalid`` (the changed body cannot be evaluated); ``died`` (worker processes were
        killed over the mutants of the claim, which have no operator here).
    reason : str
        Why it was not refuted.
    """

    id: str
    operator: str
    change: str
    outcome: str
    reason: str = ""


def judge(mutant: Mutant, *, budget: str = "quick", seed: int = 0) -> Judged:
    """Search for a counterexample to one mutant; where there is none, ask the other engines whether it is true."""
    limits = budget_named(budget)
    claim = dataclasses.replace(mutant.claim, control=None)

    def say(outcome: str, reason: str = "") -> Judged:
        return Judged(claim.id, mutant.operator, mutant.change, outcome, reason)

    try:
        if searched(claim, claim.body, Docket(limits, seed)).refutes:
            return say("refuted")
        v = verify(claim, budget=budget, seed=seed)
    except (UsageError, NotApplicable) as error:
        return say("invalid", str(error))
    except Exception as error:  # an edit of the source may break the body in any way
        return say("invalid", f"{type(error).__name__}: {error}")
    if v.verdict in ("proved", "certified"):
        return say("still true", f"{v.verdict} ({v.tier})")
    if v.verdict in ("refuted", "vacuous"):
        return say(v.verdict, v.reason)
    others = [reason for reason in v.reason.split("; ") if reason and not reason.startswith("no power")]
    return say("survived", "; ".join(["no counterexample was found", *others]))


def run(
    entries: Iterable[Json],
    find: Callable[[str], Claim],
    editable: Callable[[str], tuple[str, ...]],
    *,
    budget: str = "quick",
    seed: int = 0,
    jobs: int = 1,
    operators: tuple[str, ...] = OPERATORS,
    keys: Mapping[str, str | None] | None = None,
    cache: Cache | None = None,
) -> Generator[tuple[str, list[Judged]], None, None]:
    """Judge every mutant of the claims that a report holds true (proved, certified or supported), claim by claim as they come.

    `find` turns an id into a claim and `editable` into the packages whose functions may be edited; both must be
    importable when ``jobs > 1``. With a `cache`, and the `keys` of the claims, what was judged before is not judged again.
    """
    keys = keys or {}
    true = [(e["id"], e.get("tightness")) for e in entries if e["verdict"] in POSITIVE]
    work = partial(_judged, find, editable, budget, seed, operators)
    todo, own = [], {}
    for id, tightness in true:
        key = keys.get(id)
        own[id] = None if key is None else digest([key, "mutants", tightness, operators])
        kept = None if cache is None else cache.get(own[id])
        if kept is None:
            todo.append((id, tightness))
        else:
            yield id, [Judged(**j) for j in kept]
    with closing(each(work, todo, jobs, died=_died)) as judged:
        for k, found in judged:
            id = todo[k][0]
            if cache is not None and not any(j.outcome == "died" for j in found):
                cache.put(own[id], [dataclasses.asdict(j) for j in found])
            yield id, found
    if cache is not None:
        cache.close({})


def _died(true: tuple[str, float | None]) -> list[Judged]:
    return [Judged(true[0], "", "", "died", f"{TRIES} worker processes were killed over its mutants (out of memory?)")]


def _judged(
    find: Callable[[str], Claim], editable: Callable[[str], tuple[str, ...]], budget: str, seed: int,
    operators: tuple[str, ...], true: tuple[str, float | None],
) -> list[Judged]:  # fmt: skip
    id, tightness = true
    chosen = (m for m in mutants(find(id), tightness, editable(id)) if m.operator in operators)
    return [judge(m, budget=budget, seed=seed) for m in chosen]


def shares(judged: Iterable[Judged]) -> dict[str, dict[str, int]]:
    """Counts of every outcome by operator; invalid mutants are counted but are no part of a share."""
    out = {op: dict.fromkeys(OUTCOMES, 0) for op in OPERATORS}
    for j in judged:
        if j.outcome != "died":
            out[j.operator][j.outcome] += 1
    return out
