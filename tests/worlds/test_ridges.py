"""Search clients that bend along axes which are not orthogonal: what they are, and false statements that they alone refute."""

import numpy as np
import pytest

import fedtheory
from fedtheory import Control, claim, eq, le, lt
from fedtheory.engines.counterexamples import exact
from fedtheory.numbers import Floats
from fedtheory.units import CURVATURE
from problems import (
    Convex,
    Points,
    Smooth,
    SmoothBoundedBelow,
    SmoothConvex,
    SmoothStronglyConvex,
    StronglyConvex,
    WeaklyConvex,
    condition,
    positive,
)

L, MU, RHO, LAM = ({k: positive(CURVATURE)} for k in ("L", "mu", "rho", "lam"))
OWN = {k: positive(CURVATURE, per_client=True) for k in ("mu", "L")}
INNER = (condition("rho < lam", lambda x: lt(x.rho, x.lam)),)
PAIR = ("w", "v")
TWO = {"d": (2,)}


def g(x, w):
    return x.mean_vec(x.f.grad(w))


def n(x, u):
    return x.sqrt(x.sq(u))


def third(x):
    return (2 * x.w + x.v) / 3


def ray(x):
    return (x.w + 2 * x.w_star) / 3


def weighed(x):
    step, back = g(x, x.w), x.w - x.w_star
    return le(x.sq(step) * x.sq(back), x.maximum(x.dot(step, back) ** 2, x.L * x.dot(step, back) * x.sq(back)))


WORLDS = {
    "convex": Points(Convex(), at=PAIR),
    "smooth convex": Points(SmoothConvex("L"), at=PAIR, **L),
    "smooth strongly convex": Points(SmoothStronglyConvex(), optimum_of="f", **L, **MU),
    "own constants": Points(SmoothStronglyConvex(), optimum_of="f", **OWN),
    "smooth": Points(Smooth("L"), optimum_of="f", **L),
    "bounded below": Points(SmoothBoundedBelow("L"), **L),
    "envelopes": Points(StronglyConvex("mu"), envelope="lam", optimum_of="F", **MU, **LAM),
    "envelopes of weakly convex ones": Points(
        WeaklyConvex("rho"), envelope="lam", optimum_of="F", given=INNER, **RHO, **LAM
    ),
    "diversity": Points(Smooth("L"), diversity="s", at=PAIR, **L),
}
SMOOTH = Points(Smooth("L"), optimum_of="f", sizes=TWO, **L)
FALSE = {
    "monotone towards a minimiser": (SMOOTH, lambda x: le(0, x.dot(g(x, x.w), x.w - x.w_star))),
    "no step away from a minimiser": (
        SMOOTH, lambda x: le(x.sq(x.w - g(x, x.w) / (2 * x.L) - x.w_star), x.sq(x.w - x.w_star)),
    ),
    "an equality of quadratics": (
        SMOOTH,
        lambda x: eq(x.dot(g(x, x.w), x.w - x.w_star), 2 * x.mean(x.f.value(x.w) - x.f.value(x.w_star))),
    ),
    "two clients bounded below": (
        Points(SmoothBoundedBelow("L"), optimum_of="f", sizes={"m": (2,), "d": (2, 3)}, **L),
        lambda x: le(0, x.dot(g(x, x.w), x.w - x.w_star)),
    ),
    "an envelope": (
        Points(WeaklyConvex("rho"), envelope="lam", optimum_of="F", given=INNER, sizes=TWO, **RHO, **LAM),
        lambda x: le(0, x.dot(x.mean_vec(x.F.grad(x.w)), x.w - x.w_star)),
    ),
    "a maximum": (Points(Smooth("L"), optimum_of="f", **L), weighed),
    "norms along a ray": (
        Points(SmoothConvex("L"), optimum_of="f", sizes={"m": (1,)}, **L),
        lambda x: le(n(x, x.f.grad(ray(x))), n(x, x.f.grad(x.w))),
    ),
    "norms along a ray, strongly convex": (
        Points(SmoothStronglyConvex(), optimum_of="f", sizes={"m": (1,)}, **L, **MU),
        lambda x: le(n(x, x.f.grad(ray(x))), n(x, x.f.grad(x.w))),
    ),
    "norms between two points": (
        Points(SmoothConvex("L"), at=PAIR, **L),
        lambda x: le(n(x, g(x, third(x)) - g(x, x.w)), n(x, g(x, x.v) - g(x, x.w))),
    ),
    "a product with a distance": (
        Points(SmoothConvex("L"), at=PAIR, **L),
        lambda x: le(0, x.sq(x.w - x.v) * x.dot(g(x, third(x)) - g(x, x.w), g(x, x.v) - g(x, third(x)))),
    ),
    "with a bound on diversity": (
        Points(SmoothConvex("L"), diversity="s", at=PAIR, **L),
        lambda x: le(x.sq(x.f.grad(third(x)) - x.f.grad(x.w)), x.sq(x.f.grad(x.v) - x.f.grad(x.w))),
    ),
    "a bound that is attained": (
        Points(Smooth("L"), diversity="s", sizes=TWO, **L), lambda x: le(x.s, 2 * x.mean(x.sq(x.f.grad(x.w) - g(x, x.w)))),
    ),
    "equal differences": (
        Points(Smooth("L"), diversity="s", at=PAIR, sizes=TWO, **L),
        lambda x: le(x.mean(x.sq(x.f.grad(x.w) - x.f.grad(x.v))), x.sq(g(x, x.w) - g(x, x.v))),
    ),
}  # fmt: skip
TRUE = {
    "smooth": (Points(Smooth("L"), at=PAIR, **L), lambda x: le(n(x, g(x, x.w) - g(x, x.v)), x.L * n(x, x.w - x.v))),
    "at a minimiser": (
        Points(Smooth("L"), optimum_of="f", **L),
        lambda x: le(n(x, g(x, x.w)) ** 2, 2 * x.L * x.mean(x.f.value(x.w) - x.f.value(x.w_star))),
    ),
    "prox": (
        Points(Convex(), envelope="lam", at=PAIR, **LAM),
        lambda x: le(n(x, x.mean_vec(x.f.prox(x.w, x.lam) - x.f.prox(x.v, x.lam))), n(x, x.w - x.v)),
    ),
    "least envelope": (
        WORLDS["envelopes of weakly convex ones"],
        lambda x: le(0, n(x, x.w) * x.mean(x.F.value(x.w) - x.F.value(x.w_star))),
    ),
    "diversity": (
        WORLDS["diversity"], lambda x: le(x.sqrt(x.mean(x.sq(x.f.grad(x.w) - g(x, x.w)))), x.sqrt(x.s)),
    ),
}  # fmt: skip
NEVER = Control("never", lambda x: le(1 + x.sq(x.w), 0))


