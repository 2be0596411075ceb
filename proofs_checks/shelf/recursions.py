"""Recursions of numbers: Gronwall, geometric decay to a floor, sums, and steps that are tuned."""

from fedtheory import claim, eq, le
from problems import Scalars, Sequences, at_least, between, condition, positive

A = {"a": at_least(0)}
PAIR = {"a": at_least(0), "b": at_least(0)}


@claim(
    "shelf/geometric-sum",
    world=Sequences("T", q=between(0, 1, closed=False), first=0, lengths=(0, 1, 2, 3)),
    expect="proved",
)
def geometric_sum(x):
    return eq(x.sum(lambda t: x.q**t, x.T), (1 - x.q**x.T) / (1 - x.q))


@claim(
    "shelf/telescope",
    world=Sequences(
        "T",
        sequences=PAIR,
        c=at_least(0),
        every=(condition("a_{t+1} <= a_t - b_t + c", lambda x, t: le(x.a[t + 1], x.a[t] - x.b[t] + x.c)),),
    ),
    expect="proved",
)
def telescope(x):
    return le(x.a[x.T] + x.sum(lambda t: x.b[t], x.T), x.a[0] + x.c * x.T)


@claim(
    "shelf/contraction-to-floor",
    world=Sequences(
        "T",
        sequences=A,
        q=between(0, 1, closed=False),
        c=at_least(0),
        every=(condition("a_{t+1} <= (1 - q) a_t + c", lambda x, t: le(x.a[t + 1], (1 - x.q) * x.a[t] + x.c)),),
    ),
    expect="proved",
)
def contraction_to_floor(x):
    return le(x.a[x.T], (1 - x.q) ** x.T * x.a[0] + x.c / x.q)


@claim(
    "shelf/exponential-decay",
    world=Sequences(
        "T",
        sequences=A,
        q=between(0, 1, closed=False),
        every=(condition("a_{t+1} <= (1 - q) a_t", lambda x, t: le(x.a[t + 1], (1 - x.q) * x.a[t])),),
    ),
    expect="proved",
)
def exponential_decay(x):
    return le(x.a[x.T], x.exp(-x.q * x.T) * x.a[0])


@claim(
    "shelf/gronwall",
    world=Sequences(
        "T",
        sequences=A,
        b=positive(),
        c=at_least(0),
        every=(condition("a_{t+1} <= (1 + b) a_t + c", lambda x, t: le(x.a[t + 1], (1 + x.b) * x.a[t] + x.c)),),
    ),
    expect="proved",
)
def gronwall(x):
    return le(x.a[x.T], (1 + x.b) ** x.T * x.a[0] + x.c * ((1 + x.b) ** x.T - 1) / x.b)


@claim(
    "shelf/weighted-sum",
    world=Sequences(
        "T",
        sequences=PAIR,
        q=between(0, 1, closed=False),
        c=at_least(0),
        every=(
            condition(
                "a_{t+1} <= (1 - q) a_t - b_t + c", lambda x, t: le(x.a[t + 1], (1 - x.q) * x.a[t] - x.b[t] + x.c)
            ),
        ),
    ),
    expect="proved",
)
def weighted_sum(x):
    keep = 1 - x.q
    total = x.a[x.T] / keep**x.T + x.sum(lambda t: x.b[t] / keep ** (t + 1), x.T)
    return le(total, x.a[0] + x.c / x.q * (1 / keep**x.T - 1))


@claim(
    "shelf/sublinear",
    world=Sequences(
        "T",
        sequences=A,
        c=positive(),
        every=(condition("c a_{t+1} <= c a_t - a_t^2", lambda x, t: le(x.c * x.a[t + 1], x.c * x.a[t] - x.a[t] ** 2)),),
    ),
    expect="proved",
)
def sublinear(x):
    return le((x.T + 1) * x.a[x.T], x.c)


@claim("shelf/best-step", world=Scalars(a=positive(), c=positive(), eta=positive()), expect="proved")
def best_step(x):
    return le(4 * x.a * x.c, (x.a / x.eta + x.c * x.eta) ** 2)


@claim(
    "shelf/one-plus",
    world=Sequences("K", x=at_least(0), first=0, lengths=(0, 1, 2, 3)),
    expect="proved",
)
def one_plus(x):
    return le(1 + x.K * x.x, (1 + x.x) ** x.K)


@claim(
    "shelf/summable",
    world=Sequences(
        "T",
        sequences={**PAIR, "c": at_least(0)},
        every=(condition("a_{t+1} + b_t <= a_t + c_t", lambda x, t: le(x.a[t + 1] + x.b[t], x.a[t] + x.c[t])),),
    ),
    expect="proved",
)
def summable(x):
    return le(x.a[x.T] + x.sum(lambda t: x.b[t], x.T), x.a[0] + x.sum(lambda t: x.c[t], x.T))


@claim(
    "shelf/decreasing-step",
    world=Sequences(
        "T",
        sequences=A,
        c=at_least(0),
        every=(
            condition(
                "(t+2) a_{t+1} <= t a_t + c/(t+2)",
                lambda x, t: le((t + 2) ** 2 * x.a[t + 1], (t + 2) * t * x.a[t] + x.c),
            ),
        ),
    ),
    expect="proved",
)
def decreasing_step(x):
    return le((x.T + 1) * x.a[x.T], x.c)
