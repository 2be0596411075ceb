"""Constants and functions of FedADMM (Zhou and Li, Federated Learning via Inexact ADMM) as functions of an instance."""

from __future__ import annotations

from typing import Any


def lagrangian(x: Any, state: Any) -> Any:
    """Augmented Lagrangian L(w, W, Pi) (3.9) at a state, ``(..., 1)``. Unit E."""
    gap = state.W - state.w
    return x.total(x.f.value(state.W) * x.alpha + x.dot(gap, state.Pi) + x.sq(gap) * (x.sigma / 2))


def eps_weight(x: Any) -> Any:
    """Weight of eps_i in the Lyapunov function (4.4), ``(m,)``. Unit M^2/E."""
    return x.nu / ((1 - x.nu) * x.alpha * x.r) + 10 * (1 + x.nu) / (x.sigma * (1 - x.nu))


def lyapunov(x: Any, state: Any) -> Any:
    """The Lyapunov function of Lemma 4.1, (4.4), ``(..., 1)``. Unit E."""
    return lagrangian(x, state) + x.total(state.eps * eps_weight(x))


def c(x: Any) -> Any:
    """min over clients of (sigma + alpha r)(2 sigma - 5 alpha r)/sigma (4.4), ``(1,)``. Unit E/M^2."""
    ar = x.alpha * x.r
    return x.min((x.sigma + ar) * (2 * x.sigma - 5 * ar) / x.sigma)
