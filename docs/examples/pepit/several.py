"""Projections, inexact proximal points, randomised and interior methods of PEPit's list.

References stand in PEPit's examples of the same names (github.com/PerformanceEstimation/PEPit, 0.5).
"""

from fedtheory import eq, le
from fedtheory.units import CURVATURE
from problems import (
    Convex,
    ConvexIndicator,
    Points,
    SmoothConvex,
    SmoothStronglyConvex,
    StronglyConvex,
    Together,
    at_least,
    between,
    condition,
    positive,
)  # fmt: skip

from .pair import listed, pair

RANGES = {"mu": positive(CURVATURE), "L": positive(CURVATURE)}


def start(x):
    """The squared distance at the start."""
    return x.sq(x.w - x.w_star)


# two sets with a point in common: projections are proximal points with any lam

SETS = Together({"C": ConvexIndicator(), "D": ConvexIndicator()}, zero_of=("C", "D"), lam=positive(CURVATURE))


def apart(x, w, v, share, tau):
    """The distance of the projection of w onto C from v."""
    return le(x.sq(x.C.prox(w, x.lam) - v), share * tau * start(x))


@pair("alternate_projections", SETS)
def alternate(x, share=1, n=2):
    """PEPit has a number only, 0.105469: 27/256."""
    w = x.w
    for _ in range(n):
        w = x.D.prox(x.C.prox(w, x.lam), x.lam)
    return apart(x, w, w, share, x.ratio(27, 256))


@pair("averaged_projections", SETS)
def averaged(x, share=1):
    """n = 1; PEPit has a number only, 0.421872: 27/64."""
    w = (x.C.prox(x.w, x.lam) + x.D.prox(x.w, x.lam)) / 2
    return apart(x, w, x.D.prox(w, x.lam), share, x.ratio(27, 64))


@pair("dykstra", SETS)
def dykstra(x, share=1, n=2):
    """PEPit has a number only, 0.131346."""
    w, p, q = x.w, 0 * x.w, 0 * x.w
    for _ in range(n):
        y = x.C.prox(w + p, x.lam)
        p = w + p - y
        w = x.D.prox(y + q, x.lam)
        q = y + q - w
    return apart(x, w, w, share, x.ratio(13135, 100000))


# inexact proximal points: what comes out is a point of the world, what is known of it a condition


def near(x):
    return le(x.sq(x.y - x.w + x.f.grad(x.y) / x.lam), x.sigma**2 * x.sq(x.y - x.w))


@pair(
    "relatively_inexact_proximal_point_algorithm",
    Together(
        {"f": Convex()},
        at=("w", "y"),
        zero_of=("f",),
        lam=positive(CURVATURE),
        sigma=between(0, 1, closed=False),
        given=(condition("|y - w + g/lam| <= sigma |y - w|", near),),
    ),
)
def inexact(x, share=1):
    """n = 1, where the rate has no power."""
    return le(x.f.value(x.y) - x.f.value(x.w_star), share * x.lam * (1 + x.sigma) / 4 * start(x))


def partial(x):
    g = x.f.grad(x.v)
    after = x.h.prox(x.v - g / x.lam, x.lam)
    return le(x.sq(x.v - x.w + g / x.lam), x.sq(after - x.w + g / x.lam) / 25)


SPLIT = listed(mu="1/10", L=5, lam="5/7")


@pair(
    "partially_inexact_douglas_rachford_splitting",
    Together(
        {"f": SmoothStronglyConvex("mu", "L"), "h": Convex()},
        at=("w", "v"),
        zero_of=("f", "h"),
        lam=positive(CURVATURE),
        **RANGES,
        example=SPLIT["example"],
        given=(condition("|e| <= |y - w + g/lam|/5", partial), *SPLIT["given"]),
    ),
)
def splitting(x, share=1):
    """n = 1, gamma = 7/5, sigma = 1/5: (0.828/0.94)^2, rounded up."""
    after = x.w + x.h.prox(x.v - x.f.grad(x.v) / x.lam, x.lam) - x.v
    fixed = x.w_star + x.f.grad(x.w_star) / x.lam
    return le(x.sq(after - fixed), share * x.ratio(77591, 100000) * x.sq(x.w - fixed))


