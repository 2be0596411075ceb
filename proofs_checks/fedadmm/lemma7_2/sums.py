"""(7.20) and what it makes summable, for every number of iterations: sums with bounds that do not depend on it (Section 7.3)."""

from dataclasses import replace

from fedtheory import Control, claim, le, use
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, VALUE
from problems import Points, Run, Sequences, Smooth, at_least, condition, positive

from ..iterations import (
    EVERY_CLIENT,
    ITERATIONS,
    OWN,
    SHRINKS,
    UPDATED,
    accuracy,
    gradient,
    iterations,
    move_sq,
    p_next,
    turn,
)
from ..lemma4_1.every_m import lemma4_1_every_m, paid_in_p3
from ..one_client import ONE, own
from .every_m import AWAY, lemma7_2b_client, lemma7_2b_spread

SPENT = Control("Lemma 4.1 may hold with equality", times=2)


@claim(
    "fedadmm/lemma7.2a@every-k",
    world=ITERATIONS,
    by=(lemma4_1_every_m,),
    control=Control("nothing need move", share="9/10"),
    note=f"L_tilde^k <= L_tilde^0 for every k. {EVERY_CLIENT}",
)
def lemma7_2a_every_k(x, share=1):
    return le(x.L[x.K], share * x.L[0])


def spent(x):
    """The sum over the iterations of the right sides of Lemma 4.1."""
    return x.sum(lambda t: x.server[t], x.K) + x.c / 4 * x.sum(lambda t: x.moves[t], x.K)


@claim(
    "fedadmm/eq7.20-a~repaired",
    world=ITERATIONS,
    by=(lemma4_1_every_m,),
    control=SPENT,
    note=f"With c/4, for every K. {EVERY_CLIENT}",
)
def eq7_20_a_repaired(x, times=1):
    return le(times * spent(x), x.L[0] - x.L[x.K])


def least(x):
    """f*, which may have any sign."""
    return x.f_plus - x.f_minus


LEAST_VALUE = {"f_plus": at_least(0, VALUE), "f_minus": at_least(0, VALUE)}
LAST = condition("f* <= f(w^{tau_K}), the infimum", lambda x: le(least(x), x.loss[x.K]))


@claim(
    "fedadmm/eq7.20-b~repaired",
    world=iterations(given=(AWAY, LAST), **LEAST_VALUE),
    by=(eq7_20_a_repaired, lemma7_2b_client, lemma7_2b_spread),
    control=SPENT,
    note=f"At most, not equal, for every K. {EVERY_CLIENT}",
)
def eq7_20_b_repaired(x, times=1):
    return le(times * spent(x), x.L[0] - least(x))


@claim(
    "fedadmm/lemma7.2-proof-s13",
    world=ITERATIONS,
    by=(lemma4_1_every_m,),
    control=SPENT,
    uses=("fedadmm/lemma7.2-proof-s1",),
    step=True,
    note="The sums of both parts are bounded: sigma |w^{tau_{k+1}} - w^{tau_k}|^2 sums up to at most 2 and c |w_i^{k+1} - w_i^k|^2 "
    f"to at most 4 times L_tilde^0 - L_tilde^K, so that both tend to 0. {EVERY_CLIENT}",
)
def lemma7_2_proof_s13(x, times=1):
    lost = x.L[0] - x.L[x.K]
    return (
        le(times * x.sum(lambda t: x.server[t], x.K), lost, "w"),
        le(times * x.c / 4 * x.sum(lambda t: x.moves[t], x.K), lost, "w_i"),
    )


# of one client, over the iterations that select it


ALONE = Run(
    Smooth("r"), at=("w_next",), clients_at=UPDATED, fresh=("w_next", "W_next", "q_next"),
    step={"W": lambda x: x.W_next, "p": p_next, "q": lambda x: x.q_next}, obeys=(SHRINKS,), index="K",
    quantities={
        "move": move_sq,
        "turn": lambda x: x.sq(turn(x)),
        "away": lambda x: x.sq(x.W_next - x.w_next),
        "eps": accuracy,
        "phi_turn": lambda x: x.sq(x.sigma * (p_next(x) - x.p)),
    },
    sizes={"d": (1, 2), **ONE}, **own(*OWN),
)  # fmt: skip


@claim(
    "fedadmm/eq7.7@turn",
    world=Points(
        Smooth("r"), at=(), clients_at=("W", "W_next", "p", "p_next"), sizes=ONE, **own("r", "sigma", "alpha")
    ),
    control=Control("a quadratic of curvature r_i attains it", share="9/10"),
    step=True,
)
def eq7_7_turn(x, share=1):
    change = x.sigma * (x.p_next - x.p)
    turned = change - gradient(x, x.W_next) + gradient(x, x.W)
    return le(x.sq(turned), share * (5 * (x.alpha * x.r) ** 2 / 4 * x.sq(x.W_next - x.W) + 5 * x.sq(change)))


@claim(
    "fedadmm/lemma7.2-proof-s14",
    world=ALONE,
    by=(use(eq7_7_turn, p_next=p_next), use(paid_in_p3, p_next=p_next)),
    control=Control("(7.7) may hold with equality", times=2),
    uses=("fedadmm/eq7.7", "fedadmm/eq7.7@parts", "fedadmm/eq7.8", "fedadmm/lemma7.2-proof-s13"),
    step=True,
    note="Over K iterations that select the client, for every K: |pi_i^{k+1} - pi_i^k|^2 sums up to at most 5 alpha_i^2 r_i^2/4 "
    "times the sum of |w_i^{k+1} - w_i^k|^2 and 10 (1 + nu_i)/(1 - nu_i) epsilon_i^0; both are bounded, the first by "
    "lemma7.2-proof-s13. It tends to 0.",
)
def lemma7_2_proof_s14(x, times=1):
    moved = 5 * (x.alpha * x.r) ** 2 / 4 * x.sum(lambda t: x.move[t], x.K)
    weight = 10 * (1 + x.nu) / (1 - x.nu)
    return le(times * x.sum(lambda t: x.turn[t], x.K), moved + weight * (x.eps[0] - x.eps[x.K]))


@claim(
    "fedadmm/lemma7.2-proof-s16",
    world=replace(ALONE, obeys=()),  # whatever the accuracy
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
                "in each of the rounds what (7.21) bounds it by",
                lambda x, t: le(x.away[t], x.rounds[t] * (2 / x.sigma**2 * x.turn[t] + 4 * x.s0 * x.server[t])),
            ),
        ),
        sigma=positive(CURVATURE),
        s0=at_least(1),
    ),
    control=Control("every wait may be as long as it can", share="9/10"),
    uses=(
        "fedadmm/eq7.21-d",
        "fedadmm/eq7.21-d@every-wait",
        "fedadmm/lemma7.2-proof-s13",
        "fedadmm/lemma7.2-proof-s14",
        "fedadmm/lemma7.2-proof-s18",
    ),
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
