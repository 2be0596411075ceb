"""A verdict and the evidence it rests on."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

VERDICTS = ("vacuous", "refuted", "proved", "certified", "supported", "unknown")  # order of precedence
STRENGTH = {"proved": 3, "certified": 2, "supported": 1, "unknown": 0}
POSITIVE = ("proved", "certified", "supported")
NEGATIVE = ("refuted", "vacuous")


@dataclass(frozen=True)
class Evidence:
    """What one engine said.

    Attributes
    ----------
    engine : str
        units, smt, falsify, exact, gram, expectation, control.
    outcome : str
        proves, certifies, refutes, supports, declines or fails.
    scope : "all" or list
        Parameters, client numbers and sizes that the evidence covers.
    numbers : dict
        Figures: trials, slacks, multipliers.
    """

    engine: str
    outcome: str
    scope: Any = "all"
    numbers: dict[str, Any] = field(default_factory=dict)
    reason: str = ""


@dataclass
class Verdict:
    """The verdict on one claim; `to_json` is one entry of the report."""

    id: str
    paper: str = ""
    locator: str = ""
    kind: str = ""
    step: bool = False
    latex: str = ""
    verdict: str = "unknown"
    tier: str | None = None
    scope: Any = None
    trials: int = 0
    min_slack: float | None = None
    tightness: float | None = None
    seconds: float = 0.0
    evidence: list[Evidence] = field(default_factory=list)
    witness: dict[str, Any] | None = None
    replay: str | None = None
    repair: dict[str, Any] | None = None
    uses: list[str] = field(default_factory=list)
    hypotheses: dict[str, Any] = field(default_factory=dict)
    domain: str = ""
    reason: str = ""
    note: str = ""
    source: str = ""
    crashed: bool = False

    def to_json(self) -> dict[str, Any]:
        """Plain data of the JSON contract."""
        out = asdict(self)
        out.pop("crashed")
        return out


def contradicts(expected: str, got: str) -> bool:
    """Whether one verdict says true and the other false."""
    return (expected in POSITIVE and got in NEGATIVE) or (expected in NEGATIVE and got in POSITIVE)


def weaker(expected: str, got: str) -> bool:
    """Whether `got` says less than `expected`."""
    if expected in NEGATIVE:
        return got != expected
    return STRENGTH.get(got, 0) < STRENGTH.get(expected, 0)
