"""What the referee hands to an engine, and the one face that every engine has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ..claim import Claim
from ..referee.budget import BUDGETS, Budget
from ..verdict import Evidence

Stored = dict[str, list[dict[str, str]]]  # multipliers of a claim's relations, by the claim and where


@dataclass(frozen=True)
class Docket:
    """What is known and allowed when an engine is called.

    Attributes
    ----------
    limits : Budget
        Counts that the engine keeps to.
    seed : int
        Of the search.
    xp, device : namespace, device
        Where the search runs; NumPy if None.
    stored : dict
        Certificates by key: an engine re-checks those that are there and adds those that it finds.
    found : tuple of Evidence
        What the engines before said.
    """

    limits: Budget = BUDGETS["quick"]
    seed: int = 0
    xp: Any = None
    device: Any = None
    stored: Stored = field(default_factory=dict)
    found: tuple[Evidence, ...] = ()

    def after(self, said: Evidence) -> Docket:
        """The docket of the next engine."""
        return replace(self, found=(*self.found, said))

    def cross_check(self) -> Docket:
        """The docket of a search in the presence of a proof."""
        return replace(self, limits=self.limits.cross_check())

    @property
    def refuted(self) -> bool:
        """Whether there is an exact counterexample."""
        return any(e.witness is not None for e in self.found)

    @property
    def proved(self) -> bool:
        return any(e.outcome == "proves" for e in self.found)

    @property
    def certified(self) -> bool:
        return any(e.outcome == "certifies" for e in self.found)

    def hypothesis(self, name: str) -> bool | None:
        """What is known of the hypotheses under that name; the latest word counts."""
        return next((e.hypotheses[name] for e in reversed(self.found) if name in e.hypotheses), None)

    def figure(self, name: str) -> Any:
        """The latest figure of that name, None if no engine had one."""
        return next((e.figures[name] for e in reversed(self.found) if name in e.figures), None)


Engine = Callable[[Claim, Docket], Evidence]
"""One file in this folder holds one engine: a function of a claim and a docket that returns one Evidence.

It decides for itself whether it applies to the claim: where it cannot say anything it *declines* with a reason, where it
has nothing that a report should list it is *silent*. It raises only where it is broken. What it says beside its outcome
(figures of the verdict, hypotheses, a witness) is part of the Evidence; the referee translates nothing.
"""
