"""The FedADMM of Gong et al.: local steps on an augmented Lagrangian, and a server that adds up what has changed.

Reference: Y. Gong, Y. Li, N. M. Freris, FedADMM: a robust federated deep learning framework with adaptivity to system
heterogeneity, ICDE 2022, Algorithm 1. It is the FedADMM that FLAME compares with, another method than the one of Zhou and Li.

Symbols: theta of the paper is w, w_i is Z, y_i is Pi, eta of the server is eta_s; rho stays. Where the local steps start, the
text at hand does not say: at the broadcast w, or at the client's own z_i (`start`). All z_i start at w^0 and all pi_i at zero.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..checks import initial, require_count, require_one_of, require_positive
from ..instance import Instance
from ..method import Method, Option, Options
from ..problem import Functions, Problem
from ..relation import Relation
from .participation import BATCH, SELECTION, how_many, participants, require_clients, require_participation, select
from .passes import Batches, draw_batches, require_passes, step_to, unit, who_moves

if TYPE_CHECKING:
    from ..quantity import Array, Quantity

STARTS = ("broadcast", "local")


class GongState(NamedTuple):
    """State at round t."""

    w: Array  # (..., 1, d) server vector
    Z: Array  # (..., m, d) local models of each client's last round
    Pi: Array  # (..., m, d) dual variables
    t: int = 0
    communications: int = 0


class GongDraws(NamedTuple):
    """Randomness of one round."""

    selected: Array  # (m,) bool
    rows: np.ndarray | None = None  # (H, m, batch) positions within each client's samples; None takes all of them
    active: np.ndarray | None = None  # (H, m) bool, who takes step h; None is everybody


@dataclass(frozen=True)
class Gong:
    """Hyper-parameters: local step eta, E local steps, penalty rho, server step eta_s, S sampled clients (None is all).

    Minibatches of `batch` samples (None takes full gradients) are drawn with replacement unless `replace` is False; with
    `passes` E counts passes over the samples. Local steps start at the broadcast w, or where `start` is "local" at z_i.

    Examples
    --------
    >>> Gong(0.1, 5, rho=0)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: Gong(rho=...) must be positive, got 0.
    """

    eta: Quantity
    E: int
    rho: Quantity
    _: KW_ONLY
    eta_s: Quantity = 1
    S: int | None = None
    batch: int | None = None
    replace: bool = True
    passes: bool = False
    start: str = "broadcast"

    def __post_init__(self) -> None:
        for name in ("eta", "rho", "eta_s"):
            require_positive(f"Gong({name}=...)", getattr(self, name))
        require_count("Gong(E=...)", self.E, 1)
        require_participation("Gong", self.S, self.batch, self.replace)
        require_passes("Gong", self.passes, self.batch)
        require_one_of("Gong(start=...)", self.start, STARTS)

    def init(self, problem: Functions, w0: Array | None = None, Pi0: Array | None = None) -> GongState:
        """Start at ``w0`` ``(..., 1, d)`` and ``Pi0`` ``(..., m, d)``, zero by default; every z_i at w^0."""
        require_clients("Gong", problem, self.S)
        w0 = initial("Gong.init(w0=...)", w0, problem, 1)
        Pi0 = initial("Gong.init(Pi0=...)", Pi0, problem, problem.m, model=False)
        return GongState(w0, w0 + Pi0 * 0, Pi0)

    def draw(self, problem: Problem, stream: np.random.Generator) -> GongDraws:
        """S clients uniformly without replacement, then a minibatch for every client and local step."""
        selected = select(stream, "Gong", problem.m, self.S)
        return GongDraws(
            selected, *draw_batches(stream, "Gong", problem, self.E, self.batch, self.replace, self.passes)
        )

    def step(self, problem: Functions, state: GongState, draws: GongDraws) -> GongState:
        """One communication round."""
        work = participants(problem, draws.selected)
        w, Pi_before = state.w, work.rows(state.Pi)
        Z = w + Pi_before * 0 if self.start == "broadcast" else work.rows(state.Z)
        for h in range(Batches(draws.rows).count(self.E)):
            Z_next = Z - (work.batch(draws.rows, h).grad(Z) + Pi_before + (Z - w) * self.rho) * self.eta
            Z = step_to(Z_next, Z, who_moves(work, draws.active, h, Z_next))
        Pi = Pi_before + (Z - w) * self.rho
        Delta = Z - work.rows(state.Z) + (Pi - Pi_before) / self.rho
        w = w + work.mean(Delta) * self.eta_s
        return GongState(w, work.put(Z, state.Z), work.put(Pi, state.Pi), state.t + 1, state.communications + 1)

    def invariants(self, x: Instance, state: GongState) -> tuple[Relation, ...]:
        """None that holds whichever clients were sampled."""
        return ()


def make(o: Options, problem: Problem) -> tuple[Gong, GongState]:
    """The method of the options and its first state."""
    method = Gong(
        o["eta"], o["E"], o["rho"], eta_s=o["eta-s"], S=how_many(o, problem.m), batch=o["batch"],
        passes=o["unit"] == "passes", start=o["start"],
    )  # fmt: skip
    return method, method.init(problem)


METHOD = Method(
    name="fedadmm-gong",
    title="FedADMM (Gong, Li, Freris), ICDE 2022, Algorithm 1",
    make=make,
    options={
        "eta": Option("positive", "local step size", 0.01),
        "E": Option("count", "local steps or passes", 5),
        **unit("E"),
        "start": Option(
            "choice", "where the local steps start, the broadcast w or the client's own z_i", "broadcast", STARTS
        ),
        "rho": Option("positive", "penalty", 0.01),
        "eta-s": Option("positive", "server step size", 1.0),
        **BATCH,
        **SELECTION,
    },
    gradients=lambda method: method.E,
)
