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


def _difference(p: int, q: int, r: int, s: int) -> Bounded:
    return _sum(p, q, -r, s)


def _product(p: int, q: int, r: int, s: int) -> Bounded:
    a, b = gcd(p, s), gcd(r, q)
    return _lowest((p // a) * (r // b), (q // b) * (s // a))


def _quotient(p: int, q: int, r: int, s: int) -> Bounded:
    if r == 0:
        return _kept(Fraction(p, q) / 0)  # as a Fraction says it
    return _product(p, q, s, r) if r > 0 else _product(p, q, -s, -r)


def _operator(name: str, of: Callable[[int, int, int, int], Bounded]) -> None:
    """The operator and its reflection: `of` the parts of both sides, and as a Fraction has it with any other number."""
    own, reflected = getattr(Fraction, f"__{name}__"), getattr(Fraction, f"__r{name}__")

    def forward(self: Bounded, other: Any) -> Quantity:
        kind = type(other)
        if kind is Bounded or kind is Fraction:
            return of(self._numerator, self._denominator, other._numerator, other._denominator)
        if kind is int:
            return of(self._numerator, self._denominator, other, 1)
        return _kept(own(self, other))

    def backward(self: Bounded, other: Any) -> Quantity:
        kind = type(other)
        if kind is Fraction:
            return of(other._numerator, other._denominator, self._numerator, self._denominator)
        if kind is int:
            return of(other, 1, self._numerator, self._denominator)
        return _kept(reflected(self, other))

    setattr(Bounded, f"__{name}__", forward)
    setattr(Bounded, f"__r{name}__", backward)


def _closed(name: str) -> Callable[..., object]:
    own = getattr(Fraction, name)
    return lambda self: _kept(own(self))


for _name, _of in {"add": _sum, "sub": _difference, "mul": _product, "truediv": _quotient}.items():
    _operator(_name, _of)
for _name in ("neg", "pos", "abs"):
    setattr(Bounded, f"__{_name}__", _closed(f"__{_name}__"))


class Powers(Fractions):
    """Fractions that refuse powers of too many digits."""

    def scalar(self, s: Any) -> Quantity:
        return Bounded(s)
