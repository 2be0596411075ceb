"""Theorem 2 repaired, for every T, m, s and dimension: under lam >= 2 L and rho >= 5 lam alpha, with equal weights.

D is E[L^t] less the sum of alpha inf f_i, P the mean over clients of E|grad_{theta_i} L|^2, Q that of E|grad_{w_i} L|^2 at t, and
`error` that of the left side of (13). By (40), (41) and (44) the printed measure |grad L(P^t)|^2 is m (P + (1 + 1/rho^2) Q), and
|grad L(Theta^t)|^2 is m P. What lemmas say at every state holds for expectations, as it is linear in these quantities.
"""

from fedtheory import Control, claim, le, lemma
from fedtheory.theory.flame.constants import spring
from fedtheory.units import GRADIENT, VALUE
from problems import Scalars, Sequences, at_least, condition, positive

from ..one_client import NAMES, own
from .every_round import (
    AT_T,
    MEANING,
    SAFE,
    above_least,
    local_gain,
    round_says,
    server_round,
    theta_gain,
)

PARAMETERS = {**own(*NAMES), "m": at_least(1), "S": at_least(1)}
AMOUNTS = {
    "D": at_least(0, VALUE), "D_next": at_least(0, VALUE), "gain": at_least(0, VALUE), "P": at_least(0, GRADIENT**2),
    "Q": at_least(0, GRADIENT**2), "error": at_least(0, GRADIENT**2),
}  # fmt: skip
SETTING = (
    "Equal weights alpha, L-smooth f_i that are bounded below, lam >= 2 L, rho >= 5 lam alpha, a start by (28); nothing is asked "
    "of c_0. Weights that differ from client to client, such as n_i/n, are left out: the proof is about clients that are alike."
)


def theta_says(x):
    """P <= 10 lam alpha gain."""
    return le(x.P / (10 * spring(x)), x.gain)


def local_says(x):
    """Q <= 20 rho gain."""
    return le(x.Q / (20 * x.rho), x.gain)


def fall(x, P, Q):
    """P/(20 lam alpha) + Q/(40 rho)."""
    return P / (20 * spring(x)) + Q / (40 * x.rho)


def allowance(x, error):
    """50 error/(lam alpha)."""
    return 50 * error / spring(x)


@claim(
    "flame/thm2a~repaired-round",
    world=Scalars(
        **PARAMETERS, **AMOUNTS,
        given=(
            *SAFE,
            lemma(theta_gain, theta_says, meaning=MEANING),
            lemma(local_gain, local_says, meaning=MEANING),
            lemma(server_round, round_says, meaning=MEANING, names=AT_T),
            lemma(above_least, lambda x: le(0, x.D), meaning=MEANING, names=AT_T),
        ),
    ),
    control=Control("ten times the gradients are too much", share=100),
    step=True,
    note=f"One round of unbiased selection in expectation, for every m, s and dimension. {SETTING}",
)  # fmt: skip
def round_of_all(x, share=1):
    return le(x.D_next + share * x.S * fall(x, x.P, x.Q), x.D + x.S * allowance(x, x.error))


ACCURATE = condition("(13) with eps_max", lambda x, t: le(x.error[t], x.eps))
SEQUENCES = {name: AMOUNTS[name] for name in ("D", "P", "Q", "error")}
ALONG = {**PARAMETERS, "eps": positive(GRADIENT**2)}


def promised(x, lost):
    """(D^0 - D^T)/s + T 50 eps_max/(lam alpha), where `lost` is D^0 - D^T."""
    return lost / x.S + x.T * allowance(x, x.eps)


def measure(x, P, Q):
    """|grad L(P^t)|^2 (40) over 40 (rho + 1/rho) m."""
    return (P + (1 + 1 / x.rho**2) * Q) / (40 * (x.rho + 1 / x.rho))


@claim(
    "flame/thm2a~repaired-measure",
    world=Scalars(**own(*NAMES), P=AMOUNTS["P"], Q=AMOUNTS["Q"], given=SAFE),
    control=Control("for P = 0 both sides are equal", share=2),
    uses=("flame/eq41-b~repaired", "flame/eq43-b", "flame/eq44-a"),
    step=True,
    note="(rho + 1/rho) Q/rho is the (1 + 1/rho^2) Q of the gradients in w_i and pi_i.",
)
def measured(x, share=1):
    return le(share * measure(x, x.P, x.Q), fall(x, x.P, x.Q))


@claim(
    "flame/thm2a~repaired-printed-round",
    world=Scalars(**PARAMETERS, **AMOUNTS, given=(*SAFE, lemma(round_of_all), lemma(measured))),
    control=Control("for P = 0 a round may lower D by just that", share=2),
    step=True,
    note=f"One round with the printed measure. {SETTING}",
)
def printed_round(x, share=1):
    return le(x.D_next + share * x.S * measure(x, x.P, x.Q), x.D + x.S * allowance(x, x.error))


@claim(
    "flame/thm2a~repaired",
    world=Sequences("T", **ALONG, sequences=SEQUENCES, every=(lemma(printed_round), ACCURATE), given=SAFE),
    control=Control("for P = 0 a round may lower D by just that", share=2),
    uses=("flame/thm2a~repaired-value", "flame/lemma3"),
    note="1/(m T) sum of E|grad L(P^t)|^2 <= 40 (rho + 1/rho) (E[L^0 - L^T]/(s T) + 50 eps_max/(lam alpha)), for every T, m, s "
    f"and dimension; both sides over 40 (rho + 1/rho), times T. {SETTING} L^T is at least F* by Lemma 3.",
)
def thm2a_repaired(x, share=1):
    whole = x.sum(lambda t: measure(x, x.P[t], x.Q[t]), x.T)
    return le(share * whole, promised(x, x.D[0] - x.D[x.T]))
