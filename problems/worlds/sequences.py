"""Sequences of scalars up to an index that may be any number: what is known of every element, and claims for every length.

``Sequences("T", D=at_least(0), e=at_least(0), ...)`` has ``x.T``, ``x.D[t]`` for t = 0 .. T and sums ``x.sum(lambda t: ..., x.T)``.
Searches look at the listed lengths and, where nothing is proved, at some longer ones; a proof is one for a symbolic T, direct
or by induction (`engines.prove.induction`).
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fedtheory.errors import UsageError, did_you_mean
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Condition, Relation
from fedtheory.world import Parts, Scalar

from .derived import Derived, DerivedRegion
from .refused import require_no_element
from .region import Given, Region, stated
from .scalars import Scalars

LENGTHS = (1, 2, 3)
LONGER = (
    1,
    2,
    3,
    5,
    8,
    20,
)  # more than the longest that is listed: where claims about every length are looked at beside


class Sequence:
    """A sequence by its index: listed numbers, or whatever an index that is not known has for it."""

    def __init__(self, name: str, spec: Scalar, listed: list[Any]) -> None:
        self.name, self.spec, self.listed = name, spec, listed

    def __getitem__(self, t: Any) -> Any:
        if not isinstance(t, int):
            return t.element(self.name, self.spec)
        if not 0 <= t < len(self.listed):
            raise UsageError(f"x.{self.name}[{int(t)}]: the sequence has elements 0 to {len(self.listed) - 1} here")
        return self.listed[t]


@dataclass(frozen=True)
class SequenceRegion(DerivedRegion):
    """Scalars and sequences; `Sequences` builds it.

    Attributes
    ----------
    index : str
        The size that may be any number of at least `first`.
    sequences : dict of Scalar
        Range of the elements of every sequence.
    every : tuple of Condition
        Relations ``(x, t)`` that hold for every t = 0 .. T-1.
    """

    index: str = "T"  # type: ignore[misc]
    first: int = 1
    sequences: Mapping[str, Scalar] = field(default_factory=dict)
    every: tuple[Condition, ...] = ()

    @property
    def listed(self) -> frozenset[str]:
        """The names of the elements of sequences that are listed."""
        return frozenset(f"{s}{t}" for s in self.sequences for t in range(max(self.sizes[self.index]) + 1))

    def parts(self) -> Parts:
        return replace(
            super().parts(), first=self.first, every=self.every, sequences=self.sequences, listed=self.listed
        )

    def at(self, x: Instance, t: Any) -> list[Relation]:
        """What is known of the elements at t and t + 1."""
        where = f" at {int(t) if isinstance(t, int) else self.index}"
        return [r for c in self.every for r in c.relations(x, t, where=where)]

    def scope(self, scalars: Mapping[str, Any], shape: Mapping[str, int], numbers: Numbers) -> Instance:
        x = super().scope(scalars, shape, numbers)
        n = getattr(x, self.index)
        return (
            x.assuming([r for t in range(n) for r in self.at(x, numbers.count(t))])
            if isinstance(n, int) and self.every
            else x
        )

    def at_example(self) -> SequenceRegion:
        """The same at the length of the example, which is the first row of every draw."""
        if not self.example:
            return self
        return self.of_length(int(self.example[self.index]))

    def relatives(self) -> list[Region]:
        """Longer sequences, as what is claimed is claimed for every length."""
        return [self.of_length(max(self.sizes[self.index]) + k) for k in LONGER]

    def of_length(self, n: int) -> SequenceRegion:
        """This world at one length."""
        own = {name: spec for name, spec in self.scalars.items() if name not in self.listed}
        listed = {f"{s}{t}": spec for s, spec in self.sequences.items() for t in range(n + 1)}
        return replace(self, scalars={**own, **listed}, sizes={**self.sizes, self.index: (n,)})

    def related(self, rng: np.random.Generator, raw: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        out = super().related(rng, raw)
        lengths = self.sizes[self.index]
        if lengths == (self.example.get(self.index),):
            for name, value in self.example.items():
                for k in [name] if name in out else [f"{name}{t}" for t in range(lengths[0] + 1)]:
                    if name != self.index:
                        out[k][0] = float(value)
        return out

    def assumptions(self) -> list[str]:
        return [*super().assumptions(), *(f"{c.printed}, for every t < {self.index}" for c in self.every)]


def Sequences(
    index: str = "T",
    *,
    first: int = 1,
    lengths: tuple[int, ...] = LENGTHS,
    every: Iterable[Condition] = (),
    given: tuple[Given, ...] = (),
    derived: Derived | None = None,
    sequences: Mapping[str, Scalar] | None = None,
    example: Mapping[str, Any] | None = None,
    **scalars: Scalar,
) -> SequenceRegion:
    """Scalars, and sequences of scalars, for every length.

    Parameters
    ----------
    index : str
        Name of the length, ``x.T``; claims are about every whole number from `first` on.
    lengths : tuple of int
        Lengths at which searches look.
    every : conditions
        Relations ``(x, t)`` that hold for every t = 0 .. T-1: ``condition("(30)", lambda x, t: le(x.D[t + 1], x.D[t]))``.
    sequences : dict of Scalar
        Range of the elements of every sequence.
    example : dict
        A length, and values of scalars and of all elements of sequences, at which the conditions hold: where draws hardly ever
        meet them a proof needs it, as one that may be about nothing does not count.

    Raises
    ------
    UsageError
        If a name stands twice or is that of an element, a length is below `first`, a scalar is none, `example` names something
        else or no length, or a condition does not take what it has to.
    """
    rows, conditions, at_every = dict(sequences or {}), stated(given), stated(every, "every")
    for c in at_every:
        _takes(c, 2, "in every=(...) takes (x, t) and holds for every t < T", "of x alone goes to given=(...)")
    for c in conditions:
        _takes(c, 1, "in given=(...) takes x alone", "of x and t, for every t < T, goes to every=(...)")
    if min(lengths) != first:
        raise UsageError(f"lengths={lengths!r} must begin with first={first}")
    listed = {f"{s}{t}": spec for s, spec in rows.items() for t in range(max(lengths) + 1)}
    require_no_element("Sequences", (*scalars, *rows, *(derived or {})), rows)
    known = (index, *scalars, *rows)
    for name in example or {}:
        if name not in known:
            raise UsageError(f"Sequences: example has {name!r}, no scalar or sequence{did_you_mean(name, known)}")
    if example and not (isinstance(n := example.get(index), int) and n >= first):
        raise UsageError(f"Sequences: example needs a length {index} of at least {first}, got {n!r}")
    plain = Scalars(given=(), sizes={index: lengths}, example=None, **scalars, **listed)

    def elements(name: str, spec: Scalar) -> Any:
        return lambda x: Sequence(name, spec, _listed(name, x))

    accessors = {name: elements(name, spec) for name, spec in rows.items()}
    return SequenceRegion(
        plain.scalars, conditions, plain.sizes, derived={**accessors, **(derived or {})},
        index=index, first=first, sequences=rows, every=at_every, example=dict(example or {}),
    )  # fmt: skip


def _takes(c: Condition, count: int, rule: str, instead: str) -> None:
    """Raise UsageError unless a condition takes so many arguments."""
    signature = inspect.signature(c.relation)
    try:
        signature.bind(*[None] * count)
    except TypeError:
        raise UsageError(f"Sequences: {c.printed!r} {rule}, got {signature}; one {instead}") from None


def _listed(name: str, x: Instance) -> list[Any]:
    """The elements of a sequence that an instance has."""
    own = itertools.takewhile(x._names.__contains__, (f"{name}{t}" for t in itertools.count()))
    return [getattr(x, k) for k in own]
