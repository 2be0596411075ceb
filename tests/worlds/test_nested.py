"""Any number K of local steps inside any number T of rounds: what is true of them, and what is false by a little."""

from dataclasses import replace
from typing import Any

import pytest
from known import holds_false, holds_true

from fedtheory import claim, eq, le, use
from fedtheory.units import CURVATURE, GRADIENT, STEP
from problems import (
    ConvexLipschitz,
    Lojasiewicz,
    Points,
    Run,
    Sequences,
    Smooth,
    SmoothStronglyConvex,
    at_least,
    condition,
    last,
    positive,
)
from proofs_checks.shelf.theorems.local_steps import HALF, STEPS, local_drift_of_K
from proofs_checks.shelf.vectors import of_a_sum_each

L, MU, ETA = positive(CURVATURE), positive(CURVATURE), positive(STEP)
SHORT = condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1))
ONE = {"sizes": {"m": (1,)}}
MANY = {"sizes": {"K": (1, 2), "m": (1, 2)}}
LESS = {  # true ones to which the engines come by less than a proof
    "below e": "certified",
    "above e": "certified",
    "drift, linear": "certified",
    "straight, alone": "certified",
    "straight, one step": "unknown",
    "reach, a step": "unknown",
    "reach": "unknown",
    "no drift of one client": "certified",
    "rounds, a power of K": "supported",
    "straight, over both": "certified",
}
FALSE: dict[str, Any] = {}
TRUE: dict[str, Any] = {}


def made(name, world, body, *by):
    return claim(f"nested/{name.replace(' ', '-').replace(',', '')}", world=world, by=by)(body)


def true(name, world, body, *by):
    """A statement that holds."""
    TRUE[name] = made(name, world, body, *by), LESS.get(name, "proved")
    return TRUE[name][0]


def false(name, world, body, *by):
    """A neighbour of one that does not."""
    FALSE[name] = made(f"{name}, false", world, body, *by), "refuted"


def cent(x, n):
    """n/100."""
    return x.ratio(n, 100)


# powers q^K with q near 1 + 1/K, which tend to e

NUMBER = Sequences("K", first=1)


def grown(x):
    return (1 + 1 / x.K) ** x.K


true("below e", NUMBER, lambda x: le(grown(x), x.ratio(2719, 1000)))
false("below e", NUMBER, lambda x: le(grown(x), x.ratio(27, 10)))  # from K = 75 on
bernoulli = true("bernoulli", Sequences("n", K=at_least(1)), lambda x: le(1 + x.n / x.K, (1 + 1 / x.K) ** x.n))
false("bernoulli", Sequences("n", K=at_least(1)), lambda x: le(cent(x, 101) + x.n / x.K, (1 + 1 / x.K) ** x.n))
true("at least two", NUMBER, lambda x: le(2, grown(x)), use(bernoulli, n=lambda x: x.K, K=lambda x: x.K))
false("at least two", NUMBER, lambda x: le(x.ratio(201, 100), grown(x)))
true("above e", NUMBER, lambda x: le(x.ratio(2718, 1000), (1 + 1 / x.K) * grown(x)))
false("above e", NUMBER, lambda x: le(x.ratio(28, 10), (1 + 1 / x.K) * grown(x)))  # from K = 17 on

# drift by a recursion over the steps k < K


def drift(*more):
    return Sequences(
        "n", sequences={"D": at_least(0)}, K=at_least(1), b=positive(), first=0, lengths=(0, 1, 2, 3),
        given=(condition("D_0 = 0", lambda x: eq(x.D[0], 0)), *more),
        every=(condition("step", lambda x, t: le(x.D[t + 1], (1 + 1 / x.K) * x.D[t] + x.b)),),
    )  # fmt: skip


def powers(x, n=100):
    return cent(x, n) * ((1 + 1 / x.K) ** x.n - 1) * x.K * x.b


