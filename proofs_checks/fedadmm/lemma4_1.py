"""Lemma 4.1: decrease of the Lyapunov function in one iteration; Lemma 7.2 a) (Sections 4.3 and 7.3)."""

from fedtheory import Control, claim, le, lt
from fedtheory.theory.fedadmm.constants import c, lyapunov
from problems import condition

from .worlds import fedadmm_steps


def decrease(x, share):
    """sigma/2 |dw|^2 + c/share sum |dw_i|^2 <= decrease of the Lyapunov function in the last step."""
    moved = x.total(x.sigma) / 2 * x.sq(x.next.w - x.state.w) + c(x) / share * x.total(x.sq(x.next.W - x.state.W))
    return le(moved, lyapunov(x, x.state) - lyapunov(x, x.next))


@claim(
    "fedadmm/lemma4.1",
    world=fedadmm_steps(),
    control=Control(
        "for quadratic clients and sigma far above r the decrease is asymptotically c/4 |dw_i|^2, so c is too much",
        lambda x: decrease(x, 1),
    ),
    uses=("fedadmm/eq7.6-b", "fedadmm/lemma7.1-proof-s7"),
    note="w^{tau_0} is not initialised in Algorithm 1; any value is allowed here.",
)
def lemma4_1(x):
    return decrease(x, 4)


@claim(
    "fedadmm/lemma7.2a",
    world=fedadmm_steps(given=(condition("sigma_i > 5 alpha_i r_i/2", lambda x: lt(5 * x.alpha * x.r / 2, x.sigma)),)),
    control=Control(
        "the averaging step lowers the function by exactly sigma/2 |dw|^2, and w^{tau_0} may be arbitrarily far away",
        lambda x: le(lyapunov(x, x.next), lyapunov(x, x.state) - x.total(x.sigma) * x.sq(x.next.w - x.state.w)),
    ),
    uses=("fedadmm/lemma4.1",),
    note="Every pair of consecutive states of a run; the certificate takes one step from any state that satisfies Lemma 7.1.",
)
def lemma7_2a(x):
    return x.each_step(lambda before, after: le(lyapunov(x, after), lyapunov(x, before), f"k = {before.k}"))