def dual(x):
    v = x.h.grad(x.u)
    off = x.y - x.w + (x.f.grad(x.w) + v) / x.L
    slack = x.h.value(x.y) - x.h.value(x.u) - x.dot(v, x.y - x.u)
    return le(x.sq(off) / 2 + slack / x.L, x.ratio(81, 800) / x.L**2 * x.sq(v + x.f.grad(x.w)))


@pair(
    "accelerated_inexact_forward_backward",
    Together(
        {"f": SmoothConvex("L"), "h": Convex()},
        at=("w", "y", "u"),
        zero_of=("f", "h"),
        L=positive(CURVATURE),
        given=(condition("the gap is at most (zeta/L)^2 |v + grad f(w)|^2/2", dual),),
    ),
)
def forward_backward(x, share=1):
    """n = 1, zeta = 9/20; the bound 2 L/(1 - zeta^2) is not tight, PEPit has 0.590909 at L = 1.3, a number: 5 L/11."""
    gap = x.f.value(x.y) + x.h.value(x.y) - x.f.value(x.w_star) - x.h.value(x.w_star)
    return le(gap, share * x.L * x.ratio(5, 11) * start(x))


# an interior method: h is strongly convex, its Bregman distance that of the steps


def off(x, v, w):
    return x.h.value(v) - x.h.value(w) - x.dot(x.h.grad(w), v - w)


@pair(
    "improved_interior_algorithm",
    Together(
        {"f": SmoothConvex("L"), "h": StronglyConvex("L"), "C": ConvexIndicator()},
        zero_of=("f", "C"),
        L=positive(CURVATURE),
    ),
)
def interior(x, share=1):
    """n = 1, c = 1/2, where alpha = 1/2, and h stands for L h.

    The bound 4 L/(c (n + 1)^2) is not tight; PEPit has 0.498204 with its default solver, below the 1/2 that is approached.
    """
    z = x.h.where_grad(x.h.grad(x.w) - 2 * x.f.grad(x.w), x.C)
    after = (x.w + z) / 2
    gap = x.f.value(after) + x.C.value(after) - x.f.value(x.w_star)
    return le(gap, share * x.ratio(1, 2) * (off(x, x.w_star, x.w) / 2 + x.f.value(x.w) - x.f.value(x.w_star)))


# randomised methods: the mean over what is drawn

SAGA = Together(
    {"f1": SmoothStronglyConvex("mu", "L"), "f2": SmoothStronglyConvex("mu", "L"), "h": Convex()},
    at=("w", "p1", "p2"),
    zero_of=("f1", "f2", "h"),
    **listed(mu="1/20", L="1/2"),
    **RANGES,
)


@pair("saga", SAGA)
def saga(x, share=1):
    """n = 2; f1 and f2 stand for the functions by n, so that mu and L are halved."""
    fs, ps = (x.f1, x.f2), (x.p1, x.p2)
    gamma = 1 / (4 * (2 * x.mu + x.L))
    c = 1 / (4 * gamma * (1 - 2 * x.mu * gamma))

    def off(f, p):
        return f.value(p) - f.value(x.w_star) - x.dot(f.grad(x.w_star), p - x.w_star)

    before, after = c * start(x) + sum(off(f, p) for f, p in zip(fs, ps, strict=True)), 0 * start(x)
    for i in range(2):
        w = (
            x.w
            - 2 * gamma * (fs[i].grad(x.w) - fs[i].grad(ps[i]))
            - gamma * sum(f.grad(p) for f, p in zip(fs, ps, strict=True))
        )
        after = after + c * x.sq(x.h.prox(w, 1 / gamma) - x.w_star)
        after = after + sum(off(fs[j], x.w if i == j else ps[j]) for j in range(2))
    return le(after / 2, share * (1 - 2 * x.mu * gamma) * before)


