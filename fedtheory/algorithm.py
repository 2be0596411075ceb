"""What a method promises: frozen hyper-parameters with pure ``init``, ``draw`` and ``step``."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, Protocol

import numpy as np

from .errors import UsageError


class Algorithm(Protocol):
    """One published method.

    ``init(problem, ...)`` gives the state of the paper's initialisation, ``draw(problem, stream)`` the randomness of
    one iteration, ``step(problem, state, draws)`` the next state; ``invariants(problem, state)`` the relations that
    the paper derives for every reached state.
    """

    def step(self, problem: Any, state: Any, draws: Any) -> Any: ...

    def invariants(self, x: Any, state: Any) -> tuple[Any, ...]: ...


def require_positive(call: str, value: Any) -> None:
    """Raise UsageError unless every real entry of `value` is positive; symbols and units pass."""
    entries = value.flat if isinstance(value, np.ndarray) else [value]
    for v in entries:
        if isinstance(v, Real) and (math.isnan(v) or v <= 0):
            raise UsageError(f"{call} must be positive, got {v}.")


def require_count(call: str, value: Any, low: int, high: int | None = None) -> None:
    """Raise UsageError unless `value` is an integer with ``low <= value`` (``<= high``)."""
    if not isinstance(value, (int, np.integer)) or value < low or (high is not None and value > high):
        upper = f" and at most {high}" if high is not None else ""
        raise UsageError(f"{call} must be an integer of at least {low}{upper}, got {value!r}.")
