"""What a function reads from outside itself: a loop or a second definition may change it before the function is called."""

from __future__ import annotations

import dataclasses
import dis
import inspect
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from types import CodeType, FunctionType, MappingProxyType, MemberDescriptorType, SimpleNamespace
from typing import Any

from .formats import Json

NUMBERS = (int, float, Fraction)
PLAIN = (*NUMBERS, complex, Decimal, str, bytes, range, type(None))
WALKED = 1000  # values of a container, at most; a larger one is left aside
NESTED = 30  # containers in one another
DEEP = 3  # attributes of attributes that are followed
OURS = ("fedtheory", "problems")
NOTHING = object()
CALLING = ("LOAD_ATTR", "LOAD_METHOD")
EDITING = ("append", "add", "update", "setdefault", "extend", "insert", "pop", "remove", "clear")  # of containers
READING = ("LOAD_GLOBAL", "LOAD_NAME")


def codes(code: CodeType) -> Iterator[CodeType]:
    """The code of a function and of those within it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from codes(value)


def names(fn: FunctionType) -> Json:
    """What stands outside under the names that a function has; a name of an attribute may be among them."""
    found = {n: fn.__globals__[n] for c in codes(fn.__code__) for n in c.co_names if n in fn.__globals__}
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not bound yet
            continue
    return found


@dataclasses.dataclass(frozen=True)
class Kept:
    """What a container held."""

    content: object


def bound(fn: object) -> Json:
    """The numbers, texts, containers and functions among them, as they are when a claim is made, and those of its helpers."""
    return {name: value for name, value, _, _ in _reads(fn, "", set())}


def changed(fn: object, before: dict[str, object] | None) -> Iterator[tuple[str, object, object]]:
    """(name, what it was, what it is) of those that a function or a helper of it reads and that are others now."""
    for name, now, owner, root in _reads(fn, "", set()) if before else ():
        was = (before or {}).get(name, now)
        if not _same(was, now) and root in _read_in(owner) and not (isinstance(now, Kept) and _writes(owner)):
            yield name, was, now


def _reads(fn: object, path: str, seen: set[int]) -> Iterator[tuple[str, object, FunctionType, str]]:
    """(name, value, the function that has the name, the name that stands there), helpers last."""
    if not isinstance(fn, FunctionType) or id(fn) in seen:
        return
    seen.add(id(fn))
    attributes = {n for c in codes(fn.__code__) for n in c.co_names}
    helpers: list[tuple[str, FunctionType]] = []
    for name, value in (names(fn) | _handed(fn)).items():
        for where, part in _parts(value, attributes, name, DEEP):
            yield path + where, part, fn, name
            helpers += [(where, part)] if isinstance(part, FunctionType) else []
        if type(value) is dict and len(value) <= WALKED:
            helpers += [(f"{name}[{key!r}]", one) for key, one in value.items() if isinstance(one, FunctionType)]
    for where, helper in helpers:
        if helper.__module__ == fn.__module__ or fn.__module__ == "fedtheory.claim":  # of a lemma, as it is used
            yield from _reads(helper, f"{path}{where}.", seen)


def _parts(value: object, attributes: set[str], where: str, deep: int) -> Iterator[tuple[str, object]]:
    """What is remembered of a value: itself, what it holds, or its attributes of these names."""
    if isinstance(value, (*PLAIN, FunctionType)):
        yield where, value
    elif (content := _content(value, [WALKED], NESTED)) is not NOTHING:
        yield where, Kept(content)
    elif deep and (type(value).__module__ or "").partition(".")[0] not in OURS:
        for name in sorted(attributes):
            if (part := _attribute(value, name)) is not NOTHING:
                yield from _parts(part, attributes, f"{where}.{name}", deep - 1)


def _attribute(value: object, name: str) -> object:
    """An attribute without running anything for it."""
    found = inspect.getattr_static(value, name, NOTHING)
    if isinstance(found, MemberDescriptorType):  # of __slots__
        return NOTHING if isinstance(value, type) else getattr(value, name, NOTHING)
    return getattr(found, "__func__", getattr(found, "fget", found))


def _content(value: Any, left: list[int], nested: int) -> Any:
    """A copy of a container that can be compared, what is not plain in it by its type; NOTHING for others and for large ones."""
    if type(value).__module__ == "numpy" and hasattr(value, "tolist"):
        return _content([value.tolist()], left, nested) if value.size <= left[0] else NOTHING
    if isinstance(value, (set, frozenset)):
        left[0] -= len(value)
        return frozenset(v for v in value if isinstance(v, PLAIN)) if left[0] > 0 else NOTHING
    parts: Iterator[object]
    if isinstance(value, (list, tuple)):
        parts = iter(value)
    elif isinstance(value, (dict, MappingProxyType)) and not isinstance(
        value, defaultdict
    ):  # which grows as it is read
        parts = (part for pair in value.items() for part in pair)
    elif isinstance(value, SimpleNamespace) or (_is_row(value) and hasattr(value, "__dict__")):
        parts = (part for pair in vars(value).items() for part in pair)
    else:
        return NOTHING
    out: list[object] = [type(value).__name__]
    for part in parts:
        left[0] -= 1
        if left[0] <= 0:
            return NOTHING
        if isinstance(part, PLAIN):
            out.append(part)
        elif isinstance(part, FunctionType):
            out.append(_made(part))
        else:
            inner = _content(part, left, nested - 1) if nested else NOTHING
            if left[0] <= 0:
                return NOTHING
            out.append(type(part).__name__ if inner is NOTHING else inner)
    return tuple(out)


def _is_row(value: object) -> bool:
    """Whether it is an instance of a dataclass of the user's."""
    its = type(value)
    return dataclasses.is_dataclass(its) and its.__module__.partition(".")[0] not in OURS


