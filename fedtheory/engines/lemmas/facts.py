"""What is known of the quantities of a run: signs, what does not move, identities at every step and at the start."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial, reduce
from typing import Any

from ...claim import Claim
from ...errors import NotApplicable, UnitsMismatch, UsageError
from ...gram.forms import Form
from ...gram.ratio import occurring
from ...instance import Instance
from ...relation import Condition, Relation, le
from ...theorem import Use
from ...verdict import Evidence
from ..certificates.theorems import Closed, NotClosed
from ..context import Docket
from ..prove.induction import Divisor, NotShown, defining
from ..prove.symbolic import lift
from ..z3.terms import Real
from .averages import over_steps
from .instance import Placed, placed
from .known import Known, View
from .least import least_of_all
from .recorded import Data, Model, identity, moves_in_state, moves_of_clients, of_forms
from .said import AFTER, at_least_0, combined, combined_at_0, combined_at_the_last, in_the_mean, number_at
from .shown import divisors_of, follows_from, require_affine, sum_of
from .state import TIME, State, at_the_mean, canonical, depends, is_obeyed, polynomial_at, slots, value_at
from .written import Basis, described

REFUSED = (NotShown, NotApplicable, UsageError, UnitsMismatch, ZeroDivisionError)


@dataclass
class Facts:
    """What is known of the numbers of a claim: of the quantities of its run, where it is about one."""

    claim: Claim
    docket: Docket
    states: list[State] = field(default_factory=list)
    known: Known = field(init=False)
    at_end: list[tuple[Callable[[], None], Data]] = field(
        default_factory=list
    )  # what is known of every state, of the last
    closed: Closed = field(init=False)  # the same as data of a certificate
    model: Model | None = None
    taken: int = 0  # parts of the certificate that belong to what was used before
    least: list[str] = field(default_factory=list)  # quantities that are not negative
    followed: set[str] = field(
        default_factory=set
    )  # lemmas about the claim's own run of which some quantities are no claim's
    of_this_run: list[tuple[Claim, Data]] = field(default_factory=list)  # theorems about the very run, and their uses
    moves_each: bool = False  # whether it rests on how every client moves by itself
    _sought: dict[int, tuple[Claim, Evidence]] = field(default_factory=dict)
    _signs: dict[str, Claim] = field(default_factory=dict)

    @property
    def world(self) -> Any:
        """The claim's one model: of runs, or of scalars and sequences."""
        return self.claim.world

    def _record(self, make: Callable[[], Data]) -> None:
        """Note what was used, with the parts that show what it asks; what has no rule leaves the theorem without a certificate."""
        parts = self.known.parts[self.taken :]
        self.taken = len(self.known.parts)
        if self.closed.open:
            return
        try:
            if None in parts:
                raise NotClosed("z3 alone shows what a lemma asks")
            use = make()
            use["parts"] = [part for part in parts if part]
            self.closed.uses.append(use)
        except (*REFUSED, NotClosed, KeyError, IndexError) as error:
            self.closed.open = f"{type(error).__name__}: {error}"

    def require_unread(self, names: Set[str], what: str = "", *, means: Set[str] = frozenset()) -> None:
        """Raise NotShown where something that makes the run reads one of some names, or `means`, which quantities may read."""
        run = self.world
        for state in self.states:
            x = state.x.without(names)
            y = x.without(means)
            try:
                for draw in y._draws if run.random else (None,):
                    run.moved(y, draw, {})
                run.begun(y)
                for inner in run.within.values():
                    for fn in inner.at.values():
                        fn(y)
                for c in run.obeys:
                    c.relations(y)
                for name in run.quantities:
                    run.quantity(name, x)
            except UsageError as error:
                raise NotShown(f"the run reads {what or ', '.join(sorted(names))} ({error})") from None

    @cached_property
    def of_means(self) -> frozenset[str]:
        """The quantities of the run that read a mean over the steps, which is another one for another number of them."""
        return means_read(self.world.quantities, self.world.means, self.states)

    @cached_property
    def begins_as_a_run(self) -> bool:
        """Whether the first steps are a run of that many: nothing reads the length, nor is stated of a mean over the steps."""
        run = self.world
        try:
            self.require_unread({run.index}, means={*run.means})
        except REFUSED:
            return False
        view = self.known.view(at_every=True)
        stated = [c.relations for c in run.given] + [lambda x, c=c: c.relation(x, *view.t) for c in run.every]
        return not any(reads(said, view.x, self.of_means) for said in stated)

    def of_the_whole(self) -> list[Condition]:
        """What is known at the length of a run, and not of the first steps of a longer one."""
        if not self.states:
            return []
        if not self.begins_as_a_run:
            return self.known.at_length
        x = self.known.view(at_every=False).x
        return [c for c in self.known.at_length if reads(c.relations, x, self.of_means)]

    def _note_moves(self) -> None:
        """Note what stands for the points after a step, where a step is no selection of clients, and at the start."""
        run: Any = self.world
        assert self.model is not None
        if run.random and not run.outcomes:
            return
        look = Claim(f"{self.claim.id}, all quantities", partial(each_quantity, run), run.one_step)
        points = {name: partial(at_the_next, name) for name in (*run.step, *run.new)}
        for k, state in enumerate(self.states):
            with suppress(*REFUSED, NotClosed, KeyError, IndexError):
                if self.moves_each and state.generic:
                    self.model.data[k]["moves"] = moves_of_clients(self.model, k)
                    continue
                _, placed = self._in_case(self.claim.id, Use(look, points), state)
                self.model.data[k]["moves"] = moves_in_state(self.model, k, placed)
        both = dataclasses.replace(look, body=partial(each_quantity, run, after=True))
        for k, state in enumerate(self.states):
            with suppress(*REFUSED, NotClosed, KeyError, IndexError):
                _, placed = self._in_case(self.claim.id, Use(both, run.start), state)
                first = moves_in_state(self.model, k, placed)[0]
                self.model.data[k]["starts"] = {what: first[what] for what in ("leaves", "values")}

    def _show_signs(self) -> None:
        """Note the proofs that quantities are not negative; the sign of one whose proof cannot be written is not known there."""
        assert self.model is not None
        for name in self.least:
            for show in (*(() if self.model.of_all else (self._sign_by_claim,)), self._sign_by_squares):
                with suppress(*REFUSED, NotClosed, KeyError, IndexError):
                    self.closed.uses.insert(0, show(name))
                    break
        self.closed.signs = list(self.least)

    def _sign_by_claim(self, name: str) -> Data:
        """The use of the claim that a quantity is not negative, which is proved of any state."""
        assert self.model is not None
        claim, parts = self._proof_of_sign(name)
        found = [self._in_case(self.claim.id, Use(claim, {}), state) for state in self.states]
        made = of_forms(self.model, claim, found, [("<=", {name: 1})], "itself", {}, parts)
        return {**made, "lemma": {"parts": parts}, "parts": []}

    def _sign_by_squares(self, name: str) -> Data:
        assert self.model is not None
        return least_of_all(self.model, name)

    def _proof_of_sign(self, name: str) -> tuple[Claim, Any]:
        """That a quantity is not negative, with its certificate, from as little of what is stated as one condition."""
        claim = self._sign_of(name)
        world = self.world.one_step
        for given in ((), *((c,) for c in world.given if c in world.on_scalars)):
            own = dataclasses.replace(claim, world=dataclasses.replace(world, given=given)) if given else claim
            if (parts := self._lifted(own).certificate) is not None:
                return own, parts
        return claim, None

    def _not_negative(self, name: str) -> bool:
        """Whether a quantity is at least zero at every state, for all parameters."""
        if all(follows_from(state.now[name], _at_the_end(state), state, self.docket) for state in self.states):
            return True
        return self._lifted(self._sign_of(name)).outcome == "proves"

    def _lifted(self, claim: Claim) -> Evidence:
        """What is found for all parameters of a claim about any state, sought once."""
        if id(claim) not in self._sought:
            self._sought[id(claim)] = claim, lift(claim, self.docket)
        return self._sought[id(claim)][1]

    def _sign_of(self, name: str) -> Claim:
        """That a quantity is not negative, as a claim about any state."""
        if name not in self._signs:
            anywhere = dataclasses.replace(self.world.one_step, given=())
            self._signs[name] = Claim(f"{self.claim.id} {name} >= 0", partial(at_least_0, name), anywhere)
        return self._signs[name]

    def _of_quantities(self) -> None:
        """What does not move is one number; identities among the quantities, at any step and at the first one."""
        for state in self.states:
            still = {k for k, form in state.after.items() if canonical(state.now[k]) == canonical(form)}
            if not state.world.constant <= still:
                moved = ", ".join(sorted(state.world.constant - still))
                raise NotShown(f"{moved} reads nothing that moves, and changes in a step")
        state = self.states[-1]  # the generic one, where there is one
        run: Any = self.world
        for name, by in self._identities(self.basis(state), self.basis).items():
            if self._apart_from_draws(state, [name, *by]) and self._defined(state, name, by):
                self._record(partial(self._identity, {**by, name: -1}, False))
                self._enter_combined(f"what {name} is", "", "==", {**by, name: -1}, into=self.known.identities)
        if run.start:
            for name, by in self._identities(self._at_start(state), self._at_start).items():
                what = f"{name.rstrip(AFTER)} at the start"
                if self._apart_from_draws(state, [name, *by]) and self._defined(state, name, by):
                    self._enter(Condition(what, "", partial(combined_at_0, {**by, name: -1})), at_every=False)
                    self._record(partial(self._identity, {**by, name: -1}, True))
        for name, (of, weight) in run.means.items():
            self._of_mean(name, of, weight)

    def _apart_from_draws(self, state: State, names: Sequence[str]) -> bool:
        """Whether what is averaged over a draw reads no mean over the steps, which depends on it."""
        if not (state.world.means and state.world.random and any(name.endswith(AFTER) for name in names)):
            return True
        leaves = {k for name in state.world.means for k in slots(state.x._names[name])}
        forms = [state.now[name.rstrip(AFTER)] for name in names if name.rstrip(AFTER) in state.now]
        return not any(depends(state, form, leaves) for form in forms)

    def _identity(self, by: Mapping[str, Any], start: bool) -> Data:
        assert self.model is not None
        return identity(self.model, by, start=start)

    def _of_mean(self, name: str, of: str, weight: Callable[..., Any]) -> None:
        """The weighted mean over the steps of a quantity that is affine in a point is what it is at the mean of the points."""
        state = self.states[-1]
        constant = Basis({k: form for k, form in state.now.items() if k in state.world.constant})
        for quantity, form in state.now.items():
            if quantity in state.world.constant:
                continue
            there = at_the_mean(state, form, name, of)
            by, rest = constant.written(there) if there is not None else ({}, {(): 1})
            if rest or (len(self.states) > 1 and not self._agree(quantity, name, of, by)):
                continue
            fact = partial(in_the_mean, self.world.index, quantity, weight, by)
            self.known.at_length.append(Condition(f"the mean of {quantity} is that at {name}", "", fact))
            with suppress(*REFUSED):
                view = self.known.view(at_every=True)
                a = weight(view.x, *view.t)
                view.show(f"{self.claim.id}: the weights of {name}", defining([Relation(0, "<=", a)], view.numbers))
            self._record(partial(over_steps, self.closed, name, quantity, weight, by))

    def _agree(self, quantity: str, name: str, of: str, by: Mapping[str, Any]) -> bool:
        """Whether a quantity at a mean is the same combination in the other cases."""
        for state in self.states[:-1]:
            at = state.at
            there = at_the_mean(state, state.now[quantity], name, of)
            want = sum_of(state, {k: value_at(c, at) for k, c in by.items()})
            if there is None or canonical(there) != canonical(want):
                return False
        return True

    def _defined(self, state: State, name: str, by: Mapping[str, Any]) -> bool:
        """Whether no divisor of an identity may vanish."""
        try:
            self._require_nonzero(f"{self.claim.id}: {name}", divisors_of(by, state))
        except REFUSED:
            return False
        return True

    def _require_nonzero(
        self,
        where: str,
        divisors: Sequence[tuple[Any, Mapping[str, Any]]],
        needed: Sequence[Relation] = (),
        view: Any = None,
    ) -> None:
        """Show that polynomials of numbers of the model do not vanish, and what else is needed.

        Raises
        ------
        NotShown
            If one of them may.
        """
        view = view or self.known.view(at_every=True)
        x = view.x.at(**{TIME: view.t[0] if view.at_every else getattr(view.x, self.world.index)})
        asked = list(needed)
        for p, at in divisors:
            names = occurring(p)
            d = polynomial_at(p, {name: number_at(value, x) for name, value in at.items() if name in names})
            if isinstance(d, Real):
                asked.append(Divisor(0, "<", d * d, f"{p} is not zero", d))
        if asked:
            view.show(where, asked)

    def _identities(self, basis: Basis, of: Callable[[State], Basis]) -> dict[str, dict[str, Any]]:
        """The identities of the generic case that are identities of every case."""
        others = [(of(state), state.at) for state in self.states[:-1]]

        def holds(name: str, by: Mapping[str, Any], there: Basis, at: Mapping[str, Any]) -> bool:
            try:
                return there.vanishes({**{k: value_at(c, at) for k, c in by.items()}, name: Fraction(-1)})
            except ZeroDivisionError:  # a coefficient is undefined there
                return False

        found = basis.identities.items()
        return {name: by for name, by in found if all(holds(name, by, *other) for other in others)}

    def _at_start(self, state: State) -> Basis:
        """The quantities at the start of a run, and after the first step."""
        constant = state.world.constant
        columns = {name: form for name, form in state.now.items() if name in constant}
        columns |= {name: form for name, form in state.begun.items() if name not in constant}
        columns |= {
            name + AFTER: self._expected(state, form)
            for name, form in state.begun_after.items()
            if name not in constant
        }
        return Basis(columns)

    def basis(self, state: State) -> Basis:
        """The quantities before and after a step; what is constant is one number."""
        constant = state.world.constant
        columns = {name: form for name, form in state.now.items()}
        columns |= {
            name + AFTER: self._expected(state, form) for name, form in state.after.items() if name not in constant
        }
        return Basis(columns)

    def _expected(self, state: State, form: Form) -> Form:
        return expected_in(state, form)

    def _enter(self, fact: Condition, *, at_every: bool) -> None:
        (self.known.at_t if at_every else self.known.always).append(fact)

    def _enter_combined(
        self, name: str, where: str, op: str, by: Mapping[str, Any], show: Callable[[bool], None] | None = None,
        into: list[Condition] | None = None, last: bool = True,
    ) -> None:  # fmt: skip
        """A relation between quantities at t, and so at the last state, where it is about one state and `show` does not fail.

        It is not where it rests on what holds of the points before the last step.
        """
        (self.known.at_t if into is None else into).append(Condition(name, where, partial(combined, op, by)))
        if any(quantity.endswith(AFTER) for quantity in by) or not last:
            return

        def at_the_last() -> None:
            if show is not None:
                show(False)
            last = partial(combined_at_the_last, self.world.index, op, by)
            self.known.at_length.append(Condition(f"{name}, at {self.world.index}", where, last))

        self.at_end.append((at_the_last, self.closed.uses[-1] if self.closed.uses else {}))

    def _require_affine(self, where: str, view: View, relations: Sequence[Relation]) -> None:
        """What holds of each client, or after each draw, holds in the mean: it is affine, and no client has a factor of its own."""
        own = () if self.world.sizes.get("m") == (1,) else [k for k, s in self.world.scalars.items() if s.per_client]
        require_affine(where, view, relations, self.world.constant, own)

    # a lemma in a case of the run

    def _in_case(self, where: str, one: Use, state: State) -> tuple[State, list[Placed]]:
        each = placed(one.claim, one.at, state, where)
        state.space.close()
        for p in each:
            self._rows(where, one, state, p)
        return state, each

    def _rows(self, where: str, one: Use, state: State, p: Placed) -> None:
        """What is known of the lemma's leaves is known of the model's in their place."""
        inequalities = state.inequalities
        known = state.named(self._expected)
        for name, form in p.space.inequalities:
            image = self._expected(state, p.images.form(form))
            same = known.get(canonical(image))
            if same is None and not follows_from(image, inequalities, state, self.docket):
                left = described(image.clean(), state.space.leaves, state.space.values)
                solved = next(
                    (f", where '{n}' is not solved for a vector" for n, f in p.space.inequalities if not f.clean()), ""
                )
                raise NotShown(
                    f"{where}: {one.claim.id} rests on {name}, which is not known of the model ({left}){solved}"
                )
            p.rows.append((name, form, same or ""))

    def _gap(self, state: State, gaps: Sequence[Form]) -> Form:
        chances = getattr(state.x._draws, "chances", (Fraction(1, len(gaps)),) * len(gaps))
        total = gaps[0]
        if len(gaps) > 1:
            total = reduce(lambda a, b: a + b, [gap * c for gap, c in zip(gaps, chances, strict=True)])
        return self._expected(state, total)


