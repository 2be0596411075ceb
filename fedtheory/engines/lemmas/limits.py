"""Limits, proved from finite statements for every length: each rule is one method, and the stand-alone checker has it as well.

What a rule needs of numbers is shown from the claim's lemmas as for every other claim. Limits that are lemmas say which
sequences tend to 0, stay bounded or converge; sums and products of these are read off a polynomial.

Rests on these: a summable sequence of numbers that are not negative tends to 0, a falling one that is bounded below
converges, what is squeezed by a null sequence is one, and continuous functions keep limits. Incomplete: a limit without such
a reason in the list of rules, or whose finite statements no engine proves, is left.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

from ...claim import Claim, everywhere
from ...limits import Limit, element, limits_of
from ...relation import Condition, Relation, le
from ...theorem import Use
from ...verdict import Evidence
from ..certificates.products.polynomials import Reader, Ring
from ..context import Docket
from ..prove.induction import NotShown, defining
from ..z3.terms import Real, bare, formulas
from ..z3.trees import constants, z3_module
from .compose import Composition
from .continuous import require_continuous
from .facts import REFUSED
from .finite import EVERY_LENGTH, EVERY_T, one_of, total
from .grounds import Data, Grounds, concluded
from .one_of_many import OneClient, one_client_of, require_no_counts, require_same, sum_over_clients
from .steps import ANY_TIME


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
    found = proof.data()
    return Evidence("limits", "proves", numbers=numbers, certificate=None if found is None else [], theorem=found)


class Proved(Grounds):
    """The rules, each by the name of the limit that it shows."""

    def _summable(self, limit: Limit) -> None:
        if limit.to["C"] is None:
            raise NotShown("no number is given that bounds the sums")
        self._constant(limit.to["C"], "the bound of the sums")
        parts = {
            "sign": self._at_every("sign", EVERY_T["summable"]),
            "sum": self._at_last("sum", EVERY_LENGTH["summable"]),
        }
        self._enter("summable", limit, parts, C=limit.to["C"], sum=self._total(limit))

    def _total(self, limit: Limit) -> Any:
        return total(limit, self.view.x, getattr(self.view.x, self.view.world.index))

    def _least(self, limit: Limit) -> None:
        self._constant(limit.to["bound"], "the bound", (self.view.world.index,))
        parts = {"sum": self._at_last("sum", EVERY_LENGTH["least"])}
        self._enter("least", limit, parts, bound=limit.to["bound"], sum=self._total(limit))

    def _bounded(self, limit: Limit) -> None:
        to = limit.to
        if to["C"] is not None and to["B"] is None:
            self._constant(to["C"], "the bound")
            self._enter("bounded", limit, {"within": self._at_every("within", EVERY_T["bounded"])}, C=to["C"])
        elif to["C"] is None and to["B"] is not None:
            bound = element(to["B"], self.t)
            self._stays_bounded(bound, "the bound")
            self._enter("stays", limit, {"bound": self._eventually("bound", EVERY_T["null"])}, B=bound)
        elif to["C"] is None:
            self._stays_bounded(limit.at(self.t), "the sequence")
            self._enter("stays", limit, {})
        else:
            raise NotShown("a sequence has one bound")

    def _converges(self, limit: Limit) -> None:
        self._constant(limit.to["b"], "the lower bound")
        parts = {"falls": self._at_every("falls", EVERY_T["converges"])}
        self._enter("converges", limit, parts, b=limit.to["b"])

    def _linear(self, limit: Limit) -> None:
        self._constant(limit.to["q"], "the rate")
        parts = {
            "sign": self._at_every("sign", EVERY_T["linear"]),
            "power": self._at_last("power", EVERY_LENGTH["linear"]),
            "ratio": self._at_last("ratio", EVERY_LENGTH["ratio"]),
        }
        q = limit.to["q"]
        self._enter("linear", limit, parts, q=q, power=q ** getattr(self.view.x, self.view.world.index))

    def _null(self, limit: Limit) -> None:
        to = limit.to
        self._constant(to["b"], "the limit")
        given = [k for k in ("B", "square", "refreshed") if to[k] is not None]
        if len(given) > 1:
            raise NotShown("a limit has one bound")
        if not given:
            self._tends_to_0(limit.at(self.t) - to["b"], "the sequence")
            self._enter("null", limit, {}, b=to["b"])
        elif given == ["refreshed"]:
            self._renewed(limit)
        else:
            bound = element(to[given[0]], self.t)
            if to["for_every"] is None:
                self._tends_to_0(bound, "the bound")
            else:
                self._for_all(to["for_every"], everywhere=True)
                self._tends_to_0_for_every(str(bare(one_of(to["for_every"]))), bound)
            parts = {"bound": self._eventually("bound", EVERY_T["null"])}
            if to["for_every"] is None:
                self._enter("squeezed", limit, parts, b=to["b"], **{given[0]: bound})
            else:
                self._enter("for_every", limit, parts, b=to["b"], B=bound, for_every=to["for_every"])

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
        by, more = (element(v, self.t) for v in (r.by, r.more))
        self._enter("renewed", limit, parts, b=limit.to["b"], falls_to=r.falls_to, grows=r.grows, by=by, more=more)

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
        roles = {"signs": self._at_every("signs", lambda *at: EVERY_T["renewed"](*at)[2:4])}
        if not self._is(r.falls_to, 0):
            roles["rates"] = self._at_last("rates", EVERY_LENGTH["rates"])
        self.base.moves_each = True
        each, mine = {}, self.view
        for what, one in self._of_one_client.items():
            try:
                self.view = one.known.view(at_every=True)
                self.view._facts(self.view.t)
                added = self._added_to_each(one)
            finally:
                self.view = mine
            each[what] = self._at_a_step(what, one, added)
        by, more = (element(v, self.t) for v in (r.by, r.more))
        to = {"b": limit.to["b"], "falls_to": r.falls_to, "grows": r.grows, "by": by, "more": more}
        self._enter("renewed", limit, roles, {"each": each}, **to)
        of_selected = self._name(self.term(by)) or ""  # each client's is what it has, or 0
        self.known.null[of_selected] = self.known.bounded[of_selected] = self.where

    def _added_to_each(self, one: Composition) -> list[str]:
        """The sequences in what is added to what a client has, which tends to 0 of each client as it does in sum."""
        more = element(limits_of(self.claim.body(self.view.x))[self.place].to["refreshed"].more, self.t)
        self._tends_to_0(more, "what is added")
        ring, q = self._quotient(more)
        names = sorted({self._element(n) for n in ring.names_in(q.num) if self._varies(n)})
        for name in names:
            sum_over_clients(self.claim.world, self.base.states, name)
            if name not in one.least:
                raise NotShown(f"{name} may be negative, so that it may vanish in sum and not of each client")
        return names

    def _at_a_step(self, what: str, one: Composition, added: Sequence[str]) -> Data:
        """Show what is to be shown of a step of one client, with the theorem about it as data."""

        def said(x: Any, t: Any) -> tuple[Relation, ...]:
            return (*self._relations(x, EVERY_T["renewed"], t)[:2], *self._relations(x, EVERY_T["renewed"], t)[4:],
                    *(le(0, getattr(x, name)[t]) for name in added))  # fmt: skip

        own = dataclasses.replace(one.claim, id=f"{self.where}, {what}", by=())
        answer = concluded(one, dataclasses.replace(own, body=everywhere(said, own.world.index, own.id)))
        if answer.outcome != "proves":
            raise NotShown(answer.reason)
        if answer.theorem is None:
            self.open = self.open or one.closed.open or f"of a client that is {what} there is no certificate"
            return {}
        return {"theorem": {**answer.theorem, "parts": answer.certificate}}

    @cached_property
    def _of_one_client(self) -> dict[str, Composition]:
        """What the lemmas about steps and numbers say of a step of one client, which is selected or not."""
        run = one_client_of(self.claim.world, self.base.states, self.view)
        by = tuple(u for u in self.finite.by if isinstance(u, Use) and not u.claim.world.index)
        own = dataclasses.replace(self.finite, world=run, by=by)
        found: dict[str, Composition] = {
            what: OneClient(own, self.docket, chosen=k) for what, k in (("selected", 1), ("passed over", 0))
        }
        for one in found.values():
            one.compose()
        return found

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
        self._enter("together", limit, {})

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
        parts = {"then": self._at_last("then", EVERY_LENGTH["below"], self.composed(late))}
        total = {"sum": self._total(limit)} if to["least"] else {}
        self._enter("below", limit, parts, eps=to["eps"], after=to["after"], **total)

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
        stated += [r for c in world.parts().every for r in c.relations(x, self.t)]
        if name in constants(formulas(stated)):
            raise NotShown(f"a condition reads {name}, which must be any positive number")
        if everywhere:
            self.base.require_unread({name})

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
                named = {"after": Real(after), "log": Real(z3.Real(log)), "of_log": Real(inside)}
                self._enter("geometric", limit, {}, None, eps=limit.to["eps"], **named)
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
        self._enter("stationary", limit, {}, {"points": list(limit.to["points"])})
