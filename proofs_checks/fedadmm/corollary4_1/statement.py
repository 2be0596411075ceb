"""Corollary 4.1: convex objectives (Section 4.3)."""

from fedtheory import Control, claim, le
from fedtheory.units import CURVATURE, STEP
from problems import Points, SmoothConvex, StronglyConvex, positive

from ..one_client import ONE

F_ITSELF = "The one client of this world is f itself: no single f_i need be convex."
CONVEX = Points(SmoothConvex("L"), optimum_of="f", sizes=ONE, L=positive(CURVATURE), t=positive(STEP))
STRONG = Points(StronglyConvex("mu"), optimum_of="f", sizes=ONE, mu=positive(CURVATURE))
ATTAINED = "quadratics of curvature mu attain it"


@claim(
    "fedadmm/eq4.7-c@bound",
    world=CONVEX,
    control=Control("a quadratic needs half of it for one t", share="9/20"),
    uses=("fedadmm/eq7.26-b", "fedadmm/eq4.6-b", "fedadmm/thm4.1a", "fedadmm/eq4.7-c@sum"),
    note="For every t > 0, f(w) - f* is at most |grad f(w)|^2/(2 t') + t'/2 |w - w*|^2 with t' = 1/t, so at most "
    f"|grad f(w)| |w - w*|: it tends to 0 as the gradient does while w stays bounded. {F_ITSELF}",
)
def eq4_7_c_bound(x, share=1):
    gap = x.f.value(x.w) - x.f.value(x.w_star)
    return le(gap, share * (x.t * x.sq(x.f.grad(x.w)) + x.sq(x.w - x.w_star) / x.t) / 2)


@claim(
    "fedadmm/cor4.1b@minimiser",
    world=Points(SmoothConvex("L"), optimum_of="f", sizes=ONE, L=positive(CURVATURE)),
    control=Control("a linear bound leaves nothing over", lambda x: le(
        x.f.value(x.w_star) + x.sq(x.f.grad(x.w)) / x.L, x.f.value(x.w)
    )),
    uses=("fedadmm/thm4.2a", "fedadmm/cor4.1-proof-s4"),
    note=f"A stationary point of f, which an accumulating point is by Theorem 4.2 a), is a minimiser. {F_ITSELF}",
)  # fmt: skip
def cor4_1b_minimiser(x):
    return le(x.f.value(x.w_star), x.f.value(x.w))


@claim(
    "fedadmm/cor4.1c@gap",
    world=STRONG,
    control=Control(ATTAINED, share="9/10"),
    uses=(
        "fedadmm/cor4.1-proof-s5",
        "fedadmm/cor4.1-proof-s8",
        "fedadmm/cor4.1-proof-s11",
        "fedadmm/eq4.7-c",
        "fedadmm/cor4.1c@sum",
    ),
    note="|w^{tau_k} - w*|^2 is at most 2 (f(w^{tau_k}) - f*)/mu, which tends to 0 by a); this also makes w* unique, and "
    f"with it w_i* = w* and pi_i* = -alpha_i grad f_i(w*). {F_ITSELF}",
)
def cor4_1c_gap(x, share=1):
    return le(x.sq(x.w - x.w_star), share * 2 / x.mu * (x.f.value(x.w) - x.f.value(x.w_star)))
