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
PROPOSITION_3 = Condition("c_0 > 0, with which k > 0", "(38)", lambda x: lt(0, eps_coefficient(x)))
SELECTED = Condition("s <= m", "Algorithm 1", lambda x: le(x.S, x.m))
# of the repaired Lemma 1, where its coefficients of |dw_i|^2 and |dtheta_i|^2 are negative, so that L falls
DESCENT_IN_W = Condition(
    "2 lam^2 alpha^2/rho < (lam alpha + rho)/2", "Lemma 1, repaired",
    lambda x: lt(2 * (x.lam * x.alpha) ** 2 / x.rho, (x.lam * x.alpha + x.rho) / 2),
)  # fmt: skip
DESCENT_IN_THETA = Condition(
    "2 lam^2 alpha^2/rho + alpha L/2 < lam alpha/4", "Lemma 1, repaired",
    lambda x: lt(2 * (x.lam * x.alpha) ** 2 / x.rho + x.alpha * x.L / 2, x.lam * x.alpha / 4),
)  # fmt: skip

LEMMA_1 = (DESCENT, SMOOTH)
THEOREM_2 = (DESCENT, PENALTY, SELECTED, SMOOTH)
LEMMA_1_REPAIRED = (DESCENT_IN_W, DESCENT_IN_THETA, SMOOTH)
CONDITIONS = (LAM_2L, DESCENT, PENALTY, SMOOTH, PROPOSITION_3, SELECTED)
