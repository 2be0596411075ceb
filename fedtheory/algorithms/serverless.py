"""What is measured of a method without a server: its mean model and the clients' own, and what its busiest client sends.

The state of such a method has the models `X` ``(m, d)``, its `load` ``(m,)``, the bytes that each client has sent and received so
far (on the host), and, where a round trains before it mixes, the models `Z` ``(m, d)`` after training.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from array_api_compat import array_namespace

from .._arrays import to_host
from ..measure.observe import error, norm_sq
from ..method import Observers, Watch
from ..problem import Problem

if TYPE_CHECKING:
    from ..method import Algorithm
    from ..quantity import Array

NUMBER = 8  # bytes of a float64, what numbers are unless an array says otherwise


def mean_model(state: Any) -> Array:
    """The mean of the clients' models, ``(1, d)``, where the objective is measured."""
    return array_namespace(state.X).mean(state.X, axis=-2, keepdims=True)


def models(method: Algorithm, problem: Problem, state: Any) -> dict[str, Array]:
    """The clients' models by name: their own at the end of the round, and after local training where it mixes after that."""
    return {"own": state.X, **({"local": state.Z} if hasattr(state, "Z") else {})}


def observers(watch: Watch) -> Observers:
    """|grad f|^2 at the mean model, the mean of f_i at the own models, and mean |x_i - x_bar|^2."""
    f = watch.objective
    return {
        "error": lambda s: error(f, mean_model(s)),
        "own_objective": lambda s: array_namespace(s.X).mean(f.value(s.X), axis=-1, keepdims=True),
        "consensus": lambda s: array_namespace(s.X).mean(norm_sq(s.X - mean_model(s)), axis=-1, keepdims=True),
    }


def cost(method: Any, problem: Problem, state: Any) -> dict[str, int | None]:
    """Gradients of all clients, and the bytes that the busiest of them sent and received, over the whole run."""
    each = int(method.local.each(problem).sum()) * getattr(method, "gradients_a_step", 1)
    return {"gradients": each * int(state.communications), "bytes": round(float(np.max(to_host(state.load))))}


def size_of(X: Array) -> int:
    """Bytes of a number of an array."""
    xp = array_namespace(X)
    return NUMBER if getattr(X.dtype, "kind", "") == "O" else int(xp.finfo(X.dtype).bits) // 8