ANY, DRIFT = drift(), drift(condition("n <= K", lambda x: le(x.n, x.K)))
exact = true("drift, its power", ANY, lambda x: le(x.D[x.n], powers(x)))
false("drift, its power", ANY, lambda x: le(x.D[x.n], powers(x, 99)))
true("drift, linear", DRIFT, lambda x: le(x.D[x.n], cent(x, 172) * x.n * x.b), exact)
false("drift, linear", DRIFT, lambda x: le(x.D[x.n], cent(x, 170) * x.n * x.b))  # from K = 74 on
false("drift, of any length", ANY, lambda x: le(x.D[x.n], cent(x, 172) * x.n * x.b))
false("drift, none", DRIFT, lambda x: le(x.D[x.n], x.n * x.b))
true(
    "drift, its sum",
    ANY,
    lambda x: le(x.sum(lambda t: x.D[t], x.n), (powers(x) - x.n * x.b) * x.K),
    use(exact, n=lambda x, t: t),
)
false("drift, its sum", ANY, lambda x: le(x.sum(lambda t: x.D[t], x.n), (powers(x) - x.n * x.b) * (x.K - 1)), exact)
false("drift, its sum to n", ANY, lambda x: le(x.sum(lambda t: x.D[t], x.n + 1), (powers(x) - x.n * x.b) * x.K), exact)

# steps along a vector of each client: where they end, and the sum over them

FROM_0 = {"first": 0, "lengths": (0, 1, 2, 3)}
STRAIGHT = Run(
    None, at=("w",), clients_at=("y", "s", "h"), eta=ETA, index="K", start={"y": lambda x: x.w, "s": lambda x: x.w - x.w},
    step={"y": lambda x: x.y - x.eta * x.h, "s": lambda x: x.s + x.y - x.w},
    quantities={"a": lambda x: x.sq(x.y - x.w), "c": lambda x: x.dot(x.y - x.w, x.h), "g": lambda x: x.sq(x.h),
                "b": lambda x: x.sq(x.s), "o": lambda x: x.dot(x.s, x.h)}, **ONE, **FROM_0,
)  # fmt: skip
AT_T = {"K": lambda x, t: t}
straight_c = true("straight, aslant", STRAIGHT, lambda x: eq(x.c[x.K], -x.eta * x.K * x.g))
straight_a = true(
    "straight, squared", STRAIGHT, lambda x: eq(x.a[x.K], x.eta**2 * x.K**2 * x.g), use(straight_c, **AT_T)
)
false(
    "straight, squared",
    STRAIGHT,
    lambda x: eq(x.a[x.K], x.eta**2 * x.K**2 * x.g * cent(x, 101)),
    use(straight_c, **AT_T),
)
false("straight, one step less", STRAIGHT, lambda x: le(x.a[x.K], x.eta**2 * (x.K - 1) ** 2 * x.g), straight_a)
true("straight, its sum", STRAIGHT, lambda x: eq(
    x.sum(lambda t: x.a[t], x.K), x.eta**2 * x.g * (x.K - 1) * x.K * (2 * x.K - 1) / 6), use(straight_a, **AT_T))  # fmt: skip
false("straight, its sum to K", STRAIGHT, lambda x: eq(
    x.sum(lambda t: x.a[t], x.K), x.eta**2 * x.g * (x.K + 1) * x.K * (2 * x.K + 1) / 6), use(straight_a, **AT_T))  # fmt: skip
straight_o = true(
    "straight, sum aslant",
    STRAIGHT,
    lambda x: eq(x.o[x.K], -x.eta * x.K * (x.K - 1) / 2 * x.g),
    use(straight_c, **AT_T),
)
false(
    "straight, sum aslant",
    STRAIGHT,
    lambda x: eq(x.o[x.K], -x.eta * x.K * (x.K + 1) / 2 * x.g),
    use(straight_c, **AT_T),
)
true("straight, alike", STRAIGHT, lambda x: eq(x.a[x.K] * x.g, x.c[x.K] ** 2), straight_a, straight_c)
alike = TRUE["straight, alike"][0]

