"""Small rational parameters that meet the conditions of a world: many are ruled out by floats, the others are looked at exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory._arrays import as_floats
from fedtheory.errors import NotApplicable, UsageError
from fedtheory.numbers import Balls, Floats, Fractions, Numbers, Rationals, fraction

from .conditions import holds
from .draws import exemplary
from .values import moved, odd, picked, small

TRIED = 4000  # draws
FEW, MANY = 8, 64  # of them that floats look at together, at first and later
SOLVED, HOPELESS = (
    100,
    12,
)  # draws in which equations are solved, until so many in a row do not meet the conditions even so
GENERAL = 300  # draws for one point in general position
BLUR = 1e-9  # relative width within which a condition may be met as far as floats tell


EXACT = np.frompyfunc(fraction, 1, 1)
MIXED = (TypeError, AttributeError, UsageError)


def small_rationals(region: Any, shape: dict[str, int]) -> Iterator[dict[str, Any]]:
    """Parameters of a region at one size, one set after the other; the same ones every time."""
    if not region.scalars:
        yield from [{}] if meets(region, {}, shape) else []
        return
    rng = np.random.default_rng(20200607)
    specs, m, seen = region.scalars, shape.get("m", 1), set()
    values = {k: np.array(small(s)) for k, s in specs.items()}
    floats = {k: v.astype(float) for k, v in values.items()}
    tried, chunk = 0, FEW
    while tried < TRIED:
        places = dict(zip(specs, picked(rng, list(specs.values()), m, chunk), strict=True))
        for i in np.flatnonzero(_nearly(region, {k: floats[k][at] for k, at in places.items()}, shape)):
            row = {k: values[k][at[i]] for k, at in places.items()}
            key = tuple(tuple(v) for v in row.values())
            row = {k: v if specs[k].per_client else v[0] for k, v in row.items()}
            if key not in seen and meets(region, row, shape):
                seen.add(key)
                yield row
        tried, chunk = tried + chunk, min(2 * chunk, MANY)
    failed = 0
    for _ in range(SOLVED):  # what equations leave out is met where they are solved
        places = dict(zip(specs, picked(rng, list(specs.values()), m, 1), strict=True))
        drawn = {k: values[k][at[0]] for k, at in places.items()}
        drawn = {k: v if specs[k].per_client else v[0] for k, v in drawn.items()}
        row = solved(region, drawn, shape)
        if row is drawn or not meets(region, row, shape):
            failed += 1
            if failed == HOPELESS:
                return
        else:
            failed = 0
            yield row


def _nearly(region: Any, columns: Mapping[str, np.ndarray], shape: dict[str, int]) -> np.ndarray:
    """Which parameters floats do not rule out ``(rows,)``."""
    ok = np.ones(len(next(iter(columns.values()))), dtype=bool)
    with np.errstate(all="ignore"):
        for r in region.scope(columns, shape, Floats()).given:
            a, b = as_floats(r.lhs), as_floats(r.rhs)
            room = BLUR * (np.abs(a) + np.abs(b))
            fails = np.abs(a - b) > room if r.op == "==" else a > b + room
            ok &= ~(fails.any(axis=-1) if fails.ndim > 1 else fails)
    return ok


def solved(region: Any, row: dict[str, Any], shape: dict[str, int]) -> dict[str, Any]:
    """Rational parameters with one of them changed for every equation that is affine in it, so that the equation holds."""
    try:
        try:
            return _solved(region, row, shape, Rationals())
        except MIXED:  # as in `meets`
            return _solved(region, row, shape, Fractions())
    except (ZeroDivisionError, NotApplicable):
        return row


def _solved(region: Any, row: dict[str, Any], shape: dict[str, int], numbers: Fractions) -> dict[str, Any]:
    def gaps(changed: dict[str, Any]) -> list[np.ndarray]:
        given = region.scope(region.convert(changed, numbers), shape, numbers).given
        return [np.atleast_1d(EXACT(r.lhs - r.rhs)) for r in given if r.op == "=="]

    kept = {name for name, s in region.scalars.items() if s.weight}
    count = len(gaps(row))
    for k in range(count):
        for name in [n for n in region.scalars if n not in kept]:
            now, v = gaps(row), row[name]
            if len(now) != count:  # one is undefined there
                return row
            here = now[k]
            if not here.any():
                break
            if here.size != np.size(v):  # one number a client for an equation of all, or the other way round
                continue
            beside = [gaps({**row, name: v + step}) for step in (1, 2)]
            if any(len(g) != count for g in beside):
                continue
            one, two = (g[k] - here for g in beside)
            if one.all() and (two == 2 * one).all():
                moved = v - here / one
                row = {**row, name: moved if np.ndim(v) else moved[0]}
                kept.add(name)
                break
    return row


def meets(region: Any, row: dict[str, Any], shape: dict[str, int]) -> bool:
    """Whether rational parameters meet the conditions; where one of them is undefined, or balls do not tell, they do not."""
    try:
        try:
            return _meets(region, row, shape, Rationals())
        except MIXED:  # a condition with Fractions of its own, with which the faster ones do not mix
            return _meets(region, row, shape, Fractions())
    except NotApplicable:
        return _meets(region, row, shape, Balls())


def _meets(region: Any, row: dict[str, Any], shape: dict[str, int], numbers: Numbers) -> bool:
    try:
        given = region.scope(region.convert(row, numbers), shape, numbers).given
    except ZeroDivisionError:
        return False
    if isinstance(numbers, Rationals) and any(r.op == "==" and _has_fractions(r.lhs, r.rhs) for r in given):
        raise TypeError("a Fraction is never equal to a rational of flint")
    return all(holds(r).all() for r in given)


def _has_fractions(*sides: Any) -> bool:
    return any(isinstance(v, Fraction) for side in sides for v in np.asarray(side, dtype=object).flat)


def near_the_example(region: Any, shape: dict[str, int], count: int) -> list[dict[str, Any]]:
    """The parameters of a region's example, and others near it that meet the conditions; none without an example."""
    row = exemplary(region, shape)
    if row is None:
        return []
    rng, rows = np.random.default_rng(20200608), [row]
    for _ in range(GENERAL * count):
        if len(rows) < count:
            factors = {k: Fraction(int(rng.integers(90, 112)), 100) for k in region.scalars}
            near = {k: v * factors[k] for k, v in row.items()}
            rows += [near] if meets(region, near, shape) else []
    return rows


def in_general_position(region: Any, shape: dict[str, int], count: int) -> list[dict[str, Any]]:
    """Up to `count` parameter sets of a region in general position, or those of its grid, moved as far as it allows."""
    rng = np.random.default_rng(20200608)
    m, found = shape.get("m", 1), []
    for k in range(count):
        for attempt in range(GENERAL):
            levels = (
                (np.arange(len(region.scalars)) + k) % 3 if attempt < 20 else rng.integers(3, size=len(region.scalars))
            )
            taken: list[Fraction] = []
            row = {n: odd(rng, s, m, int(v), taken) for (n, s), v in zip(region.scalars.items(), levels, strict=True)}
            if meets(region, row, shape):
                found.append(row)
                break
    if found:
        return found
    rows = region.grid(shape, count)
    for row in rows:
        for name, s in region.scalars.items():
            near = {**row, name: moved(rng, s, row[name])}
            if meets(region, near, shape):
                row[name] = near[name]
    return rows
