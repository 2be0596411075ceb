"""Terms of sums: factors that do not depend on the index of a sum, and sums of powers in closed form.

Rests on sum c a_t = c sum a_t, and on J. Faulhaber (1631): sum over t < n of t^k is a polynomial in n.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb

from ..budget import Questions
from .trees import Term, z3_module


def apart(term: Term, fixed: Callable[[Term], bool]) -> dict[str, tuple[Term, Term]]:
    """A sum of products as pairs of a factor, all of it `fixed`, and of what is left of those that have it, by that factor."""
    z3 = z3_module()
    out: dict[str, tuple[Term, Term]] = {}
    for tops, bottoms in _products(term):
        factor = rest = z3.RealVal(1)
        for p in tops:
            factor, rest = (factor * p, rest) if fixed(p) else (factor, rest * p)
        for p in bottoms:
            factor, rest = (factor / p, rest) if fixed(p) else (factor, rest / p)
        factor = z3.simplify(factor, som=True)
        _, before = out.get(factor.sexpr(), (factor, z3.RealVal(0)))
        out[factor.sexpr()] = factor, z3.simplify(before + rest, som=True)
    return out


def _products(term: Term) -> list[tuple[list[Term], list[Term]]]:
    """The summands of a term: what each is the product of, and what it is divided by."""
    z3, kind, parts = z3_module(), term.decl().kind(), term.children()
    if kind == z3.Z3_OP_ADD:
        return [one for p in parts for one in _products(p)]
    if kind == z3.Z3_OP_DIV:
        below = parts[1].children() if parts[1].decl().kind() == z3.Z3_OP_MUL else [parts[1]]
        return [(tops, [*bottoms, *below]) for tops, bottoms in _products(parts[0])]
    if kind == z3.Z3_OP_MUL:
        each = [_products(p) for p in parts]
        if all(len(one) == 1 for one in each):
            return [([p for ((tops, _),) in each for p in tops], [p for ((_, bottoms),) in each for p in bottoms])]
    return [([term], [])]


def sum_of_powers(term: Term, index: str, n: Term) -> Term | None:
    """The sum of a polynomial in the index below n, in closed form; None where it is none, or of too large a degree."""
    found = _coefficients(term, index)
    if found is None or max(found, default=0) > Questions.powers:
        return None
    z3 = z3_module()
    total = z3.RealVal(0)
    for k, c in found.items():
        for power, own in enumerate(_sum(k)):
            total = total + z3.Q((c * own).numerator, (c * own).denominator) * n**power
    return z3.simplify(total, som=True)


@cache
def _sum(k: int) -> tuple[Fraction, ...]:
    """The coefficients of sum over t < n of t^k, by n^(k+1) = sum over i <= k of (k+1 over i) times that of t^i."""
    left = [Fraction(0)] * (k + 1) + [Fraction(1)]
    for i in range(k):
        for power, c in enumerate(_sum(i)):
            left[power] -= comb(k + 1, i) * c
    return tuple(c / (k + 1) for c in left)


def _coefficients(term: Term, index: str) -> dict[int, Fraction] | None:
    """A polynomial in one name with rational coefficients, by the powers; None for any other term."""
    z3 = z3_module()
    out: dict[int, Fraction] = {}
    for tops, bottoms in _products(z3.simplify(term, som=True)):
        power, c = 0, Fraction(1)
        for p in tops:
            base, exponent = p.children() if p.decl().kind() == z3.Z3_OP_POWER else (p, z3.RealVal(1))
            if z3.is_rational_value(p):
                c *= Fraction(p.numerator_as_long(), p.denominator_as_long())
            elif not base.children() and base.decl().name() == index and z3.is_rational_value(exponent):
                count = exponent.as_fraction()
                if count.denominator != 1 or count < 0:
                    return None
                power += int(count)
            else:
                return None
        if bottoms:
            return None
        out[power] = out.get(power, Fraction(0)) + c
    return out
