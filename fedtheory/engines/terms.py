"""Conditions and bodies as z3 terms over the reals, and z3's answer within a count of its own steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from types import ModuleType
from typing import Any, ClassVar

import numpy as np

from ..errors import NotApplicable
from ..instance import Instance
from ..numbers import Numbers
from ..relation import Relation
from ..world import World

Term = Any  # a z3 expression; z3 has no types


def z3_module() -> ModuleType:
    """z3, where it is installed.

    Raises
    ------
    NotApplicable
        If it is not.
    """
    try:
        import z3
    except ImportError as error:
        raise NotApplicable(f"no z3: {error}") from None
    return z3


class Reals(Numbers):
    """z3 real terms; `sizes` has the terms that stand for structural integers."""

    kind: ClassVar[str] = "z3"

    def __init__(self, sizes: Mapping[str, Term] | None = None) -> None:
        self.z3 = z3_module()
        self.sizes = sizes or {}

    def size(self, name: str, n: int) -> Any:
        return self.sizes.get(name, self.count(n))

    def scalar(self, s: Any) -> Any:
        return s

    def array(self, a: Any) -> Any:
        return a

    def quotient(self, p: int, q: int) -> Any:
        return np.array([rational(Fraction(p, q))], dtype=object)  # a bare term takes no array of symbols on its right

    def minimum(self, a: Any, b: Any) -> Any:
        return np.frompyfunc(lambda p, q: self.z3.If(p <= q, p, q), 2, 1)(a, b)

    def maximum(self, a: Any, b: Any) -> Any:
        return np.frompyfunc(lambda p, q: self.z3.If(p <= q, q, p), 2, 1)(a, b)


def scope(
    world: World, shape: Mapping[str, int], sizes: Mapping[str, Term] | None = None
) -> tuple[Instance, dict[str, np.ndarray]]:
    """The instance of a world's scalars as terms, and the terms: ``(m,)`` for a per-client scalar, else ``(1,)``."""
    numbers = Reals(sizes)
    symbols: dict[str, np.ndarray] = {}
    for name, spec in world.scalars.items():
        names = [f"{name}{i}" for i in range(shape.get("m", 1))] if spec.per_client else [name]
        symbols[name] = np.array([numbers.z3.Real(n) for n in names], dtype=object)
    return world.scope(symbols, shape, numbers), symbols


def region(world: World, shape: Mapping[str, int], sizes: Sequence[str] = ()) -> tuple[list[Term], dict[str, Term]]:
    """The stated conditions as terms, and the symbols by name (``sigma0`` for client 0 of a per-client scalar).

    Sizes named in `sizes` are real symbols: m >= 2, and 1 <= S <= m.
    """
    z3 = z3_module()
    integers = {name: z3.Real(name) for name in sizes}
    try:
        with no_branches():
            x, symbols = scope(world, shape, integers)
            given = formulas(x.given)
    except z3.Z3Exception as error:
        raise NotApplicable(f"z3: {error}") from None
    if "m" in integers:
        given.append(integers["m"] >= 2)
    if "S" in integers:
        given += [integers["S"] >= 1, integers["S"] <= integers["m"]]
    named = dict(integers)
    for name, entries in symbols.items():
        per_client = world.scalars[name].per_client
        named |= {f"{name}{i}": e for i, e in enumerate(entries)} if per_client else {name: entries[0]}
    return defined(given), named


@contextmanager
def no_branches() -> Iterator[None]:
    """While a body runs, asking a z3 relation for its truth is an error; z3 would compare the terms as text."""
    z3 = z3_module()

    def refuse(self: Any) -> bool:
        raise NotApplicable("a branch on the value of a parameter")

    before = z3.BoolRef.__bool__
    z3.BoolRef.__bool__ = refuse
    try:
        yield
    finally:
        z3.BoolRef.__bool__ = before


def formulas(relations: Iterable[Relation]) -> list[Term]:
    """Every component of every relation."""
    out = []
    for r in relations:
        lhs, rhs = np.broadcast_arrays(np.asarray(r.lhs, dtype=object), np.asarray(r.rhs, dtype=object))
        for a, b in zip(lhs.flat, rhs.flat, strict=True):
            out.append(_formula(a, r.op, b))
    return out


def _formula(lhs: Any, op: str, rhs: Any) -> Term:
    z3 = z3_module()
    a, b = (rational(v) if isinstance(v, (int, Fraction, np.integer)) else v for v in (lhs, rhs))
    if not (z3.is_expr(a) and z3.is_expr(b)):
        raise NotApplicable(f"z3 cannot take {type(a).__name__} and {type(b).__name__}")
    return a <= b if op == "<=" else a < b if op == "<" else a == b


def rational(q: Any) -> Term:
    """A z3 numeral."""
    q = Fraction(int(q) if isinstance(q, np.integer) else q)
    return z3_module().Q(q.numerator, q.denominator)


def defined(terms: list[Term], by: Iterable[Term] = ()) -> list[Term]:
    """The terms, and that no divisor in them (or in `by`) is zero."""
    return [*terms, *[d != 0 for d in _denominators([*terms, *by])]]


def _denominators(terms: list[Term]) -> list[Term]:
    """Every divisor that is not a numeral."""
    z3 = z3_module()
    found: dict[int, Term] = {}
    seen: set[int] = set()
    stack = list(terms)
    while stack:
        t = stack.pop()
        if t.get_id() in seen:
            continue
        seen.add(t.get_id())
        if z3.is_app(t):
            if t.decl().kind() == z3.Z3_OP_DIV and not z3.is_rational_value(t.arg(1)):
                found[t.arg(1).get_id()] = t.arg(1)
            stack.extend(t.children())
    return list(found.values())


def solve(terms: list[Term], rlimit: int) -> tuple[bool | None, Any]:
    """Whether the terms can hold together (None: undecided within `rlimit`), and a model."""
    z3 = z3_module()
    solver = z3.Solver()
    solver.set("rlimit", rlimit)
    solver.set("random_seed", 0)
    solver.add(*terms)
    answer = solver.check()
    if answer == z3.sat:
        return True, solver.model()
    return (False, None) if answer == z3.unsat else (None, None)