MADE_OF = {"y": lambda x: x.w, "s": lambda x: x.w - x.w}
HEADED = Run(
    None, at=("w", "z"), clients_at=("y", "s", "h"), eta=ETA, within={"y": last(STRAIGHT, "y"), "s": last(STRAIGHT, "s")},
    step={"w": lambda x: x.mean_vec(x.y)},
    quantities={
        "Y": lambda x: x.mean(x.sq(x.y - x.w)), "M": lambda x: x.sq(x.mean_vec(x.y) - x.w), "G": lambda x: x.mean(x.sq(x.h)),
        "H": lambda x: x.sq(x.mean_vec(x.h)), "C": lambda x: x.mean(x.dot(x.y - x.w, x.h)), "O": lambda x: x.mean(x.dot(x.s, x.h)),
        "D": lambda x: x.dot(x.w - x.z, x.mean_vec(x.h)), "A": lambda x: x.dot(x.mean_vec(x.y) - x.w, x.mean_vec(x.h)),
    }, sizes={"K": (0, 1, 2), "m": (1, 2)},
)  # fmt: skip
head = true("straight, a round", HEADED, lambda x, t: eq(x.Y[t], x.eta**2 * x.K**2 * x.G), straight_a)
false("straight, a round", HEADED, lambda x, t: le(x.Y[t], x.eta**2 * x.K * x.G), straight_a)
false("straight, as in one step", HEADED, lambda x, t: le(x.Y[t], x.eta**2 * x.G), straight_a)  # from K = 2 on
false(
    "straight, of one more",
    HEADED,
    lambda x, t: eq(x.Y[t], x.eta**2 * (x.K + 1) ** 2 * x.G),
    use(straight_a, K=lambda x: x.K + 1),
)
true("straight, their sum", HEADED, lambda x: eq(x.sum(lambda t: x.Y[t], x.T), x.T * x.eta**2 * x.K**2 * x.G), head)
false(
    "straight, their sum", HEADED, lambda x: le(x.sum(lambda t: x.Y[t], x.T), (x.T - 1) * x.eta**2 * x.K**2 * x.G), head
)
true("straight, aslant in the mean", HEADED, lambda x, t: eq(x.C[t], -x.eta * x.K * x.G), straight_c)
true("straight, sum in the mean", HEADED, lambda x, t: eq(x.O[t], -x.eta * x.K * (x.K - 1) / 2 * x.G), straight_o)
false(
    "straight, sum in the mean", HEADED, lambda x, t: eq(x.O[t], -x.eta * (x.K - 1) * (x.K - 1) / 2 * x.G), straight_o
)
false("straight, alike in the mean", HEADED, lambda x, t: eq(x.Y[t] * x.H, x.A[t] ** 2), alike)  # of m >= 2 clients
false(
    "straight, aslant in the mean of squares", HEADED, lambda x, t: le(x.Y[t] * x.G, x.C[t] ** 2 * cent(x, 99)), alike
)
false("straight, its mean", HEADED, lambda x, t: eq(x.M[t], x.eta**2 * x.K**2 * x.G), straight_a)  # of m >= 2 clients
false("straight, its mean is less", HEADED, lambda x, t: le(cent(x, 101) * x.M[t], x.eta**2 * x.K**2 * x.G), straight_a)
spread = true(
    "mean of vectors",
    Points(None, at=("w",), clients_at=("y",)),
    lambda x: le(x.sq(x.mean_vec(x.y) - x.w), x.mean(x.sq(x.y - x.w))),
)
true("straight, its mean is less", HEADED, lambda x, t: le(x.M[t], x.eta**2 * x.K**2 * x.G), head, spread)
ALONE = replace(HEADED, sizes={**HEADED.sizes, "m": (1,)})
true("straight, alone", ALONE, lambda x, t: eq(x.M[t], x.eta**2 * x.K**2 * x.G), straight_a)
ELSEWHERE = replace(HEADED, within={k: last(STRAIGHT, k, w=lambda x: x.z) for k in ("y", "s")})
false("straight, from elsewhere", ELSEWHERE, lambda x, t: eq(x.Y[t], x.eta**2 * x.K**2 * x.G), straight_a)
ONCE = replace(HEADED, sizes={**HEADED.sizes, "K": (1,)})
one_step = true("straight, one step", ONCE, lambda x, t: eq(x.Y[t], x.eta**2 * x.G), straight_a)
false("straight, a theorem of one step", HEADED, lambda x, t: eq(x.Y[t], x.eta**2 * x.G), one_step)


def over_both(x, steps, times):
    return x.sum(lambda t: x.sum(lambda k: (k + 1) * x.Y[t], steps), times)


true(
    "straight, over both",
    HEADED,
    lambda x: eq(over_both(x, x.K, x.T), x.K * (x.K + 1) / 2 * x.sum(lambda t: x.Y[t], x.T)),
)
false(
    "straight, over both",
    HEADED,
    lambda x: eq(over_both(x, x.K, x.T), x.K * (x.K - 1) / 2 * x.sum(lambda t: x.Y[t], x.T)),
)
false("straight, the other way", HEADED, lambda x: eq(over_both(x, x.K, x.T), over_both(x, x.T, x.K)), head)
false("straight, at least one", HEADED, lambda x, t: le(x.eta**2 * x.G, x.Y[t]), head)  # but for K = 0
SOME = replace(HEADED, sizes={**HEADED.sizes, "K": (1, 2)})
some = true("straight, at least one", SOME, lambda x, t: le(x.eta**2 * x.G, x.Y[t]), straight_a)
false("straight, a theorem of at least one", HEADED, lambda x, t: le(x.eta**2 * x.G, x.Y[t]), some)
true("straight, one is at least one", ONCE, lambda x, t: le(x.eta**2 * x.G, x.Y[t]), some)

