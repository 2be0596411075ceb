"""The check before: the body and its control run on one small batch, and their relations have shapes that can be decided."""

from __future__ import annotations

import inspect
from contextlib import suppress
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from ..claim import Body, Claim
from ..errors import NotApplicable, UnitsMismatch, UsageError
from ..instance import Instance
from ..numbers import Floats
from ..outside import codes
from ..relation import relations_of
from ..world import World

INSTANCES = 3
ENDS = {"_exit", "abort", "kill", "killpg", "raise_signal"}  # what ends a process past every handler
OFFERED = ("grad", "infimum", "m", "prox", "value")  # what the clients x.f of any world have


def preflight(claim: Claim) -> None:
    """Run the body on one small batch and check the shapes of its relations.

    Raises
    ------
    UsageError
        If a side is neither ``(..., 1)`` nor ``(..., m)``, the body itself raises, a power is too large for exact numbers, or a
        limit has a control.
    """
    _require_to_return(claim)
    world = claim.world
    if world.sizes and not world.shapes(max(world.sizes.get("m", (1,)))):
        sizes = ", ".join(f"{k} = {' or '.join(map(str, v))}" for k, v in world.sizes.items())
        raise UsageError(f"claim {claim.id}: no sizes fit together: {sizes}")
    shape = (world.shapes(2) or [{}])[-1]
    for what, body in () if claim.limits else _bodies(claim):
        with suppress(UnitsMismatch, NotApplicable, ZeroDivisionError):  # which the audit of units reports
            relations_of(body, world.units(), claim.id + what)
    _conditions(claim, shape)
    if claim.limits:  # which have no sides
        if claim.control is not None:
            raise UsageError(
                f"claim {claim.id}: control={claim.control.because!r} would never be looked at: a limit is proved, refuted or "
                "unknown, and no search supports it; leave the control out"
            )
        return
    _sides_have_shapes(claim, shape)


def _bodies(claim: Claim) -> list[tuple[str, Body]]:
    """The body and its control, with what a message calls them by."""
    return [("", claim.body), *([(" (control)", claim.control.body)] if claim.control else [])]


def _require_to_return(claim: Claim) -> None:
    """Raise UsageError where a body, a control or a helper names what ends the process; nothing of Python's own is changed for it.

    One that finds it under another name ends its process: the worker that decides it, or the command.
    """
    bodies = [body for _, body in _bodies(claim)]
    helpers = [v for held in (claim.bound or {}, *claim.held.values()) for v in held.values()]
    for fn in (*bodies, *claim.parts.values(), *helpers):
        code = getattr(inspect.unwrap(fn), "__code__", None) if callable(fn) else None
        named = {n for c in codes(code) for n in c.co_names} & ENDS if code is not None else set()
        if named:
            raise UsageError(f"claim {claim.id}: the body ends the program: it calls {min(named)}")


def _sides_have_shapes(claim: Claim, shape: dict[str, int]) -> None:
    world = without_conditions_at_points(claim.world)
    try:
        free = next(iter(world.sample(np.random.default_rng(0), shape, 1, INSTANCES)), None)
    except NotApplicable:
        return
    if free is None:
        return
    with np.errstate(all="ignore"):
        x = world.build(free, Floats())
        for what, body in _bodies(claim):
            for side, value in _sides(claim, body, x, what):
                _require_shape(f"claim {claim.id}{what}: the {side}", value, shape)


def _conditions(claim: Claim, shape: dict[str, int]) -> None:
    """Check the shapes of the conditions at points, at an instance that need not meet them."""
    world: World = claim.world
    if not world.at_points:
        return
    bare = without_conditions_at_points(world)
    try:
        free = next(iter(bare.sample(np.random.default_rng(0), shape, 1, INSTANCES)), None)
    except NotApplicable:
        return
    if free is None:
        return
    with np.errstate(all="ignore"), suppress(NotApplicable, ZeroDivisionError, OverflowError):
        x = bare.build(free, Floats())
        for c in world.at_points:
            for r in c.relations(x):
                for side in ("lhs", "rhs"):
                    _require_shape(
                        f"claim {claim.id}: the {side} of the condition {c.printed!r}", getattr(r, side), shape
                    )


def without_conditions_at_points(world: Any) -> Any:
    """A world of which any instance is one that is drawn, for what is looked at of a body wherever it is evaluated."""
    if not world.at_points:
        return world
    given = tuple(c for c in world.given if c not in world.at_points)
    return replace(world, given=given, **({"every": ()} if world.parts().every else {}))


def _require_shape(what: str, value: Any, shape: dict[str, int]) -> None:
    """Raise UsageError unless a side is a number for every instance, or one for every client."""
    if not hasattr(value, "shape") and not isinstance(value, Real):
        raise UsageError(
            f"{what} is no number; of a sequence, and of a quantity along a run, write an element, x.A[t] or x.A[x.T]"
        )
    if hasattr(value, "shape") and (value.ndim > 2 or (value.ndim and value.shape[-1] not in (1, shape.get("m", 1)))):
        raise UsageError(
            f"{what} has shape {tuple(value.shape)} for {INSTANCES} instances with m={shape.get('m', 1)}; a side must be "
            "(..., 1) or (..., m), so take x.sq, x.dot, x.mean or x.total (u = v is x.sq(u - v) == 0), "
            "and multiply a vector v by a number s as s[..., None]*v"
        )


def _sides(claim: Claim, body: Body, x: Instance, what: str) -> list[tuple[str, object]]:
    try:
        relations = relations_of(body, x, claim.id + what)
    except NotApplicable as error:
        raise UsageError(f"claim {claim.id}{what}: {error}") from None
    except (ZeroDivisionError, OverflowError):  # a side is undefined at these numbers; the search and the replay say so
        return []
    except SystemExit as error:
        raise UsageError(f"claim {claim.id}{what}: the body ends the program: SystemExit: {error}") from None
    return [(side, getattr(r, side)) for r in relations for side in ("lhs", "rhs")]
