"""Theorems about runs, used in another run: the same step, start, class and quantities, and what they then say."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from typing import Any

from ...bodies import takes_one
from ...claim import Claim
from ...errors import NotApplicable
from ...gram.forms import SIZES, Form, Space
from ...gram.ratio import nonzero
from ...instance import Instance
from ...relation import Condition, Relation, as_relations, le
from ...theorem import Use
from ..certificates.cases import Case
from ..certificates.theorems import NotClosed
from ..prove.induction import NotShown
from ..z3.terms import Index, Real
from .facts import REFUSED, Facts, each_quantity, expected_in, means_read
from .instance import given_by, lacking, moved
from .recorded import Data, Model, itself_in_state, run_in_state
from .recorded_numbers import of_numbers
from .said import along, at_least_0, of_every_t, of_length, quantity_of
from .shown import divisors_of, follows_from, in_the_mean_of_clients, sum_of
from .state import State, canonical, single, slots, states_of, value_at
from .written import Basis, described


@dataclass
class Quantities:
    """The quantities of a theorem about runs, in those of the claim's run.

    Attributes
    ----------
    written : dict
        Coefficients by quantity of the claim's run.
    averaged, of_each : set of str
        Those that are a client's in the theorem and the mean over the clients here; those that are a client's in both.
    lacking : dict of str
        Those that cannot be written so, and what is left of them.
    """

    written: dict[str, dict[str, Any]] = field(default_factory=dict)
    averaged: set[str] = field(default_factory=set)
    of_each: set[str] = field(default_factory=set)
    lacking: dict[str, str] = field(default_factory=dict)

    def enter(self, name: str, form: Form, basis: Basis, state: State, *, single_client: bool) -> None:
        """Write one of them; a client's as it is, else in the mean over the clients, where the theorem is about one."""
        by, rest = self._one_of(form, state) or basis.written(form)
        own = state.generic and canonical(in_the_mean_of_clients(state, form)) != canonical(form)
        if rest and own and single_client:
            by, rest = basis.written(in_the_mean_of_clients(state, form))
            self.averaged |= set() if rest else {name}
        elif own:
            self.of_each.add(name)
        if rest:
            self.lacking[name] = described(rest, state.space.leaves, state.space.values)
        else:
            self.written[name] = by

    @staticmethod
    def _one_of(form: Form, state: State) -> tuple[dict[str, Any], dict[Any, Any]] | None:
        """A quantity of the claim's run that a form is."""
        same = next((name for name, other in state.now.items() if canonical(other) == canonical(form)), None)
        return None if same is None else ({same: Fraction(1)}, {})

    def at(self, run: Any, where: str) -> dict[str, Callable[..., Any]]:
        """What each of them is; one that cannot be written is an error where it is read."""
        known = {name: partial(quantity_of, by, name in run.constant) for name, by in self.written.items()}
        why = "is no combination of quantities of the run"
        return known | {
            name: partial(lacking, f"{where}: {name} {why} ({left})") for name, left in self.lacking.items()
        }

    @staticmethod
    def unknown(names: Iterable[str], why: str) -> dict[str, Any]:
        """Quantities that must not be read."""
        return {name: lacking(f"{why} {name}", None) for name in names}


