"""Theorem 2 for every T: (44) by induction from (42), and what follows at the step of either case (Section A.5)."""

from fractions import Fraction
from math import prod

from fedtheory import Control, claim, eq, le, lt, use
from fedtheory.theory.pfedme.conditions import EQ_43
from fedtheory.theory.pfedme.constants import L_F, eta2_hat, floor
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem2 import C4, C5, C6
from fedtheory.units import GRADIENT, STEP, VALUE
from problems import Scalars, Sequences, at_least, condition, positive, real

from .every_round import eq42_every_R, errors_44, rounds
from .rates import displayed, first_term, right_44, thm2_proof_s7_numbers

FALLS = condition(
    "eta_tilde G_t <= 2 (e_t - e_{t+1}) + 2 eta_tilde floor",
    lambda x, t: le(x.eta_tilde * x.gradient_sq[t], 2 * (x.e[t] - x.e[t + 1]) + 2 * x.eta_tilde * x.floor),
)
BELOW = condition("F* <= F(w_T), the infimum", lambda x: le(0, x.e[x.T]))


def mean_gradient_sq(x):
    """Half of E|grad F(w_{t*})|^2, t* uniform."""
    return x.sum(lambda t: x.gradient_sq[t], x.T) / (2 * x.T)


@claim(
    "pfedme/eq44@from-42",
    world=Sequences(
        "T",
        **symbols("eta_tilde"),
        floor=at_least(0, GRADIENT**2),
        sequences={"e": real(VALUE), "gradient_sq": at_least(0, GRADIENT**2)},
        every=(FALLS,),
    ),
    control=Control("a fall at equality in every round makes both sides equal", share="9/10"),
    step=True,
    note="Arithmetic of the telescoping for every T, of any numbers e, G and `floor` with an inequality such as (42).",
)
def eq44_from_42(x, share=1):
    rest = (x.e[0] - x.e[x.T]) / (x.eta_tilde * x.T)
    return le(mean_gradient_sq(x), rest + share * x.floor)


def at_44(x, share=1):
    """Right side of (44)."""
    return (x.e[0] - x.e[x.T]) / (x.eta_tilde * x.T) + share * errors_44(x)


@claim(
    "pfedme/eq44~repaired",
    world=rounds(),
    by=(eq42_every_R, use(eq44_from_42, floor=errors_44)),
    control=Control("for a large T the right side is the floor, which errors that do not change reach", share="1/50"),
    step=True,
    note="(44) for every T, R, S, N and dimension, with L_F^2 C_4 for C_4 and 2 sigma_{F,2}^2 for sigma_{F,2}^2.",
)
def eq44_repaired(x, share=1):
    return le(mean_gradient_sq(x), at_44(x, share))


# at the step min{a, b, eta2_hat}, a^3 at most beta^2 Delta_F/(T L_F^2 C_4) and b^2 at most Delta_F/(T C_5)


def drift_44(x):
    """L_F^2 C_4 with 2 sigma_{F,2}^2."""
    return L_F(x) ** 2 * C4(x, 2 * x.variance)


def variance_44(x):
    """C_5 with 2 sigma_{F,2}^2."""
    return C5(x, 2 * x.variance)


@claim(
    "pfedme/thm2a@larger-constants",
    world=Scalars(
        **{name: positive() for name in ("step", "T", "beta", "a", "b", "Delta_F")},
        **{name: at_least(0) for name in ("rest", "square", "linear", "C6")},
        given=(
            condition("T C_4 a^3 <= beta^2 Delta_F", lambda x: le(x.T * x.square * x.a**3, x.beta**2 * x.Delta_F)),
            condition("T C_5 b^2 <= Delta_F", lambda x: le(x.T * x.linear * x.b**2, x.Delta_F)),
        ),
    ),
    control=Control("both may hold with equality, and the rest may be 0", share="1/2"),
    step=True,
)
def thm2a_larger_constants(x, share=1):
    left = (x.Delta_F - x.rest) / (x.step * x.T) + floor(x, x.step, x.square, x.linear, x.C6)
    return le(left, share * right_44(x, x.step))


