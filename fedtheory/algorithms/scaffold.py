"""SCAFFOLD: local gradient steps, each corrected by control variates of the client and of the server.

Reference: S. P. Karimireddy, S. Kale, M. Mohri, S. J. Reddi, S. U. Stich, A. T. Suresh, ICML 2020, arXiv:1910.06378v4,
Algorithm 1.

Symbols: x of the paper is w, N is m, y_i is Y, r is t; eta_l is eta, eta_g stays. The control variates start at zero unless
given; c starts at their mean, which the last line of the box preserves. Option (i) of line 12 takes the gradient at x on all
samples of the client, the additional pass over its data of which the text speaks; (ii) reuses the gradients of the steps.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from array_api_compat import array_namespace

from ..checks import initial, require_count, require_one_of, require_positive
from ..instance import Instance
from ..method import Method, Option, Options
from ..problem import Functions, Problem
from ..relation import Relation, eq
from .participation import BATCH, SELECTION, how_many, participants, require_clients, require_participation, select
from .passes import Batches, draw_batches, require_passes, step_to, steps_of, unit, who_moves

if TYPE_CHECKING:
    from ..quantity import Array, Quantity

CONTROLS = ("i", "ii")


class ScaffoldState(NamedTuple):
    """State at round t."""

    w: Array  # (..., 1, d) server vector
    c: Array  # (..., 1, d) control variate of the server
    C: Array  # (..., m, d) control variates of the clients
    t: int = 0
    communications: int = 0


class ScaffoldDraws(NamedTuple):
    """Randomness of one round."""

    selected: Array  # (m,) bool
    rows: np.ndarray | None = None  # (H, m, batch) positions within each client's samples; None takes all of them
    active: np.ndarray | None = None  # (H, m) bool, who takes step h; None is everybody


@dataclass(frozen=True)
class Scaffold:
    """Hyper-parameters: local step eta, K local steps, global step eta_g, S sampled clients (None is all).

    `control` is the option of line 12, "i" or "ii". Minibatches of `batch` samples (None takes full gradients) are drawn
    with replacement unless `replace` is False; with `passes` K counts passes over the samples, and line 12 has each client's steps.

    Examples
    --------
    >>> Scaffold(0.1, 5, control="iii")
    Traceback (most recent call last):
    fedtheory.errors.UsageError: Scaffold(control=...) must be one of i, ii, got 'iii'; did you mean ii?.
    """

    eta: Quantity
    K: int
    _: KW_ONLY
    eta_g: Quantity = 1
    S: int | None = None
    control: str = "ii"
    batch: int | None = None
    replace: bool = True
    passes: bool = False

    def __post_init__(self) -> None:
        for name in ("eta", "eta_g"):
            require_positive(f"Scaffold({name}=...)", getattr(self, name))
        require_count("Scaffold(K=...)", self.K, 1)
        require_one_of("Scaffold(control=...)", self.control, CONTROLS)
        require_participation("Scaffold", self.S, self.batch, self.replace)
        require_passes("Scaffold", self.passes, self.batch)

    def init(self, problem: Functions, w0: Array | None = None, C0: Array | None = None) -> ScaffoldState:
        """Start at ``w0`` ``(..., 1, d)`` with control variates ``C0`` ``(..., m, d)``, zero by default; c is their mean."""
        require_clients("Scaffold", problem, self.S)
        w0 = initial("Scaffold.init(w0=...)", w0, problem, 1)
        C0 = initial("Scaffold.init(C0=...)", C0, problem, problem.m, model=False)
        return ScaffoldState(w0, array_namespace(C0).sum(C0, axis=-2, keepdims=True) / problem.m, C0)

    def draw(self, problem: Problem, stream: np.random.Generator) -> ScaffoldDraws:
        """S clients uniformly without replacement, then a minibatch for every client and local step."""
        selected = select(stream, "Scaffold", problem.m, self.S)
        return ScaffoldDraws(
            selected, *draw_batches(stream, "Scaffold", problem, self.K, self.batch, self.replace, self.passes)
        )

    def step(self, problem: Functions, state: ScaffoldState, draws: ScaffoldDraws) -> ScaffoldState:
        """One communication round."""
        work = participants(problem, draws.selected)  # Alg. 1, line 4
        w, c, C = state.w, state.c, work.rows(state.C)  # line 5
        Y = w  # line 7
        for h in range(Batches(draws.rows).count(self.K)):  # line 8
            G = work.batch(draws.rows, h).grad(Y)  # line 9
            Y = step_to(Y - (G - C + c) * self.eta, Y, who_moves(work, draws.active, h, G))  # line 10
        K = work.column(steps_of(problem, self.K, True, self.batch), Y) if self.passes else self.K
        C_next = work.problem.grad(w) if self.control == "i" else C - c + (w - Y) / (K * self.eta)  # line 12
        Delta_w, Delta_c = work.mean(Y - w), work.mean(C_next - C)  # lines 13, 16
        return ScaffoldState(
            w + Delta_w * self.eta_g,  # line 17
            c + Delta_c * work.size / problem.m,  # line 17
            work.put(C_next, state.C),  # line 14
            state.t + 1,
            state.communications + 1,
        )

    def invariants(self, x: Instance, state: ScaffoldState) -> tuple[Relation, ...]:
        """c is the mean of the c_i."""
        return (eq(x.sq(state.c - x.mean_vec(state.C)), 0, "c = (1/N) sum c_i"),)


def make(o: Options, problem: Problem) -> tuple[Scaffold, ScaffoldState]:
    """The method of the options and its first state."""
    S = how_many(o, problem.m)
    method = Scaffold(
        o["eta"], o["E"], eta_g=o["eta-g"], S=S, control=o["control"], batch=o["batch"], passes=o["unit"] == "passes"
    )
    return method, method.init(problem)


METHOD = Method(
    name="scaffold",
    title="SCAFFOLD, arXiv:1910.06378, Algorithm 1",
    make=make,
    options={
        "eta": Option("positive", "local step size eta_l", 0.005),
        "E": Option("count", "local steps or passes K", 20),
        **unit("E"),
        "eta-g": Option("positive", "global step size", 1.0),
        "control": Option("choice", "how a control variate is renewed, option of line 12", "ii", CONTROLS),
        **BATCH,
        **SELECTION,
    },
    gradients=lambda method: method.K + (method.control == "i"),
    vectors=4,
)
