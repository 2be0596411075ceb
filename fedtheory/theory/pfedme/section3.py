"""Objectives of pFedMe and Per-FedAvg and the accuracy of Lemma 1 (arXiv:2006.08848, Section 3), as functions of an instance.

Symbols: N of the paper is m; theta is a personalised model ``(..., m, d)`` or a point shared by all clients
``(..., 1, d)``; alpha is the step size of Per-FedAvg, not a client weight; g stands for the gradients of f_i at w.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...instance import Instance
    from ...quantity import Array, Named, Quantity


def objective(x: Instance, w: Array) -> Quantity:
    """f(w), the mean of f_i(w) (1), ``(..., 1)``. Unit E."""
    return x.mean(x.f.value(w))


def regularised(x: Instance, theta: Array, w: Array) -> Quantity:
    """f_i(theta_i) + lam/2 |theta_i - w|^2 (2), h_i in the proof of Lemma 1, ``(..., m)``. Unit E."""
    return x.f.value(theta) + x.lam / 2 * x.sq(theta - w)


def regularised_grad(x: Instance, theta: Array, w: Array) -> Quantity:
    """Gradient of (2) in theta_i, ``(..., m, d)``. Unit E/M."""
    return x.f.grad(theta) + (theta - w) * x.lam


def one_step(x: Named, w: Array, g: Array) -> Quantity:
    """theta_i(w) = w - alpha grad f_i(w), the personalised model of Per-FedAvg (4), ``(..., m, d)``. Unit M."""
    return w - g * x.alpha


def per_fedavg(x: Instance, w: Array) -> Quantity:
    """Mean of f_i(w - alpha grad f_i(w)), the objective of Per-FedAvg (4), ``(..., 1)``. Unit E."""
    return x.mean(x.f.value(one_step(x, w, x.f.grad(w))))


def linear_model(x: Instance, theta: Array, w: Array, g: Array) -> Quantity:
    """<grad f_i(w), theta_i - w> + |theta_i - w|^2/(2 alpha) (5), ``(..., m)``. Unit E."""
    return x.dot(g, theta - w) + x.sq(theta - w) / (2 * x.alpha)


def delta_sq_printed(curvature: Quantity, noise_sq: Quantity, nu: Quantity) -> Quantity:
    """delta^2 of Lemma 1 as printed, 2/curvature^2 (noise_sq + nu): nu stands unsquared. Not homogeneous in units.

    The curvature is lam + mu or lam - L, noise_sq is gamma_f^2/|D|.
    """
    return 2 / curvature**2 * (noise_sq + nu)


def delta_sq(curvature: Quantity, noise_sq: Quantity, nu: Quantity) -> Quantity:
    """delta^2 of Lemma 1 with nu squared, 2/curvature^2 (noise_sq + nu^2). Unit M^2."""
    return 2 / curvature**2 * (noise_sq + nu**2)


def delta_sq_lemma1a(x: Named) -> Quantity:
    """delta^2 of Lemma 1, case Assumption 1(a), as printed."""
    return delta_sq_printed(x.lam + x.mu, x.gamma_f_sq / x.batch, x.nu)


def delta_sq_lemma1b(x: Named) -> Quantity:
    """delta^2 of Lemma 1, case Assumption 1(b), as printed."""
    return delta_sq_printed(x.lam - x.L, x.gamma_f_sq / x.batch, x.nu)
