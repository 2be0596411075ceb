"""Parallelism and delay of scheduled rounds (DA-DPFL, Section VI-E): exact where there is a formula, else from draws.

- ``par0``: the mean share of clients that start at time 0. It is 1/(M + 1) for every N >= 1 and every rule, and 1 for N = 0: a
  client starts then if it has no prior neighbour, of which client k has none with probability C(K - k, M)/C(K - 1, M), and these
  sum to C(K, M + 1)/C(K - 1, M) = K/(M + 1).
- ``waves``: the mean of 1/(1 + largest start), a parallelism over the whole round.
- ``wait``: the mean of the largest start, in units of one local training: how often longer a round takes, less 1.

Where N = 0 nobody waits; where all others are neighbours (M = K - 1) and the fastest or the lowest N are awaited, as all rules do
for N = M, the largest start is N in every round, and for one of them at random it is the height of a random tree (`trees`).
Everywhere else `wait` and `waves` are means over draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..random import stream
from .rounds import RULES, WORD, check, drawn, starts, waiting
from .trees import heights

DRAWS = 10_000
BLOCK, OCTETS = 1_000, 2**25  # rounds at a time at most, and the bytes of their sets
CONFIDENCE = 0.95
LEAST = 3  # points of a fit with an interval


class Row(NamedTuple):
    """The measures at one setting; an error is the standard error of a mean, 0 of what is exact.

    Attributes
    ----------
    par0, waves, wait : float
        Shares, and a time in units of one local training.
    par0_drawn : float
        The mean share over the draws, beside its exact value; nan without draws.
    exact : tuple of str
        Which of the three are.
    draws : int
        Rounds that were drawn; 0 where everything is exact.
    """

    K: int
    M: int
    N: int
    rule: str
    par0: float
    waves: float
    wait: float
    waves_error: float
    wait_error: float
    par0_drawn: float
    par0_drawn_error: float
    exact: tuple[str, ...]
    draws: int


class Fit(NamedTuple):
    """wait ~ M^exponent where all prior neighbours are awaited, N = M: least squares on logarithms.

    Attributes
    ----------
    exponent, low, high : float
        With its interval of confidence `CONFIDENCE`, Student's t on the deviations of the points from the line.
    between : list of float
        The exponents between one M and the next.
    """

    rule: str
    exponent: float
    low: float
    high: float
    M: list[int]
    between: list[float]


def par0(M: int, N: int) -> Fraction:
    """The share of clients that start at time 0, exactly: 1/(M + 1), or 1 where nobody waits.

    Examples
    --------
    >>> par0(10, 5), par0(10, 0)
    (Fraction(1, 11), Fraction(1, 1))
    """
    return Fraction(1, M + 1) if N else Fraction(1)


def exactly(K: int, M: int, N: int, rule: str) -> tuple[float, float] | None:
    """`waves` and `wait` where there is a formula, else None.

    Examples
    --------
    >>> exactly(100, 10, 0, "random"), exactly(100, 99, 19, "lowest"), exactly(100, 99, 19, "random")
    ((1.0, 0.0), (0.05, 19.0), None)
    >>> [round(value, 12) for value in exactly(4, 3, 1, "random")]  # heights 1, 2, 3 with probabilities 1/6, 4/6, 1/6
    [0.347222222222, 2.0]
    """
    if N == 0:
        return 1.0, 0.0
    if M < K - 1 or (rule == "random" and 1 < N < M):
        return None
    if rule == "random" and N < M:
        chances = heights(K)
        return math.fsum(p / (1 + h) for h, p in enumerate(chances)), math.fsum(h * p for h, p in enumerate(chances))
    return 1 / (1 + N), float(N)


def measured(
    K: int,
    pairs: Iterable[tuple[int, int]],
    rules: Sequence[str] = RULES[:1],
    *,
    draws: int = DRAWS,
    seed: int = 0,
    done: Callable[[int], None] = lambda work: None,
) -> list[Row]:
    """The measures at each (M, N) and rule.

    The rounds of one M are the same for all N and rules, so that these are compared on equal draws; where N = M all rules are
    one, and so are their figures.

    Parameters
    ----------
    K : int
        Clients.
    pairs : list of (M, N)
        Neighbours of each, and for how many prior ones a client waits at most.
    rules : list of str
        Which prior neighbours are waited for, of `RULES`.
    draws, seed : int
        Rounds to draw, and the seed of the streams.
    done : callable
        Is told how many draws of a setting have been looked at.

    Raises
    ------
    UsageError
        If K, M, N, a rule or the seed is out of range.

    Examples
    --------
    >>> row = measured(6, [(5, 2)], ["lowest"])[0]
    >>> row.par0, row.waves, row.wait, row.exact
    (0.16666666666666666, 0.3333333333333333, 2.0, ('par0', 'waves', 'wait'))
    """
    asked = list(dict.fromkeys(pairs))
    for M, N in asked:
        for rule in rules:
            check(K, M, N, rule)
    found: dict[tuple[int, int, str], Row] = {}
    for M in dict.fromkeys(M for M, _ in asked):
        own = [(N, rule) for m, N in asked if m == M for rule in rules]
        unknown = [(N, RULES[0] if N == M else rule) for N, rule in own if exactly(K, M, N, rule) is None]
        tallies = {key: _Tally() for key in unknown}
        at_once = min(BLOCK, max(1, OCTETS // (K * (K + WORD) // 8)))
        for block in range(-(-draws // at_once)) if tallies else ():
            size = min(at_once, draws - block * at_once)
            prior = drawn(K, M, draws=size, rng=stream(seed, block, f"neighbours {K} {M}"))
            for (N, rule), tally in tallies.items():
                chosen = stream(seed, block, f"awaited {K} {M} {N}")
                tally.add(starts(waiting(prior, N, rule, chosen)))
                done(size)
        for N, rule in own:
            tally = tallies.get((N, RULES[0] if N == M else rule), _Tally())
            found[M, N, rule] = _row(K, M, N, rule, tally)
    return [found[M, N, rule] for M, N in asked for rule in rules]


class _Tally:
    """Shares and largest starts of the rounds so far."""

    def __init__(self) -> None:
        self.first: list[np.ndarray] = []
        self.last: list[np.ndarray] = []

    def add(self, start: np.ndarray) -> None:
        """Those of rounds whose starts are (K, draws)."""
        self.first.append((start == 0).mean(axis=0))
        self.last.append(start.max(axis=0))


def _row(K: int, M: int, N: int, rule: str, tally: _Tally) -> Row:
    share, known = float(par0(M, N)), exactly(K, M, N, rule)
    if known is not None:
        exact = ("par0", "waves", "wait")
        return Row(K, M, N, rule, share, *known, 0.0, 0.0, math.nan, math.nan, exact, 0)
    first, last = np.concatenate(tally.first), np.concatenate(tally.last)
    waves, wait, started = (_mean(values) for values in (1 / (1 + last), last, first))
    return Row(K, M, N, rule, share, waves[0], wait[0], waves[1], wait[1], *started, ("par0",), len(last))


def _mean(values: np.ndarray) -> tuple[float, float]:
    """A mean with its standard error, which one draw has not."""
    error = values.std(ddof=1) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return float(values.mean()), float(error)


def fitted(rows: Sequence[Row]) -> list[Fit]:
    """The exponent of the wait in M of each rule, where N = M at three values of M or more ("almost linearly", Section VI-E).

    Examples
    --------
    >>> row = measured(6, [(5, 5)])[0]
    >>> rows = [row._replace(M=M, N=M, wait=3.0 * M**2) for M in (1, 2, 4)]
    >>> round(fitted(rows)[0].exponent, 12), [round(e, 12) for e in fitted(rows)[0].between]
    (2.0, [2.0, 2.0])
    """
    out = []
    for rule in dict.fromkeys(row.rule for row in rows):
        own = sorted((r.M, r.wait) for r in rows if r.rule == rule and r.N == r.M and r.wait > 0)
        if len(own) < LEAST:
            continue
        from scipy.stats import linregress, t

        x, y = np.log([M for M, _ in own]), np.log([wait for _, wait in own])
        line = linregress(x, y)
        half = float(t.ppf((1 + CONFIDENCE) / 2, len(own) - 2)) * float(line.stderr)
        slope = float(line.slope)
        between = [float(s) for s in np.diff(y) / np.diff(x)]
        out.append(Fit(rule, slope, slope - half, slope + half, [M for M, _ in own], between))
    return out
