"""Theorem 2 repaired with other constants: those of the paper, where k > 0, and for any lam > L (Section 4.4).

Of one client it is shown that an update lowers L_i by a multiple of the printed measure, up to a multiple of its error; what
follows for every T is the same for all such constants.
"""

from dataclasses import replace
from fractions import Fraction

from fedtheory import Control, claim, le, lt, use
from fedtheory.theory.flame.constants import c1, spring
from fedtheory.units import CURVATURE, GRADIENT, LENGTH
from problems import Run, Scalars, SmoothBoundedBelow, at_least, condition, positive

from ..lemma1.proof import young_weight
from ..lemma1.statement import lemma1_repaired_printed, lemma1_repaired_sharp
from ..one_client import NAMES, ONE, own
from ..props2_3 import eq22, eq23
from .every_round import (
    BOUNDS,
    CLIENTS,
    OF_ALL,
    ROUNDS,
    WEIGHTS,
    error,
    in_the_mean,
    local,
    local_sq,
    message,
    nearest,
    own_change,
    residual,
    server,
    theta_sq,
)
from .every_T import ACCURATE
from .gradients import eq52_b_repaired
from .local_gradients import eq44_b_virtual, eq45_b_local

# one client, at any state


def moved(x):
    """theta_i^{t+1} - theta_i^t."""
    return x.Theta_next - x.Theta


def shifted(x):
    """w_i^{t+1} - w_i^t."""
    return local(x) - x.W


def measure(x):
    """What the client adds to |grad L(P^t)|^2 (40): the squared gradients in theta_i, w_i and pi_i, by (25) and (43)."""
    return theta_sq(x) + (1 + 1 / x.rho**2) * local_sq(x)


QUANTITIES = {
    "change": own_change,
    "error": error,
    "in_theta": lambda x: x.sq(moved(x)),
    "in_w": lambda x: x.sq(shifted(x)),
    "apart": lambda x: x.sq(moved(x) - shifted(x)),
    "along": lambda x: x.dot(residual(x, x.Theta_next), moved(x)),
    "P": theta_sq,
    "Q": local_sq,
    "G": measure,
}
AT = {"theta": lambda x: x.Theta, "theta_next": lambda x: x.Theta_next, "w_i": lambda x: x.W}


def states(*given, **options):
    """States of one client, any of them, with the update that it would make."""
    return Run(
        SmoothBoundedBelow("L"), at=("w",), clients_at=CLIENTS, fresh=("w", *CLIENTS), step={}, quantities=QUANTITIES,
        given=given, sizes={"d": (1, 2), **ONE}, **own(*NAMES), **options,
    )  # fmt: skip


# the constants of the paper, where the bracket of (38) is positive

PRINTED = {"c1": positive(CURVATURE), "c2": positive(), "k": positive(CURVATURE), "a_max": BOUNDS["a_max"]}
NARROW = {  # the region of the conditions is a narrow one
    **{"alpha": Fraction(1, 30), "lam": Fraction(7, 50), "rho": Fraction(1, 29), "L": Fraction(3, 100), "T": 1},
    **{"c1": Fraction(1, 10**4), "c2": 10, "k": Fraction(1, 10**4), "a_max": Fraction(1, 30)},
}
C1 = condition("c_1 <= (lam alpha_i + rho)/2 - lam^2 alpha_i^2 (1 + rho)/rho^2", lambda x: le(x.c1, c1(x)))
K = condition("k <= (1/rho^2 - 1) lam^2 alpha_i^2 - (L alpha_i + rho)/2", lambda x: le(x.k, young_weight(x)))


def c2(x):
    """4 lam^2 a_max^2 (1 + 1/rho^2) + 4 a_max^2 (L^2 + lam^2) + 2 rho^2 + 2."""
    a_sq = x.a_max**2
    return 4 * x.lam**2 * a_sq * (1 + 1 / x.rho**2) + 4 * a_sq * (x.L**2 + x.lam**2) + 2 * x.rho**2 + 2


