"""Coordinates as numbers: every vector is a row of unknown numbers, of a dimension that is listed.

What is known of them is what the conditions say; an inner product is a sum of products. So a body may multiply, compare and
sort coordinates, each comparison being a choice as that of a minimum (`gram.products`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ..errors import NotApplicable
from .forms import Extent, Key, Uncounted
from .products import LEAVES, ROOTS, VALUES, Choose, InnerProducts, Point, ProductSpace, names_in, number
from .ratio import Coefficient, Ratio, exact_key, no_attribute

if TYPE_CHECKING:
    from ..quantity import Array


def coordinates_of(vectors: Iterable[str], d: int) -> list[str]:
    """The names of the coordinates of vectors."""
    return [f"{name}_{j}" for name in vectors for j in range(1, d + 1)]


def names_of(parameters: Iterable[str], vectors: Iterable[str], d: int, *, functions: bool = False) -> tuple[str, ...]:
    """Every number that there may be: the parameters, roots and coordinates, and what functions have at points.

    Raises
    ------
    NotApplicable
        If two of them have one name.
    """
    out = (*parameters, *(f"root:{k}" for k in range(ROOTS)), *coordinates_of(vectors, d))
    if functions:
        out += (*(f"v:{k}" for k in range(VALUES)), *coordinates_of((f"g:{k}" for k in range(LEAVES)), d))
    if len(set(out)) < len(out):
        raise NotApplicable("a parameter has the name of a coordinate")
    return out


class SumOver:
    """A sum over coordinates, of any number of them: what stands at each, and a number beside it; only its multiples are known."""

    __slots__ = ("each", "rest")
    __array_priority__ = -1

    def __init__(self, each: Coefficient, rest: Coefficient = Fraction(0)) -> None:
        self.each, self.rest = each, rest

    def __add__(self, other: Coefficient) -> Coefficient:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, SumOver):
            return SumOver(self.each + other.each, self.rest + other.rest)
        return SumOver(self.each, self.rest + number(other))

    __radd__ = __add__

    def __neg__(self) -> SumOver:
        return SumOver(-self.each, -self.rest)

    def __sub__(self, other: Coefficient) -> Coefficient:
        return NotImplemented if isinstance(other, np.ndarray) else self + -other

    def __rsub__(self, other: Coefficient) -> Coefficient:
        return NotImplemented if isinstance(other, np.ndarray) else -self + other

    def __mul__(self, other: Coefficient) -> Coefficient:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, SumOver):
            self._alone()
        return SumOver(self.each * number(other), self.rest * number(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Coefficient) -> Coefficient:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, SumOver):
            self._alone()
        return SumOver(self.each / number(other), self.rest / number(other))

    def _alone(self, *_: object) -> NoReturn:
        raise NotApplicable("more than a multiple of a sum over coordinates")

    __rtruediv__ = __pow__ = __rpow__ = __abs__ = __bool__ = __float__ = __int__ = __index__ = __complex__ = _alone
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __hash__ = _alone  # type: ignore[assignment]
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __round__ = __repr__ = __str__ = __format__ = (
        _alone
    )

    def __getattr__(self, name: str) -> NoReturn:
        no_attribute(name)


class Alone(Extent):
    """The length of an axis where one coordinate of one client stands for all: which of them are as long is not known."""

    __eq__ = __ne__ = __hash__ = Extent._refuse  # type: ignore[assignment]


class Along(Uncounted):
    """Vectors whose coordinates a body combines one by one, and neither counts nor picks."""

    @property  # type: ignore[misc]
    def shape(self) -> tuple[Extent, ...]:  # type: ignore[override]
        return tuple(Alone(n) for n in self.view(np.ndarray).shape)

    @property  # type: ignore[misc]
    def size(self) -> Extent:  # type: ignore[override]
        return Alone(self.view(np.ndarray).size)

    def _counted(self) -> str:
        return "a loop over coordinates"

    def __getitem__(self, key: Coefficient) -> Array:  # type: ignore[override]
        if key is not None:
            raise NotApplicable("the body picks coordinates")
        return super().__getitem__(key)

    def __array_function__(self, func: Callable[..., object], *_: object) -> NoReturn:
        raise NotApplicable(f"numpy.{func.__name__} of coordinates")

    def __array_ufunc__(self, ufunc: Coefficient, method: str, *inputs: Coefficient, **options: Coefficient) -> Array:
        if method != "__call__" or options or ufunc.signature is not None:
            raise NotApplicable("a sum over coordinates other than x.dot and x.norm")
        if any(isinstance(i, SumOver) or (isinstance(i, np.ndarray) and not isinstance(i, Along)) for i in inputs):
            raise NotApplicable("a number beside coordinates")
        out = ufunc(*(i.view(np.ndarray) if isinstance(i, np.ndarray) else i for i in inputs))
        return out.view(Along)


class Coordinates(InnerProducts):
    """The number type: vectors are arrays ``(..., d)`` of rational functions of all numbers that there may be."""

    kind = "coordinates"

    def vector(self, row: np.ndarray) -> np.ndarray:
        """A vector, of which nothing is counted where that is so."""
        return row.view(Along) if self.uncounted else row

    def size(self, name: str, n: int) -> Coefficient:
        return SumOver(Fraction(1)) if self.uncounted and name == "d" else super().size(name, n)

    def sum(self, a: Coefficient, **axes: Coefficient) -> Array:
        out = np.asarray(np.add.reduce(np.asarray(a, dtype=object), **axes))
        if not self.uncounted:
            return out
        if not isinstance(a, Along) or axes != {"axis": -1}:
            raise NotApplicable("a sum over what is no coordinate")
        return self.per_client(np.asarray(np.frompyfunc(SumOver, 1, 1)(out.reshape(-1))).reshape(out.shape))

    def dot(self, u: Array, v: Array) -> Array:
        out = self.sum(u * v, axis=-1)
        if self.uncounted:
            return out
        if u is v and np.shape(u)[-1] == self.length:
            for index in np.ndindex(*out.shape):
                self._squares.setdefault(exact_key(number(out[index])), np.asarray(u, dtype=object)[index])
        return out

    def product(self, u: np.ndarray, v: np.ndarray) -> Coefficient:
        return number(np.add.reduce(np.asarray(u * v, dtype=object), axis=-1))

    def _root(self, s: Coefficient) -> Coefficient:
        if isinstance(s, SumOver):
            raise NotApplicable("a root of a sum over coordinates")
        return super()._root(s)

    def _below(self, a: Coefficient, b: Coefficient) -> bool:
        """As of any numbers, by the sign of the gap alone: u_1 and 2 u_1 have one."""
        if isinstance(a, SumOver) or isinstance(b, SumOver):
            raise NotApplicable("a comparison of sums over coordinates")
        gap = number(b) - number(a)
        if isinstance(gap, Ratio):
            lead = Fraction(str(gap.top.leading_coefficient()))
            gap = gap / abs(lead)
        yes = bool(self.choose(gap))
        self.gaps.append((gap, yes))
        return yes

    def at_least(self, a: Array, b: Coefficient) -> Array:
        return np.frompyfunc(lambda p, q: Fraction(int(self._below(q, p))), 2, 1)(a, b)


@dataclass(frozen=True)
class PointOfCoordinates(Point):
    """A point whose row has its coordinates; and the names of those of its gradient."""

    gradient: frozenset[str]
    place: int | None  # where points are told apart that have the same coordinates

    def shown(self, names: Iterable[str]) -> bool:
        return any(n == self.value or n in self.gradient for n in names)

    def said(self, words: Callable[[Coefficient], Coefficient], leaf: object) -> list[Coefficient]:
        said: list[Coefficient] = [None if (own := words(c)) is None else (j, own) for j, c in enumerate(self.row)]
        return said if self.place is None else [*said, ("place", self.place)]


class CoordinateSpace(ProductSpace):
    """A space of vectors of d coordinates each; those of gradients are numbers ``g:k_j``.

    Parameters
    ----------
    merged : dict of int, optional
        Which of the points at which a client is asked are which earlier ones, by their places in this order; all others are new.
        Without it points are one that have the same coordinates.
    """

    numbers: Coordinates

    def __init__(
        self,
        numbers: Mapping[str, Ratio],
        choose: Choose,
        scale: int = 1,
        *,
        d: int,
        uncounted: bool = False,
        merged: Mapping[int, int] | None = None,
    ) -> None:
        super().__init__(numbers, choose, scale)
        self.d, self.merged = d, merged
        self.numbers = Coordinates(numbers, lambda gap: choose(gap, self), uncounted=uncounted)
        self.numbers.length = d
        self.own: dict[int, list[str]] = {}  # the names of the coordinates of unknown vectors by their place
        self._unnamed: list[int] = []  # places of vectors beside those of the world

    def zero(self) -> np.ndarray:
        row = np.empty(self.d, dtype=object)
        row[:] = Fraction(0)
        return self.row(row)

    def row(self, plain: np.ndarray) -> np.ndarray:
        return self.numbers.vector(plain)

    def leaf(self, name: str) -> np.ndarray:
        """The coordinates of a new unknown vector, ``(d,)``."""
        if name in self.leaves:
            raise NotApplicable(f"two unknown vectors are called {name}")
        own, place = coordinates_of([name], self.d), len(self.leaves)
        if own[0] not in self.numbers.numbers:
            own = coordinates_of([f"g:{len(self._unnamed)}"], self.d)
            self._unnamed.append(place)
        if own[0] not in self.numbers.numbers:
            raise NotApplicable(f"no coordinates of {name}")
        self.leaves.append(name)
        self.own[place] = own
        row = np.empty(self.d, dtype=object)
        row[:] = [self.numbers.numbers[n] for n in own]
        return self.row(row)

    def depends(self, gradient: np.ndarray, point: np.ndarray) -> None:
        return None

    def key(self, point: Key, n: int) -> Key | int:
        return point if self.merged is None else self.merged.get(n, n)

    def points(self) -> Iterator[Point]:
        """Points at which functions are asked."""
        for n, clients in enumerate(self.clients):
            for i, points in enumerate(clients._points):
                for k, (row, gradient, value) in enumerate(points):
                    name, own = f"g{k}[{i}]", names_in(gradient.view(np.ndarray))
                    leaf = self.leaves.index(name) if name in self.leaves else None
                    leaf = None if leaf is None or own != {*self.own[leaf]} else leaf  # it is said to be another
                    yield PointOfCoordinates(
                        f"{n}[{i}]", row.view(np.ndarray), leaf, next(iter(names_in([value])), None),
                        frozenset(own) if leaf is not None else frozenset(), None if self.merged is None else k,
                    )  # fmt: skip

    def place_of(self, name: str) -> tuple[int, str]:
        """(The place of the unknown vector, which of its coordinates) of a number ``g:k_j``."""
        k, _, j = name.removeprefix("g:").partition("_")
        return self._unnamed[int(k)], j

    def of_pairs(self) -> Iterator[tuple[str, Coefficient]]:
        return iter(())

    def of_differences(self) -> Iterator[tuple[str, Coefficient]]:
        return iter(())
