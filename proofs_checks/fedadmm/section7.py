"""Facts on which the proofs stand: (7.1) to (7.3) (Section 7, opening)."""

from fedtheory import Control, claim, eq, le
from fedtheory.units import CURVATURE
from problems import Points, Smooth, WeaklyConvex, between, positive

ONE = {"m": (1,)}
SEGMENT = Points(
    Smooth("r"), at=("w_1", "w_2"), sizes=ONE, r=positive(CURVATURE), t=between(0, 1),
)  # fmt: skip
PARTS = Points(Smooth("r"), at=("w_1", "w_2"), sizes={**ONE, "parts": (1, 2, 3)}, r=positive(CURVATURE))
VECTORS = Points(None, at=("w_1", "w_2"), sizes=ONE, t=positive())


def on_segment(x, t):
    """w_2 + t (w_1 - w_2)."""
    return x.w_2 + t * (x.w_1 - x.w_2)


def middles(x):
    """The middles t of equal parts of [0, 1]."""
    return [x.ratio(2 * j + 1, 2 * int(x.parts)) for j in range(int(x.parts))]


def mean_over(x, integrand):
    """The sum over equal parts of the value in their middle times their length, which tends to the integral over t."""
    return sum(integrand(t) for t in middles(x)) / x.parts


@claim(
    "fedadmm/sec7-s1",
    world=Points(None, at=("w_1", "w_2"), sizes=ONE, t=between(0, 1)),
    control=Control("w_2 + t (w_1 - w_2) is at the distance t from w_2, not 1 - t", lambda x: eq(
        x.sq(on_segment(x, x.t) - x.w_2), (1 - x.t) ** 2 * x.sq(x.w_1 - x.w_2)
    )),
    step=True,
)  # fmt: skip
def sec7_s1(x):
    d = x.w_1 - x.w_2
    at_1 = on_segment(x, x.t) - x.w_1 - (x.t - 1) * d
    at_2 = on_segment(x, x.t) - x.w_2 - x.t * d
    return eq(x.sq(at_1), 0, "w_i = w_1"), eq(x.sq(at_2), 0, "w_i = w_2")


@claim(
    "fedadmm/eq7.1-a",
    world=PARTS,
    control=Control("with one part the error of a function that bends in the middle reaches the bound", share="9/10"),
    step=True,
    note="The sums over N equal parts with the gradient in the middle of each differ from the left side by at most "
    "r |w_1 - w_2|^2/(4 N), which for every N is the printed integral. For both choices of w_i the same term is taken off.",
)
def eq7_1_a(x, share=1):
    d = x.w_1 - x.w_2

    def sides(w):
        left = x.f.value(x.w_1) - x.f.value(x.w_2) - x.dot(x.f.grad(w), d)
        return left - mean_over(x, lambda t: x.dot(x.f.grad(on_segment(x, t)) - x.f.grad(w), d))

    error = share * x.r * x.sq(d) / (4 * x.parts)
    return tuple(le(sign * sides(w), error) for sign in (1, -1) for w in (x.w_1, x.w_2))


@claim(
    "fedadmm/eq7.1-b",
    world=SEGMENT,
    control=Control("quadratics of curvature r attain it", share="9/10"),
    step=True,
    note="Integrand by integrand, for every t; |w_2 + t (w_1 - w_2) - w_i| is t or 1 - t times |w_1 - w_2| by the line above.",
)
def eq7_1_b(x, share=1):
    d, g = x.w_1 - x.w_2, x.f.grad(on_segment(x, x.t))
    at_1 = le(x.dot(g - x.f.grad(x.w_1), d), share * x.r * (1 - x.t) * x.sq(d), "w_i = w_1")
    at_2 = le(x.dot(g - x.f.grad(x.w_2), d), share * x.r * x.t * x.sq(d), "w_i = w_2")
    return at_1, at_2


@claim(
    "fedadmm/eq7.1-c",
    world=PARTS,
    control=Control("the integral of t is a half, not a third", share="2/3"),
    step=True,
    note="The sums over N equal parts of a function that is linear in t are its integral, for every N.",
)
def eq7_1_c(x, share=1):
    d_sq = x.sq(x.w_1 - x.w_2)
    halves = tuple(mean_over(x, lambda t, end=end: x.r * (end - t) * (2 * end - 1) * d_sq) for end in (0, 1))
    return tuple(eq(half, share * x.r / 2 * d_sq) for half in halves)


@claim(
    "fedadmm/eq7.2-b",
    world=Points(WeaklyConvex("s"), at=("w_1", "w_2"), sizes=ONE, **{"s": positive(CURVATURE)}),
    control=Control("the concave quadratic of curvature -s attains it", share="9/10"),
    step=True,
    note="With the integral of the row before, which is <grad f(w_1) - grad f(w_2), w_1 - w_2>. For s = 0 it is "
    "fedadmm/sec3.4-s2.",
)
def eq7_2_b(x, share=1):
    d = x.w_1 - x.w_2
    return le(-share * x.s * x.sq(d), x.dot(x.f.grad(x.w_1) - x.f.grad(x.w_2), d))


@claim(
    "fedadmm/eq7.3-a",
    world=VECTORS,
    control=Control("equality for t w_1 = w_2", share="9/10"),
    step=True,
)
def eq7_3_a(x, share=1):
    return le(2 * x.dot(x.w_1, x.w_2), share * (x.t * x.sq(x.w_1) + x.sq(x.w_2) / x.t))


@claim(
    "fedadmm/eq7.3-b",
    world=VECTORS,
    control=Control("equality for t w_1 = w_2", share="9/10"),
    step=True,
)
def eq7_3_b(x, share=1):
    return le(x.sq(x.w_1 + x.w_2), share * ((1 + x.t) * x.sq(x.w_1) + (1 + 1 / x.t) * x.sq(x.w_2)))


@claim(
    "fedadmm/eq7.3-c",
    world=Points(None, at=(), clients_at=("W",)),
    control=Control("equality for equal vectors", share="9/10"),
    step=True,
)
def eq7_3_c(x, share=1):
    return le(x.sq(x.total_vec(x.W)), share * x.m * x.total(x.sq(x.W)))
