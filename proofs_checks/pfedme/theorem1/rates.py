"""Theorem 1 (a) as a rate: the two choices of the step, and the four terms from them (end of Section A.4.3).

A rate is read as an inequality with an absolute constant, and O~ with a power of a logarithm as well. `ell` stands for
max{ln(mu_F^2 Delta_0 T/(2 C_2)), 1}, so that eta' = 2 ell/(mu_F T).
"""

from fedtheory import Control, claim, le
from fedtheory.theory.pfedme.conditions import CASE_1_OF_THEOREM_1, CASE_2_OF_THEOREM_1, MU_F_UP_TO_L_F, SAMPLED
from fedtheory.theory.pfedme.constants import L_F, floor
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import C1, C2, C3, last_term, rate, second_term, third_term
from fedtheory.units import GRADIENT, VALUE
from problems import at_least
from problems.worlds.derived import DerivedScalars

ANY_CONSTANTS = {**symbols("mu_F", "T", "beta", "C1", "C2", "C3"), "ell": at_least(1), **symbols("eta1_hat")}


def logarithmic_step(x):
    """eta' = 2 ell/(mu_F T)."""
    return 2 * x.ell / (x.mu_F * x.T)


ETA_PRIME = {"eta_prime": logarithmic_step}


@claim(
    "pfedme/thm1-proof-s14-b",
    world=DerivedScalars(ETA_PRIME, given=(CASE_1_OF_THEOREM_1,), **ANY_CONSTANTS),
    control=Control("for ell = 1 both sides are equal, so nine tenths of the right one are too little", share="9/10"),
    step=True,
    note="With the constant 4 and the logarithms ell and ell^2, for any C_1, C_2, C_3; the exponential of the logarithm is "
    "2 C_2/(mu_F T).",
)
def thm1_proof_s14_b(x, share=1):
    inverse = 2 * x.C2 / (x.mu_F * x.T)  # mu_F Delta_0 e^{-ln(mu_F^2 Delta_0 T/(2 C_2))}
    return le(inverse + floor(x, x.eta_prime, x.C3, x.C2, x.C1), share * rate(x, x.ell, x.C3, x.C2, x.C1))


@claim(
    "pfedme/thm1-proof-s15@step",
    world=DerivedScalars(ETA_PRIME, given=CASE_2_OF_THEOREM_1, **ANY_CONSTANTS, first=at_least(0, VALUE)),
    control=Control(
        "for eta1_hat = eta', ell large and C_3 alone both sides are equal, so nine tenths of the right one are too little",
        share="9/10",
    ),
    uses=("pfedme/eq35",),
    step=True,
    note="Compares the right side of (35) at eta_tilde = eta1_hat with the rate, for any C_1, C_2, C_3, with the constant 4 "
    "and the logarithms ell and ell^2; `first` is mu_F Delta_0 e^{-eta1_hat mu_F T/2}.",
)
def thm1_proof_s15_step(x, share=1):
    left = x.first + floor(x, x.eta1_hat, x.C3, x.C2, x.C1)
    return le(left, share * (x.first + rate(x, x.ell, x.C3, x.C2, x.C1)))


# from the C_i to the terms of the statement

FOUR_TERMS = DerivedScalars(
    {"L_F": L_F},
    given=(SAMPLED, MU_F_UP_TO_L_F),
    **symbols("lam", "mu_F", "beta", "T", "R"),
    N=at_least(2),
    **symbols("S", "delta"),
    sigma_sq=at_least(0, GRADIENT**2),
    first=at_least(0, VALUE),
    ell=at_least(1),
)


def four_terms(x, third):
    """The four terms of Theorem 1 (a) with the logarithms, and `third` for the third."""
    return x.first + x.ell * second_term(x, x.sigma_sq, x.S) + x.ell**2 * third + last_term(x)


@claim(
    "pfedme/thm1-proof-s16-b@step",
    world=FOUR_TERMS,
    control=Control("the last term alone is 16 lam^2 delta^2/mu_F on the left", constant=15),
    uses=("pfedme/thm1-proof-s14-b", "pfedme/thm1-proof-s15@step"),
    step=True,
    note="The row itself is the display of thm1a-b; here the step from the two cases to it. With the constant 4000 and the C_3 "
    "that is printed, which lacks L_F as the third term does. N >= 2; N in place of N - 1 costs a factor 2.",
)
def thm1_proof_s16_b(x, constant=4000):
    cases = rate(x, x.ell, C3(x, x.sigma_sq), C2(x, x.sigma_sq), C1(x))
    return le(x.first + cases, constant * four_terms(x, third_term(x, x.sigma_sq)))


@claim(
    "pfedme/thm1b-proof-s3-b",
    world=FOUR_TERMS,
    control=Control("the last term alone is 32 lam^2 delta^2/mu_F^2 on the left", constant=31),
    uses=("pfedme/thm1-proof-s16-b@step",),
    step=True,
    note="With the constant 8000, at the steps that the proof chooses, with the C_3 that is printed; `=` is read as `<=`.",
)
def thm1b_proof_s3_b(x, constant=8000):
    cases = rate(x, x.ell, C3(x, x.sigma_sq), C2(x, x.sigma_sq), C1(x))
    return le(2 / x.mu_F * (x.first + cases), constant / x.mu_F * four_terms(x, third_term(x, x.sigma_sq)))
