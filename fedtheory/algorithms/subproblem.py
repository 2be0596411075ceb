"""Inexact solutions of a client's subproblem: gradient steps to an accuracy, and errors of exactly an accuracy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from array_api_compat import array_namespace

from .._arrays import add_scaled, moved, numbers_like
from ..errors import UsageError
from ..method import Option

if TYPE_CHECKING:
    from ..quantity import Array, Quantity


def inner(what: str, steps: str) -> dict[str, Option]:
    """The options that say how a local problem is solved; `what` and `steps` in the words of the method."""
    return {
        "inner": Option("choice", what, "exact", ("exact", "gradient", "adversarial")),
        "inner-steps": Option("count", steps),
    }


def inner_of(o: Mapping[str, object], *needs: str) -> str:
    """The way local problems are solved, with what gradient steps need, and with that alone.

    Raises
    ------
    UsageError
        If a need of gradient steps is missing, or given to another way.
    """
    for name in needs:
        if o["inner"] == "gradient" and o[name] is None:
            raise UsageError(f"--inner gradient needs --{name}")
        if o["inner"] != "gradient" and o[name] is not None:
            raise UsageError(f"--{name} goes with --inner gradient, got --inner {o['inner']}")
    return str(o["inner"])


def descend(
    residual: Callable[[Array, int], Array],
    V: Array,
    step: Any,
    *,
    steps: int,
    bound_sq: Quantity | None = None,
    least: int = 0,
    moves: Callable[[int], Array | None] | None = None,
) -> Array:
    """Gradient steps ``v <- v - step residual(v)`` of all clients, at most `steps` of them.

    Parameters
    ----------
    residual : callable
        ``residual(V, h)``, the gradient of the subproblem at V in step h, ``(..., m, d)``; one evaluation a step, in an
        array of its own, which is used up.
    V : array (..., m, d) or (..., 1, d)
        Where to start.
    step : number or array (..., m, 1)
        Step size.
    bound_sq : number or array (..., m), optional
        A client stays where its squared residual is at most this; None is no test.
    least : int
        Steps that are taken untested.
    moves : callable, optional
        Of a step the mask ``(m, 1)`` of the clients that take it, or None for all.
    """
    for h in range(steps):
        G = residual(V, h)
        who = None if moves is None else moves(h)
        if who is not None:
            G = G * numbers_like(who, G)
        if bound_sq is None or h < least:
            V = add_scaled(V, -step, G)
            continue
        xp = array_namespace(G)
        active = xp.sum(G * G, axis=-1) > bound_sq
        if not bool(xp.any(active)):
            return xp.broadcast_to(V, G.shape)
        V = xp.where(active[..., None], add_scaled(V, -step, G), V)
    return V


def of_length(direction: Quantity, length: Quantity, like: Array) -> Quantity:
    """`direction` ``(..., m, d)`` scaled to `length`, a number or ``(..., m)``; zero where it has no direction."""
    xp = array_namespace(like)
    E = moved(direction, like)
    if not hasattr(E, "shape"):
        return E * 0
    norm = xp.sqrt(xp.sum(E * E, axis=-1))
    return E * xp.where(norm > 0, length / xp.where(norm > 0, norm, xp.ones_like(norm)), xp.zeros_like(norm))[..., None]
