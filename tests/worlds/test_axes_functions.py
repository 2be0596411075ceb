"""Coordinates beside functions: steps by signs, by coordinates and by Top-k, with the descent that their papers state."""

import re

import numpy as np
import pytest

from fedtheory import claim, eq, le, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.coordinates import coordinates
from fedtheory.engines.prove.sums import is_sum
from fedtheory.errors import UsageError
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import (
    Axes,
    Convex,
    ConvexLipschitz,
    Monotone,
    Smooth,
    SmoothBoundedBelow,
    SmoothConvex,
    SmoothStronglyConvex,
    at_least,
    between,
    condition,
    positive,
    weights,
)  # fmt: skip

OF_ONE = {"m": (1,)}
FLAT = {"m": (1,), "d": (2,)}
L, ETA, C = positive(CURVATURE), positive(LENGTH), positive(GRADIENT)
SMOOTH, NOISY = Axes(Smooth("L"), L=L, eta=ETA), Axes(Smooth("L"), at=("w", "h"), L=L, eta=ETA)
STEPS = Axes(Smooth("L"), at=("w", "v"), L=L, eta=positive(), eps=C)
CLIPS = Axes(Smooth("L"), L=L, eta=positive(STEP), c=C)
LASSO = Axes(Smooth("L"), L=L, lam=C)
LASSO_BESIDE = Axes(SmoothConvex("L"), at=("w", "v"), L=L, lam=C, sizes=OF_ONE)
ADAGRAD = Axes(Convex(), at=("w", "v", "b"), eta=ETA, eps=C)
BELOW = Axes(SmoothBoundedBelow("L"), L=L, eta=ETA)
TOP = Axes(Smooth("L"), L=L, sizes=FLAT)
LINES = Axes(Convex(), at=("w", "v"), sizes={"m": (1,), "d": (1, 2)})
PAIRS = Axes(SmoothConvex("L"), at=("w", "v"), L=L, c=C)
STRONG = Axes(SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=L, L=L, eta=ETA, sizes=OF_ONE)
BOUNDED = Axes(ConvexLipschitz("M"), at=("w", "v"), M=C)
MOMENTUM = Axes(Smooth("L"), at=("w", "q"), L=L, eta=ETA, beta=between(0, 1))
VOTES = Axes(Smooth("L"), L=L, eta=ETA, sizes={"m": (2,), "d": (1,)})


def by_sign(x, of):
    return x.w - x.eta * x.sign(of)


def soft_step(x):
    """The proximal gradient step of f + lam |.|_1."""
    u = x.w - x.f.grad(x.w) / x.L
    return x.sign(u) * x.maximum(x.absolute(u) - x.lam / x.L, 0)


def clipped(x):
    return x.minimum(x.maximum(x.f.grad(x.w), -x.c), x.c)


def signs(x, s):
    """signSGD without noise, Bernstein et al. (2018)."""
    g = x.f.grad(x.w)
    return le(x.f.value(by_sign(x, g)) + s * x.eta * x.norm(g, 1), x.f.value(x.w) + x.L * x.eta**2 * x.d / 2)


def noisy_signs(x, s):
    g, own = x.f.grad(x.w), 2 * x.eta * x.norm(x.f.grad(x.w) - x.h, 1)
    return le(x.f.value(by_sign(x, x.h)) + s * x.eta * x.norm(g, 1), x.f.value(x.w) + own + x.L * x.eta**2 * x.d / 2)


def momentum(x, s):
    g = x.f.grad(x.w)
    after, own = by_sign(x, x.beta * x.q + (1 - x.beta) * g), 2 * x.eta * x.beta * x.norm(g - x.q, 1)
    return le(x.f.value(after) + s * x.eta * x.norm(g, 1), x.f.value(x.w) + own + x.L * x.eta**2 * x.d / 2)


def two_steps(x, s):
    g = x.f.grad(x.w)
    after = by_sign(x, g)
    h = x.f.grad(after)
    last = after - x.eta * x.sign(h)
    return le(x.f.value(last) + s * x.eta * (x.norm(g, 1) + x.norm(h, 1)), x.f.value(x.w) + x.L * x.eta**2 * x.d)


def preconditioned(x, s):
    g = x.f.grad(x.w)
    step = g / (x.absolute(x.v) + x.eps)
    return le(
        x.f.value(x.w - x.eta * step) + s * x.eta * x.dot(g, step), x.f.value(x.w) + x.L * x.eta**2 / 2 * x.sq(step)
    )


