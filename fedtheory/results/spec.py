"""One run of a sweep before its data are there: plain data, which goes to another process or machine."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field

from ..files import version
from ..formats import Document, Json
from ..method import Method

DRAWS = ("S", "batch", "candidates", "M", "graph-seed", "T", "interval", "before")  # counts that are no local steps


@dataclass(frozen=True)
class Spec:
    """What to run on what.

    Attributes
    ----------
    problem : dict
        As `problems.build.build` takes it, the name of the data as ``data``.
    method, options, rounds, every, seed, stop, measure, backend, device
        As in `fedtheory.results.finished.Plan`.
    data_seed : int or None
        Seed of data and partition; None is that of the run.
    labels : dict
        What the rows of a table call the run; no part of what it is.
    """

    problem: Document
    method: str
    options: Document
    rounds: int
    every: int
    seed: int
    stop: str
    measure: str = "bounds"
    data_seed: int | None = None
    backend: str = "numpy"
    device: str = ""
    labels: Document = field(default_factory=dict)

    def inputs(self, code: str) -> Json:
        """All that names this run before its samples are read; `code` is the digest of its code."""
        return {**{k: v for k, v in asdict(self).items() if k != "labels"}, "version": version(), "code": code}

    def title(self) -> str:
        """Method, data and seed in a line."""
        return f"{self.method} on {self.problem['data']}, m = {self.problem['m']}, seed {self.seed}"

    def cost(self, entry: Method) -> float:
        """Gradients of all clients over all rounds, roughly: to begin the longest runs first."""
        steps = [
            self.options[k]
            for k, option in entry.options.items()
            if option.kind == "count" and k not in DRAWS and self.options.get(k)
        ]
        return float(self.rounds * self.problem["m"] * math.prod(steps))
