"""DA-DPFL: sparse models that are averaged with those of neighbours, some of which are waited for, and pruned further.

Reference: Q. Long, Q. Wang, C. Anagnostopoulos, D. Bi, Decentralized Personalized Federated Learning based on a Conditional
'Sparse-to-Sparser' Scheme, Algorithms 1 to 3. Round t = 1, 2, ... of the paper is the step from the state t - 1.

Symbols: omega_k is x_k, K is m, G_k whom client k hears; d is the dimension, d_t^l the kept weights of a layer. What prunes
further, and its readings, are in `.pruning`, who waits for whom in `.waiting`.

Readings of this file, the printed one first:

- unit ``passes`` (Section VI-A4: "local epochs") or ``steps`` (line 15: "E_l local rounds").
- indices ``own``: every client draws reuse indices of its neighbours by a bijection of its own (lines 6, 7), by which two clients
  can be prior to each other and wait for ever: the run says so and ends. ``global`` (the default): one order of all, every round.
- rule ``fastest``: at most N prior neighbours, those that finish first (Section IV-B); ``lowest`` index, as coded; ``random``.
- mean ``in``: client k is in its own mean, (7); ``out``: it is not, (11).
- carry ``printed``: line 25 takes along the weights that line 24 has just left out of the mask, and (7) adds them, against
  Assumption 3; ``masked`` (the default): what the new mask keeps.

A neighbour that is waited for gives its model and mask of this round, every other one those of the round before, also where it
happens to have finished. Votes are counted after the round; they weigh nothing in the bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from array_api_compat import array_namespace

from .._arrays import moved, to_host
from ..checks import initial, require_count, require_one_of
from ..errors import UsageError
from ..graphs import Graph
from ..instance import Instance
from ..method import Method, Option, Options, Watch
from ..problem import Functions, Problem, layers_of
from ..relation import Relation
from ..trace import Trace
from .local import Local, LocalDraws, local_of, local_options
from .masks import mask_keys, masked
from .mixing import graph_of, graph_options, mix, require_mixing
from .participation import participants
from .pruning import Pruning, pruning_of, pruning_options
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
from .waiting import INDICES, RULES, Schedule, prior_of, prior_of_own, schedule

if TYPE_CHECKING:
    from ..quantity import Array

MASKING, PRUNING = Masking(), Pruning()  # those of Section VI-A
MEANS = ("in", "out")
CARRIES = ("printed", "masked")


class DADPFLState(NamedTuple):
    """State after t rounds; masks are None before the first one, unless they were given."""

    X: Array  # (m, d) models
    mask: Array | None  # (m, d) bool
    load: Array  # (m,) bytes that a client has sent and received
    X0: Array | None = None  # (m, d) masked models of the start, for the detection score
    delta: Any = None  # (m,) Delta_0^t, on the host
    delta_first: Any = None  # (m,) Delta_0^1, on the host
    t_star: int = 0  # the first pruning time; 0 as long as there is none
    time: int = 0  # units of training time so far, waiting included
    t: int = 0
    communications: int = 0
    score: float = 0.0  # the mean of the detection scores of the round; 0 at the start and without further pruning


class DADPFLDraws(NamedTuple):
    """Randomness of one round."""

    hears: np.ndarray  # (m, m) bool, who hears whom
    order: np.ndarray  # (m,) reuse index of every client, from 0
    indices: Any  # (m, m) reuse indices of a client's own for the others; None with one order
    chance: np.ndarray | None  # (m, m) for random waiting, else None
    local: LocalDraws
    rows: Any  # (1, m, batch) of the dense gradient; None takes all samples
    keys: np.ndarray  # (m,) of the first masks


class Models(NamedTuple):
    """Models and masks of some clients."""

    X: Any  # (r, d)
    mask: Array | None  # (r, d) bool

    def rows(self, at: np.ndarray) -> Models:
        """Those of some of them, in the order given."""
        if len(at) == self.X.shape[0] and (at == np.arange(len(at))).all():
            return self
        return Models(*(array_namespace(A).take(A, moved(at, A), axis=0) for A in self))


def joined(parts: Sequence[Models]) -> Models:
    """All of several, one after the other."""
    if len(parts) == 1:
        return parts[0]
    xp = array_namespace(parts[0].X)
    return Models(*(xp.concat(stacks, axis=0) for stacks in zip(*parts, strict=True)))


class Waves(NamedTuple):
    """What the clients that have trained in this round have made, one wave after the other."""

    order: np.ndarray = np.zeros(0, dtype=np.int64)  # these clients, on the host
    parts: tuple[Models, ...] = ()
    deltas: tuple[np.ndarray, ...] = ()  # their Delta_0^t, on the host

    def then(self, mine: np.ndarray, rows: np.ndarray, models: Models, delta: Array | None) -> Waves:
        """With one wave more: the clients `mine`, out of those that were computed, `rows`."""
        at = np.flatnonzero(mine[rows])
        deltas = () if delta is None else (to_host(delta)[at],)
        return Waves(np.concatenate([self.order, rows[at]]), (*self.parts, models.rows(at)), self.deltas + deltas)

    def all(self) -> Models:
        """Those of all of them, in `order`."""
        return joined(self.parts) if self.parts else Models(None, None)

    def everybody(self) -> Models:
        """Those of all clients in their own order."""
        return self.all().rows(np.argsort(self.order))

    def delta(self) -> np.ndarray | None:
        """Delta_0^t of all clients; None where it was not asked for."""
        return np.concatenate(self.deltas)[np.argsort(self.order)] if self.deltas else None


@dataclass(frozen=True)
class DADPFL:
    """Hyper-parameters: the local steps, the graph, the masks, whom to wait for, what is pruned further.

    Parameters
    ----------
    local : Local
    graph : Graph
        Of M neighbours.
    N : int, optional
        Prior neighbours that a client waits for, at most; None is all of them.
    masking : Masking
    pruning : Pruning, optional
        None prunes no further; with N = 0 the method is then DisPFL.
    rule, indices, mean, carry : str
        Readings, see above.

    Examples
    --------
    >>> DADPFL(Local(0.1, 5), Graph("random", M=10), N=-1)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: DADPFL(N=...) must be an integer of at least 0, got -1.
    """

    local: Local
    graph: Graph
    _: KW_ONLY
    N: int | None = None
    masking: Masking = MASKING
    pruning: Pruning | None = PRUNING
    rule: str = "fastest"
    indices: str = "global"
    mean: str = "in"
    carry: str = "masked"

    def __post_init__(self) -> None:
        if self.N is not None:
            require_count("DADPFL(N=...)", self.N, 0)
        for name, known in (("rule", RULES), ("indices", INDICES), ("mean", MEANS), ("carry", CARRIES)):
            require_one_of(f"DADPFL({name}=...)", getattr(self, name), known)

    def init(self, problem: Functions, X0: Array | None = None, masks0: Array | None = None) -> DADPFLState:
        """Start at ``X0`` ``(m, d)``, at zero by default, with ``masks0`` ``(m, d)`` or those that the first round draws."""
        require_mixing("DADPFL", problem, self.graph, "uniform")
        most = problem.m - 1 if self.graph.kind == "pairs" else self.graph.neighbours(problem.m)
        if self.N is not None and most < self.N:
            raise UsageError(f"DADPFL(N=...) must be at most M = {most}, the neighbours of a client, got {self.N}.")
        X0 = initial("DADPFL.init(X0=...)", X0, problem, problem.m)
        masks0 = checked_masks("DADPFL.init(masks0=...)", masks0, problem.m, X0)
        X0 = X0 if masks0 is None else masked(X0, masks0)
        none = np.zeros(problem.m)
        kept = (None, None, None) if self.pruning is None else (X0, none, none)
        return DADPFLState(X0, masks0, none, *kept)

    def draw(self, problem: Problem, stream: np.random.Generator) -> DADPFLDraws:
        """The graph, the minibatches, that of the dense gradient, keys of first masks, then reuse indices and chances."""
        hears, local = self.graph.draw(stream, problem.m), self.local.draw(problem, stream)
        rows = gradient_rows(stream, "DADPFL", problem, self.local)
        keys, m = mask_keys(stream, problem.m), problem.m
        order = stream.permutation(m)  # lines 6, 7
        indices = np.argsort(stream.random((m, m)), axis=1) if self.indices == "own" else None
        chance = stream.random((m, m)) if self.rule == "random" else None
        return DADPFLDraws(hears, order, indices, chance, local, rows, keys)

    def plan(self, draws: DADPFLDraws) -> Schedule:
        """Who waits for whom in a round, and when everybody starts."""
        if self.indices == "own":
            prior = prior_of_own(draws.hears, draws.order, draws.indices)
        else:
            prior = prior_of(draws.hears, draws.order)  # line 8
        N = len(prior) if self.N is None else self.N
        return schedule(prior, draws.order, N, self.rule, draws.chance)

    def step(self, problem: Functions, state: DADPFLState, draws: DADPFLDraws) -> DADPFLState:
        """One round, wave by wave."""
        X, mask, X0, t = state.X, state.mask, state.X0, state.t + 1
        if mask is None:
            mask = self.masking.start(problem, draws.keys, X)
            X = masked(X, mask)
            X0 = None if X0 is None else X
        plan, waves = self.plan(draws), Waves()
        prunes = self.pruning is not None and self.pruning.due(t, state.t_star, self.masking.T)
        old = Models(X, mask)
        for mine in plan.waves():  # line 5; who starts together at once
            work = participants(problem, mine)
            rows = np.arange(problem.m) if work.index is None else work.index
            own = work.rows(mask)
            Z = masked(self.averaged(plan, draws.hears, rows, old, waves), own)  # lines 10 to 14, (7)
            Z = trained(self.local, work, Z, own, draws.local, state.t)  # line 15
            delta = None if self.pruning is None else self.pruning.distance(Z, work.rows(X0))  # line 16
            if prunes and self.pruning is not None:  # line 18
                own = self.pruning.pruned(layers_of(problem), Z, own)  # lines 19, 20
                Z = masked(Z, own)
            after = self.masking.renewed(problem, Z, work.batch(draws.rows, 0).grad(Z), own, t)  # line 24
            Z = masked(Z, after) if self.carry == "masked" else Z  # line 25
            waves = waves.then(mine, rows, Models(Z, after), delta)
        new = waves.everybody()
        load = state.load + exchanged(draws.hears & ~plan.waited, weight_of(mask, X))
        load = load + exchanged(plan.waited, weight_of(new.mask, X))
        X0, delta, first, t_star, score = self._voted(state, waves.delta(), X0, t)
        time, communications = state.time + plan.units, state.communications + 1
        return DADPFLState(new.X, new.mask, load, X0, delta, first, t_star, time, t, communications, score)

    def _voted(self, state: DADPFLState, delta: Any, X0: Array | None, t: int) -> tuple[Any, Any, Any, int, float]:
        """What the next round needs to know of the votes: X0, Delta_0^t, Delta_0^1 and t*, lines 17 and 27; the mean score."""
        if self.pruning is None:
            return None, None, None, 0, 0.0
        first = delta if t == 1 else state.delta_first
        decided = not state.t_star and self.pruning.decides(self.pruning.votes(delta, state.delta, first))
        score = self.pruning.score(delta, state.delta, first)
        return X0, delta, first, t if decided else state.t_star, score

    def averaged(self, plan: Schedule, hears: np.ndarray, rows: np.ndarray, old: Models, waves: Waves) -> Array:
        """The means (7) of the clients `rows`, before their own masks: new models of whom they waited for, else old ones."""
        waited = plan.waited[rows]
        others = hears[rows] & ~waited
        if self.mean == "in":
            others = others | (rows[:, None] == np.arange(len(hears)))
        V, parts = [], []
        for used, of in ((others, old), (waited[:, waves.order], waves.all())):
            at = np.flatnonzero(used.any(axis=0))
            if len(at):
                V.append(used[:, at] * 1.0)
                parts.append(of.rows(at))
        if not parts:
            return old.rows(rows).X * 0  # nobody is heard: 0/0 := 0
        weights, models = np.concatenate(V, axis=1), joined(parts)
        if self.carry == "masked":
            return mix(weights, models.X, models.mask)
        xp = array_namespace(models.X)
        above, below = mix(weights, models.X), mix(weights, xp.astype(models.mask, models.X.dtype))
        return xp.where(below > 0, above / xp.where(below > 0, below, xp.ones_like(below)), xp.zeros_like(above))

    def invariants(self, x: Instance, state: DADPFLState) -> tuple[Relation, ...]:
        """None that is a relation of inner products; that models are 0 outside of their masks is tested."""
        return ()


def make(o: Options, problem: Problem) -> tuple[DADPFL, DADPFLState]:
    """The method of the options and its first state."""
    method = DADPFL(
        local_of(o), graph_of(o, problem.m), N=o["wait"], masking=masking_of(o), pruning=pruning_of(o),
        rule=o["rule"], indices=o["indices"], mean=o["mean"], carry=o["carry"],
    )  # fmt: skip
    return method, method.init(problem)


def given(watch: Watch, trace: Trace) -> Options:
    """The hyper-parameters by the names of the catalogue, and what Assumption 3 asks for where the run has it."""
    method, m = watch.method, watch.problem.m
    found: Options = {"m": m, "eta": method.local.eta, "E_l": method.local.E}
    if method.graph.kind != "pairs":
        found["M"] = method.graph.neighbours(m)
    if method.masking.density == 1 and method.pruning is None:
        found["dense"] = 1.0
    if method.mean == "out":
        found["others"] = 1.0
    return found


METHOD = Method(
    name="dadpfl",
    title="DA-DPFL, Algorithms 1 to 3",
    make=make,
    options={
        **local_options(),
        **{k: v for k, v in graph_options("random").items() if k != "mixing"},
        "wait": Option(
            "count from 0", "N, prior neighbours that a client waits for, at most (default: all of them)", at_most="M"
        ),
        "rule": Option("choice", "which of them it waits for", "fastest", RULES),
        "indices": Option("choice", "reuse indices of every client's own, as printed, or one order", "global", INDICES),
        "mean": Option("choice", "whether a client is in its own mean", "in", MEANS),
        "carry": Option("choice", "whether weights that leave the mask go along to the next round", "masked", CARRIES),
        **masking_options(),
        **pruning_options(),
    },
    paper="dadpfl",
    at=mean_model,
    observers=observers,
    given=given,
    models=models,
    cost=cost,
    numbers={
        **NUMBERS,
        "time": lambda s: float(s.time),
        "t_star": lambda s: float(s.t_star),
        "score": lambda s: float(s.score),
    },
)
