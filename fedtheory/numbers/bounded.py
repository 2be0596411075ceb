"""Fractions whose powers do not outgrow every memory, where a body raises to what is data."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..errors import NotApplicable
from .kinds import Fractions

if TYPE_CHECKING:
    from ..quantity import Quantity

LARGEST = 500_000  # bits of an exact number, beyond which a search in exact numbers takes minutes


class Bounded(Fraction):
    """A Fraction; what is computed from it is one too."""

    __slots__ = ()

    def __pow__(self, power: Any, modulo: None = None) -> Any:
        _require_short(self, power)
        return _kept(Fraction.__pow__(self, power))

    def __rpow__(self, base: Any, modulo: None = None) -> Any:
        _require_short(base, self)
        return _kept(Fraction(base) ** Fraction(self) if isinstance(base, (int, Fraction)) else NotImplemented)


def _kept(value: object) -> Any:
    return Bounded(value) if type(value) is Fraction else value


def _require_short(base: Bounded, power: Any) -> None:
    if not all(isinstance(v, (int, Fraction)) for v in (base, power)) or power.denominator != 1:
        return
    if abs(power.numerator) * (max(abs(base.numerator), base.denominator).bit_length() - 1) > LARGEST:
        raise NotApplicable(f"a power of more than {LARGEST} bits")


def _closed(name: str) -> Callable[..., object]:
    own = getattr(Fraction, name)

    def method(self: Bounded, *others: Quantity) -> Any:
        return _kept(own(self, *others))

    return method


for _name in ("add", "sub", "mul", "truediv"):
    for _side in ("", "r"):
        setattr(Bounded, f"__{_side}{_name}__", _closed(f"__{_side}{_name}__"))
for _name in ("neg", "pos", "abs"):
    setattr(Bounded, f"__{_name}__", _closed(f"__{_name}__"))


class Powers(Fractions):
    """Fractions that refuse powers of too many digits."""

    def scalar(self, s: Any) -> Quantity:
        return Bounded(s)
