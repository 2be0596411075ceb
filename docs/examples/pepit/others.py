"""The other chapters of PEPit's list: adaptive steps, flows, potentials, non-convex, online, randomised, inexact, projections.

References stand in PEPit's examples of the same names (github.com/PerformanceEstimation/PEPit, 0.5). Where PEPit has the least of
several quantities the claim is about their mean, which is at least that.
"""

from fedtheory import eq, le
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import (
    Convex,
    ConvexIndicator,
    ConvexLipschitz,
    Lojasiewicz,
    Points,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    StronglyConvex,
    Together,
    at_least,
    condition,
    positive,
)  # fmt: skip

from .pair import listed, pair

RANGES = {"mu": positive(CURVATURE), "L": positive(CURVATURE), "M": positive(GRADIENT), "D": positive(LENGTH)}


def alone(kind, at=("w",), **more):
    """One function with its minimiser."""
    return Together({"f": kind}, at=at, zero_of=("f",), **more, **{k: RANGES[k] for k in kind.needs})


def gap(x, w):
    """f(w) less its least value."""
    return x.f.value(w) - x.f.value(x.w_star)


def start(x):
    """The squared distance at the start."""
    return x.sq(x.w - x.w_star)


# adaptive steps: Polyak's step as a condition

POLYAK = condition("gamma |g|^2 = 2 (f(w) - f*)", lambda x: eq(x.gamma * x.sq(x.f.grad(x.w)), 2 * gap(x, x.w)))
OTHER = condition(
    "|g|^2 = 2 L (2 - L gamma) (f(w) - f*)",
    lambda x: eq(x.sq(x.f.grad(x.w)), 2 * x.L * (2 - x.L * x.gamma) * gap(x, x.w)),
)
SHORT, LONG = (
    condition("1 <= L gamma", lambda x: le(1, x.L * x.gamma)),
    condition("mu gamma <= 1", lambda x: le(x.mu * x.gamma, 1)),
)
UPTO = condition("gamma <= (2 L - mu)/L^2", lambda x: le(x.gamma * x.L**2, 2 * x.L - x.mu))


@pair(
    "polyak_steps_in_distance_to_optimum",
    alone(SmoothStronglyConvex("mu", "L"), given=(POLYAK, SHORT, LONG), gamma=positive(STEP)),
)
def polyak(x, share=1):
    after = x.w - x.gamma * x.f.grad(x.w)
    tau = (x.gamma * x.L - 1) * (1 - x.gamma * x.mu) / (x.gamma * (x.L + x.mu) - 1)
    return le(x.sq(after - x.w_star), share * tau * start(x))


@pair(
    "polyak_steps_in_function_value",
    alone(SmoothStronglyConvex("mu", "L"), given=(OTHER, SHORT, UPTO), gamma=positive(STEP)),
)
def polyak_value(x, share=1):
    after = x.w - x.gamma * x.f.grad(x.w)
    tau = (x.gamma * x.L - 1) * (x.L * x.gamma * (3 - x.gamma * (x.L + x.mu)) - 1)
    return le(gap(x, after), share * tau * gap(x, x.w))


# flows: the derivative of a potential, with its negative part on the right


@pair("gradient_flow_convex", alone(Convex(), t=positive(STEP)))
def flow(x, share=1):
    g = x.f.grad(x.w)
    return le(gap(x, x.w), share * (x.t * x.sq(g) + x.dot(x.w - x.w_star, g)))


@pair("gradient_flow_strongly_convex", alone(StronglyConvex("mu")))
def strong_flow(x, share=1):
    return le(2 * x.mu * gap(x, x.w), share * x.sq(x.f.grad(x.w)))


@pair("accelerated_gradient_flow_convex", alone(Convex(), at=("w", "v"), t=positive()))
def fast_flow(x, share=1):
    """The velocity is v/t and time has no unit: w'' = -3/t w' - g."""
    v, g = x.v / x.t, x.f.grad(x.w)
    acceleration = -3 * v / x.t - g
    inner = 4 * x.dot(x.w - x.w_star + x.t * v / 2, 3 * v / 2 + x.t * acceleration / 2)
    return le(2 * x.t * gap(x, x.w) + x.t**2 * x.dot(v, g), -share * inner)


