"""The schedule of a round in which clients wait for neighbours: who waits for whom, and in which wave each client trains.

Training takes one unit of time and a model no time to travel. Client k may wait for those of its neighbours that are prior to
it, at most for N of them (DA-DPFL, Section IV-B). A client starts at the first whole time at which all that it waits for have
finished; who starts together is a wave, and is computed together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..errors import UsageError

RULES = ("fastest", "lowest", "random")
INDICES = ("own", "global")


class Schedule(NamedTuple):
    """Who waits for whom in a round, on the host.

    Attributes
    ----------
    start : (m,) integers
        Time at which each client begins to train.
    waited : (m, m) bool
        True at ``[k, j]`` where client k takes the model that client j has trained in this round.
    """

    start: np.ndarray
    waited: np.ndarray

    @property
    def units(self) -> int:
        """Units of time until everybody has trained."""
        return int(self.start.max()) + 1

    def waves(self) -> Iterator[np.ndarray]:
        """Masks ``(m,)`` of those who start together, one time after the other."""
        for time in range(self.units):
            yield self.start == time


def prior_of(hears: np.ndarray, order: np.ndarray) -> np.ndarray:
    """The prior neighbours ``(m, m)`` where one order of the clients holds for all: those that stand before the client.

    Parameters
    ----------
    hears : (m, m) bool
        True at ``[k, j]`` where client k hears client j.
    order : (m,) integers
        The place of each client in the order.
    """
    return hears & (order < order[:, None])


def prior_of_own(hears: np.ndarray, order: np.ndarray, indices: np.ndarray) -> np.ndarray:
    """The prior neighbours as Algorithm 1 prints them, lines 6 to 9: every client has reuse indices of its own.

    Client k draws a set of as many indices as it has neighbours and a bijection to them; prior are those whose index is at
    most its own. `indices` ``(m, m)`` holds one index for every pair, of which those of the neighbours are the set.
    """
    return hears & (indices <= order[:, None])


def schedule(
    prior: np.ndarray, order: np.ndarray, N: int, rule: str = "fastest", chance: np.ndarray | None = None
) -> Schedule:
    """The waves of a round.

    Parameters
    ----------
    prior : (m, m) bool
        The prior neighbours of every client.
    order : (m,) integers
        Places of the clients; of neighbours that finish together the one with the lower place is the faster.
    N : int
        Prior neighbours that a client waits for, at most.
    rule : {"fastest", "lowest", "random"}
        Those that finish first, those of the lowest place, or those of the least `chance`.
    chance : (m, m), optional
        Random numbers for "random".

    Raises
    ------
    UsageError
        If clients wait for each other in a circle, which no order of all clients does.

    Examples
    --------
    >>> chain = np.tri(3, k=-1, dtype=bool)  # everybody waits for all before him
    >>> schedule(chain, np.arange(3), 2).start.tolist(), schedule(chain, np.arange(3), 1).start.tolist()
    ([0, 1, 2], [0, 1, 1])
    """
    m = len(prior)
    need = np.minimum(prior.sum(axis=1), N)
    start, waited = np.where(need == 0, 0, m), np.zeros((m, m), dtype=bool)
    if rule == "fastest":
        candidates = prior
    else:
        score = order if rule == "lowest" or chance is None else chance
        candidates = waited = _first(prior, score, need)
    for time in range(1, m + 1):
        if (start < m).all():
            return Schedule(start, waited)
        done = candidates & (start < time)
        ready = (start == m) & (done.sum(axis=1) >= need)
        if not ready.any():
            break
        if rule == "fastest":
            waited[ready] = _first(done[ready], start * m + order, need[ready])
        start = np.where(ready, time, start)
    raise UsageError(
        f"{_circle(candidates & (start == m), start == m)}, so nobody of them ever trains; "
        "give all clients one order of reuse indices (--indices global), or wait for nobody (--wait 0)"
    )


def _first(among: np.ndarray, score: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Of every row of `among` the `count` ``(m,)`` entries of the lowest score ``(m,)`` or ``(m, m)``."""
    score = np.where(among, score, np.inf)
    place = np.argsort(np.argsort(score, axis=1, kind="stable"), axis=1, kind="stable")
    return among & (place < count[:, None])


def _circle(waits: np.ndarray, left: np.ndarray) -> str:
    """In words, clients that wait for each other; each of those that are `left` waits for another one of them."""
    path = [int(np.flatnonzero(left)[0])]
    while True:
        after = int(np.argmax(waits[path[-1]]))
        if after in path:
            return f"clients wait for each other: {' -> '.join(map(str, [*path[path.index(after) :], after]))}"
        path.append(after)
