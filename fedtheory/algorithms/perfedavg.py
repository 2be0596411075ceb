"""Per-FedAvg: FedAvg on the loss after one gradient step of adaptation.

Reference: A. Fallah, A. Mokhtari, A. Ozdaglar, NeurIPS 2020, arXiv:2002.07948, Algorithm 1.

Symbols: alpha of the paper, the step of adaptation, is inner_eta, and its beta, the step of the local update, is eta
(pFedMe's tables write them with hats); tau is E. The three minibatches D, D', D'' of a local step are independent.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..checks import initial, require_count, require_one_of, require_positive
from ..errors import UsageError
from ..instance import Instance
from ..method import Method, Option, Options
from ..problem import Functions, Problem
from ..relation import Relation
from .fedavg import WEIGHTS, mean_weights
from .participation import (
    BATCH,
    SELECTION,
    how_many,
    minibatches,
    participants,
    require_clients,
    require_participation,
    select,
)

if TYPE_CHECKING:
    from ..quantity import Array, Quantity

HESSIANS = ("none", "product", "difference")


class PerFedAvgState(NamedTuple):
    """State at round t."""

    w: Array  # (..., 1, d) server vector
    t: int = 0
    communications: int = 0


class PerFedAvgDraws(NamedTuple):
    """Randomness of one round."""

    selected: Array  # (m,) bool
    rows: np.ndarray | None = None  # (3 E, m, batch) positions within each client's samples; None takes all of them


@dataclass(frozen=True)
class PerFedAvg:
    """Hyper-parameters: local step eta, adaptation step inner_eta, E local steps, S sampled clients (None is all).

    `hessian` is "none" for the first-order method (FO), "product" for the product with the Hessian, or "difference" for
    the Hessian-free one (HF), central differences of gradients at the distance `delta` along g' itself. Minibatches of
    `batch` samples (None takes full gradients) are drawn with replacement unless `replace` is False. The mean over clients is
    the paper's, or `weighted` by their samples.
    """

    eta: Quantity
    inner_eta: Quantity
    E: int
    _: KW_ONLY
    S: int | None = None
    hessian: str = "none"
    delta: Any = None
    batch: int | None = None
    replace: bool = True
    weighted: bool = False

    def __post_init__(self) -> None:
        for name in ("eta", "inner_eta"):
            require_positive(f"PerFedAvg({name}=...)", getattr(self, name))
        require_count("PerFedAvg(E=...)", self.E, 1)
        require_participation("PerFedAvg", self.S, self.batch, self.replace)
        require_one_of("PerFedAvg(hessian=...)", self.hessian, HESSIANS)
        if (self.delta is not None) != (self.hessian == "difference"):
            raise UsageError(
                f"PerFedAvg(delta=...) goes with hessian='difference' and with no other, "
                f"got delta={self.delta!r} and hessian={self.hessian!r}."
            )
        if self.delta is not None:
            require_positive("PerFedAvg(delta=...)", self.delta)

    def init(self, problem: Functions, w0: Array | None = None) -> PerFedAvgState:
        """Start at ``w0`` ``(..., 1, d)``, at zero by default."""
        require_clients("PerFedAvg", problem, self.S)
        return PerFedAvgState(initial("PerFedAvg.init(w0=...)", w0, problem, 1))

    def draw(self, problem: Problem, stream: np.random.Generator) -> PerFedAvgDraws:
        """S clients uniformly without replacement, then three minibatches for every client and local step."""
        selected = select(stream, "PerFedAvg", problem.m, self.S)
        rows = minibatches(stream, "PerFedAvg", problem, (3 * self.E,), self.batch, self.replace)
        return PerFedAvgDraws(selected, rows)

    def step(self, problem: Functions, state: PerFedAvgState, draws: PerFedAvgDraws) -> PerFedAvgState:
        """One communication round."""
        work = participants(problem, draws.selected)
        W = state.w  # z <- w
        for h in range(self.E):
            W_adapted = W - work.batch(draws.rows, 3 * h).grad(W) * self.inner_eta  # z' = z - alpha g_i(z; D)
            G = work.batch(draws.rows, 3 * h + 1).grad(W_adapted)  # g' = g_i(z'; D')
            if self.hessian != "none":
                G = G - self._product(work.batch(draws.rows, 3 * h + 2), W, G) * self.inner_eta  # on D''
            W = W - G * self.eta  # z <- z - beta (I - alpha Hess f_i(z; D'')) g'
        alpha = mean_weights("PerFedAvg", None, problem) if self.weighted else None
        return PerFedAvgState(
            work.mean(W, alpha), state.t + 1, state.communications + 1
        )  # mean over the sampled clients

    def _product(self, batch: Any, W: Array, G: Array) -> Array:
        if self.hessian == "product":
            return batch.hessian_product(W, G)
        return (batch.grad(W + G * self.delta) - batch.grad(W - G * self.delta)) / (2 * self.delta)

    def personal(self, problem: Functions, state: PerFedAvgState, draws: PerFedAvgDraws | None = None) -> Array:
        """The clients' personalised models, one step of adaptation from w, ``(..., m, d)``.

        On all samples, or on the first minibatch of `draws`.
        """
        work = participants(problem, None, everyone=True)
        return state.w - work.batch(draws and draws.rows, 0).grad(state.w) * self.inner_eta

    def invariants(self, x: Instance, state: PerFedAvgState) -> tuple[Relation, ...]:
        """None: every server vector is a possible start."""
        return ()


def make(o: Options, problem: Problem) -> tuple[PerFedAvg, PerFedAvgState]:
    """The method of the options and its first state."""
    if (o["hessian"] == "difference") != (o["delta"] is not None):
        raise UsageError("--hessian difference and --delta go together, the distance of the difference")
    S = how_many(o, problem.m)
    method = PerFedAvg(
        o["eta"], o["inner-eta"], o["E"], S=S, hessian=o["hessian"], delta=o["delta"], batch=o["batch"],
        weighted=o["weights"] == "samples",
    )  # fmt: skip
    return method, method.init(problem)


METHOD = Method(
    name="perfedavg",
    title="Per-FedAvg, arXiv:2002.07948, Algorithm 1",
    make=make,
    options={
        "eta": Option("positive", "step size of the local update, beta of the paper", 0.001),
        "inner-eta": Option("positive", "step size of the adaptation, alpha of the paper", 0.005),
        "E": Option("count", "local steps tau", 20),
        "hessian": Option("choice", "second-order term", "none", HESSIANS),
        "delta": Option("positive", "distance of --hessian difference"),
        **BATCH,
        **WEIGHTS,
        **SELECTION,
    },
    gradients=lambda method: method.E * {"none": 2, "product": 3, "difference": 4}[method.hessian],
)
