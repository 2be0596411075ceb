"""Worlds for the limits of Theorem 4.1: one client near the server's vector, and several."""

from fedtheory import le, lt
from fedtheory.units import CURVATURE, STEP
from problems import Points, Smooth, SmoothStronglyConvex, condition, positive

from ..one_client import one_client

NEARBY = one_client(at=("w", "away", "p"), t=positive(STEP))
NEAR = (
    "client by client: for every t > 0 at most t times what is bounded and a multiple of |w_i^k - w^{tau_k}|^2; with t equal to "
    "|w_i^k - w^{tau_k}| (in some unit) both tend to 0 with it."
)
SEVERAL = Points(Smooth("L"), clients_at=("W",), L=positive(CURVATURE))
STATIONARY_START = Points(
    SmoothStronglyConvex("mu", "r"), optimum_of="f", mu=positive(CURVATURE), r=positive(CURVATURE), sigma=positive(CURVATURE),
    given=(condition("sigma > 5 r/(2 m)", lambda x: lt(5 * x.r / (2 * x.m), x.sigma)),),
)  # fmt: skip


def both(value, bound):
    """-bound <= value <= bound."""
    return le(value, bound), le(-value, bound)


def vanishing(x, *, dual=0, slope=0, bend):
    """(dual |pi_i|^2 + slope |grad f_i(w)|^2) t/2 + ((dual + slope)/t + bend) |w_i - w|^2/2. Unit E."""
    bounded = dual * x.sq(x.sigma * x.p) + slope * x.sq(x.f.grad(x.w))
    return x.t / 2 * bounded + ((dual + slope) / x.t + bend) / 2 * x.sq(x.away)