@dataclass
class OfRuns(Facts):
    """Lemmas about runs and sequences, used at a length or at any t."""

    def _at_length(self, where: str, one: Use) -> None:
        """A theorem for every length at a length of the claim's, or at every t; or what it says of every t."""
        lemma: Any = one.claim.world
        if not self.known.world.index:
            raise NotShown(f"{where}: {one.claim.id} is a theorem for every {lemma.index}, and the claim has no length")
        at, meant = dict(one.at), Quantities()
        if hasattr(lemma, "quantities"):
            numbers = (*lemma.scalars, lemma.index)
            meant = self._as_run(where, one)
            self._require_of_first_steps(where, one, meant)
            at = {k: fn for k, fn in at.items() if k in numbers} | meant.at(lemma, f"{where}: {one.claim.id}")
        used = Use(one.claim, at)
        said_at_t = one.claim.at_t is not None
        at_every = not takes_one(at.get(lemma.index, _length)) or (said_at_t and used.at_every_t)
        view = self.known.view(at_every=at_every)
        y = along(used, self.known.world.index, view.x, *view.t)
        n = getattr(y, lemma.index)
        if not isinstance(n, Index):
            raise NotShown(f"{where}: {lemma.index} is a size of {one.claim.id}, and no length here")
        stated = y.at(**meant.unknown(meant.averaged, f"{where}: {one.claim.id} asks something of every client's"))
        least = Relation(lemma.first, "<=", Real(n.term), f"{lemma.index} >= {lemma.first}")
        needed = [least, *ranges(lemma, y), *(r for c in lemma.given for r in c.relations(stated))]
        needed += self._of_sizes(lemma, lemma.counts, y) if hasattr(lemma, "quantities") else []
        of_elements = [r for name, spec in _sequences(lemma) for r in spec.relations(name, getattr(y, name)[view.some])]
        needed += [r for name, spec in _sequences(lemma) for r in spec.relations(name, getattr(y, name)[n])]
        of_elements += [
            dataclasses.replace(r, name=r.name or c.printed)
            for c in lemma.every for r in as_relations(c.relation(stated, view.some), c.printed)
        ]  # fmt: skip
        if at_every or n.offset > 0:
            needed.append(Relation(Real(n.term), "<=", Real(view.numbers.z3.Real(view.world.index)), "no longer"))
        if said_at_t and (n.name, n.offset) != (self.known.world.index, 0):
            t, asked = (view.t[0], needed) if at_every else (view.some, of_elements)
            asked.append(Relation(Real(t.term) + 1, "<=", Real(n.term), f"t < {lemma.index}"))
        if meant.averaged:
            of_means = y.at(**meant.unknown(meant.of_each, f"{where}: {one.claim.id} says something of every client's"))
            said = one.claim.at_t(of_means, *(view.t or (view.some,))) if one.claim.at_t else one.claim.body(of_means)
            self._require_affine(f"{where}: {one.claim.id}", view, as_relations(said, one.claim.id))
        view.show(f"{where}: {one.claim.id}", needed, of_elements, Real(n.term) if at_every else None)

        def make() -> Data:
            run = self._other_run(where, one, averaged=bool(meant.averaged))
            own = run is None or self._is_same(one) or one.claim.id in self.followed
            named = () if own else lemma.constant
            use = of_numbers(self.closed, one.claim, view, y, index=n, run=run, averaged=meant.averaged, named=named)
            if run is not None and own:
                self.of_this_run.append((one.claim, use))
            return use

        self._record(make)
        if said_at_t:
            self._enter(
                Condition(one.claim.id, one.claim.locator, partial(of_every_t, used, self.known.world.index)),
                at_every=True,
            )
            return
        fact = Condition(one.claim.id, one.claim.locator, partial(of_length, used, self.known.world.index))
        (self.known.at_t if at_every else self.known.at_length).append(fact)

    def _of_sizes(self, lemma: Any, names: Iterable[str], y: Instance) -> list[Relation]:
        """Sizes are those that a lemma is about, where it lists others than the claim."""
        others = [(k, lemma.sizes[k]) for k in names if lemma.sizes[k] != self.world.sizes.get(k)]
        return [Relation(min(v), "==" if v == (1,) else "<=", getattr(y, k), f"{k} of {v}") for k, v in others]

    def _require_of_first_steps(self, where: str, one: Use, found: Quantities) -> None:
        """A theorem at another length than the claim's is about the first steps, of which no mean over the steps is known.

        Raises
        ------
        NotShown
            If the run reads the length, so that its first steps are none of that many.
        """
        run: Any = one.claim.world
        if run.index not in one.at or not self.states:
            return
        view = self.known.view(at_every=not takes_one(one.at[run.index]))
        n, T = given_by(one.at[run.index], view.x, *view.t), getattr(view.x, self.known.world.index)
        if isinstance(n, Index) and (n.name, n.offset) == (T.name, T.offset):
            return
        self.require_unread(
            {self.world.index},
            f"{where}: the length, and {one.claim.id} is used at another one",
            means={*self.world.means},
        )
        for name in means_read(run.quantities, run.means, self.states):
            found.written.pop(name, None)
            found.lacking[name] = "a mean over other steps"

    def _is_same(self, one: Use) -> bool:
        """Whether a theorem is about the very run of the claim."""
        return _same_model(one.claim.world, self.world) and not one.at

    def _as_run(self, where: str, one: Use) -> Quantities:
        """The quantities of a theorem about runs as combinations of those of the claim's own run."""
        run: Any = one.claim.world
        if not self.states:
            raise NotShown(f"{where}: {one.claim.id} is about a run, and the claim is about numbers")
        found = Quantities()
        if self._is_same(one):
            found.written = {name: {name: Fraction(1)} for name in run.quantities}
            return found
        try:
            return self._rewritten(where, one, run, found)
        except REFUSED:
            if one.at or not same_run(run, self.world):
                raise
        self.followed.add(one.claim.id)
        found = Quantities()
        for name, fn in run.quantities.items():
            if self.world.quantities.get(name) == fn:
                found.written[name] = {name: Fraction(1)}
            else:
                found.lacking[name] = "it is no quantity of the claim's run"
        return found

    def _rewritten(self, where: str, one: Use, run: Any, found: Quantities) -> Quantities:
        """The quantities of another run by what they are at the claim's own points."""
        require_no_matrix(f"{where}: {one.claim.id}", run)
        points = {k: fn for k, fn in one.at.items() if k != run.index}
        scalars = []
        for state in reversed(self.states):  # the generic one first
            scalars.append(self._quantities_at(where, one, points, state, found))
            self._in_class(where, one, state, scalars[-1])
            self._same_step(where, one, state, scalars[-1])
            self._require_of_one(f"{where}: {one.claim.id}", run, points, state)
        self._same_start(where, one, scalars)
        self._require_defined(f"{where}: {one.claim.id}", found)
        return found

    def _other_run(self, where: str, one: Use, *, averaged: bool = False) -> list[Data] | None:
        """What stands for the model of another run in every state; None where it is about no run.

        Of what is averaged over the clients a theorem may be about one state alone, where what is after a step is not looked at.
        """
        run: Any = one.claim.world
        if not hasattr(run, "quantities"):
            return None
        if self.model is None:
            raise NotClosed("no model")
        if self._is_same(one):
            return [itself_in_state(self.model, k, model_of(run)) for k in range(len(self.states))]
        if one.claim.id in self.followed:
            return []  # it is this run, of which what is followed stands in the model: `quantities_behind`
        if self.world.random and run.outcomes:
            raise NotClosed("another run with draws")
        points = {k: fn for k, fn in one.at.items() if k != run.index}
        other, model = model_of(run), self.model

        def found(body: Callable[..., Any]) -> list[Data]:
            look = Use(Claim(f"{one.claim.id}, all quantities", partial(body, run), run.one_step), points)
            states = enumerate(self.states)
            return [run_in_state(model, k, other, self._in_case(where, look, s)[1]) for k, s in states]

        with suppress(*(REFUSED if averaged else ())):
            return found(every_quantity)
        return found(each_quantity)

    def _require_defined(self, where: str, found: Quantities) -> None:
        """No divisor of a quantity of a theorem, as it is written in the claim's, vanishes; else it lacks."""
        for name, by in list(found.written.items()):
            try:
                self._require_nonzero(where, divisors_of(by, self.states[-1]))
            except REFUSED:
                found.lacking[name] = "with a divisor that may be zero"
                del found.written[name]

    def _quantities_at(
        self, where: str, one: Use, points: Mapping[str, Any], state: State, found: Quantities
    ) -> Mapping[str, Any]:
        """Write the quantities of a theorem about runs in those of the claim's run; the scalars of the theorem."""
        run: Any = one.claim.world
        scalars: Mapping[str, Any] | None = None
        for name in run.quantities:
            known = self._quantity_at(where, one, name, points, state, found)
            scalars = scalars if known is None else known
        if scalars is None:
            raise NotShown(
                f"{where}: nothing that {one.claim.id} is about is known of the run; {next(iter(found.lacking.values()))}"
            )
        return scalars

    def _quantity_at(
        self, where: str, one: Use, name: str, points: Mapping[str, Any], state: State, found: Quantities
    ) -> Mapping[str, Any] | None:
        """Write a quantity of a theorem about runs in those of the claim's run; the scalars of the theorem, if it can be.

        Raises
        ------
        NotShown
            If it is written otherwise in the last of the states, the generic one, which comes first.
        """
        look = Claim(f"{one.claim.id}, {name}", partial(at_least_0, name), one.claim.world.one_step)
        try:
            _, each = self._in_case(where, Use(look, points), state)
        except REFUSED as error:
            found.lacking[name] = str(error)
            found.written.pop(name, None)
            return None
        form = self._gap(state, [p.says[0][1] for p in each])
        if state is self.states[-1]:
            found.enter(name, form, Basis(dict(state.now)), state, single_client=not each[0].where.sizes)
        elif name in found.written:
            by = {k: value_at(c, state.at) for k, c in found.written[name].items()}
            if canonical(sum_of(state, by)) != canonical(form):
                raise NotShown(f"{where}: {name} of {one.claim.id} is another thing at {state.name}")
        scalars: Mapping[str, Any] = each[0].scalars
        return scalars

    def _same_step(self, where: str, one: Use, state: State, scalars: Mapping[str, Any]) -> None:
        """The points of a theorem about runs move as it says, in the run of the claim."""
        run: Any = one.claim.world
        own: Any = self.world
        if any(own.either.get(name) != values for name, values in run.either.items()):
            raise NotShown(f"{where}: {one.claim.id} has other choices at a step")
        for name, inner in run.within.items():
            if name in one.at or name not in own.within or own.within[name] != inner:
                raise NotShown(f"{where}: {name} of {one.claim.id} is where another run ends, and not so here")
        for name, mean in run.means.items():
            if name in one.at or own.means.get(name) != mean:
                raise NotShown(f"{where}: {name} of {one.claim.id} is a mean over the steps, and not so here")
        fixed = [k for k in (*run.at, *run.clients_at) if k not in (*run.step, *run.new)]
        fixed += ["w_star"] if run.optimum_of else []
        if run.random and (own.random, len(own.outcomes)) != (True, len(run.outcomes)):
            raise NotShown(f"{where}: {one.claim.id} has other draws")
        if run.random and not _as_likely(run, scalars, state):
            raise NotShown(f"{where}: the draws of {one.claim.id} have other chances")
        draws = list(zip(state.x._draws, run.outcomes or state.x._draws, strict=True)) if own.random else [(None, None)]
        for mine, theirs in draws:
            x = moved(state, mine)
            here, there = (_points(one, run, at) for at in (x, x.next))
            after = run.moved(self._as_theirs(run, state, here, scalars), theirs, {})
            for name in (*run.step, *fixed):
                if canonical(single(x.sq(there[name] - after._names[name]))) != ():
                    raise NotShown(f"{where}: {name} of {one.claim.id} moves otherwise in the run that it is about")

    def _require_of_one(self, where: str, run: Any, points: Mapping[str, Callable[..., object]], state: State) -> None:
        """A run of one client, as that of each of many: no step or start of it is a mean over clients, which is one of one."""
        if not state.generic or max(run.sizes.get("m", (1,))) > 1:
            return
        for names, there in ((run.step, lambda x: x.next), (run.start, run.begun)):
            if names:
                body = partial(lengths_of, tuple(names), there)
                self._in_case(where, Use(Claim("a step or a start of it", body, run.one_step), points), state)

    def _as_theirs(
        self, run: Any, state: State, points: Mapping[str, object], scalars: Mapping[str, object]
    ) -> Instance:
        """The instance of another run at points of the claim's."""
        world = run.one_step
        unknown = {k: lacking(f"{k} is no point of the run", None) for k in (*world.at, *world.clients_at)}
        given = {**state.x._names, **unknown, **points, **scalars}
        x: Instance = world.among(given, state.case.shape, state.space.numbers, state.x._draws)
        return x

    def _same_start(self, where: str, one: Use, found_scalars: Sequence[Mapping[str, Any]]) -> None:
        """What begins somewhere in the other run begins there in this one."""
        run: Any = one.claim.world
        for state, scalars in zip(reversed(self.states), found_scalars, strict=True) if run.start else ():
            x = self.world.begun(state.x)
            points = _points(one, run, x)
            begun = run.begun(self._as_theirs(run, state, points, scalars))
            for name in run.start:
                if canonical(single(x.sq(points[name] - begun._names[name]))) != ():
                    raise NotShown(f"{where}: {name} of {one.claim.id} begins elsewhere")

    def _in_class(self, where: str, one: Use, state: State, scalars: Mapping[str, Any]) -> None:
        """The functions of the claim's run are of the class of the other one, by what both say of any two points."""
        run: Any = one.claim.world
        if run.f is None:
            return
        own: Any = self.world
        spaces = [Space(SIZES[-1]) for _ in range(2)]
        theirs = run.one_step.of_two_points(state.x.at(**scalars), spaces[0])
        ours = own.one_step.of_two_points(state.x, spaces[1])
        known = {canonical(form) for _, form in ours}
        alone = dataclasses.replace(state, case=Case(state.case.shape), space=spaces[1])
        for name, form in theirs:
            if canonical(form) not in known and not follows_from(form, ours, alone, self.docket):
                raise NotShown(f"{where}: {one.claim.id} is about another class of functions ({name})")


