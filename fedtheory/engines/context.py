"""What the referee hands to an engine, and the one face that every engine has."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from ..claim import Claim
from ..verdict import Evidence
from .budget import BUDGETS, Budget

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
    certificates : bool
        Whether certificates for the stand-alone checker are sought in any case; without, z3's word is enough where it comes at
        a glance, and no theorem is written as one.
    """

    limits: Budget = BUDGETS["quick"]
    seed: int = 0
    xp: Any = None
    device: object = None
    stored: Stored = field(default_factory=dict)
    found: tuple[Evidence, ...] = ()
    certificates: bool = True

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

    @property
    def searched(self) -> Evidence | None:
        """What the search said that decided instances, none of which refutes; None where there is no such word."""
        return next((e for e in self.found if (e.engine, e.outcome) == ("falsify", "silent")), None)

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


def _asked(words: str, when: Callable[[Docket], bool]) -> Callable[[Docket], bool]:
    """A condition with its words, as its docstring."""
    when.__doc__ = words
    return when


always = _asked("Always.", lambda docket: True)
unproved = _asked("Unless it is proved.", lambda docket: not docket.proved)
unsettled = _asked("If it is neither refuted nor proved.", lambda docket: not (docket.refuted or docket.proved))
only_searched = _asked(
    "If it is neither refuted, proved nor certified.", lambda docket: unsettled(docket) and not docket.certified
)
holds = _asked("If it is proved or certified.", lambda docket: docket.proved or docket.certified)
proved = _asked("If it is proved.", lambda docket: docket.proved)
listed_too = _asked(
    "Unless it is refuted; if it is proved, from budget standard on.",
    lambda docket: not docket.refuted and (docket.limits.thorough or not docket.proved),
)
thorough_unsettled = _asked(
    "If it is neither refuted nor proved, from budget standard on.",
    lambda docket: docket.limits.thorough and unsettled(docket),
)
thorough_proved = _asked(
    "If it is proved, from budget standard on.", lambda docket: docket.limits.thorough and docket.proved
)


@dataclass(frozen=True)
class Stage:
    """One engine in the order in which they are asked; an installed package gives its own (`fedtheory.registry`).

    Attributes
    ----------
    name : str
        Of this stage, once in the order.
    engine : Engine
    when : callable
        Whether it is asked, from a docket with what was said before; its docstring says so in words.
    because : str
        Why it is asked there, in one sentence.
    says : tuple of str
        Its names in reports, where what they say is about the claim; by default `name`.
    beside : tuple of str
        Its names in reports, where what they say is about units, a control, an instance or a constant, not the claim itself.
    searches : bool
        Whether it looks for counterexamples: such a one is not asked where a proof is made again.
    before : str
        The stage before which an installed engine is asked.
    """

    name: str
    engine: Engine
    when: Callable[[Docket], bool]
    because: str
    says: tuple[str, ...] | None = None
    beside: tuple[str, ...] = ()
    searches: bool = False
    before: str = "search"

    @property
    def reported(self) -> tuple[str, ...]:
        """All its names in reports."""
        return ((self.name,) if self.says is None else self.says) + self.beside
