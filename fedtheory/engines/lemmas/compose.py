"""A claim that is proved from lemmas: each is used by substitution, and the claim follows from what they say, as numbers.

A lemma about functions, or about one step, is evaluated on the leaves of the claim's run and written in its quantities. One
about numbers is used at numbers, one about sequences or runs at a length. Of each it is shown that its ranges and conditions
hold where it is used, that its inequalities are those of the run, and that it is defined there. What then has to be shown is a
statement about numbers for every length, which is proved directly or by induction.

Rests on substitution and cut; that lemmas give a conclusion as numbers rests on product certificates and z3. Incomplete: a
lemma is used at the terms that the claim has, and conclusions of lemmas are combined linearly or by products of bounded
degree.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.forms import Form
from ...relation import Condition, as_relations
from ...theorem import Use
from ...verdict import Evidence
from ..certificates.theorems import Closed, NotClosed
from ..context import Docket
from ..prove.induction import NotShown, induction
from ..prove.scalars import smt
from .along import defined_there, quantities_behind
from .averages import weights
from .ends import OfEnds
from .facts import REFUSED, rests_on_a_step
from .instance import Placed, given_by
from .known import Known
from .readback import number_text
from .recorded import Data, Model, of_forms
from .recorded_numbers import of_numbers
from .said import AFTER, seen_as
from .said import of_numbers as numbers_of
from .shown import WAYS, divisors_in, divisors_of, drawn, of_clients, sum_of
from .state import TIME, State, canonical, depends, slots, states_of, value_at
from .written import described


def theorem(claim: Claim, docket: Docket) -> Evidence:
    """Prove a claim from its lemmas; silent about a claim that names none and is about no run."""
    run = claim.world.parts().quantities is not None and bool(claim.world.index)
    if not (claim.by or run):
        return Evidence("theorem", "silent")
    answer = _composed(Composition(claim, docket))
    if answer.outcome == "declines" and run and claim.world.sizes.get("S") == (1,):
        composed = OneDrawn(claim, dataclasses.replace(docket, certificates=False))
        at_one = _composed(composed)
        if at_one.outcome == "proves":  # a certificate is one of any number of them
            where = dict.fromkeys(state.case.name for state in composed.states)
            scope = [{"parameters": "all", "sizes": sizes} for sizes in where]
            return dataclasses.replace(at_one, outcome="certifies", scope=scope, certificate=None, theorem=None)
    return answer


def _composed(composed: Composition) -> Evidence:
    """What follows from the lemmas of a claim."""
    claim = composed.claim
    try:
        composed.compose()
    except REFUSED as error:
        said = "a lemma is undefined where it is used" if isinstance(error, ZeroDivisionError) else str(error)
        return Evidence("theorem", "declines", reason=said, doubt=bool(claim.by))
    answer = composed.conclude()
    numbers = {**answer.numbers, "lemmas": [u.claim.id for u in claim.by if isinstance(u, Use)]}
    return dataclasses.replace(answer, numbers=numbers)


def _listed() -> Data:
    raise NotClosed("a lemma about numbers at listed sizes")


class Composition(OfEnds):
    """The facts that a claim's lemmas give, and what they were shown from."""

    def compose(self) -> None:
        """Enter what is known of the quantities, and every lemma in its order.

        Raises
        ------
        NotShown
            If one of them does not fit.
        """
        world = self.world
        if hasattr(world, "quantities"):
            if not world.index:
                raise NotShown("a claim about one step takes no lemmas: say it of the run, at every t")
            self.states = self._all_states()
            least = [name for name in world.quantities if self._not_negative(name)]
            self.known = Known(world.in_numbers(least), self.docket)
            self._begin()
            self._of_quantities()
            self.least = least
        else:
            self.known = Known(world, self.docket)
            self._begin()
        for one in self.claim.by:
            if isinstance(one, Use):  # what is assumed is a condition of the world
                self._use(one)

    def _all_states(self) -> list[State]:
        return states_of(self.world)

    def _begin(self) -> None:
        """The theorem as data, with nothing used yet."""
        self.closed = Closed(dataclasses.replace(self.claim, world=self.known.world, by=()), self.known.called)
        if not self.docket.certificates:
            self.closed.open = "no certificate is sought"
        if not self.states or self.closed.open:
            return
        try:
            self.model = Model(self.world, self.states, self._expected)
        except (*REFUSED, NotClosed) as error:
            self.closed.open = str(error)

    def conclude(self) -> Evidence:
        """Prove the claim from what is known."""
        self.finish_model()
        body = self.claim.at_t
        if body is not None:
            return self._at_any_t(body)
        answer = self._from_facts()
        if answer.outcome != "proves" and self.known.identities:
            answer = self._from_facts(identities=True)
        if answer.outcome != "proves" and self.known.at_length:
            answer = self._from_facts(identities=True, length=False)
        if answer.outcome == "proves" or not self.at_end:
            return answer
        for enter, use in self.at_end:
            with suppress(*REFUSED):
                enter()
                parts, self.taken = self.known.parts[self.taken :], len(self.known.parts)
                use.setdefault("parts", []).extend(part for part in parts if part)
        return self._from_facts(identities=True)

    def finish_model(self) -> None:
        """Enter the model into the theorem as data, once."""
        if self.model is not None and not self.closed.open and self.closed.model is None:
            self._follow()
            self._note_moves()
            self._show_signs()
            ends = self._ends()
            for state in self.states:  # with what is known of all that is read, on which a lemma of it may rest
                state.space.close()
            try:
                self.closed.model = self.model.finished()
            except NotClosed as error:
                self.closed.open = str(error)
                return
            if self.world.parts().means:
                self.closed.model["means"] = weights(self.closed, self.world)
            if ends:
                self.closed.model["within"] = ends

    def _follow(self) -> None:
        """Enter the quantities on which theorems about the very run stand into the model, of which theirs are a part then."""
        assert self.model is not None
        own = dict(self.model.run.quantities)
        try:
            for theorem, _ in self.of_this_run:
                self.model.follow(quantities_behind(theorem))
        except (*REFUSED, NotClosed) as error:
            self.closed.open = str(error)
        for _, use in self.of_this_run if self.model.run.quantities != own or self.followed else ():
            use.pop("run", None)
            use["part"] = True

    def _from_facts(self, *, identities: bool = False, length: bool = True) -> Evidence:
        world = self.known.with_facts(identities=identities, length=length)
        claim = dataclasses.replace(self.claim, world=world, by=())
        facts = self.known.at_length if length else ()
        if claim.world.index:
            answer = induction(claim, self.docket, self.closed, facts, self.of_the_whole() if length else ())
        else:
            answer = self._of_numbers(claim)
        if answer.theorem is None:
            answer = dataclasses.replace(answer, certificate=None)  # it would rest on what lemmas say as on hypotheses
        if answer.hypotheses.get("satisfiable") is False:
            ids = ", ".join(dict.fromkeys(one.id for one in self.claim.lemmas))
            return Evidence("theorem", "declines", reason=f"the conditions contradict what {ids} says", doubt=True)
        return answer

    def _of_numbers(self, claim: Claim) -> Evidence:
        """A claim about numbers alone, at every size; what was sought without its lemmas is stored under another key."""
        answer = smt(dataclasses.replace(claim, id=f"{claim.id}: from lemmas"), self.docket)
        if answer.certificate is None or any(part["where"] != "all" for part in answer.certificate):
            return answer
        parts = [{**part, "context": "direct"} for part in answer.certificate]
        return dataclasses.replace(answer, certificate=parts, theorem=self.closed.data(parts))

    def _at_any_t(self, body: Callable[..., Any]) -> Evidence:
        view = self.known.view(at_every=True)
        try:
            view.show_where_defined(f"{self.claim.id} at every t", as_relations(body(view.x, *view.t), self.claim.id))
        except REFUSED as error:
            return Evidence("induction", "declines", reason=str(error))
        parts = self.known.parts[self.taken :]
        certificate = None if None in parts else [{"where": "every t", **part} for part in parts if part]
        whole = self.closed.data(certificate)
        return Evidence(
            "induction", "proves", numbers={"how": "at every t"}, certificate=None if whole is None else certificate,
            theorem=whole,
        )  # fmt: skip

    # lemmas

    def _use(self, one: Use) -> None:
        where = self.claim.id
        lemma: Any = one.claim.world
        within = {k: w for k, w in self.world.parts().within.items() if w.run == lemma}
        if within:
            refused: list[Exception] = []
            for name, inner in within.items():
                try:
                    self._at_the_end(where, one, name, inner)
                except REFUSED as error:  # it may be about another point of the same run
                    refused.append(error)
            if len(refused) == len(within):
                raise refused[0]
        elif lemma.index:
            self._at_length(where, one)
        elif lemma.batched_scalars:
            self._numbers(where, one)
        elif self.states:
            self._functions(where, one)
        else:
            raise NotShown(
                f"{where}: {one.claim.id} is about functions, and the claim is about numbers; state it of a Run"
            )

    def _functions(self, where: str, one: Use) -> None:
        """A lemma about functions at any state of the run."""
        found = [self._in_case(where, one, state) for state in self.states]
        relations, ways = self._agreed(where, one, found)
        divisors = [d for state, each in found for p in each for d in divisors_in(p)]
        divisors += [d for _, by in relations for d in divisors_of(by, self.states[-1])]
        show = partial(self._conditions, where, one, divisors)
        show(True)

        def make(way: str) -> Data:
            if self.model is None:
                raise NotClosed("no model")
            given = {name: number_text(found[-1][1][0].scalars[name]) for name in one.claim.world.scalars}
            at = {name: said for name, said in given.items() if said != name}
            only = [k for k, own in enumerate(ways) if own == way]
            return of_forms(self.model, one.claim, found, relations, way, at, self._lifted(one.claim).certificate, only)

        for way in dict.fromkeys(ways):
            self._record(partial(make, way))
        for k, (op, by) in enumerate(relations):
            name = one.claim.id if len(relations) == 1 else f"{one.claim.id}, {k + 1}"
            last = not any(rests_on_a_step(state, each) for state, each in found)
            self._enter_combined(name, one.claim.locator, op, by, show, last=last)

    def _agreed(
        self, where: str, one: Use, found: Sequence[tuple[State, list[Placed]]]
    ) -> tuple[list[tuple[str, dict[str, Any]]], list[str]]:
        """The relations of a lemma in the quantities, the same in every case; and in which of `WAYS` each of them holds."""
        out: list[tuple[str, dict[str, Any]]] = []
        rules: list[Callable[[State, Form], Form]] = []
        state, each = found[-1]  # the generic one, where there is one
        basis = self.basis(state)
        count = len(each[0].says)
        for k in range(count):
            gap = self._gap(state, [p.says[k][1] for p in each])
            for rule in of_clients(state):  # what holds of each client holds in the mean, and of selected ones
                with suppress(NotApplicable):
                    by, rest = basis.written(rule(state, gap))
                    if not rest:
                        break
            else:
                by, rest = basis.written(gap)
                left = described(rest, state.space.leaves, state.space.values)
                raise NotShown(f"{where}: what {one.claim.id} says cannot be written in the quantities; left is {left}")
            self._require_apart(where, one, state, by, [p.says[k][1] for p in each])
            out.append((each[0].says[k][0], by))
            rules.append(rule)
        for other, theirs in found[:-1]:
            for k, (_, by) in enumerate(out):
                point = other.at
                try:
                    at = {name: value_at(c, point) for name, c in by.items()}
                except ZeroDivisionError:
                    raise NotShown(f"{where}: what {one.claim.id} says is undefined at {other.name}") from None
                want = sum_of(other, at)
                gap = rules[k](other, self._gap(other, [p.says[k][1] for p in theirs]))
                if canonical(self._expected(other, want)) != canonical(gap):
                    raise NotShown(f"{where}: {one.claim.id} says another thing at {other.name}")
        return out, [WAYS[rule] for rule in rules]

    def _require_apart(
        self, where: str, one: Use, state: State, by: Mapping[str, object], gaps: Sequence[Form]
    ) -> None:
        """What is averaged over the draws of a step speaks of no mean over the steps, which depends on them."""
        if not (state.world.means and state.world.random):
            return
        leaves = {k for name in state.world.means for k in slots(state.x._names[name])}
        forms = [*gaps, *(f for name in by for f in (state.now.get(name.rstrip(AFTER)),) if f is not None)]
        of_draws = any(name.endswith(AFTER) for name in by) or any(drawn(state, gap) for gap in gaps)
        if of_draws and any(depends(state, form, leaves) for form in forms):
            raise NotShown(
                f"{where}: {one.claim.id} is about a draw and about a mean over the steps, which depends on it"
            )

    def _conditions(
        self, where: str, one: Use, divisors: Sequence[tuple[object, Mapping[str, object]]], at_every: bool
    ) -> None:
        """The ranges and conditions of a lemma about functions hold at any t, or at the end, and it is defined there."""
        lemma: Any = one.claim.world
        view = self.known.view(at_every=at_every)
        time = view.t[0] if at_every else getattr(view.x, self.world.index)
        x, numbers = view.x.at(**{TIME: time}), view.numbers
        given = {}
        for name in lemma.scalars:
            given[name] = given_by(one.at[name], x, time) if name in one.at else getattr(x, name)
        numbers.sizes = {k: x._names[k].item().term for k in ("m", "S") if k in x._names and k in lemma.sizes}
        needed = list(lemma.scope(given, {k: 1 for k in lemma.sizes}, numbers).given)
        self._require_nonzero(f"{where}: {one.claim.id}", divisors, needed, view)

    def _numbers(self, where: str, one: Use) -> None:
        """A lemma about numbers at numbers of the claim, or at numbers at every t."""
        at_every = one.at_every_t
        fact = partial(numbers_of, one)
        shapes = [None] if self.known.world.index else self.known.world.shapes(self.docket.limits.largest_m) or [None]
        for shape in shapes:
            view = self.known.view(at_every=at_every, shape=shape or None)
            y = seen_as(one, view.x, *view.t)
            lemma: Any = one.claim.world
            said = as_relations(one.claim.body(y), one.claim.id)
            needed = [r for name, spec in lemma.scalars.items() for r in spec.relations(name, getattr(y, name))]
            needed += [r for c in lemma.on_scalars for r in c.relations(y)]
            needed += self._of_sizes(lemma, (k for k in lemma.sizes if k in y._names), y)
            view.show(f"{where}: {one.claim.id}", [*needed, *defined_there(view, said)])
            self._record(partial(of_numbers, self.closed, one.claim, view, y) if not shape else _listed)
        self._enter(Condition(one.claim.id, one.claim.locator, fact), at_every=at_every)


class OneDrawn(Composition):
    """What is known of a run at every step of which one client is drawn, of any number."""

    def _all_states(self) -> list[State]:
        return states_of(self.world, alone=True)
