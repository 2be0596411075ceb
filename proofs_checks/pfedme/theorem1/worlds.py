"""Where the claims of Theorem 1 are claimed: conditions, steps that meet them, and runs (Sections 4 and A.4.3)."""

from fractions import Fraction

from fedtheory import le
from fedtheory.theory.pfedme.constants import L_F, eta1_hat, eta_tilde, mu_F
from fedtheory.theory.pfedme.theorem1 import least_rounds, long_enough
from fedtheory.units import CURVATURE
from problems import SmoothStronglyConvex, StronglyConvex, at_least, between, condition, positive
from problems.worlds.derived import formula

from ..worlds.runs import pfedme_runs

EQ_31 = condition("eta_tilde <= eta1_hat (31)", lambda x: le(x.eta_tilde, eta1_hat(x)))
ENOUGH = condition("eta_tilde T >= 2/mu_F", long_enough)
LEAST_T = condition("T >= 2/(eta1_hat mu_F)", lambda x: le(least_rounds(x), x.T))
NAMES = {"L_F": L_F, "mu_F": mu_F}

# the local step
LARGEST = formula("eta1_hat/(beta R)", lambda x: eta1_hat(x) / (x.beta * x.R))
SLOWER = formula("eta1_hat/(beta R slower)", lambda x: eta1_hat(x) / (x.beta * x.R * x.slower))
BETWEEN = formula(
    "(2/(mu_F T) + (eta1_hat - 2/(mu_F T)) share)/(beta R)",
    lambda x: (2 / (x.mu_F * x.T) + (eta1_hat(x) - 2 / (x.mu_F * x.T)) * x.share) / (x.beta * x.R),
)
SHARE = {"share": between(0, 1)}
UP_TO_31 = {**NAMES, "eta": SLOWER, "eta_tilde": eta_tilde}

# curvatures; far out they are in a unit of 10^15, which loses no value and lets the search see what lacks a factor L_F
SPREAD = {"L": formula("mu (1 + spread)", lambda x: x.mu * (1 + x.spread))}
RATIO = {"lam": formula("mu lam_over_mu", lambda x: x.mu * x.lam_over_mu)}
EXACT = {"delta": formula("0", lambda x: 0 / x.lam)}
FAR_OUT = {"mu": formula("10^15 mu_0", lambda x: x.mu_0 * 10**15), **SPREAD, **RATIO, **EXACT}
FAR = {"mu_0": positive(CURVATURE), "spread": positive()}
NEAR = {"mu": positive(CURVATURE), "spread": between(0, 10, closed=False)}

# one round from any start, and a few with exact inner solutions and every client sampled, far out
TUNED = pfedme_runs(
    StronglyConvex("mu"), optimum_of="F", rounds=(1,), m=(2, 3), S=(1, 2, 3), given=(EQ_31,), derived=UP_TO_31,
    mu=positive(CURVATURE), slower=at_least(1),
)  # fmt: skip


def far_rounds(*rounds):
    """That many rounds of two quadratic clients, R = 2, both sampled, without errors of the inner solver."""
    return pfedme_runs(
        SmoothStronglyConvex("mu", "L"), optimum_of="F", rounds=rounds, R=(2,), m=(2,), S=(2,), given=(EQ_31,), affine=True,
        derived={**FAR_OUT, **UP_TO_31}, **FAR, lam_over_mu=positive(), slower=at_least(1),
    )  # fmt: skip


def long_run(eta, given, derived, rounds=48, **scalars):
    """Many rounds of two clients, both sampled; mu/100 <= lam < mu/4 and 1000 <= beta < 10^5, 2/(eta1_hat mu_F) < 48."""
    formulas = {
        **derived, **RATIO, "beta": formula("1000 relax", lambda x: 1000 * x.relax), **NAMES, "eta": eta,
        "eta_tilde": eta_tilde,
    }  # fmt: skip
    return pfedme_runs(
        SmoothStronglyConvex("mu", "L"), optimum_of="F", rounds=(rounds,), R=(2,), m=(2,), S=(2,), affine=True,
        derived=formulas, given=given, lam_over_mu=between(Fraction(1, 100), Fraction(1, 4)), relax=between(1, 100),
        **scalars,
    )  # fmt: skip


LONG = long_run(BETWEEN, (EQ_31, ENOUGH), SPREAD, **NEAR, **SHARE)
LONG_FAR = long_run(BETWEEN, (EQ_31, ENOUGH), FAR_OUT, **FAR, **SHARE)
