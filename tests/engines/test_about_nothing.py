"""Proofs of which no instance is known, and bodies that say something else than they seem to say, are refused."""

import numpy as np
import pytest

import fedtheory
from fedtheory import claim, eq, le, lt
from fedtheory.errors import NotApplicable, UsageError
from fedtheory.units import CURVATURE, STEP
from problems import (
    Convex,
    Lojasiewicz,
    Points,
    Scalars,
    SmoothConvex,
    SmoothStronglyConvex,
    condition,
    positive,
)
from problems.worlds.steps import Unseen
from proofs_checks.fedadmm.worlds import fedadmm_steps
from proofs_checks.flame.worlds import flame_steps

BOTH = {"mu": positive(CURVATURE), "L": positive(CURVATURE)}
ALONE = {"m": (1,)}
EQUAL = (condition("mu = L", lambda x: eq(x.mu, x.L)),)
NO_LESS = (condition("L <= mu", lambda x: le(x.L, x.mu)),)
TWICE = (condition("mu eta = 1, L eta = 1", lambda x: (eq(x.mu * x.eta, 1), eq(x.L * x.eta, 1))),)
LARGE_K = (condition("K >= 7", lambda x: le(7, x.K)),)
LARGE_M = (condition("m >= 11", lambda x: le(11, x.m)),)


def gradient_vanishes(x):
    return le((3 * x.L - 2 * x.mu) * x.sq(x.f.grad(x.w)), 0)


EMPTY = {
    "mu = L": (Points(SmoothStronglyConvex("mu", "L"), sizes=ALONE, given=EQUAL, **BOTH), gradient_vanishes),
    "L <= mu": (Points(SmoothStronglyConvex("mu", "L"), sizes=ALONE, given=NO_LESS, **BOTH), gradient_vanishes),
    "by a step": (
        Points(SmoothStronglyConvex("mu", "L"), sizes=ALONE, given=TWICE, eta=positive(STEP), **BOTH),
        gradient_vanishes,
    ),
    "Lojasiewicz": (Points(Lojasiewicz("mu", "L"), sizes=ALONE, given=EQUAL, **BOTH), gradient_vanishes),
    "a size": (
        Points(None, at=("u",), sizes={"K": (3,)}, given=LARGE_K),
        lambda x: le((x.K - 6) * x.sq(x.u), x.ratio(1, 3) * x.sq(x.u)),
    ),
    "sizes": (
        Points(None, at=("u",), sizes={"K": (1, 2, 4), "m": (1, 2)}, given=LARGE_K),
        lambda x: le((x.K - 6) * x.sq(x.u), x.ratio(1, 3) * x.sq(x.u)),
    ),
    "clients": (
        Points(None, clients_at=("v",), given=LARGE_M),
        lambda x: le(x.sq(x.total_vec(x.v)), 10 * x.total(x.sq(x.v))),
    ),
    "undefined wherever the conditions hold": (
        Scalars(a=positive(), b=positive(), given=(condition("a = b", lambda x: eq(x.a, x.b)),)),
        lambda x: le(7, (x.a**3 - x.b**3) / (x.a - x.b) / x.a**2),
    ),
}


@pytest.mark.parametrize("name", EMPTY)
def test_what_no_instance_is_known_of_is_not_proved(name):
    world, body = EMPTY[name]
    v = fedtheory.verify(claim("draft/empty", world=world)(body))
    assert v.verdict in ("unknown", "vacuous"), (v.verdict, v.scope)
    assert not v.crashed, v.reason


def test_sizes_without_instances_are_not_in_a_scope():
    at_most_two = (condition("m <= 2", lambda x: le(x.m, 2)),)
    world = Points(None, clients_at=("v",), sizes={"m": (1, 2, 3)}, given=at_most_two)
    v = fedtheory.verify(claim("draft/few", world=world)(lambda x: le(x.sq(x.total_vec(x.v)), 2 * x.total(x.sq(x.v)))))
    assert v.verdict in ("proved", "certified"), v.reason
    assert v.scope == "all" or all(s["m"] <= 2 for s in v.scope)


# what a state has counted

COUNTERS = {
    "rounds": (flame_steps(m=(1,), steps=(2,)), lambda x: le(x.next.t * x.sq(x.next.w), x.sq(x.next.w))),
    "uploads": (
        flame_steps(m=(1,), steps=(2,), given=(condition("5 rho = 17 lam", lambda x: eq(5 * x.rho, 17 * x.lam)),)),
        lambda x: le(x.next.communications * x.sq(x.next.w), x.sq(x.next.w)),
    ),
    "steps": (
        fedadmm_steps(
            k0=(1,), m=(1,), steps=(2,), given=(condition("5 sigma = 17 r", lambda x: eq(5 * x.sigma, 17 * x.r)),)
        ),
        lambda x: le(x.next.k * x.sq(x.next.w), x.sq(x.next.w)),
    ),
    "steps before": (
        fedadmm_steps(
            k0=(1,), m=(1,), steps=(2,), given=(condition("5 sigma = 17 r", lambda x: eq(5 * x.sigma, 17 * x.r)),)
        ),
        lambda x: le(x.state.k * x.sq(x.state.w), 0),
    ),
}


@pytest.mark.parametrize("name", COUNTERS)
def test_a_certificate_about_any_step_has_no_counters(name):
    world, body = COUNTERS[name]
    v = fedtheory.verify(claim("draft/counters", world=world)(body), budget="standard")
    assert v.verdict in ("unknown", "refuted"), (v.verdict, v.scope)
    assert not v.crashed, v.reason


