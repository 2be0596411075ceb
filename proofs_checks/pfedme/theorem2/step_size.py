"""Theorem 2, the step size: (43), what it implies and what it is for (Section A.5, below (42))."""

from fedtheory import Control, claim, le, use
from fedtheory.theory.pfedme.conditions import EQ_43, LAM_THEOREM_2, SAMPLED, STEP_TILDE_LEMMA_5
from fedtheory.theory.pfedme.constants import L_F, eta2_hat, room, sampling
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import CURVATURE, STEP
from problems import Scalars, at_least, condition, positive

CLIENTS = {"N": at_least(2), **symbols("S")}


@claim(
    "pfedme/thm2-proof-s2-a",
    world=Scalars(given=(STEP_TILDE_LEMMA_5,), **symbols("lam", "eta_tilde", "beta")),
    control=Control("at the largest step of Lemma 5 both sides are equal", three="8/3"),
    step=True,
)
def thm2_proof_s2_a(x, three=3):
    return le(1 + 3 * L_F(x) * x.eta_tilde, 1 + three * x.beta / 2)


@claim(
    "pfedme/thm2-proof-s2-b",
    world=Scalars(**symbols("beta")),
    control=Control("for beta = 1 the left side is 5/2, above 2", three=2),
    step=True,
)
def thm2_proof_s2_b(x, three=3):
    return le(1 + 3 * x.beta / 2, three * x.beta)


def sum_of_three(x, lam_sq, room):
    """3/2 + 12 L^2/(lam^2 - 8 L^2) (N/S - 1)/(N - 1) + 36 lam^2/(lam^2 - 8 L^2), with `room` for lam^2 - 8 L^2."""
    return x.ratio(3, 2) + 12 * x.L**2 / room * sampling(x) + 36 * lam_sq / room


@claim(
    "pfedme/thm2-proof-s3-a",
    world=Scalars(given=(SAMPLED,), **symbols("L"), room=at_least(1, CURVATURE**2), **symbols("L_F"), **CLIENTS),
    control=Control("for lam^2 - 8 L^2 = 1 and S = 1 both sides are equal, so 70 for 72 is too little", factor=70),
    uses=("pfedme/thm1-proof-s3",),
    step=True,
    note="room is lam^2 - 8 L^2 >= 1; numbers are added to squares of curvatures, as that condition has it. For every L_F.",
)
def thm2_proof_s3_a(x, factor=72):
    lam_sq = 8 * x.L**2 + x.room
    return le(x.L_F * sum_of_three(x, lam_sq, x.room), x.L_F / 2 * (3 + 24 * x.L**2 + factor * lam_sq))


@claim(
    "pfedme/thm2-proof-s3-b",
    world=Scalars(given=(LAM_THEOREM_2,), **symbols("lam", "L")),
    control=Control("for lam^2 - 8 L^2 = 1 both sides are equal, so 74 for 75 is too little", factor=74),
    step=True,
)
def thm2_proof_s3_b(x, factor=75):
    return le(L_F(x) / 2 * (3 + 24 * x.L**2 + 72 * x.lam**2), L_F(x) / 2 * (factor * x.lam**2))


def half_left(x, factor=75):
    """1 - 75 eta_tilde L_F lam^2/2."""
    return 1 - factor * x.eta_tilde * L_F(x) * x.lam**2 / 2


@claim(
    "pfedme/thm2-proof-s4-a",
    world=Scalars(given=(LAM_THEOREM_2, EQ_43, SAMPLED), **symbols("eta_tilde", "lam", "L"), **CLIENTS),
    by=(use(thm2_proof_s3_a, room=room, L_F=lambda x: x.eta_tilde * L_F(x)), thm2_proof_s3_b),
    control=Control("for small L and S = N the three terms are near 75/2 lam^2, so 70 for 75 is too little", factor=70),
    step=True,
)
def thm2_proof_s4_a(x, factor=75):
    return le(half_left(x, factor), 1 - x.eta_tilde * L_F(x) * sum_of_three(x, x.lam**2, room(x)))


@claim(
    "pfedme/thm2-proof-s4-b",
    world=Scalars(given=(EQ_43,), **symbols("eta_tilde", "lam")),
    control=Control("at equality in (43) the left side is exactly one half", one="6/5"),
    step=True,
)
def thm2_proof_s4_b(x, one=1):
    return le(one, 2 * half_left(x))


@claim(
    "pfedme/cond-eq43-implies-a",
    world=Scalars(given=(LAM_THEOREM_2, EQ_43), **symbols("eta_tilde", "lam", "L")),
    control=Control("at equality in (43) both sides are equal", factor=26),
    step=True,
)
def cond_eq43_implies_a(x, factor=25):
    return le(1 + 3 * L_F(x) * x.eta_tilde, 1 + 1 / (factor * x.lam**2))


@claim(
    "pfedme/cond-eq43-implies-b",
    world=Scalars(given=(LAM_THEOREM_2,), **symbols("lam", "L")),
    control=Control("for lam = 1, the limit of small L, the left side is 26/25, above 51/50", two="51/50"),
    step=True,
    note="By lam^2 >= 8 L^2 + 1, the standing condition; (43) alone does not bound lam from below.",
)
def cond_eq43_implies_b(x, two=2):
    return le(1 + 1 / (25 * x.lam**2), two)


@claim(
    "pfedme/cond-eta2",
    world=Scalars(given=(LAM_THEOREM_2,), **symbols("lam", "L", "L_F", "beta")),
    control=Control("for lam near 1 and beta = 1 the left side is 1/(75 L_F), above 1/(80 L_F)", two=80),
    uses=("pfedme/cond-thm2-lambda",),
    step=True,
    note="By lam^2 >= 8 L^2 + 1, the standing condition; beta >= 1 alone does not give it. For every L_F.",
)
def cond_eta2(x, two=2):
    return le(eta2_hat(x, lambda x: x.L_F), x.beta / (two * x.L_F))


@claim(
    "pfedme/cond-thm2-case1@obeys-43",
    world=Scalars(
        a=positive(STEP),
        b=positive(STEP),
        **symbols("eta2_hat"),
        given=(
            condition(
                "eta2_hat^3 >= a^3 or eta2_hat^2 >= b^2",
                lambda x: le(x.minimum(x.a**3 / x.eta2_hat**3, x.b**2 / x.eta2_hat**2), 1),
            ),
        ),
    ),
    control=Control("for a = b = eta2_hat both sides are equal, so nine tenths are too little", share="9/10"),
    step=True,
    note="The chosen step min{a, b} of the first case meets (43); "
    "a = (beta^2 Delta_F/(T C_4))^{1/3}, b = (Delta_F/(T C_5))^{1/2}.",
)
def cond_thm2_case1_obeys_43(x, share=1):
    return le(x.minimum(x.a, x.b), share * x.eta2_hat)
