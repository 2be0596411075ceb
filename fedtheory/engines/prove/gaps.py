"""A gap as products of facts that add up to it: squares are completed, and where facts contradict each other any gap is one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ..budget import InnerProducts
from ..certificates.parts import Open, quotient
from ..certificates.products.facts import Monomial
from ..certificates.products.polynomials import Poly, Quotient
from ..certificates.products.prover import Prover


def pieces(prover: Prover, gap: Quotient, op: str, positive: Sequence[Poly]) -> list[Monomial]:
    """A gap as products of facts that add up to it, where these polynomials are known to be positive.

    Raises
    ------
    Open
        If its sign was not shown.
    """
    try:
        return with_squares(prover, gap, op)
    except Open:
        if op == ">=" and (found := contradicted(prover, gap, positive)):
            return found
        raise


def contradicted(prover: Prover, gap: Quotient, positive: Sequence[Poly]) -> list[Monomial]:
    """A gap q as (q + 1)^2/4 + (q - 1)^2/4 (-p)/p, with a positive number p that is shown not to be; empty where there is none."""
    for p in positive:
        with suppress(Open):
            one = prover.ring.constant(1)
            below = quotient(prover, Quotient(-p, one), ">=")
            above = quotient(prover, Quotient(p, one), ">")
            quarter, unit = Quotient.of(one, 4 * one), Quotient(one, one)
            more, less = (quotient(prover, (gap + s) * (gap + s) * quarter, ">=") for s in (unit, -unit))
            return [more, less.times(below).times(above.power(-1))]
    return []


def with_squares(prover: Prover, gap: Quotient, op: str, most: int = InnerProducts.squares) -> list[Monomial]:
    """A gap as products of facts that add up to it: squares of which a number is a part, and what is left, which has a sign.

    Numbers of which no fact is known come first: nothing is lost there.

    Raises
    ------
    Open
        If its sign was not shown.
    """
    known = [fact.poly for fact in prover.facts]
    free = [n for k, n in enumerate(prover.ring.names) if not any(p.degrees()[k] for p in known)]
    for name in free:
        if (found := completed(prover, gap, name)) is not None:
            square, left = found
            return [quotient(prover, square, ">="), *with_squares(prover, left, op, most)]
    if not gap and op == ">=":
        return []
    try:
        return [quotient(prover, gap, op)]
    except Open:
        if not most:
            raise
    for name in prover.ring.names:
        if (found := completed(prover, gap, name)) is not None:
            square, left = found
            with suppress(Open):
                return [quotient(prover, square, ">="), *with_squares(prover, left, op, most - 1)]
    raise Open(f"not shown: {gap.num} {op} 0")


def completed(prover: Prover, gap: Quotient, name: str) -> tuple[Quotient, Quotient] | None:
    """A gap as a square, and what is left without a number, of whose own square the gap has a positive part."""
    k = prover.ring.names.index(name)
    if gap.den.degrees()[k] or gap.num.degrees()[k] != 2:
        return None
    slope = gap.num.derivative(name)
    lead = slope.derivative(name) / 2
    if prover.product(lead * gap.den, ">") is None:
        return None
    square = Quotient.of(slope**2, gap.den * lead * 4)
    return square, gap - square
