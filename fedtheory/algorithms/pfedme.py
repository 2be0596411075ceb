"""pFedMe: personalised federated learning with Moreau envelopes.

Reference: C. T. Dinh, N. H. Tran, T. D. Nguyen, NeurIPS 2020, arXiv:2006.08848, Algorithm 1.

Symbols: N of the paper is m; theta_tilde is the delta-approximate personalised model, theta_hat the exact prox;
g_{i,r} = lam (w_{i,r} - theta_tilde_{i,r}). The underbrace of Section A.4.1 puts eta inside g as well; every later
line of the paper uses g without it, and so does this file.

Line 7 leaves open how (7) is minimised and from where. Here: exactly; by K gradient steps; or exactly with an error of
length delta. The gradient steps start at w_{i,r}, with `warm` at the theta_tilde of the local round before (the first
local round at w_t), which is what the authors' code does. Those of a local round share one minibatch; with `passes` K counts
passes over the client's samples in minibatches, as the papers that compare with pFedMe count their own local steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._arrays import add_scaled
from ..checks import initial, require_count, require_flag, require_positive
from ..errors import UsageError
from ..instance import Instance
from ..method import Method, Option, Options
from ..problem import Functions, Problem
from ..relation import Relation
from ..theory.pfedme import observe
from .fedavg import WEIGHTS, mean_weights
from .participation import BATCH, SELECTION, how_many, participants, require_clients, require_participation, select
from .passes import Batches, draw_batches, require_passes, unit, who_moves
from .subproblem import descend, inner, inner_of, of_length

if TYPE_CHECKING:
    from ..quantity import Array, Quantity
    from .participation import Participants


class PFedMeState(NamedTuple):
    """State at round t; Theta and W are None before the first round, and unless `everyone` works."""

    w: Any  # (..., 1, d) server vector
    t: int = 0
    communications: int = 0
    Theta: Array | None = None  # (..., m, d) theta_tilde_{i,R-1} of the round before
    W: Array | None = None  # (..., m, d) w_{i,R} of the round before


class PFedMeDraws(NamedTuple):
    """Randomness of one round."""

    selected: Array | None  # (m,) 1 for the S sampled clients, 0 elsewhere
    error: tuple[Quantity, ...]  # R arrays (..., m, d): theta_tilde - theta_hat, with `delta` its direction alone
    rows: Any = (
        None  # (R, m, batch) positions within each client's samples, in passes (R H, m, batch); None takes all of them
    )
    active: np.ndarray | None = None  # (R H, m) bool, who takes a step; None is everybody


@dataclass(frozen=True)
class PFedMe:
    """Hyper-parameters.

    Parameters
    ----------
    lam, eta, beta : number
        Moreau parameter, local step size, server relaxation (at least 1 in the theorems); positive.
    R, S : int
        Local rounds, sampled clients.
    K, inner_eta : int, number
        Solve (7) by at most K gradient steps of this size; without them exactly.
    nu : number
        A client's gradient steps end where |grad h_i(theta)| <= nu (8); without it there are always K.
    delta : number
        Length of the error of an exact solution, along ``draws.error``; without it the error is taken as it stands.
    batch, replace : int, bool
        Samples of a fresh minibatch D_i, drawn with replacement or without; None takes all samples.
    warm : bool
        Whether gradient steps start at the previous theta_tilde.
    everyone : bool
        Whether the clients that are not sampled work too, as lines 4 to 8 have it, and the state carries everybody's
        Theta and W. The server vector does not depend on it.
    passes : bool
        Whether K counts passes over the samples, a minibatch a step, in place of steps on one minibatch.
    weighted : bool
        Whether line 10 weighs the clients by their samples, as the authors' code does; the paper has 1/S.

    Examples
    --------
    >>> PFedMe(lam=20.0, eta=0.005, beta=2.0, R=20, S=10, K=5, inner_eta=0.01, batch=20).K
    5
    """

    lam: Quantity
    eta: Quantity
    beta: Quantity
    R: int
    S: int
    _: KW_ONLY
    K: int | None = None
    inner_eta: Quantity | None = None
    nu: Quantity | None = None
    delta: Any = None
    batch: int | None = None
    replace: bool = True
    warm: bool = True
    everyone: bool = False
    weighted: bool = False
    passes: bool = False

    def __post_init__(self) -> None:
        for name in ("lam", "eta", "beta"):
            require_positive(f"PFedMe({name}=...)", getattr(self, name))
        require_count("PFedMe(R=...)", self.R, 1)
        require_count("PFedMe(S=...)", self.S, 1)
        for name in ("inner_eta", "nu", "delta"):
            if getattr(self, name) is not None:
                require_positive(f"PFedMe({name}=...)", getattr(self, name))
        if self.K is not None:
            require_count("PFedMe(K=...)", self.K, 1)
        if (self.K is None) != (self.inner_eta is None) or (self.K is None and self.nu is not None):
            raise UsageError(
                f"PFedMe(K=..., inner_eta=...) go together, and nu=... needs both, "
                f"got K={self.K!r}, inner_eta={self.inner_eta!r} and nu={self.nu!r}."
            )
        if self.K is not None and self.delta is not None:
            raise UsageError(
                f"PFedMe(delta=...) is the error of an exact solution and excludes K=..., got K={self.K!r}."
            )
        require_participation("PFedMe", None, self.batch, self.replace)
        require_passes("PFedMe", self.passes, self.batch)
        if self.passes and self.K is None:
            raise UsageError(f"PFedMe(passes=True) needs K=..., how many passes, got {self.K!r}.")
        for name in ("warm", "everyone", "weighted"):
            require_flag(f"PFedMe({name}=...)", getattr(self, name))

    def init(self, problem: Functions, w0: Array | None = None) -> PFedMeState:
        """Start at any ``w0`` ``(..., 1, d)`` (Alg. 1, line 1), at zero by default."""
        require_clients("PFedMe", problem, self.S)
        return PFedMeState(initial("PFedMe.init(w0=...)", w0, problem, 1))

    def draw(self, problem: Problem, stream: np.random.Generator) -> PFedMeDraws:
        """S clients uniformly without replacement (Alg. 1, line 9), then R fresh minibatches of every client (line 7).

        With `delta`, a direction of the error for every local round, uniform on the sphere; else no error.
        """
        selected = select(stream, "PFedMe", problem.m, self.S)
        steps = self.R * self.K if self.passes and self.K is not None else self.R
        batches = draw_batches(stream, "PFedMe", problem, steps, self.batch, self.replace, self.passes)
        if self.delta is None:
            return PFedMeDraws(selected, (0,) * self.R, *batches)
        return PFedMeDraws(selected, tuple(stream.standard_normal((self.R, problem.m, problem.d))), *batches)

    def local(self, problem: Functions, w: Array, error: tuple[Quantity, ...]) -> tuple[list[Array], list[Array]]:
        """The local rounds of all clients: iterates ``[w_{i,0} ... w_{i,R}]`` and gradients ``[g_{i,0} ... g_{i,R-1}]``."""
        rounds = list(self._rounds(participants(problem, None, everyone=True), w, PFedMeDraws(None, error)))
        return [w, *(W for W, _, _ in rounds)], [G for _, _, G in rounds]

    def _rounds(self, work: Participants, w: Array, draws: PFedMeDraws) -> Iterator[tuple[Array, Array, Array]]:
        """``(w_{i,r+1}, theta_tilde_{i,r}, g_{i,r})`` of the local rounds r of the clients at work."""
        W = Theta_tilde = w  # Alg. 1, line 5
        for r in range(self.R):  # Alg. 1, line 6
            start = Theta_tilde if self.warm else W
            if self.passes:
                Theta_tilde = self._pass(work, draws, r, W, start)  # line 7
            else:
                Theta_tilde = self._solve(work.batch(draws.rows, r), W, start, work.error(draws.error[r], w))  # line 7
            G = (W - Theta_tilde) * self.lam
            W = W - G * self.eta  # Alg. 1, line 8
            yield W, Theta_tilde, G

    def _solve(self, h: Functions, W: Array, start: Array, error: Quantity) -> Array:
        """theta_tilde(w_i) on the samples of `h`: a minimiser of (7), exact, inexact, or accurate to (8)."""
        if self.K is None:
            return h.prox(W, self.lam) + (error if self.delta is None else of_length(error, self.delta, W))
        bound_sq = None if self.nu is None else self.nu**2  # (8)
        return descend(
            lambda V, _: add_scaled(h.grad(V), self.lam, V - W), start, self.inner_eta, steps=self.K, bound_sq=bound_sq
        )

    def _pass(self, work: Participants, draws: PFedMeDraws, r: int, W: Array, start: Array) -> Array:
        """theta_tilde(w_i) after K passes over the samples, one gradient step a minibatch."""
        H = Batches(draws.rows).count(self.R) // self.R

        def residual(V: Array, h: int) -> Array:
            return add_scaled(work.batch(draws.rows, r * H + h).grad(V), self.lam, V - W)

        bound_sq = None if self.nu is None else self.nu**2
        return descend(
            residual, start, self.inner_eta, steps=H, bound_sq=bound_sq,
            moves=lambda h: who_moves(work, draws.active, r * H + h, W),
        )  # fmt: skip

    def step(self, problem: Functions, state: PFedMeState, draws: PFedMeDraws) -> PFedMeState:
        """One communication round."""
        work = participants(problem, draws.selected, everyone=self.everyone)
        for last in self._rounds(work, state.w, draws):  # Alg. 1, lines 4 to 8
            W, Theta_tilde = last[:2]
        w_bar = work.mean(W, mean_weights("PFedMe", None, problem)) if self.weighted else work.total(W) / self.S
        w = state.w * (1 - self.beta) + w_bar * self.beta  # Alg. 1, line 10
        own = (Theta_tilde, W) if self.everyone else (None, None)
        return PFedMeState(w, state.t + 1, state.communications + 1, *own)

    def personal(self, problem: Functions, state: PFedMeState, draws: PFedMeDraws | None = None) -> Array:
        """theta_tilde_i(w_t) of every client, ``(..., m, d)`` (Theorem 1 (b)).

        On all samples and without an error, or with the first minibatch and error of `draws`.
        """
        w, work = state.w, participants(problem, None, everyone=True)
        rows, error = (None, 0) if draws is None else (draws.rows, draws.error[0])
        return self._solve(work.batch(rows, 0), w, w, work.error(error, w))

    def invariants(self, x: Instance, state: PFedMeState) -> tuple[Relation, ...]:
        """None: every server vector is a possible start."""
        return ()


def make(o: Options, problem: Problem) -> tuple[PFedMe, PFedMeState]:
    """The method of the options and its first state."""
    way = inner_of(o, "inner-steps", "inner-eta")
    if (way == "adversarial") != (o["delta"] is not None):
        raise UsageError("--inner adversarial and --delta go together, the length of the error")
    method = PFedMe(
        o["lam"], o["eta"], o["beta"], o["R"], how_many(o, problem.m), K=o["inner-steps"], inner_eta=o["inner-eta"],
        nu=o["nu"], delta=o["delta"], batch=o["batch"], everyone=o["everyone"],
        weighted=o["weights"] == "samples", passes=o["unit"] == "passes",
    )  # fmt: skip
    return method, method.init(problem)


def models(method: PFedMe, problem: Problem, state: PFedMeState) -> dict[str, Array]:
    """theta_tilde_i(w_t) on all samples; where everyone works also w_{i,R} of the last round, w_0 before the first."""
    found = {"personal": method.personal(problem, state)}
    if method.everyone:
        found["local"] = state.w if state.W is None else state.W
    return found


METHOD = Method(
    name="pfedme",
    title="pFedMe, arXiv:2006.08848, Algorithm 1",
    make=make,
    options={
        "lam": Option("positive", "Moreau parameter lambda", 15.0),
        "eta": Option("positive", "local step size", 0.005),
        "beta": Option("positive", "server relaxation", 1.0),
        "R": Option("count", "local rounds", 20),
        "nu": Option("positive", "accuracy of (8) at which the gradient steps end"),
        "delta": Option("positive", "length of the error of --inner adversarial"),
        "inner-eta": Option("positive", "step size of --inner gradient"),
        **inner("how (7) is solved", "K, most gradient steps or passes of --inner gradient"),
        **unit("inner-steps"),
        "everyone": Option("flag", "whether the clients that are not selected work too", False),
        **BATCH,
        **WEIGHTS,
        **SELECTION,
    },
    paper="pfedme",
    lam=lambda method: method.lam,
    observers=observe.observers,
    given=observe.given,
    slope="stationarity",
    models=models,
    gradients=lambda method: None if method.K is None else method.R * method.K,
)
