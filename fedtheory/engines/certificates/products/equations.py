"""What follows from equations: a polynomial that is a multiple of a hypothesis, and polynomials times equations, is not negative.

Sought is ``p = c h + sum(q_j e_j)`` with hypotheses ``e_j == 0``, one ``h >= 0`` or none, a rational c of at least 0 and
polynomials q_j. Their monomials are those by which a monomial of an equation becomes one that is met, so that the weights solve a
linear system, in rationals.

Every identity is a proof. Incomplete: monomials are met in a bounded number of rounds, and more hypotheses than one take part in
no such identity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from ...budget import Products
from .facts import NOT, Facts, Term, rational
from .polynomials import Poly

Powers = tuple[int, ...]


def from_equations(prover: Facts, p: Poly, op: str, hypotheses: int) -> Iterator[tuple[Term, ...]]:
    """Proofs of ``p >= 0`` from the first so many facts, with an equation among them."""
    known = list(enumerate(prover.facts[:hypotheses]))
    equations = [(i, fact.poly) for i, fact in known if fact.op == "==" and prover.ring.names_in(fact.poly)]
    if op != ">=" or not equations:
        return
    shared = prover.ring.names_in(p).union(*(prover.ring.names_in(e) for _, e in equations))
    least = [(i, f.poly) for i, f in known if f.op in (">", ">=") and len(f.poly) > 1]
    for more in (None, *((i, h) for i, h in least if prover.ring.names_in(h) & shared)):
        found = _combined(prover, p, equations, more)
        if found is not None:
            yield found


def _combined(
    prover: Facts, p: Poly, equations: Sequence[tuple[int, Poly]], more: tuple[int, Poly] | None
) -> tuple[Term, ...] | None:
    """The terms of one proof, the hypothesis first."""
    columns = [(i, powers) for i, powers in _multiples(p, equations, more)]
    polys = dict(equations)
    shifted = [_times(polys[i], powers) for i, powers in columns]
    table = [*([_monomials(more[1])] if more else []), *shifted]
    weights = _solved(table, _monomials(p)) if table else None
    if weights is None or (more and weights[0] < 0):
        return None
    out = [Term(Fraction(1), {NOT: 1})]
    if more and weights[0]:
        out.append(Term(weights[0], {more[0]: 1}))
    by: dict[int, dict[Powers, Any]] = {}
    for (i, powers), c in zip(columns, weights[1 if more else 0 :], strict=True):
        if c:
            by.setdefault(i, {})[powers] = fmpq(c.numerator, c.denominator)
    return (*out, *(Term(prover.ring.context.from_dict(terms), {i: 1}) for i, terms in by.items()))


def _monomials(p: Poly) -> dict[Powers, Fraction]:
    return {tuple(map(int, m)): rational(c) for m, c in p.terms()}


def _times(p: Poly, powers: Powers) -> dict[Powers, Fraction]:
    return {tuple(a + b for a, b in zip(m, powers, strict=True)): c for m, c in _monomials(p).items()}


def _multiples(
    p: Poly, equations: Sequence[tuple[int, Poly]], more: tuple[int, Poly] | None
) -> list[tuple[int, Powers]]:
    """By which monomials an equation is multiplied, so that it has one that is met."""
    met = dict.fromkeys([*_monomials(p), *(_monomials(more[1]) if more else ())])
    out: dict[tuple[int, Powers], None] = {}
    for _ in range(Products.rounds):
        for i, e in equations:
            for own in _monomials(e):
                for m in [m for m in met if all(a >= b for a, b in zip(m, own, strict=True))]:
                    out.setdefault((i, tuple(a - b for a, b in zip(m, own, strict=True))))
        if len(out) > Products.multiples:
            return []
        met |= dict.fromkeys(m for i, powers in out for m in _times(dict(equations)[i], powers))
    return list(out)


def _solved(table: Sequence[Mapping[Powers, Fraction]], goal: Mapping[Powers, Fraction]) -> list[Fraction] | None:
    """Weights of the columns that add up to the goal; those that are free are 0."""
    rows = list(dict.fromkeys([*goal, *(m for column in table for m in column)]))
    dense = [
        [fmpq(c.numerator, c.denominator) for c in (*(column.get(m, Fraction(0)) for column in table), goal.get(m, Fraction(0)))]
        for m in rows
    ]  # fmt: skip
    R, rank = fmpq_mat(dense).rref()
    out = [Fraction(0)] * len(table)
    for r in range(rank):
        k = next(k for k in range(len(table) + 1) if R[r, k] != 0)
        if k == len(table):
            return None
        out[k] = rational(R[r, len(table)])
    return out
