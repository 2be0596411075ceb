"""Conditions of FedADMM as the paper states them, each once: for claims, for `fedtheory constants`, for bounds under curves."""

from __future__ import annotations

import math
from fractions import Fraction

from ...relation import Condition, le, lt
from .constants import inner_least, sigma_least, varrho

PENALTY = Condition("sigma_i > 5 alpha_i r_i/2", "Theorem 4.1", lambda x: lt(sigma_least(x), x.sigma))
CONTRACTS = Condition("varrho > 1", "Theorem 3.1", lambda x: lt(1, varrho(x)))
INNER = Condition("sigma_i >= alpha_i s_i + rho alpha_i r_i/2", "Theorem 3.1", lambda x: le(inner_least(x), x.sigma))
SMOOTH = Condition("r_i < inf (Assumption 4.1)", "Assumption 4.1", lambda x: lt(x.r, math.inf))
NU_LOW = Condition("nu_i >= 1/2", "Algorithm 1", lambda x: le(Fraction(1, 2), x.nu))
NU_HIGH = Condition("nu_i < 1", "Algorithm 1", lambda x: lt(x.nu, 1))
SELECTED = Condition("|Omega| <= m", "Algorithm 1", lambda x: le(x.S, x.m))

THEOREM_4_1 = (PENALTY, NU_LOW, NU_HIGH, SMOOTH)
CONDITIONS = (PENALTY, CONTRACTS, SMOOTH, NU_LOW, NU_HIGH, SELECTED)
