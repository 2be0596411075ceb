"""Constants of pFedMe (arXiv:2006.08848) as functions of an instance.

Symbols: N of the paper is m; eta_tilde = eta beta R is the step size of the global update (Section A.4.1).
"""

from __future__ import annotations

from typing import Any


def L_F(x: Any) -> Any:
    """Smoothness of the Moreau envelope, lam (Proposition 1). Unit E/M^2."""
    return x.lam


def mu_F(x: Any) -> Any:
    """Strong convexity of the Moreau envelope, lam mu/(lam + mu) (Proposition 1). Unit E/M^2."""
    return x.lam * x.mu / (x.lam + x.mu)


def eta_tilde(x: Any) -> Any:
    """Step size of the global update, eta beta R (Section A.4.1). Unit M^2/E."""
    return x.eta * x.beta * x.R


def eta1_hat(x: Any) -> Any:
    """Largest global step size of Theorem 1, 1/(6 L_F (3 + 128 kappa_F/beta)) (31); needs L_F, mu_F, beta."""
    return 1 / (6 * x.L_F * (3 + 128 * (x.L_F / x.mu_F) / x.beta))


def sigma_F1_sq(x: Any) -> Any:
    """sigma_{F,1}^2 = mean of |grad F_i(w*)|^2 (Lemma 2 (a)), ``(..., 1)``. Unit (E/M)^2."""
    return x.mean(x.sq(x.F.grad(x.w_star)))


def sigma_F2_sq(x: Any) -> Any:
    """sigma_{F,2}^2 = lam^2/(lam^2 - 8 L^2) sigma_f^2 (Lemma 2 (b)), ``(..., 1)``. Unit (E/M)^2."""
    return x.sigma_f_sq * (x.lam**2 / (x.lam**2 - 8 * x.L**2))


def diversity(x: Any, w: Any) -> Any:
    """Mean of |grad F_i(w) - grad F(w)|^2, left side of Lemma 2, ``(..., 1)``. Unit (E/M)^2."""
    G = x.F.grad(w)
    return x.mean(x.sq(G - x.mean_vec(G)))


def gap(x: Any, w: Any) -> Any:
    """F(w) - F(w*), ``(..., 1)``. Unit E."""
    return x.mean(x.F.value(w) - x.F.value(x.w_star))


def drift(x: Any) -> Any:
    """Mean over clients and local rounds of |g_{i,r} - grad F_i(w_t)|^2, left side of Lemma 5, ``(..., 1)``."""
    G = x.F.grad(x.state.w)
    gradients = x.alg.local(x.f, x.state.w, x.error)[1]
    return x.mean(sum(x.sq(g - G) for g in gradients)) / x.R


def eta2_hat(x: Any) -> Any:
    """Largest global step size of Theorem 2, 1/(75 L_F lam^2) (43), as printed; not a step size in units."""
    return 1 / (75 * x.L_F * x.lam**2)


def kappa_F(x: Any) -> Any:
    """Condition number of the envelope, L_F/mu_F (Theorem 1). Unit 1."""
    return x.L_F / x.mu_F


def sampling_factor(x: Any) -> Any:
    """(N/S - 1)/(N - 1) (Lemma 4); 0 where every client is sampled, also for N = 1, where the print is 0/0. Unit 1."""
    return 0 if x.m == x.S else (x.m / x.S - 1) / (x.m - 1)


def C1(x: Any) -> Any:
    """C_1 = 16 delta^2 lam^2/mu_F (30). Unit E."""
    return 16 * x.delta**2 * x.lam**2 / x.mu_F


def sampling_printed(x: Any) -> Any:
    """(N/S - 1)/(N - 1) (Lemma 4) as printed, 0/0 for N = 1. Unit 1."""
    return (x.N / x.S - 1) / (x.N - 1)


def C2(x: Any) -> Any:
    """C_2 = 6 sigma_{F,1}^2 (N/S - 1)/(N - 1) (30). Unit (E/M)^2."""
    return 6 * x.sigma_F1_sq * sampling_factor(x)


def C3(x: Any, sigma_sq: Any = None) -> Any:
    """C_3 = 256 (3 R sigma_{F,1}^2 + delta^2 lam^2) kappa_F/R (30), read without the underbraced factor in eta_tilde.

    Unit (E/M)^2, where (30) needs E^3/M^4. `sigma_sq` stands for sigma_{F,1}^2 where the instance has none by name.
    """
    sigma_sq = x.sigma_F1_sq if sigma_sq is None else sigma_sq
    return 256 * ((3 * x.R * sigma_sq + x.delta**2 * x.lam**2) / x.R) * x.L_F / x.mu_F


