"""What PEPit's examples set to one at the start and what they measure, by the names that beside.toml has for it.

Without a name the start is the squared distance, and what is measured the left side of the claim, times a number.
"""

from .composite import bregman
from .composite import distance as mirrored
from .several import off


def distance(x):
    return x.sq(x.w - x.w_star)


def between(x):
    return x.sq(x.w - x.v)


def gap(x):
    return x.f.value(x.w) - x.f.value(x.w_star)


def above_infimum(x):
    return x.f.value(x.w) - x.f.infimum()


def noise(x):
    """Of the gradients at the minimiser."""
    return x.mean(x.sq(x.f.grad(x.w_star)))


# composite functions


def first_proximal_point(x):
    return x.sq(x.f.prox(x.w, x.L) - x.w_star)


def shifted(x):
    """alpha = 9/10."""
    return x.sq(x.w - x.w_star - x.ratio(9, 10) * x.f.grad(x.w_star))


def shifted_by_lam(x):
    return x.sq(x.w - x.w_star - x.f.grad(x.w_star) / x.lam)


def of_h(x):
    return bregman(x.h, x, x.w_star, x.w)


def of_g_and_f(x):
    return mirrored(x, x.w_star, x.w)


def interior(x):
    """c = 1/2."""
    return off(x, x.w_star, x.w) / 2 + gap(x)


# falls of a function that is not convex


def fall(n):
    """f(w) less f after n steps of 1/L."""

    def of(x):
        w = x.w
        for _ in range(n):
            w = w - x.f.grad(w) / x.L
        return x.f.value(x.w) - x.f.value(w)

    return of


fall_1, fall_2 = fall(1), fall(2)


# potentials


def strong_potential(x):
    return gap(x) + x.mu / 2 * distance(x)


def proximal_potential(x):
    """A0 = lam/2."""
    return gap(x) + x.lam / 4 * distance(x)


def robust_potential(x):
    """At kappa = 9, lam = 1/5."""
    rho = x.ratio(32, 45)
    gamma = rho**3 / (8 * (1 - rho) ** 2 * (1 + rho))
    y = x.w + gamma * (x.w - x.v)
    w = x.w + 9 * rho**3 / 8 * (x.w - x.v) - 9 * (1 - rho) ** 2 * (1 + rho) / x.L * x.f.grad(y)
    z, away = (w - rho**2 * x.w) / (1 - rho**2), y - x.w_star
    inner = x.f.value(y) - x.f.value(x.w_star) - x.mu / 2 * x.sq(away)
    outer = x.mu**2 * (8 - 9 * rho**2) / (2 * rho * (1 - rho)) * x.sq(z - x.w_star)
    return outer + (x.L - x.mu) * inner - x.sq(x.f.grad(y) - x.mu * away) / 2


def saga_potential(x):
    gamma = 1 / (4 * (2 * x.mu + x.L))
    offs = (
        f.value(p) - f.value(x.w_star) - x.dot(f.grad(x.w_star), p - x.w_star) for f, p in ((x.f1, x.p1), (x.f2, x.p2))
    )
    return distance(x) / (4 * gamma * (1 - 2 * x.mu * gamma)) + sum(offs)


def point_saga_potential(x):
    pairs = ((x.f1, x.p1), (x.f2, x.p2))
    return distance(x) + sum(x.sq(f.grad(x.w_star) - x.L * p) for f, p in pairs) / (2 * x.mu * x.L)


def coordinate_potential(x):
    return ((x.t - 1) / 2 + 1) * gap(x) + x.L / 2 * distance(x)


def flow_potential(x):
    return gap(x) + x.sq(x.q * (x.w - x.w_star) + x.v) / 2


# what is measured where it is not the left side: derivatives along a flow


def flow_derivative(x):
    return -x.sq(x.f.grad(x.w))


def flow_potential_derivative(x):
    g = x.f.grad(x.w)
    return x.dot(g, x.v) + x.dot(x.q * (x.w - x.w_star) + x.v, -x.q * x.v - g)
