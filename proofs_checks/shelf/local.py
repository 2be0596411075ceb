"""Local steps: the drift of one step of a client."""

from fedtheory import claim, le
from fedtheory.units import CURVATURE, STEP
from problems import Points, Smooth, SmoothConvex, condition, positive


@claim("shelf/gradient-at-model", world=Points(Smooth("L"), clients_at=("v",), L=positive(CURVATURE)), expect="proved")
def gradient_at_model(x):
    return le(x.sq(x.f.grad(x.v)), 2 * x.L**2 * x.sq(x.v - x.w) + 2 * x.sq(x.f.grad(x.w)))


@claim(
    "shelf/drift-convex",
    world=Points(
        SmoothConvex("L"),
        clients_at=("v",),
        L=positive(CURVATURE),
        eta=positive(STEP),
        s=positive(),
        given=(condition("eta <= 2/L", lambda x: le(x.eta * x.L, 2)),),
    ),
    expect="proved",
)
def drift_convex(x):
    after = x.mean(x.sq(x.v - x.eta * x.f.grad(x.v) - x.w))
    return le(after, (1 + x.s) * x.mean(x.sq(x.v - x.w)) + (1 + 1 / x.s) * x.eta**2 * x.mean(x.sq(x.f.grad(x.w))))
