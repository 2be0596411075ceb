"""A sign from a fact that is a product with it, such as b - a >= 0 from b^2 - a^2 >= 0, where b >= 0.

Rests on one identity of Krivine and Stengle, of degree two in the negation. Incomplete: the other factor has to be one that is
not negative by the signs of its names, but for a multiple of the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from .facts import NOT, Facts, Term, rational
from .polynomials import Poly


def cofactors(facts: Facts, p: Poly) -> Iterator[tuple[Term, ...]]:
    """Proofs of ``p >= 0`` from facts ``p q >= 0``: where q + c p >= 0 < c it says of n = -p > 0 that c n^2 + n (q + c p) <= 0."""
    for i, fact in enumerate(facts.given):
        if fact.op not in (">", ">=") or len(fact.poly) < 2:
            continue
        q, remainder = divmod(fact.poly, p)
        if remainder != 0:
            continue
        other = q.to_dict()
        most = [rational(other.get(powers, 0)) / -rational(c) for powers, c in p.to_dict().items() if c < 0]
        c = min(most, default=Fraction(0))
        rest = facts.positive_terms(q + p * facts.ring.constant(c)) if c > 0 else None
        if rest is not None:
            beside = (Term(t.c, {**t.facts, NOT: 1}) for t in rest)
            yield Term(c, {NOT: 2}), *beside, Term(Fraction(1), {i: 1})
