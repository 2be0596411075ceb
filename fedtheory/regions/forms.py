"""Conditions of a catalogue as quotients of polynomials in its parameters, with everything that they divide by."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..catalogue import Catalogue, MissingParameter, Parameters
from ..errors import NotApplicable
from ..gram.ratio import Polynomial, Ratio, no_attribute, occurring, symbols
from ..relation import Condition, as_relations

if TYPE_CHECKING:
    from ..quantity import ByName, Named, Quantity, Values

EXPONENTIALS = ("exp_1", "exp_2", "exp_3")  # symbols for e^u; no parameter is called so


@dataclass
class Book:
    """What is met while a condition is evaluated: divisors, and what the symbols for exponentials stand for."""

    spare: dict[str, Ratio]
    divisors: list[Quantity] = field(default_factory=list)
    exponents: ByName = field(default_factory=dict)


class Expression:
    """A rational function of parameters of which a formula sees the arithmetic alone; its divisors are noted."""

    __slots__ = ("book", "ratio")
    __array_priority__ = -1

    def __init__(self, ratio: Quantity, book: Book) -> None:
        self.ratio, self.book = ratio, book

    def _with(self, other: Quantity, op: Callable[[Quantity, Quantity], Quantity]) -> Any:
        if isinstance(other, Expression):
            return Expression(op(self.ratio, other.ratio), self.book)
        if isinstance(other, (int, Fraction, np.integer)):
            return Expression(
                op(self.ratio, Fraction(int(other) if isinstance(other, np.integer) else other)), self.book
            )
        if isinstance(other, float) and math.isinf(other):
            raise NotApplicable("arithmetic with a parameter that is infinite")
        return NotImplemented

    def _over(self, a: Quantity, b: Quantity) -> Any:
        self.book.divisors.append(b)
        return a / b

    def __add__(self, other: Quantity) -> Expression:
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other: Quantity) -> Expression:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Quantity) -> Expression:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Quantity) -> Expression:
        return self._with(other, lambda a, b: a * b)

    __radd__, __rmul__ = __add__, __mul__

    def __truediv__(self, other: Quantity) -> Expression:
        return self._with(other, self._over)

    def __rtruediv__(self, other: Quantity) -> Expression:
        return self._with(other, lambda a, b: self._over(b, a))

    def __pow__(self, power: Quantity) -> Expression:
        if not isinstance(power, int):
            raise NotApplicable("a power that is no whole number")
        return Expression(self.ratio**power, self.book) if power >= 0 else 1 / self**-power

    def __neg__(self) -> Expression:
        return Expression(-self.ratio, self.book)

    def _no_branch(self, *_: object) -> NoReturn:
        raise NotApplicable("a branch on the value of a parameter")

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __bool__ = __abs__ = __hash__ = _no_branch  # type: ignore[assignment]
    __float__ = __int__ = __index__ = __round__ = __floor__ = __ceil__ = __rpow__ = _no_branch

    def __getattr__(self, name: str) -> Any:
        return no_attribute(name)


class Unknowns(Parameters):
    """Parameters as symbols; an infinite one stays a number."""

    def __init__(
        self, given: Mapping[str, Quantity], derived: Mapping[str, Callable[[Named], Quantity]], book: Book
    ) -> None:
        super().__init__(given, derived)
        self._book = book

    def ratio(self, p: int, q: int) -> Fraction:
        return Fraction(p, q)

    def min(self, s: Quantity) -> Quantity:
        raise NotApplicable("a minimum over clients")

    def max(self, s: Quantity) -> Quantity:
        raise NotApplicable("a maximum over clients")

    def total(self, s: Quantity) -> Quantity:
        raise NotApplicable("a sum over clients")

    def exp(self, s: Quantity) -> Any:
        if not isinstance(s, Expression):
            raise NotApplicable("an exponential of a number")
        for name, known in self._book.exponents.items():
            if not isinstance(gap := s.ratio - known, Ratio) and gap == 0:
                return Expression(self._book.spare[name], self._book)
        if len(self._book.exponents) == len(EXPONENTIALS):
            raise NotApplicable(f"more than {len(EXPONENTIALS)} exponentials")
        name = EXPONENTIALS[len(self._book.exponents)]
        self._book.exponents[name] = s.ratio
        return Expression(self._book.spare[name], self._book)

    def log(self, s: Quantity) -> NoReturn:
        raise NotApplicable("a logarithm")


@dataclass(frozen=True)
class Form:
    """One condition: ``0 op gap`` for every piece, wherever no divisor is zero.

    Attributes
    ----------
    condition : Condition
    names : tuple of str
        The parameters that are symbols.
    pieces : tuple of (str, Ratio, Fraction or bool)
        Operator and right side less left side; a truth value where a side is infinite.
    divisors : tuple of Ratio or Fraction
        Everything that is divided by.
    exponents : mapping of str to Ratio or Fraction
        What the symbols for exponentials are the exponentials of.
    missing : str
        Why there are no pieces: a parameter that is not given, or what is no rational function.
    """

    condition: Condition
    names: tuple[str, ...]
    pieces: tuple[tuple[str, Any], ...] = ()
    divisors: tuple[Quantity, ...] = ()
    exponents: Values = field(default_factory=dict)
    missing: str = ""

    def depends_on(self) -> frozenset[str]:
        """The parameters that occur in it."""
        own = [*(gap for _, gap in self.pieces), *self.divisors, *self.exponents.values()]
        return frozenset(name for part in own for name in names_in(part)) & frozenset(self.names)


def names_in(part: Quantity) -> set[str]:
    """The symbols in a rational function or a polynomial."""
    polys = (part.top, part.bottom) if isinstance(part, Ratio) else (part,) if isinstance(part, Polynomial) else ()
    return {name for p in polys for name in occurring(p)}


def forms(catalogue: Catalogue, conditions: Iterable[Condition], given: Mapping[str, object], *also: str) -> list[Form]:
    """The conditions with every given parameter, and those in `also`, as a symbol; what is derived from them is derived.

    Parameters
    ----------
    given : mapping of str to number or ndarray (m,)
        Whose names count; infinite ones stay numbers.
    also : str
        Parameters that are sought.
    """
    infinite = {k: math.inf for k, v in given.items() if isinstance(v, (float, np.ndarray)) and np.isinf(v).any()}
    names = tuple(n for n in dict.fromkeys((*given, *also)) if n not in infinite)
    return [_form(catalogue, c, names, infinite) for c in conditions]


def _form(catalogue: Catalogue, condition: Condition, names: tuple[str, ...], infinite: Mapping[str, float]) -> Form:
    spare = symbols((*names, *EXPONENTIALS))
    book = Book(spare)
    own = {n: Expression(spare[n], book) for n in names}
    x = Unknowns({**own, **infinite}, catalogue.derived, book)
    try:
        pieces = tuple(_piece(r.op, r.lhs, r.rhs) for r in as_relations(condition.relation(x), condition.printed))
    except MissingParameter as name:
        return Form(condition, names, missing=f"needs {name.args[0]}")
    except ZeroDivisionError:
        return Form(condition, names, missing="division by zero")
    except NotApplicable as error:
        return Form(condition, names, missing=str(error))
    return Form(condition, names, pieces, tuple(book.divisors), dict(book.exponents))


def _piece(op: str, lhs: Quantity, rhs: Quantity) -> tuple[str, object]:
    a, b = (s.ratio if isinstance(s, Expression) else s for s in (lhs, rhs))
    if isinstance(a, float) or isinstance(b, float):  # an infinite side
        low = a if isinstance(a, float) else Fraction(0)
        high = b if isinstance(b, float) else Fraction(0)
        return op, bool(low <= high if op == "<=" else low < high if op == "<" else low == high)
    return op, b - a