def _handed(fn: FunctionType) -> dict[str, object]:
    """What a function is handed by default."""
    code, values = fn.__code__, fn.__defaults__ or ()
    first = code.co_argcount - len(values)
    return dict(zip(code.co_varnames[first:], values, strict=False)) | (fn.__kwdefaults__ or {})


def _read_in(fn: FunctionType) -> set[str]:
    """The names that a function reads: no attributes, and nothing that is its own."""
    read = {i.argval for c in codes(fn.__code__) for i in dis.get_instructions(c) if i.opname in READING}
    return read | {*fn.__code__.co_freevars} | _handed(fn).keys()


def _writes(fn: FunctionType) -> bool:
    """Whether it keeps what it computes in a container, which is then another one at every call."""
    kept = (i for c in codes(fn.__code__) for i in dis.get_instructions(c))
    return any(i.opname == "STORE_SUBSCR" or (i.opname in CALLING and i.argval in EDITING) for i in kept)


def _same(was: object, now: object) -> bool:
    if isinstance(was, FunctionType) and isinstance(now, FunctionType):  # a cell of a notebook may have run again
        return was is now or _made(was) == _made(now)
    return was is now or (isinstance(was, (*PLAIN, Kept)) and isinstance(now, (*PLAIN, Kept)) and bool(was == now))


def _made(fn: FunctionType) -> tuple[object, ...]:
    """What a function does, apart from what it reads, and the plain ones of its defaults."""
    code = fn.__code__
    handed = {name: value for name, value in _handed(fn).items() if isinstance(value, PLAIN)}
    return code.co_code, code.co_consts, code.co_names, handed


def alike(one: object, other: object, seen: frozenset[int] = frozenset()) -> bool:
    """Whether two functions are made at one place in a file, of the same values."""
    if one is other or id(one) in seen:
        return True
    if not (isinstance(one, FunctionType) and isinstance(other, FunctionType)):
        return isinstance(one, PLAIN) and isinstance(other, PLAIN) and bool(one == other)
    if one.__code__ != other.__code__ or one.__globals__ is not other.__globals__:
        return False
    values, others = _own(one), _own(other)
    return values.keys() == others.keys() and all(alike(v, others[k], seen | {id(one)}) for k, v in values.items())


def _own(fn: FunctionType) -> dict[str, object]:
    """What a function has by itself: the names of the functions around it, and its defaults."""
    free = {name: value for name, value in names(fn).items() if name in fn.__code__.co_freevars}
    return free | {f"{name}=": value for name, value in _handed(fn).items()}
