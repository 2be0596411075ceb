"""The inner steps (3.12) of one client, and the worlds in which they are taken (Sections 3.4 and 7.1)."""

from typing import Any, NamedTuple

from fedtheory import le, lt
from fedtheory.theory.fedadmm.conditions import INNER
from fedtheory.theory.fedadmm.constants import inner_size
from fedtheory.units import CURVATURE
from problems import SmoothStronglyConvex, condition, positive
from problems.worlds.classes.curvature import Curvature

from ..one_client import Alone, one_client

NAMES = ("r", "s", "sigma", "alpha", "rho")
CLASS = Curvature("smooth, with curvature at least -s", lower="-s", upper="r")
GIVEN = (INNER, condition("s_i <= r_i", lambda x: le(x.s, x.r)))
SETTING = (
    "alpha_i is any positive number, pi_i^k what (3.11) makes of any v_i^* and w^{tau_{k+1}}; every s_i > 0 up to r_i."
)


def inner_world(*at):
    """One client, v_i^*, w^{tau_{k+1}} and these vectors, under the conditions of Theorem 3.1."""
    return one_client(at=("star", "w", *at), given=GIVEN, f=CLASS, names=NAMES)


class Inner(NamedTuple):
    """What stays during the inner steps: vectors ``(..., 1, d)``."""

    w: Any  # w^{tau_{k+1}}
    star: Any  # v_i^*
    g_star: Any  # alpha_i grad f_i(v_i^*)
    Pi: Any  # pi_i^k


def inner(x):
    """Any v_i^* and w^{tau_{k+1}}, with the pi_i^k of (3.11)."""
    g_star = x.alpha * x.f.grad(x.star)
    return Inner(x.w, x.star, g_star, -(g_star + x.sigma * (x.star - x.w)))


def following(x, c, v):
    """v_i^{l+1} of v_i^l = v (3.12)."""
    slope = x.alpha * x.f.grad(v) + c.Pi
    return (x.alpha * x.r * v + x.sigma * c.w - slope) / (x.alpha * x.r + x.sigma)


def residual_sq(x, c, v):
    """Left side of (3.5) at v. Unit (E/M)^2."""
    return x.sq(x.alpha * x.f.grad(v) + c.Pi + x.sigma * (v - c.w))


def distance_sq(x, c, v):
    """|v - v_i^*|^2. Unit M^2."""
    return x.sq(v - c.star)


def steps(x, c, n):
    """v_i^n from v_i^0 = w^{tau_{k+1}}."""
    v = c.w
    for _ in range(n):
        v = following(x, c, v)
    return v


def promised(x, c):
    """2 (alpha_i^2 r_i^2 + sigma_i^2) |w^{tau_{k+1}} - v_i^*|^2, the numerator in (3.13). Unit (E/M)^2."""
    return inner_size(x) * distance_sq(x, c, c.w)


FIRST = one_client(
    at=("w_0",),
    given=(
        condition("sigma >= rho r/2", lambda x: le(x.rho * x.r / 2, x.sigma)),
        condition("rho >= 2", lambda x: le(2, x.rho)),
        condition("mu < r", lambda x: lt(x.mu, x.r)),
    ),
    f=SmoothStronglyConvex("mu", "r"),
    names=("r", "sigma", "rho"),
    mu=positive(CURVATURE),
)


def at_start(x):
    """(x with alpha_i = 1, the inner problem of one client, m = 1, at k = 0 of Algorithm 1 from any w_i^0)."""
    g = x.f.grad(x.w_0)
    w = x.w_0 - g / x.sigma  # (3.3) with pi_i^0 = -g_i^0
    star = x.f.prox(w + g / x.sigma, x.sigma)
    return Alone(x), Inner(w, star, x.f.grad(star), -g)
