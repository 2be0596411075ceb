"""Sequences of scalars up to an index that may be any number: what is known of every element, and claims for every length.

``Sequences("T", D=at_least(0), e=at_least(0), ...)`` has ``x.T``, ``x.D[t]`` for t = 0 .. T and sums ``x.sum(lambda t: ..., x.T)``.
Searches look at the listed lengths; a proof is one for a symbolic T, direct or by induction (`engines.induction`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fedtheory.errors import UsageError
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Condition, Relation, as_relations
from fedtheory.world import Scalar

from .derived import Derived, DerivedRegion
from .region import Given, Scalars, stated

LENGTHS = (1, 2, 3)


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

    def at(self, x: Instance, t: Any) -> list[Relation]:
        """What is known of the elements at t and t + 1."""
        out, where = [], int(t) if isinstance(t, int) else self.index
        for c in self.every:
            found = as_relations(c.relation(x, t), c.printed)
            out += [Relation(r.lhs, r.op, r.rhs, r.name or f"{c.printed} at {where}") for r in found]
        return out

    def scope(self, scalars: Mapping[str, Any], shape: Mapping[str, int], numbers: Numbers) -> Instance:
        x = super().scope(scalars, shape, numbers)
        n = getattr(x, self.index)
        return x.assuming([r for t in range(n) for r in self.at(x, numbers.count(t))]) if isinstance(n, int) else x

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

    Raises
    ------
    UsageError
        If a name stands twice, a length is below `first`, or a scalar is none.
    """
    rows = dict(sequences or {})
    if min(lengths) != first:
        raise UsageError(f"lengths={lengths!r} must begin with first={first}")
    names = {f"{s}{t}": (s, spec) for s, spec in rows.items() for t in range(max(lengths) + 1)}
    listed = {name: spec for name, (_, spec) in names.items()}
    for name in listed:
        if name in scalars:
            raise UsageError(f"Sequences: {name} is an element of a sequence and a scalar")
    plain = Scalars(given=(), sizes={index: lengths}, **scalars, **listed)

    def elements(name: str, spec: Scalar) -> Any:
        return lambda x: Sequence(name, spec, [getattr(x, k) for k, (s, _) in names.items() if s == name])

    accessors = {name: elements(name, spec) for name, spec in rows.items()}
    return SequenceRegion(
        plain.scalars, stated(given), plain.sizes, derived={**accessors, **(derived or {})},
        index=index, first=first, sequences=rows, every=tuple(every),
    )  # fmt: skip
