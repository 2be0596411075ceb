"""What is run, and a run with what was made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ..files import version
from ..formats import Document, Json
from ..measure.curves import Curve, Setting, curves
from ..method import Method
from ..paper import Paper
from ..registry import paper
from ..trace import Trace

DIVERGED = 10  # times the first gap that the last one must not exceed


@dataclass(frozen=True)
class Plan:
    """What is run.

    Attributes
    ----------
    method : str
        Name of an installed one.
    options : dict
        Its hyper-parameters, all of them.
    rounds, every, seed : int
    stop : str
        "none", a stopping rule, or a level of the squared gradient.
    data : dict
        What the problem was built from, with the digest of its samples.
    backend, device : str
    measure : str
        "bounds": the objective, what the theorems of the method's paper bound, and f*. "accuracy": training loss and
        accuracy on test samples. "estimates": the objective, its gradient, and curvature, diversity and noise at the point.
    code : str
        Digest of the code of method and problem.
    """

    method: str
    options: Document
    rounds: int
    every: int
    seed: int
    stop: str
    data: Document
    backend: str
    device: str
    measure: str = "bounds"
    code: str = ""

    def inputs(self) -> Json:
        """All that the result depends on, besides the machine."""
        return {**vars(self), "version": version()}


@dataclass
class Finished:
    """A run with what was made of it."""

    plan: Plan
    entry: Method
    trace: Trace
    setting: Setting
    results: Json
    path: Path
    seconds: float | None  # None where it was loaded
    unkept: str = ""  # why it could not be written
    optimum_seconds: float | None = None  # what f* and the constants took; None where they were at hand
    curves: list[Curve] = field(default_factory=list)

    def __post_init__(self) -> None:
        of = paper_of(self.entry) if self.plan.measure == "bounds" else None
        self.curves = curves(None if of is None else of.curves(), self.trace, self.setting)

    def notes(self) -> list[str]:
        """What a reader of the table should know: that the run diverges, or why there is no gap."""
        objective = self.trace["objective"]
        first, last = float(objective[0]), float(objective[-1])
        best = self.setting.optimal or 0.0
        said = []
        if not last - best <= DIVERGED * abs(first - best):
            after = int(self.trace["communications"][-1])
            said.append(
                f"{self.plan.method} diverges: objective {last:.4g} after {after} communications, {first:.4g} at the start"
            )
            said += self._outside()
        if self.setting.optimal is None and self.plan.measure == "bounds":
            said.append(f"{self.plan.method} has no gap: {self.results['no_optimum']}")
        return said

    def _outside(self) -> list[str]:
        """That the paper's condition fails where a run diverges, and how to see what would be legal."""
        failing = next((note for c in self.curves for note in c.notes if " fails" in note), "")
        of = paper_of(self.entry)
        catalogue = None if of is None else of.catalogue()
        if not failing or of is None or catalogue is None:
            return []
        tuned = next((name for name in catalogue.tuned if name in failing), next(iter(catalogue.tuned), ""))
        tuned = next((name for name in catalogue.tuned if name.rstrip("0") in failing), tuned)
        problem = f"--data {self.plan.data['data']} --m {self.plan.data['m']}"
        legal = f"; fedtheory constants {of.id} {problem} --solve {tuned} says what is legal" if tuned else ""
        return [f"{self.plan.method}: no theorem of the paper is about this run: {failing}{legal}"]


def paper_of(entry: Method) -> Paper | None:
    """The paper whose theorem a method's curves stand under, or None.

    Raises
    ------
    UsageError
        If the paper is not installed.
    """
    return paper(entry.paper, f"the paper of the method {entry.name}") if entry.paper else None
