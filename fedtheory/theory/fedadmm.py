"""Constants and functions of FedADMM (Zhou and Li, Federated Learning via Inexact ADMM) as functions of an instance."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ..claim import le, lt
from .catalogue import Catalogue, Condition, Constant


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


def sigma_least(x: Any) -> Any:
    """The penalty that sigma_i must exceed, 5 alpha_i r_i/2 (Theorem 4.1). Unit E/M^2."""
    return 5 * x.alpha * x.r / 2


def decrease(x: Any) -> Any:
    """(sigma + alpha r)(2 sigma - 5 alpha r)/sigma of one client (4.4). Unit E/M^2."""
    ar = x.alpha * x.r
    return (x.sigma + ar) * (2 * x.sigma - 5 * ar) / x.sigma


CATALOGUE = Catalogue(
    parameters={
        "m": "clients", "alpha": "weight of the client (default 1/m)", "r": "Lipschitz constant of the gradient",
        "sigma": "penalty", "nu": "accuracy factor in [1/2, 1)", "S": "selected clients", "s0": "selection cycle",
    },
    constants=(
        Constant("least sigma_i", "Theorem 4.1", sigma_least),
        Constant("c of the client", "Lemma 4.1, (4.4)", decrease),
        Constant("weight of eps_i", "Lemma 4.1, (4.4)", eps_weight),
        Constant("probability of a selection in s0 rounds", "Remark 4.1", lambda x: 1 - (1 - x.S / x.m) ** int(x.s0)),
    ),
    conditions=(
        Condition("sigma_i > 5 alpha_i r_i/2", "Theorem 4.1", lambda x: lt(sigma_least(x), x.sigma)),
        Condition("nu_i >= 1/2", "Algorithm 1", lambda x: le(Fraction(1, 2), x.nu)),
        Condition("nu_i < 1", "Algorithm 1", lambda x: lt(x.nu, 1)),
        Condition("|Omega| <= m", "Algorithm 1", lambda x: le(x.S, x.m)),
    ),
    derived={"alpha": lambda x: 1 / x.m},
)  # fmt: skip
