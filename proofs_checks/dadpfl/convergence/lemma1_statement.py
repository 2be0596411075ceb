"""The end of the proof of Lemma 1, and its statement, (17)."""

from dataclasses import replace

from fedtheory import Control, claim, le, lt
from fedtheory.theory.dadpfl.conditions import NEIGHBOURS
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import Scalars, Sequences, at_least, condition, positive

from .lemma1 import START, eq23_repaired
from .worlds import AT_TWO, LOCAL, OF_LEMMA, UNBIASED, WHOLE, exponential, growth, room

BEYOND = (NEIGHBOURS,)


@claim(
    "dadpfl/lemma1-proof-s7",
    world=Scalars(M=at_least(1), given=BEYOND),
    control=Control("nor half of the exponent", share=2),
    step=True,
    note="Equal only in the limit of many neighbours.",
)
def s7(x, share=1):
    return lt(growth(x), exponential(x, share))


@claim(
    "dadpfl/lemma1-proof-s8", world=Sequences("tau", M=at_least(1), given=BEYOND), step=True,
    control=Control("nor half of the exponent", share=2), note="For every E_l, here tau.",
)  # fmt: skip
def s8(x, share=1):
    return lt(growth(x) ** x.tau, exponential(x, share) ** x.tau)


SUMMED = Sequences(
    "tau",
    sequences={"D": at_least(0, LENGTH**2)},
    M=at_least(1),
    R=at_least(0, LENGTH**2),
    given=(*BEYOND, START),
    every=(condition("D_{tau+1} <= A D_tau + B + C", lambda x, t: le(x.D[t + 1], growth(x) * x.D[t] + x.R), "(23)"),),
)


@claim(
    "dadpfl/lemma1-proof-s9@powers",
    world=SUMMED,
    control=Control("half", share="1/2"),
    step=True,
    note="Before the exponential takes the place of A^E_l.",
)
def s9_powers(x, share=1):
    return le(x.D[x.tau], share * (growth(x) ** x.tau - 1) * (2 * x.M - 2) * x.R)


@claim(
    "dadpfl/lemma1-proof-s9",
    world=SUMMED,
    by=(s8, s9_powers),
    control=Control("a tenth", share="1/10"),
    step=True,
    note="From the recursion (23) with A = 1 + 1/(2M - 2), for every E_l, here tau; R is B + C.",
)
def s9(x, share=1):
    return le(x.D[x.tau], share * (exponential(x) ** x.tau - 1) * (2 * x.M - 2) * x.R)


# the statement


@claim(
    "dadpfl/eq17",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(
        c=positive(GRADIENT), sizes={"M": (2, 3, 10), "E_l": (1, 2, 3)}, given=OF_LEMMA, **WHOLE,
    ),
    repair="dadpfl/eq17@one-model",
    note="Clients that are 0 everywhere, masks of ones, one first model, and an estimate of the gradient that is c "
    "every time, so that sigma_l^2 = c^2 meets (8), which does not ask for errors of mean zero: the model goes E_l eta "
    "c. Errors of mean zero, and models ~w_k that differ, as (17) has them: dadpfl/eq17@unbiased. With errors of mean zero "
    "and one model of all, as an aggregation like FedAvg's leaves it, it is true: dadpfl/eq17@one-model.",
)  # fmt: skip
def eq17(x, share=1):
    w = 0 * x.eta * x.c
    for _ in range(int(x.E_l)):
        w = w - x.eta * x.c
    M = x.M
    bound = (x.exp(x.E_l / (2 * M - 2)) - 1) * (2 * M - 2) * 2 * M / (2 * M - 1) * x.eta**2 * x.c**2
    return le(share * (w**2), bound)


def hat(x, w, top):
    """A hat of height 1 at `top`, 0 from a distance of 1 on."""
    return x.maximum(0, 1 - x.maximum(w - top, top - w))


@claim(
    "dadpfl/eq17@unbiased",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(sizes={"K": (3, 16, 17)}, c=positive(GRADIENT), L=positive(CURVATURE), eta=positive(STEP), h=positive(LENGTH),
                  given=(AT_TWO,
                         condition("the slopes of the hats are at most L", lambda x: le(x.c, x.L * x.h)))),
    note="Exact gradients, M = 2, E_l = 1, and models ~w_k that differ: the derivative of client k is c times a hat of "
    "width h around its own model 4 h k, so that at every w at most one client has a slope and (9) holds with sigma_g^2 "
    "= (K - 1) c^2/K^2, the value at the tops. Each client goes eta c, as if every sigma_g^2 were c^2. For K >= 16. "
    "With neighbours k + 1 and k + 2 the averages are any models, as 3 does not divide 16. f_k is bounded and not "
    "convex.",
    repair="dadpfl/eq17@one-model",
)  # fmt: skip
def eq17_unbiased(x, share=1):
    K = int(x.K)
    slopes = [[x.c * hat(x, 4 * k, 4 * j) for j in range(K)] for k in range(K)]  # of client j at the model of client k
    far = sum((x.eta * slopes[k][k]) ** 2 for k in range(K)) / K
    spread = (K - 1) * x.c**2 / K**2
    whole = sum((sum(slopes[k]) / K) ** 2 for k in range(K)) / K
    return le(share * (far), (x.exp(x.ratio(1, 2)) - 1) * 2 * 12 * x.eta**2 * (spread + whole))


@claim(
    "dadpfl/eq17~repaired",
    world=replace(LOCAL, given=(*LOCAL.given, START)),
    by=(eq23_repaired,),
    control=Control("a tenth", share="1/10"),
    note="For every E_l, here tau, every M > 1 and every client, with its own spread |grad f_k - grad f|^2 at its first "
    "model in the place of sigma_g^2; A^E_l <= e^(E_l/(2M - 2)) by dadpfl/lemma1-proof-s8. The mean over clients with "
    f"one first model has (9). {UNBIASED}",
)
def eq17_repaired(x, share=1):
    return le(x.D[x.tau], share * (growth(x) ** x.tau - 1) * (2 * x.M - 2) * room(x, x.spread, x.rise))
