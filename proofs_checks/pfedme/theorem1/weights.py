"""Theorem 1, the weights alpha_t and the telescoping for every T: second line of (32), and (33) (Section A.4.3)."""

from typing import Any

from fedtheory import Control, claim, eq, le, use
from fedtheory.theory.pfedme.conditions import LONG_ENOUGH, STEP_BELOW_2
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import alpha, keep
from fedtheory.units import LENGTH, VALUE
from problems import Scalars, Sequences, at_least, between, condition

from .sums import thm1_proof_s8_every_T, thm1_proof_s8_positive, thm1_proof_s8_power

STEP = symbols("eta_tilde", "mu_F")
ANY_T = Sequences("T", **STEP, given=(STEP_BELOW_2,))
LONG = Sequences("T", **STEP, given=(STEP_BELOW_2, LONG_ENOUGH))
CLOSED = (thm1_proof_s8_positive, thm1_proof_s8_power, thm1_proof_s8_every_T)
OF_ANY_DISTANCES: dict[str, Any] = {
    **STEP,
    "floor": at_least(0, VALUE),
    "sequences": {"D": at_least(0, LENGTH**2)},
}
ANY_DISTANCES = Sequences("T", **OF_ANY_DISTANCES, given=(STEP_BELOW_2,))


def weights(x):
    """A_T, the sum of alpha_t for t = 0 .. T-1."""
    return x.sum(lambda t: alpha(x, t), x.T)


def powers(x):
    """Sum of (1 - eta_tilde mu_F/2)^t for t = 0 .. T-1."""
    return x.sum(lambda t: keep(x) ** t, x.T)


def last(x):
    """alpha_{T-1}."""
    return alpha(x, x.T - 1)


DECAYS = condition("power <= decay", lambda x: le(x.power, x.decay))


def decay(x):
    """e^{-eta_tilde mu_F T/2}."""
    return x.exp(-(x.eta_tilde * x.mu_F * x.T / 2))


# the weights, from the recursion that is chosen for them: before_t is alpha_{t-1}

RECURSIVE = Sequences(
    "T",
    **STEP,
    sequences={"before": at_least(0)},
    every=(
        condition(
            "(1 - eta_tilde mu_F/2) alpha_t = alpha_{t-1}", lambda x, t: eq(keep(x) * x.before[t + 1], x.before[t])
        ),
    ),
    given=(STEP_BELOW_2, condition("alpha_{-1} = 1", lambda x: eq(x.before[0], 1))),
)


@claim(
    "pfedme/thm1-proof-s7",
    world=RECURSIVE,
    by=(thm1_proof_s8_power,),
    control=Control("without the + 1 in the exponent alpha_0 is 1, not 1/(1 - eta_tilde mu_F/2)", late=2),
    uses=("pfedme/thm1-proof-s6",),
    step=True,
    note="With alpha_{-1} = 1, which the recursion leaves open and (33) needs.",
)
def thm1_proof_s7(x, late=1):
    return eq(x.before[x.T], alpha(x, x.T - late))


@claim(
    "pfedme/thm1-proof-s8-a",
    world=RECURSIVE,
    by=(use(thm1_proof_s7, T=lambda x, t: t + 1),),
    control=Control("the sum has T terms, each above 1", share="1/2"),
    uses=("pfedme/thm1-proof-s7",),
    step=True,
)
def thm1_proof_s8_a(x, share=1):
    return eq(x.sum(lambda t: x.before[t + 1], x.T), share * weights(x))


@claim(
    "pfedme/thm1-proof-s8-c",
    world=ANY_T,
    control=Control("eta_tilde mu_F without its half in the denominator gives half the sum", two=1),
    step=True,
    note="a_{T-1} is read as alpha_{T-1}.",
)
def thm1_proof_s8_c(x, two=2):
    return eq(powers(x) / keep(x) ** x.T, last(x) * (1 - keep(x) ** x.T) / (x.eta_tilde * x.mu_F / two))


@claim(
    "pfedme/thm1-proof-s8-b",
    world=ANY_T,
    by=(thm1_proof_s8_every_T, thm1_proof_s8_c),
    control=Control("with the power T - 1 in front the two sums differ by the factor 1 - eta_tilde mu_F/2", fewer=1),
    step=True,
    note="Both sums have the closed form of row thm1-proof-s8-c.",
)
def thm1_proof_s8_b(x, fewer=0):
    return eq(weights(x), powers(x) / keep(x) ** (x.T - fewer))


# how small the power is


@claim(
    "pfedme/thm1-proof-s10-a",
    world=ANY_T,
    control=Control("for small eta_tilde both sides are nearly 1", share="4/5"),
    step=True,
    note="At any number of rounds.",
)
def thm1_proof_s10_a(x, share=1):
    return le(keep(x) ** x.T, share * decay(x))


