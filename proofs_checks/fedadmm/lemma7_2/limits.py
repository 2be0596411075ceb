"""Limits of Lemma 7.2 along whole runs: L_tilde converges, and the moves of the server and of the selected clients tend to 0."""

from fedtheory import claim, le, lt
from fedtheory.limits import converges, summable, tends_to
from problems import condition

from ..iterations import EVERY_CLIENT, iterations
from ..lemma4_1.every_m import lemma4_1_every_m
from .every_m import AWAY, lemma7_2b_client, lemma7_2b_spread
from .sums import LEAST_VALUE, least, lemma7_2_proof_s13

INFIMUM = condition("f* <= f(w^{tau_k}), the infimum", lambda x, t: le(least(x), x.loss[t]))
LAST = condition("f* <= f(w^{tau_K}), the infimum", lambda x: le(least(x), x.loss[x.K]))
MARGIN = condition("c > 0", lambda x: lt(0, x.c))
RUNS = iterations(given=(AWAY, LAST, MARGIN), every=(INFIMUM,), **LEAST_VALUE)


@claim(
    "fedadmm/thm4.1-proof-s8@limit", world=RUNS, by=(lemma4_1_every_m, lemma7_2b_client, lemma7_2b_spread), step=True,
    note=f"L_tilde^k does not grow and is at least f*, so that it converges. {EVERY_CLIENT}",
)  # fmt: skip
def thm4_1_proof_s8_limit(x):
    return converges(x.L, at_least=least(x))


@claim(
    "fedadmm/lemma7.2-proof-s13@sums", world=RUNS, by=(lemma7_2_proof_s13, lemma7_2b_client, lemma7_2b_spread), step=True,
    note=f"sigma/2 |w^{{tau_{{k+1}}}} - w^{{tau_k}}|^2 and the squared moves of the selected clients are summable. {EVERY_CLIENT}",
)  # fmt: skip
def lemma7_2_proof_s13_sums(x):
    return summable(x.server, x.L[0] - least(x)), summable(x.moves, 4 * (x.L[0] - least(x)) / x.c)


@claim(
    "fedadmm/lemma7.2-proof-s13@limit", world=RUNS, by=(lemma7_2_proof_s13_sums,), step=True,
    note=f"Both tend to 0; sigma > 0, so that w^{{tau_{{k+1}}}} - w^{{tau_k}} does. {EVERY_CLIENT}",
)  # fmt: skip
def lemma7_2_proof_s13_limit(x):
    return tends_to(x.server), tends_to(x.moves)
