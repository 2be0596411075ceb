"""Statements about each of the newer classes, true with a constant that is attained, or approached, and false with 99 % of it."""

from fedtheory import le
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, NUMBER, STEP
from problems import (
    Cocoercive,
    CocoerciveStronglyMonotone,
    ConvexIndicator,
    ConvexLipschitz,
    ConvexQG,
    ConvexSupport,
    LipschitzMap,
    LipschitzMonotone,
    LipschitzOperator,
    LipschitzStronglyMonotone,
    Monotone,
    Nonexpansive,
    Points,
    RsiEb,
    SmoothConvexLipschitz,
    StronglyMonotone,
    Together,
    between,
    positive,
)

UNITS = {
    "mu": CURVATURE,
    "L": CURVATURE,
    "beta": 1 / CURVATURE,
    "lam": CURVATURE,
    "M": GRADIENT,
    "eta": STEP,
    "D": LENGTH,
}
UNITS |= {"R": LENGTH, "q": NUMBER}


def scalars(*names):
    return {name: positive(UNITS[name]) for name in names}


def operator(kind, *names):
    return Points(kind, at=("w", "v"), optimum_of="f", sizes={"m": (1,)}, **scalars(*names))


def among(kind, *names, **more):
    return Together({"f": kind}, at=("w", "v"), **scalars(*names), **more)


def u(x):
    return x.w - x.v


def a(x):
    return x.f.grad(x.w) - x.f.grad(x.v)


def away(x):
    return x.w - x.w_star


def moved(x):
    return x.f.prox(x.w, x.lam) - x.f.prox(x.v, x.lam)


def gap(x):
    return x.f.value(x.w) - x.f.value(x.w_star)


def g(x):
    return x.f.grad(x.w)


def twice(x):
    y = x.f.prox(x.w, x.lam)
    return le(4 * x.sq(x.f.prox(y, x.lam) - y), x.sq(away(x)))