def rms(x, s):
    g = x.f.grad(x.w)
    step = g / (x.sqrt(x.v * x.v + g * g) + x.eps)
    return le(x.f.value(x.w - x.eta * step) + s * x.eta * x.dot(g, step), x.f.value(x.w) + x.L * x.eta**2 * x.d / 2)


def clips(x, s):
    step = clipped(x)
    return le(x.f.value(x.w - x.eta * step) + (s * x.eta - x.L * x.eta**2 / 2) * x.sq(step), x.f.value(x.w))


def lasso(x, s):
    p = soft_step(x)
    own = x.f.value(p) + x.lam * x.norm(p, 1)
    return le(own + s * x.L / 2 * x.sq(p - x.w), x.f.value(x.w) + x.lam * x.norm(x.w, 1))


def lasso_beside(x, s):
    """Beck, Teboulle (2009), Lemma 2.3 for the proximal step of the norm of 1."""
    p = soft_step(x)
    own, other = x.f.value(p) + x.lam * x.norm(p, 1), x.f.value(x.v) + x.lam * x.norm(x.v, 1)
    return le(own + s * x.L / 2 * x.sq(p - x.v), other + x.L / 2 * x.sq(x.w - x.v))


def adagrad(x, s):
    """A step of AdaGrad, Duchi, Hazan, Singer (2011): the scale of every coordinate is its own."""
    g, r = x.f.grad(x.w), x.absolute(x.b) + x.eps
    after = x.w - x.eta * g / r
    closer = x.dot(r * (x.w - x.v), x.w - x.v) - x.dot(r * (after - x.v), after - x.v)
    return le(x.f.value(x.w) - x.f.value(x.v) + (s - 1) * x.eta, closer / (2 * x.eta) + x.eta / 2 * x.dot(g / r, g) / s)


def above_the_infimum(x, s):
    g = x.f.grad(x.w)
    return le(s * x.eta * x.norm(g, 1), x.f.value(x.w) - x.f.infimum() + x.L * x.eta**2 * x.d / 2)


def top(x, s):
    g = x.f.grad(x.w)
    return le(x.f.value(x.w - x.top(g, 1) / x.L) + s * x.sq(g) / (2 * x.L * x.d), x.f.value(x.w))


def largest(x, s):
    """The rule of Gauss and Southwell, Nutini et al. (2015)."""
    g = x.f.grad(x.w)
    return le(x.f.value(x.w - x.top(g, 1) / x.L) + s * x.norm(g, "inf") ** 2 / (2 * x.L), x.f.value(x.w))


def hoelder(x, s):
    return le(s * (x.f.value(x.w) - x.f.value(x.v)), x.norm(x.f.grad(x.w), 1) * x.norm(x.w - x.v, "inf"))


def monotone(x, s):
    g, h = x.f.grad(x.w), x.f.grad(x.v)
    return le(s * x.c * x.norm(g - h, 1), x.L * x.d * x.c**2 / 4 + x.dot(g - h, x.w - x.v))


def strong_signs(x, s):
    g, least = x.f.grad(x.w), x.f.value(x.w_star)
    own = x.f.value(by_sign(x, g)) - least + s * x.eta * x.norm(g, 1)
    return le(own, x.f.value(x.w) - least + x.L * x.eta**2 * x.d / 2)


def bounded(x, s):
    return le(s * (x.f.value(x.w) - x.f.value(x.v)), x.norm(x.f.grad(x.w) * (x.w - x.v), 1))


def votes(x, s):
    g = x.mean_vec(x.f.grad(x.w))
    own = x.mean(x.f.value(by_sign(x, g))) + s * x.eta * x.norm(g, 1)
    return le(own, x.mean(x.f.value(x.w)) + x.L * x.eta**2 * x.d / 2)


EVERY_D = {
    "signs": (SMOOTH, signs), "noisy signs": (NOISY, noisy_signs), "momentum": (MOMENTUM, momentum),
    "two steps": (SMOOTH, two_steps), "preconditioned": (STEPS, preconditioned), "rms": (STEPS, rms),
    "clips": (CLIPS, clips), "lasso": (LASSO, lasso),
    "lasso beside": (LASSO_BESIDE, lasso_beside), "above the infimum": (BELOW, above_the_infimum), "monotone": (PAIRS, monotone),
    "strong signs": (STRONG, strong_signs), "bounded": (BOUNDED, bounded), "adagrad": (ADAGRAD, adagrad),
}  # fmt: skip
LISTED = {"top": (TOP, top), "largest": (TOP, largest), "hoelder": (LINES, hoelder), "votes": (VOTES, votes)}


