"""What is measured of any state: the objective, its gradient, a distance; and the instance at which formulas are evaluated.

Every function gives one number, an array of one entry ``(1,)`` on the device of the state. What only one method has is
with the formulas of its paper, in ``fedtheory/theory/<paper>/observe.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from array_api_compat import array_namespace

from ..instance import Instance
from ..method import Method, Observers, Watch
from ..numbers import Floats
from ..problem import Functions, Problem

if TYPE_CHECKING:
    from types import ModuleType

    from ..method import Algorithm
    from ..quantity import Array, Quantity


def objective(problem: Functions, w: Array) -> Array:
    """f(w) = mean_i f_i(w) at a server vector ``(1, d)``, ``(1,)``. Unit E.

    Examples
    --------
    >>> import numpy as np
    >>> class Halves:  # f_i(w) = |w|^2/2 for two clients
    ...     m = 2
    ...     def value(self, W): return np.broadcast_to(np.sum(W * W, axis=-1) / 2, (2,))
    >>> objective(Halves(), np.array([[3.0, 4.0]]))
    array([12.5])
    """
    xp = array_namespace(w)
    return xp.mean(problem.value(w), axis=-1, keepdims=True)


def error(problem: Functions, w: Array) -> Array:
    """|grad f(w)|^2; on the clients' envelopes |grad F(w)|^2. Unit (E/M)^2."""
    xp = array_namespace(w)
    return norm_sq(xp.mean(problem.grad(w), axis=-2, keepdims=True))


def distance_sq(w: Array, w_star: Array) -> Array:
    """|w - w*|^2. Unit M^2."""
    return norm_sq(w - w_star)


def norm_sq(u: Array) -> Array:
    """|u|^2 of vectors ``(..., d)``, ``(...)``."""
    xp = array_namespace(u)
    return xp.sum(u * u, axis=-1)


def larger(so_far: Quantity, value: Quantity) -> Quantity:
    """The larger one of two numbers, for folds that keep a maximum; `value` is an array of one entry."""
    xp = array_namespace(value)
    return xp.maximum(value, xp.zeros_like(value) + so_far)


def instance(problem: Problem, method: Algorithm, **more: object) -> Instance:
    """The argument that the formulas of `fedtheory.theory` take: the problem as f, the hyper-parameters by their names.

    Host arrays of one number a client go to the problem's device.
    """
    xp, device = problem.xp, problem.device
    names = {"f": problem, "m": problem.m, **vars(method), **more}
    if names.get("alpha") is None:
        names["alpha"] = 1 / problem.m
    return Instance(Floats(xp, device), {k: _placed(v, xp, device) for k, v in names.items()})


def observers_of(entry: Method, watch: Watch) -> Observers:
    """What is recorded of a run: the objective at the method's point, then what its record names, else |grad f|^2 there."""
    found: Observers = {"objective": lambda s: objective(watch.objective, entry.at(s))}
    if entry.observers is None:
        return {**found, "error": lambda s: error(watch.objective, entry.at(s))}
    return {**found, **entry.observers(watch)}


def _placed(value: object, xp: ModuleType, device: str) -> Any:
    return xp.asarray(value, device=device) if isinstance(value, np.ndarray) and value.ndim else value
