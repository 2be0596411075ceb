"""Ditto: FedAvg, and beside it a model of each client's own that is pulled towards the server's.

Reference: T. Li, S. Hu, A. Beirami, V. Smith, Ditto: fair and robust federated learning through personalization, ICML 2021,
arXiv:2012.04221, Algorithm 1.

Symbols: v_k of the paper is Own; w^t, to which the own models are pulled, is the server vector that the round has begun with. E
passes or steps for w and E_own for the own models, 3 and 2 in DA-DPFL's experiments, which do not print lambda; 0.1, 1 and 2 are
the values of Ditto's (handed on, not checked). The own models' minibatches are others than those of the global steps.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..checks import initial, require_count, require_positive
from ..instance import Instance
from ..method import Method, Option
from ..problem import Functions, Problem
from ..relation import Relation
from .fedavg import WEIGHTS, alpha_of, mean_weights
from .local import Local, LocalDraws, local_of, local_options
from .participation import SELECTION, how_many, participants, require_clients, require_participation, select
from .serverless import size_of

if TYPE_CHECKING:
    from ..quantity import Array, Quantity, Values


class DittoState(NamedTuple):
    """State at round t."""

    w: Array  # (..., 1, d) server vector
    Own: Array  # (..., m, d) the clients' own models
    t: int = 0
    communications: int = 0


class DittoDraws(NamedTuple):
    """Randomness of one round."""

    selected: Array  # (m,) bool
    local: LocalDraws
    own: LocalDraws


@dataclass(frozen=True)
class Ditto:
    """Hyper-parameters: the local steps for w, E_own of them for the own models, the pull lam, S sampled clients (None is all).

    `alpha` ``(m,)`` weighs the mean; None is n_i, a number weighs equally.

    Examples
    --------
    >>> Ditto(Local(0.1, 3), 2, lam=-1.0)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: Ditto(lam=...) must be positive, got -1.0.
    """

    local: Local
    E_own: int
    lam: Quantity
    _: KW_ONLY
    S: int | None = None
    alpha: Quantity | None = None

    def __post_init__(self) -> None:
        require_count("Ditto(E_own=...)", self.E_own, 1)
        require_positive("Ditto(lam=...)", self.lam)
        require_participation("Ditto", self.S)
        if self.alpha is not None:
            require_positive("Ditto(alpha=...)", self.alpha)

    @property
    def own(self) -> Local:
        """The steps of the own models."""
        return replace(self.local, E=self.E_own)

    def init(self, problem: Functions, w0: Array | None = None, Own0: Array | None = None) -> DittoState:
        """Start at ``w0`` ``(..., 1, d)`` and ``Own0`` ``(..., m, d)``, zero by default."""
        require_clients("Ditto", problem, self.S, alpha=self.alpha)
        mean_weights("Ditto", self.alpha, problem)
        w0 = initial("Ditto.init(w0=...)", w0, problem, 1)
        return DittoState(w0, initial("Ditto.init(Own0=...)", Own0, problem, problem.m))

    def draw(self, problem: Problem, stream: np.random.Generator) -> DittoDraws:
        """S clients uniformly without replacement, then the minibatches for w, then those for the own models."""
        selected = select(stream, "Ditto", problem.m, self.S)
        return DittoDraws(selected, self.local.draw(problem, stream), self.own.draw(problem, stream))

    def step(self, problem: Functions, state: DittoState, draws: DittoDraws) -> DittoState:
        """One communication round."""
        work = participants(problem, draws.selected)  # Alg. 1, line 3
        w, t = state.w, state.t
        Z = self.local.run(work, w, draws.local, t)  # line 5
        Own = self.own.run(
            work, work.rows(state.Own), draws.own, t, lambda f, V: f.grad(V) + (V - w) * self.lam
        )  # line 6
        return DittoState(
            work.mean(Z, mean_weights("Ditto", self.alpha, problem)),  # line 9
            work.put(Own, state.Own),
            t + 1,
            state.communications + 1,
        )

    def personal(self, problem: Functions, state: DittoState) -> Array:
        """The clients' own models, ``(..., m, d)``."""
        return state.Own

    def invariants(self, x: Instance, state: DittoState) -> tuple[Relation, ...]:
        """None: every server vector and all own models are a possible start."""
        return ()


def make(o: Values, problem: Problem) -> tuple[Ditto, DittoState]:
    """The method of the options and its first state."""
    method = Ditto(local_of(o), o["E-own"], o["lam"], S=how_many(o, problem.m), alpha=alpha_of(dict(o)))
    return method, method.init(problem)


def cost(method: Ditto, problem: Problem, state: DittoState) -> dict[str, int | None]:
    """Gradients of the selected clients, at most, and the bytes that the server sends and receives."""
    each = int((method.local.each(problem) + method.own.each(problem)).max())
    selected = (method.S or problem.m) * state.communications
    return {"gradients": selected * each, "bytes": selected * 2 * problem.d * size_of(state.w)}


METHOD = Method(
    name="ditto",
    title="Ditto, arXiv:2012.04221, Algorithm 1",
    make=make,
    options={
        **local_options(E=3),
        "E-own": Option("count", "passes or steps of the own models", 2),
        "lam": Option("positive", "pull of the own models towards the server's, lambda", 1.0),
        **WEIGHTS,
        **SELECTION,
    },
    cost=cost,
)
