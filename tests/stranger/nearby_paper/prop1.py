"""Proposition 1: the rate of the personal models, as printed and repaired."""

from nearby_theory.constants import factor

from fedtheory import Control, claim, le

from .lemma1 import WORLD

TOO_GOOD = Control(
    "a step contracts by eta (mu + lam) and by no more", lambda x: le(factor(x), 1 - 3 * x.eta * (x.mu + x.lam))
)


@claim("nearby/prop1", world=WORLD, control=TOO_GOOD, uses=["nearby/lemma1"], repair="nearby/prop1~repaired")
def prop1(x):
    return le(factor(x), 1 - x.eta * (x.mu + 2 * x.lam))


@claim("nearby/prop1~repaired", world=WORLD, control=TOO_GOOD, uses=["nearby/lemma1"], note="without the factor 2")
def prop1_repaired(x):
    return le(factor(x), 1 - x.eta * (x.mu + x.lam) / 2)
