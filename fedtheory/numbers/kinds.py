"""Number types that a body runs on: float64 batches, Fractions, balls, units and Gram arrays share this interface."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex

import flint
import numpy as np

from ..errors import NotApplicable, UsageError
from ..units import Unit
from .draws import Draws, Noisy, Repeated
from .per_row import PerRow, over_rows

if TYPE_CHECKING:
    from ..quantity import Array, Quantity

LARGEST_DRAWS = 1000  # selections of clients that are listed
LONG = 10_000  # bits of a number that is shown by its digits


def _elementwise(fn: Callable[..., object], *args: Quantity) -> Any:
    if any(isinstance(a, np.ndarray) for a in args):
        return np.frompyfunc(fn, len(args), 1)(*args)
    return fn(*args)


def read_only(a: Array) -> Array:
    """A NumPy array that a body cannot change in place; an array of another library as it is."""
    if isinstance(a, np.ndarray):
        a = a.view()
        a.flags.writeable = False
    return a


class Count(int):
    """A structural integer (m, R, S ...) whose quotients are numbers of the engine, never Python floats by accident."""

    quotient: Callable[[int, int], Quantity]

    def __new__(cls, value: int, quotient: Callable[[int, int], Quantity]) -> Count:
        self = super().__new__(cls, value)
        self.quotient = quotient
        return self

    def _integer(self, op: str, other: object) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        return Count(getattr(int, op)(int(self), int(other)), self.quotient)

    def __add__(self, other: object) -> Count:
        return self._integer("__add__", other)

    def __sub__(self, other: object) -> Count:
        return self._integer("__sub__", other)

    def __mul__(self, other: object) -> Count:
        return self._integer("__mul__", other)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other: object) -> Count:
        return self._integer("__rsub__", other)

    def __pow__(self, other: object, mod: object = None) -> Any:
        return self._integer("__pow__", other) if isinstance(other, int) and other >= 0 else NotImplemented

    def __neg__(self) -> Count:
        return Count(-int(self), self.quotient)

    def __truediv__(self, other: object) -> Any:
        return self.quotient(int(self), int(other)) if isinstance(other, int) else NotImplemented

    def __rtruediv__(self, other: object) -> Any:
        return self.quotient(int(other), int(self)) if isinstance(other, int) else NotImplemented


def require_all(clients: int, m: Quantity, call: str) -> None:
    """Refuse a sum over all clients of something that has one entry: a server quantity, or one client cut out.

    Raises
    ------
    UsageError
        If there are several clients and one entry.
    """
    if isinstance(m, int) and m > 1 and clients == 1:
        raise UsageError(
            f"{call} sums over the {int(m)} clients and got one entry; for a server quantity s write x.m*s"
        )


class Numbers:
    """Base: object arrays of some exact number on NumPy; subclasses override what their number can do."""

    kind: ClassVar[str] = "object"
    xp: Any = np

    def scalar(self, s: Any) -> Quantity:
        """Convert one scalar (int, float, Fraction or "p/q" string) to this number type."""
        raise NotImplementedError

    def array(self, a: Any) -> Any:
        """Convert an array of host numbers to an array of this number type."""
        a = np.asarray(a)
        return read_only(np.frompyfunc(self.scalar, 1, 1)(a)) if a.ndim else self.scalar(a.item())

    def sum(self, a: Any, **axes: Any) -> Any:
        """Sum over an axis: what ``np.sum`` comes to, without its detours."""
        return np.add.reduce(a, **axes)

    def dot(self, u: Array, v: Array) -> Array:
        """Inner product over the last axis."""
        return self.sum(u * v, axis=-1)

    def quotient(self, p: int, q: int) -> Quantity:
        """p/q of two integers as a number."""
        return self.scalar(Fraction(p, q))

    def count(self, n: int) -> int:
        """A structural integer whose quotients stay numbers of this type."""
        return Count(n, self.quotient)

    def size(self, name: str, n: int) -> Any:
        """The structural integer called `name`."""
        return self.count(n)

    def mean(self, s: Quantity) -> Quantity:
        """Mean over clients of ``(..., m)``, ``(..., 1)``."""
        return self.sum(s, axis=-1, keepdims=True) / s.shape[-1] if hasattr(s, "shape") else s

    def mean_vec(self, u: Array) -> Array:
        """Mean over clients of ``(..., m, d)``, ``(..., 1, d)``."""
        return self.sum(u, axis=-2, keepdims=True) / u.shape[-2]

    def total(self, s: Quantity, over: Array | None, m: Quantity) -> Quantity:
        """Sum over the selected clients, or over all of them, where a server quantity counts m times."""
        if over is not None:
            return self.sum(s * over, axis=-1, keepdims=True)
        if not hasattr(s, "shape"):
            return s * m
        require_all(s.shape[-1], m, "x.total")
        return self.sum(s, axis=-1, keepdims=True)

    def sum_up(self, term: Callable[[Any], Any], n: Any) -> Quantity:
        """Sum of ``term(t)`` for t = 0 .. n-1."""
        return reduce(lambda a, b: a + b, (term(self.count(t)) for t in range(n)), 0)

    def product_up(self, term: Callable[[Quantity], Quantity], n: SupportsIndex, first: SupportsIndex = 0) -> Quantity:
        """Product of ``term(t)`` for t = first .. n-1."""
        factors = [term(self.count(t)) for t in range(first, n)]
        return reduce(lambda a, b: a * b, factors) if factors else 1

    def total_vec(self, u: Array, over: Array | None, m: Quantity) -> Array:
        """Sum of vectors over the selected clients, or over all of them."""
        if over is not None:
            return self.sum(u * over[..., None], axis=-2, keepdims=True)
        require_all(u.shape[-2], m, "x.total_vec")
        return self.sum(u, axis=-2, keepdims=True)

    def where(self, draw: Array, new: Array, old: Array) -> Array:
        """Vectors ``(..., m, d)`` of the selected clients from `new`, of the others from `old`."""
        chosen = draw[..., None]
        return new * chosen + old * (1 - chosen)

    def over_clients(self, s: Any, pick: Callable[[Quantity, Quantity], Quantity]) -> Quantity:
        """The extreme over clients of ``(..., m)``, ``(..., 1)``; `pick` takes two. What all clients share is its own."""
        if not hasattr(s, "shape"):
            return s
        return reduce(pick, [s[..., i : i + 1] for i in range(s.shape[-1])])

    def selections(self, m: int, S: int) -> tuple[Array, ...]:
        """All selections of S of m clients as ones and zeros ``(m,)``, equally likely.

        Raises
        ------
        UsageError
            If they are too many to be listed.
        """
        self._require_few(math.comb(m, S), f"selections of {S} of {m} clients")
        masks = [[Fraction(int(i in chosen)) for i in range(m)] for chosen in itertools.combinations(range(m), S)]
        return tuple(self.array(np.array(mask, dtype=object)) for mask in masks)

    def independent(self, m: int, p: Quantity) -> Draws:
        """Selections of m clients, each with the chance p by itself, as ones and zeros ``(m,)``.

        Raises
        ------
        UsageError
            If they are too many to be listed.
        """
        self._require_few(2**m, f"selections of {m} clients")
        masks = list(itertools.product((0, 1), repeat=m))
        chances = [reduce(lambda a, b: a * b, [p if i else 1 - p for i in mask]) for mask in masks]
        return Draws([self.array(np.array([Fraction(i) for i in mask], dtype=object)) for mask in masks], chances)

    def with_replacement(self, m: int, S: int) -> Repeated:
        """How often each of m clients is drawn, ``(m,)``, where S are drawn uniformly with replacement.

        Raises
        ------
        UsageError
            If they are too many to be listed.
        """
        self._require_few(math.comb(m + S - 1, S), f"draws of {S} of {m} clients with replacement")
        counts = [[drawn.count(i) for i in range(m)] for drawn in itertools.combinations_with_replacement(range(m), S)]
        ways = [math.factorial(S) // math.prod(map(math.factorial, each)) for each in counts]
        rows = [self.array(np.array([Fraction(n) for n in each], dtype=object)) for each in counts]
        return Repeated(rows, [self.quotient(n, m**S) for n in ways])

    def noisy(self, u: Array, m: int) -> Noisy:
        """Vectors ``(..., m, d)``, that of each client with either sign, equally likely and independent.

        Raises
        ------
        UsageError
            If they are too many to be listed.
        """
        self._require_few(2**m, f"signs of {m} errors")
        signs = itertools.product((1, -1), repeat=m)
        return Noisy(u * self.array(np.array([[Fraction(i)] for i in each], dtype=object)) for each in signs)

    def _require_few(self, count: int, what: str) -> None:
        if count > LARGEST_DRAWS:
            raise UsageError(
                f"{count} {what} are more than the {LARGEST_DRAWS} that can be listed; give smaller sizes, "
                "a proof from them holds for every m"
            )

    def expectation(self, fn: Callable[[Any], Quantity], draws: Sequence[Any]) -> Quantity:
        """Mean of ``fn(draw)`` over draws: equally likely ones, or `Draws`, each with its chance."""
        if isinstance(draws, Draws):
            return reduce(lambda a, b: a + b, [fn(d) * chance for d, chance in zip(draws, draws.chances, strict=True)])
        whole = reduce(lambda a, b: a + b, [fn(d) for d in draws])
        return whole / (self.count(len(draws)) if isinstance(whole, int) else len(draws))

    def minimum(self, a: Quantity, b: Quantity) -> Any:
        return _elementwise(lambda p, q: self._own(p if p <= q else q), a, b)

    def maximum(self, a: Quantity, b: Quantity) -> Any:
        return _elementwise(lambda p, q: self._own(q if p <= q else p), a, b)

    def _own(self, value: Quantity) -> Quantity:
        """A number of this type in place of a plain integer, whose quotients would be floats."""
        return self.scalar(value) if type(value) is int else value

    def choice(self, first: Quantity, second: Quantity, a: Quantity, b: Quantity) -> Quantity:
        """a where the condition `first` holds, b where `second`, its opposite, does; enclosures may decide neither."""
        return self.xp.where(first, a, b)

    def at_least(self, a: Array, b: Array | int) -> Any:
        """1 where a >= b and 0 where a < b, entry by entry."""
        return self.choice(a >= b, a < b, self.scalar(1), self.scalar(0))

    def in_order(self, u: Array) -> list[Array]:
        """The entries of the clients from the least to the largest, coordinate by coordinate: m arrays ``(..., 1, d)``."""
        out = [u[..., i : i + 1, :] for i in range(u.shape[-2])]
        for last in range(len(out) - 1, 0, -1):
            for i in range(last):
                out[i], out[i + 1] = self.minimum(out[i], out[i + 1]), self.maximum(out[i], out[i + 1])
        return out

    def sqrt(self, s: Quantity) -> Quantity:
        raise NotApplicable(f"sqrt in {self.kind}")

    def exp(self, s: Quantity) -> Quantity:
        raise NotApplicable(f"exp in {self.kind}")

    def log(self, s: Quantity) -> Quantity:
        raise NotApplicable(f"log in {self.kind}")


class Floats(Numbers):
    """float64 arrays of one backend; scalars shared by a batch stay Python floats."""

    kind = "float"

    def __init__(self, xp: ModuleType | Any = None, device: object = None) -> None:
        if xp is None:
            import array_api_compat.numpy as xp
        self.xp = xp
        self.device = device
        self.on_host = getattr(xp, "__name__", "").endswith("numpy")
        self._add = np.add.reduce if self.on_host else xp.sum

    def scalar(self, s: Any) -> float:
        return float(s)

    def array(self, a: Any) -> Any:
        a = np.asarray(a)
        if a.ndim == 0:
            return float(a.item())
        return read_only(self.xp.asarray(np.asarray(a, dtype=np.float64), device=self.device))

    def count(self, n: int) -> int:
        return int(n)  # quotients are floats anyway, and some backends take no subclass of int

    def sum(self, a: Any, **axes: Any) -> Any:
        return self._add(a, **axes)

    def dot(self, u: Array, v: Array) -> Array:
        return self.xp.vecdot(u, v)  # without a product of the two in memory

    def _as_array(self, s: Any) -> Quantity:
        return s if hasattr(s, "shape") else self.xp.asarray(float(s), dtype=self.xp.float64, device=self.device)

    def mean(self, s: Quantity) -> Quantity:
        return s if isinstance(s, PerRow) else super().mean(s)

    def total(self, s: Quantity, over: Array | None, m: Quantity) -> Quantity:
        return s * m if isinstance(s, PerRow) and over is None else super().total(s, over, m)

    def over_clients(self, s: Quantity, pick: Callable[[Quantity, Quantity], Quantity]) -> Quantity:
        return s if isinstance(s, PerRow) else super().over_clients(s, pick)

    def minimum(self, a: Quantity, b: Quantity) -> Any:
        return over_rows(self.xp.minimum, self._as_array(a), self._as_array(b))

    def maximum(self, a: Quantity, b: Quantity) -> Any:
        return over_rows(self.xp.maximum, self._as_array(a), self._as_array(b))

    def sqrt(self, s: Quantity) -> Quantity:
        return over_rows(self.xp.sqrt, self._as_array(s))

    def exp(self, s: Quantity) -> Quantity:
        return over_rows(self.xp.exp, self._as_array(s))

    def log(self, s: Quantity) -> Quantity:
        return over_rows(self.xp.log, self._as_array(s))

    def at_least(self, a: Array, b: Array | int) -> Array:
        return self.xp.where(a >= b, 1.0, self.xp.where(a < b, 0.0, math.nan))


class Fractions(Numbers):
    """Object arrays of `fractions.Fraction`: the decision for rational bodies."""

    kind = "fraction"

    def scalar(self, s: Any) -> Quantity:
        return Fraction(s)


class Rationals(Fractions):
    """Object arrays of python-flint `fmpq`: the same numbers, several times faster, which do not mix with Fractions."""

    def scalar(self, s: Any) -> flint.fmpq:
        return rational(s)

    def quotient(self, p: int, q: int) -> flint.fmpq:
        return flint.fmpq(p, q)


def rational(value: Any) -> flint.fmpq:
    """A rational of python-flint from an integer, a Fraction, a float or a text."""
    if isinstance(value, flint.fmpq):
        return value
    if type(value) is int:
        return flint.fmpq(value)
    if isinstance(value, float):
        return flint.fmpq(*value.as_integer_ratio())
    q = value if isinstance(value, Fraction) else Fraction(value)
    return flint.fmpq(q.numerator, q.denominator)


def fraction(value: Any) -> Fraction:
    """A Fraction from a rational of python-flint, or from what `Fraction` takes."""
    return Fraction(int(value.p), int(value.q)) if isinstance(value, flint.fmpq) else Fraction(value)


def ball(value: Quantity) -> flint.arb:
    """A ball from a ball, an integer or a rational."""
    return value if isinstance(value, flint.arb) else flint.arb(rational(value))


def _at_least(p: flint.arb, q: flint.arb) -> flint.fmpq | flint.arb:
    """1 or 0, a ball about both where nothing is decided, and nan where a ball is none of a number."""
    if p >= q or p < q:
        return flint.fmpq(int(bool(p >= q)))
    return (ball(p) - ball(q)) * 0 + ball(0).union(ball(1))


def long(q: Fraction) -> bool:
    """Whether the digits of a number take pages; Python does not write more of them."""
    return max(abs(q.numerator), q.denominator).bit_length() > LONG


def readable(value: object) -> Fraction | flint.arb:
    """The number as it is, or a ball about it where its digits take pages."""
    if isinstance(value, flint.arb):
        return value
    q = fraction(value)
    return ball(q) if long(q) else q


class Balls(Numbers):
    """Rationals of python-flint, and balls where roots, exponentials or logarithms occur.

    An instance is the one that it is in rationals: what its data say of it (a curvature that is 0, a prox that does not
    exist) is decided before there is a ball.
    """

    kind = "arb"

    def scalar(self, s: Any) -> Quantity:
        return s if isinstance(s, flint.arb) else rational(s)

    def quotient(self, p: int, q: int) -> flint.fmpq:
        return flint.fmpq(p, q)

    def minimum(self, a: Quantity, b: Quantity) -> Any:
        return _elementwise(
            lambda p, q: ball(p).min(ball(q)) if flint.arb in (type(p), type(q)) else self._own(min(p, q)), a, b
        )

    def maximum(self, a: Quantity, b: Quantity) -> Any:
        return _elementwise(
            lambda p, q: ball(p).max(ball(q)) if flint.arb in (type(p), type(q)) else self._own(max(p, q)), a, b
        )

    def choice(self, first: Quantity, second: Quantity, a: Quantity, b: Quantity) -> Quantity:
        """A ball around both where it is not decided which of them it is."""
        return _elementwise(lambda t, f, p, q: p if t else q if f else ball(p).union(ball(q)), first, second, a, b)

    def at_least(self, a: Array, b: Array | int) -> Array:
        return _elementwise(_at_least, a, b)

    def sqrt(self, s: Quantity) -> Quantity:
        return _elementwise(lambda p: ball(p).sqrt(), s)

    def exp(self, s: Quantity) -> Quantity:
        return _elementwise(lambda p: ball(p).exp(), s)

    def log(self, s: Quantity) -> Quantity:
        return _elementwise(lambda p: ball(p).log(), s)


class AllBalls(Balls):
    """Balls for every number, beside arrays of balls that do not mix with rationals of flint."""

    def scalar(self, s: Any) -> flint.arb:
        return ball(s)


class Units(Numbers):
    """Object arrays of units: every addition and every relation is checked for one unit."""

    kind = "units"

    def scalar(self, s: Any) -> Quantity:
        return s

    def array(self, a: Any) -> Any:
        return read_only(np.asarray(a, dtype=object))

    def minimum(self, a: Quantity, b: Quantity) -> Any:
        return _elementwise(lambda p, q: Unit.of(p) + Unit.of(q), a, b)

    maximum = minimum

    def at_least(self, a: Array, b: Array | int) -> Array:
        return _elementwise(lambda p, q: (Unit.of(p) + Unit.of(q)) ** 0, a, b)

    def sqrt(self, s: Quantity) -> Quantity:
        return _elementwise(lambda p: Unit.of(p).sqrt(), s)

    def exp(self, s: Quantity) -> Quantity:
        return _elementwise(lambda p: Unit.of(p).pure("exp"), s)

    def log(self, s: Quantity) -> Quantity:
        return _elementwise(lambda p: Unit.of(p).pure("log"), s)
