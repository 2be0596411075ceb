"""Lemmas of fourteen papers, each in a few lines; the table of docs/writing_claims.md says how long each took to write."""

from fedtheory import Control, claim, eq, le
from fedtheory.units import CURVATURE, STEP
from problems import (
    Convex,
    Lojasiewicz,
    Points,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    between,
    condition,
    positive,
)

L, MU, ETA = positive(CURVATURE), positive(CURVATURE), positive(STEP)
SHORT = condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1))


@claim(
    "nesterov/2.1.5", world=Points(SmoothConvex("L"), at=("w", "v"), L=L), expect="proved",
    control=Control("a quadratic of curvature L attains it", share="9/10"),
)  # fmt: skip
def cocoercive(x, share=1):
    """Nesterov (2004), Theorem 2.1.5: gradients of smooth convex functions are cocoercive."""
    gap = x.f.grad(x.w) - x.f.grad(x.v)
    return le(x.sq(gap), share * x.L * x.dot(gap, x.w - x.v))


@claim(
    "karimi/theorem1", world=Points(Lojasiewicz("mu", "L"), mu=MU, L=L), expect="proved",
    control=Control("the rate of a strongly convex quadratic is not exceeded twice", share=4),
)  # fmt: skip
def polyak_lojasiewicz(x, share=1):
    """Karimi, Nutini, Schmidt (2016), Theorem 1: gradient descent under the Polyak-Lojasiewicz inequality."""
    after = x.w - x.f.grad(x.w) / x.L
    gap, gap_next = (x.f.value(w) - x.f.infimum() for w in (x.w, after))
    return le(gap_next, (1 - share * x.mu / x.L) * gap)


@claim(
    "svrg/lemma1", world=Points(SmoothConvex("L"), at=("w", "v"), optimum_of="f", L=L, sizes={"S": (1,)}), expect="certified",
    control=Control("a tenth of the constant 4", share="1/10"),
)  # fmt: skip
def svrg(x, share=1):
    """Johnson, Zhang (2013), proof of Theorem 1: the second moment of the corrected gradient."""
    gw, gv = x.f.grad(x.w), x.f.grad(x.v)
    moment = x.E(lambda draw: x.sq(x.total_vec(gw - gv, over=draw) + x.mean_vec(gv)))
    gaps = x.mean(x.f.value(x.w) + x.f.value(x.v) - 2 * x.f.value(x.w_star))
    return le(moment, share * 4 * x.L * gaps)


@claim(
    "page/lemma2", world=Points(Smooth("L"), at=("w", "v"), L=L, eta=ETA), expect="proved",
    control=Control("the error of the estimator counts", share=0),
)  # fmt: skip
def page(x, share=1):
    """Li, Bao, Zhang, Richtarik (2021), Lemma 2: descent along an estimate v of the gradient."""
    g, after = x.f.grad(x.w), x.w - x.eta * x.v
    descent = x.f.value(x.w) - x.eta / 2 * x.sq(g) - (1 / (2 * x.eta) - x.L / 2) * x.sq(after - x.w)
    return le(x.f.value(after), descent + share * x.eta / 2 * x.sq(x.v - g))


@claim(
    "ef21/lemma1",
    world=Points(
        Smooth("L"), at=("w", "v", "g", "c"), L=L, alpha=between(0, 1, closed=False), s=positive(),
        given=(condition("|C(u) - u|^2 <= (1 - alpha) |u|^2 at u = grad f(v) - g",
                         lambda x: le(x.sq(x.c - x.f.grad(x.v) + x.g), (1 - x.alpha) * x.sq(x.f.grad(x.v) - x.g))),),
    ),
    expect="proved",
    control=Control("the gradient moves", share=0),
)  # fmt: skip
def ef21(x, share=1):
    """Richtarik, Sokolov, Fatkhullin (2021), Lemma 1: the error of a Markov compressor contracts."""
    error, moved = x.g - x.f.grad(x.w), x.f.grad(x.v) - x.f.grad(x.w)
    bound = (1 + x.s) * x.sq(error) + share * (1 + 1 / x.s) * x.sq(moved)
    return le(x.sq(x.g + x.c - x.f.grad(x.v)), (1 - x.alpha) * bound)


@claim(
    "fista/lemma2.3", world=Points(SmoothConvex("L"), at=("w", "y"), L=L), expect="proved",
    control=Control("attained by a linear f", share=2),
)  # fmt: skip
def fista(x, share=1):
    """Beck, Teboulle (2009), Lemma 2.3, without the second function."""
    p = x.y - x.f.grad(x.y) / x.L
    bound = share * x.L / 2 * x.sq(p - x.y) + x.L * x.dot(x.y - x.w, p - x.y)
    return le(bound, x.f.value(x.w) - x.f.value(p))


@claim(
    "guler/theorem2.1", world=Points(Convex(), optimum_of="f", sizes={"m": (1,)}, lam=positive(CURVATURE)), expect="proved",
    control=Control("attained by |w|", share="9/10"),
)  # fmt: skip
def proximal_point(x, share=1):
    """Guler (1991), Theorem 2.1, one step, with the constant of Taylor, Hendrickx, Glineur (2017)."""
    p = x.f.prox(x.w, x.lam)
    return le(x.f.value(p) - x.f.value(x.w_star), share * x.lam / 4 * x.sq(x.w - x.w_star))


