"""One client of a run of many: what moves it is its own, shared, or whether it is selected, so that it is a run of one client.

What is then shown of every run of one client holds of each client of the run of many. What is stated of sums over the clients
does not: it is dropped, and less is known of the one client.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import NotApplicable
from ...gram.forms import Form
from ...gram.generic import OWN, SHARED
from ...gram.ratio import nonzero
from ...of_clients import OfClients
from ...relation import Relation, as_relations
from ..prove.induction import NotShown
from ..z3.terms import formulas
from ..z3.trees import constants
from .compose import Composition
from .state import State, canonical, single, states_of

COUNTS = {"m", "S", "N"}


@dataclass
class OneClient(Composition):
    """What is known of a step of one client that is selected, or of one that is not: any step of a run is one or the other."""

    chosen: int = 1

    def _all_states(self) -> list[State]:
        return [s for s in states_of(self.world) if _entry(s.x._names[self.world.selection]) == self.chosen]


def one_client_of(run: Any, states: Sequence[State], view: Any) -> Any:
    """The run of any one client of a run.

    Raises
    ------
    NotShown
        If a client's points depend on those of the others.
    """
    if not getattr(run, "selection", "") or "m" not in run.sizes or "S" in run.sizes:
        raise NotShown("only where any of the clients may be selected at a step is one of them followed")
    if run.random or run.within or run.means or run.either or run.counts:
        raise NotShown("a client of a random run, or of a run within a step, is not followed by itself")
    for state in states:
        if state.generic:
            for name in run.step:
                _require_own_point(state, name)
            for c in run.obeys:
                for r in as_relations(c.relation(state.x), c.printed):
                    _require_own(state, Form.of(_entry(r.rhs)) - Form.of(_entry(r.lhs)), c.printed)
    given = [c for c in run.given if c in run.on_scalars and not _reads_counts(c.relations(view.x))]
    return dataclasses.replace(run, sizes={**run.sizes, "m": (1,)}, given=tuple(given), every=(), start={}, example={})


def sum_over_clients(run: Any, states: Sequence[State], name: str) -> OfClients:
    """The quantity of that name, which is a sum over clients of what each has by itself.

    Raises
    ------
    NotShown
        If it is not.
    """
    found = run.quantities.get(name)
    if not isinstance(found, OfClients) or found.over not in ("", run.selection):
        raise NotShown(f"{name} is no sum over the clients, or over the selected ones")
    for state in states:
        if state.generic:
            _require_own(state, single(found.of(state.x)), name)
    return found


def require_same(states: Sequence[State], one: OfClients, other: OfClients) -> None:
    """Raise NotShown unless two sums are of the same number of each client."""
    if any(canonical(single(one.of(s.x))) != canonical(single(other.of(s.x))) for s in states):
        raise NotShown("what is renewed is another number of each client")


def require_no_counts(value: Any, what: str) -> None:
    """Raise NotShown if a number reads how many clients there are."""
    if constants([value]) & COUNTS:
        raise NotShown(f"{what} reads the number of clients")


def _reads_counts(relations: Iterable[Relation]) -> bool:
    return bool(constants(formulas(relations)) & COUNTS)


def _entry(side: Any) -> Any:
    plain = np.asarray(side, dtype=object).view(np.ndarray)
    if plain.size != 1:
        raise NotApplicable("a condition with several entries")
    return plain.reshape(-1)[0]


def _require_own(state: State, form: Form, what: str) -> None:
    """A number of a generic client reads its own leaves and shared ones, and not how many clients there are."""
    numbers: Any = state.space.numbers
    for key, c in form.clean().items():
        values = key[:1] == ("v",) and key[1] in numbers.mean_values
        leaves = key[:1] == ("G",) and all(numbers.kinds[k] in (OWN, SHARED) for k in key[1:])
        if not (values or leaves or key in ((), ("",))):
            raise NotShown(f"{what} of a client reads the other clients")
        _require_uncounted(c, what)


def _require_own_point(state: State, name: str) -> None:
    """A point of a generic client moves by its own leaves and shared ones, and whatever it reads is at such points."""
    _require_own_row(state, state.x.next._names[name], name)
    for clients in state.space.clients:
        for each in clients._points:
            for point, gradient, _ in each:
                _require_own_row(state, point, f"a gradient or value that {name} may read")
                _require_own_row(state, gradient, f"a gradient or value that {name} may read")


def _require_own_row(state: State, vector: Any, what: str) -> None:
    numbers: Any = state.space.numbers
    leaf = {masked: slot for slot, masked in numbers.masks.items()}
    row = np.asarray(vector, dtype=object).view(np.ndarray)
    for k, c in enumerate(row.reshape(-1, row.shape[-1])[0]):
        if nonzero(c):
            if numbers.kinds[leaf.get(k, k)] not in (OWN, SHARED):
                raise NotShown(f"{what} depends on all clients")
            _require_uncounted(c, what)


def _require_uncounted(c: Any, what: str) -> None:
    for p in (c.top, c.bottom) if hasattr(c, "top") else ():
        names = p.context().names()
        if any(e and name in COUNTS for name, e in zip(names, p.degrees(), strict=True)):
            raise NotShown(f"{what} of a client reads how many clients there are")
