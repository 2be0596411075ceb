"""FedProx: FedAvg with a proximal term; and the line that FedADMM's paper prints for it.

References: T. Li, A. K. Sahu, M. Zaheer, M. Sanjabi, A. Talwalkar, V. Smith, MLSys 2020, arXiv:1812.06127, Algorithm 2
(`FedProx`), its inexact local minimisation by E gradient steps; S. Zhou, G. Y. Li, Federated Learning via Inexact ADMM,
Algorithm 2 (`FedProxStored`).

Symbols: mu of both papers is mu_prox. Line (3.17) is w_i + mu (w_i - w) - gamma/m grad f_i(w_i): its second term pushes
w_i away from w, and mu is a number there, where it is a curvature in the objective f_i(z) + mu/2 |z - w|^2. A gradient
step on that objective has the other sign. `FedProxStored` runs the line as printed; ``printed=False`` turns the sign.
At a multiple of k_0 the line starts from w_i^k, not from the new w as (3.16) does; so does this file.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..checks import initial, require_count, require_flag, require_positive
from ..instance import Instance
from ..method import Method, Option, Options
from ..problem import Functions, Problem
from ..relation import Relation
from ..theory.fedadmm.observe import RULE_5_1
from .fedavg import WEIGHTS, FedAvgDraws, FedAvgState, StoredDraws, StoredState, alpha_of, gamma, mean_weights, step_of
from .participation import (
    BATCH,
    SELECTION,
    everyone_of,
    how_many,
    participants,
    require_clients,
    require_participation,
    select,
)
from .passes import Batches, draw_batches, require_passes, step_to, unit, who_moves

if TYPE_CHECKING:
    from ..quantity import Array, Quantity


@dataclass(frozen=True)
class FedProx:
    """Hyper-parameters: those of `FedAvg`, and the proximal weight mu_prox."""

    eta: Quantity
    E: int
    mu_prox: Quantity
    _: KW_ONLY
    S: int | None = None
    batch: int | None = None
    replace: bool = True
    alpha: Quantity | None = None
    passes: bool = False

    def __post_init__(self) -> None:
        for name in ("eta", "mu_prox"):
            require_positive(f"FedProx({name}=...)", getattr(self, name))
        require_count("FedProx(E=...)", self.E, 1)
        require_participation("FedProx", self.S, self.batch, self.replace)
        require_passes("FedProx", self.passes, self.batch)
        if self.alpha is not None:
            require_positive("FedProx(alpha=...)", self.alpha)

    def init(self, problem: Functions, w0: Array | None = None) -> FedAvgState:
        """Start at ``w0`` ``(..., 1, d)``, at zero by default."""
        require_clients("FedProx", problem, self.S, alpha=self.alpha)
        mean_weights("FedProx", self.alpha, problem)
        return FedAvgState(initial("FedProx.init(w0=...)", w0, problem, 1))

    def draw(self, problem: Problem, stream: np.random.Generator) -> FedAvgDraws:
        """S clients uniformly without replacement, then a minibatch for every client and local step."""
        selected = select(stream, "FedProx", problem.m, self.S)
        batches = draw_batches(stream, "FedProx", problem, self.E, self.batch, self.replace, self.passes)
        return FedAvgDraws(selected, *batches)

    def step(self, problem: Functions, state: FedAvgState, draws: FedAvgDraws) -> FedAvgState:
        """One communication round."""
        work = participants(problem, draws.selected)
        Z = w = state.w  # z_i <- w
        for h in range(Batches(draws.rows).count(self.E)):
            G = work.batch(draws.rows, h).grad(Z) + (Z - w) * self.mu_prox  # g_i(z) + mu (z - w)
            Z = step_to(Z - G * self.eta, Z, who_moves(work, draws.active, h, G))
        w = work.mean(Z, mean_weights("FedProx", self.alpha, problem))
        return FedAvgState(w, state.t + 1, state.communications + 1)

    def invariants(self, x: Instance, state: FedAvgState) -> tuple[Relation, ...]:
        """None: every server vector is a possible start."""
        return ()


@dataclass(frozen=True)
class FedProxStored:
    """FedProx as FedADMM's Algorithm 2 prints it: the mean of the clients selected last, and line (3.17).

    Hyper-parameters: `a`, `mu_prox` (a number without unit), k0 iterations between communications, S selected clients
    (None is all); step size a/log2(k + 2) over m, as in `FedAvgStored`, or a/m unless `decreasing`.
    """

    a: Quantity
    mu_prox: Quantity
    k0: int = 1
    _: KW_ONLY
    S: int | None = None
    decreasing: bool = True
    printed: bool = True

    def __post_init__(self) -> None:
        for name in ("a", "mu_prox"):
            require_positive(f"FedProxStored({name}=...)", getattr(self, name))
        require_count("FedProxStored(k0=...)", self.k0, 1)
        require_participation("FedProxStored", self.S)
        for name in ("decreasing", "printed"):
            require_flag(f"FedProxStored({name}=...)", getattr(self, name))

    def init(self, problem: Functions, w0: Array | None = None, W0: Array | None = None) -> StoredState:
        """w_i^0 = 0 by default, Omega^0 = [m]; w^{tau_0} is not used by the method."""
        require_clients("FedProxStored", problem, self.S)
        w = initial("FedProxStored.init(w0=...)", w0, problem, 1)
        return StoredState(w, initial("FedProxStored.init(W0=...)", W0, problem, problem.m), everyone_of(problem))

    def draw(self, problem: Problem, stream: np.random.Generator) -> StoredDraws:
        """S clients uniformly without replacement."""
        return StoredDraws(select(stream, "FedProxStored", problem.m, self.S))

    def step(self, problem: Functions, state: StoredState, draws: StoredDraws) -> StoredState:
        """One iteration k -> k + 1."""
        w, selected, averaging = state.w, state.selected, state.k % self.k0 == 0
        if averaging:
            w = participants(problem, selected, everyone=True).mean(state.W)  # (3.15), over Omega^{tau_k}
            selected = draws.selected
        work = participants(problem, selected)
        W = work.rows(state.W)
        push = (W - w) * (self.mu_prox if self.printed else -self.mu_prox)
        W = W + push - work.problem.grad(W) * (gamma(self.a, state.k, self.decreasing) / problem.m)  # (3.17)
        return StoredState(w, work.put(W, state.W), selected, state.k + 1, state.communications + averaging)

    def invariants(self, x: Instance, state: StoredState) -> tuple[Relation, ...]:
        """None: (3.17) starts from the vector that it replaces."""
        return ()


def make(o: Options, problem: Problem) -> tuple[FedProx, FedAvgState]:
    """FedProx of the options and its first state."""
    S, alpha = how_many(o, problem.m), alpha_of(o)
    method = FedProx(o["eta"], o["E"], o["mu-prox"], S=S, batch=o["batch"], alpha=alpha, passes=o["unit"] == "passes")
    return method, method.init(problem)


def make_stored(o: Options, problem: Problem) -> tuple[FedProxStored, StoredState]:
    """FedProxStored of the options and its first state."""
    S = how_many(o, problem.m)
    method = FedProxStored(step_of(o, problem), o["mu-prox"], o["k0"], S=S, printed=o["sign"] == "printed")
    return method, method.init(problem)


METHODS = (
    Method(
        name="fedprox",
        title="FedProx, arXiv:1812.06127, Algorithm 2",
        make=make,
        options={
            "eta": Option("positive", "step size", 0.005),
            "E": Option("count", "local steps or passes", 20),
            **unit("E"),
            "mu-prox": Option("positive", "proximal weight mu", 1.0),
            **BATCH,
            **WEIGHTS,
            **SELECTION,
        },
        gradients=lambda method: method.E,
    ),
    Method(
        name="fedprox-stored",
        title="FedProx as in Zhou and Li's Algorithm 2, stored client vectors",
        make=make_stored,
        options={
            "a": Option("positive", "step size a/log2(k + 2) over m", 0.005),
            "a0": Option("positive", "a = a0 d/m with d samples in all, in place of --a"),
            "k0": Option("count", "iterations between communications", 10),
            "mu-prox": Option("positive", "mu of (3.17), a number without unit", 1e-4),
            "sign": Option("choice", "sign of the proximal term of (3.17)", "printed", ("printed", "turned")),
            **SELECTION,
        },
        stop="5.1",
        rules=(RULE_5_1,),
        gradients=lambda method: method.k0,
    ),
)
