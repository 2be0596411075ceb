"""Unconstrained minimisation of PEPit's list, with the rates that are known to be tight.

References stand in PEPit's examples of the same names (github.com/PerformanceEstimation/PEPit, 0.5). Where a method has roots the
number of steps, or the parameters, are such that they are rational.
"""

from fedtheory import eq, le
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP, VALUE
from problems import (
    Convex,
    ConvexLipschitz,
    ConvexQG,
    RsiEb,
    SmoothConvex,
    SmoothStronglyConvex,
    Together,
    condition,
    positive,
)  # fmt: skip

from .pair import listed, pair

RANGES = {"mu": positive(CURVATURE), "L": positive(CURVATURE), "M": positive(GRADIENT), "R": positive(LENGTH)}


def alone(kind, at=("w",), given=(), **more):
    """One function with its minimiser."""
    return Together({"f": kind}, at=at, zero_of=("f",), given=given, **more, **{k: RANGES[k] for k in kind.needs})


def gap(x, w):
    """f(w) less its least value."""
    return x.f.value(w) - x.f.value(x.w_star)


def start(x):
    """The squared distance at the start."""
    return x.sq(x.w - x.w_star)


CONVEX, STRONG = alone(SmoothConvex("L")), alone(SmoothStronglyConvex("mu", "L"))
SHORT = alone(Convex(), lam=positive(CURVATURE))


@pair("gradient_descent", CONVEX)
def descent(x, share=1, n=3):
    w = x.w
    for _ in range(n):
        w = w - x.f.grad(w) / x.L
    return le(gap(x, w), share * x.L / (4 * n + 2) * start(x))


@pair(
    "gradient_descent_contraction",
    Together({"f": SmoothStronglyConvex("mu", "L")}, at=("w", "v"), mu=RANGES["mu"], L=RANGES["L"]),
)
def contraction(x, share=1):
    """n = 1 and gamma = 1/L."""
    after = x.w - x.v - (x.f.grad(x.w) - x.f.grad(x.v)) / x.L
    return le(x.sq(after), share * (1 - x.mu / x.L) ** 2 * x.sq(x.w - x.v))


@pair("proximal_point", SHORT)
def proximal(x, share=1, n=3):
    w = x.w
    for _ in range(n):
        w = x.f.prox(w, x.lam)
    return le(gap(x, w), share * x.lam / (4 * n) * start(x))


def nesterov(n, momentum, tau):
    """A step of 1/L from w + momentum(i) (w - w before)."""

    def body(x, share=1):
        w = y = x.w
        for i in range(n):
            before, w = w, y - x.f.grad(y) / x.L
            y = w + momentum(x, i) * (w - before)
        return le(gap(x, w), share * tau(x) * x.L * start(x))

    return body


pair("accelerated_gradient_convex", CONVEX)(nesterov(1, lambda x, i: 0, lambda x: x.ratio(1, 6)))
pair("accelerated_gradient_convex_simplified", CONVEX)(
    nesterov(2, lambda x, i: x.ratio(i, i + 3), lambda x: x.ratio(2, 20))
)


@pair("accelerated_gradient_strongly_convex", alone(SmoothStronglyConvex("mu", "L"), **listed(mu="1/9", L=1)))
def strongly(x, share=1, n=2):
    """mu = L/9; the bound (1 - 1/3)^2 is not tight, PEPit has 0.322227, a number."""
    w = y = x.w
    for _ in range(n):
        before, w = w, y - x.f.grad(y) / x.L
        y = w + (w - before) / 2
    return le(gap(x, w), share * x.ratio(32225, 100000) * (gap(x, x.w) + x.mu / 2 * start(x)))


@pair("optimized_gradient", CONVEX)
def optimized(x, share=1):
    """n = 1, where theta = 2."""
    w = x.w - x.f.grad(x.w) / x.L
    return le(gap(x, w + (w - x.w) / 2), share * x.L / 8 * start(x))


@pair("low-dimensional-optimized_gradient", alone(SmoothConvex("L"), **listed(L=3)))
def optimized_listed(x, share=1):
    return optimized(x, share)


@pair("optimized_gradient_for_gradient", CONVEX)
def for_gradient(x, share=1):
    """n = 1, where theta = 2."""
    after = x.w - 3 * x.f.grad(x.w) / (2 * x.L)
    return le(x.sq(x.f.grad(after)), share * x.L / 2 * gap(x, x.w))


@pair("information_theoretic_exact_method", STRONG)
def exact(x, share=1):
    """n = 1: A = 4/(1 - q)^2 with q = mu/L."""
    q = x.mu / x.L
    delta = 2 / (1 + q)
    z = x.w - delta / x.L * x.f.grad(x.w)
    return le(x.sq(z - x.w_star), share * (1 - q) ** 2 / (1 + q) ** 2 * start(x))


