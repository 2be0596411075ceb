"""Propositions 2 and 3: a smooth function between two points, Jensen's inequalities (Appendix A)."""

from fedtheory import Control, claim, le
from fedtheory.units import CURVATURE
from problems import Points, Smooth, positive


@claim(
    "flame/eq21",
    world=Points(Smooth("L"), at=("a", "b"), L=positive(CURVATURE)),
    control=Control("a quadratic of curvature L, or -L, attains it", share="9/10"),
    note="With the gradient at either point, i = 1 and i = 2.",
)
def eq21(x, share=1):
    move, gap = x.a - x.b, x.f.value(x.a) - x.f.value(x.b)
    bound = share * x.L / 2 * x.sq(move)
    return le(gap - x.dot(x.f.grad(x.a), move), bound, "i = 1"), le(gap - x.dot(x.f.grad(x.b), move), bound, "i = 2")


VECTORS = Points(None, at=("a", "b"), k=positive())


@claim("flame/eq22", world=VECTORS, control=Control("b = k a attains it", share="9/10"))
def eq22(x, share=1):
    return le(2 * x.dot(x.a, x.b), share * (x.k * x.sq(x.a) + x.sq(x.b) / x.k))


@claim("flame/eq23", world=VECTORS, control=Control("b = -k a attains it", share="9/10"))
def eq23(x, share=1):
    return le(x.sq(x.a - x.b), share * ((1 + x.k) * x.sq(x.a) + (1 + 1 / x.k) * x.sq(x.b)))


@claim(
    "flame/eq24",
    world=Points(None, at=(), clients_at=("theta",)),
    control=Control("equal vectors give equality", share="9/10"),
)
def eq24(x, share=1):
    return le(x.sq(x.total_vec(x.theta)), share * x.m * x.total(x.sq(x.theta)))
