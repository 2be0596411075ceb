"""Fractions whose powers do not outgrow every memory, where a body raises to what is data."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd
from typing import TYPE_CHECKING, Any

from ..errors import NotApplicable
from .kinds import Fractions

if TYPE_CHECKING:
    from ..quantity import Quantity

LARGEST = 500_000  # bits of an exact number, beyond which a search in exact numbers takes minutes


class Bounded(Fraction):
    """A Fraction; what is computed from it is one too.

    Sums and products of two of them, and with whole numbers, are computed here: a Fraction asks for the kinds of both sides by
    abstract classes, and its result would have to be made a second time, which is most of what a replay would cost.
    """

    __slots__ = ()

    _numerator: int
    _denominator: int

    def __pow__(self, power: Any, modulo: None = None) -> Any:
        _require_short(self, power)
        return _kept(Fraction.__pow__(self, power))

    def __rpow__(self, base: Any, modulo: None = None) -> Any:
        _require_short(base, self)
        return _kept(Fraction(base) ** Fraction(self) if isinstance(base, (int, Fraction)) else NotImplemented)


def _kept(value: object) -> Any:
    return _lowest(value.numerator, value.denominator) if type(value) is Fraction else value


def _lowest(p: int, q: int) -> Bounded:
    """The quotient of two numbers without a common divisor, q > 0."""
    out = object.__new__(Bounded)
    out._numerator, out._denominator = p, q
    return out


def _require_short(base: Bounded, power: Any) -> None:
    if not all(isinstance(v, (int, Fraction)) for v in (base, power)) or power.denominator != 1:
        return
    if abs(power.numerator) * (max(abs(base.numerator), base.denominator).bit_length() - 1) > LARGEST:
        raise NotApplicable(f"a power of more than {LARGEST} bits")


def _sum(p: int, q: int, r: int, s: int) -> Bounded:
    """p/q + r/s, each in lowest terms (Knuth, The Art of Computer Programming, volume 2, section 4.5.1)."""
    common = gcd(q, s)
    if common == 1:
        return _lowest(p * s + q * r, q * s)
    top = p * (s // common) + r * (q // common)
    shared = gcd(top, common)
    return _lowest(top // shared, q // common * (s // shared))


def _product(p: int, q: int, r: int, s: int) -> Bounded:
    a, b = gcd(p, s), gcd(r, q)
    return _lowest((p // a) * (r // b), (q // b) * (s // a))


def _quotient(p: int, q: int, r: int, s: int) -> Bounded:
    if r == 0:
        return _kept(Fraction(p, q) / 0)  # as a Fraction says it
    return _product(p, q, s, r) if r > 0 else _product(p, q, -s, -r)


OPERATORS: dict[str, Callable[[int, int, int, int], Bounded]] = {
    "add": _sum,
    "radd": _sum,
    "sub": lambda p, q, r, s: _sum(p, q, -r, s),
    "rsub": lambda p, q, r, s: _sum(-p, q, r, s),
    "mul": _product,
    "rmul": _product,
    "truediv": _quotient,
    "rtruediv": lambda p, q, r, s: _quotient(r, s, p, q),
}
"""Of the parts of a Bounded and of what stands on the other side."""


def _operator(own: Callable[..., object], of: Callable[[int, int, int, int], Bounded]) -> Callable[..., object]:
    """As a Fraction has it with any other number."""

    def method(self: Bounded, other: Any) -> Quantity:
        kind = type(other)
        if kind is Bounded or kind is Fraction:
            return of(self._numerator, self._denominator, other._numerator, other._denominator)
        if kind is int:
            return of(self._numerator, self._denominator, other, 1)
        return _kept(own(self, other))

    return method


def _closed(own: Callable[..., object]) -> Callable[..., object]:
    return lambda self: _kept(own(self))


for _name, _of in OPERATORS.items():
    setattr(Bounded, f"__{_name}__", _operator(getattr(Fraction, f"__{_name}__"), _of))
for _name in ("__neg__", "__pos__", "__abs__"):
    setattr(Bounded, _name, _closed(getattr(Fraction, _name)))


class Powers(Fractions):
    """Fractions that refuse powers of too many digits."""

    def scalar(self, s: Any) -> Quantity:
        return Bounded(s)