@pair("triple_momentum", alone(SmoothStronglyConvex("mu", "L"), **listed(mu="1/9", L=1)))
def triple(x, share=1, n=2):
    """mu = L/9, so that rho = 2/3."""
    rho = x.ratio(2, 3)
    beta, gamma, delta = rho**2 / (2 - rho), rho**2 / (1 + rho) / (2 - rho), rho**2 / (1 - rho**2)
    old = new = y = x.w
    for _ in range(n):
        inter = (1 + beta) * new - beta * old - (1 + rho) / x.L * x.f.grad(y)
        y = (1 + gamma) * inter - gamma * new
        w = (1 + delta) * inter - delta * new
        new, old = inter, new
    return le(gap(x, w), share * rho ** (2 * n) * x.L * x.ratio(9, 2) * start(x))


@pair("robust_momentum", alone(SmoothStronglyConvex("mu", "L"), at=("v", "w"), **listed(mu="1/9", L=1)))
def robust(x, share=1):
    """mu = L/9, lam = 1/5: rho = 8/45 + 8/15."""
    kappa, rho = 9, x.ratio(32, 45)
    alpha = kappa * (1 - rho) ** 2 * (1 + rho) / x.L
    beta, gamma = kappa * rho**3 / (kappa - 1), rho**3 / ((kappa - 1) * (1 - rho) ** 2 * (1 + rho))
    ell = x.mu**2 * (kappa - kappa * rho**2 - 1) / (2 * rho * (1 - rho))

    def potential(z, y):
        off = x.f.grad(y) - x.mu * (y - x.w_star)
        q = (x.L - x.mu) * (gap(x, y) - x.mu / 2 * x.sq(y - x.w_star)) - x.sq(off) / 2
        return ell * x.sq(z - x.w_star) + q

    y0 = x.w + gamma * (x.w - x.v)
    x2 = x.w + beta * (x.w - x.v) - alpha * x.f.grad(y0)
    y1 = x2 + gamma * (x2 - x.w)
    x3 = x2 + beta * (x2 - x.w) - alpha * x.f.grad(y1)
    first, second = (x2 - rho**2 * x.w) / (1 - rho**2), (x3 - rho**2 * x2) / (1 - rho**2)
    return le(potential(second, y1), share * rho**2 * potential(first, y0))


@pair("heavy_ball_momentum", alone(SmoothStronglyConvex("mu", "L"), **listed(mu="2/9", L=1)))
def heavy_ball(x, share=1):
    """n = 1, alpha = 1/2, mu = 2 L/9: the bound 1 - alpha mu is not tight, PEPit has 0.790117, a number: (1 - alpha mu)^2."""
    return le(gap(x, x.w - x.f.grad(x.w) / (2 * x.L)), share * x.ratio(64, 81) * gap(x, x.w))


@pair("accelerated_proximal_point", alone(Convex(), **listed(lam=10), lam=positive(CURVATURE)))
def accelerated_proximal(x, share=1):
    """n = 1, A0 = 5, gamma = 1/10: alpha = 1/2; the bound 8 is not tight, PEPit has 0.381966, a number."""
    return le(gap(x, x.f.prox(x.w, x.lam)), share * x.ratio(38197, 100000) * (gap(x, x.w) + x.lam / 4 * start(x)))


# quadratic upper bounds, restricted secants, short subgradients

QG = alone(ConvexQG("L"))


@pair("gradient_descent_qg_convex", QG)
def upper(x, share=1, n=3):
    """gamma = 1/(5 L)."""
    w = x.w
    for _ in range(n):
        w = w - x.f.grad(w) / (5 * x.L)
    return le(gap(x, w), share * x.L * x.ratio(5, 10 + 4 * n) * start(x))


@pair("gradient_descent_qg_convex_decreasing", QG)
def decreasing(x, share=1):
    """n = 1: the first step is 1/(2 L)."""
    return le(gap(x, x.w - x.f.grad(x.w) / (2 * x.L)), share * x.L / 4 * start(x))


@pair("heavy_ball_momentum_qg_convex", QG)
def heavy(x, share=1, n=2):
    new = old = x.w
    for t in range(n):
        after = new - x.f.grad(new) / (x.L * (t + 2)) + x.ratio(t, t + 2) * (new - old)
        old, new = new, after
    return le(gap(x, new), share * x.L / (2 * (n + 1)) * start(x))


@pair("subgradient_method_rsi_eb", alone(RsiEb("mu", "L")))
def secant(x, share=1, n=3):
    """gamma = mu/L^2."""
    w = x.w
    for _ in range(n):
        w = w - x.mu / x.L**2 * x.f.grad(w)
    return le(x.sq(w - x.w_star), share * (1 - x.mu**2 / x.L**2) ** n * start(x))


@pair("subgradient_method", alone(ConvexLipschitz("M"), eta=positive(STEP)))
def subgradient(x, share=1, n=3):
    """The mean of n + 1 gaps, of which PEPit has the least, for every step eta; M R/sqrt(n + 1) with the best one."""
    w, gaps = x.w, []
    for _ in range(n + 1):
        gaps.append(gap(x, w))
        w = w - x.eta * x.f.grad(w)
    return le(2 * x.eta * sum(gaps), share * (start(x) + (n + 1) * x.eta**2 * x.M**2))


