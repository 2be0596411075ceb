"""Local steps of each client's own number, any up to K: what is true of rounds of them, and what is false by a little."""

from dataclasses import replace
from typing import Any

import pytest
from known import DECIDED, holds_false, holds_true

from fedtheory import UsageError, claim, eq, le, use, verify
from fedtheory.engines.context import Docket
from fedtheory.referee.composition import _with_its_lemmas
from fedtheory.referee.decide import proof
from fedtheory.units import CURVATURE, GRADIENT, STEP
from problems import (
    ConvexLipschitz,
    Points,
    Run,
    SmoothConvex,
    SmoothStronglyConvex,
    at_least,
    between,
    condition,
    last,
    positive,
)
from proofs_checks.shelf.theorems.local_steps import FIRST_STEPS, HALF, Smooth, local_drift, local_reach
from proofs_checks.shelf.vectors import of_a_sum_each

L, MU, ETA = positive(CURVATURE), positive(CURVATURE), positive(STEP)
SHORT = condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1))
UP_TO_CAP = condition("k <= cap", lambda x: le(x.k, x.cap))
ONE = {"index": "k", "sizes": {"m": (1,)}}
MANY = {"sizes": {"K": (1, 2), "m": (1, 2)}}
FROM_0 = {"first": 0, "lengths": (0, 1, 2, 3)}
FALSE: dict[str, Any] = {}
TRUE: dict[str, Any] = {}


def made(name, world, body, *by):
    return claim(f"own/{name.replace(' ', '-').replace(',', '')}", world=world, by=by)(body)


def true(name, world, body, *by):
    """A statement that holds."""
    TRUE[name] = made(name, world, body, *by), "proved"
    return TRUE[name][0]


def false(name, world, body, *by):
    """One that does not."""
    FALSE[name] = made(f"{name}, false", world, body, *by), "refuted"


def cent(x, n):
    """n/100."""
    return x.ratio(n, 100)


def sized(world, **sizes):
    return replace(world, sizes={**world.sizes, **sizes})


CAP = {"cap": lambda x: x.K}

# k steps along a vector of each client


def straight(*given, **more):
    return Run(
        None, at=("w",), clients_at=("y", "h"), eta=ETA, cap=at_least(1), given=given, start={"y": lambda x: x.w},
        step={"y": lambda x: x.y - x.eta * x.h},
        quantities={"a": lambda x: x.sq(x.y - x.w), "c": lambda x: x.dot(x.y - x.w, x.h), "g": lambda x: x.sq(x.h)}, **ONE, **more,
    )  # fmt: skip


def headed(local, **more):
    """Rounds of them, which average where clients are after steps of their own number."""
    return Run(
        None, at=("w",), clients_at=("y", "h"), eta=ETA, within={"y": last(local, "y", up_to="K")},
        step={"w": lambda x: x.mean_vec(x.y)},
        quantities={
            "Y": lambda x: x.mean(x.sq(x.y - x.w)), "G": lambda x: x.mean(x.sq(x.h)), "C": lambda x: x.mean(x.dot(x.y - x.w, x.h)),
            "A": lambda x: x.dot(x.mean_vec(x.y) - x.w, x.mean_vec(x.h)), "H": lambda x: x.sq(x.mean_vec(x.h)),
            "Z": lambda x: x.mean(x.sq(x.y - x.w + x.eta * x.K * x.h)),
        }, **{**MANY, **more},
    )  # fmt: skip


def far(x, share=100):
    return cent(x, share) * x.eta**2 * x.K**2


