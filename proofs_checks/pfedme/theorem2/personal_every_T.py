"""Theorem 2 (b) for every T, from (a) and what holds at every state (end of Section A.5)."""

from fedtheory import Control, claim, le, lemma
from fedtheory.theory.pfedme.conditions import LAM_THEOREM_2
from fedtheory.theory.pfedme.constants import sigma_F2_sq
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import GRADIENT, LENGTH
from problems import Sequences, at_least, condition

from .every_round import MEANING
from .personal import personal_distance_sq
from .statement import thm2b_multiple


def errors_sq(x):
    """Mean of |theta_tilde_i - theta_hat_i|^2."""
    return x.mean(x.sq(x.error))


def models_say(x, t):
    """Row thm2b@multiple at w_t."""
    return le(x.P[t], 2 * x.gradient_sq[t] + 4 * (x.variance / x.lam**2 + x.errors_sq[t] + x.unused))


@claim(
    "pfedme/thm2b@every-T",
    world=Sequences(
        "T",
        sequences={
            "P": at_least(0, LENGTH**2),
            "errors_sq": at_least(0, LENGTH**2),
            "gradient_sq": at_least(0, GRADIENT**2),
        },
        every=(
            condition("E|theta_tilde - theta_hat|^2 <= delta^2", lambda x, t: le(x.errors_sq[t], x.delta**2)),
            lemma(
                thm2b_multiple,
                models_say,
                meaning={
                    "P": personal_distance_sq,
                    "errors_sq": errors_sq,
                    "gradient_sq": MEANING["gradient_sq"],
                    "variance": sigma_F2_sq,
                },
                at={"unused": lambda x, t: 0},
            ),
        ),
        given=(LAM_THEOREM_2,),
        **symbols("lam", "L", "delta"),
        variance=at_least(0, GRADIENT**2),
    ),
    control=Control("errors of size delta alone make the left side delta^2, so half of it is too little", share="1/8"),
    note="For every T, N and dimension: the mean over t < T, t* uniform; E|grad F(w_{t*})|^2 is bounded by thm2a@every-T.",
)
def thm2b_every_T(x, share=1):
    left, gradients = x.sum(lambda t: x.P[t], x.T), x.sum(lambda t: x.gradient_sq[t], x.T)
    return le(left / x.T, 2 * gradients / x.T + share * 4 * (x.variance / x.lam**2 + x.delta**2))
