"""Runs within a step of another run: where they end, each client after as many steps as all others, or after its own number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from fedtheory._arrays import to_host
from fedtheory.bodies import attempt
from fedtheory.instance import Instance

from .each_time import EVERY, drawn

OF = Callable[[Instance], Any]
SAME, LARGEST = 0.3, 0.45  # of draws: up to where the lengths are the same at every step, and the largest


@dataclass(frozen=True)
class Within:
    """Where a point of another run is after its last step; `last` makes it.

    Attributes
    ----------
    run : RunWorld
        The run, whose length is a size of the other one.
    point : str
        One of the points that it moves.
    at : dict of callables
        Its points that do not move, in those of the other run; what is not listed has the same name.
    up_to : str
        The size of the other run up to which every client has a length of its own; empty where all have one.
    count : str
        The scalar of the run that is each client's own length; empty where none is.
    """

    run: Any
    point: str
    at: Mapping[str, OF] = field(default_factory=dict)
    up_to: str = ""
    count: str = ""

    @property
    def length(self) -> str:
        """The size of the other run that is the length of this one, or the largest of each client's own."""
        return self.up_to or self.run.index

    @property
    def stated(self) -> bool:
        """Whether something is stated of every step of the run."""
        return bool(self.run.obeys or self.run.every)

    def assumed(self, name: str) -> str:
        """What is said of a point of the other run."""
        steps = (
            f"{self.length} steps"
            if not self.up_to
            else f"{self.run.first} to {self.up_to} steps, each client's own number,"
        )
        return f"{name} is {self.point} after {steps} of a run of its own"

    def lengths(self, largest: int) -> range:
        """The lengths that a client may have."""
        return range(self.run.first, largest + 1)

    def choices(self, sizes: Mapping[str, tuple[int, ...]]) -> int:
        """How many lengths of all clients together there are at one step."""
        return len(self.lengths(max(sizes[self.length]))) ** max(sizes["m"])

    def drawn(self, rng: np.random.Generator, times: int, m: int, shape: Mapping[str, int]) -> np.ndarray:
        """Steps beyond the least number, of each client at every step ``(times, m, 1)``: any, the same at every step, or all."""
        count = len(self.lengths(shape[self.length]))
        more = rng.integers(count, size=(times, m, 1)).astype(float)
        kind = rng.random()
        if kind < SAME:
            more[:] = more[:1]
        elif kind < LARGEST:
            more[:] = count - 1
        return more

    def taken(self, more: np.ndarray, largest: int) -> list[int]:
        """The lengths of the clients of a batch, by the steps ``(..., m)`` beyond the least number in its first instance."""
        return [min(self.run.first + int(abs(n)), largest) for n in more.reshape(-1, more.shape[-1])[0]]

    def states(self, name: str, y: Instance, t: int, data: Mapping[str, Any], own: int | None = None) -> list[Instance]:
        """The states of the run within the step at t, whose point is called `name`; of an own length where there is one."""
        run = self.run
        here = (..., slice(t, t + 1), EVERY, EVERY, EVERY)
        new = {one: drawn(f"{name} {one}", y, data, run.reach.get(one), here) for one in run.fresh}
        counted = {self.count: y._numbers.count(own)} if self.count and own is not None else {}
        z = y.at(**{point: attempt(fn, y, f"{point} of {name}") for point, fn in self.at.items()}, **counted)
        z = run.begun(z)
        states = []
        for r in range(getattr(y, self.length) if own is None else own):
            states.append(z.at(**{one: v[..., 0, r, :, :] for one, v in new.items()}))
            z = run.moved(states[-1], None, {})
        return [*states, z]

    def end(
        self, name: str, y: Instance, t: int, data: Mapping[str, Any], of: str | None, inside: Inside | None = None
    ) -> Any:
        """Where the point is after the step at t; where each client has its own length, it is that `of` a point of the same run.

        `inside` takes the states of the longest run where something is stated of them.
        """
        told = inside is not None and self.stated
        whole = self.states(name, y, t, data) if of is None or told else []
        if inside is not None and told:
            inside.append((self, whole))
        if of is None:
            return getattr(whole[-1], self.point)
        more = np.asarray(to_host(data[more_steps(of)]), dtype=float)[..., t, :, 0]
        own = self.taken(more, getattr(y, self.up_to))
        first, *others = dict.fromkeys(own)
        out = getattr(self.states(name, y, t, data, first)[-1], self.point)
        for one in others:
            mask = y._numbers.array(np.array([int(n == one) for n in own], dtype=object))
            out = y._numbers.where(mask, getattr(self.states(name, y, t, data, one)[-1], self.point), out)
        return out


Inside = list[tuple[Within, list[Instance]]]
"""Runs within the steps of another one, with their states."""


def more_steps(name: str) -> str:
    """What the steps of each client beyond the least number are called among the free data."""
    return f"{name}_more_steps"
