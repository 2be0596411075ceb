"""FLAME: personalised federated learning via ADMM with Moreau envelope.

Reference: S. Zhu, J. Zeng, S. Wang, Y. Sun, Z. Peng, FLAME, Algorithm 1; line numbers l1 to l28 count its statements.

Symbols: alpha_i client weight, rho penalty, lam Moreau parameter, S^t selected clients. The state at t carries
w^t = mean of z_i^t, which the box computes at the head of round t (l5) and the analysis at the end of round t - 1 (12).

What the box leaves open or contradicts. Descent (l9 to l13) starts at theta_i^t. The batch loop l10 inside l9 computes
the same theta_i^{t,h+1} for every batch, and l11 and l12 name xi and B: read as one step a pass, on a fresh minibatch or on
all samples, or with `passes` as one step a minibatch, H passes over all of them, which is what the authors' code does. Its
Moreau term in l12 is around the broadcast w^t where the box has w_i^t (`anchor`), every client works in every round, and it
starts at random theta_i^0 and pi_i^0 = 0 (`start`). l13 takes theta_i^{t,H-1} and would drop the last step; here it is
theta_i^{t,H}. The text stops at the accuracy (13), the box after H steps; with eps both hold, a client ends at whichever comes
first (on minibatches the gradient in (13) is theirs). The selection (l19 to l28) comes before the round's descent, so the h of
l24 does not exist yet; read as theta_i^t, as Theorem 1 has it.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from array_api_compat import array_namespace

from .._arrays import add_scaled, column, numbers_like, to_host
from ..checks import initial, require_count, require_one_of, require_positive
from ..errors import UsageError
from ..instance import Instance
from ..method import Method, Option, Options
from ..problem import Functions, Problem
from ..random import stream
from ..relation import Relation, eq
from ..theory.flame import observe
from .participation import (
    BATCH,
    SELECTION,
    Participants,
    how_many,
    minibatches,
    participants,
    require_clients,
    require_participation,
    select,
)
from .passes import Batches, draw_batches, require_passes, unit, who_moves
from .subproblem import descend, inner, inner_of, of_length

if TYPE_CHECKING:
    from ..quantity import Array, Quantity

ANCHORS = ("local", "broadcast")
STARTS = ("zero", "random")


class FLAMEState(NamedTuple):
    """State at round t."""

    Theta: Array  # (..., m, d)
    W: Array  # (..., m, d)
    Pi: Array  # (..., m, d)
    Z: Array  # (..., m, d)
    w: Array  # (..., 1, d)
    t: int = 0
    communications: int = 0
    selected: Array | None = None  # (m,) bool, S^{t-1}; None before the first round


class FLAMEDraws(NamedTuple):
    """Selection and inexactness of one round."""

    selected: Array  # (m,) bool; the candidates C^t of a biased selection
    error: (
        Quantity  # (..., m, d) alpha_i (grad f_i(theta_i^{t+1}) + lam (theta_i^{t+1} - w_i^t)), or its direction alone
    )
    rows: Any = None  # (H, m, batch) positions within each client's samples; None takes all of them
    active: np.ndarray | None = None  # (H, m) bool, who takes step h; None is everybody
    scored: Array | None = None  # (1, m, batch) the minibatch of a biased selection


@dataclass(frozen=True)
class FLAME:
    """Hyper-parameters.

    Parameters
    ----------
    lam, rho : number
        Moreau parameter and penalty, positive.
    alpha : number or array (m,)
        Weights of the clients.
    S, candidates : int or None
        s selected clients, None is all. With `candidates` = c the selection is biased: of c uniform candidates the s
        with the largest gradients (equal ones by position).
    H, eta : int, number
        Solve (9) by at most H gradient steps of size eta; without them exactly.
    eps, decay : number or array (m,), number
        Accuracy eps_i^t = eps decay^t of (13): where descent ends, or without H the size of the error of an exact solution
        along ``draws.error``. Without eps there are always H steps, and an error is taken as it stands.
    batch, replace : int, bool
        Samples of a minibatch, of l10 and of l23, drawn with replacement or without; None takes all samples.
    passes : bool
        Whether H counts passes over the client's samples, a step a minibatch.
    anchor : str
        What the Moreau term of a client is around, "local" w_i^t as printed or "broadcast" w^t.

    Examples
    --------
    >>> FLAME(lam=5.0, rho=0.01, alpha=0.02, S=10, candidates=50, H=5, eta=0.01, batch=100).candidates
    50
    """

    lam: Quantity
    rho: Quantity
    alpha: Quantity
    _: KW_ONLY
    S: int | None = None
    candidates: int | None = None
    H: int | None = None
    eta: Quantity | None = None
    eps: Quantity | None = None
    decay: float = 1
    batch: int | None = None
    replace: bool = True
    passes: bool = False
    anchor: str = "local"

    def __post_init__(self) -> None:
        for name in ("lam", "rho", "alpha", "decay"):
            require_positive(f"FLAME({name}=...)", getattr(self, name))
        require_participation("FLAME", self.S, self.batch, self.replace)
        require_passes("FLAME", self.passes, self.batch)
        require_one_of("FLAME(anchor=...)", self.anchor, ANCHORS)
        if self.passes and self.H is None:
            raise UsageError(f"FLAME(passes=True) needs H=..., how many passes, got {self.H!r}.")
        if self.candidates is not None:
            if self.S is None:
                raise UsageError(
                    f"FLAME(candidates=...) needs S=..., how many of them are taken, got {self.candidates!r}."
                )
            require_count("FLAME(candidates=...)", self.candidates, self.S)
        for name in ("eta", "eps"):
            if getattr(self, name) is not None:
                require_positive(f"FLAME({name}=...)", getattr(self, name))
        if (self.H is None) != (self.eta is None):
            raise UsageError(f"FLAME(H=..., eta=...) go together, got H={self.H!r} and eta={self.eta!r}.")
        if self.H is not None:
            require_count("FLAME(H=...)", self.H, 1)

    def init(
        self, problem: Functions, Theta0: Array | None = None, W0: Array | None = None, *, Pi0: Array | None = None
    ) -> FLAMEState:
        """Any Theta^0 and W^0 (zero by default); pi_i^0 = lam alpha_i (theta_i^0 - w_i^0) (28) unless given; z_i^0 by l1."""
        m = problem.m
        require_clients("FLAME", problem, self.S, alpha=self.alpha, eps=self.eps)
        if self.candidates is not None:
            require_count("FLAME(candidates=...)", self.candidates, 1, m)
        Theta0 = initial("FLAME.init(Theta0=...)", Theta0, problem, m)
        W0 = initial("FLAME.init(W0=...)", W0, problem, m)
        Pi = None if Pi0 is None else initial("FLAME.init(Pi0=...)", Pi0, problem, m)
        Pi = (Theta0 - W0) * column(self.alpha * self.lam, W0) if Pi is None else Pi
        Z = W0 + Pi / self.rho
        return FLAMEState(Theta0, W0, Pi, Z, array_namespace(W0).sum(Z, axis=-2, keepdims=True) / Z.shape[-2])

    def draw(self, problem: Problem, stream: np.random.Generator) -> FLAMEDraws:
        """s clients, or c candidates and their minibatches, then H minibatches of every client."""
        selected = select(stream, "FLAME", problem.m, self.S if self.candidates is None else self.candidates)
        scored = None
        if self.candidates is not None:
            scored = minibatches(stream, "FLAME", problem, (1,), self.batch, self.replace)
        batches = draw_batches(stream, "FLAME", problem, self.H or 1, self.batch, self.replace, self.passes)
        adversarial = self.eps is not None and self.H is None
        error = stream.standard_normal((problem.m, problem.d)) if adversarial else 0
        return FLAMEDraws(selected, error, *batches, scored)

    def step(self, problem: Functions, state: FLAMEState, draws: FLAMEDraws) -> FLAMEState:
        """One round t -> t + 1."""
        xp = array_namespace(state.W)
        selected = draws.selected if self.candidates is None else self._largest(problem, state, draws)  # l3
        work = participants(problem, selected)  # l7
        Theta, W, Pi, Z = work.each(lambda some: self._local(some, state, draws))
        Theta, W = work.put(Theta, state.Theta), work.put(W, state.W)  # l17, l18
        Pi, Z = work.put(Pi, state.Pi), work.put(Z, state.Z)
        w = xp.sum(Z, axis=-2, keepdims=True) / Z.shape[-2]  # l5 of the next round
        return FLAMEState(Theta, W, Pi, Z, w, state.t + 1, state.communications + 1, selected)

    def _local(self, work: Participants, state: FLAMEState, draws: FLAMEDraws) -> tuple[Array, ...]:
        """theta_i^{t+1}, w_i^{t+1}, pi_i^{t+1} and z_i^{t+1} of clients at work."""
        alpha_lam = work.column(self.alpha * self.lam, state.W)
        Pi, w = work.rows(state.Pi), state.w  # l5, l6
        Theta = self._solve(work, state, draws)  # l8 to l13
        W = (Theta * alpha_lam + w * self.rho - Pi) / (alpha_lam + self.rho)  # l14
        Pi = add_scaled(Pi, self.rho, W - w)  # l15
        return Theta, W, Pi, W + Pi / self.rho  # l16

    def _solve(self, work: Participants, state: FLAMEState, draws: FLAMEDraws) -> Array:
        """theta_i^{t+1}, to the accuracy of (13)."""
        W, alpha = self._anchor(work, state), work.entries(self.alpha, state.W)
        eps = None if self.eps is None else work.entries(self.eps, W) * self.decay**state.t
        if self.H is None:
            error = work.error(draws.error, W)
            if eps is not None:
                error = of_length(error, eps**0.5, W)
            return work.batch(draws.rows, 0).prox(W + error / column(alpha * self.lam, W), self.lam)

        def residual(V: Array, h: int) -> Array:
            return add_scaled(work.batch(draws.rows, h).grad(V), self.lam, V - W)

        bound_sq = None if eps is None else eps / alpha**2  # (13)
        return descend(
            residual, work.rows(state.Theta), self.eta, steps=Batches(draws.rows).count(self.H), bound_sq=bound_sq,
            moves=lambda h: who_moves(work, draws.active, h, W),
        )  # fmt: skip  # l12

    def _anchor(self, work: Participants, state: FLAMEState) -> Array:
        """What the Moreau terms of the clients at work are around, w_i^t or w^t."""
        return work.rows(state.W) if self.anchor == "local" else work.rows(state.W) * 0 + state.w

    def _largest(self, problem: Functions, state: FLAMEState, draws: FLAMEDraws) -> np.ndarray:
        """The s candidates with the largest |g_i|, as a host mask ``(m,)``: the server ranks m numbers."""
        work = participants(problem, draws.selected)  # l21, l22
        Theta = work.rows(state.Theta)
        G = work.batch(draws.scored, 0).grad(Theta) + (Theta - self._anchor(work, state)) * self.lam  # l23, l24
        score = to_host(work.put_entries(array_namespace(G).sum(G * G, axis=-1), state.W[..., 0] * 0 - 1))
        selected = np.zeros(problem.m, dtype=bool)
        selected[np.argsort(-score, kind="stable")[: self.S]] = True  # l25
        return selected

    def personal(self, problem: Functions, state: FLAMEState, draws: Any = None) -> Array:
        """The clients' personalised models theta_i^t, ``(..., m, d)``."""
        return state.Theta

    def invariants(self, x: Instance, state: FLAMEState) -> tuple[Relation, ...]:
        """Lemma 2, pi_i = lam alpha_i (theta_i - w_i), and l16 for every client."""
        residual = state.Pi - (state.Theta - state.W) * column(self.alpha * self.lam, state.W)
        return (eq(x.sq(residual), 0, "(25)"), eq(x.sq(state.Z - state.W - state.Pi / self.rho), 0, "l16"))


