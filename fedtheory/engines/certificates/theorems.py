"""Theorems for every length as plain data that are closed: what is stated, the model, what each lemma says where, the statement.

`fedtheory_check` computes from this again what a lemma says where it is used and what the statement is at the first length and
at the next one. Powers and sums up to an index are sequences that are defined by their start and their step. What cannot be
written so has no certificate.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ...claim import Claim
from ...errors import NotApplicable, UsageError
from ...gram.factored import factored
from ...gram.ratio import Ratio
from ...relation import Relation, as_relations, relations_of
from ..z3.index import ANY, OWN, Counted
from ..z3.terms import Called, Index, Reals, Term, on
from ..z3.trees import constants, z3_module
from .parts import Part, components
from .products.facts import read
from .products.polynomials import Quotient, Reader, Ring, Split

ANY_TIME = "t:any"
OP = {"<=": ">=", "<": ">", "==": "=="}
Said = list[Any]  # [operator, quotient] of what is compared with 0
ELEMENT = re.compile(r"(\w+)\[('*)([\w:]+)('*)\]")


class NotClosed(Exception):
    """Why there is no certificate of a theorem."""


@dataclass
class Closed:
    """What a theorem is about, and what was used for it.

    Attributes
    ----------
    claim : Claim
        In a world of numbers, without what lemmas say.
    called : dict
        What symbols stand for.
    uses : list of dict
        What each lemma, and each identity, says, with the parts that show what it asks.
    model : dict or None
        The states of a run, as forms.
    open : str
        Why it cannot be written, where something was used that has no rule.
    signs : list of str
        Quantities whose sign is shown and not stated.
    """

    claim: Claim
    called: Called
    uses: list[dict[str, Any]] = field(default_factory=list)
    model: dict[str, Any] | None = None
    open: str = ""
    signs: list[str] = field(default_factory=list)

    @property
    def world(self) -> Any:
        return self.claim.world

    def data(self, parts: Sequence[Part] | None) -> dict[str, Any] | None:
        """The theorem that parts prove; None where it cannot be written."""
        if parts is None or self.open:
            return None
        try:
            return self._data(parts)
        except (NotClosed, NotApplicable, UsageError, Split, ZeroDivisionError, z3_module().Z3Exception):
            return None

    def _data(self, parts: Sequence[Part]) -> dict[str, Any]:
        contexts = {part["context"] for part in parts}
        by = ["any"] if self.claim.at_t else ["base", "step"] if "base" in contexts else ["direct"]
        numbers = self.numbers()
        statement = self._statement(numbers)
        stated = [*self._stated(numbers), *self._elementary(numbers, statement)]
        defined, names = self.symbols()
        stands = set(re.findall(r"[A-Za-z_]\w*", str([one[2] for one in stated])))
        words = {name: self.element_of(name) for name in self._words(parts) | stands}
        for part in (*parts, *(p for use in self.uses for p in use["parts"])):
            note_roots(part)
        return {
            "index": self.world.index, "first": self.world.parts().first, "model": self.model, "by": by,
            "names": {**names, **{name: to for name, to in words.items() if to}, "t": ANY_TIME},
            "defined": defined, "stated": stated, "uses": self.uses, "statement": statement, **self.exponentials(),
        }  # fmt: skip

    def exponentials(self) -> dict[str, object]:
        """The exponents of what is called an exponential, where there are such."""
        found = {name: self.text(inside) for (kind, *_), (name, inside, *_to) in self.called.items() if kind == "exp"}
        return {"exponentials": found} if found else {}

    def numbers(self) -> Reals:
        """Terms that share the symbols of the proof."""
        world = self.world
        return Counted(world.index, world.first, self.called) if world.index else Reals(called=self.called)

    def _words(self, parts: Sequence[Part]) -> set[str]:
        """The names of all parts."""
        out: set[str] = set()

        def look(part: Any) -> None:
            out.update(part.get("names", ()))
            for each in (*part.get("each", ()), *(part[k] for k in ("yes", "no") if k in part)):
                look(each)

        for part in (*parts, *(p for use in self.uses for p in use["parts"])):
            look(part)
        return out

    def element_of(self, name: str) -> str:
        """D[0] for D0."""
        rows = self.world.parts().sequences
        sequence = name.rstrip("0123456789")
        return f"{sequence}[{name[len(sequence) :]}]" if sequence in rows and sequence != name else ""

    # what is stated, and the statement

    def _stated(self, numbers: Reals) -> list[list[Any]]:
        """[scope, operator, quotient, name] of ranges and conditions."""
        world, out = self.world, []
        x, _ = on(numbers, world, {world.index: 1} if world.index else {})
        ranges = [r for name in world.parts().listed for r in world.scalars[name].relations(name, getattr(x, name))]
        said_of_all = [one[:2] for one in self.said(ranges)]  # at every t, of which these elements are some
        for one in self.said(x.given):
            if not self._is_shown(one) and one[:2] not in said_of_all:
                out.append(["given", *one])
        if not world.index:
            return out
        t = Index(numbers, ANY_TIME)
        for name, spec in world.sequences.items():
            for scope, at in (("t", t), ("t", t + 1), ("length", Index(numbers, world.index))):
                sequence = getattr(x, name)
                said = self.said(spec.relations(name, sequence[at]))
                out += [[scope, *one] for one in said if not self._is_shown(one)]
        every = [r for c in world.every for r in as_relations(c.relation(x, t), c.printed)]
        return out + [["t", *one] for one in self.said(every)]

    def _is_shown(self, one: Said) -> bool:
        """Whether this is the sign of a quantity, which is shown."""
        if one[0] != ">=" or not isinstance(one[1], str):
            return False
        element = ELEMENT.fullmatch(one[1])
        return (element[1] if element else one[1]) in self.signs

    def _elementary(self, numbers: Reals, statement: Sequence[Said]) -> list[list[Any]]:
        """What is known of logarithms, and of exponentials beside these; the statement has them, and is about their domain.

        Of exponentials alone the checker knows it.
        """
        z3 = z3_module()
        for (kind, *_), (name, inside, *_to) in list(self.called.items()):
            if kind in ("exp", "log"):
                numbers.transcendental[kind, inside.get_id()] = inside, z3.Real(name)
                if kind == "log" and name not in re.split(r"[ *^\-+\"\[\],']+", str(statement)):
                    raise NotClosed("a logarithm that the statement does not have")
        symbols = [symbol for _, symbol in numbers.transcendental.values()]
        logarithms = any(kind == "log" for kind, _ in numbers.transcendental)
        found = Reals.elementary(numbers, symbols) if logarithms else []
        return [["given", *one] for one in self.said(found)]

    def _statement(self, numbers: Reals) -> list[Said]:
        world = self.world
        x, _ = on(numbers, world, {world.index: 1} if world.index else {})
        if self.claim.at_t:
            found = as_relations(self.claim.at_t(x, Index(numbers, ANY_TIME)), self.claim.id)
        else:
            found = relations_of(self.claim.body, x, self.claim.id)
        return self.one_way(found)

    def one_way(self, relations: Iterable[Relation]) -> list[Said]:
        """Relations with every equation as two inequalities."""
        both = []
        for op, value, _ in self.said(relations):
            both += [[">=", value], [">=", self.negative(value)]] if op == "==" else [[op, value]]
        return both

    # terms as text

    def said(self, relations: Iterable[Relation]) -> list[Said]:
        """[operator, quotient, name] of every component of some relations."""
        return [[OP[op], self.text(b - a), name or "stated"] for a, op, b, name in components(relations)]

    def value(self, term: Term) -> Quotient:
        """A term as a quotient."""
        try:
            return Reader(Ring(tuple(sorted(constants([term])))), {})(term)
        except Split as needed:
            raise NotClosed(f"a maximum or a minimum, with cases by the sign of {needed}") from None

    def text(self, term: Term) -> Any:
        """A term as plain data: a polynomial, or one and the powers of others below it."""
        q = self.value(term)
        return quotient_text(q.num, q.den)

    @staticmethod
    def negative(value: Any) -> Any:
        """The same with the other sign."""
        text, below = (value, None) if isinstance(value, str) else value
        terms = text.replace(" - ", " + -").split(" + ")
        turned = " + ".join(t[1:] if t.startswith("-") else f"-{t}" for t in terms).replace(" + -", " - ")
        return turned if below is None else [turned, below]

    def symbols(self) -> tuple[dict[str, list[Any]], dict[str, str]]:
        """(start and step of powers and sums by name, what each symbol is called)."""
        defined: dict[str, list[Any]] = {}
        names: dict[str, str] = {}
        for (kind, *_), (name, inside, *to) in self.called.items():
            if kind == "power":
                own = self.sequence_of("power", inside)
                defined[own] = ["1", self.text(inside * z3_module().Real(f"{own}[{ANY_TIME}]"))]
                names[name] = f"{own}[{ANY_TIME if to[0].startswith(ANY) else to[0]}]"
            elif kind in ("sum", "faded", "product", "upto"):
                own, z3 = self.sequence_called((name, inside, *to)), z3_module()
                before, at_t = z3.Real(f"{own}[{ANY_TIME}]"), z3.substitute(inside, *self._at_any(inside, to[0]))
                of = to[-1] if kind == "upto" else kind
                step = {
                    "sum": at_t + before,
                    "product": at_t * before,
                    "faded": z3.substitute(at_t, (z3.Real(OWN), before)),
                }
                defined[own] = ["1" if of == "product" else "0", self.text(step[of])]
                names[name] = f"{own}[{ANY_TIME if kind == 'upto' else self.world.index}]"
            elif kind == "exp":
                names[name] = self.exponential_of(inside)
            elif kind == "before":
                raise NotClosed("a power to less than the length")
            elif kind in ("log", "sqrt") and self._moves(inside):
                raise NotClosed("a logarithm or a root of what depends on the length, or on the index of a sum")
        return defined, names

    def _moves(self, inside: Term) -> bool:
        """Whether a term reads the length, an index, an element, or a symbol that may."""
        return any(n == self.world.index or ":" in n or "[" in n for n in constants([inside]))

    def sequence_of(self, kind: str, inside: Term, bound: str = "") -> str:
        """What the sequence of powers or sums of something is called, the same wherever it is the same.

        So symbols of others, which are numbered as they are met, do not stand in it; nor does how many sums a sum is within.
        """
        z3, met = z3_module(), constants([inside])
        own = []
        for (of, *_), (name, within, *to) in self.called.items():
            if name in met:
                inner = self.sequence_called((name, within, *to)) if of == "upto" else self.sequence_of(of, within)
                own.append((z3.Real(name), z3.Real(f"{inner}{[to[1]] if of == 'upto' else to}")))
        said = str(self.text(z3.substitute(inside, *own) if own else inside))
        if bound and {*re.findall(rf"{ANY}:\d+", said)} == {bound}:
            said = said.replace(bound, f"{ANY}:1")
        return f"{kind}_{hashlib.sha256(said.encode()).hexdigest()[:8]}"

    def sequence_called(self, symbol: tuple[Any, ...]) -> str:
        """The sequence of a power or a sum by (name of its symbol, what is within, ...)."""
        name, inside, *to = symbol
        kind = name.partition(":")[0]
        return self.sequence_of(to[-1] if kind == "upto" else kind, inside, "" if kind == "power" else to[0])

    def exponential_of(self, inside: Term) -> str:
        """What the exponential of something is called, the same wherever it is the same."""
        return f"exp:{hashlib.sha256(str(self.text(inside)).encode()).hexdigest()[:8]}"

    def _at_any(self, inside: Term, bound: str) -> list[tuple[Term, Term]]:
        """What the names of a term of a sum are at any t."""
        z3 = z3_module()
        return [
            (z3.Real(name), z3.Real(name.replace(bound, ANY_TIME))) for name in constants([inside]) if bound in name
        ]


def note_roots(part: Part) -> None:
    """Of hypotheses that say that a square is positive, what it is the square of."""
    for each in (*part.get("each", ()), *(part[k] for k in ("yes", "no") if k in part)):
        note_roots(each)
    for fact in part.get("facts", ()):
        text, op, _ = fact["says"].rsplit(" ", 2)
        if op == ">" and "from" in fact and "^" in text:
            _, powers = factored(read(text, Ring(tuple(part["names"]))))
            if powers and all(int(e) % 2 == 0 for _, e in powers):
                fact["root"] = [[str(p), int(e) // 2] for p, e in powers]


def quotient_text(num: Any, den: Any) -> Any:
    """A quotient of polynomials as plain data."""
    lead, parts = factored(den)
    below = [[str(p), int(e)] for p, e in parts]
    return [str(num * (1 / lead)), below] if below else str(num * (1 / lead))


def ratio_text(c: Any) -> Any:
    """A coefficient of Gram arrays as plain data."""
    return quotient_text(c.top, c.bottom) if isinstance(c, Ratio) else str(Fraction(c))
