"""Who holds which samples: the table that every partition returns, and the checks of its arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fedtheory.checks import whole
from fedtheory.errors import UsageError

from .generators import Clients


@dataclass(frozen=True, eq=False)
class Partition:
    """Which client holds which samples.

    Attributes
    ----------
    name : str
        How the samples were divided.
    rows : tuple of ndarray
        Row indices (int64, ascending) of each client; disjoint, and together all rows.
    counts : ndarray
        Samples of each client and label, ``(m, C)``; C = 1 where the targets are not labels.
    labels : ndarray or None
        The labels of the columns of `counts`, ``(C,)``, or None.
    """

    name: str
    rows: tuple[np.ndarray, ...]
    counts: np.ndarray
    labels: np.ndarray | None

    @property
    def m(self) -> int:
        """Clients."""
        return len(self.rows)

    @property
    def sizes(self) -> np.ndarray:
        """Samples of each client, ``(m,)``."""
        return self.counts.sum(axis=1)

    def take(self, X: np.ndarray, y: np.ndarray) -> Clients:
        """The clients' own (X, y): copies of their rows."""
        return [(X[rows], y[rows]) for rows in self.rows]


def divided(name: str, parts: Sequence[np.ndarray], y: np.ndarray) -> Partition:
    """Sorted rows with their table of counts; a client without a sample is refused."""
    rows = tuple(np.sort(np.asarray(part, dtype=np.int64)) for part in parts)
    empty = [i for i, r in enumerate(rows) if not len(r)]
    if empty:
        raise UsageError(f"{name}: client {empty[0]} of {len(rows)} has no sample; use fewer clients.")
    if y.dtype.kind == "f":
        return Partition(name, rows, np.array([[len(r)] for r in rows]), None)
    labels, codes = np.unique(y, return_inverse=True)
    counts = np.stack([np.bincount(codes[r], minlength=len(labels)) for r in rows])
    return Partition(name, rows, counts, labels)


def targets_of(call: str, y: np.ndarray) -> np.ndarray:
    """`y` as finite numbers, one a sample; `call` is the function that was called."""
    y = np.asarray(y)
    if y.ndim != 1 or not len(y):
        raise UsageError(f"`{call}(y=...)` must be one target or label a sample, (n,) with n > 0, got shape {y.shape}.")
    if y.dtype.kind not in "biuf" or not np.isfinite(y).all():
        raise UsageError(f"`{call}(y=...)` must hold finite numbers, got {y.dtype} with another entry.")
    return y


def labels_of(call: str, y: np.ndarray) -> np.ndarray:
    """`y` as labels of an integer type."""
    y = targets_of(call, y)
    if y.dtype.kind == "f":
        raise UsageError(
            f"`{call}(y=...)` needs labels of an integer type, got {y.dtype} targets; use iid or quantiles."
        )
    return y


def clients_of(call: str, m: int, y: np.ndarray) -> int:
    """`m` as a number of clients, at most one a sample."""
    return whole(f"{call}(m=...)", m, 1, len(y))
