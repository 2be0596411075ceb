"""Lemma 4.1 and (7.20) from the functions on, for every number of clients and iterations (Section 7.3).

The clients have one r, sigma and nu: so they are alike, and one statement is about all of them. Between two states, any of them, as
in `summands`; `credit` has, beside what (3.4) to (3.6) leave over, the sum that (7.5) says is 0.
"""

from fedtheory import Control, claim, le, lemma, lt
from fedtheory.premise import Inherent, Names
from fedtheory.theory.fedadmm.constants import decrease
from fedtheory.units import LENGTH, VALUE
from problems import Points, Sequences, Smooth, at_least, condition

from ..one_client import own
from ..summands import B, credit, cross, loss, move_sq, next_state, server_move, spread, summand

SCALARS = {**own("r", "sigma", "nu"), **B}
PENALTY = condition("sigma > 5 r/2", lambda x: lt(5 * x.r / 2, x.sigma))
TWO_STATES = Points(
    Smooth("r"),
    at=("w", "w_next"),
    clients_at=("W", "W_next", "p", "p_next", "q", "q_next"),
    given=(PENALTY,),
    **SCALARS,
)


def clients(x):
    """The instance as `summands` names it: the weights are in the losses."""
    return x.at(alpha=1, w_i=x.W, w_i_next=x.W_next)


def following(x, of):
    """A quantity at k + 1."""
    y = next_state(clients(x))
    return of(y.at(W=x.W_next))


def lyapunov(x):
    """L_tilde^k + m b. Unit E."""
    return x.total(summand(clients(x)))


def server(x):
    """sigma/2 |w^{tau_{k+1}} - w^{tau_k}|^2, sigma the sum of the m penalties. Unit E."""
    return x.m * server_move(x)


def moves(x):
    """Sum of |w_i^{k+1} - w_i^k|^2. Unit M^2."""
    return x.total(move_sq(clients(x)))


def credits(x):
    """Sum of the credits of the clients, less <w^{tau_{k+1}} - w^{tau_k}, the sum of (7.5)>. Unit E."""
    y = clients(x)
    return x.total(credit(y) + x.b - cross(y))


MEANING: Names = {"L": lyapunov, "server": server, "moves": moves, "credit": credits}
VALUES = {name: at_least(0, VALUE) for name in ("L", "server", "credit")} | {"moves": at_least(0, LENGTH**2)}


def c(x):
    """The c of (4.4)."""
    return decrease(x.at(alpha=1))


def not_negative(x, t):
    """Nothing is owed at t."""
    return le(0, x.credit[t])


def falls(x, t):
    """Lemma 4.1 at t."""
    return le(x.L[t + 1] + x.server[t] + c(x) / 4 * x.moves[t] + x.credit[t], x.L[t])


@claim(
    "fedadmm/lemma4.1@equal",
    world=TWO_STATES,
    control=Control("c is the largest for concave quadratics of curvature -r", times=2),
    uses=("fedadmm/lemma4.1@client",),
    note="Clients with one r, sigma and nu, of any number and dimension, whatever their functions: they are the weighted losses "
    "alpha_i f_i, r a bound on every alpha_i r_i.",
)
def lemma4_1_equal(x, times=1):
    spent = server(x) + times * c(x) / 4 * moves(x) + credits(x)
    return le(following(x, lyapunov) + spent, lyapunov(x))


@claim(
    "fedadmm/lemma7.2b-s1@equal",
    world=TWO_STATES,
    control=Control("for f_i = 0 and exact updates both sides meet as epsilon_i vanishes", times=2),
    uses=("fedadmm/lemma7.2b-s1@client",),
    note="f(w^{tau_k}) + the spread of the clients <= L_tilde^k, both with m b, as in row lemma4.1@equal.",
)
def lemma7_2b_equal(x, times=1):
    y = clients(x)
    return le(x.total(loss(y)) + times * x.total(spread(y)), lyapunov(x))


@claim(
    "fedadmm/eq7.20-b@equal",
    world=Sequences(
        "K",
        **SCALARS,
        sequences=VALUES,
        every=(
            Inherent("L_tilde >= 0: -b is a lower bound", "", lambda x, t: (le(0, x.L[t]), le(0, x.L[t + 1]))),
            condition("credit >= 0: (3.4) to (3.6) or (3.8), and (7.5) or w^{tau_{k+1}} = w^{tau_k}", not_negative),
            lemma(lemma4_1_equal, falls, meaning=MEANING, then=following),
        ),
        given=(PENALTY,),
    ),
    control=Control("nothing need be left over", times=2),
    uses=(
        "fedadmm/lemma7.2b-s1@equal",
        "fedadmm/lemma4.1@credit",
        "fedadmm/lemma4.1@credit-kept",
        "fedadmm/eq7.5@every-m",
    ),
    note="For every K, m, k_0 and dimension, every selection, and clients as in row lemma4.1@equal: from their functions on. The "
    "right sides of Lemma 4.1 sum up to at most L_tilde^0 - L_tilde^K, so at most L_tilde^0 - f*.",
)
def eq7_20_b_equal(x, times=1):
    spent = x.sum(lambda t: x.server[t], x.K) + c(x) / 4 * x.sum(lambda t: x.moves[t], x.K)
    return le(times * spent, x.L[0] - x.L[x.K])
