"""FedAvg: local gradient steps, then the mean of the sampled clients; and its variant with stored client vectors.

References: B. McMahan, E. Moore, D. Ramage, S. Hampson, B. Aguera y Arcas, AISTATS 2017, arXiv:1602.05629, Algorithm 1
(`FedAvg`); S. Zhou, G. Y. Li, Federated Learning via Inexact ADMM, Algorithm 2 (`FedAvgStored`).

Symbols: E of McMahan counts passes over a client's data, here it counts local steps unless `passes` is set; alpha_i weighs a
client in the mean, by default with its n_i samples. In Algorithm 2, gamma_k(a) = a/log2(k + 1) is the step size (Section 5.3),
which divides by zero at k = 0, where the loop starts. Read with k counted from one: iteration k takes a/log2(k + 2).
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from array_api_compat import array_namespace

from .._arrays import numbers_like
from ..checks import initial, require_count, require_flag, require_positive
from ..errors import NotApplicable, UsageError
from ..instance import Instance
from ..method import Method, Option, Options
from ..problem import Functions, Problem
from ..relation import Relation, eq
from ..theory.fedadmm.observe import RULE_5_1
from .local import Local
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
from .passes import Batches, require_passes, unit

if TYPE_CHECKING:
    from ..quantity import Array, Quantity

WEIGHTS = {"weights": Option("choice", "weights of the mean over clients", "equal", ("equal", "samples"))}


class FedAvgState(NamedTuple):
    """State at round t."""

    w: Array  # (..., 1, d) server vector
    t: int = 0
    communications: int = 0


class FedAvgDraws(NamedTuple):
    """Randomness of one round."""

    selected: Array  # (m,) bool
    rows: np.ndarray | None = None  # (H, m, batch) positions within each client's samples; None takes all of them
    active: np.ndarray | None = None  # (H, m) bool, who takes step h; None is everybody


def mean_weights(call: str, alpha: Quantity | None, problem: Functions) -> Quantity | None:
    """The weights ``(m,)`` of a mean over clients, the numbers of samples where `alpha` is None; None is equal ones."""
    if alpha is not None:
        return alpha if getattr(alpha, "ndim", 0) else None
    if not hasattr(problem, "n"):
        raise UsageError(
            f"{call}(alpha=None) weighs clients by their samples, and {type(problem).__name__} has none; use alpha=1."
        )
    return problem.n


@dataclass(frozen=True)
class FedAvg:
    """Hyper-parameters: step size eta, E local steps (with `passes` over the samples), S sampled clients (None is all).

    Minibatches of `batch` samples (None takes full gradients) are drawn with replacement unless `replace` is False.
    `alpha` ``(m,)`` weighs the mean; None is n_i, a number weighs equally. `momentum` of the local steps, from zero each round,
    `weight_decay` and the factor `decay` of the step size a round are those of `fedtheory.algorithms.local`.

    Examples
    --------
    >>> FedAvg(0.1, 5, S=0)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: FedAvg(S=...) must be an integer of at least 1, got 0.
    """

    eta: Quantity
    E: int
    _: KW_ONLY
    S: int | None = None
    batch: int | None = None
    replace: bool = True
    alpha: Quantity | None = None
    passes: bool = False
    momentum: Quantity = 0
    weight_decay: Quantity = 0
    decay: float = 1

    def __post_init__(self) -> None:
        require_positive("FedAvg(eta=...)", self.eta)
        require_count("FedAvg(E=...)", self.E, 1)
        require_participation("FedAvg", self.S, self.batch, self.replace)
        require_passes("FedAvg", self.passes, self.batch)
        _ = self.local  # which refuses what is out of range
        if self.alpha is not None:
            require_positive("FedAvg(alpha=...)", self.alpha)

    def init(self, problem: Functions, w0: Array | None = None) -> FedAvgState:
        """Start at ``w0`` ``(..., 1, d)``, at zero by default."""
        require_clients("FedAvg", problem, self.S, alpha=self.alpha)
        mean_weights("FedAvg", self.alpha, problem)
        return FedAvgState(initial("FedAvg.init(w0=...)", w0, problem, 1))

    def draw(self, problem: Problem, stream: np.random.Generator) -> FedAvgDraws:
        """S clients uniformly without replacement, then a minibatch for every client and local step."""
        selected = select(stream, "FedAvg", problem.m, self.S)
        return FedAvgDraws(selected, *self.local.draw(problem, stream, "FedAvg"))

    @property
    def local(self) -> Local:
        """The local steps."""
        return Local(
            self.eta, self.E, passes=self.passes, batch=self.batch, replace=self.replace, momentum=self.momentum,
            weight_decay=self.weight_decay, decay=self.decay,
        )  # fmt: skip

    def step(self, problem: Functions, state: FedAvgState, draws: FedAvgDraws) -> FedAvgState:
        """One communication round."""
        work = participants(problem, draws.selected)
        Z = state.w  # z_i <- w
        Z = self.local.run(work, Z, Batches(draws.rows, draws.active), state.t)  # z_i <- z_i - eta g_i(z_i)
        w = work.mean(Z, mean_weights("FedAvg", self.alpha, problem))  # w <- sum over S_t of (n_i/sum n) z_i
        return FedAvgState(w, state.t + 1, state.communications + 1)

    def invariants(self, x: Instance, state: FedAvgState) -> tuple[Relation, ...]:
        """None: every server vector is a possible start."""
        return ()


class StoredState(NamedTuple):
    """State at iteration k of FedADMM's Algorithm 2."""

    w: Array  # (..., 1, d) w^{tau_k}
    W: Array  # (..., m, d)
    selected: Array  # (m,) bool, Omega^{tau_k}
    k: int = 0
    communications: int = 0


