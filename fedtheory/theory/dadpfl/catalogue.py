"""What the theorems of DA-DPFL need, for `fedtheory constants` and for curves: constants, conditions, explicit rates."""

from __future__ import annotations

from fractions import Fraction

from ...catalogue import Bound, Catalogue, Constant, Theorem
from .conditions import CONDITIONS, DIVISOR, NEIGHBOURS, SMOOTH, STEP_LEMMAS, THEOREM_3, THEOREM_3_REPAIRED
from .constants import (
    S1,
    S2,
    S3,
    mixing,
    rate_coefficient,
    repaired,
    repaired_spread,
    scheduled,
    step_repaired,
    step_sq_lemma1,
    step_sq_theorem3,
    theorem3,
)
from .symbols import symbols

STATIONARITY = Bound(
    "stationarity", "min over t < T of E|grad f(omega^t)|^2", "Theorem 3, (13)", theorem3,
    "2 (f(omega^0) - min f)/(T (eta - 6 S_1 (mu - eta))) + S_3", THEOREM_3, (DIVISOR,),
)  # fmt: skip
STATIONARITY_REPAIRED = Bound(
    "stationarity", "mean over t < T of E|grad f(omega^t)|^2", "Theorem 3, repaired", repaired,
    "8 (f(omega^0) - min f)/(eta E_l T) + (48 mu eta E_l + 168 mu^2 eta^2 E_l^2) sigma_g^2", THEOREM_3_REPAIRED,
)  # fmt: skip

CATALOGUE = Catalogue(
    symbols=symbols,
    names=("m", "M", "L", "eta", "E_l", "sigma_l_sq", "sigma_g_sq", "sigma_p_sq", "gap",),
    constants=(
        Constant("largest eta^2 of Theorem 3", "Theorem 3", step_sq_theorem3),
        Constant("largest eta^2 of Lemmas 1 and 3", "Appendix D", step_sq_lemma1),
        Constant("E_l^* = (3M + 2)/(2(M + 1)) E_l", "Lemma 2", scheduled),
        Constant("S_1", "Theorem 3", S1),
        Constant("S_2", "Theorem 3", S2),
        Constant("eta - 6 S_1 (mu - eta)", "Theorem 3", rate_coefficient),
        Constant("S_3", "Theorem 3", S3),
        Constant("largest eta, repaired", "Theorem 3, repaired", step_repaired),
        Constant("rho = (K - 1 - M)/((M + 1)(K - 1))", "Theorem 3, repaired", mixing),
        Constant("what stays for ever, repaired (for S_3)", "Theorem 3, repaired", repaired_spread),
    ),
    conditions=CONDITIONS,
    derived={},
    bounds=(STATIONARITY,),
    settings={"m": 100, "M": 10, "eta": Fraction(1, 10), "E_l": 5},
    setting="Section VI-A",
    most={"M": lambda x: x.m - 1},
    theorems=(
        Theorem("Lemmas 1, 3", (NEIGHBOURS, STEP_LEMMAS, SMOOTH)),
        Theorem("Theorem 3", THEOREM_3, (STEP_LEMMAS, DIVISOR), (STATIONARITY,)),
        Theorem("Theorem 3, repaired", THEOREM_3_REPAIRED, bounds=(STATIONARITY_REPAIRED,)),
    ),
    tuned=("eta", "M", "E_l"),
)  # fmt: skip
