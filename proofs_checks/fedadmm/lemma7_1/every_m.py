"""(7.5) for every number of clients, as a vector (Section 7.2)."""

from fedtheory import Control, claim, le

from ..iterations import EVERY_CLIENT, beside, dual, residual, states


def left_side(x):
    """|the sum of -pi_i^k - sigma_i (w_i^k - w^{tau_{k+1}})|^2, of (7.5)."""
    return x.sq(x.total_vec(0 - dual(x) - beside(x.sigma) * (x.W - x.w_next)))


@claim(
    "fedadmm/eq7.5@every-m",
    world=states({"left": left_side, "apart": lambda x: x.sq(residual(x))}),
    control=Control("every client counts", times=2),
    note="The vector on the left side of (7.5) is as long as the difference of the two sides of (3.3), with z_i^k of (3.7): it is "
    f"0 where (3.3) holds, at k in K, and nowhere else. {EVERY_CLIENT}",
)
def eq7_5_every_m(x, t, times=1):
    return le(times * x.left[t], x.apart[t]), le(x.apart[t], x.left[t])
