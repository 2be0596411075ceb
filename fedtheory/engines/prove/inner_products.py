"""Claims in which inner products are multiplied, divided or under a root: proved as claims about numbers.

Every inner product of two unknown vectors, every value and every norm is an unknown number (`gram.products`). What the class
and the conditions say of them, and the inequality of Cauchy and Schwarz, is handed to the prover of products and to z3, as of
claims about scalars; where a side has a minimum, both cases are.

Rests on `certificates.products` and on the elimination of quantifiers (`scalars`). Incomplete: that a Gram matrix of three and
more vectors is positive semidefinite is not all among the facts; so nothing is refuted here, and a claim that a semidefinite
program decides is left to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.factored import factored
from ...gram.forms import SIZES, Grams, with_room
from ...gram.products import (
    CAUCHY,
    ProductSpace,
    Undecided,
    eliminated,
    names_in,
    number,
    substituted,
)
from ...gram.ratio import Coefficient, Ratio, at, polynomial, text
from ...verdict import Evidence
from ...world import World
from ..budget import InnerProducts, Products
from ..certificates.cases import Case, cases_of, flat, parameters, run, scalars_of, several
from ..certificates.parts import STRICT, Open, Part, Piece, Stated, quotient, written
from ..certificates.products.facts import Fact, Monomial
from ..certificates.products.polynomials import Poly, Quotient, Ring, signed
from ..certificates.products.prover import Prover
from ..certificates.products.recall import sought
from ..context import Docket
from ..z3.terms import rational, solve
from ..z3.trees import z3_module
from .gaps import pieces
from .in_numbers import OPS, Read, Spaces, Words, in_words, is_of_one_client, read, sides_of, symbols_of
from .listed import EQUAL, of_equal_weights

Path = tuple[tuple[Ratio, bool], ...]  # gaps, and whether each is at least 0
Taken = tuple[str, Coefficient, Coefficient]  # where it comes from, what is at least 0, how many times it is taken


def inner_products(claim: Claim, docket: Docket) -> Evidence:
    """Seek a proof of a claim that is not affine in inner products; of listed numbers of clients it certifies."""
    if claim.world.batched_scalars or claim.world.axes:
        return Evidence(NAME, "silent")
    own = claim.world.parts()
    if claim.world.index or own.noise or own.quantities or own.outcomes:
        return Evidence(NAME, "declines", reason="a claim about a run, or with errors of which the variance is known")
    cases, complete = cases_of(claim.world)
    listed = [one for case in cases for one in _explicit(claim.world, case)]
    if len(cases) > InnerProducts.cases or not listed:
        return Evidence(NAME, "declines", reason=f"more than {InnerProducts.cases} structures")
    if all(is_affine(claim, case) for case in listed):
        return Evidence(NAME, "silent")
    parts: dict[str, Part | None] = {}
    try:
        for case in cases:
            of_one = case.sizes == ("m",) and is_of_one_client(claim, case)
            complete &= not case.sizes or of_one
            if case.sizes and not of_one and of_equal_weights(claim.world):
                return Evidence(NAME, "declines", [case.name], reason=EQUAL)
            for one in [Case({**case.shape, "m": 1})] if of_one else _explicit(claim.world, case):
                asked = Asked(claim, one, docket)
                if not asked.proved(()):
                    return Evidence(NAME, "declines", [one.name], reason="no proof was found")
                if not asked.met:
                    reason = "a side is undefined wherever the conditions hold"
                    return Evidence(NAME, "declines", [one.name], reason=reason)
                parts[(case if of_one else one).name or "all"] = asked.certificate() if docket.certificates else None
    except (NotApplicable, IndexError) as error:
        return Evidence(NAME, "declines", reason=str(error))
    except ZeroDivisionError:
        return Evidence(NAME, "declines", reason="a side is undefined for all parameters")
    where = [name if complete else {"parameters": "all", "sizes": name} for name in parts]
    certificate = [{"where": at_, **part} for at_, part in zip(where, parts.values(), strict=True) if part]
    return Evidence(
        NAME, "proves" if complete else "certifies", "all" if complete else where, {}, "any dimension",
        certificate=certificate if len(certificate) == len(parts) else None,
    )  # fmt: skip


NAME = "inner products"


def _explicit(world: World, case: Case) -> list[Case]:
    """The case, or one of few clients where it is of any number of them."""
    if not case.sizes:
        return [case]
    m = several(world.sizes["m"])
    return [Case({**case.shape, "m": m, **({"S": S} if S else {})}) for S in ((1, 2) if "S" in case.sizes else (0,))]


def is_affine(claim: Claim, case: Case) -> bool:
    """Whether a semidefinite program can take the claim as it is, without squares in place of roots; it is then left to it."""
    try:
        with_room(partial(run, claim, case, parameters(claim.world, case), roots=False), SIZES)
    except ZeroDivisionError:
        return True
    except NotApplicable:
        return False
    return True


class Asked:
    """One structure of a claim: whether it is proved, and its certificate."""

    def __init__(
        self,
        claim: Claim,
        case: Case,
        docket: Docket,
        numbers: Mapping[str, Ratio] | None = None,
        space_of: Spaces = ProductSpace,
        splits: int = Products.splits,
    ) -> None:
        self.claim, self.case, self.docket = claim, case, docket
        self.numbers = symbols_of(claim, case) if numbers is None else numbers
        self.splits = splits
        self._says = partial(read, claim, case, space_of=space_of)
        self._nonzero: dict[str, bool] = {}
        self._said: dict[frozenset[tuple[Coefficient, bool]], list[Coefficient] | None] = {}  # by signs, in words
        self.met: set[int] = set()  # relations that z3 does not find undefined in every case

    def _read(self, path: Path) -> Read:
        """The claim where minima take the values that these signs of their gaps say.

        Raises
        ------
        NotApplicable
            If the body reads coordinates, or says of symbols what it does not say of numbers.
        """

        signs = {text(gap): yes for gap, yes in path}

        def choose(gap: Coefficient, space: ProductSpace) -> bool:
            if not isinstance(gap, Ratio):
                return bool(gap >= 0)
            if text(gap) not in signs:
                raise Undecided(gap)
            return signs[text(gap)]

        found = self._says(self.numbers, self.numbers, choose)
        again = self._says(self.numbers, self.numbers, choose, -2)
        if _written(found) != _written(again):
            raise NotApplicable("the body reads coordinates of a vector; inner products are x.dot and x.sq")
        self._require_same(found)
        return found

    def _require_same(self, found: Read) -> None:
        world, shape = self.claim.world, self.case.shape
        for row in world.general(shape, InnerProducts.same) if world.scalars else []:
            taken = iter([yes for _, yes in found.space.numbers.gaps])
            listed = self._says(row, self.numbers, lambda *_, taken=taken: _next(taken))
            point = {n: Fraction(k % 7 + 1, k % 5 + 3) for k, n in enumerate(self.numbers)} | flat(row)
            try:
                read_at = [[(at(a, point), op, at(b, point)) for a, op, b in one.says] for one in (found, listed)]
            except ZeroDivisionError:
                continue
            if read_at[0] != read_at[1]:
                raise NotApplicable("the body says something else of symbols than of numbers")

    def asks(self, path: Path, found: Read) -> list[list[Ratio]]:
        """Of every relation the gaps that it asks for: with the other sign it says something else.

        Of others nothing is known, not even that they are defined.
        """
        out: list[list[Ratio]] = [[] for _ in found.says]
        words = Words(found.space)
        try:
            said, signs = in_words(found), {words.of(gap): yes for gap, yes in path}
        except NotApplicable:
            return out
        if len(signs) == len(path):  # else one word stands for gaps of both signs
            self._said[frozenset(signs.items())] = said
        for gap, yes in path:
            other = self._said_where(signs | {words.of(gap): not yes})
            for mine, one, another in zip(out, said, other, strict=True) if other is not None else ():
                mine += [gap] if one != another else []
        return out

    def _said_where(self, signs: Mapping[Coefficient, bool]) -> list[Coefficient] | None:
        """The relations where gaps, in words, have these signs; None where they are undefined or ask for others."""
        if (key := frozenset(signs.items())) not in self._said:
            words: list[Words] = []  # of the one space in which this is read

            def choose(g: Coefficient, space: ProductSpace) -> bool:
                if not isinstance(g, Ratio):
                    return bool(g >= 0)
                if not words:
                    words.append(Words(space))
                return signs[words[0].of(g)]

            try:
                self._said[key] = in_words(self._says(self.numbers, self.numbers, choose))
            except (NotApplicable, ZeroDivisionError, KeyError):
                self._said[key] = None
        return self._said[key]

    def never_vanishes(self, value: Coefficient) -> bool:
        """Whether a polynomial is of parameters alone and, by their ranges and conditions, not 0 anywhere."""
        if not names_in([value]) <= self._of_parameters.names:
            return False
        key = text(value)
        if key not in self._nonzero:
            self._nonzero[key] = self._of_parameters.excludes(value, self.docket.limits.rlimit // InnerProducts.part)
        return self._nonzero[key]

    @cached_property
    def _of_parameters(self) -> _Ranges:
        return _Ranges(self.claim, self.case, self.numbers)

    def proved(self, path: Path) -> bool:
        """Whether the claim follows where these gaps have these signs, and in every case beyond."""
        try:
            found = self._read(path)
        except Undecided as needed:
            if len(path) == self.splits:
                raise Open(f"more than {self.splits} minima or maxima") from None
            return all(self.proved((*path, (needed.gap, yes))) for yes in (True, False))
        rlimit = self.docket.limits.rlimit // InnerProducts.part
        for k, goal in enumerate(self._goals(path, found)):
            if not follows(goal, rlimit):
                return False
            if k not in self.met and goal.may_hold(rlimit):
                self.met.add(k)
        return True

    def _goals(self, path: Path, found: Read) -> Iterator[Goal]:
        for k, asks in enumerate(self.asks(path, found)):
            yield Goal(self, found, path, k, asks)

    def certificate(self) -> Part | None:
        """The part of the checker, None where no products were found."""
        key = f"{self.claim.id} products {self.case.name}"
        programs = Products.long if self.docket.limits.thorough else Products.short

        def search(recalled: Mapping[str, str]) -> tuple[Part, dict[str, str]]:
            proofs: dict[str, str] = {}
            return self._part((), recalled, programs, proofs), proofs

        return sought(self.docket.stored, key, programs, search)

    def _part(self, path: Path, recalled: Mapping[str, str], programs: int, proofs: dict[str, str]) -> Part:
        try:
            found = self._read(path)
        except Undecided as needed:
            own = Ring(tuple(n for n in self.numbers if n in names_in([needed.gap])))
            split = signed(own.quotient(needed.gap))
            cases = {
                word: self._part((*path, (needed.gap, yes)), recalled, programs, proofs)
                for word, yes in (("yes", True), ("no", False))
            }
            return {"names": list(own.names), "split": str(split), **cases}
        out = [goal.part(recalled, programs, proofs) for goal in self._goals(path, found)]
        return out[0] if len(out) == 1 else {"each": out}


class _Ranges:
    """What is known of the parameters alone."""

    def __init__(self, claim: Claim, case: Case, numbers: Mapping[str, Ratio]) -> None:
        self.names = parameters(claim.world, case).keys()
        scope = claim.world.scope(scalars_of(claim.world, case, numbers), case.shape, Grams())
        self.known = [(OPS[r.op], number(b) - number(a)) for r in scope.given for a, _, b in sides_of([r])]

    def excludes(self, value: Coefficient, rlimit: int) -> bool:
        """Whether a polynomial of them is not 0 where all that holds."""
        known = [(op, p) for op, p in self.known if names_in([p]) <= self.names]
        ring = Ring(tuple(n for n in sorted(names_in([value, *(p for _, p in known)]))))
        z3 = z3_module()
        term = partial(_term, z3, {n: z3.Real(n) for n in ring.names})
        facts = [_said(term(signed(ring.quotient(p))), op) for op, p in known if isinstance(p, Ratio)]
        return solve([*facts, term(ring.quotient(value).num) == 0], rlimit)[0] is False


class Goal:
    """One relation, the ring of the numbers that occur, and the facts about them."""

    def __init__(
        self, asked: Asked, found: Read, path: Path, place: int, asks: Sequence[Ratio], taken: Sequence[Taken] = ()
    ) -> None:
        self.found, self.numbers, self.taken = found, asked.numbers, taken
        self.followed: bool | None = None  # as z3 said
        lhs, self.op, rhs = found.says[place]
        space = found.space
        self.roots = {f"root:{k}": inside for k, (inside, _) in enumerate(space.numbers.roots)}
        self.asked = asked
        defined, points = self._defined([lhs, rhs, *(p for _, _, p in found.given), *asks])
        self._there = there = names_in(defined) & self.roots.keys()
        self._divided = {f for p in defined for f in self._divisors(p)}
        by = eliminated((asked.numbers[r], self.roots[r]) for r in sorted(there))
        stated = found.given + found.known
        stated += [(f"{r} is a root", "==", asked.numbers[r] ** 2 - self.roots[r]) for r in sorted(there)]
        stated += [(name, ">=", p) for name, p in space.of_vectors()]
        stated += [("a point is defined", "!=", p) for p in points]
        further = [[(name, ">=", p) for name, p in own()] for own in (space.of_pairs, space.of_differences)]
        stated, *further = ([(n, op, p) for n, op, p in each if self.usable(p)] for each in (stated, *further))
        # both signs of a gap are looked at, so that one may be taken where it is undefined, too
        stated = [("case", ">=" if yes else ">", gap if yes else -gap) for gap, yes in path] + stated
        self.lhs, self.rhs = substituted(lhs, by), substituted(rhs, by)
        stated, *further = ([(n, op, substituted(p, by)) for n, op, p in each] for each in (stated, *further))
        names = names_in([self.lhs, self.rhs, *(p for _, _, p in stated), *(p for t in self.taken for p in t[1:])])
        self.ring = Ring(tuple(n for n in asked.numbers if n in names))
        self.sides = self.ring.quotient(self.lhs), self.ring.quotient(self.rhs)
        self.gap = self.sides[1] - self.sides[0]
        for _, p, times in self.taken:
            self.gap = self.gap - self.ring.quotient(p) * self.ring.quotient(times)
        self.facts = list(self._facts(stated))
        self.facts += [Fact(q.den, "!=", "a side is defined") for q in self.sides if not q.den.is_constant()]
        self.further = [list(self._facts(one for one in each if names_in([one[2]]) <= names)) for each in further]

    def _defined(self, values: Iterable[Coefficient]) -> tuple[list[Coefficient], list[Coefficient]]:
        """What is defined as these are: they, what stands under their roots, and points whose values or gradients they have.

        Also by what these points are divided.
        """
        out, divisors = list(values), list[Coefficient]()
        left = dict(self.roots)
        points = list(self.found.space.points())
        while True:
            names = names_in(out)
            roots = [r for r in left if r in names]
            found = [p for p in points if p.shown(names)]
            if not roots and not found:
                return out, divisors
            points = [p for p in points if not p.shown(names)]
            rows = [c for p in found for c in p.row if isinstance(c, Ratio)]
            divisors += [polynomial(c.bottom) for c in rows if not c.bottom.is_constant()]
            out += [left.pop(r) for r in roots] + rows

    def usable(self, value: Coefficient) -> bool:
        """Whether it is defined: it may be divided by nothing else that vanishes, and has no other roots."""
        return names_in([value]) & self.roots.keys() <= self._there and self._divisors(value) <= self._divided

    def _divisors(self, value: Coefficient) -> set[str]:
        """The factors by which it is divided, less those of parameters alone that vanish at none."""
        if not isinstance(value, Ratio) or value.bottom.is_constant():
            return set()
        factors = [polynomial(f) for f, _ in factored(value.bottom)[1]]
        return {text(f) for f in factors if not self.asked.never_vanishes(f)}

    def may_hold(self, rlimit: int) -> bool:
        """Whether z3 does not find what is known contradictory, as that a number under a root is negative."""
        z3 = z3_module()
        term = partial(_term, z3, {n: z3.Real(n) for n in self.ring.names})
        facts = [f for each in (self.facts, *self.further) for f in each]
        return solve([_said(term(f.poly), f.op) for f in facts], rlimit)[0] is not False

    def _facts(self, stated: Iterable[tuple[str, str, Coefficient]]) -> Iterator[Fact]:
        for name, op, value in stated:
            p = signed(self.ring.quotient(value))
            if not p.is_constant():
                yield Fact(p, op, name)
                yield from (Fact(q, ">=", name) for q in ((p, -p) if op == "==" else ()))

    def part(self, recalled: Mapping[str, str], programs: int, proofs: dict[str, str]) -> Part:
        """The part of the certificate."""
        prover = Prover(self.ring, [*self.facts, *self.further[0]], recalled, programs=programs)
        for fact in self.facts:  # |u| + |v| >= |w| from |u|^2 + 2 |u| |v| + |v|^2 >= |w|^2, where w = u + v
            halves = [f for f, _ in factored(fact.poly)[1]] if fact.source == CAUCHY else []
            for one in halves if len(halves) == 2 else ():
                if any(
                    prover.positive_terms(other * s) is not None for other in halves if other != one for s in (1, -1)
                ):
                    prover.product(one, ">=") or prover.product(-one, ">=")
        a, b = self.sides
        both = [(a, "<=", b), (b, "<=", a)] if self.op == "==" else [(a, self.op, b)]
        stated = [
            Stated({"": p}, op, {"": q}, self._pieces(prover, q - p, STRICT[op])) for p, op, q in both if p != q
        ] or [Stated({"": a}, "==", {"": b}, [])]
        part = written(prover, stated)
        proofs.update(prover.found)
        return {**part, **self._named(part)}

    def _pieces(self, prover: Prover, gap: Quotient, op: str) -> list[Piece]:
        """The gap as products of facts, and multiples of what was taken, which no other product has."""
        if not self.taken:
            return [Piece(quotient(prover, gap, op))]
        times = [quotient(prover, self.ring.quotient(c), ">=") for _, _, c in self.taken]
        out = [Piece(m) for m in pieces(prover, self.gap, op, [f.poly for f in self.facts if f.op == ">"])]
        for (name, value, _), own in zip(self.taken, times, strict=True):
            q = self.ring.quotient(value)
            sign = 1 if prover.product(q.den, ">") is not None else -1
            below = quotient(prover, Quotient(sign * q.den, self.ring.constant(1)), ">")
            prover.facts.append(Fact(sign * q.num, ">=", name))
            out.append(Piece(own.times(below.power(-1)).times(Monomial(Fraction(1), {len(prover.facts) - 1: 1}))))
        return out

    def _named(self, part: Part) -> dict[str, dict[str, str]]:
        """What the numbers are."""
        places = {kind: [n.split(":")[1:] for n in part["names"] if n.startswith(kind + ":")] for kind in ("G", "v")}
        leaves = sorted({k for both in places["G"] for k in both}, key=int)
        space = self.found.space
        return {
            "leaves": {k: space.leaves[int(k)] for k in leaves},
            "values": {k: space.values[int(k)] for (k,) in places["v"]},
        }


def follows(goal: Goal, rlimit: int) -> bool:
    """Whether z3 finds no numbers for which the facts hold and the relation does not."""
    if goal.followed is None:
        goal.followed = _follows(goal, rlimit)
    return goal.followed


def _follows(goal: Goal, rlimit: int) -> bool:
    z3 = z3_module()
    gap = signed(goal.gap) if goal.op != "==" else goal.gap.num
    own = {n: z3.Real(n) for n in goal.ring.names}
    term = partial(_term, z3, own)
    known = [_said(term(f.poly), f.op) for f in goal.facts] if goal.taken else []
    for _, _, times in goal.taken:
        if solve([*known, term(signed(goal.ring.quotient(times))) < 0], rlimit)[0] is not False:
            return False
    if gap.is_constant() and gap == 0:
        return goal.op != "<"
    fails = {"<=": term(gap) < 0, "<": term(gap) <= 0, "==": term(gap) != 0}[goal.op]
    facts: list[Fact] = []
    for more in (goal.facts, *goal.further):  # few of them first
        facts += more
        if solve([*(_said(term(f.poly), f.op) for f in facts), fails], rlimit)[0] is False:
            return True
    return False


def _next(taken: Iterator[bool]) -> bool:
    for yes in taken:
        return yes
    raise NotApplicable("the body asks more of numbers than of symbols")


def _said(term: Coefficient, op: str) -> Coefficient:
    return term > 0 if op == ">" else term >= 0 if op == ">=" else term == 0 if op == "==" else term != 0


def _term(z3: Coefficient, own: Mapping[str, Coefficient], p: Poly) -> Coefficient:
    total: Coefficient = rational(0)
    for powers, c in p.terms():
        product: Coefficient = rational(Fraction(int(c.p), int(c.q)))
        for name, e in zip(own, powers, strict=False):
            for _ in range(int(e)):
                product = product * own[name]
        total = total + product
    return total


def _written(found: Read) -> list[tuple[str, str, str]]:
    return [(text(a), op, text(b)) for a, op, b in found.says] + [(n, op, text(p)) for n, op, p in found.given]
