"""Lemma 4.1: decrease of the Lyapunov function in one iteration (Section 4.3)."""

from fedtheory import Control, claim, le
from fedtheory.theory.fedadmm.constants import c, lyapunov, moves

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
