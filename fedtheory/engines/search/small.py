"""The instances that are looked at first: small rationals for every scalar, halves, ones and twos in every vector.

A simple false claim fails at one of them, and there its witness is made of small numbers and is the same on every
processor and backend: floats only pass over what holds with a margin; the exact replay says what refutes, and how much.

Rests on the exact replay. Complete for the instances that it looks at, and for no others.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ...errors import NotApplicable
from ...quantity import ByName
from ...world import Abstract, Drawn, Free
from ..budget import Hunting, Search
from ..counterexamples import exact
from ..counterexamples.hunt import BLUR, Hunt
from ..counterexamples.refutation import PLENTY, simplicity

SEED = 20200607  # of the vectors; not the seed of the search, so that the witness is the same for every seed
ENTRIES = np.array([0.0, 0.5, 1.0, 2.0, -2.0, -1.0, -0.5])  # exact; at -k the negative of that at k
BETWEEN = (-1.0, 0.75, 1.5)  # where one entry gives way to the next


@dataclass
class Simple:
    """What the simple instances of one body have shown.

    Attributes
    ----------
    trials : int
        Instances evaluated that met the conditions.
    judged : int
        Instances that were replayed exactly.
    refuting : list of (slack, Free)
        The instances at which the exact replay refutes, all of one size, by their exact slack.
    """

    trials: int = 0
    judged: int = 0
    refuting: list[tuple[float, Free]] = field(default_factory=list)

    def starts(self, count: int) -> list[Free]:
        """Instances to seek a witness from: the simplest that fail clearly, then those that fail by most."""
        clear = max(PLENTY, min(slack for slack, _ in self.refuting))
        order = sorted(self.refuting, key=lambda e: simplicity(e[1]) if e[0] <= clear else (sys.maxsize, e[0]))
        return [free for _, free in order[:count]]


def simple(hunt: Hunt, count: int, largest_m: int, grid: int) -> Simple:
    """Look at simple instances, smallest sizes first, until `count` met the conditions or one of a size refutes.

    The body, the world and the numbers are those of the hunt that follows; `grid` counts parameters a size. What it sees
    does not depend on a seed.
    """
    seen = Simple()
    for shape in sorted(hunt.world.shapes(largest_m) or [{}], key=lambda s: sum(s.values())):
        if seen.trials >= count or seen.refuting:
            return seen
        try:
            points = _points(hunt.world, shape, grid)
            batches = list(_batches(hunt.world, shape, points))
            for free in [_as_one(batches)] if len(batches) > 1 and hunt.scatters else batches:
                _look(hunt, free, seen)
        except NotApplicable:  # the conditions are not rational, or are met by no draw at this size
            continue
        if not points:  # a region so narrow that no small rationals were found in it
            return seen
    return seen


def _look(hunt: Hunt, free: Free, seen: Simple) -> None:
    """Evaluate one batch in floats, and replay exactly what does not hold with a margin."""
    batch = hunt.ranked(free, close=BLUR)
    seen.trials += int(batch.met.sum())
    for index in np.flatnonzero(batch.met & (batch.slack < -BLUR)):
        if seen.judged >= Hunting.judged * min(hunt.keep, Hunting.counted):
            return
        picked = hunt.world.pick(free, int(index)).map(Fraction)
        result = exact.judge(hunt.body, hunt.world, picked, hunt.owner)
        seen.judged += 1
        if result.outcome == "refutes":
            seen.refuting.append((min(exact.slack(s) for s in result.relations), picked))


def _points(world: Abstract, shape: dict[str, int], grid: int) -> list[dict[str, object]]:
    """Rational parameters that meet the conditions."""
    return world.grid(shape, Search.points if world.batched_scalars else grid) if world.scalars else [{}]


def _batches(world: Drawn, shape: dict[str, int], points: list[ByName]) -> Iterator[Free]:
    """Simple free data of one size: one batch of the points, or one of vectors at each of them; scalars are Fractions."""
    if world.batched_scalars:
        if points:
            yield Free(shape, {name: np.stack([np.atleast_1d(p[name]) for p in points]) for name in world.scalars})
        return
    rng = np.random.default_rng(SEED)
    for scalars in points:
        drawn = world.at_scalars(rng, shape, scalars, Search.rows)
        if drawn is None:  # the conditions at points were met by no draw
            continue
        yield Free(shape, scalars, {name: _rounded(v) for name, v in drawn.vectors.items()})


def _as_one(batches: list[Free]) -> Free:
    """Batches of one size as one in which every instance has its own scalars."""
    rows = [len(next(iter(b.vectors.values()))) for b in batches]
    scalars = {name: np.repeat([b.scalars[name] for b in batches], rows)[:, None] for name in batches[0].scalars}
    vectors = {name: np.concatenate([b.vectors[name] for b in batches]) for name in batches[0].vectors}
    return Free(batches[0].shape, scalars, vectors)


def _rounded(v: np.ndarray) -> np.ndarray:
    """Every entry as the nearest of 1/2, 1 and 2, with its sign; zeros stay."""
    return ENTRIES[np.searchsorted(BETWEEN, np.abs(v)) * (v != 0) * np.sign(v).astype(int)]
