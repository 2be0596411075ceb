"""Theorem 1, the step size: (31), what it implies and what it is for (Section A.4.3)."""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.conditions import EQ_31, LEAST_T, MU_F_UP_TO_L_F, SAMPLED, STEP_26
from fedtheory.theory.pfedme.constants import eta1_hat, kappa_F, sampling
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import bracket as overbrace
from problems import Scalars, at_least

CURVATURES = symbols("L_F", "mu_F", "beta")
CLIENTS = {"N": at_least(2), **symbols("S")}
ANY_ENVELOPE = Scalars(**CURVATURES, given=(MU_F_UP_TO_L_F,))
UNDER_31 = Scalars(**CURVATURES, **symbols("eta_tilde"), given=(MU_F_UP_TO_L_F, EQ_31))


@claim(
    "pfedme/cond-eta1-a",
    world=ANY_ENVELOPE,
    control=Control(
        "for kappa_F = 1 and large beta eta1_hat is 1/(18 L_F), above 1/(20 L_F)",
        lambda x: le(eta1_hat(x), 1 / (20 * x.L_F)),
    ),
    step=True,
)
def cond_eta1_a(x):
    return le(eta1_hat(x), x.beta / (2 * x.L_F))


@claim(
    "pfedme/cond-eta1-b",
    world=ANY_ENVELOPE,
    control=Control("for kappa_F = 1 and large beta eta1_hat is 1/(18 mu_F), above 1/(20 mu_F)", two="1/20"),
    step=True,
)
def cond_eta1_b(x, two=2):
    return le(eta1_hat(x), two / x.mu_F)


@claim(
    "pfedme/cond-eta1",
    world=UNDER_31,
    control=Control("for kappa_F = 1 and large beta eta1_hat is 1/(18 mu_F), above 1/(20 mu_F)", two="1/20"),
    uses=("pfedme/cond-eta1-a", "pfedme/cond-eta1-b"),
    step=True,
)
def cond_eta1(x, two=2):
    return le(x.eta_tilde, eta1_hat(x)), le(eta1_hat(x), x.beta / (2 * x.L_F)), le(eta1_hat(x), two / x.mu_F)


@claim(
    "pfedme/thm1-proof-s1",
    world=Scalars(**symbols("mu_F", "eta_tilde"), given=(STEP_26,)),
    control=Control("at eta_tilde = 2/mu_F the left side is 8/mu_F, above 7/mu_F", eight=7),
    step=True,
)
def thm1_proof_s1(x, eight=8):
    return le(3 * x.eta_tilde + 2 / x.mu_F, eight / x.mu_F)


@claim(
    "pfedme/thm1-proof-s3",
    world=Scalars(**CLIENTS, given=(SAMPLED,)),
    control=Control("S = 1 makes the quotient 1, so nine tenths are too little", one="9/10"),
    step=True,
    note="For real N >= 2 and 1 <= S <= N; N = 1 makes it 0/0.",
)
def thm1_proof_s3(x, one=1):
    return le(sampling(x), one)


def simpler_bracket(x, three=3):
    """2 - 6 eta_tilde L_F (3 + 128 kappa_F/beta)."""
    return 2 - 6 * x.eta_tilde * x.L_F * (three + 128 * kappa_F(x) / x.beta)


@claim(
    "pfedme/thm1-proof-s4-a",
    world=Scalars(**CURVATURES, **CLIENTS, **symbols("eta_tilde"), given=(MU_F_UP_TO_L_F, EQ_31, SAMPLED)),
    control=Control("S = 1 makes both sides equal, so 29/10 in place of 3 is too little", three="29/10"),
    uses=("pfedme/thm1-proof-s3",),
    step=True,
    note="For real N >= 2 and 1 <= S <= N.",
)
def thm1_proof_s4_a(x, three=3):
    return le(simpler_bracket(x, three), overbrace(x))


@claim(
    "pfedme/thm1-proof-s4-b",
    world=UNDER_31,
    control=Control("at equality in (31) the bracket is exactly 1, so 11/10 is too much", one="11/10"),
    step=True,
)
def thm1_proof_s4_b(x, one=1):
    return le(one, simpler_bracket(x))


@claim(
    "pfedme/cond-etat@from-t",
    world=Scalars(**CURVATURES, **symbols("eta_tilde", "T"), given=(MU_F_UP_TO_L_F, EQ_31, LEAST_T)),
    control=Control("half of what is asked is not there for every smaller step either", share="1/2"),
    repair="pfedme/cond-etat@largest-step",
    step=True,
    note="Read as a consequence of Theorem 1's T >= 2/(eta1_hat mu_F) and (31), which the statement has in place of it: a step "
    "below eta1_hat needs more rounds.",
)
def cond_etat_from_t(x, share=1):
    return le(share * 2 / x.mu_F, x.eta_tilde * x.T)


@claim(
    "pfedme/cond-etat@largest-step",
    world=Scalars(**CURVATURES, **symbols("T"), given=(MU_F_UP_TO_L_F, LEAST_T)),
    control=Control("at the least T both sides are equal, so a tenth more is too much", share="11/10"),
    step=True,
    note="At the largest step eta_tilde = eta1_hat, the second case of the proof, it follows.",
)
def cond_etat_largest_step(x, share=1):
    return le(share * 2 / x.mu_F, eta1_hat(x) * x.T)
