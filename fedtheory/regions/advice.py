"""What to take of a region: a short number inside, and the one for which a theorem promises the fewest rounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from ..catalogue import Bound, Catalogue, Parameters, attempt, least_rounds
from .intervals import Interval, whole_numbers

if TYPE_CHECKING:
    from ..quantity import Quantity

POINTS = 80  # of an interval at which rounds are counted, evenly in the logarithm
DECADES = 12  # that are looked at where an interval has no end
NEARLY = 1.01  # times the fewest rounds are as good for a short number
DIGITS = (1, 2, 3, 6, 17, 40)
STEP_INSIDE = Fraction(5, 4)  # from the one end that an interval has


class Fewest(NamedTuple):
    """The fewest rounds that were found in a region: how many, at which value, for which bound."""

    rounds: float
    value: Fraction
    bound: Bound


def suggestion(interval: Interval, *, whole: bool = False) -> Fraction | None:
    """A short number of an interval: in the middle of its logarithm, or a quarter inside its only end.

    None where no whole number is in it.
    """
    if whole:
        low, high = whole_numbers(interval)
        return (
            None if high is not None and high < low else Fraction(low if high is None else max(low, min(high, 10**6)))
        )
    bottom = interval.low.between()[1]
    if interval.high is None:
        target = bottom * STEP_INSIDE or Fraction(1)
    elif bottom == 0:
        target = interval.high.between()[0] / STEP_INSIDE
    else:
        target = _middle(bottom, interval.high.between()[0])
    if interval.high is not None and interval.low.value is not None and interval.low.value == interval.high.value:
        return interval.low.value
    return next((q for q in shorts(target) if q in interval), target)


def _middle(low: Fraction, high: Fraction) -> Fraction:
    """Near to sqrt(low high)."""
    return low * Fraction(math.sqrt(high / low)) if high / low < 10**300 else (low + high) / 2


def short(value: Fraction, digits: int, rounding: Callable[[Fraction], int] = round) -> Fraction:
    """A positive number rounded to some significant digits.

    Examples
    --------
    >>> short(Fraction(2, 3), 2), short(Fraction(2, 3), 2, math.floor)
    (Fraction(67, 100), Fraction(33, 50))
    """
    power = digits - 1 - _decade(value)
    return Fraction(rounding(value * Fraction(10) ** power)) / Fraction(10) ** power


def shorts(value: Fraction) -> Iterator[Fraction]:
    """Numbers near to a positive one, the shortest first, on both sides of it."""
    for digits in DIGITS:
        yield from (short(value, digits, rounding) for rounding in (round, math.floor, math.ceil))


def _decade(value: Fraction) -> int:
    """The exponent of the first digit of a positive number."""
    guess = len(str(value.numerator)) - len(str(value.denominator))
    return guess if Fraction(10) ** guess <= value else guess - 1


def inside(interval: Interval, *, whole: bool = False) -> list[Fraction]:
    """Numbers of an interval, evenly in the logarithm, its ends among them where they belong to it."""
    if whole:
        first, last = whole_numbers(interval)
        last = first * 10**6 if last is None else last
        ratio = (last / first) ** (1 / POINTS) if last > first else 1.0
        return [Fraction(n) for n in sorted({min(last, round(first * ratio**k)) for k in range(POINTS + 1)})]
    low, high = interval.low.between()[1], None if interval.high is None else interval.high.between()[0]
    if low == high:
        return [low]
    if high is None:
        low = low or Fraction(1, 10 ** (DECADES // 2))
        high = low * 10**DECADES
    low = low or high / 10**DECADES
    span = high / low
    step = Fraction(math.exp((math.log(span.numerator) - math.log(span.denominator)) / POINTS))
    near = (short(low * step**k, DIGITS[-2]) for k in range(POINTS))
    return [q for q in (low, *near, high) if q in interval]


def fewest(
    catalogue: Catalogue, bounds: Sequence[Bound], given: Mapping[str, Quantity], name: str,
    intervals: Sequence[Interval], accuracy: float,
) -> Fewest | None:  # fmt: skip
    """The fewest rounds that a bound promises for an accuracy, by a search over the intervals; None where none promises it.

    Raises
    ------
    OverflowError
        If a parameter is out of the range of floats.
    """
    numbers = {k: float(v) if isinstance(v, Fraction) else v for k, v in given.items()}
    whole = catalogue.symbols[name].whole

    def at(bound: Bound, value: Fraction) -> Fewest:
        x = Parameters({**numbers, name: float(value)}, catalogue.derived)
        return Fewest(rounds_of(bound, x, accuracy), value, bound)

    points = [(v, i) for i in intervals for v in inside(i, whole=whole)]
    found = [(at(bound, v), i) for bound in bounds for v, i in points]
    best, of = min(found, key=lambda f: f[0].rounds, default=(None, None))
    if best is None or of is None or best.rounds == math.inf:
        return None
    if whole:
        return best
    near = (at(best.bound, q) for q in shorts(best.value) if q in of)
    return next((f for f in near if f.rounds <= NEARLY * best.rounds), best)


def rounds_of(bound: Bound, x: Parameters, accuracy: float) -> float:
    """The rounds that a bound promises for an accuracy; inf where it promises none, has no value, or is below 0.

    A bound below 0 on what is at least 0 contradicts itself and promises nothing.
    """
    least, missing = attempt(bound.least, x)
    limit, also = attempt(bound.right, x, math.inf)
    first, too = attempt(bound.right, x, 1)
    if missing or also or too or not math.isfinite(least) or limit < 0 or first < 0:
        return math.inf
    return least_rounds(lambda T: bound.right(x, T), accuracy, float(least))