def theorem1(x: Any, T: Any) -> Any:
    """Right side of (33), (34) and (35): mu_F Delta_0 e^{-eta_tilde mu_F T/2} + eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1.

    Needs mu_F, L_F, lam, eta, beta, R, S, m, delta, sigma_F1_sq and Delta_0 = |w_0 - w*|^2; claimed for
    eta_tilde T >= 2/mu_F. Unit E, as the role requires.
    """
    step = eta_tilde(x)
    start = x.mu_F * x.Delta_0 * x.exp(-step * x.mu_F * T / 2)
    return start + step**2 / x.beta**2 * C3(x) + step * C2(x) + C1(x)


def theorem1_distance(x: Any, T: Any) -> Any:
    """Bound on E|w_T - w*|^2 of Section A.4.3, the last display of the proof of Theorem 1: 2/mu_F times (35). Unit M^2."""
    return 2 / x.mu_F * theorem1(x, T)


def theorem1_personal(x: Any, T: Any) -> Any:
    """Bound on mean E|theta_tilde_i(w_T) - w*|^2: 9 E|w_T - w*|^2 + 6 sigma_{F,1}^2/lam^2 + 3 delta^2 (proof of Theorem 1 (b))."""
    return 9 * theorem1_distance(x, T) + 6 * x.sigma_F1_sq / x.lam**2 + 3 * x.delta**2


def theorem1_least_rounds(x: Any) -> Any:
    """T from which (34) and (35) are claimed at the given step, 2/(eta_tilde mu_F) (A.4.3, below (33)). Unit 1."""
    return 2 / (eta_tilde(x) * x.mu_F)


def C4(x: Any, variance: Any = None) -> Any:
    """C_4 = 16 (3 R sigma_{F,2}^2 + 2 delta^2 lam^2)/R (42), read without the underbraced factor in eta_tilde.

    Unit (E/M)^2, where (44) needs E^4/M^6. `variance` stands for sigma_{F,2}^2 where the instance has none by name.
    """
    variance = sigma_F2_sq(x) if variance is None else variance
    return 16 * (3 * x.R * variance + 2 * x.delta**2 * x.lam**2) / x.R


def C5(x: Any) -> Any:
    """C_5 = 3 L_F sigma_{F,2}^2/2 (N/S - 1)/(N - 1) (42), read without the underbraced factor in eta_tilde."""
    factor = sampling_factor(x)
    return 0 if factor == 0 else 3 * x.L_F * sigma_F2_sq(x) / 2 * factor


def C6(x: Any) -> Any:
    """C_6 = 2 lam^2 delta^2 (42), read without the underbraced factor in eta_tilde. Unit (E/M)^2."""
    return 2 * x.lam**2 * x.delta**2


def theorem2(x: Any, T: Any) -> Any:
    """Right side of (44), a bound on (1/2T) sum_t E|grad F(w_t)|^2.

    Delta_F/(eta_tilde T) + eta_tilde^2/beta^2 C_4 + eta_tilde C_5 + C_6. Delta_F = F(w_0) - F* stands for the printed
    E[F(w^0) - F(w_T)], as in the displays below (44). Unit (E/M)^2, as the role requires.
    """
    step = eta_tilde(x)
    return x.Delta_F / (step * T) + step**2 / x.beta**2 * C4(x) + step * C5(x) + C6(x)


def bound_lemma2a(x: Any, w: Any) -> Any:
    """Right side of Lemma 2 (a), 4 L_F (F(w) - F(w*)) + 2 sigma_{F,1}^2, ``(..., 1)``. Unit (E/M)^2."""
    return 4 * L_F(x) * gap(x, w) + 2 * sigma_F1_sq(x)


def bound_lemma2b(x: Any, w: Any) -> Any:
    """Right side of Lemma 2 (b), 8 L^2/(lam^2 - 8 L^2) |grad F(w)|^2 + 2 sigma_{F,2}^2, ``(..., 1)``. Unit (E/M)^2."""
    mean_grad_sq = x.sq(x.mean_vec(x.F.grad(w)))
    return 8 * x.L**2 / (x.lam**2 - 8 * x.L**2) * mean_grad_sq + 2 * sigma_F2_sq(x)
