"""Statements of the literature which were weaker than they are, and false neighbours of such which a search had supported."""

from dataclasses import replace

import pytest

from fedtheory import claim, eq, le, verify
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import (
    Convex,
    Monotone,
    Points,
    Run,
    Sequences,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    at_least,
    between,
    condition,
    positive,
)

L, MU, LAM, ETA = positive(CURVATURE), positive(CURVATURE), positive(CURVATURE), positive(STEP)
R, M = positive(LENGTH), positive(GRADIENT)


def made(name, world, body, by=()):
    return claim(f"field/{name.replace(' ', '-')}", world=world, by=by)(body)


# false, and seen to be so only where conditions are attained, at larger lengths, or by small elements


def near(*pairs):
    return tuple(
        condition(f"|{a} - {b}| <= r", lambda x, a=a, b=b: le(x.norm(getattr(x, a) - getattr(x, b)), x.r))
        for a, b in pairs
    )


FROM_0 = condition("|a| <= r", lambda x: le(x.norm(x.a), x.r))
TWO = Points(None, at=("a", "z"), r=R, given=(FROM_0, *near(("z", "a"))))
THREE = Points(None, at=("a", "b", "z"), r=R, given=(FROM_0, *near(("b", "a"), ("z", "b"))))
EACH = Points(None, at=("a",), clients_at=("v",), r=R, given=(FROM_0, *near(("v", "a"))))
COMPRESSED = Run(
    None, at=("e", "g", "c"), fresh=("g", "c"), start={"e": lambda x: 0 * x.e}, step={"e": lambda x: x.e + x.eta * x.g - x.c},
    delta=between(0, 1, closed=False), eta=ETA, M=M, quantities={"E2": lambda x: x.sq(x.e)},
    obeys=(condition("contractive", lambda x: le(x.sq(x.e + x.eta * x.g - x.c), (1 - x.delta) * x.sq(x.e + x.eta * x.g))),
           condition("|g| <= M", lambda x: le(x.sq(x.g), x.M**2))),
)  # fmt: skip
ADA = Sequences(
    "T", sequences={"a": at_least(0), "S": positive()},
    every=(condition("S_{t+1} = S_t + a_t", lambda x, t: eq(x.S[t + 1], x.S[t] + x.a[t])),),
)  # fmt: skip
FROM_NONE = condition("D_0 = 0", lambda x: eq(x.D[0], 0))
LATE = Sequences(
    "T",
    sequences={"D": at_least(0)},
    given=(FROM_NONE,),
    every=(condition("step", lambda x, t: le(x.D[t + 1], x.D[t] + 1)),),
)
DRIFT = Sequences(
    "T", sequences={"D": at_least(0)}, b=positive(), H=positive(), given=(FROM_NONE,),
    every=(condition("t < H", lambda x, t: le(t + 1, x.H)),
           condition("step", lambda x, t: le(x.D[t + 1], (1 + 1 / x.H) * x.D[t] + x.b))),
)  # fmt: skip


def distances(x, p, names):
    return sum(x.norm(p - getattr(x, name)) for name in names)


def median(good, bad=""):
    """z is no worse than w in the sum of the distances to the points of all, some of which may be anywhere."""
    no_worse = condition(
        "z is no worse than w", lambda x: le(distances(x, x.z, good + bad), distances(x, x.w, good + bad))
    )
    return Points(None, at=(*good, *bad, "w", "z"), given=(no_worse,))


def robust(good, bad="", share=(1, 1)):
    """(g - b) |z - w| <= 2 times the sum over the good ones, the stability of geometric medians (Pillutla, Kakade, Harchaoui)."""
    apart = len(good) - len(bad)
    return lambda x: le(apart * x.norm(x.z - x.w), 2 * x.ratio(*share) * distances(x, x.w, good))


