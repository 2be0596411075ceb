"""Inner products as numbers: a relation becomes one of polynomials, in which they may be multiplied, divided and under roots.

A vector is its row of coefficients over unknown vectors, as on Gram arrays; the inner product of the i-th and the j-th of these
is an unknown number ``G:i:j``, a value of a function ``v:k``, and a root ``root:k`` with its square. What is known of these
numbers is what the class and the conditions say, and that inner products are those of vectors: squares are not negative,
and the inequality of Cauchy and Schwarz. That is necessary; of three vectors and more it is not all.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..errors import NotApplicable, UsageError, inexact
from .clients import OneClient
from .forms import CONSTANT, GENERIC_SIZES, SIZES, Form, Grams, Space, TooManyLeaves
from .ratio import Coefficient, Ratio, coefficient, exact_key, generators, nonzero, occurring, polynomial

if TYPE_CHECKING:
    from ..quantity import Array, Quantity

CAUCHY = "Cauchy-Schwarz"
LEAVES, VALUES, ROOTS = 8, 10, 8  # that a body may have; one that needs more has no proof here


class Undecided(NotApplicable):
    """A minimum or maximum takes one value where `gap` is at least zero, and another where it is negative."""

    def __init__(self, gap: Coefficient) -> None:
        super().__init__("a minimum or maximum")
        self.gap = gap


def names_of(parameters: Iterable[str]) -> tuple[str, ...]:
    """Every number that there may be: the parameters, roots, values and inner products."""
    pairs = itertools.combinations_with_replacement(range(LEAVES), 2)
    return (
        *parameters, *(f"root:{k}" for k in range(ROOTS)), *(f"v:{k}" for k in range(VALUES)), *(f"G:{i}:{j}" for i, j in pairs),
    )  # fmt: skip


class InnerProducts(Grams):
    """The number type: scalars are rational functions of all numbers that there may be.

    Parameters
    ----------
    numbers : dict of Ratio
        These, by name.
    choose : callable
        Which value a minimum takes, by its gap: whether that is at least zero. It raises Undecided where nothing is chosen.
    scale : int
        See `Space`.
    uncounted : bool
        Whether a body may not ask for the number of clients, and speaks of each of them by itself.

    Attributes
    ----------
    roots : list of (Ratio or Fraction, row or None)
        What stands under every root; the vector of which it is the square, where it is one.
    gaps : list of (Ratio, bool)
        On the signs of which minima depend, in order, with what was chosen.
    """

    def __init__(
        self,
        numbers: Mapping[str, Ratio],
        choose: Callable[[Coefficient], bool],
        scale: int = 1,
        *,
        uncounted: bool = False,
    ) -> None:
        super().__init__(scale)
        self.numbers, self.choose, self.uncounted = numbers, choose, uncounted
        self.roots: list[tuple[Coefficient, np.ndarray | None]] = []
        self.gaps: list[tuple[Coefficient, bool]] = []
        self._squares: dict[Coefficient, np.ndarray] = {}  # by what the square of a vector is

    def scalar(self, s: Quantity) -> Quantity:
        return coefficient(s)

    def size(self, name: str, n: int) -> Coefficient:
        return self.numbers[name] if self.uncounted and name in self.numbers else super().size(name, n)

    def dot(self, u: Array, v: Array) -> Array:
        self.require_vectors(u, v)
        one, other = np.broadcast_arrays(*(np.asarray(w, dtype=object).view(np.ndarray) for w in (u, v)))
        out = np.empty(one.shape[:-1], dtype=object)
        for index in np.ndindex(*out.shape):
            out[index] = self.product(one[index], other[index])
            if u is v:
                self._squares.setdefault(exact_key(out[index]), one[index])
        return self.per_client(out)

    def per_client(self, s: np.ndarray) -> np.ndarray:
        """An array over clients, of which none is counted or taken by itself where they are `uncounted`."""
        return s.view(OneClient) if self.uncounted else s

    def product(self, u: np.ndarray, v: np.ndarray) -> Coefficient:
        """The inner product of two rows."""
        total: Coefficient = Fraction(0)
        for i, a in enumerate(u):
            for j, b in enumerate(v) if nonzero(a) else ():
                if nonzero(b):
                    total = total + a * b * self.numbers[f"G:{min(i, j)}:{max(i, j)}"]
        return total / self.scale**2

    def sqrt(self, s: Coefficient) -> Coefficient:
        return np.frompyfunc(self._root, 1, 1)(s)

    def _root(self, s: Coefficient) -> Coefficient:
        s = number(s)
        key = exact_key(s)
        known = [exact_key(inside) for inside, _ in self.roots]
        if key not in known:
            if len(known) == ROOTS:
                raise NotApplicable(f"more than {ROOTS} roots")
            known.append(key)
            self.roots.append((s, self._squares.get(key)))
        return self.numbers[f"root:{known.index(key)}"]

    def minimum(self, a: Quantity, b: Quantity) -> Coefficient:
        return np.frompyfunc(lambda p, q: number(p if self._below(p, q) else q), 2, 1)(a, b)

    def maximum(self, a: Quantity, b: Quantity) -> Coefficient:
        return np.frompyfunc(lambda p, q: number(q if self._below(p, q) else p), 2, 1)(a, b)

    def _below(self, a: Coefficient, b: Coefficient) -> bool:
        """Whether a <= b, as was chosen where they are no numbers."""
        gap = number(b) - number(a)
        yes = bool(self.choose(gap))
        self.gaps.append((gap, yes))
        return yes


def number(value: Coefficient) -> Coefficient:
    """A form that is a constant as its coefficient, and all else as it is.

    Raises
    ------
    NotApplicable, UsageError
        If it is another form, or a float.
    """
    if isinstance(value, float):
        raise UsageError(inexact(value))
    if not isinstance(value, Form):
        return coefficient(value)
    if not value.is_constant():
        raise NotApplicable("a form among numbers")
    return coefficient(value.terms.get(CONSTANT, Fraction(0)))


@dataclass(frozen=True)
class Point:
    """A point at which a function of a client is asked, with the unknown vector and number that are its gradient and value."""

    of: str
    row: np.ndarray
    leaf: int | None
    value: str | None

    def shown(self, names: Iterable[str]) -> bool:
        """Whether there are numbers among these that are defined only where it is."""
        return any(n == self.value or (n[:2] == "G:" and str(self.leaf) in n.split(":")) for n in names)

    def said(
        self, words: Callable[[Coefficient], Coefficient], leaf: Callable[[int], Coefficient]
    ) -> list[Coefficient]:
        """Where it is, in words for numbers and for unknown vectors; None among them where these say nothing."""
        return [_both(leaf(k), words(c)) for k, c in enumerate(self.row) if nonzero(c)]


def _both(one: Coefficient, other: Coefficient) -> Coefficient:
    return None if one is None or other is None else (one, other)


class ProductSpace(Space):
    """A space whose values and inner products are numbers; a body may not ask how many clients there are that are `uncounted`.

    What a minimum takes is chosen by its gap, and by the space in which that is written.
    """

    numbers: InnerProducts

    def __init__(
        self, numbers: Mapping[str, Ratio], choose: Choose, scale: int = 1, *, uncounted: bool = False
    ) -> None:
        super().__init__(GENERIC_SIZES[0] if uncounted else SIZES[0], scale)
        self.gradients: set[int] = set()  # leaves that are gradients where a function is asked
        self.named = (0, 0)  # leaves and values that there are before a body is read
        self.numbers = InnerProducts(numbers, lambda gap: choose(gap, self), scale, uncounted=uncounted)
        self.numbers.length = self.size

    def leaf(self, name: str) -> np.ndarray:
        """A new unknown vector."""
        if len(self.leaves) == LEAVES:
            raise TooManyLeaves(f"more than {LEAVES} leaves")
        return super().leaf(name)

    def per_client(self, s: np.ndarray) -> np.ndarray:
        return self.numbers.per_client(s)

    def values_for(self, name: str, m: int) -> np.ndarray:
        return self.per_client(super().values_for(name, m))

    def value(self, name: str) -> Coefficient:
        """A new unknown number."""
        if len(self.values) == VALUES:
            raise NotApplicable(f"more than {VALUES} values")
        super().value(name)
        return self.numbers.numbers[f"v:{len(self.values) - 1}"]

    def depends(self, gradient: np.ndarray, point: np.ndarray) -> None:
        own = [k for k, c in enumerate(gradient.view(np.ndarray)) if nonzero(c)]
        if own == [len(self.leaves) - 1]:  # it is made at this point
            self.gradients.add(own[0])

    def points(self) -> Iterator[Point]:
        """Points at which functions are asked."""
        for n, clients in enumerate(self.clients):
            for i, points in enumerate(clients._points):
                for k, (row, gradient, value) in enumerate(points):
                    own = [j for j, c in enumerate(gradient.view(np.ndarray)) if nonzero(c)]
                    leaf = (
                        own[0] if [self.leaves[j] for j in own] == [f"g{k}[{i}]"] else None
                    )  # it is said to be another
                    yield Point(f"{n}[{i}]", row.view(np.ndarray), leaf, next(iter(names_in([value])), None))

    def place_of(self, name: str) -> tuple[int, str]:
        """(The place of the unknown vector, which of its coordinates) of a number that is one."""
        raise NotApplicable(f"{name} is no coordinate")

    def of_vectors(self) -> Iterator[tuple[str, Coefficient]]:
        """What is not negative as inner products are those of vectors, and roots are roots; each with what it is."""
        roots = [self.numbers.numbers[f"root:{k}"] for k in range(len(self.numbers.roots))]
        for k, r in enumerate(roots):
            yield f"root:{k} is a root", r
        own = [(r, row) for r, (_, row) in zip(roots, self.numbers.roots, strict=True) if row is not None]
        for (r, u), (s, v) in itertools.combinations(own, 2):
            for sign in (1, -1):
                yield CAUCHY, r * s - sign * self.numbers.product(u, v)

    def of_pairs(self) -> Iterator[tuple[str, Coefficient]]:
        """The same of every unknown vector and of every two of them, by themselves."""
        rows = list(np.eye(len(self.leaves), self.size, dtype=int).astype(object) * Fraction(self.numbers.scale))
        dot = self.numbers.product
        for u in rows:
            yield "a square", dot(u, u)
        for u, v in itertools.combinations(rows, 2):
            yield CAUCHY, dot(u, u) * dot(v, v) - dot(u, v) ** 2
            for sign in (1, -1):
                yield "a square", dot(u + sign * v, u + sign * v)

    def of_differences(self) -> Iterator[tuple[str, Coefficient]]:
        """The same of every vector under a root and every difference of two unknown ones."""
        rows = list(np.eye(len(self.leaves), self.size, dtype=int).astype(object) * Fraction(self.numbers.scale))
        dot = self.numbers.product
        for d in itertools.starmap(np.subtract, itertools.combinations(rows, 2)):
            for _, u in self.numbers.roots:
                if u is not None:
                    yield CAUCHY, dot(u, u) * dot(d, d) - dot(u, d) ** 2


Choose = Callable[[Coefficient, ProductSpace], bool]


def names_in(values: Iterable[Coefficient]) -> set[str]:
    """The numbers that occur."""
    out: set[str] = set()
    for value in values:
        for p in (value.top, value.bottom) if isinstance(value, Ratio) else ():
            out |= occurring(p)
    return out


def eliminated(roots: Iterable[tuple[Ratio, Coefficient]]) -> dict[str, Coefficient]:
    """Inner products by roots: of every root, whose square is affine in inner products, one of them by it and the others.

    Parameters
    ----------
    roots : iterable of (Ratio, Ratio or Fraction)
        Every root and what stands under it.
    """
    out: dict[str, Coefficient] = {}
    for root, inside in sorted(roots, key=lambda one: len(one[1].top) if isinstance(one[1], Ratio) else 0):
        rest = substituted(inside, out)
        name = _affine_in(rest)
        if name is None:
            continue
        names = rest.top.context().names()
        own = dict(zip(names, generators(rest), strict=True))
        slope = Fraction(str(rest.top.derivative(names.index(name)).leading_coefficient()))
        value = own[name] + (root * root - rest) / slope
        out = {n: substituted(v, {name: value}) for n, v in out.items()} | {name: value}
    return out


def _affine_in(value: Coefficient) -> str | None:
    """An inner product by which a polynomial goes up at a constant rate; the square of a vector rather than another."""
    if not isinstance(value, Ratio) or not value.bottom.is_constant():
        return None
    names = value.top.context().names()
    found = [n for k, n in enumerate(names) if n.startswith("G:") and value.top.degrees()[k] == 1]
    found = [n for n in found if value.top.derivative(names.index(n)).is_constant()]
    return min(found, key=lambda n: (n.split(":")[1] != n.split(":")[2], n), default=None)


def substituted(value: Coefficient, by: Mapping[str, Coefficient]) -> Coefficient:
    """A rational function with others in the place of some of its names."""
    if not isinstance(value, Ratio) or not by:
        return value
    return _composed(value.top, by) / _composed(value.bottom, by)


def _composed(p: Coefficient, by: Mapping[str, Coefficient]) -> Coefficient:
    names = p.context().names()
    if not any(degree and n in by for n, degree in zip(names, p.degrees(), strict=True)):
        return polynomial(p)
    context = p.context()
    own = {n: Ratio(gen, context.constant(1)) for n, gen in zip(names, context.gens(), strict=True)} | dict(by)
    total: Coefficient = Fraction(0)
    for powers, c in p.terms():
        term: Coefficient = Fraction(int(c.p), int(c.q))
        for n, e in zip(names, powers, strict=True):
            if e:
                term = term * own[n] ** int(e)
        total = total + term
    return total
