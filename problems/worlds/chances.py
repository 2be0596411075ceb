"""Chances of the outcomes of a random step: numbers that are functions of the scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from fedtheory.errors import NotApplicable, UsageError
from fedtheory.gram.forms import SIZES, Space
from fedtheory.gram.ratio import nonzero, symbols, text
from fedtheory.instance import Instance
from fedtheory.relation import Condition, Relation, le
from fedtheory.world import Scalar

Chances = Callable[[Instance], Any]


def none_negative(chances: Chances, outcomes: tuple[Any, ...], scalars: Mapping[str, Scalar], means: bool) -> Condition:
    """The condition that no chance is negative.

    Raises
    ------
    UsageError
        If there is not one chance for every outcome, their sum is not one, or they read anything but scalars.
    """
    own = [name for name, spec in scalars.items() if not (spec.per_client or spec.weight)]
    try:
        said = tuple(chances(Instance(Space(SIZES[0]).numbers, symbols(own))))
        total = sum(said)
    except (NotApplicable, TypeError) as error:
        raise UsageError(f"Run(chances=...) must give rational functions of the scalars, {error}") from None
    if len(said) != len(outcomes):
        raise UsageError(f"Run(chances=...) must give one chance for each of outcomes={outcomes!r}, got {len(said)}")
    if not said or nonzero(total - 1):
        raise UsageError(f"Run(chances=...) must give numbers whose sum is 1, got {text(total)}")
    if means:
        raise UsageError(
            "Run(chances=...) cannot stand beside means=..., which are means along equally likely histories"
        )
    return Condition("no chance is negative", "", partial(_none_negative, chances))


def _none_negative(chances: Chances, x: Instance) -> tuple[Relation, ...]:
    return tuple(le(0, chance) for chance in chances(x))
