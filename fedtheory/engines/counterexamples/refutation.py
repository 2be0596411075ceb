"""Counterexamples in small numbers, and the evidence of a refutation.

Rests on nothing but the exact replay of what it shows. The least witness is the least of those that were tried, not of all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ...claim import Claim
from ...formats import Json
from ...verdict import Evidence
from ...world import Free
from ..budget import Witness
from .exact import Replay, judge, ratio, replay, slack
from .ordinary import ordinary
from .witness import kin, witness

ROUNDINGS = (1, 2, 4, 10, 100, 10**4, 10**8)  # denominators of all entries at once
UNITS = tuple(Fraction(u) for u in (10, 5, 2, "1/10", "1/5", "1/2"))  # by which a unit may change
PLENTY = -0.3  # a relative violation that needs no larger one


def refutation(engine: str, claim: Claim, starts: Sequence[Free], numbers: Json | None = None, **said: Any) -> Evidence:
    """What an engine says that refutes: the simplest witness that is found from the refuting instances `starts`.

    The figures of the verdict become those of the witness; `said` are other parts of the evidence.
    """
    free, own = starts[0], claim.world
    claim = where(claim, free)
    if claim.world is own or len(free.scalars) <= Witness.kept:  # a long sequence stays as it is
        known: dict[Any, Replay] = {}
        free = min((shrink(claim, start, known)[0] for start in starts), key=simplicity)
        if not claim.world.ordinary(free) and (other := ordinary(claim, free)) is not None:
            free = shrink(claim, other, known)[0]
    result = replay(claim.body, claim.world, free, claim.id)
    if result.outcome != "refutes":
        raise AssertionError(f"the witness of the search replays as {result.outcome}: {result.reason}")
    worst = result.worst
    figures = dict(said.pop("figures", {}))
    if worst is not None:
        figures |= {"min_slack": slack(worst), "tightness": ratio(result.relations)}
    return Evidence(
        engine, "refutes", [free.shape], numbers or {}, "replayed exactly",
        witness=witness(free, result, claim.world.scalars), figures=figures, **said,
    )  # fmt: skip


def where(claim: Claim, free: Free) -> Claim:
    """The claim about a world that has such instances: a longer sequence has more scalars."""
    own = free.scalars.keys() <= claim.world.scalars.keys()
    return claim if own else replace(claim, world=kin(free, claim.world))


def simplicity(free: Free) -> tuple[int, int]:
    """How much there is to read: numbers that are not zero, and their digits; less is simpler."""
    arrays = (np.asarray(a, dtype=object) for a in (*free.scalars.values(), *free.vectors.values()))
    numbers = [abs(Fraction(v)) for a in arrays for v in a.flat if v != 0]
    return len(numbers), sum(len(str(v)) for v in numbers)


def shrink(claim: Claim, free: Free, known: dict[object, Replay] | None = None) -> tuple[Free, Replay]:
    """A refuting instance in numbers as small as rounding, zeroing and other units can make them.

    Conditions stay exact, half of the relative violation stays unless there is plenty of it, and so do functions that are convex
    and bounded below. `known` has the replays of
    this claim so far; several starts come to the same instances.
    """
    found = Shrinking(claim, free.map(Fraction), {} if known is None else known)
    any(found.accepts(found.best.map(partial(_simple, D=D))) for D in ROUNDINGS)
    found.simplify_entries()
    plain = found.best, found.result
    found.change_units()
    found.simplify_entries()
    return min(plain, (found.best, found.result), key=lambda one: simplicity(one[0]))


class Shrinking:
    """The simplest refuting instance so far; a change of it counts if the exact replay still refutes, by enough."""

    def __init__(self, claim: Claim, free: Free, known: dict[object, Replay]) -> None:
        self.claim, self.best, self.known, self.replays = claim, free, known, 0
        self.result = self._judged(free)
        self.least = max(_violation(self.result) / 2, PLENTY)
        self.ordinary = claim.world.ordinary(free)

    def accepts(self, free: Free) -> bool:
        """Replay another instance, and keep it if it refutes; none is kept once `Witness.replays` are spent."""
        if self.replays == Witness.replays:
            return False
        self.replays += 1
        result = self._judged(free)
        if result.outcome != "refutes" or _violation(result) > self.least:
            return False
        if self.ordinary and not self.claim.world.ordinary(free):
            return False
        self.best, self.result = free, result
        return True

    def _judged(self, free: Free) -> Replay:
        """The replay of an instance, which is made once."""
        arrays = (*free.scalars.items(), *free.vectors.items())
        key = (*free.shape.items(), *((k, tuple(v.flat) if isinstance(v, np.ndarray) else v) for k, v in arrays))
        if key not in self.known:
            self.known[key] = judge(self.claim.body, self.claim.world, free, self.claim.id)
        return self.known[key]

    def simplify_entries(self) -> None:
        """Every scalar and every entry of a vector as the simplest number that is accepted, until none changes."""
        for _ in range(Witness.passes):
            before = self.best
            for part in ("scalars", "vectors"):
                for name, value in list(getattr(self.best, part).items()):
                    for index in np.ndindex(*np.shape(value)):
                        entry = getattr(self.best, part)[name]
                        wishes = _simpler(Fraction(entry[index] if index else entry), part == "scalars")
                        any(self.accepts(_set(self.best, part, name, index, wish)) for wish in wishes)
            if self.best is before:
                return

    def change_units(self) -> None:
        """The scalars in other units of f and of w, where that takes fewer digits."""
        for E, M in [*self._making_one(), *((u, Fraction(1)) for u in UNITS), *((Fraction(1), u) for u in UNITS)]:
            changed = self._in_units(E, M)
            if simplicity(changed) < simplicity(self.best):
                self.accepts(changed)

    def _making_one(self) -> Iterator[tuple[Fraction, Fraction]]:
        """Units of f and of w in which a scalar, or one of each kind, is 1."""
        own = {name: s.unit for name, s in self.claim.world.scalars.items() if not s.per_client}
        value = {name: Fraction(self.best.scalars[name]) for name in own if self.best.scalars[name] > 0}
        lengths = [value[n] ** -int(own[n].k) for n in value if own[n].e == 0 and abs(own[n].k) == 1]
        for M in (Fraction(1), *lengths):
            for n in value:
                if abs(own[n].e) == 1 and own[n].k.denominator == 1:
                    yield (value[n] * M ** int(own[n].k)) ** -int(own[n].e), M
            yield Fraction(1), M

    def _in_units(self, E: Fraction, M: Fraction) -> Free:
        """Scalars of unit ``E^e M^k`` times that; roots of units stay as they are."""
        scalars = {}
        for name, value in self.best.scalars.items():
            unit = self.claim.world.scalars[name].unit
            whole = unit.e.denominator == unit.k.denominator == 1
            scalars[name] = value * (E ** int(unit.e) * M ** int(unit.k)) if whole else value
        return self.best.replace(scalars=scalars)


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
    digits = len(str(abs(v.numerator))) - len(str(v.denominator))  # of what is beyond floats
    within = Fraction(1, 10**300) < abs(v) < 10**300
    power = Fraction(10) ** (int(np.floor(np.log10(abs(float(v))))) if within else digits)
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
