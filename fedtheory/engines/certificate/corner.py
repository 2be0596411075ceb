"""Positive coefficients at a corner of a region: every name is measured from one of its bounds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import fmpq

from ..polynomials import Poly
from .facts import NOT, Facts, Term, rational

LARGEST_CORNERS = 48  # choices of bounds that are tried
SHIFTS = ((0,), (1, 3, 2), (5, 1, 7, 2, 9))  # distances from a corner at which a polynomial is looked at first


def corner(known: Facts, p: Poly, op: str) -> tuple[Term, ...] | None:
    """A proof by positive coefficients after every name is measured from one of its bounds."""
    bounds: dict[str, list[tuple[int, Poly, Any]]] = {}
    for i, fact in enumerate(known.facts):
        if fact.op in (">", ">=") and fact.poly.total_degree() == 1:
            for name, gen in known.ring.gens.items():
                slope = fact.poly.derivative(list(known.ring.gens).index(name))
                if slope != 0:
                    bounds.setdefault(name, []).append((i, (fact.poly - slope * gen), slope))
    reach = known.ring.names_in(p)
    while True:  # the names on which the bounds of these depend
        more = {n for name in reach for _, rest, _ in bounds.get(name, ()) for n in known.ring.names_in(rest)}
        if more <= reach:
            break
        reach |= more
    names = [n for n in known.ring.gens if n in reach]
    if any(n not in bounds for n in names):
        return None
    best: tuple[Term, ...] | None = None
    for chosen in itertools.islice(itertools.product(*(bounds[n] for n in names)), LARGEST_CORNERS):
        proof = _at_corner(known, p, op, dict(zip(names, chosen, strict=True)))
        if proof is not None and (best is None or len(proof) < len(best)):
            best = proof
    return best


def _at_corner(known: Facts, p: Poly, op: str, chosen: Mapping[str, tuple[int, Poly, Any]]) -> tuple[Term, ...] | None:
    places = {i for i, _, _ in chosen.values()}
    if len(places) < len(chosen):
        return None
    images = dict(known.ring.gens)
    left = dict(chosen)
    while left:
        ready = [n for n, (_, rest, _) in left.items() if not known.ring.names_in(rest) & set(left)]
        if not ready:
            return None
        for n in ready:
            _, rest, slope = left.pop(n)
            images[n] = (known.ring.gens[n] - rest.compose(*images.values())) / slope.leading_coefficient()
    for shift in SHIFTS:
        at = [fmpq(shift[k % len(shift)]) for k in range(len(images))]
        if p(*(image(*at) for image in images.values())) < 0:  # so a coefficient is negative
            return None
    moved = p.compose(*images.values())
    out, strict = [Term(Fraction(1), {NOT: 1})], op == ">="
    order = list(known.ring.gens)
    for powers, c in moved.terms():
        if c < 0:
            return None
        facts = {chosen[order[k]][0]: int(e) for k, e in enumerate(powers) if e}
        strict |= all(known.facts[i].op == ">" for i in facts)
        out.append(Term(rational(c), facts))
    return tuple(out) if strict else None
