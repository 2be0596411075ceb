"""Constants of DA-DPFL (Long, Wang, Anagnostopoulos, Bi) as functions of an instance.

Symbols: L is the Lipschitz constant of the gradient, which the paper calls mu; K of the paper is m.
"""

from __future__ import annotations

from typing import Any

from ..claim import le, lt
from .catalogue import Catalogue, Condition, Constant


def step_sq_theorem3(x: Any) -> Any:
    """Largest eta^2 of Theorem 3, 1/(12 mu^2 (M - 1)(2M - 1))."""
    return 1 / (12 * x.L**2 * (x.M - 1) * (2 * x.M - 1))


def step_sq_lemma1(x: Any) -> Any:
    """Largest eta^2 of Lemmas 1 and 3, 1/(12 M mu^2 (M - 1)(2M - 1)): smaller than Theorem 3's by the factor M."""
    return step_sq_theorem3(x) / x.M


def S2(x: Any) -> Any:
    """sigma_l^2/(2M - 1) + 3 (2 sigma_g^2 + sigma_p^2) (Theorem 3)."""
    return x.sigma_l_sq / (2 * x.M - 1) + 3 * (2 * x.sigma_g_sq + x.sigma_p_sq)


CATALOGUE = Catalogue(
    parameters={
        "m": "clients (K)", "M": "neighbours", "L": "Lipschitz constant of the gradient (mu in the paper)",
        "eta": "step size", "E_l": "local steps", "sigma_l_sq": "local variance", "sigma_g_sq": "global variance",
        "sigma_p_sq": "variance of personalisation",
    },
    constants=(
        Constant("largest eta^2 of Theorem 3", "Theorem 3", step_sq_theorem3),
        Constant("largest eta^2 of Lemmas 1 and 3", "Appendix D", step_sq_lemma1),
        Constant("E_l^* = (3M + 2)/(2(M + 1)) E_l", "Lemma 2", lambda x: (3 * x.M + 2) / (2 * (x.M + 1)) * x.E_l),
        Constant("S_2", "Theorem 3", S2),
    ),
    conditions=(
        Condition("M > 1", "Theorem 3", lambda x: lt(1, x.M)),
        Condition("M < K", "Section IV-B", lambda x: lt(x.M, x.m)),
        Condition("eta^2 <= 1/(12 mu^2 (M-1)(2M-1))", "Theorem 3", lambda x: le(x.eta**2, step_sq_theorem3(x))),
        Condition("eta^2 <= 1/(12 M mu^2 (M-1)(2M-1))", "Lemmas 1, 3", lambda x: le(x.eta**2, step_sq_lemma1(x))),
    ),
    derived={},
)  # fmt: skip
