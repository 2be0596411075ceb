"""The remarks below Lemma 2: the variances of the envelopes are finite, and zero for equal clients (Section 4)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.constants import L_F, gap, mu_F, sigma_F1_sq
from fedtheory.units import CURVATURE
from problems import Points, SmoothStronglyConvex, StronglyConvex, positive

from .proof import CASE_A, CASE_B, deviation_sq


def unique_and_finite(x, growth):
    """F grows by growth/2 |w - w*|^2; w* lies within |grad F(w)|/mu_F of any w; sigma_{F,1}^2 is bounded by data at w."""
    away, G = x.sq(x.w - x.w_star), x.F.grad(x.w)
    grad_sq = x.sq(x.mean_vec(G))
    kappa_F = L_F(x) / mu_F(x)
    return (
        le(growth / 2 * away, gap(x, x.w), "unique"),
        le(mu_F(x) ** 2 * away, grad_sq, "where it is"),
        le(sigma_F1_sq(x), 2 * x.mean(x.sq(G)) + 2 * kappa_F**2 * grad_sq, "finite"),
    )


@claim(
    "pfedme/rem-lemma2-finite",
    world=Points(StronglyConvex("mu"), optimum_of="F", **CASE_A),
    control=Control(
        "quadratic clients of curvature mu have an F of curvature mu_F and no more",
        lambda x: unique_and_finite(x, 11 * mu_F(x) / 10),
    ),
    uses=("pfedme/prop1a", "pfedme/prop1c"),
    note="A continuous F with this growth has a minimiser, and one only; sigma_{F,1}^2 is finite because it is bounded by the "
    "gradients at any one point w.",
)
def rem_lemma2_finite(x):
    return unique_and_finite(x, mu_F(x))


@claim(
    "pfedme/rem-lemma2-tight",
    world=Points(
        SmoothStronglyConvex("mu", "L"),
        envelope="lam",
        optimum_of="F",
        mu=positive(CURVATURE),
        sizes={"m": (1,)},
        **CASE_B,
    ),
    control=Control(
        "away from w* the gradient of F is not zero, so the same mean at another point is no zero",
        lambda x: eq(x.mean(x.sq(x.F.grad(x.w))), 0),
    ),
    note="Clients with one data distribution have one function f_i, so that their means are those of one client: the "
    "diversity of the f_i, of which sigma_f^2 is the least bound, is zero at every w, and grad F_i(w*) = grad F(w*) = 0. "
    "The lemma's bounds themselves are equalities there only in this sense.",
)
def rem_lemma2_tight(x):
    G = x.f.grad(x.w)
    return (
        eq(sigma_F1_sq(x), 0, "sigma_F1^2"),
        eq(x.lam**2 / (x.lam**2 - 8 * x.L**2) * x.mean(deviation_sq(x, G)), 0, "sigma_F2^2"),
    )
