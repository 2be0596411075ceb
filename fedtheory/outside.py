"""What a function reads from outside itself: a loop or a second definition may change it before the function is called."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from fractions import Fraction
from types import CodeType, FunctionType
from typing import Any

NUMBERS = (int, float, Fraction)
READING = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_CLASSDEREF")


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function and of those within it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from codes(value)


def names(fn: FunctionType) -> dict[str, Any]:
    """What stands outside under the names that a function has; a name of an attribute may be among them."""
    found = {n: fn.__globals__[n] for c in codes(fn.__code__) for n in c.co_names if n in fn.__globals__}
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not bound yet
            continue
    return found


def bound(fn: Any) -> dict[str, Any]:
    """The numbers and the functions among them, as they are when a claim is made."""
    if not isinstance(fn, FunctionType):
        return {}
    return {n: v for n, v in names(fn).items() if isinstance(v, (*NUMBERS, FunctionType))}


def changed(fn: Any, before: dict[str, Any] | None) -> Iterator[tuple[str, Any, Any]]:
    """(name, what it was, what it is) of those that a function reads and that are others now."""
    if not before:
        return
    now = names(fn)
    others = [n for n, was in before.items() if n in now and not _same(was, now[n])]
    if others:
        read = {i.argval for c in codes(fn.__code__) for i in dis.get_instructions(c) if i.opname in READING}
        yield from ((n, before[n], now[n]) for n in others if n in read)


def _same(was: Any, now: Any) -> bool:
    return was is now or (isinstance(was, NUMBERS) and isinstance(now, NUMBERS) and was == now)
