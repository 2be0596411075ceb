"""Small rational parameters that meet the conditions of a world: many are ruled out by floats, the others are looked at exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from fedtheory._arrays import as_floats
from fedtheory.numbers import Floats, Fractions, Rationals

from .conditions import holds
from .values import picked, small

TRIED = 4000  # draws
FEW, MANY = 8, 64  # of them that floats look at together, at first and later
BLUR = 1e-9  # relative width within which a condition may be met as far as floats tell


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


def meets(region: Any, row: dict[str, Any], shape: dict[str, int]) -> bool:
    """Whether rational parameters meet the conditions; where one of them is undefined they do not."""
    try:
        return _meets(region, row, shape, Rationals())
    except (TypeError, AttributeError):  # a condition with Fractions of its own, with which the faster ones do not mix
        return _meets(region, row, shape, Fractions())


def _meets(region: Any, row: dict[str, Any], shape: dict[str, int], numbers: Fractions) -> bool:
    try:
        return all(holds(r).all() for r in region.scope(region.convert(row, numbers), shape, numbers).given)
    except ZeroDivisionError:
        return False
