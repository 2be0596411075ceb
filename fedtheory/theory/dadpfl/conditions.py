"""Conditions of DA-DPFL as the paper states them, each once: for `fedtheory constants` and for bounds under curves."""

from __future__ import annotations

import math

from ...relation import Condition, le, lt
from .constants import rate_coefficient, round_step, step_sq_lemma1, step_sq_theorem3

NEIGHBOURS = Condition("M > 1", "Theorem 3", lambda x: lt(1, x.M))
TOPOLOGY = Condition("M < K", "Section IV-B", lambda x: lt(x.M, x.m))
STEP_3 = Condition("eta^2 <= 1/(12 mu^2 (M-1)(2M-1))", "Theorem 3", lambda x: le(x.eta**2, step_sq_theorem3(x)))
STEP_LEMMAS = Condition("eta^2 <= 1/(12 M mu^2 (M-1)(2M-1))", "Lemmas 1, 3", lambda x: le(x.eta**2, step_sq_lemma1(x)))
SMOOTH = Condition("mu < inf (Assumption 1)", "Assumption 1", lambda x: lt(x.L, math.inf))
DIVISOR = Condition(
    "eta - 6 S_1 (mu - eta) > 0 (the proof divides by it)", "(50)", lambda x: lt(0, rate_coefficient(x))
)

STEP_REPAIRED = Condition("8 mu eta E_l <= 1", "Theorem 3, repaired", lambda x: le(8 * x.L * round_step(x), 1))

THEOREM_3 = (NEIGHBOURS, TOPOLOGY, STEP_3, SMOOTH)
THEOREM_3_REPAIRED = (NEIGHBOURS, TOPOLOGY, STEP_REPAIRED, SMOOTH)
CONDITIONS = (NEIGHBOURS, TOPOLOGY, STEP_3, STEP_LEMMAS, SMOOTH, DIVISOR, STEP_REPAIRED)
