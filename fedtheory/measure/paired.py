"""Empirical claims: decided from printed numbers exactly, or by a sign test over seeds.

A claim that one figure is below another is ``reproduced`` where the exact one-sided sign test over the seeds says so at the
level `LEVEL` in every comparison that the claim makes, ``not reproduced`` where one comparison says the opposite or shows no
difference on any seed, and ``inconclusive`` otherwise. The sign test asks for nothing but independent seeds; of fewer than
five it can conclude nothing at this level.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scipy import stats

LEVEL = 0.05
REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE = "reproduced", "not reproduced", "inconclusive"
NEEDS_DATA = "needs data that is not here"
SETTING = "a setting, no claim"
HOLDS, FAILS = "holds on the printed numbers", "fails on the printed numbers"


class Judged(NamedTuple):
    """What is decided of an empirical claim, and on what."""

    verdict: str
    why: str


def less(left: Mapping[int, float], right: Mapping[int, float], said: str = "") -> Judged:
    """Whether a figure is below another on the same seeds.

    Examples
    --------
    >>> less({s: s for s in range(5)}, {s: s + 1 for s in range(5)}).verdict
    'reproduced'
    >>> less({0: 1.0, 1: 2.0}, {0: 2.0, 1: 3.0}).verdict
    'inconclusive'
    """
    seeds = sorted(set(left) & set(right))
    below, above = (sum(sign * (right[s] - left[s]) > 0 for s in seeds) for sign in (1, -1))
    if below == above == 0:
        return Judged(NOT_REPRODUCED, f"{said}equal on all {len(seeds)} seeds")
    why = f"{said}below on {below}, above on {above} of {len(seeds)} seeds"
    p, opposite = (stats.binomtest(k, below + above, alternative="greater").pvalue for k in (below, above))
    if p <= LEVEL:
        return Judged(REPRODUCED, f"{why}, p = {p:.2g}")
    if opposite <= LEVEL:
        return Judged(NOT_REPRODUCED, f"{why}, p = {opposite:.2g} for the opposite")
    return Judged(INCONCLUSIVE, f"{why}, p = {p:.2g}")


def near(values: Sequence[float], printed: float, within: float, said: str = "") -> Judged:
    """Whether a mean over seeds lies within a distance of a printed value, by its t interval of confidence 1 - LEVEL.

    Examples
    --------
    >>> near([77.3, 77.5, 77.6], 77.62, 1.0).verdict, near([70.0, 70.1, 70.2], 77.62, 1.0).verdict
    ('reproduced', 'not reproduced')
    """
    n = len(values)
    if n < 2:
        return Judged(INCONCLUSIVE, f"{said}one seed has no interval")
    mean, error = float(stats.tmean(values)), float(stats.sem(values))
    half = float(stats.t.ppf(1 - LEVEL / 2, n - 1)) * error
    why = f"{said}{mean:.2f} +- {half:.2f} of {n} seeds against {printed} +- {within:g}"
    if abs(mean - printed) + half <= within:
        return Judged(REPRODUCED, why)
    return Judged(NOT_REPRODUCED if abs(mean - printed) - half > within else INCONCLUSIVE, why)


def every(parts: Sequence[Judged]) -> Judged:
    """A claim of several comparisons: as good as the worst of them, in the order not reproduced, inconclusive, reproduced."""
    for verdict in (NOT_REPRODUCED, INCONCLUSIVE, REPRODUCED):
        if found := [p.why for p in parts if p.verdict == verdict]:
            more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
            return Judged(verdict, "; ".join(found[:3]) + more)
    return Judged(INCONCLUSIVE, "nothing to compare")


def either(parts: Sequence[Judged]) -> Judged:
    """A claim of which the paper leaves open how it is meant: as good as the best of its readings.

    Examples
    --------
    >>> either([near([7.0, 7.1, 7.2], 7, 1.0), near([70.0, 70.1, 70.2], 7, 1.0)]).verdict
    'reproduced'
    """
    for verdict in (REPRODUCED, INCONCLUSIVE):
        if found := [p.why for p in parts if p.verdict == verdict]:
            return Judged(verdict, found[0])
    return Judged(NOT_REPRODUCED, "; ".join(p.why for p in parts))


def descending(printed: Sequence[Sequence[str]]) -> Judged:
    """Whether printed numbers stand in the order of the text: every list strictly from the largest to the smallest.

    Examples
    --------
    >>> descending([["95.62", "94.37", "94.18"]]).verdict, descending([["1", "1"]]).verdict
    ('holds on the printed numbers', 'fails on the printed numbers')
    """
    for numbers in printed:
        for a, b in itertools.pairwise(numbers):
            if not Fraction(a) > Fraction(b):
                return Judged(FAILS, f"{a} > {b} is false")
    return Judged(HOLDS, "; ".join(" > ".join(numbers) for numbers in printed))


def mean_is(numbers: Sequence[str], said: str) -> Judged:
    """Whether the mean of printed numbers is what the text says, at the digits that it gives.

    Examples
    --------
    >>> mean_is(["7.0", "4.5", "2.0", "1.5"], "3.75").verdict
    'holds on the printed numbers'
    """
    mean = sum(map(Fraction, numbers), Fraction(0)) / len(numbers)
    unit = Fraction(1, 10 ** len(said.partition(".")[2]))
    right = abs(mean - Fraction(said)) <= unit / 2
    return Judged(
        HOLDS if right else FAILS, f"the mean of {', '.join(numbers)} is {float(mean):.6g}, the text has {said}"
    )


def most(wins: Sequence[Sequence[str]]) -> Judged:
    """Whether the first number of a list is its largest in more than half of the lists.

    Examples
    --------
    >>> most([["2", "1"], ["3", "1"], ["1", "2"]])
    Judged(verdict='holds on the printed numbers', why='the largest in 2 of 3')
    """
    count = sum(Fraction(numbers[0]) == max(map(Fraction, numbers)) for numbers in wins)
    return Judged(HOLDS if 2 * count > len(wins) else FAILS, f"the largest in {count} of {len(wins)}")
