"""Stated conditions: on scalars, or at points and vectors, and instances that meet the latter.

A condition on scalars bounds the region in which scalars are drawn. One that names points or functions is evaluated on
the built instance: the search meets it by rejection and keeps edits that stay inside, the exact replay lists it among the
conditions, and on Gram arrays it is a premise, an inequality of the space.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory._arrays import as_floats, to_host
from fedtheory.errors import UsageError, did_you_mean
from fedtheory.gram.forms import Space, gaps
from fedtheory.gram.roots import squared
from fedtheory.instance import OPERATIONS, Instance
from fedtheory.numbers import Floats
from fedtheory.relation import Condition, Relation
from fedtheory.world import Free, World

TRIES = 40  # batches drawn for one batch of instances that meet the conditions
SPARE = 4  # times as many batches as are asked for, at most, in one sample
LARGEST = 10**300  # whole numbers up to which floats go
AT_EVERY_STEP = "at every step"  # the kind of the names that conditions in obeys= may use, and no others
HALVINGS = 8  # how far an edit that left the conditions is taken back towards where it started


def holds(relation: Relation) -> np.ndarray:
    """Elementwise truth of a relation on float arrays or exact numbers, as a host array."""
    lhs, rhs = (as_floats(s) if isinstance(s, int) and abs(s) > LARGEST else s for s in (relation.lhs, relation.rhs))
    if relation.op != "==":
        lhs, rhs = _beside(lhs, rhs, relation.op == "<"), _beside(rhs, lhs, relation.op == "<=")
    out = lhs <= rhs if relation.op == "<=" else lhs < rhs if relation.op == "<" else lhs == rhs
    return np.asarray(to_host(out) if hasattr(out, "shape") else out, dtype=bool)


def _beside(bound: Any, values: Any, down: bool) -> Any:
    """A fraction to which floats are compared, as the float nearest to it of those on one side: which says the same, and at once.

    A float is at least a fraction where it is at least the smallest float from it on, and greater than the fraction where it
    is greater than the largest float up to it.
    """
    floats = getattr(getattr(values, "dtype", None), "kind", "") == "f"
    if not floats or not isinstance(bound, Fraction) or abs(bound) > LARGEST:
        return bound
    near = float(bound)
    if down and near > bound:
        return math.nextafter(near, -math.inf)
    return math.nextafter(near, math.inf) if not down and near < bound else near


# which kind a condition is


class _Anything:
    """Stands for every number, vector and function while a condition is asked for the names that it uses."""

    __array_ufunc__ = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **_: Any) -> Any:
        for fn in args:
            if callable(fn) and not isinstance(fn, _Anything):
                fn(self)
        return self

    def _self(self, *_: Any) -> Any:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _self
    __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = __getitem__ = _self

    def _true(self, *_: Any) -> bool:
        return True

    __bool__ = __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _true  # type: ignore[assignment]
    __hash__ = object.__hash__

    def __iter__(self) -> Any:
        return iter((self,))

    def __index__(self) -> int:
        return 1

    __int__ = __len__ = __index__


class _Asked:
    """An instance that writes down which names a condition uses."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if not hasattr(Instance, name) and name not in ("given", "kind", "xp"):
            self.names.append(name)
        return _Anything()


def names_of(condition: Condition) -> list[str]:
    """The names of the instance that a condition uses, in order; those after an error of its own are not seen."""
    asked = _Asked()
    with suppress(Exception):  # the condition raises it again where it is evaluated, and there it is reported
        condition.relation(asked)
    return list(dict.fromkeys(asked.names))


def sorted_out(
    given: Iterable[Condition], known: Mapping[str, Iterable[str]]
) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
    """(conditions on scalars, conditions at points), by the names that they use.

    `known` has the names of the world by kind; those under "scalars" are known before there are any points, and those under
    `AT_EVERY_STEP` are of the steps of a run alone.

    Raises
    ------
    UsageError
        If a condition uses a name that the world does not have.
    """
    kinds = {kind: tuple(names) for kind, names in known.items() if kind != AT_EVERY_STEP}
    hidden = tuple(known.get(AT_EVERY_STEP, ()))
    everything = [name for names in kinds.values() for name in names]
    on_scalars: list[Condition] = []
    at_points: list[Condition] = []
    for c in given:
        names = names_of(c)
        for name in names:
            if name not in everything:
                has = "; ".join(f"{kind} {', '.join(names)}" for kind, names in kinds.items() if names)
                near = (
                    "; what holds of points and functions at every step goes to obeys=(...)" if name in hidden else ""
                )
                raise UsageError(
                    f"the condition {c.printed!r} uses x.{name}, and this world has no name {name!r} "
                    f"(it has {has}){near or did_you_mean(name, everything) or did_you_mean(name, OPERATIONS)}"
                )
        (on_scalars if set(names) <= set(kinds.get("scalars", ())) else at_points).append(c)
    return tuple(on_scalars), tuple(at_points)


