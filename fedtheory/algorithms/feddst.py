"""FedDST: a server's sparse model; now and then clients exchange coordinates by RigL, and the server keeps the largest.

Reference: S. Bibikar, H. Vikalo, Z. Wang, X. Chen, Federated dynamic sparse training, AAAI 2022, arXiv:2112.09824, Algorithm 1.

Symbols: theta of the paper is w, S its sparsity, so 1 - S is the density; Delta_R is the interval. The lines were written from
what is said of them elsewhere and not checked against the paper's box. Open there: when in a round masks are renewed (after
`before` of the local steps or passes; the rest is trained on the new mask, its momentum from zero), and whether a coordinate that
comes begins at 0 (it does) also where it has left in the same exchange (there it stays as it is). Coordinates that no selected
client keeps are 0 on the server.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from array_api_compat import array_namespace

from ..checks import initial, require_count, require_positive
from ..errors import UsageError
from ..instance import Instance
from ..method import Method, Option
from ..problem import Functions, Problem, layers_of
from ..relation import Relation
from .fedavg import WEIGHTS, alpha_of, mean_weights
from .local import Local, LocalDraws, local_of, local_options
from .masks import by_layer, kept, largest, mask_keys, masked
from .participation import SELECTION, how_many, participants, require_clients, require_participation, select
from .sparse import NUMBERS, Masking, checked_masks, gradient_rows, masking_of, masking_options, trained, weight_of

if TYPE_CHECKING:
    from ..quantity import Array, Quantity, Values

MASKING = Masking()  # that of DA-DPFL's experiments


class FedDSTState(NamedTuple):
    """State at round t; the mask is None before the first round, unless it was given."""

    w: Array  # (1, d) server vector, 0 outside of the mask
    mask: Array | None  # (1, d) bool
    load: float = 0.0  # bytes that the server has sent and received
    t: int = 0
    communications: int = 0


class FedDSTDraws(NamedTuple):
    """Randomness of one round."""

    selected: Array  # (m,) bool
    local: LocalDraws  # before masks are renewed
    rest: LocalDraws  # after that
    rows: np.ndarray | None  # (1, m, batch) of the dense gradient; None takes all samples
    keys: np.ndarray  # (1,) of the first mask


@dataclass(frozen=True)
class FedDST:
    """Hyper-parameters: the local steps, the masks, when they are renewed, S sampled clients (None is all).

    Masks are renewed in the rounds interval, 2 interval, ... up to T of `masking`, after `before` of the E local steps or
    passes (by default half of them, rounded up). `alpha` ``(m,)`` weighs the mean; None is n_i, a number weighs equally.

    Examples
    --------
    >>> FedDST(Local(0.1, 5), before=6)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: FedDST(before=...) must be an integer of at least 1 and at most 5, got 6.
    """

    local: Local
    _: KW_ONLY
    masking: Masking = MASKING
    interval: int = 10
    before: int | None = None
    S: int | None = None
    alpha: Quantity | None = None

    def __post_init__(self) -> None:
        require_count("FedDST(interval=...)", self.interval, 1)
        if self.before is not None:
            require_count("FedDST(before=...)", self.before, 1, self.local.E)
        require_participation("FedDST", self.S)
        if self.alpha is not None:
            require_positive("FedDST(alpha=...)", self.alpha)

    @property
    def halves(self) -> tuple[Local, Local | None]:
        """The local steps before and after masks are renewed; no second part where there are none after it."""
        E = (self.local.E + 1) // 2 if self.before is None else self.before
        return replace(self.local, E=E), None if self.local.E == E else replace(self.local, E=self.local.E - E)

    def renews(self, t: int) -> bool:
        """Whether masks are renewed in round t = 1, 2, ..."""
        return t % self.interval == 0 and t <= self.masking.T

    def init(self, problem: Functions, w0: Array | None = None, mask0: Array | None = None) -> FedDSTState:
        """Start at ``w0`` ``(1, d)``, at zero by default, with ``mask0`` ``(1, d)`` or that which the first round draws."""
        require_clients("FedDST", problem, self.S, alpha=self.alpha)
        mean_weights("FedDST", self.alpha, problem)
        w0 = initial("FedDST.init(w0=...)", w0, problem, 1)
        mask0 = checked_masks("FedDST.init(mask0=...)", mask0, 1, w0)
        return FedDSTState(w0 if mask0 is None else masked(w0, mask0), mask0)

    def draw(self, problem: Problem, stream: np.random.Generator) -> FedDSTDraws:
        """S clients uniformly without replacement, the minibatches, that of the dense gradient, the key of the first mask."""
        selected = select(stream, "FedDST", problem.m, self.S)
        before, after = self.halves
        local = before.draw(problem, stream)
        rest = LocalDraws() if after is None else after.draw(problem, stream)
        rows = gradient_rows(stream, "FedDST", problem, self.local)
        return FedDSTDraws(selected, local, rest, rows, mask_keys(stream, 1))

    def step(self, problem: Functions, state: FedDSTState, draws: FedDSTDraws) -> FedDSTState:
        """One communication round."""
        w, mask, t = state.w, state.mask, state.t + 1
        if mask is None:
            mask = self.masking.start(problem, draws.keys, w)
            w = masked(w, mask)
        xp, work, (before, after) = array_namespace(w), participants(problem, draws.selected), self.halves
        Z = trained(before, work, w, mask, draws.local, state.t)  # with g m
        own = xp.broadcast_to(mask, Z.shape)
        if self.renews(t):
            G = work.batch(draws.rows, 0).grad(Z)
            own = self.masking.renewed(problem, Z, G, own, t)  # drop the smallest |z|, grow the largest |g|
            Z = masked(Z, own)
        if after is not None:
            Z = trained(after, work, Z, own, draws.rest, state.t)
        weights = mean_weights("FedDST", self.alpha, problem)
        above, below = work.mean(Z, weights), work.mean(xp.astype(own, Z.dtype), weights)
        some = below > 0
        w = xp.where(some, above / xp.where(some, below, xp.ones_like(below)), xp.zeros_like(above))
        mask = by_layer(  # of each layer as many as before, the largest |w| among those that somebody keeps
            layers_of(problem), lambda m, v, of: largest(xp.abs(v), of, kept(m)), mask, w, some
        )
        load = state.load + 2 * work.size * float(weight_of(mask, w)[0])  # all masks keep as many
        return FedDSTState(masked(w, mask), mask, load, t, state.communications + 1)

    def invariants(self, x: Instance, state: FedDSTState) -> tuple[Relation, ...]:
        """None that is a relation of inner products; that the model is 0 outside of the mask is tested."""
        return ()


def make(o: Values, problem: Problem) -> tuple[FedDST, FedDSTState]:
    """The method of the options and its first state."""
    if o["before"] is not None and o["before"] > o["E"]:
        raise UsageError(f"--before must be at most --E, got {o['before']} and {o['E']}")
    method = FedDST(
        local_of(o), masking=masking_of(o), interval=o["interval"], before=o["before"], S=how_many(o, problem.m),
        alpha=alpha_of(dict(o)),
    )  # fmt: skip
    return method, method.init(problem)


def cost(method: FedDST, problem: Problem, state: FedDSTState) -> dict[str, int | None]:
    """Gradients of the selected clients, at most, with those for new masks; and the bytes that the server sends and receives."""
    rounds, selected = int(state.communications), method.S or problem.m
    renewals = min(rounds, method.masking.T) // method.interval
    each = int(method.local.each(problem).max()) * rounds + renewals
    return {"gradients": selected * each, "bytes": round(float(state.load))}


METHOD = Method(
    name="feddst",
    title="FedDST, arXiv:2112.09824, Algorithm 1",
    make=make,
    options={
        **local_options(),
        **masking_options(),
        "interval": Option("count", "rounds between new masks, Delta_R", 10),
        "before": Option("count", "passes or steps before masks are renewed (default: half of E)"),
        **WEIGHTS,
        **SELECTION,
    },
    cost=cost,
    numbers=NUMBERS,
)
