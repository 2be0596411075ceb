"""Constants of DA-DPFL (Long, Wang, Anagnostopoulos, Bi) as functions of an instance.

Symbols: L is the Lipschitz constant of the gradient, which the paper calls mu; K of the paper is m.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...quantity import Named, Quantity


def step_sq_theorem3(x: Named) -> Quantity:
    """Largest eta^2 of Theorem 3, 1/(12 mu^2 (M - 1)(2M - 1))."""
    return 1 / (12 * x.L**2 * (x.M - 1) * (2 * x.M - 1))


def step_sq_lemma1(x: Named) -> Quantity:
    """Largest eta^2 of Lemmas 1 and 3, 1/(12 M mu^2 (M - 1)(2M - 1)): smaller than Theorem 3's by the factor M."""
    return step_sq_theorem3(x) / x.M


def scheduled(x: Named) -> Quantity:
    """E_l^* = (3M + 2)/(2(M + 1)) E_l, local steps of a round with scheduling (Lemma 2)."""
    return (3 * x.M + 2) / (2 * (x.M + 1)) * x.E_l


def S2(x: Named) -> Quantity:
    """sigma_l^2/(2M - 1) + 3 (2 sigma_g^2 + sigma_p^2) (Theorem 3)."""
    return x.sigma_l_sq / (2 * x.M - 1) + 3 * (2 * x.sigma_g_sq + x.sigma_p_sq)


def S1(x: Named) -> Quantity:
    """2 eta^2 M (M - 1) (exp((3M + 2) E_l/(4 (M^2 - 1))) - 1) (Theorem 3). Unit M^4/E^2."""
    return 2 * x.eta**2 * x.M * (x.M - 1) * (x.exp((3 * x.M + 2) * x.E_l / (4 * (x.M**2 - 1))) - 1)


def rate_coefficient(x: Named) -> Quantity:
    """eta - 6 S_1 (mu - eta), by which Theorem 3 divides; subtracts a step size from a curvature, so has no unit."""
    return x.eta - 6 * S1(x) * (x.L - x.eta)


def S3(x: Named) -> Quantity:
    """2/(eta - 6 S_1 (mu - eta)) [(mu - eta) S_1 S_2 + drift] (Theorem 3).

    The drift is 3 mu^2 eta^3 (3M + 2) E_l/(2 (M + 1) M) (sigma_l^2 + sigma_g^2).
    """
    drift = 3 * x.L**2 * x.eta**3 * (3 * x.M + 2) * x.E_l / (2 * (x.M + 1) * x.M) * (x.sigma_l_sq + x.sigma_g_sq)
    return 2 / rate_coefficient(x) * ((x.L - x.eta) * S1(x) * S2(x) + drift)


def theorem3(x: Named, T: Quantity) -> Quantity:
    """Right side of (13), a bound on min_t E|grad f|^2: 2 (E f(omega^0) - min f)/(T (eta - 6 S_1 (mu - eta))) + S_3."""
    return 2 * x.gap / (T * rate_coefficient(x)) + S3(x)


def step_repaired(x: Named) -> Quantity:
    """Largest eta of the repaired Theorem 3, 1/(8 mu E_l)."""
    return 1 / (8 * x.L * x.E_l)


def mixing(x: Named) -> Quantity:
    """rho = (K - 1 - M)/((M + 1)(K - 1)): what a round of averaging leaves of the distance between the models."""
    return (x.m - 1 - x.M) / ((x.M + 1) * (x.m - 1))


def round_step(x: Named) -> Quantity:
    """eta E_l, how far the local steps of a round go (repaired Theorem 3, where it is called eta)."""
    return x.eta * x.E_l


def repaired_spread(x: Named) -> Quantity:
    """(48 mu eta E_l + 168 mu^2 eta^2 E_l^2) sigma_g^2, what stays for ever in the repaired Theorem 3."""
    far = x.L * round_step(x)
    return (48 * far + 168 * far**2) * x.sigma_g_sq


def repaired(x: Named, T: Quantity) -> Quantity:
    """Repaired Theorem 3, a bound on the mean over t < T of E|grad f|^2: 8 (f(omega^0) - min f)/(eta E_l T) + spread.

    For one first model of all clients, dense masks and N = 0; of models that differ it has mu V^0 more in the bracket, V^0 the
    mean of |omega_k^0 - omega^0|^2.
    """
    return 8 * x.gap / (round_step(x) * T) + repaired_spread(x)