@claim(
    "pfedme/thm2a@at-the-step",
    world=Scalars(
        **{name: positive() for name in ("T", "beta", "a", "b", "eta2_hat", "Delta_F")},
        C6=at_least(0),
    ),
    control=Control("a and b equal make two terms of four, so once is too little", times=1),
    step=True,
    note="Arithmetic of the right side of (44) at the chosen step, for any numbers.",
)
def thm2a_at_the_step(x, times=2):
    step = x.minimum(x.minimum(x.a, x.b), x.eta2_hat)
    return le(right_44(x, step), displayed(x, times=times, first=first_term(x)))


def is_least(x, step, *bounds):
    """step = min{bounds}, without cases: it is above none of them, and the product of what is left is 0."""
    gaps = [bound - step for bound in bounds]
    return *(le(0, gap) for gap in gaps), eq(prod(gaps), 0)


TERMS = {name: positive() for name in ("step", "T", "a", "b", "Delta_F")}
LEAST_OF_TWO = condition("step = min{a, b}", lambda x: is_least(x, x.step, x.a, x.b))
LEAST_OF_THREE = condition("step = min{a, b, eta2_hat}", lambda x: is_least(x, x.step, x.a, x.b, x.eta2_hat))
ONE_BOUND = Control("one bound far below the others", share="9/10")


@claim("pfedme/thm2a@first-of-two", world=Scalars(**TERMS, given=(LEAST_OF_TWO,)), control=ONE_BOUND, step=True)
def first_of_two(x, share=1):
    return le(x.Delta_F / (x.step * x.T), share * (x.Delta_F / (x.a * x.T) + x.Delta_F / (x.b * x.T)))


@claim(
    "pfedme/thm2a@first-of-three", world=Scalars(**TERMS, eta2_hat=positive(), given=(LEAST_OF_THREE,)), control=ONE_BOUND,
    step=True,
)  # fmt: skip
def first_of_three(x, share=1):
    terms = x.Delta_F / (x.a * x.T) + x.Delta_F / (x.b * x.T) + x.Delta_F / (x.eta2_hat * x.T)
    return le(x.Delta_F / (x.step * x.T), share * terms)


@claim(
    "pfedme/thm2a@chain",
    world=Scalars(
        **{name: real() for name in ("left", "at_44", "at_step", "at_one_step", "displayed")},
        given=(
            condition("left <= at_44", lambda x: le(x.left, x.at_44)),
            condition("at_44 <= at_step", lambda x: le(x.at_44, x.at_step)),
            condition("at_step <= at_one_step", lambda x: le(x.at_step, x.at_one_step)),
            condition("at_one_step <= displayed", lambda x: le(x.at_one_step, x.displayed)),
        ),
    ),
    control=Control("all of them may hold with equality", share="1/2"),
    step=True,
)
def thm2a_chain(x, share=1):
    return le(x.left, share * x.displayed)


def rate(x):
    """Delta_F/(eta2_hat T) + 2 Delta_F/(a T) + 2 Delta_F/(b T) + C_6: the terms of (a), row thm2a-b~repaired."""
    first = x.e[0] / (eta2_hat(x) * x.T)
    return first + 2 * (x.e[0] / (x.a * x.T) + x.e[0] / (x.b * x.T)) + C6(x)


CONSTANTS = {
    "step": lambda x: x.eta_tilde,
    "Delta_F": lambda x: x.e[0],
    "rest": lambda x: x.e[x.T],
    "square": drift_44,
    "linear": variance_44,
    "C6": C6,
}
STEP_AND_GAP = {"step": lambda x: x.eta_tilde, "Delta_F": lambda x: x.e[0]}
CHAIN = {
    "left": mean_gradient_sq,
    "at_44": at_44,
    "at_step": lambda x: right_44(x.at(Delta_F=x.e[0], C6=C6(x)), x.eta_tilde),
    "at_one_step": lambda x: second_case(x),
    "displayed": rate,
}


SHORT_RUN = {
    **{"T": 1, "m": 2, "S": 2, "R": 1, "d": 1, "L": 1, "lam": 4, "beta": 1},
    **{"eta": Fraction(1, 2**13), "a": Fraction(1, 2**13), "b": 1, "delta": Fraction(1, 2**10), "F_star": 0},
}


GIVEN_A_AND_B = (
    BELOW,
    condition("F(w_0) > F*", lambda x: lt(0, x.e[0])),
    condition("a^3 <= beta^2 Delta_F/(T L_F^2 C_4)", lambda x: le(x.T * drift_44(x) * x.a**3, x.beta**2 * x.e[0])),
    condition("b^2 <= Delta_F/(T C_5)", lambda x: le(x.T * variance_44(x) * x.b**2, x.e[0])),
)
ONLY_C6 = Control("for a large T the right side is C_6, which errors that do not change reach", share="1/50")


