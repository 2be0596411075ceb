"""DFedAvgM: local steps with momentum, then the mean over the neighbourhood; whole vectors, or compressed moves.

Reference: T. Sun, D. Li, B. Wang, Decentralized federated averaging, IEEE TPAMI 2022, arXiv:2104.11375, Algorithms 1 and 2.

Symbols: W of the paper, its mixing matrix, is V; x^t(i) is X, z^{t,K}(i) is Z, K is E, theta is the momentum. The matrix is
symmetric and doubly stochastic (Definition 1). Of Algorithm 2, x_i + sum_j V_ij Q(z_j - x_j), this file has the line as it was
handed on to it and could not check it against the paper; its quantiser is one of `Compressor`. The line mixes moves and not
models: even where Q is the identity its fixed points are, for a V that is regular, the clients' own minimisers, and it leaves
the numbers where V has a negative eigenvalue, as on a ring. On the full graph it is Algorithm 1 but for what Q leaves out.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..checks import initial
from ..graphs import Graph
from ..instance import Instance
from ..method import Method, Options
from ..problem import Functions, Problem
from ..relation import Relation
from .compression import WHOLE, Compressor, compress_options, compressor_of
from .local import Local, LocalDraws, local_of, local_options
from .mixing import graph_of, graph_options, matrix, mix, require_mixing, sent
from .participation import participants
from .serverless import cost, mean_model, models, observers

if TYPE_CHECKING:
    from ..quantity import Array


class DFedAvgMState(NamedTuple):
    """State at round t."""

    X: Array  # (..., m, d) models
    Z: Array  # (..., m, d) models after the local steps of the round before
    load: Array  # (m,) bytes that a client has sent and received
    t: int = 0
    communications: int = 0


class DFedAvgMDraws(NamedTuple):
    """Randomness of one round."""

    V: np.ndarray  # (m, m) mixing matrix
    local: LocalDraws
    chosen: Array | None = None  # (m, d) entries that are sent, where they are random


@dataclass(frozen=True)
class DFedAvgM:
    """Hyper-parameters: the local steps, the graph with its weights, and what is sent (all of a vector by default).

    Examples
    --------
    >>> DFedAvgM(Local(0.1, 5, momentum=0.9), Graph("ring")).weights
    'metropolis'
    """

    local: Local
    graph: Graph
    _: KW_ONLY
    weights: str = "metropolis"
    compressor: Compressor = WHOLE

    def init(self, problem: Functions, X0: Array | None = None) -> DFedAvgMState:
        """Start at ``X0`` ``(..., m, d)``, at zero by default."""
        require_mixing("DFedAvgM", problem, self.graph, self.weights, symmetric=True)
        X0 = initial("DFedAvgM.init(X0=...)", X0, problem, problem.m)
        return DFedAvgMState(X0, X0, np.zeros(problem.m))

    def draw(self, problem: Problem, stream: np.random.Generator) -> DFedAvgMDraws:
        """The graph of the round, then the minibatches, then the entries that are sent where they are random."""
        V = matrix(self.graph.draw(stream, problem.m), self.weights)
        local = self.local.draw(problem, stream)
        return DFedAvgMDraws(V, local, self.compressor.draw(stream, problem.m, problem.d))

    def step(self, problem: Functions, state: DFedAvgMState, draws: DFedAvgMDraws) -> DFedAvgMState:
        """One round."""
        X, V = state.X, draws.V
        everyone = participants(problem, None, everyone=True)
        Z = self.local.run(everyone, X, draws.local, state.t)  # z <- z - eta g_i(z) + theta (z - z^-)
        load = state.load + sent(V) * self.compressor.bytes(Z)
        return DFedAvgMState(self._mixed(V, X, Z, draws.chosen), Z, load, state.t + 1, state.communications + 1)

    def _mixed(self, V: np.ndarray, X: Array, Z: Array, chosen: Array | None) -> Array:
        if self.compressor.kind == "none":
            return mix(V, Z)  # Alg. 1: x_i <- sum_j V_ij z_j
        return X + mix(V, self.compressor.apply(Z - X, chosen))  # Alg. 2: x_i <- x_i + sum_j V_ij Q(z_j - x_j)

    def invariants(self, x: Instance, state: DFedAvgMState) -> tuple[Relation, ...]:
        """None: all models are a possible start."""
        return ()


def make(o: Options, problem: Problem) -> tuple[DFedAvgM, DFedAvgMState]:
    """The method of the options and its first state."""
    method = DFedAvgM(local_of(o), graph_of(o, problem.m), weights=o["mixing"], compressor=compressor_of(o))
    return method, method.init(problem)


METHOD = Method(
    name="dfedavgm",
    title="DFedAvgM, arXiv:2104.11375, Algorithms 1 and 2",
    make=make,
    options={
        **local_options(momentum=0.9),
        **graph_options("ring", "metropolis"),
        **compress_options("none"),  # which is Algorithm 1
    },
    at=mean_model,
    observers=observers,
    models=models,
    cost=cost,
)
