"""Runs of Algorithm 1 that never end, under what Theorems 4.1 and 4.2, Corollary 4.1 and Lemma 7.2 state, and nothing more.

As `iterations`, with (3.3) and Scheme 4.1: at every k either w^{tau_{k+1}} = w^{tau_k} or
the sum of z_i^k - sigma_i w^{tau_{k+1}} is 0. c is a number below all c_i of (4.4), `low` and `high`
are numbers below and above all sigma_i: there are such, as there are finitely many clients. o is any fixed point.
"""

from dataclasses import replace

from fedtheory import le, lt, printed
from fedtheory.limits import chosen_again, recurs
from fedtheory.of_clients import OfClients
from fedtheory.theory.fedadmm.conditions import PENALTY
from fedtheory.theory.fedadmm.constants import eps_weight, own_lagrangian
from fedtheory.units import CURVATURE, VALUE
from problems import Run, Smooth, at_least, condition, positive

from .iterations import (
    AVERAGED,
    LEAST,
    OF_ALL,
    QUANTITIES,
    SHRINKS,
    UPDATED,
    accuracy,
    beside,
    dual,
    gradient,
    move,
    move_sq,
    p_next,
    phi,
    residual,
    turn,
)
from .lemma7_2.sums import LEAST_VALUE, least

BOUNDS = {"low": positive(CURVATURE), "high": positive(CURVATURE)}
C = {"c": positive(CURVATURE)}
LOWEST = condition("low <= sigma_i", lambda x: le(x.low, x.sigma))
HIGHEST = condition("sigma_i <= high", lambda x: le(x.sigma, x.high))

# a client


def weighed(x):
    """epsilon_i^k with its weight in (4.4). Unit E."""
    return eps_weight(x) * accuracy(x)


def lost(x):
    """What (3.4) takes off `weighed` at least. Unit E."""
    return (1 - x.nu) * weighed(x)


def bent(x):
    """alpha_i^2 r_i^2 |w_i^{k+1} - w_i^k|^2 over sigma_i. Unit E."""
    return (x.alpha * x.r) ** 2 / x.sigma * move_sq(x)


def swing(x):
    """|phi_i^{k+1} - phi_i^k|^2 over sigma_i. Unit E."""
    return x.sigma * x.sq(p_next(x) - x.p)


def apart(x):
    """sigma_i |w_i^k - w^{tau_k}|^2. Unit E."""
    return x.sigma * x.sq(x.W - x.w)


def turned(x):
    """|pi_i^{k+1} - pi_i^k|^2 over sigma_i. Unit E."""
    return x.sq(turn(x)) / x.sigma


def of_server(x):
    """sigma_i |w^{tau_{k+1}} - w^{tau_k}|^2. Unit E."""
    return x.sigma * x.sq(x.w_next - x.w)


def drifted(x):
    """sigma_i |w_i^k - w^{tau_{k+1}}|^2. Unit E."""
    return x.sigma * x.sq(x.W - x.w_next)


def span(x):
    """sigma_i |w_i^k - o|^2. Unit E."""
    return x.sigma * x.sq(x.W - x.o)


def steepness(x):
    """|g_i^k|^2 over sigma_i. Unit E."""
    return x.sq(gradient(x, x.W)) / x.sigma


def jolt(x):
    """What an update adds to sigma_i (w_i^k - w^{tau_{k+1}}) + pi_i^k."""
    return beside(x.sigma) * move(x) + turn(x)


def bend(x):
    """alpha_i (grad f_i(w^{tau_k}) - grad f_i(w_i^k)) + sigma_i (w_i^k - w^{tau_k})."""
    return gradient(x, x.w) - gradient(x, x.W) + beside(x.sigma) * (x.W - x.w)


def held(x):
    """The sum of sigma_i (w_i^k - w^{tau_k}) + pi_i^k."""
    return x.total_vec(beside(x.sigma) * (x.W - x.w) + dual(x))


