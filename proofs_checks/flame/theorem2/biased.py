"""Theorem 2, 2), repaired: biased selection for every T, m, s and dimension, with the skew of the gradients in place of (18).

The selection may be any: S^t may depend on all that happened. gamma bounds the mean of |grad_{theta_i} L|^2 over the selected
clients from below by gamma times that over all clients; the box has gamma >= 1 where it ranks by full gradients.
"""

from fedtheory import Control, claim, le, lemma
from fedtheory.premise import Inherent
from fedtheory.theory.flame.constants import lagrangian, own_lagrangian, spring
from fedtheory.units import GRADIENT
from problems import Scalars, Sequences, at_least, condition

from ..worlds import flame_steps
from .every_round import SAFE, error, gain, theta_gain, theta_sq
from .every_T import ALONG, AMOUNTS, PARAMETERS, SETTING, allowance, promised

CHOSEN = {"P_S": theta_sq, "gain_S": gain, "error_S": error}  # the clients of the lemma's world are the selected ones
GRADIENTS = {name: at_least(0, GRADIENT**2) for name in ("P", "P_S", "error_S")}
SKEW = "gamma times the mean of |grad_{theta_i} L|^2 over all clients is at most that over S^t, in expectation"
THREE = {f"g_{i}": at_least(0, GRADIENT**2) for i in (1, 2, 3)}


@claim(
    "flame/thm2b~repaired-skew",
    world=Scalars(**THREE),
    control=Control("equal gradients are selected for their share", share="11/10"),
    uses=("flame/alg1-l25",),
    step=True,
    note="Of m = 3 clients with squared gradients g_i: the s with the largest ones of c uniform candidates have a mean of at "
    "least that of all three, in expectation, for c = 2 and c = 3: gamma >= 1 for the box, with full gradients and equal weights.",
)
def box_skew(x, share=1):
    mean = share * (x.g_1 + x.g_2 + x.g_3) / 3
    first, second, third = x.maximum(x.g_1, x.g_2), x.maximum(x.g_1, x.g_3), x.maximum(x.g_2, x.g_3)
    least = x.minimum(x.minimum(x.g_1, x.g_2), x.g_3)
    return (
        le(mean, (first + second + third) / 3, "c = 2, s = 1"),
        le(mean, x.maximum(first, x.g_3), "c = 3, s = 1"),
        le(mean, (x.g_1 + x.g_2 + x.g_3 - least) / 2, "c = 3, s = 2"),
    )


def own_changes(x):
    """L_i after the round less L_i before it, at w^t."""
    after, before = x.next, x.state
    new = own_lagrangian(x, after.Theta, after.W, after.Pi, before.w)
    return new - own_lagrangian(x, before.Theta, before.W, before.Pi, before.w)


@claim(
    "flame/thm2b~repaired-server",
    world=flame_steps(steps=(1,)),
    control=Control("for one client the server's step lowers L by rho/2 of its square", half=2),
    uses=("flame/eq34-b", "flame/eq35-c", "flame/eq36-f"),
    step=True,
    note="L^{t+1} - L^t is at most the sum over S^t of the changes of L_i, here with what the server's step gains, for every S^t.",
)
def server_step(x, half=1):
    rise = lagrangian(x, x.next) - lagrangian(x, x.state)
    gained = half * x.rho * x.m / 2 * x.sq(x.next.w - x.state.w)
    return le(rise + gained, x.total(own_changes(x), over=x.selected))


SERVER = Inherent(
    "L^{t+1} <= L^t + sum over S^t of the changes of L_i, flame/thm2b~repaired-server",
    "(34), (35)",
    lambda x: le(x.D_next + x.S * x.gain_S, x.D + x.S * allowance(x, x.error_S)),
)


def measure(x, P):
    """`P`, gamma times |grad L(Theta^t)|^2/m, over 10 lam alpha."""
    return P / (10 * spring(x))


@claim(
    "flame/thm2b~repaired-round",
    world=Scalars(
        **PARAMETERS, **GRADIENTS, **{name: AMOUNTS[name] for name in ("D", "D_next")}, gain_S=AMOUNTS["gain"],
        given=(
            *SAFE, SERVER,
            condition(SKEW, lambda x: le(x.P, x.P_S)),
            lemma(theta_gain, lambda x: le(x.P_S / (10 * spring(x)), x.gain_S), meaning=CHOSEN),
        ),
    ),
    control=Control("all of them may hold with equality", share=2),
    step=True,
    note=f"One round of a selection of s clients, in expectation. {SETTING}",
)  # fmt: skip
def biased_round(x, share=1):
    return le(x.D_next + share * x.S * measure(x, x.P), x.D + x.S * allowance(x, x.error_S))


@claim(
    "flame/thm2b~repaired",
    world=Sequences(
        "T", **ALONG, given=SAFE,
        sequences={"D": AMOUNTS["D"], "gain_S": AMOUNTS["gain"], **GRADIENTS},
        every=(
            condition(SKEW, lambda x, t: le(x.P[t], x.P_S[t])),
            Inherent(SERVER.printed, SERVER.where, lambda x, t: le(
                x.D[t + 1] + x.S * x.gain_S[t], x.D[t] + x.S * allowance(x, x.error_S[t])
            )),
            lemma(theta_gain, lambda x, t: le(x.P_S[t] / (10 * spring(x)), x.gain_S[t]), meaning=CHOSEN),
            condition("(13) with eps_max", lambda x, t: le(x.error_S[t], x.eps)),
        ),
    ),
    control=Control("a round may lower D by just that", share=2),
    uses=("flame/thm2b~repaired-skew", "flame/thm2b~repaired-server", "flame/lemma3"),
    note="1/(m T) sum of E|grad L(Theta^t)|^2 <= 10 lam alpha/gamma (E[L^0 - L^T]/(s T) + 50 eps_max/(lam alpha)), for every T, "
    f"m, s and dimension; both sides times gamma T/(10 lam alpha). {SETTING} gamma is about gradients and is at least 1 for the "
    f"box.",
)  # fmt: skip
def thm2b_repaired(x, share=1):
    return le(share * x.sum(lambda t: measure(x, x.P[t]), x.T), promised(x, x.D[0] - x.D[x.T]))
