"""Rational functions of a claim's parameters: the coefficients of a certificate that holds for all of them.

A `Ratio` is an element of Q(p1, ..., pk) in lowest terms, on the polynomials of python-flint. Constants are plain
Fractions, so that zero is always recognised. Asking a ratio for its order or its truth is an error: a body that branches
on a parameter would be read on one branch only.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

import flint
import numpy as np
from flint import fmpq_mpoly as Polynomial

from ..errors import NotApplicable
from ..numbers import fraction, rational
from .factored import factored

if TYPE_CHECKING:
    from typing import NoReturn

    from ..quantity import Quantity

Coefficient = Any  # an exact number or a Ratio, which mix as the operands of one another do
LARGEST_FACTORED = 60  # terms of a polynomial up to which it is factored
LARGEST_DEGREE = 60  # of such a polynomial, all variables together
LARGEST_TERMS = 300  # of numerator and denominator together; beyond it exact arithmetic takes minutes


def no_attribute(name: str) -> NoReturn:
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
    """A non-constant rational function with exact coefficients: `top` over `bottom`, without a common factor.

    The leading coefficient of `bottom` is one, so that equal functions have equal parts.
    """

    __slots__ = ("bottom", "key", "said", "top")
    __array_priority__ = -1

    def __init__(self, top: Polynomial, bottom: Polynomial) -> None:
        self.top = top
        self.bottom = bottom
        self.key: tuple[str, str] | None = None  # what `exact_key` and `text` answered once, as a ratio never changes
        self.said: str | None = None

    @property
    def sign(self) -> Polynomial:
        """A polynomial that has the sign of the function wherever this is defined."""
        return self.top * self.bottom

    def _number(self, other: Quantity) -> Any:
        """A rational of python-flint from a number; None for anything else."""
        return rational(other) if isinstance(other, (int, Fraction, np.integer)) else None

    def __add__(self, other: Any) -> Quantity:
        a, b = self.top, self.bottom
        if not isinstance(other, Ratio):
            number = self._number(other)
            if number is None:
                return NotImplemented
            return _lowest(a + b * number, b) if number else self
        c, d = other.top, other.bottom
        if b.is_one() and d.is_one():
            return _lowest(a + c, b)
        if b == d:
            return reduced(a + c, b)
        common = b.gcd(d)
        if common.is_one():
            return _lowest(a * d + c * b, b * d)
        # what top and bottom may still share is a factor of what the two bottoms share
        top, rest = a * (d / common) + c * (b / common), b / common
        common = top.gcd(common)
        return _lowest(top / common, rest * (d / common))

    __radd__ = __add__

    def __sub__(self, other: Quantity) -> Quantity:
        if isinstance(other, Ratio):
            return self + Ratio(-other.top, other.bottom)
        number = self._number(other)
        return NotImplemented if number is None else self + -other

    def __rsub__(self, other: Quantity) -> Quantity:
        return -self + other

    def __mul__(self, other: Any) -> Quantity:
        if isinstance(other, Ratio):
            return _product(self.top, self.bottom, other.top, other.bottom)
        number = self._number(other)
        if number is None:
            return NotImplemented
        return Ratio(self.top * number, self.bottom) if number else Fraction(0)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Quantity:
        if isinstance(other, Ratio):
            if not other.top:
                raise ZeroDivisionError("division by a rational function that is zero")
            lead = other.top.leading_coefficient()
            return _product(self.top, self.bottom, other.bottom / lead, other.top / lead)
        number = self._number(other)
        if number is None:
            return NotImplemented
        if not number:
            raise ZeroDivisionError("division by a rational function that is zero")
        return Ratio(self.top * (1 / number), self.bottom)

    def __rtruediv__(self, other: Quantity) -> Quantity:
        lead = self.top.leading_coefficient()
        return _lowest(self.bottom / lead, self.top / lead) * other

    def __neg__(self) -> Ratio:
        return Ratio(-self.top, self.bottom)

    def __pow__(self, power: Quantity) -> Quantity:
        if not isinstance(power, int):
            return NotImplemented
        n = abs(int(power))
        if _terms(self.top, n) + _terms(self.bottom, n) > LARGEST_TERMS:
            raise NotApplicable(f"a power of more than {LARGEST_TERMS} terms")
        top, bottom = self.top**n, self.bottom**n  # which share no factor either
        if power >= 0:
            return _lowest(top, bottom)
        lead = top.leading_coefficient()
        return _lowest(bottom / lead, top / lead)

    def _no_branch(self, *_: object) -> NoReturn:
        raise NotApplicable("a branch on the value of a parameter")

    __repr__ = __str__ = __format__ = _no_branch  # a text that says what a symbol is; internal code uses `text`
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __bool__ = __abs__ = _no_branch  # type: ignore[assignment]
    __float__ = __int__ = __index__ = __complex__ = __round__ = __floor__ = __ceil__ = __trunc__ = _no_branch
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rpow__ = __hash__ = _no_branch

    def __getattr__(self, name: str) -> Any:
        return no_attribute(name)


class Zero:
    """The exact number 0, of which the rows of Gram arrays mostly consist: no arithmetic is done on it."""

    __slots__ = ()
    __array_priority__ = -1

    def __abs__(self) -> Fraction:
        return Fraction(0)

    def __add__(self, other: object) -> Any:
        if other is self:
            return self
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, int):
            return Fraction(other) if other else self  # not the integer, whose quotients would be floats
        return other

    __radd__ = __rsub__ = __add__

    def __sub__(self, other: Quantity) -> Any:
        if other is self:  # as of most entries of two rows
            return self
        return NotImplemented if isinstance(other, np.ndarray) else -(self + other)

    def __mul__(self, other: object) -> Any:
        return NotImplemented if isinstance(other, np.ndarray) else self

    __rmul__ = __mul__

    def __truediv__(self, other: Quantity) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if not nonzero(other):
            raise ZeroDivisionError("zero over zero")
        return self

    def __neg__(self) -> Zero:
        return self

    __pos__ = conjugate = __neg__

    def __bool__(self) -> bool:
        return False

    def as_integer_ratio(self) -> tuple[int, int]:
        """As of any exact number."""
        return 0, 1


ZERO = Zero()


def _terms(poly: Polynomial, n: int) -> int:
    """Terms that the n-th power of a polynomial can have: by the multinomials, and by the degrees."""
    if len(poly) <= 1:
        return 1
    return min(math.comb(n + len(poly) - 1, n), math.prod(n * degree + 1 for degree in poly.degrees()))


def reduced(top: Polynomial, bottom: Polynomial) -> Quantity:
    """A Fraction if the quotient of two polynomials is constant, else a Ratio.

    Raises
    ------
    NotApplicable
        If it has too many terms.
    """
    if not top:
        return Fraction(0)
    if not bottom.is_constant():
        common = top.gcd(bottom)
        if not common.is_one():
            top, bottom = top / common, bottom / common
    lead = bottom.leading_coefficient()
    if lead != 1:
        top, bottom = top / lead, bottom / lead
    return _lowest(top, bottom)


def _lowest(top: Polynomial, bottom: Polynomial) -> Quantity:
    """The quotient of two polynomials without a common factor, the second of which begins with one times a power."""
    if not top:
        return Fraction(0)
    if len(top) + len(bottom) > LARGEST_TERMS:
        raise NotApplicable(f"a rational function of more than {LARGEST_TERMS} terms")
    if len(top) == 1 and bottom.is_one() and top.is_constant():
        return fraction(top.leading_coefficient())
    return Ratio(top, bottom)


def _product(a: Polynomial, b: Polynomial, c: Polynomial, d: Polynomial) -> Quantity:
    """a/b times c/d, both in lowest terms: only a top and the other's bottom can share a factor."""
    if not d.is_one():
        common = a.gcd(d)
        if not common.is_one():
            a, d = a / common, d / common
    if not b.is_one():
        common = c.gcd(b)
        if not common.is_one():
            c, b = c / common, b / common
    return _lowest(a * c, b * d)