OF_RUNS = {
    **QUANTITIES,
    "moves": OfClients(move_sq, "chosen"),
    "eps": OfClients(weighed),
    "eps_chosen": OfClients(weighed, "chosen"),
    "lost": OfClients(lost, "chosen"),
    "accuracies": OfClients(accuracy),
    "accuracies_chosen": OfClients(accuracy, "chosen"),
    "saved": OfClients(lambda x: (1 - x.nu) * accuracy(x), "chosen"),
    "turns": OfClients(turned, "chosen"),
    "turns_sq": OfClients(lambda x: x.sq(turn(x)), "chosen"),
    "gaps": OfClients(lambda x: x.sq(x.W - x.w)),
    "drift": OfClients(drifted),
    "norms": OfClients(lambda x: x.sigma * x.sq(x.w - x.o)),
    "spans": OfClients(span),
    "spans_sq": OfClients(lambda x: x.sq(x.W - x.o)),
    "steep": OfClients(steepness),
    "steep_o": OfClients(lambda x: x.sq(gradient(x, x.o)) / x.sigma),
    "duals": OfClients(lambda x: x.sq(dual(x)) / x.sigma),
    "duals_sq": OfClients(lambda x: x.sq(dual(x))),
    "cross": OfClients(lambda x: x.dot(x.W - x.w, dual(x))),
    "slopes": OfClients(lambda x: x.dot(x.W - x.w, gradient(x, x.W))),
    "Lag": OfClients(lambda x: own_lagrangian(x, x.w, x.W, dual(x))),
    "F_W": OfClients(lambda x: x.alpha * x.f.value(x.W)),
    "bends": OfClients(bent, "chosen"),
    "swings": OfClients(swing, "chosen"),
    "way": OfClients(of_server),
    "apart": OfClients(apart),
    "apart_chosen": OfClients(apart, "chosen"),
    "jolt": lambda x: x.sq(x.total_vec(jolt(x), over=x.chosen)),
    "jolts": OfClients(lambda x: x.sq(jolt(x)), "chosen"),
    "grad": lambda x: x.sq(x.total_vec(gradient(x, x.w))),
    "rest": lambda x: x.sq(x.total_vec(bend(x) + beside(x.sigma) * x.p)),
    "rests": OfClients(lambda x: x.sq(bend(x) + beside(x.sigma) * x.p)),
    "phis": OfClients(lambda x: x.sq(phi(x))),
    "pull": lambda x: x.sq(x.total_vec(beside(x.sigma) * (x.W - x.w))),
    "pulls_sq": OfClients(lambda x: x.sigma**2 * x.sq(x.W - x.w)),
    "sum_pi": lambda x: x.sq(x.total_vec(dual(x))),
    "away": lambda x: x.sq(x.w - x.o),
    "aways": OfClients(lambda x: x.sq(x.w - x.o)),
    "slant": lambda x: x.dot(x.total_vec(gradient(x, x.w)), x.w - x.o),
    "bows": OfClients(lambda x: x.sq(gradient(x, x.w) - gradient(x, x.W)) + x.sigma**2 * x.sq(x.W - x.w)),
    "pulls": OfClients(lambda x: ((x.alpha * x.r) ** 2 + x.sigma**2) * x.sq(x.W - x.w)),
    "held": lambda x: x.sq(held(x)),
    "left": lambda x: x.sq(residual(x)),
}
HOLDS = condition(
    "the sum of z_i^k - sigma_i w^{tau_{k+1}} is 0, or as with w^{tau_k}",
    lambda x, t: le(x.left[t], x.held[t]),
    "(3.3)",
)
INFIMUM = condition("f* <= f(w^{tau_k}), the infimum", lambda x, t: le(least(x), x.loss[t]), "(2.4)")
LAST = condition("f* <= f(w^{tau_K}), the infimum", lambda x: le(least(x), x.loss[x.K]), "(2.4)")

