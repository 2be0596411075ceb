"""Where the claims of Theorem 1 are claimed: steps that meet its conditions, curvatures, and runs (Sections 4 and A.4.3)."""

from fractions import Fraction

from fedtheory.theory.pfedme.conditions import EQ_31, LONG_ENOUGH
from fedtheory.theory.pfedme.constants import L_F, eta1_hat, eta_tilde, largest_eta1, mu_F
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import CURVATURE
from problems import SmoothStronglyConvex, at_least, between, positive
from problems.worlds.derived import formula

from ..worlds.runs import pfedme_runs
from ..worlds.two_clients import SOLVED_EXACTLY

ENVELOPE = {"L_F": L_F, "mu_F": mu_F}

# the local step, by how far it is from the largest one
ETA_LARGEST = formula("eta1_hat/(beta R)", largest_eta1)
ETA_SLOWER = formula("eta1_hat/(beta R slower)", lambda x: eta1_hat(x) / (x.beta * x.R * x.slower))
ETA_BETWEEN = formula(
    "(2/(mu_F T) + (eta1_hat - 2/(mu_F T)) share)/(beta R)",
    lambda x: (2 / (x.mu_F * x.T) + (eta1_hat(x) - 2 / (x.mu_F * x.T)) * x.share) / (x.beta * x.R),
)
UP_TO_31 = {**ENVELOPE, "eta": ETA_SLOWER, "eta_tilde": eta_tilde}

# curvatures; far out they are in a unit of 10^15, which loses no value and lets the search see what lacks a factor L_F
L_BY_SPREAD = {"L": formula("mu (1 + spread)", lambda x: x.mu * (1 + x.spread))}
LARGE_BETA = {"beta": formula("1000 relax", lambda x: 1000 * x.relax)}
LAM_BY_RATIO = {"lam": formula("mu lam_over_mu", lambda x: x.mu * x.lam_over_mu)}
MU_FAR_OUT = {"mu": formula("10^15 mu_0", lambda x: x.mu_0 * 10**15)}
FAR_OUT = {**MU_FAR_OUT, **L_BY_SPREAD, **LAM_BY_RATIO, **SOLVED_EXACTLY}
FAR_OUT_SCALARS = {"mu_0": positive(CURVATURE), "spread": positive()}
NEARBY_SCALARS = {**symbols("mu"), "spread": between(0, 10, closed=False)}

# two quadratic clients, R = 2, both sampled
TWO_CLIENTS = {"optimum_of": "F", "R": (2,), "m": (2,), "S": (2,), "affine": True}


def far_rounds(*rounds):
    """That many rounds of the two clients far out, without errors of the inner solver."""
    scalars = {**FAR_OUT_SCALARS, "lam_over_mu": positive(), "slower": at_least(1)}
    derived = {**FAR_OUT, **UP_TO_31}
    return pfedme_runs(
        SmoothStronglyConvex("mu", "L"), **TWO_CLIENTS, rounds=rounds, given=(EQ_31,), derived=derived, **scalars
    )


def long_run(eta, given, derived, rounds=48, sizes=None, **scalars):
    """Many rounds of the two clients; mu/100 <= lam < mu/4 and 1000 <= beta < 10^5, so that 2/(eta1_hat mu_F) < 48."""
    ranges = {"lam_over_mu": between(Fraction(1, 100), Fraction(1, 4)), "relax": between(1, 100)}
    derived = {**derived, **LAM_BY_RATIO, **LARGE_BETA, **ENVELOPE, "eta": eta, "eta_tilde": eta_tilde}
    return pfedme_runs(
        SmoothStronglyConvex("mu", "L"),
        **{**TWO_CLIENTS, **(sizes or {})},
        rounds=(rounds,),
        given=given,
        derived=derived,
        **ranges,
        **scalars,
    )


# two and three clients, one to all of them sampled
ANY_SELECTION = {"m": (2, 3), "S": (1, 2, 3), "R": (1, 2)}
LONG_RUN = long_run(
    ETA_BETWEEN, (EQ_31, LONG_ENOUGH), L_BY_SPREAD, sizes=ANY_SELECTION, **NEARBY_SCALARS, share=between(0, 1)
)
LONG_RUN_FAR_OUT = long_run(ETA_BETWEEN, (EQ_31, LONG_ENOUGH), FAR_OUT, **FAR_OUT_SCALARS, share=between(0, 1))
