"""More uses of lemmas that do not fit, and legal ones beside: numbers and places at t, names of another kind, roots, chances."""

import dataclasses
from typing import Any

import pytest
from test_theorems import (
    BOTH,
    CONTRACTS,
    FALL,
    FOLLOWED,
    GD,
    NEIGHBOURHOOD,
    NOISY,
    RATE,
    SGD,
    SPREAD,
    away,
    beside,
    each_sq,
    gd,
    made,
    proves,
    rate,
    sampled,
    slope,
)

from fedtheory import assumed, eq, le, lt, use
from fedtheory.units import CURVATURE, STEP
from problems import Points, Run, Scalars, Sequences, Smooth, at_least, between, condition, positive

RATE_AT = made(
    lambda x, t: le(x.D[t + 1], (1 - x.eta * x.mu) ** (t + 1) * x.D[0]),
    GD,
    "draft/rate-at",
    by=(use(RATE, T=lambda x, t: t + 1),),
)
TWICE = condition("2 eta L <= 1", lambda x: le(2 * x.eta * x.L, 1))
SEQ = Sequences("T", sequences={"D": at_least(0)}, every=(condition("D falls", lambda x, t: le(x.D[t + 1], x.D[t])),))
FALL_SEQ = made(lambda x: le(x.D[x.T], x.D[0]), SEQ, "draft/fall-seq")
FALL_AT = made(lambda x, t: le(x.D[t + 1], x.D[0]), SEQ, "draft/fall-at", by=(use(FALL_SEQ, T=lambda x, t: t + 1),))
GROW = Sequences(
    "T",
    a=at_least(0),
    sequences={"D": at_least(0)},
    every=(condition("grows by a", lambda x, t: le(x.D[t] + x.a, x.D[t + 1])),),
)
GROWS = made(lambda x: le(x.D[0] + x.a * x.T, x.D[x.T]), GROW, "draft/grows")
GROWS_AT = made(
    lambda x, t: le(x.D[0] + x.a * (t + 1), x.D[t + 1]), GROW, "draft/grows-at", by=(use(GROWS, T=lambda x, t: t + 1),)
)
BY_T = Sequences(
    "T", sequences={"D": at_least(0)}, every=(condition("grows by t", lambda x, t: le(x.D[t] + t, x.D[t + 1])),)
)
POWERS = made(lambda x: le((1 + x.T * x.a) * (1 - x.a) ** x.T, 1), Sequences("T", a=between(0, 1)), "draft/powers")
NAMED_T = made(lambda x: lt(0, x.T * x.p), Scalars(T=positive(), p=positive()), "draft/named-t")
NAMED_D = made(lambda x: le(1, x.D), Scalars(D=at_least(1)), "draft/named-d")
ROOTS = made(lambda x: le(x.sqrt(x.a**2), x.a), Scalars(a=at_least(0)), "draft/root-of-square")
ROOT1 = made(lambda x: le(1, x.sqrt(x.z)), Scalars(z=at_least(1)), "draft/root-one")
THREE_M = made(
    lambda x: le(3 * x.mean(x.sq(x.f.grad(x.w))), x.total(x.sq(x.f.grad(x.w)))),
    Points(Smooth("L"), L=positive(CURVATURE), sizes={"m": (3, 4), "d": (1,)}),
    "draft/three",
)
MEANS = made(
    lambda x: le(x.sq(x.mean_vec(x.f.grad(x.w))), x.mean(x.sq(x.f.grad(x.w)))),
    Points(Smooth("L"), L=positive(CURVATURE)),
    "draft/jensen",
)


def coin(step, chances=lambda x: (x.p, 1 - x.p), outcomes=(1, 0), **more):
    return Run(
        None,
        at=("w",),
        outcomes=outcomes,
        chances=chances,
        step={"w": step},
        quantities={"D": lambda x: x.sq(x.w)},
        p=between(0, 1, closed=False),
        **more,
    )


