"""That quantities of a run are continuous functions of some of its points: what accumulation points need, stated once.

The gradient and the value of an L-smooth function are continuous, and so is the prox of a convex one. A quantity is then a
continuous function of named points where it is made of these points, of points that never move, of values and gradients there,
and of proxes of them: of no other vector, no choice of a step and no time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...errors import NotApplicable, UnitsMismatch, UsageError
from ...gram.generic import BAR
from ...gram.ratio import text
from ..prove.induction import NotShown
from .state import TIME, State, slots, still


def require_continuous(run: Any, states: Sequence[State], points: Iterable[str], quantities: Iterable[str]) -> None:
    """Raise NotShown unless quantities of a run are continuous functions of the named points alone."""
    if not hasattr(run, "quantities"):
        raise NotShown("an accumulation point is one of the points of a Run")
    points = tuple(points)
    for name in points:
        if name not in (*run.at, *run.clients_at) or name not in (*run.step, *run.new):
            raise NotShown(f"{name} is no point of the run that moves")
    if run.random or run.within or run.means:
        raise NotShown(
            "the points of a random run, or of a run within a step, are not followed to their accumulation points"
        )
    f: Any = run.f
    if f is not None and not (getattr(f, "bounded", False)):
        raise NotShown(f"the gradient of functions that are {f.name} need not be continuous")
    for name in quantities:
        if name not in run.quantities:
            raise NotShown(f"{name} is no quantity of the run")
        for state in states:
            _require(run, state, points, name)


def _require(run: Any, state: State, points: Sequence[str], name: str) -> None:
    chosen = {*run.chosen, TIME, run.index}
    try:
        run.quantity(name, state.x.without(chosen))
    except (UsageError, UnitsMismatch, NotApplicable):
        raise NotShown(f"{name} reads what is chosen at a step, or the time") from None
    known = _of_points(run, state, points)
    values: set[int] = set()
    _grow(run, state, known, values)
    for key, c in state.now[name].clean().items():
        own = known if key[:1] in (("G",), ("M",)) else values
        if any(k not in own for k in key[1:] if type(k) is int):  # besides these a client's scalars, as text
            raise NotShown(f"{name} is no continuous function of {', '.join(points)}: it reads another vector")
        if TIME in text(c):
            raise NotShown(f"{name} reads the time")


def _of_points(run: Any, state: State, points: Sequence[str]) -> set[int]:
    """The leaves of the named points, and of those that never move."""
    fixed = [k for k in (*run.one_step.at, *run.one_step.clients_at) if k not in (*run.step, *run.new)]
    fixed = [k for k in fixed if k not in run.one_step.new_names().values()]
    fixed += ["w_star"] if run.optimum_of else []
    return still(state)[0] | {k for name in (*points, *fixed) for k in slots(state.x._names[name])}


def _grow(run: Any, state: State, known: set[int], values: set[int]) -> None:
    """Gradients and values at known points are known, and proxes of them where functions are convex."""
    values |= still(state)[1]
    convex = not getattr(run.f, "nonconvex", True)
    numbers: Any = state.space.numbers
    while True:
        before = len(known), len(values)
        for clients in state.space.clients:
            for each in clients._points:
                for point, gradient, value in each:
                    at, slope = slots(point), slots(gradient)
                    if convex and len(at - known) == 1 and slope - at <= known and at & slope:
                        known |= at  # u with gradient lam (w - u) there is the prox of w
                    if at <= known:
                        known |= slope
                        values |= {k[1] for k in value.terms if k[:1] == ("v",)}
        for own, bar in getattr(numbers, "bars", {}).items():
            known |= {bar} if own in known else set()
        for weighed, (kind, own, _) in getattr(numbers, "of_weighted", {}).items():  # by a client's scalars, which stay
            known |= {weighed} if kind == BAR and own in known else set()
        for weighed, own in getattr(numbers, "weighted_values", {}).items():
            values |= {weighed} if own in values else set()
        for own, mean in getattr(numbers, "mean_values", {}).items():
            values |= {mean} if own in values else set()
        if (len(known), len(values)) == before:
            return
