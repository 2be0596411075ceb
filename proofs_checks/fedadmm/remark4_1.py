"""Remark 4.1: the probability that a client is selected within s_0 rounds (Section 4.2)."""

from fractions import Fraction

from fedtheory import Control, claim, eq, le
from problems import Points, Scalars, between, condition, positive

SUBSETS = Points(None, at=(), sizes={"S": (1, 2, 3, 4), "s0": (1, 2, 3)})


def missed(selected):
    """1 where the first client is not in the selection, ``(1,)``."""
    return 1 - selected[:1]


def missed_every_time(x, rounds):
    """Joint probability, over independent selections, that the first client is missed in all of `rounds` rounds."""
    if rounds == 0:
        return 1
    return x.E(lambda omega: missed(omega) * missed_every_time(x, rounds - 1))


def product(x, factor):
    """1 minus the product of s0 equal factors."""
    return 1 - factor**x.s0


@claim(
    "fedadmm/rem4.1-c",
    world=SUBSETS,
    control=Control(
        "one selection fewer in the product is a larger probability of a miss whenever it lies strictly between 0 and 1",
        lambda x: eq(1 - missed_every_time(x, x.s0), 1 - x.E(missed) ** (x.s0 + 1)),
    ),
    step=True,
    note="Selections of equal size; the joint probability is enumerated over independent rounds.",
)
def rem4_1_c(x):
    return eq(1 - missed_every_time(x, x.s0), product(x, x.E(missed)))


@claim(
    "fedadmm/rem4.1-d",
    world=SUBSETS,
    control=Control(
        "for S < m the client is missed with probability 1 - S/m, not (1 - S/m)/2",
        lambda x: eq(product(x, x.E(missed)), product(x, (1 - x.S / x.m) / 2)),
    ),
    step=True,
    note="Selections of equal size.",
)
def rem4_1_d(x):
    return eq(product(x, x.E(missed)), product(x, 1 - x.S / x.m))


@claim(
    "fedadmm/rem4.1-e",
    world=Scalars(
        q=between(0, 1, closed=False),
        s0=positive(),
        y=positive(),
        given=(condition("induction hypothesis", lambda x: le(x.y * (1 + x.s0 * x.q), 1)),),
    ),
    control=Control(
        "a bound that falls twice as fast fails for the first round when q is small",
        lambda x: le((1 - x.q) * (1 + 2 * x.q), 1),
    ),
    note="Read as: with q = |Omega|/m > 0 the probability y of a miss in s0 rounds is at most 1/(1 + s0 q), which tends "
    "to 0; the first round and the step from s0 to s0 + 1 are the two relations.",
)
def rem4_1_e(x):
    first = le((1 - x.q) * (1 + x.q), 1, "s0 = 1")
    step = le(x.y * (1 - x.q) * (1 + (x.s0 + 1) * x.q), 1, "s0 to s0 + 1")
    return first, step


@claim(
    "fedadmm/rem4.1-f",
    world=Scalars(m=positive()),
    control=Control(
        "four rounds give 1 - 10^-4",
        lambda x: eq(1 - (1 - 9 * x.m / 10 / x.m) ** 4, 1 - Fraction(1, 10**5)),
    ),
)
def rem4_1_f(x):
    return eq(1 - (1 - 9 * x.m / 10 / x.m) ** 5, 1 - Fraction(1, 10**5))
