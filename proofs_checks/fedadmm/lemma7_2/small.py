"""Lemma 7.2 c): (7.19) to (7.21) (Section 7.3).

A limit is judged by what gives it: sums that stay bounded whatever the number of iterations, and bounds by terms that are
known to become small.
"""

from itertools import pairwise

from fedtheory import Control, assumed, claim, eq, le
from fedtheory.theory.fedadmm.constants import decrease
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, VALUE
from problems import Points, Scalars, at_least, condition, positive
from problems.worlds.derived import DerivedScalars, formula

from ..controls import EQUAL_PARTS, NOT_TWICE
from ..one_client import EVERY_UPDATE, ONE, Alone, free_update, update
from ..worlds import few_clients

ITERATIONS = 12


def summed_moves(x, factor):
    """sigma/2 |w^{tau_{k+1}} - w^{tau_k}|^2 + factor c/4 |w_1^{k+1} - w_1^k|^2 summed over k, for one client r w^2/2.

    With pi_1^k = -g_1^k = -r w_1^k an exact iteration takes w_1 to sigma/(sigma + r) w_1, and w^{tau_{k+1}} is (1 - r/sigma) w_1^k;
    w^{tau_0} = w^{tau_1}.
    """
    W = [x.w_0]
    for _ in range(ITERATIONS):
        W.append(x.sigma / (x.sigma + x.r) * W[-1])
    w = [(1 - x.r / x.sigma) * v for v in W[:-1]]
    clients, server = (sum((b - a) ** 2 for a, b in pairwise(path)) for path in (W, w))
    return x.sigma / 2 * server + factor * decrease(Alone(x)) / 4 * clients


@claim(
    "fedadmm/eq7.20-a",
    world=DerivedScalars(
        {"sigma": formula("8 r", lambda x: 8 * x.r)},
        r=positive(CURVATURE), w_0=positive(LENGTH), eps_part=positive(VALUE),
    ),
    control=Control("nor with twice as much", factor=4),
    repair="fedadmm/eq7.20-a~repaired",
    uses=("fedadmm/lemma4.1",),
    step=True,
    note="c/2 is printed where Lemma 4.1 has c/4. One client, m = 1, with f(w) = r w^2/2, from w_1^0 = w_0 with sigma = 8 r and "
    "exact solutions: the first twelve iterations alone exceed L_tilde^0 - f*, which by Lemma 7.2 b) is at least the right side. "
    "eps_part is the weighted eps_1^0 of (4.4), as small as one likes.",
)  # fmt: skip
def eq7_20_a(x, factor=2):
    start = x.r * x.w_0**2 / 2 - (x.r * x.w_0) ** 2 / (2 * x.sigma)  # L^0 at w^{tau_0} = w^{tau_1}, with f* = 0
    return le(summed_moves(x, factor), start + x.eps_part)


ACCURACY = condition("epsilon_i <= level", lambda x: le(x.eps, x.level))
SMALL = {"step": positive(LENGTH**2), "level": positive(GRADIENT**2)}


@claim(
    "fedadmm/lemma7.2-proof-s15",
    world=free_update(),
    control=Control("the step of the dual variable is sigma_i", times=2),
    step=True,
    note=f"Of the squares. {EVERY_UPDATE}",
)
def lemma7_2_proof_s15(x, times=1):
    u = update(x)
    return eq(x.sq(times * x.sigma * u.away), x.sq(u.turn))


GAP = Points(None, at=("w_old", "w_new", "w_i"), sizes=ONE)
ROUNDS = Points(
    None, at=("w_old", "w_i"), clients_at=("move",), sigma=positive(CURVATURE), s0=at_least(1),
    given=(condition("tau_{k+1} - tau_{k_i+1} <= 2 s_0", lambda x: le(x.m, 2 * x.s0)),),
)  # fmt: skip
ANY_ROUNDS = (
    "The m `clients` of this world are the rounds since the last selection of the client, any number of them, and their vectors "
    "w^{tau+1} - w^{tau}, any moves."
)


def way(x):
    """w^{tau_{k_i+1}} - w^{tau_{k+1}}."""
    return -x.total_vec(x.move)


@claim(
    "fedadmm/eq7.21-a",
    world=few_clients(),
    control=Control("the server's vector of the step before is another one", old=1),
    uses=("fedadmm/eq7.9",),
    step=True,
    note="From k to k + 1, for the clients outside Omega^{tau_{k+1}}; so for every step since k_i.",
)
def eq7_21_a(x, old=0):
    def of(before, after):
        gap = x.sq(after.W - after.w) - x.sq(before.W - (before.w if old else after.w))
        return eq(x.xp.where(after.selected, gap * 0, gap), 0)

    return x.each_step(of)


