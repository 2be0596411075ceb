"""Instances of claims about points and functions that are moved downhill, in all their numbers at once.

What random edits do not come to, such as vectors with given inner products, or two parameters in a narrow window, a descent
along finite differences does. It runs in floats on the logarithm of the ratio of the two sides, or on their difference where
one is 0 or they differ in sign; the exact replay decides. It starts where slack was least, and with points at the corners of a
simplex, where they are as far from one another as they can be.

Rests on the exact replay; a descent along gradients by finite differences. Incomplete: it finds a local minimum, in floats.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...numbers import Floats
from ...world import Described, Free, World
from ..budget import Descent
from ..counterexamples.hunt import Hunt, differences, sides_at
from .proposing import Doubt, in_rationals

NEAR = 1e-7  # relative size of a difference
DIGITS = (10**2, 10**4, 10**8, None)  # denominators of numbers that are replayed; None for the floats as they are
FALL = 1e-12  # of the difference of the sides of a strict relation, after which it is as good as none
REACH = 1e2  # ratio of an entry there to the largest one at the start
AT_POINTS = (
    "a strict relation of points or functions: its sides meet in floats, and there is no exact counterexample; with <= it can be "
    "certified"
)


class Below(Exception):
    """A descent has come to a violation in floats."""


def downhill(claim: Claim, seed: int, effort: Descent) -> Iterator[Free | Doubt]:
    """Instances of the world, and of its relatives, below; a doubt where strict sides meet at one."""
    for world in (claim.world, *claim.world.relatives()):
        for shape in (s for s in _widest(world) if s.get(world.index, 0) <= Descent.longest):
            hunt = Hunt(claim.body, world.only(shape), Floats(), effort.moved_from, owner=claim.id)
            try:
                hunt.run(effort.moved, Descent.moved_m, seed)
            except NotApplicable:  # no draw of the parameters meets the conditions
                continue
            if hunt.refuted is not None:
                yield hunt.refuted
            for start in (*hunt.candidates, *(_simplex(world, free) for free in hunt.candidates[:1])):
                slide = Slide(claim, world, start, hunt.scatters, effort)
                if slide.start is None:
                    continue
                yield from slide.below()
                if slide.meets():
                    yield Doubt(AT_POINTS)


def _widest(world: Described) -> list[dict[str, int]]:
    """For one client and for two, the smallest of the other sizes in the largest dimension."""
    shapes = world.shapes(Descent.moved_m)
    out = []
    for m in sorted({s.get("m", 1) for s in shapes})[: Descent.moved_m]:
        own = [s for s in shapes if s.get("m", 1) == m]
        widest = max(s.get("d", 1) for s in own)
        out.append(min((s for s in own if s.get("d", 1) == widest), key=lambda s: sum(s.values())))
    return out


def _simplex(world: Described, free: Free) -> Free:
    """An instance with its server points at the corners of a simplex about the origin, as far as the dimension allows."""
    names = [name for name in world.parts().at if name in free.vectors]
    if len(names) < 3:
        return free
    corners = np.eye(len(names)) - 1 / len(names)
    turned = corners @ np.linalg.svd(corners)[2].T
    d = free.shape.get("d", 1)
    spread = np.zeros((len(names), d))
    spread[:, : min(d, len(names))] = turned[:, :d]
    at = {k: np.broadcast_to(v, np.shape(free.vectors[k])) for k, v in zip(names, spread, strict=True)}  # at every step
    return free.replace(vectors={**free.vectors, **at})


class Slide:
    """One instance, as one array of its numbers: the entries of its vectors, and the logarithms of its parameters.

    Attributes
    ----------
    start : array (size,) or None
        None where there are none of them, or too many.
    lowest : tuple of float, array
        The least height that was seen, and where.
    """

    def __init__(self, claim: Claim, world: World, start: Free, scatters: bool, effort: Descent) -> None:
        self.claim, self.world, self.free, self.effort = claim, world, start, effort
        self.vectors = {k: np.asarray(v, dtype=float) for k, v in start.vectors.items()}
        self.moving = [k for k, v in start.scalars.items() if scatters and np.ndim(v) == 0 and float(v) > 0]
        parts = [v.ravel() for v in self.vectors.values()]
        parts += [np.log([float(start.scalars[k])]) for k in self.moving]
        flat = np.concatenate(parts) if parts else np.zeros(0)
        self.start = flat if 0 < len(flat) <= effort.entries and np.isfinite(flat).all() else None
        self.lowest: tuple[float, np.ndarray] = (math.inf, flat)

    def rows(self, at: np.ndarray) -> Free:
        """Rows of numbers ``(n, size)`` as a batch."""
        vectors, k = {}, 0
        for name, v in self.vectors.items():
            vectors[name] = self.world.admit(name, at[:, k : k + v.size].reshape(len(at), *v.shape))
            k += v.size
        scalars = dict(self.free.scalars)
        if self.moving:
            own = {name: np.exp(at[:, k + n : k + n + 1]) for n, name in enumerate(self.moving)}
            scalars = {name: own.get(name, np.full((len(at), 1), value)) for name, value in scalars.items()}
        return self.free.replace(vectors=vectors, scalars=scalars)

    def heights(self, at: np.ndarray) -> np.ndarray:
        """How far each row is from a violation: negative where a relation fails; infinite outside the conditions."""
        try:
            with np.errstate(all="ignore"):
                met, relations = sides_at(self.claim.body, self.world, self.rows(at), self.claim.id)
                out = np.full(len(at), np.inf)
                for op, a, b in relations if met.any() else ():
                    apart = np.where(a * b > 0, np.sign(b) * (np.log(np.abs(b)) - np.log(np.abs(a))), b - a)
                    if op != "==":
                        out = np.minimum(out, np.where(np.isfinite(apart), apart, np.inf).min(axis=1))
        except (ZeroDivisionError, OverflowError):
            return np.full(len(at), np.inf)
        return np.where(met, out, np.inf)

    def _descend(self) -> None:
        """Go down from the start, as far as it goes."""
        from scipy.optimize import minimize

        def down(at: np.ndarray) -> tuple[float, np.ndarray]:
            step = NEAR * np.maximum(1.0, np.abs(at))
            heights = self.heights(np.concatenate([at[None], at + np.diag(step)]))
            if heights[0] < self.lowest[0]:
                self.lowest = (float(heights[0]), at)
            if heights[0] < 0:
                raise Below
            with np.errstate(all="ignore"):
                slopes = (heights[1:] - heights[0]) / step
            height = float(heights[0]) if math.isfinite(heights[0]) else 1e300
            return height, np.where(np.isfinite(slopes), slopes, 0.0)

        with suppress(Below), np.errstate(all="ignore"):
            minimize(
                down, self.start, jac=True, method="BFGS", options={"maxiter": self.effort.moved_steps, "gtol": 0.0}
            )

    def below(self) -> Iterator[Free]:
        """The instance at the end of the descent in rational numbers, first in small ones, where its slack is negative."""
        self._descend()
        if self.lowest[0] < 0:
            yield from in_rationals(self.world.pick(self.rows(self.lowest[1][None]), 0), DIGITS)

    def meets(self) -> bool:
        """Whether the sides of a strict relation meet at the end, where the start, moved to its parameters and size, is far."""
        points = len(self.lowest[1]) - len(self.moving)
        if self.start is None or not points:
            return False
        end = self.lowest[1]
        sizes = [float(np.abs(at[:points]).max()) for at in (self.start, end)]
        if not 0 < sizes[0] < REACH * sizes[1] < REACH**2 * sizes[0]:
            return False
        alike = np.concatenate([self.start[:points] * (sizes[1] / sizes[0]), end[points:]])
        first, last = (
            float(differences(self.claim.body, self.world, self.rows(at[None]), self.claim.id)[0])
            for at in (alike, end)
        )
        return 0 < first < math.inf and last <= FALL * first
