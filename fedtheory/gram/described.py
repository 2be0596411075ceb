"""What the leaves and values of a space are, in the names of a world: the gradient of a function at a combination of points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .forms import Space
from .ratio import nonzero, text

if TYPE_CHECKING:
    from ..quantity import Array

FUNCTIONS = ("f", "F")  # as they are declared; there are no others


@dataclass
class Described:
    """The names of leaves and of values by their places, the same in every space in which the same was looked at.

    Attributes
    ----------
    leaves, values : dict of str
    """

    space: Space
    leaves: dict[int, str] = field(default_factory=dict)
    values: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for n, clients in enumerate(self.space.clients):
            for i, points in enumerate(clients._points):
                for point, gradient, value in points:
                    at = f"{FUNCTIONS[min(n, 1)]}[{i}]({self.row(point, skip=gradient)})"
                    for k in self._slots(gradient):
                        self.leaves.setdefault(k, f"grad {at}" if self.space.leaves[k][:1] == "g" else self.leaf(k))
                    self.values |= {k[1]: at for k in value.terms if k[:1] == ("v",)}
        numbers = self.space.numbers
        for own, mean in getattr(numbers, "mean_values", {}).items():
            self.values[mean] = f"mean {self.value(own)}"
        for what, table in (("mean", "bars"), ("selected", "selecteds"), ("selected of", "masks")):
            for own, other in getattr(numbers, table, {}).items():
                self.leaves[other] = f"{what} {self.leaf(own)}"

    def _slots(self, row: Array) -> list[int]:
        plain = np.asarray(row, dtype=object).view(np.ndarray).reshape(-1)
        return [k for k, c in enumerate(plain) if nonzero(c)]

    def leaf(self, k: int) -> str:
        """The name of a leaf."""
        return self.leaves.get(k, self.space.leaves[k])

    def value(self, k: int) -> str:
        """The name of a value."""
        return self.values.get(k, self.space.values[k])

    def row(self, row: Any, skip: Any = ()) -> str:
        """A combination of leaves; a gradient by itself within the point at which it is one."""
        plain = np.asarray(row, dtype=object).view(np.ndarray).reshape(-1)
        own = set(self._slots(skip))
        terms = [(("itself" if k in own else self.leaf(k)), text(plain[k])) for k in self._slots(row)]
        return " + ".join(name if c == "1" else f"({c}) {name}" for name, c in sorted(terms)) or "0"


def placed_leaves(space: Space, index: Mapping[tuple[str, int], int] | None) -> dict[int, str]:
    """The names of the leaves of a certificate: those of a space, or those that stand for a generic client and means."""
    of = Described(space)
    if index is None:
        return {k: of.leaf(k) for k in range(len(space.leaves))}
    return {place: f"{kind} {of.leaf(slot)}" for (kind, slot), place in index.items()}
