"""How well models predict: accuracy on test samples and training loss, of the server's model and of the clients' own.

An accuracy is the mean over clients of each client's share of right labels; the column that ends in ``_pooled`` weighs
clients by their test samples, which is the share of all test samples.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .._arrays import to_host
from ..method import Method, Observers, Watch
from ..problem import Problem
from .observe import objective

if TYPE_CHECKING:
    from ..quantity import Array

Models = dict[str, Any]


class Kept:
    """The clients' models at a state, computed once for all columns of an observation."""

    def __init__(self, entry: Method, watch: Watch) -> None:
        self.entry, self.watch = entry, watch
        self._at: Any = None
        self._models: Models = {}

    def models(self, state: object) -> Models:
        """Models ``(m, d)`` by name; none for a method without any."""
        if state is not self._at:
            self._at, self._models = state, self.entry.models(self.watch.method, self.watch.problem, state)
        return self._models

    def model(self, name: str, state: object) -> Array:
        """One of `models`."""
        return self.models(state)[name]


def observers_of(entry: Method, watch: Watch, test: Problem) -> Observers:
    """Training loss and accuracies of the server's model, and of every kind of model that the clients have.

    Parameters
    ----------
    entry : Method
    watch : Watch
    test : Problem
        The clients with their test samples.
    """
    kept = Kept(entry, watch)
    found = _observers("", watch.problem, test, entry.at)
    for name in kept.models(watch.first):
        found |= _observers(f"{name}_", watch.problem, test, partial(kept.model, name))
    return found


class Right:
    """The shares of right labels at a state, computed once for the two accuracies."""

    def __init__(self, test: Problem, at: Callable[[Any], Array]) -> None:
        self.test, self.at = test, at
        self._state: Any = None
        self._shares = np.zeros(0)

    def __call__(self, state: object) -> np.ndarray:
        if state is not self._state:
            self._state, self._shares = state, shares(self.test, self.at(state))
        return self._shares


def _observers(prefix: str, problem: Problem, test: Problem, at: Callable[[Any], Array]) -> Observers:
    right = Right(test, at)
    return {
        f"{prefix}objective": lambda s: objective(problem, at(s)),
        f"{prefix}accuracy": lambda s: float(np.mean(right(s))),
        f"{prefix}accuracy_pooled": lambda s: float(np.average(right(s), weights=test.n)),
    }


def shares(test: Any, W: Array) -> np.ndarray:
    """Each client's share of its test samples that its model labels rightly, ``(m,)``."""
    return to_host(test.accuracy(W))
