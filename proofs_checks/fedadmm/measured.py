"""What the theorems of FedADMM need of a problem, under the names of its catalogue."""

from __future__ import annotations

from typing import Any

import numpy as np

from fedtheory.problem import Problem
from problems.clients.envelope import Envelope
from problems.measured import Measured, about, clients, gap, label


def measured(problem: Problem, F: Envelope | None, start: Any) -> dict[str, Measured]:
    """r_i and s_i of every client, d and n of the rule (5.1), f(w^0) - f* from `start`."""
    c = problem.constants()
    found = label(c.how, "L_i") if np.isfinite(c.L) else "infinite"
    return {
        "m": clients(problem),
        "r": Measured(c.L_i, found, about(c.how, "L_i")),
        "s": Measured(np.maximum(-c.mu_i, 0.0), label(c.how, "mu_i"), f"max(-mu_i, 0): {about(c.how, 'mu_i')}"),
        "d": Measured(problem.d, "measured", "dimension of the model"),
        "n": Measured(int(problem.n.sum()), "measured", "samples of all clients"),
        "gap_f": gap(problem, start, "f(w^0) - f*"),
    }
