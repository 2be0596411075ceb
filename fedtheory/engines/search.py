"""The search for violations: a batched random search, then an adversarial one that edits the instances of least slack.

Floats rank and search; whatever looks negative, and the least slacks, are replayed exactly by the caller.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._arrays import to_host
from ..claim import Body
from ..errors import NotApplicable
from ..numbers import Floats
from ..relation import as_relations
from ..world import Free, World

BATCH = 20
NOISY = 3  # negative instances of one batch that are replayed before the batch is left
BLUR = 1e-9  # relative width within which a condition counts as met while searching; the replay decides it exactly


@dataclass
class Search:
    """What a search saw.

    Attributes
    ----------
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
    candidates : list of (slack, Free)
        The instances of least slack, one a batch.
    """

    trials: int = 0
    min_slack: float | None = None
    positive: bool = True
    undefined: int = 0
    judged: int = 0
    refuted: Free | None = None
    worst: float = 0.0
    candidates: list[tuple[float, Free]] = field(default_factory=list)


def search(
    body: Body,
    world: World,
    *,
    instances: int,
    largest_m: int,
    seed: int,
    judge: Callable[[Free], tuple[str, float]],
    keep: int = 5,
    exhaust: bool = False,
    batch: int = BATCH,
    xp: Any = None,
    device: Any = None,
    owner: str = "",
) -> Search:
    """Look for violations of `body` in `instances` instances of `world`; deterministic in `seed`.

    `judge` replays one instance exactly and returns (outcome, slack). Every instance of negative slack that leads its
    batch goes to it; the search ends at the first refutation (with `exhaust`, it goes on to the worst one) and ranks
    the others by their exact slack, so that rounding noise leads nowhere. A `batch` of instances shares its scalars.

    Raises
    ------
    NotApplicable
        If the stated conditions at points were met by no draw.
    """
    rng = np.random.default_rng(np.random.SeedSequence([seed, 7]))
    shapes = world.shapes(largest_m) or [{}]
    found = Search()
    numbers = Floats(xp, device)
    heap: list[tuple[float, int, Free]] = []
    order = itertools.count()

    def look(free: Free) -> tuple[float, Free] | None:
        slack = _slacks(body, world, free, numbers, found, owner)
        if slack is None or not np.isfinite(slack).any():
            return None
        index = int(np.argmin(slack))
        best = float(slack[index])
        exactly = best >= 0
        for _ in range(NOISY):
            if best >= 0 or found.judged >= 20 * keep:
                break
            picked = world.pick(free, index)
            outcome, best = judge(picked)
            found.judged += 1
            exactly = outcome in ("refutes", "holds")
            if outcome == "refutes":
                if found.refuted is None or best < found.worst:
                    found.refuted, found.worst = picked, best
                break
            slack[index] = best if exactly else np.inf
            index = int(np.argmin(slack))
            best, exactly = float(slack[index]), bool(slack[index] >= 0)
        if not np.isfinite(best):
            return None
        if exactly:
            found.min_slack = best if found.min_slack is None else min(found.min_slack, best)
        picked = world.pick(free, index)
        heapq.heappush(heap, (-best, next(order), picked))
        if len(heap) > 4 * keep:
            heapq.heappop(heap)
        return best, picked

    random_share = instances // 2
    cells = max(1, random_share // (batch * len(shapes)))
    picks = rng.permutation(len(shapes))[: max(1, random_share // batch)]
    for s in picks:
        for free in world.sample(rng, shapes[s], cells, batch):
            look(free)
            if found.refuted is not None and not exhaust:
                return found
    if world.at_points and not found.trials:
        printed = ", ".join(c.printed for c in world.at_points)
        raise NotApplicable(f"no draw met the stated conditions at points: {printed}")
    rounds = max(1, (instances - random_share) // (batch * keep))
    leaders = sorted(((-k, n, f) for k, n, f in heap), key=lambda e: (e[0], e[1]))[:keep]
    for best, _, free in leaders:
        for _ in range(rounds):
            step = look(world.mutate(rng, free, batch))
            if found.refuted is not None and not exhaust:
                return found
            if step is not None and step[0] < best:
                best, free = step
    found.candidates = [(-k, f) for k, n, f in sorted(heap, key=lambda e: (-e[0], e[1]))][:keep]
    return found


def _slacks(body: Body, world: World, free: Free, numbers: Floats, found: Search, owner: str) -> np.ndarray | None:
    """Least slack of every instance of a batch ``(batch,)``, infinite where a condition fails."""
    arrays = free.vectors or (free.scalars if world.batched_scalars else {})
    rows = next(iter(arrays.values())).shape[0] if arrays else 1
    with np.errstate(all="ignore"):
        try:
            x = world.build(free, numbers)
            relations = as_relations(body(x), owner)
        except (ZeroDivisionError, OverflowError):
            found.undefined += rows
            return None
        ok = np.ones(rows, dtype=bool)
        for g in x.given:
            if g.op != "==":
                a, b = _host(g.lhs), _host(g.rhs)
                ok &= _rows(a <= b + BLUR * (np.abs(a) + np.abs(b)), rows).all(axis=1)
        slack = np.full(rows, np.inf)
        for r in relations:
            a, b = _host(r.lhs), _host(r.rhs)
            size = np.abs(a) + np.abs(b)
            s = np.where(size > 0, (b - a) / np.where(size > 0, size, 1.0), 0.0)
            if r.op == "==":
                s = -np.abs(s)
            elif r.op == "<":
                s = np.where(s == 0, -1e-300, s)
            else:
                s = np.where(size > 0, s, 1.0)  # 0 <= 0 says nothing and leads nowhere
            overflow = (a == np.inf) & np.isfinite(b)  # too large for floats; the replay decides it
            s = np.where(np.isfinite(a) & np.isfinite(b), s, np.where(overflow, -1.0, np.nan))
            table = _rows(s, rows)
            bad = np.isnan(table).any(axis=1)
            found.undefined += int((bad & ok).sum())
            slack = np.minimum(slack, np.where(bad, np.inf, np.min(np.where(np.isnan(table), np.inf, table), axis=1)))
            good = ok & ~bad
            B = _rows(b + 0 * a, rows)[good]
            found.positive &= r.op != "==" and not (-BLUR * np.abs(_rows(a + 0 * b, rows)[good]) > B).any()
    found.trials += int(ok.sum())
    return np.where(ok, slack, np.inf)


def _host(a: Any) -> np.ndarray:
    return np.asarray(to_host(a) if hasattr(a, "shape") else a, dtype=float)


def _rows(a: np.ndarray, rows: int) -> np.ndarray:
    """An array of relations as a table with one row an instance."""
    a = np.asarray(a)
    return (
        a.reshape(rows, -1)
        if a.ndim and a.shape[0] == rows and a.ndim > 1
        else np.broadcast_to(a.reshape(1, -1), (rows, a.size))
    )
