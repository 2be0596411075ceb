"""Lemma 7.2: the Lyapunov function falls and is bounded from below, and what becomes small (Section 7.3)."""

from fedtheory import Control, claim, le
from fedtheory.theory.fedadmm.conditions import PENALTY
from fedtheory.theory.fedadmm.constants import lyapunov
from fedtheory.units import CURVATURE
from problems import Points, SmoothBoundedBelow, positive

from ..worlds import fedadmm_steps, few_clients


@claim(
    "fedadmm/lemma7.2a",
    world=fedadmm_steps(given=(PENALTY,), m=(1, 2, 3)),
    control=Control(
        "the averaging step lowers the function by exactly sigma/2 |dw|^2, and w^{tau_0} may be arbitrarily far away",
        lambda x: le(lyapunov(x, x.next), lyapunov(x, x.state) - x.total(x.sigma) * x.sq(x.next.w - x.state.w)),
    ),
    uses=("fedadmm/lemma4.1", "fedadmm/lemma7.2-proof-s1"),
    note="Every pair of consecutive states of a run; the certificate takes one step from any state that satisfies Lemma 7.1.",
)
def lemma7_2a(x):
    return x.each_step(lambda before, after: le(lyapunov(x, after), lyapunov(x, before), f"k = {before.k}"))


@claim(
    "fedadmm/lemma7.2b-s1",
    world=few_clients(given=(PENALTY,), steps=(1, 2)),
    control=Control("for f_i = 0 and exact updates both sides meet as epsilon_i vanishes", lambda x: le(
        loss(x, x.next.w) + x.total(x.sigma * x.sq(x.next.W - x.next.w)), lyapunov(x, x.next)
    )),
    uses=tuple(f"fedadmm/lemma7.2-proof-s{n}" for n in (6, 7, 8, 9, 10)),
    note="At every state k >= 1 of a run.",
)  # fmt: skip
def lemma7_2b_s1(x):
    return x.each_step(lambda before, after: le(loss(x, after.w), lyapunov(x, after), f"k = {after.k}"))


def loss(x, w):
    """f(w) = sum of alpha_i f_i(w). Unit E."""
    return x.total(x.alpha * x.f.value(w))


@claim(
    "fedadmm/lemma7.2b-s2",
    world=Points(SmoothBoundedBelow("L"), sizes={"m": (1,)}, L=positive(CURVATURE)),
    control=Control("a quadratic of curvature L is |grad|^2/(2 L) above its minimum, half of this", times=1),
    note="f* is the least value of f: the one client of this world is f itself.",
)
def lemma7_2b_s2(x, times=0):
    return le(x.f.infimum() + times * x.sq(x.f.grad(x.w)) / x.L, x.f.value(x.w))
