"""The bounds on the gradient in the two cases below (44), at a point where the method rests (Section A.5).

The two clients of `HuberAndLinear` at beta = 1, R = 2, S = N = 2, L = lam/4 and exact inner solutions: w_{t+1} = w_t in every
round although grad F(w_t) = (a - b)/2 > 0, with b = a (1 - eta_tilde q/4), q = lam L/(lam + L) the curvature of F_1. C_5 and
C_6 are zero; cubed, the third term is rational. The lost factor L_F^2 of C_4 shows from lam of about 800 on.
"""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.theorem2 import C4, ratio, step_limit
from fedtheory.units import CURVATURE, GRADIENT
from problems import at_least, condition, positive
from problems.worlds.derived import DerivedScalars, formula

from .descent import LAMBDA, LIMIT


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
    return C4(x, x.lam**2 / (x.lam**2 - 8 * x.L**2) * ((x.a + resting_slope(x)) / 2) ** 2)


def cubed(x, rest, share):
    """`rest` against `share` of (Delta_F)^{2/3} C_4^{1/3}/T^{2/3}, cubed."""
    return le(rest**3, share**3 * above(x) ** 2 * drift_constant(x) / x.T / x.T)


EXACT = {"L": formula("lam/4", lambda x: x.lam / 4), "R": lambda x: x.lam / x.lam + 1, "beta": lambda x: x.lam / x.lam}
EXACT_SOLUTIONS = {**EXACT, "delta": formula("0", lambda x: 0 * x.a / x.lam)}


def bound(x):
    """beta^2 Delta_F/(T C_4), which the cubes of the steps are compared with; C_5 = 0."""
    return x.beta**2 * above(x) / (x.T * drift_constant(x))


CASE_1 = condition("beta^2 Delta_F/(T C_4) <= eta2_hat^3, first case", lambda x: le(bound(x), step_limit(x) ** 3))
CASE_2 = condition("eta2_hat^3 <= beta^2 Delta_F/(T C_4), second case", lambda x: le(step_limit(x) ** 3, bound(x)))
LOST = (
    "On a run of the method that rests where grad F is not 0: two clients, beta = 1, R = 2, S = N, L = lam/4, delta = 0, inside "
    "all conditions of Theorem 2. C_4 lacks the factor L_F^2 that (40) lost, and without it the drift is too small."
)
# q = s (1 - u) with u = s^2/(49152 T) = eta_tilde q/8 makes T C_4 eta_tilde^3 = Delta_F, the step of the first case, rational
CHOSEN = {
    "s": formula("1000 scale", lambda x: 1000 * x.scale),
    "u": formula("s^2/(49152 T)", lambda x: x.s**2 / (49152 * x.T)),
    "lam": formula("5 s (1 - u)", lambda x: 5 * x.s * (1 - x.u)),
    **EXACT_SOLUTIONS,
    "eta_tilde": formula("(Delta_F/(T C_4))^{1/3} = 8 u (lam + L)/(lam L)", lambda x: 8 * x.u / curvature(x)),
}


def first_case(x, share):
    """Left side of the first case, whose sum starts at t = 1, against a `share` of the right one."""
    return cubed(x, (x.T - 1) * gradient_sq(x) / (2 * x.T), share)


@claim(
    "pfedme/thm2-proof-s6",
    world=DerivedScalars(
        CHOSEN, given=(LAMBDA, LIMIT, CASE_1), sizes={"T": (6 * 10**12,)}, scale=positive(CURVATURE), a=positive(GRADIENT)
    ),
    control=Control(
        "the gradient at rest is not 0, while a hundredth of the drift's term is a thousandth of what it has to hold",
        lambda x: first_case(x, ratio(x, 1, 100)),
    ),
    repair="pfedme/thm2-proof-s6~repaired",
    uses=("pfedme/eq44",),
    step=True,
    note=LOST + " At the chosen step, eta_tilde^3 = Delta_F/(T C_4). The exponent of beta is misprinted as well: `step`.",
)  # fmt: skip
def thm2_proof_s6(x):
    return first_case(x, 1)


def second_case(x, share):
    """(1/2T) sum |grad F|^2 less Delta_F/(eta2_hat T) against a `share` of the drift's term."""
    return cubed(x, gradient_sq(x) / 2 - above(x) / (x.eta_tilde * x.T), share)


@claim(
    "pfedme/thm2-proof-s7",
    world=DerivedScalars(
        {
            "lam": formula("5000 scale", lambda x: 5000 * x.scale), **EXACT_SOLUTIONS,
            "eta_tilde": formula("eta2_hat", lambda x: step_limit(x)),
        },
        given=(LAMBDA, LIMIT, CASE_2), sizes={"T": (10**12,)}, scale=at_least(1, CURVATURE), a=positive(GRADIENT),
    ),
    control=Control(
        "the gradient at rest is not 0, while a hundredth of the drift's term is a thousandth of what it has to hold",
        lambda x: second_case(x, ratio(x, 1, 100)),
    ),
    repair="pfedme/thm2-proof-s7~repaired",
    uses=("pfedme/eq44",),
    step=True,
    note=LOST + " At eta_tilde = eta2_hat. The exponent of beta is misprinted as well: `step`.",
)  # fmt: skip
def thm2_proof_s7(x):
    return second_case(x, 1)
