"""Counterexamples in small numbers, and the evidence of a refutation."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ..claim import Body, Claim
from ..referee.witness import witness
from ..verdict import Evidence
from ..world import Free, World
from .exact import Replay, ratio, replay, slack

SHRINKS = 3  # passes over all entries of a witness
PLENTY = -0.3  # a relative violation that needs no larger one


def refutation(engine: str, claim: Claim, free: Free, numbers: dict[str, Any] | None = None, **said: Any) -> Evidence:
    """What an engine says whose instance refutes: the instance in small numbers as a witness, its slack and its ratio."""
    free, result = shrink(claim.body, claim.world, free, claim.id)
    worst = result.worst
    figures = dict(said.pop("figures", {}))
    if worst is not None:
        figures |= {"min_slack": slack(worst), "tightness": ratio(result.relations)}
    return Evidence(
        engine, "refutes", [free.shape], numbers or {}, "replayed exactly",
        witness=witness(free, result), figures=figures, **said,
    )  # fmt: skip


def shrink(body: Body, world: World, free: Free, owner: str = "") -> tuple[Free, Replay]:
    """A refuting instance in numbers as small as rounding and zeroing can make them.

    Conditions stay exact, and half of the relative violation stays unless there is plenty of it.
    """
    best = free.map(Fraction)
    result = replay(body, world, best, owner)
    least = max(_violation(result) / 2, PLENTY)
    for D in (1, 2, 4, 10, 100, 10**4, 10**8):
        rounded = best.map(partial(_simple, D=D))
        trial = replay(body, world, rounded, owner)
        if trial.outcome == "refutes" and _violation(trial) <= least:
            best, result = rounded, trial
            break
    for _ in range(SHRINKS):
        before = best
        for part in ("scalars", "vectors"):
            for name, value in list(getattr(best, part).items()):
                for index in np.ndindex(*np.shape(value)):
                    current = Fraction(getattr(best, part)[name][index] if index else getattr(best, part)[name])
                    for simpler in _simpler(current, part == "scalars"):
                        changed = _set(best, part, name, index, simpler)
                        trial = replay(body, world, changed, owner)
                        if trial.outcome == "refutes" and _violation(trial) <= least:
                            best, result = changed, trial
                            break
        if best is before:
            break
    return best, result


def _violation(result: Replay) -> float:
    return min((slack(s) for s in result.relations if s.truth is False), default=0.0)


def _simpler(v: Fraction, scalar: bool) -> list[Fraction]:
    """Values that a person would rather read than v, simplest first."""
    wishes = [Fraction(w) for w in (0, 1, -1, 2, 10, "1/2", "1/10", 100, "1/100", "1/1000")]
    wishes += [Fraction(round(v)), v.limit_denominator(2), v.limit_denominator(10), _simple(v, 1), _simple(v, 4)]
    out: list[Fraction] = []
    for w in wishes:
        if w == v:
            break
        if w not in out and not (scalar and w <= 0):
            out.append(w)
    return out


def _simple(v: Fraction, D: int) -> Fraction:
    """Round to a small fraction relative to the magnitude: p/q with q <= D below 1, p a multiple above."""
    v = Fraction(v)
    if v == 0:
        return v
    power = Fraction(10) ** (int(np.floor(np.log10(abs(float(v))))) if abs(v) < 10**300 else 0)
    if Fraction(1, 100) < abs(v) < 1000:
        return v.limit_denominator(D)
    return (v / power).limit_denominator(D) * power


def _set(free: Free, part: str, name: str, index: tuple[int, ...], to: Fraction) -> Free:
    data = dict(getattr(free, part))
    if index:
        value = np.array(data[name], dtype=object)
        value[index] = to
        data[name] = value
    else:
        data[name] = to
    return free.replace(**{part: data})
