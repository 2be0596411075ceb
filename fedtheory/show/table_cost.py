"""Total cost of the runs of a table against theta: a panel a problem and reading of what a waiting client waits for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ..errors import UsageError
from ..formats import Document, Json
from ..measure.cost import WAITS, Cost, break_even, of_run, total
from ..results.finished import Finished
from ..results.groups import Group
from .cost import Panel, totals

READINGS = dict(zip(WAITS, ("waits for whole rounds", "waits for trainings alone"), strict=True))
PROBLEM = re.compile(r"m = (\d+) clients of (?:\d+ to )?(\d+).*d = (\d+)$")  # how the results of a run describe it
LINEAR = 4  # FLOP a weight, sample and gradient


def cost_of(f: Finished, waits: str) -> Cost:
    """Time and energy of each round of the busiest node of a run, a linear model on the device of `fedtheory.measure.cost`.

    Raises
    ------
    UsageError
        If the run was not observed in every round, so that densities and waiting are not known.
    """
    found = PROBLEM.search(f.results["problem"])
    if found is None or f.plan.every != 1:
        raise UsageError(
            f"the cost of {f.plan.method} needs every = 1 and a described problem, got {f.results['problem']!r}"
        )
    m, samples, d = map(int, found.groups())
    rounds, trace = int(f.results["last"]["communications"]), f.trace
    return of_run(
        gradients=f.results["gradients"], transferred=f.results["bytes"], clients=f.plan.options.get("S") or m, weights=d,
        samples=f.plan.options.get("batch") or samples, per_use=LINEAR, waits=waits,
        density=trace["density"][1:] if "density" in trace.columns else np.ones(rounds),
        units=np.diff(trace["time"]) if "time" in trace.columns else np.ones(rounds),
    )  # fmt: skip


def cost_in_mean(g: Group, waits: str) -> Cost:
    """The whole cost of the runs of a group: the mean over seeds of every part."""
    return Cost(*np.mean([[np.sum(part) for part in cost_of(f, waits)] for f in g.runs.values()], axis=0))


def lines_of(show: Mapping[str, object], groups: Sequence[Group]) -> Iterator[Json]:
    """Seconds and joules of every group, and from which theta on `ours` costs no more than all that are not dotted."""
    for waits, reading in READINGS.items():
        costs = {id(g): cost_in_mean(g, waits) for g in groups}
        for g in groups:
            cost, others = costs[id(g)], _others(show, g, groups)
            found: dict[str, float | None] = {f"C_time, s, {reading}": float(cost.seconds)}
            found |= {"C_energy, J": float(cost.joules)} if waits == WAITS[0] else {}
            found |= {f"least theta, {reading}": _least(cost, [costs[id(o)] for o in others])} if others else {}
            for figure, value in found.items():
                yield {
                    "problem": g.problem, "setting": g.setting, "row": g.method, "figure": figure, "measured": value,
                    "seeds": len(g.runs), "rounds": g.mean("communications"), "bytes": g.mean("bytes"),
                }  # fmt: skip


def _others(show: Document, g: Group, groups: Sequence[Group]) -> list[Group]:
    """What one of `ours` is compared with: the methods that are not dotted, on the same problem."""
    ours = show.get("ours", "")
    if g.method != ours:
        return []
    return [o for o in groups if o.problem == g.problem and o.method not in (ours, *show.get("dotted", ()))]


def _least(cost: Cost, others: Sequence[Cost]) -> float | None:
    """The theta from which on a cost is no more than all others; None where it is more than one of them at every theta."""
    found = max((float(break_even(cost, other)) for other in others), key=lambda theta: (np.isnan(theta), theta))
    return None if np.isnan(found) else found


def draw(
    show: Document, groups: Sequence[Group], titles: Mapping[str, str], path: str, caption: str
) -> None:  # fmt: skip
    """Draw the cost against theta, a line a method and setting."""
    theta, panels = np.linspace(0, 1, 201), []
    for problem in dict.fromkeys(g.problem for g in groups):
        for waits, reading in READINGS.items():
            own = [g for g in groups if g.problem == problem]
            costs = [cost_in_mean(g, waits) for g in own]
            names = [g.label() if sum(o.method == g.method for o in own) > 1 else g.method for g in own]
            lines = {name: total(theta, c.seconds, c.joules) for name, c in zip(names, costs, strict=True)}
            dotted = [n for n, g in zip(names, own, strict=True) if g.method in show.get("dotted", ())]
            panels.append(Panel(f"{titles.get(problem, problem)}\n{reading}", theta, lines, dotted))
    totals(panels, path, caption, below=True)