def means_read(
    quantities: Mapping[str, Callable[[Instance], object]], means: Collection[str], states: Sequence[State]
) -> frozenset[str]:
    """The quantities of a run that read a mean over the steps, as states of a run with these means tell."""
    return frozenset(name for name, fn in quantities.items() for state in states if reads(fn, state.x, means))


def reads(said: Callable[[Instance], object], x: Instance, names: Collection[str]) -> bool:
    """Whether what is said of an instance reads one of some names."""
    if names:
        try:
            said(x.without(names))
        except UsageError:
            return True
    return False


def _at_the_end(state: State) -> list[tuple[str, Form]]:
    """What is known of the last state, too: what the points obey is said of every step, and there is none from it."""
    return [one for one in state.inequalities if not is_obeyed(state, one[0])]


def rests_on_a_step(state: State, each: Sequence[Placed]) -> bool:
    """Whether a lemma in a state rests on what the points obey."""
    return bool(state.world.obeys) and any(not same or is_obeyed(state, same) for p in each for _, _, same in p.rows)


def each_quantity(run: Any, x: Any, *, after: bool = False) -> tuple[Relation, ...]:
    """All quantities of a run at one state, and after a step from it."""
    at = (x, x.next) if after else (x,)
    return tuple(le(0, getattr(y, name)) for y in at for name in run.quantities)


def at_the_next(name: str, x: Any) -> Any:
    return getattr(x.next, name)


def expected_in(state: State, form: Form) -> Form:
    """A form in the mean over the selections of a random step."""
    numbers: Any = state.space.numbers
    return numbers._expect(form) if state.world.random and state.drawn else form
