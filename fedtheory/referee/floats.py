"""Floats that a claim's functions would read: globals, values of closures, and constants and defaults of their helpers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from ..claim import Claim

OURS = ("fedtheory", "problems", "numpy")


def floats_in(claim: Claim) -> Iterator[tuple[str, Any]]:
    """(where it stands, the float) for the body, its control, the stated conditions and the formulas of the world."""
    parts: dict[str, Callable[..., Any]] = {"the body": claim.body}
    if claim.control is not None:
        parts["the control"] = claim.control.body
    parts |= {f"the condition {c.printed!r}": c.relation for c in claim.world.given}
    parts |= {f"the formula of {name}": fn for name, fn in getattr(claim.world, "derived", {}).items()}
    for what, fn in parts.items():
        yield from _read(fn, what, set())


def _read(fn: Any, what: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """Floats among the names that a function reads, and within its helpers, functions of the same package."""
    fn = getattr(fn, "fn", fn)  # a formula with its printed form
    if not isinstance(fn, FunctionType) or id(fn) in seen:
        return
    seen.add(id(fn))
    names = {n: fn.__globals__[n] for n in _names(fn.__code__) if n in fn.__globals__}
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # not bound yet
            continue
    for name, value in names.items():
        if isinstance(value, (float, complex, np.inexact)):
            yield f"{what} reads {name} =", value
        if isinstance(value, FunctionType) and _beside(value, fn):
            helper = f"the helper {value.__name__} of {what}"
            for constant in (*_constants(value.__code__), *(value.__defaults__ or ())):
                if isinstance(constant, (float, complex)):
                    yield f"{helper} holds", constant
            yield from _read(value, helper if what.count("helper") == 0 else what, seen)


def _beside(helper: FunctionType, fn: FunctionType) -> bool:
    """Whether a helper is the user's: of the package of the function that calls it, and none of ours."""
    top = (helper.__module__ or "").partition(".")[0]
    return top not in OURS and (top == (fn.__module__ or "").partition(".")[0] or fn.__module__ == "fedtheory.claim")


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _codes(value)


def _names(code: CodeType) -> Iterator[str]:
    for one in _codes(code):
        yield from one.co_names


def _constants(code: CodeType) -> Iterator[Any]:
    for one in _codes(code):
        yield from (v for v in one.co_consts if not isinstance(v, CodeType))
