"""Values of all numbers of a claim about coordinates, the same where one of them stands for all and where all are there."""

from __future__ import annotations

import random
from fractions import Fraction

from ...gram.coordinates import CoordinateSpace
from ...gram.products import names_in
from ...gram.ratio import Coefficient, Ratio, at

LARGEST = 30  # of the numbers at which it is looked


class Drawn:
    """Values of all numbers: of vectors and gradients by coordinate, of functions by client, of roots by what is under them."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._values: dict[object, Fraction] = {}

    def _value(self, *key: object) -> Fraction:
        if key not in self._values:
            self._values[key] = Fraction(self._rng.randint(1, LARGEST), self._rng.randint(1, LARGEST))
            if len(key) > 1:  # what is no parameter has either sign
                self._values[key] *= self._rng.choice((-1, 1))
        return self._values[key]

    def of(
        self, value: Coefficient, space: CoordinateSpace, client: int | None = None, coordinate: int | None = None
    ) -> Fraction:
        """A number of a space; where one client or coordinate stands for all, that of this one."""
        if not isinstance(value, Ratio):
            return Fraction(value)
        used, names = names_in([value]), value.top.context().names()
        return at(value, {n: self._named(n, space, client, coordinate) if n in used else Fraction(0) for n in names})

    def _named(self, name: str, space: CoordinateSpace, client: int | None, coordinate: int | None) -> Fraction:
        if name.startswith("root:"):
            inside = self.of(space.numbers.roots[int(name[5:])][0], space, client, coordinate)
            return abs(self._value("root", inside))
        if name.startswith("v:"):
            return self._value(*_of(space.values[int(name[2:])], client))
        for place, own in space.own.items():
            if name in own:
                return self._value(
                    *_of(space.leaves[place], client), own.index(name) if coordinate is None else coordinate
                )
        return self._value(name)


def _of(name: str, client: int | None) -> tuple[str, int | None]:
    """(What it is, of which client) by a name such as ``g0[1]``."""
    what, bracket, i = name.partition("[")
    return what, None if not bracket else client if client is not None else int(i.removesuffix("]"))