ANY, STRAIGHT, FROM_NONE = straight(**FROM_0), straight(UP_TO_CAP), straight(UP_TO_CAP, **FROM_0)
AS_FAR = {"k": lambda x: x.k}
any_c = true("straight, aslant", ANY, lambda x: eq(x.c[x.k], -x.eta * x.k * x.g))
any_a = true(
    "straight, squared",
    ANY,
    lambda x: eq(x.a[x.k], x.eta**2 * x.k**2 * x.g),
    use(any_c, k=lambda x, t: t),
)
straight_c, straight_a = use(any_c, **AS_FAR), use(any_a, **AS_FAR)
AT_MOST = true("straight, at most", STRAIGHT, lambda x: le(x.a[x.k], x.eta**2 * x.cap**2 * x.g), straight_a)
AT_LEAST = true("straight, at least", STRAIGHT, lambda x: le(x.eta**2 * x.g, x.a[x.k]), straight_a)
SLOPE = true("straight, down", STRAIGHT, lambda x: (
    le(x.c[x.k], -x.eta * x.g), le(-x.eta * x.cap * x.g, x.c[x.k])), straight_c)  # fmt: skip
HEADED = headed(STRAIGHT)
at_most, at_least_one, slope = (use(one, **CAP) for one in (AT_MOST, AT_LEAST, SLOPE))
OWN_a = true("straight, its own", STRAIGHT, lambda x: eq(x.a[x.k], x.eta**2 * x.k**2 * x.g), straight_a)
own_a = use(OWN_a, **CAP)
within = true("own, at most", HEADED, lambda x, t: le(x.Y[t], far(x) * x.G), at_most)
false("own, at most", HEADED, lambda x, t: le(x.Y[t], far(x, 99) * x.G), at_most)
false("own, as all", HEADED, lambda x, t: eq(x.Y[t], far(x) * x.G), own_a)
false("own, as one", HEADED, lambda x, t: eq(x.Y[t], x.eta**2 * x.G), own_a)
false("own, of a cap of one", HEADED, lambda x, t: le(x.Y[t], x.eta**2 * x.G), use(AT_MOST, cap=lambda x: x.K / x.K))
false(
    "own, of less than K",
    HEADED,
    lambda x, t: le(x.Y[t], x.eta**2 * (x.K - 1) ** 2 * x.G),
    use(AT_MOST, cap=lambda x: x.K - 1),
)
true("own, at least", HEADED, lambda x, t: le(x.eta**2 * x.G, x.Y[t]), at_least_one)
false("own, at least", HEADED, lambda x, t: le(cent(x, 101) * x.eta**2 * x.G, x.Y[t]), at_least_one)
true("own, their sum", HEADED, lambda x: le(x.sum(lambda t: x.Y[t], x.T), x.T * far(x) * x.G), within)
false(
    "own, their sum", HEADED, lambda x: le(x.sum(lambda t: x.Y[t], x.T), (x.T - x.ratio(1, 100)) * far(x) * x.G), within
)
true("own, down", HEADED, lambda x, t: (le(x.C[t], -x.eta * x.G), le(-x.eta * x.K * x.G, x.C[t])), slope)
false("own, down by K", HEADED, lambda x, t: le(x.C[t], -x.eta * x.K * x.G), slope)
false(
    "own, the mean goes down", HEADED, lambda x, t: le(x.A[t], 0), slope
)  # naive averaging, where numbers are not equal
false("own, the mean goes along the mean", HEADED, lambda x, t: eq(x.A[t], -x.eta * x.K * x.H), slope)
false("own, near K steps", HEADED, lambda x, t: le(x.Z[t], cent(x, 1) * far(x) * x.G), own_a)
ALONE = sized(HEADED, m=(1,))
true("alone, down", ALONE, lambda x, t: le(x.A[t], -x.eta * x.H), slope)
false("alone, along by K", ALONE, lambda x, t: eq(x.A[t], -x.eta * x.K * x.H), slope)
ONCE = sized(HEADED, K=(1,))
true("at most one step", ONCE, lambda x, t: le(x.Y[t], x.eta**2 * x.G), use(AT_MOST, cap=lambda x: x.K))
false("at most one step", ONCE, lambda x, t: le(x.Y[t], cent(x, 99) * x.eta**2 * x.G), use(AT_MOST, cap=lambda x: x.K))

# from no step, and from two