@pytest.mark.parametrize(
    "use", [lambda k: k + 1, lambda k: 2 * k, lambda k: k == 1, bool, int, lambda k: k[0], lambda k: k.T]
)
def test_whatever_is_done_with_a_counter_is_refused(use):
    with pytest.raises(NotApplicable, match="k of a state is not known"):
        use(Unseen("k"))


@pytest.mark.parametrize(
    "body",
    [
        lambda x: le((x.f.m - 1) * (x.f.m - 2) * (x.f.m - 3) * (x.f.m - 4) * x.sq(x.w), 0),
        lambda x: eq(x.f.m * x.sq(x.w), x.m * x.sq(x.w)),
    ],
)
def test_clients_are_counted_by_the_instance(body):
    world = Points(Convex(), clients_at=("v",), sizes={"m": (1, 2, 3)})
    with pytest.raises(UsageError, match=r"write x\.m"):
        fedtheory.verify(claim("draft/m", world=world)(body))


# bodies

PAIR = Scalars(a=positive(), b=positive())


def both(x):
    return le(x.b, x.a) and le(x.a, x.a + x.b)


def either(x):
    return le(x.b, x.a) or le(x.a, x.b)


def chosen(x):
    return le(x.a, x.b) if le(x.a, x.b) else le(x.b, x.a)


def denied(x):
    assert not lt(x.a, 0)
    return le(x.a, x.b)


@pytest.mark.parametrize("body", [both, either, chosen, denied])
def test_a_relation_has_no_truth_value(body):
    with pytest.raises(UsageError, match="no truth value of its own"):
        fedtheory.verify(claim("draft/and", world=PAIR)(body))


def test_nor_has_one_in_a_condition():
    given = (condition("2 a <= b <= 9", lambda x: le(2 * x.a, x.b) and le(x.b, 9)),)
    with pytest.raises(UsageError, match="no truth value of its own"):
        fedtheory.verify(
            claim("draft/and", world=Scalars(a=positive(), b=positive(), given=given))(lambda x: le(x.a, x.b))
        )


@pytest.mark.parametrize("relation", [le, lt, eq])
def test_a_chain_is_a_tuple(relation):
    with pytest.raises(UsageError, match="a chain is a tuple"):
        fedtheory.verify(claim("draft/chain", world=PAIR)(lambda x: relation(0, x.a, x.b)))
    assert relation(0, 1, "by (3)").name == "by (3)"


def convention(x):
    try:
        r = (x.a - x.b) / (x.a - x.b)
    except ZeroDivisionError:
        r = 0 * x.a
    return le(1, r)


def helper(p, q):
    try:
        return p / q
    except ArithmeticError:
        return p


def by_a_helper(x):
    return le(x.a / x.b, x.a / x.b + helper(x.a, 3 * x.a - 7 * x.b) ** 2)


def late(x):
    whole = x.a / x.b
    try:
        return lt(0, 1 / (x.a - x.b) ** 2 + whole)
    except Exception:
        return lt(0, 1)


def by_a_power(x):
    try:
        return le(1, (x.a - x.b) * (x.a - x.b) ** -1)
    except ZeroDivisionError:
        return le(0, 1)


def far_down(x):
    whole = sum((x.a / (x.b + k) for k in range(80)), 0 * x.a)
    try:
        return lt(0, 1 / (x.a - x.b) ** 2 + whole)
    except ZeroDivisionError:
        return lt(0, 1)


def settled(x):
    try:
        return le(x.a / (x.a - x.b), 7)
    except ZeroDivisionError:
        return le(0, 1)


def test_nor_for_a_condition():
    world = Scalars(a=positive(), b=positive(), given=(condition("a/(a - b) <= 7, or a = b", settled),))
    with pytest.raises(UsageError, match="goes on after a division by zero"):
        fedtheory.verify(claim("draft/try", world=world)(lambda x: le(x.a, x.a + x.b)))


@pytest.mark.parametrize("body", [convention, by_a_helper, late, by_a_power, far_down])
def test_a_division_by_zero_is_not_for_the_body_to_settle(body):
    with pytest.raises(UsageError, match="goes on after a division by zero"):
        fedtheory.verify(claim("draft/try", world=PAIR)(body))


def harmless(x):
    try:
        return le(x.a / x.b, x.a / x.b + 1)
    finally:
        np.float64(0)


def test_a_body_that_settles_nothing_is_read():
    assert fedtheory.verify(claim("draft/finally", world=PAIR)(harmless)).verdict == "proved"


def test_some_clients_are_selected():
    with pytest.raises(UsageError, match="whole numbers of at least 1"):
        Points(None, at=(), clients_at=("v",), sizes={"S": (0, 1)})


def test_a_condition_is_needed_where_one_size_needs_it():
    given = (condition("a <= 1", lambda x: le(x.a, 1)),)
    world = Scalars(a=positive(), sizes={"K": (1, 2)}, given=given)
    v = fedtheory.verify(claim("draft/needed", world=world)(lambda x: le((x.K - 1) * x.a, 1)), budget="standard")
    figures = next(e.numbers for e in v.evidence if e.engine == "smt")
    assert v.hypotheses["needed"] is True
    assert figures["can be dropped"] == []
    assert figures["sharp"] == []  # with one of them it holds beyond as well


def test_smooth_convex_chain_is_told():
    world = Points(SmoothConvex("L"), L=positive(CURVATURE))
    with pytest.raises(UsageError, match="a chain is a tuple"):
        fedtheory.verify(claim("draft/chain", world=world)(lambda x: le(0, x.sq(x.f.grad(x.w)), x.L)))
