"""Facts about polynomials, hypotheses and lemmas, and the exact check of a lemma's proof.

A proof that ``p op 0`` consists of terms: rationals of at least zero times powers of facts times squares, with the negation
``not (p op 0)`` among the facts. It holds where the terms add up to zero and one of them is positive. A term with an equation
among its facts may have any polynomial in front.

The check rests on the identity alone, by which every kind of certificate is read: of Farkas, of Handelman, of Krivine and
Stengle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import fmpq

from .polynomials import Poly, Ring

Point = Sequence[fmpq]  # values of the names
NOT = "not"  # the negation of what is to be shown, among the facts of its proof
IMPLIES = {">": (">", ">=", "!="), ">=": (">=",), "==": ("==",), "!=": ("!=",)}


@dataclass(frozen=True)
class Term:
    """A rational times powers of facts, by their place or `NOT`, times squares of polynomials."""

    c: Any
    facts: Mapping[Any, int]
    squares: tuple[Poly, ...] = ()


@dataclass(frozen=True)
class Fact:
    """``poly op 0`` with where it comes from; a lemma has the terms of its proof."""

    poly: Poly
    op: str
    source: str = ""
    proof: tuple[Term, ...] | None = None


@dataclass(frozen=True)
class Monomial:
    """A rational times whole powers of facts, by their place."""

    c: Fraction
    facts: Mapping[int, int]

    def times(self, other: Monomial) -> Monomial:
        powers = {i: self.facts.get(i, 0) + other.facts.get(i, 0) for i in {**self.facts, **other.facts}}
        return Monomial(self.c * other.c, {i: e for i, e in powers.items() if e})

    def power(self, n: int) -> Monomial:
        return Monomial(self.c**n, {i: n * e for i, e in self.facts.items()})


@dataclass(frozen=True)
class Bound:
    """A fact ``slope v + rest``, by its place, as a bound on the name v; with the names in the rest."""

    place: int
    rest: Poly
    slope: Any
    names: frozenset[str]


def rational(c: Any) -> Fraction:
    """A coefficient of flint as a Fraction."""
    return Fraction(int(c.numerator), int(c.denominator))


def normal(p: Poly) -> tuple[Fraction, Poly]:
    """(positive scale, polynomial whose first coefficient is 1 or -1)."""
    lead = abs(p.leading_coefficient())
    return rational(lead), p / lead


class Facts:
    """Hypotheses, and lemmas whose proofs hold.

    Attributes
    ----------
    ring : Ring
    facts : list of Fact
        In the order in which they were entered; a proof speaks of those before it.
    bounds : dict of lists of Bound
        The facts of degree one, by each name that they bound.
    corners : dict
        What was computed of corners where some of these bounds meet.
    """

    def __init__(self, ring: Ring, hypotheses: Sequence[Fact], points: Iterable[Point] = ()) -> None:
        self.ring = ring
        self._given = tuple(hypotheses), points
        self.facts: list[Fact] = []
        self.bounds: dict[str, list[Bound]] = {}
        self.corners: dict[tuple[tuple[str, int], ...], Any] = {}
        self._by_text: dict[str, list[tuple[int, Fraction]]] = {}
        for fact in hypotheses:
            self._add(fact)

    @property
    def given(self) -> tuple[Fact, ...]:
        """The hypotheses, which are the first of the facts."""
        return self._given[0]

    def _add(self, fact: Fact) -> int:
        scale, poly = normal(fact.poly)
        self.facts.append(fact)
        place = len(self.facts) - 1
        self._by_text.setdefault(str(poly), []).append((place, scale))
        if fact.op in (">", ">=") and fact.poly.total_degree() == 1:
            for name in self.ring.names_in(fact.poly):
                slope = fact.poly.derivative(self.ring.names.index(name))
                rest = fact.poly - slope * self.ring.gens[name]
                bound = Bound(place, rest, slope.leading_coefficient(), frozenset(self.ring.names_in(rest)))
                self.bounds.setdefault(name, []).append(bound)
        return place

    def shown(self, p: Poly, op: str) -> Monomial | None:
        """The polynomial as a positive multiple of a fact that says ``p op 0``."""
        if p == 0:
            return Monomial(Fraction(0), {}) if op == ">=" else None
        if p.is_constant():
            c = rational(p.leading_coefficient())
            return Monomial(c, {}) if c > 0 else None
        scale, poly = normal(p)
        for i, own in self._by_text.get(str(poly), ()):
            if op in IMPLIES[self.facts[i].op]:
                return Monomial(scale / own, {i: 1})
        return None

    def _monomials(self, p: Poly, op: str, *, terms: bool = False) -> Any:
        """A proof where every coefficient is positive and every name at least zero."""
        positive = self.positive_terms(p)
        if positive is None:
            return None
        out = [Term(Fraction(1), {NOT: 1}), *positive]
        if op == ">" and not any(all(self.facts[i].op == ">" for i in t.facts) for t in positive):
            return None
        if terms:
            return tuple(out)
        return None if self._prove(p, op, tuple(out)) is None else self.shown(p, op)

    def positive_terms(self, p: Poly) -> list[Term] | None:
        """A polynomial as positive numbers times products of facts, its names; None where it is none."""
        out = []
        for powers, lead in p.terms():
            c = rational(lead)
            if c < 0:
                return None
            facts: dict[Any, int] = {}
            for (_, gen), e in zip(self.ring.gens.items(), powers, strict=False):
                if e:
                    m = self.shown(gen, ">") or self.shown(gen, ">=")
                    if m is None:
                        return None
                    (i,) = m.facts
                    facts[i] = int(e)
                    c = c / rational(self.facts[i].poly.leading_coefficient()) ** int(e)
            out.append(Term(c, facts))
        return out

    @cached_property
    def points(self) -> list[Point]:
        """Values of the names at which every hypothesis holds, so that what fails there has no proof."""
        hypotheses, points = self._given
        return [p for p in points if all(_true(fact.poly(*p), fact.op) for fact in hypotheses)]

    def fails(self, p: Poly, op: str) -> bool:
        """Whether ``p op 0`` is false at a point at which every hypothesis holds."""
        return any(not _true(p(*point), op) for point in self.points)

    def _prove(self, p: Poly, op: str, proof: tuple[Term, ...]) -> int | None:
        """Enter a lemma whose proof holds."""
        return self._add(Fact(p, op, proof=proof)) if self._holds(p, op, proof) else None

    def _holds(self, p: Poly, op: str, proof: tuple[Term, ...]) -> bool:
        """Whether the terms contradict ``not (p op 0)``: they are not negative, one is positive, and their sum is zero."""
        total, strict = self.ring.constant(0), False
        negation = {">=": (-p, ">"), ">": (-p, ">="), "==": (p, "!="), "!=": (p, "==")}[op]
        for term in proof:
            value = self.ring.constant(1) * (
                self.ring.constant(term.c) if isinstance(term.c, (int, Fraction)) else term.c
            )
            ops = []
            for i, e in term.facts.items():
                poly, own = negation if i == NOT else (self.facts[i].poly, self.facts[i].op)
                if e < 0 or (own == "!=" and e % 2):
                    return False
                value = value * poly**e
                ops.append(own if e else ">")
            for q in term.squares:
                value = value * q * q
            if "==" not in ops:
                if not isinstance(term.c, Fraction) or term.c < 0:
                    return False
                strict |= term.c > 0 and not term.squares and all(own in (">", "!=") for own in ops)
            total = total + value
        return strict and total == 0


def _true(value: Any, op: str) -> bool:
    return bool(value > 0 if op == ">" else value >= 0 if op == ">=" else value == 0 if op == "==" else value != 0)


def read(text: str, ring: Ring) -> Poly:
    """A polynomial from its text."""
    total = ring.constant(0)
    for part in text.replace(" - ", " + -").split(" + "):
        value = ring.constant(-1 if part.startswith("-") else 1)
        for factor in part.removeprefix("-").split("*"):
            name, _, power = factor.partition("^")
            value = value * (ring.constant(name) if name[0].isdigit() else ring.gens[name] ** int(power or 1))
        total = total + value
    return total
