"""Real roots of irreducible polynomials in one parameter: rational ones exactly, the others in intervals as narrow as asked for.

The coefficients are rational, or polynomials in exponentials of rationals, which are enclosed by balls.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from ..errors import NotApplicable
from ..gram.ratio import Polynomial, occurring
from ..numbers import ball, fraction, rational
from ..quantity import ByName, Values

BITS = (128, 512, 2048, 8192)  # of the balls that are tried, one after another


@dataclass(frozen=True)
class Root:
    """A real root of an irreducible polynomial.

    Attributes
    ----------
    poly : polynomial
        In the parameter, the first name of its context, and in symbols for exponentials.
    index : int
        Of the roots in their order.
    exponents : tuple of (str, Fraction)
        What the symbols are the exponentials of.
    value : Fraction or None
        Where it is rational.
    """

    poly: Polynomial
    index: int
    exponents: tuple[tuple[str, Fraction], ...] = ()
    value: Fraction | None = None

    def same(self, other: Root) -> bool:
        """Whether two roots are one number."""
        return self.index == other.index and str(self.poly) == str(other.poly)

    def ball(self, bits: int) -> flint.arb:
        """A ball around it."""
        if self.value is not None:
            return ball(self.value)
        return _balls(self.poly, dict(self.exponents), bits)[self.index]

    def between(self, bits: int = BITS[0]) -> tuple[Fraction, Fraction]:
        """Rationals below and above it, both the number itself where it is rational."""
        if self.value is not None:
            return self.value, self.value
        found = self.ball(bits)
        middle, radius = exact(found.mid()), exact(found.rad())
        return middle - radius, middle + radius

    def apart_from(self, value: Fraction) -> tuple[Fraction, Fraction]:
        """Rationals below and above an irrational root, both on one side of a rational number."""
        for bits in BITS:
            low, high = self.between(bits)
            if not low <= value <= high:
                return low, high
        raise NotApplicable("two ends cannot be told apart")

    def __float__(self) -> float:
        low, high = self.between()
        try:
            return float((low + high) / 2)
        except OverflowError:
            return math.inf


ZERO = Root(flint.fmpq_mpoly_ctx.get(("0",), "lex").gens()[0], 0, value=Fraction(0))


def exact(number: flint.arb) -> Fraction:
    """A ball without a radius as a Fraction."""
    man, exp = number.man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(exp)


def roots_of(poly: Polynomial, exponents: Mapping[str, Fraction]) -> list[Root]:
    """The real roots of an irreducible polynomial in the first name of its context, in their order.

    Raises
    ------
    NotApplicable
        If exponentials stand in it and its degree is above 2, or balls do not decide whether it has roots.
    """
    own = {n: q for n, q in exponents.items() if n in occurring(poly)}
    if not own and poly.degrees()[0] == 1:
        c = coefficients(poly, {})
        return [Root(poly, 0, value=fraction(-c[0] / c[1]))]
    return [Root(poly, k, tuple(own.items())) for k in range(len(_balls(poly, own, BITS[0])))]


def coefficients(poly: Polynomial, exponentials: Values) -> list[flint.fmpq]:
    """Coefficients of the powers of the first name, with numbers for the other ones."""
    names = poly.context().names()
    out: list[flint.fmpq] = [flint.fmpq(0)] * (poly.degrees()[0] + 1)
    for powers, c in poly.terms():
        for name, power in zip(names[1:], powers[1:], strict=True):
            if power:
                c = exponentials[name] ** int(power) * c
        out[int(powers[0])] = c + out[int(powers[0])]
    return out


def enclosed(exponents: Mapping[str, Fraction]) -> ByName:
    """The exponentials as balls, at the precision of the context."""
    return {n: ball(q).exp() for n, q in exponents.items()}


def _balls(poly: Polynomial, exponents: Mapping[str, Fraction], bits: int) -> list[flint.arb]:
    """A ball around every real root, in their order, at `bits` or more."""
    before = flint.ctx.prec
    try:
        for prec in [b for b in BITS if b >= bits] or [bits]:
            flint.ctx.prec = prec
            found = _of_balls(poly, exponents) if exponents else _of_rationals(poly)
            if found is not None:
                return found
    finally:
        flint.ctx.prec = before
    raise NotApplicable("its roots cannot be enclosed")


def _of_rationals(poly: Polynomial) -> list[flint.arb] | None:
    """Real roots of a polynomial with rational coefficients, which is squarefree."""
    pairs: Any = flint.fmpq_poly(coefficients(poly, {})).complex_roots()
    return sorted((z.real for z, _ in pairs if z.imag == 0), key=lambda b: exact(b.mid()))


def _of_balls(poly: Polynomial, exponents: Mapping[str, Fraction]) -> list[flint.arb] | None:
    """Real roots where coefficients are balls, by formula; None where their signs are not decided."""
    c = [ball(v) for v in coefficients(poly, enclosed(exponents))]
    if len(c) > 3:
        raise NotApplicable(f"an equation of degree {len(c) - 1} with exponentials in it")
    if 0 in c[-1]:
        return None
    if len(c) == 2:
        return [-c[0] / c[1]]
    under = c[1] ** 2 - 4 * c[2] * c[0]
    if under < 0:
        return []
    if not under > 0:
        return None
    sides = [(-c[1] + s * under.sqrt()) / (2 * c[2]) for s in (1, -1)]
    return sorted(sides, key=lambda b: exact(b.mid()))


def sign(poly: Polynomial, at: Fraction, exponents: Mapping[str, Fraction]) -> int:
    """The sign of a polynomial in the first name of its context at a rational number.

    Raises
    ------
    NotApplicable
        If balls do not decide it.
    """
    own = {n: q for n, q in exponents.items() if n in occurring(poly)}
    before = flint.ctx.prec
    try:
        for prec in BITS:
            flint.ctx.prec = prec
            total = flint.fmpq(0)
            for c in reversed(coefficients(poly, enclosed(own))):
                total = rational(at) * total + c if isinstance(total, flint.fmpq) else ball(at) * total + c
            if isinstance(total, flint.fmpq):
                return (total > 0) - (total < 0)
            if total > 0 or total < 0:
                return 1 if total > 0 else -1
    finally:
        flint.ctx.prec = before
    raise NotApplicable("the sign of an exponential is not decided")


def in_order(roots: Iterable[Root]) -> list[tuple[Root, Fraction, Fraction]]:
    """Different roots in their order, each with rationals below and above it, so that these intervals are disjoint.

    Raises
    ------
    NotApplicable
        If two of them cannot be told apart.
    """
    different: list[Root] = []
    for r in roots:
        if not any(r.same(other) for other in different):
            different.append(r)
    for bits in BITS:
        placed = sorted(((r, *r.between(bits)) for r in different), key=lambda p: p[1] + p[2])
        if apart(placed):
            return placed
    raise NotApplicable("two ends cannot be told apart")


def apart(placed: Sequence[tuple[Root, Fraction, Fraction]]) -> bool:
    """Whether positive intervals in order are disjoint, with room between them."""
    return all(low > 0 for _, low, _ in placed) and all(a[2] < b[1] for a, b in itertools.pairwise(placed))
