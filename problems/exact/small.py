"""Real data as federated clients: the sets that scikit-learn carries in its wheel, so nothing is downloaded.

- ``diabetes``: 442 patients, ten features (centred, each of unit norm), a quantitative target. Clients hold successive
  quantiles of the target: the first client the mildest cases, the last one the most severe.
- ``breast-cancer``: 569 tumours, the ten features called 'mean ...', labels 0 (malignant) and 1 (benign) as a
  quantitative target. Clients alternate over the labels, so that each holds one label only when there are several. The
  features are used as they are: areas are in the hundreds and fractal dimensions below one tenth, so the least-squares
  clients have condition numbers near 1e11. The other twenty features (errors and worst values) are left out, since the
  cost of exact arithmetic grows fast with the dimension.
"""

from __future__ import annotations

import numpy as np

from fedtheory.errors import UsageError, did_you_mean

NAMES = ("diabetes", "breast-cancer")
LARGEST_M = 10
MEAN_FEATURES = 10


def federated(name: str, m: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Split a bundled data set into `m` heterogeneous clients.

    Parameters
    ----------
    name : {"diabetes", "breast-cancer"}
        The data set.
    m : int
        Clients, from 1 to 10.

    Returns
    -------
    list of (X, y)
        Features ``(n_i, 10)`` and targets ``(n_i,)`` of every client, float64; every sample belongs to one client.

    Raises
    ------
    UsageError
        If the name is unknown, `m` is out of range, or scikit-learn is not installed.

    Examples
    --------
    >>> [X.shape for X, y in federated("diabetes", 3)]
    [(148, 10), (147, 10), (147, 10)]
    """
    if name not in NAMES:
        near = did_you_mean(str(name), NAMES)
        raise UsageError(f"federated(name=...) must be one of {', '.join(NAMES)}, got {name!r}{near}")
    if not isinstance(m, int) or isinstance(m, bool) or not 1 <= m <= LARGEST_M:
        raise UsageError(f"federated(m=...) must be an integer from 1 to {LARGEST_M}, got {m!r}")
    X, y = _load(name)
    parts = by_quantile(y, m) if name == "diabetes" else by_label(y, m)
    return [(X[rows], y[rows]) for rows in parts]


def by_quantile(y: np.ndarray, m: int) -> list[np.ndarray]:
    """Rows of `m` clients: successive quantiles of the target ``(n,)``."""
    return np.array_split(np.argsort(y, kind="stable"), m)


def by_label(y: np.ndarray, m: int) -> list[np.ndarray]:
    """Rows of `m` clients that alternate over the labels; one client holds everything when m = 1."""
    if m == 1:
        return [np.arange(len(y))]
    labels = np.unique(y)
    owners = [[i for i in range(m) if i % len(labels) == k] for k in range(len(labels))]
    shares = [np.array_split(np.flatnonzero(y == labels[k]), len(own)) for k, own in enumerate(owners) if own]
    return [shares[i % len(labels)][i // len(labels)] for i in range(m)]


def _load(name: str) -> tuple[np.ndarray, np.ndarray]:
    try:
        from sklearn.datasets import load_breast_cancer, load_diabetes
    except ImportError:
        raise UsageError(f'{name} needs scikit-learn; install it with pip install "fedtheory[data]"') from None
    X, y = (load_diabetes if name == "diabetes" else load_breast_cancer)(return_X_y=True)
    return np.asarray(X[:, :MEAN_FEATURES], dtype=np.float64), np.asarray(y, dtype=np.float64)