def symbols(names: Iterable[str]) -> dict[str, Ratio]:
    """One indeterminate a name, all in one field."""
    names = tuple(names)
    if not names:
        return {}
    context = flint.fmpq_mpoly_ctx.get(names, "lex")
    return {name: Ratio(gen, context.constant(1)) for name, gen in zip(names, context.gens(), strict=True)}


def generators(value: Ratio) -> list[Ratio]:
    """The indeterminates of the field to which a function belongs."""
    context = value.top.context()
    return [Ratio(gen, context.constant(1)) for gen in context.gens()]


@cache
def _names(context: flint.fmpq_mpoly_ctx) -> tuple[str, ...]:
    return tuple(context.names())


def occurring(p: Polynomial) -> set[str]:
    """The names that occur in a polynomial."""
    return {name for name, degree in zip(_names(p.context()), p.degrees(), strict=True) if degree > 0}


def polynomial(p: Polynomial) -> Quantity:
    """A polynomial as a coefficient."""
    return reduced(p, p.context().constant(1))


def entry(name: str, i: int) -> str:
    """The symbol of client i of a per-client scalar; no scalar is called so."""
    return f"{name}[{i}]"


def text(value: object) -> str:
    """A coefficient as text, which `parse` of the multipliers reads; in lowest integers."""
    if not isinstance(value, Ratio):
        return str(value)
    if value.said is None:
        value.said = _quotient_text(value)
    return value.said


