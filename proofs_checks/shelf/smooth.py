"""Smooth functions, not necessarily convex."""

from fedtheory import claim, le
from fedtheory.units import CURVATURE, STEP
from problems import Points, Smooth, SmoothBoundedBelow, condition, positive

TWO = Points(Smooth("L"), at=("w", "v"), L=positive(CURVATURE))
ONE = Points(Smooth("L"), L=positive(CURVATURE), eta=positive(STEP))
INEXACT = Points(Smooth("L"), at=("w", "h"), L=positive(CURVATURE), eta=positive(STEP))
BELOW = Points(SmoothBoundedBelow("L"), L=positive(CURVATURE))


@claim("shelf/descent", world=TWO, expect="proved")
def descent(x):
    return le(x.f.value(x.v), x.f.value(x.w) + x.dot(x.f.grad(x.w), x.v - x.w) + x.L / 2 * x.sq(x.v - x.w))


@claim("shelf/descent-below", world=TWO, expect="proved")
def descent_below(x):
    return le(x.f.value(x.w) + x.dot(x.f.grad(x.w), x.v - x.w) - x.L / 2 * x.sq(x.v - x.w), x.f.value(x.v))


@claim("shelf/lipschitz-gradient", world=TWO, expect="proved")
def lipschitz_gradient(x):
    return le(x.sq(x.f.grad(x.w) - x.f.grad(x.v)), x.L**2 * x.sq(x.w - x.v))


@claim("shelf/hypomonotone", world=TWO, expect="proved")
def hypomonotone(x):
    return le(-x.L * x.sq(x.w - x.v), x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))


@claim("shelf/descent-step", world=ONE, expect="proved")
def descent_step(x):
    g = x.f.grad(x.w)
    return le(x.f.value(x.w - x.eta * g), x.f.value(x.w) - x.eta * (1 - x.eta * x.L / 2) * x.sq(g))


@claim("shelf/inexact-step", world=INEXACT, expect="proved")
def inexact_step(x):
    g = x.f.grad(x.w)
    bound = x.f.value(x.w) - x.eta / 2 * x.sq(g) - x.eta / 2 * (1 - x.eta * x.L) * x.sq(x.h) + x.eta / 2 * x.sq(g - x.h)
    return le(x.f.value(x.w - x.eta * x.h), bound)


@claim("shelf/gradient-gap", world=BELOW, expect="proved")
def gradient_gap(x):
    return le(x.sq(x.f.grad(x.w)), 2 * x.L * (x.f.value(x.w) - x.f.infimum()))


@claim("shelf/gradients-gaps", world=BELOW, expect="proved")
def gradients_gaps(x):
    return le(x.mean(x.sq(x.f.grad(x.w))), 2 * x.L * x.mean(x.f.value(x.w) - x.f.infimum()))


@claim("shelf/mean-is-smooth", world=TWO, expect="proved")
def mean_is_smooth(x):
    return le(x.sq(x.mean_vec(x.f.grad(x.w) - x.f.grad(x.v))), x.L**2 * x.sq(x.w - x.v))


@claim("shelf/models-gradients", world=Points(Smooth("L"), clients_at=("v",), L=positive(CURVATURE)), expect="proved")
def models_gradients(x):
    return le(x.sq(x.mean_vec(x.f.grad(x.v) - x.f.grad(x.w))), x.L**2 * x.mean(x.sq(x.v - x.w)))


@claim(
    "shelf/short-step",
    world=Points(
        Smooth("L"),
        L=positive(CURVATURE),
        eta=positive(STEP),
        given=(condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1)),),
    ),
    expect="proved",
)
def short_step(x):
    g = x.f.grad(x.w)
    return le(x.f.value(x.w - x.eta * g), x.f.value(x.w) - x.eta / 2 * x.sq(g))
