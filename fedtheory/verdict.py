"""A verdict and the evidence it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from .formats import Document, Json

VERDICTS = ("vacuous", "refuted", "proved", "certified", "supported", "unknown")  # order of precedence
STRENGTH = {"proved": 3, "certified": 2, "supported": 1, "unknown": 0}
POSITIVE = ("proved", "certified", "supported")
NEGATIVE = ("refuted", "vacuous")
TRUST = ("kernel", "replayed", "z3", "search", "assumed", "")  # what a verdict rests on
LEMMA = "of lemma"  # in a part of a scope: the id of the lemma that is limited to it
CONTRADICTION = "internal error: one engine proves what another refutes"
FIGURES = ("trials", "min_slack", "tightness", "domain")  # of a verdict, where an engine has one


@dataclass(frozen=True)
class Evidence:
    """What one engine says; the report has the first five of these.

    Attributes
    ----------
    engine : str
        Its name in reports, as `fedtheory list --engines` has it, and referee (the traceback of an engine that crashed).
    outcome : str
        proves, certifies, refutes, supports, declines or fails; silent where it says nothing of the claim itself.
    scope : "all" or list
        Parameters, client numbers and sizes that the evidence covers.
    numbers : dict
        Figures: trials, slacks, multipliers.
    reason : str
        In words.
    witness : dict or None
        The counterexample of what refutes, as plain data.
    figures : dict
        Figures of the verdict, by the names of `FIGURES`.
    hypotheses : dict
        What is known of the hypotheses: satisfiable, homogeneous, needed.
    doubt : bool
        Whether a counterexample is known that has no exact replay, so that no verdict may stand.
    rests_on : tuple of Evidence
        Other evidence without which this says nothing; listed before it.
    certificate : list or None
        The parts of a certificate, which `fedtheory_check` reads, of what proves or certifies.
    theorem : dict or None
        What such parts are about where they prove a theorem for every length: what is stated, used and shown.
    """

    engine: str
    outcome: str
    scope: Any = "all"
    numbers: Json = field(default_factory=dict)
    reason: str = ""
    witness: Json | None = None
    figures: Document = field(default_factory=dict)
    hypotheses: Mapping[str, bool | None] = field(default_factory=dict)
    doubt: bool = False
    rests_on: tuple[Evidence, ...] = ()
    certificate: list[Json] | None = None
    theorem: Json | None = None

    def to_json(self) -> Json:
        """Plain data of the JSON contract."""
        return {name: getattr(self, name) for name in ("engine", "outcome", "scope", "numbers", "reason")}


@dataclass(repr=False)
class Verdict:
    """The verdict on one claim; `to_json` is one entry of the report.

    It has no truth value of its own: `holds` says whether the claim is true, false or not decided. `trust` says on what the
    verdict rests: ``kernel`` (a certificate that the stand-alone checker has accepted), ``replayed`` (an exact witness),
    ``z3`` (the word of a solver, which nothing re-checks), ``search``, ``assumed`` (on what `assumed` lists and nobody has
    proved: each fact with why, the row that would prove it, and the claim that takes it for granted), or nothing where it is not
    decided. `hollow` says where a claim is less than its row: its conclusion is a hypothesis, or its world any vectors or numbers.
    """

    id: str
    paper: str = ""
    locator: str = ""
    kind: str = ""
    step: bool = False
    latex: str = ""
    verdict: str = "unknown"
    trust: str = ""
    tier: str | None = None
    scope: Any = None
    trials: int = 0
    min_slack: float | None = None
    tightness: float | None = None
    seconds: float = 0.0
    evidence: list[Evidence] = field(default_factory=list)
    witness: Json | None = None
    replay: str | None = None
    repair: Json | None = None
    uses: list[str] = field(default_factory=list)
    given: list[dict[str, str]] = field(default_factory=list)
    assumed: list[dict[str, str]] = field(default_factory=list)
    hypotheses: Json = field(default_factory=dict)
    hollow: str = ""
    domain: str = ""
    reason: str = ""
    note: str = ""
    source: str = ""
    crashed: bool = False
    guards: list[str] = field(default_factory=list)  # what was ended without an answer
    certificate: Json | None = None

    def take(self, said: Evidence) -> None:
        """Enter what an engine says; what it says of the verdict itself is left to the order of precedence."""
        self.evidence += [*said.rests_on, *([said] if said.outcome != "silent" else [])]
        self.hypotheses.update(said.hypotheses)
        self.witness = said.witness or self.witness
        for name in FIGURES:
            setattr(self, name, said.figures.get(name, getattr(self, name)))

    @property
    def holds(self) -> bool | None:
        """True where proved, certified or supported; False where refuted or vacuous; None where not decided.

        Examples
        --------
        >>> Verdict("draft/step", verdict="refuted").holds, Verdict("draft/step").holds
        (False, None)
        """
        return True if self.verdict in POSITIVE else False if self.verdict in NEGATIVE else None

    def __bool__(self) -> bool:
        raise TypeError(f"a verdict has no truth value; use .holds of the verdict on {self.id} (True, False or None)")

    def __repr__(self) -> str:
        from .show.verdicts import in_a_line

        return in_a_line(self.to_json())

    def _repr_html_(self) -> str:
        from .show.verdicts import as_html

        return as_html(self.to_json())

    def to_json(self) -> Json:
        """Plain data of the JSON contract."""
        out = asdict(replace(self, evidence=[], certificate=None))
        out.pop("crashed")
        out.pop("certificate")
        out.pop("guards")
        return {**out, "evidence": [e.to_json() for e in self.evidence]}


def contradicts(expected: str, got: str) -> bool:
    """Whether one verdict says true and the other false."""
    return (expected in POSITIVE and got in NEGATIVE) or (expected in NEGATIVE and got in POSITIVE)


def weaker(expected: str, got: str) -> bool:
    """Whether `got` says less than `expected`."""
    if expected in NEGATIVE:
        return got != expected
    return STRENGTH.get(got, 0) < STRENGTH.get(expected, 0)
