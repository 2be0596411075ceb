"""Lemma 3: one global update (Section A.4.2)."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.conditions import LAM_2L, MU_UP_TO_L
from fedtheory.theory.pfedme.constants import L_F, drift, eta_tilde, gap, mu_F
from fedtheory.theory.pfedme.symbols import symbols
from problems import Smooth, StronglyConvex, positive

from ..worlds.round import pfedme_round


def one_step(x, rate):
    """The inequality of Lemma 3, for either assumption, with the contraction 1 - rate eta_tilde mu_F/2."""
    step, w = eta_tilde(x), x.state.w
    G = x.F.grad(w)
    after = x.E(lambda draw: x.sq(x.alg.step(x.f, x.state, draw).w - x.w_star))
    sampling = x.E(lambda draw: x.sq(x.total_vec(G, over=draw.selected) / x.S - x.mean_vec(G)))
    return le(
        after,
        (1 - rate * step * mu_F(x) / 2) * x.sq(w - x.w_star)
        - step * (2 - 6 * L_F(x) * step) * gap(x, w)
        + step * (3 * step + 2 / mu_F(x)) * drift(x)
        + 3 * step**2 * sampling,
    )


FOUR_TIMES = Control(
    "one exact gradient step on a quadratic of curvature mu_F contracts by (1 - eta_tilde mu_F)^2, not four times as fast",
    rate=4,
)


@claim(
    "pfedme/lemma3",
    world=pfedme_round(Smooth("L"), optimum_of="F", given=(LAM_2L, MU_UP_TO_L), **symbols("L", "mu")),
    control=FOUR_TIMES,
    repair="pfedme/lemma3~repaired",
    uses=("pfedme/prop1b", "pfedme/lemma3-proof-s4"),
    note="As printed under Assumption 1(b), which leaves mu, and with it mu_F = lam mu/(lam + mu), without a tie to f_i; mu <= L, "
    "true of any function with both, is granted. "
    "delta bounds E|theta_tilde - theta_hat|^2 by delta^2 (Lemma 1).",
)
def lemma3(x, rate=1):
    return one_step(x, rate)


@claim(
    "pfedme/lemma3~repaired",
    world=pfedme_round(StronglyConvex("mu"), optimum_of="F", beta=positive(), **symbols("mu")),
    control=FOUR_TIMES,
    uses=("pfedme/prop1a", "pfedme/prop1c", "pfedme/lemma3-proof-s4"),
    note="Assumption 1(a) in place of 1(b), for any beta > 0.",
)
def lemma3_repaired(x, rate=1):
    return one_step(x, rate)
