"""Theorem 2 repaired, for every T, m, s, dimension and weights: under lam >= 2 L and rho >= 5 lam alpha_i.

D is E[L^t] less the sum of alpha_i inf f_i, P the mean over clients of E|grad_{theta_i} L|^2, Q that of E|grad_{w_i} L|^2 at t, and
`error` that of the left side of (13). By (40), (41) and (44) the printed measure |grad L(P^t)|^2 is m (P + (1 + 1/rho^2) Q), and
|grad L(Theta^t)|^2 is m P.
"""

from dataclasses import replace

from fedtheory import Control, claim, le, use
from fedtheory.units import GRADIENT
from problems import Scalars, at_least, condition, positive

from ..one_client import own
from .every_round import BOUNDS, ROUNDS, SETTING, allowance, fall, round_of_all

SQUARES = {name: at_least(0, GRADIENT**2) for name in ("P", "Q")}
ACCURATE = condition(
    "the mean of the errors over the clients is at most eps_max", lambda x, t: le(x.error[t], x.eps), "(13)"
)


def promised(x, lost):
    """(D^0 - D^T)/s + T 50 eps_max/(lam a_min), where `lost` is D^0 - D^T."""
    return lost / x.S + x.T * allowance(x, x.eps)


def measure(x, P, Q):
    """|grad L(P^t)|^2 (40) over m times the constant of `constant`."""
    return (P + (1 + 1 / x.rho**2) * Q) / constant(x)


def constant(x):
    """40 (rho + 1/rho) where rho >= 5 lam a_max; 20 lam a_max + 40 (rho + 1/rho) in any case."""
    return 20 * x.lam * x.a_max + 40 * (x.rho + 1 / x.rho)


@claim(
    "flame/thm2a~repaired-measure",
    world=Scalars(**own("lam", "rho"), **BOUNDS, **SQUARES),
    control=Control("for P = 0 and a small a_max both sides are nearly equal", share=2),
    uses=("flame/eq41-b~repaired", "flame/eq43-b", "flame/eq44-a"),
    step=True,
    note="(rho + 1/rho) Q/rho is the (1 + 1/rho^2) Q of the gradients in w_i and pi_i.",
)
def measured(x, share=1):
    return le(share * measure(x, x.P, x.Q), fall(x, x.P, x.Q))


@claim(
    "flame/thm2a~repaired-printed-round",
    world=ROUNDS,
    by=(round_of_all, use(measured, P=lambda x, t: x.P[t], Q=lambda x, t: x.Q[t])),
    control=Control("for P = 0 a round may lower D by just that", share=100),
    step=True,
    note=f"One round with the printed measure. {SETTING}",
)
def printed_round(x, t, share=1):
    return le(x.D[t + 1] + share * x.S * measure(x, x.P[t], x.Q[t]), x.D[t] + x.S * allowance(x, x.error[t]))


@claim(
    "flame/thm2a~repaired",
    world=replace(ROUNDS, every=(ACCURATE,), scalars={**ROUNDS.scalars, "eps": positive(GRADIENT**2)}),
    by=(printed_round,),
    control=Control("for P = 0 a round may lower D by just that", share=100),
    uses=("flame/thm2a~repaired-height", "flame/lemma3"),
    note="1/(m T) sum of E|grad L(P^t)|^2 <= c (E[L^0 - L^T]/(s T) + 50 eps_max/(lam a_min)) with "
    "c = 20 lam a_max + 40 (rho + 1/rho), "
    f"for every T, m, s and dimension; both sides over c, times T. {SETTING} L^T is at least F* by Lemma 3.",
)
def thm2a_repaired(x, share=1):
    whole = x.sum(lambda t: measure(x, x.P[t], x.Q[t]), x.T)
    return le(share * whole, promised(x, x.D[0] - x.D[x.T]))
