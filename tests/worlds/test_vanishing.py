"""Conditions that say that a vector is zero: solved for one of the vectors in them, so that claims are proved where they hold."""

import re

import pytest

from fedtheory import claim, eq, le, verify
from fedtheory.units import CURVATURE
from problems import Convex, Points, Smooth, SmoothConvex, SmoothStronglyConvex, condition, positive

L = positive(CURVATURE)


def zero(printed, vector):
    return condition(printed, lambda x: eq(x.sq(vector(x)), 0))


def at_most_zero(printed, vector):
    return condition(printed, lambda x: le(x.sq(vector(x)), 0))


OWN = Points(
    SmoothStronglyConvex("mu", "L"),
    clients_at=("s",),
    mu=L,
    L=L,
    given=(zero("grad f_i(s_i) = 0", lambda x: x.f.grad(x.s)),),
)
SAME = Points(
    None, at=("u", "v", "w"), given=(zero("u = v", lambda x: x.u - x.v), at_most_zero("v = w", lambda x: x.v - x.w))
)
MIDDLE = Points(None, at=("u", "v", "w"), given=(zero("u + v = 2 w", lambda x: x.u + x.v - 2 * x.w),))
CENTERED = Points(None, at=(), clients_at=("v",), given=(zero("the v_i sum to zero", lambda x: x.mean_vec(x.v)),))
STATIONARY = Points(
    Smooth("L"), at=("w", "v"), L=L, given=(zero("grad f(v) = 0", lambda x: x.mean_vec(x.f.grad(x.v))),)
)
INTERPOLATED = Points(
    SmoothConvex("L"), optimum_of="f", L=L, given=(zero("grad f_i(w*) = 0", lambda x: x.f.grad(x.w_star)),)
)
DUAL = Points(
    SmoothConvex("L"),
    clients_at=("p",),
    at=("w", "v"),
    L=L,
    given=(zero("p_i = -grad f_i(w)", lambda x: x.p + x.f.grad(x.w)),),
)
FLAT = Points(
    Convex(), at=("w", "v"), given=(zero("grad f_i(w) = grad f_i(v)", lambda x: x.f.grad(x.w) - x.f.grad(x.v)),)
)
CONSENSUS = Points(None, at=("w",), clients_at=("v",), given=(zero("v_i = w", lambda x: x.v - x.w),))
EQUAL = Points(None, at=(), clients_at=("v",), given=(zero("all v_i are equal", lambda x: x.v - x.mean_vec(x.v)),))
FIXED_SUM = Points(
    None,
    at=("w",),
    clients_at=("v", "u"),
    given=(zero("the mean of v_i - u_i is w", lambda x: x.mean_vec(x.v - x.u) - x.w),),
)
AVERAGE = Points(
    Smooth("L"),
    at=("w",),
    clients_at=("v",),
    L=L,
    given=(zero("w is the mean of the v_i", lambda x: x.w - x.mean_vec(x.v)),),
)


def gap(x, v, w):
    return x.f.value(v) - x.f.value(w)


PLANTED = {  # world, body with a factor that makes it false
    "own minimisers": (OWN, lambda x, s: le(s * x.sq(x.f.grad(x.w)), 2 * x.L * gap(x, x.w, x.s))),
    "growth from them": (OWN, lambda x, s: le(s * x.mu * x.sq(x.w - x.s), 2 * gap(x, x.w, x.s))),
    "their mean": (OWN, lambda x, s: le(s * x.mu * x.mean(x.sq(x.w - x.s)), 2 * x.mean(gap(x, x.w, x.s)))),
    "one vector": (SAME, lambda x, s: eq(s * x.sq(x.u), x.sq(x.w))),
    "one vector, in products": (SAME, lambda x, s: le(s * x.dot(x.u, x.v), x.sq(x.w))),
    "in the middle": (MIDDLE, lambda x, s: eq(4 * s * x.sq(x.u - x.w), x.sq(x.u - x.v))),
    "centered": (CENTERED, lambda x, s: eq(s * x.mean(x.sq(x.v)), x.mean(x.sq(x.v - x.mean_vec(x.v))))),
    "stationary": (STATIONARY, lambda x, s: le(s * x.sq(x.mean_vec(x.f.grad(x.w))), x.L**2 * x.sq(x.w - x.v))),
    "interpolated": (
        INTERPOLATED, lambda x, s: le(s * x.mean(x.sq(x.f.grad(x.w))), 2 * x.L * x.mean(gap(x, x.w, x.w_star)))),
    "duals": (DUAL, lambda x, s: le(s * x.sq(x.mean_vec(x.p)), x.mean(x.sq(x.f.grad(x.w))))),
    "cocoercive duals": (
        DUAL, lambda x, s: le(s * x.sq(x.p + x.f.grad(x.v)), x.L * x.dot(x.f.grad(x.v) + x.p, x.v - x.w))),
    "equal gradients": (FLAT, lambda x, s: eq(s * gap(x, x.w, x.v), x.dot(x.f.grad(x.v), x.w - x.v))),
    "consensus": (CONSENSUS, lambda x, s: eq(s * x.mean(x.sq(x.v)), x.sq(x.w))),
    "equal vectors": (EQUAL, lambda x, s: eq(s * x.mean(x.sq(x.v)), x.sq(x.mean_vec(x.v)))),
    "a mean that is given": (FIXED_SUM, lambda x, s: le(s * x.sq(x.w), x.mean(x.sq(x.v - x.u)))),
    "the mean of points": (
        AVERAGE, lambda x, s: le(s * x.mean(x.sq(x.f.grad(x.v) - x.f.grad(x.w))), x.L**2 * x.mean(x.sq(x.v - x.mean_vec(x.v))))),
}  # fmt: skip