# subgradients of at most M: a client moves by eta K M

BOUNDED = Run(
    ConvexLipschitz("M"), at=("w",), clients_at=("y",), eta=ETA, M=positive(GRADIENT), index="K", start={"y": lambda x: x.w},
    step={"y": lambda x: x.y - x.eta * x.f.grad(x.y)}, quantities={
        "a": lambda x: x.sq(x.y - x.w), "v": lambda x: x.sq(x.f.grad(x.y))}, **ONE, **FROM_0,
)  # fmt: skip
NORMS = replace(BOUNDED, quantities={"r": lambda x: x.norm(x.y - x.w)})
by_norms = true("reach, a step", NORMS.one_step, lambda x: le(x.next.r, x.r + x.eta * x.M))
true("reach", NORMS, lambda x: le(x.r[x.K], x.eta * x.K * x.M), by_norms)
false("reach", NORMS, lambda x: le(cent(x, 101) * x.r[x.K], x.eta * x.K * x.M), by_norms)
false("reach, one step less", NORMS, lambda x: le(x.r[x.K], x.eta * (x.K - 1) * x.M), by_norms)
steep = true("reach, gradients", BOUNDED.one_step, lambda x: le(x.v, x.M**2))
young = use(of_a_sum_each, u=lambda x: x.y - x.w, v=lambda x: -x.eta * x.f.grad(x.y), tau=lambda x, t: 1 / (t + 1))
true("reach, squared", BOUNDED, lambda x: le(x.a[x.K], x.eta**2 * x.K * (x.K + 1) * x.M**2), young, steep)
false("reach, squared", BOUNDED, lambda x: le(x.a[x.K], x.eta**2 * (x.K**2 - x.K / 100) * x.M**2), young, steep)
false("reach, as noise", BOUNDED, lambda x: le(x.a[x.K], 16 * x.eta**2 * x.K * x.M**2), young, steep)  # from K = 17 on

# strongly convex clients: contraction by (1 - eta mu)^(2 K)

CONTRACTING = {"mu": MU, "L": L, "eta": ETA}
LOCALLY = Run(
    SmoothStronglyConvex("mu", "L"), at=("w", "z"), clients_at=("y",), index="K", given=(SHORT,),
    start={"y": lambda x: x.w}, step={"y": lambda x: x.y - x.eta * (x.f.grad(x.y) - x.f.grad(x.z))},
    quantities={"B": lambda x: x.sq(x.y - x.z), "D": lambda x: x.sq(x.w - x.z)}, **CONTRACTING, **ONE,
)  # fmt: skip


def shrunk(x, share=100, times=1):
    return x.exp(-cent(x, share) * x.eta * x.mu * x.K * times) ** 2


def rate(x):
    return (1 - x.eta * x.mu) ** 2


step = true("contraction, a step", LOCALLY.one_step, lambda x: le(x.next.B, rate(x) * x.B))
false("contraction, a step", LOCALLY.one_step, lambda x: le(x.ratio(101, 100) * x.next.B, rate(x) * x.B))
every_K = true("contraction, every K", LOCALLY, lambda x: le(x.B[x.K], rate(x) ** x.K * x.D), step)
as_exp = true("contraction, by e", LOCALLY, lambda x: le(x.B[x.K], shrunk(x) * x.D), step)
false("contraction, one more", LOCALLY, lambda x: le(x.B[x.K], rate(x) ** (x.K + 1) * x.D), step)
false("contraction, by e", LOCALLY, lambda x: le(x.B[x.K], shrunk(x, 101) * x.D), step)
LONG = replace(LOCALLY, given=(condition("eta <= 2/L", lambda x: le(x.eta * x.L, 2)),))
false("contraction, long steps", LONG.one_step, lambda x: le(x.next.B, rate(x) * x.B))
true(
    "contraction, its sum",
    LOCALLY,
    lambda x: le(x.eta * x.mu * (2 - x.eta * x.mu) * x.sum(lambda t: x.B[t], x.K), x.D - x.B[x.K]),
    step,
)
false(
    "contraction, its sum",
    LOCALLY,
    lambda x: le(x.ratio(101, 100) * x.eta * x.mu * (2 - x.eta * x.mu) * x.sum(lambda t: x.B[t], x.K), x.D),
    step,
)
false(
    "contraction, its sum to K",
    LOCALLY,
    lambda x: le(x.eta * x.mu * (2 - x.eta * x.mu) * x.sum(lambda t: x.B[t], x.K + 1), x.D - x.B[x.K]),
    step,
)


