"""Theorem 1, the first case of its proof: (35) at the step eta' (end of Section A.4.3).

The case asks for C_2 > 0, so for fewer sampled clients than there are: with S = N it is empty, cond-thm1-case1@all-sampled.
"""

from fedtheory import Control, claim, le, lt
from fedtheory.theory.pfedme.conditions import CASE_1_OF_THEOREM_1, LEAST_T
from fedtheory.theory.pfedme.constants import eta1_hat, floor
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import C1, C2, C3, eta_prime
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import at_least, positive
from problems.worlds.derived import DerivedScalars, formula

from ..worlds.two_clients import SOLVED_EXACTLY
from .worlds import ENVELOPE


def above_rest(x):
    """A lower bound on E F(w_bar_T) - F(w*) at the step eta', for R = 2, exact inner solutions and any selection.

    A half of the envelopes has the slope h_1 = 3 mu/4, the other h_2 = mu/2 (f_i'' = 3 mu and mu, lam = mu), with the gradients s
    and -s at w* = 0. A round averaged over the selections is w -> a w + b, 0 < a < 1, with the fixed point
    v >= eta s (h_1 - h_2)/(4 h), h = (h_1 + h_2)/2, as in `statement.lowest`; from w_0 >= s/mu >= v all E w_t are at least v.
    """
    h, difference = 5 * x.mu / 8, x.mu / 4
    eta = x.eta_prime / (x.beta * x.R)
    return h / 2 * (eta * x.s * difference / (4 * h)) ** 2


def first_case(x, inverse, square, linear, constant):
    """Right side of the first case, 2 C_2/(mu_F T) = mu_F Delta_0 e^{-ln(mu_F^2 Delta_0 T/(2 C_2))} and the rest of (35)."""
    return inverse + floor(x, x.eta_prime, square, linear, constant)


@claim(
    "pfedme/cond-thm1-case1@all-sampled",
    world=DerivedScalars(
        {"S": formula("N", lambda x: x.N)},
        N=at_least(2),
        sigma_sq=at_least(0, GRADIENT**2),
        Delta_0=positive(LENGTH**2),
        power=positive(),
        **symbols("mu_F", "T"),
    ),
    control=Control(
        "with half of the clients C_2 is positive, and a large power of e makes the case hold",
        lambda x: lt(6 * x.sigma_sq * x.power / (x.N - 1), x.mu_F**2 * x.Delta_0 * x.T),
    ),
    step=True,
    note="The case asks for ln(mu_F^2 Delta_0 T/(2 C_2)) <= eta1_hat mu_F T/2, that is mu_F^2 Delta_0 T <= 2 C_2 e^{eta1_hat "
    "mu_F T/2}, `power` for the power of e. With S = N, as in Corollary 1, C_2 = 0 and it never holds: the case is empty, the "
    "second one holds.",
)
def cond_thm1_case1_all_sampled(x):
    return lt(2 * C2(x, x.sigma_sq) * x.power, x.mu_F**2 * x.Delta_0 * x.T)


@claim(
    "pfedme/thm1-proof-s14-a",
    world=DerivedScalars(
        {
            "mu": formula("10^6 mu_0", lambda x: 10**6 * x.mu_0),
            "lam": formula("mu", lambda x: x.mu),
            **ENVELOPE,
            **SOLVED_EXACTLY,
            "N": formula("10^6", lambda x: x.ratio(10**6, 1)),
            "S": formula("N - 1", lambda x: x.N - 1),
            "Delta_0": formula("far s^2/mu^2", lambda x: x.far * (x.s / x.mu) ** 2),
            "eta_prime": formula("eta'", lambda x: eta_prime(x, C2(x, x.s**2))),
            "eta1_hat": formula("eta1_hat", eta1_hat),
        },
        given=(LEAST_T, CASE_1_OF_THEOREM_1),
        sizes={"T": (4 * 10**5,), "R": (2,)},
        mu_0=at_least(1, CURVATURE),
        s=positive(GRADIENT),
        far=at_least(1),
        **symbols("beta"),
    ),
    control=Control("without the drift of the third term the right side is nearly nothing", third=0),
    repair="pfedme/thm1-proof-s14-a~repaired",
    uses=("pfedme/eq35",),
    step=True,
    note="(35) at eta_tilde = eta', in the first case, which needs S < N. C_3 has lost the L_F of (28). A half of N = 10^6 "
    "clients has curvature 3 mu, the other half mu, S = N - 1 of them are sampled: the expectation of w_t is that of S = N, "
    "and stays above the fixed point of a round, so that by Jensen's inequality F(w_bar_T) - F(w*) does.",
)
def thm1_proof_s14_a(x, third=1):
    c2 = C2(x, x.s**2)
    return le(above_rest(x), first_case(x, 2 * c2 / (x.mu_F * x.T), third * C3(x, x.s**2), c2, C1(x)))