def ridged(world):
    (found,) = (w for w in world.relatives() if "ridge_axis" in w.f.data)
    return found


@pytest.mark.parametrize("name", WORLDS)
def test_gradients_are_those_of_the_values(name):
    world, rng, h = ridged(WORLDS[name]), np.random.default_rng(5), 1e-6
    for shape in world.shapes(2):
        for free in world.sample(rng, shape, 2, 50):
            with np.errstate(all="ignore"):  # axes that are parallel
                x = world.build(free, Floats())
                step = h * rng.standard_normal(x.w.shape)
                change = (x.f.value(x.w + step) - x.f.value(x.w - step)) / 2
                along = np.sum(x.f.grad(x.w) * step, axis=-1)
            moves = along != 0
            assert np.median(np.abs(change - along)[moves] / np.abs(along)[moves]) < 1e-5


def of_the_class(x):
    """What the bounds on the curvature say of two points, and what a prox is."""
    away = x.w * 0 + 1
    change, way = x.f.grad(x.w) - x.f.grad(away), x.w - away
    out = [le(x.sq(change), x.sq(way) * x.L * x.L)] if "L" in x._names else []
    if "rho" in x._names or "mu" in x._names:
        out.append(le(x.sq(way) * (-x.rho if "rho" in x._names else x.mu), x.dot(change, way)))
    if "s" in x._names:
        out.append(le(x.mean(x.sq(x.f.grad(x.w) - g(x, x.w))), x.s))
    if "lam" in x._names:
        theta = x.f.prox(x.w, x.lam)
        out.append(eq(x.sq(x.f.grad(theta) + (theta - x.w) * x.lam), 0))
    return tuple(out) or le(0, x.dot(change, way))


@pytest.mark.parametrize("name", WORLDS)
def test_they_are_in_the_class(name):
    """Exactly, where the conditions of a draw hold."""
    world, rng, met = ridged(WORLDS[name]), np.random.default_rng(7), 0
    for shape in world.shapes(2):
        for free in world.sample(rng, shape, 3, 12):
            for k in range(12):
                said = exact.judge(of_the_class, world, world.pick(free, k), "x")
                assert said.outcome in ("holds", "outside", "domain")
                met += said.outcome == "holds"
    assert met >= 3


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", FALSE)
def test_what_sums_along_orthogonal_axes_do_not_refute(name):
    world, body = FALSE[name]
    v = fedtheory.verify(claim("draft/false", world=world)(body))
    assert v.verdict == "refuted" and v.trust == "replayed"


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_not_refuted(name):
    world, body = TRUE[name]
    v = fedtheory.verify(claim("draft/true", world=world, control=NEVER)(body))
    assert v.verdict in ("proved", "certified", "supported")