def rounds(shift):
    return Run(
        SmoothStronglyConvex("mu", "L"), optimum_of="f", at=("w",), clients_at=("y",), given=(SHORT,),
        within={"y": last(shift, "y", z=lambda x: x.w_star)}, step={"w": lambda x: x.mean_vec(x.y)},
        quantities={"D": lambda x: x.sq(x.w - x.w_star), "B": lambda x: x.mean(x.sq(x.y - x.w_star))}, **CONTRACTING, **MANY,
    )  # fmt: skip


ROUNDS = rounds(LOCALLY)
jensen = true(
    "mean of models",
    Points(None, at=("z",), clients_at=("y",)),
    lambda x: le(x.sq(x.mean_vec(x.y) - x.z), x.mean(x.sq(x.y - x.z))),
)
at_w_star = use(jensen, z=lambda x: x.w_star)


ends = true("rounds, ends", ROUNDS, lambda x, t: le(x.B[t], shrunk(x) * x.D[t]), as_exp)
once = true("rounds, one", ROUNDS, lambda x, t: le(x.D[t + 1], shrunk(x) * x.D[t]), ends, at_w_star)
every_T = true("rounds, every T", ROUNDS, lambda x: le(x.D[x.T], shrunk(x, 100, x.T) * x.D[0]), once)
true("rounds, their sum", ROUNDS, lambda x: le((1 - shrunk(x)) * x.sum(lambda t: x.D[t], x.T), x.D[0] - x.D[x.T]), once)
false("rounds, ends", ROUNDS, lambda x, t: le(x.B[t], shrunk(x, 101) * x.D[t]), as_exp)
false("rounds, one", ROUNDS, lambda x, t: le(x.D[t + 1], shrunk(x, 101) * x.D[t]), ends, at_w_star)
false("rounds, every T", ROUNDS, lambda x: le(x.D[x.T], shrunk(x, 100, x.T + 1) * x.D[0]), once)
NO_ROUND = replace(ROUNDS, first=0, sizes={**ROUNDS.sizes, "T": (0, 1, 2)})
false("rounds, none", NO_ROUND, lambda x: le(x.D[x.T], shrunk(x) * x.D[0]), once)  # but for T = 0
true("rounds, one or more", ROUNDS, lambda x: le(x.D[x.T], shrunk(x) * x.D[0]), once)
true("rounds, a power of K", ROUNDS, lambda x, t: le(x.B[t], rate(x) ** x.K * x.D[t]), every_K)
false("rounds, a power of K", ROUNDS, lambda x, t: le(x.B[t], rate(x) ** (x.K + 1) * x.D[t]), every_K)
false("rounds, K squared", ROUNDS, lambda x: le(x.D[x.T], shrunk(x, 100, x.K * x.T) * x.D[0]), once)
false("rounds, their sum", ROUNDS, lambda x: le(x.sum(lambda t: x.D[t], x.T), x.D[0]), once)
false("rounds, other ends", ROUNDS, lambda x, t: le(x.D[t], shrunk(x) * x.B[t]), as_exp)

# the same without shifts: clients that are not alike drift

PLAIN = replace(LOCALLY, at=("w",), step={"y": lambda x: x.y - x.eta * x.f.grad(x.y)}, quantities={
    "a": lambda x: x.sq(x.y - x.w), "g": lambda x: x.sq(x.f.grad(x.w))})  # fmt: skip
FEDAVG = Run(
    SmoothStronglyConvex("mu", "L"), optimum_of="f", at=("w",), clients_at=("y",), given=(SHORT,), within={"y": last(PLAIN, "y")},
    step={"w": lambda x: x.mean_vec(x.y)}, quantities={"D": lambda x: x.sq(x.w - x.w_star)}, **CONTRACTING, **MANY,
)  # fmt: skip
false("drift of rounds", FEDAVG, lambda x: le(x.D[x.T], x.D[0]))
false("drift of rounds, by e", FEDAVG, lambda x, t: le(x.D[t + 1], shrunk(x) * x.D[t]))
ALIKE = replace(FEDAVG, sizes={**FEDAVG.sizes, "m": (1,)})
true("no drift of one client", ALIKE, lambda x: le(x.D[x.T], x.D[0]))

