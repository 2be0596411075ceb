"""Array namespaces and the one place where arrays are copied to the host."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import numpy as np

from .errors import UsageError, did_you_mean

BACKENDS = {"numpy": "array_api_compat.numpy", "torch": "array_api_compat.torch", "cupy": "array_api_compat.cupy"}


def backend(name: str) -> ModuleType:
    """Return the array namespace called `name` (numpy, cupy or torch).

    Raises
    ------
    UsageError
        If the name is unknown, or its library is not installed here.
    """
    if name not in BACKENDS:
        raise UsageError(f"--backend must be one of {', '.join(BACKENDS)}, got {name!r}{did_you_mean(name, BACKENDS)}")
    try:
        return importlib.import_module(BACKENDS[name])
    except ImportError as error:
        raise UsageError(f'--backend {name}: {error}; install it with pip install "fedtheory[{name}]"') from None


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
