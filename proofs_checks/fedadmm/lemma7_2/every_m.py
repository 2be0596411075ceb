"""Lemma 7.2 b) for every number of clients, from one client (Section 7.3)."""

from fedtheory import Control, claim, le, lemma
from problems import Sequences, condition

from ..summands import EVERY_CLIENT, B, meant, of_one, quantities, total, two_states

NAMES = ("L", "loss", "spread")
MET = Control("for f_i = 0 and an exact update both sides meet as epsilon_i vanishes", times=2)


def says(x, times=1):
    """Lemma 7.2 b) of one client."""
    return le(x.loss + times * x.spread, x.L)


@claim(
    "fedadmm/lemma7.2b-s1@client",
    world=two_states(),
    control=MET,
    uses=("fedadmm/lemma7.2-proof-s6", "fedadmm/lemma7.2-proof-s8"),
    step=True,
    note="At any state with (7.6).",
)
def lemma7_2b_client(x, times=1):
    return says(meant(x, *NAMES), times)


LARGE = "sigma_i >= 3 alpha_i r_i/2"


@claim(
    "fedadmm/lemma7.2b-s1@numbers",
    world=of_one(lemma7_2b_client, says, *NAMES, stated=(condition(LARGE, lambda x: le(0, x.spread)),)),
    control=MET,
    step=True,
)
def lemma7_2b_numbers(x, times=1):
    return says(x, times)


@claim(
    "fedadmm/lemma7.2b-s1@every-m",
    world=Sequences(
        "m",
        sequences=quantities(*NAMES),
        every=(condition(LARGE, lambda x, i: le(0, x.spread[i])), lemma(lemma7_2b_numbers)),
        **B,
    ),
    control=MET,
    note="f(w^{tau_k}) + sum of (2 sigma_i - 3 alpha_i r_i)/4 |w_i^k - w^{tau_k}|^2 <= L_tilde^k, both with m b. "
    f"{EVERY_CLIENT}",
)
def lemma7_2b_every_m(x, times=1):
    return le(total(x, "loss") + times * total(x, "spread"), total(x, "L"))
