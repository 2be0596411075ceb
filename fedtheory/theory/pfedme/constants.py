"""Constants of pFedMe (arXiv:2006.08848) as functions of an instance: the envelope, its lemmas, the largest steps.

Symbols: N is the number of clients, m where they are an axis; eta_tilde = eta beta R is the step size of the global update
(Section A.4.1). C_1 to C_3 are in `theorem1`, C_4 to C_6 in `theorem2`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def L_F(x: Any) -> Any:
    """Smoothness of the Moreau envelope, lam (Proposition 1). Unit E/M^2."""
    return x.lam


def mu_F(x: Any, lam: Any = None) -> Any:
    """Strong convexity of the Moreau envelope, lam mu/(lam + mu) (Proposition 1), of another `lam` where one is given."""
    lam = x.lam if lam is None else lam
    return lam * x.mu / (lam + x.mu)


def kappa_F(x: Any) -> Any:
    """Condition number of the envelope, L_F/mu_F (Theorem 1). Unit 1."""
    return x.L_F / x.mu_F


def eta_tilde(x: Any) -> Any:
    """Step size of the global update, eta beta R (Section A.4.1). Unit M^2/E."""
    return x.eta * x.beta * x.R


def eta1_hat(x: Any) -> Any:
    """Largest global step size of Theorem 1, 1/(6 L_F (3 + 128 kappa_F/beta)) (31); needs L_F, mu_F, beta."""
    return 1 / (6 * x.L_F * (3 + 128 * kappa_F(x) / x.beta))


def largest_eta1(x: Any) -> Any:
    """Largest local step size of Theorem 1, eta1_hat/(beta R). Unit M^2/E."""
    return eta1_hat(x) / (x.beta * x.R)


def eta2_hat(x: Any, smoothness: Callable[[Any], Any] = L_F) -> Any:
    """Largest global step size of Theorem 2, 1/(75 L_F lam^2) (43), as printed; not a step size in units."""
    return 1 / (75 * smoothness(x) * x.lam**2)


def largest_eta2(x: Any) -> Any:
    """Largest local step size of Theorem 2, eta2_hat/(beta R)."""
    return eta2_hat(x) / (x.beta * x.R)


def room(x: Any) -> Any:
    """lam^2 - 8 L^2, positive in Lemma 2 (b) and at least 1 in Theorem 2. Unit (E/M^2)^2."""
    return x.lam**2 - 8 * x.L**2


def sigma_F1_sq(x: Any) -> Any:
    """sigma_{F,1}^2 = mean of |grad F_i(w*)|^2 (Lemma 2 (a)), ``(..., 1)``. Unit (E/M)^2."""
    return x.mean(x.sq(x.F.grad(x.w_star)))


def sigma_F2_sq(x: Any, sigma_f_sq: Any = None) -> Any:
    """sigma_{F,2}^2 = lam^2/(lam^2 - 8 L^2) sigma_f^2 (Lemma 2 (b)), ``(..., 1)``. Unit (E/M)^2."""
    return (x.sigma_f_sq if sigma_f_sq is None else sigma_f_sq) * (x.lam**2 / room(x))


def diversity(x: Any, w: Any) -> Any:
    """Mean of |grad F_i(w) - grad F(w)|^2, left side of Lemma 2, ``(..., 1)``. Unit (E/M)^2."""
    G = x.F.grad(w)
    return x.mean(x.sq(G - x.mean_vec(G)))


def gap(x: Any, w: Any) -> Any:
    """F(w) - F(w*), ``(..., 1)``. Unit E."""
    return x.mean(x.F.value(w) - x.F.value(x.w_star))


def bound_lemma2a(x: Any, w: Any) -> Any:
    """Right side of Lemma 2 (a), 4 L_F (F(w) - F(w*)) + 2 sigma_{F,1}^2, ``(..., 1)``. Unit (E/M)^2."""
    return 4 * L_F(x) * gap(x, w) + 2 * sigma_F1_sq(x)


def bound_lemma2b(x: Any, w: Any) -> Any:
    """Right side of Lemma 2 (b), 8 L^2/(lam^2 - 8 L^2) |grad F(w)|^2 + 2 sigma_{F,2}^2, ``(..., 1)``. Unit (E/M)^2."""
    mean_grad_sq = x.sq(x.mean_vec(x.F.grad(w)))
    return 8 * x.L**2 / room(x) * mean_grad_sq + 2 * sigma_F2_sq(x)


def drift(x: Any) -> Any:
    """Mean over clients and local rounds of |g_{i,r} - grad F_i(w_t)|^2, left side of Lemma 5, ``(..., 1)``."""
    G = x.F.grad(x.state.w)
    gradients = x.alg.local(x.f, x.state.w, x.error)[1]
    return x.mean(sum(x.sq(g - G) for g in gradients)) / x.R


def sampling(x: Any) -> Any:
    """(N/S - 1)/(N - 1) (Lemma 4) as printed, 0/0 for N = 1. Unit 1."""
    return (x.N / x.S - 1) / (x.N - 1)


def unless_all_sampled(formula: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A multiple of the sampling factor at given numbers: 0 where every client is sampled, also for N = 1."""

    def guarded(x: Any) -> Any:
        return 0 if x.N == x.S else formula(x)

    return guarded


def floor(x: Any, step: Any, square: Any, linear: Any, constant: Any) -> Any:
    """eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1 of (32) to (35), and with C_4, C_5, C_6 the end of (44)."""
    return step**2 / x.beta**2 * square + step * linear + constant
