"""Constants of DA-DPFL (Long, Wang, Anagnostopoulos, Bi) as functions of an instance.

Symbols: L is the Lipschitz constant of the gradient, which the paper calls mu; K of the paper is m.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from ...relation import Condition, le, lt
from ..catalogue import Bound, Catalogue, Constant


def step_sq_theorem3(x: Any) -> Any:
    """Largest eta^2 of Theorem 3, 1/(12 mu^2 (M - 1)(2M - 1))."""
    return 1 / (12 * x.L**2 * (x.M - 1) * (2 * x.M - 1))


def step_sq_lemma1(x: Any) -> Any:
    """Largest eta^2 of Lemmas 1 and 3, 1/(12 M mu^2 (M - 1)(2M - 1)): smaller than Theorem 3's by the factor M."""
    return step_sq_theorem3(x) / x.M


def S2(x: Any) -> Any:
    """sigma_l^2/(2M - 1) + 3 (2 sigma_g^2 + sigma_p^2) (Theorem 3)."""
    return x.sigma_l_sq / (2 * x.M - 1) + 3 * (2 * x.sigma_g_sq + x.sigma_p_sq)


def S1(x: Any) -> Any:
    """2 eta^2 M (M - 1) (exp((3M + 2) E_l/(4 (M^2 - 1))) - 1) (Theorem 3). Unit M^4/E^2."""
    return 2 * x.eta**2 * x.M * (x.M - 1) * (x.exp((3 * x.M + 2) * x.E_l / (4 * (x.M**2 - 1))) - 1)


def rate_coefficient(x: Any) -> Any:
    """eta - 6 S_1 (mu - eta), by which Theorem 3 divides; subtracts a step size from a curvature, so has no unit."""
    return x.eta - 6 * S1(x) * (x.L - x.eta)


def S3(x: Any) -> Any:
    """2/(eta - 6 S_1 (mu - eta)) [(mu - eta) S_1 S_2 + drift] (Theorem 3).

    The drift is 3 mu^2 eta^3 (3M + 2) E_l/(2 (M + 1) M) (sigma_l^2 + sigma_g^2).
    """
    drift = 3 * x.L**2 * x.eta**3 * (3 * x.M + 2) * x.E_l / (2 * (x.M + 1) * x.M) * (x.sigma_l_sq + x.sigma_g_sq)
    return 2 / rate_coefficient(x) * ((x.L - x.eta) * S1(x) * S2(x) + drift)


def theorem3(x: Any, T: Any) -> Any:
    """Right side of (13), a bound on min_t E|grad f|^2: 2 (E f(omega^0) - min f)/(T (eta - 6 S_1 (mu - eta))) + S_3."""
    return 2 * x.gap / (T * rate_coefficient(x)) + S3(x)


THEOREM_3 = ("M > 1", "M < K", "eta^2 <= 1/(12 mu^2 (M-1)(2M-1))", "mu < inf (Assumption 1)")
DIVISOR = "eta - 6 S_1 (mu - eta) > 0 (the proof divides by it)"

CATALOGUE = Catalogue(
    parameters={
        "m": "clients (K)", "M": "neighbours", "L": "Lipschitz constant of the gradient (mu in the paper)",
        "eta": "step size", "E_l": "local steps", "sigma_l_sq": "local variance", "sigma_g_sq": "global variance",
        "sigma_p_sq": "variance of personalisation", "gap": "E f(omega^0) - min f",
    },
    constants=(
        Constant("largest eta^2 of Theorem 3", "Theorem 3", step_sq_theorem3),
        Constant("largest eta^2 of Lemmas 1 and 3", "Appendix D", step_sq_lemma1),
        Constant("E_l^* = (3M + 2)/(2(M + 1)) E_l", "Lemma 2", lambda x: (3 * x.M + 2) / (2 * (x.M + 1)) * x.E_l),
        Constant("S_1", "Theorem 3", S1),
        Constant("S_2", "Theorem 3", S2),
        Constant("eta - 6 S_1 (mu - eta)", "Theorem 3", rate_coefficient),
        Constant("S_3", "Theorem 3", S3),
    ),
    conditions=(
        Condition("M > 1", "Theorem 3", lambda x: lt(1, x.M)),
        Condition("M < K", "Section IV-B", lambda x: lt(x.M, x.m)),
        Condition("eta^2 <= 1/(12 mu^2 (M-1)(2M-1))", "Theorem 3", lambda x: le(x.eta**2, step_sq_theorem3(x))),
        Condition("eta^2 <= 1/(12 M mu^2 (M-1)(2M-1))", "Lemmas 1, 3", lambda x: le(x.eta**2, step_sq_lemma1(x))),
        Condition("mu < inf (Assumption 1)", "Assumption 1", lambda x: lt(x.L, math.inf)),
        Condition(DIVISOR, "(50)", lambda x: lt(0, rate_coefficient(x))),
    ),
    derived={},
    bounds=(
        Bound(
            "stationarity", "min over t < T of E|grad f(omega^t)|^2", "Theorem 3, (13)", theorem3,
            "2 (f(omega^0) - min f)/(T (eta - 6 S_1 (mu - eta))) + S_3", THEOREM_3, (DIVISOR,),
        ),
    ),
    zero=frozenset({"sigma_l_sq", "sigma_g_sq", "sigma_p_sq", "gap"}),
    settings={"m": 100, "M": 10, "eta": Fraction(1, 10), "E_l": 5},
    setting="Section VI-A",
)  # fmt: skip
