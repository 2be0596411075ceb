"""Theorem 1 for every T: the telescoping by induction, then (34), (35) and the last iterate (Section A.4.3)."""

from fractions import Fraction

from fedtheory import Control, claim, le, use
from fedtheory.theory.pfedme.conditions import EQ_31, LONG_ENOUGH, STEP_BELOW_2
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import alpha, keep
from fedtheory.units import LENGTH, VALUE
from problems import Scalars, Sequences, at_least, condition, positive

from .every_round import ROUNDS, eq30_every_R, eq31_short, explicit_floor
from .jensen import averaged, thm1_jensen
from .sums import closed, thm1_proof_s8_every_T, thm1_proof_s8_positive, thm1_proof_s8_power, weighted
from .weights import NUMBERS_33, decay, first_line, weights

STEP = {**symbols("eta_tilde", "mu_F"), "floor": at_least(0, VALUE)}
SEQUENCES = {"D": at_least(0, LENGTH**2), "e": at_least(0, VALUE)}
FALLS = condition(
    "D_{t+1} <= (1 - eta_tilde mu_F/2) D_t - eta_tilde e_t + eta_tilde floor",
    lambda x, t: le(x.D[t + 1], keep(x) * x.D[t] - x.eta_tilde * x.e[t] + x.eta_tilde * x.floor),
)


@claim(
    "pfedme/eq33@every-T",
    world=Sequences("T", **STEP, sequences=SEQUENCES, every=(FALLS,), given=(STEP_BELOW_2,)),
    control=Control("a fall at equality for every t makes both sides equal", share="1/2"),
    step=True,
    note="Arithmetic of (32) and (33) before the division by eta_tilde A_T, for any numbers D, e and `floor` with an inequality "
    "such as (30), for every T; A_T in its closed form.",
)
def eq33_every_T(x, share=1):
    left = x.eta_tilde * weighted(x) + alpha(x, x.T - 1) * x.D[x.T]
    return le(left, share * (x.D[0] + x.eta_tilde * x.floor * closed(x)))


@claim(
    "pfedme/eq32-a@sum",
    world=Sequences("T", **STEP, sequences=SEQUENCES, every=(FALLS,), given=(STEP_BELOW_2,)),
    by=(thm1_proof_s8_power,),
    control=Control("a fall at equality for every t makes both sides equal", share="1/2"),
    step=True,
    note="Arithmetic of the first line of (32) times eta_tilde A_T, for any numbers D, e and `floor` with an inequality such as "
    "(30), for every T.",
)
def eq32_a_sum(x, share=1):
    return le(x.eta_tilde * weighted(x), first_line(x) + share * x.eta_tilde * x.floor * weights(x))


@claim(
    "pfedme/eq32-a~repaired",
    world=ROUNDS,
    by=(
        eq31_short,
        thm1_proof_s8_positive,
        thm1_proof_s8_every_T,
        eq30_every_R,
        use(eq32_a_sum, floor=explicit_floor),
    ),
    control=Control("for a large T the left side is the floor, which errors that do not change reach", share="1/50"),
    uses=("pfedme/eq30-a~repaired", "pfedme/eq30-b"),
    step=True,
    note="With the L_F of (28) in C_3, with which (30) is true; for every T, R, S, N and dimension.",
)
def eq32_a_repaired(x, share=1):
    return le(weighted(x) / weights(x), first_line(x) / (x.eta_tilde * weights(x)) + share * explicit_floor(x))


@claim(
    "pfedme/eq34@division",
    world=Scalars(
        eta_tilde=positive(),
        A=positive(),
        **{name: at_least(0) for name in ("J", "G", "a", "D_0", "D_T", "floor")},
        given=(
            condition("J A <= G", lambda x: le(x.J * x.A, x.G)),
            condition(
                "eta_tilde G + a D_T <= D_0 + eta_tilde floor A",
                lambda x: le(x.eta_tilde * x.G + x.a * x.D_T, x.D_0 + x.eta_tilde * x.floor * x.A),
            ),
        ),
    ),
    control=Control("both may hold with equality", share="1/2"),
    step=True,
)
def eq34_division(x, share=1):
    weight = x.eta_tilde * x.A
    return le(x.J + x.a / weight * x.D_T, share * (x.D_0 / weight + x.floor))


