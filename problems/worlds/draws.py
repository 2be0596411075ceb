"""Rows of scalars within the conditions of a world, and on the boundary of where these hold."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from fedtheory.errors import NotApplicable
from fedtheory.world import Scalar

from .values import between, drawn, jumped

CUTS = 9  # into so many parts, after which less is left of that way than a condition may be missed by in floats
EDIT_CUTS = 3  # how far an edit that left the region is taken back towards its boundary
DRAWS, ENOUGH = 40, 6  # of so many times a thousand draws, where none meets the conditions, and where some do


class Bounded(Protocol):
    """Scalars with conditions, as `Region` has them."""

    @property
    def scalars(self) -> Mapping[str, Scalar]: ...

    @property
    def example(self) -> Mapping[str, Any]: ...

    def feasible(self, scalars: Mapping[str, Any], shape: Mapping[str, int]) -> np.ndarray:
        """Which rows meet every condition."""

    def related(self, rng: np.random.Generator, raw: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Some rows of draws with scalars that belong together."""


def within(region: Bounded, rng: np.random.Generator, shape: dict[str, int], count: int) -> dict[str, np.ndarray]:
    """`count` rows that meet the conditions, two fifths of them on the boundary of the region.

    Where few draws meet them, edits of these fill up the rest.

    Raises
    ------
    NotApplicable
        If the conditions are met by none of 40,000 draws.
    """
    if not region.scalars:
        return {}
    inside: list[dict[str, np.ndarray]] = []
    outside: dict[str, np.ndarray] = {}
    found = 0
    for tries in range(1, DRAWS + 1):
        raw = {k: drawn(rng, s, (max(64, min(1000, 4 * count)), shape.get("m", 1) if s.per_client else 1))
               for k, s in region.scalars.items()}  # fmt: skip
        raw = region.related(rng, raw)
        ok = region.feasible(raw, shape)
        inside.append({k: v[ok] for k, v in raw.items()})
        if not ok.all():
            outside = {k: v[~ok] for k, v in raw.items()}
        found += int(ok.sum())
        if found >= count or (found and tries >= ENOUGH):
            break
    if not found and (row := exemplary(region, shape)) is not None:
        inside, found = [{k: np.atleast_2d(np.asarray(v, dtype=float)) for k, v in row.items()}], 1
    if not found:
        raise NotApplicable("no draw of the parameters met the stated conditions")
    rows = {k: np.concatenate([part[k] for part in inside])[:count] for k in region.scalars}
    if found < count:
        again = {k: np.resize(v, (count - found, v.shape[1])) for k, v in rows.items()}
        edits = towards(
            region, again, {k: jumped(rng, region.scalars[k], v) for k, v in again.items()}, shape, EDIT_CUTS
        )
        rows = {k: np.concatenate([v, edits[k]]) for k, v in rows.items()}
    if outside:
        rows = _boundary(region, rows, outside, shape, int(rng.binomial(count, 0.4)))
    return rows


def exemplary(region: Bounded, shape: Mapping[str, int]) -> dict[str, Any] | None:
    """The scalars of the example, where it has all of them."""
    if not (region.example and region.scalars.keys() <= region.example.keys()):
        return None
    own = {k: Fraction(region.example[k]) for k in region.scalars}
    m = shape.get("m", 1)
    return {k: np.full(m, v, dtype=object) if region.scalars[k].per_client else v for k, v in own.items()}


def related(
    scalars: Mapping[str, Scalar], rng: np.random.Generator, raw: dict[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """A fifth of the rows in small powers of two, a fifth with scalars of one magnitude; bounded ranges stay."""
    n = len(next(iter(raw.values())))
    kind = rng.random((n, 1))
    base = 10.0 ** rng.uniform(-3, 3, (n, 1))
    spread = rng.choice([0.02, 0.15, 0.5], (n, 1))
    even, close = (kind < 0.2)[:, 0], ((kind >= 0.2) & (kind < 0.4))[:, 0]
    out = {}
    for name, v in raw.items():
        powers, up, shift = rng.integers(-3, 4, v.shape), rng.choice([1, 1, -1]), rng.uniform(-1, 1, v.shape)
        out[name] = v
        if scalars[name].high is None:
            low, out[name] = float(scalars[name].low or 0), v.copy()
            sign = np.where(v < 0, -1, 1) if scalars[name].low is None else np.ones_like(v)
            out[name][even] = low + sign[even] * 2.0 ** powers[even]
            out[name][close] = low + sign[close] * base[close] ** up * 10.0 ** (spread[close] * shift[close])
    return out


def _boundary(
    region: Bounded, rows: dict[str, np.ndarray], outside: dict[str, np.ndarray], shape: dict[str, int], n: int
) -> dict[str, np.ndarray]:
    """Move the first n rows towards infeasible ones until only rounding separates them from the boundary."""
    n = min(n, next(iter(outside.values())).shape[0])
    if n == 0:
        return rows
    a = towards(region, {k: v[:n] for k, v in rows.items()}, {k: v[:n] for k, v in outside.items()}, shape)
    return {k: np.concatenate([a[k], v[n:]]) for k, v in rows.items()}


def towards(
    region: Bounded, a: dict[str, np.ndarray], b: dict[str, np.ndarray], shape: dict[str, int], cuts: int = CUTS
) -> dict[str, np.ndarray]:
    """From feasible rows `a` as far towards `b` as the conditions allow, up to rounding after `CUTS` cuts into sixteen."""
    reached = region.feasible(b, shape)
    if reached.all():
        return b
    out = {k: np.where(reached[:, None], b[k], a[k]) for k in a}
    start, b = ({k: v[~reached] for k, v in ends.items()} for ends in (a, b))
    n = int((~reached).sum())
    rows = np.arange(n)
    for _ in range(cuts):
        ahead = {k: between(start[k], b[k]) for k in a}
        inner = {k: v[1:-1].reshape(-1, v.shape[-1]) for k, v in ahead.items()}
        ok = region.feasible(inner, shape).reshape(-1, n)
        passed = np.logical_and.accumulate(ok, axis=0).sum(axis=0)  # steps before the first one that is outside
        start = {k: v[passed, rows] for k, v in ahead.items()}
        b = {k: v[passed + 1, rows] for k, v in ahead.items()}
    for k, v in start.items():
        out[k][~reached] = v
    return out
