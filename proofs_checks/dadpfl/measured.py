"""What the theorem of DA-DPFL needs of a problem, under the names of its catalogue."""

from __future__ import annotations

from typing import Any

from fedtheory.problem import Problem
from problems.clients.envelope import Envelope
from problems.clients.heterogeneity import gamma_f_sq, sigma_f_sq
from problems.measured import Measured, clients, gap, smoothness, variance


def measured(problem: Problem, F: Envelope | None, start: Any) -> dict[str, Measured]:
    """L, the global and the local variance, f(omega^0) - min f from `start`."""
    return {
        "m": clients(problem),
        "L": smoothness(problem),
        "sigma_g_sq": variance(sigma_f_sq(problem)),
        "sigma_l_sq": variance(gamma_f_sq(problem)),
        "gap": gap(problem, start, "f(omega^0) - min f"),
    }