def quantities_behind(theorem: Claim) -> dict[str, Any]:
    """The quantities of a theorem about a run, and of those about the same run on which it stands.

    Raises
    ------
    NotClosed
        If two of them have one name.
    """
    run: Any = theorem.world
    found = dict(run.quantities)
    for one in theorem.by:
        if not isinstance(one, Use) or one.at:
            continue
        if hasattr(one.claim.world, "quantities") and same_run(one.claim.world, theorem.world):
            for name, fn in quantities_behind(one.claim).items():
                if found.setdefault(name, fn) != fn:
                    raise NotClosed(f"two quantities of theorems about the run are called {name}")
    return found


def every_quantity(run: Any, x: Instance) -> tuple[Relation, ...]:
    """All quantities of a run at a state, after a step and at the start, so that all is looked at that these read."""
    start = run.begun(x)
    fresh = {name: x._names[new] for name, new in run.new_names().items()}
    out = []
    for name in run.quantities:
        with suppress(NotApplicable, NotShown):
            out += [le(0, getattr(x, name)), le(0, getattr(x.next, name))]
            out += [le(0, run.quantity(name, start)), le(0, run.after(name, start, x._draws, fresh))]
    return tuple(out)


def lengths_of(names: Sequence[str], at: Callable[[Instance], Instance], x: Instance) -> tuple[Relation, ...]:
    """The lengths of some points of a run after a step, or at the start."""
    there = at(x)
    return tuple(le(0, x.sq(getattr(there, name))) for name in names)