# instances that meet the conditions at points


def met(world: World, free: Free) -> np.ndarray:
    """Which instances of a batch meet the conditions at points, in floats, ``(batch,)``."""
    rows = next(iter(free.vectors.values())).shape[0]
    ok = np.ones(rows, dtype=bool)
    with np.errstate(all="ignore"):
        x = world.build(free, Floats())
        for r in (r for c in world.at_points for r in c.relations(x)):
            truth = holds(r)
            ok &= truth.reshape(rows, -1).all(axis=1) if truth.ndim > 1 else bool(truth.all())
    return ok


def inside(
    world: World, rng: np.random.Generator, draw: Callable[..., Free], batch: int, tries: int
) -> tuple[Any, int]:
    """(`batch` instances that meet the conditions at points or None, batches drawn for them).

    What is drawn is moved towards the conditions; where that brings none of a batch to where they hold, more and more batches are
    drawn as they come before the next one is. Those that are missing after `tries` batches are edits, within the conditions, of the
    ones that were found.
    """
    found: list[Free] = []
    count = used = 0
    waits = until = 0
    while count < batch and used < tries:
        move = used >= until
        free = draw(move=move)
        used += 1
        ok = met(world, free)
        if move:
            waits = 0 if ok.any() else 2 * waits + 1
            until = used + waits
        if ok.any():
            found.append(free.replace(vectors={k: v[ok] for k, v in free.vectors.items()}))
            count += int(ok.sum())
    if not found:
        return None, used
    whole = joined(found)
    while count < batch:
        start = world.pick(whole, int(rng.integers(count)))
        whole = joined([whole, world.mutate(rng, start, batch - count).replace(scalars=whole.scalars)])
        ok = met(world, whole)
        whole = whole.replace(vectors={k: v[ok] for k, v in whole.vectors.items()})
        count, used = int(ok.sum()), used + 1
        if used > 2 * tries:
            break
    return whole.replace(vectors={k: v[np.arange(batch) % count] for k, v in whole.vectors.items()}), used


def one_row(scalars: Free, start: Free) -> Free:
    """One instance as a batch, under other scalars."""
    return scalars.replace(vectors={k: np.asarray(v, dtype=float)[None] for k, v in start.vectors.items()})


def joined(parts: list[Free]) -> Free:
    """Batches that share their scalars as one."""
    vectors = {k: np.concatenate([p.vectors[k] for p in parts]) for k in parts[0].vectors}
    return parts[0].replace(vectors=vectors)


def retreated(world: World, start: Free, edited: Free, admit: Callable[[str, np.ndarray], np.ndarray]) -> Free:
    """Edits that left the conditions, taken back towards their start until they meet them; else the start itself."""
    rows = {k: np.broadcast_to(np.asarray(v, dtype=float), edited.vectors[k].shape) for k, v in start.vectors.items()}
    ok = met(world, edited)
    for halving in range(HALVINGS + 1):
        if ok.all():
            return edited
        back = {}
        for name, v in edited.vectors.items():
            away = ~ok.reshape(-1, *(1,) * (v.ndim - 1))
            nearer = rows[name] if halving == HALVINGS else admit(name, (rows[name] + v) / 2)
            back[name] = np.where(away, nearer, v)
        edited = edited.replace(vectors=back)
        ok = met(world, edited)
    return edited


# premises on Gram arrays


def premises(space: Space, x: Instance, given: Iterable[Condition]) -> list[Relation]:
    """The conditions on abstract vectors, which become inequalities of the space; a strict one is relaxed.

    An equality stands as two inequalities, which have multipliers for all parameters as any other.
    """
    out = []
    for k, c in enumerate(given):
        for n, r in enumerate(squared(c.relations(x), given=True)):
            for i, gap in enumerate(gaps(r)):
                name = f"given {k}.{n}[{i}] {c.printed}"
                space.nonnegative(name, gap)
                if r.op == "==":
                    space.nonnegative(f"{name} reversed", -gap)
            out.append(r)
    return out