NONE_most = true("from none, at most", FROM_NONE, lambda x: le(x.a[x.k], x.eta**2 * x.cap**2 * x.g), any_a)
OR_NONE = headed(FROM_NONE)
true("or none, at most", OR_NONE, lambda x, t: le(x.Y[t], far(x) * x.G), use(NONE_most, **CAP))
false("or none, at least", OR_NONE, lambda x, t: le(cent(x, 1) * x.eta**2 * x.G, x.Y[t]), use(NONE_most, **CAP))
false("or none, of one", OR_NONE, lambda x, t: le(x.eta**2 * x.G, x.Y[t]), at_least_one)  # a theorem about another run
FROM_TWO = straight(UP_TO_CAP, first=2, lengths=(2, 3))
two_c = true("from two, aslant", FROM_TWO, lambda x: eq(x.c[x.k], -x.eta * x.k * x.g), straight_c)
two = true("from two", FROM_TWO, lambda x: le(x.c[x.k], -2 * x.eta * x.g), two_c)
TWO = headed(FROM_TWO, sizes={"K": (2, 3), "m": (1, 2)})
true("from two, down", TWO, lambda x, t: le(x.C[t], -2 * x.eta * x.G), use(two, **CAP))
false("from two, down", TWO, lambda x, t: le(x.C[t], -cent(x, 202) * x.eta * x.G), use(two, **CAP))

# the same divided by each client's own number: FedNova

NORMED = Run(
    None, at=("w", "z"), clients_at=("v", "h"), eta=ETA, n=at_least(1), given=(condition("n = k", lambda x: eq(x.n, x.k)),),
    start={"v": lambda x: x.w - x.w}, step={"v": lambda x: x.v + x.eta * x.h / x.n},
    quantities={"c": lambda x: x.dot(x.v, x.z), "p": lambda x: x.dot(x.h, x.z), "b": lambda x: x.sq(x.v), "g": lambda x: x.sq(x.h),
                "q": lambda x: x.dot(x.v, x.h)}, **ONE,
)  # fmt: skip
SUMMED = replace(NORMED, given=(), first=0, sizes={**NORMED.sizes, "k": (0, 1, 2, 3)})
summed = true(
    "normed, summed", SUMMED, lambda x: (eq(x.n * x.c[x.k], x.eta * x.k * x.p), eq(x.n * x.q[x.k], x.eta * x.k * x.g))
)
squared = true(
    "normed, squared", SUMMED, lambda x: eq(x.n**2 * x.b[x.k], x.eta**2 * x.k**2 * x.g), use(summed, k=lambda x, t: t)
)
normed = true(
    "normed",
    NORMED,
    lambda x: (eq(x.c[x.k], x.eta * x.p), eq(x.b[x.k], x.eta**2 * x.g)),
    use(summed, **AS_FAR),
    use(squared, **AS_FAR),
)


def nova(**more):
    return Run(
        None, at=("w",), clients_at=("v", "h"), eta=ETA, tau_eff=positive(),
        within={"v": last(NORMED, "v", up_to="K", count="n", z=lambda x: x.mean_vec(x.h))},
        step={"w": lambda x: x.w - x.tau_eff * x.mean_vec(x.v)},
        quantities={
            "A": lambda x: x.dot(x.mean_vec(x.v), x.mean_vec(x.h)), "H": lambda x: x.sq(x.mean_vec(x.h)),
            "Q": lambda x: x.mean(x.sq(x.v)), "G": lambda x: x.mean(x.sq(x.h)),
        }, **{**MANY, **more},
    )  # fmt: skip


NOVA = nova()
true("nova, along the mean", NOVA, lambda x, t: eq(x.A[t], x.eta * x.H), normed)
false("nova, along the mean", NOVA, lambda x, t: eq(x.A[t], cent(x, 101) * x.eta * x.H), normed)
true("nova, their lengths", NOVA, lambda x, t: eq(x.Q[t], x.eta**2 * x.G), normed)
false("nova, their lengths", NOVA, lambda x, t: le(x.Q[t], cent(x, 99) * x.eta**2 * x.G), normed)
false("nova, shorter by K", NOVA, lambda x, t: le(x.Q[t] * x.K, x.eta**2 * x.G), squared)

