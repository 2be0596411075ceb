"""The remarks below Lemma 2: the variances of the envelopes are finite, and zero for equal clients (Section 4)."""

from fedtheory import Control, claim, eq, le
from fedtheory.theory.pfedme.conditions import LAM_8L_SQ
from fedtheory.theory.pfedme.constants import L_F, gap, mu_F, sigma_F1_sq, sigma_F2_sq
from fedtheory.theory.pfedme.symbols import symbols
from problems import Points, SmoothStronglyConvex, StronglyConvex, condition


@claim(
    "pfedme/rem-lemma2-finite",
    world=Points(StronglyConvex("mu"), envelope="lam", optimum_of="F", at=("w", "v"), **symbols("lam", "mu")),
    control=Control("quadratic clients of curvature mu have an F of curvature mu_F and no more", share="11/10"),
    uses=("pfedme/prop1a", "pfedme/prop1c"),
    note="The first relation says nothing of w*: outside of a ball around w the continuous F is above F(w), so that it has a "
    "minimiser. It is the only one, lies within |grad F(w)|/mu_F of any w, and sigma_{F,1}^2 is finite because it is bounded by "
    "the gradients at any one point w.",
)
def rem_lemma2_finite(x, share=1):
    away, G = x.sq(x.w - x.w_star), x.F.grad(x.w)
    there, linear = x.mean(x.F.value(x.v) - x.F.value(x.w)), x.dot(x.mean_vec(G), x.v - x.w)
    grad_sq = x.sq(x.mean_vec(G))
    kappa_F = L_F(x) / mu_F(x)
    return (
        le(linear + share * mu_F(x) / 2 * x.sq(x.v - x.w), there, "exists"),
        le(share * mu_F(x) / 2 * away, gap(x, x.w), "unique"),
        le(mu_F(x) ** 2 * away, grad_sq, "where it is"),
        le(sigma_F1_sq(x), 2 * x.mean(x.sq(G)) + 2 * kappa_F**2 * grad_sq, "finite"),
    )


@claim(
    "pfedme/rem-lemma2-tight",
    world=Points(
        SmoothStronglyConvex("mu", "L"),
        envelope="lam",
        optimum_of="F",
        diversity="sigma_f_sq",
        given=(LAM_8L_SQ, condition("one data distribution: sigma_f^2 = 0", lambda x: eq(x.sigma_f_sq, 0))),
        **symbols("mu", "lam", "L"),
    ),
    control=Control(
        "away from w* the gradient of F is not zero, so the same mean at another point is no zero",
        lambda x: le(x.mean(x.sq(x.F.grad(x.w))), 0),
    ),
    uses=("pfedme/lemma2b",),
    note="Clients with one data distribution have one function: m equal clients, sigma_f^2 = 0 in Assumption 3. Then "
    "grad F_i(w*) = grad F(w*) = 0, and sigma_{F,2}^2 is a multiple of sigma_f^2. Both are defined where the clients are strongly "
    "convex and smooth. The bounds of the lemma are equalities there only in this sense.",
)
def rem_lemma2_tight(x):
    return le(sigma_F1_sq(x), 0, "sigma_F1^2"), eq(sigma_F2_sq(x), 0, "sigma_F2^2")
