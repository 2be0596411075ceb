"""FedADMM: federated learning via inexact ADMM.

Reference: S. Zhou, G. Y. Li, Federated Learning via Inexact ADMM, Algorithm 1. Not the FedADMM of Gong et al. (2022).

Symbols: sigma_i penalty, alpha_i client weight, r_i Lipschitz constant of the gradient of f_i, nu_i in [1/2, 1), eps_i
accuracy, tau_k = ceil(k/k_0) (Section 2.1 defines the paper's floor bracket as the largest integer below t + 1, with
the example that the bracket of 1.1 is 2), so that w^{tau_{k+1}} is new exactly when k is a multiple of k_0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from array_api_compat import array_namespace

from ..algorithm import require_count, require_positive
from ..claim import Relation, eq, le


class FedADMMState(NamedTuple):
    """State at iteration k."""

    w: Any  # (..., 1, d) w^{tau_k}
    W: Any  # (..., m, d)
    Pi: Any  # (..., m, d)
    Z: Any  # (..., m, d)
    eps: Any  # (..., m)
    k: int = 0
    communications: int = 0


class FedADMMDraws(NamedTuple):
    """Selection and inexactness of one iteration."""

    selected: Any  # (m,) bool
    error: Any  # (..., m, d) left-hand side of (3.5) before its norm, |error_i|^2 <= eps_i^{k+1}
    tighten: Any = 1  # eps^{k+1} = tighten nu eps^k, tighten <= 1


@dataclass(frozen=True)
class FedADMM:
    """Hyper-parameters: sigma, alpha, nu are ``(m,)``; k0 iterations between communications."""

    sigma: Any
    alpha: Any
    nu: Any
    k0: int = 1

    def __post_init__(self) -> None:
        for name in ("sigma", "alpha", "nu"):
            require_positive(f"FedADMM({name}=...)", getattr(self, name))
        require_count("FedADMM(k0=...)", self.k0, 1)

    def init(self, problem: Any, w0: Any, W0: Any, eps0: Any) -> FedADMMState:
        """Any W^0, pi_i^0 = -g_i^0, z_i^0 = sigma_i w_i^0 + pi_i^0; w^{tau_0} is not used by the method."""
        Pi = problem.grad(W0) * self.alpha[..., None] * -1
        return FedADMMState(w0, W0, Pi, W0 * self.sigma[..., None] + Pi, eps0)

    def draw(self, problem: Any, stream: np.random.Generator) -> FedADMMDraws:
        """Every client selected, subproblems solved exactly."""
        return FedADMMDraws(np.ones(problem.m, dtype=bool), 0.0)

    def step(self, problem: Any, state: FedADMMState, draws: FedADMMDraws) -> FedADMMState:
        """One iteration k -> k + 1."""
        xp = array_namespace(state.W)
        sigma = self.sigma[..., None]
        w, averaging = state.w, state.k % self.k0 == 0
        if averaging:
            w = xp.sum(state.Z, axis=-2, keepdims=True) / xp.sum(self.sigma)  # (3.3)
        eps = state.eps * self.nu * draws.tighten  # (3.4)
        W = problem.prox(w - (state.Pi - draws.error) / sigma, self.sigma / self.alpha)  # (3.5)
        Pi = state.Pi + (W - w) * sigma  # (3.6)
        Z = W * sigma + Pi  # (3.7)
        chosen = draws.selected[:, None]
        return FedADMMState(
            w,
            xp.where(chosen, W, state.W),  # (3.8) for the clients that are not selected
            xp.where(chosen, Pi, state.Pi),
            xp.where(chosen, Z, state.Z),
            xp.where(draws.selected, eps, state.eps),
            state.k + 1,
            state.communications + averaging,
        )

    def invariants(self, x: Any, state: FedADMMState) -> tuple[Relation, ...]:
        """Lemma 7.1: (3.7) for every client, and |g_i + pi_i|^2 <= eps_i (7.6)."""
        phi = x.f.grad(state.W) * self.alpha[..., None] + state.Pi
        return (
            eq(x.sq(state.Z - state.W * self.sigma[..., None] - state.Pi), 0, "(3.7)"),
            le(x.sq(phi), state.eps, "(7.6)"),
        )
