"""Lemma 7.2 b) for every number of clients, from one client (Section 7.3)."""

from fedtheory import Control, claim, le
from problems import condition

from ..iterations import EVERY_CLIENT, ITERATIONS, loss, one_client, spread, summand

MET = Control("for f_i = 0 and an exact update both sides meet as epsilon_i vanishes", times=2)


@claim(
    "fedadmm/lemma7.2b-s1@client",
    world=one_client(at=("w",), clients_at=("W", "p", "q")),
    control=MET,
    uses=("fedadmm/lemma7.2-proof-s6", "fedadmm/lemma7.2-proof-s8"),
    step=True,
    note="At any state with (7.6).",
)
def lemma7_2b_client(x, times=1):
    return le(loss(x) + times * spread(x), summand(x, x.w))


AWAY = condition("2 sigma_i >= 3 alpha_i r_i", lambda x: le(3 * x.alpha * x.r, 2 * x.sigma))


@claim(
    "fedadmm/lemma7.2b-s1@spread",
    world=one_client(at=("w",), clients_at=("W",), given=(AWAY,)),
    control=Control("at w_i = w there is none", more=1),
    step=True,
)
def lemma7_2b_spread(x, more=0):
    return le(more * x.sigma * x.sq(x.W), spread(x))


@claim(
    "fedadmm/lemma7.2b-s1@every-m",
    world=ITERATIONS,
    by=(lemma7_2b_client,),
    control=MET,
    note=f"f(w^{{tau_k}}) + sum of (2 sigma_i - 3 alpha_i r_i)/4 |w_i^k - w^{{tau_k}}|^2 <= L_tilde^k at every k. {EVERY_CLIENT}",
)
def lemma7_2b_every_m(x, t, times=1):
    return le(x.loss[t] + times * x.spread[t], x.L[t])
