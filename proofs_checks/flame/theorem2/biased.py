"""Theorem 2, 2), repaired: any selection for every T, m, s, dimension and weights, with the skew of the gradients in place of (18).

The selection may be any: S^t may depend on all that happened. gamma bounds the mean of |grad_{theta_i} L|^2 over the selected
clients from below by gamma times that over all clients. What is shown is linear in the quantities, so that it holds of their
expectations as well, where the bound does.
"""

from dataclasses import replace

from fedtheory import Control, claim, le, use
from fedtheory.units import GRADIENT
from problems import condition, positive

from .every_round import (
    ROUNDS,
    SETTING,
    allowance,
    at_server,
    error,
    local,
    message,
    nearest,
    own_change,
    server,
    theta_gain,
    theta_sq,
)
from .every_T import promised

SKEW = condition(
    "gamma times the mean of |grad_{theta_i} L|^2 over all clients is at most that over S^t",
    lambda x, t: le(x.gamma * x.P[t], x.P_S[t]),
)
ACCURATE = condition("the mean of the errors over S^t is at most eps_max", lambda x, t: le(x.error_S[t], x.eps), "(13)")


def of_selected(quantity):
    """Of a client's quantity the mean over the selected clients, at w^t of (12)."""
    return at_server(lambda x: x.total(quantity(x), over=x.chosen) / x.S)


ANY_SELECTION = replace(
    ROUNDS,
    selection="chosen",
    step={
        "Theta": lambda x: x.where(x.chosen, x.Theta_next, x.Theta),
        "W": lambda x: x.where(x.chosen, local(x.at(w=server(x))), x.W),
    },
    quantities={
        **{name: ROUNDS.quantities[name] for name in ("D", "P")},
        "change_S": of_selected(own_change),
        "P_S": of_selected(theta_sq),
        "error_S": of_selected(error),
    },
)


@claim(
    "flame/thm2b~repaired-server",
    world=ANY_SELECTION,
    by=(use(nearest, z=lambda x: message(x.next), v=server),),
    control=Control("nor is it half of that", share="1/2"),
    uses=("flame/eq34-b", "flame/eq35-c", "flame/eq36-f"),
    step=True,
    note="L^{t+1} - L^t is at most the sum over S^t of the changes of L_i, for every S^t of s clients.",
)
def server_step(x, t, share=1):
    return le(x.D[t + 1], x.D[t] + share * x.S * x.change_S[t])


def measure(x, P):
    """`P` over 10 lam a_max."""
    return P / (10 * x.lam * x.a_max)


@claim(
    "flame/thm2b~repaired-round",
    world=ANY_SELECTION,
    by=(use(theta_gain, w=server), server_step),
    control=Control("f = 0 and exact solutions have at most half of the square over lam alpha", share=100),
    step=True,
    note=f"One round of a selection of s clients. {SETTING}",
)
def biased_round(x, t, share=1):
    return le(x.D[t + 1] + share * x.S * measure(x, x.P_S[t]), x.D[t] + x.S * allowance(x, x.error_S[t]))


@claim(
    "flame/thm2b~repaired",
    world=replace(
        ANY_SELECTION,
        every=(SKEW, ACCURATE),
        scalars={**ANY_SELECTION.scalars, "gamma": positive(), "eps": positive(GRADIENT**2)},
    ),
    by=(biased_round,),
    control=Control("f = 0 and exact solutions have at most half of the square over lam alpha", share=100),
    uses=("flame/lemma3",),
    note="1/(m T) sum of |grad L(Theta^t)|^2 <= 10 lam a_max/gamma ((L^0 - L^T)/(s T) + 50 eps_max/(lam a_min)), for every T, m, s "
    f"and dimension; both sides times gamma T/(10 lam a_max). {SETTING}",
)
def thm2b_repaired(x, share=1):
    whole = x.sum(lambda t: measure(x, x.gamma * x.P[t]), x.T)
    return le(share * whole, promised(x, x.D[0] - x.D[x.T]))
