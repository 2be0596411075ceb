"""The one driver loop: steps of a method, what is observed of them, when they end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._arrays import to_host
from ..checks import require_count
from ..problem import Problem
from ..random import stream
from ..trace import Trace

if TYPE_CHECKING:
    from ..formats import Document
    from ..method import Algorithm, Fold, Observer, State
    from ..quantity import Quantity

SAVE_SECONDS = 3.0  # between checkpoints, unless saving one takes longer than a share of it
SAVE_SHARE = 20.0  # times what the last one took


class Checkpoint(NamedTuple):
    """All that a run needs to go on: the random numbers are keyed by the round, so there is no generator in it."""

    state: State
    folded: dict[str, object]  # running values of the folds
    rows: list[dict[str, float]]  # observations so far


class _Saves:
    """Checkpoints that are handed to `save` from time to time, more seldom where saving takes long."""

    def __init__(self, save: Callable[[Checkpoint], None] | None) -> None:
        self.save, self.last, self.pause = save, time.monotonic(), SAVE_SECONDS

    def where_due(self, state: State, folded: dict[str, object], rows: list[dict[str, float]]) -> None:
        if self.save is not None and (began := time.monotonic()) - self.last > self.pause:
            self.save(Checkpoint(state, folded, rows))
            self.last = time.monotonic()
            self.pause = max(SAVE_SECONDS, SAVE_SHARE * (self.last - began))

    def at_interruption(self, state: State, folded: dict[str, object], rows: list[dict[str, float]]) -> None:
        if self.save is not None:
            self.save(Checkpoint(state, folded, [r for r in rows if r["t"] <= index(state)]))


def run(
    method: Algorithm,
    problem: Problem,
    state: State,
    *,
    rounds: int,
    seed: int,
    observers: Mapping[str, Observer],
    folds: Mapping[str, Fold] | None = None,
    stop: Callable[[Any], object] | None = None,
    every: int = 1,
    progress: Callable[[int], None] | None = None,
    save: Callable[[Checkpoint], None] | None = None,
    resume: Checkpoint | None = None,
) -> Trace:
    """Run a method until it has communicated `rounds` times, or a rule stops it.

    Nothing that is observed changes the iterates. The state is observed at the start, right after every `every`-th
    communication, and at the end; a method with local steps in between is not observed during them.

    Parameters
    ----------
    method : Algorithm
        Hyper-parameters with ``draw`` and ``step``.
    problem : Problem
    state : NamedTuple
        From the method's ``init``.
    rounds : int
        Communications, counted from the first one that a state records.
    seed : int
        Of the draws, ``stream(seed, round, purpose)``.
    observers : mapping of str to callable
        Each turns a state into one number.
    folds : mapping of str to callable
        Each turns (value so far, state before, state after) into the next value, at every step from 0; recorded with
        the observations.
    stop : callable, optional
        Turns a state into a truth; asked at the start and after every communication.
    every : int
        0 observes the start and the end only.
    progress : callable, optional
        Gets the number of communications after each of them.
    save : callable, optional
        Gets a checkpoint every few seconds (less often where saving takes long), and when the run is interrupted.
    resume : Checkpoint, optional
        Goes on from there instead of `state`; the result has the same bytes as that of an uninterrupted run.

    Returns
    -------
    Trace
        ``stopped`` is ``rounds``, ``rule``, or says which observed value is not finite.

    Raises
    ------
    UsageError
        If rounds or every are no integers of at least 0.
    KeyboardInterrupt
        After the checkpoint is saved.
    """
    require_count("run(rounds=...)", rounds, 0)
    require_count("run(every=...)", every, 0)
    folds = folds or {}

    def observe(at: State, folded: Document) -> dict[str, float]:
        return observed(at, observers, folded)

    def ended(at: State) -> str:
        if stop is not None and bool(stop(at)):
            return "rule"
        return "rounds" if at.communications >= rounds else ""

    if resume is None:
        folded: dict[str, object] = dict.fromkeys(folds, 0.0)
        resume = Checkpoint(state, folded, [observe(state, folded)])
    rows = list(resume.rows)
    current = (resume.state, resume.folded)  # bound once a step, so that an interruption finds a pair that fits
    reason = not_finite(rows[-1]) or ended(resume.state)
    saved = _Saves(save)
    try:
        while not reason:
            before, folded = current
            after = method.step(problem, before, draws_of(method, problem, before, seed))
            folded = {name: fold(folded[name], before, after) for name, fold in folds.items()}
            communicated = after.communications > before.communications
            if communicated:
                reason = ended(after)
                if reason or (every and after.communications % every == 0):
                    rows.append(observe(after, folded))
                    reason = not_finite(rows[-1]) or reason
            current = (after, folded)
            if communicated and progress is not None:
                progress(after.communications)
            saved.where_due(*current, rows)
    except KeyboardInterrupt:
        saved.at_interruption(*current, rows)
        raise
    columns = {name: np.array([row[name] for row in rows]) for name in sorted(rows[0])}
    return Trace(columns, reason, current[0])


def observed(state: State, observers: Mapping[str, Observer], folded: Document) -> dict[str, float]:
    """One row of a trace: step, communications, observations and running values."""
    values = {name: number(observer(state)) for name, observer in observers.items()}
    folded_values = {name: number(value) for name, value in folded.items()}
    return {"t": index(state), "communications": state.communications, **values, **folded_values}


def draws_of(method: Algorithm, problem: Problem, state: State, seed: int) -> Any:
    """The draws of the step from `state`."""
    return method.draw(problem, stream(seed, index(state), "draw"))


def index(state: Any) -> int:
    """Steps that a state has behind it, the method's own index k or t."""
    return int(state.k if hasattr(state, "k") else state.t)


def number(value: Quantity) -> float:
    """A number or an array of one entry, on any device, as a float."""
    return float(value) if isinstance(value, (int, float)) else float(to_host(value).item())


def not_finite(row: Mapping[str, float]) -> str:
    """Which observed value is not finite, in a sentence; empty if all are."""
    bad = [name for name, value in row.items() if not math.isfinite(value)]
    return f"{bad[0]} is not finite after {row['communications']} communications" if bad else ""
