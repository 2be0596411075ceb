"""What a method does at a setting in a few rounds: how far the squared gradient falls, and whether the Lyapunov value does."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..catalogue import Bound, Catalogue, evaluate, promise
from ..checks import initial
from ..errors import UsageError
from ..measure.observe import error, objective
from ..method import Method, Observers, Watch
from ..problem import Problem
from ..registry import method, paper
from ..results.spec import Spec
from ..runs.loop import number, run
from .work import problems_of

if TYPE_CHECKING:
    from ..method import Algorithm

ROUNDS = 20
ACCURACY = 0.1  # of the first squared gradient
ROUNDING = 1e-12  # of the size of the Lyapunov values


@dataclass(frozen=True)
class Run:
    """A run of a few communications.

    Attributes
    ----------
    rounds : int
        Communications.
    reached : int or None
        Communications after which |grad f(w)|^2 was at most a tenth of what it was first; None if it never was.
    objective, slope : tuple of float
        f(w) and |grad f(w)|^2 at the start and at the end.
    lyapunov : str
        Whether the paper's Lyapunov value falls in every round; empty where it is not observed.
    promised : str
        After how many rounds the theorem promises a tenth of what it bounds, or why it promises nothing.
    why : str
        Why there was no run, or why it ended; empty where it went to its end.
    """

    rounds: int = 0
    reached: int | None = None
    objective: tuple[float, float] = (math.nan, math.nan)
    slope: tuple[float, float] = (math.nan, math.nan)
    lyapunov: str = ""
    promised: str = ""
    why: str = ""


def at_setting(spec: Spec, catalogue: Catalogue, bounds: Sequence[Bound], values: Mapping[str, object]) -> Run:
    """Run the method of a spec for its rounds; what it refuses is the reason why there is no run.

    Parameters
    ----------
    bounds : sequence of Bound
        What is promised: the rounds until the first of them is at most a tenth of what it bounds at the start.
    values : mapping
        The parameters of the catalogue.
    """
    entry = method(spec.method)
    problem = problems_of(spec).setup(spec.seed).problem
    try:
        algorithm, state = entry.make(dict(spec.options), problem)
        watch = Watch(algorithm, problem, problem, state, None, spec.seed)
        with np.errstate(over="ignore", invalid="ignore"):
            trace = run(
                algorithm,
                problem,
                state,
                rounds=spec.rounds,
                seed=spec.seed,
                every=1,
                observers=_observers(entry, watch),
            )
    except UsageError as refused:
        return Run(why=str(refused))
    slope, value = trace["error"], trace["objective"]
    below = np.flatnonzero(slope <= ACCURACY * slope[0])
    return Run(
        rounds=int(trace["communications"][-1]),
        reached=int(trace["communications"][below[0]]) if below.size else None,
        objective=(float(value[0]), float(value[-1])),
        slope=(float(slope[0]), float(slope[-1])),
        promised=_promised(catalogue, bounds, values, float(slope[0]), lambda: _measured(entry, algorithm, problem)),
        lyapunov=_falls(trace["lyapunov"], trace["communications"]) if "lyapunov" in trace else "",
        why="" if trace.stopped == "rounds" else trace.stopped,
    )


def _measured(entry: Method, algorithm: Algorithm, problem: Problem) -> tuple[dict[str, object], float | None]:
    """(what the paper measures of a problem, the gap of the objective at the start).

    Of envelopes, whose minimum takes minutes, both are bounds.
    """
    if not entry.paper or (measure := paper(entry.paper).measured()) is None:
        return {}, None
    from problems.joint import near
    from problems.measured import gap

    start = initial("audit", None, problem, 1)
    if entry.lam is None:
        found, left = measure(problem, None, start), gap(problem, start, "f(w_0) - f*")
    else:
        bounds = near(problem, float(entry.lam(algorithm)), start)
        found, left = measure(problem, bounds, start), bounds.gap
    return {k: c.value for k, c in found.items() if c.value is not None}, left.value


def _promised(
    catalogue: Catalogue,
    bounds: Sequence[Bound],
    values: Mapping[str, object],
    slope: float,
    measure: Callable[[], tuple[dict[str, object], float | None]],
) -> str:
    """The rounds after which the first bound is a tenth of what it bounds at the start, or why it promises none.

    A bound on neither squared gradients nor the gap is held against its own value after one round. Of what is not known the
    paper's `exact` values are taken; `measure` is asked only where the conditions hold. `slope` is |grad f|^2 at the start.
    """
    if not bounds:
        return ""
    bound = bounds[0]
    given = {k: shared(v) for k, v in {**catalogue.exact, **values}.items() if k != catalogue.rounds}
    rows = {row.name: row for row in evaluate(catalogue, given)}
    if failing := [c.printed for c in bound.conditions if rows[c.printed].holds is False]:
        return f"nothing: {failing[0]} fails"
    own, gap = measure()
    given = {**own, **given}
    found = promise(catalogue, bound, given, horizons=(1,))
    if found.missing:
        return f"not evaluated: {found.missing}"
    first = found.values[0]
    starts = {"stationarity": (slope, "|grad f|^2"), "objective": (gap, "the gap")}
    at_start, what = starts.get(bound.curve, (first, "itself"))
    if at_start is None:
        return "not evaluated: the gap at the start is not known"
    found = promise(catalogue, bound, given, accuracy=ACCURACY * at_start)
    said = f"to a tenth of {what} by {bound.where}, which is {first:.3g} after one"
    if found.rounds == math.inf:
        return f"never {said} and not below {found.limit:.3g}"
    return f"{found.rounds:.3g} rounds {said}"


def shared(value: object) -> Any:
    """One number where all clients have the same."""
    if isinstance(value, np.ndarray) and np.all(value == value.flat[0]):
        return float(value.flat[0])
    return value


def _observers(entry: Method, watch: Watch) -> Observers:
    """f and |grad f|^2 at the server's point, and the paper's Lyapunov value where it needs no minimiser."""
    found: Observers = {
        "objective": lambda s: objective(watch.problem, entry.at(s)),
        "error": lambda s: error(watch.problem, entry.at(s)),
    }
    own = entry.observers(watch) if entry.observers else {}
    if "lyapunov" in own:
        found["lyapunov"] = own["lyapunov"]
    number(found["error"](watch.first))  # what a problem without gradients refuses, it refuses here
    return found


def _falls(values: np.ndarray, communications: np.ndarray) -> str:
    """Whether it never rises, else after which communication and by how much.

    Examples
    --------
    >>> _falls(np.array([3.0, 2.0, 2.5]), np.array([0, 1, 2]))
    'rises after 1 by 0.5'
    """
    rise = np.diff(values)
    if not np.isfinite(values).all():
        return "is not finite"
    k = int(np.argmax(rise)) if len(rise) else 0
    if len(rise) and rise[k] > ROUNDING * float(np.abs(values).max()):
        return f"rises after {int(communications[k])} by {rise[k]:.3g}"
    return "falls"