KEPT = coin(lambda x, keep: x.w if keep else x.w - x.w)
KEEPS = made(lambda x: eq(x.next.D, x.p * x.D), KEPT.one_step, "draft/keeps")
FAIR = Run(
    None,
    at=("w",),
    outcomes=(1, 0),
    step={"w": lambda x, keep: x.w if keep else x.w - x.w},
    quantities={"D": lambda x: x.sq(x.w)},
    p=between(0, 1, closed=False),
)
HALVES = made(lambda x: eq(2 * x.next.D, x.D), FAIR.one_step, "draft/halves")
KEPT_T = made(lambda x: eq(x.D[x.T], x.p**x.T * x.D[0]), KEPT, "draft/kept", by=(KEEPS,))
S1 = sampled({"m": (1, 2, 3), "S": (1,), "d": (1, 2)})
ONE_S = made(lambda x: le(x.next.value, x.value + x.L * x.eta**2 / 2 * x.G), S1.one_step, "draft/one-s")
FALSE_FACT = assumed("the gap vanishes", lambda x, t: le(x.e[t], 0))
ILLEGAL: dict[str, Any] = {
    "a number that grows with t, for one of all t": made(
        lambda x, t: le(x.D[0] + t * (t + 1), x.D[t + 1]), BY_T, by=(use(GROWS_AT, a=lambda x, t: t),)
    ),
    "the same at the length": made(lambda x: le(x.D[0] + x.T * x.T, x.D[x.T]), BY_T, by=(use(GROWS, a=lambda x: x.T),)),
    "the same, of the step before": made(
        lambda x: le(x.D[0] + x.T * (x.T - 1), x.D[x.T]), BY_T, by=(use(GROWS, a=lambda x: x.T - 1),)
    ),
    "a step size that grows with t": made(
        lambda x, t: le(x.D[t + 1], (1 - x.eta * (1 + t / (t + 1)) * x.mu) ** (t + 1) * x.D[0]),
        gd(given=(TWICE,)),
        by=(use(RATE_AT, eta=lambda x, t: x.eta * (1 + t / (t + 1))),),
    ),
    "a constant that grows with t": made(
        lambda x, t: le(x.D[t + 1], (1 - x.eta * (x.mu + (x.L - x.mu) * t / (t + 1))) ** (t + 1) * x.D[0]),
        GD,
        by=(use(RATE_AT, mu=lambda x, t: x.mu + (x.L - x.mu) * t / (t + 1)),),
    ),
    "a sequence from its second element on": made(
        lambda x: le(x.D[x.T + 1], x.D[1] - x.D[0]), SEQ, by=(use(FALL_SEQ, D=lambda x, t: x.D[t + 1]),)
    ),
    "a sequence the other way round": made(
        lambda x: le(x.D[0], x.D[x.T]), SEQ, by=(use(FALL_SEQ, D=lambda x, t: x.D[x.T - t]),)
    ),
    "a sequence less its first element": made(
        lambda x: le(x.D[x.T] - x.D[0] + 1, 0), SEQ, by=(use(FALL_SEQ, D=lambda x, t: x.D[t] - x.D[0]),)
    ),
    "at every t, what is so below it": made(lambda x, t: le(x.D[t + 1], 0 * x.D[0]), SEQ, by=(FALL_AT,)),
    "a length that is less by one": made(
        lambda x: le(x.D[x.T], (1 - x.eta * x.mu) ** (x.T + 1) * x.D[0]),
        GD,
        by=(use(RATE, T=lambda x: x.T - 1), CONTRACTS),
    ),
    "twice the length": made(
        lambda x: le(x.D[x.T], (1 - x.eta * x.mu) ** (2 * x.T) * x.D[0]), GD, by=(use(RATE, T=lambda x: 2 * x.T),)
    ),
    "half the length": made(
        lambda x: le(x.D[x.T], (1 - x.eta * x.mu) ** x.T * x.D[0] / 2), GD, by=(use(RATE, T=lambda x: x.T / 2),)
    ),
    "a length below t of no t": made(
        lambda x: le(x.D[x.T], (1 - x.eta * x.mu) * x.D[0]),
        gd(first=0, lengths=(0, 1, 2)),
        by=(use(RATE, T=lambda x, t: t + 1),),
    ),
    "a share of which there is none": made(
        lambda x: le((1 + x.T * 2 * x.a) * (1 - 2 * x.a) ** x.T, 1),
        Sequences("T", a=between(0, 1)),
        by=(use(POWERS, a=lambda x: 2 * x.a),),
    ),
    "a share that is negative": made(
        lambda x: le((1 - x.T * x.a) * (1 + x.a) ** x.T, 1 - x.a),
        Sequences("T", a=between(0, 1)),
        by=(use(POWERS, a=lambda x: -x.a),),
    ),
    "a number called as the length": made(
        lambda x: lt(0, x.T * x.q**x.T),
        Sequences("T", q=between(0, 1, closed=False), first=0, lengths=(0, 1, 2)),
        by=(use(NAMED_T, p=lambda x: x.q**x.T),),
    ),
    "a number called as a quantity": made(lambda x: le(1, x.D[x.T]), GD, by=(NAMED_D,)),
    "a number called as a sequence": made(lambda x: le(1, x.D[x.T]), SEQ, by=(NAMED_D,)),
    "the root of the square of a negative number": made(
        lambda x: le(x.sqrt(x.b**2), -x.b), Scalars(b=at_least(0)), by=(use(ROOTS, a=lambda x: -x.b),)
    ),
    "the root of what may be below one": made(
        lambda x: le(1, x.sqrt(x.b - x.ratio(1, 2))),
        Scalars(b=at_least(1)),
        by=(use(ROOT1, z=lambda x: x.b - x.ratio(1, 2)),),
    ),
    "three clients for any number, in the mean": made(
        lambda x: le(3 * x.G[x.T], x.P[x.T]),
        gd(
            Smooth("L"),
            scalars={"L": positive(CURVATURE), "eta": positive(STEP)},
            quantities={"G": each_sq, "P": lambda x: x.total(x.sq(x.f.grad(x.w)))},
        ),
        by=(THREE_M,),
    ),
    "Jensen the other way": made(
        lambda x: le(x.G[x.T], x.g[x.T]),
        gd(
            Smooth("L"),
            scalars={"L": positive(CURVATURE), "eta": positive(STEP)},
            quantities={"G": each_sq, "g": slope},
        ),
        by=(MEANS,),
    ),
    "the other chance": made(
        lambda x: eq(x.D[x.T], (1 - x.p) ** x.T * x.D[0]), KEPT, by=(use(KEEPS, p=lambda x: 1 - x.p),)
    ),
    "a smaller chance": made(
        lambda x: eq(x.D[x.T], (x.p / 2) ** x.T * x.D[0]), KEPT, by=(use(KEEPS, p=lambda x: x.p / 2),)
    ),
    "a fair coin for another": made(lambda x: eq(2**x.T * x.D[x.T], x.D[0]), KEPT, by=(HALVES,)),
    "another coin for a fair one": made(lambda x: eq(x.D[x.T], x.p**x.T * x.D[0]), FAIR, by=(KEEPS,)),
    "a theorem of another coin": made(lambda x: eq(x.D[x.T], x.p**x.T * x.D[0]), FAIR, by=(KEPT_T,)),
    "outcomes that change places": made(
        lambda x: eq(x.D[x.T], x.p**x.T * x.D[0]),
        coin(lambda x, keep: x.w if keep else x.w - x.w, outcomes=(0, 1)),
        by=(KEEPS,),
    ),
    "a theorem whose outcomes change places": made(
        lambda x: eq(x.D[x.T], x.p**x.T * x.D[0]),
        coin(lambda x, keep: x.w if keep else x.w - x.w, outcomes=(0, 1)),
        by=(KEPT_T,),
    ),
    "one selected client for any number, a fifth of it": made(
        lambda x: le(x.value[x.T] - x.L * x.eta**2 / 10 * x.sum(lambda t: x.G[t], x.T), x.value[0]),
        sampled(),
        by=(ONE_S,),
    ),
    "a point twice as far": made(
        lambda x: le(x.D[x.T], (1 - x.eta * x.mu) ** x.T * x.D[0] / 4),
        GD,
        by=(use(RATE, w=lambda x: 2 * x.w - x.w_star),),
    ),
    "the minimiser for the point": made(lambda x: le(x.D[x.T], 0), GD, by=(use(RATE, w=lambda x: x.w_star),)),
    "one vector for two": beside(
        lambda x: le(x.s[x.T], 4 * x.D[x.T]),
        (use(SPREAD, a=BOTH["a"], b=BOTH["a"]),),
        s=lambda x: x.sq(x.w - x.w_star + x.z),
    ),
    "minus a vector for the vector": beside(
        lambda x: le(x.s[x.T], 2 * x.D[x.T] - 2 * x.z_sq),
        (use(SPREAD, a=BOTH["a"], b=lambda x: -x.z),),
        s=lambda x: x.sq(x.w - x.w_star + x.z),
    ),
    "a quantity with one more": made(rate, gd(quantities={"D": lambda x: away(x) + x.sq(x.w)}), by=(CONTRACTS,)),
    "half the noise bound": made(
        lambda x: le(x.D[x.T], x.D[0] + x.T * x.eta**2 * x.sigma**2 / 4),
        SGD,
        by=(use(NEIGHBOURHOOD, sigma=lambda x: x.sigma / 2), NOISY),
    ),
    "what is assumed of no t": made(lambda x: le(x.e[x.T], 0), GD, by=(FALSE_FACT,)),
    "true of three lengths": made(lambda x: le(x.T * (x.T - 1) * (x.T - 2), 0), Sequences("T", q=positive())),
    "true of every length but none": made(
        lambda x: le(x.D[0], x.T * x.D[0]), gd(first=0, lengths=(0, 1, 2)), by=(RATE,)
    ),
    "a sum whose terms are of the last t": made(
        lambda x: le(x.e[x.T] + x.eta / 2 * x.T * x.g[x.T], x.e[0] - x.eta * x.g[x.T]), GD, by=(FALL,)
    ),
}
LEGAL = {
    "a number at every t": made(lambda x: le(x.D[0] + x.a * x.T, x.D[x.T] + x.a), GROW, by=(GROWS,)),
    "another letter for the length": made(
        lambda x: le(x.D[x.K], (1 - x.eta * x.mu) ** x.K * x.D[0]), gd(index="K"), by=(use(RATE, T=lambda x: x.K),)
    ),
    "a sequence and a constant": made(
        lambda x: le(x.D[x.T] + x.c, x.D[0] + x.c),
        Sequences("T", c=positive(), sequences={"D": at_least(0)}, every=SEQ.every),
        by=(use(FALL_SEQ, D=lambda x, t: x.D[t] + x.c),),
    ),
    "twice a sequence": made(
        lambda x: le(2 * x.D[x.T], 2 * x.D[0]), SEQ, by=(use(FALL_SEQ, D=lambda x, t: 2 * x.D[t]),)
    ),
    "at t, by a theorem at t": made(lambda x: le(x.sum(lambda t: x.D[t + 1], x.T), x.T * x.D[0]), SEQ, by=(FALL_AT,)),
    "a smaller share": made(
        lambda x: le((1 + x.T * x.a / 2) * (1 - x.a / 2) ** x.T, 1),
        Sequences("T", a=between(0, 1)),
        by=(use(POWERS, a=lambda x: x.a / 2),),
    ),
    "a chance": made(lambda x: eq(x.D[x.T], x.p**x.T * x.D[0]), KEPT, by=(KEEPS,)),
    "a chance by another name": made(
        lambda x: eq(x.D[x.T], x.r**x.T * x.D[0]),
        Run(
            None,
            at=("w",),
            outcomes=(1, 0),
            chances=lambda x: (x.r, 1 - x.r),
            step={"w": lambda x, keep: x.w if keep else x.w - x.w},
            quantities={"D": lambda x: x.sq(x.w)},
            r=between(0, 1, closed=False),
        ),
        by=(use(KEEPS, p=lambda x: x.r),),
    ),
    "Jensen": made(
        lambda x: le(x.g[x.T], x.G[x.T]),
        gd(
            Smooth("L"),
            scalars={"L": positive(CURVATURE), "eta": positive(STEP)},
            quantities={"G": each_sq, "g": slope},
        ),
        by=(MEANS,),
    ),
    "a minus": beside(
        lambda x: le(x.s[x.T], 2 * x.D[x.T] + 2 * x.z_sq),
        (use(SPREAD, a=BOTH["a"], b=lambda x: -x.z),),
        s=lambda x: x.sq(x.w - x.w_star - x.z),
    ),
    "a number that is called T": made(
        lambda x: le(0, (x.T + 1) * x.q**x.T), FOLLOWED, by=(use(NAMED_T, T=lambda x: x.T + 1, p=lambda x: x.q**x.T),)
    ),
    "a rate at every t": made(lambda x: le(x.sum(lambda t: x.D[t + 1], x.T), x.T * x.D[0]), GD, by=(RATE_AT,)),
}