FIRM = {
    "firm": lambda x, s=1: le(x.sq(moved(x)), s * x.dot(moved(x), u(x))),
    "nonexpansive": lambda x, s=1: le(x.sq(moved(x)), s * x.sq(u(x))),
    "Pythagoras": lambda x, s=1: le(
        x.sq(x.f.prox(x.w, x.lam) - x.w_star) + x.sq(x.f.prox(x.w, x.lam) - x.w), s * x.sq(away(x))
    ),
    "reflected": lambda x, s=1: le(x.sq(2 * moved(x) - u(x)), s * x.sq(u(x))),
    "away": lambda x, s=1: le(x.sq(x.f.prox(x.w, x.lam) - x.w_star), s * x.sq(away(x))),
}
STRONG = {
    "strong": lambda x, s=1: le(x.mu * x.sq(u(x)), s * x.dot(a(x), u(x))),
    "long": lambda x, s=1: le(x.mu**2 * x.sq(u(x)), s * x.sq(a(x))),
    "across": lambda x, s=1: le(x.mu * x.dot(a(x), u(x)), s * x.sq(a(x))),
}
CONTRACTS = {
    "contracts": lambda x, s=1: le(x.sq(moved(x)) * (x.lam + x.mu) ** 2, s * x.lam**2 * x.sq(u(x))),
    "firmly": lambda x, s=1: le(x.sq(moved(x)) * (x.lam + x.mu), s * x.lam * x.dot(moved(x), u(x))),
}
SHORT = {
    "cocoercive": lambda x, s=1: le(x.beta * x.sq(a(x)), s * x.dot(a(x), u(x))),
    "Lipschitz": lambda x, s=1: le(x.beta**2 * x.sq(a(x)), s * x.sq(u(x))),
    "far step": lambda x, s=1: le(x.sq(u(x) - 2 * x.beta * a(x)), s * x.sq(u(x))),
    "step": lambda x, s=1: le(x.sq(u(x) - x.beta * a(x)) + x.beta**2 * x.sq(a(x)), s * x.sq(u(x))),
    "upper": lambda x, s=1: le(x.beta * x.dot(a(x), u(x)), s * x.sq(u(x))),
}
BOUNDED = {
    "length": lambda x, s=1: le(x.sq(a(x)), s * x.L**2 * x.sq(u(x))),
    "along": lambda x, s=1: le(x.dot(a(x), u(x)), s * x.L * x.sq(u(x))),
}
LIPSCHITZ = {
    **BOUNDED,
    "against": lambda x, s=1: le(-x.dot(a(x), u(x)), s * x.L * x.sq(u(x))),
    "step": lambda x, s=1: le(x.sq(x.L * u(x) - a(x)), 4 * s * x.L**2 * x.sq(u(x))),
    "half": lambda x, s=1: le(x.sq(2 * x.L * u(x) + a(x)), 9 * s * x.L**2 * x.sq(u(x))),
}
BOTH = {
    **BOUNDED,
    "strong": STRONG["strong"],
    "across": STRONG["across"],
    "turned": lambda x, s=1: le(
        x.sq(u(x) - x.mu / x.L**2 * a(x)) + (1 - s) * x.sq(u(x)), (1 - x.mu**2 / x.L**2) * x.sq(u(x))
    ),
}
FIXED = {
    "map": lambda x, s=1: le(x.sq(a(x)), s * x.sq(u(x))),
    "Fejer": lambda x, s=1: le(x.sq(g(x) - x.w_star), s * x.sq(away(x))),
    "residual": lambda x, s=1: le(x.sq(g(x) - x.w), 4 * s * x.sq(away(x))),
    "averaged": lambda x, s=1: le(x.sq((x.w + g(x)) / 2 - x.w_star) + x.sq(g(x) - x.w) / 4, s * x.sq(away(x))),
    "Halpern": lambda x, s=1: le(x.sq((x.w + g(x)) / 2 - x.f.grad((x.w + g(x)) / 2)), s * x.sq(away(x))),
}
CONTRACTION = {
    "map": lambda x, s=1: le(x.sq(a(x)), s * x.q**2 * x.sq(u(x))),
    "Fejer": lambda x, s=1: le(x.sq(g(x) - x.w_star), s * x.q**2 * x.sq(away(x))),
    "residual": lambda x, s=1: le(x.sq(g(x) - x.w), s * (1 + x.q) ** 2 * x.sq(away(x))),
    "distance": lambda x, s=1: le((1 - x.q) ** 2 * x.sq(away(x)), s * x.sq(g(x) - x.w)),
    "twice": lambda x, s=1: le(x.sq(x.f.grad(g(x)) - x.w_star), s * x.q**4 * x.sq(away(x))),
}
STEEP = {
    "short": lambda x, s=1: le(x.sq(g(x)), s * x.M**2),
    "difference": lambda x, s=1: le(x.sq(a(x)), 4 * s * x.M**2),
    "sum": lambda x, s=1: le(x.sq(g(x) + x.f.grad(x.v)), 4 * s * x.M**2),
    "step": lambda x, s=1: le(
        x.sq(x.w - x.eta * g(x) - x.w_star), x.sq(away(x)) - 2 * x.eta * gap(x) + s * x.eta**2 * x.M**2
    ),
    "gap": lambda x, s=1: le(2 * x.eta * gap(x), s * (x.sq(away(x)) + x.eta**2 * x.M**2)),
}
SMOOTH_STEEP = {
    "short": STEEP["short"],
    "difference": STEEP["difference"],
    "cocoercive": lambda x, s=1: le(x.sq(a(x)), s * x.L * x.dot(a(x), u(x))),
    "below": lambda x, s=1: le(x.sq(g(x)), 2 * s * x.L * gap(x)),
    "step": STEEP["step"],
}


def descended(n):
    """n steps of 1/(5 L) on a function with a quadratic upper bound."""

    def body(x, s=1):
        w = x.w
        for _ in range(n):
            w = w - x.f.grad(w) / (5 * x.L)
        return le(x.f.value(w) - x.f.value(x.w_star), s * x.L * x.ratio(5, 10 + 4 * n) * x.sq(away(x)))

    return body