@pair(
    "accelerated_gradient_flow_strongly_convex",
    alone(
        StronglyConvex("mu"),
        at=("w", "v"),
        q=positive(),
        given=(condition("mu = q^2", lambda x: eq(x.mu, x.q**2)),),
        example={"mu": 1, "q": 1},
    ),
)
def fast_strong_flow(x, share=1):
    """q is the root of mu; the derivative is at most -q times the potential."""
    away, g = x.w - x.w_star, x.f.grad(x.w)
    acceleration = -2 * x.q * x.v - g
    potential = gap(x, x.w) + x.sq(x.q * away + x.v) / 2
    rest = x.dot(x.q * away + x.v, x.q * x.v + acceleration)
    return le(x.dot(g, x.v) + x.q * potential, -share * rest)


# potentials


@pair("gradient_descent_lyapunov_1", alone(SmoothConvex("L"), n=at_least(0)))
def lyapunov_1(x, share=1):
    after = x.w - x.f.grad(x.w) / x.L
    before = x.n * gap(x, x.w) + x.L / 2 * start(x)
    return le((x.n + 1) * gap(x, after) + x.L / 2 * x.sq(after - x.w_star), share * before)


@pair("gradient_descent_lyapunov_2", alone(SmoothConvex("L"), n=at_least(0)))
def lyapunov_2(x, share=1):
    after = x.w - x.f.grad(x.w) / x.L

    def potential(w, n):
        return (2 * n + 1) * x.L * gap(x, w) + n * (n + 2) * x.sq(x.f.grad(w)) + x.L**2 * x.sq(w - x.w_star)

    return le(potential(after, x.n + 1), share * potential(x.w, x.n))


@pair("potential-accelerated_gradient_method", alone(SmoothConvex("L"), at=("w", "z"), t=at_least(1)))
def accelerated(x, share=1):
    """t is the next lambda, so that the square of this one is t^2 - t."""
    y = (1 - 1 / x.t) * x.w + x.z / x.t
    g = x.f.grad(y)
    after, ahead = y - g / x.L, x.z - x.t / x.L * g
    before = (x.t**2 - x.t) * gap(x, x.w) + x.L / 2 * x.sq(x.z - x.w_star)
    return le(x.t**2 * gap(x, after) + x.L / 2 * x.sq(ahead - x.w_star), share * before)


# not convex


@pair("nonconvex-gradient_descent", Together({"f": Smooth("L")}, L=RANGES["L"]))
def descent(x, share=1, n=2):
    """gamma = 1/L: a mean of |grad|^2 with the weights 1/2, 3/4, ..., 3/4, 1/4."""
    w, total = x.w, 0 * x.sq(x.w)
    for t in range(n + 1):
        g = x.f.grad(w)
        total = total + x.sq(g) * (x.ratio(1, 2) if t == 0 else x.ratio(1, 4) if t == n else x.ratio(3, 4))
        last, w = w, w - g / x.L
    return le(total, share * x.L * (x.f.value(x.w) - x.f.value(last)))


@pair("low-dimensional-gradient_descent", Together({"f": Smooth("L")}, **listed(L=1), L=RANGES["L"]))
def descent_listed(x, share=1):
    return descent(x, share, n=1)


LOJASIEWICZ = Points(Lojasiewicz("mu", "L"), sizes={"m": (1,)}, mu=RANGES["mu"], L=RANGES["L"])


@pair("gradient_descent_quadratic_lojasiewicz_naive", LOJASIEWICZ)
def lojasiewicz(x, share=1):
    """gamma = 1/L, n = 1. Only necessary inequalities: the class is not known to attain the rate."""
    after = x.w - x.f.grad(x.w) / x.L
    low = x.f.infimum()
    return le((2 * x.L + x.mu) * (x.f.value(after) - low), 2 * share * (x.L - x.mu) * (x.f.value(x.w) - low))


# without Lipschitz gradients: f = (d - e)/2 and h = (d + e)/(2 L) with convex d and e; C is a set

