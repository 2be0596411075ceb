"""Theorem 2 for every T: (44) by induction from (42), and what follows at the step of either case (Section A.5)."""

from fractions import Fraction

from fedtheory import Control, claim, eq, le, lt, use
from fedtheory.theory.pfedme.constants import L_F, eta2_hat, floor
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem2 import C4, C5, C6
from fedtheory.units import GRADIENT, STEP, VALUE
from problems import Scalars, Sequences, at_least, condition, positive, real

from .every_round import eq42_every_R, errors_44, rounds
from .rates import displayed, first_term, right_44

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
    "pfedme/eq44@every-T",
    world=rounds(),
    by=(eq42_every_R, use(eq44_from_42, floor=errors_44)),
    control=Control("for a large T the right side is the floor, which errors that do not change reach", share="1/50"),
    note="(44) for every T, R, S, N and dimension, with L_F^2 C_4 for C_4 and 2 sigma_{F,2}^2 for sigma_{F,2}^2.",
)
def eq44_every_T(x, share=1):
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
    note="Row thm2a-b~repaired, (44) at the chosen step, for any beta.",
)
def thm2a_at_the_step(x, times=2):
    step = x.minimum(x.minimum(x.a, x.b), x.eta2_hat)
    return le(right_44(x, step), displayed(x, times=times, first=first_term(x)))


@claim(
    "pfedme/thm2a@chain",
    world=Scalars(
        **{name: real() for name in ("left", "at_44", "at_step", "displayed")},
        given=(
            condition("left <= at_44", lambda x: le(x.left, x.at_44)),
            condition("at_44 <= at_step", lambda x: le(x.at_44, x.at_step)),
            condition("at_step <= displayed", lambda x: le(x.at_step, x.displayed)),
        ),
    ),
    control=Control("all of them may hold with equality", share="1/2"),
    step=True,
)
def thm2a_chain(x, share=1):
    return le(x.left, share * x.displayed)


def chosen_step(x):
    """min{a, b, eta2_hat}."""
    return x.minimum(x.minimum(x.a, x.b), eta2_hat(x))


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
AT_THE_STEP = {"eta2_hat": eta2_hat, "Delta_F": lambda x: x.e[0], "C6": C6}
CHAIN = {
    "left": mean_gradient_sq,
    "at_44": at_44,
    "at_step": lambda x: right_44(x.at(Delta_F=x.e[0], C6=C6(x)), x.eta_tilde),
    "displayed": rate,
}


SHORT_RUN = {
    **{"T": 1, "m": 2, "S": 2, "R": 1, "d": 1, "L": 1, "lam": 4, "beta": 1},
    **{"eta": Fraction(1, 2**13), "a": Fraction(1, 2**13), "b": 1, "delta": Fraction(1, 2**10), "F_star": 0},
}


@claim(
    "pfedme/thm2a@every-T",
    world=rounds(
        example=SHORT_RUN,
        given=(
            BELOW,
            condition("F(w_0) > F*", lambda x: lt(0, x.e[0])),
            condition("eta_tilde = min{a, b, eta2_hat}", lambda x: eq(x.eta_tilde, chosen_step(x))),
            condition(
                "a^3 <= beta^2 Delta_F/(T L_F^2 C_4)",
                lambda x: le(x.T * drift_44(x) * x.a**3, x.beta**2 * x.e[0]),
            ),
            condition("b^2 <= Delta_F/(T C_5)", lambda x: le(x.T * variance_44(x) * x.b**2, x.e[0])),
        ),
        a=positive(STEP),
        b=positive(STEP),
    ),
    by=(
        eq44_every_T,
        use(thm2a_larger_constants, **CONSTANTS),
        use(thm2a_at_the_step, **AT_THE_STEP),
        use(thm2a_chain, **CHAIN),
    ),
    control=Control("for a large T the right side is C_6, which errors that do not change reach", share="1/50"),
    note="Theorem 2 (a) at the step min{a, b, eta2_hat}, for every T, R, S, N and dimension: with the largest a and b the two "
    "terms are those of (a) with L_F^{2/3} and beta^{2/3}. Half of E|grad F(w_{t*})|^2 on the left.",
)
def thm2a_every_T(x, share=1):
    return le(mean_gradient_sq(x), share * rate(x))