def _quotient_text(value: Ratio) -> str:
    content = _content(value.top) / _content(value.bottom)
    top = _text(value.top / _content(value.top) * content.p)
    if value.bottom.is_constant() and content.q == 1:
        return top
    bottom = _text(value.bottom / _content(value.bottom) * content.q)
    several = any(sign in bottom for sign in "+-*")
    return f"{f'({top})' if len(value.top) > 1 else top}/{f'({bottom})' if several else bottom}"


def _content(p: Polynomial) -> Any:
    """The positive rational that divides a polynomial and leaves integers without a common factor."""
    coefficients = p.coeffs()
    return flint.fmpq(math.gcd(*(int(c.p) for c in coefficients)), math.lcm(*(int(c.q) for c in coefficients)))


def _text(p: Polynomial) -> str:
    """A polynomial with integer coefficients, as Python writes it."""
    return str(p).replace("^", "**")


def coefficient(value: Coefficient) -> Coefficient:
    """A Fraction, or a Ratio as it is."""
    return value if type(value) in (Fraction, Ratio) else Fraction(value)


def nonzero(value: Quantity) -> bool:
    """Whether a coefficient is not identically zero."""
    return value is not ZERO and (isinstance(value, Ratio) or bool(value))


def exact_key(value: Any) -> Any:
    """A hashable stand-in with which equal coefficients, and only these, compare equal."""
    if isinstance(value, Ratio):
        if value.key is None:
            value.key = str(value.top), str(value.bottom)
        return value.key
    return value.as_integer_ratio()


def at(value: Any, point: Mapping[str, Fraction]) -> Fraction:
    """The value at rational parameters.

    Raises
    ------
    ZeroDivisionError
        If the denominator vanishes there.
    """
    if not isinstance(value, Ratio):
        return Fraction(value)
    where = [rational(point[n]) for n in value.top.context().names()]
    bottom = value.bottom(*where)
    if bottom == 0:
        raise ZeroDivisionError("the denominator vanishes")
    return fraction(value.top(*where) / bottom)


def factors(value: Any) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
    """(constant, [(polynomial, exponent)]) with irreducible polynomials unless they are long; < 0 for the denominator."""
    if not isinstance(value, Ratio):
        return Fraction(value), []
    constant = Fraction(1)
    out: list[tuple[Polynomial, int]] = []
    for poly, sign in ((value.top, 1), (value.bottom, -1)):
        short = len(poly) <= LARGEST_FACTORED and sum(poly.degrees()) <= LARGEST_DEGREE
        lead, parts = factored(poly) if short else (flint.fmpq(1), [(poly, 1)])
        constant *= fraction(lead) if sign > 0 else 1 / fraction(lead)
        out += [(p, sign * int(e)) for p, e in parts]
    return constant, out
