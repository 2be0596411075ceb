"""Theorem 4.1 (Section 4.3).

Its limits carry no rate. They are judged by the bounds that give them: by terms that (7.19) makes small, with constants that
do not depend on k.
"""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.fedadmm.conditions import PENALTY
from fedtheory.theory.fedadmm.constants import lyapunov, own_lagrangian

from ..lemma7_2.bounded import margin
from ..lemma7_2.statement import loss
from ..section2 import WEIGHTED_NOTE
from ..section4_1 import gradient
from ..worlds import few_clients
from .worlds import NEAR, NEARBY, SEVERAL, STATIONARY_START, both, vanishing

BY_7_19 = (
    "fedadmm/lemma7.2-proof-s13",
    "fedadmm/lemma7.2-proof-s14",
    "fedadmm/lemma7.2-proof-s16",
    "fedadmm/eq7.21-e",
)


@claim(
    "fedadmm/thm4.1a@bound",
    world=few_clients(given=(PENALTY,), steps=(1, 2)),
    control=Control("for f_i = 0 and exact updates the penalty gives sigma_i/2, not sigma_i", times=2),
    uses=("fedadmm/lemma7.2a", "fedadmm/lemma7.2b-s1", "fedadmm/thm4.1a@every-k"),
    note="f(w^{tau_{k+1}}) + sum of (2 sigma_i - 3 alpha_i r_i)/4 |w_i^{k+1} - w^{tau_{k+1}}|^2 <= L_tilde^k at every k "
    "of a run, which by Lemma 7.2 a) is at most L_tilde^0. Row thm4.1a@every-k has the bounds that follow.",
)
def thm4_1a_bound(x, times=1):
    def bounded(before, after):
        spread = x.total(margin(x, times) * x.sq(after.W - after.w))
        return le(loss(x, after.w) + spread, lyapunov(x, before), f"k = {before.k}")

    return x.each_step(bounded)


@claim(
    "fedadmm/eq4.5-a",
    world=NEARBY,
    control=Control("a dual variable along the difference attains it", share="9/10"),
    uses=("fedadmm/eq7.22-a", "fedadmm/eq7.22-b", *BY_7_19),
    note=f"|L - F|, {NEAR}",
)
def eq4_5_a(x, share=1):
    W = x.w + x.away
    gap = own_lagrangian(x, x.w, W, x.sigma * x.p) - x.alpha * x.f.value(W)
    return both(gap, share * vanishing(x, dual=1, bend=x.sigma))


@claim(
    "fedadmm/eq4.5-b",
    world=NEARBY,
    control=Control("a quadratic of curvature r_i bends by r_i/2 of the square", share="9/10"),
    uses=("fedadmm/thm4.1-proof-s11", *BY_7_19),
    note=f"|F - f|, {NEAR}",
)
def eq4_5_b(x, share=1):
    gap = x.alpha * (x.f.value(x.w + x.away) - x.f.value(x.w))
    return both(gap, share * x.alpha * vanishing(x, slope=1, bend=x.r))


@claim(
    "fedadmm/thm4.1b@bound",
    world=NEARBY,
    control=Control("a dual variable along the difference attains it", share="9/10"),
    uses=("fedadmm/thm4.1-proof-s8", "fedadmm/thm4.1-proof-s9", "fedadmm/thm4.1-proof-s13", "fedadmm/eq4.5-a"),
    note="L_tilde converges by row thm4.1-proof-s8, L with it by row thm4.1-proof-s9, and then so do the others: |L - F| and "
    f"|L - f|, {NEAR}",
)
def thm4_1b_bound(x, share=1):
    W, Pi = x.w + x.away, x.sigma * x.p
    L = own_lagrangian(x, x.w, W, Pi)
    to_F = both(L - x.alpha * x.f.value(W), share * vanishing(x, dual=1, bend=x.sigma))
    to_f = both(L - x.alpha * x.f.value(x.w), share * vanishing(x, dual=1, slope=x.alpha, bend=x.alpha * x.r + x.sigma))
    return *to_F, *to_f


@claim(
    "fedadmm/eq4.6-a",
    world=STATIONARY_START,
    control=Control("nor is half of each", times="1/2"),
    repair="fedadmm/eq4.6-a~repaired",
    note="F of (3.2) is a function of W, and grad F(W) the stack of the alpha_i grad f_i(w_i). Started at w_i^0 = w*, where f is "
    "least, with alpha_i = 1/m and equal penalties above 5 alpha_i r_i/2, the method stays: w^{tau_1} = w_i^1 = w*, the first "
    "relation. The stack is the g_i^0, the same for every k, and need not be 0.",
)
def eq4_6_a(x, times=1):
    g = x.f.grad(x.w_star) / x.m
    w = x.w_star - x.mean_vec(g) / x.sigma  # (3.3) with pi_i^0 = -g_i^0 and equal penalties
    W = x.f.prox(w + g / x.sigma, x.sigma * x.m)  # (3.5) solved exactly
    return eq(x.sq(W - x.w_star), 0, "at rest"), eq(x.total(x.sq(times * g)), 0, "grad F")


@claim(
    "fedadmm/eq4.6-a~repaired",
    world=SEVERAL,
    control=Control("equal quadratics of curvature L attain it", share="9/10"),
    uses=BY_7_19,
    note="With the sum of the g_i in the place of grad F(W), as (7.25) has it: |grad F(W^k) - grad f(w^{tau_k})|^2 is at most "
    f"m L^2 times sum |w_i^k - w^{{tau_k}}|^2. {WEIGHTED_NOTE}",
)
def eq4_6_a_repaired(x, share=1):
    apart = gradient(x, x.W) - gradient(x, x.w)
    return le(x.sq(apart), share * x.m * x.L**2 * x.total(x.sq(x.W - x.w)))


@claim(
    "fedadmm/eq4.6-b@bound",
    world=few_clients(steps=(1, 3)),
    control=Control("one client with f_1 = r_1/2 w^2 needs more than its accuracy", times="1/100"),
    uses=("fedadmm/eq7.24", "fedadmm/eq7.25-c", "fedadmm/eq7.25-d", "fedadmm/eq4.6-b@every-K", *BY_7_19),
    note="For k in K, |grad f(w^{tau_{k+1}})|^2 is at most 4 m times the sum of epsilon_i^{k+1}, |pi_i^{k+1} - pi_i^k|^2, "
    "sigma_i^2 |w_i^{k+1} - w_i^k|^2 and (alpha_i r_i + sigma_i)^2 |w_i^{k+1} - w^{tau_{k+1}}|^2, all of which (7.19) makes small; "
    "w^{tau_{k+1}} changes at no other k.",
)
def eq4_6_b_bound(x, times=4):
    before, after = x.state, x.next
    small = (
        after.eps
        + x.sq(after.Pi - before.Pi)
        + x.sigma**2 * x.sq(after.W - before.W)
        + (x.alpha * x.r + x.sigma) ** 2 * x.sq(after.W - after.w)
    )
    whole = x.total_vec(x.alpha[..., None] * x.f.grad(after.w))
    return le(x.sq(whole), times * x.m * x.total(small))
