"""FLAME: personalised federated learning via ADMM with Moreau envelope.

Reference: S. Zhu, J. Zeng, S. Wang, Y. Sun, Z. Peng, FLAME, Algorithm 1; line numbers l1 to l28 count its statements.

Symbols: alpha_i client weight, rho penalty, lam Moreau parameter, S^t selected clients. The state at t carries
w^t = mean of z_i^t, which the box computes at the head of round t (l5) and the analysis at the end of round t - 1 (12).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from array_api_compat import array_namespace

from ..algorithm import require_positive
from ..claim import Relation, eq


class FLAMEState(NamedTuple):
    """State at round t."""

    Theta: Any  # (..., m, d)
    W: Any  # (..., m, d)
    Pi: Any  # (..., m, d)
    Z: Any  # (..., m, d)
    w: Any  # (..., 1, d)
    t: int = 0
    communications: int = 0


class FLAMEDraws(NamedTuple):
    """Selection and inexactness of one round."""

    selected: Any  # (m,) bool
    error: Any  # (..., m, d) alpha_i (grad f_i(theta_i^{t+1}) + lam (theta_i^{t+1} - w_i^t)), |error_i|^2 <= eps_i^t


@dataclass(frozen=True)
class FLAME:
    """Hyper-parameters: lam and rho positive, alpha ``(m,)``."""

    lam: Any
    rho: Any
    alpha: Any

    def __post_init__(self) -> None:
        for name in ("lam", "rho", "alpha"):
            require_positive(f"FLAME({name}=...)", getattr(self, name))

    def init(self, problem: Any, Theta0: Any, W0: Any) -> FLAMEState:
        """Any Theta^0 and W^0; pi_i^0 = lam alpha_i (theta_i^0 - w_i^0) (28); z_i^0 = w_i^0 + pi_i^0/rho (l1)."""
        xp = array_namespace(W0)
        Pi = (Theta0 - W0) * (self.alpha * self.lam)[..., None]
        Z = W0 + Pi / self.rho
        return FLAMEState(Theta0, W0, Pi, Z, xp.sum(Z, axis=-2, keepdims=True) / Z.shape[-2])

    def draw(self, problem: Any, stream: np.random.Generator) -> FLAMEDraws:
        """Every client selected, subproblems solved exactly."""
        return FLAMEDraws(np.ones(problem.m, dtype=bool), 0.0)

    def step(self, problem: Any, state: FLAMEState, draws: FLAMEDraws) -> FLAMEState:
        """One round t -> t + 1."""
        xp = array_namespace(state.W)
        alpha_lam = (self.alpha * self.lam)[..., None]
        w = state.w  # l5, l6
        Theta = problem.prox(state.W + draws.error / alpha_lam, self.lam)  # l8 to l13, to the accuracy of (13)
        W = (Theta * alpha_lam + w * self.rho - state.Pi) / (alpha_lam + self.rho)  # l14
        Pi = state.Pi + (W - w) * self.rho  # l15
        Z = W + Pi / self.rho  # l16
        chosen = draws.selected[:, None]
        Theta, W = xp.where(chosen, Theta, state.Theta), xp.where(chosen, W, state.W)  # l17, l18
        Pi, Z = xp.where(chosen, Pi, state.Pi), xp.where(chosen, Z, state.Z)
        w = xp.sum(Z, axis=-2, keepdims=True) / Z.shape[-2]  # l5 of the next round
        return FLAMEState(Theta, W, Pi, Z, w, state.t + 1, state.communications + 1)

    def invariants(self, x: Any, state: FLAMEState) -> tuple[Relation, ...]:
        """Lemma 2, pi_i = lam alpha_i (theta_i - w_i), and l16 for every client."""
        residual = state.Pi - (state.Theta - state.W) * (self.alpha * self.lam)[..., None]
        return (
            eq(x.sq(residual), 0, "(25)"),
            eq(x.sq(state.Z - state.W - state.Pi / self.rho), 0, "l16"),
        )
