"""Training and test samples of every client."""

from __future__ import annotations

from fractions import Fraction

from fedtheory.checks import number
from fedtheory.errors import UsageError
from fedtheory.random import stream

from .generators import Clients


def train_test(clients: Clients, *, train: float = 0.75, seed: int = 0) -> tuple[Clients, Clients]:
    """Each client's samples in random order, the first floor(train n_i) for training and the others for testing.

    Parameters
    ----------
    clients : list of (X, y)
        At least two samples each.
    train : float
        Share for training, between 0 and 1: 0.75 in pFedMe's text, 0.9 in its code, 0.8 in FLAME's. Read as the decimal it
        is typed as, so that 0.9 of 10 samples are 9. Both sides get at least one sample.
    seed : int
        Seed of `fedtheory.random.stream`; a client's split depends on its position and size only.

    Raises
    ------
    UsageError
        If `train` is not between 0 and 1 or a client has a single sample.

    Examples
    --------
    >>> import numpy as np
    >>> train, test = train_test([(np.zeros((10, 2)), np.arange(10))], train=0.9)
    >>> len(train[0][1]), len(test[0][1])
    (9, 1)
    """
    share = number("train_test(train=...)", train, positive=True)
    if share >= 1:
        raise UsageError(f"`train_test(train=...)` must be below 1, got {train!r}.")
    exact = Fraction(str(share))
    sides: tuple[Clients, Clients] = ([], [])
    for i, (X, y) in enumerate(clients):
        n = len(y)
        if n < 2:
            raise UsageError(f"`train_test(clients=...)` needs two samples a client, client {i} has {n}.")
        order = stream(seed, i, "split").permutation(n)
        cut = max(int(exact * n), 1)
        for side, rows in zip(sides, (order[:cut], order[cut:]), strict=True):
            side.append((X[rows], y[rows]))
    return sides
