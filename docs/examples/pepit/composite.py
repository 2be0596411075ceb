"""Composite convex minimisation and inexact proximal methods of PEPit's list, with the rates that are known to be tight.

References stand in PEPit's examples of the same names (github.com/PerformanceEstimation/PEPit, 0.5).
"""

from fractions import Fraction

from fedtheory import le
from fedtheory.units import CURVATURE, LENGTH
from problems import (
    Convex,
    ConvexIndicator,
    SmoothConvex,
    SmoothStronglyConvex,
    Together,
    positive,
)  # fmt: skip

from .pair import listed, pair

BOTH = ("f", "h")
SMOOTH = {"mu": positive(CURVATURE), "L": positive(CURVATURE)}


def above(x, f, h):
    """f(.) + h(.) less its least value, at a point each."""
    return x.f.value(f) + x.h.value(h) - x.f.value(x.w_star) - x.h.value(x.w_star)


@pair(
    "proximal_gradient",
    Together({"f": SmoothStronglyConvex("mu", "L"), "h": Convex()}, zero_of=BOTH, **listed(mu="1/10", L=1), **SMOOTH),
)
def proximal_gradient(x, share=1, n=2):
    """gamma = 1/L, n = 2."""
    w = x.w
    for _ in range(n):
        w = x.h.prox(w - x.f.grad(w) / x.L, x.L)
    return le(x.sq(w - x.w_star), share * (1 - x.mu / x.L) ** (2 * n) * x.sq(x.w - x.w_star))


COMPOSITE = Together({"f": SmoothConvex("L"), "h": Convex()}, zero_of=BOTH, L=positive(CURVATURE))


@pair("accelerated_proximal_gradient_simplified", COMPOSITE)
def simplified(x, share=1, n=2):
    w = y = x.w
    for i in range(n):
        before, w = w, x.h.prox(y - x.f.grad(y) / x.L, x.L)
        y = w + x.ratio(i, i + 3) * (w - before)
    return le(above(x, w, w), share * 2 * x.L / (n**2 + 5 * n + 2) * x.sq(x.w - x.w_star))


@pair("accelerated_proximal_gradient", COMPOSITE)
def fista(x, share=1):
    """n = 1, since later momenta have roots; the bound L/2 is not tight, PEPit has 0.25 at L = 1, a number."""
    w = x.h.prox(x.w - x.f.grad(x.w) / x.L, x.L)
    return le(above(x, w, w), share * x.L / 4 * x.sq(x.w - x.w_star))


def reflected(x, w, lam):
    """The two proximal points of a step of Douglas-Rachford splitting, of the functions f and then h."""
    a = x.f.prox(w, lam)
    return a, x.h.prox(2 * a - w, lam)


@pair("douglas_rachford_splitting", COMPOSITE)
def douglas_rachford(x, share=1, n=2):
    """alpha = 1/L, theta = 1, n = 2: PEPit has 0.1273, a number, at L = 1; the distance is that of the first proximal point."""
    w, first = x.w, x.f.prox(x.w, x.L)
    for _ in range(n):
        a, b = reflected(x, w, x.L)
        w = w + b - a
    return le(above(x, b, b), share * x.ratio(12733, 100000) * x.L * x.sq(first - x.w_star))


@pair(
    "accelerated_douglas_rachford_splitting",
    Together({"f": SmoothStronglyConvex("mu", "L"), "h": Convex()}, zero_of=BOTH, **listed(mu="1/10", L=1), **SMOOTH),
)
def accelerated_splitting(x, share=1, n=2):
    """alpha = 9/10, n = 2: the bound 2/(alpha theta (n + 3)^2) is not tight; PEPit has 0.19291, a number."""
    alpha = x.ratio(9, 10)
    theta = x.ratio(1, 19)
    u = before = x.w
    for i in range(n):
        a, b = reflected(x, u, 1 / alpha)
        w = u + theta * (b - a)
        u = w + x.ratio(max(i - 1, 0), i + 2) * (w - before)
        before = w
    start = x.w_star + alpha * x.f.grad(x.w_star)
    return le(above(x, b, b), share * x.ratio(193, 1000) * x.sq(x.w - start))


