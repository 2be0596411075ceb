"""Proximal points and Moreau envelopes; lam multiplies, as in f + lam/2 |. - w|^2."""

from fedtheory import claim, le, lt
from fedtheory.units import CURVATURE
from problems import Convex, Points, StronglyConvex, WeaklyConvex, condition, positive

LAM, MU, RHO = positive(CURVATURE), positive(CURVATURE), positive(CURVATURE)
CONVEX = Points(Convex(), envelope="lam", at=("w", "v"), lam=LAM)
STRONG = Points(StronglyConvex("mu"), envelope="lam", at=("w", "v"), lam=LAM, mu=MU)
WEAK = Points(
    WeaklyConvex("rho"), envelope="lam", at=("w", "v"), lam=LAM, rho=RHO,
    given=(condition("rho < lam", lambda x: lt(x.rho, x.lam)),),
)  # fmt: skip


def apart(x):
    return x.f.prox(x.w, x.lam) - x.f.prox(x.v, x.lam)


@claim("shelf/prox-firm", world=CONVEX, expect="proved")
def prox_firm(x):
    return le(x.sq(apart(x)), x.dot(apart(x), x.w - x.v))


@claim("shelf/prox-nonexpansive", world=CONVEX, expect="proved")
def prox_nonexpansive(x):
    return le(x.sq(apart(x)), x.sq(x.w - x.v))


@claim("shelf/prox-contraction", world=STRONG, expect="proved")
def prox_contraction(x):
    return le((x.lam + x.mu) ** 2 * x.sq(apart(x)), x.lam**2 * x.sq(x.w - x.v))


@claim("shelf/prox-three-points", world=CONVEX, expect="proved")
def prox_three_points(x):
    p = x.f.prox(x.w, x.lam)
    left = x.f.value(p) + x.lam / 2 * x.sq(p - x.w) + x.lam / 2 * x.sq(x.v - p)
    return le(left, x.f.value(x.v) + x.lam / 2 * x.sq(x.v - x.w))


@claim("shelf/envelope-gradient", world=CONVEX, expect="proved")
def envelope_gradient(x):
    gradient = x.lam * (x.w - x.f.prox(x.w, x.lam))
    tangent = x.F.value(x.w) + x.dot(gradient, x.v - x.w)
    above = tangent + x.lam / 2 * x.sq(x.v - x.w)
    return le(tangent, x.F.value(x.v), "from below"), le(x.F.value(x.v), above, "from above")


@claim("shelf/envelope-below", world=CONVEX, expect="proved")
def envelope_below(x):
    return le(x.F.value(x.w), x.f.value(x.w))


@claim("shelf/envelope-cocoercive", world=CONVEX, expect="proved")
def envelope_cocoercive(x):
    g = x.F.grad(x.w) - x.F.grad(x.v)
    return le(x.sq(g) / x.lam, x.dot(g, x.w - x.v))


@claim("shelf/envelope-strongly-convex", world=STRONG, expect="proved")
def envelope_strongly_convex(x):
    bend = x.lam * x.mu / (2 * (x.lam + x.mu))
    return le(x.F.value(x.v) + x.dot(x.F.grad(x.v), x.w - x.v) + bend * x.sq(x.w - x.v), x.F.value(x.w))


@claim("shelf/envelope-hypomonotone", world=WEAK, expect="proved")
def envelope_hypomonotone(x):
    bend = x.rho * x.lam / (x.lam - x.rho)
    return le(-bend * x.sq(x.w - x.v), x.dot(x.F.grad(x.w) - x.F.grad(x.v), x.w - x.v))


@claim("shelf/prox-weakly", world=WEAK, expect="proved")
def prox_weakly(x):
    return le((x.lam - x.rho) ** 2 * x.sq(apart(x)), x.lam**2 * x.sq(x.w - x.v))


@claim("shelf/inexact-prox", world=Points(StronglyConvex("mu"), at=("w", "u"), lam=LAM, mu=MU), expect="proved")
def inexact_prox(x):
    residual = x.f.grad(x.u) + x.lam * (x.u - x.w)
    return le((x.lam + x.mu) ** 2 * x.sq(x.u - x.f.prox(x.w, x.lam)), x.sq(residual))