COSINE = condition("<u, v>/|u| <= c |v|", lambda x: le(x.dot(x.u, x.v) / x.norm(x.u), x.c * x.norm(x.v)))
ANGLE = Points(None, at=("u", "v"), c=between(0, 1, closed=False), given=(COSINE,))
LESS = (99, 100)
FALSE = {
    "median of two": (median("ab"), robust("ab", share=LESS)),
    "median of three": (median("abe"), robust("abe", share=LESS)),
    "median with one of three anywhere": (median("ab", "p"), robust("ab", "p", LESS)),
    "quotient by a norm": (
        ANGLE, lambda x: le(x.sq(x.u + x.v), x.sq(x.u) + x.sq(x.v) + 2 * x.ratio(*LESS) * x.c * x.norm(x.u) * x.norm(x.v))),
    "two hops": (TWO, lambda x: le(x.norm(x.z), x.ratio(198, 100) * x.r)),
    "three hops": (THREE, lambda x: le(x.norm(x.z), x.ratio(5, 2) * x.r)),
    "a hop of each client": (EACH, lambda x: le(x.norm(x.v), x.ratio(198, 100) * x.r)),
    "error feedback without its factor": (
        COMPRESSED, lambda x: le(x.E2[x.T], (1 - x.delta) / x.delta**2 * x.eta**2 * x.M**2)),
    "adagrad": (
        ADA, lambda x: le(x.ratio(101, 100) * x.sum(lambda t: x.a[t] / x.S[t + 1], x.T), x.log(x.S[x.T]) - x.log(x.S[0]))),
    "late": (LATE, lambda x: le(x.D[x.T], 2 + x.T / 2)),
    "within as many steps as a parameter": (DRIFT, lambda x: le(x.D[x.T], x.ratio(3, 2) * x.T * x.b)),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_at_the_edge_is_refuted(name):
    assert verify(made(name, *FALSE[name])).verdict == "refuted"


def test_of_many_points_that_conditions_hold_together_a_search_supports_nothing():
    """What is false by two hundredths was supported of seven points, of which few positions attain the bound."""
    assert verify(made("median with one of three", median("ab", "p"), robust("ab", "p"))).verdict == "proved"
    assert not median("abe", "p").partly  # six points
    v = verify(made("median with two of five", median("abe", "pq"), robust("abe", "pq")))
    assert v.verdict == "unknown" and "no power: conditions hold 7 points together" in v.reason


# true for all parameters: multipliers with a factor of the rate, or of two monomials

STRONG = {"mu": MU, "L": L, "eta": ETA, "sizes": {"m": (1,)}}
SHORT = condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1))
SHORTER = condition("eta <= 1/(L + lam)", lambda x: le(x.eta * (x.L + x.lam), 1))


def contracts(x, s=1):
    def step(w):
        return w - x.eta * x.f.grad(w)

    return le(s * x.sq(step(x.w) - step(x.v)), (1 - x.eta * x.mu) ** 2 * x.sq(x.w - x.v))


def contracts_with_a_pull(x, s=1):
    def step(w):
        return w - x.eta * (x.f.grad(w) + x.lam * w)

    return le(s * x.sq(step(x.w) - step(x.v)), (1 - x.eta * (x.mu + x.lam)) ** 2 * x.sq(x.w - x.v))


ALL = {
    "contracts": (Points(SmoothStronglyConvex("mu", "L"), at=("w", "v"), given=(SHORT,), **STRONG), contracts),
    "contracts with a pull": (
        Points(SmoothStronglyConvex("mu", "L"), at=("w", "v"), lam=LAM, given=(SHORTER,), **STRONG), contracts_with_a_pull),
}  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_it_is_proved_for_all_parameters(name):
    world, body = ALL[name]
    assert verify(made(name, world, body)).verdict == "proved"
    assert verify(made(f"{name} faster", world, lambda x: body(x, x.ratio(101, 100)))).verdict == "refuted"


# of one drawn client, of any number


def one(x, drawn, w):
    return x.total_vec(x.f.grad(w), over=drawn)


def off(x):
    return x.mean(x.f.value(x.w) - x.f.value(x.w_star))


