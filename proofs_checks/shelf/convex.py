"""Convex and strongly convex functions."""

from fedtheory import claim, le
from fedtheory.units import CURVATURE, STEP
from problems import Convex, Points, SmoothConvex, SmoothStronglyConvex, StronglyConvex, at_least, condition, positive

L, MU, ETA = positive(CURVATURE), positive(CURVATURE), positive(STEP)
CONVEX = Points(Convex(), at=("w", "v"))
SMOOTH = Points(SmoothConvex("L"), at=("w", "v"), L=L)
OPTIMUM = Points(SmoothConvex("L"), optimum_of="f", L=L)
STRONG = Points(StronglyConvex("mu"), at=("w", "v"), mu=MU)
STRONG_OPTIMUM = Points(StronglyConvex("mu"), optimum_of="f", mu=MU)
BOTH = Points(SmoothStronglyConvex("mu", "L"), at=("w", "v"), mu=MU, L=L)
SHORT = condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1))


def gap(x):
    return x.mean(x.f.value(x.w) - x.f.value(x.w_star))


@claim("shelf/tangent", world=CONVEX, expect="proved")
def tangent(x):
    return le(x.f.value(x.w) + x.dot(x.f.grad(x.w), x.v - x.w), x.f.value(x.v))


@claim("shelf/monotone", world=CONVEX, expect="proved")
def monotone(x):
    return le(0, x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))


@claim(
    "shelf/jensen-function",
    world=Points(
        Convex(), at=("w", "v"), theta=at_least(0), given=(condition("theta <= 1", lambda x: le(x.theta, 1)),)
    ),
    expect="proved",
)
def jensen_function(x):
    return le(x.f.value((1 - x.theta) * x.w + x.theta * x.v), (1 - x.theta) * x.f.value(x.w) + x.theta * x.f.value(x.v))


@claim("shelf/cocoercive", world=SMOOTH, expect="proved")
def cocoercive(x):
    g = x.f.grad(x.w) - x.f.grad(x.v)
    return le(x.sq(g) / x.L, x.dot(g, x.w - x.v))


@claim("shelf/above-tangent", world=SMOOTH, expect="proved")
def above_tangent(x):
    g, h = x.f.grad(x.w), x.f.grad(x.v)
    return le(x.sq(g - h) / (2 * x.L), x.f.value(x.w) - x.f.value(x.v) - x.dot(h, x.w - x.v))


@claim("shelf/three-point-descent", world=Points(SmoothConvex("L"), at=("u", "v", "w"), L=L), expect="proved")
def three_point_descent(x):
    return le(x.f.value(x.v), x.f.value(x.u) + x.dot(x.f.grad(x.w), x.v - x.u) + x.L / 2 * x.sq(x.v - x.w))


@claim("shelf/gradients-at-optimum", world=OPTIMUM, expect="proved")
def gradients_at_optimum(x):
    return le(x.mean(x.sq(x.f.grad(x.w) - x.f.grad(x.w_star))), 2 * x.L * gap(x))


@claim("shelf/gradients-and-noise", world=OPTIMUM, expect="proved")
def gradients_and_noise(x):
    return le(x.mean(x.sq(x.f.grad(x.w))), 4 * x.L * gap(x) + 2 * x.mean(x.sq(x.f.grad(x.w_star))))


@claim("shelf/step-to-optimum", world=Points(SmoothConvex("L"), optimum_of="f", L=L, eta=ETA), expect="proved")
def step_to_optimum(x):
    after = x.w - x.eta * x.mean_vec(x.f.grad(x.w))
    return le(x.sq(after - x.w_star), x.sq(x.w - x.w_star) - 2 * x.eta * (1 - x.eta * x.L) * gap(x))


@claim(
    "shelf/nonexpansive-step",
    world=Points(
        SmoothConvex("L"), at=("w", "v"), L=L, eta=ETA, given=(condition("eta <= 2/L", lambda x: le(x.eta * x.L, 2)),)
    ),
    expect="proved",
)
def nonexpansive_step(x):
    return le(x.sq(x.w - x.eta * x.f.grad(x.w) - x.v + x.eta * x.f.grad(x.v)), x.sq(x.w - x.v))


