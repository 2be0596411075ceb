"""Clients whose gradients differ by the same vector have curvatures in common; and what a search of clients does not support."""

import pytest

import fedtheory
from fedtheory import claim, le, lt
from fedtheory.engines.context import Docket
from fedtheory.engines.search.engine import search
from fedtheory.engines.search.relatives import elsewhere
from fedtheory.units import CURVATURE
from problems import (
    Lojasiewicz,
    Points,
    Smooth,
    SmoothBoundedBelow,
    SmoothConvex,
    SmoothStronglyConvex,
    WeaklyConvex,
    condition,
    positive,
)

EACH = positive(CURVATURE, per_client=True)
ONE = positive(CURVATURE)
BOUND = {"diversity": "delta", "at": ("w", "v")}
PER_CLIENT = {
    "smooth convex": Points(SmoothConvex("L"), L=EACH, **BOUND),
    "smooth": Points(Smooth("L"), L=EACH, **BOUND),
    "weakly convex": Points(WeaklyConvex("rho"), rho=EACH, **BOUND),
    "strongly convex": Points(SmoothStronglyConvex("mu", "L"), mu=EACH, L=ONE, **BOUND),
    "both bounds": Points(SmoothStronglyConvex("mu", "L"), mu=EACH, L=EACH, **BOUND),
    "bounded below": Points(SmoothBoundedBelow("L"), L=EACH, **BOUND),
    "Lojasiewicz": Points(Lojasiewicz("mu", "L"), mu=ONE, L=EACH, **BOUND),
}
RESTS = Points(Lojasiewicz("mu", "L"), optimum_of="f", mu=ONE, L=ONE)
FALLS = condition("<g, w - w*> <= 0", lambda x: le(x.dot(x.mean_vec(x.f.grad(x.w)), x.w - x.w_star), 0))
LONG = condition("1 <= |v|^2", lambda x: le(1, x.sq(x.v)))
VECTORS = Points(None, at=("u", "v"))
STRICT = {
    "a multiple": (Points(None, at=("u", "v"), given=(LONG,)), lambda x: lt(0, x.sq(5 * x.u - 2 * x.v))),
    "without a condition": (VECTORS, lambda x: lt(0, x.sq(5 * x.u - 2 * x.v) + (x.sq(x.v) - 1) ** 2)),
    "two vectors": (
        Points(None, at=("u", "v"), given=(LONG,)),
        lambda x: lt(10 * x.dot(x.u, x.v), 25 * x.sq(x.u) + x.sq(x.v)),
    ),
    "gradients": (
        Points(SmoothConvex("L"), at=("w", "v"), L=ONE, given=(condition("w != v", lambda x: lt(0, x.sq(x.w - x.v))),)),
        lambda x: lt(x.sq(x.f.grad(x.w) - x.f.grad(x.v)), x.L**2 * x.sq(x.w - x.v)),
    ),
}


def spread(x, v):
    """The mean of |grad f_i - grad f|^2 at a point."""
    G = x.f.grad(v)
    return x.mean(x.sq(G - x.mean_vec(G)))


@pytest.mark.parametrize("name", PER_CLIENT)
def test_diversity_is_what_it_says_with_bounds_of_every_client(name):
    """It holds by definition; half of it does not."""
    world = PER_CLIENT[name]
    assert fedtheory.verify(claim("draft/at-w", world=world)(lambda x: le(spread(x, x.w), x.delta))).holds
    half = fedtheory.verify(claim("draft/half", world=world)(lambda x: le(2 * spread(x, x.w), x.delta)))
    assert half.verdict == "refuted"


@pytest.mark.parametrize("name", STRICT)
def test_a_strict_relation_of_points_is_not_supported(name):
    world, body = STRICT[name]
    v = fedtheory.verify(claim("draft/strict", world=world)(body))
    assert v.verdict in ("unknown", "refuted")


@pytest.mark.parametrize("times", [1, 2])
def test_clients_that_rest_at_one_minimiser_need_no_common_axes(times):
    """f_1 = x^2/2 and f_2 = (x + e y)^2/2 for a small e."""
    world = Points(Lojasiewicz("mu", "L"), optimum_of="f", mu=ONE, L=ONE, sizes={"m": (2, 3)})

    def body(x):
        gap = x.mean(x.f.value(x.w) - x.f.value(x.w_star))
        return le(2 * x.mu * gap, times * x.sq(x.mean_vec(x.f.grad(x.w))))

    assert fedtheory.verify(claim("draft/mean-pl", world=world)(body)).verdict == "refuted"


def test_where_only_necessary_inequalities_are_known_a_search_supports_nothing():
    """The gradient of a curved valley may point away from a minimiser."""
    v = fedtheory.verify(
        claim("draft/angle", world=RESTS)(lambda x: le(0, x.dot(x.mean_vec(x.f.grad(x.w)), x.w - x.w_star)))
    )
    assert v.verdict == "unknown" and "only necessary inequalities" in v.reason


@pytest.mark.parametrize("factor", [1, 10**6])
def test_a_control_that_any_instance_refutes_is_no_power(factor):
    """|g| = L |w - w*|/3 is possible uphill of a second well, and the instances that are drawn have g = 0."""
    world = Points(SmoothBoundedBelow("L"), optimum_of="f", L=ONE, given=(FALLS,))
    body = lambda x: le(10 * factor * x.sq(x.mean_vec(x.f.grad(x.w))), x.L**2 * x.sq(x.w - x.w_star))  # noqa: E731
    v = fedtheory.verify(claim("draft/uphill", world=world)(body))
    assert v.verdict in ("unknown", "refuted") and v.holds is not True


def test_a_square_of_a_bound_is_as_tight_as_the_bound():
    """Three steps of gradient descent on a Huber function: L |w - w*|^2/14."""
    world = Points(SmoothConvex("L"), optimum_of="f", L=ONE)

    def body(x):
        w = x.w
        for _ in range(3):
            w = w - x.mean_vec(x.f.grad(w)) / x.L
        gap = x.mean(x.f.value(w) - x.f.value(x.w_star))
        return le(gap**2, (x.ratio(97, 1400) * x.L * x.sq(x.w - x.w_star)) ** 2)

    square = claim("draft/square", world=world)(body)
    docket = Docket()
    said = search(square, docket)
    found = said if said.outcome == "refutes" else elsewhere(square, docket.after(said))
    assert found.outcome == "refutes" and found.witness is not None


@pytest.mark.parametrize(
    "ask",
    [
        lambda x: x.sq(x.f.grad(0)),
        lambda x: x.f.value(0) + x.f.value(x.w),
        lambda x: x.sq(x.F.grad(0)),
        lambda x: x.sq(x.f.prox(0, x.lam)),
    ],
)
def test_a_number_is_no_point(ask):
    world = Points(SmoothConvex("L"), envelope="lam", L=ONE, lam=ONE)
    with pytest.raises(fedtheory.UsageError, match=r"asked at a vector such as x\.w, got 0"):
        fedtheory.verify(claim("draft/number", world=world)(lambda x: le(0, ask(x))))


@pytest.mark.parametrize("sizes", [{"m": (50,), "S": (25,)}, {"m": (16,), "S": (8,)}])
def test_more_selections_than_can_be_listed_are_refused(sizes):
    world = Points(None, at=("w",), clients_at=("v",), sizes=sizes)
    with pytest.raises(fedtheory.UsageError, match="can be listed; give smaller sizes"):
        fedtheory.verify(
            claim("draft/many", world=world)(lambda x: le(x.E(lambda s: x.sq(x.total_vec(x.v, over=s))), x.sq(x.w)))
        )
