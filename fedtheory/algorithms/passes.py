"""What local steps count: minibatches, or passes over a client's samples, which papers write with one letter.

A pass divides a client's samples, in random order, into minibatches; a last one that would be smaller is left out of that
pass. Clients with fewer minibatches than others stay where they are until the last one has finished the pass. Without
minibatches a pass is one step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
from array_api_compat import array_namespace

from .._arrays import moved
from ..checks import require_flag
from ..errors import UsageError
from ..method import Option
from ..problem import Functions, Problem
from .participation import Participants, minibatches

if TYPE_CHECKING:
    from ..quantity import Array

UNITS = ("passes", "steps")


def unit(what: str) -> dict[str, Option]:
    """The option that says what the count of local steps counts; `what` in the words of the method."""
    return {"unit": Option("choice", f"what {what} counts, minibatch steps or passes over the samples", "steps", UNITS)}


class Batches(NamedTuple):
    """Minibatches of one round."""

    rows: Any = None  # (H, m, batch) positions within each client's samples; None takes all of them
    active: Any = None  # (H, m) bool, who takes step h; None is everybody

    def count(self, steps: int) -> int:
        """Steps of the round, of a method that takes `steps` of them without minibatches."""
        return steps if self.rows is None else len(self.rows)


def require_passes(call: str, passes: bool, batch: int | None) -> None:
    """Raise UsageError unless `passes` is a flag, and a batch size is given where it is set."""
    require_flag(f"{call}(passes=...)", passes)
    if passes and batch is None:
        raise UsageError(f"{call}(passes=True) needs batch=..., the samples of a minibatch of a pass, got None.")


def steps_of(problem: Functions, E: int, passes: bool, batch: int | None) -> np.ndarray:
    """Steps of each client in a round of `E` steps or passes, ``(m,)``."""
    if not passes or batch is None:
        return np.full(problem.m, E)
    return E * (cast(Problem, problem).n // batch)


def draw_batches(
    stream: np.random.Generator, call: str, problem: Functions, E: int, batch: int | None, replace: bool, passes: bool
) -> Batches:
    """A minibatch for every client and step; of passes, the samples of each client in an order of their own.

    Raises
    ------
    UsageError
        If a client has fewer samples than a minibatch of a pass.
    """
    if not passes or batch is None:
        return Batches(minibatches(stream, call, cast(Problem, problem), (E,), batch, replace))
    n = getattr(problem, "n", None)
    if n is None or batch > n.min():
        found = f"{type(problem).__name__} has none" if n is None else f"client {int(n.argmin())} has {n.min()}"
        raise UsageError(f"{call}(batch=..., passes=True) needs clients of at least {batch} samples, and {found}.")
    steps = n // batch
    H, order = int(steps.max()), []
    for _ in range(E):
        keys = stream.random((problem.m, int(n.max())))
        keys[np.arange(int(n.max())) >= n[:, None]] = 2.0  # those that there are not come last
        order.append(np.argsort(keys, axis=1)[:, : H * batch])  # equal keys are those of samples that there are not
    rows: Any = np.stack(order).reshape(E, problem.m, H, batch).swapaxes(1, 2)
    active = np.broadcast_to(np.arange(H)[:, None] < steps, (E, H, problem.m))
    rows = np.where(active[..., None], rows, 0).reshape(E * H, problem.m, batch)
    return Batches(rows, None if active.all() else active.reshape(E * H, problem.m))


def who_moves(work: Participants, active: np.ndarray | None, h: int, like: Array) -> Array | None:
    """The mask ``(m, 1)`` of the clients at work that take step h, where not all of them do; else None."""
    if active is None:
        return None
    own = active[h] if work.index is None else active[h][work.index]
    return None if own.all() else moved(own[:, None], like)


def step_to(new: Array, old: Array, moves: Array | None) -> Array:
    """`new` ``(..., m, d)`` for the clients of the mask of `who_moves`, `old` for the others."""
    return new if moves is None else array_namespace(new).where(moves, new, old)