MIRROR = Together({"d1": Convex(), "d2": Convex(), "C": ConvexIndicator()})


def relative(x, share, gamma, n, forward):
    """gamma in units of 1/L: h is (d1 + d2)/2, and a step minimises <gamma grad f, .> plus its distance."""
    w, total = x.w, 0 * x.sq(x.w)
    x.C.value(w)

    def both(u, v):
        return sum(d.value(u) - d.value(v) - x.dot(d.grad(v), u - v) for d in (x.d1, x.d2)) / 2

    for _ in range(n):
        g1, g2 = x.d1.grad(w), x.d2.grad(w)
        before, w = w, x.d1.where_grad(g1 + g2 - gamma * (g2 - g1), x.d2, x.C)
        total = total + (both(w, before) if forward else both(before, w))
    fall = (x.d2.value(x.w) - x.d1.value(x.w) - x.d2.value(w) + x.d1.value(w)) / 2
    return total, fall


@pair("no_lips_1", MIRROR)
def no_lips_1(x, share=1):
    """gamma = 1/(2 L), n = 2."""
    total, fall = relative(x, share, x.ratio(1, 2), 2, True)
    return le(total, share * fall)


@pair("no_lips_2", MIRROR)
def no_lips_2(x, share=1):
    """gamma = 1/L, n = 2."""
    total, fall = relative(x, share, x.ratio(1, 1), 2, False)
    return le(total, share * fall)


# online learning: n functions over a set, against a reference in it


def regret(n, step, **more):
    """A world of n functions, and the regret of the points that `step` makes."""
    kinds = {f"f{i}": ConvexLipschitz("M") for i in range(n)}
    world = Together({**kinds, "C": ConvexIndicator("D")}, at=("w", "u"), **more, M=RANGES["M"], D=RANGES["D"])

    def total(x):
        for p in (x.w, x.u):
            x.C.value(p)
        w, past, out = x.w, [], 0 * x.sq(x.w)
        for i in range(n):
            f = getattr(x, f"f{i}")
            out = out + f.value(w) - f.value(x.u)
            past.append((f, f.grad(w)))
            w = step(x, w, past) if i < n - 1 else w
        return out

    return world, total


def eta(x, root):
    """D/(M sqrt(n))."""
    return x.D / (x.M * root)


GD_WORLD, GD_REGRET = regret(
    4, lambda x, w, past: x.C.prox(w - eta(x, 2) * past[-1][1], 1 / eta(x, 2)), **listed(M="1/10", D="1/10")
)


@pair("online_gradient_descent", GD_WORLD)
def online_descent(x, share=1):
    """n = 4."""
    return le(GD_REGRET(x), share * 2 * x.M * x.D)


REGULARISED, REGULARISED_REGRET = regret(
    4, lambda x, w, past: x.C.prox(x.w, 1 / eta(x, 2), *(f for f, _ in past)), **listed(M="1/10", D="1/10")
)


@pair("online_follow_regularized_leader", REGULARISED)
def regularised(x, share=1):
    """n = 4."""
    return le(REGULARISED_REGRET(x), share * 2 * x.M * x.D)


LEADER, LEADER_REGRET = regret(
    2, lambda x, w, past: x.C.where_grad(0 * past[0][1], *(f for f, _ in past)), **listed(M="1/10", D="1/10")
)


@pair("online_follow_leader", LEADER)
def leader(x, share=1):
    """n = 2; PEPit has a number only, 1.866026."""
    return le(LEADER_REGRET(x), share * x.ratio(18661, 10000) * x.M * x.D)


WOLFE, WOLFE_REGRET = regret(
    3,
    lambda x, w, past: x.C.where_grad(-(w - x.w + x.D / (2 * x.M) * sum(g for _, g in past))),
    **listed(M="1/10", D="1/10"),
)


@pair("online_frank_wolfe", WOLFE)
def online_wolfe(x, share=1):
    """n = 3, where sigma = 1; the bound 4 M D is not tight, PEPit has 2.795085, a number."""
    return le(WOLFE_REGRET(x), share * x.ratio(27952, 10000) * x.M * x.D)
