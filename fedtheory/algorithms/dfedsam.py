"""DFedSAM: local steps along the gradient at a point a fixed way uphill, then the mean over the neighbourhood.

Reference: Y. Shi, L. Shen, K. Wei, Y. Sun, B. Yuan, X. Wang, D. Tao, Improving the model consistency of decentralized federated
learning, ICML 2023, arXiv:2302.04083, Algorithm 1 (Q = 1 gossip step).

Symbols: W of the paper, its mixing matrix, symmetric and doubly stochastic, is V; y of the local steps is Z. Both gradients of
a step are of one minibatch; where the first one is zero there is no way uphill, and the second is taken at the same point.
Weight decay is that of the second gradient alone.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..checks import initial, require_positive
from ..graphs import Graph
from ..instance import Instance
from ..method import Method, Option, Options
from ..problem import Functions, Problem
from ..relation import Relation
from .compression import WHOLE
from .local import Local, LocalDraws, local_of, local_options
from .mixing import graph_of, graph_options, matrix, mix, require_mixing, sent
from .participation import participants
from .serverless import cost, mean_model, models, observers
from .subproblem import of_length

if TYPE_CHECKING:
    from ..quantity import Array, Quantity


class DFedSAMState(NamedTuple):
    """State at round t."""

    X: Array  # (..., m, d) models
    Z: Array  # (..., m, d) models after the local steps of the round before
    load: Array  # (m,) bytes that a client has sent and received
    t: int = 0
    communications: int = 0


class DFedSAMDraws(NamedTuple):
    """Randomness of one round."""

    V: np.ndarray  # (m, m) mixing matrix
    local: LocalDraws


@dataclass(frozen=True)
class DFedSAM:
    """Hyper-parameters: the local steps, the graph with its weights, and the way uphill, rho.

    Examples
    --------
    >>> DFedSAM(Local(0.1, 5), Graph("full"), rho=0)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: DFedSAM(rho=...) must be positive, got 0.
    """

    local: Local
    graph: Graph
    rho: Quantity
    _: KW_ONLY
    weights: str = "metropolis"

    def __post_init__(self) -> None:
        require_positive("DFedSAM(rho=...)", self.rho)

    @property
    def gradients_a_step(self) -> int:
        """One where it starts, one uphill."""
        return 2

    def init(self, problem: Functions, X0: Array | None = None) -> DFedSAMState:
        """Start at ``X0`` ``(..., m, d)``, at zero by default."""
        require_mixing("DFedSAM", problem, self.graph, self.weights, symmetric=True)
        X0 = initial("DFedSAM.init(X0=...)", X0, problem, problem.m)
        return DFedSAMState(X0, X0, np.zeros(problem.m))

    def draw(self, problem: Problem, stream: np.random.Generator) -> DFedSAMDraws:
        """The graph of the round, then the minibatches."""
        V = matrix(self.graph.draw(stream, problem.m), self.weights)
        return DFedSAMDraws(V, self.local.draw(problem, stream))

    def step(self, problem: Functions, state: DFedSAMState, draws: DFedSAMDraws) -> DFedSAMState:
        """One round."""
        everyone = participants(problem, None, everyone=True)
        Z = self.local.run(everyone, state.X, draws.local, state.t, self._uphill)  # z <- z - eta g_i(z + delta)
        X = mix(draws.V, Z)  # x_i <- sum_j V_ij z_j
        load = state.load + sent(draws.V) * WHOLE.bytes(Z)
        return DFedSAMState(X, Z, load, state.t + 1, state.communications + 1)

    def _uphill(self, f: Functions, Z: Array) -> Array:
        """g_i(z + delta), delta = rho g_i(z)/|g_i(z)|."""
        G = f.grad(Z)
        return f.grad(Z + of_length(G, self.rho, G))

    def invariants(self, x: Instance, state: DFedSAMState) -> tuple[Relation, ...]:
        """None: all models are a possible start."""
        return ()


def make(o: Options, problem: Problem) -> tuple[DFedSAM, DFedSAMState]:
    """The method of the options and its first state."""
    method = DFedSAM(local_of(o), graph_of(o, problem.m), o["rho"], weights=o["mixing"])
    return method, method.init(problem)


METHOD = Method(
    name="dfedsam",
    title="DFedSAM, arXiv:2302.04083, Algorithm 1",
    make=make,
    options={
        **local_options(momentum=0.9),
        "rho": Option("positive", "length of the way uphill", 0.05),
        **graph_options("ring", "metropolis"),
    },
    at=mean_model,
    observers=observers,
    models=models,
    cost=cost,
)