DIVIDED = {
    "A": closed,
    "G": weighted,
    "a": lambda x: alpha(x, x.T - 1),
    "D_0": lambda x: x.D[0],
    "D_T": lambda x: x.D[x.T],
}


def last_distance(x):
    """|w_T - w*|^2."""
    return x.D[x.T]


@claim(
    "pfedme/eq34@from-30",
    world=Sequences(
        "T",
        **STEP,
        J=at_least(0, VALUE),
        sequences=SEQUENCES,
        every=(FALLS,),
        given=(
            STEP_BELOW_2,
            LONG_ENOUGH,
            condition("A_T J <= sum of alpha_t e_t", lambda x: le(x.J * closed(x), weighted(x))),
        ),
    ),
    by=(
        thm1_proof_s8_positive,
        eq33_every_T,
        use(eq34_division, **DIVIDED),
        *NUMBERS_33,
    ),
    control=Control("for a large T the right side is the floor, which the left side reaches", share="1/4"),
    step=True,
    note="Arithmetic of (34) for every T, of any numbers J, D, e and `floor` with these inequalities.",
)
def eq34_from_30(x, share=1):
    return le(x.J + x.mu_F / 2 * last_distance(x), share * (x.mu_F * decay(x) * x.D[0] + x.floor))


# of the method

GIVEN = (EQ_31, LONG_ENOUGH)
OF_THE_METHOD = (
    eq31_short,
    thm1_proof_s8_power,
    thm1_jensen,
    eq30_every_R,
    use(eq34_from_30, floor=explicit_floor),
)
LONG_RUN = {  # mu_F = 9/10, L_F = 1, eta_tilde = 1/20: 64 rounds are enough
    **{"T": 64, "m": 2, "S": 2, "R": 1, "d": 1},
    **{"lam": 1, "mu": 9, "beta": 10**6, "eta": Fraction(1, 20 * 10**6), "delta": 1},
}
LAST = averaged(given=GIVEN, example=LONG_RUN)
NOT_SO_SMALL = Control("for a large T the right side is the floor, which errors that do not change reach", share="1/50")


def bound(x):
    """Right side of (34) and (35)."""
    return x.mu_F * decay(x) * x.D[0] + explicit_floor(x)


def bound_last(x):
    """Bound on the last iterate."""
    return 2 / x.mu_F * bound(x)


@claim(
    "pfedme/eq34~repaired",
    world=LAST,
    by=OF_THE_METHOD,
    control=NOT_SO_SMALL,
    uses=("pfedme/eq32-a~repaired", "pfedme/eq32-b", "pfedme/eq33-a", "pfedme/eq33-b"),
    step=True,
    note="(34) for every T, R, S, N and dimension, under Assumption 1(a), with the L_F of (28) in C_3. J is F(w_bar_T) - F(w*).",
)
def eq34_repaired(x, share=1):
    return le(x.J + x.mu_F / 2 * last_distance(x), share * bound(x))


@claim(
    "pfedme/eq35~repaired",
    world=LAST,
    by=(eq34_repaired,),
    control=NOT_SO_SMALL,
    step=True,
    note="(35), Theorem 1 (a) in its explicit form, for every T, R, S, N and dimension, with the L_F of (28) in C_3.",
)
def eq35_repaired(x, share=1):
    return le(x.J, share * bound(x))


@claim(
    "pfedme/thm1b-proof-s3-a~repaired",
    world=LAST,
    by=(eq34_repaired,),
    control=NOT_SO_SMALL,
    step=True,
    note="The last iterate, E|w_T - w*|^2, for every T, R, S, N and dimension, with the L_F of (28) in C_3.",
)
def thm1b_proof_s3_a_repaired(x, share=1):
    return le(last_distance(x), share * bound_last(x))
