"""One search, many proposers: whoever looks for a counterexample only proposes instances; here each is judged, shrunk and named.

A proposer is a function of a claim and a docket that gives, one after the other, instances, or a `Candidate` with more to say;
a `Doubt`; and an `Evidence` for what there is to say where no instance refutes. It is asked for no more once one does.

Rests on the exact replay alone: whatever is proposed refutes only where it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import wraps
from typing import Any

from ...claim import Claim
from ...formats import Json
from ...verdict import Evidence
from ...world import Free
from ..context import Docket, Engine
from ..counterexamples.exact import judge
from ..counterexamples.refutation import refutation, where


@dataclass(frozen=True)
class Candidate:
    """Instances that may refute, the first of which is judged.

    Attributes
    ----------
    starts : list of Free
        From which the simplest witness is sought.
    said : dict
        Parts of the evidence beside the outcome: numbers, figures, hypotheses.
    """

    starts: list[Free]
    said: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Doubt:
    """Why nothing may stand although there is no exact counterexample; `scope` has the sizes at which that is so."""

    reason: str
    scope: Any = "all"


Proposals = Iterator[Free | Candidate | Doubt | Evidence]
Proposer = Callable[[Claim, Docket], Iterable[Free | Candidate | Doubt | Evidence]]


def proposes(name: str) -> Callable[[Proposer], Engine]:
    """A proposer as an engine that is called `name` in reports."""

    def as_engine(propose: Proposer) -> Engine:
        @wraps(propose)
        def engine(claim: Claim, docket: Docket) -> Evidence:
            return judged(name, claim, propose(claim, docket))

        return engine

    return as_engine


def judged(name: str, claim: Claim, proposals: Iterable[Free | Candidate | Doubt | Evidence]) -> Evidence:
    """What a proposer says: the refutation by the first of its instances that refutes, else its first doubt or evidence."""
    otherwise = Evidence(name, "silent")
    for one in proposals:
        if isinstance(one, Evidence | Doubt):
            said = (
                one
                if isinstance(one, Evidence)
                else Evidence(name, "declines", one.scope, reason=one.reason, doubt=True)
            )
            otherwise = said if otherwise.outcome == "silent" else otherwise
            continue
        candidate = Candidate([one]) if isinstance(one, Free) else one
        free = candidate.starts[0]
        if judge(claim.body, where(claim, free).world, free, claim.id).outcome == "refutes":
            return refutation(name, claim, candidate.starts, **candidate.said)
    return otherwise


def in_rationals(free: Free, digits: Iterable[int | None]) -> Iterator[Free]:
    """An instance in rational numbers of denominators up to each of these; None for the floats as they are."""
    for most in digits:

        def rational(v: Any, most: int | None = most) -> Fraction:
            q = v if isinstance(v, Fraction) else Fraction(float(v))
            return q if most is None else q.limit_denominator(most)

        yield free.map(rational)
