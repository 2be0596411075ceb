"""Units of a formula under f -> E f and w -> M w: every term of a relation must carry one power of E and of M."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from .errors import NotApplicable, UnitsMismatch, UsageError

if TYPE_CHECKING:
    from .quantity import Quantity

LARGEST_POWER = 10_000


class Unit:
    """``E^e M^k``; the number 0 has every unit, any other plain number has none.

    Examples
    --------
    >>> lam, w = Unit(1, -2), Unit(0, 1)
    >>> lam * w**2
    E
    """

    __slots__ = ("e", "k", "zero")
    __array_priority__ = -1

    def __init__(self, e: int | Fraction = 0, k: int | Fraction = 0, zero: bool = False) -> None:
        self.e, self.k, self.zero = Fraction(e), Fraction(k), zero

    @staticmethod
    def of(value: Quantity) -> Unit:
        """The unit of a unit or of a plain number."""
        if isinstance(value, Unit):
            return value
        if isinstance(value, (int, Fraction, np.integer)):
            return Unit(zero=value == 0)
        raise NotApplicable(f"units of a {type(value).__name__}")

    def same(self, other: Unit) -> bool:
        return self.zero or other.zero or (self.e, self.k) == (other.e, other.k)

    def __repr__(self) -> str:
        if self.zero:
            return "0"
        parts = [f"{s}^{p}" if p != 1 else s for s, p in (("E", self.e), ("M", self.k)) if p]
        return " ".join(parts) or "1"

    def _add(self, other: Quantity) -> Unit:
        if isinstance(other, np.ndarray):
            return NotImplemented
        other = Unit.of(other)
        if not self.same(other):
            raise UnitsMismatch(f"a sum of [{self}] and [{other}]")
        return other if self.zero else self

    __add__ = __radd__ = __sub__ = __rsub__ = _add

    def _mul(self, other: Quantity) -> Unit:
        if isinstance(other, np.ndarray):
            return NotImplemented
        other = Unit.of(other)
        return Unit(self.e + other.e, self.k + other.k, self.zero or other.zero)

    __mul__ = __rmul__ = _mul

    def __truediv__(self, other: Quantity) -> Unit:
        if isinstance(other, np.ndarray):
            return NotImplemented
        other = Unit.of(other)
        return Unit(self.e - other.e, self.k - other.k, self.zero)

    def __rtruediv__(self, other: Quantity) -> Unit:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return Unit.of(other) / self

    def __pow__(self, p: int | Fraction) -> Unit:
        if isinstance(p, Unit):
            if (p.e, p.k) == (0, 0) and (self.e, self.k) == (0, 0):
                return Unit()
            raise UnitsMismatch(f"[{self}] raised to a power that is not a number")
        if isinstance(p, int) and abs(p) > LARGEST_POWER:
            raise UsageError(
                f"a power of {p} is beyond exact arithmetic; take a smaller power, of at most {LARGEST_POWER}"
            )
        return Unit(self.e * p, self.k * p, self.zero)

    def __neg__(self) -> Unit:
        return self

    def __abs__(self) -> Unit:
        return self

    def sqrt(self) -> Unit:
        return Unit(self.e / 2, self.k / 2, self.zero)

    def pure(self, what: str) -> Unit:
        """This unit if it is a plain number, else an error that names `what`."""
        if (self.e, self.k) != (0, 0) and not self.zero:
            raise UnitsMismatch(f"{what} of [{self}]")
        return Unit()

    def _no_order(self, other: Quantity) -> bool:
        raise NotApplicable("a branch on a value in units")

    __lt__ = __le__ = __gt__ = __ge__ = __floordiv__ = __mod__ = _no_order


class OfOne(Unit):
    """The unit of one number with a name, of which there are no elements."""

    __slots__ = ("name",)

    def __init__(self, unit: Unit, name: str) -> None:
        super().__init__(unit.e, unit.k, unit.zero)
        self.name = name

    def __getitem__(self, key: object) -> Quantity:
        if isinstance(key, int):
            raise UsageError(
                f"x.{self.name}[{int(key)}]: {self.name} is one number, constant along a run, and is written x.{self.name}"
            )
        return np.asarray([self], dtype=object)[key]  # type: ignore[call-overload]


NUMBER = Unit()
VALUE = Unit(1, 0)
LENGTH = Unit(0, 1)
GRADIENT = Unit(1, -1)
CURVATURE = Unit(1, -2)
STEP = Unit(-1, 2)