def in_a_and_b(*given, example=None, **options):
    """Rounds at a step that `given` gives by numbers a and b."""
    conditions = (*GIVEN_A_AND_B, *given)
    return rounds(example=example or SHORT_RUN, given=conditions, a=positive(STEP), b=positive(STEP), **options)


@claim(
    "pfedme/thm2a-b~repaired",
    world=in_a_and_b(
        condition("eta_tilde = min{a, b, eta2_hat}", lambda x: is_least(x, x.eta_tilde, x.a, x.b, eta2_hat(x)))
    ),
    by=(
        eq44_repaired,
        use(thm2a_larger_constants, **CONSTANTS),
        use(thm2_proof_s7_numbers, **STEP_AND_GAP, C6=C6),
        use(first_of_three, **STEP_AND_GAP, eta2_hat=eta2_hat),
        use(thm2a_chain, **CHAIN),
    ),
    control=ONLY_C6,
    uses=("pfedme/thm2a-b@numbers", "pfedme/thm2a@at-the-step", "pfedme/thm2-proof-s8-a"),
    note="There is an eta <= eta2_hat/(beta R) such that (a) holds with L_F^{2/3} in its third term and beta^{2/3} for beta^{4/3}: "
    "at the step min{a, b, eta2_hat}, for every T, R, S, N and dimension. With the largest a and b the two terms are those of (a); "
    "that the hidden constant is then 20 at most is thm2a-b@numbers. Half of E|grad F(w_{t*})|^2 on the left.",
)
def thm2a_b_repaired(x, share=1):
    return le(mean_gradient_sq(x), share * rate(x))


# the two cases, each at its step


def two_terms(x, times=1):
    """Delta_F/(a T) + Delta_F/(b T) + C_6, the former `times`."""
    return times * (x.e[0] / (x.a * x.T) + x.e[0] / (x.b * x.T)) + C6(x)


def first_case(x):
    """The display of the first case, with beta^{2/3} and twice the two terms."""
    return two_terms(x, 2)


def second_case(x):
    """The display of the second case at the step eta_tilde, with beta^{2/3}."""
    return x.e[0] / (x.eta_tilde * x.T) + two_terms(x)


@claim(
    "pfedme/thm2-proof-s6~repaired",
    world=in_a_and_b(EQ_43, condition("eta_tilde = min{a, b}", lambda x: is_least(x, x.eta_tilde, x.a, x.b))),
    by=(
        eq44_repaired,
        use(thm2a_larger_constants, **CONSTANTS),
        use(thm2_proof_s7_numbers, **STEP_AND_GAP, C6=C6),
        use(first_of_two, **STEP_AND_GAP),
        use(thm2a_chain, **{**CHAIN, "displayed": first_case}),
    ),
    control=ONLY_C6,
    uses=("pfedme/thm2-proof-s6@numbers",),
    step=True,
    note="At the step of the case, with beta^{2/3} in place of beta^{4/3}, twice the two terms, L_F^2 C_4 and C_5 with 2 "
    "sigma_{F,2}^2; the sum from t = 0 on. For every T, R, S, N and dimension.",
)
def thm2_proof_s6_repaired(x, share=1):
    return le(mean_gradient_sq(x), share * first_case(x))


@claim(
    "pfedme/thm2-proof-s7~repaired",
    world=in_a_and_b(
        EQ_43,
        condition("eta_tilde <= a", lambda x: le(x.eta_tilde, x.a)),
        condition("eta_tilde <= b", lambda x: le(x.eta_tilde, x.b)),
    ),
    by=(
        eq44_repaired,
        use(thm2a_larger_constants, **CONSTANTS),
        use(thm2_proof_s7_numbers, **STEP_AND_GAP, C6=C6),
        use(thm2a_chain, **{**CHAIN, "displayed": second_case}),
    ),
    control=ONLY_C6,
    step=True,
    note="At every step up to eta2_hat, so at eta2_hat, with beta^{2/3} in place of beta^{4/3}, L_F^2 C_4 and C_5 with 2 "
    "sigma_{F,2}^2. For every T, R, S, N and dimension.",
)
def thm2_proof_s7_repaired(x, share=1):
    return le(mean_gradient_sq(x), share * second_case(x))
