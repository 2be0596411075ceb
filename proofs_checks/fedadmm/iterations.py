"""Runs of Algorithm 1 for every number of clients, each with its own r_i, sigma_i, alpha_i and nu_i, and one client's update.

phi_i = sigma_i p and epsilon_i = |sigma_i p|^2 + |sigma_i q|^2, so that (7.6) holds by construction and epsilon_i is as large as
the paper lets it be. w^{tau_{k+1}} is any vector under (3.3), or where nothing is communicated under w^{tau_{k+1}} = w^{tau_k}. A
client that is selected takes any w_i^{k+1} under (3.4), from which (3.6) gives pi_i^{k+1}; the others keep theirs, (3.8). What an
update would be is there for every client, selected or not.
"""

from dataclasses import replace

from fedtheory import eq, le
from fedtheory.theory.fedadmm.constants import decrease, eps_weight, own_lagrangian
from fedtheory.theory.fedadmm.symbols import symbols
from fedtheory.units import CURVATURE
from problems import Points, Run, Smooth, at_least, condition

from .lemma4_1.clients import from_p2, from_p3
from .lemma7_2.bounded import margin
from .one_client import ONE, own

OWN = ("r", "sigma", "alpha", "nu")
OF_ALL = {name: replace(s, weight=False) for name, s in symbols(*OWN).items()}
C = {"c": at_least(0, CURVATURE)}
UPDATED = ("W", "p", "q", "W_next", "q_next")
EVERY_CLIENT = (
    "For every m and dimension, every client with its own r_i, sigma_i, alpha_i and nu_i, and every selection."
)


def beside(scalar):
    """A scalar of each client beside vectors."""
    return scalar[..., None] if getattr(scalar, "ndim", 0) else scalar


# a client at k


def gradient(x, w):
    """g_i = alpha_i grad f_i(w)."""
    return beside(x.alpha) * x.f.grad(w)


def phi(x):
    """phi_i^k."""
    return beside(x.sigma) * x.p


def dual(x):
    """pi_i^k of (7.6)."""
    return phi(x) - gradient(x, x.W)


def accuracy(x):
    """epsilon_i^k."""
    return x.sq(phi(x)) + x.sq(beside(x.sigma) * x.q)


def summand(x, w):
    """Of L_tilde (4.4) with w for w^{tau_k}. Unit E."""
    return own_lagrangian(x, w, x.W, dual(x)) + eps_weight(x) * accuracy(x)


def loss(x):
    """alpha_i f_i(w^{tau_k}). Unit E."""
    return x.alpha * x.f.value(x.w)


def spread(x):
    """(2 sigma_i - 3 alpha_i r_i)/4 |w_i^k - w^{tau_k}|^2. Unit E."""
    return margin(x) * x.sq(x.W - x.w)


# and at k + 1, if it is selected


def p_next(x):
    """phi_i^{k+1} over sigma_i, by (3.6)."""
    return x.p + x.W_next - x.w_next + (gradient(x, x.W_next) - gradient(x, x.W)) / beside(x.sigma)


def updated(x):
    """The instance with the client's vectors at k + 1."""
    return x.at(W=x.W_next, p=p_next(x), q=x.q_next)


def move(x):
    """w_i^{k+1} - w_i^k."""
    return x.W_next - x.W


def move_sq(x):
    """|w_i^{k+1} - w_i^k|^2."""
    return x.sq(move(x))


def turn(x):
    """pi_i^{k+1} - pi_i^k, by (3.6)."""
    return beside(x.sigma) * (x.W_next - x.w_next)


def own_change(x):
    """What the update adds to the client's summand at w^{tau_{k+1}}. Unit E."""
    return summand(updated(x), x.w_next) - summand(x, x.w_next)


def fall(x):
    """c_i/4 |w_i^{k+1} - w_i^k|^2, c_i of (4.4). Unit E."""
    return decrease(x) / 4 * move_sq(x)


def left_of_p2(x, v, phi_next, drop):
    """What `drop` of epsilon_i pays for and p_2^k does not use. Unit E."""
    return x.alpha * x.r / 4 * x.sq(v) - x.dot(v, phi_next) + from_p2(x) * drop


