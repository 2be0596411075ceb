"""Lemma 4.1 and (7.15) for every number of clients and every selection, from one client and (3.3) (Section 7.3)."""

from dataclasses import replace

from fedtheory import Control, claim, le, use
from problems import Points, condition

from ..controls import HALVES
from ..iterations import (
    EVERY_CLIENT,
    ITERATIONS,
    LEAST,
    OWN,
    QUANTITIES,
    C,
    fall,
    left_of_p2,
    left_of_p3,
    move,
    one_client,
    own_change,
    p_next,
    paid_p2,
    paid_p3,
    states,
)
from ..one_client import ONE, own


@claim(
    "fedadmm/eq7.15-c@every-m",
    world=states({name: QUANTITIES[name] for name in ("L", "L_between", "server", "balance")}),
    control=HALVES,
    note="p_1^k, which is L(w^{tau_{k+1}}, W^k, Pi^k) - L^k, is -sigma/2 |w^{tau_{k+1}} - w^{tau_k}|^2 where `balance` is 0: it is "
    "<w^{tau_{k+1}} - w^{tau_k}, the sum of z_i^k - sigma_i w^{tau_{k+1}}>, with (3.3) or w^{tau_{k+1}} = w^{tau_k}. "
    f"{EVERY_CLIENT} For any w in the place of w^{{tau_k}}: so the average minimises L, (3.10).",
)
def eq7_15_c_every_m(x, t, half=1):
    left = x.L_between[t] + half * x.server[t] + x.balance[t]
    return le(left, x.L[t]), le(x.L[t], left)


@claim(
    "fedadmm/lemma4.1@client",
    world=one_client(),
    control=Control("a concave quadratic of curvature -r_i attains it", times=2),
    uses=("fedadmm/eq7.17-b", "fedadmm/eq7.18-b"),
    step=True,
    note="One update, accurate or not: c_i/4 |w_i^{k+1} - w_i^k|^2 and what the accuracies do not pay for.",
)
def lemma4_1_client(x, times=1):
    return le(own_change(x) + times * fall(x) + paid_p2(x) + paid_p3(x), 0)


OF_VECTORS = Points(None, at=(), clients_at=("v",), sizes=ONE, given=(LEAST,), **own("r", "sigma", "alpha"), **C)


@claim("fedadmm/lemma4.1@least", world=OF_VECTORS, control=Control("c may be c_i", times=2), step=True)
def lemma4_1_least(x, times=1):
    return le(times * x.c / 4 * x.sq(x.v), fall(x.at(W=x.v - x.v, W_next=x.v)))


def size(x, p, q):
    """|sigma_i p|^2 + |sigma_i q|^2."""
    return x.sq(x.sigma * p) + x.sq(x.sigma * q)


def shrinks(x):
    """(3.4)."""
    return le(size(x, x.p_next, x.q_next), x.nu * size(x, x.p, x.q))


LESS = condition("epsilon_i^{k+1} <= nu_i epsilon_i^k", shrinks, "(3.4)")
OF_ACCURACIES = replace(OF_VECTORS, clients_at=("v", "p", "q", "p_next", "q_next"), given=(LESS,), scalars=own(*OWN))
USED_UP = Control("accuracies that are used up leave nothing", more=1)


def less(x):
    """epsilon_i^k - epsilon_i^{k+1}."""
    return size(x, x.p, x.q) - size(x, x.p_next, x.q_next)


@claim(
    "fedadmm/lemma4.1@paid-p2",
    world=OF_ACCURACIES,
    control=USED_UP,
    uses=("fedadmm/lemma4.1-proof-s8", "fedadmm/lemma7.1-proof-s15"),
    step=True,
    note="What epsilon_i^k - epsilon_i^{k+1} pays for in p_2^k, by (3.4) and (7.6): nothing is owed.",
)
def paid_in_p2(x, more=0):
    return le(more * x.alpha * x.r * x.sq(x.v), left_of_p2(x, x.v, x.sigma * x.p_next, less(x)))


@claim(
    "fedadmm/lemma4.1@paid-p3",
    world=replace(OF_ACCURACIES, clients_at=("p", "q", "p_next", "q_next")),
    control=USED_UP,
    uses=("fedadmm/lemma4.1-proof-s10", "fedadmm/lemma7.1-proof-s16"),
    step=True,
    note="And in p_3^k.",
)
def paid_in_p3(x, more=0):
    return le(more * x.sigma * x.sq(x.p), left_of_p3(x, x.sigma * (x.p_next - x.p), less(x)))


def gone(x, t):
    """sigma/2 |w^{tau_{k+1}} - w^{tau_k}|^2 + c/4 sum of |w_i^{k+1} - w_i^k|^2, the right side of Lemma 4.1."""
    return x.server[t] + x.c / 4 * x.moves[t]


@claim(
    "fedadmm/lemma4.1@every-m",
    world=ITERATIONS,
    by=(
        lemma4_1_client,
        use(lemma4_1_least, v=move),
        use(paid_in_p2, v=move, p_next=p_next),
        use(paid_in_p3, p_next=p_next),
    ),
    control=Control("without anything left over both sides may be equal", times=2),
    note=f"{EVERY_CLIENT} For every 0 <= c <= c_i.",
)
def lemma4_1_every_m(x, t, times=1):
    return le(times * gone(x, t), x.L[t] - x.L[t + 1])
