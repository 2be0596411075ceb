"""Values of the numbers of a line at which its conditions hold, where equations such as L = 1 are met by no draw."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from math import prod

from .nodes import Chain, Member, Name, Node, Number, Over, Power, Sum, Times

SIMPLE = tuple(Fraction(v) for v in ("1", "2", "1/2", "3", "1/4", "1/10", "10", "0", "-1"))
FREE = 3  # numbers for which no equation says a value
HOLDS = {"<=": Fraction.__le__, "<": Fraction.__lt__, "=": Fraction.__eq__}


def example(names: Sequence[Name], given: Iterable[Chain | Member], more: Collection[Chain]) -> dict[Name, Fraction]:
    """A simple value of each name, with all conditions on these alone; empty where no equation fixes one, or none is found.

    Parameters
    ----------
    names : sequence of Name
        The numbers of the line.
    given : iterable of Chain or Member
        Its conditions.
    more : collection of Chain
        What the class of its functions says of its constants.
    """
    chains = [c for c in (*_chains(given), *more) if {n for n in c.walk() if isinstance(n, Name)} <= {*names}]
    fixed = dict(pair for c in chains if (pair := _fixed(c)) is not None)
    free = [n for n in names if n not in fixed]
    if not fixed or len(free) > FREE:
        return {}
    for values in itertools.product(SIMPLE, repeat=len(free)):
        found = {**fixed, **dict(zip(free, values, strict=True))}
        if all(_met(c, found) for c in chains):
            return {n: found[n] for n in names}
    return {}


def _chains(given: Iterable[Chain | Member]) -> Iterable[Chain]:
    for c in given:
        if isinstance(c, Chain):
            yield c
        elif c.low is not None and c.high is not None:
            yield Chain((c.low, c.name, c.high), tuple("<" if fence in "()" else "<=" for fence in c.fences))


def _fixed(c: Chain) -> tuple[Name, Fraction] | None:
    """What an equation says of a name, L = 1."""
    if c.relations != ("=",) or not isinstance(c.sides[0], Name):
        return None
    value = _value(c.sides[1], {})
    return None if value is None else (c.sides[0], value)


def _met(c: Chain, at: dict[Name, Fraction]) -> bool:
    sides = [_value(side, at) for side in c.sides]
    pairs = zip(sides, c.relations, sides[1:], strict=False)
    return all(a is not None and b is not None and HOLDS[sign](a, b) for a, sign, b in pairs)


def _value(of: Node, at: dict[Name, Fraction]) -> Fraction | None:
    """A part of the line at some values; None where it is no rational number, or divides by zero."""
    match of:
        case Number(value):
            return value
        case Name():
            return at.get(of)
        case Sum(terms):
            parts = [_value(term, at) for _, term in terms]
            signs = [sign for sign, _ in terms]
            return None if None in parts else sum((s * v for s, v in zip(signs, parts, strict=True) if v), Fraction(0))
        case Times(factors):
            every = [_value(one, at) for one in factors]
            return None if None in every else prod((v for v in every if v is not None), start=Fraction(1))
        case Over(above, below):
            top, bottom = _value(above, at), _value(below, at)
            return None if top is None or not bottom else top / bottom
        case Power(base, Number(exponent)) if exponent.denominator == 1 and 0 <= exponent <= 9:
            root = _value(base, at)
            return None if root is None else root ** int(exponent)
    return None
