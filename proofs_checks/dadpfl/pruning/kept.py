"""The bound of Algorithm 2, line 7, on how many weights have to stay, in the sense of its source [31].

Of a layer of d weights the r of the largest magnitude stay; eta is such that the others' sum of |w|^p is at most eta times
theirs. Hoelder's inequality over the kept ones gives r >= d (1 + eta)^(-q/(q - p)) (1 - I)^(p q/(q - p)) for the index with
d^(1/q - 1/p).
"""

from fedtheory import Control, claim, le, lt
from problems import Scalars, at_least, condition

from .index import printed, usual


def kept(x):
    """r: one weight, or all but one."""
    return 1 if x.side == 0 else x.m - 1


def first(x, s):
    """The sum over the r kept weights."""
    return sum(s[..., i : i + 1] for i in range(kept(x)))


LARGEST = condition(
    "the largest ones are kept",
    lambda x: tuple(le(x.u[..., i : i + 1], x.u[..., j : j + 1]) for j in range(kept(x)) for i in range(kept(x), x.m)),
)
SOME = condition("some weight is not 0", lambda x: lt(0, first(x, x.u)))
LEFT = condition(
    "the others' sum of |w|^p is at most eta times that of the kept ones",
    lambda x: le(x.total(x.u) - first(x, x.u), x.eta * first(x, x.u)),
)
HALF = Scalars(
    sizes={"m": (2, 3), "side": (0, 1)},
    u=at_least(0, per_client=True),  # the roots of |w|
    eta=at_least(0),
    given=(LARGEST, SOME, LEFT),
    example={"m": 2, "side": 0, "u": (1, 1), "eta": 1},
)
ONE_OF_FOUR = Scalars(
    sizes={"m": (4,), "side": (0,)},
    u=at_least(0, per_client=True),  # |w| itself
    eta=at_least(0),
    given=(LARGEST, SOME, LEFT),
    example={"m": 4, "side": 0, "u": (1, 0, 0, 0), "eta": 1},
)


@claim(
    "dadpfl/alg2-l7@lower",
    latex=r"$d(1+\eta)^{-\frac{q}{q-p}}\left[1-I\right]^{\frac{p}{q-p}}\leq r$ at $p=\frac12$, $q=1$",
    world=HALF,
    control=Control(
        "half a weight fewer", lambda x: le(x.m * (1 - printed(x)) / (1 + x.eta) ** 2, kept(x) - x.ratio(1, 2))
    ),
    repair="dadpfl/alg2-l7~repaired",
    note="As printed, with (1/d)^(1/q - 1/p) in the index, by which the bound is d^2 times as large; w_i = u_i^2. Of two "
    "weights of which one is 0 the other is enough: the bound has 4.",
)
def lower(x):
    return le(x.m * (1 - printed(x)) / (1 + x.eta) ** 2, kept(x))


@claim(
    "dadpfl/alg2-l7~repaired",
    latex=r"$d(1+\eta)^{-\frac{q}{q-p}}[1-I]^{\frac{pq}{q-p}}\leq r$ with $d^{\frac1q-\frac1p}$ in $I$, at $p=\frac12$, $q=1$",
    world=HALF,
    control=Control(
        "half a weight fewer", lambda x: le(x.m * (1 - usual(x)) / (1 + x.eta) ** 2, kept(x) - x.ratio(1, 2))
    ),
    note="At q = 1 the powers p/(q - p) and p q/(q - p) are one.",
)
def lower_repaired(x):
    return le(x.m * (1 - usual(x)) / (1 + x.eta) ** 2, kept(x))


def of_one(x):
    """1 - I with d^(1/q - 1/p) at p = 1, q = 2 and d = 4."""
    return x.total(x.u) / x.sqrt(x.total(x.u**2)) / 2


@claim(
    "dadpfl/alg2-l7@power",
    latex=r"$d(1+\eta)^{-\frac{q}{q-p}}\left[1-I\right]^{\frac{p}{q-p}}\leq r$ with $d^{\frac1q-\frac1p}$ in $I$, at $p=1$, $q=2$",
    world=ONE_OF_FOUR,
    control=Control("half a weight fewer", lambda x: le(x.m * of_one(x) / (1 + x.eta) ** 2, x.ratio(1, 2))),
    repair="dadpfl/alg2-l7@power-pq",
    note="The printed power p/(q - p), with the usual exponent in the index, at a pair with the printed 0 < p <= 1 < q; r "
    "= 1 of d = 4 weights w_i = u_i. Of a single weight the bound has 2.",
)
def power(x):
    return le(x.m * of_one(x) / (1 + x.eta) ** 2, 1)


@claim(
    "dadpfl/alg2-l7@power-pq",
    latex=r"$d(1+\eta)^{-\frac{q}{q-p}}\left[1-I\right]^{\frac{pq}{q-p}}\leq r$ with $d^{\frac1q-\frac1p}$ in $I$, at $p=1$, $q=2$",
    world=ONE_OF_FOUR,
    control=Control(
        "half a weight fewer", lambda x: le(x.total(x.u) ** 2 / x.total(x.u**2) / (1 + x.eta) ** 2, x.ratio(1, 2))
    ),
    note="The power p q/(q - p) = 2.",
)
def power_repaired(x):
    return le(x.total(x.u) ** 2 / x.total(x.u**2) / (1 + x.eta) ** 2, 1)
