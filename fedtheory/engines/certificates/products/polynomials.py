"""Polynomials and quotients of polynomials over the rationals, as the proofs of a claim have them.

The one place that knows how z3 terms and the coefficients of Gram arrays are made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from ....errors import NotApplicable
from ....gram.factored import factored
from ....gram.ratio import Ratio
from ...budget import Products
from ...z3.terms import Term
from ...z3.trees import Tree, z3_module

Poly = Any  # a flint.fmpq_mpoly; flint has no types


class Split(Exception):
    """A minimum or maximum takes one value where `poly` is at least zero, and another where it is negative."""

    def __init__(self, poly: Poly) -> None:
        super().__init__(str(poly))
        self.poly = poly


@dataclass(frozen=True)
class Ring:
    """Polynomials in some names over the rationals."""

    names: tuple[str, ...]

    @cached_property
    def context(self) -> Any:
        return fmpq_mpoly_ctx.get(self.names or ("1",), Ordering.lex)

    @cached_property
    def gens(self) -> dict[str, Poly]:
        return dict(zip(self.names, self.context.gens(), strict=False))

    def constant(self, value: Any) -> Poly:
        q = Fraction(value)
        return self.context.constant(fmpq(q.numerator, q.denominator))

    def names_in(self, p: Poly) -> set[str]:
        """The names that occur in a polynomial."""
        return {n for n, d in zip(self.names, p.degrees(), strict=False) if d > 0}

    def quotient(self, value: object) -> Quotient:
        """A number, or a coefficient of Gram arrays, as a quotient."""
        if isinstance(value, Quotient):
            return value
        if not isinstance(value, Ratio):
            return Quotient(self.constant(value), self.constant(1))
        top, bottom = (self.polynomial(p) for p in (value.top, value.bottom))
        return Quotient.of(top, bottom)

    def polynomial(self, p: Any) -> Poly:
        """A numerator, denominator or factor of a coefficient of Gram arrays."""
        names = p.context().names()
        terms = {}
        for powers, c in p.terms():
            monomial = [0] * max(1, len(self.names))
            for name, e in zip(names, powers, strict=True):
                if e:
                    monomial[self.names.index(name)] = int(e)
            terms[tuple(monomial)] = c
        return self.context.from_dict(terms)


@dataclass(frozen=True)
class Quotient:
    """``num/den`` in lowest terms."""

    num: Poly
    den: Poly

    @staticmethod
    def of(num: Poly, den: Poly) -> Quotient:
        """In lowest terms, the denominator with a positive first coefficient.

        Raises
        ------
        ZeroDivisionError
            If the denominator is zero.
        """
        if den == 0:
            raise ZeroDivisionError("the denominator vanishes")
        if len(num) + len(den) > Products.terms:
            raise NotApplicable(f"a polynomial of more than {Products.terms} terms")
        if den.is_one():
            return Quotient(num, den)
        common = num.gcd(den)
        num, den = num / common, den / common
        lead = den.leading_coefficient()
        return Quotient(num / lead, den / lead)

    def __add__(self, other: Quotient) -> Quotient:
        if self.den == other.den:
            return Quotient.of(self.num + other.num, self.den)
        return Quotient.of(self.num * other.den + other.num * self.den, self.den * other.den)

    def __neg__(self) -> Quotient:
        return Quotient(-self.num, self.den)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + -other

    def __mul__(self, other: Quotient) -> Quotient:
        return Quotient.of(self.num * other.num, self.den * other.den)

    def __truediv__(self, other: Quotient) -> Quotient:
        return Quotient.of(self.num * other.den, self.den * other.num)

    def __pow__(self, n: int) -> Quotient:
        a, b = (self.num, self.den) if n >= 0 else (self.den, self.num)
        return Quotient.of(a ** abs(n), b ** abs(n))

    def __bool__(self) -> bool:
        return self.num != 0


class Reader:
    """z3 terms as quotients; `signs` says of the polynomials on which a minimum depends whether they are at least zero."""

    def __init__(self, ring: Ring, signs: Mapping[str, bool]) -> None:
        self.ring, self.signs = ring, signs
        self.z3, self.tree = z3_module(), Tree()
        self.divisors: dict[str, Poly] = {}
        self._seen: dict[int, Quotient] = {}

    def __call__(self, term: Term) -> Quotient:
        """The quotient of a term.

        Raises
        ------
        Split
            Where its value depends on a sign that is not known.
        NotApplicable
            If the term is something else than arithmetic.
        """
        return self._of(term.as_ast())

    def beside(self) -> Reader:
        """A reader that knows what this one has read, as long as its terms are alive, and has divisors of its own."""
        other = Reader(self.ring, self.signs)
        other._seen = dict(self._seen)
        return other

    def _of(self, ast: object) -> Quotient:
        key = self.tree.key(ast)
        if key not in self._seen:
            self._seen[key] = self._read(ast)
        return self._seen[key]

    def _read(self, ast: object) -> Quotient:
        z3, tree = self.z3, self.tree
        numeral = tree.numeral(ast)
        if numeral is not None:
            return self.ring.quotient(Fraction(numeral))
        kind, arguments = tree.kind(ast), tree.parts(ast)
        if kind == z3.Z3_OP_UNINTERPRETED and tree.name(ast) in self.ring.gens:
            return Quotient(self.ring.gens[tree.name(ast)], self.ring.constant(1))
        if kind == z3.Z3_OP_ITE:
            return self._of(arguments[1] if self._chosen(arguments[0]) else arguments[2])
        parts = [self._of(a) for a in arguments]
        if kind == z3.Z3_OP_UMINUS:
            return -parts[0]
        if kind == z3.Z3_OP_POWER and parts[1].num.is_constant() and parts[1].den == 1:
            power = Fraction(str(parts[1].num))
            if power.denominator == 1:
                return parts[0] ** int(power)
        if kind == z3.Z3_OP_DIV:
            divisor = parts[1].num
            if not divisor.is_constant():
                self.divisors.setdefault(str(divisor), divisor)
            return parts[0] / parts[1]
        if kind not in (z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_MUL):
            raise NotApplicable(f"no polynomial: {tree.name(ast)}")
        out = parts[0]
        for p in parts[1:]:
            out = out + p if kind == z3.Z3_OP_ADD else out - p if kind == z3.Z3_OP_SUB else out * p
        return out

    def _chosen(self, condition: object) -> bool:
        """Whether ``a <= b``, or ``b >= a``, holds."""
        kind, parts = self.tree.kind(condition), self.tree.parts(condition)
        if kind not in (self.z3.Z3_OP_LE, self.z3.Z3_OP_GE):
            raise NotApplicable(f"no comparison: {self.tree.name(condition)}")
        gap = self._of(parts[1]) - self._of(parts[0])
        gap = gap if kind == self.z3.Z3_OP_LE else -gap
        poly = signed(gap)
        if poly.is_constant():
            return bool(Fraction(str(poly)) >= 0)
        if str(poly) not in self.signs:
            raise Split(poly)
        return self.signs[str(poly)]


def signed(value: Quotient) -> Poly:
    """A polynomial that has the sign of a quotient wherever this is defined."""
    return value.num if value.den.is_constant() else value.num * odd_part(value.den)


def odd_part(p: Poly) -> Poly:
    """The product of the factors of odd multiplicity, with the sign of the polynomial."""
    lead, parts = factored(p)
    out = p.context().constant(1 if lead > 0 else -1)
    for f, e in parts:
        out = out * f if int(e) % 2 else out
    return out


def product_of(polys: Iterable[tuple[Poly, int]], one: Poly) -> Poly:
    """The product of powers of polynomials."""
    out = one
    for p, e in polys:
        out = out * p**e
    return out
