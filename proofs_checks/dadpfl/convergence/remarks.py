"""Remarks 4 and 5 of Theorem 3 and the end of its proof, as statements about the right side of (13)."""

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.dadpfl.conditions import DIVISOR, NEIGHBOURS
from fedtheory.theory.dadpfl.constants import S1, rate_coefficient, theorem3
from fedtheory.units import VALUE
from problems import Scalars, at_least, condition, positive

from .theorem3 import MANY_ROUNDS
from .worlds import BOUNDS, OF_THEOREM, WHOLE, scheduled

ASYMPTOTIC = {"root": at_least(1), "c": positive(), "rise": positive(), "M": at_least(1), "L": positive()}
# eta = 1/(mu root) with root = sqrt(T); a = 2 M (M - 1) rise, so that S_1 = a eta^2


def step(x):
    """eta = 1/(mu sqrt(T))."""
    return 1 / (x.L * x.root)


def amount(x):
    """a = S_1/eta^2."""
    return 2 * x.M * (x.M - 1) * x.rise


LONG = condition("T is large: sqrt(T) >= 12 S_1/eta^2", lambda x: le(12 * amount(x), x.root))
VALUES = {"root": at_least(1), "rise": positive(), "M": at_least(1), "L": positive()}


@claim(
    "dadpfl/thm3-proof-s4",
    world=Scalars(sizes={"M": (2, 5, 10), "E_l": (1, 5)}, given=(OF_THEOREM[1],), **WHOLE),
    control=Control("nor a tenth", share="1/5"),
    repair="dadpfl/thm3-proof-s4~repaired",
    step=True,
    note="As it stands, before a step that depends on T is chosen: the divisor has no T in it, and for a step that the theorem "
    "allows it is far from eta however large T is; here, at least half of eta.",
)
def proof_s4_printed(x, share=1):
    return le(share * x.eta / 2, rate_coefficient(x))


@claim(
    "dadpfl/thm3-proof-s4~repaired",
    world=Scalars(given=(NEIGHBOURS, LONG), **VALUES),
    control=Control("nor three quarters", share="3/2"),
    step=True,
    note="Of the right side alone, for eta = 1/(mu sqrt(T)): the divisor is at least eta/2 as soon as sqrt(T) >= 24 M "
    "(M - 1)(e^... - 1). `root` is sqrt(T), `rise` the exponential less 1.",
)
def proof_s4(x, share=1):
    eta = step(x)
    return le(share * eta / 2, eta - 6 * amount(x) * eta**2 * (x.L - eta))


HALF = condition("the divisor is at least eta/2", lambda x: le(step(x) / 2, x.divisor))
FLATTER = condition("mu > eta", lambda x: lt(x.eta, x.L))
SIGMAS = {"own": at_least(0), "shared": at_least(0), "E_l": at_least(1)}


def third(x, eta, divisor):
    """S_3 with the variances S_2 (`shared`) and sigma_l^2 + sigma_g^2 (`own`)."""
    drift = 3 * x.L**2 * eta**3 * (3 * x.M + 2) * x.E_l / (2 * (x.M + 1) * x.M) * x.own
    return 2 / divisor * ((x.L - eta) * amount(x) * eta**2 * x.shared + drift)


@claim(
    "dadpfl/thm3-proof-s5",
    world=Scalars(
        given=(NEIGHBOURS, HALF),
        divisor=positive(),
        **VALUES,
        **SIGMAS,
    ),
    control=Control("a tenth", share="1/10"),
    uses=("dadpfl/thm3-proof-s4~repaired",),
    step=True,
    note="Of S_3 alone, for eta = 1/(mu sqrt(T)) and the divisor of dadpfl/thm3-proof-s4~repaired: it is at most 4 a S_2/sqrt(T) "
    "+ 6 (3M + 2) E_l/((M + 1) M T) (sigma_l^2 + sigma_g^2) and tends to 0. `root` is sqrt(T), a is 2 M (M - 1)(e^... - "
    "1).",
)
def proof_s5(x, share=1):
    bound = 4 * amount(x) * x.shared / x.root + 6 * (3 * x.M + 2) * x.E_l / ((x.M + 1) * x.M * x.root**2) * x.own
    return le(third(x, step(x), x.divisor), share * bound)