def made(name, world, body):
    return claim(f"axes/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}", world=world)(body)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", [*EVERY_D, *LISTED])
def test_what_is_true_is_decided_and_what_is_false_refuted(name):
    world, body = {**EVERY_D, **LISTED}[name]
    true = verify(made(name, world, lambda x: body(x, x.ratio(1, 1))))
    assert (true.verdict, true.trust) == ("proved" if name in EVERY_D else "certified", "kernel"), true.reason
    false = verify(made(name, world, lambda x: body(x, x.ratio(101, 100))))
    assert false.verdict == "refuted", (false.verdict, false.reason)


def beside(x, more):
    """The descent by signs with something else in the place of d."""
    g = x.f.grad(x.w)
    return le(x.f.value(by_sign(x, g)) + x.eta * x.norm(g, 1), x.f.value(x.w) + x.L * x.eta**2 / 2 * more)


def of_the_mean(x):
    g = x.mean_vec(x.f.grad(x.w))
    return le(x.f.value(by_sign(x, g)) + x.eta * x.norm(g, 1), x.f.value(x.w) + x.L * x.eta**2 * x.d / 2)


def times_values(x):
    g = x.f.grad(x.w)
    step = x.f.value(by_sign(x, g)) + x.eta * x.norm(g, 1) - x.f.value(x.w) - x.L * x.eta**2 * x.d / 2
    return le((x.t - 1) * step, 0)


WEIGHED = Axes(Smooth("L"), L=L, eta=ETA, alpha=weights())
OPTIMUM = Axes(SmoothConvex("L"), optimum_of="f", L=L)
SCALED = Axes(Smooth("L"), L=L, eta=ETA, t=positive())
NEAR = Axes(Smooth("L"), L=L, eta=ETA, given=(condition("|w|_1 <= 1", lambda x: le(x.norm(x.w, 1), 1)),))
BEYOND = {  # true of one coordinate, of one client or of some parameters
    "a number": (SMOOTH, lambda x: beside(x, 1)),
    "the largest coordinate": (SMOOTH, lambda x: beside(x, x.norm(x.sign(x.f.grad(x.w)), "inf"))),
    "the square of their sum": (
        SMOOTH, lambda x: le(x.f.value(x.w - x.f.grad(x.w) / x.L) + x.norm(x.f.grad(x.w), 1) ** 2 / (2 * x.L), x.f.value(x.w))),
    "the mean of clients": (SMOOTH, of_the_mean),
    "a multiple of unknown sign": (SCALED, times_values),
    "values by d": (SMOOTH, lambda x: le(x.d * (x.f.value(x.w) - x.f.value(x.w + x.eta)), x.f.value(x.w) - x.f.value(x.w + x.eta))),
    "the minimiser of all": (OPTIMUM, lambda x: le(x.sq(x.f.grad(x.w)), 2 * x.L * (x.f.value(x.w) - x.f.value(x.w_star)))),
    "weights": (WEIGHED, lambda x: beside(x, x.alpha * x.d)),
    "few clients": (SMOOTH, lambda x: le(x.maximum(x.m, 40) * x.norm(x.f.grad(x.w), 1), 40 * x.norm(x.f.grad(x.w), 1))),
    "few coordinates": (SMOOTH, lambda x: beside(x, x.minimum(x.d, 3))),
}  # fmt: skip


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", BEYOND)
def test_what_is_true_of_few_is_not_proved(name):
    said = coordinates(made(name, *BEYOND[name]), Docket())
    assert said.outcome in ("certifies", "declines")


U, UV, UVZ = (Axes(Convex(), at=at) for at in (("u",), ("u", "v"), ("u", "v", "z")))
MAPS = Axes(Monotone(), at=("u", "v", "z", "t"))
SHAPES = Axes(Smooth("L"), at=("u",), L=L, sizes={"m": (1, 64)})


def crossed(x, k):
    """The parts of <g(u) - g(v), u - v> that are negative, of which the sum is not."""
    g = x.f.grad(x.u) - x.f.grad(x.v)
    return le(k * x.norm(x.maximum(-g * (x.u - x.v), 0), 1), (1 - k) * x.dot(g, x.u - x.v))


def ordered(x):
    g = x.f.grad
    return eq(x.dot(g(x.maximum(x.u, x.v)) + g(x.minimum(x.u, x.v)) - g(x.u) - g(x.v), x.z), 0 * x.d)


def at_both(x, after):
    return eq(x.dot(x.f.grad(after) - x.f.grad(x.u), after), 0 * x.d)


