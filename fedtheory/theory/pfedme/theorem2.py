"""Theorem 2 of pFedMe as functions of an instance (arXiv:2006.08848, Sections 4 and A.5).

The braces of (42) are here as printed (`C4_brace` ...), with the powers of the step inside; `C4`, `C5`, `C6` leave them out,
as (44) needs it. sigma_{F,2}^2 is passed as `variance` where the instance has no sigma_f^2 by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .constants import L_F, eta_tilde, floor, room, sampling, sigma_F2_sq, unless_all_sampled
from .round import bound_23

if TYPE_CHECKING:
    from ...quantity import Named, Quantity


def C4(x: Named, variance: Quantity | None = None) -> Quantity:
    """C_4 = 16 (3 R sigma_{F,2}^2 + 2 delta^2 lam^2)/R (42). Unit (E/M)^2, where (44) needs E^4/M^6."""
    variance = sigma_F2_sq(x) if variance is None else variance
    return 16 * (3 * x.R * variance + 2 * x.delta**2 * x.lam**2) / x.R


def C5(x: Named, variance: Quantity | None = None) -> Quantity:
    """C_5 = 3/2 L_F sigma_{F,2}^2 (N/S - 1)/(N - 1) (42). Unit E^3/M^4."""
    variance = sigma_F2_sq(x) if variance is None else variance
    return 3 * L_F(x) * variance / 2 * sampling(x)


def C6(x: Named) -> Quantity:
    """C_6 = 2 lam^2 delta^2 (42). Unit (E/M)^2."""
    return 2 * x.lam**2 * x.delta**2


def C4_brace(x: Named, step: Quantity, variance: Quantity) -> Quantity:
    """C_4 as its underbrace in (42) has it, with eta_tilde^3/beta^2."""
    return step**3 / x.beta**2 * C4(x, variance)


def C5_brace(x: Named, step: Quantity, variance: Quantity) -> Quantity:
    """C_5 as its underbrace in (42) has it, with eta_tilde^2."""
    return step**2 * C5(x, variance)


def C6_brace(x: Named, step: Quantity) -> Quantity:
    """C_6 as its underbrace in (42) has it, with eta_tilde."""
    return step * C6(x)


def Delta_F(start: Quantity, infimum: Quantity) -> Quantity:
    """F(w_0) - F*; Theorem 2 has no minimiser, F* is the infimum. Unit E."""
    return start - infimum


def at_t_star(x: Named, per_round: Quantity) -> Quantity:
    """Expectation of a quantity ``(..., T)`` at a round t* drawn uniformly from 0 .. T-1; the client axis counts rounds."""
    return x.total(per_round / x.N)


def bound_38(x: Named, grad_sq: Quantity, spread: Quantity, squares: Quantity) -> Quantity:
    """Right side of (38) for |grad F|^2, the diversity of the grad F_i and the mean of |grad F_i|^2. Unit E."""
    step, growth = x.eta_tilde, 3 * L_F(x) * x.eta_tilde
    return (
        -step * (1 - growth) / 2 * grad_sq
        + 3 * L_F(x) * step**2 / 2 * sampling(x) * spread
        + step * (1 + growth) / 2 * bound_23(x, squares, step)
    )


def bound_39(x: Named, grad_sq: Quantity, variance: Quantity) -> Quantity:
    """Right side of (39): (38) with the diversity of Lemma 2 (b), and `variance` in place of sigma_{F,2}^2. Unit E."""
    spread = variance + 8 * x.L**2 / room(x) * grad_sq
    return bound_38(x, grad_sq, spread, variance + x.lam**2 / room(x) * grad_sq)


def bound_44(x: Named, T: Quantity) -> Quantity:
    """Right side of (44), a bound on (1/2T) sum_t E|grad F(w_t)|^2.

    Delta_F/(eta_tilde T) + eta_tilde^2/beta^2 C_4 + eta_tilde C_5 + C_6. Delta_F = F(w_0) - F* stands for the printed
    E[F(w^0) - F(w_T)], as in the displays below (44). Unit (E/M)^2, as the role requires.
    """
    step = eta_tilde(x)
    return x.Delta_F / (step * T) + floor(x, step, C4(x), unless_all_sampled(C5)(x), C6(x))


def stationarity(x: Named, T: Quantity) -> Quantity:
    """Twice (44), a bound on the mean over t < T of E|grad F(w_t)|^2. Unit (E/M)^2."""
    return 2 * bound_44(x, T)


def stationarity_repaired(x: Named, T: Quantity) -> Quantity:
    """Twice (44) as its repair has it: L_F^2 C_4 for C_4, and 2 sigma_{F,2}^2 for sigma_{F,2}^2. Unit (E/M)^2."""
    step, variance = eta_tilde(x), 2 * sigma_F2_sq(x)
    linear = 0 if x.N == x.S else C5(x, variance)
    return 2 * (x.Delta_F / (step * T) + floor(x, step, L_F(x) ** 2 * C4(x, variance), linear, C6(x)))