@claim(
    "dadpfl/rem4-b",
    world=Scalars(
        given=(NEIGHBOURS, HALF),
        divisor=positive(),
        gap=at_least(0),
        **VALUES,
        **SIGMAS,
    ),
    control=Control("a tenth", share="1/10"),
    uses=("dadpfl/thm3-proof-s4~repaired", "dadpfl/thm3-proof-s5", "dadpfl/eq13"),
    note="Of the right side of (13) alone, which is no bound: dadpfl/eq13. For eta = 1/(mu sqrt(T)) and the divisor of "
    "dadpfl/thm3-proof-s4~repaired it has the printed rate, 4 mu gap/sqrt(T) + 4 a S_2/sqrt(T) + 6 (3M + 2) E_l (sigma_l^2 + "
    "sigma_g^2)/((M + 1) M T).",
)
def rem4_b(x, share=1):
    eta = step(x)
    left = 2 / (x.root**2 * x.divisor) * x.gap + third(x, eta, x.divisor)
    rate = (
        4 * x.L * x.gap / x.root
        + 4 * amount(x) * x.shared / x.root
        + 6 * (3 * x.M + 2) * x.E_l / ((x.M + 1) * x.M * x.root**2) * x.own
    )
    return le(left, share * rate)


@claim(
    "dadpfl/rem4-a@fixed-step",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=Scalars(
        sizes={"M": (2, 10), "E_l": (1, 5)},
        given=(
            OF_THEOREM[1],
            DIVISOR,
            MANY_ROUNDS,
            FLATTER,
        ),
        T=positive(),
        gap=at_least(0, VALUE),
        **WHOLE,
        **BOUNDS,
    ),
    repair="dadpfl/rem4-b",
    note="Of the right side of (13), with a positive divisor, at a step that does not depend on T: S_3 stays, here "
    "against a thousandth of the largest variance at T of at least 10^6. With eta = 1/(mu sqrt(T)) it vanishes: "
    "dadpfl/rem4-b.",
)
def rem4_a(x, share=1):
    return le(
        share * (theorem3(x, x.T)), x.maximum(x.sigma_l_sq, x.sigma_g_sq, x.sigma_p_sq) / 1000 + 1000 * x.gap / x.T
    )


# Remark 5


def whole(x, steps):
    """The right side of (13) for so many local steps, without the last term of S_3."""
    rise = x.exp(steps / (2 * x.M - 2)) - 1
    s = 2 * x.eta**2 * x.M * (x.M - 1) * rise
    return 2 / (x.eta - 6 * s * (x.L - x.eta)) * (x.gap / x.T + (x.L - x.eta) * s * x.shared)


@claim(
    "dadpfl/rem5-a@bound",
    world=Scalars(
        sizes={"M": (2, 10), "E_l": (1, 5)},
        T=positive(),
        gap=positive(),
        L=positive(),
        eta=positive(),
        shared=at_least(0),
        given=(
            OF_THEOREM[1],
            FLATTER,
            condition("the divisor is more than eta/2", lambda x: lt(x.eta, 2 * rate_coefficient(x))),
        ),
    ),
    control=Control("twice the left side, which is too large already", share=2),
    repair="dadpfl/rem5-a~repaired",
    note="Of the number of rounds that Theorem 3 promises, not of the one that is needed: the right side of (13) with E_l^* "
    "local steps is at most that with E_l, where its divisor is positive and mu > eta. S_1 grows with the steps, and with it "
    "the bound. `shared` is S_2; the last term of S_3 is left out on both sides, with which it is the same: it grows with "
    "the steps as well. M = 2, 10 and E_l = 1, 5.",
)
def rem5_a(x, share=1):
    return le(share * whole(x, scheduled(x)), whole(x, x.E_l))


