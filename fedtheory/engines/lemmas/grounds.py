"""What rules of limits rest on: what lemmas say of sequences, and finite statements for every length or at every t."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from ...claim import Claim
from ...limits import Limit, limits_of
from ...relation import Condition, Relation
from ...theorem import Printed, Use
from ...verdict import Evidence
from ..certificates.limits import data
from ..certificates.parts import Part
from ..certificates.products.polynomials import Quotient, Reader, Ring, Split
from ..certificates.theorems import NotClosed
from ..context import Docket
from ..prove.induction import NotShown
from ..z3.terms import bare, formulas
from ..z3.trees import constants, z3_module
from .along import same_run
from .compose import Composition
from .facts import REFUSED
from .finite import finite_facts, one_of
from .instance import lacking
from .said import along
from .steps import ANY_TIME

Rel = Callable[..., Any]
Data = dict[str, Any]
Role = Data  # how a finite statement is shown: "by" and "parts"


@dataclass
class Known:
    """What limits that are lemmas say of the sequences of the claim, by name or as terms, with whose word it is."""

    null: dict[str, str] = field(default_factory=dict)
    bounded: dict[str, str] = field(default_factory=dict)
    convergent: dict[str, str] = field(default_factory=dict)
    linear: list[tuple[Any, Any, str]] = field(default_factory=list)
    differences: list[tuple[Any, str]] = field(default_factory=list)  # terms that tend to 0
    recurring: list[tuple[Any, Any, str]] = field(default_factory=list)
    selected: list[str] = field(default_factory=list)  # that every client is selected again and again


@dataclass
class Grounds:
    """The proof of the limits of one claim."""

    claim: Claim
    docket: Docket
    limits: list[Data] = field(default_factory=list)  # as data of a certificate
    printed: list[list[Any]] = field(default_factory=list)
    open: str = ""  # why there is no certificate, where something was used that has no rule
    rules: list[str] = field(default_factory=list)
    known: Known = field(default_factory=Known)

    # the numbers

    @cached_property
    def finite(self) -> Claim:
        """The claim about numbers on which the limits stand: same world, and of each limit among its lemmas what is finite."""
        by: list[Any] = []
        for one in self.claim.by:
            if isinstance(one, Use) and one.claim.limits:
                by += [Use(c, one.at) for c in finite_facts(one.claim)]
            elif not isinstance(one, Printed):
                by.append(one)
        return dataclasses.replace(self.claim, by=tuple(by))

    def composed(self, *stated: Condition) -> Composition:
        """What the lemmas say, where more is stated."""
        world: Any = self.claim.world
        own = dataclasses.replace(self.finite, world=dataclasses.replace(world, given=(*world.given, *stated)))
        found = Composition(own, self.docket)
        found.compose()
        return found

    @cached_property
    def base(self) -> Composition:
        return self.composed()

    @cached_property
    def view(self) -> Any:
        """The numbers at any t."""
        view = self.base.known.view(at_every=True)
        view._facts(view.t)  # with the elements of which they speak, and their ranges
        return view

    @cached_property
    def said(self) -> tuple[Limit, ...]:
        """The limits in these."""
        found = limits_of(self.claim.body(self.view.x))
        if not found:
            raise NotShown("a body returns limits alone, or relations alone")
        return found

    @property
    def t(self) -> Any:
        return self.view.t[0]

    def term(self, value: Any) -> Any:
        return z3_module().simplify(bare(one_of(value)), som=True)

    # the proof

    def whole(self) -> None:
        world: Any = self.claim.world
        if world.parts().means:
            raise NotShown("a mean over the steps changes with the length: it has no place in a run that never ends")
        self._lengths_are_free()
        self._read_lemmas()
        for k, limit in enumerate(self.said):
            rule = getattr(self, f"_{limit.kind}", None)
            if rule is None:
                raise NotShown(f"'{limit}' is a hypothesis, and is not proved")
            self.where = f"{self.claim.id} limit {k + 1}"
            self.place = k
            rule(limit)
            self._take(self.where, [limit], printed=False)  # for those after it

    def _lengths_are_free(self) -> None:
        """Nothing that makes or is stated of the run reads the length itself: a run that never ends has none."""
        world: Any = self.claim.world
        view = self.base.known.view(at_every=True)
        x, t = view.x, view.t[0]
        index = view.world.index
        stated = [(c.printed, formulas(c.relations(x))) for c in world.given]
        stated += [(c.printed, formulas(c.relations(x, t))) for c in world.parts().every]
        own = [(name, getattr(x, name)) for name in world.parts().derived]
        stated += [(name, [bare(one_of(v))]) for name, v in own if not hasattr(v, "listed")]
        for what, terms in stated:
            read = constants(terms)
            if index in read or any(name.startswith("power:") for name in read):
                raise NotShown(f"{what} reads the length, and a limit is about every length")
        self.base.require_unread({index}, "the length, and a limit is about every length")

    def _read_lemmas(self) -> None:
        for one in self.claim.by:
            if isinstance(one, Printed):
                self._take(one.printed, limits_of(one.relation(self.view.x)), printed=True)
            elif isinstance(one, Use) and one.claim.limits:
                self._require_stated(one.claim)
                self._take(one.claim.id, limits_of(one.claim.body(self._seen(one))), printed=False)

    def _require_stated(self, lemma: Claim) -> None:
        """What is stated of the whole run of a lemma, and of those on which it stands, is stated of the claim's."""
        own = [one for one in self.claim.by if isinstance(one, Printed)]
        for one in lemma.by:
            if isinstance(one, Printed) and one not in own:
                raise NotShown(f"{lemma.id} rests on '{one.printed}', which is not stated of the claim's run")
            if isinstance(one, Use) and one.claim.limits:
                self._require_stated(one.claim)

    def _seen(self, one: Use) -> Any:
        """The numbers of the claim under the names of a limit that is a lemma."""
        lemma: Any = one.claim.world
        if lemma.index in one.at:
            raise NotShown(f"{one.claim.id}: a limit is used at every length, not at one")
        if not hasattr(lemma, "quantities"):
            y = along(one, self.view.world.index, self.view.x, self.t)
            for name in one.at:
                value, sequence = getattr(y, name), name in getattr(lemma, "sequences", ())
                self._require_steady(value[self.t] if sequence else value, f"{one.claim.id}: {name}", sequence=sequence)
            return y
        if not hasattr(self.claim.world, "quantities") or one.at or not same_run(lemma, self.claim.world):
            raise NotShown(f"{one.claim.id} is a limit of another run; a limit of a run is used in this run alone")
        own = self.claim.world.quantities
        other = {name for name, fn in lemma.quantities.items() if own.get(name) != fn}
        why = f"{one.claim.id} is about a quantity that is none of the claim's run"
        x = self.view.x.at(**{name: lacking(f"{why}, {name}", None) for name in other})
        return x.at(**{lemma.index: getattr(self.view.x, self.view.world.index)})

    def _take(self, who: str, found: Sequence[Limit], *, printed: bool) -> None:
        known = self.known
        for one in found:
            if one.kind == "chosen":
                self._constant(one.to["S"], "the number of steps")
                self.printed.append(["chosen", self._text(one.to["S"])])
                known.selected.append(who)
                continue
            terms = [self.term(one.at(self.t, k)) for k in range(len(one.of))]
            name = self._name(terms[0]) if terms else None
            if one.kind == "recurs":
                self._constant(one.to["S"], "the number of steps")
                known.recurring.append((*terms, who))  # type: ignore[arg-type]
                with suppress(*REFUSED, NotClosed, Split):
                    said = [self._text(v) for v in (*(one.at(self.t, k) for k in range(2)), one.to["S"])]
                    self.printed.append(["recurs", *said])
            elif printed:
                raise NotShown(f"{who}: '{one}' is what is to be shown, and nothing that a paper states")
            if one.kind == "linear":
                known.linear.append((terms[0], self.term(one.to["q"]), who))
            if one.kind in ("summable", "linear") or (one.kind == "null" and self._is(one.to["b"], 0)):
                known.differences.append((terms[0], who))
                if name:
                    known.null[name] = known.bounded[name] = known.convergent[name] = who
            if one.kind == "null":
                known.differences.append((self.term(one.at(self.t) - one.to["b"]), who))
            if one.kind == "together":
                z3 = z3_module()
                known.differences += [(z3.simplify(t - terms[0], som=True), who) for t in terms[1:]]
            for kind in ("converges", "together", "bounded", "null"):
                if one.kind == kind:
                    for own in filter(None, map(self._name, terms)):
                        known.bounded[own] = who
                        if kind != "bounded":
                            known.convergent[own] = who

    # what rules need

    def _name(self, term: Any) -> str | None:
        """The sequence of which a term is the element at t."""
        text = str(term) if term.num_args() == 0 else ""
        return text[: -len(f"[{ANY_TIME}]")] if text.endswith(f"[{ANY_TIME}]") else None

    def _is(self, value: Any, other: Any) -> bool:
        z3 = z3_module()
        return bool(z3.eq(self.term(one_of(value) - one_of(other) if other is not None else value), z3.RealVal(0)))

    def _constant(self, value: Any, what: str, allowed: Sequence[str] = ()) -> None:
        """A number reads no length, no time and no element but those at 0."""
        for name in sorted(constants([bare(one_of(value))])):
            if name not in allowed and self._varies(name):
                raise NotShown(f"{what} reads {name}, which is no number of the whole run")

    def _require_steady(self, value: Any, what: str, *, sequence: bool) -> None:
        """What stands for a number of a limit is one; for a sequence, what reads no elements but those at t."""
        for name in sorted(constants([bare(one_of(value))])):
            if self._varies(name) and not (sequence and (self._element(name) or name == ANY_TIME)):
                raise NotShown(f"{what} reads {name}, and a limit is one of a whole run")

    def _varies(self, name: str) -> bool:
        return "[" in name or ":" in name or name == self.view.world.index

    def _quotient(self, value: Any) -> tuple[Ring, Quotient]:
        term = bare(one_of(value))
        ring = Ring(tuple(sorted(constants([term]))))
        return ring, Reader(ring, {})(term)

    def _tends_to_0(self, value: Any, what: str) -> None:
        """Every term of a polynomial has a factor that tends to 0, and others that stay bounded."""
        if any(z3_module().eq(self.term(value), t) for t, _ in self.known.differences):
            return
        ring, q = self._quotient(value)
        for name in ring.names_in(q.den):
            if self._varies(name):
                raise NotShown(f"{what} is divided by {name}, which is no number")
        for powers, _ in q.num.terms():
            names = [n for n, e in zip(ring.names, powers, strict=False) if int(e)]
            of_t = [n for n in names if self._varies(n)]
            sequences = {n: self._element(n) for n in of_t}
            if not any(sequences[n] in self.known.null for n in of_t):
                left = " ".join(names) or "a number"
                raise NotShown(f"{what} has the term {left}, of which no factor is known to tend to 0")
            for n in of_t:
                if sequences[n] not in self.known.bounded:
                    raise NotShown(f"{what} has the factor {n}, of which no bound is known")

    def _stays_bounded(self, value: Any, what: str) -> None:
        """A polynomial of sequences that stay bounded."""
        ring, q = self._quotient(value)
        for name in ring.names_in(q.den):
            if self._varies(name):
                raise NotShown(f"{what} is divided by {name}, which is no number")
        for name in ring.names_in(q.num):
            if self._varies(name) and self._element(name) not in self.known.bounded:
                raise NotShown(f"{what} has the factor {name}, of which no bound is known")

    def _tends_to_0_for_every(self, scalar: str, value: Any) -> None:
        """What is at most this for every positive value of a scalar tends to 0.

        Each term tends to 0 whatever the scalar is, or is a multiple of a power of it by what stays bounded.
        """
        ring, q = self._quotient(value)
        at = ring.names.index(scalar) if scalar in ring.names else None
        if at is None:
            raise NotShown(f"the bound does not read {scalar}")
        below = {int(powers[at]) for powers in q.den.monoms()}
        if len(below) != 1:
            raise NotShown(f"the bound is divided by a sum with {scalar}")
        for name in ring.names_in(q.den):
            if self._varies(name):
                raise NotShown(f"the bound is divided by {name}, which is no number")
        for powers, _ in q.num.terms():
            of_t = [n for n, e in zip(ring.names, powers, strict=False) if int(e) and self._varies(n)]
            vanishes = any(self._element(n) in self.known.null for n in of_t)
            if not vanishes and int(powers[at]) <= max(below):
                raise NotShown(f"a term of the bound is not small where {scalar} is, and is not known to tend to 0")
            for n in of_t:
                if self._element(n) not in self.known.bounded:
                    raise NotShown(f"the bound has the factor {n}, of which no bound is known")

    @staticmethod
    def _element(name: str) -> str:
        """The sequence of an element at t, or some steps later or before."""
        sequence, _, at = name.partition("[")
        return sequence if at.strip("'").removesuffix("]").strip("'") == ANY_TIME else ""

    # finite statements

    def _relations(self, x: Any, of: Rel, *t: Any) -> list[Relation]:
        found = of(limits_of(self.claim.body(x))[self.place], x, *t)
        return list(found if isinstance(found, tuple) else (found,))

    def _at_every(self, role: str, of: Rel) -> Role:
        """Show relations at every t."""
        return self._shown(role, self.view, self._relations(self.view.x, of, self.t))

    def _at_last(self, role: str, of: Rel, composed: Composition | None = None) -> Role:
        """Show relations at every length, directly or by induction."""
        composed = composed or self.base
        view = composed.known.view(at_every=False)
        try:
            return self._shown(role, view, self._relations(view.x, of, getattr(view.x, view.world.index)))
        except REFUSED as error:
            own = dataclasses.replace(composed.claim, body=partial(self._at_length, of), by=())
            answer = concluded(composed, own)
            if answer.outcome != "proves":
                raise NotShown(str(error)) from None
            if answer.theorem is None:
                self.open = self.open or composed.closed.open or f"{role} has no certificate"
                return {"by": [], "parts": []}
            return self._role(role, answer.theorem["by"], answer.certificate or [])

    def _at_length(self, of: Rel, x: Any) -> Any:
        return tuple(self._relations(x, of, getattr(x, self.claim.world.index)))

    def _eventually(self, role: str, of: Rel) -> Role:
        """Show relations at every t, or at the end of every run: from the first length on."""
        try:
            return self._at_every(role, of)
        except REFUSED:
            return self._at_last(role, of)

    def _shown(self, role: str, view: Any, relations: Sequence[Relation]) -> Role:
        known, where = view.known, f"{self.where}, {role}"
        before = len(known.parts)
        view.show(where, relations)
        if known is self.base.known:  # which belong to no lemma
            self.base.taken = len(known.parts)
        return self._role(role, ["any" if view.at_every else "length"], known.parts[before:])

    def _role(self, role: str, by: Sequence[str], parts: Sequence[Part | None]) -> Role:
        """How a finite statement is shown; where z3 alone shows it, there is no certificate."""
        if None in parts:
            self.open = self.open or f"z3 alone shows {role} of '{self.said[self.place]}'"
        return {"by": list(by), "parts": [{"where": f"{self.where}, {role}", **part} for part in parts if part]}

    def _enter(self, rule: str, limit: Limit, roles: Mapping[str, Role], says: Data | None = None, **to: Any) -> None:
        """Note by which rule a limit follows: the numbers and sequences of the rule, and how its finite statements are shown."""
        self.rules.append(rule)
        if self.open or self.base.closed.open:
            return
        try:
            of = [self._text(limit.at(self.t, k)) for k in range(len(limit.of))]
            named = {name: self._text(value) for name, value in to.items()}
        except (*REFUSED, NotClosed, Split) as error:
            self.open = str(error)
            return
        self.limits.append(
            {"rule": rule, "says": str(limit), "of": of, "to": named, "roles": dict(roles), **(says or {})}
        )

    def _text(self, value: Any) -> Any:
        return self.base.closed.text(bare(one_of(value)))

    def data(self) -> Data | None:
        """The limits as data of a certificate; None where something was used that has no rule."""
        composed = self.base
        closed = composed.closed
        if self.open or closed.open:
            return None
        composed.moves_each |= bool(self.known.selected)
        composed.finish_model()
        self._place_clients()
        if self.open or closed.open:
            return None
        of_limits = {one.claim.id for one in self.claim.by if isinstance(one, Use) and one.claim.limits}
        scopes = {id: ["length", "t"] for id in of_limits}  # in the order of `finite_facts`
        for use in closed.uses:
            if isinstance(use["lemma"], str) and use["lemma"] in of_limits and "finite" not in use:
                scope = scopes[use["lemma"]].pop(0)
                scopes[use["lemma"]].append(scope)
                use |= {"finite": scope, "values": use["values"][1:]}  # without 0 <= 0
        return data(closed, self.limits, self.printed)

    def _place_clients(self) -> None:
        """Enter what stands for the vectors and values of a step of one client, in every state of the run."""
        for one in self.limits:
            for own in one.get("each", {}).values():
                own["of"] = places_of_one(self.base.closed.model, own["theorem"]["model"])


def places_of_one(model: Data | None, step: Data) -> list[Data]:
    """The places in every state of a run of the vectors and values of a state of one client, which have the same names."""
    (theirs,), out = step["states"], []
    for state in model["states"] if model else ():
        found: Data = {}
        for what in ("leaves", "values"):
            names = {_of_one(name) if state["sizes"] else name: int(k) for k, name in state[what].items()}
            found[what] = {k: names[name] for k, name in theirs[what].items() if name in names}
        out.append(found)
    return out


def _of_one(name: str) -> str:
    """What a vector of a client or of all is called where there is one client; another one has no such name."""
    kind, _, own = name.partition(" ")
    return own if kind in ("client", "shared") else name


def concluded(composed: Composition, own: Claim) -> Evidence:
    """What induction says of a relation at the length, from what the lemmas say."""
    closed = composed.closed
    held, composed.claim = (composed.claim, closed.claim), own
    closed.claim = dataclasses.replace(own, world=closed.claim.world)
    try:
        return composed.conclude()
    finally:
        composed.claim, closed.claim = held