@pair(
    "douglas_rachford_splitting_contraction",
    Together({"f": SmoothStronglyConvex("mu", "L"), "h": Convex()}, at=("w", "v"), **listed(mu="1/10", L=1), **SMOOTH),
)
def contraction(x, share=1, n=1):
    """alpha = 3, theta = 1, n = 1."""
    lam = x.ratio(1, 3) * x.L
    after = []
    for w in (x.w, x.v):
        for _ in range(n):
            a = x.h.prox(w, lam)
            w = w + x.f.prox(2 * a - w, lam) - a
        after.append(w)
    return le(x.sq(after[0] - after[1]), share * x.ratio(10, 13) ** (2 * n) * x.sq(x.w - x.v))


@pair(
    "three_operator_splitting",
    Together(
        {"f": SmoothStronglyConvex("mu", "L"), "h": Convex(), "g": SmoothConvex("K")},
        at=("w", "v"),
        **listed(mu="1/10", L=10, K=1),
        K=positive(CURVATURE),
        **SMOOTH,
    ),
)
def three(x, share=1):
    """alpha = 1, theta = 1, n = 1: PEPit has 0.830395, a number."""
    after = []
    for w in (x.w, x.v):
        a = x.h.prox(w, x.K)
        after.append(w + x.f.prox(2 * a - w - x.g.grad(a) / x.K, x.K) - a)
    return le(x.sq(after[0] - after[1]), share * x.ratio(83040, 100000) * x.sq(x.w - x.v))


# sets, and other distances

SET = Together(
    {"f": SmoothConvex("L"), "h": ConvexIndicator("D")}, zero_of=BOTH, L=positive(CURVATURE), D=positive(LENGTH)
)


def frank_wolfe(n, tau):
    """The bound 2/(n + 2) is not tight; PEPit has 0.499995 and 0.312615, numbers; the latter is rounded up."""

    def body(x, share=1):
        x.h.value(x.w)
        w = x.w
        for i in range(n):
            y = x.h.where_grad(-x.f.grad(w))
            w = x.ratio(i, i + 2) * w + x.ratio(2, i + 2) * y
        return le(x.f.value(w) - x.f.value(x.w_star), share * tau * x.L * x.D**2)

    return body


pair("frank_wolfe", SET)(frank_wolfe(1, Fraction(1, 2)))
pair("low-dimensional-frank_wolfe", SET)(frank_wolfe(2, Fraction(313, 1000)))


def bregman(h, x, v, w):
    """h(v) - h(w) - <grad h(w), v - w>."""
    return h.value(v) - h.value(w) - x.dot(h.grad(w), v - w)


@pair("bregman_proximal_point", Together({"f": Convex(), "h": Convex()}, zero_of=("f",)))
def bregman_proximal(x, share=1, n=3):
    """f stands for gamma f."""
    s = x.h.grad(x.w)
    for _ in range(n):
        y = x.h.where_grad(s, x.f)
        s = x.h.grad(y)
    return le(n * (x.f.value(y) - x.f.value(x.w_star)), share * bregman(x.h, x, x.w_star, x.w))


# without Lipschitz gradients: f and g = L h - f are convex, and C is a set; gamma = 1/L

MIRROR = Together({"f": Convex(), "g": Convex(), "C": ConvexIndicator()}, zero_of=("f", "C"))


def distance(x, v, w):
    """L times the Bregman distance of h."""
    return bregman(x.g, x, v, w) + bregman(x.f, x, v, w)


@pair("no_lips_in_function_value", MIRROR)
def function_value(x, share=1, n=2):
    w = x.w
    for _ in range(n):
        w = x.g.where_grad(x.g.grad(w), x.f, x.C)
    return le(n * (x.f.value(w) - x.f.value(x.w_star)), share * distance(x, x.w_star, x.w))


@pair("no_lips_in_bregman_divergence", MIRROR)
def bregman_divergence(x, share=1, n=2):
    """The least of the distances between iterates is at most their weighted mean; n = 2, where there is one after the first."""
    w, least = x.w, []
    for _ in range(n):
        before, w = w, x.g.where_grad(x.g.grad(w), x.f, x.C)
        least.append(distance(x, before, w))
    return le(least[-1], share * x.ratio(2, n * (n - 1)) * distance(x, x.w_star, x.w))
