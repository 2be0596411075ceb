"""Claims for every whole number n: direct for a symbolic n, or by base and step, on z3 terms with product certificates.

A claim P(n) of a world with an index is proved where it follows from the conditions at n; or by induction, where P(first)
holds and P(n + 1) follows from P(n) and from what is known of every element of the sequences at n. The hypothesis P(n) may be
used only where the stated conditions at n + 1 say that they hold at n; lemmas hold for every n, and are used at n then as well.

Rests on induction over the whole numbers, and on product certificates for the step. Incomplete: P(n) is never strengthened,
so that what needs a stronger hypothesis has to be given as a lemma.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...claim import Claim
from ...errors import NotApplicable
from ...instance import Instance
from ...relation import Condition, Relation, relations_of
from ...verdict import Evidence
from ...world import World
from ..budget import Products, Questions
from ..certificates.parts import Part, alike, components, parts_of
from ..certificates.products.recall import sought
from ..certificates.theorems import Closed
from ..context import Docket
from ..z3.index import Counted
from ..z3.terms import (
    Called,
    Index,
    Real,
    Reals,
    Term,
    bare,
    defined,
    elementary,
    formulas,
    names_of,
    on,
    rational,
    solve,
)
from ..z3.trees import constants, denominators, z3_module

NUMBER = re.compile(r"-?[0-9]{1,6}(/[0-9]{1,6})?")  # that a reader takes in


class NotShown(Exception):
    """Why something was not proved."""


def induction(
    claim: Claim,
    docket: Docket,
    closed: Closed | None = None,
    facts: Sequence[Condition] = (),
    of_whole: Sequence[Condition] = (),
) -> Evidence:
    """Prove a claim of a world with an index for every value of it; `closed` has the lemmas that it is given.

    `facts` are those of the stated conditions that lemmas say at every length, and `of_whole` those of them that say nothing of
    the first steps of a longer run, of which an induction is.
    """
    world: Any = claim.world
    if not world.index:
        return Evidence("induction", "silent")
    if set(world.sizes) != {world.index}:
        return Evidence("induction", "declines", reason="the world has other sizes besides its index")
    reasons = []
    of_first = tuple(c for c in world.given if c not in of_whole)
    steps = replace(claim, world=replace(world, given=of_first)) if of_whole else claim
    for how, attempt, own in (("directly", _directly, claim), ("by induction", _by_steps, steps)):
        kept = [c for c in facts if own is claim or c not in of_whole]
        called = closed.called if closed else {}
        proof = Proof(own, docket, called=called, facts=kept, of_whole=bool(of_whole) and own is claim)
        try:
            attempt(proof)
        except (NotShown, NotApplicable, ZeroDivisionError, z3_module().Z3Exception) as error:
            reasons.append(f"{how}: {error}")
            continue
        certificate = None if None in proof.parts else [part for part in proof.parts if part]
        whole = closed if closed else Closed(claim, proof.called)
        return Evidence(
            "induction", "proves", numbers={"how": f"{how}, {world.index} >= {world.first}"}, certificate=certificate,
            theorem=whole.data(certificate),
        )  # fmt: skip
    return Evidence("induction", "declines", reason="; ".join(reasons))


@dataclass
class Proof:
    """The parts of one proof, and what was found for them."""

    claim: Claim
    docket: Docket
    parts: list[Part | None] = field(default_factory=list)
    known: dict[tuple[str, str, str], bool] = field(default_factory=dict)  # what was asked of the bases of powers
    called: Called = field(default_factory=dict)
    context: str = ""  # of the parts that are shown
    facts: Sequence[Condition] = ()
    of_whole: bool = False  # whether a fact of a whole run alone is used, of which there is no induction

    @property
    def world(self) -> Any:
        return self.claim.world

    def show(self, where: str, names: Sequence[str], given: Sequence[Relation], goal: Sequence[Relation]) -> None:
        """Prove that some relations follow from others, by a product certificate, else by z3.

        Raises
        ------
        NotShown
            If neither does.
        """
        given = _once(given)
        follows = implied(given, goal, min(Questions.glance, self.docket.limits.rlimit))
        if follows is False:
            raise NotShown(f"{where} does not follow{possible(given, goal, self.docket.limits.rlimit)}")
        if follows and not self.docket.certificates:
            self.parts.append(None)
            return

        enough = narrowed(given, goal)

        def search(recalled: Mapping[str, str]) -> tuple[Part, dict[str, str]]:
            try:
                return parts_of(names, components(enough), components(goal), recalled, programs=Products.long)
            except NotApplicable:  # signs of other names may be factors of a proof
                if enough is given:
                    raise
                return parts_of(names, components(given), components(goal), recalled, programs=Products.long)

        part = sought(self.docket.stored, f"{self.claim.id} products {where}", Products.long, search)
        if part is None and not self._follows(given, goal):
            raise NotShown(f"{where} is undecided")
        self.parts.append(part and {"where": where, "context": self.context, **part})

    def knows(self, names: Sequence[str], given: Sequence[Relation], asked: Relation, where: str) -> bool:
        """Whether a relation follows; if so, it is shown."""
        key = (bare(asked.lhs).sexpr(), asked.op, bare(asked.rhs).sexpr())
        if key not in self.known:
            self.known[key] = self._follows(given, [asked]) is True
            if self.known[key]:
                self.show(where, names, given, [asked])
        return self.known[key]

    def _follows(self, given: Sequence[Relation], goal: Sequence[Relation]) -> bool | None:
        return implied(given, goal, self.docket.limits.rlimit)


NOT_ZERO = "is not zero"


@dataclass(frozen=True)
class Divisor(Relation):
    """That a divisor is not zero, since its square is positive."""

    of: Any = None


def defining(relations: Sequence[Relation], numbers: Reals) -> list[Relation]:
    """That no divisor in some relations, or in what is evaluated with their symbols, is zero."""
    found = denominators(numbers.evaluated(formulas(relations)))
    return [Divisor(0, "<", Real(d * d), f"{_written(d)} {NOT_ZERO}", Real(d)) for d in found]


def _written(term: Term) -> str:
    """A term as z3 writes it, which cannot write a quotient of numbers by zero."""
    try:
        return str(term)
    except AttributeError:
        return str(term.sexpr())


def implied(given: Sequence[Relation], goal: Sequence[Relation], rlimit: int) -> bool | None:
    """Whether some relations follow from others, wherever these and each of them are defined; None if z3 does not say."""
    z3, stated, said = z3_module(), formulas(given), set()
    for relation in formulas(goal):
        known = defined(stated) + defined([], [relation])
        said.add(solve([*known, z3.Not(relation)], rlimit)[0])
    return False if True in said else None if None in said else True


def possible(given: Sequence[Relation], goal: Sequence[Relation], rlimit: int) -> str:
    """Numbers that meet what is given and not a goal, in words, where z3 finds short ones that have names; else nothing."""
    z3, stated = z3_module(), formulas(given)
    for relation in formulas(goal):
        found, model = solve(
            [*defined(stated), *defined([], [relation]), z3.Not(relation)], min(Questions.glance, rlimit)
        )
        if not found:
            continue
        names = constants([relation])
        values = {str(d): str(model[d]) for d in model.decls() if str(d) in names}
        short = values and all(NUMBER.fullmatch(v) and ":" not in n for n, v in values.items())
        return f": {', '.join(f'{n} = {values[n]}' for n in sorted(values))} is possible there" if short else ""
    return ""


def names_of_each(given: Sequence[Relation]) -> list[set[str]]:
    """The names in each relation."""
    return [constants(formulas([r])) for r in given]


def narrowed(
    given: Sequence[Relation], goal: Sequence[Relation], read: Sequence[set[str]] | None = None
) -> Sequence[Relation]:
    """What is given about the names in a goal and no others, where the goal follows from that; else all of it.

    `read` has the names in each of what is given, where these are at hand.
    """
    names = constants(formulas(goal))
    own = [r for r, mine in zip(given, names_of_each(given) if read is None else read, strict=True) if mine <= names]
    return own if len(own) < len(given) and implied(own, goal, Questions.glance) is True else given


def _directly(proof: Proof) -> None:
    """The claim at n, from what is stated there."""
    numbers = Counted(proof.world.index, proof.world.first, proof.called)
    numbers.closed = proof.of_whole
    proof.context = "direct"
    now = Statement(proof, numbers, 0)
    before = Index(numbers, numbers.index, -1)
    known = (
        _at(proof.world, numbers, now.x, before) if proof.world.first else []
    )  # the last element of every n has one before it
    _show(proof, f"every {numbers.index}", numbers, now, known, now.goal)


def _by_steps(proof: Proof) -> None:
    """The claim at the first n; and at n + 1, from what it says at n."""
    world = proof.world
    numbers = Counted(world.index, world.first, proof.called)
    now, then = Statement(proof, numbers, 0), Statement(proof, numbers, 1)
    prefix = [*defining([*now.stated, *now.facts], numbers), *now.stated]  # where one is undefined there is no instance
    longer = [*then.x.given, *numbers.ranges(), *_counted(numbers, world)]
    if implied(longer, prefix, proof.docket.limits.rlimit) is not True:
        raise NotShown(f"a stated condition at {world.index} + 1 does not say that it holds at {world.index}")
    last = Index(numbers, world.index)
    every = _at(world, numbers, then.x, last)
    if then.besides(every) != now.besides(_at(world, numbers, now.x, last)):
        raise NotShown(
            f"a condition in every=(...) reads x.{world.index}: the first {world.index} steps need not meet it"
        )
    first = Reals(called=proof.called)
    proof.context = "base"
    x, symbols = on(first, world, {world.index: world.first})
    relations = relations_of(proof.claim.body, x, proof.claim.id)
    goal = _inequalities(relations)
    base = names_of(world, symbols)
    own = [str(E) for _, E in first.transcendental.values()]
    proof.show(f"{world.index} = {world.first}", [*base, *own], [*x.given, *elementary(x, formulas(goal))], goal)
    hypothesis = [Relation(r.lhs, r.op, r.rhs, f"the claim at {world.index}") for r in now.goal]
    proof.context = "step"
    if new := [r for r in prefix if not {*_texts([r])} <= {*_texts(longer)}]:
        proof.show(f"what is stated at {world.index}", [*now.names, numbers.index, *numbers.symbols()], longer, new)
    ahead = [*then.x.given, *every]
    _show_defined(proof, numbers, now, ahead, hypothesis, then.goal)
    extra = [*ahead, *hypothesis]
    _show(proof, f"from {world.index} to {world.index} + 1", numbers, now, extra, then.goal)


def _at(world: Any, numbers: Counted, x: Instance, t: Index) -> list[Relation]:
    """What is known of the elements at t."""
    return [*x.given, *world.at(x, t), *_counted(numbers, world), *numbers.ranges()]


def _show_defined(
    proof: Proof, numbers: Counted, now: Statement, ahead: Sequence[Relation], hypothesis: Sequence[Relation],
    goal: Sequence[Relation],
) -> None:  # fmt: skip
    """That the hypothesis has a meaning wherever the claim at n + 1 has: its divisors, and its logarithms that are not in that."""
    then, said = formulas(goal), formulas(hypothesis)
    own = {name: v for name, v in numbers.logarithms(said).items() if name not in numbers.logarithms(then)}
    positive = [Relation(0, "<", Real(v), f"log({_written(v)}) is defined") for v in own.values()]
    where = f"the claim is defined at {proof.world.index}"
    hidden = len(denominators(numbers.evaluated(said))) > len(denominators(said))
    known = [*ahead, *defining(goal, numbers)] if own or hidden else []
    _show(proof, where, numbers, now, known, [*defining(hypothesis, numbers), *positive], then)


def _texts(relations: Sequence[Relation]) -> list[tuple[str, str, str]]:
    return [(a.sexpr(), op, b.sexpr()) for a, op, b, _ in components(relations)]


class Statement:
    """The conditions and the claim at n + `ahead`."""

    def __init__(self, proof: Proof, numbers: Counted, ahead: int) -> None:
        world: World = proof.world
        numbers.ahead = ahead
        self.x, symbols = on(numbers, world, {world.index: 1})
        self.names = list(names_of(world, symbols))
        own = [c for c in world.given if not any(c is fact for fact in proof.facts)]
        self.stated = [r for c in own for r in c.relations(self.x)]
        self.facts = [r for c in proof.facts for r in c.relations(self.x)]
        relations = relations_of(proof.claim.body, self.x, proof.claim.id)
        self.goal = _inequalities(relations)
        if len(alike(numbers, components(self.goal))) > 1:
            raise NotApplicable("z3: a logarithm, or an exponential of a quotient, in one of several relations")

    def besides(self, known: Sequence[Relation]) -> list[tuple[str, str, str]]:
        """What is known besides the conditions, of which each is asked for by itself, as text."""
        own = {*_texts([*self.stated, *self.facts])}
        return [text for text in _texts(known) if text not in own]


def _inequalities(relations: Sequence[Relation]) -> list[Relation]:
    """Every equation as two inequalities."""
    out = []
    for r in relations:
        out += [Relation(r.lhs, "<=", r.rhs, r.name), Relation(r.rhs, "<=", r.lhs, r.name)] if r.op == "==" else [r]
    return out


def _once(relations: Sequence[Relation]) -> list[Relation]:
    """Every component of the relations, the first time that it stands there."""
    found = {
        (a.get_id(), op, b.get_id()): Relation(Real(a), op, Real(b), name)
        for a, op, b, name in reversed(components(relations))
    }
    return list(reversed(found.values()))


def _show(
    proof: Proof, where: str, numbers: Counted, now: Statement, extra: Sequence[Relation], goal: Sequence[Relation],
    beside: Sequence[Term] = (),
) -> None:  # fmt: skip
    """That relations follow where they and the terms `beside` are defined."""
    if not goal:
        return
    known = [
        *now.x.given,
        *_counted(numbers, proof.world),
        *numbers.elementary([*formulas([*now.x.given, *extra, *goal]), *beside]),
        *numbers.ranges(),
    ]
    names = [*now.names, numbers.index, *numbers.symbols()]
    for q, symbol in numbers.raised():
        known += _of_power(proof, names, known, q, Real(symbol))
    proof.show(where, names, [*known, *extra], goal)


def _counted(numbers: Counted, world: Any) -> list[Relation]:
    """That n is at least the first length."""
    n = Real(numbers.z3.Real(numbers.index))
    return [Relation(rational_of(world.first), "<=", n, f"{numbers.index} >= {world.first}")]


def rational_of(n: int) -> Real:
    """A whole number as a term."""
    return Real(rational(n))


def _of_power(proof: Proof, names: Sequence[str], known: Sequence[Relation], q: object, power: Real) -> list[Relation]:
    """What is known of q^n, by the sign of q and on which side of 1 it is."""
    zero, one, base = rational_of(0), rational_of(1), Real(q)
    op = next((op for op in ("<", "<=") if proof.knows(names, known, Relation(zero, op, base), f"0 {op} {q}")), None)
    if op is None:
        return []
    out = [Relation(zero, op, power, f"0 {op} ({q})^n")]
    if proof.knows(names, known, Relation(base, "<=", one), f"{q} <= 1"):
        out.append(Relation(power, "<=", one, f"({q})^n <= 1"))
    elif proof.knows(names, known, Relation(one, "<=", base), f"1 <= {q}"):
        out.append(Relation(one, "<=", power, f"1 <= ({q})^n"))
    return out
