"""Lemma 3: one global update (Section A.4.2)."""

from fedtheory import Control, claim, le, lt
from fedtheory.theory.pfedme.constants import L_F, drift, eta_tilde, gap, mu_F
from fedtheory.units import CURVATURE
from problems import Smooth, StronglyConvex, condition, positive

from ..worlds.round import pfedme_round


def one_step(x, contraction):
    """The inequality of Lemma 3 with `contraction` in place of 1 - eta_tilde mu_F/2."""
    step, w = eta_tilde(x), x.state.w
    G = x.F.grad(w)
    after = x.E(lambda draw: x.sq(x.alg.step(x.f, x.state, draw).w - x.w_star))
    sampling = x.E(lambda draw: x.sq(x.total_vec(G, over=draw.selected) / x.S - x.mean_vec(G)))
    return le(
        after,
        contraction * x.sq(w - x.w_star)
        - step * (2 - 6 * L_F(x) * step) * gap(x, w)
        + step * (3 * step + 2 / mu_F(x)) * drift(x)
        + 3 * step**2 * sampling,
    )


CONTROL = Control(
    "one exact gradient step on a quadratic of curvature mu_F contracts by (1 - eta_tilde mu_F)^2, not four times as fast",
    lambda x: one_step(x, 1 - 2 * eta_tilde(x) * mu_F(x)),
)


@claim(
    "pfedme/lemma3",
    world=pfedme_round(
        Smooth("L"), optimum_of="F", L=positive(CURVATURE), mu=positive(CURVATURE),
        given=(
            condition("lam > 2 L (Proposition 1)", lambda x: lt(2 * x.L, x.lam)),
            condition("mu <= L", lambda x: le(x.mu, x.L)),
        ),
    ),
    control=CONTROL,
    repair="pfedme/lemma3~repaired",
    uses=("pfedme/prop1b", "pfedme/lemma3-proof-s4"),
    note="As printed under Assumption 1(b), which leaves mu, and with it mu_F = lam mu/(lam + mu), without a tie to f_i; mu <= L, "
    "true of any function with both, is granted. "
    "delta bounds E|theta_tilde - theta_hat|^2 by delta^2 (Lemma 1).",
)  # fmt: skip
def lemma3(x):
    return one_step(x, 1 - eta_tilde(x) * mu_F(x) / 2)


@claim(
    "pfedme/lemma3~repaired",
    world=pfedme_round(StronglyConvex("mu"), optimum_of="F", mu=positive(CURVATURE)),
    control=CONTROL,
    uses=("pfedme/prop1a", "pfedme/prop1c", "pfedme/lemma3-proof-s4"),
    note="Assumption 1(a) in place of 1(b).",
)
def lemma3_repaired(x):
    return one_step(x, 1 - eta_tilde(x) * mu_F(x) / 2)