# subgradients of at most M

BOUNDED = Run(
    ConvexLipschitz("M"), at=("w",), clients_at=("y",), eta=ETA, M=positive(GRADIENT), cap=at_least(1),
    start={"y": lambda x: x.w}, step={"y": lambda x: x.y - x.eta * x.f.grad(x.y)},
    quantities={"a": lambda x: x.sq(x.y - x.w), "v": lambda x: x.sq(x.f.grad(x.y))}, **ONE, **FROM_0,
)  # fmt: skip
steep = true("reach, gradients", BOUNDED.one_step, lambda x: le(x.v, x.M**2))
young = use(of_a_sum_each, u=lambda x: x.y - x.w, v=lambda x: -x.eta * x.f.grad(x.y), tau=lambda x, t: 1 / (t + 1))
reach_k = true("reach, squared", BOUNDED, lambda x: le(x.a[x.k], x.eta**2 * x.k * (x.k + 1) * x.M**2), young, steep)
CAPPED = replace(BOUNDED, given=(UP_TO_CAP,))
reach = true("reach, at most", CAPPED, lambda x: le(x.a[x.k], x.eta**2 * x.cap * (x.cap + 1) * x.M**2), reach_k)
REACH = Run(
    ConvexLipschitz("M"), at=("w",), clients_at=("y",), eta=ETA, M=positive(GRADIENT), within={"y": last(CAPPED, "y", up_to="K")},
    step={"w": lambda x: x.mean_vec(x.y)}, quantities={"Y": lambda x: x.mean(x.sq(x.y - x.w))}, **MANY,
)  # fmt: skip
true("own reach", REACH, lambda x, t: le(x.Y[t], x.eta**2 * x.K * (x.K + 1) * x.M**2), use(reach, **CAP))
false("own reach", REACH, lambda x, t: le(x.Y[t], cent(x, 99) * x.eta**2 * x.K**2 * x.M**2), use(reach, **CAP))
false("own reach, by its own number", REACH, lambda x, t: le(x.Y[t], 2 * x.eta**2 * x.M**2), use(reach_k, **CAP))

# drift of gradients that are smooth, by the shelf


def none(x):
    return x.w - x.w


drift_up_to = true(
    "drift up to K", FIRST_STEPS, lambda x: le(x.b[x.n], 4 * x.eta**4 * x.L**2 * x.K**4 * x.g / 3), local_drift
)
reach_up_to = true("reach up to K", FIRST_STEPS, lambda x: le(x.a[x.n], 4 * x.eta**2 * x.K**2 * x.g), local_reach)
DRIFTING = Run(
    Smooth("L"), at=("w",), clients_at=("y", "s"), L=L, eta=ETA, given=(HALF,),
    within={"y": last(FIRST_STEPS, "y", up_to="K", h=none), "s": last(FIRST_STEPS, "s", up_to="K", h=none)},
    step={"w": lambda x: x.w - x.mean_vec(x.s)},
    quantities={"Y": lambda x: x.mean(x.sq(x.y)), "S": lambda x: x.mean(x.sq(x.s)), "G": lambda x: x.mean(x.sq(x.f.grad(x.w)))},
    **MANY,
)  # fmt: skip
by_drift, by_reach = use(drift_up_to, h=none), use(reach_up_to, h=none)
true("own drift", DRIFTING, lambda x, t: le(x.Y[t], 4 * x.eta**4 * x.L**2 * x.K**4 * x.G[t] / 3), by_drift)
false("own drift", DRIFTING, lambda x, t: le(x.Y[t], x.eta**4 * x.L**2 * x.K**4 * x.G[t] / 4), by_drift)
true("own reach of gradients", DRIFTING, lambda x, t: le(x.S[t], 4 * x.eta**2 * x.K**2 * x.G[t]), by_reach)
false("own reach of gradients", DRIFTING, lambda x, t: le(x.S[t], cent(x, 99) * x.eta**2 * x.K**2 * x.G[t]), by_reach)
LONG = replace(DRIFTING, given=(condition("eta <= 3/(K L)", lambda x: le(x.eta * x.L * x.K, 3)),))
false("own reach, long steps", LONG, lambda x, t: le(x.S[t], 4 * x.eta**2 * x.K**2 * x.G[t]), by_reach)