C2 = condition("c_2 of (42), with a_max for alpha_i, is at most c_2", lambda x: le(c2(x), x.c2))
OF_THE_PAPER = (C1, K, C2, WEIGHTS[1])


def moves(x, t):
    """|w_i^{t+1} - w_i^t|^2 + |theta_i^{t+1} - theta_i^t|^2."""
    return x.in_w[t] + x.in_theta[t]


@claim(
    "flame/lemma1~repaired-constants",
    world=states(*OF_THE_PAPER, **PRINTED, example=NARROW),
    by=(
        use(lemma1_repaired_printed, **AT),
        use(eq22, a=moved, b=lambda x: residual(x, x.Theta_next), k=lambda x: 2 * x.k),
    ),
    control=Control("with a fifth of its weight an error along the move of a flat client is too large", weight="1/5"),
    uses=("flame/eq38-d~repaired",),
    step=True,
    note="An update lowers L_i by c_1 times its squared moves, up to 1/(4 k) of its error. For one client.",
)
def falls_by_moves(x, t, weight=1):
    return le(x.change[t] + x.c1 * moves(x, t), weight * x.error[t] / (4 * x.k))


@claim(
    "flame/eq45-b~repaired-weights",
    world=Scalars(
        **own("L", "lam", "rho", "alpha"),
        a_max=BOUNDS["a_max"],
        c2=positive(),
        T=at_least(0),
        W=at_least(0),
        given=(WEIGHTS[1], C2),
    ),
    control=Control("for the largest weight, without moves of w_i, it may be all of it", share="9/10"),
    step=True,
)
def largest_weight(x, share=1):
    a_sq, b_sq = x.alpha**2, x.lam**2 * x.alpha**2
    in_theta = 4 * a_sq * (x.L**2 + x.lam**2) + 4 * b_sq * (1 + 1 / x.rho**2)
    in_w = 2 * x.rho**2 + 2 + 4 * b_sq * (1 + 1 / x.rho**2)
    return le(in_theta * x.T + in_w * x.W, share * x.c2 * (x.T + x.W))


@claim(
    "flame/eq45-b~repaired-constants",
    world=states(*OF_THE_PAPER, **PRINTED, example=NARROW),
    by=(
        use(eq52_b_repaired, **AT),
        use(eq45_b_local, **AT),
        use(largest_weight, T=lambda x, t: x.in_theta[t], W=lambda x, t: x.in_w[t]),
    ),
    control=Control("nor with a little less of the error", two=1),
    step=True,
    note="|grad L(P^t)|^2 by the moves of the update, with the c_2 that (42) has. For one client.",
)
def measure_by_moves(x, t, two=2):
    return le(x.G[t], x.c2 * moves(x, t) + two * x.error[t])


def of_errors(x, error):
    """c_2/(4 k) + 2 c_1 times an error."""
    return (x.c2 / (4 * x.k) + 2 * x.c1) * error


@claim(
    "flame/thm2a~repaired-client-constants",
    world=states(*OF_THE_PAPER, **PRINTED, example=NARROW),
    by=(falls_by_moves, measure_by_moves),
    control=Control("nor by a hundred times as much", share=100),
    step=True,
    note="c_1/c_2 of the printed measure, up to 1/(4 k) + 2 c_1/c_2 of the error; both sides times c_2. For one client.",
)
def gain_of_the_paper(x, t, share=1):
    return le(x.c2 * x.change[t] + share * x.c1 * x.G[t], of_errors(x, x.error[t]))


IN_THE_MEAN = replace(
    ROUNDS, given=OF_THE_PAPER, scalars={**OF_ALL, **PRINTED, "alpha": replace(OF_ALL["alpha"], weight=False)},
    quantities={"G": in_the_mean(measure), **{name: ROUNDS.quantities[name] for name in ("D", "change", "error")}},
    example={**NARROW, "m": 1, "S": 1, "eps": 10**6},
)  # fmt: skip
WITH_CONSTANTS = (
    "Any weights alpha_i, a_max a bound of them; c_1 and k any positive numbers that (39) and (38) allow every client, c_2 no less "
    "than in (42); L-smooth f_i that are bounded below, a start by (28)."
)