MANY = Run(
    None, at=("w",), clients_at=("v",), sizes={"m": (1, 2)}, step={"w": lambda x: x.mean_vec(x.v)},
    quantities={"D": lambda x: x.sq(x.w)},
)  # fmt: skip
ALONE = made(lambda x: le(x.m * x.a, 100 * x.a), Scalars(a=positive(), sizes={"m": (1,)}))
SEVERAL = made(lambda x: le(2 * x.a, x.m * x.a), Scalars(a=positive(), sizes={"m": (2, 3)}))
ILLEGAL["numbers of one client"] = made(lambda x: le(x.m, 100), MANY, by=(use(ALONE, a=lambda x: 1),))
ILLEGAL["numbers of several clients"] = made(lambda x: le(2, x.m), MANY, by=(use(SEVERAL, a=lambda x: 1),))
LEGAL["numbers of as many clients"] = made(
    lambda x: le(x.m, 100), dataclasses.replace(MANY, sizes={**MANY.sizes, "m": (1,)}), by=(use(ALONE, a=lambda x: 1),)
)

# at lengths beyond the claim's, and of every t below another one
FADES = condition("b_t (t + 1) <= 2000", lambda x, t: le(x.b[t] * (t + 1), 2000))
FADING = Sequences("T", sequences={"b": between(0, 1)}, every=(FADES,))
LAST = made(lambda x: le(x.b[x.T - 1] * x.T, 2000), FADING)
WALK = {"step": {"w": lambda x: x.w + x.g}, "quantities": {"G": lambda x: x.sq(x.g)}}
WALKED = Run(None, at=("w", "g"), **WALK)
LONGER = Run(None, at=("w", "g"), first=2, lengths=(2, 3, 4), **WALK)
ANY_LENGTH = Run(None, at=("w", "g"), first=0, lengths=(0, 1, 2), **WALK)
BELOW = made(lambda x, t: le((t + 1) * x.G, x.T * x.G), WALKED)
FROM_NONE = made(lambda x, t: le((t + 1) * x.G, x.T * x.G), ANY_LENGTH)
ILLEGAL |= {
    "one step more than there are": made(
        lambda x: le(x.b[x.T] * (x.T + 1), 2000), FADING, by=(use(LAST, T=lambda x: x.T + 1),)
    ),
    "every t of one step fewer": made(
        lambda x, t: le((t + 2) * x.G, x.T * x.G + 2000 * x.G / x.T), LONGER, by=(use(BELOW, T=lambda x: x.T - 1),)
    ),
    "every s below t, at t": made(
        lambda x, t: le((t + 1) * x.G, t * x.G), ANY_LENGTH, by=(use(FROM_NONE, T=lambda x, t: t),)
    ),
}
LEGAL["every s below t + 1, at t"] = made(
    lambda x, t: le(t * x.G, t * x.G), ANY_LENGTH, by=(use(FROM_NONE, T=lambda x, t: t + 1),)
)


@pytest.mark.parametrize("name", ILLEGAL)
def test_a_use_that_does_not_fit_proves_nothing(name):
    assert not proves(ILLEGAL[name])


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_use_is_proved(name):
    assert proves(LEGAL[name])


def test_there_are_enough_of_them():
    assert len(ILLEGAL) >= 40 and len(LEGAL) >= 12
