"""How long the runs of a table will take, before they begin: from what such runs took, or from two rounds of one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..measure import accuracy
from ..method import Watch
from ..random import stream
from ..registry import method
from ..runs.finished import Finished
from ..runs.spec import Spec
from .experiment import kept
from .work import by_problem, is_kept, plan_of, problems_of

HOUR = 3600.0


def cell(spec: Spec) -> str:
    """What runs that differ in their seeds alone are called."""
    labels = spec.labels
    axes = [f"{k} = {v}" for k, v in dict(labels.get("axes") or {}).items()]
    words = [str(labels.get(k, "")) for k in ("problem", "method", "setting")]
    words = [word for word in words if word]
    return ", ".join([*words, *axes])


def hours(chosen: Sequence[Spec], folder: str, jobs: int) -> tuple[list[dict[str, Any]], float]:
    """(a line of each cell: its runs, those that are there, seconds of one, hours that are left; hours of all on `jobs` cores)."""
    cells: dict[str, list[Spec]] = {}
    for spec in chosen:
        cells.setdefault(cell(spec), []).append(spec)
    kept_ones = {id(spec) for spec in by_problem(chosen) if is_kept(folder, spec)}
    lines: list[dict[str, Any]] = []
    for name, own in cells.items():
        there = [spec for spec in own if id(spec) in kept_ones]
        took = [s for s in (_took(folder, spec).seconds for spec in there) if s is not None]
        each = float(np.mean(took)) if took else seconds_of(own[0])
        left = (len(own) - len(there)) * each / HOUR
        lines.append({"cell": name, "runs": len(own), "there": len(there), "seconds a run": each, "hours left": left})
    return lines, sum(float(line["hours left"]) for line in lines) / jobs


def _took(folder: str, spec: Spec) -> Finished:
    from ..runs import store

    return kept(folder, store.key(plan_of(spec, problems_of(spec)).inputs()))


def seconds_of(spec: Spec) -> float:
    """What a run takes by one of its rounds, after a first one that fills the caches, and by one observation."""
    setup = problems_of(spec).setup(spec.seed)
    entry = method(spec.method)
    algorithm, state = entry.make(dict(spec.options), setup.problem)
    for t in range(2):
        started = time.perf_counter()
        state = algorithm.step(setup.problem, state, algorithm.draw(setup.problem, stream(spec.seed, t, "draw")))
        a_round = time.perf_counter() - started
    observed = 0.0
    if spec.measure == "accuracy" and setup.test is not None:
        watch = Watch(algorithm, setup.problem, setup.problem, state, None, spec.seed)
        observers = accuracy.observers_of(entry, watch, setup.test)
        started = time.perf_counter()
        for of in observers.values():
            of(state)
        observed = time.perf_counter() - started
    seen = spec.rounds // spec.every if spec.every else 1
    return spec.rounds * a_round + (seen + 1) * observed
