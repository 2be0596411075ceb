"""Theorem 2 (a) as a rate: the steps from (44) in its two cases (end of Section A.5).

With a = (beta^2 Delta_F/(T C_4))^{1/3} and b = (Delta_F/(T C_5))^{1/2} the terms of the rate are rational:
Delta_F^{2/3} C_4^{1/3}/T^{2/3} = beta^{2/3} Delta_F/(a T) and (Delta_F C_5)^{1/2}/T^{1/2} = Delta_F/(b T). Every positive
C_4 and C_5 is reached by some a and b. beta = c^3, so that its cube root is rational.
"""

from fedtheory import Control, claim, eq, le, lt
from fedtheory.theory.pfedme.conditions import CASE_1_OF_THEOREM_2, CASE_2_OF_THEOREM_2, SAMPLED
from fedtheory.theory.pfedme.constants import L_F, floor
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem2 import C4, C5, C6, at_t_star
from fedtheory.units import GRADIENT, STEP, VALUE
from problems import Points, Scalars, at_least, condition, positive
from problems.worlds.derived import DerivedScalars

INSIDE = condition("75 eta2_hat < 1, since lam > 1", lambda x: lt(75 * x.eta2_hat, 1))
BETA = {"beta": lambda x: x.c**3}
A_AND_B = {
    "a": positive(STEP),
    "b": positive(STEP),
    **symbols("eta2_hat"),
    "c": at_least(1),
    "Delta_F": positive(VALUE),
    **symbols("C6"),
}
ANY_A_AND_B = {name: positive() for name in ("T", "beta", "a", "b", "Delta_F")} | {"C6": at_least(0)}
TERMS = {
    **symbols("lam"),
    "N": at_least(2),
    **symbols("S", "R", "delta"),
    "variance": at_least(0, GRADIENT**2),
}


def right_44(x, step):
    """Right side of (44) at the step eta_tilde, with Delta_F for F(w_0) - F(w_T) and C_4, C_5 by a and b."""
    C4, C5 = x.beta**2 * x.Delta_F / (x.T * x.a**3), x.Delta_F / (x.T * x.b**2)
    return x.Delta_F / (step * x.T) + floor(x, step, C4, C5, x.C6)


def displayed(x, relax=1, times=1, first=0):
    """(Delta_F)^{2/3} C_4^{1/3}/(beta^k T^{2/3}) + (Delta_F C_5)^{1/2}/T^{1/2} + C_6, with relax = beta^{2/3 - k}."""
    return first + times * (relax * x.Delta_F / (x.a * x.T) + x.Delta_F / (x.b * x.T)) + x.C6


@claim(
    "pfedme/thm2-proof-s6@step",
    world=DerivedScalars(BETA, given=(CASE_1_OF_THEOREM_2, INSIDE), sizes={"T": (2, 10)}, **A_AND_B),
    control=Control(
        "a and b equal make the right side of (44) four times one of its terms, so twice it is too little",
        lambda x: le(right_44(x, x.minimum(x.a, x.b)), displayed(x)),
    ),
    repair="pfedme/thm2-proof-s6~repaired",
    uses=("pfedme/eq44",),
    step=True,
    note="What (44) gives at the chosen step. The exponent of beta is 2/3, the print has (beta^2)^{2/3}; each of the two "
    "terms comes twice. The printed sum starts at t = 1, (44) at t = 0.",
)
def thm2_proof_s6_step(x):
    return le(right_44(x, x.minimum(x.a, x.b)), displayed(x, relax=1 / x.c**2))


@claim(
    "pfedme/thm2-proof-s6@numbers",
    world=Scalars(**ANY_A_AND_B),
    control=Control(
        "a and b equal make the right side of (44) four times one of its terms, so twice it is too little", times=1
    ),
    step=True,
    note="Arithmetic of the right side of (44) at the step min{a, b}, for any C_4 and C_5: beta^{2/3} in place of beta^{4/3}, and "
    "twice the two terms.",
)
def thm2_proof_s6_numbers(x, times=2):
    return le(right_44(x, x.minimum(x.a, x.b)), displayed(x, times=times))


def first_term(x):
    """Delta_F/(eta2_hat T)."""
    return x.Delta_F / (x.eta2_hat * x.T)


HALF_THE_FIRST = Control(
    "eta2_hat, a and b equal make both sides equal, so half of the first term is too little",
    lambda x: le(right_44(x, x.eta2_hat), displayed(x, first=first_term(x) / 2)),
)


@claim(
    "pfedme/thm2-proof-s7@step",
    world=DerivedScalars(BETA, given=(CASE_2_OF_THEOREM_2, INSIDE), sizes={"T": (2, 10)}, **A_AND_B),
    control=HALF_THE_FIRST,
    repair="pfedme/thm2-proof-s7~repaired",
    uses=("pfedme/eq44",),
    step=True,
    note="What (44) gives at eta_tilde = eta2_hat. The exponent of beta is 2/3, the print has (beta^2)^{2/3}; true for "
    "beta = 1 only.",
)
def thm2_proof_s7_step(x):
    return le(right_44(x, x.eta2_hat), displayed(x, relax=1 / x.c**2, first=first_term(x)))


@claim(
    "pfedme/thm2-proof-s7@numbers",
    world=Scalars(
        **ANY_A_AND_B,
        step=positive(),
        given=(
            condition("step <= a", lambda x: le(x.step, x.a)),
            condition("step <= b", lambda x: le(x.step, x.b)),
        ),
    ),
    control=Control("step, a and b equal make both sides equal, so half of the first term is too little", share="1/2"),
    step=True,
    note="Arithmetic of the right side of (44) at a step of at most a and b, for any C_4 and C_5: beta^{2/3} for beta^{4/3}.",
)
def thm2_proof_s7_numbers(x, share=1):
    return le(right_44(x, x.step), displayed(x, first=share * x.Delta_F / (x.step * x.T)))


@claim(
    "pfedme/thm2-proof-s8-a",
    world=Points(None, at=(), clients_at=("G",)),
    control=Control("equal gradients have their own mean, not half of it", share="1/2"),
    step=True,
    note="An identity: what it means that t* is uniform. The client axis counts the rounds: m = T, and t* takes each of them "
    "with the chance 1/T.",
)
def thm2_proof_s8_a(x, share=1):
    return eq(x.mean(x.sq(x.G)), share * at_t_star(x, x.sq(x.G)))


def orders(x, K, drift, variance):
    """Twice the terms of s6 and s7 with C_4 = drift, against K times those of the O-form: cubed, squared and C_6."""
    return (
        le(8 * drift, K**3 * (x.R * x.variance + x.lam**2 * x.delta**2) / x.R, "third term, cubed"),
        le(4 * C5(x, variance), K**2 * L_F(x) * x.variance * (x.N / x.S - 1) / x.N, "second term, squared"),
        le(2 * C6(x), K * x.lam**2 * x.delta**2, "fourth term"),
    )


@claim(
    "pfedme/thm2-proof-s8-c@step",
    world=Scalars(given=(SAMPLED,), **TERMS),
    control=Control("2 C_6 is four times lam^2 delta^2, so three times it is too little", K=3),
    uses=("pfedme/thm2-proof-s6", "pfedme/thm2-proof-s7"),
    step=True,
    note="The row itself is the display of thm2a-b; here the step to it. The constants of s6 and s7, as printed, against those "
    "of the O-form, term by term: the hidden constant is 8 at most. Common factors Delta_F, T and beta are left out; the first "
    "terms agree up to the factor 2.",
)
def thm2_proof_s8_c(x, K=8):
    return orders(x, K, C4(x, x.variance), x.variance)
