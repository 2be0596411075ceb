"""What a claim says, as a hash: its body with all that it reads, its world and conditions, and the lemmas that it stands on.

Two claims of one hash say the same. The text of functions counts without comments, docstrings and layout, so that the hash is
the same on every machine and under every Python; functions of Python, of the engines and of libraries count by their names.
"""

from __future__ import annotations

import ast
import dataclasses
import dis
import hashlib
import inspect
import sys
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property, partial
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import Any

from ..claim import Claim
from ..drafts.source_names import VERSIONED, stamp, tree_of_file
from ..files import DRAFT
from ..outside import READING, codes, names

PLAIN = (int, float, complex, Decimal, Fraction, str, bytes, range, type(None), type(Ellipsis))
SAID = ("body", "world", "by")  # of a claim
FORMULAS = ("fedtheory.theory.", "fedtheory.catalogue")  # of ours, what claims are made of
SILENT = {
    "ctx", "kind", "type_comment", "type_params", "returns", "annotation", "decorator_list", "lineno", "col_offset",
}  # fmt: skip
LENGTH = 20  # of a hash, in bytes


def statement(claim: Claim) -> str:
    """The hash of what a claim says.

    Examples
    --------
    >>> from fedtheory import claim, le
    >>> from problems import Scalars, positive, real
    >>> made = [claim("draft/a", world=Scalars(a=positive(), b=of))(lambda x: le(x.a, x.b)) for of in (positive(), real())]
    >>> statement(made[0]) == statement(made[1])
    False
    """
    return _Said().of(claim)[0].hex()


class _Digest(bytes):
    """A hash among what is to be hashed."""


class _Said:
    """One walk through a claim; what was seen and refers to nothing above it is not walked twice."""

    def __init__(self) -> None:
        self._open: dict[int, int] = {}

    def of(self, value: object) -> tuple[bytes, int]:
        """(the hash of a value, how far up it refers: the depth of the uppermost value that is still open, or a large number)."""
        if isinstance(value, PLAIN):
            return _hash(type(value).__name__, repr(value)), NOWHERE
        key = id(value)
        if key in KEPT:
            return KEPT[key][1], NOWHERE
        if key in self._open:
            return _hash("above", str(len(self._open) - self._open[key])), self._open[key]
        depth = self._open[key] = len(self._open)
        try:
            kind, parts = self._parts(value)
            up, found = NOWHERE, []
            for part in parts:
                if isinstance(part, _Digest):
                    found.append(part)
                    continue
                said, far = self.of(part)
                found.append(_Digest(said))
                up = min(up, far)
            out = hashlib.sha256(b"".join([kind.encode(), b"(", *found, b")"])).digest()[:LENGTH]
        finally:
            del self._open[key]
        if up >= depth:
            KEPT[key] = value, out  # with the value, so that its id stays its own
            return out, NOWHERE
        return out, up

    def _parts(self, value: object) -> tuple[str, Iterable[object]]:
        """(the kind of a value, what it is made of)."""
        kind = f"{type(value).__module__}.{type(value).__qualname__}"
        if _draft(kind):
            kind = kind.partition(".")[2]
        if isinstance(value, Claim):
            return "claim", [getattr(value, name) for name in SAID]
        if isinstance(value, FunctionType):
            return "function", _function(value)
        if isinstance(value, type):
            return f"class {_name(value)}", _class(value)
        if isinstance(value, ModuleType):
            return f"module {_bare(value.__name__)}", ()
        if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
            return kind, value
        if isinstance(value, tuple):
            return kind, [*value._fields, *value]  # type: ignore[attr-defined]
        if isinstance(value, (set, frozenset)):
            return kind, [_Digest(h) for h in sorted(self.of(v)[0] for v in value)]
        if isinstance(value, Mapping):
            return kind, [part for pair in list(value.items()) for part in pair]
        if isinstance(value, partial):
            return kind, [value.func, value.args, value.keywords]
        if isinstance(value, MethodType):
            return kind, [value.__func__, value.__self__]
        if isinstance(value, (staticmethod, classmethod)):
            return kind, [value.__func__]
        if isinstance(value, property):
            return kind, [value.fget]
        if isinstance(value, BuiltinFunctionType):
            return f"{kind} {value.__name__}", ()
        if hasattr(value, "__wrapped__"):
            return kind, [value.__wrapped__]
        if type(value).__module__.partition(".")[0] == "numpy":
            return kind, [
                str(getattr(value, "dtype", "")),
                str(getattr(value, "shape", "")),
                repr(getattr(value, "tolist", str)()),
            ]
        return kind, [type(value) if _own(type(value).__module__) else "", *_attributes(value)]


NOWHERE = sys.maxsize
KEPT: dict[int, tuple[object, bytes]] = {}


def _hash(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode()).digest()[:LENGTH]


def _draft(name: str) -> bool:
    return name.startswith(DRAFT)


def _bare(module: str) -> str:
    """The name of a module without the package that a draft is loaded under, which has another number every time."""
    return module.partition(".")[2] if _draft(module) else module


def _name(value: Any) -> str:
    return f"{_bare(value.__module__ or '')}.{value.__qualname__}"


