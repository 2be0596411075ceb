"""(7.20) and what it makes summable, for every number of iterations: sums with bounds that do not depend on it (Section 7.3)."""

from fedtheory import Control, claim, le, lemma
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, VALUE
from problems import Sequences, at_least, condition, positive

from ..one_client import own

LEMMA_4_1 = condition(
    "Lemma 4.1", lambda x, t: le(x.sigma / 2 * x.server[t] + x.c / 4 * x.clients[t], x.L[t] - x.L[t + 1])
)
MOVES = {"L": at_least(0, VALUE), "server": at_least(0, LENGTH**2), "clients": at_least(0, LENGTH**2)}
OF_MOVES = {"sigma": positive(CURVATURE), "c": positive(CURVATURE)}


def iterations(index="K", *, given=()):
    """Iterations with what Lemma 4.1 says of each."""
    return Sequences(index, sequences=MOVES, every=(LEMMA_4_1,), given=given, **OF_MOVES)


NAMES = (
    "From Lemma 4.1 at each of K iterations, for every K: L is L_tilde^k - f*, not negative by Lemma 7.2 b), server is "
    "|w^{tau_{k+1}} - w^{tau_k}|^2, and clients is the sum over i of |w_i^{k+1} - w_i^k|^2."
)
SPENT = Control("Lemma 4.1 may hold with equality", times=2)


@claim(
    "fedadmm/lemma7.2a@every-k",
    world=iterations("k"),
    control=Control("nothing need move", share="9/10"),
    uses=("fedadmm/lemma4.1@every-m",),
    note="L_tilde^k <= L_tilde^0 for every k, from Lemma 4.1 at every iteration before. L is L_tilde^k - f*.",
)
def lemma7_2a_every_k(x, share=1):
    return le(x.L[x.k], share * x.L[0])


def spent(x):
    """The sum over the iterations of the right sides of Lemma 4.1."""
    server, clients = x.sum(lambda t: x.server[t], x.K), x.sum(lambda t: x.clients[t], x.K)
    return x.sigma / 2 * server + x.c / 4 * clients


@claim(
    "fedadmm/eq7.20-a~repaired",
    world=iterations(),
    control=SPENT,
    uses=("fedadmm/lemma4.1@every-m",),
    note=f"With c/4. {NAMES}",
)
def eq7_20_a_repaired(x, times=1):
    return le(times * spent(x), x.L[0] - x.L[x.K])


@claim(
    "fedadmm/eq7.20-b~repaired",
    world=iterations(given=(lemma(eq7_20_a_repaired),)),
    control=SPENT,
    uses=("fedadmm/lemma7.2b-s1@every-m",),
    note=f"At most, not equal. {NAMES}",
)
def eq7_20_b_repaired(x, times=1):
    return le(times * spent(x), x.L[0])


@claim(
    "fedadmm/lemma7.2-proof-s13",
    world=iterations(),
    control=SPENT,
    uses=("fedadmm/lemma7.2-proof-s1",),
    step=True,
    note="The sums of both parts are bounded: |w^{tau_{k+1}} - w^{tau_k}|^2 sums up to at most 2/sigma and |w_i^{k+1} - w_i^k|^2 "
    f"to at most 4/c times L_tilde^0 - L_tilde^K, so that both tend to 0. {NAMES}",
)
def lemma7_2_proof_s13(x, times=1):
    fall = x.L[0] - x.L[x.K]
    return (
        le(times * x.sigma / 2 * x.sum(lambda t: x.server[t], x.K), fall, "w"),
        le(times * x.c / 4 * x.sum(lambda t: x.clients[t], x.K), fall, "w_i"),
    )


def weight(x):
    """10 (1 + nu_i)/(1 - nu_i), of (7.7)."""
    return 10 * (1 + x.nu) / (1 - x.nu)


EQ_7_7 = condition(
    "(7.7)",
    lambda x, t: le(x.turn[t], 5 * (x.alpha * x.r) ** 2 / 4 * x.move[t] + weight(x) * (x.eps[t] - x.eps[t + 1])),
)
OF_A_CLIENT = {
    "move": at_least(0, LENGTH**2),
    "turn": at_least(0, GRADIENT**2),
    "eps": at_least(0, GRADIENT**2),
}