def moved(x):
    g, k = x.f.grad, x.m - 1
    return eq(x.dot(g(x.u + k * x.z) + g(x.v - k * x.z) - g(x.u) - g(x.v), x.t), 0 * x.d)


def of_sizes(x):
    return le(0, (3 - x.S) * x.dot(x.f.grad(x.u) - x.f.grad(x.v), x.u - x.v))


def counted(x, same, more=2):
    g = x.f.grad(x.u)
    return le((1 if same(x, g) else more) * x.sq(g), x.sq(g))


OF_ONE_COORDINATE = {  # what is one for all coordinates taken from a case of one of them
    "each part of a monotone gradient": (UV, lambda x: crossed(x, 1)),
    "one multiple in each case": (UV, lambda x: crossed(x, x.ratio(1, 10**12 + 1))),
    "maxima of points": (UVZ, ordered),
    "a positive part": (U, lambda x: at_both(x, x.maximum(x.u, 0))),
    "a sign": (U, lambda x: at_both(x, x.u * x.absolute(x.sign(x.u)) + x.sign(x.u) - x.sign(x.u + x.u))),
    "clients in a point": (MAPS, moved),
    "a listed size": (Axes(at=("u",), sizes={"S": (2, 3)}), lambda x: le(x.S * x.sq(x.u), 2 * x.sq(x.u))),
    "sizes beside functions": (Axes(Convex(), at=("u", "v"), sizes={"S": (2, 9), "m": (2, 16)}), of_sizes),
    "shapes": (SHAPES, lambda x: counted(x, lambda x, g: x.u.shape == g.shape)),
    "lengths": (SHAPES, lambda x: counted(x, lambda x, g: x.u.size == g.size)),
    "the kind of a number": (SHAPES, lambda x: counted(x, lambda x, g: not isinstance(x.d, int), x.d)),
}  # fmt: skip


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", OF_ONE_COORDINATE)
def test_what_is_one_for_all_coordinates_is_the_same_in_every_case_of_one(name):
    assert coordinates(made(name, *OF_ONE_COORDINATE[name]), Docket()).outcome in ("certifies", "declines")


def by_calls(x):
    n = []
    np.frompyfunc(lambda a: n.append(0) or a, 1, 1)(x.u)
    return le((2 if len(n) == 7 else 1) * x.sq(x.u), x.sq(x.u))


@pytest.mark.parametrize(
    ("world", "body", "said"),
    [
        (Axes(at=("u",)), by_calls, "the body has 'frompyfunc'"),
        (
            Axes(at=("u",)),
            lambda x: le((2 if np.broadcast(x.u).size == 7 else 1) * x.sq(x.u), x.sq(x.u)),
            "'broadcast'",
        ),
    ],
)
def test_what_says_another_thing_of_many_is_refused(world, body, said):
    with pytest.raises(UsageError, match=said):
        verify(made("asked", world, body))


def test_points_that_coincide_in_every_case_are_one():
    world = Axes(Convex(), at=("u", "v"))
    halves = lambda x: x.maximum(x.u, 0) + x.minimum(x.u, 0)  # noqa: E731
    v = verify(made("halves", world, lambda x: eq(x.f.value(halves(x)), x.f.value(x.u))))
    assert (v.verdict, v.trust, v.scope) == ("proved", "kernel", "all")


def test_conditions_of_points_are_none_of_each_coordinate():
    assert is_sum(made("signs", SMOOTH, lambda x: signs(x, 1)))
    assert not is_sum(made("near", NEAR, lambda x: signs(x, 1)))


def test_operators_have_coordinates_too():
    world = Axes(Monotone(), at=("w", "v"))
    body = lambda x: le(0, x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))  # noqa: E731
    assert verify(made("operators", world, body)).verdict == "proved"


def test_without_coordinates_it_is_as_of_points():
    v = verify(made("plain", SMOOTH, lambda x: eq(x.f.value(x.w), x.f.value(x.w + 0 * x.f.grad(x.w)))))
    assert v.verdict == "proved"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Axes("L"), r"Axes\(f=...\) must be a function class"),
        (lambda: Axes(Smooth("L")), "needs the scalar L=..."),
        (lambda: Axes(optimum_of="f"), "must be None, or 'f' beside a function class, got 'f'"),
        (
            lambda: Axes(Smooth("L"), L=at_least(0), optimum_of="F"),
            "must be None, or 'f' beside a function class, got 'F'",
        ),
    ],
)
def test_what_is_refused(make, said):
    with pytest.raises(UsageError, match=said):
        make()