@claim(
    "pfedme/thm1-proof-s10-b",
    world=Scalars(**STEP, **symbols("T"), given=(LONG_ENOUGH,)),
    control=Control("for eta_tilde mu_F T = 2 both sides are equal", share="9/10"),
    step=True,
)
def thm1_proof_s10_b(x, share=1):
    return le(decay(x), share * x.exp(x.ratio(-1, 1)))


@claim(
    "pfedme/thm1-proof-s10-c",
    world=Scalars(**symbols("mu_F")),
    control=Control("e is 2.718..., so 1/e is above 1/3", two=3),
    step=True,
    note="Both sides times 2 mu_F.",
)
def thm1_proof_s10_c(x, two=2):
    return le(two * x.mu_F * x.exp(x.ratio(-1, 1)), x.mu_F)


@claim(
    "pfedme/thm1-proof-s10@half",
    world=Scalars(z=at_least(1)),
    control=Control("2/e is above 7/10", share="7/10"),
    step=True,
    note="2 e^{-z} <= 1 for z >= 1.",
)
def thm1_proof_s10_half(x, share=1):
    return le(2 * x.exp(-x.z), share)


AT_MOST_HALF = use(thm1_proof_s10_half, z=lambda x: x.eta_tilde * x.mu_F * x.T / 2)


@claim(
    "pfedme/thm1-proof-s10@power",
    world=LONG,
    by=(thm1_proof_s10_a, AT_MOST_HALF),
    control=Control("for one round and eta_tilde mu_F near 2 the power is nearly 0", share="1/100"),
    step=True,
    note="The chain of thm1-proof-s10-a to -c: (1 - eta_tilde mu_F/2)^T is at most 1/2.",
)
def thm1_proof_s10_power(x, share=1):
    return le(2 * keep(x) ** x.T, share)


@claim(
    "pfedme/thm1-proof-s11",
    world=ANY_T,
    control=Control("for eta_tilde mu_F near 2 the left side is near 1, above 1/2", one="1/2"),
    step=True,
)
def thm1_proof_s11(x, one=1):
    return le(1 - keep(x) ** x.T, one)


@claim(
    "pfedme/thm1-proof-s9-a",
    world=LONG,
    by=(*CLOSED, thm1_proof_s10_power),
    control=Control("where the power is 1/2 both sides are equal, so 11/10 of the left one is too much", share="11/10"),
    uses=("pfedme/thm1-proof-s8-c",),
    step=True,
    note="a_{T-1} is read as alpha_{T-1}.",
)
def thm1_proof_s9_a(x, share=1):
    return le(share * last(x) / (x.eta_tilde * x.mu_F), weights(x))


@claim(
    "pfedme/thm1-proof-s9-b",
    world=ANY_T,
    by=CLOSED,
    control=Control("for a small power the two sides are nearly equal, so nine tenths are too little", share="9/10"),
    uses=("pfedme/thm1-proof-s8-c", "pfedme/thm1-proof-s11"),
    step=True,
    note="a_{T-1} is read as alpha_{T-1}.",
)
def thm1_proof_s9_b(x, share=1):
    return le(weights(x), share * 2 * last(x) / (x.eta_tilde * x.mu_F))


@claim(
    "pfedme/thm1-proof-s12-a",
    world=ANY_T,
    by=CLOSED,
    control=Control("for a small power the two sides are nearly equal, so 11/10 of mu_F/2 is too much", share="11/10"),
    uses=("pfedme/thm1-proof-s9-b",),
    step=True,
)
def thm1_proof_s12_a(x, share=1):
    return le(share * x.mu_F / 2, last(x) / (x.eta_tilde * weights(x)))


@claim(
    "pfedme/thm1-proof-s12-b",
    world=LONG,
    by=(*CLOSED, thm1_proof_s10_power),
    control=Control(
        "where the power is 1/2 both sides are equal, so nine tenths of the right one are too little", share="9/10"
    ),
    uses=("pfedme/thm1-proof-s9-a",),
    step=True,
)
def thm1_proof_s12_b(x, share=1):
    return le(1 / (x.eta_tilde * weights(x)), share * x.mu_F * keep(x) ** x.T)


@claim(
    "pfedme/thm1-proof-s12-c",
    world=ANY_T,
    by=(thm1_proof_s10_a,),
    control=Control("for small eta_tilde both sides are nearly mu_F", share="4/5"),
    step=True,
)
def thm1_proof_s12_c(x, share=1):
    return le(x.mu_F * keep(x) ** x.T, share * x.mu_F * decay(x))


# the telescoping, of any numbers E Delta_t = D_t, with `floor` for eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1


def changes(x, before):
    """Sum of before(t) Delta_t - alpha_t Delta_{t+1} for t = 0 .. T-1."""
    return x.sum(lambda t: before(t) * x.D[t] - alpha(x, t) * x.D[t + 1], x.T)


