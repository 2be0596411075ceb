"""What a method promises: frozen hyper-parameters with pure ``init``, ``draw`` and ``step``; and how they are checked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any, Protocol

import array_api_compat.numpy as host
import numpy as np
from array_api_compat import array_namespace, device

from ._arrays import to_host
from .errors import UsageError, did_you_mean


class Algorithm(Protocol):
    """One published method.

    ``init(problem, ...)`` gives the state of the paper's initialisation, ``draw(problem, stream)`` the randomness of
    one iteration, ``step(problem, state, draws)`` the next state; ``invariants(x, state)`` the relations that the
    paper derives for every reached state. A state is a NamedTuple with at least the server vector ``w`` ``(..., 1, d)``,
    the method's own index ``t`` or ``k``, and the count of ``communications``.
    """

    def init(self, problem: Any) -> Any: ...

    def draw(self, problem: Any, stream: np.random.Generator) -> Any: ...

    def step(self, problem: Any, state: Any, draws: Any) -> Any: ...

    def invariants(self, x: Any, state: Any) -> tuple[Any, ...]: ...


# hyper-parameters, which symbols, units and balls pass unchecked


def _entries(call: str, value: Any) -> Iterable[Any]:
    """The entries of a number or of an array of numbers; UsageError for anything that is neither."""
    if hasattr(value, "shape"):
        array = to_host(value)
        if array.dtype.kind not in "fiuO":
            raise UsageError(f"{call} must hold numbers, got an array of {array.dtype.name}.")
        return array.flat
    if value is None or isinstance(value, (bool, str, bytes, complex, list, tuple, set, dict)):
        raise UsageError(f"{call} must be a number or an array of them, one a client, got {value!r}.")
    return (value,)


def require_positive(call: str, value: Any) -> None:
    """Raise UsageError unless every real entry of `value` is positive and finite; symbols and units pass."""
    for v in _entries(call, value):
        if isinstance(v, Real):
            if math.isnan(v) or v <= 0:
                raise UsageError(f"{call} must be positive, got {v}.")
            if math.isinf(v):
                raise UsageError(f"{call} must be finite, got {v}.")


def require_between(call: str, value: Any, low: Any, high: Any) -> None:
    """Raise UsageError unless every real entry of `value` is in ``[low, high)``; symbols and units pass."""
    for v in _entries(call, value):
        if isinstance(v, Real) and not low <= v < high:
            raise UsageError(f"{call} must be at least {low} and below {high}, got {v}.")


def require_count(call: str, value: Any, low: int, high: int | None = None) -> None:
    """Raise UsageError unless `value` is an integer with ``low <= value`` (``<= high``)."""
    integer = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not integer or value < low or (high is not None and value > high):
        upper = f" and at most {high}" if high is not None else ""
        raise UsageError(f"{call} must be an integer of at least {low}{upper}, got {value!r}.")


def require_flag(call: str, value: Any) -> None:
    """Raise UsageError unless `value` is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise UsageError(f"{call} must be True or False, got {value!r}.")


def require_one_of(call: str, value: Any, known: tuple[str, ...]) -> None:
    """Raise UsageError unless `value` is one of the `known` names."""
    if value not in known:
        raise UsageError(f"{call} must be one of {', '.join(known)}, got {value!r}{did_you_mean(str(value), known)}.")


def require_one_a_client(call: str, value: Any, m: int) -> None:
    """Raise UsageError unless `value` is one number for all clients, or an array ``(..., m)``."""
    if getattr(value, "ndim", 0) and value.shape[-1] != m:
        raise UsageError(f"{call} must hold one number for each of the {m} clients, got shape {tuple(value.shape)}.")


# initial vectors, and host numbers on the device of an array


def initial(call: str, value: Any, problem: Any, clients: int) -> Any:
    """The initial vectors ``(..., clients, d)`` that were given, checked, or zeros where None was.

    Raises
    ------
    UsageError
        If the shape does not fit the problem, or a coordinate is not finite.
    """
    d = getattr(problem, "d", None)
    if value is None:
        xp = getattr(problem, "xp", host)
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


def moved(value: Any, like: Any) -> Any:
    """A host array on the namespace and device of `like`; anything else as it is."""
    if not isinstance(value, np.ndarray) or isinstance(like, np.ndarray):
        return value
    return array_namespace(like).asarray(value, device=device(like))


def numbers_like(value: Any, like: Any) -> Any:
    """A hyper-parameter or mask in the dtype of the vectors `like`, on their device; a number as it is."""
    value = moved(value, like)
    if not hasattr(value, "shape") or getattr(like.dtype, "kind", "") == "O" or value.dtype == like.dtype:
        return value
    return array_namespace(like).astype(value, like.dtype)


def column(value: Any, like: Any) -> Any:
    """A hyper-parameter as it multiplies the vectors `like`: a number as it is, ``(..., m)`` as ``(..., m, 1)``."""
    value = numbers_like(value, like)
    return value[..., None] if getattr(value, "ndim", 0) else value
