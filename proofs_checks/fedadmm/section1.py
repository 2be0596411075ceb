"""What the introduction promises (Section 1.2 c)): convergence under two conditions alone."""

from fedtheory import Control, claim, le
from fedtheory.units import LENGTH
from problems import Scalars, positive


def iteration(W, a, sigma):
    """w_1^{k+1}, w_2^{k+1} of Algorithm 1 with k_0 = 1, everyone selected and exact solutions, where alpha_i grad f_i(w) = a_i w.

    After an exact solution pi_i = -a_i w_i.
    """
    w = sum(w_i - a_i * w_i / sigma for w_i, a_i in zip(W, a, strict=True)) / len(W)  # (3.3)
    return [(sigma * w + a_i * w_i) / (sigma + a_i) for w_i, a_i in zip(W, a, strict=True)]  # (3.5)


def size(x, W):
    """19/80 w_1^2 + 10 w_2^2, which the iteration multiplies by 21/8 from any vectors."""
    return x.ratio(19, 80) * W[0] ** 2 + 10 * W[1] ** 2


@claim(
    "fedadmm/sec1.2-s1",
    world=Scalars(w_1=positive(LENGTH), w_2=positive(LENGTH)),
    control=Control("still less does it fall to a half", share="1/2"),
    repair="fedadmm/thm4.2a",
    note="Two clients with alpha_1 grad f_1 = -9/10 w and alpha_2 grad f_2 = 3 w near 0, sigma_1 = sigma_2 = 1, k_0 = 1, everyone "
    "selected. f_1 bends up far from 0, so that it is bounded from below; f has curvature 21/10 around its only stationary point "
    "0 and is coercive, and both subproblems are strongly convex and solved exactly. The iteration is a spiral that grows by the "
    "factor 21/8: no run tends to 0 without being 0. sigma_2 > 5 alpha_2 r_2/2, which Theorem 4.2 adds to the two conditions, "
    "fails.",
)
def sec1_2_s1(x, share=1):
    W = (x.w_1, x.w_2)
    after = iteration(W, (x.ratio(-9, 10), x.ratio(3, 1)), x.ratio(1, 1))
    return le(size(x, after), share * size(x, W))