@claim(
    "fedadmm/eq7.21-b",
    world=GAP,
    control=EQUAL_PARTS[1],
    uses=("fedadmm/eq7.3-b",),
    step=True,
    note="For any w_i^{k_i+1} and any two server vectors.",
)
def eq7_21_b(x, share=1):
    return le(x.sq(x.w_i - x.w_new), share * 2 * (x.sq(x.w_i - x.w_old) + x.sq(x.w_old - x.w_new)))


def by_turn(x):
    """2/sigma_i^2 |pi_i^{k_i+1} - pi_i^{k_i}|^2 by (3.6)."""
    turn = x.sigma * (x.w_i - x.w_old)
    return 2 / x.sigma**2 * x.sq(turn)


def two_parts(x):
    """2 |w_i^{k_i+1} - w^{tau_{k_i+1}}|^2 + 2 |w^{tau_{k_i+1}} - w^{tau_{k+1}}|^2."""
    w_new = x.w_old + x.total_vec(x.move)
    return 2 * x.sq(x.w_i - x.w_old) + 2 * x.sq(x.w_old - w_new)


@claim(
    "fedadmm/eq7.21-c",
    world=ROUNDS,
    control=NOT_TWICE,
    uses=("fedadmm/lemma7.2-proof-s15",),
    step=True,
    note=f"{ANY_ROUNDS} For k_i >= 0; for k_i = -1 there is no pi_i^{{k_i}}.",
)
def eq7_21_c(x, times=1):
    return eq(two_parts(x), by_turn(x) + times * 2 * x.sq(way(x)))


@claim(
    "fedadmm/eq7.21-d",
    world=ROUNDS,
    control=Control("equal moves over all 2 s_0 rounds", four=2),
    uses=("fedadmm/eq7.3-c", "fedadmm/lemma7.2-proof-s18"),
    step=True,
    note=f"{ANY_ROUNDS} By row lemma7.2-proof-s18 they are at most 2 s_0.",
)
def eq7_21_d(x, four=4):
    return le(by_turn(x) + 2 * x.sq(way(x)), by_turn(x) + four * x.s0 * x.total(x.sq(x.move)))


@claim(
    "fedadmm/eq7.19@within",
    world=Scalars(
        sigma=positive(CURVATURE), s0=at_least(1), turn_sq=at_least(0, GRADIENT**2), away_sq=at_least(0, LENGTH**2),
        turn_then_sq=at_least(0, GRADIENT**2), server_sq=at_least(0, LENGTH**2), c7=positive(CURVATURE**2), e7=positive(), **SMALL,
        given=(
            condition("at most 2 s_0 rounds of at most step", lambda x: le(x.server_sq, 2 * x.s0 * x.step)),
        ),
    ),
    by=(
        assumed(
            "|pi_i^{k+1} - pi_i^k|^2 within c7 step + e7 level, (7.7), now and at the last selection",
            lambda x: (
                le(x.turn_sq, x.c7 * x.step + x.e7 * x.level), le(x.turn_then_sq, x.c7 * x.step + x.e7 * x.level)
            ),
            would_be="fedadmm/eq7.7",
        ),
        assumed(
            "|w_i^{k+1} - w^{tau_{k+1}}|^2 within the fourth line of (7.21)",
            lambda x: le(x.away_sq, 2 * x.turn_then_sq / x.sigma**2 + 4 * x.s0 * x.server_sq),
            would_be="fedadmm/eq7.21-d",
        ),
    ),
    control=Control("(7.21) may hold with equality", share="1/2"),
    uses=("fedadmm/eq7.8", "fedadmm/lemma7.2-proof-s13", "fedadmm/lemma7.2-proof-s14", "fedadmm/lemma7.2-proof-s16",
          "fedadmm/eq7.21-e"),
    note="Where over the last 2 s_0 rounds the squared moves of w^tau and w_i are at most step and epsilon_i at most "
    "level, all five are at most constants times step and level: the moves by (7.20), epsilon_i by (7.8), the turn of pi_i by "
    "(7.7) with its constants c7 and e7, and |w_i^{k+1} - w^{tau_{k+1}}|^2 by (7.21), selected or not.",
)  # fmt: skip
def eq7_19_within(x, share=1):
    turned = x.c7 * x.step + x.e7 * x.level
    away = 2 * turned / x.sigma**2 + 8 * x.s0**2 * x.step
    return le(x.turn_sq, share * turned, "pi_i"), le(x.away_sq, share * away, "w_i - w")
