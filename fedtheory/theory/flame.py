"""Constants and functions of FLAME (Zhu, Zeng, Wang, Sun, Peng) as functions of an instance."""

from __future__ import annotations

from typing import Any


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
