"""What is known of the numbers of a claim: its ranges and conditions, and the facts that were shown, at T and at every t."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ...instance import Instance
from ...relation import Condition, Relation, as_relations, le
from ..budget import Questions
from ..certificates.parts import Part
from ..context import Docket
from ..prove.induction import Divisor, NotShown, defining, implied, rational_of
from ..z3.index import Counted
from ..z3.terms import Called, Index, Real, Reals, formulas, names_of, on, own_names
from ..z3.trees import constants
from .steps import ANY_ELEMENT, ANY_TIME, follow


@dataclass
class Known:
    """The numbers of a claim, and what follows so far.

    Attributes
    ----------
    world : World
        Of numbers: a region, or one with sequences.
    always, at_length, at_t : list of Condition
        Facts about the numbers, about what comes at the length, and about the elements at every t below it.
    identities : list of Condition
        More facts about the elements, which are used where nothing follows without them.
    parts : list
        Of a certificate, one a fact that had something to be shown; None where z3 alone shows it.
    called : dict
        What symbols stand for, the same in all that is looked at.
    """

    world: Any
    docket: Docket
    always: list[Condition] = field(default_factory=list)
    at_length: list[Condition] = field(default_factory=list)
    at_t: list[Condition] = field(default_factory=list)
    identities: list[Condition] = field(default_factory=list)
    parts: list[Part | None] = field(default_factory=list)
    called: Called = field(default_factory=dict)

    def with_facts(self, *, identities: bool = False, length: bool = True) -> Any:
        """The world with what is known as conditions; without what is known at the length alone it goes on from T to T + 1."""
        own = dataclasses.replace(
            self.world, given=(*self.world.given, *self.always, *(self.at_length if length else ()))
        )
        at_t = (*self.at_t, *(self.identities if identities else ()))
        return dataclasses.replace(own, every=(*own.every, *at_t)) if own.index else own

    def view(self, *, at_every: bool, shape: dict[str, int] | None = None) -> View:
        """The numbers as terms, at the length or at any t below it."""
        world = self.with_facts()
        numbers: Reals = Counted(world.index, world.first, self.called) if world.index else Reals(called=self.called)
        x, symbols = on(numbers, world, shape or ({world.index: 1} if world.index else {}))
        return View(self, world, numbers, x, names_of(world, symbols), at_every)


@dataclass
class View:
    """One look at what is known."""

    known: Known
    world: Any
    numbers: Reals
    x: Instance
    symbols: dict[str, Any]
    at_every: bool
    context: str = ""  # of the parts of a certificate

    @property
    def t(self) -> tuple[Index, ...]:
        """The time, where something is asked at every one."""
        return (Index(self.numbers, ANY_TIME),) if self.at_every else ()

    @property
    def some(self) -> Index:
        """Any index below the length that is asked about."""
        return Index(self.numbers, ANY_ELEMENT if self.at_every else ANY_TIME)

    def show(
        self, where: str, needed: Sequence[Relation], of_elements: Sequence[Relation] = (), below: Any = None
    ) -> None:
        """Enter the parts of a certificate that relations are defined and follow, those of elements before `below` as well.

        Raises
        ------
        NotShown
            If one of them does not follow.
        """
        asked = ([*needed, *defining(needed, self.numbers)], [*of_elements, *defining(of_elements, self.numbers)])
        self._show(where, *asked, below=below)

    def show_where_defined(self, where: str, goal: Sequence[Relation]) -> None:
        """Enter the part of a certificate that relations follow wherever they are defined.

        Raises
        ------
        NotShown
            If one of them does not follow.
        """
        self._show(where, goal, (), defining(goal, self.numbers))

    def _show(
        self,
        where: str,
        needed: Sequence[Relation],
        of_elements: Sequence[Relation],
        more: Sequence[Relation] = (),
        below: Any = None,
    ) -> None:
        try:
            self._follow(where, needed, of_elements, more, below)
        except NotShown:
            if not (self.at_every and self.known.identities):
                raise
            world = self.known.with_facts(identities=True)
            dataclasses.replace(self, world=world)._follow(where, needed, of_elements, more, below)

    def _follow(
        self,
        where: str,
        needed: Sequence[Relation],
        of_elements: Sequence[Relation],
        more: Sequence[Relation],
        below: Any,
    ) -> None:
        numbers, docket = self.numbers, self.known.docket
        at_t = self._facts(self.t) if self.at_every else []  # first, as the elements in them have ranges
        at_s = [*at_t, *self._facts((self.some,))] if of_elements else []
        always = [*self.x.given, *more]
        names = [*self.symbols, *own_names(self.x)]
        if any(name in ("log", "sqrt") for name, _ in numbers.transcendental):
            raise NotShown(f"{where}: the lemma has a logarithm or a root, which may be undefined where it is used")
        exists: list[Relation] = []
        if isinstance(numbers, Counted):
            n, t, s = (Real(numbers.z3.Real(name)) for name in (numbers.index, ANY_TIME, ANY_ELEMENT))
            of_t = [le(0, t, "t >= 0"), le(t + 1, n, "t < the length")]
            always += [*numbers.ranges(), le(self.world.first, n, "the least length"), *(of_t if self.at_every else [])]
            exists = [le(0, s, "s >= 0"), le(s + 1, t if below is None else below, "s < t")] if self.at_every else of_t
            names += [numbers.index, ANY_TIME, *([ANY_ELEMENT] if self.at_every else [])]
        if isinstance(numbers, Counted):
            names += numbers.symbols()
        names = list(dict.fromkeys(names))
        for what, given, asked in ((where, at_t, needed), (f"{where} at every element", [*at_s, *exists], of_elements)):
            if asked:
                self.context = "any" if self.at_every or asked is of_elements else "length"
                stated = [*always, *given]
                positive = self._positive_powers(what, names, stated, asked)
                stated += positive
                stated += self._longer_powers(what, names, stated, asked)
                asked = [_signed(r, stated) for r in asked] if positive else list(asked)
                self._enter(follow(what, names, [*stated, *numbers.elementary(formulas(stated))], asked, docket))

    def _enter(self, part: Part | None) -> None:
        self.known.parts.append(part and {"context": self.context, **part})

    def _facts(self, t: Sequence[Index]) -> list[Relation]:
        """What is known of the elements at these."""
        return [
            Relation(r.lhs, r.op, r.rhs, r.name or c.printed)
            for c in self.world.every for at in t for r in as_relations(c.relation(self.x, at), c.printed)
        ]  # fmt: skip

    def _positive_powers(
        self, where: str, names: Sequence[str], stated: Sequence[Relation], asked: Sequence[Relation]
    ) -> list[Relation]:
        """Of the powers that are asked about, those of positive numbers are positive."""
        if not isinstance(self.numbers, Counted):
            return []
        out: list[Relation] = []
        shown: dict[str, bool] = {}
        mentioned = constants(formulas(asked))
        for q, symbol in (found for found in self.numbers.powers.values() if str(found[1]) in mentioned):
            base = Relation(rational_of(0), "<", Real(q), f"0 < {q}")
            if base.name not in shown:
                shown[base.name] = False
                with suppress(NotShown):
                    self._enter(follow(f"{where}: {base.name}", names, stated, [base], self.known.docket))
                    shown[base.name] = True
            out += [Relation(rational_of(0), "<", Real(symbol), f"0 < ({q})^n")] if shown[base.name] else []
        return out

    def _longer_powers(
        self, where: str, names: Sequence[str], stated: Sequence[Relation], asked: Sequence[Relation]
    ) -> list[Relation]:
        """Of the powers that are asked about, those of numbers of at least 1 grow with the exponent."""
        if not isinstance(self.numbers, Counted) or not self.at_every:
            return []
        mentioned = constants(formulas(asked))
        of: dict[int, dict[str, tuple[Any, Any]]] = {}
        for (of_base, to), (q, symbol) in self.numbers.powers.items():
            if str(symbol) in mentioned:
                of.setdefault(of_base, {})[to] = (q, symbol)
        out: list[Relation] = []
        for found in of.values():
            if {ANY_TIME, self.numbers.index} <= found.keys():
                (q, shorter), (_, longer) = found[ANY_TIME], found[self.numbers.index]
                base = Relation(rational_of(1), "<=", Real(q), f"1 <= {q}")
                with suppress(NotShown):
                    self._enter(follow(f"{where}: {base.name}", names, stated, [base], self.known.docket))
                    out.append(
                        Relation(Real(shorter * q), "<=", Real(longer), f"({q})^(t + 1) <= ({q})^{self.numbers.index}")
                    )
        return out


def _signed(r: Relation, stated: Sequence[Relation]) -> Relation:
    """That a divisor is positive in place of its square, where z3 says that it is: which is easier to certify."""
    if not isinstance(r, Divisor):
        return r
    positive = Relation(rational_of(0), "<", r.of, r.name)
    return positive if implied(stated, [positive], Questions.glance) is True else r
