"""Means over the steps of a run, as data of a certificate: what is one, what never moves, and what is apart from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...gram.forms import Form
from ...gram.ratio import nonzero
from ..certificates.theorems import ANY_TIME, Closed, NotClosed, ratio_text
from ..z3.terms import Index, on, term_of
from .state import State, matrices, slots, still

Data = dict[str, Any]
PLAIN = ("mean", "deviation", "spread")  # of the leaves of a generic client, those that read no selection
Places = dict[tuple[str, int], int] | None  # of the leaves of a generic client, by kind and slot


def over_steps(closed: Closed, name: str, quantity: str, weight: Callable[..., Any], by: Mapping[str, object]) -> Data:
    """The data of the use of a mean over the steps: of what it is the mean, what that is there, and the two sums."""
    sums = {"quantity": lambda x, t: weight(x, t) * getattr(x, quantity)[t], "weights": weight}
    found = {what: _sum_of(closed, term) for what, term in sums.items()}
    return {
        "lemma": None, "at": {}, "sequences": {}, "place": ["", 0], "states": [], "of": "means", "mean": name,
        "quantity": quantity, "by": {n: ratio_text(c) for n, c in by.items()}, "sums": list(found.values()),
    }  # fmt: skip


def _sum_of(closed: Closed, term: Callable[..., Any]) -> str:
    """What the sum of some terms below the length is called."""
    numbers, world = closed.numbers(), closed.world
    x, _ = on(numbers, world, {world.index: 1})
    symbol = str(term_of(x.sum(lambda t: term(x, t), getattr(x, world.index))))
    own = next((to for key, to in closed.called.items() if to[0] == symbol and key[0] == "sum"), None)
    if own is None:
        raise NotClosed("a sum that is no symbol")
    return closed.sequence_of("sum", own[1])


def weights(closed: Closed, run: Any) -> Data:
    """The weights of the means, at any t."""
    numbers, world = closed.numbers(), closed.world
    x, _ = on(numbers, world, {world.index: 1})
    return {name: closed.text(term_of(weight(x, Index(numbers, ANY_TIME)))) for name, (_, weight) in run.means.items()}


def marks(state: State, places: Places, moves: Sequence[Data]) -> Data:
    """What is a mean of what in a state, what is the same at every step, and what does not depend on a mean.

    What is zero is none of these: a step, by its `moves`, takes it to nothing.
    """
    if not state.world.means:
        return {}
    at = {slot: [place] for slot, place in enumerate(range(len(state.space.leaves)))}
    if places is not None:
        at = {}
        for (_, slot), place in places.items():
            at.setdefault(slot, []).append(place)
    fixed = at if places is None else {k: [places[kind, k] for kind in PLAIN if (kind, k) in places] for k in at}
    leaves, values = still(state)
    bound, heights = reached(state)
    free = set(range(len(state.space.leaves))) - bound
    names = state.x._names

    def stays(place: int) -> bool:
        own = str(place)
        return all(draw["leaves"].get(own, {own: "1"}) == {own: "1"} for draw in moves)

    of_steps = {name: (*slots(names[of]), *slots(names[name])) for name, (of, _) in state.world.means.items()}
    if unread := [name for name, pair in of_steps.items() if any(k not in at for k in pair)]:
        raise NotClosed(f"a mean over the steps that no quantity reads ({', '.join(unread)})")
    mean = {name: [at[k][0] for k in pair] for name, pair in of_steps.items()}
    return {
        "mean": mean,
        "still": {"leaves": [k for k in _at(leaves, fixed) if stays(k)], "values": sorted(values)},
        "apart": {"leaves": _at(free, at), "values": sorted(set(range(len(state.space.values))) - heights)},
    }


def _at(leaves: set[int], at: Mapping[int, list[int]]) -> list[int]:
    return sorted(place for slot in leaves for place in at.get(slot, ()))


def reached(state: State) -> tuple[set[int], set[int]]:
    """The leaves and values that depend on a mean over the steps."""
    numbers: Any = state.space.numbers
    leaves = {k for name in state.world.means for k in slots(state.x._names[name])}
    values: set[int] = set()
    more = -1
    while more != len(leaves):
        more = len(leaves)
        for clients in state.space.clients:
            for points in clients._points:
                for point, gradient, value in points:
                    if slots(point) & leaves or slots(gradient) & leaves:
                        leaves |= slots(gradient)
                        values |= {k[1] for k in value.terms if k[:1] == ("v",)}
        for u, mixed in matrices(state):
            leaves |= mixed if u & leaves else set()
        for table in ("bars", "selecteds", "masks"):
            found = getattr(numbers, table, {}).items()
            leaves |= {other for own, other in found if own in leaves} | {
                own for own, other in found if other in leaves
            }
        leaves |= {other for other, (_, own, _) in getattr(numbers, "of_weighted", {}).items() if own in leaves}
        for table in ("mean_values", "weighted_values"):
            values |= {other for own, other in getattr(numbers, table, {}).items() if own in values}
    return leaves, values


def unsaid(state: State, *forms: Form) -> bool:
    """Whether a quantity with these forms is none after a random step: it reads what depends on a mean, and so on the draws."""
    if not (state.world.means and state.world.random):
        return False
    leaves, values = reached(state)
    read = [(key[:1], k) for form in forms for key, c in form.clean().items() if nonzero(c) for k in key[1:3]]
    return any(k in (values if kind == ("v",) else leaves) for kind, k in read)