@cache
def _own(module: str) -> bool:
    """Whether the functions of a module are a part of what is said: those of papers and of drafts."""
    head = module.partition(".")[0]
    return (
        module.startswith(FORMULAS)
        or (head not in VERSIONED and head not in sys.stdlib_module_names)
        or head == "__main__"
    )


def _function(fn: FunctionType) -> Iterable[object]:
    """The text of a function, or its name where it is not a paper's or a draft's; and what it is given from outside."""
    module = fn.__module__ or ""
    cells = {}
    for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
        try:
            cells[name] = cell.cell_contents
        except ValueError:  # not bound yet
            continue
    given = [cells, fn.__defaults__, fn.__kwdefaults__, getattr(fn, "__wrapped__", None), getattr(fn, "at_t", None)]
    if not _own(module):
        return [_name(fn), *given]
    read, attributes = _read(fn.__code__)
    outside = {n: v for n, v in names(fn).items() if n in read}
    parts = [
        (f"{n}.{a}", getattr(v, a))
        for n, v in outside.items()
        if isinstance(v, ModuleType) and _own(v.__name__)
        for a in sorted(attributes)
        if hasattr(v, a)
    ]
    return [_text(fn), *given, dict(sorted(outside.items())), parts]


@cache
def _read(code: CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """The names that code reads from outside, and the names of all attributes."""
    read = {i.argval for c in codes(code) for i in dis.get_instructions(c) if i.opname in READING}
    return frozenset(read), frozenset(n for c in codes(code) for n in c.co_names)


def _class(value: type) -> Iterable[object]:
    """What a class of the user's is made of; nothing more than its name for others."""
    if not _own(value.__module__):
        return ()
    own = {
        n: v
        for n, v in sorted(vars(value).items())
        if not (n.startswith("__") and n.endswith("__") and n != "__call__")
    }
    return [
        value.__bases__,
        {n: v for n, v in own.items() if not inspect.ismemberdescriptor(v) and not inspect.isgetsetdescriptor(v)},
    ]


def _attributes(value: object) -> Iterable[object]:
    """What an object holds, without what it has computed from it."""
    if dataclasses.is_dataclass(value):
        held = [(f.name, getattr(value, f.name, None)) for f in dataclasses.fields(value)]
        return [part for pair in held for part in pair]
    if isinstance(value, SimpleNamespace) or hasattr(value, "__dict__"):
        computed = {n for c in type(value).__mro__ for n, v in vars(c).items() if isinstance(v, cached_property)}
        held = [(n, v) for n, v in sorted(vars(value).items()) if n not in computed]
    else:
        slots = [n for c in type(value).__mro__ for n in getattr(c, "__slots__", ())]
        held = [(n, getattr(value, n, None)) for n in slots if n != "__weakref__"]
    return [part for pair in held for part in pair]


# -- text -------------------------------------------------------------------------------------------------------------


@cache
def _text_of(code: CodeType) -> bytes:
    """The hash of a function's text; of its bytecode where there is no source."""
    node = _nodes(code.co_filename, stamp(code.co_filename)).get(_where(code))
    if node is None:
        consts = [c if not isinstance(c, CodeType) else _text_of(c).hex() for c in code.co_consts]
        return _hash("code", code.co_code.hex(), repr(consts), repr(code.co_names), repr(code.co_varnames))
    words: list[str] = []
    _said(node, words, top=True)
    return _hash("text", *words)


def _text(fn: FunctionType) -> _Digest:
    return _Digest(_text_of(fn.__code__))


def _where(code: CodeType) -> tuple[object, ...]:
    """Where a function stands: its line and name; for a lambda, where its expression stands."""
    if code.co_name != "<lambda>":
        return code.co_firstlineno, code.co_name
    places = [p for p in code.co_positions() if None not in p]
    return places[-1] if places else (code.co_firstlineno, code.co_name)


@cache
def _nodes(file: str, stamp: tuple[int, int]) -> dict[tuple[object, ...], ast.AST]:
    """The functions in a file, as it was written then, by where they stand."""
    try:
        tree = tree_of_file(file, stamp)
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[tuple[Any, ...], ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found[first, node.name] = node
        elif isinstance(node, ast.Lambda):
            b = node.body
            found[b.lineno, b.end_lineno, b.col_offset, b.end_col_offset] = node
    return found


def _said(node: object, words: list[str], top: bool = False) -> None:
    """The words of a syntax tree: kinds, names and constants, without annotations and docstrings."""
    if isinstance(node, list):
        words.append("[")
        for one in node:
            _said(one, words)
        words.append("]")
    elif isinstance(node, ast.AST):
        words.append(type(node).__name__)
        for name in node._fields:
            value = getattr(node, name, None)
            if name in SILENT or value is None or value == [] or (top and name == "name"):
                continue
            if (
                name == "body"
                and isinstance(value, list)
                and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            ):
                value = [v for k, v in enumerate(value) if k or not _is_text(v)]
            words.append(name)
            _said(value, words)
    else:
        words.append(f"{type(node).__name__}:{node!r}")


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
