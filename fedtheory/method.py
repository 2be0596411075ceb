"""What a method promises: frozen hyper-parameters with pure ``init``, ``draw`` and ``step``; and its record for commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from .instance import Instance
from .problem import Problem
from .relation import Relation
from .trace import Trace

if TYPE_CHECKING:
    from .quantity import Array, Quantity


class State(Protocol):
    """What every state says, beside the vectors of its method: rounds in which something was sent."""

    @property
    def communications(self) -> int: ...


class Algorithm(Protocol):
    """One published method.

    ``init(problem, ...)`` gives the state of the paper's initialisation, ``draw(problem, stream)`` the randomness of
    one iteration, ``step(problem, state, draws)`` the next state; ``invariants(x, state)`` the relations that the
    paper derives for every reached state. A state is a NamedTuple with the method's own index ``t`` or ``k`` and the
    count of ``communications``; where there is a server, its vector is ``w`` ``(..., 1, d)``.
    """

    def init(self, problem: Problem) -> Any: ...

    def draw(self, problem: Problem, stream: np.random.Generator) -> Any: ...

    def step(self, problem: Problem, state: Any, draws: Any) -> Any: ...

    def invariants(self, x: Instance, state: Any) -> tuple[Relation, ...]: ...


class Option(NamedTuple):
    """One hyper-parameter of one method on the command line.

    Attributes
    ----------
    kind : str
        positive, least 0, share (above 0, at most 1), an interval such as ``[1/2, 1)``, count, count from 0, flag, choice or graph
        (`fedtheory.graphs`).
    what : str
        What it is, in the words of its method.
    default : Any
        Its value where none is given; None for no value.
    choices : tuple of str
        Of a choice.
    only_with : str
        The flag without which it has no effect, and is refused where it is given all the same.
    at_most : str
        The option that it may not exceed, with which it is lowered where the audit moves that one.
    """

    kind: str
    what: str
    default: object = None
    choices: tuple[str, ...] = ()
    only_with: str = ""
    at_most: str = ""


class Rule(NamedTuple):
    """A stopping rule of a paper: its name for ``--stop``, what it asks for, and the level of the squared gradient."""

    name: str
    what: str
    level: Callable[[Problem], float]


@dataclass(frozen=True)
class Watch:
    """A run as it is observed.

    Attributes
    ----------
    method : Algorithm
        Hyper-parameters.
    problem : Problem
        What the steps work on.
    objective : Problem
        Whose mean value is minimised: the problem itself, or its clients' envelopes.
    first : NamedTuple
        The first state.
    w_star : array (1, d) or None
        The minimiser of the objective; None where it is not known.
    seed : int
        Of the draws.
    """

    method: Any
    problem: Problem
    objective: Problem
    first: object
    w_star: Any = None
    seed: int = 0


Options = dict[str, Any]  # hyper-parameters by name, checked as the method's options say
Observer = Callable[[Any], "Quantity"]  # of a state, one number
Fold = Callable[[Any, Any, Any], "Quantity"]  # of (value so far, state before, state after)
Observers = dict[str, Observer]
Folds = dict[str, Fold]


def server(state: Any) -> Array:
    """The server vector ``(1, d)``."""
    return state.w


def models(method: Algorithm, problem: Problem, state: Any) -> Options:
    """The clients' own models ``(m, d)`` by name: the personalised ones of a method that has them, else none."""
    return {"personal": method.personal(problem, state)} if hasattr(method, "personal") else {}


def no_folds(watch: Watch) -> Folds:
    """No running values."""
    return {}


def nothing_given(watch: Watch, trace: Trace) -> Options:
    """No parameters of a catalogue."""
    return {}


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
        Every hyper-parameter that it takes, in the order in which a run records them.
    paper : str
        Id of the paper whose theorem its curves stand under, or empty.
    stop : str
        Its stopping rule by default: none, or one of `rules`.
    title : str
        Which method of which reference, in a line.
    rules : tuple of Rule
        Stopping rules of its paper.
    at : callable
        From a state to the point ``(1, d)`` at which the objective is measured; the server vector.
    lam : callable or None
        From the method to its Moreau parameter, where the objective is the mean of the clients' envelopes.
    observers : callable or None
        From a `Watch` to what is recorded besides the objective; None is the squared gradient, as ``error``.
    folds : callable
        From a `Watch` to running values that its paper's inequalities need.
    given : callable
        ``(watch, trace)`` to the parameters of the paper's catalogue that the run itself gives.
    slope : str
        Column of the squared gradient of the objective.
    models : callable
        ``(method, problem, state)`` to the clients' own models by name, whose accuracy is measured.
    gradients : callable or None
        From the method to the gradients that a client computes between two communications, at most; None where this is
        not a number, as for subproblems that are solved exactly.
    vectors : int
        Vectors ``(d,)`` that a selected client receives and sends at a communication.
    cost : callable or None
        ``(method, problem, last state)`` to the ``gradients`` of all clients and the ``bytes`` that the busiest node, the server
        where there is one, has sent and received; for a method of which `gradients` and `vectors` do not say it.
    numbers : dict of callable
        Numbers of the state itself, such as the density of masks, which are recorded whatever else is measured.
    """

    name: str
    make: Callable[[Options, Problem], tuple[Algorithm, Any]]
    options: Mapping[str, Option]
    paper: str = ""
    stop: str = "none"
    title: str = ""
    rules: tuple[Rule, ...] = ()
    at: Callable[[Any], Array] = server
    lam: Callable[[Any], Any] | None = None
    observers: Callable[[Watch], Observers] | None = None
    folds: Callable[[Watch], Folds] = no_folds
    given: Callable[[Watch, Trace], Options] = nothing_given
    slope: str = "error"
    models: Callable[[Any, Problem, Any], Options] = models
    gradients: Callable[[Any], int | None] | None = None
    vectors: int = 2
    cost: Callable[[Any, Problem, Any], dict[str, int | None]] | None = None
    numbers: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)

    @property
    def defaults(self) -> Options:
        """The values of all hyper-parameters where none is given."""
        return {name: option.default for name, option in self.options.items()}
