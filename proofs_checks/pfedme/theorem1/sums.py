"""Theorem 1: sums with the weights alpha_t over the rounds, for every T (Section A.4.3)."""

from fedtheory import Control, claim, eq, lt
from fedtheory.theory.pfedme.conditions import STEP_BELOW_2
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import alpha, keep
from problems import Sequences


def closed(x):
    """A_T in its closed form, row thm1-proof-s8."""
    return alpha(x, x.T - 1) * (1 - keep(x) ** x.T) / (x.eta_tilde * x.mu_F / 2)


def weighted(x):
    """Sum of alpha_t (F(w_t) - F(w*)) for t = 0 .. T-1."""
    return x.sum(lambda t: alpha(x, t) * x.e[t], x.T)


@claim(
    "pfedme/thm1-proof-s8@power",
    world=Sequences("T", **symbols("eta_tilde", "mu_F"), given=(STEP_BELOW_2,)),
    control=Control("the power is at most 1", less=1),
    step=True,
)
def thm1_proof_s8_power(x, less=0):
    return lt(less, keep(x) ** x.T)


@claim(
    "pfedme/thm1-proof-s8@positive",
    world=Sequences("T", **symbols("eta_tilde", "mu_F"), given=(STEP_BELOW_2,)),
    control=Control("the power is at most 1", lambda x: lt(1, keep(x) ** x.T)),
    step=True,
)
def thm1_proof_s8_positive(x):
    return lt(0, keep(x) ** x.T, "power"), lt(0, closed(x), "A_T")


@claim(
    "pfedme/thm1-proof-s8@every-T",
    world=Sequences("T", **symbols("eta_tilde", "mu_F"), given=(STEP_BELOW_2,)),
    control=Control("the sum has T terms, not twice itself", share=2),
    step=True,
    note="A_T, the sum of the alpha_t, in its closed form, for every T.",
)
def thm1_proof_s8_every_T(x, share=1):
    return eq(x.sum(lambda t: alpha(x, t), x.T), share * closed(x))