@cache
def _models() -> dict[int, tuple[Any, Model]]:
    return {}


def model_of(run: Any) -> Model:
    """The model of a run by itself, as its own theorems have it."""
    kept = _models()
    if id(run) not in kept:
        states = states_of(run)
        for state in states:
            state.space.close()
        found = Model(run, states, expected_in)
        if (
            run.within
        ):  # a client's own part of a point that is where another run ends, after what the inequalities read
            found.finished()
            for state, place in zip(states, found.placements, strict=True):
                for name in run.within if place.generic else ():
                    for slot in slots(state.x._names[name]):
                        place.place("deviation", slot)
        kept[id(run)] = run, found
    return kept[id(run)][1]


def _length(x: Instance) -> Any:
    """The length of the claim."""
    return None


def _points(one: Use, run: Any, x: Instance) -> dict[str, Any]:
    """The points of a theorem about runs at a state of the claim's run."""
    names = [*run.at, *run.clients_at, *(("w_star",) if run.optimum_of else ())]
    known = {k: one.at[k](x) if k in one.at else x._names[k] for k in names if k in one.at or k in x._names}
    return known | {k: fn(x) for k, fn in one.at.items() if k == "f"}


def require_no_matrix(said: str, run: Any) -> None:
    """Raise NotShown where a theorem is about another run with a mixing matrix, of which only its lemmas say what is known, or
    with weights of the clients.
    """
    if run.parts().mixing or run.parts().weights:
        raise NotShown(f"{said} is about another run with a mixing matrix, or with weights; use its lemmas")


