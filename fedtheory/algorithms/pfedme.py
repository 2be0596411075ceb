"""pFedMe: personalised federated learning with Moreau envelopes.

Reference: C. T. Dinh, N. H. Tran, T. D. Nguyen, NeurIPS 2020, arXiv:2006.08848, Algorithm 1.

Symbols: N of the paper is m; theta_tilde is the delta-approximate personalised model, theta_hat the exact prox;
g_{i,r} = lam (w_{i,r} - theta_tilde_{i,r}). The underbrace of Section A.4.1 puts eta inside g as well; every later
line of the paper uses g without it, and so does this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from array_api_compat import array_namespace

from ..algorithm import require_count, require_positive
from ..claim import Relation


class PFedMeState(NamedTuple):
    """State at round t."""

    w: Any  # (..., 1, d) server vector
    t: int = 0
    communications: int = 0


class PFedMeDraws(NamedTuple):
    """Randomness of one round."""

    selected: Any  # (m,) 1 for the S sampled clients, 0 elsewhere
    error: tuple[Any, ...]  # R arrays (..., m, d): theta_tilde - theta_hat


@dataclass(frozen=True)
class PFedMe:
    """Hyper-parameters: lam and eta positive, beta (>= 1 in the theorems), R local rounds, S sampled clients."""

    lam: Any
    eta: Any
    beta: Any
    R: int
    S: int

    def __post_init__(self) -> None:
        for name in ("lam", "eta", "beta"):
            require_positive(f"PFedMe({name}=...)", getattr(self, name))
        require_count("PFedMe(R=...)", self.R, 1)
        require_count("PFedMe(S=...)", self.S, 1)

    def init(self, problem: Any, w0: Any) -> PFedMeState:
        """Start at any ``w0`` ``(..., 1, d)`` (Alg. 1, line 1)."""
        require_count("PFedMe(S=...)", self.S, 1, problem.m)
        return PFedMeState(w0)

    def draw(self, problem: Any, stream: np.random.Generator) -> PFedMeDraws:
        """S clients uniformly without replacement (Alg. 1, line 9), the inner problem solved exactly."""
        selected = np.zeros(problem.m)
        selected[stream.choice(problem.m, self.S, replace=False)] = 1.0
        return PFedMeDraws(selected, (0.0,) * self.R)

    def local(self, problem: Any, w: Any, error: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
        """The local rounds of all clients: iterates ``[w_{i,0} ... w_{i,R}]`` and gradients ``[g_{i,0} ... g_{i,R-1}]``."""
        W = w  # Alg. 1, line 5
        iterates, gradients = [W], []
        for r in range(self.R):  # Alg. 1, line 6
            Theta_tilde = problem.prox(W, self.lam) + error[r]  # Alg. 1, line 7
            G = (W - Theta_tilde) * self.lam
            W = W - G * self.eta  # Alg. 1, line 8
            iterates.append(W)
            gradients.append(G)
        return iterates, gradients

    def step(self, problem: Any, state: PFedMeState, draws: PFedMeDraws) -> PFedMeState:
        """One communication round."""
        W = self.local(problem, state.w, draws.error)[0][-1]
        xp = array_namespace(W)
        w_bar = xp.sum(W * draws.selected[:, None], axis=-2, keepdims=True) / self.S
        w = state.w * (1 - self.beta) + w_bar * self.beta  # Alg. 1, line 10
        return PFedMeState(w, state.t + 1, state.communications + 1)

    def invariants(self, x: Any, state: PFedMeState) -> tuple[Relation, ...]:
        """None: every server vector is a possible start."""
        return ()
