"""Constants and functions of FedADMM (Zhou and Li, Federated Learning via Inexact ADMM) as functions of an instance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...catalogue import MissingParameter

if TYPE_CHECKING:
    from ...instance import Instance
    from ...quantity import Array, Named, Quantity


def own_lagrangian(x: Named, w: Array, W: Array, Pi: Array) -> Quantity:
    """The summands L(w, w_i, pi_i) of (3.9), ``(..., m)``. Unit E."""
    gap = W - w
    return x.f.value(W) * x.alpha + x.dot(gap, Pi) + x.sq(gap) * (x.sigma / 2)


def lagrangian(x: Named, state: Any) -> Any:
    """Augmented Lagrangian L(w, W, Pi) (3.9) at a state, ``(..., 1)``. Unit E."""
    return x.total(own_lagrangian(x, state.w, state.W, state.Pi))


def eps_weight(x: Named) -> Quantity:
    """Weight of eps_i in the Lyapunov function (4.4), ``(m,)``. Unit M^2/E."""
    return x.nu / ((1 - x.nu) * x.alpha * x.r) + 10 * (1 + x.nu) / (x.sigma * (1 - x.nu))


def lyapunov(x: Named, state: Any) -> Any:
    """The Lyapunov function of Lemma 4.1, (4.4), ``(..., 1)``. Unit E."""
    return lagrangian(x, state) + x.total(state.eps * eps_weight(x))


def c(x: Named) -> Any:
    """min over clients of (sigma + alpha r)(2 sigma - 5 alpha r)/sigma (4.4), ``(1,)``. Unit E/M^2."""
    ar = x.alpha * x.r
    return x.min((x.sigma + ar) * (2 * x.sigma - 5 * ar) / x.sigma)


def sigma_least(x: Named) -> Quantity:
    """The penalty that sigma_i must exceed, 5 alpha_i r_i/2 (Theorem 4.1). Unit E/M^2."""
    return 5 * x.alpha * x.r / 2


def inner_least(x: Named) -> Quantity:
    """The least penalty of Theorem 3.1, alpha_i s_i + rho alpha_i r_i/2. Unit E/M^2."""
    return x.alpha * x.s + x.rho * x.alpha * x.r / 2


def decrease(x: Named) -> Quantity:
    """(sigma + alpha r)(2 sigma - 5 alpha r)/sigma of one client (4.4). Unit E/M^2."""
    ar = x.alpha * x.r
    return (x.sigma + ar) * (2 * x.sigma - 5 * ar) / x.sigma


def moves(x: Instance, c_least: Any, before: Any, after: Any) -> Quantity:
    """Right side of Lemma 4.1, sigma/2 |w^{tau_{k+1}} - w^{tau_k}|^2 + c/4 sum_i |w_i^{k+1} - w_i^k|^2, ``(..., 1)``. Unit E.

    `c_least` is ``c(x)``, which does not change from step to step.
    """
    return x.total(x.sigma) / 2 * x.sq(after.w - before.w) + c_least / 4 * x.total(x.sq(after.W - before.W))


def mean_move(x: Named, k: Quantity) -> Quantity:
    """Bound on the mean over the first k iterations of `moves`, (L_tilde^0 - f*)/k.

    (7.20) with the factor c/4 of Lemma 4.1, where (7.20) prints c/2; no display of the paper states a rate for (4.1),
    (4.6) or (5.1). Needs the gap L_tilde^0 - f*. Unit E.
    """
    return x.gap / k


def objective_gap(x: Named, moved: Quantity) -> Any:
    """Bound on f(w^{tau_k}) - f* and on L_tilde^k - f*: L_tilde^0 - f* minus the moves so far. Unit E.

    Lemma 4.1 summed over the iterations, with Lemma 7.2 b) for f.
    """
    return x.gap - moved


def varrho(x: Named) -> Quantity:
    """The largest varrho of Theorem 3.1, 2 (sigma_i - alpha_i s_i)/(alpha_i r_i), ``(m,)``. Unit 1.

    The theorem claims that the squared distance of the inner steps (3.12) contracts by 1/varrho.
    """
    return 2 * (x.sigma - x.alpha * x.s) / (x.alpha * x.r)


def inner_size(x: Named) -> Quantity:
    """2 (alpha^2 r^2 + sigma^2), by which (3.13) multiplies |w - v*|^2 (Theorem 3.1). Unit (E/M^2)^2."""
    return 2 * (x.alpha**2 * x.r**2 + x.sigma**2)


def inner_steps(x: Named) -> Quantity:
    """kappa of (3.13) before its bracket, log_varrho(2 (alpha^2 r^2 + sigma^2) |w - v*|^2/eps) - 1 (Theorem 3.1). Unit 1."""
    return x.log(inner_size(x) * x.dist_sq / x.eps) / x.log(varrho(x)) - 1


def penalty(x: Any) -> Quantity:
    """sigma_i = sigma0 r_i/m, as Section 5.2 has it with sigma0 = 0.2. Unit E/M^2."""
    if "sigma0" not in x:
        raise MissingParameter("sigma")
    return x.sigma0 * x.r / x.m


def start_gap(x: Any) -> Quantity:
    """L_tilde^0 - f* at w_i^0 = w^0 and eps_i^0 = k_0^2 (Section 5.2): f(w^0) - f* and the weighted eps_i of (4.4). Unit E."""
    if "gap_f" not in x:
        raise MissingParameter("gap")
    return x.gap_f + x.total(eps_weight(x) * x.k0**2)


def error_target(x: Named) -> Any:
    """Right side of the stopping rule (5.1), 5 n 10^-4/d with the paper's n (dimension) and d (samples): x.d and x.n here."""
    return 5 * x.d / (10000 * x.n)
