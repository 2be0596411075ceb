"""Theorem 3 beside its repair: what fails where mu > eta and the divisor is positive, and where (13) is the larger bound."""

from fedtheory import Control, claim, le
from fedtheory.theory.dadpfl.conditions import DIVISOR, STEP_REPAIRED
from fedtheory.theory.dadpfl.constants import S2, rate_coefficient, repaired_spread, round_step
from fedtheory.units import LENGTH
from problems import Scalars, condition, positive, real

from .remarks import FLATTER
from .theorem3 import POSITIVE, divided
from .worlds import BOUNDS, OF_LEMMA, WHOLE, mean, one_round, reordered

MODELS = {f"w{j}": real(LENGTH) for j in (1, 2, 3)}


def levels(x):
    """Twice the means of f/L at the global models of two rounds, under every pair of orders of the three clients."""
    first, second = [], []
    for W in reordered([x.w1, x.w2, x.w3]):
        before, after = one_round(x, W)
        first.append(mean(before) ** 2)
        second.append(mean([mean(one_round(x, then)[0]) ** 2 for then in reordered(after)]))
    return mean(first), mean(second)


@claim(
    "dadpfl/eq48@apart",
    control=Control("half of the gradient's part", share="1/2"),
    world=Scalars(sizes={"M": (2,), "E_l": (3,)}, given=(OF_LEMMA[1], DIVISOR, FLATTER), **WHOLE, **MODELS),
    repair="dadpfl/thm3~repaired-round",
    step=True,
    note="With mu > eta and a positive divisor: models that differ are averaged one after the other, which moves the mean, and "
    "near the minimiser f grows by more than (48) allows. K = 3, M = N = 2, E_l = 3, indices anew in every round, clients "
    "that are alike, f_k(w) = L w^2/2, masks of ones, first models that differ; all sigma = 0.",
)
def eq48_apart(x, share=1):
    first, second = levels(x)
    return le(x.L / 2 * (second - first), -share * rate_coefficient(x) / 2 * x.L**2 * first)


def exponent(x):
    """That of S_1."""
    return (3 * x.M + 2) * x.E_l / (4 * (x.M**2 - 1))


SMALL = (
    STEP_REPAIRED,
    condition("10 eta <= mu", lambda x: le(10 * x.eta, x.L)),
    POSITIVE,
    condition(
        "e^v - 1 >= v + v^2/2 + v^3/6", lambda x: le(exponent(x) + exponent(x) ** 2 / 2 + exponent(x) ** 3 / 6, x.rise)
    ),
)


@claim(
    "dadpfl/eq13@larger",
    world=Scalars(
        sizes={"M": (2, 3, 10), "E_l": (4, 20)}, rise=positive(), given=SMALL, **WHOLE, **BOUNDS,
        example={
            "M": 2, "E_l": 4, "rise": 100, "L": 1, "eta": "1/100000000", "sigma_l_sq": 1, "sigma_g_sq": 1, "sigma_p_sq": 1,
        },
    ),
    control=Control("ten times as large", share=10),
    uses=("dadpfl/thm3~repaired",),
    note="Of two right sides alone, for small steps, E_l >= 4 and one first model of all: the factor of the gap over T and what "
    "stays for ever are both larger in (13) than in dadpfl/thm3~repaired. So the least |grad f|^2 at the mean of the models, N "
    "= 0 and dense masks, is below the printed bound there; (13) itself speaks of the mean of the aggregated models. `rise` is "
    "the exponential less 1. M = 2, 3, 10 and E_l = 4, 20.",
)  # fmt: skip
def larger(x, share=1):
    S1 = 2 * x.eta**2 * x.M * (x.M - 1) * x.rise
    drift = 3 * x.L**2 * x.eta**3 * (3 * x.M + 2) * x.E_l / (2 * (x.M + 1) * x.M) * (x.sigma_l_sq + x.sigma_g_sq)
    stays = 2 / divided(x) * ((x.L - x.eta) * S1 * S2(x) + drift)
    return le(share * 8 / round_step(x), 2 / divided(x)), le(share * repaired_spread(x), stays)