@claim(
    "proxskip/appendix",
    world=Points(SmoothStronglyConvex("mu", "L"), clients_at=("W",), optimum_of="f", at=(), mu=MU, L=L, eta=ETA,
                 given=(SHORT,)),
    expect="proved",
    control=Control("the rate (1 - eta mu)^2 is attained", share="5/2"),
)  # fmt: skip
def proxskip(x, share=1):
    """Mishchenko, Malinovsky, Stich, Richtarik (2022), proof of Theorem 3.6: every client's gradient step contracts."""
    step = x.W - x.eta * x.f.grad(x.W) - (x.w_star - x.eta * x.f.grad(x.w_star))
    return le(x.mean(x.sq(step)), (1 - share * x.eta * x.mu) * x.mean(x.sq(x.W - x.w_star)))


@claim(
    "fedprox/theorem4",
    world=Points(
        SmoothStronglyConvex("mu", "L"), at=("w", "v"), mu=MU, L=L, gamma=between(0, 1),
        given=(condition("|grad h(v)| <= gamma |grad h(w)|",
                         lambda x: le(x.sq(x.f.grad(x.v)), x.gamma**2 * x.sq(x.f.grad(x.w)))),),
    ),
    expect="certified",
    control=Control("gamma counts", share=0),
)  # fmt: skip
def fedprox(x, share=1):
    """Li et al. (2020), proof of Theorem 4: how far a gamma-inexact solution lies."""
    return le(x.mu**2 * x.sq(x.v - x.w), (1 + share * x.gamma) ** 2 * x.sq(x.f.grad(x.w)))


@claim(
    "diana/memory",
    world=Points(
        None, at=("g", "h", "k"), clients_at=("v",), omega=positive(), a=positive(),
        given=(condition("E|Q(u) - u|^2 <= omega |u|^2", lambda x: le(x.mean(x.sq(x.v - x.mean_vec(x.v))),
                                                                  x.omega * x.sq(x.g - x.h))),
               condition("a <= 1/(1 + omega)", lambda x: le(x.a * (1 + x.omega), 1))),
    ),
    expect="proved",
    control=Control("the memory learns the gradient, not less", share=0),
)  # fmt: skip
def diana(x, share=1):
    """Mishchenko, Gorbunov, Takac, Richtarik (2019): the memory h contracts; the outcomes of Q(g - h) are equally likely."""
    outcomes = x.g - x.h + x.v - x.mean_vec(x.v)
    after = x.mean(x.sq(x.h + x.a * outcomes - x.k))
    return le(after, (1 - x.a) * x.sq(x.h - x.k) + share * x.a * x.sq(x.g - x.k))


@claim(
    "sarah/lemma2", world=Points(Smooth("L"), at=("w", "v", "e"), L=L, sizes={"S": (1,)}), expect="certified",
    control=Control("the full gradient moves too", share=0),
)  # fmt: skip
def sarah(x, share=1):
    """Nguyen, Liu, Scheinberg, Takac (2017), Lemma 2, one step; e is the estimator at w."""
    gw, gv = x.f.grad(x.w), x.f.grad(x.v)
    full, moved = x.mean_vec(gw), x.mean_vec(gv - gw)
    left = x.E(lambda draw: x.sq(x.e + x.total_vec(gv - gw, over=draw) - x.mean_vec(gv)))
    return eq(left, x.sq(x.e - full) + x.mean(x.sq(gv - gw)) - share * x.sq(moved))


@claim(
    "rockafellar/prop1", world=Points(Convex(), at=("w", "v"), lam=positive(CURVATURE)), expect="proved",
    control=Control("a linear f attains it", share="11/10"),
)  # fmt: skip
def firmly_nonexpansive(x, share=1):
    """Rockafellar (1976), Proposition 1(c): a proximal point is firmly nonexpansive."""
    p, q = x.f.prox(x.w, x.lam), x.f.prox(x.v, x.lam)
    return le(share * x.sq(p - q), x.dot(p - q, x.w - x.v))


@claim(
    "khaled/bregman", expect="proved", control=Control("half of the Bregman divergence", share="1/2"),
    world=Points(SmoothConvex("L"), clients_at=("W",), optimum_of="f", at=(), L=L),
)  # fmt: skip
def khaled(x, share=1):
    """Khaled, Mishchenko, Richtarik (2020): gradients at local points against those at w*."""
    slope = x.f.grad(x.w_star)
    divergence = x.f.value(x.W) - x.f.value(x.w_star) - x.dot(slope, x.W - x.w_star)
    return le(x.mean(x.sq(x.f.grad(x.W) - slope)), share * 2 * x.L * x.mean(divergence))


@claim(
    "stich/lemma3.2", expect="proved", control=Control("the mean of one client is the client", share="9/10"),
    world=Points(None, at=(), clients_at=("v",), sizes={"S": (1, 2, 3)}),
)  # fmt: skip
def stich(x, share=1):
    """Stich (2019), Lemma 3.2: independent errors average out, here by sampling clients without replacement."""
    mean = x.mean_vec(x.v)
    error = x.E(lambda draw: x.sq(x.total_vec(x.v, over=draw) / x.S - mean))
    return le(error, share * x.mean(x.sq(x.v - mean)) / x.S)
