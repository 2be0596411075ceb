"""What a method promises: frozen hyper-parameters with pure ``init``, ``draw`` and ``step``; and how they are checked."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np


class Algorithm(Protocol):
    """One published method.

    ``init(problem, ...)`` gives the state of the paper's initialisation, ``draw(problem, stream)`` the randomness of
    one iteration, ``step(problem, state, draws)`` the next state; ``invariants(x, state)`` the relations that the
    paper derives for every reached state. A state is a NamedTuple with at least the server vector ``w`` ``(..., 1, d)``,
    the method's own index ``t`` or ``k``, and the count of ``communications``.
    """

    def init(self, problem: Any) -> Any: ...

    def draw(self, problem: Any, stream: np.random.Generator) -> Any: ...

    def step(self, problem: Any, state: Any, draws: Any) -> Any: ...

    def invariants(self, x: Any, state: Any) -> tuple[Any, ...]: ...


# hyper-parameters, which symbols, units and balls pass unchecked


# initial vectors, and host numbers on the device of an array
