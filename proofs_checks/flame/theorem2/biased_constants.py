"""Theorem 2, 2), repaired with other constants: those of the paper, where k > 0, with (18) itself, and for any lam > L.

The selection may be any, as in `biased`. In the constants of the paper gamma is that of (17) and (18): the mean over S^t of
|theta_i^{t+1} - theta_i^t|^2 is at least gamma times that over all clients, of which those outside S^t have the update that they
would make.
"""

from dataclasses import replace

from fedtheory import Control, claim, le, use
from fedtheory.theory.flame.constants import descent_coefficient, spring
from fedtheory.units import GRADIENT
from problems import Points, Scalars, at_least, condition, positive

from ..lemma1.proof import young_weight
from ..lemma1.statement import lemma1_repaired_printed, lemma1_repaired_sharp
from ..one_client import NAMES, ONE, own
from .biased import ACCURATE, ANY_SELECTION, SKEW, of_selected
from .every_round import (
    BOUNDS,
    OF_ALL,
    ROUNDS,
    WEIGHTS,
    at_server,
    error,
    in_the_mean,
    message,
    nearest,
    own_change,
    residual,
    server,
    theta_sq,
)
from .every_T import ACCURATE as ALL_ACCURATE
from .gradients import eq52_b_repaired
from .other_constants import (
    ANY,
    ANY_LAM,
    AT,
    C1,
    C2,
    NARROW,
    OF_THE_PAPER,
    PRINTED,
    WITH_CONSTANTS,
    K,
    gain,
    loss,
    moved,
    shifted,
    states,
)

# the constants of the paper


@claim(
    "flame/eq52-b~repaired-weights",
    world=Scalars(
        **own("L", "lam", "rho", "alpha"), a_max=BOUNDS["a_max"], c2=positive(), T=at_least(0), given=(WEIGHTS[1], C2),
    ),
    control=Control("nor is it a hundred times as much", share=100),
    step=True,
)  # fmt: skip
def largest_weight(x, share=1):
    return le(share * 4 * x.alpha**2 * (x.L**2 + x.lam**2) * x.T, x.c2 * x.T)


@claim(
    "flame/thm2b~repaired-client-constants",
    world=states(*OF_THE_PAPER, **PRINTED, example=NARROW),
    by=(use(eq52_b_repaired, **AT), use(largest_weight, T=lambda x, t: x.in_theta[t])),
    control=Control("nor with a little less of the error", two=1),
    step=True,
    note="|grad_{theta_i} L|^2 by the move of theta_i, with the c_2 that (42) has. For one client.",
)
def theta_by_moves(x, t, two=2):
    return le(x.P[t], x.c2 * x.in_theta[t] + two * x.error[t])


def theta_moved_sq(x):
    """|theta_i^{t+1} - theta_i^t|^2."""
    return x.sq(moved(x))


def along(x):
    """<r_i, theta_i^{t+1} - theta_i^t>, r_i the residual of (13)."""
    return x.dot(residual(x, x.Theta_next), moved(x))


def vectors(*names, given, **scalars):
    """Any vectors of one client."""
    return Points(None, at=(), clients_at=names, sizes=ONE, given=given, **own(*NAMES), **scalars)


@claim(
    "flame/thm2b~repaired-least-c1",
    world=vectors("v", given=(C1,), c1=PRINTED["c1"]),
    control=Control("c_1 may be that of the client", times=2),
    step=True,
)
def least_c1(x, times=1):
    return le(times * x.c1 * x.sq(x.v), -descent_coefficient(x) * x.sq(x.v))


@claim(
    "flame/thm2b~repaired-positive-c1",
    world=vectors("v", given=(C1,), c1=PRINTED["c1"]),
    control=Control("the vector need not be 0", more=1),
    step=True,
)
def positive_c1(x, more=0):
    return le(more * x.rho * x.sq(x.v), -descent_coefficient(x) * x.sq(x.v))


@claim(
    "flame/thm2b~repaired-least-k",
    world=vectors("v", given=(K,), k=PRINTED["k"]),
    control=Control("k may be that of the client", times=2),
    step=True,
)
def least_k(x, times=1):
    return le(times * x.k * x.sq(x.v), young_weight(x) * x.sq(x.v))


