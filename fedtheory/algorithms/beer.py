"""BEER: gradient tracking with compressed messages.

Reference: H. Zhao, B. Li, Z. Li, P. Richtarik, Y. Chi, BEER: fast O(1/T) rate for decentralized nonconvex optimization with
communication compression, NeurIPS 2022, arXiv:2201.13320, Algorithm 1.

Symbols: rows are clients, where the paper's columns are; W of the paper, the mixing matrix, symmetric and doubly stochastic, is V,
its V, the tracker, is Y. D is the gradient that the last step has used, at X. Every round sends two compressed vectors, one of
H and one of G. The gradients at the start are full ones; afterwards each is of one minibatch, where a `batch` is given.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..checks import initial, require_positive
from ..errors import UsageError
from ..graphs import Graph
from ..instance import Instance
from ..method import Method, Option, Options
from ..problem import Functions, Problem
from ..relation import Relation, eq
from .compression import TOP_HALF, Compressor, compress_options, compressor_of
from .local import Local, LocalDraws, local_options
from .mixing import graph_of, graph_options, matrix, mix, require_mixing, sent
from .participation import participants
from .serverless import cost, mean_model, models, observers

if TYPE_CHECKING:
    from ..quantity import Array, Quantity


class BEERState(NamedTuple):
    """State at round t."""

    X: Array  # (..., m, d) models
    Y: Array  # (..., m, d) trackers of the mean gradient
    H: Array  # (..., m, d) what the neighbours know of X
    G: Array  # (..., m, d) what the neighbours know of Y
    D: Array  # (..., m, d) gradients at X
    load: Array  # (m,) bytes that a client has sent and received
    t: int = 0
    communications: int = 0


class BEERDraws(NamedTuple):
    """Randomness of one round."""

    V: np.ndarray  # (m, m) mixing matrix
    local: LocalDraws  # one minibatch a client
    of_H: Array | None = None  # (m, d) entries of X - H that are sent, where they are random
    of_G: Array | None = None  # (m, d) entries of Y - G that are sent


@dataclass(frozen=True)
class BEER:
    """Hyper-parameters: the step (its size, minibatch and weight decay), the graph, the mixing step gamma, the compressor.

    Examples
    --------
    >>> BEER(Local(0.1, 2), Graph("ring"), gamma=0.5)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: BEER(local=...) must be one step without momentum, got E = 2 and momentum = 0.
    """

    local: Local
    graph: Graph
    gamma: Quantity
    _: KW_ONLY
    compressor: Compressor = TOP_HALF
    weights: str = "metropolis"

    def __post_init__(self) -> None:
        require_positive("BEER(gamma=...)", self.gamma)
        if self.local.E != 1 or self.local.passes or self.local.momentum:
            raise UsageError(
                f"BEER(local=...) must be one step without momentum, got {'passes, ' if self.local.passes else ''}"
                f"E = {self.local.E} and momentum = {self.local.momentum}."
            )

    def init(self, problem: Functions, X0: Array | None = None) -> BEERState:
        """Start at ``X0`` ``(..., m, d)``, at zero by default; Y^0 = grad F(X^0), H^0 = G^0 = 0."""
        require_mixing("BEER", problem, self.graph, self.weights, symmetric=True)
        X0 = initial("BEER.init(X0=...)", X0, problem, problem.m)
        D = self.local.gradient(problem, X0)
        return BEERState(X0, D, X0 * 0, X0 * 0, D, np.zeros(problem.m))

    def draw(self, problem: Problem, stream: np.random.Generator) -> BEERDraws:
        """The graph of the round, then the minibatches, then the entries that are sent where they are random."""
        V = matrix(self.graph.draw(stream, problem.m), self.weights)
        local = self.local.draw(problem, stream)
        of_H, of_G = (self.compressor.draw(stream, problem.m, problem.d) for _ in range(2))
        return BEERDraws(V, local, of_H, of_G)

    def step(self, problem: Functions, state: BEERState, draws: BEERDraws) -> BEERState:
        """One round."""
        X, Y, H, G, D, load, t, communications = state
        V, C = draws.V, self.compressor
        X = X + (mix(V, H) - H) * self.gamma - Y * self.local.size(t)  # line 3
        H = H + C.apply(X - H, draws.of_H)  # line 4
        batch = participants(problem, None, everyone=True).batch(draws.local.rows, 0)
        D_next = self.local.gradient(batch, X)
        Y = Y + (mix(V, G) - G) * self.gamma + (D_next - D)  # line 5
        G = G + C.apply(Y - G, draws.of_G)  # line 6
        load = load + sent(V) * 2 * C.bytes(X)
        return BEERState(X, Y, H, G, D_next, load, t + 1, communications + 1)

    def invariants(self, x: Instance, state: BEERState) -> tuple[Relation, ...]:
        """The mean of Y is the mean gradient."""
        return (eq(x.sq(x.mean_vec(state.Y) - x.mean_vec(state.D)), 0, "mean of Y = mean gradient"),)


def make(o: Options, problem: Problem) -> tuple[BEER, BEERState]:
    """The method of the options and its first state."""
    local = Local(o["eta"], 1, batch=o["batch"], weight_decay=o["weight-decay"], decay=o["decay"])
    method = BEER(local, graph_of(o, problem.m), o["gamma"], compressor=compressor_of(o), weights=o["mixing"])
    return method, method.init(problem)


METHOD = Method(
    name="beer",
    title="BEER, arXiv:2201.13320, Algorithm 1",
    make=make,
    options={
        **{k: v for k, v in local_options(momentum=None).items() if k not in ("E", "unit")},
        "gamma": Option("positive", "mixing step", 0.2),
        **compress_options("top"),
        **graph_options("ring", "metropolis"),
    },
    at=mean_model,
    observers=observers,
    models=models,
    cost=cost,
)
