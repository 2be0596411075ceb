"""Theorem 1 (b) for every T: the models of the last iterate, from its distance and what holds at every point (Section A.4.3)."""

from typing import Any

from fedtheory import Control, claim, le, lemma
from fedtheory.theory.pfedme.constants import sigma_F1_sq
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import bound_models
from fedtheory.units import GRADIENT, LENGTH
from problems import Points, Scalars, Sequences, StronglyConvex, at_least, condition

from .every_round import MEANING
from .every_T import AT_ANY_T, METHOD, last_distance, thm1b_proof_s3_a_every_T


def personal(x):
    """Mean of |theta_tilde_i(w) - w*|^2 for theta_tilde_i - theta_hat_i = error."""
    return x.mean(x.sq(x.f.prox(x.w, x.lam) + x.error - x.w_star))


def errors_sq(x):
    """Mean of |theta_tilde_i - theta_hat_i|^2."""
    return x.mean(x.sq(x.error))


def moved_sq(x):
    """Mean of |theta_hat_i(w) - w|^2."""
    return x.mean(x.sq(x.f.prox(x.w, x.lam) - x.w))


def spread_sq(x):
    """Mean of |grad F_i(w) - grad F_i(w*)|^2."""
    return x.mean(x.sq(x.F.grad(x.w) - x.F.grad(x.w_star)))


AT_A_POINT = Points(
    StronglyConvex("mu"),
    envelope="lam",
    optimum_of="F",
    clients_at=("error",),
    sizes={"d": (1, 2)},
    **symbols("lam", "mu"),
)


@claim(
    "pfedme/thm1b@three",
    world=AT_A_POINT,
    control=Control("differences that point the same way have larger squares of sums than sums of squares", three=1),
    step=True,
)
def thm1b_three(x, three=3):
    return le(personal(x), three * (errors_sq(x) + moved_sq(x) + x.sq(x.w - x.w_star)))


@claim(
    "pfedme/thm1b@moved",
    world=AT_A_POINT,
    control=Control("at w = w* both sides are multiples of sigma_{F,1}^2/lam^2, 1 and 2", share="2/5"),
    step=True,
)
def thm1b_moved(x, share=1):
    return le(moved_sq(x), share * 2 / x.lam**2 * (spread_sq(x) + sigma_F1_sq(x)))


@claim(
    "pfedme/thm1b@spread",
    world=AT_A_POINT,
    control=Control("for clients of curvature far above lam both sides are nearly equal", share="1/2"),
    uses=("pfedme/prop1a",),
    step=True,
)
def thm1b_spread(x, share=1):
    return le(spread_sq(x), share * x.lam**2 * x.sq(x.w - x.w_star))


def three_say(x, t):
    """Row thm1b@three at w_{t+1}."""
    return le(x.P[t + 1], 3 * (x.errors_sq[t + 1] + x.moved_sq[t + 1] + x.D[t + 1]))


def moved_says(x, t):
    """Row thm1b@moved at w_{t+1}."""
    return le(x.moved_sq[t + 1], 2 / x.lam**2 * (x.spread_sq[t + 1] + x.sigma_sq))


def spread_says(x, t):
    """Row thm1b@spread at w_{t+1}."""
    return le(x.spread_sq[t + 1], x.lam**2 * x.D[t + 1])


OF_A_MODEL = {
    "P": personal,
    "errors_sq": errors_sq,
    "moved_sq": moved_sq,
    "spread_sq": spread_sq,
    "D": MEANING["D"],
    "sigma_sq": sigma_F1_sq,
}


OF_MODELS = {
    **{name: at_least(0, LENGTH**2) for name in ("P", "errors_sq", "moved_sq", "D")},
    "spread_sq": at_least(0, GRADIENT**2),
}


@claim(
    "pfedme/thm1b@at-T",
    world=Sequences(
        "T",
        sequences=OF_MODELS,
        every=(
            condition("E|theta_tilde - theta_hat|^2 <= delta^2", lambda x, t: le(x.errors_sq[t + 1], x.delta**2)),
            lemma(thm1b_spread, spread_says, meaning=OF_A_MODEL, to={"w": "w"}),
            lemma(thm1b_moved, moved_says, meaning=OF_A_MODEL, to={"w": "w"}),
            lemma(thm1b_three, three_say, meaning=OF_A_MODEL, to={"w": "w"}),
        ),
        **symbols("lam", "mu", "delta"),
        sigma_sq=at_least(0, GRADIENT**2),
    ),
    control=Control("at w = w* errors of size delta make the left side delta^2", share="1/10"),
    step=True,
    note="Row thm1b-proof-s2-a at w_T, in expectation, for any errors whose mean square is at most delta^2.",
)
def thm1b_at_T(x, share=1):
    return le(x.P[x.T], share * bound_models(x, x.D[x.T], x.sigma_sq))


@claim(
    "pfedme/thm1b@chain",
    world=Scalars(
        **{name: at_least(0) for name in ("left", "D", "rest", "more")},
        given=(condition("left <= 9 D + rest", lambda x: le(x.left, 9 * x.D + x.rest)),),
    ),
    control=Control("it may hold with equality", share="1/2"),
    step=True,
)
def thm1b_chain(x, share=1):
    return le(x.left, share * (9 * (x.D + x.more) + x.rest))


AT_T: Any = thm1b_at_T.world
CHAIN = {
    "left": lambda x: x.P[x.T],
    "D": lambda x: x.D[x.T],
    "rest": lambda x: bound_models(x, 0, x.sigma_sq),
    "more": lambda x: last_distance(x) - x.D[x.T],
}


@claim(
    "pfedme/thm1b@every-T",
    world=Sequences(
        "T",
        **{
            **AT_ANY_T,
            "sequences": {**AT_ANY_T["sequences"], **AT_T.sequences},
            "every": (*AT_ANY_T["every"], *AT_T.every),
            "example": {**AT_ANY_T["example"], "errors_sq": 0, "delta": 1},
            "given": (
                *AT_ANY_T["given"],
                lemma(thm1b_proof_s3_a_every_T),
                lemma(thm1b_at_T),
                lemma(thm1b_chain, at=CHAIN),
            ),
        },
        **METHOD,
    ),
    control=Control("at rest at w* the left side has errors of size delta", share="1/50"),
    note="Theorem 1 (b) in its explicit form, for every T, R, S, N and dimension, with the L_F of (28) in C_3.",
)
def thm1b_every_T(x, share=1):
    return le(x.P[x.T], share * bound_models(x, last_distance(x), x.sigma_sq))
