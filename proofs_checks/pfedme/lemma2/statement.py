"""Lemma 2: bounded diversity of the Moreau envelopes (Section 4, proof A.3)."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.conditions import LAM_8L_SQ
from fedtheory.theory.pfedme.constants import bound_lemma2a, bound_lemma2b, diversity
from fedtheory.theory.pfedme.symbols import symbols
from problems import Points, Smooth, StronglyConvex


@claim(
    "pfedme/lemma2a",
    world=Points(StronglyConvex("mu"), envelope="lam", optimum_of="F", **symbols("lam", "mu")),
    control=Control(
        "at w = w* the left side is sigma_{F,1}^2 and the right side twice that, so two fifths of it is too little",
        share="2/5",
    ),
    uses=("pfedme/lemma2a-proof-s1-a", "pfedme/lemma2a-proof-s1-b"),
)
def lemma2a(x, share=1):
    return le(diversity(x, x.w), share * bound_lemma2a(x, x.w))


@claim(
    "pfedme/lemma2b",
    world=Points(Smooth("L"), envelope="lam", diversity="sigma_f_sq", given=(LAM_8L_SQ,), **symbols("lam", "L")),
    control=Control(
        "for linear clients whose slopes sum to zero the left side is sigma_f^2 and the right side about twice that",
        share="2/5",
    ),
    uses=("pfedme/lemma2b-proof-s4",),
    note="The certificate uses Assumption 3 at w alone; the paper's own step (9) uses it at the points theta_hat_i.",
)
def lemma2b(x, share=1):
    return le(diversity(x, x.w), share * bound_lemma2b(x, x.w))
