"""FedADMM far out: how long until the residuals of (4.1) are below 1e-10, within the condition of Theorem 4.1 and outside it.

python fedadmm_runs.py [--small]
"""

import sys
from typing import NamedTuple

import numpy as np

from fedtheory.algorithms import FedADMM
from fedtheory.measure.observe import instance
from fedtheory.runs.loop import run
from fedtheory.theory.fedadmm.constants import lyapunov
from fedtheory.theory.fedadmm.observe import residuals
from problems.build import build
from problems.clients.quadratic import QuadraticClients

SMALL, LARGE = 1e-20, 1e20  # of the largest squared residual: where a run ends
SELECTIONS = {"Scheme 4.1": 3, "uniform": None}  # s_0
WITHIN, PRINTED = 2.6, 0.2  # sigma_i m/r_i: above the 5/2 of Theorem 4.1, and that of Section 5.2


class Outcome(NamedTuple):
    """Where a run ended."""

    communications: int
    residual: float  # the largest of the three residuals of (4.1)
    rises: int  # communications after which L_tilde (4.4) is larger than at the one before

    @property
    def found(self):
        return (
            "below 1e-10" if self.residual < SMALL**0.5 else "above 1e10" if self.residual > LARGE**0.5 else "neither"
        )


def follow(problem, sigma, *, S, s0, rounds, nu=0.95, k0=5, seed=0):
    """A run in which every client uses up its accuracy, until the residuals of (4.1) are below 1e-10 or above 1e10."""
    m = problem.m
    method = FedADMM(sigma, np.full(m, 1 / m), np.full(m, nu), k0, S=S, s0=s0, adversarial=True)
    x = instance(problem, method, r=problem.constants().L_i)

    def largest(state):
        return np.max(np.stack([np.ravel(v) for v in residuals(problem, method, state)]), axis=0)

    trace = run(
        method, problem, method.init(problem, np.ones((1, problem.d)), np.ones((m, problem.d))), rounds=rounds, seed=seed,
        observers={"largest": largest, "lyapunov": lambda state: lyapunov(x, state)},
        stop=lambda state: (largest(state) < SMALL) | (largest(state) > LARGE),
    )  # fmt: skip
    L = trace["lyapunov"]
    rises = int(np.sum(np.diff(L) > 1e-12 * np.abs(L[1:])))  # rounding aside
    return Outcome(int(trace["communications"][-1]), float(trace["largest"][-1]) ** 0.5, rises)


def bowl(*curvatures):
    """One client f_i(w) = c_i/2 |w - e_i|^2 a curvature, e_i the i-th unit vector."""
    m = len(curvatures)
    c, I = np.array(curvatures), np.eye(m)
    return QuadraticClients(c[:, None, None] * I, c[:, None] * I)


def cases(small):
    """(name, clients, values of sigma_i m/r_i) of the runs."""
    m, d = (4, 5) if small else (8, 100)
    yield "Example 5.1", build("example5.1", m=m, d=d).problem, (WITHIN, PRINTED)
    for name, model, l2 in (
        ("Example 5.2", "logistic", 0.3),
        ("logistic, not convex, l2 = 1", "logistic-nonconvex", 1),
        ("logistic, not convex, l2 = 0.3", "logistic-nonconvex", 0.3),
    ):
        yield name, build("breast-cancer", m=m, model=model, l2=l2, standardise=True).problem, (WITHIN, PRINTED)
    yield "curvatures -1, 1, 2, 3", bowl(-1, 1, 2, 3), (WITHIN, 1.1)
    yield "curvatures -9/5 and 6", bowl(-1.8, 6), (WITHIN, 1.12)


def rows(small):
    """(name, sigma_i m/r_i, selection, Outcome) of every run."""
    rounds, nu = (300, 0.5) if small else (5000, 0.95)  # Section 5.2 has 0.95
    for name, problem, penalties in cases(small):
        for factor in penalties:
            sigma = factor * problem.constants().L_i / problem.m
            for selection, s0 in SELECTIONS.items():
                yield name, factor, selection, follow(problem, sigma, S=problem.m // 2, s0=s0, rounds=rounds, nu=nu)


if __name__ == "__main__":
    print(
        "| clients | sigma_i m/r_i | selection | communications | residuals of (4.1) | at the end | rises of L_tilde |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, factor, selection, end in rows("--small" in sys.argv):
        print(
            f"| {name} | {factor} | {selection} | {end.communications} | {end.found} | {end.residual:.1e} | {end.rises} |",
            flush=True,
        )
