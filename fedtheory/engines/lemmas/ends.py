"""Theorems about a run within every step, used at its last state, which is a point of the claim's own run."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from ...bodies import takes_one
from ...claim import Claim
from ...gram.ratio import nonzero
from ...instance import Instance
from ...relation import Condition, Relation, as_relations, says_nothing
from ...theorem import Use
from ..certificates.theorems import NotClosed
from ..prove.induction import NotShown
from ..z3.terms import Real, term_of
from .along import OfRuns, Quantities, ranges, require_no_matrix
from .facts import REFUSED
from .instance import lacking, of_name
from .own_lengths import OwnLength
from .recorded import Data, plain_use, run_in_state
from .said import at_least_0, combination, ended, of_the_end
from .state import State, single, slots, states_of


@dataclasses.dataclass
class OfEnds(OfRuns):
    """What is known of where the runs within a step end."""

    inner: dict[str, Any] = dataclasses.field(default_factory=dict)  # what is known of these runs themselves, by name

    def _at_the_end(self, where: str, one: Use, name: str, inner: Any) -> None:
        """A theorem about the run within a step, at its last state: what stands there is known of the claim's own points."""
        run, found, said = inner.run, Quantities(), f"{where}: {one.claim.id}"
        require_no_matrix(said, run)
        points = self._points_at_the_end(where, name) | {k: fn for k, fn in one.at.items() if k in run.scalars}
        own = OwnLength(said, run.index, inner.count, run.first, inner.up_to) if inner.up_to else None
        if own is not None:
            own.require_not_given(one)
            points |= own.points
        self._require_same_run(said, one, name)
        self._require_same_points(said, one, name)
        for state in reversed(self.states):
            for quantity in run.quantities:
                scalars = self._quantity_at(where, one, quantity, points, state, found)
                if scalars is not None:
                    self._require_same_numbers(said, one, state, scalars)
                    self._in_class(where, one, state, scalars)
        self._require_defined(where, found)
        view, end = self.known.view(at_every=True), None
        if own is not None:
            view, end = own.any_of_them(view)
        y = ended(one, found, view.x, *view.t, end=end)
        stated = y.at(**found.unknown(found.averaged, f"{said} asks something of every client's"))
        least = Relation(run.first, "<=", Real(getattr(y, run.index).term), f"{run.index} >= {run.first}")
        needed = [least, *ranges(run, y), *(r for c in run.given for r in c.relations(stated))]
        if own is not None:
            end = own.unread
            y = ended(one, found, view.x, *view.t, end=end)
            for r in as_relations(one.claim.body(y), one.claim.id):  # which reads no client's number
                term_of(r.lhs), term_of(r.rhs)
        if found.averaged or self.world.random:
            of_means = y.at(**found.unknown(found.of_each, f"{said} says something of every client's"))
            self._require_affine(said, view, as_relations(one.claim.body(of_means), one.claim.id))
        view.show(said, needed)
        self._record(partial(self._ended, one, name, found, y, view))
        fact = partial(of_the_end, one, found, end)
        self._enter(Condition(one.claim.id, one.claim.locator, fact), at_every=True)

    def _points_at_the_end(self, where: str, name: str) -> dict[str, Callable[..., Any]]:
        """The points of a run within a step at its last state, in those of the claim's run; one that moved on is none of them."""
        inner = self.world.within[name]
        run = inner.run
        hidden = {*run.step, *run.fresh, *run.one_step.new_names().values()} - {inner.point}
        points = {**{k: partial(lacking, f"{where}: {k} is no point of the run") for k in hidden}, **inner.at}
        return points | {inner.point: partial(of_name, name)}

    def _ended(self, one: Use, name: str, found: Quantities, y: Instance, view: Any) -> Data:
        """The data of the use of a theorem at the end of a run within a step."""
        run: Any = one.claim.world
        if self.world.within[name].up_to:
            raise NotClosed("a number of steps of each client's own")
        if found.of_each:
            raise NotClosed("a client's own quantity at the end of a run within a step")
        at = {k: self.closed.text(term_of(getattr(y, k))) for k in run.scalars if k in one.at}
        for quantity, by in found.written.items():
            own = quantity if quantity in run.constant else f"{quantity}[{run.index}]"
            at[own] = self.closed.text(term_of(combination(by, view.x, *view.t)))
        values = self.closed.one_way(as_relations(one.claim.body(y), one.claim.id))
        return {**plain_use(one.claim.id, of="within", within=name), "at": at, "values": values}

    # the runs themselves

    def _within(self, name: str) -> Any:
        """What is known of a run within a step, on clients of the claim's run and with its numbers, and nothing else stated."""
        if name not in self.inner:
            inner, own = self.world.within[name], self.world
            run = inner.run
            kept = {k: own.scalars.get(k, s) for k, s in run.scalars.items() if k in own.scalars or k == inner.count}
            here = dataclasses.replace(
                run, f=own.f if run.f is not None else None, scalars={**kept, **own.scalars}, given=()
            )
            made: Any = type(self)(Claim(f"{self.claim.id}: {name}", says_nothing, here), self.docket)
            made.compose()
            self.inner[name] = made
        return self.inner[name]

    def _require_same_run(self, said: str, one: Use, name: str) -> None:
        """The run within a step reads the numbers of the claim's run alone, not those that a theorem is used at.

        Raises
        ------
        NotShown
            If a step, a start, or what is stated of the points or quantities at every step reads another one.
        """
        try:
            made = self._within(name)
            view = made.known.view(at_every=True)
            for state in made.states:
                made.world.begun(state.x)
                made.world.moved(state.x, None, {})
                for c in made.world.obeys:
                    c.relations(state.x)
            for c in made.world.every:
                c.relation(view.x, *view.t)
            of_many = {**made.world.sizes, "m": (1, 2)}  # as many as the claim's run may have
            for state in states_of(dataclasses.replace(made.world, sizes=of_many)):
                self._require_of_one(said, made.world, {}, state)
        except REFUSED as error:
            raise NotShown(f"{said} is about a run that is none within a step here ({error})") from None

    def _require_same_points(self, said: str, one: Use, name: str) -> None:
        """A theorem is used at the points and at the length that the run within a step has, as it is about that run's end alone.

        Raises
        ------
        NotShown
            If it is used at another one.
        """
        inner = self.world.within[name]
        index = inner.run.index
        for state in self.states if index in one.at else ():
            if not takes_one(one.at[index]) or nonzero(one.at[index](state.x) - getattr(state.x, index)):
                raise NotShown(f"{said}: {index} is the length of the run within a step, and another one there")
        points = self._points_at_the_end(said, name)
        for k in one.at.keys() & {*inner.run.at, *inner.run.clients_at}:
            here = points.get(k, partial(of_name, k))
            for state in self.states:
                apart = state.x.mean(state.x.sq(one.at[k](state.x) - here(state.x)))
                if single(apart).clean():
                    raise NotShown(f"{said}: {k} is a point of the run within a step, and another one there")

    def _require_same_numbers(self, said: str, one: Use, state: State, scalars: Mapping[str, Any]) -> None:
        """A number of the claim's run is the one of its name in the run within a step."""
        for k in one.at:
            if k in one.claim.world.scalars and k in state.x._names and nonzero(scalars[k] - state.x._names[k]):
                raise NotShown(f"{said}: {k} is a number of the run, and another one there")

    def _ends(self) -> Data:
        """The runs within a step as data, with what stands for their points at the end in every state."""
        assert self.model is not None
        out: Data = {}
        for name in (k for k, inner in self.world.within.items() if not inner.up_to):
            with suppress(*REFUSED, NotClosed, KeyError, IndexError, ValueError):
                made = self._within(name)
                made.finish_model()
                (state,), closed = made.states, made.closed
                (point,) = slots(state.x._names[self.world.within[name].point])
                placed = [self._end_in_state(name, made, k) for k in range(len(self.states))]
                stated = [[op, value] for scope, op, value, _ in closed._stated(closed.numbers()) if scope == "t"]
                out[name] = {"index": made.world.index, **closed.model, "point": point, "stated": stated}
                for data, own in zip(self.model.data, placed, strict=True):
                    data.setdefault("within", {})[name] = own
        return out

    def _end_in_state(self, name: str, made: Any, k: int) -> Data:
        """What stands for the vectors and values of a run within a step at its end, in a state, where a quantity of it is read."""
        points = self._points_at_the_end(self.claim.id, name)
        out: Data = {"leaves": {}, "values": {}}
        assert self.model is not None
        for quantity in made.world.quantities:
            look = Claim(f"{name}, {quantity}", partial(at_least_0, quantity), made.world.one_step)
            with suppress(*REFUSED):
                _, placed = self._in_case(self.claim.id, Use(look, points), self.states[k])
                found = run_in_state(self.model, k, made.model, placed)
                out = {of: {**out[of], **found[of]} for of in out}
        return out
