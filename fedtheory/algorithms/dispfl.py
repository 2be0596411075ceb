"""DisPFL: every client trains a sparse model of its own, and averages those of its neighbours where their masks overlap.

Reference: R. Dai, L. Shen, F. He, X. Tian, D. Tao, DisPFL: towards communication-efficient personalized federated learning via
decentralized sparse training, ICML 2022, arXiv:2206.00187, Algorithm 1.

Symbols: w_k of the paper is x_k, m_k its mask; rounds are counted from 1 in the cosine of the exchange ratio. The lines were
written from what DA-DPFL says of them, not checked against the paper's own box; every client has a random first mask of its own.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..checks import initial
from ..graphs import Graph
from ..instance import Instance
from ..method import Method
from ..problem import Functions, Problem
from ..relation import Relation
from .local import Local, LocalDraws, local_of, local_options
from .masks import mask_keys, masked
from .mixing import graph_of, graph_options, mix, require_mixing
from .participation import participants
from .serverless import mean_model, models, observers
from .sparse import (
    NUMBERS,
    Masking,
    checked_masks,
    cost,
    exchanged,
    gradient_rows,
    masking_of,
    masking_options,
    trained,
    weight_of,
)

if TYPE_CHECKING:
    from ..quantity import Array

MASKING = Masking()  # that of DA-DPFL's experiments


class DisPFLState(NamedTuple):
    """State at round t; the masks are None before the first round, unless they were given."""

    X: Array  # (m, d) models, 0 outside of the masks
    mask: Array | None  # (m, d) bool
    load: Array  # (m,) bytes that a client has sent and received
    t: int = 0
    communications: int = 0


class DisPFLDraws(NamedTuple):
    """Randomness of one round."""

    hears: np.ndarray  # (m, m) bool, who hears whom
    local: LocalDraws
    rows: np.ndarray | None  # (1, m, batch) of the dense gradient; None takes all samples
    keys: np.ndarray  # (m,) of the first masks


@dataclass(frozen=True)
class DisPFL:
    """Hyper-parameters: the local steps, the graph, the masks.

    Examples
    --------
    >>> DisPFL(Local(0.1, 5), Graph("random", M=10)).masking.density
    0.5
    """

    local: Local
    graph: Graph
    _: KW_ONLY
    masking: Masking = MASKING

    def init(self, problem: Functions, X0: Array | None = None, masks0: Array | None = None) -> DisPFLState:
        """Start at ``X0`` ``(m, d)``, at zero by default, with ``masks0`` ``(m, d)`` or those that the first round draws."""
        require_mixing("DisPFL", problem, self.graph, "uniform")
        X0 = initial("DisPFL.init(X0=...)", X0, problem, problem.m)
        masks0 = checked_masks("DisPFL.init(masks0=...)", masks0, problem.m, X0)
        return DisPFLState(X0 if masks0 is None else masked(X0, masks0), masks0, np.zeros(problem.m))

    def draw(self, problem: Problem, stream: np.random.Generator) -> DisPFLDraws:
        """The graph of the round, the minibatches, that of the dense gradient, and keys of first masks."""
        hears, local = self.graph.draw(stream, problem.m), self.local.draw(problem, stream)
        rows = gradient_rows(stream, "DisPFL", problem, self.local)
        return DisPFLDraws(hears, local, rows, mask_keys(stream, problem.m))

    def step(self, problem: Functions, state: DisPFLState, draws: DisPFLDraws) -> DisPFLState:
        """One round."""
        X, mask, t = state.X, state.mask, state.t + 1
        if mask is None:
            mask = self.masking.start(problem, draws.keys, X)
            X = masked(X, mask)
        work = participants(problem, None, everyone=True)
        V = draws.hears | np.eye(problem.m, dtype=bool)
        Z = masked(mix(V * 1.0, X, mask), mask)  # x_k <- (sum_j x_j/sum_j m_j) m_k
        Z = trained(self.local, work, Z, mask, draws.local, state.t)  # E steps with g m_k
        after = self.masking.renewed(problem, Z, work.batch(draws.rows, 0).grad(Z), mask, t)  # drop and regrow
        load = state.load + exchanged(draws.hears, weight_of(mask, X))
        return DisPFLState(masked(Z, after), after, load, t, state.communications + 1)

    def invariants(self, x: Instance, state: DisPFLState) -> tuple[Relation, ...]:
        """None that is a relation of inner products; that models are 0 outside of their masks is tested."""
        return ()


def make(o: dict[str, object], problem: Problem) -> tuple[DisPFL, DisPFLState]:
    """The method of the options and its first state."""
    method = DisPFL(local_of(o), graph_of(o, problem.m), masking=masking_of(o))
    return method, method.init(problem)


METHOD = Method(
    name="dispfl",
    title="DisPFL, arXiv:2206.00187, Algorithm 1",
    make=make,
    options={
        **local_options(),
        **{k: v for k, v in graph_options("random").items() if k != "mixing"},
        **masking_options(),
    },
    at=mean_model,
    observers=observers,
    models=models,
    cost=cost,
    numbers=NUMBERS,
)
