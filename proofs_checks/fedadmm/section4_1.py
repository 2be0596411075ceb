"""Stationary points: Definition 4.1 and what is said of it (Section 4.1)."""

from fedtheory import Control, claim, eq, le
from fedtheory.units import CURVATURE
from problems import Points, Smooth, SmoothConvex, between, positive

from .section2 import WEIGHTED_NOTE, f_at

L = {"L": positive(CURVATURE)}


def gradient(x, w):
    """The sum of alpha_i grad f_i(w), with the weights in the clients."""
    return x.total_vec(x.f.grad(w))


LOCAL = Points(Smooth("L"), **L, t=between(0, 1, closed=False))


@claim(
    "fedadmm/sec4.1-s1",
    world=LOCAL,
    control=Control("for quadratics of curvature L the value falls by exactly 1 - t/2 of it", two=3),
    uses=("fedadmm/eq4.2-a",),
    note="With pi_i = -alpha_i grad f_i(w), which the first row of (4.1) asks for. If the third row fails at w, then f is "
    "smaller at w - t grad f(w)/(m L) for every t in (0, 1], however small, by (1 - t/2) t |grad f(w)|^2/(m L): w is no local "
    f"minimiser. {WEIGHTED_NOTE}",
)
def sec4_1_s1(x, two=2):
    g = gradient(x, x.w)
    lower = f_at(x, x.w - x.t / (x.m * x.L) * g)
    return le((1 - x.t / two) * x.t / (x.m * x.L) * x.sq(g), f_at(x, x.w) - lower)


@claim(
    "fedadmm/sec4.1-s2",
    world=Points(SmoothConvex("L"), optimum_of="f", **L),
    control=Control("for linear functions there is no more than nothing", lambda x: le(
        f_at(x, x.w_star) + x.sq(gradient(x, x.w)) / (x.m * x.L), f_at(x, x.w)
    )),
    note="If: at w* with gradients that sum to zero, f is nowhere smaller. Only if: a point with a smaller f lies in the direction "
    "-grad f(w) wherever the sum is not zero (pi_i = -alpha_i grad f_i(w), as in fedadmm/sec4.1-s1). Of a point (w, W) with "
    f"some Pi; a minimiser with another Pi does not satisfy (4.1). {WEIGHTED_NOTE}",
)  # fmt: skip
def sec4_1_s2(x):
    g = gradient(x, x.w)
    lower = f_at(x, x.w - g / (x.m * x.L))
    return (
        le(f_at(x, x.w_star), f_at(x, x.w), "if"),
        le(x.sq(g) / (2 * x.m * x.L), f_at(x, x.w) - lower, "only if"),
    )


@claim(
    "fedadmm/eq4.2-a",
    world=Points(Smooth("L"), at=("w", "v"), **L),
    control=Control("a quadratic of curvature L bends away by exactly half of this times two", share="9/10"),
    note="The sum is the gradient of f, which differs from its first-order expansion by at most m L/2 |v - w|^2. "
    f"{WEIGHTED_NOTE}",
)
def eq4_2_a(x, share=1):
    apart = f_at(x, x.v) - f_at(x, x.w) - x.dot(gradient(x, x.w), x.v - x.w)
    bend = share * x.m * x.L / 2 * x.sq(x.v - x.w)
    return le(apart, bend), le(-apart, bend)


@claim(
    "fedadmm/eq4.2-b",
    world=Points(Smooth("L"), **L),
    control=Control("the multipliers have the opposite sign", sign=-1),
    note=f"With the pi_i that the first row of (4.1) asks for. {WEIGHTED_NOTE}",
)
def eq4_2_b(x, sign=1):
    Pi = 0 - x.f.grad(x.w)  # first row of (4.1)
    return eq(x.sq(gradient(x, x.w) + sign * x.total_vec(Pi)), 0)


@claim(
    "fedadmm/eq4.2-c",
    world=Points(Smooth("L"), clients_at=("v",), **L),
    control=Control("single multipliers need not vanish", lambda x: eq(x.total(x.sq(x.v - x.mean_vec(x.v))), 0)),
    note="It is the last line of (4.1), which makes (w*, W*, Pi*) a stationary point: pi_i = v_i less the mean of the v_i, any "
    "vectors "
    f"that sum to zero. {WEIGHTED_NOTE}",
)
def eq4_2_c(x):
    Pi = x.v - x.mean_vec(x.v)
    return eq(x.sq(-x.total_vec(Pi)), 0)
