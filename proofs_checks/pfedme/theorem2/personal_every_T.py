"""Theorem 2 (b) for every T, from (a) and what holds at every state (end of Section A.5)."""

from fedtheory import Control, claim, le, use
from problems import condition

from ..theorem1.personal_every_T import OF_MODELS, errors_sq
from .every_round import rounds
from .personal import personal_distance_sq
from .statement import thm2b_multiple

SOLVED = condition("E|theta_tilde - theta_hat|^2 <= delta^2", lambda x, t: le(x.errors_sq[t], x.delta**2))


@claim(
    "pfedme/thm2b@every-T",
    world=rounds({"P": personal_distance_sq, "errors_sq": errors_sq}, (), every=(SOLVED,), **OF_MODELS),
    by=(use(thm2b_multiple, unused=lambda x: 0),),
    control=Control("errors of size delta alone make the left side delta^2, so half of it is too little", share="1/8"),
    note="For every T, N and dimension: the mean over t < T, t* uniform; E|grad F(w_{t*})|^2 is bounded by thm2a-b~repaired.",
)
def thm2b_every_T(x, share=1):
    left, gradients = x.sum(lambda t: x.P[t], x.T), x.sum(lambda t: x.gradient_sq[t], x.T)
    return le(left / x.T, 2 * gradients / x.T + share * 4 * (x.variance / x.lam**2 + x.delta**2))
