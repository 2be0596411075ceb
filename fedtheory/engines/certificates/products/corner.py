"""Positive coefficients at a corner of a region: every name is measured from one of its bounds.

Rests on this: a polynomial without negative coefficients is non-negative on the orthant. A sufficient condition: x^2 - x + 1
is positive and has a negative one; a power of the sum of the names, which mends that on a simplex (G. Polya 1928), is not
tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from ...budget import Products
from .facts import NOT, Bound, Facts, Point, Term, rational
from .polynomials import Poly, Ring

SHIFTS = ((0,), (1, 3, 2), (5, 1, 7, 2, 9))  # distances from a corner at which a polynomial is looked at first


def corner(known: Facts, p: Poly, op: str) -> tuple[Term, ...] | None:
    """A proof by positive coefficients after every name is measured from one of its bounds."""
    bounds, reach = known.bounds, known.ring.names_in(p)
    while True:  # the names on which the bounds of these depend
        more = {n for name in reach for bound in bounds.get(name, ()) for n in bound.names}
        if more <= reach:
            break
        reach |= more
    names = [n for n in known.ring.gens if n in reach]
    if any(n not in bounds for n in names):
        return None
    best: tuple[Term, ...] | None = None
    for chosen in itertools.islice(itertools.product(*(bounds[n] for n in names)), Products.corners):
        proof = _at_corner(known, p, op, dict(zip(names, chosen, strict=True)))
        if proof is not None and (best is None or len(proof) < len(best)):
            best = proof
    return best


def _at_corner(known: Facts, p: Poly, op: str, chosen: Mapping[str, Bound]) -> tuple[Term, ...] | None:
    key = tuple((n, bound.place) for n, bound in chosen.items())
    if key not in known.corners:
        known.corners[key] = Corner.of(known.ring, chosen)
    at = known.corners[key]
    if at is None or any(p(*point) < 0 for point in at.points):  # so a coefficient is negative
        return None
    moved = p.compose(*at.images)
    out, strict = [Term(Fraction(1), {NOT: 1})], op == ">="
    gens = list(known.ring.gens)
    for powers, c in moved.terms():
        if c < 0:
            return None
        facts = {chosen[gens[k]].place: int(e) for k, e in enumerate(powers) if e}
        strict |= all(known.facts[i].op == ">" for i in facts)
        out.append(Term(rational(c), facts))
    return tuple(out) if strict else None


@dataclass(frozen=True)
class Corner:
    """Where all of some bounds are attained: points at some distances from it, and the names measured from it."""

    points: tuple[Point, ...]
    images: tuple[Poly, ...]

    @staticmethod
    def of(ring: Ring, chosen: Mapping[str, Bound]) -> Corner | None:
        """The corner of a bound on each name; None where two are the same fact, or each is a bound by the other."""
        order = _order(chosen) if len({bound.place for bound in chosen.values()}) == len(chosen) else None
        if order is None:
            return None
        points = []
        for shift in SHIFTS:
            at = {n: fmpq(shift[k % len(shift)]) for k, n in enumerate(ring.gens)}
            for n in order:
                at[n] = (at[n] - chosen[n].rest(*at.values())) / chosen[n].slope
            points.append(tuple(at.values()))
        images = dict(ring.gens)
        for n in order:
            images[n] = (ring.gens[n] - chosen[n].rest.compose(*images.values())) / chosen[n].slope
        return Corner(tuple(points), tuple(images.values()))


def _order(chosen: Mapping[str, Bound]) -> list[str] | None:
    """The names so that the bound of each is of those before it alone; None if there is no such order."""
    out: list[str] = []
    left = dict(chosen)
    while left:
        ready = [n for n, bound in left.items() if not bound.names & left.keys()]
        if not ready:
            return None
        out += ready
        for n in ready:
            del left[n]
    return out
