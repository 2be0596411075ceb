"""Constants and functions of FLAME (Zhu, Zeng, Wang, Sun, Peng) as functions of an instance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...instance import Instance
    from ...quantity import Array, Named, Quantity


def own_lagrangian(x: Named, theta: Array, w_i: Array, Pi: Array, w: Array) -> Quantity:
    """L_i(theta_i, w_i, pi_i, w) (8), ``(..., m)``. Unit E."""
    local = x.f.value(theta) + x.sq(theta - w_i) * x.lam / 2
    return local * x.alpha + x.dot(Pi, w_i - w) + x.sq(w_i - w) * x.rho / 2


def lagrangian(x: Named, state: Any) -> Any:
    """Augmented Lagrangian L(Theta, W, Pi, w) (8) at a state, ``(..., 1)``. Unit E."""
    return x.total(own_lagrangian(x, state.Theta, state.W, state.Pi, state.w))


def spring(x: Named) -> Quantity:
    """lam alpha_i, the factor of (25), ``(m,)``."""
    return x.lam * x.alpha


def condition_lemma1(x: Named) -> tuple[Quantity, Quantity]:
    """Both sides of lam^2 alpha_i^2 (1 + rho)/rho^2 < (lam alpha_i + rho)/2 (Lemma 1, Theorem 2), ``(m,)`` each."""
    a = spring(x)
    return a**2 * (1 + x.rho) / x.rho**2, (a + x.rho) / 2


def descent_coefficient(x: Named) -> Quantity:
    """lam^2 alpha_i^2 (1 + rho)/rho^2 - (lam alpha_i + rho)/2 of (16), ``(m,)``; adds rho to 1, so has no one unit."""
    left, right = condition_lemma1(x)
    return left - right


def eps_coefficient(x: Named) -> Quantity:
    """alpha_i^2/((1/rho^2 - 1) lam^2 alpha_i^2 - (L alpha_i + rho)/2) of (16), ``(m,)``; its sign is not fixed."""
    return x.alpha**2 / ((1 / x.rho**2 - 1) * x.lam**2 * x.alpha**2 - (x.L * x.alpha + x.rho) / 2)


def c1(x: Named) -> Quantity:
    """(lam alpha + rho)/2 - lam^2 alpha^2 (1 + rho)/rho^2 of one client (Theorem 2)."""
    return -descent_coefficient(x)


def c2(x: Named) -> Quantity:
    """4 lam^2 a^2 (1 + 1/rho^2) + 2 a^2 (L^2 + 2 lam^2) + 2 rho^2 + 2, a the largest weight (Theorem 2)."""
    a, lam = x.alpha, x.lam
    return 4 * lam**2 * a**2 * (1 + 1 / x.rho**2) + 2 * a**2 * (x.L**2 + 2 * lam**2) + 2 * x.rho**2 + 2


def c3(x: Named) -> Quantity:
    """2 + c_2 c_0/c_1 with c_0 = max and c_1 = min over clients (Theorem 2)."""
    return 2 + x.max(c2(x)) * x.max(eps_coefficient(x)) / x.min(c1(x))


def c4(x: Named) -> Quantity:
    """2 + m c_0 c_2/(s c_1 gamma_bar) (Theorem 2 2))."""
    return 2 + x.m * x.max(eps_coefficient(x)) * x.max(c2(x)) / (x.S * x.min(c1(x)) * x.gamma)


def theorem2(x: Named, T: Quantity) -> Quantity:
    """Right side of (51), a bound on 1/(mT) sum_t |grad L(P^t)|^2: c_2 (L^0 - F*)/(s T c_1) + c_3 eps_max.

    Needs gap = L^0 - F*, which by Lemma 3 stands for the printed E[L^0 - L^{t+1}] of (19). With exact subproblems
    (eps = 0) the term in c_3 is 0, whatever the sign of c_0. Not homogeneous in units, as c_1 and c_2 are not.
    """
    start = c2(x) * x.gap / (x.S * T * x.min(c1(x)))
    return start if x.eps == 0 else start + c3(x) * x.eps


def descent(x: Instance, before: Any, after: Any) -> Quantity:
    """The moves on the right side of (16), ``(..., 1)``; negative where Lemma 1's condition holds.

    Sum of the coefficient times |w_i^{t+1} - w_i^t|^2 + |theta_i^{t+1} - theta_i^t|^2; a client outside S^t does not move.
    """
    moved = x.sq(after.W - before.W) + x.sq(after.Theta - before.Theta)
    return x.total(moved * descent_coefficient(x))


def inexactness(x: Named) -> Quantity:
    """What a round of s inexact clients adds to the right side of (16): s c_0 eps_max (47); 0 with exact subproblems."""
    return 0 if x.eps == 0 else x.S * x.max(eps_coefficient(x)) * x.eps


def lagrangian_gradient_sq(x: Instance, state: Any) -> Quantity:
    """|grad L(P^t)|^2 (40), the squared norms of the gradients in w, theta_i, w_i and pi_i, ``(..., 1)``.

    Adds squared gradients and the squared length |w_i - w|^2, so has no one unit.
    """
    gap = state.W - state.w
    alpha = x.alpha[..., None] if getattr(x.alpha, "ndim", 0) else x.alpha
    in_w = x.total_vec(gap * x.rho + state.Pi) * -1  # (41), with the brackets of the derivative of (8)
    pull = (state.Theta - state.W) * alpha * x.lam
    in_theta = x.f.grad(state.Theta) * alpha + pull  # (42)
    in_W = state.Pi + gap * x.rho - pull  # (43)
    return x.sq(in_w) + x.total(x.sq(in_theta) + x.sq(in_W) + x.sq(gap))
