"""Sections 2.3 and 3: the loss is bounded from below, (3.1) repeats (2.3), the first line of ADMM in (3.10)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.fedadmm.constants import own_lagrangian
from fedtheory.theory.fedadmm.symbols import symbols
from fedtheory.units import CURVATURE
from problems import Points, Smooth, SmoothBoundedBelow, positive

WEIGHTED = Points(SmoothBoundedBelow("L"), L=positive(CURVATURE))
WEIGHTED_NOTE = "The clients of this world are the weighted losses alpha_i f_i, L a bound on every alpha_i r_i."


def f_at(x, w):
    """f(w) = sum of alpha_i f_i(w), with the weights in the clients. Unit E."""
    return x.total(x.f.value(w))


@claim(
    "fedadmm/eq2.4-b",
    world=WEIGHTED,
    control=Control("a quadratic of curvature L attains |grad|^2/(2 L) above its minimum, half of this", times=1),
    note=f"Every f(w) is at least the sum of alpha_i inf f_i. That f has a minimiser at all is not said before Assumption "
    f"4.2. {WEIGHTED_NOTE}",
)
def eq2_4_b(x, times=0):
    return le(x.total(x.f.infimum() + times * x.sq(x.f.grad(x.w)) / x.L), f_at(x, x.w))


@claim(
    "fedadmm/sec3-s2",
    world=WEIGHTED,
    control=Control("F adds the clients up once, not twice", times=2),
    note=WEIGHTED_NOTE,
)
def sec3_s2(x, times=1):
    W = x.w + 0 * x.f.grad(x.w) / x.L  # (w, ..., w)
    return eq(times * x.total(x.f.value(W)), f_at(x, x.w))


@claim(
    "fedadmm/eq3.10-b",
    world=Points(Smooth("r"), clients_at=("W", "P"), **symbols("r", "sigma", "alpha")),
    control=Control("pi_i enters with the sign that moves w towards w_i + pi_i/sigma_i", sign=-1),
    note="No other w has a smaller L(w, W^k, Pi^k); pi_i = sigma_i P_i.",
)
def eq3_10_b(x, sign=1):
    Pi = x.sigma[..., None] * x.P
    best = x.total_vec(x.sigma[..., None] * x.W + sign * Pi) / x.total(x.sigma)
    return le(x.total(own_lagrangian(x, best, x.W, Pi)), x.total(own_lagrangian(x, x.w, x.W, Pi)))
