"""Fractions, and balls, with a value for what is undefined: of a tuple of relations each is decided on its own domain."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import flint
import numpy as np

from .kinds import Fractions, _elementwise, ball

if TYPE_CHECKING:
    from ..quantity import Quantity


def _power(a: Quantity, n: int) -> Quantity:
    """a^n; of a ball by products, as flint's own power of one that holds 0 is no number."""
    if not isinstance(a, flint.arb):
        return a**n
    out, square, left = ball(1), a, abs(n)
    while left:
        out, square, left = out * square if left % 2 else out, square * square, left // 2
    return 1 / out if n < 0 else out


class Partial:
    """A Fraction or a ball, or undefined (``value`` is None), as is everything that is computed from it."""

    __slots__ = ("value",)
    __array_priority__ = -1

    def __init__(self, value: Quantity | None) -> None:
        self.value: Any = value  # a Fraction, a ball or None

    def _with(self, other: Quantity, op: Callable[[Quantity, Quantity], Quantity]) -> Partial:
        if isinstance(other, Partial):
            b = other.value
        elif isinstance(other, (int, Fraction, np.integer)):
            b = Fraction(int(other)) if not isinstance(other, Fraction) else other
        else:
            return NotImplemented
        a = self.value
        if a is None or b is None:
            return Partial(None)
        if isinstance(a, flint.arb) or isinstance(b, flint.arb):
            a, b = ball(a), ball(b)
        try:
            return Partial(op(a, b))
        except ZeroDivisionError:
            return Partial(None)

    def __add__(self, other: Quantity) -> Partial:
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Quantity) -> Partial:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Quantity) -> Partial:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Quantity) -> Partial:
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Quantity) -> Partial:
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Quantity) -> Partial:
        return self._with(other, lambda a, b: b / a)

    def __pow__(self, power: Quantity) -> Partial:
        if not isinstance(power, (int, np.integer)):
            return NotImplemented
        return self._with(0, lambda a, _: _power(a, int(power)))

    def __neg__(self) -> Partial:
        return self * -1

    def __pos__(self) -> Partial:
        return self

    def __abs__(self) -> Partial:
        return self if self.value is None else Partial(abs(self.value))

    @property
    def defined(self) -> Any:
        """The number.

        Raises
        ------
        ZeroDivisionError
            If there is none: a branch on what is undefined decides nothing.
        """
        if self.value is None:
            raise ZeroDivisionError("a branch on an undefined number")
        return self.value

    def _difference(self, other: Any) -> Any:
        return (self - other).defined

    def __lt__(self, other: Quantity) -> bool:
        return bool(self._difference(other) < 0)

    def __le__(self, other: Quantity) -> bool:
        return bool(self._difference(other) <= 0)

    def __gt__(self, other: Quantity) -> bool:
        return bool(self._difference(other) > 0)

    def __ge__(self, other: Quantity) -> bool:
        return bool(self._difference(other) >= 0)

    def __eq__(self, other: object) -> bool:
        return bool(self._difference(other) == 0)

    def __bool__(self) -> bool:
        return bool(self.defined)

    def __float__(self) -> float:
        return float(self.defined)

    def __hash__(self) -> int:
        return hash(self.defined)


def fraction(value: object) -> Any:
    """The number behind a partial one, anything else as it is."""
    return value.defined if isinstance(value, Partial) else value


class Partials(Fractions):
    """Object arrays of partial Fractions and balls; slower, and only asked where a division by zero ended a body."""

    kind: ClassVar[str] = "fraction"

    def scalar(self, s: Any) -> Quantity:
        return s if isinstance(s, Partial) else Partial(Fraction(s))

    def quotient(self, p: int, q: int) -> Quantity:
        return Partial(Fraction(p, q) if q else None)

    def minimum(self, a: Quantity, b: Quantity) -> Quantity:
        return _elementwise(lambda p, q: _extreme(min, flint.arb.min, p, q), a, b)

    def maximum(self, a: Quantity, b: Quantity) -> Quantity:
        return _elementwise(lambda p, q: _extreme(max, flint.arb.max, p, q), a, b)

    def choice(self, first: Quantity, second: Quantity, a: Quantity, b: Quantity) -> Quantity:
        """Undefined where it is not decided which of them it is."""
        return _elementwise(lambda t, f, p, q: p if t else q if f else Partial(None), first, second, a, b)

    def sqrt(self, s: Quantity) -> Quantity:
        return _of_ball(flint.arb.sqrt, s)

    def exp(self, s: Quantity) -> Quantity:
        return _of_ball(flint.arb.exp, s)

    def log(self, s: Quantity) -> Quantity:
        return _of_ball(flint.arb.log, s)


def _extreme(exact: Callable[..., Any], enclosed: Callable[..., Any], p: Quantity, q: Quantity) -> Partial:
    """The lesser or the greater of two numbers that are defined."""
    a, b = (v.defined if isinstance(v, Partial) else v for v in (p, q))
    return Partial(enclosed(ball(a), ball(b)) if flint.arb in (type(a), type(b)) else exact(a, b))


def _of_ball(fn: Callable[[flint.arb], flint.arb], s: Quantity) -> Quantity:
    """The value of `fn`, undefined where there is none."""

    def of(p: Quantity) -> Partial:
        value = p.value if isinstance(p, Partial) else p
        found = None if value is None else fn(ball(value))
        return Partial(found if found is not None and found.is_finite() else None)

    return _elementwise(of, s)