def make(o: Options, problem: Problem) -> tuple[FLAME, FLAMEState]:
    """The method of the options, with equal weights, and its first state."""
    m, way = problem.m, inner_of(o, "inner-steps", "inner-eta")
    if way == "adversarial" and o["eps"] is None:
        raise UsageError("--inner adversarial of flame needs --eps, the accuracy of (13)")
    if way == "exact" and o["eps"] is not None:
        raise UsageError("--eps goes with --inner gradient or adversarial, got --inner exact")
    if o["decay"] != 1 and o["eps"] is None:
        raise UsageError("--decay needs --eps, whose factor a round it is")
    method = FLAME(
        o["lam"], o["rho"], np.full(m, 1 / m), S=how_many(o, m), candidates=o["candidates"], H=o["inner-steps"],
        eta=o["inner-eta"], eps=o["eps"], decay=o["decay"], batch=o["batch"], passes=o["unit"] == "passes",
        anchor=o["anchor"],
    )  # fmt: skip
    if o["start"] == "zero":
        return method, method.init(problem)
    return method, method.init(problem, drawn_models(problem), Pi0=initial("FLAME.init", None, problem, m) * 0)


def drawn_models(problem: Any) -> Array:
    """theta_i^0 of the authors' code, ``(m, d)``: the initial values of torch's linear layer, each client's its own.

    They are uniform within 1/sqrt(p) for p features, and the same in every run.

    Raises
    ------
    UsageError
        If the model is not linear.
    """
    if not hasattr(problem, "store") or hasattr(problem, "start"):
        raise UsageError("--start random of flame is that of linear models on samples; other ones start where they do")
    p = problem.store.p - sum(layer.name == "bias" for layer in problem.layers)
    draws = stream(0, 0, "flame/theta0").uniform(-(p**-0.5), p**-0.5, (problem.m, problem.d))
    return numbers_like(draws, initial("FLAME.init", None, problem, problem.m))


METHOD = Method(
    name="flame",
    title="FLAME (Zhu, Zeng, Wang, Sun, Peng), Algorithm 1",
    make=make,
    options={
        "lam": Option("positive", "Moreau parameter lambda", 5.0),
        "rho": Option("positive", "penalty", 0.01),
        "candidates": Option("count", "candidates of the biased selection (default: unbiased)"),
        "anchor": Option(
            "choice", "what the Moreau term is around, w_i^t as printed or the broadcast w^t", "local", ANCHORS
        ),
        "start": Option("choice", "theta_i^0, zero or random, the latter with pi_i^0 = 0", "zero", STARTS),
        "eps": Option("positive", "accuracy of (13)"),
        "decay": Option("positive", "factor of --eps a round", 1.0),
        "inner-eta": Option("positive", "step size of --inner gradient"),
        **inner("how (9) is solved", "H, most gradient steps or passes of --inner gradient"),
        **unit("inner-steps"),
        **BATCH,
        **SELECTION,
    },
    paper="flame",
    lam=lambda method: method.lam,
    observers=observe.observers,
    folds=observe.folds,
    given=observe.given,
    gradients=lambda method: method.H,
)