def _same_model(one: Any, other: Any) -> bool:
    """Whether two runs are one and the same, apart from what is stated of them and from scalars that one has more."""
    return same_run(one, other) and one.quantities == other.quantities


def same_run(one: Any, other: Any) -> bool:
    """The same, whatever is followed of them."""
    apart = ("scalars", "given", "every", "sizes", "first", "quantities", "example")
    sizes = ({k: v for k, v in run.sizes.items() if k not in ("d", run.index)} for run in (one, other))
    both = [(one.scalars[k], other.scalars[k]) for k in one.scalars if k in other.scalars]
    if type(one) is not type(other) or any(a.per_client != b.per_client for a, b in both):
        return False
    same = all(getattr(one, f.name) == getattr(other, f.name) for f in dataclasses.fields(one) if f.name not in apart)
    return same and next(sizes) == next(sizes)


def _as_likely(run: Any, scalars: Mapping[str, Any], state: State) -> bool:
    """Whether the draws of another run, at these scalars, have the chances of those of the claim's."""
    mine = getattr(state.x._draws, "chances", None)
    if run.chances is None or mine is None:
        return run.chances is None and mine is None
    theirs = run.chances_at(scalars, state.space.numbers)
    return len(mine) == len(theirs) and not any(nonzero(a - b) for a, b in zip(mine, theirs, strict=True))


def _sequences(lemma: Any) -> list[tuple[str, Any]]:
    return list(getattr(lemma, "sequences", {}).items())


def ranges(lemma: Any, y: Instance) -> list[Relation]:
    listed = getattr(lemma, "listed", ())
    scalars = {name: spec for name, spec in lemma.scalars.items() if name not in listed}
    return [r for name, spec in scalars.items() for r in spec.relations(name, getattr(y, name))]


def defined_there(view: Any, said: Sequence[Relation]) -> list[Relation]:
    from ..prove.induction import defining

    return defining(list(said), view.numbers)
