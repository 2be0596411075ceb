"""The quantities along a run, in numbers and without them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from fedtheory.errors import NotApplicable
from fedtheory.gram.forms import Space
from fedtheory.gram.generic_space import GenericSpace
from fedtheory.instance import Instance
from fedtheory.numbers import Draws, Numbers
from fedtheory.relation import Condition, Relation
from fedtheory.world import Free, real

from .conditions import premises
from .sequences import Sequence as Listed
from .within import Inside

HISTORIES = 64  # of draws, at most, that are averaged over
STEPS = 10  # at most, of a run without numbers


class Along:
    """The quantities along a run, each computed where it is read."""

    def __init__(
        self,
        levels: Callable[[], list[list[Instance]]],
        world: Any,
        numbers: Numbers,
        inside: Inside | None = None,
    ) -> None:
        self.world, self.numbers, self._inside = world, numbers, [] if inside is None else inside
        self._levels = levels
        self._made: list[list[Instance]] = []
        self._values: dict[tuple[str, int], Any] = {}

    def levels(self) -> list[list[Instance]]:
        """The equally likely states after t steps, for every t."""
        self._made = self._made or self._levels()
        return self._made

    def stated_within(self) -> list[Relation]:
        """What holds at every step of the runs within the steps, in each of them; what else is given of one is not."""
        self.levels()
        out: list[Relation] = []
        for inner, states in self._inside:
            run, length = inner.run, len(states) - 1
            out.extend(r for c in run.obeys for z in states[:-1] for r in c.relations(z))
            told = run.told(states[0], Along(partial(_alone, states), run, states[0]._numbers), length, ())
            out.extend(r for c in run.every for r in run.everywhere(c, told))
        return out

    def at(self, name: str, t: int) -> Any:
        """A quantity at t, in the mean over the histories."""
        if (name, t) not in self._values:
            of = partial(self.world.quantity, name)
            self._values[name, t] = self.numbers.expectation(of, self.levels()[t])
        return self._values[name, t]

    def sequence(self, name: str, T: int) -> Listed:
        """A quantity as a sequence."""
        return _Read(name, self, T)


class _Read(Listed):
    """A sequence of which every element is computed where it is read."""

    def __init__(self, name: str, run: Along, T: int) -> None:
        super().__init__(name, real(), [None] * (T + 1))
        self.run = run

    def __getitem__(self, t: Any) -> Any:
        super().__getitem__(t)  # which refuses what there is not
        return self.run.at(self.name, int(t))


def with_means(
    means_of: Mapping[str, tuple[str, Callable[..., Any]]], levels: list[list[Instance]]
) -> list[list[Instance]]:
    """The states with the means over the steps before the last one, every history by itself where there are such."""
    if not means_of:
        return levels
    last, histories = levels[-1], len(levels[-1])
    runs = [[level[h * len(level) // histories] for level in levels] for h in range(len(last))]
    out = []
    for run in runs:
        means = {}
        for name, (of, weight) in means_of.items():
            weights = [weight(run[0], run[0]._numbers.count(t)) for t in range(len(run) - 1)]
            total = sum(getattr(x, of) * a for x, a in zip(run, weights, strict=False))
            means[name] = total / sum(weights)
        out.append([x.at(**means) for x in run])
    same: Any = partial(Draws, chances=last.chances) if isinstance(last, Draws) else list
    return [same(level) for level in zip(*out, strict=True)]


def unrolled(world: Any, x: Instance, shape: Mapping[str, int], space: Space) -> Instance:
    """The run from x of a listed length, without numbers: what is new at a step has leaves of its own, after all draws before.

    Raises
    ------
    NotApplicable
        If there are too many steps, something is chosen at one, or new at one of a run within it, a draw is of clients that
        are not counted, or there are too many histories of draws.
    """
    T = int(shape[world.index])
    if world.graph:
        raise NotApplicable("a run with matrices that are drawn is proved from what is known of one step")
    if T > STEPS:
        raise NotApplicable(f"a run of more than {STEPS} steps is proved from what is known of one step")
    if world.chosen or world.new_within or world.own_lengths:
        raise NotApplicable("a run with choices, or with errors within its steps, is proved from what is known of one")
    if world.random and (isinstance(space, GenericSpace) or world.histories(shape) > HISTORIES):
        raise NotApplicable("a run with draws is proved from what is known of one step, or at few histories of them")
    m = shape.get("m", 1)

    def new(t: int, history: int) -> dict[str, Any]:
        at = f"{t}, {history}" if world.random else str(t)
        mixed = {name: x._names[name].another(at) for name in world.varying}
        return mixed | {name: _leaves(world, space, f"{name} at {at}", m, name) for name in world.fresh}

    base = Instance(x._numbers, x._names, draws=world.draws(shape, x._numbers, x._names))
    run = world.along(base, T, new, {})
    states = [(f"{t}, {h}", y) for t, level in enumerate(run.levels()[:T]) for h, y in enumerate(level)]
    obeyed = [
        Condition(f"{c.printed} at {at}", c.where, partial(_at_state, c, y)) for at, y in states for c in world.obeys
    ]
    return world.told(base, run, T, premises(space, base, obeyed))  # type: ignore[no-any-return]


def _alone(states: list[Instance]) -> list[list[Instance]]:
    return [[z] for z in states]


def _leaves(world: Any, space: Space, name: str, m: int, of: str) -> Any:
    return space.leaves_for(name, m) if of in world.clients_at else space.leaf(name)[None]


def _at_state(c: Condition, y: Instance, _: Instance) -> tuple[Relation, ...]:
    return c.relations(y)


def placed_along(
    world: Any, free: Free | None, space: Space, leaves: np.ndarray, shape: Mapping[str, int]
) -> Free | None:
    """The instance with the vectors of every step, and without what is computed; `leaves` are the rows ``(n, d)`` of its space."""
    if free is None:
        return None
    d = free.shape["d"]
    rows = {
        name: np.array([*row, *[row[0] * 0] * (d - len(row))], dtype=object)
        for name, row in zip(space.leaves, leaves, strict=True)
    }

    def at(name: str, t: int) -> Any:
        own = [f"{name} at {t}"] if name in world.at else [f"{name} at {t}[{i}]" for i in range(shape.get("m", 1))]
        return np.stack([rows[one] for one in own])

    T = int(shape[world.index])
    new = {name: np.stack([at(name, t) for t in range(T + 1)]) for name in world.fresh}
    kept = {name: v for name, v in free.vectors.items() if name not in (*world.means, *world.within)}
    return free.replace(vectors={**kept, **new})
