"""What an accuracy is to be set beside: the most frequent label, models without communication, one model on all data.

The two fits minimise the training loss of the model with a small ridge in place of its own regulariser, to the precision of
Newton's method; a hinge is smoothed for it, since the plain one has no proximal points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError

from .build import Setup
from .clients.margin import MarginClients
from .clients.store import Store

RIDGE = 1e-3
SMOOTHING = 0.1
NAMES = ("majority label", "local only", "centralised")


def references(setup: Setup) -> dict[str, dict[str, float]]:
    """Accuracies on the test samples of `NAMES`, each as the mean over clients and pooled over all test samples.

    Parameters
    ----------
    setup : Setup
        A classification problem on NumPy with test samples.

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
    fit = _fitted(problem)
    zero = problem.xp.zeros((1, problem.d))
    shares = (
        _majority(problem, test),
        test.accuracy(fit.prox(zero, RIDGE)),
        test.accuracy(_pooled(fit).prox(zero, RIDGE)),
    )
    return {
        name: {"accuracy": float(np.mean(s)), "accuracy_pooled": float(np.average(s, weights=test.n))}
        for name, s in zip(NAMES, (to_host(s) for s in shares), strict=True)
    }


def _majority(problem: Any, test: Any) -> np.ndarray:
    """Each client's share of test samples with its most frequent training label, ``(m,)``."""
    found = []
    for own, held in zip(_labels(problem), _labels(test), strict=True):
        values, counts = np.unique(own, return_counts=True)
        found.append(float(np.mean(held == values[np.argmax(counts)])))
    return np.array(found)


def _labels(problem: Any) -> list[np.ndarray]:
    store = problem.store
    y = to_host(store.y)
    return [y[a : a + n] for a, n in zip(store.start, store.n, strict=True)]


def _fitted(problem: Any) -> Any:
    """The same losses without a regulariser, and with proximal points."""
    out = problem.unregularised()
    if isinstance(out, MarginClients) and out.smoothing is None:
        out.smoothing = SMOOTHING
    return out


def _pooled(problem: Any) -> Any:
    """One client that holds the samples of all."""
    store = problem.store
    rows = np.concatenate([np.arange(a, a + n) for a, n in zip(store.start, store.n, strict=True)])
    n = np.array([len(rows)])
    return problem._on(Store(store.X[rows], store.y[rows], n, np.array([0]), n))
