"""What the theorems of pFedMe need, for `fedtheory constants` and for curves: constants, conditions, explicit rates."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ...catalogue import Bound, Catalogue, Constant, Theorem, never
from .conditions import CONDITIONS, LAM_2L, LAM_8L_SQ, LEAST_T, STEP_LEMMA_5, STRONGLY_CONVEX, THEOREM_1, THEOREM_2
from .constants import (
    L_F,
    eta1_hat,
    eta2_hat,
    eta_tilde,
    kappa_F,
    largest_eta1,
    largest_eta2,
    mu_F,
    sampling,
    sigma_F2_sq,
    unless_all_sampled,
)
from .section3 import delta_sq_lemma1a
from .symbols import symbols
from .theorem1 import C1, C2, C3, bound_35, bound_35_repaired, bound_distance, last_term, least_T, least_T_at_step
from .theorem2 import C4, C5, C6, stationarity, stationarity_repaired

RATE_1 = "mu_F Delta_0 e^{-eta_tilde mu_F T/2} + eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1"
RATE_2 = "2 (Delta_F/(eta_tilde T) + eta_tilde^2/beta^2 C_4 + eta_tilde C_5 + C_6)"

OBJECTIVE = Bound(
    "objective", "E[F(w_bar_T) - F*]", "Theorem 1 (a), (35)", bound_35, RATE_1, THEOREM_1, (),
    least_T_at_step, ("eta", largest_eta1),
)  # fmt: skip
OBJECTIVE_REPAIRED = replace(OBJECTIVE, right=bound_35_repaired, printed=f"{RATE_1}, L_F C_3 for C_3")
DISTANCE = Bound(
    "lyapunov", "E|w_T - w*|^2", "Theorem 1, end of A.4", bound_distance, f"2/mu_F ({RATE_1})", THEOREM_1, (),
    least_T_at_step, ("eta", largest_eta1),
)  # fmt: skip
STATIONARITY = Bound(
    "stationarity", "mean over t < T of E|grad F(w_t)|^2", "Theorem 2 (a), twice (44)",
    stationarity, RATE_2, THEOREM_2, (), never, ("eta", largest_eta2),
)  # fmt: skip
STATIONARITY_REPAIRED = replace(
    STATIONARITY, right=stationarity_repaired, printed=f"{RATE_2}, L_F^2 C_4 for C_4 and 2 sigma_{{F,2}}^2 in C_4, C_5"
)

CATALOGUE = Catalogue(
    symbols=symbols,
    names=(
        "L", "mu", "lam", "eta", "beta", "R", "S", "m", "T", "delta", "sigma_f_sq", "sigma_F1_sq", "Delta_0",
        "Delta_F", "gamma_f_sq", "batch", "nu",
    ),
    constants=(
        Constant("L_F", "Proposition 1", L_F),
        Constant("mu_F", "Proposition 1", mu_F, STRONGLY_CONVEX),
        Constant("kappa_F", "Theorem 1", kappa_F, STRONGLY_CONVEX),
        Constant("eta_tilde", "A.4.1", eta_tilde),
        Constant("eta1_hat", "Theorem 1, (31)", eta1_hat, STRONGLY_CONVEX),
        Constant("largest eta of Theorem 1", "Theorem 1", largest_eta1, STRONGLY_CONVEX),
        Constant("least T of Theorem 1", "Theorem 1", least_T, STRONGLY_CONVEX),
        Constant("eta2_hat", "Theorem 2, (43)", eta2_hat),
        Constant("largest eta of Theorem 2", "Theorem 2", largest_eta2),
        Constant("sigma_F2_sq", "Lemma 2 (b)", sigma_F2_sq, LAM_8L_SQ),
        Constant("sampling factor (N/S - 1)/(N - 1)", "Lemma 4", sampling),
        Constant("neighbourhood lam^2 delta^2/mu_F", "Remark 1", last_term, STRONGLY_CONVEX),
        Constant("delta^2 of Lemma 1 (a)", "Lemma 1", delta_sq_lemma1a),
        Constant("C_1", "(30)", C1, STRONGLY_CONVEX),
        Constant("C_2", "(30)", unless_all_sampled(C2)),
        Constant("C_3", "(30)", C3, STRONGLY_CONVEX),
        Constant("C_4", "(42)", C4, LAM_8L_SQ),
        Constant("C_5", "(42)", unless_all_sampled(C5), LAM_8L_SQ),
        Constant("C_6", "(42)", C6),
    ),
    conditions=CONDITIONS,
    derived={"L_F": L_F, "mu_F": mu_F, "N": lambda x: x.m, "eta_tilde": eta_tilde},
    bounds=(OBJECTIVE, DISTANCE, STATIONARITY),
    settings={"lam": 15, "eta": Fraction(1, 200), "beta": 1, "R": 20, "S": 5, "m": 20, "batch": 20, "T": 800},
    setting="Section 5.2, MNIST",
    exact={"delta": 0},
    most={"S": lambda x: x.m},
    theorems=(
        Theorem("Proposition 1, non-convex", (LAM_2L,)),
        Theorem("Lemma 2 (b)", (LAM_8L_SQ,)),
        Theorem("Lemma 5", (STEP_LEMMA_5,)),
        Theorem("Theorem 1", (*THEOREM_1, LEAST_T), bounds=(OBJECTIVE, DISTANCE)),
        Theorem("Theorem 1, repaired", (*THEOREM_1, LEAST_T), bounds=(OBJECTIVE_REPAIRED,)),
        Theorem("Theorem 2", THEOREM_2, bounds=(STATIONARITY,)),
        Theorem("Theorem 2, repaired", THEOREM_2, bounds=(STATIONARITY_REPAIRED,)),
    ),
    tuned=("eta", "lam", "beta", "R", "S"),
    rounds="T",
)  # fmt: skip
