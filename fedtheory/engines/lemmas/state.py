"""Any state of a run on Gram arrays, with its quantities before and after a step; one case for one client, one for every m."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...errors import NotApplicable
from ...gram.forms import GENERIC_SIZES, SIZES, Form, Space
from ...gram.generic_space import GenericSpace
from ...gram.ratio import exact_key, nonzero, symbols
from ...instance import Instance
from ..certificates.cases import Case, cases_of, counts, one_drawn

TIME = "t"  # what the index of a step is called among the parameters


@dataclass
class State:
    """One case of a run's states.

    Attributes
    ----------
    case : Case
        One client, or one generic client that stands for every number of them.
    params : dict of Ratio
        Scalars, sizes that are symbols, the length and the time, as symbols.
    space : Space
        Leaves, values and the inequalities of the class at the points that were looked at.
    x : Instance
        The scalars, points and functions, with `next` after a step.
    now, after, begun : dict of Form
        The quantities at this state, after a step from it where that is a form, and at the start of a run.
    """

    world: Any
    case: Case
    params: Mapping[str, Any]
    space: Space
    x: Instance
    now: dict[str, Form] = field(default_factory=dict)
    after: dict[str, Form] = field(default_factory=dict)
    begun: dict[str, Form] = field(default_factory=dict)
    begun_after: dict[str, Form] = field(default_factory=dict)
    _known: tuple[int, dict[Any, str]] = field(default_factory=lambda: (0, {}), init=False)

    @property
    def generic(self) -> bool:
        return bool(self.case.sizes)

    @property
    def drawn(self) -> bool:
        """Whether clients are drawn from any number of them."""
        return self.generic and "S" in self.case.shape

    @property
    def name(self) -> str:
        """The case as people read it."""
        return self.case.name

    @property
    def at(self) -> dict[str, Any]:
        """The parameters, with one client for any number of them where there is one."""
        return {**self.params, **({} if self.generic else {"m": 1, "S": 1})}

    @property
    def inequalities(self) -> list[tuple[str, Form]]:
        """What is known of the leaves and values, of each client and so in the mean over them."""
        return self.space.with_means() if isinstance(self.space, GenericSpace) else self.space.inequalities

    def named(self, expected: Callable[[State, Form], Form]) -> dict[Any, str]:
        """The name of every inequality, as `expected` makes it; there only ever come more, and each is looked at once."""
        looked, known = self._known
        inequalities = self.inequalities
        known |= {canonical(expected(self, form)): name for name, form in inequalities[looked:]}
        self._known = len(inequalities), known
        return known


def single(value: Any) -> Form:
    """The one entry of a quantity, of a generic client, of the server or of the one client that there is.

    Raises
    ------
    NotApplicable
        If there are several.
    """
    plain = np.asarray(value, dtype=object).view(np.ndarray)
    if plain.size != 1:
        raise NotApplicable("a quantity with several entries")
    return Form.of(plain.reshape(-1)[0])


def states_of(run: Any, *, alone: bool = False) -> list[State]:
    """The cases of a run, which together are every number of clients that it allows; `alone`, those in which one is drawn.

    Raises
    ------
    NotApplicable
        If some of its sizes can only be listed, or a quantity is none of Gram arrays.
    """
    world = run.one_step
    world = replace(
        world, scalars={k: replace(s, weight=False) for k, s in world.scalars.items()}
    )  # whatever their sum
    cases, complete = cases_of(world, own_scalars=True)
    if not complete:
        raise NotApplicable("some sizes of the run can only be listed")
    cases = one_drawn(world, cases) if alone else cases
    return [_state(run, world, case) for case in cases]


def _state(run: Any, world: Any, case: Case) -> State:
    if run.random and run.parts().participation:
        raise NotApplicable(
            "a theorem about runs in which clients take part otherwise than S of them without replacement"
        )
    params = symbols([*world.scalars, *case.sizes, run.index, TIME, *filter(None, [selected_name(run)])])
    own = [name for name, spec in world.scalars.items() if spec.per_client]
    space = GenericSpace(counts(case, params), GENERIC_SIZES[-1], own=own) if case.sizes else Space(SIZES[-1])
    scalars = {name: _each(params[name], space) if name in own else params[name] for name in world.scalars}
    x = world.abstract(scalars, case.shape, space)
    x = x.at(**{run.index: params[run.index], TIME: params[TIME]})
    x = world.completed(x)
    return looked_at(State(run, case, params, space, x), run.quantities)


def looked_at(state: State, quantities: Iterable[str]) -> State:
    """The state, with quantities of its run entered."""
    run, x = state.world, state.x
    start, after = run.begun(x), x.next
    fresh = {name: x._names[new] for name, new in run.one_step.new_names().items()}
    for name in quantities:
        known = name in x._names  # else it is followed for what a lemma says of it
        state.now[name] = single(getattr(x, name) if known else run.quantity(name, x))
        if run.start:
            state.begun[name] = single(run.quantity(name, start))
        with suppress(NotApplicable):  # such as one with a draw of its own
            state.after[name] = single(getattr(after, name) if known else run.after(name, x, x._draws, fresh))
            if run.start:
                state.begun_after[name] = single(run.after(name, start, x._draws, fresh))
    if not run.start:  # it begins anywhere
        state.begun, state.begun_after = dict(state.now), dict(state.after)
    return state


def after_draw(state: State, x: Instance) -> dict[str, Form]:
    """The quantities that move after a step from x, for any one draw."""
    run = state.world
    fresh = {name: state.x._names[new] for name, new in run.one_step.new_names().items()}
    out = {}
    for name in run.quantities.keys() - run.constant:
        with suppress(NotApplicable):
            out[name] = single(run.after_draw(name, x, state.x._draws[0], fresh))
    return out


def selected_name(run: Any) -> str:
    """The name of what is 1 for a client that is selected and 0 for another; empty where none is."""
    drawn = "drawn" if run.random and not run.outcomes else ""
    return run.selection or (drawn and drawn + "_" * (drawn in run.scalars))


def _each(value: Any, space: Space) -> Any:
    """A scalar of every client: one entry."""
    out = np.empty(1, dtype=object)
    out[0] = value
    return space.per_client(out)


def canonical(form: Form) -> tuple[Any, ...]:
    """What two forms have in common where, and only where, they are equal."""
    return tuple(sorted((repr(k), exact_key(c)) for k, c in form.clean().items()))


def value_at(c: Any, at: Mapping[str, Any]) -> Any:
    """A coefficient with other numbers in the place of its names.

    Raises
    ------
    ZeroDivisionError
        If it is undefined there.
    """
    if not hasattr(c, "top"):
        return Fraction(c)
    return polynomial_at(c.top, at) / polynomial_at(c.bottom, at)


def polynomial_at(p: Any, at: Mapping[str, Any]) -> Any:
    """A polynomial with numbers of any kind in the place of its names."""
    names = p.context().names()
    total: Any = Fraction(0)
    for powers, c in p.terms():
        product: Any = Fraction(int(c.p), int(c.q))
        for name, e in zip(names, powers, strict=True):
            if e:
                product = at[name] ** int(e) * product
        total = total + product
    return total


def still(state: State) -> tuple[set[int], set[int]]:
    """The leaves and values that are the same at every step: points that do not move, and functions there."""
    run, x = state.world, state.x
    moving = {*run.step, *run.new, *run.one_step.new_names().values()}
    names = [k for k in (*run.one_step.at, *run.one_step.clients_at) if k not in moving]
    names += ["w_star"] if run.optimum_of else []
    leaves = {k for name in names for k in slots(x._names[name])}
    values: set[int] = set()
    for clients in state.space.clients:
        for points in clients._points:
            for point, gradient, value in points:
                own = slots(gradient)
                if slots(point) - own <= leaves:
                    leaves |= own
                    values |= {k[1] for k in value.terms if k[:1] == ("v",)}
        values |= {k[1] for form in clients._infimum for k in form.terms if k[:1] == ("v",)}
    numbers: Any = state.space.numbers
    for own_slot, bar in getattr(numbers, "bars", {}).items():
        leaves |= {bar} if own_slot in leaves else set()
    for own_value, mean in getattr(numbers, "mean_values", {}).items():
        values |= {mean} if own_value in values else set()
    return leaves, values


def depends(state: State, form: Form, leaves: set[int]) -> bool:
    """Whether a form reads some leaves, or functions or matrices at what reads them."""
    values: set[int] = set()
    numbers: Any = state.space.numbers
    reached, before = set(leaves), set[int]()
    while reached != before:
        before = set(reached)
        for clients in state.space.clients:
            for points in clients._points:
                for point, gradient, value in points:
                    if slots(point) & reached:
                        reached |= slots(gradient)
                        values |= {k[1] for k in value.terms if k[:1] == ("v",)}
        for u, mixed in matrices(state):
            reached |= mixed if u & reached else set()
        reached |= {bar for own, bar in getattr(numbers, "bars", {}).items() if own in reached}
    values |= {mean for own, mean in getattr(numbers, "mean_values", {}).items() if own in values}
    read = [(key[:1], k) for key in form.clean() for k in key[1:]]
    return any(k in (values if kind == ("v",) else reached) for kind, k in read)


def is_obeyed(state: State, name: str) -> bool:
    """Whether an inequality of a state is about points that obey something at every step, and so not in the last state."""
    return bool(state.world.obeys) and name.removeprefix("mean of ").startswith("given ")


def matrices(state: State) -> list[tuple[set[int], set[int]]]:
    """The leaves of every vector that a matrix mixes, and of what it makes of it."""
    pairs = [pair for name in state.world.parts().mixing for pair in state.x._names[name].mixed]
    return [(slots(u), slots(mixed)) for u, mixed in pairs]


def slots(row: Any) -> set[int]:
    """The leaves of which a vector consists."""
    whole = np.asarray(row, dtype=object).view(np.ndarray)
    plain = whole.reshape(-1, whole.shape[-1])
    return {k for k, c in enumerate(plain[0]) if nonzero(c)}


def at_the_mean(state: State, form: Form, name: str, of: str) -> Form | None:
    """A form with a mean of a point in its place; None unless the form is affine in the point, and in nothing else that moves."""
    leaves, values = still(state)
    (moving,) = slots(state.x._names[of])
    (mean,) = slots(state.x._names[name])
    terms: dict[Any, Any] = {}
    for key, c in form.clean().items():
        own = [k for k in key[1:] if key[:1] in (("G",), ("M",))]
        if (key[:1] == ("v",) and key[1] not in values) or own.count(moving) > 1:
            return None
        if any(k != moving and k not in leaves for k in own):
            return None
        other = tuple(mean if k == moving else k for k in own)
        target = (key[0], *sorted(other)) if own else key
        terms[target] = terms.get(target, 0) + c
    return Form(terms)
