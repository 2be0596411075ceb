"""What classes without search clients share: their functions are known where a body looks, and nowhere else.

An indicator is no number outside its set, and no selection of its normals goes with every projection; so nothing draws one. A
claim about such functions is proved, certified, refuted by functions that are known at points, or *unknown*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from fedtheory.errors import NotApplicable
from fedtheory.relation import Relation

from ..tabled import READING as TABLED_READING


class Undrawn:
    """Convex functions that nothing draws."""

    drawn: ClassVar[bool] = False
    sufficient: ClassVar[bool] = True
    bounded_below: ClassVar[bool] = False
    data: ClassVar[tuple[str, ...]] = ()
    spatial: ClassVar[tuple[str, ...]] = ()
    spectral: ClassVar[Mapping[str, int]] = MappingProxyType({})
    reading: ClassVar[str] = ""
    source: ClassVar[str]

    def conditions(self, x: Any) -> list[Relation]:
        """Nothing."""
        return []

    def bounds(self, x: Any) -> tuple[Any, Any]:
        """Convex, not smooth."""
        return 0, None

    def inequalities(self, x: Any, client: Any) -> Iterator[tuple[str, Any]]:
        """As the class has them."""
        raise NotImplementedError

    def draw(self, rng: np.random.Generator, batch: int, m: int, d: int) -> dict[str, np.ndarray]:
        """Nothing."""
        return {}

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        """As it is."""
        return v

    def legible(self, vectors: Mapping[str, Any]) -> dict[str, Any]:
        """All of them."""
        return dict(vectors)

    def clients(self, *_: Any) -> Any:
        """None.

        Raises
        ------
        NotApplicable
            Always.
        """
        raise NotApplicable("functions of this class are known at points alone")

    def tabled(self, optimum: bool) -> str:
        """How to read them."""
        return TABLED_READING.format(source=self.source)

    def measured(self, problem: Any) -> dict[str, tuple[np.ndarray, Callable[..., Any]]]:
        """Nothing."""
        return {}

    def membership(self, x: Any, problem: Any) -> list[Relation]:
        """Nothing."""
        return []

    def refused(self, problem: Any) -> str:
        """All clients that are given by data."""
        return "the claim is about functions that no data give"