GROWTH = {
    "upper": lambda x, s=1: le(gap(x), s * x.L / 2 * x.sq(away(x))),
    "below": lambda x, s=1: le(x.sq(g(x)) + 2 * x.L * gap(x), 2 * s * x.L * x.dot(g(x), away(x))),
    "one step": descended(1),
    "two steps": descended(2),
    "convex": lambda x, s=1: le(gap(x), s * x.dot(g(x), away(x))),
}
SECANT = {
    "secant": lambda x, s=1: le(x.mu * x.sq(away(x)), s * x.dot(g(x), away(x))),
    "error": lambda x, s=1: le(x.sq(g(x)), s * x.L**2 * x.sq(away(x))),
    "along": lambda x, s=1: le(x.dot(g(x), away(x)), s * x.L * x.sq(away(x))),
    "step": lambda x, s=1: le(x.sq(x.w - x.mu / x.L**2 * g(x) - x.w_star), s * (1 - x.mu**2 / x.L**2) * x.sq(away(x))),
    "long step": lambda x, s=1: le(x.sq(x.w - g(x) / x.L - x.w_star), 2 * s * (1 - x.mu / x.L) * x.sq(away(x))),
}
SET = {
    **{k: FIRM[k] for k in ("firm", "Pythagoras", "away")},
    "diameter": lambda x, s=1: le(x.sq(moved(x)), s * x.D**2),
    "extreme": lambda x, s=1: le(x.sq(x.f.where_grad(x.lam * x.w) - x.w_star), s * x.D**2),
}
HULL = {
    "short": STEEP["short"],
    "subadditive": lambda x, s=1: le(x.f.value(x.w + x.v), s * (x.f.value(x.w) + x.f.value(x.v))),
    "homogeneous": lambda x, s=1: le(x.f.value(2 * x.w), 2 * s * x.f.value(x.w)),
    "steep": lambda x, s=1: le(2 * x.R * x.f.value(x.w), s * x.M * (x.sq(x.w) + x.R**2)),
    "projected": lambda x, s=1: le(x.lam**2 * x.sq(x.w - x.f.prox(x.w, x.lam)), s * x.M**2),
}
ZERO = {"zero_of": ("f",)}
PLANTED = {  # a world and five statements about it
    "monotone": (operator(Monotone(), "lam"), FIRM),
    "monotone, by name": (among(Monotone(), "lam", **ZERO), FIRM),
    "strongly monotone": (operator(StronglyMonotone(), "mu", "lam"), STRONG | CONTRACTS),
    "cocoercive": (operator(Cocoercive(), "beta"), SHORT),
    "Lipschitz": (operator(LipschitzOperator(), "L"), LIPSCHITZ),
    "nonexpansive": (among(Nonexpansive(), fixed_of="f"), FIXED),
    "contraction": (
        Together({"f": LipschitzMap("q")}, at=("w", "v"), fixed_of="f", q=between(0, 1, closed=False)),
        CONTRACTION,
    ),
    "Lipschitz strongly monotone": (operator(LipschitzStronglyMonotone(), "mu", "L"), BOTH),
    "Lipschitz monotone": (operator(LipschitzMonotone(), "L"), {k: LIPSCHITZ[k] for k in ("length", "along")}),
    "Lipschitz monotone, by name": (
        among(LipschitzMonotone(), "L", "lam", **ZERO),
        {"length": LIPSCHITZ["length"], **{k: FIRM[k] for k in ("firm", "Pythagoras", "away", "reflected")}},
    ),
    "cocoercive strongly monotone": (operator(CocoerciveStronglyMonotone(), "mu", "beta"), SHORT | STRONG),
    "short subgradients": (operator(ConvexLipschitz(), "M", "eta"), STEEP),
    "short gradients": (operator(SmoothConvexLipschitz(), "L", "M", "eta"), SMOOTH_STEEP),
    "short subgradients, by name": (among(ConvexLipschitz(), "M", "eta", **ZERO), STEEP),
    "quadratic upper bound": (operator(ConvexQG(), "L"), GROWTH),
    "restricted secant": (operator(RsiEb(), "mu", "L"), SECANT),
    "indicator": (among(ConvexIndicator("D"), "D", "lam", **ZERO), SET),
    "support": (among(ConvexSupport("M"), "M", "R", "lam"), HULL),
}
ROWS = [(kind, name) for kind, (_, bodies) in PLANTED.items() for name in bodies]
