"""One client's parts of the sums over all clients, as quantities: claims for every number of clients, each with its own scalars.

A claim about one client is a lemma about its quantities (`of_one`), which `Sequences` in the clients then sums. Between two states,
any of them: what Algorithm 1 says of the second one are conditions on the quantities. Those with a sign that may change are
taken from a common lower bound -b.
"""

from functools import cache

from fedtheory import le, lemma
from fedtheory.premise import Inherent, Names
from fedtheory.theory.fedadmm.constants import decrease, eps_weight, own_lagrangian
from fedtheory.units import CURVATURE, LENGTH, VALUE
from problems import Scalars, at_least

from .lemma4_1.clients import from_p2, from_p3
from .lemma7_2.bounded import margin
from .one_client import one_client, own, update

OWN = ("r", "sigma", "alpha", "nu")
B = {"b": at_least(0, VALUE)}
C = {"c": at_least(0, CURVATURE)}
EVERY_CLIENT = "For every m and dimension, every client with its own r_i, sigma_i, alpha_i and nu_i."


def two_states(**scalars):
    """A client at k and, with `next`, at k + 1."""
    at = ("w", "w_next", "w_i", "w_i_next", "p", "p_next", "q", "q_next")
    return one_client(at=at, names=OWN, **B, **scalars)


def state(x):
    """(g_i^k, phi_i^k, epsilon_i^k), with phi_i = sigma_i p and epsilon_i = |sigma_i p|^2 + |sigma_i q|^2, which is (7.6)."""
    return x.alpha * x.f.grad(x.w_i), x.sigma * x.p, x.sq(x.sigma * x.p) + x.sq(x.sigma * x.q)


def next_state(x):
    """An instance with k + 1 in the place of k."""
    return x.at(w=x.w_next, w_i=x.w_i_next, p=x.p_next, q=x.q_next)


def summand(x):
    """Of L_tilde^k (4.4): the client's Lagrangian and weighted accuracy, from -b. Unit E."""
    g, phi, eps = state(x)
    return own_lagrangian(x, x.w, x.w_i, phi - g) + eps_weight(x) * eps + x.b


def summand_next(x):
    """Of L_tilde^{k+1}."""
    return summand(next_state(x))


def summand_between(x):
    """Of L(w^{tau_{k+1}}, W^k, Pi^k) (7.12) with the accuracies of k."""
    return summand(x.at(w=x.w_next))


def loss(x):
    """Of f(w^{tau_k}): alpha_i f_i(w^{tau_k}), from -b. Unit E."""
    return x.alpha * x.f.value(x.w) + x.b


def spread(x):
    """(2 sigma_i - 3 alpha_i r_i)/4 |w_i^k - w^{tau_k}|^2. Unit E."""
    return margin(x) * x.sq(x.w_i - x.w)


def cross(x):
    """<w^{tau_{k+1}} - w^{tau_k}, -pi_i^k - sigma_i (w_i^k - w^{tau_{k+1}})>, from -b: of (7.5) and (7.15). Unit E."""
    g, phi, _ = state(x)
    return x.dot(x.w_next - x.w, g - phi - x.sigma * (x.w_i - x.w_next)) + x.b


def upload(x):
    """<w^{tau_{k+1}} - w^{tau_k}, z_i^k>, from -b: of the sum in (3.3). Unit E."""
    g, phi, _ = state(x)
    return x.dot(x.w_next - x.w, x.sigma * x.w_i + phi - g) + x.b


def average(x):
    """<w^{tau_{k+1}} - w^{tau_k}, sigma_i w^{tau_{k+1}}>, from -b: of sigma times (3.3). Unit E."""
    return x.dot(x.w_next - x.w, x.sigma * x.w_next) + x.b


def server_move(x):
    """sigma_i/2 |w^{tau_{k+1}} - w^{tau_k}|^2. Unit E."""
    return x.sigma / 2 * x.sq(x.w_next - x.w)


def move_sq(x):
    """|w_i^{k+1} - w_i^k|^2. Unit M^2."""
    return x.sq(x.w_i_next - x.w_i)


def spare(x):
    """(c_i - c)/4 |w_i^{k+1} - w_i^k|^2. Unit E."""
    return (decrease(x) - x.c) / 4 * move_sq(x)


def left_over(x, u, change):
    """What the accuracies pay for and p_2^k and p_3^k do not use, with `change` of epsilon_i. Unit E."""
    in_p2 = x.alpha * x.r / 4 * x.sq(u.move) - x.dot(u.move, u.phi_next) - from_p2(x) * change
    return in_p2, -5 / x.sigma * x.sq(u.phi_next - u.phi) - from_p3(x) * change


def credit(x):
    """`left_over`, less what is wrong with (3.6): <move + turn/sigma_i, sigma_i (w_i^{k+1} - w^{tau_{k+1}}) - turn>. Unit E."""
    u = update(x)._replace(w=x.w_next)
    change = state(next_state(x))[2] - state(x)[2]
    return sum(left_over(x, u, change)) - x.dot(u.move + u.turn / x.sigma, x.sigma * u.away - u.turn)


MEANING: Names = {
    "L": summand,
    "L_next": summand_next,
    "L_between": summand_between,
    "loss": loss,
    "spread": spread,
    "cross": cross,
    "upload": upload,
    "average": average,
    "server": server_move,
    "move_sq": move_sq,
    "spare": spare,
    "credit": credit,
}
SCALARS: Names = {name: (lambda x, name=name: getattr(x, name)) for name in OWN}  # every client has its own


def quantities(*names):
    """The ranges of quantities."""
    return {name: at_least(0, LENGTH**2 if name == "move_sq" else VALUE) for name in names}


def meant(x, *names):
    """An instance with quantities by name."""
    return x.at(**{name: MEANING[name](x) for name in names})


FROM_BELOW = (
    "L",
    "L_next",
    "L_between",
    "loss",
    "cross",
    "upload",
    "average",
)  # from -b, which is any number below them


@cache
def above(name):
    """That -b is below a quantity of FROM_BELOW."""
    return Inherent(f"{name} >= 0: -b is a lower bound", "", lambda x: le(0, getattr(x, name)))


def of_one(first, says, *names, stated=(), **scalars):
    """The world of what a claim about one client says of its quantities, with what is `stated` of them."""
    own_lemma = lemma(first, says, meaning={**{name: MEANING[name] for name in names}, **SCALARS})
    given = (own_lemma, *(above(name) for name in names if name in FROM_BELOW), *stated)
    return Scalars(**own(*OWN), **B, **scalars, **quantities(*names), given=given)


def total(x, name):
    """Sum over the clients of a quantity."""
    return x.sum(lambda i: getattr(x, name)[i], x.m)


def both_ways(a, b):
    """a = b as two inequalities, of which there are certificates for sums."""
    return le(a, b), le(b, a)
