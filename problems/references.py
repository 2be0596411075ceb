"""What an accuracy is to be set beside: the most frequent label, models without communication, one model on all data.

The two fits minimise the training loss of the model with a small ridge in place of its own regulariser, to the precision of
Newton's method. In place of a hinge, which has no second derivatives, they take the cross-entropy of the same linear model.
A network is trained on the loss as it is, `problems.networks.training`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fedtheory._arrays import to_host
from fedtheory.checks import initial
from fedtheory.errors import UsageError

from .build import NETWORKS, Setup
from .clients.margin import MarginClients
from .clients.softmax import SoftmaxClients
from .clients.store import Store

RIDGE = 1e-3
NAMES = ("majority label", "local only", "centralised")


def references(setup: Setup) -> dict[str, dict[str, float]]:
    """Accuracies on the test samples of `NAMES`, each as the mean over clients and pooled over all test samples.

    Parameters
    ----------
    setup : Setup
        A classification problem with test samples.

    Raises
    ------
    UsageError
        If there are no test samples or no labels.
    """
    problem: Any = setup.problem
    test: Any = setup.test
    if test is None:
        raise UsageError("reference points are measured on test samples: give train, the share of samples for training")
    if not hasattr(problem, "accuracy") or setup.partition.labels is None:
        raise UsageError(f"reference points are accuracies, and the model {setup.model} has targets")
    local, centralised = _trained(problem) if setup.model in NETWORKS else _minimised(problem)
    shares = (_majority(problem, test), test.accuracy(local), test.accuracy(centralised))
    return {
        name: {"accuracy": float(np.mean(s)), "accuracy_pooled": float(np.average(s, weights=test.n))}
        for name, s in zip(NAMES, (to_host(s) for s in shares), strict=True)
    }


def majority(setup: Setup) -> dict[str, dict[str, float]]:
    """The first of `references` alone, which costs nothing."""
    test: Any = setup.test
    if test is None:
        raise UsageError("reference points are measured on test samples: give train, the share of samples for training")
    share = _majority(setup.problem, test)
    return {NAMES[0]: {"accuracy": float(np.mean(share)), "accuracy_pooled": float(np.average(share, weights=test.n))}}


def _minimised(problem: Any) -> tuple[Any, Any]:
    """The minimisers ``(m, d)`` and ``(1, d)`` of each client's loss and of all samples', with the ridge."""
    fit, zero = _fitted(problem), initial("references(...)", None, problem, 1)
    return fit.prox(zero, RIDGE), _pooled(fit).prox(zero, RIDGE)


def _trained(problem: Any) -> tuple[Any, Any]:
    """Networks ``(m, d)`` and ``(1, d)`` trained by each client alone, and on all samples."""
    from .networks.training import trained  # not at the top: torch is an extra

    return trained(problem), trained(_pooled(problem))


def _majority(problem: Any, test: Any) -> np.ndarray:
    """Each client's share of test samples with its most frequent training label, ``(m,)``."""
    found = []
    for own, held in zip(_labels(problem), _labels(test), strict=True):
        values, counts = np.unique(own, return_counts=True)
        found.append(float(np.mean(held == values[np.argmax(counts)])))
    return np.array(found)


def _labels(problem: Any) -> list[np.ndarray]:
    y = to_host(problem.store.y)
    return [y[rows] for rows in _rows(problem)]


def _rows(problem: Any) -> list[slice]:
    """Where each client's own samples stand in the store."""
    store = problem.store
    return [slice(int(a), int(a + n)) for a, n in zip(store.start, store.n, strict=True)]


def _fitted(problem: Any) -> Any:
    """The same linear model without a regulariser, with a loss that has second derivatives."""
    if not isinstance(problem, MarginClients):
        return problem.unregularised()
    store = problem.store
    own = [(to_host(store.X[rows]), to_host(store.y[rows])) for rows in _rows(problem)]
    return SoftmaxClients(own, classes=problem.classes, xp=problem.xp, device=problem.device)


def _pooled(problem: Any) -> Any:
    """One client that holds the samples of all."""
    store, rows = problem.store, _rows(problem)
    n = np.array([store.n.sum()])
    X, y = (problem.xp.concat([a[r] for r in rows]) for a in (store.X, store.y))
    return problem._on(Store(X, y, n, np.array([0]), n))
