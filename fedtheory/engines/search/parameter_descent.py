"""Claims about parameters that only a search supports: whether a relation fails, or its sides meet, where no draw lies.

``10^-9 <= (log(a) - 5)^2`` fails in a window that no draw hits. From small rational parameters the slack is made small in
floats, as far as it goes; where it is negative there, the exact replay decides. Where the sides of a strict relation meet, as
in ``0 < (exp(a) - exp(7 b))^2``, the difference falls by twelve decades within a bounded region: that refutes nothing, and
nothing is supported. Points and functions are walked by random edits, which become smaller.

Rests on the exact replay; a descent from several starts, with steps that shrink. Incomplete: it finds a local minimum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...numbers import Floats
from ...quantity import ByName
from ...relation import Relation
from ...world import Described, Drawn, Exact, Free, World
from ..budget import Descent
from ..context import Docket
from ..counterexamples.hunt import Hunt, differences, met_by, smallest
from .proposing import Doubt, Proposals, in_rationals, proposes
from .vector_descent import AT_POINTS, downhill

# parameters among which the sides may meet; near zero many strict relations are nearly equalities
LEAST, LARGEST = 1e-3, 1e5
WIDE = (1e-12, 1e12)  # where sides may cross
FALL = 1e-12  # of the difference, after which it is as good as none
NEAR, SMALL = 1e-6, 1e-3  # relative distances at which the difference is still so small
DIGITS = (10**4, 10**8, None)  # denominators of parameters that are replayed; None for the floats as they are
WIDER, FINER = 1.5, 0.6  # factors of the size of an edit where one is better, and where none is
REACH = 1e2  # ratio of an entry to what it was at the start
Measure = Callable[[np.ndarray, np.ndarray], np.ndarray]


@proposes("descent")
def descent(claim: Claim, docket: Docket) -> Proposals:
    """Where walks end; a doubt where the sides of a strict relation meet in floats."""
    world, effort = claim.world, docket.limits.of(Descent)
    if docket.searched is None:
        return
    if not world.batched_scalars:
        yield from _longer(claim, docket, effort)
        touches = False
        for one in downhill(claim, docket.seed, effort):
            touches |= isinstance(one, Doubt)
            yield one
        shapes = smallest(world, docket.limits.search_m, effort.sizes)
        if not touches and any(_meets_at_points(claim, world.only(shape), shape, docket) for shape in shapes):
            yield Doubt(AT_POINTS)
        return
    for shape in smallest(world, docket.limits.largest_m, effort.sizes):
        try:
            starts = world.grid(shape, effort.starts)
        except NotApplicable:
            continue
        starts += _from_zero(world, starts)
        for k, start in enumerate((*starts, *_farther(world, shape, docket.seed, effort))):
            walk = Walk(claim, world, shape, start, effort)
            yield from walk.below()
            meets = walk.meeting() if k < len(starts) else ""
            if meets:
                reason = f"a strict relation: its sides meet in floats near {meets}"
                yield Doubt(f"{reason}, and there is no exact counterexample", [shape])
                return


def _longer(claim: Claim, docket: Docket, effort: Descent) -> Iterator[Free]:
    """Instances of a longer hunt where those of a batch share their parameters, so that few sets of them speak for the claim."""
    hunt = Hunt(claim.body, claim.world, Floats(docket.xp, docket.device), docket.limits.replays, owner=claim.id)
    if hunt.apart:
        return
    try:
        hunt.run(effort.drawn_again, docket.limits.search_m, docket.seed + 1, hunt.usual)
    except NotApplicable:  # no draw of the parameters meets the conditions
        return
    yield from hunt.proposals


def _from_zero(world: Described, starts: list[ByName]) -> list[dict[str, object]]:
    """The starts with every parameter that may be zero at zero, where it stays; walks are on logarithms."""
    ends = [k for k, s in world.scalars.items() if s.low == 0 and s.closed and not s.weight]
    return [{**start, **{k: 0 * start[k] for k in ends}} for start in starts] if ends else []


def _farther(world: Drawn, shape: dict[str, int], seed: int, effort: Descent) -> list[dict[str, object]]:
    """Drawn parameters of many magnitudes: walks from small rationals may end in a wide well beside a narrow one."""
    rng = np.random.default_rng(np.random.SeedSequence([seed, 29]))
    try:
        rows = world.draw_scalars(rng, shape, effort.drawn)
    except NotApplicable:
        return []
    drawn = [
        {k: v[i] if world.scalars[k].per_client else v[i, 0] for k, v in rows.items()} for i in range(effort.drawn)
    ]
    within = [
        row for row in drawn if all(((WIDE[0] <= v) & (v <= WIDE[1])).all() for v in map(np.asarray, row.values()))
    ]
    return within[: effort.farther] if rows else []


def _meets_at_points(claim: Claim, world: World, shape: dict[str, int], docket: Docket) -> bool:
    """Whether the sides of a strict relation of points or functions meet, from the instances of least slack of one size."""
    rng, effort = np.random.default_rng(np.random.SeedSequence([docket.seed, 23])), docket.limits.of(Descent)
    hunt = Hunt(claim.body, world, Floats(), effort.starts, owner=claim.id)
    try:
        drawn = [
            world.pick(free, k) for free in world.sample(rng, shape, 2, effort.starts) for k in range(effort.starts)
        ]
        if not any(math.isfinite(_difference(claim, world, free)) for free in drawn):  # no relation is strict
            return False
        hunt.run(effort.first, docket.limits.search_m, docket.seed)
    except NotApplicable:  # no draw of the parameters meets the conditions
        return False
    return any(_falls(claim, world, free, rng, effort) for free in (*hunt.candidates, *drawn))


def _difference(claim: Claim, world: Exact, free: Free) -> float:
    """The least difference of the sides of a strict relation at one instance."""
    alone = free.replace(vectors={k: np.asarray(v, dtype=float)[None] for k, v in free.vectors.items()})
    return float(differences(claim.body, world, alone, claim.id)[0])


def _falls(claim: Claim, world: World, start: Free, rng: np.random.Generator, effort: Descent) -> bool:
    """Whether the difference becomes as good as none while every entry stays within two decades."""
    best, scale = start, 1.0
    sizes = {k: np.abs(np.asarray(v, dtype=float)) for k, v in start.vectors.items()}
    first = least = _difference(claim, world, start)
    for _ in range(effort.rounds if 0 < first < math.inf else 0):
        batch = world.nudged(rng, best, Descent.edits, scale)
        near = [
            ((np.abs(v) <= REACH * sizes[k]) & (REACH * np.abs(v) >= sizes[k])).reshape(Descent.edits, -1).all(axis=1)
            for k, v in batch.vectors.items()
        ]
        gaps = np.where(np.logical_and.reduce(near), differences(claim.body, world, batch, claim.id), np.inf)
        nearest = int(np.argmin(gaps))
        better = gaps[nearest] < least
        if better:
            least, best = float(gaps[nearest]), world.pick(batch, nearest)
        if least <= FALL * first:
            return True
        scale = min(1.0, scale * (WIDER if better else FINER))
    return False


class Walk:
    """From one set of parameters of a world at one size to where a relation is least met, on logarithms of the parameters."""

    def __init__(self, claim: Claim, world: World, shape: dict[str, int], start: ByName, effort: Descent) -> None:
        self.claim, self.world, self.shape, self.effort = claim, world, shape, effort
        self.names = [(name, np.shape(value)) for name, value in start.items()]
        values = [np.ravel(np.asarray(value, dtype=float)) for value in start.values()]
        self.flat = np.concatenate(values) if values else np.zeros(0)
        self.moves = self.flat > 0  # the others stay
        self.start = np.log(self.flat[self.moves]) if self.moves.any() else None

    def scalars(self, at: np.ndarray) -> dict[str, np.ndarray]:
        """The parameters as one row each."""
        flat, out, k = self.flat.copy(), {}, 0
        flat[self.moves] = np.exp(at)
        for name, size in self.names:
            count = math.prod(size)
            out[name], k = flat[None, k : k + count], k + count
        return out

    def least(self, at: np.ndarray, measure: Measure, ops: tuple[str, ...]) -> float:
        """The least measure of both sides of a relation with one of these operators; infinite outside the region."""
        low, high = (LEAST, LARGEST) if ops == ("<",) else WIDE
        if at.min() < math.log(low) or at.max() > math.log(high):
            return math.inf
        with np.errstate(all="ignore"):
            try:
                x = self.world.build(Free(self.shape, self.scalars(at)), Floats())
                if not met_by(x):
                    return math.inf
                found = [_least(r, measure) for r in self.claim.relations(x) if r.op in ops]
            except (ZeroDivisionError, OverflowError):
                return math.inf
        return min(found, default=math.inf)

    def _down(self, measure: Measure, ops: tuple[str, ...]) -> tuple[float, Any]:
        """(The measure at the start, where the walk ends), None where it does not begin."""
        from scipy.optimize import minimize

        if self.start is None:
            return math.inf, None
        first = self.least(self.start, measure, ops)
        if not 0 < first < math.inf:
            return first, None
        return first, minimize(
            self.least, self.start, args=(measure, ops), method="Nelder-Mead",
            options={"maxfev": self.effort.steps, "xatol": 1e-12, "fatol": 0.0, "adaptive": len(self.start) > 3},
        )  # fmt: skip

    def below(self) -> Iterator[Free]:
        """The instance at the end of the walk in rational numbers, first in small ones, where its slack is negative."""
        _, walk = self._down(_slack, ("<=", "<"))
        if walk is None or not walk.fun < 0:
            return
        row = self.scalars(walk.x)
        end = Free(self.shape, {name: row[name][0] if size else row[name][0, 0] for name, size in self.names})
        yield from in_rationals(end, DIGITS)

    def meeting(self) -> str:
        """Parameters at which the sides of a strict relation meet, in words; empty where the walk finds none."""
        first, walk = self._down(np.subtract, ("<",))
        if walk is None:
            return ""
        near = (self.least(walk.x + step, np.subtract, ("<",)) for step in (-NEAR, NEAR))  # a floor jumps there
        if not walk.fun <= FALL * first or not all(gap <= SMALL * first for gap in near if gap < math.inf):
            return ""
        shown = self.scalars(walk.x).items()
        return ", ".join(f"{name} = {', '.join(f'{v:.6g}' for v in values[0])}" for name, values in shown)


def _slack(rhs: np.ndarray, lhs: np.ndarray) -> np.ndarray:
    """The difference of the sides, relative to their sizes."""
    size = np.abs(rhs) + np.abs(lhs)
    return np.where(size > 0, (rhs - lhs) / np.where(size > 0, size, 1.0), np.inf)


def _least(r: Relation, measure: Measure) -> float:
    """The least measure of the two sides."""
    found = measure(np.asarray(r.rhs, dtype=float), np.asarray(r.lhs, dtype=float))
    return float(np.min(np.where(np.isfinite(found), found, np.inf)))
