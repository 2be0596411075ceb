"""Theorem 1 of pFedMe as functions of an instance (arXiv:2006.08848, Sections 4 and A.4.3).

The instance has L_F, mu_F, beta, eta_tilde by name; sigma_{F,1}^2 is passed as `sigma_sq` where the instance has none by
name. The braces of (30) are here as printed (`C1_brace` ...), with the powers of the step inside; `C1`, `C2`, `C3` leave
them out, as the next line of (30) and everything after it needs. `C3` has no L_F, as printed since (29); `C3_kept` has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .constants import eta1_hat, eta_tilde, floor, kappa_F, sampling, unless_all_sampled

if TYPE_CHECKING:
    from ...instance import Instance
    from ...quantity import Named, Quantity

# constants


def noise(x: Named, sigma_sq: Quantity) -> Quantity:
    """(3 R sigma_{F,1}^2 + delta^2 lam^2)/R (28). Unit (E/M)^2."""
    return (3 * x.R * sigma_sq + x.delta**2 * x.lam**2) / x.R


def C1(x: Named) -> Quantity:
    """C_1 = 16 delta^2 lam^2/mu_F (30). Unit E."""
    return 16 * x.delta**2 * x.lam**2 / x.mu_F


def C2(x: Named, sigma_sq: Quantity | None = None) -> Quantity:
    """C_2 = 6 sigma_{F,1}^2 (N/S - 1)/(N - 1) (30). Unit (E/M)^2."""
    return 6 * (x.sigma_F1_sq if sigma_sq is None else sigma_sq) * sampling(x)


def C3(x: Named, sigma_sq: Quantity | None = None) -> Quantity:
    """C_3 = 256 (3 R sigma_{F,1}^2 + delta^2 lam^2) kappa_F/R (30). Unit (E/M)^2, where (30) needs E^3/M^4."""
    return 256 * noise(x, x.sigma_F1_sq if sigma_sq is None else sigma_sq) * x.L_F / x.mu_F


def C3_kept(x: Named, sigma_sq: Quantity | None = None) -> Quantity:
    """C_3 with the L_F that (29) loses: 128 L_F^2/mu_F times 2 (3 R sigma_{F,1}^2 + delta^2 lam^2)/R. Unit E^3/M^4."""
    return x.L_F * C3(x, sigma_sq)


def C1_brace(x: Named) -> Quantity:
    """C_1 as its underbrace in (30) has it, with eta_tilde."""
    return x.eta_tilde * C1(x)


def C2_brace(x: Named, sigma_sq: Quantity) -> Quantity:
    """C_2 as its underbrace in (30) has it, with eta_tilde^2."""
    return x.eta_tilde**2 * C2(x, sigma_sq)


def C3_brace(x: Named, sigma_sq: Quantity) -> Quantity:
    """C_3 as its underbrace in (30) has it, with eta_tilde^3/beta^2."""
    return x.eta_tilde**3 / x.beta**2 * C3(x, sigma_sq)


def bracket(x: Named) -> Quantity:
    """2 - eta_tilde L_F (6 + 12 (N/S - 1)/(N - 1) + 768 kappa_F/beta), the overbrace of (30). Unit 1."""
    return 2 - x.eta_tilde * x.L_F * (6 + 12 * sampling(x) + 768 * kappa_F(x) / x.beta)


# the averaged iterate


def keep(x: Named, times: Quantity = 1) -> Quantity:
    """1 - eta_tilde mu_F/2, what a round leaves of the distance (30), or of one that goes `times` as fast. Unit 1."""
    return 1 - times * x.eta_tilde * x.mu_F / 2


def alpha(x: Named, t: int) -> Quantity:
    """alpha_t = (1 - eta_tilde mu_F/2)^{-(t+1)} (below (33)); the statement of Theorem 1 prints eta for eta_tilde. Unit 1."""
    return 1 / keep(x) ** (t + 1)


def A_T(x: Named) -> Quantity:
    """A_T, the sum of alpha_t for t = 0 .. T-1. Unit 1."""
    return sum(alpha(x, t) for t in range(x.T))


def weights(x: Named) -> list[Quantity]:
    """alpha_t/A_T for t = 0 .. T-1. Unit 1."""
    alphas = [alpha(x, t) for t in range(x.T)]
    total = sum(alphas)
    return [a / total for a in alphas]


def w_bar(weights: Sequence[Quantity], states: Sequence[Any]) -> Quantity:
    """w_bar_T, the mean of w_0 .. w_{T-1} with the weights alpha_t/A_T, ``(..., 1, d)``. Unit M."""
    return sum(state.w * a for state, a in zip(states, weights, strict=False))


def distance_sq(x: Instance, state: Any) -> Quantity:
    """Delta_t = |w_t - w*|^2, ``(..., 1)``; Delta_0 at the start. Unit M^2."""
    return x.sq(state.w - x.w_star)


# how many rounds


def least_T(x: Named) -> Quantity:
    """2/(eta1_hat mu_F), below which T is outside Theorem 1; the print has eta_1 without its hat. Unit 1."""
    return 2 / (eta1_hat(x) * x.mu_F)


def least_T_at_step(x: Named) -> Any:
    """T from which (33) to (35) are claimed at the given step, 2/(eta_tilde mu_F) (A.4.3, below (33)). Unit 1."""
    return 2 / (eta_tilde(x) * x.mu_F)


def eta_prime(x: Named, C2: Quantity) -> Quantity:
    """eta' = max{2 ln(mu_F^2 Delta_0 T/(2 C_2))/(mu_F T), 2/(mu_F T)}, the step of the first case. Unit M^2/E."""
    return 2 / (x.mu_F * x.T) * x.maximum(x.log(x.mu_F**2 * x.Delta_0 * x.T / (2 * C2)), 1)


