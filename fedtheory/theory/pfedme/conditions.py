"""Conditions of pFedMe as the paper states them, each once: for claims, for `fedtheory constants`, for bounds under curves."""

from __future__ import annotations

import math

from ...relation import Condition, le, lt
from .constants import L_F, eta1_hat, eta2_hat, eta_tilde

STRONGLY_CONVEX = Condition("mu > 0 (Assumption 1 (a))", "Theorem 1", lambda x: lt(0, x.mu))
DIVERSE = Condition("sigma_f^2 < inf (Assumption 3)", "Theorem 2", lambda x: lt(x.sigma_f_sq, math.inf))
LAM_2L = Condition("lam > 2 L", "Proposition 1 (non-convex)", lambda x: lt(2 * x.L, x.lam))
LAM_8L_SQ = Condition("lam > 2 sqrt(2) L, squared", "Lemma 2 (b)", lambda x: lt(8 * x.L**2, x.lam**2))
BETA_1 = Condition("beta >= 1", "Theorems 1, 2", lambda x: le(1, x.beta))
SAMPLED = Condition("S <= N", "Algorithm 1", lambda x: le(x.S, x.m))
STEP_LEMMA_5 = Condition("eta_tilde <= beta/(2 L_F)", "Lemma 5", lambda x: le(eta_tilde(x), x.beta / (2 * L_F(x))))
STEP_1 = Condition("eta <= eta1_hat/(beta R)", "Theorem 1", lambda x: le(x.eta, eta1_hat(x) / (x.beta * x.R)))
LEAST_T = Condition("T >= 2/(eta1_hat mu_F)", "Theorem 1", lambda x: le(2 / (eta1_hat(x) * x.mu_F), x.T))
LAM_THEOREM_2 = Condition("lam^2 - 8 L^2 >= 1", "Theorem 2", lambda x: le(1, x.lam**2 - 8 * x.L**2))
STEP_2 = Condition("eta <= eta2_hat/(beta R)", "Theorem 2", lambda x: le(x.eta, eta2_hat(x) / (x.beta * x.R)))

THEOREM_1 = (STRONGLY_CONVEX, BETA_1, SAMPLED, STEP_1)
THEOREM_2 = (BETA_1, SAMPLED, LAM_THEOREM_2, STEP_2, DIVERSE)
CONDITIONS = (
    STRONGLY_CONVEX, DIVERSE, LAM_2L, LAM_8L_SQ, BETA_1, SAMPLED, STEP_LEMMA_5, STEP_1, LEAST_T, LAM_THEOREM_2, STEP_2,
)  # fmt: skip

# of lemmas and of steps of their proofs
LAM_L = Condition("lam > L", "Lemma 1 (b)", lambda x: lt(x.L, x.lam))
LAM_RHO = Condition("lam > rho", "Section 3.1", lambda x: lt(x.rho, x.lam))
LAM_2RHO = Condition("lam > 2 rho", "Proposition 1, rho = 0 or rho = L", lambda x: lt(2 * x.rho, x.lam))
MU_UP_TO_L = Condition("mu <= L", "Lemma 3", lambda x: le(x.mu, x.L))
S_UP_TO_N = Condition("S <= N", "Algorithm 1", lambda x: le(x.S, x.N))  # SAMPLED, with N a parameter
