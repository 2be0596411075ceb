"""Appendix C: how many of the M neighbours of client k come before it; all choices counted for a few clients.

`before` is k - 1 and `after` K - k; there are C(K - 1, M) choices, none where M > K - 1, of which nothing is said. Fractions of
choices are multiplied out, as (12) is.
"""

from functools import cache
from itertools import combinations
from math import comb

from fedtheory import Control, claim, eq
from problems import Scalars

SIZES = {"before": (0, 1, 2, 3, 4), "after": (0, 1, 2, 3, 4), "M": (1, 2, 3, 4)}
COUNTS = Scalars(sizes=SIZES)
LAW = Scalars(sizes={**SIZES, "n": (0, 1, 2, 3)})  # n stands for the m of (12)


@cache
def counted(before, after, M, n):
    """(choices of M of the others in which n come before client k, all choices)."""
    before, after, M, n = int(before), int(after), int(M), int(n)
    choices = list(combinations(range(before + after), M))
    return sum(sum(j < before for j in chosen) == n for chosen in choices), len(choices)


def chosen_of(total, part):
    """The binomial coefficient, 0 where the part is negative."""
    return comb(int(total), int(part)) if part >= 0 else 0


def numerator(x, n):
    """C(k - 1, n) C(K - k, M - n)."""
    return chosen_of(x.before, n) * chosen_of(x.after, x.M - n)


@claim(
    "dadpfl/eq12-b",
    world=LAW,
    control=Control(
        "client k is counted among those before it",
        lambda x: eq(counted(x.before + 1, x.after, x.M, x.n)[0], numerator(x, x.n)),
    ),
    note="Over all choices of M of K - 1 <= 8 others, for m >= M too, where it holds as well: m is n here.",
)
def law(x):
    favourable, choices = counted(x.before, x.after, x.M, x.n)
    return eq(favourable * chosen_of(x.before + x.after, x.M), numerator(x, x.n) * choices)


def summed(x, upto):
    """Sum of the numerators for m = 0 .. upto - 1."""
    return sum(numerator(x, n) for n in range(int(upto)))


@claim(
    "dadpfl/appc-s2",
    world=COUNTS,
    control=Control("without the largest m", less=1),
    note="Multiplied by C(K - 1, M), for K <= 9: Vandermonde's identity.",
)
def sums_to_one(x, less=0):
    return eq(summed(x, min(x.M, x.before) + 1 - less), chosen_of(x.before + x.after, x.M))


@claim(
    "dadpfl/prop1@range",
    latex=r"$\sum_{0\leq m<M}\mathbb{P}(m,k)=1$",
    world=COUNTS,
    control=Control(
        "without the largest of these as well", lambda x: eq(summed(x, x.M - 1), chosen_of(x.before + x.after, x.M))
    ),
    repair="dadpfl/appc-s2",
    note="The values for which Proposition 1 gives the distribution, m < M: all M neighbours can come before client k.",
)
def strict_range(x):
    return eq(summed(x, x.M), chosen_of(x.before + x.after, x.M))