class StoredDraws(NamedTuple):
    """Randomness of one iteration."""

    selected: Array  # (m,) bool, Omega^{tau_{k+1}} where k is a multiple of k_0, else not used


def gamma(a: Any, k: int, decreasing: bool) -> float:
    """Step size of iteration k = 0, 1, ...: a/log2(k + 2), or a.

    Examples
    --------
    >>> gamma(0.5, 0, True), gamma(0.5, 2, True), gamma(0.5, 2, False)
    (0.5, 0.25, 0.5)
    """
    if not decreasing:
        return a
    log = (k + 2).bit_length() - 1
    if k + 2 == 2**log:
        return a / log
    if not isinstance(a, (int, float)):
        raise NotApplicable(f"log2({k + 2}) in exact numbers; take decreasing=False")
    return a / math.log2(k + 2)


@dataclass(frozen=True)
class FedAvgStored:
    """FedAvg as FedADMM's Algorithm 2 has it: the mean of the stored vectors of all clients, step size gamma_k(a)/m.

    Hyper-parameters: `a`, k0 iterations between communications, S selected clients (None is all); step size a/log2(k + 2),
    or `a` itself unless `decreasing`.
    """

    a: Quantity
    k0: int = 1
    _: KW_ONLY
    S: int | None = None
    decreasing: bool = True

    def __post_init__(self) -> None:
        require_positive("FedAvgStored(a=...)", self.a)
        require_count("FedAvgStored(k0=...)", self.k0, 1)
        require_participation("FedAvgStored", self.S)
        require_flag("FedAvgStored(decreasing=...)", self.decreasing)

    def init(self, problem: Functions, w0: Array | None = None, W0: Array | None = None) -> StoredState:
        """w_i^0 = 0 by default, Omega^0 = [m]; w^{tau_0} is not used by the method."""
        require_clients("FedAvgStored", problem, self.S)
        w, W = (
            initial(f"FedAvgStored.init({n}=...)", v, problem, c) for n, v, c in (("w0", w0, 1), ("W0", W0, problem.m))
        )
        return StoredState(w, W, everyone_of(problem))

    def draw(self, problem: Problem, stream: np.random.Generator) -> StoredDraws:
        """S clients uniformly without replacement."""
        return StoredDraws(select(stream, "FedAvgStored", problem.m, self.S))

    def step(self, problem: Functions, state: StoredState, draws: StoredDraws) -> StoredState:
        """One iteration k -> k + 1."""
        xp = array_namespace(state.W)
        w, selected, averaging = state.w, state.selected, state.k % self.k0 == 0
        if averaging:
            w = xp.sum(state.W, axis=-2, keepdims=True) / problem.m  # (3.14)
            selected = draws.selected
        work = participants(problem, selected)
        W = w if averaging else work.rows(state.W)
        W = W - work.problem.grad(W) * (gamma(self.a, state.k, self.decreasing) / problem.m)  # (3.16)
        return StoredState(w, work.put(W, state.W), selected, state.k + 1, state.communications + averaging)

    def invariants(self, x: Instance, state: StoredState) -> tuple[Relation, ...]:
        """(3.16) of the selected clients right after a communication; none before the first and between two."""
        if state.k == 0 or (state.k - 1) % self.k0:
            return ()
        step = x.f.grad(state.w) * (gamma(self.a, state.k - 1, self.decreasing) / x.f.m)
        gap = (state.W - state.w + step) * numbers_like(state.selected, state.W)[:, None]
        return (eq(x.sq(gap), 0, "(3.16)"),)


