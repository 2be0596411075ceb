"""Limits of Lemma 7.2 along whole runs: L_tilde converges, and (7.19) (Section 7.3)."""

from fedtheory import Control, claim, le, use
from fedtheory.limits import converges, refreshed, summable, tends_to

from ..iterations import EVERY_CLIENT, QUANTITIES, move, p_next, turn
from ..lemma4_1.every_m import gone, lemma4_1_every_m
from ..lemma7_1.limits import eq7_8, eq7_8_weighed
from ..whole_runs import SCHEME, UNBOUNDED, runs
from .every_m import lemma7_2b_client, lemma7_2b_spread
from .parts import (
    bent_within,
    drift_within,
    high_within,
    low_within,
    swing_within,
    turn_within,
)
from .sums import SPENT, least

LEMMA_4_1 = tuple(QUANTITIES)


@claim(
    "fedadmm/lemma4.1@whole", world=runs(*LEMMA_4_1, of=UNBOUNDED), by=lemma4_1_every_m.by, step=True,
    control=Control("without anything left over both sides may be equal", times=2),
    note=f"Lemma 4.1 where sigma_i > 5 alpha_i r_i/2. {EVERY_CLIENT}",
)  # fmt: skip
def lemma4_1_whole(x, t, times=1):
    return le(times * gone(x, t), x.L[t] - x.L[t + 1])


@claim(
    "fedadmm/lemma7.2-proof-s13@whole", world=runs(*LEMMA_4_1, of=UNBOUNDED), by=(lemma4_1_whole,), step=True, control=SPENT,
    note=f"Both parts of (7.20), for every K. {EVERY_CLIENT}",
)  # fmt: skip
def lemma7_2_proof_s13_whole(x, times=1):
    lost = x.L[0] - x.L[x.K]
    return (
        le(times * x.sum(lambda t: x.server[t], x.K), lost, "w"),
        le(times * x.c / 4 * x.sum(lambda t: x.moves[t], x.K), lost, "w_i"),
    )


@claim(
    "fedadmm/thm4.1-proof-s8@limit", world=runs(*LEMMA_4_1), by=(lemma4_1_whole, lemma7_2b_client, lemma7_2b_spread), step=True,
    note=f"L_tilde^k does not grow and is at least f*, so that it converges. {EVERY_CLIENT}",
)  # fmt: skip
def thm4_1_proof_s8_limit(x):
    return converges(x.L, at_least=least(x))


@claim(
    "fedadmm/lemma7.2-proof-s13@sums", world=runs(*LEMMA_4_1), step=True,
    by=(lemma7_2_proof_s13_whole, lemma4_1_whole, lemma7_2b_client, lemma7_2b_spread),
    note="sigma/2 |w^{tau_{k+1}} - w^{tau_k}|^2 and the squared moves of the selected clients are summable. {EVERY_CLIENT}",
)  # fmt: skip
def lemma7_2_proof_s13_sums(x):
    return (
        summable(x.server, x.L[0] - least(x)),
        summable(x.moves, 4 * (x.L[0] - least(x)) / x.c),
    )


@claim(
    "fedadmm/lemma7.2-proof-s13@limit", world=runs(*LEMMA_4_1), by=(lemma7_2_proof_s13_sums,), step=True,
    note=f"Both tend to 0. {EVERY_CLIENT}",
)  # fmt: skip
def lemma7_2_proof_s13_limit(x):
    return tends_to(x.server), tends_to(x.moves)


@claim(
    "fedadmm/lemma7.2-proof-s14@limit", step=True,
    world=runs("server", "moves", "eps", "eps_chosen", "turns", "bends", "swings"),
    by=(
        SCHEME, lemma7_2_proof_s13_limit, eq7_8_weighed, use(turn_within, p_next=p_next), use(bent_within, v=move),
        use(swing_within, p_next=p_next),
    ),
    note=f"The sum of |pi_i^{{k+1}} - pi_i^k|^2/sigma_i over the selected clients tends to 0. {EVERY_CLIENT}",
)  # fmt: skip
def lemma7_2_proof_s14_limit(x):
    return tends_to(x.turns, at_most=lambda t: x.high / 4 * x.moves[t] + 5 * x.eps_chosen[t])


@claim(
    "fedadmm/eq7.21@limit", step=True,
    world=runs("server", "moves", "way", "turns", "drift", "apart", "apart_chosen"),
    by=(SCHEME, lemma7_2_proof_s13_limit, lemma7_2_proof_s14_limit, drift_within),
    note="sigma_i |w_i^k - w^{tau_k}|^2 of every client tends to 0, whether it is selected or not: it is the turn over sigma_i "
    f"where the client is selected, and at most twice what it was and the move of the server where it is not. {EVERY_CLIENT}",
)  # fmt: skip
def eq7_21_limit(x):
    more = refreshed(x.apart_chosen, grows=2, more=lambda t: x.turns[t] + 2 * x.way[t])
    return tends_to(x.way, at_most=lambda t: 2 * x.server[t]), tends_to(x.apart, refreshed=more)


@claim(
    "fedadmm/eq7.21@apart", world=eq7_21_limit.world, by=(SCHEME, eq7_21_limit), step=True,
    note=f"The sum of sigma_i |w_i^k - w^{{tau_k}}|^2. {EVERY_CLIENT}",
)  # fmt: skip
def eq7_21_apart(x):
    return tends_to(x.apart)


@claim(
    "fedadmm/eq7.19",
    world=runs(
        "accuracies", "accuracies_chosen", "server", "moves", "way", "turns", "apart", "apart_chosen", "gaps", "turns_sq"
    ),
    by=(
        SCHEME, eq7_8, lemma7_2_proof_s13_limit, lemma7_2_proof_s14_limit, eq7_21_limit, use(high_within, v=turn),
        use(low_within, v=lambda x: x.W - x.w),
    ),
    uses=("fedadmm/eq7.20-b~repaired", "fedadmm/eq7.21-d@every-wait"),
    note="Lemma 7.2 c) as printed: of the squares, summed over the clients, each of which is not negative; of "
    "w^{tau_{k+1}} - w^{tau_k} times sigma/2, which is a positive number. w_i^{k+1} - w_i^k and "
    f"pi_i^{{k+1}} - pi_i^k are 0 where the client is not selected. {EVERY_CLIENT}",
)  # fmt: skip
def eq7_19(x):
    return (
        tends_to(x.accuracies),
        tends_to(x.server),
        tends_to(x.gaps, at_most=lambda t: x.apart[t] / x.low),
        tends_to(x.moves),
        tends_to(x.turns_sq, at_most=lambda t: x.high * x.turns[t]),
    )