# strongly convex clients with the shifts of w*

RANGES = {"mu": MU, "L": L, "eta": ETA}
SHIFTS = {"B": lambda x: x.sq(x.y - x.z), "D": lambda x: x.sq(x.w - x.z)}
LOCAL = Run(
    SmoothStronglyConvex("mu", "L"), at=("w", "z"), clients_at=("y",), given=(SHORT,), start={"y": lambda x: x.w},
    step={"y": lambda x: x.y - x.eta * (x.f.grad(x.y) - x.f.grad(x.z))}, quantities=SHIFTS, **RANGES, **ONE,
)  # fmt: skip


def rounds(local, **at):
    return Run(
        SmoothStronglyConvex("mu", "L"), optimum_of="f", at=("w",), clients_at=("y",), given=(SHORT,),
        within={"y": last(local, "y", up_to="K", **at)}, step={"w": lambda x: x.mean_vec(x.y)},
        quantities={"D": lambda x: x.sq(x.w - x.w_star), "B": lambda x: x.mean(x.sq(x.y - x.w_star))}, **RANGES, **MANY,
    )  # fmt: skip


def rate(x):
    return (1 - x.eta * x.mu) ** 2


AT_STAR = {"z": lambda x: x.w_star}
ROUNDS = rounds(LOCAL, **AT_STAR)
step = true("contraction, a step", LOCAL.one_step, lambda x: le(x.next.B, rate(x) * x.B))
every_k = true("contraction, every k", LOCAL, lambda x: le(x.B[x.k], rate(x) ** x.k * x.D), step)
some = true("contraction, some", LOCAL, lambda x: le(x.B[x.k], rate(x) * x.D), step)
jensen = true("mean of models", Points(None, at=("z",), clients_at=("y",)), lambda x: le(
    x.sq(x.mean_vec(x.y) - x.z), x.mean(x.sq(x.y - x.z))))  # fmt: skip
ends = true("rounds, ends", ROUNDS, lambda x, t: le(x.B[t], rate(x) * x.D[t]), some)
once = true("rounds, one", ROUNDS, lambda x, t: le(x.D[t + 1], rate(x) * x.D[t]), ends, use(jensen, **AT_STAR))
true("rounds, every T", ROUNDS, lambda x: le(x.D[x.T], rate(x) ** x.T * x.D[0]), once)
false("rounds, every T", ROUNDS, lambda x: le(x.D[x.T], rate(x) ** (x.T + 1) * x.D[0]), once)
false("rounds, ends", ROUNDS, lambda x, t: le(cent(x, 101) * x.B[t], rate(x) * x.D[t]), some)
false("rounds, by K", ROUNDS, lambda x, t: le(x.B[t], rate(x) ** x.K * x.D[t]), every_k)
false(
    "rounds, by the length", ROUNDS, lambda x, t: le(x.B[t], rate(x) ** 2 * x.D[t]), use(every_k, k=lambda x: x.K + 1)
)
MAYBE = rounds(replace(LOCAL, first=0, sizes={**LOCAL.sizes, "k": (0, 1, 2, 3)}), **AT_STAR)
false("rounds, or none", MAYBE, lambda x, t: le(x.B[t], rate(x) * x.D[t]), some)
PLAIN = replace(LOCAL, at=("w",), step={"y": lambda x: x.y - x.eta * x.f.grad(x.y)}, quantities={
    "B": lambda x: x.sq(x.y - x.w), "D": lambda x: x.sq(x.f.grad(x.w))})  # fmt: skip
FEDAVG = rounds(PLAIN)
false("fedavg, every T", FEDAVG, lambda x: le(x.D[x.T], x.D[0]))
BEGUN = replace(FEDAVG, start={"w": lambda x: x.w_star}, quantities={
    **FEDAVG.quantities, "G": lambda x: x.mean(x.sq(x.f.grad(x.w_star)))})  # fmt: skip