# exact line searches, and gradients with a relative error: what is known of the points stands in conditions


def searched(x):
    return eq(x.dot(x.f.grad(x.v), x.f.grad(x.w)), 0), eq(x.dot(x.f.grad(x.v), x.v - x.w), 0)


def estimate(x):
    """The gradient with its error."""
    return x.L * x.g


def along(x):
    return eq(x.dot(x.f.grad(x.v), estimate(x)), 0), eq(x.dot(x.f.grad(x.v), x.v - x.w), 0)


def relative(x):
    return le(x.sq(estimate(x) - x.f.grad(x.w)), x.eps**2 * x.sq(x.f.grad(x.w)))


LINE = condition("v is the least on the line along the gradient", searched)
ALONG = condition("v is the least on the line along g", along)
ERROR = condition("|g - grad f(w)| <= eps |grad f(w)|", relative)


@pair("gradient_exact_line_search", alone(SmoothStronglyConvex("mu", "L"), at=("w", "v"), given=(LINE,)))
def line_search(x, share=1):
    """n = 1."""
    return le(gap(x, x.v), share * ((x.L - x.mu) / (x.L + x.mu)) ** 2 * gap(x, x.w))


@pair("conjugate_gradient", alone(SmoothConvex("L"), at=("w", "v"), given=(LINE,)))
def conjugate(x, share=1):
    """n = 1, where theta = 2."""
    return le(gap(x, x.v), share * x.L / 8 * start(x))


@pair("conjugate_gradient_qg_convex", alone(ConvexQG("L"), at=("w", "v"), given=(LINE,)))
def conjugate_upper(x, share=1):
    """n = 1."""
    return le(gap(x, x.v), share * x.L / 4 * start(x))


def errors(mu, L, eps):
    """PEPit's parameters beside conditions."""
    more = listed(mu=mu, L=L, eps=eps)
    return lambda *given: {"given": (*given, *more["given"]), "example": more["example"], "eps": positive()}


TENTH = errors("1/10", 1, "1/10")


def shrinks(x):
    """((L' - mu')/(L' + mu'))^2 with L' = (1 + eps) L and mu' = (1 - eps) mu."""
    L, mu = (1 + x.eps) * x.L, (1 - x.eps) * x.mu
    return ((L - mu) / (L + mu)) ** 2, 2 / (L + mu)


@pair("inexact_gradient_descent", alone(SmoothStronglyConvex("mu", "L"), at=("w", "g"), **TENTH(ERROR)))
def inexact(x, share=1):
    """n = 1."""
    rate, gamma = shrinks(x)
    return le(gap(x, x.w - gamma * estimate(x)), share * rate * gap(x, x.w))


@pair(
    "low-dimensional-inexact_gradient",
    alone(SmoothStronglyConvex("mu", "L"), at=("w", "g"), **errors("1/5", 2, "1/5")(ERROR)),
)
def inexact_again(x, share=1):
    return inexact(x, share)


@pair(
    "inexact_gradient_exact_line_search",
    alone(SmoothStronglyConvex("mu", "L"), at=("w", "g", "v"), **TENTH(ERROR, ALONG)),
)
def inexact_search(x, share=1):
    """n = 1, mu = eps = L/10: the rate 0.7203587 rounded up."""
    return le(gap(x, x.v), share * x.ratio(72040, 100000) * gap(x, x.w))


@pair(
    "inexact_accelerated_gradient",
    alone(
        SmoothConvex("L"),
        at=("w", "g"),
        given=(ERROR, *listed(L=1, eps="1/10")["given"]),
        example={"L": 1, "eps": "1/10"},
        eps=positive(),
    ),
)
def inexact_accelerated(x, share=1):
    """n = 1; PEPit has a number only, 0.178571."""
    return le(gap(x, x.w - x.g), share * x.ratio(17858, 100000) * x.L * start(x))


def tilted(x):
    """g is an eps-subgradient at w: a subgradient at some y, and f(y) + <g, w - y> >= f(w) - eps."""
    return le(x.f.value(x.w) - x.f.value(x.y) - x.dot(x.f.grad(x.y), x.w - x.y), x.eps)


def lengths(x):
    g = x.w - x.eta * x.f.grad(x.y)
    return le(x.sq(x.f.grad(x.y)), x.M**2), le(x.sq(x.f.grad(g)), x.M**2)


@pair(
    "epsilon_subgradient_method",
    alone(
        Convex(),
        at=("w", "y"),
        given=(condition("g is an eps-subgradient at w", tilted), condition("|g| <= M", lengths)),
        eps=positive(VALUE),
        M=positive(GRADIENT),
        eta=positive(STEP),
    ),
)
def epsilon(x, share=1):
    """The sum of both gaps after n = 1 step. The bound is not tight: with 99 % it may hold."""
    after = x.w - x.eta * x.f.grad(x.y)
    return le(2 * x.eta * (gap(x, x.w) + gap(x, after)), share * (start(x) + 4 * x.eta * x.eps + 2 * x.eta**2 * x.M**2))
