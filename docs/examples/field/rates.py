"""Rates of methods before there is a proof of them: runs without lemmas, at the lengths that they list."""

from fedtheory import le
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Convex, Run, SmoothConvex, condition, positive

from .pair import L, pair


def gap(x):
    return x.mean(x.f.value(x.w) - x.f.value(x.w_star))


def away(x):
    return x.sq(x.w - x.w_star)


def slope(x):
    return x.mean_vec(x.f.grad(x.w))


ONE = {"m": (1,)}
QUANTITIES = {"D": away, "e": gap, "g": lambda x: x.sq(slope(x))}
NEAR = condition("|n| <= eps", lambda x: le(x.sq(x.n), x.eps**2))
STEPS = Run(
    SmoothConvex("L"), optimum_of="f", L=L, sizes=ONE, step={"w": lambda x: x.w - slope(x) / x.L}, quantities=QUANTITIES
)
INEXACT = Run(
    SmoothConvex("L"), optimum_of="f", at=("w", "n"), fresh=("n",), L=L, eps=positive(GRADIENT), sizes=ONE, obeys=(NEAR,),
    step={"w": lambda x: x.w - (slope(x) + x.n) / x.L}, quantities=QUANTITIES,
)  # fmt: skip
PROXIMAL = Run(
    Convex(), optimum_of="f", envelope="lam", lam=positive(CURVATURE), sizes=ONE,
    step={"w": lambda x: x.w - x.mean_vec(x.F.grad(x.w)) / x.lam}, quantities={"D": away, "e": gap},
)  # fmt: skip
WALK = Run(
    None, at=("w", "n"), fresh=("n",), outcomes=(1, -1), eps=positive(LENGTH), sizes=ONE, obeys=(NEAR,),
    step={"w": lambda x, sign: x.w + sign * x.n}, quantities={"D": lambda x: x.sq(x.w)},
)  # fmt: skip


@pair("tight-rate", STEPS, expect="certified")
def tight_rate(x, s=1):
    """Drori, Teboulle (2014): T gradient steps of 1/L on a smooth convex f have f - f* at most L |w_0 - w*|^2/(4 T + 2)."""
    return le(s * (4 * x.T + 2) * x.e[x.T], x.L * x.D[0])


@pair("tight-gradient", STEPS, expect="certified")
def tight_gradient(x, s=1):
    """Taylor, Hendrickx, Glineur (2017): the squared gradient after T such steps is at most 2 L (f(w_0) - f*)/(2 T + 1)."""
    return le(s * (2 * x.T + 1) * x.g[x.T], 2 * x.L * x.e[0])


@pair("gradients-fall", STEPS, expect="certified")
def gradients_fall(x, t, s=1):
    """Nesterov (2004), Theorem 2.1.5, along gradient steps of 1/L: no gradient is longer than the one before."""
    return le(s * x.g[t + 1], x.g[t])


@pair("tight-proximal-point", PROXIMAL, expect="certified")
def tight_proximal_point(x, s=1):
    """Taylor, Hendrickx, Glineur (2017): T proximal steps on any convex f have f - f* at most lam |w_0 - w*|^2/(4 T)."""
    return le(s * 4 * x.T * x.e[x.T], x.lam * x.D[0])


@pair("inexact-rate", INEXACT, expect="certified")
def inexact_rate(x, s=1):
    """d'Aspremont (2008), errors of at most eps in every gradient: T steps of 1/L lose at most T eps^2/(2 L) of f."""
    return le(s * (x.e[x.T] - x.e[0]), x.T * x.eps**2 / (2 * x.L))


@pair("walk", WALK, expect="certified")
def walk(x, s=1):
    """Errors of mean zero, each of which may depend on those before: after T of them |w|^2 is T eps^2 more in the mean."""
    return le(s * (x.D[x.T] - x.D[0]), x.T * x.eps**2)
