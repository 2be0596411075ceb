"""The bounds on the gradient in the two cases below (44), at a point where the method rests (Section A.5).

The two clients of `HuberAndLinear` at beta = 1, R = 2, S = N = 2, L = lam/4 and exact inner solutions: w_{t+1} = w_t in every
round although grad F(w_t) = (a - b)/2 > 0, with b = a (1 - eta_tilde q/4), q = lam L/(lam + L) the curvature of F_1. C_5 and
C_6 are zero; cubed, the third term is rational. The lost factor L_F^2 of C_4 shows from lam of about 800 on.
"""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.conditions import EQ_43, LAM_THEOREM_2
from fedtheory.theory.pfedme.constants import eta2_hat, sigma_F2_sq
from fedtheory.theory.pfedme.theorem2 import C4
from fedtheory.units import CURVATURE, GRADIENT
from problems import at_least, condition, positive
from problems.worlds.derived import DerivedScalars, formula

from ..worlds.two_clients import L_A_QUARTER, SOLVED_EXACTLY


def curvature(x):
    """q = lam L/(lam + L), the curvature of F_1 on the way of client 1."""
    return x.lam * x.L / (x.lam + x.L)


def resting_slope(x):
    """b, the mean of the two gradients that client 1 takes; client 2 has the slope -b."""
    return x.a * (1 - x.eta_tilde * curvature(x) / 4)


def gradient_sq(x):
    """|grad F(w_t)|^2 in every round, (a - b)^2/4."""
    return ((x.a - resting_slope(x)) / 2) ** 2


def above(x):
    """Delta_F = F(w) - F* = (a - b)^2/(4 q): the slope of F falls from (a - b)/2 to 0 with the curvature q/2."""
    return (x.a - resting_slope(x)) ** 2 / (4 * curvature(x))


def drift_constant(x):
    """C_4 with sigma_{F,2}^2 of the least sigma_f that Assumption 3 admits, (a + b)/2."""
    return C4(x, sigma_F2_sq(x, ((x.a + resting_slope(x)) / 2) ** 2))


def cubed_step(x):
    """beta^2 Delta_F/(T C_4), which the cube of eta2_hat is compared with; C_5 = 0."""
    return x.beta**2 * above(x) / (x.T * drift_constant(x))


def cubed(x, rest, share):
    """`rest` against `share` of (Delta_F)^{2/3} C_4^{1/3}/T^{2/3}, cubed."""
    return le(rest**3, share**3 * above(x) ** 2 * drift_constant(x) / x.T / x.T)


AT_REST = {**L_A_QUARTER, "R": lambda x: x.ratio(2, 1), "beta": lambda x: x.ratio(1, 1), **SOLVED_EXACTLY}
FIRST_CASE = condition(
    "beta^2 Delta_F/(T C_4) <= eta2_hat^3, first case", lambda x: le(cubed_step(x), eta2_hat(x) ** 3)
)
SECOND_CASE = condition(
    "eta2_hat^3 <= beta^2 Delta_F/(T C_4), second case", lambda x: le(eta2_hat(x) ** 3, cubed_step(x))
)
LOST = (
    "On a run of the method that rests where grad F is not 0, two clients inside all conditions of Theorem 2. C_4 lacks the "
    "factor L_F^2 that (40) lost, and without it the drift is too small."
)
TOO_SMALL = Control(
    "the gradient at rest is not 0, while a hundredth of the drift's term is a thousandth of what it has to hold",
    share="1/100",
)


@claim(
    "pfedme/thm2-proof-s6",
    world=DerivedScalars(
        # q = s (1 - u) with u = s^2/(49152 T) = eta_tilde q/8 makes T C_4 eta_tilde^3 = Delta_F, the step of the first case,
        # rational
        {
            "s": formula("1000 scale", lambda x: 1000 * x.scale),
            "u": formula("s^2/(49152 T)", lambda x: x.s**2 / (49152 * x.T)),
            "lam": formula("5 s (1 - u)", lambda x: 5 * x.s * (1 - x.u)),
            **AT_REST,
            "eta_tilde": formula("(Delta_F/(T C_4))^{1/3} = 8 u (lam + L)/(lam L)", lambda x: 8 * x.u / curvature(x)),
        },
        given=(LAM_THEOREM_2, EQ_43, FIRST_CASE),
        sizes={"T": (6 * 10**12,)},
        scale=positive(CURVATURE),
        a=positive(GRADIENT),
    ),
    control=TOO_SMALL,
    repair="pfedme/thm2-proof-s6~repaired",
    uses=("pfedme/eq44",),
    step=True,
    note=LOST
    + " At the chosen step, eta_tilde^3 = Delta_F/(T C_4). The exponent of beta is misprinted as well: `step`.",
)
def thm2_proof_s6(x, share=1):
    return cubed(x, (x.T - 1) * gradient_sq(x) / (2 * x.T), share)  # the printed sum starts at t = 1


@claim(
    "pfedme/thm2-proof-s7",
    world=DerivedScalars(
        {
            "lam": formula("5000 scale", lambda x: 5000 * x.scale),
            **AT_REST,
            "eta_tilde": formula("eta2_hat", eta2_hat),
        },
        given=(LAM_THEOREM_2, EQ_43, SECOND_CASE),
        sizes={"T": (10**12,)},
        scale=at_least(1, CURVATURE),
        a=positive(GRADIENT),
    ),
    control=TOO_SMALL,
    repair="pfedme/thm2-proof-s7~repaired",
    uses=("pfedme/eq44",),
    step=True,
    note=LOST + " At eta_tilde = eta2_hat. The exponent of beta is misprinted as well: `step`.",
)
def thm2_proof_s7(x, share=1):
    return cubed(x, gradient_sq(x) / 2 - above(x) / (x.eta_tilde * x.T), share)
