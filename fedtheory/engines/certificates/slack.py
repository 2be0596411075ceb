"""The slack of a relation between forms, taken apart: multiples of rows, weighted squares of vectors, and a constant.

The squares are those of an LDL^T of the Gram matrix that the multipliers leave. At listed parameters the numbers are
rational; for all parameters they are quotients of polynomials, and every sign is shown by a product of facts.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from ...errors import NotApplicable
from ...gram.factored import factored
from ...gram.forms import CONSTANT, Key, Terms
from ...world import World
from ..z3.terms import names_of, scope
from ..z3.trees import z3_module
from .parts import Open, Part, Piece, Stated, components, hypotheses, points_of, quotient, written
from .products.facts import Fact, Monomial
from .products.polynomials import Quotient, Reader, Ring, Split
from .products.prover import EASY, PROGRAM, Prover

AT = {"m": 3, "S": 2}  # where signs are looked at before they are sought, for sizes that are symbols
Sides = tuple[Terms, Terms]
Signed = Callable[..., Monomial]  # number, > or >=, easily -> a product of facts that shows its sign; raises Open


def listed_part(targets: Iterable[tuple[str, Sides, Mapping[str, Mapping[Key, object]], Mapping[str, object]]]) -> Part:
    """A part at one list of rational parameters: (operator, sides, rows, multipliers) of every relation.

    Raises
    ------
    Open
        If the multipliers prove no such thing.
    """
    prover = Prover(Ring(()), [])

    def number(value: Any) -> fmpq:
        q = Fraction(value)
        return fmpq(q.numerator, q.denominator)

    def signed(value: fmpq, op: str, easily: bool = False) -> Monomial:
        if value < 0 or (value == 0 and op == ">"):
            raise Open(f"not {op} 0: {value}")
        return Monomial(Fraction(int(value.p), int(value.q)), {})

    return written(prover, [relation(op, sides, rows, found, number, signed) for op, sides, rows, found in targets])


def lifted_part(
    world: World, shape: Mapping[str, int], names: Iterable[str], sizes: tuple[str, ...],
    targets: Iterable[tuple[str, Sides, Mapping[str, Mapping[Key, object]], Mapping[str, object]]],
    recalled: Mapping[str, str], *, programs: int,
) -> tuple[Part, dict[str, str]]:  # fmt: skip
    """A part for all parameters of a region, and the proofs in it that took a linear program.

    Raises
    ------
    Open
        If a sign was not shown.
    """
    ring = Ring(tuple(names))
    targets = list(targets)
    facts = [*region_facts(ring, world, shape, sizes), *_domain(ring, [sides for _, sides, _, _ in targets])]
    points = points_of(ring, world, shape, {n: v for n, v in AT.items() if n in sizes})
    prover = Prover(ring, facts, recalled, programs=programs, points=points)

    def signed(value: Quotient, op: str, easily: bool = False) -> Monomial:
        with prover.at_most(EASY if easily else PROGRAM):
            return quotient(prover, value, op)

    stated = [relation(op, sides, rows, found, ring.quotient, signed) for op, sides, rows, found in targets]
    return written(prover, stated), prover.found


def _domain(ring: Ring, relations: Sequence[Sides]) -> list[Fact]:
    """That no divisor of the sides is zero, where all relations have the same; each is claimed where it is defined."""
    found = [
        {str(f): f for side in sides for c in side.values() for f, _ in factored(ring.quotient(c).den)[1]}
        for sides in relations
    ]
    same = all(divisors.keys() == found[0].keys() for divisors in found)
    return [Fact(f, "!=", "a side is defined") for f in found[0].values()] if found and same else []


def region_facts(ring: Ring, world: World, shape: Mapping[str, int], sizes: tuple[str, ...]) -> list[Fact]:
    """What a world states of its scalars, and of the sizes that are symbols: m >= 2 and 1 <= S <= m.

    Raises
    ------
    NotApplicable
        If it is none of polynomials.
    """
    z3 = z3_module()
    integers = {name: z3.Real(name) for name in sizes}
    x, symbols = scope(world, shape, integers)
    if set(names_of(world, symbols)) | set(sizes) != set(ring.names):
        raise Open("other names than those of the scalars")
    read = Reader(ring, {})
    try:
        facts = hypotheses(read, components(x.given))
    except Split:
        raise Open("a minimum or maximum in a condition") from None
    facts += [Fact(p, "!=", "a condition is defined") for p in read.divisors.values()]
    one = ring.constant(1)
    if "m" in integers:
        facts.append(Fact(ring.gens["m"] - 2 * one, ">=", "sizes"))
    if "S" in integers:
        facts += [Fact(ring.gens["S"] - one, ">=", "sizes"), Fact(ring.gens["m"] - ring.gens["S"], ">=", "sizes")]
    return facts


def relation(
    op: str, sides: Sides, rows: Mapping[str, Mapping[Key, object]], multipliers: Mapping[str, object],
    number: Callable[[Any], Any], signed: Signed,
) -> Stated:  # fmt: skip
    """One relation with its pieces."""
    lhs, rhs = ({k: number(c) for k, c in side.items()} for side in sides)
    rest = dict(rhs)
    _subtract(rest, lhs)
    used = {name: {k: number(c) for k, c in rows[name].items()} for name in multipliers}
    pieces = []
    for name, multiplier in multipliers.items():
        value = number(multiplier)
        if value:
            pieces.append(Piece(signed(value, ">="), row=name))
            _subtract(rest, {k: value * c for k, c in used[name].items()})
    if op == "==" and (rest or pieces):
        raise Open("an equation that is no identity")
    constant = rest.pop(CONSTANT, None)
    if constant is not None:
        pieces.append(Piece(signed(constant, ">=")))
    if any(k[0] != "G" for k in rest):
        raise Open("values are left")
    pieces += _squares({(i, j): c for (_, i, j), c in rest.items()}, number, signed)
    return Stated(lhs, op, rhs, pieces, used)


def _subtract(form: dict[Any, Any], other: Mapping[Any, Any]) -> None:
    for k, c in other.items():
        total = form[k] - c if k in form else -c
        if total:
            form[k] = total
        else:
            form.pop(k, None)


def _squares(gram: Mapping[tuple[int, int], object], number: Callable[[Any], Any], signed: Signed) -> list[Piece]:
    """Pivot by pivot, those first that are easily shown to be positive."""
    half = number(Fraction(1, 2))
    work: dict[int, dict[int, Any]] = {}
    for (i, j), c in gram.items():
        work.setdefault(i, {})[j] = c if i == j else c * half
        work.setdefault(j, {})[i] = c if i == j else c * half
    pieces = []
    while work:
        for easily, op in itertools.product((True, False), (">", ">=")):
            pivots = ((i, _weight(work[i].get(i), op, signed, easily)) for i in sorted(work))
            chosen = next(((i, m) for i, m in pivots if m), None)
            if chosen:
                break
        else:
            raise Open("a Gram matrix without a pivot of known sign")
        i, weight = chosen
        row = work.pop(i)
        pivot = row.pop(i)
        vector = {j: c / pivot for j, c in row.items()}
        pieces.append(Piece(weight, square={i: number(1), **vector}))
        for j, c in row.items():
            work[j].pop(i)
            _subtract(work[j], {k: c * v for k, v in vector.items()})
        work = {j: entries for j, entries in work.items() if entries}
    return pieces


def _weight(pivot: object, op: str, signed: Signed, easily: bool) -> Monomial | None:
    if pivot is None:
        return None
    try:
        return signed(pivot, op, easily)
    except NotApplicable:
        return None
