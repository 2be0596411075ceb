"""Conditions of FLAME as the paper states them, each once: for claims, for `fedtheory constants`, for bounds under curves."""

from __future__ import annotations

import math

from ...relation import Condition, le, lt
from .constants import condition_lemma1, eps_coefficient, spring

LAM_2L = Condition("lam > 2 L", "Proposition 1 (non-convex)", lambda x: lt(2 * x.L, x.lam))
DESCENT = Condition(
    "lam^2 alpha^2 (1 + rho)/rho^2 < (lam alpha + rho)/2", "Lemma 1, Theorem 2", lambda x: lt(*condition_lemma1(x))
)
PENALTY = Condition("rho >= lam alpha", "Theorem 2, Lemma 3", lambda x: le(spring(x), x.rho))
SMOOTH = Condition("L < inf (Assumption 1)", "Assumption 1", lambda x: lt(x.L, math.inf))
PROPOSITION_3 = Condition("c_0 > 0 (Proposition 3 needs k > 0)", "(38)", lambda x: lt(0, eps_coefficient(x)))
SELECTED = Condition("s <= m", "Algorithm 1", lambda x: le(x.S, x.m))

LEMMA_1 = (DESCENT, SMOOTH)
THEOREM_2 = (DESCENT, PENALTY, SELECTED, SMOOTH)
CONDITIONS = (LAM_2L, DESCENT, PENALTY, SMOOTH, PROPOSITION_3, SELECTED)
