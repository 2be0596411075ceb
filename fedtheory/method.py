"""What a method promises: frozen hyper-parameters with pure ``init``, ``draw`` and ``step``; and its record for commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

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


class Option(NamedTuple):
    """One hyper-parameter of one method on the command line.

    Attributes
    ----------
    kind : str
        positive, least 0, share, count, flag or choice.
    what : str
        What it is, in the words of its method.
    default : Any
        Its value where none is given; None for no value.
    choices : tuple of str
        Of a choice.
    """

    kind: str
    what: str
    default: Any = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Method:
    """One method as data; the last lines of its own file.

    Attributes
    ----------
    name : str
        On the command line.
    make : callable
        ``(options, problem)`` to the method and its first state.
    options : dict of Option
        Every hyper-parameter that it takes.
    paper : str
        Id of the paper whose theorem its curves stand under, or empty.
    stop : str
        Its stopping rule by default.
    """

    name: str
    make: Callable[[dict[str, Any], Any], tuple[Any, Any]]
    options: Mapping[str, Option]
    paper: str = ""
    stop: str = "none"
