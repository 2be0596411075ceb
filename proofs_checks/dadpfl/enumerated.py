"""All rounds of a few clients: every choice of M neighbours for each of K clients, and what becomes of it.

A round has one order of the clients, client k is the k-th of it, from 0 in code and from 1 in print. Two independent pieces of
fedtheory say who waits for whom and when each client starts: `schedules.rounds`, for many rounds at once, and
`algorithms.waiting`, which the method itself runs.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from fedtheory.algorithms.waiting import Schedule, prior_of, schedule
from fedtheory.schedules.rounds import given


def neighbourhoods(K: int, M: int) -> list[list[tuple[int, ...]]]:
    """Of each client every choice of M others."""
    return [list(combinations([j for j in range(K) if j != k], M)) for k in range(K)]


@cache
def prior_sets(K: int, M: int) -> tuple[Any, int]:
    """The prior neighbours in every round, and how many rounds there are."""
    rounds = list(product(*neighbourhoods(K, M)))
    return np.concatenate([given(dict(enumerate(chosen))) for chosen in rounds], axis=-1), len(rounds)


def played(K: int, M: int, N: int) -> Iterator[tuple[np.ndarray, np.ndarray, Schedule]]:
    """Of every round whom each client hears, who of them is prior, and its schedule: the fastest N of them are awaited."""
    K, M, N = int(K), int(M), int(N)  # sizes of an instance are no plain integers, which NumPy asks for
    order = np.arange(K)
    for chosen in product(*neighbourhoods(K, M)):
        hears = np.zeros((K, K), dtype=bool)
        for k, others in enumerate(chosen):
            hears[k, list(others)] = True
        prior = prior_of(hears, order)
        yield hears, prior, schedule(prior, order, N)
