"""The instances that are looked at first: small rationals for every scalar, halves, ones and twos in every vector.

A simple false claim fails at one of them, and there its witness is made of small numbers and is the same on every
processor and backend: floats only pass over what holds with a margin; the exact replay says what refutes, and how much.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ..errors import NotApplicable
from ..world import Free, World
from . import exact
from .shrink import PLENTY, simplicity
from .violations import BLUR, Hunt, ranked

SEED = 20200607  # of the vectors; not the seed of the search, so that the witness is the same for every seed
POINTS = 40  # parameters where there are no vectors
ROWS = 20  # instances at the same parameters where there are
SIZES = np.array(
    [Fraction(s) for s in ("0", "1/2", "1", "2", "-2", "-1", "-1/2")]
)  # entry k of size k, -k of its negative
BETWEEN = (-1.0, 0.75, 1.5)  # where one size gives way to the next


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
    """Look at up to `count` simple instances, smallest sizes first, and stop at the first size at which one refutes.

    The body, the world and the numbers are those of the hunt that follows; `grid` counts parameters a size.
    """
    seen = Simple()
    if not count:
        return seen
    shapes = sorted(hunt.world.shapes(largest_m) or [{}], key=lambda s: sum(s.values()))
    for shape in shapes:
        try:
            for free in _batches(hunt.world, shape, grid):
                if count <= 0:
                    return seen
                count -= _look(hunt, free, seen)
        except NotApplicable:  # the conditions are not rational, or are met by no draw at this size
            continue
        if seen.refuting:
            break
    return seen


def _look(hunt: Hunt, free: Free, seen: Simple) -> int:
    """Evaluate one batch in floats, replay exactly what does not hold with a margin, and return its length."""
    batch = ranked(hunt.body, hunt.world, free, hunt.numbers, hunt.owner, close=BLUR)
    seen.trials += int(batch.met.sum())
    for index in np.flatnonzero(batch.met & (batch.slack < -BLUR)):
        picked = hunt.world.pick(free, int(index))
        result = exact.replay(hunt.body, hunt.world, picked, hunt.owner)
        seen.judged += 1
        if result.outcome == "refutes":
            seen.refuting.append((min(exact.slack(s) for s in result.relations), picked))
    return len(batch.slack)


def _batches(world: World, shape: dict[str, int], grid: int) -> Iterator[Free]:
    """Simple free data of one size, in Fractions; one batch at each of `grid` rational parameters."""
    points = world.grid(shape, POINTS if world.batched_scalars else grid) if world.scalars else [{}]
    if world.batched_scalars:
        if points:
            yield Free(shape, {name: np.stack([np.atleast_1d(p[name]) for p in points]) for name in world.scalars})
        return
    rng = np.random.default_rng(SEED)
    for scalars in points:
        drawn = next(iter(world.sample(rng, shape, 1, ROWS)))
        yield Free(shape, scalars, {name: _rounded(v) for name, v in drawn.vectors.items()})


def _rounded(v: np.ndarray) -> np.ndarray:
    """Every entry as the nearest of the small sizes, with its sign; zeros stay."""
    return SIZES[np.searchsorted(BETWEEN, np.abs(v)) * (v != 0) * np.sign(v).astype(int)]