# bounds


def initial(x: Named, step: Quantity, distance: Quantity, T: Quantity) -> Quantity:
    """mu_F Delta_0 e^{-step mu_F T/2}, the initial error in (33) to (35). Unit E."""
    return x.mu_F * distance * x.exp(-(step * x.mu_F * T / 2))


def bound_35(x: Named, T: Quantity, third: Callable[[Named], Quantity] = C3) -> Quantity:
    """Right side of (33), (34) and (35): mu_F Delta_0 e^{-eta_tilde mu_F T/2} + eta_tilde^2/beta^2 C_3 + eta_tilde C_2 + C_1.

    Claimed for eta_tilde T >= 2/mu_F, at given numbers with Delta_0 = |w_0 - w*|^2; `third` is C_3. Unit E, as the role
    requires.
    """
    step = eta_tilde(x)
    return initial(x, step, x.Delta_0, T) + floor(x, step, third(x), unless_all_sampled(C2)(x), C1(x))


def bound_35_repaired(x: Named, T: Quantity) -> Quantity:
    """(35) with the C_3 that has L_F. Unit E."""
    return bound_35(x, T, C3_kept)


def bound_distance(x: Named, T: Quantity) -> Quantity:
    """Bound on E|w_T - w*|^2 of Section A.4.3, the last display of the proof of Theorem 1: 2/mu_F times (35). Unit M^2."""
    return 2 / x.mu_F * bound_35(x, T)


def bound_models(x: Named, distance: Quantity, sigma_sq: Quantity) -> Quantity:
    """9 E|w_T - w*|^2 + 6 sigma_{F,1}^2/lam^2 + 3 delta^2 on the mean of E|theta_tilde_i(w_T) - w*|^2 (proof of (b))."""
    return 9 * distance + 6 * sigma_sq / x.lam**2 + 3 * x.delta**2


def rate(x: Named, ell: Quantity, C3: Quantity, C2: Quantity, C1: Quantity) -> Quantity:
    """4 ell C_2/(T mu_F) + 4 ell^2 C_3/(T^2 beta^2 mu_F^2) + C_1, what both cases make of `floor`. Unit E."""
    return 4 * ell * C2 / (x.T * x.mu_F) + 4 * ell**2 * C3 / (x.T * x.beta * x.mu_F) ** 2 + C1


# the terms of Theorem 1 (a)


def second_term(x: Named, sigma_sq: Quantity, S: Quantity) -> Quantity:
    """(N/S - 1) sigma_{F,1}^2/(mu_F T N), the error of client sampling. Unit E."""
    return (x.N / S - 1) * sigma_sq / (x.mu_F * x.T * x.N)


def third_term(x: Named, sigma_sq: Quantity) -> Quantity:
    """(R sigma_{F,1}^2 + delta^2 lam^2) kappa_F/(R (T beta mu_F)^2), as printed. Unit M^2; the role requires E."""
    return (x.R * sigma_sq + x.delta**2 * x.lam**2) * kappa_F(x) / (x.R * (x.T * x.beta * x.mu_F) ** 2)


def last_term(x: Named) -> Quantity:
    """lam^2 delta^2/mu_F, the neighbourhood of Remark 1. Unit E."""
    return x.lam**2 * x.delta**2 / x.mu_F
