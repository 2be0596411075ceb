"""Lemma 4.1: decrease of the Lyapunov function in one iteration; Lemma 7.2 a) (Sections 4.3 and 7.3)."""

from fedtheory import Control, claim, le
from fedtheory.theory.fedadmm.conditions import PENALTY
from fedtheory.theory.fedadmm.constants import c, lyapunov, moves

from .worlds import fedadmm_steps


@claim(
    "fedadmm/lemma4.1",
    world=fedadmm_steps(),
    control=Control(
        "for quadratic clients and sigma far above r the decrease is asymptotically c/4 |dw_i|^2, so c is too much",
        factor=4,
    ),
    uses=("fedadmm/eq7.6-b", "fedadmm/lemma7.1-proof-s7"),
    note="w^{tau_0} is not initialised in Algorithm 1; any value is allowed here.",
)
def lemma4_1(x, factor=1):
    return le(moves(x, factor * c(x), x.state, x.next), lyapunov(x, x.state) - lyapunov(x, x.next))


@claim(
    "fedadmm/lemma7.2a",
    world=fedadmm_steps(given=(PENALTY,)),
    control=Control(
        "the averaging step lowers the function by exactly sigma/2 |dw|^2, and w^{tau_0} may be arbitrarily far away",
        lambda x: le(lyapunov(x, x.next), lyapunov(x, x.state) - x.total(x.sigma) * x.sq(x.next.w - x.state.w)),
    ),
    uses=("fedadmm/lemma4.1",),
    note="Every pair of consecutive states of a run; the certificate takes one step from any state that satisfies Lemma 7.1.",
)
def lemma7_2a(x):
    return x.each_step(lambda before, after: le(lyapunov(x, after), lyapunov(x, before), f"k = {before.k}"))
