"""Product certificates: a polynomial is positive since its negation contradicts the facts, by an identity.

The negation of the goal joins the facts, and a sum of non-negative rationals times products of facts, one of them strictly
positive, is identically zero. Facts are the hypotheses of a region, and lemmas that were shown before. What is tried: a fact
as it is, a product of facts, positive coefficients at a corner of the region (`corner`), and then, where it is asked for, the
coefficients of names that are free, a bound on one name after the other, and a linear program (`combination`). Every identity
is multiplied out in exact arithmetic before it counts (`facts`).

Rests on certificates of Handelman (Pacific Journal of Mathematics 132 (1988)) and of Krivine (1964) and Stengle
(Mathematische Annalen 207 (1974)): inequalities have no common solution exactly where sums of squares times products of them
come to a contradiction. Every identity is a proof. Complete in the limit of the degree for what is positive on a bounded
polytope of affine facts, without squares (Handelman), and in general with all sums of squares (Krivine, Stengle); here degree
and squares are bounded, so that a true sign may have no proof.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from itertools import chain, starmap
from typing import Any

from ....gram.factored import factored
from ...budget import Products
from .cofactors import cofactors
from .combination import combined, linked
from .corner import corner
from .equations import from_equations
from .facts import NOT, Fact, Facts, Monomial, Point, Term, rational
from .polynomials import Poly, Ring, product_of
from .recall import recall, remember

DEEPEST = Products.depths[-1]
EASY, ELIMINATE, PROGRAM = range(3)  # how far a search goes


class Prover(Facts):
    """Shows signs of polynomials from facts; what it has shown are facts as well.

    Parameters
    ----------
    ring : Ring
    hypotheses : list of Fact
        Of the region: ranges, conditions, and divisors that are not zero.
    recalled : mapping
        Stored proofs by ``"poly op 0"``, see `recall`; they are checked, not believed.
    programs : int
        How many linear programs a search may take; with none only what is easily shown is.
    points : iterable of sequences of fmpq
        Points of the region, in the order of the names; what fails at one of them is not sought.
    """

    def __init__(
        self,
        ring: Ring,
        hypotheses: Sequence[Fact],
        recalled: Mapping[str, str] | None = None,
        *,
        programs: int = Products.long,
        points: Iterable[Point] = (),
    ) -> None:
        super().__init__(ring, hypotheses, points)
        self.recalled = recalled or {}
        self.level, self.programs = PROGRAM if programs else EASY, programs
        self.attempts = Products.lemmas * programs
        self.found: dict[str, str] = {}  # proofs that took a search, in the words of the store
        self._failed: set[tuple[str, str, int, int]] = set()
        self._asked: set[str] = set()  # what is being shown
        self._depth = self._steps = 0
        self._deepest = DEEPEST
        for gen in ring.gens.values():
            if self.shown(gen, ">") is None:
                self._lemma(gen, ">", EASY)
        self._hypotheses = len(self.facts)
        for i in range(self._hypotheses):
            self._without_positive_factors(i)
        self._hypotheses = len(self.facts)

    def again(self, recalled: Mapping[str, str]) -> Prover:
        """A prover that knows what this one does, and shows what it is asked without a word to this one."""
        other = copy.copy(self)
        other.recalled, other.attempts = recalled, Products.lemmas * self.programs
        other.facts, other.found, other._failed = list(self.facts), dict(self.found), set(self._failed)
        other.bounds, other.corners = {n: list(bounds) for n, bounds in self.bounds.items()}, dict(self.corners)
        other._by_text = {text: list(places) for text, places in self._by_text.items()}
        other._asked = set()
        return other

    def _without_positive_factors(self, i: int) -> None:
        """Of a hypothesis such as ``lam (b - a) >= 0`` the factor whose sign it tells."""
        fact = self.facts[i]
        if fact.op not in (">", ">="):
            return
        lead, parts = factored(fact.poly)
        if len(parts) < 2:
            return
        longest = max(parts, key=lambda part: len(part[0]))
        known = [(f, int(e), self._positive(f) if (f, e) != longest else self._easily_positive(f)) for f, e in parts]
        unknown = [(f, e) for f, e, m in known if m is None]
        if len(unknown) != 1 or unknown[0][1] != 1 or len(known) == 1:
            return
        others = Monomial(rational(lead), {})
        for _, e, m in known:
            others = others.times(m.power(e)) if m is not None else others
        rest = unknown[0][0] * (1 if others.c > 0 else -1)
        others = Monomial(abs(others.c), others.facts)
        # the negation, times the positive factors, contradicts the hypothesis
        self._prove(rest, fact.op, (Term(others.c, {NOT: 1, **others.facts}), Term(Fraction(1), {i: 1})))

    def _positive(self, p: Poly) -> Monomial | None:
        """A factor of a hypothesis as a rational times a positive fact, where it is easily shown or nearly a hypothesis."""
        known = self._easily_positive(p)
        if known is not None or not self.level or len(p) > Products.few:
            return known
        for one, s in ((p, 1), (-p, -1)):
            for proof in self._differences(one, ">"):
                if self._prove(one, ">", proof) is not None:
                    m = self.shown(one, ">")
                    assert m is not None
                    return Monomial(s * m.c, m.facts)
        return None

    def _easily_positive(self, p: Poly) -> Monomial | None:
        return self.shown(p, ">") or self._monomials(p, ">")

    def product(self, p: Poly, op: str) -> Monomial | None:
        """The polynomial as a product of facts that makes it positive (``>``) or non-negative (``>=``), None if none is found."""
        known = self.shown(p, op)
        if known is None and f"{p} {op} 0" in self.recalled and self._lemma(p, op) is not None:
            known = self.shown(p, op)
        if known is not None or p.is_constant() or (self.level and self._hopeless(p, op)):
            return known
        if self.level >= ELIMINATE and op == ">=":  # before factors are split off that the facts have in common
            for proof in (*self._factors(p), *self._differences(p, op)):
                if self._prove(p, op, proof) is not None:
                    self.found[f"{p} {op} 0"] = remember(proof, self)
                    return self.shown(p, op)
        lead, parts = factored(p)
        out, unknown = Monomial(rational(lead), {}), []
        for f, e in parts:
            f, e = f, int(e)
            square = e % 2 == 0 and (self.shown(f, "!=") is not None or op == ">=")
            # no factor is shown to be positive of which it is enough that it is not negative
            alone = op == ">=" and (len(parts) == 1 or self._easily_one_sided(f)) and f"{f} > 0" not in self.recalled
            m = self.sign(f, EASY if square or alone else None)
            if m is not None:
                out = out.times(m.power(e))
            elif square:
                m = self.shown(f, "!=") or self._square(f)
                out = out.times(m.power(e if self.shown(f, "!=") else e // 2))
            else:
                unknown.append((f, e))
        if not unknown:
            if out.c > 0:
                return out
            return None if self._lemma(p, op) is None else self.shown(p, op)  # the facts contradict each other
        sided = [(self._one_sided(f), e) for f, e in unknown] if op == ">=" else [(None, 1)]
        if all(m is not None for m, _ in sided):
            whole = out
            for m, e in sided:
                whole = whole.times(m.power(e)) if m is not None else whole
            if whole.c > 0:
                return whole
        for f, e in unknown:
            if e > 1:
                if op == ">":
                    return None
                out = out.times(self._square(f).power(e // 2))
        rest = self.ring.constant(1 if out.c > 0 else -1)
        for f, _ in unknown:
            rest = rest * f
        m = self.shown(rest, op)
        if m is None:
            i = self._lemma(rest, op)
            if i is None:
                return None
            m = self.shown(rest, op)
            assert m is not None
        return Monomial(abs(out.c), out.facts).times(m)

    def _one_sided(self, f: Poly) -> Monomial | None:
        """A factor as a rational times a fact that says that it is not negative; the rational has the sign."""
        for one, s in ((f, 1), (-f, -1)):
            m = self.shown(one, ">=")
            if m is not None:
                return Monomial(s * m.c, m.facts)
        return None

    def _easily_one_sided(self, f: Poly) -> bool:
        return any(self._easily(one) is not None for one in (f, -f)) and self._one_sided(f) is not None

    def _hopeless(self, p: Poly, op: str) -> bool:
        """Whether a point of the region tells that there is no proof, which is an attempt as any other."""
        if not self.fails(p, op):
            return False
        self.attempts = max(0, self.attempts - 1)
        return True

    def sign(self, f: Poly, most: int | None = None) -> Monomial | None:
        """A factor as a rational times a positive fact; the rational has the sign. None if it is not known to be strict."""
        for one, s in ((f, 1), (-f, -1)):
            m = self.shown(one, ">")
            if m is not None:
                return Monomial(s * m.c, m.facts)
        for level in range((self.level if most is None else most) + 1):
            for one, s in ((f, 1), (-f, -1)):
                if self._lemma(one, ">", level) is not None:
                    m = self.shown(one, ">")
                    assert m is not None
                    return Monomial(s * m.c, m.facts)
        return None

    def nonzero(self, f: Poly) -> Monomial | None:
        """A factor as a rational times a fact that says that it is not zero."""
        m = self.sign(f) or self.shown(f, "!=")
        if m is not None:
            return m
        for i, fact in enumerate(self.facts):
            if fact.op == "!=":
                quotient, remainder = divmod(fact.poly, f)
                if remainder == 0:  # if f were zero, so were the divisor of which it is a factor
                    rest = quotient * fact.poly
                    self._prove(f, "!=", (Term(Fraction(1), {i: 2}), Term(-rest, {NOT: 1})))
                    return self.shown(f, "!=")
        return None

    def show_again(self, p: Poly) -> None:
        """Show the sign of a polynomial whose proof is stored, or is easily found."""
        stored = [op for op in (">", ">=") if f"{p} {op} 0" in self.recalled]
        for op in stored:
            self._lemma(p, op)
        if not stored:
            with self.at_most(EASY):
                self.sign(p) or self.product(p, ">=")

    def _square(self, f: Poly) -> Monomial:
        """The square of a polynomial, which is never negative."""
        m = self.shown(f * f, ">=")
        if m is None:
            self._prove(f * f, ">=", (Term(Fraction(1), {NOT: 1}), Term(Fraction(1), {}, (f,))))
            m = self.shown(f * f, ">=")
        assert m is not None
        return m

    # lemmas

    def _lemma(self, p: Poly, op: str, level: int | None = None) -> int | None:
        level = self.level if level is None else level
        name, before = f"{p} {op} 0", self.level
        tried = (str(p), op, level, self._deepest - self._depth if level else 0)
        if tried in self._failed or name in self._asked or (level and (not self.attempts or self._hopeless(p, op))):
            return None
        self.attempts = max(0, self.attempts - 1)
        self._asked.add(name)
        self.level = level
        try:
            for proof in self._proofs(p, op, name, level):
                i = self._prove(p, op, proof)
                if i is not None:
                    if level > EASY:
                        self.found[name] = remember(proof, self)
                    return i
        finally:
            self._asked.discard(name)
            self.level = before
        self._failed.add(tried)
        return None

    def _proofs(self, p: Poly, op: str, name: str, level: int) -> Iterator[tuple[Term, ...]]:
        monomials = self._monomials(p, op, terms=True)
        if monomials is not None:
            yield monomials
        if name in self.recalled:
            remembered = recall(self.recalled[name], self)
            if remembered is not None:
                yield remembered
        at_corner = corner(self, p, op)
        if at_corner is not None and (len(at_corner) <= Products.few or level < PROGRAM):
            yield at_corner
        if level >= ELIMINATE:
            yield from chain(self._differences(p, op), cofactors(self, p) if op == ">=" else ())
            for deepest in (self._deepest,) if self._depth else Products.depths:
                self._deepest = deepest
                self._steps = self._steps if self._depth else 0
                yield from self._by_free_names(p, op)
                yield from self._eliminations(p, op)
        if level >= PROGRAM and self.programs:
            self.programs -= 1
            usable = [(i, f.poly, f.op) for i, f in enumerate(self.facts[: self._hypotheses]) if f.op != "!="]
            for found in combined(self.ring, usable, p, op):
                if at_corner is not None and len(at_corner) <= len(found):
                    break
                yield tuple(Term(c, facts, squares) for c, facts, squares in found)
        if level >= PROGRAM and self.programs:
            yield from self._from_bounds(p, op)
        if at_corner is not None:
            yield at_corner
        if level >= PROGRAM and not self._depth:
            yield from from_equations(self, p, op, self._hypotheses)
            usable = [(i, f.poly, f.op) for i, f in enumerate(self.facts[: self._hypotheses]) if f.op in (">", ">=")]
            yield from (tuple(starmap(Term, found)) for found in linked(self.ring, usable, p, op))

    @cached_property
    def _bounds(self) -> dict[str, list[int]]:
        """Hypotheses that are linear in a name, by this; without its lower bounds, which are corners; long ones first."""
        out: dict[str, list[int]] = {}
        for i, fact in enumerate(self.facts[: self._hypotheses]):
            for name in self.ring.names_in(fact.poly) if fact.op in (">", ">=") else ():
                k = self.ring.names.index(name)
                alone = len(self.ring.names_in(fact.poly)) == 1 and fact.poly.leading_coefficient() > 0
                if fact.poly.degrees()[k] == 1 and not alone:
                    out.setdefault(name, []).append(i)
        return {name: sorted(places, key=lambda i: -len(self.facts[i].poly)) for name, places in out.items()}

    @cached_property
    def _free(self) -> tuple[int, ...]:
        """The places of names that no hypothesis binds but their sign."""
        bound: set[str] = set()
        for fact in self.facts[: self._hypotheses]:
            if fact.op != "!=" and not (len(fact.poly) == 1 and fact.poly.total_degree() == 1):
                bound |= self.ring.names_in(fact.poly)
        signed = {n for n, g in self.ring.gens.items() if self.shown(g, ">=") or self.shown(g, ">")}
        return tuple(k for k, n in enumerate(self.ring.names) if n in signed - bound)

    def _by_free_names(self, p: Poly, op: str) -> Iterator[tuple[Term, ...]]:
        """A proof of every coefficient of the monomials in free names."""
        groups: dict[tuple[int, ...], dict[Any, Any]] = {}
        for powers, c in p.terms():
            own = tuple(int(e) if k in self._free else 0 for k, e in enumerate(powers))
            groups.setdefault(own, {})[tuple(int(e) - o for e, o in zip(powers, own, strict=True))] = c
        if len(groups) < 2 or self._depth == self._deepest:
            return
        out, strict = [Term(Fraction(1), {NOT: 1})], op == ">="
        for own, terms in sorted(groups.items(), key=lambda g: len(g[1])):
            name = product_of(zip(self.ring.gens.values(), own, strict=False), self.ring.constant(1))
            rest = self.ring.context.from_dict(terms)
            positive = self._easily(name, ">") is not None and not strict
            m = self._deeper(rest, ">") if positive else None
            strict |= m is not None
            m = m or self._deeper(rest, ">=")
            times = self._easily(name)
            if m is None or times is None:
                return
            m = m.times(times)
            out.append(Term(m.c, m.facts))
        if strict:
            yield tuple(out)

    def _from_bounds(self, p: Poly, op: str) -> Iterator[tuple[Term, ...]]:
        """A proof of every coefficient after one name is measured from a lower bound."""
        if self._depth == DEEPEST:
            return
        for name, gen in self.ring.gens.items():
            if name not in self.ring.names_in(p):
                continue
            k = self.ring.names.index(name)
            for i, fact in enumerate(self.facts[: self._hypotheses]):
                slope = fact.poly.derivative(k)
                bounds = fact.op in (">", ">=") and slope.is_constant() and len(fact.poly) > 1
                if not bounds or slope == 0 or slope.leading_coefficient() < 0 or self._steps == Products.steps:
                    continue
                self._steps += 1
                low = (fact.poly - slope * gen) / -slope
                moved = (
                    p.subs({name: 0})
                    if p.degrees()[k] == 0
                    else p.compose(*{**self.ring.gens, name: gen + low}.values())
                )
                layers: dict[int, dict[Any, Any]] = {}
                for powers, c in moved.terms():
                    e = int(powers[k])
                    layers.setdefault(e, {})[tuple(0 if n == k else int(v) for n, v in enumerate(powers))] = c
                proof = self._layered(i, rational(slope.leading_coefficient()), layers, op)
                if proof is not None:
                    yield proof

    def _layered(
        self, i: int, slope: Fraction, layers: Mapping[int, Mapping[object, object]], op: str
    ) -> tuple[Term, ...] | None:
        """The terms of a polynomial in powers of a fact, where every coefficient is shown; short ones first."""
        out, strict = [Term(Fraction(1), {NOT: 1})], op == ">="
        for e, terms in sorted(layers.items(), key=lambda layer: (layer[0] == 0 and not strict, len(layer[1]))):
            rest = self.ring.context.from_dict(dict(terms))
            last = e == 0 and not strict  # what is strict has to be so at the bound
            m = self._deeper(rest, ">" if last else ">=")
            if m is None:
                return None
            out.append(Term(m.c / slope**e, {**m.facts, i: m.facts.get(i, 0) + e} if e else m.facts))
        return tuple(out) if strict or 0 in layers else None

    def _deeper(self, p: Poly, op: str) -> Monomial | None:
        """What is left of a goal, by the means of this one."""
        self._depth, before = self._depth + 1, self.level
        try:
            return self.product(p, op)
        finally:
            self._depth, self.level = self._depth - 1, before

    def _differences(self, p: Poly, op: str) -> Iterator[tuple[Term, ...]]:
        """A proof as the sum of a multiple of a hypothesis, so that a monomial cancels, and something that is easily shown."""
        coefficients = {tuple(map(int, m)): rational(c) for m, c in p.terms()}
        for i, fact in enumerate(self.facts[: self._hypotheses]):
            if fact.op not in (">", ">=") or len(fact.poly) < 2:
                continue
            tried = set()
            for m, c in fact.poly.terms():
                scale = coefficients.get(tuple(map(int, m)), Fraction(0)) / rational(c)
                if scale <= 0 or scale in tried:
                    continue
                tried.add(scale)
                rest = p - self.ring.constant(scale) * fact.poly
                strict = op == ">" and fact.op == ">"
                easily = Monomial(Fraction(0), {}) if rest == 0 else self._easily(rest, ">=" if strict else op)
                if easily is None and op == ">=":
                    easily = self._multiple(rest)
                if easily is not None:
                    yield (Term(Fraction(1), {NOT: 1}), Term(scale, {i: 1}), Term(easily.c, easily.facts))

    def _factors(self, p: Poly) -> Iterator[tuple[Term, ...]]:
        """A proof that it is not negative from a hypothesis that is a multiple of it by something positive."""
        for i, fact in enumerate(self.facts[: self._hypotheses]):
            if fact.op in (">", ">=") and len(fact.poly) > 1 and fact.poly.total_degree() >= p.total_degree():
                times, remainder = divmod(fact.poly, p)
                easily = self._easily(times, ">") if remainder == 0 else None
                if easily is not None:
                    yield Term(easily.c, {NOT: 1, **easily.facts}), Term(Fraction(1), {i: 1})

    def _multiple(self, p: Poly) -> Monomial | None:
        """The polynomial as a multiple of a hypothesis by something that is easily shown not to be negative."""
        for i, fact in enumerate(self.facts[: self._hypotheses]):
            if fact.op in (">", ">=") and len(fact.poly) > 1:
                times, remainder = divmod(p, fact.poly)
                easily = self._easily(times) if remainder == 0 else None
                if easily is not None:
                    return easily.times(Monomial(Fraction(1), {i: 1}))
        return None

    def _eliminations(self, p: Poly, op: str) -> Iterator[tuple[Term, ...]]:
        """A proof from a bound on one name: with ``p = a - b v`` and a fact ``c - d v``, ``d p`` is b times the fact and d a - b c.

        What is left has one name less, or a lower degree in it, and is shown in the same way.
        """
        if self._depth == self._deepest:
            return
        for name, gen in self.ring.gens.items():
            at_zero = p.subs({name: 0})
            b = (p - at_zero) / gen
            if b == 0:
                continue
            for s in (-1, 1):
                weight = self._easily(b * s)
                if weight is None:
                    continue
                for i in self._bounds.get(name, ()):
                    if self._steps == Products.steps:
                        return
                    fact = self.facts[i]
                    slope = (fact.poly - fact.poly.subs({name: 0})) / gen
                    below = self._easily(slope * s, ">")
                    if below is None:
                        continue
                    yield from self._eliminated(p, op, i, b * s, slope * s)

    @contextmanager
    def at_most(self, level: int) -> Iterator[None]:
        """Searches go no further than this."""
        before, self.level = self.level, min(level, self.level)
        try:
            yield
        finally:
            self.level = before

    def _easily(self, p: Poly, op: str = ">=") -> Monomial | None:
        with self.at_most(EASY):
            return self.product(p, op)

    def _eliminated(self, p: Poly, op: str, i: int, b: Poly, d: Poly) -> Iterator[tuple[Term, ...]]:
        common = b.gcd(d)
        b, d = b / common, d / common
        if self._easily(common, ">") is None:
            return
        weight, below = self._easily(b), self._easily(d, ">")
        if weight is None or below is None:
            return
        rest = d * p - b * self.facts[i].poly
        own = Term(weight.c, {**weight.facts, i: weight.facts.get(i, 0) + 1})
        negation = Term(below.c, {NOT: 1, **below.facts})
        if rest == 0:
            yield negation, own
            return
        strict = op == ">" and self.facts[i].op == ">" and self._easily(b, ">") is not None
        self._steps += 1
        before, self.level = self.level, ELIMINATE
        m = self._deeper(rest, ">=" if strict else op)
        self.level = before
        if m is not None:
            yield negation, own, Term(m.c, m.facts)