def away(x, t):
    """Where a round from w* leads: with K steps of every client no further, as mean grad f_i(w*) = 0."""
    return le(x.D[t + 1] * (1 - t), 2 * x.eta**4 * x.L**2 * x.K**4 * x.G)


false("fedavg, objective inconsistency", BEGUN, away)

# without a run: weights of each client's steps between 0 and 1, one after the other

UNROLLED = Points(SmoothConvex("L"), at=("w",), optimum_of="f", L=L, eta=ETA, given=(SHORT,), sizes={"m": (1,)},
                  a=between(0, 1, per_client=True), b=between(0, 1, per_client=True))  # fmt: skip


def unrolled(x):
    w = x.w
    for k in (x.a, x.b):
        w = w - (x.eta * k)[..., None] * (x.f.grad(w) - x.f.grad(x.w_star))
    return w


true("unrolled, nonexpansive", UNROLLED, lambda x: le(x.mean(x.sq(unrolled(x) - x.w_star)), x.sq(x.w - x.w_star)))
false(
    "unrolled, nonexpansive",
    UNROLLED,
    lambda x: le(cent(x, 101) * x.mean(x.sq(unrolled(x) - x.w_star)), x.sq(x.w - x.w_star)),
)


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_held(name):
    holds_true(*TRUE[name])


@pytest.mark.lies
@pytest.mark.in_turn(8)
@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not(name):
    holds_false(*FALSE[name])


# what a theorem about the run within a step may not read, and where it may not be used

READS = {
    "a power": lambda x: le(x.a[x.k], 4**x.k * x.eta**2 * x.g),
    "an exponential": lambda x: le(x.a[x.k], x.exp(x.k) * x.eta**2 * x.g),
    "a sum": lambda x: eq(x.a[x.k], x.eta**2 * x.sum(lambda t: 2 * t + 1, x.k) * x.g),
    "a sum of a quantity": lambda x: le(0, x.sum(lambda t: x.a[t], x.k)),
    "the step before": lambda x: le(x.a[x.k - 1], x.eta**2 * (x.k - 1) ** 2 * x.g),
    "the first state": lambda x: eq(x.a[0], 0),
    "a maximum": lambda x: le(x.a[x.k], x.maximum(x.k, 1) ** 2 * x.eta**2 * x.g),
    "a quotient": lambda x: eq(x.a[x.k] / x.k**2, x.eta**2 * x.g),
    "nothing of it": lambda x: le(x.a[x.k] + 0 * x.k, x.cap**2 * x.eta**2 * x.g),
    "its power 0": lambda x: le(x.a[x.k], x.cap**2 * x.eta**2 * x.g * x.k**0),
    "a side": lambda x: (le(1, x.k), le(x.a[x.k], x.cap**2 * x.eta**2 * x.g)),
    "every step": lambda x, t: le(0, x.a[t]),
}
GIVEN = {
    "K": {"k": lambda x: x.K},
    "one": {"k": lambda x: 1},
    "t": {"k": lambda x, t: t},
    "a cap that is less": {"cap": lambda x: x.K - x.ratio(1, 100)},
    "the number of rounds": {"cap": lambda x: x.T},
    "another end": {"y": lambda x: 2 * x.y - x.w},
    "another start": {"w": lambda x: (x.w + x.y) / 2},
    "another vector": {"h": lambda x: x.h / 2},
    "another step": {"eta": lambda x: x.eta / 2},
}


def unproved(name, world, body, *by):
    """By what proves alone, whatever a search finds; nor does an engine crash."""
    v = proof(claim(f"own/{name.replace(' ', '-')}", world=world, by=by)(body), Docket())
    assert v.verdict == "unknown" and not v.crashed, v.reason


@pytest.mark.lies
@pytest.mark.parametrize("what", READS)
def test_a_theorem_that_reads_the_number_says_nothing(what):
    one = claim("own/reads", world=STRAIGHT, by=(straight_a, straight_c))(READS[what])
    unproved("read", HEADED, lambda x, t: le(x.Y[t], far(x, 99) * x.G), use(one, **CAP))