def left_of_p3(x, phi_turn, drop):
    """And p_3^k. Unit E."""
    return from_p3(x) * drop - 5 / x.sigma * x.sq(phi_turn)


def drop(x):
    """epsilon_i^k - epsilon_i^{k+1}."""
    return accuracy(x) - accuracy(updated(x))


def paid_p2(x):
    """`left_of_p2` of the update."""
    return left_of_p2(x, move(x), beside(x.sigma) * p_next(x), drop(x))


def paid_p3(x):
    """`left_of_p3` of the update."""
    return left_of_p3(x, beside(x.sigma) * (p_next(x) - x.p), drop(x))


SHRINKS = condition(
    "epsilon_i^{k+1} <= nu_i epsilon_i^k", lambda x: le(accuracy(updated(x)), x.nu * accuracy(x)), "(3.4)"
)
LEAST = condition("c <= c_i, of (4.4)", lambda x: le(x.c, decrease(x)))


def one_client(*, given=(), at=("w", "w_next"), clients_at=UPDATED, **scalars):
    """One client at a state, and an update of it that need not be accurate."""
    return Points(Smooth("r"), at=at, clients_at=clients_at, sizes=ONE, given=given, **own(*OWN), **scalars)


# all clients


def residual(x):
    """The sum of z_i^k - sigma_i w^{tau_{k+1}}, which is 0 by (3.3)."""
    return x.total_vec(beside(x.sigma) * (x.W - x.w_next) + dual(x))


def server_move(x):
    """sigma/2 |w^{tau_{k+1}} - w^{tau_k}|^2, sigma the sum of the sigma_i. Unit E."""
    return x.total(x.sigma / 2 * x.sq(x.w_next - x.w))


def of_selected(quantity):
    """Of a client's quantity the sum over the selected clients."""
    return lambda x: x.total(quantity(x), over=x.chosen)


QUANTITIES = {
    "L": lambda x: x.total(summand(x, x.w)),
    "L_between": lambda x: x.total(summand(x, x.w_next)),
    "server": server_move,
    "balance": lambda x: x.dot(x.w_next - x.w, residual(x)),
    "change": of_selected(own_change),
    "fall": of_selected(fall),
    "moves": of_selected(move_sq),
    "paid_p2": of_selected(paid_p2),
    "paid_p3": of_selected(paid_p3),
    "loss": lambda x: x.total(loss(x)),
    "spread": lambda x: x.total(spread(x)),
}
AVERAGED = condition(
    "<w^{tau_{k+1}} - w^{tau_k}, sum of z_i^k - sigma_i w^{tau_{k+1}}> = 0, as w^{tau_k} stays or is the average",
    lambda x, t: eq(x.balance[t], 0),
    "(3.3)",
)


ITERATIONS = Run(
    Smooth("r"), at=("w", "w_next"), clients_at=UPDATED, fresh=("w_next", "W_next", "q_next"), selection="chosen",
    step={
        "w": lambda x: x.w_next,
        "W": lambda x: x.where(x.chosen, x.W_next, x.W),
        "p": lambda x: x.where(x.chosen, p_next(x), x.p),
        "q": lambda x: x.where(x.chosen, x.q_next, x.q),
    },
    obeys=(SHRINKS,), every=(AVERAGED,), given=(LEAST,), quantities=QUANTITIES, index="K",
    sizes={"m": (1, 2, 3), "d": (1, 2)}, **OF_ALL, **C,
)  # fmt: skip


def iterations(given=(), every=(), **scalars):
    """`ITERATIONS` with what else is stated of them, and more scalars."""
    stated = {"given": (*ITERATIONS.given, *given), "every": (*ITERATIONS.every, *every)}
    return replace(ITERATIONS, **stated, scalars={**ITERATIONS.scalars, **scalars})


def states(quantities):
    """Any states, one after the other: nothing that one says of the next."""
    return Run(
        Smooth("r"), at=("w", "w_next"), clients_at=UPDATED, fresh=("w", "w_next", *UPDATED), step={}, quantities=quantities,
        index="K", sizes={"m": (1, 2, 3), "d": (1, 2)}, **OF_ALL,
    )  # fmt: skip
