"""What the theorems of pFedMe need of a problem, under the names of its catalogue."""

from __future__ import annotations

from typing import Any

from fedtheory.measure.observe import distance_sq
from fedtheory.problem import Problem
from fedtheory.runs.loop import number
from problems.clients.envelope import Envelope
from problems.clients.heterogeneity import gamma_f_sq, sigma_f_sq
from problems.joint import Near
from problems.measured import Measured, clients, convexity, gap, smoothness, variance


def measured(problem: Problem, F: Envelope | Near | None, start: Any) -> dict[str, Measured]:
    """L, mu, the variances of Assumptions 2 and 3; with the envelopes sigma_{F,1}^2, Delta_0 and Delta_F from `start`.

    With bounds in place of the envelopes no variances, whose suprema take as long as the envelopes.
    """
    if isinstance(F, Near):
        own = {"sigma_F1_sq": F.at_optimum_sq, "Delta_0": F.distance_sq, "Delta_F": F.gap}
        return {"m": clients(problem), "L": smoothness(problem), "mu": convexity(problem), **own}
    out = {
        "m": clients(problem),
        "L": smoothness(problem),
        "mu": convexity(problem),
        "sigma_f_sq": variance(sigma_f_sq(problem)),
        "gamma_f_sq": variance(gamma_f_sq(problem)),
    }
    if F is None:
        return out
    Delta_F = gap(F, start, "F(w_0) - F*")
    if Delta_F.value is None:
        return {**out, "Delta_F": Delta_F, "Delta_0": Delta_F, "sigma_F1_sq": Delta_F}
    best = F.optimum()
    G = F.grad(best.w_star)
    at_w_star = number(problem.xp.mean(problem.xp.sum(G * G, axis=-1)))
    return {
        **out,
        "sigma_F1_sq": Measured(at_w_star, "measured", "mean of |grad F_i(w*)|^2 at the computed w*"),
        "Delta_0": Measured(number(distance_sq(start, best.w_star)), "measured", f"|w_0 - w*|^2; {best.how}"),
        "Delta_F": Delta_F,
    }