def make(o: Options, problem: Problem) -> tuple[FedAvg, FedAvgState]:
    """FedAvg of the options and its first state."""
    S, alpha = how_many(o, problem.m), alpha_of(o)
    method = FedAvg(o["eta"], o["E"], S=S, batch=o["batch"], alpha=alpha, passes=o["unit"] == "passes", **tuned(o))
    return method, method.init(problem)


def make_stored(o: Options, problem: Problem) -> tuple[FedAvgStored, StoredState]:
    """FedAvgStored of the options and its first state."""
    method = FedAvgStored(step_of(o, problem), o["k0"], S=how_many(o, problem.m))
    return method, method.init(problem)


def step_of(o: Options, problem: Problem) -> float:
    """The number a of the step size from the options a and a0."""
    if o["a0"] is None:
        return float(o["a"])
    return float(o["a0"] * np.mean(problem.n))


TUNED = {
    "momentum": Option("[0, 1)", "Polyak's momentum of the local steps, from zero each round", 0.0),
    "weight-decay": Option("least 0", "weight decay, added to every gradient", 0.0),
    "decay": Option("share", "factor of the step size a round", 1.0),
}


def tuned(o: dict[str, object]) -> Options:
    """The hyper-parameters of the options `TUNED`, exact where they change nothing."""
    return {name.replace("-", "_"): o[name] for name in TUNED if o[name] != TUNED[name].default}


def alpha_of(o: dict[str, object]) -> int | None:
    """The weights of a mean from the options `WEIGHTS`: 1 for equal ones, None for numbers of samples."""
    return 1 if o["weights"] == "equal" else None


METHODS = (
    Method(
        name="fedavg",
        title="FedAvg, arXiv:1602.05629, Algorithm 1",
        make=make,
        options={
            "eta": Option("positive", "step size", 0.005),
            "E": Option("count", "local steps or passes", 20),
            **unit("E"),
            **TUNED,
            **BATCH,
            **WEIGHTS,
            **SELECTION,
        },
        gradients=lambda method: method.E,
    ),
    Method(
        name="fedavg-stored",
        title="FedAvg as in Zhou and Li's Algorithm 2, stored client vectors",
        make=make_stored,
        options={
            "a": Option("positive", "step size a/log2(k + 2) over m", 0.005),
            "a0": Option("positive", "a = a0 d/m with d samples in all, in place of --a"),
            "k0": Option("count", "iterations between communications", 10),
            **SELECTION,
        },
        stop="5.1",
        rules=(RULE_5_1,),
        gradients=lambda method: method.k0,
    ),
)
