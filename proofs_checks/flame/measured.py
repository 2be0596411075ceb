"""What the theorems of FLAME need of a problem, under the names of its catalogue."""

from __future__ import annotations

from typing import Any

from fedtheory.errors import UsageError
from fedtheory.measure.observe import objective
from fedtheory.problem import Problem
from fedtheory.runs.loop import number
from problems.clients.envelope import Envelope
from problems.joint import Near
from problems.measured import Measured, clients, smoothness


def measured(problem: Problem, F: Envelope | Near | None, start: Any) -> dict[str, Measured]:
    """L; with the envelopes, or with bounds on their minimum, L^0 - F*, where all vectors start at `start`."""
    out = {"m": clients(problem), "L": smoothness(problem)}
    if F is None:
        return out
    if isinstance(F, Near):
        return {**out, "gap": F.gap}
    try:
        best = F.optimum()
    except UsageError as error:
        return {**out, "gap": Measured(None, "unknown", str(error))}
    value = number(objective(problem, start)) - best.f_star
    how = f"L^0 - F* at theta_i^0 = w_i^0 = w^0, where L^0 = f(w^0); {best.how}"
    return {**out, "gap": Measured(value, "measured", how)}
