"""Empirical rows that are about scheduled rounds alone: decided by their measures, exact or from draws.

A test names ``K``, lists ``M`` and ``N`` ("M" is all neighbours), a ``column``, par0, waves or wait, and the axis along which it
``rises`` or ``falls``, "M" or "N": every figure is above, or below, the one before it, for every value of the other.

Two figures with errors differ where the one-sided normal test says so at the level of `measure.paired`; exact figures are
compared as they are.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from scipy import stats

from ..errors import UsageError, did_you_mean
from ..formats import Document
from ..measure.paired import INCONCLUSIVE, LEVEL, NOT_REPRODUCED, REPRODUCED, Judged, every
from .measures import DRAWS, Row, measured
from .rounds import RULES

WORDS = ("K", "M", "N", "rule", "column", "rises", "falls")
COLUMNS = {
    "par0": "the share of clients that start at once",
    "waves": "the mean of 1/(1 + largest start)",
    "wait": "the mean of the largest start, in local trainings",
}


def on_schedules(tests: Sequence[Document], *, draws: int = DRAWS, seed: int = 0) -> Judged:
    """The verdict of tests that all have to hold, with what they measure.

    Raises
    ------
    UsageError
        If a test has an unknown word, or not one of rises and falls.

    Examples
    --------
    >>> on_schedules([{"K": 6, "M": [1, 2, 5], "N": ["M"], "column": "par0", "falls": "M"}], draws=10).verdict
    'reproduced'
    """
    verdict, why = every([one for test in tests for one in _judged(test, draws, seed)])
    part = "; ".join(dict.fromkeys(f"{COLUMNS[t.get('column', 'wait')]}, K = {t['K']}" for t in tests))
    return Judged(verdict, f"{why} ({part})")


def _judged(test: Document, draws: int, seed: int) -> Iterator[Judged]:
    for word in (w for w in test if w not in WORDS):
        raise UsageError(f"a test of schedules has no {word!r}, only {', '.join(WORDS)}{did_you_mean(word, WORDS)}")
    column = test.get("column", "wait")
    if column not in COLUMNS:
        raise UsageError(f"a test of schedules has no column {column!r}, only {', '.join(COLUMNS)}")
    pairs = [(M, M if N == "M" else N) for M in test["M"] for N in test["N"]]
    found = measured(
        test["K"], [p for p in pairs if p[1] <= p[0]], [test.get("rule", RULES[0])], draws=draws, seed=seed
    )
    if ("rises" in test) == ("falls" in test):
        raise UsageError(f"a test of schedules needs one of rises, falls, got {dict(test)}")
    yield from _along(found, column, test.get("rises", test.get("falls")), rises="rises" in test)


def _along(found: Sequence[Row], column: str, axis: str, *, rises: bool) -> Iterator[Judged]:
    """Every two neighbours along an axis; the other one is held, where N = M as such."""
    lines: dict[object, list[Row]] = {}
    for row in found:
        held = row.M if axis == "N" else "M" if row.N == row.M else row.N
        lines.setdefault(held, []).append(row)
    for line in lines.values():
        for a, b in itertools.pairwise(line):
            yield _less(*((a, b) if rises else (b, a)), column)


def _less(low: Row, high: Row, column: str) -> Judged:
    (a, da), (b, db) = (_figure(row, column) for row in (low, high))
    error = math.hypot(da, db)
    why = f"{column} {a:.4g} at M = {low.M}, N = {low.N} and {b:.4g} at M = {high.M}, N = {high.N}"
    if error == 0:
        return Judged(REPRODUCED if a < b else NOT_REPRODUCED, why)
    z = (b - a) / error
    least = float(stats.norm.ppf(1 - LEVEL))
    return Judged(REPRODUCED if z >= least else NOT_REPRODUCED if z <= -least else INCONCLUSIVE, f"{why}, z = {z:.1f}")


def _figure(row: Row, column: str) -> tuple[float, float]:
    """A figure with its standard error."""
    return getattr(row, column), getattr(row, f"{column}_error", 0.0)
