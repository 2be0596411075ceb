"""One scheduled round of DA-DPFL: who waits for whom, and when each client starts (Long et al., Sections IV-B and VI-E).

A round has one order of its K clients, the reuse indices, which are assigned anew in every round, so that client k is the k-th of
the order. Its neighbours are M of the others at random; those before it in the order are its prior ones, and it waits for
min(N, their number) of them. Training takes the time 1 and a transfer none, so that a client starts at a whole number: 0 if it
waits for nobody, else 1 after the last start among those that it waits for. The paper lets it wait for the fastest ("at most, N
fastest clients"); the two other rules are readings beside that one.

Sets of clients are bits of words of 64, shape ``(words, K, draws)``: bit j of client k says whether j is in the set of k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from ..quantity import Array

RULES = ("fastest", "lowest", "random")
WORD = 64


class Waiting(NamedTuple):
    """For whom the clients of some rounds wait.

    Attributes
    ----------
    of : uint64, (words, K, draws)
        The clients of whom `needed` have to be done.
    needed : int, (K, draws)
        How many of them.
    """

    of: Any
    needed: Any


def check(K: int, M: int, N: int, rule: str = RULES[0], *, called: Mapping[str, str] | None = None) -> None:
    """Raise UsageError unless 1 <= M < K (Section IV-B), 0 <= N <= M, and the rule is known.

    Parameters
    ----------
    called : dict
        What the arguments are called where they were given, as ``{"M": "--M"}``.

    Examples
    --------
    >>> check(6, 6, 1)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: M must be below K, as nobody is a neighbour of itself, got M = 6 and K = 6
    """
    name = {n: n for n in ("K", "M", "N", "rule")} | dict(called or {})
    for n, value, least in (("K", K, 2), ("M", M, 1), ("N", N, 0)):
        if value < least:
            raise UsageError(f"{name[n]} must be at least {least}, got {value}")
    if M >= K:
        raise UsageError(f"{name['M']} must be below K, as nobody is a neighbour of itself, got M = {M} and K = {K}")
    if N > M:
        raise UsageError(f"{name['N']} must be at most M, the number of neighbours, got N = {N} and M = {M}")
    if rule not in RULES:
        raise UsageError(f"{name['rule']} must be one of {', '.join(RULES)}, got {rule!r}{did_you_mean(rule, RULES)}")


def drawn(K: int, M: int, *, draws: int, rng: np.random.Generator) -> Array:
    """The prior neighbours of each client in some rounds: of M neighbours, a uniform choice, those before it in the order.

    Parameters
    ----------
    K, M : int
        Clients, and neighbours of each.
    draws : int
        Rounds.
    rng : numpy.random.Generator
        Where the choices come from.

    Returns
    -------
    uint64, (words, K, draws)
        Sets of clients.

    Raises
    ------
    UsageError
        If not 1 <= M < K.

    Examples
    --------
    >>> prior = drawn(5, 4, draws=1, rng=np.random.default_rng(0))
    >>> [members(prior, k) for k in range(5)]  # with all others as neighbours these are all before it
    [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]
    """
    check(K, M, 0)
    bits = np.zeros((_words(K), K, draws), dtype=np.uint64)
    left = np.full((K, draws), M, dtype=np.float32)  # neighbours that are still to be chosen
    for j in range(
        K - 1
    ):  # the others of client k > j, in their order: j is chosen with the probability left/(those left)
        after = slice(j + 1, K)
        take = rng.random((K - 1 - j, draws), dtype=np.float32) < left[after] / np.float32(K - 1 - j)
        left[after] -= take
        bits[j // WORD, after] |= take.astype(np.uint64) << np.uint64(j % WORD)
    return bits


def given(neighbours: Mapping[int, Sequence[int]]) -> np.ndarray:
    """The prior neighbours in a round that is given: the neighbours of each client by its place 0 .. K-1 in the order.

    Returns
    -------
    uint64, (words, K, 1)
        Sets of clients.

    Raises
    ------
    UsageError
        If a client has itself or an unknown client as a neighbour, or is not there.
    """
    K = len(neighbours)
    bits = np.zeros((_words(K), K, 1), dtype=np.uint64)
    for k in range(K):
        for j in neighbours.get(k, (k,)):
            if j == k or not 0 <= j < K:
                raise UsageError(f"neighbours of client {k} must be others of the clients 0 to {K - 1}, got {j}")
            if j < k:
                bits[j // WORD, k] |= np.uint64(1 << j % WORD)
    return bits


def waiting(prior: Any, N: int, rule: str, rng: np.random.Generator | None = None) -> Waiting:
    """Whom clients wait for, of their prior neighbours: the N that are done first, the N of lowest index, or N at random.

    Parameters
    ----------
    prior : uint64, (words, K, draws)
        Sets of clients, as `drawn` gives them.
    N : int
        At most so many; 0 for nobody.
    rule : str
        One of `RULES`.
    rng : numpy.random.Generator
        For the rule ``random``.

    Raises
    ------
    UsageError
        If N is negative, the rule unknown, or it is random without a generator.
    """
    K = prior.shape[1]
    check(K, K - 1, min(N, K - 1), rule)
    count = _count(prior)
    needed = np.minimum(count, N)
    if rule == "fastest" or (count <= N).all():
        return Waiting(prior, needed)
    if rule == "random" and rng is None:
        raise UsageError("the rule random needs rng=..., a generator")
    chosen = np.zeros_like(prior)
    members, left = count.astype(np.float32), needed.astype(np.float32)  # that are still to come, and to be chosen
    for j in range(K - 1):
        after = slice(j + 1, K)
        member = (prior[j // WORD, after] >> np.uint64(j % WORD) & np.uint64(1)).astype(bool)
        take = member & (left[after] > 0)
        if rng is not None and rule == "random":  # each of the members that are left with the same probability
            u = rng.random(take.shape, dtype=np.float32)
            take &= u < left[after] / np.maximum(members[after], 1)
        left[after] -= take
        members[after] -= member
        chosen[j // WORD, after] |= take.astype(np.uint64) << np.uint64(j % WORD)
    return Waiting(chosen, needed)


def starts(awaited: Waiting) -> np.ndarray:
    """When each client starts, in units of one local training.

    Returns
    -------
    int, (K, draws)
        The earliest times at which so many as are needed of those awaited are done. Nobody waits for a client that is after
        it in the order, so that every client starts, at K - 1 at the latest.

    Examples
    --------
    >>> prior = given({0: (1, 2), 1: (0, 2), 2: (0, 1)})
    >>> [starts(waiting(prior, N, "fastest"))[:, 0].tolist() for N in (0, 1, 2)]
    [[0, 0, 0], [0, 1, 1], [0, 1, 2]]
    """
    words, K, draws = awaited.of.shape
    found = np.full((K, draws), -1, dtype=np.int32)
    done = np.zeros((words, 1, draws), dtype=np.uint64)
    needed = awaited.needed.astype(np.uint16)
    for time in range(K):
        ready = (found < 0) & (_count(awaited.of & done) >= needed)
        found[ready] = time
        if (found >= 0).all():
            break
        done |= _packed(ready, words)
    return found


def members(sets: np.ndarray, k: int, draw: int = 0) -> list[int]:
    """The set of one client in one round, as a list."""
    return [j for j in range(sets.shape[1]) if int(sets[j // WORD, k, draw]) >> j % WORD & 1]


def one(prior: Any, N: int, rule: str, rng: np.random.Generator | None = None) -> list[tuple[int, list[int]]]:
    """One round in full: of each client when it starts, and for whom it waits.

    Of several that are done at the same time the one of lower index counts as the faster.

    Examples
    --------
    >>> one(given({0: (1, 2), 1: (0, 2), 2: (0, 1)}), 1, "fastest")
    [(0, []), (1, [0]), (1, [0])]
    """
    awaited = waiting(prior, N, rule, rng)
    start = starts(awaited)[:, 0].tolist()
    found = []
    for k, own in enumerate(start):
        first = sorted(members(awaited.of, k), key=lambda j: (start[j], j))
        found.append((own, sorted(first[: int(awaited.needed[k, 0])])))
    return found


def _words(K: int) -> int:
    return -(-K // WORD)


def _count(sets: np.ndarray) -> Any:
    """How many clients are in each set, (K, draws)."""
    return np.bitwise_count(sets).sum(axis=0, dtype=np.uint16)


def _packed(flags: np.ndarray, words: int) -> Array:
    """Flags of clients, (K, draws), as one set a round, (words, 1, draws)."""
    K, draws = flags.shape
    octets = np.zeros((words * 8, draws), dtype=np.uint64)
    octets[: -(-K // 8)] = np.packbits(flags, axis=0, bitorder="little")
    shift = 8 * np.arange(8, dtype=np.uint64)[:, None]
    return np.bitwise_or.reduce(octets.reshape(words, 8, draws) << shift, axis=1)[:, None]
