"""The parts of a certificate file: facts, and relations with the pieces that make up their slack, as plain data.

A part has the facts of one region (hypotheses with where they come from, lemmas with their proofs) and relations
``lhs op rhs``. Both sides are forms: coefficients, quotients of polynomials, of Gram entries ``G i j``, values ``v k`` and the
constant. The pieces of a relation add up to ``rhs - lhs``: a product of facts times a row (a form known to be non-negative),
times the square of a vector, or alone. A part may instead split on the sign of a polynomial, into two parts. Only facts and
rows that are used are written.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from flint import fmpq

from ...claim import Body
from ...errors import NotApplicable
from ...formats import Json
from ...gram.factored import factored
from ...numbers import rational as exact
from ...relation import Relation, relations_of
from ...world import World
from ..budget import Products
from ..z3.terms import bare, elementary, names_of, own_names, scope
from .cases import flat
from .products.facts import NOT, Fact, Monomial, Term, rational
from .products.polynomials import Poly, Quotient, Reader, Ring, Split, signed
from .products.prover import Prover

Part = Json
Component = tuple[Any, str, Any, str]  # left, operator, right, name; z3 has no types


class Open(NotApplicable):
    """No product certificate was found."""


@dataclass
class Piece:
    """A product of facts, times a row or the square of a vector (quotients by leaf), or alone."""

    times: Monomial
    row: str = ""
    square: Mapping[Any, Quotient] | None = None


@dataclass
class Stated:
    """One relation between forms, and the pieces that add up to the right less the left side."""

    lhs: Mapping[Any, Quotient]
    op: str
    rhs: Mapping[Any, Quotient]
    pieces: list[Piece] = field(default_factory=list)
    rows: Mapping[str, Mapping[Any, Quotient]] = field(default_factory=dict)


@dataclass
class Kept:
    """What hypotheses come to, as long as their terms are alive: facts and who read them by signs, provers by facts."""

    facts: dict[tuple[tuple[str, bool], ...], tuple[Reader, list[Fact]]] = field(default_factory=dict)
    provers: dict[tuple[tuple[str, str, str], ...], Prover] = field(default_factory=dict)


def components(relations: Iterable[Relation]) -> list[Component]:
    """(left, operator, right, name) of every component of every relation, as z3 terms."""
    out = []
    for r in relations:
        lhs, rhs = np.broadcast_arrays(np.asarray(r.lhs, dtype=object), np.asarray(r.rhs, dtype=object))
        out += [(bare(a), r.op, bare(b), r.name) for a, b in zip(lhs.flat, rhs.flat, strict=True)]
    return out


def alike(numbers: Any, stated: Iterable[Component]) -> list[list[Component]]:
    """Components in groups in which the same logarithms, and the same exponentials of quotients, are defined."""
    groups: dict[frozenset[str], list[Component]] = {}
    for one in stated:
        groups.setdefault(frozenset(numbers.unused([one[0], one[2]])), []).append(one)
    return list(groups.values())


def hypotheses(read: Reader, given: Iterable[Component]) -> list[Fact]:
    """What is given, as facts about polynomials; an equation is an inequality both ways as well."""
    facts = []
    for a, op, b, name in given:
        poly = signed(read(b) - read(a))
        if not poly.is_constant():
            facts.append(Fact(poly, {"<=": ">=", "<": ">", "==": "=="}[op], name))
            facts += [Fact(p, ">=", name) for p in (poly, -poly)] if op == "==" else []
    return facts


def scalar_parts(
    body: Body, world: World, shape: Mapping[str, int], owner: str, recalled: Mapping[str, str], *, programs: int
) -> tuple[Part, dict[str, str]]:
    """The part of a claim about scalars at one shape, and the proofs in it that took a linear program.

    Raises
    ------
    NotApplicable
        If none was found, or the claim is none of polynomials.
    """
    x, symbols = scope(world, shape)
    relations = components(relations_of(body, x, owner))
    names = [*names_of(world, symbols), *own_names(x)]
    out: list[Part] = []
    found: dict[str, str] = {}
    for same in alike(x._numbers, relations):
        part, own = parts_of(
            names,
            components((*x.given, *elementary(x, [t for a, _, b, _ in same for t in (a, b)]))),
            same,
            recalled,
            programs=programs,
            points=lambda ring: points_of(ring, world, shape),
        )
        out.append(part)
        found |= own
    return (out[0] if len(out) == 1 else {"each": out}), found


def parts_of(
    names: Sequence[str],
    given: Sequence[Component],
    relations: Sequence[Component],
    recalled: Mapping[str, str],
    *,
    programs: int,
    points: Callable[[Ring], Iterable[Sequence[fmpq]]] = lambda ring: (),
    kept: Kept | None = None,
) -> tuple[Part, dict[str, str]]:
    """The part of relations that follow from given ones, as `components` over the symbols `names`, and its proofs.

    Given `kept`, it serves what else is asked of the same hypotheses.

    Raises
    ------
    NotApplicable
        If none was found, or they are none of polynomials.
    """
    asked = _Asked(Ring(tuple(names)), given, relations, recalled, programs, points, Kept() if kept is None else kept)
    return asked.part(()), asked.found


Chosen = tuple[tuple[Poly, bool], ...]  # polynomials, and whether each is at least 0


@dataclass
class _Asked:
    """The relations that are to follow, what of, and the proofs that took a linear program."""

    ring: Ring
    given: Sequence[Component]
    relations: Sequence[Component]
    recalled: Mapping[str, str]
    programs: int
    points: Callable[[Ring], Iterable[Sequence[fmpq]]]
    kept: Kept
    found: dict[str, str] = field(default_factory=dict)

    def part(self, path: Chosen) -> Part:
        """The part where the signs are these, split where a side asks for one more."""
        try:
            read, known = self._stated(path)
            groups: dict[tuple[str, ...], tuple[list[tuple[Quotient, str, Quotient]], list[Fact]]] = {}
            for a, op, b, _ in self.relations:
                own = read.beside()
                side = own(a), op, own(b)
                divisors = {p: q for p, q in own.divisors.items() if p not in read.divisors}
                domain = [Fact(p, "!=", "a side is defined") for p in divisors.values()]
                groups.setdefault(tuple(divisors), ([], domain))[0].append(side)
        except Split as needed:
            if len(path) == Products.splits:
                raise Open(f"more than {Products.splits} minima or maxima") from None
            cases = {word: self.part((*path, (needed.poly, yes))) for word, yes in (("yes", True), ("no", False))}
            names = [n for n in self.ring.names if n in self.ring.names_in(needed.poly)]
            return {"names": names, "split": str(needed.poly), **cases}
        except ZeroDivisionError:
            raise Open("a side is undefined") from None
        out = [self._group(sides, [*known, *domain]) for sides, domain in groups.values()]
        return out[0] if len(out) == 1 else {"each": out}

    def _stated(self, path: Chosen) -> tuple[Reader, list[Fact]]:
        """What is given where the signs are these, and who has read it."""
        signs = {str(p): yes for p, yes in path}
        key = tuple(signs.items())
        if key not in self.kept.facts:
            read = Reader(self.ring, signs)
            known = [Fact(p if yes else -p, ">=" if yes else ">", "case") for p, yes in path]
            known += hypotheses(read, self.given)
            known += [Fact(p, "!=", "a condition is defined") for p in read.divisors.values()]
            self.kept.facts[key] = read, known
        return self.kept.facts[key]

    def _prover(self, known: Sequence[Fact]) -> Prover:
        key = tuple((str(fact.poly), fact.op, fact.source) for fact in known)
        if key not in self.kept.provers:
            made = Prover(self.ring, known, self.recalled, programs=self.programs, points=self.points(self.ring))
            self.kept.provers[key] = made
        return self.kept.provers[key].again(self.recalled)

    def _group(self, sides: Sequence[tuple[Quotient, str, Quotient]], known: Sequence[Fact]) -> Part:
        """Relations that are defined at the same places; what one of them asks says nothing of the others."""
        prover = self._prover(known)
        both = [((a, "<=", b), (b, "<=", a)) if op == "==" and a != b else ((a, op, b),) for a, op, b in sides]
        stated = [
            Stated({"": a}, op, {"": b}, [] if op == "==" else [Piece(quotient(prover, b - a, STRICT[op]))])
            for a, op, b in itertools.chain(*both)
        ]
        part = written(prover, stated)
        self.found.update(prover.found)
        return part


def points_of(
    ring: Ring, world: World, shape: Mapping[str, int], sizes: Mapping[str, int] = MappingProxyType({})
) -> Iterator[tuple[fmpq, ...]]:
    """A few rational points of a world's region, as values of the ring's names; `sizes` are values of sizes among these."""
    try:
        rows = world.grid({**shape, **sizes}, Products.points) if world.scalars else []
    except NotApplicable:  # the conditions are not rational
        return
    for row in rows:
        values = {**flat(row), **sizes}
        if set(ring.names) <= set(values):
            yield tuple(exact(values[name]) for name in ring.names)


STRICT = {"<=": ">=", "<": ">"}


def quotient(prover: Prover, value: Quotient, op: str) -> Monomial:
    """A quotient as a product of facts, which shows its sign.

    Raises
    ------
    Open
        If its sign was not shown.
    """
    below, num = Monomial(rational(factored(value.den)[0]), {}), value.num
    for f, e in factored(value.den)[1]:
        m = prover.nonzero(f)
        if m is None:
            raise Open(f"a denominator may vanish: {f}")
        e = int(e)
        if prover.facts[next(iter(m.facts))].op == "!=" and e % 2:
            num, e = num * f, e + 1
        below = below.times(m.power(e))
    m = prover.product(num if below.c > 0 else -num, op)
    if m is None:
        raise Open(f"not shown: {num} {op} 0")
    if below.c < 0:
        m = Monomial(-m.c, m.facts)
    return m.times(below.power(-1))


# plain data


def written(prover: Prover, stated: Sequence[Stated]) -> Part:
    """Relations as plain data, with the facts that they use."""
    used: set[int] = set()
    coefficients: dict[int, Any] = {}

    def ratio(q: object) -> Any:
        if not isinstance(q, Quotient):
            return str(q)
        if id(q) not in coefficients:
            coefficients[id(q)] = (_ratio(prover, q), q)
        text, powers = coefficients[id(q)][0]
        used.update(powers)
        return [text, powers] if powers else text

    def form(f: Mapping[Any, Quotient]) -> Json:
        return {key_text(k): ratio(q) for k, q in f.items() if q}

    out = []
    for s in stated:
        pieces = []
        for p in s.pieces:
            used.update(p.times.facts)
            piece: Json = {"times": [str(p.times.c), dict(p.times.facts)]}
            if p.row:
                piece["row"] = p.row
            if p.square is not None:
                piece["square"] = {key_text(k): ratio(q) for k, q in p.square.items() if q}
            pieces.append(piece)
        rows = {p.row: form(s.rows[p.row]) for p in s.pieces if p.row}
        entry = {"lhs": form(s.lhs), "op": s.op, "rhs": form(s.rhs), "pieces": pieces}
        out.append(entry | ({"rows": rows} if rows else {}))
    for i in sorted(range(len(prover.facts)), reverse=True):
        if i in used:
            used.update(k for t in prover.facts[i].proof or () for k in t.facts if k != NOT)
    place = {i: k for k, i in enumerate(sorted(used))}
    facts = [_fact(prover.facts[i], place) for i in sorted(used)]
    data = {"facts": facts, "relations": [_renumbered(r, place) for r in out]}
    words = set(re.split(r"[ *^\-\"]+", json.dumps(data)))
    return {"names": [n for n in prover.ring.names if n in words], **data}


def key_text(key: object) -> str:
    """``G 0 1``, ``v 2`` or nothing."""
    return key if isinstance(key, str) else " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _ratio(prover: Prover, q: Quotient) -> tuple[str, dict[int, int]]:
    """Numerator, and the powers of facts below it."""
    lead, parts = factored(q.den)
    below = Monomial(rational(lead), {})
    for f, e in parts:
        m = prover.nonzero(f)
        if m is None:
            raise Open(f"a denominator may vanish: {f}")
        below = below.times(m.power(int(e)))
    return str(q.num * prover.ring.constant(1 / below.c)), dict(below.facts)


def _fact(fact: Fact, place: Mapping[int, int]) -> Json:
    says = {"says": f"{fact.poly} {fact.op} 0"}
    if fact.proof is None:
        return says | {"from": fact.source}
    return says | {"by": [_term(t, place) for t in fact.proof]}


def _term(t: Term, place: Mapping[int, int]) -> list[Any]:
    facts = {str(i if i == NOT else place[i]): e for i, e in t.facts.items()}
    return [str(t.c), facts, *([[str(q) for q in t.squares]] if t.squares else [])]


def _renumbered(data: object, place: Mapping[int, int]) -> object:
    """Places of facts as they are in the file; a dict with whole numbers as keys holds powers of facts."""
    if isinstance(data, dict):
        return {str(place[k]) if isinstance(k, int) else k: _renumbered(v, place) for k, v in data.items()}
    return [_renumbered(v, place) for v in data] if isinstance(data, list) else data
