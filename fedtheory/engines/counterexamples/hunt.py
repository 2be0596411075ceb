"""The hunt for violations of a body: random batches, then edits of the instances of least slack.

Floats rank and search. What looks negative is replayed exactly before it leads anywhere, and so are, by the caller, the
least slacks.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ..._arrays import as_floats
from ...claim import Body
from ...errors import NotApplicable, UsageError
from ...instance import Instance
from ...numbers import Floats
from ...numbers.per_row import PerRow
from ...relation import Relation, relations_of
from ...world import Described, Exact, Free, World
from ..budget import Budget, Hunting
from . import exact

PROBED = 20200611  # the seed of instances that are compared with themselves alone
MISALIGNED = (UsageError, TypeError, ValueError, AttributeError)  # what scalars in place of numbers may lead to
COARSE, FINER = 0.3, 0.6  # size of an edit where leaders are polished, at first, and its factor where none is better
BLUR = 1e-9  # relative width within which a condition counts as met while searching; the replay decides it exactly


@dataclass
class Hunt:
    """One search for violations of `body` in `world`, and what it has seen so far.

    Attributes
    ----------
    numbers : Floats
        Where the batches run.
    keep : int
        Instances of least slack that are walked from and handed back.
    exhaust : bool
        Whether to go on after a refutation, to the worst one.
    trials : int
        Instances evaluated that met the conditions.
    min_slack : float or None
        Least (rhs - lhs)/(|lhs| + |rhs|) seen; a negative one only from an exact replay.
    positive : bool
        Whether every right side was positive, so that lhs/rhs is a measure of tightness.
    undefined : int
        Instances at which a side was not a finite number.
    judged : int
        Instances of negative slack that were replayed exactly during the search.
    refuted, worst : Free or None, float
        The instance at which the exact replay refutes, and its slack.
    seen : set
        The sizes at which instances met the conditions, as pairs of name and number.
    defined : Free or None
        An instance at which floats have both sides of every relation.
    beyond : list of Free
        A few instances whose sides floats cannot tell apart, as both are too large or too small.
    """

    body: Body
    world: World
    numbers: Floats = field(default_factory=Floats)
    keep: int = 5
    exhaust: bool = False
    owner: str = ""
    trials: int = 0
    min_slack: float | None = None
    positive: bool = True
    undefined: int = 0
    judged: int = 0
    refuted: Free | None = None
    worst: float = 0.0
    seen: set[tuple[tuple[str, int], ...]] = field(default_factory=set)
    defined: Free | None = None
    beyond: list[Free] = field(default_factory=list)
    _least: list[tuple[float, int, Free]] = field(default_factory=list)  # heap of (-slack, when, instance)
    _when: Iterator[int] = field(default_factory=itertools.count)
    _share: Fraction = Fraction(1)  # of the replays that may be spent by now

    @property
    def done(self) -> bool:
        """Whether a refutation ends the hunt."""
        return self.refuted is not None and not self.exhaust

    @property
    def candidates(self) -> list[Free]:
        """The instances of least slack, one a batch, least first; nothing where the hunt ended at a refutation."""
        return [] if self.done else [free for _, _, free in self._leaders()]

    @property
    def proposals(self) -> list[Free]:
        """The refuting instance, else those of least slack: what an exact replay has yet to judge."""
        return self.candidates if self.refuted is None else [self.refuted]

    def _leaders(self) -> list[tuple[float, int, Free]]:
        return sorted(((-k, n, free) for k, n, free in self._least), key=lambda e: e[:2])[: self.keep]

    def spend(self, limits: Budget, seed: int, part: int = 1) -> Hunt:
        """`run` with the instances of a budget, or a part of them."""
        instances = limits.instances if self.apart else limits.shared
        return self.run(instances // part, limits.search_m, seed, self.usual)

    def run(self, instances: int, largest_m: int, seed: int, batch: int = Hunting.batch) -> Hunt:
        """Look at so many instances, half of them drawn and half of them edited; deterministic in `seed`."""
        rng = np.random.default_rng(np.random.SeedSequence([seed, 7]))
        shapes = self.world.shapes(largest_m) or [{}]
        drawn = instances // 2
        cells = max(1, drawn // (batch * len(shapes)))
        nowhere: NotApplicable | None = None
        order = rng.permutation(len(shapes))[: max(1, drawn // batch)]
        for k, s in enumerate(order, start=1):
            self._share = Fraction(k, len(order) + 1)  # so that the noise of one size leaves replays to the next
            try:
                for free in self._drawn(rng, shapes[s], cells, batch):
                    self.look(free, batch if self.scatters else 0)
                    if self.done:
                        return self
            except NotApplicable as error:  # no draw meets the conditions at this size
                nowhere = error
        if nowhere is not None and not self.trials:
            raise nowhere
        self._share = Fraction(1)
        leaders = self._leaders()
        edits = Hunting.edits * batch if self.scatters else batch
        rounds = max(1, (instances - drawn) // (edits * max(1, len(leaders))))
        for group in self._together([(least, free) for least, _, free in leaders], edits):
            self._walk(rng, group, edits, rounds)
            if self.done:
                return self
        return self

    def _together(self, leaders: list[tuple[float, Free]], edits: int) -> list[list[tuple[float, Free]]]:
        """The leaders in groups that are edited as one batch: those of one size, where each row can have its own scalars."""
        if not self.apart:
            return [[one] for one in leaders]
        alike: dict[tuple[tuple[str, int], ...], list[tuple[float, Free]]] = {}
        for one in leaders:
            alike.setdefault(tuple(one[1].shape.items()), []).append(one)
        most = max(1, Hunting.rows // edits)
        return [group[k : k + most] for group in alike.values() for k in range(0, len(group), most)]

    def _walk(self, rng: np.random.Generator, group: list[tuple[float, Free]], edits: int, rounds: int) -> None:
        """Edit every instance of a group as often, each time from where its slack was least."""
        for _ in range(rounds):
            starts = [free for _, free in group]
            world = self.world
            batch = world.edited(rng, starts, edits) if self.apart else world.mutate(rng, starts[0], edits)
            for k, step in enumerate(self.look(batch, edits)):
                if step is not None and step[0] < group[k][0]:
                    group[k] = step
            if self.done:
                return

    def polish(self, seed: int, batch: int, rounds: int) -> None:
        """Smaller and smaller edits of the vectors of every leader, each time from where its slack was least."""
        rng = np.random.default_rng(np.random.SeedSequence([seed, 19]))
        for least, _, free in self._leaders():
            scale = COARSE
            for _ in range(rounds):
                (step,) = self.look(self.world.nudged(rng, free, batch, scale))
                if self.done:
                    return
                if step is not None and step[0] < least:
                    least, free = step
                else:
                    scale *= FINER

    def _drawn(self, rng: np.random.Generator, shape: dict[str, int], cells: int, batch: int) -> Iterable[Free]:
        """The instances of one size: as one batch where each can have its own scalars, else in batches that share them."""
        if self.scatters:
            return [self.world.scattered(rng, shape, cells * batch)]
        return self.world.sample(rng, shape, cells, batch)

    @property
    def apart(self) -> bool:
        """Whether every instance of a batch has scalars of its own, which may be all that it has."""
        return self.scatters or self.world.batched_scalars

    @property
    def usual(self) -> int:
        """Instances of an evaluation."""
        return Hunting.batch if self.apart else Hunting.shared

    @cached_property
    def scatters(self) -> bool:
        """Whether every instance of a batch has its own scalars.

        The world has to draw such batches, and the body to say of their instances what it says of each of them alone: an
        array that is made of scalars by other means than arithmetic may line up with clients. Where arrays of a backend
        refuse such scalars NumPy takes over, so that the search looks at the same instances everywhere.
        """
        if not self.world.scatters:
            return False
        free = self._probe()
        together = None
        for numbers in (self.numbers, Floats()):
            if free is None:
                return False
            try:
                together = ranked(self.body, self.world, free, numbers, self.owner)
            except (NotApplicable, *MISALIGNED):
                continue
            self.numbers = numbers
            break
        if free is None or together is None:
            return False
        for i in range(Hunting.alone):
            alone = self._alone(free, i)
            slacks = np.array([together.slack[i], alone.slack[0]])
            if together.met[i] != alone.met[0] or not (np.isinf(slacks).all() or np.ptp(slacks) <= BLUR):
                return False
        return True

    def _probe(self) -> Free | None:
        """A batch at the first size at which there is one: that of two clients where it has any."""
        for shape in ((self.world.shapes(2) or [{}])[-1], *self.world.shapes(Hunting.probed_m)):
            try:
                return self.world.scattered(np.random.default_rng(PROBED), shape, Hunting.probe)
            except (NotApplicable, *MISALIGNED):
                continue
        return None

    def _alone(self, free: Free, index: int, close: float = 0.0) -> Ranked:
        """One instance of a batch as a batch of its own."""
        one = self.world.pick(free, index)
        one = one.replace(vectors={k: v[None] for k, v in one.vectors.items()})
        return ranked(self.body, self.world, one, self.numbers, self.owner, close=close)

    def ranked(self, free: Free, close: float = 0.0) -> Ranked:
        """A batch as floats see it; one instance after the other where the body takes scalars of their own at other sizes only."""
        try:
            return ranked(self.body, self.world, free, self.numbers, self.owner, close=close)
        except MISALIGNED:
            if not self.scatters:
                raise
        each = [self._alone(free, k, close) for k in range(_length(free, self.world))]
        slack, met = (np.concatenate([getattr(one, name) for one in each]) for name in ("slack", "met"))
        return Ranked(slack, met, sum(one.undefined for one in each), all(one.positive for one in each))

    def look(self, free: Free, part: int = 0) -> list[tuple[float, Free] | None]:
        """Evaluate a batch; of every `part` of that many instances, or of all if it is 0, the one of least slack with the slack.

        None where no condition is met. These instances are remembered; after a refutation that ends the hunt no part follows.
        """
        batch = self.ranked(free)
        self.trials += int(batch.met.sum())
        if batch.met.any():
            self.seen.add(tuple(free.shape.items()))
        self.undefined += batch.undefined
        self.positive &= batch.positive
        if self.defined is None and len(batch.slack):
            most = int(np.argmax(np.where(np.isfinite(batch.slack), batch.slack, -np.inf)))
            self.defined = self.world.pick(free, most) if 0 <= batch.slack[most] < np.inf else None
        if len(batch.beyond) and len(self.beyond) < Hunting.lost * Hunting.lost_at:
            self.beyond += [self.world.pick(free, int(k)) for k in batch.beyond]
        found = []
        for start in range(0, len(batch.slack), part or len(batch.slack)):
            found.append(self._remembered(free, batch.slack[start : start + part] if part else batch.slack, start))
            if self.done:
                break
        return found

    def _remembered(self, free: Free, slack: np.ndarray, start: int) -> tuple[float, Free] | None:
        """The instance of least slack of a part of a batch that begins at `start`."""
        if not np.isfinite(slack).any():
            return None
        index, least, exactly = self._leader(free, slack, start)
        if not np.isfinite(least):
            return None
        if exactly:
            self._saw(least)
        picked = self.world.pick(free, start + index)
        heapq.heappush(self._least, (-least, next(self._when), picked))
        if len(self._least) > Hunting.spare * self.keep:
            heapq.heappop(self._least)
        return least, picked

    def _leader(self, free: Free, slack: np.ndarray, start: int) -> tuple[int, float, bool]:
        """The instance of least slack, its slack, and whether that is more than a float says.

        A negative float is replayed exactly: it refutes, or it is replaced by the exact slack, or its instance leaves.
        """
        for tried in range(max(Hunting.noisy, Hunting.noisy * len(slack) // self.usual)):
            index = _middle(slack) if tried % 2 else int(np.argmin(slack))
            allowed = Hunting.judged if slack[index] < -BLUR else Hunting.blurred
            if slack[index] >= 0 or self.judged >= self._share * allowed * min(self.keep, Hunting.counted):
                break
            picked = self.world.pick(free, start + index)
            outcome, decided = self._judge(picked)
            if outcome == "refutes":
                if self.refuted is None or decided < self.worst:
                    self.refuted, self.worst = picked, decided
                return index, decided, True
            slack[index] = decided if outcome == "holds" else np.inf
            if outcome == "holds":
                self._saw(decided)
        index = int(np.argmin(slack))
        return index, float(slack[index]), bool(slack[index] >= 0)

    def _saw(self, slack: float) -> None:
        self.min_slack = slack if self.min_slack is None else min(self.min_slack, slack)

    def _judge(self, free: Free) -> tuple[str, float]:
        """The outcome of the exact replay and its least slack."""
        self.judged += 1
        result = exact.judge(self.body, self.world, free, self.owner)
        return result.outcome, min((exact.slack(s) for s in result.relations), default=0.0)


def _middle(slack: np.ndarray) -> int:
    """The instance in the middle of those of negative slack: where sides cancel, the least ones are those of rounding."""
    negative = np.argsort(slack, kind="stable")[: max(1, int((slack < -BLUR).sum()))]
    return int(negative[len(negative) // 2])


@dataclass(frozen=True)
class Ranked:
    """A batch as floats see it.

    Attributes
    ----------
    slack : array (batch,)
        Least slack of every instance over its relations, infinite where a condition fails or a side is undefined.
    met : array (batch,)
        Whether the conditions are met, up to rounding.
    undefined : int
        Instances that meet them and have a side that is not a finite number; all where none of them can be evaluated.
    positive : bool
        Whether no right side is negative and no relation an equality.
    beyond : array of int
        A few instances that meet them, of parameters alone, with both sides too large for floats, or too small.
    """

    slack: np.ndarray
    met: np.ndarray
    undefined: int = 0
    positive: bool = True
    beyond: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=int))


def ranked(body: Body, world: Exact, free: Free, numbers: Floats, owner: str, *, close: float = 0.0) -> Ranked:
    """Evaluate a batch; sides of a strict relation that are relatively as close as `close` count as equal.

    A backend that takes no whole number beyond 64 bits leaves the batch to NumPy.
    """
    rows = _length(free, world)
    too_large = () if numbers.on_host else OverflowError
    with np.errstate(all="ignore"):
        try:
            x = world.build(free, numbers)
            met = _met(x.given, rows) & _stated(world, x, rows)
        except too_large:
            return ranked(body, world, free, Floats(), owner, close=close)
        except (ZeroDivisionError, OverflowError):
            return Ranked(np.full(rows, np.inf), np.zeros(rows, dtype=bool), rows)
        try:
            relations = relations_of(body, x, owner)
        except too_large:
            return ranked(body, world, free, Floats(), owner, close=close)
        except (
            ZeroDivisionError,
            OverflowError,
        ):  # a side is undefined at these sizes; another relation may fail there
            met &= np.cumsum(met) <= Hunting.noisy
            return Ranked(np.where(met, -1.0, np.inf), met, rows)
        slack = np.full(rows, np.inf)
        beyond, nowhere = np.zeros(rows, dtype=bool), np.zeros(rows, dtype=bool)
        positive = True
        for r in relations:
            a, b = _sides(r)
            table = _rows(_slack(a, b, r.op, close), rows)
            bad = np.isnan(table).any(axis=1)
            nowhere |= bad & met
            least = np.min(np.where(np.isnan(table), np.inf, table), axis=1)
            slack = np.minimum(slack, np.where(bad, np.inf, least))
            positive = positive and r.op != "==" and _positive(a, b, met & ~bad, rows)
            if world.batched_scalars:
                lost = (
                    ((np.abs(a) == np.inf) & (np.abs(b) == np.inf)) | np.isnan(a) | np.isnan(b) | ((a == 0) & (b == 0))
                )
                beyond |= _rows(lost, rows).any(axis=1)
    return Ranked(
        np.where(met, slack, np.inf), met, int(nowhere.sum()), positive, np.flatnonzero(beyond & met)[: Hunting.lost]
    )


def smallest(world: Described, largest_m: int, count: int) -> list[dict[str, int]]:
    """So many of the smallest sizes of a world."""
    return sorted(world.shapes(largest_m) or [{}], key=lambda shape: sum(shape.values()))[:count]


def differences(body: Body, world: Exact, free: Free, owner: str) -> np.ndarray:
    """The least difference of the sides of the strict relations of every instance of a batch ``(rows,)``.

    Infinite where a condition is not met, and where there is no strict relation.
    """
    rows = _length(free, world)
    with np.errstate(all="ignore"):
        try:
            x = world.build(free, Floats())
            relations = [r for r in relations_of(body, x, owner) if r.op == "<"]
        except (ZeroDivisionError, OverflowError):
            return np.full(rows, np.inf)
        least = np.full(rows, np.inf)
        for a, b in map(_sides, relations):
            gaps = _rows(b - a, rows).min(axis=1)
            least = np.minimum(least, np.where(np.isnan(gaps), np.inf, gaps))
        return np.where(_met(x.given, rows) & _stated(world, x, rows), least, np.inf)


def sides_at(body: Body, world: Exact, free: Free, owner: str) -> tuple[np.ndarray, list[tuple[str, Any, Any]]]:
    """Which instances of a batch meet every condition ``(rows,)``; and operator, left and right sides ``(rows, .)`` of relations.

    Raises
    ------
    ZeroDivisionError, OverflowError
        If a side is undefined.
    """
    rows = _length(free, world)
    x = world.build(free, Floats())
    tables = []
    for r in relations_of(body, x, owner):
        a, b = np.broadcast_arrays(*_sides(r))
        tables.append((r.op, _rows(a, rows), _rows(b, rows)))
    return _met(x.given, rows) & _stated(world, x, rows), tables


def met_by(x: Instance) -> bool:
    """Whether one instance on floats meets its conditions, up to rounding; equalities are left aside."""
    return bool(_met(x.given, 1).all())


def _length(free: Free, world: Described) -> int:
    arrays = free.vectors or (free.scalars if world.batched_scalars else {})
    return next(iter(arrays.values())).shape[0] if arrays else 1


def _met(given: tuple[Relation, ...], rows: int) -> np.ndarray:
    """Which instances meet every condition, up to rounding ``(rows,)``; equalities are left to the replay."""
    met = np.ones(rows, dtype=bool)
    for g in given:
        if g.op != "==":
            a, b = _sides(g)
            met &= _rows(a <= b + BLUR * (np.abs(a) + np.abs(b)), rows).all(axis=1)
    return met


def _sides(r: Relation) -> tuple[np.ndarray, np.ndarray]:
    """Both sides on the host; a parameter of every instance lines up with the other side."""
    most = max(getattr(side, "ndim", 0) for side in (r.lhs, r.rhs))
    a, b = (as_floats(side.along(most) if isinstance(side, PerRow) else side) for side in (r.lhs, r.rhs))
    return a, b


def _stated(world: Described, x: Instance, rows: int) -> np.ndarray:
    """Which instances meet the stated conditions at points, as floats have them ``(rows,)``: there is no draw by construction."""
    met = np.ones(rows, dtype=bool)
    for r in (r for c in world.at_points for r in c.relations(x)):
        a, b = as_floats(r.lhs), as_floats(r.rhs)
        met &= _rows(a < b if r.op == "<" else a == b if r.op == "==" else a <= b, rows).all(axis=1)
    return met


def _slack(a: np.ndarray, b: np.ndarray, op: str, close: float) -> np.ndarray:
    """(b - a)/(|a| + |b|), minus the same without sign for an equality; nan where a side is undefined."""
    size = np.abs(a) + np.abs(b)
    s = np.where(size > 0, (b - a) / np.where(size > 0, size, 1.0), 0.0)
    if op == "==":
        s = -np.abs(s)
    elif op == "<":
        s = np.where(np.abs(s) <= close, -2 * close or -1e-300, s)
    else:
        s = np.where(size > 0, s, 1.0)  # 0 <= 0 says nothing and leads nowhere
    overflow = (a == np.inf) & np.isfinite(b)  # too large for floats; the replay decides it
    return np.where(np.isfinite(a) & np.isfinite(b), s, np.where(overflow, -1.0, np.nan))


def _positive(a: np.ndarray, b: np.ndarray, where: np.ndarray, rows: int) -> bool:
    """Whether the right side is nowhere negative, up to the rounding of the left one."""
    A, B = _rows(a + 0 * b, rows)[where], _rows(b + 0 * a, rows)[where]
    return not bool((-BLUR * np.abs(A) > B).any())


def _rows(a: np.ndarray, rows: int) -> np.ndarray:
    """An array of relations as a table with one row an instance."""
    a = np.asarray(a)
    return (
        a.reshape(rows, -1)
        if a.ndim and a.shape[0] == rows and a.ndim > 1
        else np.broadcast_to(a.reshape(1, -1), (rows, a.size))
    )
