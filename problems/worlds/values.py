"""Values of scalars: log-uniform over eighteen decades, small rationals, and rationals in general position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory.world import Scalar

DECADES = 9.0  # to either side of one
PARTS = 16  # of the way from a feasible row to an infeasible one
LEVELS = tuple(
    tuple(Fraction(p, q) for p, q in pairs)
    for pairs in (
        ((2, 7), (3, 11), (2, 11), (3, 13), (4, 17)),  # small, middling and large, and no small multiples of each other
        ((5, 7), (7, 11), (11, 7), (13, 11), (7, 5), (13, 9)),
        ((7, 2), (11, 3), (13, 3), (13, 2), (17, 3)),
    )
)
NICE = [Fraction(p, q) for p, q in ((1, 32), (1, 8), (1, 4), (1, 2), (1, 1), (2, 1), (3, 1), (4, 1), (8, 1))]


def drawn(rng: np.random.Generator, spec: Scalar, size: tuple[int, int]) -> np.ndarray:
    """Log-uniform distances from the ends of the range, over few or many decades a row, and the closed end itself."""
    reach = np.where(rng.random((size[0], 1)) < 0.5, DECADES, 1.5)
    low = float(spec.low) if spec.low is not None else 0.0
    exponent = rng.uniform(-1, 1, size) * reach
    if spec.high is None:
        value = low + 10.0**exponent
    else:
        width = float(spec.high) - low
        step = width / 2 * 10.0 ** (-np.abs(exponent))
        value = np.where(rng.random(size) < 0.5, low + step, float(spec.high) - step)
        value = np.where(value < float(spec.high), value, low + width / 2)
    if spec.closed or spec.low is None:
        value = np.where(rng.random(size) < 0.15, low, value)
    if spec.low is None:
        value = np.where(rng.random(size) < 0.5, -value, value)
    return np.where(rng.random(size) < 0.1, value[:, :1], value) if size[1] > 1 else value


def jumped(rng: np.random.Generator, spec: Scalar, value: np.ndarray) -> np.ndarray:
    """Multiply the distance from an end of the range by a log-uniform factor, in about half of the rows."""
    low = float(spec.low) if spec.low is not None else 0.0
    factor = 10.0 ** rng.choice([-3.0, -1.0, -0.3, -0.05, 0.05, 0.3, 1.0, 3.0], value.shape)
    moved = low + np.maximum(np.abs(value - low), 1e-9) * factor
    if spec.low is None:
        moved = moved * np.where(rng.random(value.shape) < 0.2, -1, 1) * np.where(value < 0, -1, 1)
    if spec.high is not None:
        moved = np.where(moved < float(spec.high), moved, (value + float(spec.high)) / 2)
    return np.where(rng.random(value.shape) < 0.5, moved, value)


def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """From rows ``(n, k)`` to others in `PARTS` geometric steps, both ends among them, ``(PARTS + 1, n, k)``."""
    out = np.empty((PARTS + 1, *a.shape))
    out[0], out[-1] = a, b
    with np.errstate(all="ignore"):
        out[1:-1] = (b / a) ** (1 / PARTS)
    out[1:-1][:, a == 0] = 0  # every geometric mean with zero
    np.cumprod(out[:-1], axis=0, out=out[:-1])
    across = a * b < 0  # of either sign, where there is no geometric mean
    parts = np.arange(PARTS + 1)[:, None] / PARTS
    out[:, across] = a[across] + (b - a)[across] * parts
    return out


def small(spec: Scalar) -> list[Fraction]:
    """The values at small rational distances from the low end of a range; then the end itself; or zero, and those below it."""
    low = Fraction(spec.low or 0)
    width = None if spec.high is None else Fraction(spec.high) - low
    out = [low + (q if width is None else width * (q / (1 + q))) for q in NICE] + [low]
    return [*out, *(-q for q in NICE)] if spec.low is None else out


def picked(rng: np.random.Generator, specs: Sequence[Scalar], m: int, count: int) -> list[np.ndarray]:
    """Places among the values of `small`, ``(count, 1)`` or ``(count, m)`` a scalar; a closed end, if alone, rather often."""
    widths = [m if s.per_client else 1 for s in specs]
    ends = np.repeat([s.high is None and s.closed for s in specs], widths)
    signed = np.repeat([s.low is None for s in specs], widths)

    def one(end: bool, either: bool) -> int:
        q = int(rng.integers(2 * len(NICE) + 1 if either else len(NICE)))
        return len(NICE) if end and rng.random() < 0.4 else q

    if ends.any() or signed.any():
        places = np.array([[one(*k) for k in zip(ends, signed, strict=True)] for _ in range(count)])
    else:  # the same ones, at once
        places = rng.integers(len(NICE), size=(count, len(ends)))
    return np.split(places, np.cumsum(widths)[:-1], axis=1)


def odd(rng: np.random.Generator, spec: Scalar, m: int, level: int, taken: list[Fraction]) -> Any:
    """A value of some magnitude, or one a client, in the interior of the range; those in `taken` are used already."""

    def one(level: int) -> Fraction:
        q = _untaken(rng, LEVELS[level], taken)
        low = Fraction(spec.low or 0)
        if spec.low is None and rng.random() < 0.5:
            return -q
        return low + q if spec.high is None else low + (Fraction(spec.high) - low) * (q / (1 + q))

    if not spec.per_client:
        return one(level)
    out = np.empty(m, dtype=object)
    out[:] = [one(int(rng.integers(3))) for _ in range(m)]
    return out


def _untaken(rng: np.random.Generator, values: Sequence[Fraction], taken: list[Fraction]) -> Fraction:
    """One of the values that is not yet taken, if there is one."""
    free = [q for q in values if q not in taken] or values
    taken.append(free[int(rng.integers(len(free)))])
    return taken[-1]


def moved(rng: np.random.Generator, spec: Scalar, value: Any) -> Any:
    """The value with another distance from the low end of its range."""
    low = Fraction(spec.low or 0)
    if isinstance(value, np.ndarray):
        out = np.empty(len(value), dtype=object)
        out[:] = [low + (v - low) * _untaken(rng, LEVELS[1], []) for v in value]
        return out
    return low + (value - low) * _untaken(rng, LEVELS[1], [])


def repeated(scalars: Sequence[Mapping[str, Any]], times: int) -> dict[str, np.ndarray]:
    """The scalars of each instance in so many rows, ``(rows, 1)`` or ``(rows, m)``."""
    rows = {k: [np.ravel(np.asarray(own[k], dtype=float)) for own in scalars] for k in scalars[0]}
    return {k: np.repeat(v, times, axis=0) for k, v in rows.items()}


def near(rng: np.random.Generator, v: Any, count: int, scale: float) -> np.ndarray:
    """So many edits of an array, of about half of its entries by so much of their size."""
    rows = np.repeat(np.asarray(v, dtype=float)[None], count, axis=0)
    return np.where(rng.random(rows.shape) < 0.5, rows * (1 + scale * rng.standard_normal(rows.shape)), rows)


def entries_edited(rng: np.random.Generator, starts: Sequence[np.ndarray], batch: int) -> np.ndarray:
    """Each of some arrays in so many rows, with a few entries edited in each."""
    rows = np.repeat([np.asarray(v, dtype=float) for v in starts], batch, axis=0)
    many = (len(rows),) + (1,) * (rows.ndim - 1)
    factor = rng.choice([0.0, -1.0, 0.1, 0.5, 0.9, 1.1, 2.0, 10.0], rows.shape)
    noise = rng.standard_normal(rows.shape) * rng.choice([0.0, 0.1, 1.0], many)
    hit = rng.random(rows.shape) < rng.choice([0.05, 0.3], many)
    return np.where(hit, rows * factor + noise, rows)