@claim(
    "flame/thm2b~repaired-young",
    world=vectors("u", "r", given=(), k=PRINTED["k"]),
    control=Control("r = 2 u attains it", share="9/10"),
    uses=("flame/eq22", "flame/eq38-d~repaired"),
    step=True,
)
def young(x, share=1):
    return le(x.dot(x.k * x.r, x.u), x.k * x.sq(x.u) + share * x.sq(x.k * x.r) / (4 * x.k))


GAMMA = {"gamma": positive()}
SKEW_OF_MOVES = condition(
    "gamma times the mean of |theta_i^{t+1} - theta_i^t|^2 over all clients is at most that over S^t",
    lambda x, t: le(x.gamma * x.in_theta[t], x.in_theta_S[t]),
    "(17), (18)",
)
ANY_OF_THE_PAPER = replace(
    ANY_SELECTION, given=OF_THE_PAPER, every=(SKEW_OF_MOVES,),
    scalars={**OF_ALL, **PRINTED, **GAMMA, "alpha": replace(OF_ALL["alpha"], weight=False)},
    quantities={
        "D": ROUNDS.quantities["D"],
        "P": in_the_mean(theta_sq),
        "in_theta": in_the_mean(theta_moved_sq),
        "error": in_the_mean(error),
        "change_S": of_selected(own_change),
        "in_theta_S": of_selected(theta_moved_sq),
        "fallen_S": of_selected(lambda x: -descent_coefficient(x) * x.sq(moved(x))),
        "fallen_w_S": of_selected(lambda x: -descent_coefficient(x) * x.sq(shifted(x))),
        "along_S": of_selected(along),
        "young_S": of_selected(lambda x: young_weight(x) * theta_moved_sq(x)),
        "error_S": of_selected(error),
    },
    example={**NARROW, "m": 1, "S": 1, "eps": 10**6, "gamma": 1},
)  # fmt: skip


@claim(
    "flame/thm2b~repaired-falls",
    world=ANY_OF_THE_PAPER,
    by=(
        use(lemma1_repaired_printed, w=server, **AT),
        use(least_c1, v=moved),
        use(positive_c1, v=at_server(shifted)),
        use(least_k, v=moved),
        use(young, u=moved, r=lambda x: residual(x, x.Theta_next) / x.k),
    ),
    control=Control("nor by a hundred times as much", share=100),
    step=True,
    note=f"What the updates of the selected clients lower L by. {WITH_CONSTANTS}",
)
def falls(x, t, share=1):
    return le(x.change_S[t] + share * x.c1 * x.in_theta_S[t], x.error_S[t] / (4 * x.k))


@claim(
    "flame/thm2b~repaired-skewed",
    world=ANY_OF_THE_PAPER,
    by=(use(theta_by_moves, w=server),),
    control=Control("nor by a hundred times as much", share=100),
    step=True,
    note=f"The gradients of all clients by the moves of the selected ones. {WITH_CONSTANTS}",
)
def skewed(x, t, share=1):
    return le(share * x.gamma * (x.P[t] - 2 * x.error[t]), x.c2 * x.in_theta_S[t])


@claim(
    "flame/thm2b~repaired-round-constants",
    world=ANY_OF_THE_PAPER,
    by=(use(nearest, z=lambda x: message(x.next), v=server), falls, skewed),
    control=Control("nor by a hundred times as much", share=100),
    step=True,
    note=f"One round of a selection of s clients, in the constants of the paper; both sides times c_2. {WITH_CONSTANTS}",
)
def round_of_the_paper(x, t, share=1):
    gone = x.S * x.c1 * x.gamma * (x.P[t] - 2 * x.error[t])
    return le(x.c2 * x.D[t + 1] + share * gone, x.c2 * x.D[t] + x.S * x.c2 * x.error_S[t] / (4 * x.k))


