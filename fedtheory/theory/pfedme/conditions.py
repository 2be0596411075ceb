"""Conditions of pFedMe as the paper states them, each once: for claims, for `fedtheory constants`, for bounds under curves."""

from __future__ import annotations

import math

from ...relation import Condition, le, lt
from .constants import L_F, eta1_hat, eta2_hat, eta_tilde, largest_eta1, largest_eta2, room
from .theorem1 import least_T

STRONGLY_CONVEX = Condition("mu > 0 (Assumption 1 (a))", "Theorem 1", lambda x: lt(0, x.mu))
DIVERSE = Condition("sigma_f^2 < inf (Assumption 3)", "Theorem 2", lambda x: lt(x.sigma_f_sq, math.inf))
LAM_2L = Condition("lam > 2 L", "Proposition 1 (non-convex)", lambda x: lt(2 * x.L, x.lam))
LAM_8L_SQ = Condition("lam > 2 sqrt(2) L, squared", "Lemma 2 (b)", lambda x: lt(8 * x.L**2, x.lam**2))
BETA_1 = Condition("beta >= 1", "Theorems 1, 2", lambda x: le(1, x.beta))
SAMPLED = Condition("S <= N", "Algorithm 1", lambda x: le(x.S, x.N))
STEP_LEMMA_5 = Condition("eta_tilde <= beta/(2 L_F)", "Lemma 5", lambda x: le(eta_tilde(x), x.beta / (2 * L_F(x))))
STEP_1 = Condition("eta <= eta1_hat/(beta R)", "Theorem 1", lambda x: le(x.eta, largest_eta1(x)))
LEAST_T = Condition("T >= 2/(eta1_hat mu_F)", "Theorem 1", lambda x: le(least_T(x), x.T))
LAM_THEOREM_2 = Condition("lam^2 - 8 L^2 >= 1", "Theorem 2", lambda x: le(1, room(x)))
STEP_2 = Condition("eta <= eta2_hat/(beta R)", "Theorem 2", lambda x: le(x.eta, largest_eta2(x)))

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

# of the proofs of Theorems 1 and 2, where eta_tilde is a parameter
MU_F_UP_TO_L_F = Condition("mu_F <= L_F", "Theorem 1", lambda x: le(x.mu_F, x.L_F))
MU_F_BELOW_L_F = Condition("mu_F < L_F", "Proposition 1", lambda x: lt(x.mu_F, x.L_F))
STEP_TILDE_LEMMA_5 = Condition("eta_tilde <= beta/(2 L_F)", "Lemma 5", lambda x: le(x.eta_tilde, x.beta / (2 * L_F(x))))
STEP_26 = Condition("eta_tilde <= 2/mu_F", "(26)", lambda x: le(x.eta_tilde, 2 / x.mu_F))
EQ_31 = Condition("eta_tilde <= eta1_hat (31)", "(31)", lambda x: le(x.eta_tilde, eta1_hat(x)))
STEP_BELOW_2 = Condition("eta_tilde mu_F < 2, from (31)", "below (33)", lambda x: lt(x.eta_tilde * x.mu_F, 2))
LONG_ENOUGH = Condition("eta_tilde T >= 2/mu_F", "below (33)", lambda x: le(2 / x.mu_F, x.eta_tilde * x.T))
CASE_1_OF_THEOREM_1 = Condition("eta' <= eta1_hat", "end of A.4.3", lambda x: le(x.eta_prime, x.eta1_hat))
CASE_2_OF_THEOREM_1 = (
    Condition("2/(mu_F T) <= eta1_hat", "end of A.4.3", lambda x: le(2 / (x.mu_F * x.T), x.eta1_hat)),
    Condition("eta1_hat <= eta'", "end of A.4.3", lambda x: le(x.eta1_hat, x.eta_prime)),
)
EQ_43 = Condition("eta_tilde <= eta2_hat (43)", "(43)", lambda x: le(x.eta_tilde, eta2_hat(x)))
# with a^3 = beta^2 Delta_F/(T C_4) and b^2 = Delta_F/(T C_5)
CASE_1_OF_THEOREM_2 = Condition(
    "eta2_hat^3 >= beta^2 Delta_F/(T C_4) or eta2_hat^2 >= Delta_F/(T C_5)",
    "below (44)",
    lambda x: le(x.minimum(x.a, x.b), x.eta2_hat),
)
CASE_2_OF_THEOREM_2 = Condition(
    "eta2_hat^3 <= beta^2 Delta_F/(T C_4) and eta2_hat^2 <= Delta_F/(T C_5)",
    "below (44)",
    lambda x: (le(x.eta2_hat, x.a), le(x.eta2_hat, x.b)),
)