def made(name, world, body):
    return claim(f"vanishing/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}", world=world)(body)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", PLANTED)
def test_what_is_true_is_proved_and_what_is_false_refuted(name):
    world, body = PLANTED[name]
    true = verify(made(name, world, lambda x: body(x, x.ratio(1, 1))))
    assert (true.verdict, true.trust) == ("proved", "kernel"), (true.verdict, true.reason)
    false = verify(made(name, world, lambda x: body(x, x.ratio(101, 100))))
    assert false.verdict in ("refuted", "unknown"), (false.verdict, false.reason)
    if name not in FEW_DRAWS:
        assert false.verdict == "refuted"


FEW_DRAWS = ()
UNSOLVED = {  # what is no such equation stays an inequality, and nothing more follows
    "of the first client": (None, lambda x: x.v[..., :1, :] - x.w),
    "of a neighbour": (None, lambda x: x.v - x.v[..., [1, 0], :]),
    "with a parameter": (None, lambda x: x.v - x.a * x.w),
    "by their number": (None, lambda x: x.v - x.m * x.w),
}


@pytest.mark.parametrize("name", UNSOLVED)
def test_what_holds_of_one_client_alone_is_not_said_of_all(name):
    _, vector = UNSOLVED[name]
    world = Points(None, at=("w",), clients_at=("v",), sizes={"m": (2,)}, a=positive(), given=(zero(name, vector),))
    v = verify(made(name, world, lambda x: le(x.mean(x.sq(x.v - x.w)), 0)))
    assert v.verdict in ("refuted", "unknown"), v.verdict


def test_conditions_that_contradict_each_other_prove_nothing():
    one = zero("u = v", lambda x: x.u - x.v)
    far = condition("|u - v| >= 1", lambda x: le(1, x.sq(x.u - x.v)))
    v = verify(made("none", Points(None, at=("u", "v"), given=(one, far)), lambda x: le(x.sq(x.u), 0)))
    assert v.verdict not in ("proved", "certified")


def test_an_equation_of_which_sizes_decide():
    """u = v for two clients alone: nothing is said of three."""
    some = condition("u = v where m = 2", lambda x: eq(x.sq((x.m - 3) * (x.u - x.v)), 0))
    world = Points(None, at=("u", "v"), clients_at=("w",), given=(some,))
    v = verify(made("sizes", world, lambda x: le(x.sq(x.u - x.v), 0)))
    assert v.verdict in ("refuted", "unknown", "certified") and (
        v.verdict != "certified" or "m = 3" not in str(v.scope)
    )


def test_a_vector_may_have_the_name_that_engines_give_to_gradients():
    world = Points(Smooth("L"), clients_at=("g0",), L=L, given=(zero("g0 = 0", lambda x: x.g0),))
    assert verify(made("own name", world, lambda x: le(x.mean(x.sq(x.g0)), 0))).verdict == "proved"
    assert verify(made("gradients", world, lambda x: le(x.mean(x.sq(x.f.grad(x.w))), 0))).verdict == "refuted"


CIRCLES = {  # equations that are solved for a vector of which another says more
    "a mean twice": (
        lambda x: x.mean_vec(x.v) - x.v, lambda x: x.v - x.u + x.mean_vec(x.s), lambda x: x.mean_vec(x.v) - x.s,
    ),
    "gradients of points that are one": (
        lambda x: 2 * x.w, lambda x: x.mean_vec(x.f.grad(x.u)), lambda x: x.f.grad(x.u - x.w) - 2 * x.u,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CIRCLES)
def test_equations_that_lead_in_a_circle_stay_inequalities(name):
    given = tuple(zero(f"{name} {k}", vector) for k, vector in enumerate(CIRCLES[name]))
    world = Points(Smooth("L"), at=("w", "u"), clients_at=("v", "s"), L=L, given=given)
    v = verify(made(name, world, lambda x: le(x.mean(x.sq(x.v - x.s)), 0)))
    assert not v.crashed and (v.verdict != "proved" or name == "a mean twice")


def test_gradients_that_sum_to_zero_at_the_minimiser_are_not_all_zero():
    """What is always so says nothing, and hides nothing; and a vector of one's own may be called as they are."""
    own = zero("grad f_i(s_i) = 0", lambda x: x.f.grad(x.s))
    always = zero("the mean of grad f_i(w*) is 0", lambda x: x.mean_vec(x.f.grad(x.w_star)))
    called = zero("g_star = 0", lambda x: x.g_star)
    for at, given in ((("w",), (always, own)), (("w",), (always,)), (("w", "g_star"), (called, own))):
        clients_at = ("s",) if own in given else ()
        world = Points(SmoothConvex("L"), optimum_of="f", at=at, clients_at=clients_at, L=L, given=given)
        v = verify(made("star", world, lambda x: le(x.mean(x.sq(x.f.grad(x.w_star))), 0)))
        assert v.verdict == "refuted", v.reason
