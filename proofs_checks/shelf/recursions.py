"""Recursions of numbers: Gronwall, geometric decay to a floor, sums, and steps that are tuned."""

from fedtheory import claim, eq, le, use
from problems import Scalars, Sequences, at_least, between, condition, positive, real

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
    "shelf/unrolled",
    world=Sequences(
        "T",
        sequences=PAIR,
        q=at_least(0),
        every=(condition("a_{t+1} <= q a_t + b_t", lambda x, t: le(x.a[t + 1], x.q * x.a[t] + x.b[t])),),
    ),
    expect="proved",
)
def unrolled(x):
    return le(x.a[x.T], x.q**x.T * x.a[0] + x.sum(lambda t: x.q ** (x.T - 1 - t) * x.b[t], x.T))


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


SUBLINEAR = Sequences(
    "T",
    sequences=A,
    c=positive(),
    every=(condition("c a_{t+1} <= c a_t - a_t^2", lambda x, t: le(x.c * x.a[t + 1], x.c * x.a[t] - x.a[t] ** 2)),),
)


@claim(
    "shelf/sublinear@step",
    world=Scalars(
        a=at_least(0), a_next=at_least(0), t=at_least(0), c=positive(),
        given=(condition("c a_{t+1} <= c a_t - a_t^2", lambda x: le(x.c * x.a_next, x.c * x.a - x.a**2)),),
    ),
    expect="proved",
)  # fmt: skip
def sublinear_step(x):
    return le((x.c - (x.t + 1) * x.a) * (x.c - x.a), x.c * (x.c - (x.t + 2) * x.a_next))


@claim(
    "shelf/sublinear", world=SUBLINEAR, expect="proved",
    by=(use(sublinear_step, a=lambda x, t: x.a[t], a_next=lambda x, t: x.a[t + 1], t=lambda x, t: t),),
)  # fmt: skip
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


@claim(
    "shelf/majorant",
    world=Sequences(
        "n",
        first=0,
        lengths=(0, 1, 2, 3),
        sequences={"A": at_least(0), "b": at_least(0), "c": at_least(0), "q": at_least(0)},
        every=(
            condition("A_{t+1} <= c_t A_t + b_t X", lambda x, t: le(x.A[t + 1], x.c[t] * x.A[t] + x.b[t] * x.X)),
            condition("c_t q_t + b_t <= q_{t+1}", lambda x, t: le(x.c[t] * x.q[t] + x.b[t], x.q[t + 1])),
        ),
        given=(condition("A_0 <= q_0 X", lambda x: le(x.A[0], x.q[0] * x.X)),),
        X=at_least(0),
    ),
    expect="proved",
)
def majorant(x):
    return le(x.A[x.n], x.q[x.n] * x.X)


@claim(
    "shelf/two-recursions",
    world=Scalars(
        **{name: at_least(0) for name in ("f", "g", "h", "f_next", "g_next", "a", "b", "k", "l", "n", "s")},
        u=real(),
        w=real(),
        given=(
            condition("f' <= k f + l g", lambda x: le(x.f_next, x.k * x.f + x.l * x.g)),
            condition(
                "g' <= k g + n (6 f + 3 s g + s h)",
                lambda x: le(x.g_next, x.k * x.g + x.n * (6 * x.f + 3 * x.s * x.g + x.s * x.h)),
            ),
            condition("a k + 6 b n <= u", lambda x: le(x.a * x.k + 6 * x.b * x.n, x.u)),
            condition("b k + a l + 3 b n s <= b", lambda x: le(x.b * x.k + x.a * x.l + 3 * x.b * x.n * x.s, x.b)),
            condition("b n s <= w", lambda x: le(x.b * x.n * x.s, x.w)),
        ),
    ),
    expect="proved",
)
def two_recursions(x):
    return le(x.a * x.f_next + x.b * x.g_next, x.u * x.f + x.b * x.g + x.w * x.h)