@claim(
    "fedadmm/lemma7.2-proof-s14",
    world=Sequences("K", sequences=OF_A_CLIENT, every=(EQ_7_7,), **own("r", "alpha", "nu")),
    control=Control("(7.7) may hold with equality", times=2),
    uses=("fedadmm/eq7.7", "fedadmm/eq7.7@parts", "fedadmm/eq7.8", "fedadmm/lemma7.2-proof-s13"),
    step=True,
    note="From (7.7) at each of K iterations, for every K: |pi_i^{k+1} - pi_i^k|^2, turn, sums up to at most 5 alpha_i^2 r_i^2/4 "
    "times the sum of |w_i^{k+1} - w_i^k|^2, which is at most 4/c (L_tilde^0 - f*) by row lemma7.2-proof-s13, and 10 (1 + "
    "nu_i)/(1 - nu_i) epsilon_i^0. It tends to 0.",
)
def lemma7_2_proof_s14(x, times=1):
    moved = 5 * (x.alpha * x.r) ** 2 / 4 * x.sum(lambda t: x.move[t], x.K)
    return le(times * x.sum(lambda t: x.turn[t], x.K), moved + weight(x) * (x.eps[0] - x.eps[x.K]))


@claim(
    "fedadmm/lemma7.2-proof-s16",
    world=Sequences(
        "K",
        sequences={"turn": at_least(0, GRADIENT**2), "away": at_least(0, LENGTH**2)},
        every=(condition("row lemma7.2-proof-s15", lambda x, t: le(x.sigma**2 * x.away[t], x.turn[t])),),
        sigma=positive(CURVATURE),
    ),
    control=Control("it is an equality", times=2),
    uses=("fedadmm/lemma7.2-proof-s14", "fedadmm/lemma7.2-proof-s15"),
    step=True,
    note="Over the iterations that select the client |w_i^{k+1} - w^{tau_{k+1}}|^2 sums up to at most the sum of |pi_i^{k+1} - "
    "pi_i^k|^2 over sigma_i^2.",
)
def lemma7_2_proof_s16(x, times=1):
    return le(times * x.sigma**2 * x.sum(lambda t: x.away[t], x.K), x.sum(lambda t: x.turn[t], x.K))


@claim(
    "fedadmm/eq7.21-e",
    world=Sequences(
        "N",
        sequences={
            "turn": at_least(0, GRADIENT**2),
            "server": at_least(0, LENGTH**2),
            "away": at_least(0, LENGTH**2),
            "rounds": at_least(0),
        },
        every=(
            condition("tau_{k+1} - tau_{k_i+1} <= 2 s_0", lambda x, t: le(x.rounds[t], 2 * x.s0)),
            condition(
                "(7.21), fourth line, in each of the rounds",
                lambda x, t: le(x.away[t], x.rounds[t] * (2 / x.sigma**2 * x.turn[t] + 4 * x.s0 * x.server[t])),
            ),
        ),
        sigma=positive(CURVATURE),
        s0=at_least(1),
    ),
    control=Control("every wait may be as long as it can", share="9/10"),
    uses=("fedadmm/eq7.21-d", "fedadmm/lemma7.2-proof-s13", "fedadmm/lemma7.2-proof-s14", "fedadmm/lemma7.2-proof-s18"),
    step=True,
    note="Over N waits of a client, each between two selections: turn is |pi_i^{k_i+1} - pi_i^{k_i}|^2 before the wait, server the "
    "sum of |w^tau - w^{tau+1}|^2 and away that of |w_i - w^tau|^2 over its rounds. No two waits share a round, so that by rows "
    "lemma7.2-proof-s13 and s14 all waits together stay bounded: it tends to 0. Printed 'due to pi_i^k ->': 0 is missing, of the "
    "difference.",
)
def eq7_21_e(x, share=1):
    turns, moves = x.sum(lambda t: x.turn[t], x.N), x.sum(lambda t: x.server[t], x.N)
    bound = 4 * x.s0 / x.sigma**2 * turns + 8 * x.s0**2 * moves
    return le(x.sum(lambda t: x.away[t], x.N), share * bound)