@claim(
    "flame/thm2a~repaired-round-constants",
    world=IN_THE_MEAN,
    by=(use(nearest, z=lambda x: message(x.next), v=server), use(gain_of_the_paper, w=server)),
    control=Control("nor by a hundred times as much", share=100),
    step=True,
    note=f"One round of unbiased selection in expectation, in the constants of the paper; both sides times c_2. {WITH_CONSTANTS}",
)
def round_of_the_paper(x, t, share=1):
    return le(x.c2 * x.D[t + 1] + share * x.S * x.c1 * x.G[t], x.c2 * x.D[t] + x.S * of_errors(x, x.error[t]))


@claim(
    "flame/thm2a~repaired-constants",
    world=replace(IN_THE_MEAN, every=(ACCURATE,), scalars={**IN_THE_MEAN.scalars, "eps": positive(GRADIENT**2)}),
    by=(round_of_the_paper,),
    control=Control("nor by a hundred times as much", share=100),
    uses=("flame/thm2a~repaired-height", "flame/lemma3"),
    note="1/(m T) sum of E|grad L(P^t)|^2 <= c_2/c_1 (E[L^0 - L^T]/(s T) + eps_max/(4 k)) + 2 eps_max, for every T, m, s and "
    f"dimension; both sides times s T c_1. {WITH_CONSTANTS}",
)
def thm2a_of_the_paper(x, share=1):
    whole = x.sum(lambda t: x.c1 * x.G[t], x.T)
    return le(share * x.S * whole, x.c2 * (x.D[0] - x.D[x.T]) + x.S * x.T * of_errors(x, x.eps))


# any lam > L

CONVEX = condition("lam > L", lambda x: lt(x.L, x.lam))
RHO = condition("rho (lam - L) >= 16 lam^2 alpha_i", lambda x: le(16 * x.lam * spring(x), x.rho * (x.lam - x.L)))
ANY_LAM = (CONVEX, RHO, *WEIGHTS)


def gain(x):
    """(lam - L)/(16 a_max (L^2 + lam^2)), of the squared gradient in theta_i."""
    return (x.lam - x.L) / (16 * x.a_max * (x.L**2 + x.lam**2))


def loss(x):
    """3/(a_min (lam - L)), of the error."""
    return 3 / (x.a_min * (x.lam - x.L))


OF_MOVES = (
    use(lemma1_repaired_sharp, **AT),
    use(eq22, a=moved, b=lambda x: residual(x, x.Theta_next), k=lambda x: x.alpha * (x.lam - x.L) / 4),
    use(eq23, a=moved, b=shifted, k=lambda x: 1),
)


@claim(
    "flame/thm2a~repaired-moves",
    world=states(*ANY_LAM, **BOUNDS),
    by=OF_MOVES,
    control=Control("nor by a hundred times as much", share=100),
    step=True,
    note="For any lam > L and rho (lam - L) >= 16 lam^2 alpha_i: what an update lowers L_i by. For one client.",
)
def falls_any_lam(x, t, share=1):
    bend = x.alpha * (x.lam - x.L)
    gone = bend / 4 * x.in_theta[t] + x.rho / 2 * x.in_w[t]
    return le(x.change[t] + share * gone, 2 * x.error[t] / bend)


@claim(
    "flame/thm2b~repaired-client-any-lam",
    world=states(*ANY_LAM, **BOUNDS),
    by=(falls_any_lam, use(eq52_b_repaired, **AT)),
    control=Control("nor by a hundred times as much", share=1000),
    step=True,
    note="For any lam > L and rho (lam - L) >= 16 lam^2 alpha_i. For one client.",
)
def theta_gain_any_lam(x, t, share=1):
    return le(x.change[t] + share * gain(x) * x.P[t], loss(x) * x.error[t])


def by_moves(x, T, W):
    """4 lam^2 alpha_i^2 T + (2 rho^2 + 4 lam^2 alpha_i^2) W, which bounds |grad_{w_i} L|^2."""
    return 4 * spring(x) ** 2 * (T + W) + 2 * x.rho**2 * W