@pytest.mark.lies
@pytest.mark.parametrize("what", GIVEN)
def test_a_theorem_is_used_at_the_numbers_of_the_clients(what):
    body = {"the number of rounds": lambda x, t: le(x.Y[t], x.eta**2 * x.T**2 * x.G)}.get(
        what, lambda x, t: le(x.Y[t], far(x, 99) * x.G)
    )
    unproved("given", HEADED, body, use(AT_MOST, **{**CAP, **GIVEN[what]}))


BOTH = Run(
    None, at=("w",), clients_at=("y", "z", "h"), eta=ETA, within={"y": last(STRAIGHT, "y"), "z": last(STRAIGHT, "y", up_to="K")},
    step={"w": lambda x: x.mean_vec(x.y)}, sizes={"k": (1, 2), "K": (1, 2), "m": (1, 2)},
    quantities={"Z": lambda x: x.mean(x.sq(x.z - x.w)), "G": lambda x: x.mean(x.sq(x.h))},
)  # fmt: skip
ALL = {"Y": HEADED.quantities["Y"], "G": HEADED.quantities["G"]}
COMMON = replace(HEADED, within={"y": last(ANY, "y")}, sizes={"k": (1, 2), "m": (1, 2), "T": (1, 2)}, quantities=ALL)
IN_COMMON = claim("own/in-common", world=COMMON, by=(any_a,))(lambda x, t: eq(x.Y[t], x.eta**2 * x.k**2 * x.G))
AT_ONE = TRUE["at most one step"][0]
MIXED = replace(ANY, step={"y": lambda x: x.mean_vec(x.y) - x.eta * x.h}, given=(UP_TO_CAP,))
mixed = claim("own/mixed", world=MIXED)(lambda x: eq(x.c[x.k], -x.eta * x.k * x.g))
least = claim("own/mixed-least", world=replace(MIXED, first=1, sizes={**MIXED.sizes, "k": (1, 2)}), by=(mixed,))(
    lambda x: le(x.c[x.k], -x.eta * x.g)
)
UNCOUNTED = replace(NOVA, scalars={**NOVA.scalars, "n": at_least(1)}, within={
    "v": last(NORMED, "v", up_to="K", z=lambda x: x.mean_vec(x.h))})  # fmt: skip
ELSEWHERE = {
    "where all make K steps": (BOTH, lambda x, t: le(x.Z[t], x.eta**2 * x.k**2 * x.G), use(AT_MOST, cap=lambda x: x.k)),
    "as those of all": (
        replace(COMMON, within={"y": last(ANY, "y", up_to="k")}),
        lambda x, t: eq(x.Y[t], x.eta**2 * x.k**2 * x.G),
        IN_COMMON,
    ),
    "of at most one step": (HEADED, lambda x, t: le(x.Y[t], x.eta**2 * x.G), AT_ONE),
    "a mean within": (headed(least.world), lambda x, t: le(x.C[t], -x.eta * x.G), use(least, **CAP)),
    "n of the run": (UNCOUNTED, lambda x, t: eq(x.Q[t], x.eta**2 * x.G), normed),
    "n is K": (
        replace(UNCOUNTED, given=(condition("n = K", lambda x: eq(x.n, x.K)),)),
        lambda x, t: eq(x.Q[t], x.eta**2 * x.G),
        normed,
    ),
    "n that is given": (NOVA, lambda x, t: eq(x.Q[t], x.eta**2 * x.G / 4), use(normed, n=lambda x: 2)),
    "steps for one": (
        replace(DRIFTING, given=(condition("eta <= 1/(2 L)", lambda x: le(2 * x.eta * x.L, 1)),)),
        lambda x, t: le(x.S[t], 4 * x.eta**2 * x.K**2 * x.G[t]),
        by_reach,
    ),
}


@pytest.mark.lies
@pytest.mark.parametrize("what", ELSEWHERE)
def test_a_theorem_is_used_of_its_own_run_alone(what):
    unproved("elsewhere", *ELSEWHERE[what])


