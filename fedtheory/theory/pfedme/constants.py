"""Constants of pFedMe (arXiv:2006.08848) as functions of an instance: the envelope, its lemmas, the largest steps.

Symbols: N is the number of clients, m where they are an axis; eta_tilde = eta beta R is the step size of the global update
(Section A.4.1). C_1 to C_3 are in `theorem1`, C_4 to C_6 in `theorem2`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...instance import Instance
    from ...quantity import Array, Named, Quantity


def L_F(x: Named) -> Quantity:
    """Smoothness of the Moreau envelope, lam (Proposition 1). Unit E/M^2."""
    return x.lam


def mu_F(x: Named, lam: Quantity | None = None) -> Quantity:
    """Strong convexity of the Moreau envelope, lam mu/(lam + mu) (Proposition 1), of another `lam` where one is given."""
    lam = x.lam if lam is None else lam
    return lam * x.mu / (lam + x.mu)


def kappa_F(x: Named) -> Quantity:
    """Condition number of the envelope, L_F/mu_F (Theorem 1). Unit 1."""
    return x.L_F / x.mu_F


def eta_tilde(x: Named) -> Quantity:
    """Step size of the global update, eta beta R (Section A.4.1). Unit M^2/E."""
    return x.eta * x.beta * x.R


def eta1_hat(x: Named) -> Quantity:
    """Largest global step size of Theorem 1, 1/(6 L_F (3 + 128 kappa_F/beta)) (31); needs L_F, mu_F, beta."""
    return 1 / (6 * x.L_F * (3 + 128 * kappa_F(x) / x.beta))


def largest_eta1(x: Named) -> Quantity:
    """Largest local step size of Theorem 1, eta1_hat/(beta R). Unit M^2/E."""
    return eta1_hat(x) / (x.beta * x.R)


def eta2_hat(x: Named, smoothness: Callable[[Named], Quantity] = L_F) -> Quantity:
    """Largest global step size of Theorem 2, 1/(75 L_F lam^2) (43), as printed; not a step size in units."""
    return 1 / (75 * smoothness(x) * x.lam**2)


def largest_eta2(x: Named) -> Quantity:
    """Largest local step size of Theorem 2, eta2_hat/(beta R)."""
    return eta2_hat(x) / (x.beta * x.R)


def room(x: Named) -> Quantity:
    """lam^2 - 8 L^2, positive in Lemma 2 (b) and at least 1 in Theorem 2. Unit (E/M^2)^2."""
    return x.lam**2 - 8 * x.L**2


def sigma_F1_sq(x: Named) -> Quantity:
    """sigma_{F,1}^2 = mean of |grad F_i(w*)|^2 (Lemma 2 (a)), ``(..., 1)``. Unit (E/M)^2."""
    return x.mean(x.sq(x.F.grad(x.w_star)))


def sigma_F2_sq(x: Named, sigma_f_sq: Quantity | None = None) -> Quantity:
    """sigma_{F,2}^2 = lam^2/(lam^2 - 8 L^2) sigma_f^2 (Lemma 2 (b)), ``(..., 1)``. Unit (E/M)^2."""
    return (x.sigma_f_sq if sigma_f_sq is None else sigma_f_sq) * (x.lam**2 / room(x))


def diversity(x: Instance, w: Array) -> Quantity:
    """Mean of |grad F_i(w) - grad F(w)|^2, left side of Lemma 2, ``(..., 1)``. Unit (E/M)^2."""
    G = x.F.grad(w)
    return x.mean(x.sq(G - x.mean_vec(G)))


def gap(x: Named, w: Array) -> Any:
    """F(w) - F(w*), ``(..., 1)``. Unit E."""
    return x.mean(x.F.value(w) - x.F.value(x.w_star))


def bound_lemma2a(x: Named, w: Array) -> Quantity:
    """Right side of Lemma 2 (a), 4 L_F (F(w) - F(w*)) + 2 sigma_{F,1}^2, ``(..., 1)``. Unit (E/M)^2."""
    return 4 * L_F(x) * gap(x, w) + 2 * sigma_F1_sq(x)


def bound_lemma2b(x: Instance, w: Array) -> Quantity:
    """Right side of Lemma 2 (b), 8 L^2/(lam^2 - 8 L^2) |grad F(w)|^2 + 2 sigma_{F,2}^2, ``(..., 1)``. Unit (E/M)^2."""
    mean_grad_sq = x.sq(x.mean_vec(x.F.grad(w)))
    return 8 * x.L**2 / room(x) * mean_grad_sq + 2 * sigma_F2_sq(x)


def drift(x: Instance) -> Quantity:
    """Mean over clients and local rounds of |g_{i,r} - grad F_i(w_t)|^2, left side of Lemma 5, ``(..., 1)``."""
    G = x.F.grad(x.state.w)
    gradients = x.alg.local(x.f, x.state.w, x.error)[1]
    return x.mean(sum(x.sq(g - G) for g in gradients)) / x.R


def sampling(x: Named) -> Quantity:
    """(N/S - 1)/(N - 1) (Lemma 4) as printed, 0/0 for N = 1. Unit 1."""
    return (x.N / x.S - 1) / (x.N - 1)


def unless_all_sampled(formula: Callable[[Named], Quantity]) -> Callable[[Named], Quantity]:
    """A multiple of the sampling factor at given numbers: 0 where every client is sampled, also for N = 1."""

    def guarded(x: Named) -> Quantity:
        return 0 if x.N == x.S else formula(x)

    return guarded


def floor(x: Named, step: Quantity, square: Quantity, linear: Quantity, constant: Quantity) -> Quantity:
    """eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1 of (32) to (35), and with C_4, C_5, C_6 the end of (44)."""
    return step**2 / x.beta**2 * square + step * linear + constant
