"""Empirical claims: decided from printed numbers exactly, or by a sign test over seeds.

A claim that one figure is below another is ``reproduced`` where the exact one-sided sign test over the seeds says so at the
level `LEVEL` in every comparison that the claim makes, ``not reproduced`` where one comparison says the opposite or shows no
difference on any seed, and ``inconclusive`` otherwise. The sign test asks for nothing but independent seeds; of fewer than
five it can conclude nothing at this level.
"""

from __future__ import annotations

import itertools
import math
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
    """Whether a figure is below another on the same seeds; one that is infinite was not reached, and two such say nothing.

    Examples
    --------
    >>> less({s: s for s in range(5)}, {s: s + 1 for s in range(5)}).verdict
    'reproduced'
    >>> less({0: 1.0, 1: 2.0}, {0: 2.0, 1: 3.0}).verdict
    'inconclusive'
    """
    both = sorted(set(left) & set(right))
    seeds = [s for s in both if not left[s] == right[s] == math.inf]
    if both and not seeds:
        return Judged(INCONCLUSIVE, f"{said}neither got there on any of {len(both)} seeds, and a cap is no measurement")
    if len(seeds) < len(both):
        said = f"{said}neither got there on {len(both) - len(seeds)} seeds; "
    below, above = (sum(sign * right[s] > sign * left[s] for s in seeds) for sign in (1, -1))
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
    n, away = len(values), sum(v == math.inf for v in values)
    if n < 2:
        return Judged(INCONCLUSIVE, f"{said}one seed has no interval")
    if away:
        why = f"{said}not reached on {away} of {n} seeds, against {printed} +- {within:g}"
        return Judged(
            NOT_REPRODUCED if stats.binomtest(away, n, alternative="greater").pvalue <= LEVEL else INCONCLUSIVE, why
        )
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


def readings(found: Mapping[str, Judged | None], by: str | None = None) -> Judged:
    """A claim in several readings, None where one was not run; `by` is the one that decides where there is one.

    Without it the claim is reproduced where it is in any of them. Not reproduced it is only where all have been run.

    Examples
    --------
    >>> no, yes = Judged(NOT_REPRODUCED, "60 against 82"), Judged(REPRODUCED, "82 against 82")
    >>> readings({"steps": no, "passes": yes}).verdict, readings({"steps": no, "passes": None}).verdict
    ('reproduced', 'inconclusive')
    >>> readings({"steps": yes, "passes": no}, by="passes")
    Judged(verdict='not reproduced', why='"passes": 60 against 82; "steps": reproduced')
    """
    ran = {name: j for name, j in found.items() if j is not None}
    left = [f'"{name}"' for name in found if name not in ran]
    unrun = [f"not run as {' and '.join(left)}"] if left else []
    if not ran or all(j.verdict == NEEDS_DATA for j in ran.values()):
        return next(iter(ran.values()), Judged(INCONCLUSIVE, "; ".join(unrun)))
    lead = list(ran) if by is None else [by] * (by in ran)

    def why(*first: str) -> str:
        """Figures of some readings, the verdicts of the others, and what was not run."""
        rest = [f'"{name}": {j.verdict}' for name, j in ran.items() if name not in first]
        return "; ".join([*(f'"{name}": {ran[name].why}' for name in first), *rest, *unrun])

    for name in lead:
        if ran[name].verdict == REPRODUCED:
            return Judged(REPRODUCED, why(name))
    if lead and not left and all(ran[name].verdict == NOT_REPRODUCED for name in lead):
        return Judged(NOT_REPRODUCED, why(*lead))
    if left:
        each = [f'"{name}": {j.verdict}, {j.why}' for name, j in ran.items()]
        return Judged(INCONCLUSIVE, "; ".join([*unrun, *each]))
    return Judged(INCONCLUSIVE, why(*(name for name in lead if ran[name].verdict == INCONCLUSIVE)))


def _strict(numbers: Sequence[str]) -> bool:
    """Whether the first number is above all others."""
    first, *others = map(Fraction, numbers)
    return all(first > other for other in others)


def _won(wins: Sequence[Sequence[str]]) -> tuple[int, str]:
    """(in how many lists the first number is above all others, that in words, with the ties)."""
    count = sum(map(_strict, wins))
    ties = sum(Fraction(n[0]) == max(map(Fraction, n)) and not _strict(n) for n in wins)
    tied = f", one of several in {ties}" if ties else ""
    return count, f"the largest in {count} of {len(wins)}{tied}"


def most(wins: Sequence[Sequence[str]]) -> Judged:
    """Whether the first number of a list is above all others in more than half of the lists: what "in most" says.

    Examples
    --------
    >>> most([["2", "1"], ["3", "1"], ["1", "2"]])
    Judged(verdict='holds on the printed numbers', why='the largest in 2 of 3')
    >>> most([["2", "1"], ["3", "3"]]).why
    'the largest in 1 of 2, one of several in 1'
    """
    count, why = _won(wins)
    return Judged(HOLDS if 2 * count > len(wins) else FAILS, why)


def largest(wins: Sequence[Sequence[str]]) -> Judged:
    """Whether the first number of every list is above all others: what is said without "most".

    Examples
    --------
    >>> largest([["2", "1"], ["1", "2"]])
    Judged(verdict='fails on the printed numbers', why='the largest in 1 of 2')
    """
    count, why = _won(wins)
    return Judged(HOLDS if count == len(wins) else FAILS, why)