@claim("shelf/strong-tangent", world=STRONG, expect="proved")
def strong_tangent(x):
    return le(x.f.value(x.w) + x.dot(x.f.grad(x.w), x.v - x.w) + x.mu / 2 * x.sq(x.v - x.w), x.f.value(x.v))


@claim("shelf/strongly-monotone", world=STRONG, expect="proved")
def strongly_monotone(x):
    return le(x.mu * x.sq(x.w - x.v), x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))


@claim(
    "shelf/strong-jensen",
    world=Points(
        StronglyConvex("mu"),
        at=("w", "v"),
        mu=MU,
        theta=at_least(0),
        given=(condition("theta <= 1", lambda x: le(x.theta, 1)),),
    ),
    expect="proved",
)
def strong_jensen(x):
    chord = (1 - x.theta) * x.f.value(x.w) + x.theta * x.f.value(x.v)
    bend = x.mu / 2 * x.theta * (1 - x.theta) * x.sq(x.w - x.v)
    return le(x.f.value((1 - x.theta) * x.w + x.theta * x.v), chord - bend)


@claim("shelf/gradient-dominance", world=STRONG_OPTIMUM, expect="proved")
def gradient_dominance(x):
    return le(2 * x.mu * gap(x), x.sq(x.mean_vec(x.f.grad(x.w))))


@claim("shelf/quadratic-growth", world=STRONG_OPTIMUM, expect="proved")
def quadratic_growth(x):
    return le(x.mu / 2 * x.sq(x.w - x.w_star), gap(x))


@claim("shelf/error-bound", world=STRONG_OPTIMUM, expect="proved")
def error_bound(x):
    return le(x.mu**2 * x.sq(x.w - x.w_star), x.sq(x.mean_vec(x.f.grad(x.w))))


@claim("shelf/strong-gap", world=STRONG, expect="proved")
def strong_gap(x):
    g, h = x.f.grad(x.w), x.f.grad(x.v)
    return le(x.f.value(x.w), x.f.value(x.v) + x.dot(h, x.w - x.v) + x.sq(g - h) / (2 * x.mu))


@claim("shelf/gradient-distance", world=STRONG, expect="proved")
def gradient_distance(x):
    return le(x.mu**2 * x.sq(x.w - x.v), x.sq(x.f.grad(x.w) - x.f.grad(x.v)))


@claim("shelf/strong-cocoercive", world=BOTH, expect="proved")
def strong_cocoercive(x):
    g = x.f.grad(x.w) - x.f.grad(x.v)
    share = x.mu * x.L / (x.mu + x.L)
    return le(share * x.sq(x.w - x.v) + x.sq(g) / (x.mu + x.L), x.dot(g, x.w - x.v))


@claim(
    "shelf/contraction",
    world=Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", mu=MU, L=L, eta=ETA, given=(SHORT,)),
    expect="proved",
)
def contraction(x):
    after = x.w - x.eta * x.mean_vec(x.f.grad(x.w))
    return le(x.sq(after - x.w_star), (1 - x.eta * x.mu) * x.sq(x.w - x.w_star))


@claim(
    "shelf/contraction-of-two",
    world=Points(
        SmoothStronglyConvex("mu", "L"),
        at=("w", "v"),
        mu=MU,
        L=L,
        eta=ETA,
        given=(condition("eta <= 2/(mu + L)", lambda x: le(x.eta * (x.mu + x.L), 2)),),
    ),
    expect="proved",
)
def contraction_of_two(x):
    after = x.w - x.eta * x.f.grad(x.w) - x.v + x.eta * x.f.grad(x.v)
    return le(x.sq(after), (1 - 2 * x.eta * x.mu * x.L / (x.mu + x.L)) * x.sq(x.w - x.v))


@claim(
    "shelf/perturbed", world=Points(SmoothStronglyConvex("mu", "L"), at=("u", "v", "w"), mu=MU, L=L), expect="proved"
)
def perturbed(x):
    left = x.f.value(x.v) - x.f.value(x.u) + x.mu / 4 * x.sq(x.u - x.v) - x.L * x.sq(x.v - x.w)
    return le(left, x.dot(x.f.grad(x.w), x.v - x.u))
