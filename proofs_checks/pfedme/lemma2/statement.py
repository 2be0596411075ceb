"""Lemma 2: bounded diversity of the Moreau envelopes (Section 4, proof A.3)."""

from fedtheory import Control, claim, le, lt
from fedtheory.theory.pfedme.constants import L_F, diversity, gap, sigma_F1_sq, sigma_F2_sq
from fedtheory.units import CURVATURE
from problems import Points, Smooth, StronglyConvex, condition, positive


def bound_a(x):
    """Right side of Lemma 2 (a)."""
    return 4 * L_F(x) * gap(x, x.w) + 2 * sigma_F1_sq(x)


def bound_b(x):
    """Right side of Lemma 2 (b)."""
    mean_grad_sq = x.sq(x.mean_vec(x.F.grad(x.w)))
    return 8 * x.L**2 / (x.lam**2 - 8 * x.L**2) * mean_grad_sq + 2 * sigma_F2_sq(x)


@claim(
    "pfedme/lemma2a",
    world=Points(StronglyConvex("mu"), envelope="lam", optimum_of="F", lam=positive(CURVATURE), mu=positive(CURVATURE)),
    control=Control(
        "at w = w* the left side is sigma_{F,1}^2 and the right side twice that, so two fifths of it is too little",
        lambda x: le(diversity(x, x.w), 2 * bound_a(x) / 5),
    ),
    uses=("pfedme/lemma2a-proof-s1-a", "pfedme/lemma2a-proof-s1-b"),
)
def lemma2a(x):
    return le(diversity(x, x.w), bound_a(x))


@claim(
    "pfedme/lemma2b",
    world=Points(
        Smooth("L"), envelope="lam", diversity="sigma_f_sq", lam=positive(CURVATURE), L=positive(CURVATURE),
        given=(condition("lam > 2 sqrt(2) L", lambda x: lt(8 * x.L**2, x.lam**2)),),
    ),
    control=Control(
        "for linear clients whose slopes sum to zero the left side is sigma_f^2 and the right side about twice that",
        lambda x: le(diversity(x, x.w), 2 * bound_b(x) / 5),
    ),
    uses=("pfedme/lemma2b-proof-s4",),
    note="The certificate uses Assumption 3 at w alone; the paper's own step (9) uses it at the points theta_hat_i.",
)  # fmt: skip
def lemma2b(x):
    return le(diversity(x, x.w), bound_b(x))