@claim(
    "flame/thm2a~repaired-local-any-lam",
    world=Scalars(
        **own("L", "lam", "rho", "alpha"), **BOUNDS, T=at_least(0, LENGTH**2), W=at_least(0, LENGTH**2),
        Q=at_least(0, GRADIENT**2), error=at_least(0, GRADIENT**2),
        given=(*ANY_LAM, condition("Q by the moves, (44)", lambda x: le(x.Q, by_moves(x, x.T, x.W)))),
    ),
    control=Control("nor by a hundred times as much", share=1000),
    step=True,
    note="The weights of the two moves and of the error, for any moves T and W.",
)  # fmt: skip
def weights_any_lam(x, share=1):
    bend = x.alpha * (x.lam - x.L)
    gone = bend / 4 * x.T + x.rho / 2 * x.W
    return le(share * x.Q / (5 * x.rho), gone, "moves"), le(share * 2 * x.error / bend, loss(x) * x.error, "error")


@claim(
    "flame/thm2a~repaired-client-any-lam",
    world=states(*ANY_LAM, **BOUNDS),
    by=(
        falls_any_lam,
        use(eq44_b_virtual, **AT),
        use(
            weights_any_lam,
            T=lambda x, t: x.in_theta[t],
            W=lambda x, t: x.in_w[t],
            Q=lambda x, t: x.Q[t],
            error=lambda x, t: x.error[t],
        ),
    ),
    control=Control("nor by a hundred times as much", share=1000),
    step=True,
    note="And by |grad_{w_i} L|^2/(5 rho). For one client.",
)
def local_gain_any_lam(x, t, share=1):
    return le(x.change[t] + share * x.Q[t] / (5 * x.rho), loss(x) * x.error[t])


OF_ANY_LAM = replace(ROUNDS, given=ANY_LAM)
ANY = (
    "Any weights alpha_i, a_min and a_max bounds of them; L-smooth f_i that are bounded below, any lam > L, rho (lam - L) >= "
    "16 lam^2 alpha_i, a start by (28); nothing is asked of c_0."
)


def fall(x, P, Q):
    """Half of what either of the two gradients promises."""
    return gain(x) * P / 2 + Q / (10 * x.rho)


@claim(
    "flame/thm2a~repaired-round-any-lam",
    world=OF_ANY_LAM,
    by=(
        use(nearest, z=lambda x: message(x.next), v=server),
        use(theta_gain_any_lam, w=server),
        use(local_gain_any_lam, w=server),
    ),
    control=Control("nor by a hundred times as much", share=1000),
    step=True,
    note=f"One round of unbiased selection in expectation. {ANY}",
)
def round_any_lam(x, t, share=1):
    return le(x.D[t + 1] + share * x.S * fall(x, x.P[t], x.Q[t]), x.D[t] + x.S * loss(x) * x.error[t])


@claim(
    "flame/thm2a~repaired-any-lam",
    world=replace(OF_ANY_LAM, every=(ACCURATE,), scalars={**OF_ANY_LAM.scalars, "eps": positive(GRADIENT**2)}),
    by=(round_any_lam,),
    control=Control("nor by a hundred times as much", share=1000),
    uses=("flame/thm2a~repaired-height", "flame/lemma3"),
    note="1/T sum of (lam - L)/(32 a_max (L^2 + lam^2)) P + Q/(10 rho) <= E[L^0 - L^T]/(s T) + 3 eps_max/(a_min (lam - L)), with P "
    "and Q the means over the clients of E|grad_{theta_i} L|^2 and E|grad_{w_i} L|^2, for every T, m, s and dimension; both sides "
    f"times s T. {ANY}",
)
def thm2a_any_lam(x, share=1):
    whole = x.sum(lambda t: fall(x, x.P[t], x.Q[t]), x.T)
    return le(share * x.S * whole, x.D[0] - x.D[x.T] + x.S * x.T * loss(x) * x.eps)