@pair(
    "point_saga",
    Together(
        {"f1": SmoothStronglyConvex("mu", "L"), "f2": SmoothStronglyConvex("mu", "L")},
        at=("w", "p1", "p2"),
        zero_of=("f1", "f2"),
        **listed(mu="1/3", L=1),
        **RANGES,
    ),
)
def point_saga(x, share=1):
    """n = 2, L = 3 mu, where gamma = 1/L; the bound 3/4 is not tight, PEPit has 0.718750, a number: 23/32."""
    fs, ps = (x.f1, x.f2), (x.L * x.p1, x.L * x.p2)
    stars, c = [f.grad(x.w_star) for f in fs], 1 / (x.mu * x.L)
    before, after = start(x) + c / 2 * sum(x.sq(g - p) for g, p in zip(stars, ps, strict=True)), 0 * start(x)
    for i in range(2):
        y = fs[i].prox(x.w + (ps[i] - (ps[0] + ps[1]) / 2) / x.L, x.L)
        after = after + x.sq(y - x.w_star)
        after = after + c / 2 * sum(x.sq((fs[i].grad(y) if i == j else ps[j]) - stars[j]) for j in range(2))
    return le(after / 2, share * x.ratio(23, 32) * before)


@pair("sgd", Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", **RANGES, t=positive()))
def sgd(x, share=1):
    """gamma = 2/(L + mu); for every t, the least over which is PEPit's rate with v^2 and R^2 for the two squares."""
    gamma = 2 / (x.L + x.mu)
    after = x.mean(x.sq(x.w - gamma * x.f.grad(x.w) - x.w_star))
    bound = (1 + x.t) * ((x.L - x.mu) / (x.L + x.mu)) ** 2 * start(x) + (1 + 1 / x.t) * gamma**2 * x.mean(
        x.sq(x.f.grad(x.w_star))
    )
    return le(after, share * bound)


@pair("sgd_overparametrized", Points(SmoothStronglyConvex("mu", "L"), optimum_of="f", sizes={"m": (1,)}, **RANGES))
def overparametrised(x, share=1):
    """gamma = 1/L: every function has its minimiser at w_star, so that what holds of one holds of their mean."""
    return le(x.sq(x.w - x.mean_vec(x.f.grad(x.w)) / x.L - x.w_star), share * (1 - x.mu / x.L) ** 2 * start(x))


# d = 2 blocks: the gradient over L has the parts s and g/L - s, which are orthogonal

BLOCKS = condition("<s, g/L - s> = 0", lambda x: eq(x.dot(x.s, x.f.grad(x.w) / x.L - x.s), 0))


def drawn(x):
    """The points after a step along either block, with gamma = 1/L."""
    return [x.w - x.s, x.w - (x.f.grad(x.w) / x.L - x.s)]


@pair(
    "randomized_coordinate_descent_smooth_strongly_convex",
    Together({"f": SmoothStronglyConvex("mu", "L")}, at=("w", "s"), zero_of=("f",), given=(BLOCKS,), **RANGES),
)
def coordinates(x, share=1):
    mean = sum(x.sq(w - x.w_star) for w in drawn(x)) / 2
    return le(mean, share * ((1 - x.mu / x.L) ** 2 + 1) / 2 * start(x))


@pair(
    "randomized_coordinate_descent_smooth_convex",
    Together({"f": SmoothConvex("L")}, at=("w", "s"), zero_of=("f",), given=(BLOCKS,), L=RANGES["L"], t=at_least(1)),
)
def coordinates_convex(x, share=1):
    def potential(w, t):
        return (t / 2 + 1) * (x.f.value(w) - x.f.value(x.w_star)) + x.L / 2 * x.sq(w - x.w_star)

    return le(sum(potential(w, x.t) for w in drawn(x)) / 2, share * potential(x.w, x.t - 1))
