"""Lemma 4.1: decrease of the Lyapunov function in one iteration (Section 4.3)."""

from fedtheory import Control, claim, le, lt
from fedtheory.theory.fedadmm.constants import c, eps_weight, lyapunov, moves, own_lagrangian
from fedtheory.units import CURVATURE
from problems import Points, SmoothStronglyConvex, at_least, condition, positive

from ..worlds import fedadmm_steps


@claim(
    "fedadmm/lemma4.1",
    world=fedadmm_steps(m=(1, 2, 3)),
    control=Control(
        "for quadratic clients and sigma far above r the decrease is asymptotically c/4 |dw_i|^2, so c is too much",
        factor=4,
    ),
    uses=("fedadmm/lemma4.1-proof-s17", "fedadmm/lemma4.1-proof-s18"),
    note="w^{tau_0} is not initialised in Algorithm 1; any value is allowed here.",
)
def lemma4_1(x, factor=1):
    return le(moves(x, factor * c(x), x.state, x.next), lyapunov(x, x.state) - lyapunov(x, x.next))


class ZeroStart:
    """The parameters of Section 5.2 but for the penalty: alpha_i = 1/m, nu_i = 0.95; k = 0."""

    def __init__(self, x):
        self.f, self.r, self.sigma, self.dot, self.sq = x.f, x.r, x.sigma, x.dot, x.sq
        self.alpha, self.nu = 1 / x.clients, x.ratio(19, 20)


@claim(
    "fedadmm/lemma4.1@section5.2",
    world=Points(
        SmoothStronglyConvex("mu", "r"), at=("zero",), sizes={"m": (1,), "k0": (1, 2)}, clients=at_least(1),
        mu=positive(CURVATURE), r=positive(CURVATURE), sigma=positive(CURVATURE),
        given=(condition("sigma > 5 r/(2 m)", lambda x: lt(5 * x.r / (2 * x.clients), x.sigma)),),
    ),
    control=Control("nor does it fall to half of it", share=2),
    repair="fedadmm/lemma4.1",
    note="From the start of Section 5.2, w_i^0 = pi_i^0 = 0, epsilon_i^0 = k_0^2, nu_i = 0.95, alpha_i = 1/m, everyone selected, "
    "with equal clients and one penalty above the bound of Theorem 4.1, so that c > 0: L_tilde^1 <= L_tilde^0, for one of the m = "
    "`clients` equal summands. All messages are 0, so w^{tau_1} = 0, and pi_i^1 = -g_i^1 is new: L grows with the square of it.",
)  # fmt: skip
def lemma4_1_section5_2(x, share=1):
    s = ZeroStart(x)
    W = x.f.prox(x.zero, s.sigma / s.alpha)
    before = s.alpha * x.f.value(x.zero) + eps_weight(s) * x.k0**2
    after = own_lagrangian(s, x.zero, W, s.sigma * (W - x.zero)) + eps_weight(s) * s.nu * x.k0**2
    return le(share * (after - before), 0)
