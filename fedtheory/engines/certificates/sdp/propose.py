"""A certificate of a target: a semidefinite program proposes, rounding makes rationals, an exact check decides."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ....gram.forms import Key, Space
from .check import check
from .program import WEIGHTS, Program
from .rounding import rounded


@dataclass(frozen=True)
class Certificate:
    """Nonzero multipliers by the name of their inequality or equality."""

    multipliers: dict[str, Fraction]


def propose(target: dict[Key, Fraction], space: Space) -> Certificate | None:
    """A certificate of ``target >= 0``, or None when none was found (which refutes nothing)."""
    if check(target, space, {}):
        return Certificate({})
    program = Program(target, space)
    if not program.forms:
        return None
    # a sparse corner first, balanced and as it stands, then a point well inside the set
    for cost, weight in ((1.0, WEIGHTS[0]), (1.0, WEIGHTS[1]), (0.0, WEIGHTS[0])):
        numeric = program.solve(cost, weight=weight)
        multipliers = rounded(program, numeric) if numeric is not None else None
        if multipliers is not None:
            return Certificate(multipliers)
    return None
