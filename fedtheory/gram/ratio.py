"""Rational functions of a claim's parameters: the coefficients of a certificate that holds for all of them.

A `Ratio` is an element of Q(p1, ..., pk) in lowest terms (SymPy's fraction field). Constants are plain Fractions, so
that zero is always recognised. Asking a ratio for its order or its truth is an error: a body that branches on a
parameter would be read on one branch only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import QQ, Symbol
from sympy.polys.fields import FracElement, FracField

from ..errors import NotApplicable

LARGEST_FACTORED = 60  # terms of a polynomial up to which it is factored
LARGEST_DEGREE = 60  # of such a polynomial, all variables together
LARGEST_TERMS = 300  # of numerator and denominator together; beyond it exact arithmetic takes minutes


def no_attribute(name: str) -> Any:
    """What a symbol answers for an attribute that numbers have; NumPy may ask for the shape.

    Raises
    ------
    NotApplicable, AttributeError
        In every case.
    """
    if name.startswith("__") or name in ("shape", "ndim", "dtype"):
        raise AttributeError(name)
    raise NotApplicable(f"a symbol in place of a number has no {name}")


class Ratio:
    """A non-constant rational function with exact coefficients."""

    __slots__ = ("value",)
    __array_priority__ = -1

    def __init__(self, value: FracElement) -> None:
        self.value = value

    def _with(self, other: Any, op: str) -> Any:
        if isinstance(other, Ratio):
            right = other.value
        elif isinstance(other, (int, Fraction, np.integer)):
            right = self.value.field.ground_new(QQ(int(other.numerator), int(other.denominator)))
        else:
            return NotImplemented
        if op == "truediv" and not right:
            raise ZeroDivisionError("division by a rational function that is zero")
        return reduced(getattr(self.value, f"__{op}__")(right))

    def __add__(self, other: Any) -> Any:
        return self._with(other, "add")

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, "sub")

    def __rsub__(self, other: Any) -> Any:
        out = self._with(other, "sub")
        return out if out is NotImplemented else -out

    def __mul__(self, other: Any) -> Any:
        return self._with(other, "mul")

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, "truediv")

    def __rtruediv__(self, other: Any) -> Any:
        inverse = Ratio(1 / self.value)
        return inverse._with(other, "mul")

    def __neg__(self) -> Ratio:
        return Ratio(-self.value)

    def __pow__(self, power: Any) -> Any:
        if not isinstance(power, int):
            return NotImplemented
        n = abs(int(power))
        if _terms(self.value.numer, n) + _terms(self.value.denom, n) > LARGEST_TERMS:
            raise NotApplicable(f"a power of more than {LARGEST_TERMS} terms")
        return reduced(self.value**n) if power >= 0 else 1 / Ratio(self.value**n)

    def _no_branch(self, *_: Any) -> Any:
        raise NotApplicable("a branch on the value of a parameter")

    __repr__ = __str__ = __format__ = _no_branch  # a text that says what a symbol is; internal code uses `text`
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __bool__ = __abs__ = _no_branch  # type: ignore[assignment]
    __float__ = __int__ = __index__ = __complex__ = __round__ = __floor__ = __ceil__ = __trunc__ = _no_branch
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rpow__ = __hash__ = _no_branch

    def __getattr__(self, name: str) -> Any:
        return no_attribute(name)


def _terms(poly: Any, n: int) -> int:
    """Terms that the n-th power of a polynomial can have: by the multinomials, and by the degrees."""
    if len(poly) <= 1:
        return 1
    return min(math.comb(n + len(poly) - 1, n), math.prod(n * degree + 1 for degree in poly.degrees()))


def reduced(value: FracElement) -> Any:
    """A Fraction if the element is constant, else a Ratio."""
    if len(value.numer) + len(value.denom) > LARGEST_TERMS:
        raise NotApplicable(f"a rational function of more than {LARGEST_TERMS} terms")
    if value.numer.is_ground and value.denom.is_ground:
        if not value:
            return Fraction(0)
        q = value.numer.LC / value.denom.LC
        return Fraction(int(q.numerator), int(q.denominator))
    return Ratio(value)


def symbols(names: Iterable[str]) -> dict[str, Ratio]:
    """One indeterminate a name, all in one field."""
    names = list(names)
    K = FracField([Symbol(name) for name in names], QQ) if names else None
    return {name: Ratio(gen) for name, gen in zip(names, K.gens, strict=True)} if K is not None else {}


def entry(name: str, i: int) -> str:
    """The symbol of client i of a per-client scalar; no scalar is called so."""
    return f"{name}[{i}]"


def text(value: Any) -> str:
    """A coefficient as text, which `parse` of the multipliers reads."""
    return str(value.value.as_expr()) if isinstance(value, Ratio) else str(value)


def coefficient(value: Any) -> Any:
    """A Fraction, or a Ratio as it is."""
    return value if isinstance(value, Ratio) else Fraction(value)


def nonzero(value: Any) -> bool:
    """Whether a coefficient is not identically zero."""
    return isinstance(value, Ratio) or value != 0


def exact_key(value: Any) -> Any:
    """A hashable stand-in with which equal coefficients, and only these, compare equal."""
    return ("ratio", value.value) if isinstance(value, Ratio) else value


def at(value: Any, point: Mapping[str, Fraction]) -> Fraction:
    """The value at rational parameters.

    Raises
    ------
    ZeroDivisionError
        If the denominator vanishes there.
    """
    if not isinstance(value, Ratio):
        return Fraction(value)
    names = [str(s) for s in value.value.field.symbols]
    where = [QQ(point[n].numerator, point[n].denominator) for n in names]
    top, bottom = (
        p.evaluate(list(zip(p.ring.gens, where, strict=True))) for p in (value.value.numer, value.value.denom)
    )
    if bottom == 0:
        raise ZeroDivisionError("the denominator vanishes")
    q = top / bottom
    return Fraction(int(q.numerator), int(q.denominator))


def factors(value: Any) -> tuple[Fraction, list[tuple[Any, int]]]:
    """(constant, [(polynomial, exponent)]) with irreducible polynomials unless they are long; < 0 for the denominator."""
    if not isinstance(value, Ratio):
        return Fraction(value), []
    constant = Fraction(1)
    out: list[tuple[Any, int]] = []
    for poly, sign in ((value.value.numer, 1), (value.value.denom, -1)):
        short = len(poly) <= LARGEST_FACTORED and sum(poly.degrees()) <= LARGEST_DEGREE
        lead, parts = poly.factor_list() if short else (poly.ring.domain.one, [(poly, 1)])
        q = Fraction(int(lead.numerator), int(lead.denominator))
        constant *= q if sign > 0 else 1 / q
        out += [(p, sign * e) for p, e in parts]
    return constant, out
