"""Roots of affine forms, such as norms: two of them are compared by their squares, which are affine.

``c1 sqrt(A) <= c2 sqrt(B)`` follows from ``c1^2 A <= c2^2 B`` where c2 is not negative, as |c1| sqrt(A) <= c2 sqrt(B) then. The
other way the squares follow where c1 is not negative, as both sides are squared. A number is the root of its square.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ..errors import NotApplicable, UsageError, inexact
from ..relation import Relation
from .ratio import Coefficient, Ratio, Zero, no_attribute, nonzero

if TYPE_CHECKING:
    from ..quantity import Quantity

ALONE = (
    "a root of inner products or values beside something else; roots alone on both sides are compared by their squares"
)


class Root:
    """``factor sqrt(inside)``: an affine form under a root, times a coefficient; without a form it is the coefficient."""

    __slots__ = ("factor", "inside")
    __array_priority__ = -1

    def __init__(self, factor: Quantity, inside: Coefficient = None) -> None:
        self.factor, self.inside = factor, inside

    @staticmethod
    def of(form: Coefficient) -> Root:
        """The root of an affine form."""
        return Root(Fraction(1), form)

    @property
    def square(self) -> Coefficient:
        """The square of it, an affine form or a coefficient."""
        return self.factor * self.factor if self.inside is None else self.inside * self.factor * self.factor

    def __mul__(self, other: Coefficient) -> Coefficient:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, Root):
            return Root(self.factor * other.factor, self.inside * other.inside)  # which declines unless one is a number
        return Root(self.factor * _number(other), self.inside)

    __rmul__ = __mul__

    def __truediv__(self, other: Coefficient) -> Coefficient:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, Root):
            return Root(self.factor / other.factor, self.inside / other.inside)
        return Root(self.factor / _number(other), self.inside)

    def __neg__(self) -> Root:
        return Root(-self.factor, self.inside)

    def __pow__(self, power: Quantity) -> Coefficient:
        if not isinstance(power, int) or power < 1:
            raise NotApplicable(ALONE)
        even = self.square ** (int(power) // 2)
        return self * even if power % 2 else even

    def __add__(self, other: Coefficient) -> Coefficient:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, (int, Fraction, Zero)) and not other:
            return self
        raise NotApplicable(ALONE)

    __radd__ = __add__

    def __sub__(self, other: Coefficient) -> Coefficient:
        return NotImplemented if isinstance(other, np.ndarray) else self + other  # of 0 alone

    def __rsub__(self, other: Coefficient) -> Coefficient:
        return NotImplemented if isinstance(other, np.ndarray) else -self + other

    def _alone(self, *_: object) -> NoReturn:
        raise NotApplicable(ALONE)

    __rtruediv__ = _alone
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __bool__ = __abs__ = _alone  # type: ignore[assignment]
    __float__ = __int__ = __index__ = __complex__ = __round__ = __hash__ = __rpow__ = _alone
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __repr__ = __str__ = __format__ = _alone

    def __getattr__(self, name: str) -> Coefficient:
        return no_attribute(name)


def _as_root(value: Coefficient) -> Root:
    return value if isinstance(value, Root) else Root(_number(value))


def _number(value: Coefficient) -> Coefficient:
    """A number by which a root is multiplied, or beside which it stands.

    Raises
    ------
    NotApplicable, UsageError
        If it is an inner product or value, or a float.
    """
    if isinstance(value, (int, np.integer, Fraction, Ratio, Zero)):
        return value
    if isinstance(value, float):
        raise UsageError(inexact(value))
    if not value.is_constant():
        raise NotApplicable(ALONE)
    return value.terms.get((), Fraction(0))


def squared(relations: Iterable[Relation], *, given: bool = False) -> tuple[Relation, ...]:
    """Relations that have the given ones as a consequence, without roots; of `given` ones, relations that follow from them.

    Raises
    ------
    NotApplicable
        If a root stands beside something else, or nothing is known of a sign that is needed.
    """
    return tuple(s for r in relations for s in (_squared(r, given) if _has_root(r) else (r,)))


def _has_root(r: Relation) -> bool:
    return any(isinstance(e, Root) for side in (r.lhs, r.rhs) for e in np.asarray(side, dtype=object).flat)


def _squared(r: Relation, given: bool) -> Iterator[Relation]:
    sides = (np.asarray(side, dtype=object).view(np.ndarray) for side in (r.lhs, r.rhs))
    low, high = (np.frompyfunc(_as_root, 1, 1)(side) for side in np.broadcast_arrays(*sides))
    larger, smaller = ([e.factor for e in np.ravel(side)] for side in (high, low))
    if r.op == "<" or (r.op == "==" and not all(map(_counts, larger + smaller))):
        raise NotApplicable("roots that are equal, or one below another, are not compared by their squares")
    if given and not all(map(_counts, smaller)):
        raise NotApplicable("a condition on roots of which the smaller may be negative")
    if not given and not all(type(f) is Fraction and f == 1 for f in larger):  # of symbols as of numbers
        name = f"{r.name}, the sign of the larger side" if r.name else ""
        yield Relation(0, "<=", np.frompyfunc(lambda e: e.factor, 1, 1)(high), name)
    square = np.frompyfunc(lambda e: e.square, 1, 1)
    yield Relation(square(low), r.op, square(high), r.name)


def _counts(factor: Coefficient) -> bool:
    """Whether a coefficient is a number that is not negative."""
    return not nonzero(factor) or (not isinstance(factor, Ratio) and factor >= 0)
