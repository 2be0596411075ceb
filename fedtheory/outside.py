"""What a function reads from outside itself: a loop or a second definition may change it before the function is called."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from fractions import Fraction
from types import CodeType, FunctionType
from typing import Any

NUMBERS = (int, float, Fraction)
READING = ("LOAD_GLOBAL", "LOAD_NAME")


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
    """The numbers and the functions among them, as they are when a claim is made, and those of helpers in the same file."""
    return {name: value for name, value, _ in _reads(fn, "", set())}


def changed(fn: Any, before: dict[str, Any] | None) -> Iterator[tuple[str, Any, Any]]:
    """(name, what it was, what it is) of those that a function or a helper of it reads and that are others now."""
    for name, now, owner in _reads(fn, "", set()) if before else ():
        was = (before or {}).get(name, now)
        if not _same(was, now) and name.rpartition(".")[2] in _read_in(owner):
            yield name, was, now


def _reads(fn: Any, path: str, seen: set[int]) -> Iterator[tuple[str, Any, FunctionType]]:
    """(name, value, the function that has the name), helpers last."""
    if not isinstance(fn, FunctionType) or id(fn) in seen:
        return
    seen.add(id(fn))
    found = {n: v for n, v in names(fn).items() if isinstance(v, (*NUMBERS, FunctionType))}
    for name, value in found.items():
        yield path + name, value, fn
    for name, value in found.items():
        if isinstance(value, FunctionType) and value.__module__ == fn.__module__:
            yield from _reads(value, f"{path}{name}.", seen)


def _read_in(fn: FunctionType) -> set[str]:
    """The names that a function reads: no attributes, and nothing that is its own."""
    read = {i.argval for c in codes(fn.__code__) for i in dis.get_instructions(c) if i.opname in READING}
    return read | {*fn.__code__.co_freevars}


def _same(was: Any, now: Any) -> bool:
    if isinstance(was, FunctionType) and isinstance(now, FunctionType):  # a cell of a notebook may have run again
        code, other = was.__code__, now.__code__
        return was is now or (code.co_code, code.co_consts, was.__defaults__) == (
            other.co_code,
            other.co_consts,
            now.__defaults__,
        )
    return was is now or (isinstance(was, NUMBERS) and isinstance(now, NUMBERS) and was == now)


def alike(one: Any, other: Any) -> bool:
    """Whether two functions are made at one place in a file, of the same values."""
    if not (isinstance(one, FunctionType) and isinstance(other, FunctionType)):
        return one is other
    cells = zip(one.__closure__ or (), other.__closure__ or (), strict=False)  # as many, where the code is the same
    return one is other or (
        (one.__code__, one.__defaults__, one.__kwdefaults__)
        == (other.__code__, other.__defaults__, other.__kwdefaults__)
        and one.__globals__ is other.__globals__
        and all(
            _same(*values) if isinstance(values[0], NUMBERS) else alike(*values) for values in map(_contents, cells)
        )
    )


def _contents(cells: tuple[Any, Any]) -> tuple[Any, Any]:
    one, other = cells
    return one.cell_contents, other.cell_contents
