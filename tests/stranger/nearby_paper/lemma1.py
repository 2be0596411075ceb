"""Lemma 1: one gradient step on h_i contracts."""

from nearby_theory.conditions import STEP
from nearby_theory.constants import factor
from nearby_theory.symbols import symbols

from fedtheory import Control, claim, le
from problems import Scalars

WORLD = Scalars(**symbols("eta", "lam", "mu", "excess"), given=(STEP,))


@claim(
    "nearby/lemma1", world=WORLD, control=Control("the factor of a short step is near 1, not below 1/2", share="1/2")
)
def lemma1(x, share=1):
    return le(0, factor(x)), le(factor(x), share)
