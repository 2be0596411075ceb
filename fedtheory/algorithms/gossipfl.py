"""GossipFL: in every round the clients mix the same random share of the coordinates with their peers, then take local steps.

Reference: Z. Tang, S. Shi, B. Li, X. Chu, GossipFL: a decentralized federated learning framework with sparsified and adaptive
communication, IEEE TPDS 2022. Written from a summary of it: mixing comes first in a round and local steps after it; between two
rounds that is the same order as the other way round.

The mask of the coordinates comes from a seed that all share, so that its positions need not be sent. Peers are those of a random
matching, groups of two; DA-DPFL's experiments have groups of M + 1.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from array_api_compat import array_namespace

from .._arrays import moved
from ..checks import initial, require_positive
from ..errors import UsageError
from ..graphs import Graph
from ..instance import Instance
from ..method import Method, Option, Options
from ..problem import Functions, Problem
from ..relation import Relation
from .local import Local, LocalDraws, local_of, local_options
from .mixing import graph_of, graph_options, matrix, mix, require_mixing, sent
from .participation import participants
from .serverless import cost, mean_model, models, observers, size_of

if TYPE_CHECKING:
    from ..quantity import Array


class GossipFLState(NamedTuple):
    """State at round t."""

    X: Array  # (..., m, d) models
    load: Array  # (m,) bytes that a client has sent and received
    t: int = 0
    communications: int = 0


class GossipFLDraws(NamedTuple):
    """Randomness of one round."""

    V: np.ndarray  # (m, m) mixing matrix
    b: Any  # (d,) bool, coordinates that are mixed
    local: LocalDraws


@dataclass(frozen=True)
class GossipFL:
    """Hyper-parameters: the local steps, the graph with its weights, and the share of coordinates that is mixed.

    Examples
    --------
    >>> GossipFL(Local(0.1, 5), Graph("groups"), keep=2)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: GossipFL(keep=...) must be at most 1, got 2.
    """

    local: Local
    graph: Graph
    _: KW_ONLY
    keep: Any = 1 / 2
    weights: str = "uniform"

    def __post_init__(self) -> None:
        require_positive("GossipFL(keep=...)", self.keep)
        if self.keep > 1:
            raise UsageError(f"GossipFL(keep=...) must be at most 1, got {self.keep}.")

    def init(self, problem: Functions, X0: Array | None = None) -> GossipFLState:
        """Start at ``X0`` ``(..., m, d)``, at zero by default."""
        require_mixing("GossipFL", problem, self.graph, self.weights)
        return GossipFLState(initial("GossipFL.init(X0=...)", X0, problem, problem.m), np.zeros(problem.m))

    def draw(self, problem: Problem, stream: np.random.Generator) -> GossipFLDraws:
        """The graph of the round, then the mask, every coordinate with probability `keep`, then the minibatches."""
        V = matrix(self.graph.draw(stream, problem.m), self.weights)
        b = stream.random(problem.d) < self.keep
        return GossipFLDraws(V, b, self.local.draw(problem, stream))

    def step(self, problem: Functions, state: GossipFLState, draws: GossipFLDraws) -> GossipFLState:
        """One round."""
        X, V, b = state.X, draws.V, draws.b
        X = array_namespace(X).where(moved(b, X), mix(V, X), X)  # x_i <- x_i (1 - b) + (sum_j V_ij x_j) b
        X = self.local.run(participants(problem, None, everyone=True), X, draws.local, state.t)  # E steps
        load = state.load + sent(V) * int(np.count_nonzero(b)) * size_of(X)
        return GossipFLState(X, load, state.t + 1, state.communications + 1)

    def invariants(self, x: Instance, state: GossipFLState) -> tuple[Relation, ...]:
        """None: all models are a possible start."""
        return ()


def make(o: Options, problem: Problem) -> tuple[GossipFL, GossipFLState]:
    """The method of the options and its first state."""
    method = GossipFL(local_of(o), graph_of(o, problem.m), keep=o["keep"], weights=o["mixing"])
    return method, method.init(problem)


METHOD = Method(
    name="gossipfl",
    title="GossipFL, IEEE TPDS 2022",
    make=make,
    options={
        **local_options(),
        "keep": Option("share", "probability of a coordinate to be mixed", 0.5),
        **graph_options("groups"),
    },
    at=mean_model,
    observers=observers,
    models=models,
    cost=cost,
)