# descent of one function within rounds: what its last value is

PL = Run(
    Lojasiewicz("mu", "L"), at=("w",), clients_at=("y",), index="K", given=(SHORT,), start={"y": lambda x: x.w},
    step={"y": lambda x: x.y - x.eta * x.f.grad(x.y)},
    quantities={"e": lambda x: x.f.value(x.y) - x.f.infimum(), "s": lambda x: x.f.value(x.w) - x.f.infimum()}, **CONTRACTING, **ONE,
)  # fmt: skip
pl_step = true("values, a step", PL.one_step, lambda x: le(x.next.e, (1 - x.eta * x.mu) * x.e))
pl_K = true("values, every K", PL, lambda x: le(x.e[x.K], x.exp(-x.eta * x.mu * x.K) * x.s), pl_step)
false("values, every K", PL, lambda x: le(x.e[x.K], x.exp(-3 * x.eta * x.mu * x.K) * x.s), pl_step)
PL_ROUNDS = Run(
    Lojasiewicz("mu", "L"), at=("w",), clients_at=("y",), given=(SHORT,), within={"y": last(PL, "y")},
    step={"w": lambda x: x.mean_vec(x.y)},
    quantities={"e": lambda x: x.mean(x.f.value(x.w) - x.f.infimum()), "V": lambda x: x.mean(x.f.value(x.y) - x.f.infimum())},
    sizes={"K": (1, 2), "m": (1,)}, **CONTRACTING,
)  # fmt: skip
pl_ends = true("values, ends", PL_ROUNDS, lambda x, t: le(x.V[t], x.exp(-x.eta * x.mu * x.K) * x.e[t]), pl_K)
false("values, mean of clients", replace(PL_ROUNDS, sizes=FEDAVG.sizes), lambda x, t: le(x.e[t + 1], x.V[t]), pl_K)
true("values, every T", PL_ROUNDS, lambda x: le(x.e[x.T], x.exp(-x.eta * x.mu * x.K * x.T) * x.e[0]), pl_ends)

# drift of gradients: 4/3 of the shelf, of which 1.06/3 is needed as K grows


def none(x):
    return x.w - x.w


DRIFTING = Run(
    Smooth("L"), at=("w",), clients_at=("y",), L=L, eta=ETA, given=(HALF,), within={"y": last(STEPS, "y", h=none)},
    step={"w": lambda x: x.w - x.mean_vec(x.y + x.eta * x.K * x.f.grad(x.w))},
    quantities={"Y": lambda x: x.mean(x.sq(x.y)), "G": lambda x: x.mean(x.sq(x.f.grad(x.w)))}, **MANY,
)  # fmt: skip


def drifts(x, t, share):
    return le(x.Y[t], share * x.eta**4 * x.L**2 * x.K**4 * x.G[t])


by_shelf = use(local_drift_of_K, h=none)
true("drift of gradients", DRIFTING, lambda x, t: drifts(x, t, x.ratio(4, 3)), by_shelf)
false("drift of gradients", DRIFTING, lambda x, t: drifts(x, t, x.ratio(1, 4)), by_shelf)  # from K = 9 on
false(
    "drift of gradients, K - 1",
    DRIFTING,
    lambda x, t: le(4 * x.Y[t], x.eta**4 * x.L**2 * x.K**2 * (x.K - 1) ** 2 * x.G[t]),
    by_shelf,
)  # from K = 3 on
false(
    "drift of gradients, K cubed",
    DRIFTING,
    lambda x, t: le(x.Y[t], 4 * x.eta**4 * x.L**2 * x.K**3 * x.G[t] / 3),
    by_shelf,
)
LOOSE = condition("eta <= 3/(K L)", lambda x: le(x.eta * x.L * x.K, 3))
false(
    "drift of gradients, long steps",
    replace(DRIFTING, given=(LOOSE,)),
    lambda x, t: drifts(x, t, x.ratio(4, 3)),
    by_shelf,
)  # from K = 12 on


# the tests


@pytest.mark.in_turn(8)
@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_held(name):
    holds_true(*TRUE[name])


@pytest.mark.lies
@pytest.mark.in_turn(8)
@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not(name):
    holds_false(*FALSE[name])
