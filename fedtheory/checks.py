"""Checks of arguments: a refusal names the call as typed, the rule and the value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import backend, to_host
from .errors import UsageError, did_you_mean
from .problem import Functions

if TYPE_CHECKING:
    from .quantity import Array, Quantity


def _entries(call: str, value: Quantity | None) -> Iterable[object]:
    """The entries of a number or of an array of numbers; UsageError for anything that is neither."""
    if hasattr(value, "shape"):
        array = to_host(value)
        if array.dtype.kind not in "fiuO":
            raise UsageError(f"{call} must hold numbers, got an array of {array.dtype.name}.")
        return array.flat
    if value is None or isinstance(value, (bool, str, bytes, complex, list, tuple, set, dict)):
        raise UsageError(f"{call} must be a number or an array of them, one a client, got {value!r}.")
    return (value,)


def require_positive(call: str, value: Quantity | None) -> None:
    """Raise UsageError unless every real entry of `value` is positive and finite; symbols and units pass."""
    for v in _entries(call, value):
        if isinstance(v, Real):
            if math.isnan(v) or v <= 0:
                raise UsageError(f"{call} must be positive, got {v}.")
            if math.isinf(v):
                raise UsageError(f"{call} must be finite, got {v}.")


def require_between(call: str, value: Quantity, low: Any, high: Any) -> None:
    """Raise UsageError unless every real entry of `value` is in ``[low, high)``; symbols and units pass."""
    for v in _entries(call, value):
        if isinstance(v, Real) and not low <= v < high:
            raise UsageError(f"{call} must be at least {low} and below {high}, got {v}.")


def require_count(call: str, value: float, low: int, high: int | None = None) -> None:
    """Raise UsageError unless `value` is an integer with ``low <= value`` (``<= high``)."""
    integer = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not integer or value < low or (high is not None and value > high):
        upper = f" and at most {high}" if high is not None else ""
        raise UsageError(f"{call} must be an integer of at least {low}{upper}, got {value!r}.")


def require_flag(call: str, value: object) -> None:
    """Raise UsageError unless `value` is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise UsageError(f"{call} must be True or False, got {value!r}.")


def require_one_of(call: str, value: object, known: tuple[str, ...]) -> None:
    """Raise UsageError unless `value` is one of the `known` names."""
    if value not in known:
        raise UsageError(f"{call} must be one of {', '.join(known)}, got {value!r}{did_you_mean(str(value), known)}.")


def require_one_a_client(call: str, value: Any, m: int) -> None:
    """Raise UsageError unless `value` is one number for all clients, or an array ``(..., m)``."""
    if getattr(value, "ndim", 0) and value.shape[-1] != m:
        raise UsageError(f"{call} must hold one number for each of the {m} clients, got shape {tuple(value.shape)}.")


def initial(call: str, value: Array | None, problem: Functions, clients: int, *, model: bool = True) -> Array:
    """The initial vectors ``(..., clients, d)`` that were given, checked, or zeros where None was.

    A problem with a `start` ``(1, d)`` of its own, such as the initial parameters of a network, gives that in place of zeros
    where the vectors are a `model`; control variates and dual variables are zero all the same.

    Raises
    ------
    UsageError
        If the shape does not fit the problem, or a coordinate is not finite.
    """
    d = getattr(problem, "d", None)
    if value is None:
        xp, start = getattr(problem, "xp", None) or backend("numpy"), getattr(problem, "start", None)
        if start is not None:
            return xp.broadcast_to(start, (clients, d)) + 0 if model else xp.broadcast_to(start * 0, (clients, d)) + 0
        return xp.zeros((clients, d), dtype=xp.float64, device=getattr(problem, "device", None))
    shape = tuple(getattr(value, "shape", ()))
    if len(shape) < 2 or shape[-2] != clients or (d is not None and shape[-1] != d):
        got = f"shape {shape}" if shape else f"{type(value).__name__}"
        raise UsageError(f"{call} must be an array (..., {clients}, {d if d is not None else 'd'}), got {got}.")
    if len(shape) == 2:  # a search over many instances may overflow in one of them
        a = to_host(value)
        if a.dtype.kind not in "fO" or (a.dtype.kind == "f" and not np.isfinite(a).all()):
            raise UsageError(f"{call} must hold finite real numbers, got others.")
    return value


def whole(where: str, value: float, least: int, most: int | None = None) -> int:
    """`value` as an int from `least` to `most`; `where` is the call as typed, such as ``iid(m=...)``."""
    ok = isinstance(value, (int, np.integer)) and not isinstance(value, bool) and value >= least
    if not ok or (most is not None and value > most):
        rule = f"an integer of at least {least}" if most is None else f"an integer from {least} to {most}"
        raise UsageError(f"`{where}` must be {rule}, got {value!r}.")
    return int(value)


def number(where: str, value: float, *, positive: bool = False) -> float:
    """`value` as a finite float that is at least 0, or above 0."""
    real = isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    if not real or value < 0 or (positive and value == 0):
        raise UsageError(f"`{where}` must be finite and {'positive' if positive else 'at least 0'}, got {value!r}.")
    return float(value)


def one_of(where: str, value: object, known: Iterable[str]) -> str:
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
