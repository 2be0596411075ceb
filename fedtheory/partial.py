"""Fractions with a value for what is undefined: of a tuple of relations each is decided on its own domain."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from .numbers import Fractions


class Partial:
    """A Fraction, or undefined (``value`` is None), as is everything that is computed from it."""

    __slots__ = ("value",)
    __array_priority__ = -1

    def __init__(self, value: Fraction | None) -> None:
        self.value = value

    def _with(self, other: Any, op: Callable[[Fraction, Fraction], Fraction]) -> Any:
        if isinstance(other, Partial):
            b = other.value
        elif isinstance(other, (int, Fraction, np.integer)):
            b = Fraction(int(other)) if not isinstance(other, Fraction) else other
        else:
            return NotImplemented
        if self.value is None or b is None:
            return Partial(None)
        try:
            return Partial(op(self.value, b))
        except ZeroDivisionError:
            return Partial(None)

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: b / a)

    def __pow__(self, power: Any) -> Any:
        return (
            self._with(int(power), lambda a, b: a ** int(b)) if isinstance(power, (int, np.integer)) else NotImplemented
        )

    def __neg__(self) -> Partial:
        return self * -1

    def __pos__(self) -> Partial:
        return self

    def __abs__(self) -> Partial:
        return self if self.value is None else Partial(abs(self.value))

    @property
    def defined(self) -> Fraction:
        """The Fraction.

        Raises
        ------
        ZeroDivisionError
            If there is none: a branch on what is undefined decides nothing.
        """
        if self.value is None:
            raise ZeroDivisionError("a branch on an undefined number")
        return self.value

    def __lt__(self, other: Any) -> bool:
        return self.defined < fraction(other)

    def __le__(self, other: Any) -> bool:
        return self.defined <= fraction(other)

    def __gt__(self, other: Any) -> bool:
        return self.defined > fraction(other)

    def __ge__(self, other: Any) -> bool:
        return self.defined >= fraction(other)

    def __eq__(self, other: object) -> bool:
        return bool(self.defined == fraction(other))

    def __bool__(self) -> bool:
        return bool(self.defined)

    def __float__(self) -> float:
        return float(self.defined)

    def __hash__(self) -> int:
        return hash(self.defined)


def fraction(value: Any) -> Any:
    """The Fraction behind a partial one, anything else as it is."""
    return value.defined if isinstance(value, Partial) else value


class Partials(Fractions):
    """Object arrays of partial Fractions; slower, and only asked where a division by zero ended a body."""

    kind: ClassVar[str] = "fraction"

    def scalar(self, s: Any) -> Any:
        return s if isinstance(s, Partial) else Partial(Fraction(s))

    def quotient(self, p: int, q: int) -> Any:
        return Partial(Fraction(p, q) if q else None)
