"""Checks of arguments that the data rooms share; a refusal names the argument as typed, the rule and the value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from fedtheory.errors import UsageError, did_you_mean


def whole(where: str, value: Any, least: int, most: int | None = None) -> int:
    """`value` as an int from `least` to `most`; `where` is the call as typed, such as ``iid(m=...)``."""
    ok = isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= least
    if not ok or (most is not None and value > most):
        rule = f"an integer of at least {least}" if most is None else f"an integer from {least} to {most}"
        raise UsageError(f"`{where}` must be {rule}, got {value!r}.")
    return int(value)


def number(where: str, value: Any, *, positive: bool = False) -> float:
    """`value` as a finite float that is at least 0, or above 0."""
    real = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    if not real or value < 0 or (positive and value == 0):
        raise UsageError(f"`{where}` must be finite and {'positive' if positive else 'at least 0'}, got {value!r}.")
    return float(value)


def one_of(where: str, value: Any, known: Iterable[str]) -> str:
    """`value`, which has to be one of the `known` names."""
    names = list(known)
    if not isinstance(value, str) or value not in names:
        raise UsageError(f"`{where}` must be one of {', '.join(names)}, got {value!r}{did_you_mean(str(value), names)}")
    return value


def sizes_given(where: str, value: Sequence[int], m: int) -> list[int]:
    """`value` as `m` positive sizes."""
    try:
        listed = list(value)
    except TypeError:
        raise UsageError(f"`{where}` must be {m} integers of at least 1, got {value!r}.") from None
    if len(listed) != m:
        raise UsageError(f"`{where}` must be {m} integers, one a client, got {len(listed)} of them.")
    return [whole(where, n, 1) for n in listed]
