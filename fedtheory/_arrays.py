"""Array namespaces and the one place where arrays are copied to the host."""

from __future__ import annotations

import importlib
import math
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from array_api_compat import array_namespace, device, is_torch_array

from .errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from .quantity import Array, Quantity

BACKENDS = {"numpy": "array_api_compat.numpy", "torch": "array_api_compat.torch", "cupy": "array_api_compat.cupy"}
INSTALL = {
    "numpy": "pip install numpy", "torch": 'pip install "fedtheory[torch]"',
    "cupy": 'pip install "fedtheory[cuda12]" or "fedtheory[cuda13]", by the CUDA of the machine',
}  # fmt: skip


def backend(name: str, called: str = "backend") -> ModuleType:
    """Return the array namespace called `name` (numpy, cupy or torch); a complaint calls the argument `called`.

    Raises
    ------
    UsageError
        If the name is unknown, or its library is not installed here.
    """
    if not isinstance(name, str) or name not in BACKENDS:
        near = did_you_mean(str(name), BACKENDS)
        raise UsageError(f"{called} must be one of {', '.join(BACKENDS)}, got {name!r}{near}")
    try:
        return importlib.import_module(BACKENDS[name])
    except ImportError as error:
        raise UsageError(f"{called} {name}: {error}; install it with {INSTALL[name]}") from None


def to_host(x: Any) -> np.ndarray:
    """Copy any backend's array to a NumPy array on the host."""
    if isinstance(x, np.ndarray):
        return x
    if hasattr(x, "get") and type(x).__module__.startswith("cupy"):
        return x.get()
    if hasattr(x, "detach"):
        return x.detach().cpu().numpy()
    if type(x).__module__.startswith("array_api_strict"):
        x = x.to_device(type(x.device)("CPU_DEVICE"))
    return np.asarray(x)


def as_floats(a: object) -> np.ndarray:
    """A host array of floats; integers and quotients that are too large for a float are infinite."""
    a = to_host(a) if hasattr(a, "shape") else a
    try:
        return np.asarray(a, dtype=float)
    except OverflowError:
        return np.asarray(np.frompyfunc(_as_float, 1, 1)(np.asarray(a, dtype=object)), dtype=float)


def _as_float(v: Any) -> float:
    try:
        return float(v)
    except OverflowError:
        return math.inf if v > 0 else -math.inf


def moved(value: Quantity | None, like: Any) -> Any:
    """A host array on the namespace and device of `like`; anything else as it is."""
    if not isinstance(value, np.ndarray) or isinstance(like, np.ndarray):
        return value
    return array_namespace(like).asarray(value, device=device(like))


def numbers_like(value: Any, like: Array) -> Any:
    """A hyper-parameter or mask in the dtype of the vectors `like`, on their device; a number as it is."""
    value = moved(value, like)
    if not hasattr(value, "shape") or getattr(like.dtype, "kind", "") == "O" or value.dtype == like.dtype:
        return value
    return array_namespace(like).astype(value, like.dtype)


def add_scaled(A: Any, s: Any, B: Any) -> Array:
    """``A + s B``, where B is a new array that nobody else holds: for floats of NumPy and torch its memory becomes the sum's.

    The pages of a new large array cost as much as the sum itself.
    """
    if (
        isinstance(s, float)
        and getattr(A, "dtype", 0) == getattr(B, "dtype", 1)
        and np.broadcast_shapes(A.shape, B.shape) == tuple(B.shape)
    ):
        if is_torch_array(B):
            import torch

            return torch.add(A, B, alpha=s, out=B)
        if type(B) is np.ndarray and B.dtype.kind == "f":
            B *= s
            B += A
            return B
    return A + B * s


def column(value: Any, like: Array) -> Any:
    """A hyper-parameter as it multiplies the vectors `like`: a number as it is, ``(..., m)`` as ``(..., m, 1)``."""
    value = numbers_like(value, like)
    return value[..., None] if getattr(value, "ndim", 0) else value