@claim(
    "flame/thm2b~repaired-constants",
    world=replace(
        ANY_OF_THE_PAPER,
        every=(SKEW_OF_MOVES, ACCURATE, ALL_ACCURATE),
        scalars={**ANY_OF_THE_PAPER.scalars, "eps": positive(GRADIENT**2)},
    ),
    by=(round_of_the_paper,),
    control=Control("nor by a hundred times as much", share=100),
    uses=("flame/thm2a~repaired-height", "flame/lemma3"),
    note="1/(m T) sum of |grad L(Theta^t)|^2 <= c_2/(c_1 gamma) ((L^0 - L^T)/(s T) + eps_max/(4 k)) + 2 eps_max, with the gamma of "
    "(17) "
    f"and (18), for any selection and every T, m, s and dimension; both sides times s T c_1 gamma. {WITH_CONSTANTS}",
)
def thm2b_of_the_paper(x, share=1):
    whole = x.sum(lambda t: x.c1 * x.gamma * x.P[t], x.T)
    allowed = x.c2 / (4 * x.k) + 2 * x.c1 * x.gamma
    return le(share * x.S * whole, x.c2 * (x.D[0] - x.D[x.T]) + x.S * x.T * allowed * x.eps)


# any lam > L


def sharp(x, u, v, r):
    """The right side of row lemma1~repaired-sharp with the moves u of theta_i and v of w_i, and the residual r."""
    a = spring(x)
    turn = a**2 / x.rho * x.sq(u - v) - (a + x.rho) / 2 * x.sq(v)
    return turn - x.alpha * (x.lam - x.L) / 2 * x.sq(u) + x.dot(r, u)


def by_move(x, u, r):
    """4 alpha_i^2 (L^2 + lam^2) |u|^2 + 2 |r|^2, which bounds |grad_{theta_i} L|^2."""
    return 4 * x.alpha**2 * (x.L**2 + x.lam**2) * x.sq(u) + 2 * x.sq(r)


def of_update(fn, *names):
    """Of the update."""
    parts = {"u": moved, "v": shifted, "r": lambda x: residual(x, x.Theta_next)}
    return of_selected(lambda x: fn(x, *(parts[name](x) for name in names)))


@claim(
    "flame/thm2b~repaired-vectors-any-lam",
    world=vectors("u", "v", "r", given=ANY_LAM, **BOUNDS),
    control=Control("nor by a hundred times as much", share=1000),
    step=True,
    note="For any moves u and v and any residual lam r.",
)
def falls_by_vectors(x, share=1):
    r = x.lam * x.r
    return le(sharp(x, x.u, x.v, r) + share * gain(x) * by_move(x, x.u, r), loss(x) * x.sq(r))


OF_ANY_LAM = replace(
    ANY_SELECTION, given=ANY_LAM,
    quantities={
        **ANY_SELECTION.quantities,
        "sharp_S": of_update(sharp, "u", "v", "r"),
        "by_move_S": of_update(by_move, "u", "r"),
    },
)  # fmt: skip


@claim(
    "flame/thm2b~repaired-round-any-lam",
    world=OF_ANY_LAM,
    by=(
        use(nearest, z=lambda x: message(x.next), v=server),
        use(lemma1_repaired_sharp, w=server, **AT),
        use(eq52_b_repaired, w=server, **AT),
        use(falls_by_vectors, u=moved, v=at_server(shifted), r=lambda x: residual(x, x.Theta_next) / x.lam),
    ),
    control=Control("nor by a hundred times as much", share=1000),
    step=True,
    note=f"One round of a selection of s clients. {ANY}",
)
def round_any_lam(x, t, share=1):
    return le(x.D[t + 1] + share * x.S * gain(x) * x.P_S[t], x.D[t] + x.S * loss(x) * x.error_S[t])


@claim(
    "flame/thm2b~repaired-any-lam",
    world=replace(
        OF_ANY_LAM, every=(SKEW, ACCURATE), scalars={**OF_ANY_LAM.scalars, **GAMMA, "eps": positive(GRADIENT**2)},
    ),
    by=(round_any_lam,),
    control=Control("nor by a hundred times as much", share=1000),
    uses=("flame/thm2a~repaired-height", "flame/lemma3"),
    note="1/(m T) sum of |grad L(Theta^t)|^2 <= 16 a_max (L^2 + lam^2)/((lam - L) gamma) ((L^0 - L^T)/(s T) + 3 eps_max/(a_min "
    "(lam - "
    f"L))), for any selection and every T, m, s and dimension; both sides times s T gamma over the first factor. {ANY}",
)  # fmt: skip
def thm2b_any_lam(x, share=1):
    whole = x.sum(lambda t: gain(x) * x.gamma * x.P[t], x.T)
    return le(share * x.S * whole, x.D[0] - x.D[x.T] + x.S * x.T * loss(x) * x.eps)