ONE = {"sizes": {"S": (1,)}, "L": L, "eta": ETA}
SVRG = Run(
    SmoothConvex("L"), optimum_of="f", at=("w", "v"), **ONE,
    step={"w": lambda x, i: x.w - x.eta * (one(x, i, x.w) - one(x, i, x.v) + x.mean_vec(x.f.grad(x.v)))},
    quantities={"D": lambda x: x.sq(x.w - x.w_star), "gap": off, "fixed": lambda x: x.mean(x.f.value(x.v) - x.f.value(x.w_star))},
)  # fmt: skip
SARAH = Run(
    Smooth("L"), at=("w", "v"), **ONE, start={"v": lambda x: x.mean_vec(x.f.grad(x.w))},
    step={"w": lambda x, i: x.w - x.eta * x.v, "v": lambda x, i: x.v + one(x, i, x.w - x.eta * x.v) - one(x, i, x.w)},
    quantities={"e": lambda x: x.sq(x.v - x.mean_vec(x.f.grad(x.w))), "V": lambda x: x.sq(x.v)},
)  # fmt: skip
DRAWN = (
    (SVRG, lambda x, s=1: le(s * x.next.D + 2 * x.eta * (1 - 2 * x.L * x.eta) * x.gap, x.D + 4 * x.L * x.eta**2 * x.fixed),
     lambda x, s=1: le(s * x.D[x.T] + 2 * x.eta * (1 - 2 * x.L * x.eta) * x.sum(lambda t: x.gap[t], x.T),
                       x.D[0] + 4 * x.L * x.eta**2 * x.T * x.fixed)),
    (SARAH, lambda x, s=1: le(s * x.next.e, x.e + x.L**2 * x.eta**2 * x.V),
     lambda x, s=1: le(s * x.e[x.T], x.L**2 * x.eta**2 * x.sum(lambda t: x.V[t], x.T))),
)  # fmt: skip
ANY_NUMBER = {"parameters": "all", "sizes": "every m, m >= 2, S=1"}


@pytest.mark.parametrize("run, step, every", DRAWN, ids=["svrg", "sarah"])
def test_one_drawn_client_of_any_number(run, step, every):
    lemma = made("step", run.one_step, step)
    v = verify(lemma)
    assert (v.verdict, v.trust) == ("certified", "kernel") and ANY_NUMBER in v.scope
    whole = verify(made("every T", run, every, (lemma,)))
    assert whole.verdict == "certified" and ANY_NUMBER in whole.scope
    assert verify(made("step false", run.one_step, lambda x: step(x, x.ratio(101, 100)))).verdict == "refuted"


def test_a_lemma_of_one_drawn_client_says_nothing_of_more():
    def run(*sizes):
        return Run(
            None, at=("w",), clients_at=("v",), sizes={"S": sizes},
            step={"w": lambda x, i: x.w + x.total_vec(x.v, over=i) - x.mean_vec(x.v)},
            quantities={"D": lambda x: x.sq(x.w), "V": lambda x: x.mean(x.sq(x.v - x.mean_vec(x.v)))},
        )  # fmt: skip

    def grows(x):
        return eq(x.D[x.T], x.D[0] + x.T * x.V)

    lemma = made("of one", run(1).one_step, lambda x: eq(x.next.D, x.D + x.V))
    assert verify(made("one", run(1), grows, (lemma,))).verdict == "certified"
    for sizes in ((2,), (1, 2, 3)):
        assert verify(made("more", run(*sizes), grows, (lemma,))).verdict == "refuted"


# along runs of operators, which have no values


def test_the_proximal_point_method_for_monotone_operators():
    run = Run(
        Monotone(), optimum_of="f", at=("w",), sizes={"m": (1,)}, lam=LAM, step={"w": lambda x: x.f.prox(x.w, x.lam)},
        quantities={"D": lambda x: x.sq(x.w - x.w_star), "r": lambda x: x.sq(x.w - x.f.prox(x.w, x.lam))},
    )  # fmt: skip

    def every(x, s=1):
        return le(s * x.D[x.T] + x.sum(lambda t: x.r[t], x.T), x.D[0])

    step = made("resolvent", run.one_step, lambda x: le(x.next.D + x.r, x.D))
    assert verify(made("resolvents", run, every, (step,))).verdict == "proved"
    assert verify(made("resolvents false", run, lambda x: every(x, x.ratio(101, 100)), (step,))).verdict == "refuted"
    convex = replace(run, f=Convex())
    of_values = made("values", convex.one_step, lambda x: le(x.f.value(x.next.w), x.f.value(x.w)))
    v = verify(made("by values", run, every, (of_values,)))
    assert v.verdict == "unknown" and "only the gradients, or the values of operators, are" in v.reason