UNBOUNDED = Run(
    Smooth("r"), at=("w", "w_next", "o"), clients_at=UPDATED, fresh=("w_next", "W_next", "q_next"), selection="chosen",
    step={
        "w": lambda x: x.w_next,
        "W": lambda x: x.where(x.chosen, x.W_next, x.W),
        "p": lambda x: x.where(x.chosen, p_next(x), x.p),
        "q": lambda x: x.where(x.chosen, x.q_next, x.q),
    },
    obeys=(SHRINKS,), every=(AVERAGED, HOLDS), given=(PENALTY, LEAST, LOWEST, HIGHEST), quantities=OF_RUNS,
    index="K", sizes={"m": (1, 2, 3), "d": (1, 2)}, **OF_ALL, **C, **BOUNDS, **LEAST_VALUE, s0=at_least(1), k0=at_least(1),
    example={"K": 1, "r": 1, "sigma": 4, "alpha": 1, "nu": "1/2", "c": 1, "low": 4, "high": 4, "f_plus": 0,
             "f_minus": 1000, "s0": 1, "k0": 1},
)  # fmt: skip
WHOLE = replace(UNBOUNDED, every=(*UNBOUNDED.every, INFIMUM), given=(*UNBOUNDED.given, LAST))
# Assumption 4.2: |w| tends to infinity only with f(w), so that f is at least any level farther than some radius from o. As f >= f*
# within it too, (f(w) - f*) |w - o|^2 >= (level - f*) (|w - o|^2 - radius) everywhere.


def level(x):
    """Any value of f."""
    return x.level_plus - x.level_minus


def coerced(x, away, value):
    """(level - f*) (|w - o|^2 - radius) <= (f(w) - f*) |w - o|^2, with the weights sigma."""
    return le((level(x) - least(x)) * (away - x.radius), (value - least(x)) * away)


COERCIVE = condition(
    "f(w^{tau_k}) >= level where sigma |w^{tau_k} - o|^2 > radius, as (f - f*) |w - o|^2 >= (level - f*) (|w - o|^2 - radius)",
    lambda x, t: coerced(x, x.norms[t], x.loss[t]), "Assumption 4.2",
)  # fmt: skip
COERCIVE_LAST = condition(
    "f(w^{tau_K}) >= level where sigma |w^{tau_K} - o|^2 > radius, as (f - f*) |w - o|^2 >= (level - f*) (|w - o|^2 - radius)",
    lambda x: coerced(x, x.norms[x.K], x.loss[x.K]), "Assumption 4.2",
)  # fmt: skip
ABOVE = condition("level > L_tilde^0", lambda x: lt(x.L[0], level(x)))
COERCIVE_RUNS = replace(
    WHOLE, every=(*WHOLE.every, COERCIVE), given=(*WHOLE.given, COERCIVE_LAST, ABOVE),
    scalars={**WHOLE.scalars, "radius": at_least(0, VALUE), "level_plus": at_least(0, VALUE), "level_minus": at_least(0, VALUE)},
    example={**WHOLE.example, "radius": 10**6, "level_plus": 10**9, "level_minus": 0},
)  # fmt: skip
COMMON = ("loss", "balance", "left", "held")  # of which the conditions speak


def runs(*names, of=WHOLE):
    """The runs with a few of their quantities."""
    common = (*COMMON, "norms", "L") if of is COERCIVE_RUNS else COMMON if of.every else ()
    return replace(of, quantities={name: OF_RUNS[name] for name in dict.fromkeys((*common, *names))})


SCHEME = printed(
    "every client is selected at least once in 2 s_0 rounds of k_0 iterations that follow each other",
    lambda x: chosen_again(within=2 * x.s0 * x.k0),
    "Scheme 4.1",
)
AVERAGES = printed(
    "the sum of z_i^k - sigma_i w^{tau_{k+1}} is 0 at least once in k_0 iterations that follow each other",
    lambda x: recurs(lambda t: x.held[t] - x.left[t], x.held, within=x.k0),
    "(3.3)",
)