@claim(
    "dadpfl/rem5-a~repaired",
    world=Scalars(
        more=at_least(1),
        s=positive(),
        gap=positive(),
        kept=positive(),
        shared=at_least(0),
        eta=positive(),
        given=(
            condition(
                "the divisor with more local steps is positive", lambda x: lt(0, x.eta - 6 * x.s * x.more * x.kept)
            ),
        ),
    ),
    control=Control("twice the bound", share=2),
    note="The other way round: where the divisor is positive and mu > eta, the right side of (13) with scheduling is at "
    "least the one without, and so is the number of rounds that it promises. s is S_1 without scheduling, more s with "
    "it, `kept` is mu - eta, `gap` the gap over T.",
)
def rem5_a_repaired(x, share=1):
    def right(s):
        return 2 / (x.eta - 6 * s * x.kept) * (x.gap + x.kept * s * x.shared)

    return le(share * right(x.s), right(x.more * x.s))


SHORT = Scalars(sizes={"M": (2, 5, 10), "E_l": (1, 3, 5)}, given=(OF_THEOREM[1],), **WHOLE)


@claim(
    "dadpfl/rem5-b",
    control=Control("twice the left side, which is too large or wrong already", share=2),
    world=SHORT,
    repair="dadpfl/rem5-b~repaired",
    note="S_1 has the factor 2 eta^2 M (M - 1), by which it is small for a small step, and a unit that the right side "
    "lacks. M = 2, 5, 10 and E_l = 1, 3, 5.",
)
def rem5_b(x, share=1):
    return lt(share * (x.exp(x.E_l / (2 * x.M - 2)) - 1), S1(x))


@claim(
    "dadpfl/rem5-b~repaired",
    world=Scalars(M=at_least(1), E_l=at_least(1), given=(NEIGHBOURS,)),
    control=Control("of twice E_l", times=2),
    note="Of the exponents, for every M > 1: the exponential of S_1 is larger than that without scheduling.",
)
def rem5_b_repaired(x, times=1):
    return lt(times * x.E_l / (2 * x.M - 2), (3 * x.M + 2) * x.E_l / (4 * (x.M**2 - 1)))


RATIO = Scalars(M=at_least(1))


def ratio(M):
    """E_l^*/E_l."""
    return (3 * M + 2) / (2 * M + 2)


@claim(
    "dadpfl/rem5-d",
    world=Scalars(M=at_least(1), E_l=at_least(1)),
    control=Control("of M + 1 more", more=1),
    note="Of local steps, E_l^* = E_l + M/(2(M + 1)) E_l over E_l; of no part of (13).",
)
def rem5_d(x, more=0):
    star = x.E_l + x.M / (2 * (x.M + 1 + more)) * x.E_l
    return eq(star / x.E_l, ratio(x.M))


@claim(
    "dadpfl/rem5-e",
    world=Scalars(sizes={"M": (2,)}),
    control=Control("it is not 3/2", lambda x: eq(ratio(x.M), x.ratio(3, 2))),
)
def rem5_e(x):
    return eq(ratio(x.M), x.ratio(4, 3))


@claim(
    "dadpfl/rem5-f",
    world=RATIO,
    control=Control("half as near", share="1/2"),
    note="It is below 3/2 by 1/(2M + 2), for every M.",
)
def rem5_f(x, share=1):
    return lt(ratio(x.M), x.ratio(3, 2)), eq(
        x.ratio(3, 2) - ratio(x.M), share / (2 * x.M + 2) if share == 1 else x.ratio(1, 2) / (2 * x.M + 2)
    )


@claim(
    "dadpfl/rem5-g@ratio",
    world=RATIO,
    control=Control(
        "the next step is not twice as small",
        lambda x: le(2 * (ratio(x.M + 2) - ratio(x.M + 1)), ratio(x.M + 1) - ratio(x.M)),
    ),
    repair="dadpfl/rem5-a~repaired",
    note="Of the ratio alone: it grows with M, by less and less. That a larger one reduces the bound (13), as the sentence has "
    "it, is false: dadpfl/rem5-a@bound.",
)
def rem5_g(x):
    first, second = ratio(x.M + 1) - ratio(x.M), ratio(x.M + 2) - ratio(x.M + 1)
    return lt(0, first), lt(second, first)