def first_line(x):
    """The sum in the first line of (32)."""
    return changes(x, lambda t: keep(x) * alpha(x, t))


def second_line(x, share=1):
    """The sum in the second line of (32)."""
    return changes(x, lambda t: share * alpha(x, t - 1))


def over_weights(x, numerator):
    """`numerator`/(eta_tilde A_T), plus the floor."""
    return numerator / (x.eta_tilde * weights(x)) + x.floor


@claim(
    "pfedme/eq32-b@sum",
    world=ANY_DISTANCES,
    control=Control("with half of alpha_{t-1} on the right the left side is larger wherever Delta_t > 0", share="1/2"),
    step=True,
    note="Times eta_tilde A_T, without the floor.",
)
def eq32_b_sum(x, share=1):
    return eq(first_line(x), second_line(x, share))


@claim(
    "pfedme/eq32-b",
    world=ANY_DISTANCES,
    by=(*CLOSED, eq32_b_sum),
    control=Control("with half of alpha_{t-1} on the right the left side is larger wherever Delta_t > 0", share="1/2"),
    uses=("pfedme/thm1-proof-s6",),
    step=True,
    note="Any Delta_t, and `floor` for eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1; both sides are equal.",
)
def eq32_b(x, share=1):
    return le(over_weights(x, first_line(x)), over_weights(x, second_line(x, share)))


def ends(x, first=1):
    """alpha_{-1} Delta_0 - alpha_{T-1} Delta_T, with `first` for alpha_{-1} = 1."""
    return first * x.D[0] - last(x) * x.D[x.T]


@claim(
    "pfedme/eq33-a@sum",
    world=ANY_DISTANCES,
    control=Control("Delta_0 stays once, not twice", first=2),
    step=True,
    note="Times eta_tilde A_T, without the floor.",
)
def eq33_a_sum(x, first=1):
    return eq(second_line(x), ends(x, first))


@claim(
    "pfedme/eq33-a",
    world=ANY_DISTANCES,
    by=(*CLOSED, eq33_a_sum),
    control=Control("Delta_0 stays once, not twice", first=2),
    uses=("pfedme/thm1-proof-s7",),
    step=True,
    note="Any Delta_t, and `floor` for eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1.",
)
def eq33_a(x, first=1):
    return eq(over_weights(x, second_line(x)), over_weights(x, ends(x, first)))


# the last inequality, first of numbers: `power` is (1 - eta_tilde mu_F/2)^T, `decay` e^{-eta_tilde mu_F T/2}


def total(x):
    """A_T in its closed form at `power`."""
    return (1 - x.power) / x.power / (x.eta_tilde * x.mu_F / 2)


@claim(
    "pfedme/eq33-b@numbers",
    world=Scalars(
        **STEP,
        power=between(0, 1, closed=False),
        decay=at_least(0),
        Delta_0=at_least(0, LENGTH**2),
        Delta_T=at_least(0, LENGTH**2),
        floor=at_least(0, VALUE),
        given=(
            STEP_BELOW_2,
            condition("power <= 1/2", lambda x: le(2 * x.power, 1)),
            DECAYS,
        ),
    ),
    control=Control(
        "where the power is 1/2 and equal to the decay both sides are equal for Delta_T = 0, so nine tenths are too little",
        share="9/10",
    ),
    step=True,
    note="Arithmetic of the last inequality of (33), of any numbers with these inequalities.",
)
def eq33_b_numbers(x, share=1):
    weight = x.eta_tilde * total(x)
    return le(
        x.Delta_0 / weight - x.Delta_T / x.power / weight + x.floor,
        x.mu_F * share * x.decay * x.Delta_0 - x.mu_F / 2 * x.Delta_T + x.floor,
    )


AT_T = {
    "power": lambda x: keep(x) ** x.T,
    "decay": decay,
    "Delta_0": lambda x: x.D[0],
    "Delta_T": lambda x: x.D[x.T],
}
NUMBERS_33 = (thm1_proof_s10_a, thm1_proof_s10_power, use(eq33_b_numbers, **AT_T))


@claim(
    "pfedme/eq33-b",
    world=Sequences("T", **OF_ANY_DISTANCES, given=(STEP_BELOW_2, LONG_ENOUGH)),
    by=(*CLOSED, *NUMBERS_33),
    control=Control(
        "where the power is 1/2 and nearly the decay both sides are nearly equal, so nine tenths are too little",
        share="1/2",
    ),
    uses=("pfedme/thm1-proof-s12-a", "pfedme/thm1-proof-s12-b", "pfedme/thm1-proof-s12-c"),
    step=True,
    note="Any Delta_t, and `floor` for eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1.",
)
def eq33_b(x, share=1):
    right = x.mu_F * share * decay(x) * x.D[0] - x.mu_F / 2 * x.D[x.T] + x.floor
    return le(over_weights(x, ends(x)), right)