# what a search comes to

RARE = Run(
    None, at=("w", "z"), clients_at=("y", "h"), eta=ETA, within={"y": last(STRAIGHT, "y", up_to="K")}, start={"w": lambda x: x.z},
    step={"w": lambda x: x.mean_vec(x.y)}, sizes={"K": (2,), "m": (2,)},
    quantities={"D": lambda x: x.sq(x.w - x.z), "G": lambda x: x.mean(x.sq(x.h))},
)  # fmt: skip


@pytest.mark.parametrize(("share", "verdict"), [(0, "unknown"), (1, "refuted")])
def test_of_many_choices_a_search_supports_nothing(share, verdict):
    """False with a share of 1 at T = 3 alone, where every client makes K steps at every round."""
    says = claim("own/rare", world=RARE)(lambda x: le(x.D[x.T], x.eta**2 * x.G * (
        (x.K * x.T - share * x.ratio(1, 20)) ** 2 + 400 * x.K**2 * (3 - x.T) ** 2)))  # fmt: skip
    assert verify(says).verdict == verdict


def test_the_points_of_one_run_have_one_number():
    both = replace(DRIFTING, within={"y": last(LOCAL_TWO, "y", up_to="K"), "s": last(LOCAL_TWO, "s", up_to="K")},
                   quantities={"B": lambda x: x.mean(x.sq(x.y - x.s))})  # fmt: skip
    assert verify(claim("own/together", world=both)(lambda x: eq(x.B[x.T], 0))).verdict == "unknown"
    apart = replace(both, within={**both.within, "s": last(replace(LOCAL_TWO, quantities={}), "s", up_to="K")})
    assert verify(claim("own/apart", world=apart)(lambda x: eq(x.B[x.T], 0))).verdict == "refuted"


LOCAL_TWO = Run(
    Smooth("L"), at=("w",), clients_at=("y", "s"), L=L, eta=ETA, start={"y": lambda x: x.w, "s": lambda x: x.w},
    step={"y": lambda x: x.y - x.eta * x.f.grad(x.y), "s": lambda x: x.s - x.eta * x.f.grad(x.s)},
    quantities={"a": lambda x: x.sq(x.y - x.w)}, **ONE,
)  # fmt: skip


def test_trust_is_that_of_a_solver():
    """The stand-alone checker has no rule for numbers of each client's own."""
    v = _with_its_lemmas(TRUE["rounds, every T"][0], {}, DECIDED)
    assert (v.verdict, v.trust) == ("proved", "z3")


WRONG = {
    "a run of several clients": (lambda: last(sized(STRAIGHT, m=(1, 2)), "y", up_to="K"), "of a run of one"),
    "no number": (lambda: last(STRAIGHT, "y", up_to="K", count="caps"), "caps is no number of the run"),
    "a count alone": (lambda: last(STRAIGHT, "y", count="cap"), "needs up_to"),
    "a number for a name": (lambda: last(STRAIGHT, "y", up_to=2), "are names"),
    "no size": (lambda: headed(STRAIGHT, sizes={"J": (1, 2)}), "is a size"),
    "clients": (lambda: Run(
        None, at=("w",), clients_at=("y", "h"), eta=ETA, within={"y": last(STRAIGHT, "y", up_to="m")}, sizes={"m": (1, 2)},
        step={"w": lambda x: x.w}, quantities=ALL), "m is no number of steps"),
    "less than the first": (lambda: headed(FROM_TWO), "at least 2 steps"),
    "a number of the run": (lambda: nova(n=positive()), "n counts the steps"),
    "a point of the server": (lambda: Run(
        None, at=("w", "y"), clients_at=("h",), eta=ETA, within={"y": last(STRAIGHT, "y", up_to="K")}, sizes={"K": (1, 2)},
        step={"w": lambda x: x.w}, quantities=ALL), "a point of each client"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_is_told(what):
    make, said = WRONG[what]
    with pytest.raises(UsageError, match=said):
        make()
