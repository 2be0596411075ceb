"""Limits, proved from finite statements for every length: each rule is one method, and the stand-alone checker has it as well.

What a rule needs of numbers is shown from the claim's lemmas as for every other claim. Limits that are lemmas say which
sequences tend to 0, stay bounded or converge; sums and products of these are read off a polynomial.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from ...claim import Claim
from ...errors import UsageError
from ...limits import Limit, element, limits_of
from ...relation import Condition, Relation, le
from ...theorem import Printed, Use
from ...verdict import Evidence
from ..certificate.parts import Part
from ..docket import Docket
from ..induction import NotShown, defining
from ..links import ANY_TIME
from ..polynomials import Quotient, Reader, Ring
from ..terms import Real, bare, formulas
from ..trees import constants, z3_module
from .along import same_run
from .compose import Composition
from .continuous import require_continuous
from .facts import REFUSED
from .finite import EVERY_LENGTH, EVERY_T, finite_facts
from .one_of_many import OneClient, one_client_of, require_no_counts, require_same, sum_over_clients
from .said import along, lacking
from .shape import exactly, one_of

Rel = Callable[..., Any]


def limits(claim: Claim, docket: Docket) -> Evidence:
    """Prove a claim that says limits; silent about any other."""
    if not claim.limits:
        return Evidence("limits", "silent")
    proof = Proved(claim, docket)
    try:
        proof.whole()
    except REFUSED as error:
        said = "a bound is undefined" if isinstance(error, ZeroDivisionError) else str(error)
        return Evidence("limits", "declines", reason=said)
    numbers = {"how": "by " + ", ".join(proof.rules), "lemmas": [u.claim.id for u in claim.by if isinstance(u, Use)]}
    return Evidence(
        "limits", "proves", numbers=numbers, certificate=None if None in proof.parts else [p for p in proof.parts if p]
    )


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
class Proved:
    """The parts of a proof of the limits of one claim."""

    claim: Claim
    docket: Docket
    parts: list[Part | None] = field(default_factory=list)
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
        if getattr(world, "means", None):
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
        stated += [(c.printed, formulas(c.relations(x, t))) for c in getattr(world, "every", ())]
        own = [(name, getattr(x, name)) for name in getattr(world, "derived", {})]
        stated += [(name, [bare(one_of(v))]) for name, v in own if not hasattr(v, "listed")]
        for what, terms in stated:
            read = constants(terms)
            if index in read or any(name.startswith("power:") for name in read):
                raise NotShown(f"{what} reads the length, and a limit is about every length")
        self._require_unread(index, "the length, and a limit is about every length")

    def _require_unread(self, hidden: str, what: str = "") -> None:
        """Nothing that makes a run reads a name."""
        world: Any = self.claim.world
        for state in self.base.states:
            y = state.x.without({hidden})
            try:
                for draw in y._draws if world.random else (None,):
                    world.moved(y, draw, {})
                world.begun(y)
                for name in world.quantities:
                    world.quantity(name, y)
                for c in world.obeys:
                    c.relations(y)
            except UsageError as error:
                raise NotShown(f"the run reads {what or hidden} ({error})") from None

    def _read_lemmas(self) -> None:
        for one in self.claim.by:
            if isinstance(one, Printed):
                self._take(one.printed, limits_of(one.relation(self.view.x)), printed=True)
            elif isinstance(one, Use) and one.claim.limits:
                self._take(one.claim.id, limits_of(one.claim.body(self._seen(one))), printed=False)

    def _seen(self, one: Use) -> Any:
        """The numbers of the claim under the names of a limit that is a lemma."""
        lemma: Any = one.claim.world
        if lemma.index in one.at:
            raise NotShown(f"{one.claim.id}: a limit is used at every length, not at one")
        if not hasattr(lemma, "quantities"):
            return along(one, self.view.world.index, self.view.x, self.t)
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
                known.selected.append(who)
                continue
            terms = [self.term(one.at(self.t, k)) for k in range(len(one.of))]
            name = self._name(terms[0]) if terms else None
            if one.kind == "recurs":
                self._constant(one.to["S"], "the number of steps")
                known.recurring.append((*terms, who))  # type: ignore[arg-type]
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

    def _at_every(self, role: str, of: Rel) -> str:
        """Show relations at every t."""
        return self._shown(role, self.view, self._relations(self.view.x, of, self.t))

    def _at_last(self, role: str, of: Rel, composed: Composition | None = None) -> str:
        """Show relations at every length, directly or by induction."""
        composed = composed or self.base
        view = composed.known.view(at_every=False)
        try:
            return self._shown(role, view, self._relations(view.x, of, getattr(view.x, view.world.index)))
        except REFUSED as error:
            own = dataclasses.replace(composed.claim, body=partial(self._at_length, of), by=())
            answer = _concluded(composed, own)
            if answer.outcome != "proves":
                raise NotShown(str(error)) from None
            self.parts.append(None)
            return f"{self.where}, {role}"

    def _at_length(self, of: Rel, x: Any) -> Any:
        return tuple(self._relations(x, of, getattr(x, self.claim.world.index)))

    def _eventually(self, role: str, of: Rel) -> tuple[str, str]:
        """Show relations at every t, or at the end of every run: from the first length on."""
        try:
            return self._at_every(role, of), ANY_TIME
        except REFUSED:
            return self._at_last(role, of), self.view.world.index

    def _shown(self, role: str, view: Any, relations: Sequence[Relation]) -> str:
        where = f"{self.where}, {role}"
        view.show(where, relations)
        self.parts.append(exactly(where, view, relations))
        return where

    def _enter(self, rule: str, limit: Limit, parts: dict[str, str], **more: Any) -> None:
        """The last part: which rule, and on which parts it rests."""
        of: Any = {}
        with suppress(*REFUSED):
            _, q = self._quotient(limit.at(self.t) - limit.to.get("b", 0) if limit.kind == "null" else limit.at(self.t))
            of = {"of": str(q.num)} if q.den.is_one() else {}
        word = {"names": {"null": self.known.null, "bounded": self.known.bounded}, "index": self.view.world.index}
        said = {"rule": rule, "says": str(limit), "parts": parts, "time": ANY_TIME, **word, **of, **more}
        self.parts.append({"where": self.where, "limit": said} if of else None)
        self.rules.append(rule)

    # the rules

    def _summable(self, limit: Limit) -> None:
        if limit.to["C"] is None:
            raise NotShown("no number is given that bounds the sums")
        self._constant(limit.to["C"], "the bound of the sums")
        parts = {
            "sign": self._at_every("sign", EVERY_T["summable"]),
            "sum": self._at_last("sum", EVERY_LENGTH["summable"]),
        }
        self._enter("summable", limit, parts)

    def _least(self, limit: Limit) -> None:
        self._constant(limit.to["bound"], "the bound", (self.view.world.index,))
        self._enter("least", limit, {"sum": self._at_last("sum", EVERY_LENGTH["least"])})

    def _bounded(self, limit: Limit) -> None:
        to = limit.to
        if to["C"] is not None and to["B"] is None:
            self._constant(to["C"], "the bound")
            self._enter("bounded", limit, {"within": self._at_every("within", EVERY_T["bounded"])})
        elif to["C"] is None and to["B"] is not None:
            self._stays_bounded(element(to["B"], self.t), "the bound")
            part, time = self._eventually("bound", EVERY_T["null"])
            self._enter("stays", limit, {"bound": part}, time=time)
        elif to["C"] is None:
            self._stays_bounded(limit.at(self.t), "the sequence")
            self._enter("stays", limit, {})
        else:
            raise NotShown("a sequence has one bound")

    def _converges(self, limit: Limit) -> None:
        self._constant(limit.to["b"], "the lower bound")
        self._enter("converges", limit, {"falls": self._at_every("falls", EVERY_T["converges"])})

    def _linear(self, limit: Limit) -> None:
        self._constant(limit.to["q"], "the rate")
        parts = {
            "sign": self._at_every("sign", EVERY_T["linear"]),
            "power": self._at_last("power", EVERY_LENGTH["linear"]),
            "ratio": self._at_last("ratio", EVERY_LENGTH["ratio"]),
        }
        self._enter("linear", limit, parts)

    def _null(self, limit: Limit) -> None:
        to = limit.to
        self._constant(to["b"], "the limit")
        given = [k for k in ("B", "square", "refreshed") if to[k] is not None]
        if len(given) > 1:
            raise NotShown("a limit has one bound")
        if not given:
            self._tends_to_0(limit.at(self.t) - to["b"], "the sequence")
            self._enter("null", limit, {})
        elif given == ["refreshed"]:
            self._renewed(limit)
        else:
            bound = element(to[given[0]], self.t)
            if to["for_every"] is None:
                self._tends_to_0(bound, "the bound")
            else:
                self._for_all(to["for_every"], everywhere=True)
                self._tends_to_0_for_every(str(bare(one_of(to["for_every"]))), bound)
            part, time = self._eventually("bound", EVERY_T["null"])
            rule = "squeezed" if to["for_every"] is None else "for_every"
            scalar = {} if to["for_every"] is None else {"scalar": str(bare(one_of(to["for_every"])))}
            self._enter(rule, limit, {"bound": part}, time=time, **scalar)

    def _renewed(self, limit: Limit) -> None:
        """It falls to a part of itself at least once in so many steps, and grows by what tends to 0 in between."""
        r, z3 = limit.to["refreshed"], z3_module()
        a, by = (self.term(element(v, self.t)) for v in (limit.of[0], r.by))
        if not self._is(limit.to["b"], 0):
            raise NotShown("a sequence that is renewed tends to 0")
        who = next((w for b, whole, w in self.known.recurring if z3.eq(b, by) and z3.eq(whole, a)), None)
        if who is None and self.known.selected:
            self._renewed_each(limit, a, by)
            return
        if who is None:
            raise NotShown("nothing stated says that the sequence is renewed again and again")
        for value, what in ((r.falls_to, "falls_to"), (r.grows, "grows")):
            self._constant(value, what)
        self._tends_to_0(element(r.more, self.t), "what is added")
        parts = {"step": self._at_every("step", EVERY_T["renewed"])}
        if not self._is(r.falls_to, 0):
            parts["rates"] = self._at_last("rates", EVERY_LENGTH["rates"])
        texts = {
            k: self._polynomial(v)
            for k, v in (("falls_to", r.falls_to), ("grows", r.grows), ("by", element(r.by, self.t)))
        }
        self._enter("renewed", limit, parts, recurs=who, **texts)

    def _renewed_each(self, limit: Limit, a: Any, by: Any) -> None:
        """The same of each client: what is shown in the run of any one client holds of each, and so of their sum."""
        run, r, states = self.claim.world, limit.to["refreshed"], self.base.states
        whole, part = (sum_over_clients(run, states, self._name(term) or "") for term in (a, by))
        if whole.over or part.over != run.selection:  # type: ignore[attr-defined]
            raise NotShown("what is renewed is the sum over all clients, by that over the selected ones")
        require_same(states, whole, part)
        for value, what in ((r.falls_to, "falls_to"), (r.grows, "grows")):
            self._constant(value, what)
            require_no_counts(bare(one_of(value)), what)
        mine, parts = self.view, {}
        for what, one in self._of_one_client.items():
            try:
                self.view = one.known.view(at_every=True)
                self.view._facts(self.view.t)
                more = element(limits_of(self.claim.body(self.view.x))[self.place].to["refreshed"].more, self.t)
                self._tends_to_0(more, "what is added")
                ring, q = self._quotient(more)
                for name in {self._element(n) for n in ring.names_in(q.num) if self._varies(n)}:
                    sum_over_clients(run, states, name)
                    if name not in one.least:
                        raise NotShown(f"{name} may be negative, so that it may vanish in sum and not of each client")
                parts[what] = self._at_every(what, EVERY_T["renewed"])
                if not self._is(r.falls_to, 0):
                    parts["rates"] = self._at_last(f"rates, {what}", EVERY_LENGTH["rates"], one)
            finally:
                self.view = mine
        texts = {
            k: self._polynomial(v)
            for k, v in (("falls_to", r.falls_to), ("grows", r.grows), ("by", element(r.by, self.t)))
        }
        self._enter("renewed", limit, parts, recurs=self.known.selected[0], **texts)
        of_selected = self._name(by) or ""  # each client's is what it has, or 0
        self.known.null[of_selected] = self.known.bounded[of_selected] = self.where

    @cached_property
    def _of_one_client(self) -> dict[str, Composition]:
        """What the lemmas about steps and numbers say of a step of one client, which is selected or not."""
        run = one_client_of(self.claim.world, self.base.states, self.view)
        by = tuple(u for u in self.finite.by if isinstance(u, Use) and not u.claim.world.index)
        own = dataclasses.replace(self.finite, world=run, by=by)
        found = {what: OneClient(own, self.docket, chosen=k) for what, k in (("selected", 1), ("passed over", 0))}
        for one in found.values():
            one.compose()
        return found

    def _polynomial(self, value: Any) -> str:
        _, q = self._quotient(value)
        return str(q.num) if q.den.is_one() else "?"

    def _together(self, limit: Limit) -> None:
        """One of them converges, and the differences tend to 0."""
        z3 = z3_module()
        own = [self.term(limit.at(self.t, k)) for k in range(len(limit.of))]
        others = [z3.Real(f"{name}[{ANY_TIME}]") for name in self.known.convergent]
        terms = [*own, *(t for t in others if not any(z3.eq(t, s) for s in own))]
        reached = {next((k for k, term in enumerate(terms) if self._name(term) in self.known.convergent), -1)}
        if reached == {-1}:
            raise NotShown("none of them is known to converge")
        for start in [k for k, term in enumerate(terms) if self._name(term) in self.known.convergent]:
            reached = {start}
            while True:
                more = {
                    k
                    for k in range(len(terms))
                    for j in reached
                    if k not in reached and self._apart(terms[k], terms[j])
                }
                if not more:
                    break
                reached |= more
            if reached >= set(range(len(own))):
                break
        else:
            left = ", ".join(str(own[k]) for k in range(len(own)) if k not in reached)
            raise NotShown(f"no difference of {left} and the others is known to tend to 0")
        self.parts.append(None)  # which terms tend to 0 is in the lemmas
        self.rules.append("together")

    def _apart(self, one: Any, other: Any) -> bool:
        """Whether the difference of two terms tends to 0."""
        z3 = z3_module()
        gaps = [z3.simplify(g, som=True) for g in (one - other, other - one)]
        if any(z3.eq(g, t) for g in gaps for t, _ in self.known.differences):
            return True
        with suppress(*REFUSED):
            self._tends_to_0(Real(gaps[0]), "the difference")
            return True
        return False

    def _below(self, limit: Limit) -> None:
        """From an index on that is an expression: by a rate, or by a linear one and a logarithm."""
        to = limit.to
        self._for_all(to["eps"])
        after = bare(one_of(to["after"]))
        logs = {n for n in constants([after]) if n.startswith("log:")}
        self._constant(to["after"], "the index", tuple(logs))
        if logs:
            self._geometric(limit, after, logs)
            return
        index, where = self.view.world.index, self.where
        self.view.show(f"{where}, the index is defined", defining([Relation(0, "<=", Real(after))], self.view.numbers))
        late = Condition(f"{index} >= the index", "", partial(self._late, index, self.place))
        part = self._at_last("then", EVERY_LENGTH["below"], self.composed(late))
        self._enter("below", limit, {"then": part}, least=to["least"])

    def _late(self, index: str, place: int, x: Any) -> Any:
        return le(limits_of(self.claim.body(x))[place].to["after"], getattr(x, index))

    def _for_all(self, eps: Any, *, everywhere: bool = False) -> None:
        """eps is any positive number: a scalar that no condition reads, and no part of the run either where that is asked."""
        name = str(bare(one_of(eps)))
        spec = self.claim.world.scalars.get(name)
        if spec is None or spec.low != 0 or spec.high is not None:
            raise NotShown("eps must be a positive scalar of the claim")
        world: Any = self.claim.world
        x = self.view.x
        stated = [r for c in world.given for r in c.relations(x)]
        stated += [r for c in getattr(world, "every", ()) for r in c.relations(x, self.t)]
        if name in constants(formulas(stated)):
            raise NotShown(f"a condition reads {name}, which must be any positive number")
        if everywhere:
            self._require_unread(name)

    def _geometric(self, limit: Limit, after: Any, logs: set[str]) -> None:
        """a[T] <= q^T a[0], and q^T <= exp(-(1-q) T) <= eps/a[0] from log(a[0]/eps)/(1-q) on."""
        z3, numbers = z3_module(), self.view.numbers
        term, start = self.term(limit.at(self.t)), bare(one_of(limit.at(0)))
        (log,) = logs if len(logs) == 1 else ("",)
        inside = next(
            (u for (kind, _), (u, L) in numbers.transcendental.items() if kind == "log" and str(L) == log), None
        )
        if inside is None or limit.to["least"]:
            raise NotShown("the index is no logarithm over 1 - q")
        if not self._identical(inside * bare(one_of(limit.to["eps"])), start):
            raise NotShown("the logarithm is not that of a[0]/eps")
        for a, q, _ in self.known.linear:
            if z3.eq(a, term) and self._identical(after * (1 - q), z3.Real(log)):
                self.parts.append(None)
                self.rules.append("geometric")
                return
        raise NotShown("no linear rate is known of which the index is log(a[0]/eps)/(1 - q)")

    def _identical(self, one: Any, other: Any) -> bool:
        ring = Ring(tuple(sorted(constants([one, other]))))
        read = Reader(ring, {})
        return not (read(one) - read(other))

    def _stationary(self, limit: Limit) -> None:
        """Continuous functions of the points that tend to 0 along a run are 0 at its accumulation points."""
        names = []
        for k in range(len(limit.of)):
            name = self._name(self.term(limit.at(self.t, k)))
            if name is None or name not in self.known.null:
                raise NotShown(f"no lemma says that {name or 'a residual'} tends to 0")
            names.append(name)
        require_continuous(self.claim.world, self.base.states, limit.to["points"], names)
        self._enter("stationary", limit, {}, residuals=names, points=list(limit.to["points"]))


def _concluded(composed: Composition, own: Claim) -> Evidence:
    """What induction says of a relation at the length, from what the lemmas say."""
    held, composed.claim = composed.claim, own
    try:
        return composed.conclude()
    finally:
        composed.claim = held
