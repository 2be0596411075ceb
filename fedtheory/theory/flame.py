"""Constants and functions of FLAME (Zhu, Zeng, Wang, Sun, Peng) as functions of an instance."""

from __future__ import annotations

from typing import Any

from ..claim import le, lt
from .catalogue import Catalogue, Condition, Constant


def lagrangian(x: Any, state: Any) -> Any:
    """Augmented Lagrangian L(Theta, W, Pi, w) (8) at a state, ``(..., 1)``. Unit E."""
    gap = state.W - state.w
    local = x.f.value(state.Theta) + x.sq(state.Theta - state.W) * x.lam / 2
    return x.total(local * x.alpha + x.dot(state.Pi, gap) + x.sq(gap) * x.rho / 2)


def condition_lemma1(x: Any) -> tuple[Any, Any]:
    """Both sides of lam^2 alpha_i^2 (1 + rho)/rho^2 < (lam alpha_i + rho)/2 (Lemma 1, Theorem 2), ``(m,)`` each."""
    a = x.lam * x.alpha
    return a**2 * (1 + x.rho) / x.rho**2, (a + x.rho) / 2


def descent_coefficient(x: Any) -> Any:
    """lam^2 alpha_i^2 (1 + rho)/rho^2 - (lam alpha_i + rho)/2 of (16), ``(m,)``; adds rho to 1, so has no one unit."""
    left, right = condition_lemma1(x)
    return left - right


def eps_coefficient(x: Any) -> Any:
    """alpha_i^2/((1/rho^2 - 1) lam^2 alpha_i^2 - (L alpha_i + rho)/2) of (16), ``(m,)``; its sign is not fixed."""
    return x.alpha**2 / ((1 / x.rho**2 - 1) * x.lam**2 * x.alpha**2 - (x.L * x.alpha + x.rho) / 2)


def c1(x: Any) -> Any:
    """(lam alpha + rho)/2 - lam^2 alpha^2 (1 + rho)/rho^2 of one client (Theorem 2)."""
    return -descent_coefficient(x)


def c2(x: Any) -> Any:
    """4 lam^2 a^2 (1 + 1/rho^2) + 2 a^2 (L^2 + 2 lam^2) + 2 rho^2 + 2, a the largest weight (Theorem 2)."""
    a, lam = x.alpha, x.lam
    return 4 * lam**2 * a**2 * (1 + 1 / x.rho**2) + 2 * a**2 * (x.L**2 + 2 * lam**2) + 2 * x.rho**2 + 2


CATALOGUE = Catalogue(
    parameters={
        "m": "clients", "alpha": "weight of the client (default 1/m)", "L": "smoothness of f_i",
        "lam": "Moreau parameter", "rho": "penalty", "S": "selected clients",
        "gap": "L^0 - F*", "target": "accuracy sought for the mean squared gradient", "eps": "largest eps_i^t",
    },
    constants=(
        Constant("c_0", "Theorem 2", eps_coefficient),
        Constant("c_1", "Theorem 2", c1),
        Constant("c_2", "Theorem 2", c2),
        Constant("c_3", "Theorem 2", lambda x: 2 + c2(x) * eps_coefficient(x) / c1(x)),
        Constant("coefficient of the moves in (16)", "Lemma 1", descent_coefficient),
        Constant("rounds for the target", "Theorem 2 1), (19)", lambda x: c2(x) * x.gap / (
            x.S * c1(x) * (x.target - (2 + c2(x) * eps_coefficient(x) / c1(x)) * x.eps))),
    ),
    conditions=(
        Condition("lam > 2 L", "Proposition 1 (non-convex)", lambda x: lt(2 * x.L, x.lam)),
        Condition("lam^2 alpha^2 (1 + rho)/rho^2 < (lam alpha + rho)/2", "Lemma 1, Theorem 2", lambda x: lt(*condition_lemma1(x))),
        Condition("rho >= lam alpha", "Theorem 2, Lemma 3", lambda x: le(x.lam * x.alpha, x.rho)),
        Condition("c_0 > 0 (Proposition 3 needs k > 0)", "(38)", lambda x: lt(0, eps_coefficient(x))),
        Condition("s <= m", "Algorithm 1", lambda x: le(x.S, x.m)),
    ),
    derived={"alpha": lambda x: 1 / x.m},
)  # fmt: skip
