"""Conditions of the paper, each once."""

from fedtheory import Condition, le

from .constants import longest_step

STEP = Condition("eta <= 1/(L + lam)", "Lemma 1", lambda x: le(x.eta, longest_step(x)))
