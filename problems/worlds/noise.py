"""Errors of the clients' oracles: of mean zero, independent from client to client, with a bound on their variance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from fractions import Fraction

import numpy as np

from fedtheory.bodies import takes_one
from fedtheory.errors import UsageError
from fedtheory.instance import Instance
from fedtheory.numbers import Both, Floats, Numbers
from fedtheory.quantity import Quantity
from fedtheory.relation import Relation, le
from fedtheory.units import LENGTH, Unit
from fedtheory.world import Free

from .balls import Pull

NOISE = "noise"  # among the free data: of each client a vector, which its error is or the opposite of
SAID = "the errors of the clients are independent, of mean zero, with the variance that is stated"
Variance = Callable[[Instance], Quantity]


def require_noise(noise: Variance | None) -> None:
    """Refuse a variance that is no function.

    Raises
    ------
    UsageError
        If it is none.
    """
    if noise is not None and (not callable(noise) or not takes_one(noise)):
        raise UsageError(f"Points(noise=...) must be a bound on |n_i|^2, lambda x: x.sigma**2, got {noise!r}")


def beside(draws: tuple[object, ...], errors: tuple[object, ...]) -> tuple[object, ...]:
    """What is drawn: the errors, and the clients that take part where there are draws of these, independent of them."""
    return Both(draws, errors) if draws else errors


def bounded(noise: Variance, x: Instance, errors: np.ndarray) -> Relation:
    """|n_i|^2 is at most what is stated."""
    return le(x.sq(errors), noise(x), NOISE)


def pull(build: Callable[[Free, Numbers], Instance]) -> Pull:
    """Moves errors to where they are as small as that."""
    return Pull(lambda free: [r for r in build(free, Floats()).given if r.name == NOISE], ((NOISE, ()),))


def unit_errors(noise: Variance, x: Instance, shape: Mapping[str, int]) -> np.ndarray:
    """Vectors ``(m, 1)`` whose squares have the unit of the variance."""
    unit = LENGTH
    with suppress(TypeError, ValueError, AttributeError):
        unit = Unit.of(next(iter(np.ravel(np.asarray(noise(x), dtype=object))))) ** Fraction(1, 2)
    return np.full((shape.get("m", 1), 1), unit, dtype=object)
