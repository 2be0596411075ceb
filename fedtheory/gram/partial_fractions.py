"""Rational functions of a client's own scalars as sums of products, in one way only.

Over the field of the other parameters the monomials of one scalar and the quotients ``v^j/p^k``, j less than the degree of an
irreducible p, are a basis of its rational functions, and products of such for several scalars are linearly independent. So two
sums over all clients are the same where, and as far as denominators split into factors of one scalar each only where, their
coefficients before every product are.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .factored import factored
from .ratio import Ratio, exact_key, nonzero, reduced

if TYPE_CHECKING:
    from ..quantity import Quantity

Coefficients = list[Any]  # of a polynomial in one scalar, the constant first
MOST = 20_000  # sums that are kept: a step is looked at again for every quantity and every lemma
KEPT: dict[object, list[tuple[Quantity, Quantity]]] = {}


def split(c: Any, own: frozenset[str]) -> list[tuple[Quantity, Quantity]]:
    """(factor without own scalars, product of own scalars or 1): their products add up to a rational function."""
    if not isinstance(c, Ratio):
        return [(c, Fraction(1))]
    names = c.top.context().names()
    used = [k for k, name in enumerate(names) if name in own and (c.top.degrees()[k] or c.bottom.degrees()[k])]
    if not used:
        return [(c, Fraction(1))]
    key = (names, own, exact_key(c))
    if key not in KEPT:
        if len(KEPT) >= MOST:
            KEPT.clear()
        KEPT[key] = [
            (factor, product * rest)
            for product, coefficient in _in_one(c, used[0])
            for factor, rest in split(coefficient, own - {names[used[0]]})
        ]
    return KEPT[key]


def _in_one(c: Ratio, v: int) -> Iterator[tuple[Quantity, Quantity]]:
    """(element of the basis in one scalar, what stands before it)."""
    context = c.top.context()
    one = context.constant(1)
    gen = reduced(context.gens()[v], one)
    others, factors = one, []
    lead, parts = factored(c.bottom)
    for p, e in parts:
        if not p.degrees()[v]:
            others = others * p**e
        else:
            factors.append((p, int(e)))
    top = [part / reduced(others * lead, one) for part in _coefficients(c.top, v)]
    dividing = [(_coefficients(p, v), reduced(p, one), e) for p, e in factors]
    whole, rest = _divided(top, _product([p for p, _, e in dividing for _ in range(e)]))
    for k, coefficient in enumerate(whole):
        if nonzero(coefficient):
            yield gen**k if k else Fraction(1), coefficient
    for k, (factor, itself, e) in enumerate(dividing):
        cofactor = _product([q for j, (q, _, f) in enumerate(dividing) if j != k for _ in range(f)])
        power = _product([factor] * e)
        own = _divided(_times(rest, _inverse(cofactor, power)), power)[1]
        for exponent in range(e, 0, -1):
            own, digit = _divided(own, factor)
            for j, coefficient in enumerate(digit):
                if nonzero(coefficient):
                    yield gen**j / itself**exponent, coefficient


def _coefficients(p: Any, v: int) -> Coefficients:
    context = p.context()
    one = context.constant(1)
    found: dict[int, dict[tuple[int, ...], Any]] = {}
    for powers, c in p.terms():
        rest = tuple(0 if k == v else e for k, e in enumerate(powers))
        found.setdefault(int(powers[v]), {})[rest] = c
    return [reduced(context.from_dict(found[k]), one) if k in found else Fraction(0) for k in range(max(found) + 1)]


def _trimmed(p: Coefficients) -> Coefficients:
    while p and not nonzero(p[-1]):
        p = p[:-1]
    return p


def _times(p: Coefficients, q: Coefficients) -> Coefficients:
    out: Coefficients = [Fraction(0)] * max(len(p) + len(q) - 1, 0)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            out[i + j] = out[i + j] + a * b
    return _trimmed(out)


def _product(factors: list[Coefficients]) -> Coefficients:
    out: Coefficients = [Fraction(1)]
    for p in factors:
        out = _times(out, p)
    return out


def _less(p: Coefficients, q: Coefficients) -> Coefficients:
    n = max(len(p), len(q))
    pad = [Fraction(0)] * n
    return _trimmed([a - b for a, b in zip([*p, *pad][:n], [*q, *pad][:n], strict=True)])


def _divided(p: Coefficients, q: Coefficients) -> tuple[Coefficients, Coefficients]:
    """(quotient, remainder)."""
    rest, quotient = _trimmed(p), [Fraction(0)] * max(len(p) - len(q) + 1, 0)
    while len(rest) >= len(q):
        shift = len(rest) - len(q)
        quotient[shift] = rest[-1] / q[-1]
        rest = _trimmed(_less(rest, [Fraction(0)] * shift + [quotient[shift] * c for c in q])[: len(rest) - 1])
    return quotient, rest


def _inverse(p: Coefficients, modulus: Coefficients) -> Coefficients:
    """What times p is 1 modulo another polynomial that has no factor in common with it."""
    a, b, x, y = modulus, _divided(p, modulus)[1], [], [Fraction(1)]
    while len(b) > 1:
        q, r = _divided(a, b)
        a, b, x, y = b, r, y, _less(x, _times(q, y))
    return [c / b[0] for c in y]
