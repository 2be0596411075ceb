"""z3 on claims about scalars: satisfiable conditions, a proof for all parameters, or a rational witness."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from ..claim import Body
from ..errors import NotApplicable
from ..numbers import Numbers
from ..relation import Relation, as_relations
from ..world import Free, World


@dataclass(frozen=True)
class Answer:
    """``outcome`` is proves, vacuous, refutes or declines; a refutation carries the model as free data."""

    outcome: str
    satisfiable: bool | None = None
    free: Free | None = None
    reason: str = ""


def _z3() -> Any:
    try:
        import z3
    except ImportError as error:
        raise NotApplicable(f"no z3: {error}") from None
    return z3


class Reals(Numbers):
    """z3 real terms."""

    kind: ClassVar[str] = "z3"

    def __init__(self, sizes: Mapping[str, Any] | None = None) -> None:
        self.z3 = _z3()
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


def decide(body: Body, world: World, shape: dict[str, int], *, rlimit: int, owner: str = "") -> Answer:
    """Prove or refute a claim about scalars at one shape; `rlimit` counts z3's own steps, never seconds."""
    if not world.batched_scalars:
        raise NotApplicable("z3 decides claims about scalars only")
    z3 = _z3()
    try:
        given, relations, symbols = _terms(body, world, shape, owner)
    except ZeroDivisionError:
        return Answer("declines", reason=f"z3: a side is undefined at {shape}")
    except z3.Z3Exception as error:
        raise NotApplicable(f"z3: {error}") from None
    defined = [*given, *[d != 0 for d in _denominators(z3, given)]]
    base = [*defined, *[d != 0 for d in _denominators(z3, relations)]]
    satisfiable, _ = solve(z3, defined, rlimit)
    if satisfiable is False:
        return Answer("vacuous", False, reason="z3: the conditions are unsatisfiable")
    if solve(z3, base, rlimit)[0] is False:
        return Answer("declines", satisfiable, reason="z3: a side is undefined wherever the conditions hold")
    refuted, model = solve(z3, [*base, z3.Not(z3.And(*relations))], rlimit)
    if refuted is False:
        return Answer("proves", satisfiable)
    if refuted is True and model is not None:
        per_client = {k: s.per_client for k, s in world.scalars.items()}
        free = _free(z3, model, symbols, shape, per_client)
        if free is not None:
            return Answer("refutes", True, free)
        return Answer("declines", satisfiable, reason="z3: a counterexample with irrational parameters")
    return Answer("declines", satisfiable, reason="z3: undecided within its limit")


@dataclass(frozen=True)
class Boundary:
    """What z3 says of one stated condition of a claim that holds under all of them.

    Attributes
    ----------
    name : str
        The condition as printed.
    needed : bool or None
        Whether the claim fails somewhere beyond it; False is advice: it can be dropped.
    sharp : bool or None
        Whether the claim fails everywhere beyond it, so that the condition is the exact boundary of the region.
    """

    name: str
    needed: bool | None
    sharp: bool | None


def boundaries(body: Body, world: Any, shape: dict[str, int], *, rlimit: int, owner: str = "") -> list[Boundary]:
    """For every stated condition: is it needed, and is it the exact boundary (proved from both sides)?

    Raises
    ------
    NotApplicable
        If there is no z3, or the body is none of its terms.
    """
    z3 = _z3()
    out = []
    for k, stated in enumerate(world.given):
        rest = dataclasses.replace(world, given=world.given[:k] + world.given[k + 1 :])
        try:
            with _no_branches(z3):
                x, _ = _scope(rest, shape)
                base, claim = _boolean(x.given), _boolean(as_relations(body(x), owner))
                beyond = z3.Not(z3.And(*_boolean(stated.relations(x))))
        except (ZeroDivisionError, z3.Z3Exception) as error:
            raise NotApplicable(f"z3: {error}") from None
        defined = [*base, beyond, *[d != 0 for d in _denominators(z3, [*base, beyond, *claim])]]
        needed, _ = solve(z3, [*defined, z3.Not(z3.And(*claim))], rlimit)
        somewhere, _ = solve(z3, [*defined, *claim], rlimit)
        out.append(Boundary(stated.printed, needed, None if somewhere is None else needed is True and not somewhere))
    return out


def satisfiable(world: World, shape: dict[str, int], *, rlimit: int) -> bool | None:
    """Whether the stated conditions on the scalars can hold together; None if z3 does not say."""
    try:
        z3 = _z3()
    except NotApplicable:
        return None
    try:
        with _no_branches(z3):
            given = _boolean(_scope(world, shape)[0].given)
        return solve(z3, [*given, *[d != 0 for d in _denominators(z3, given)]], rlimit)[0]
    except (NotApplicable, ZeroDivisionError, z3.Z3Exception):
        return None


def region(world: World, shape: dict[str, int], sizes: tuple[str, ...] = ()) -> tuple[list[Any], dict[str, Any]]:
    """The stated conditions as z3 terms, and the symbols by name (``sigma0`` for client 0 of a per-client scalar).

    Sizes named in `sizes` are real symbols: m >= 2, and 1 <= S <= m.
    """
    z3 = _z3()
    integers = {name: z3.Real(name) for name in sizes}
    try:
        with _no_branches(z3):
            x, symbols = _scope(world, shape, integers)
            given = _boolean(x.given)
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
    return [*given, *[d != 0 for d in _denominators(z3, given)]], named


def _scope(world: World, shape: dict[str, int], sizes: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
    numbers = Reals(sizes)
    symbols: dict[str, Any] = {}
    for name, spec in world.scalars.items():
        if spec.per_client:
            symbols[name] = np.array([numbers.z3.Real(f"{name}{i}") for i in range(shape.get("m", 1))], dtype=object)
        else:
            symbols[name] = np.array([numbers.z3.Real(name)], dtype=object)
    return world.scope(symbols, shape, numbers), symbols


def _terms(body: Body, world: World, shape: dict[str, int], owner: str) -> tuple[list[Any], list[Any], dict[str, Any]]:
    with _no_branches(_z3()):
        x, symbols = _scope(world, shape)
        return _boolean(x.given), _boolean(as_relations(body(x), owner)), symbols


@contextmanager
def _no_branches(z3: Any) -> Iterator[None]:
    """While a body runs, asking a z3 relation for its truth is an error; z3 would compare the terms as text."""

    def refuse(self: Any) -> bool:
        raise NotApplicable("a branch on the value of a parameter")

    before = z3.BoolRef.__bool__
    z3.BoolRef.__bool__ = refuse
    try:
        yield
    finally:
        z3.BoolRef.__bool__ = before


def _boolean(relations: Any) -> list[Any]:
    out = []
    for r in relations:
        lhs, rhs = np.broadcast_arrays(np.asarray(r.lhs, dtype=object), np.asarray(r.rhs, dtype=object))
        for a, b in zip(lhs.flat, rhs.flat, strict=True):
            out.append(_one(Relation(a, r.op, b)))
    return out


def rational(q: Any) -> Any:
    """A z3 numeral."""
    q = Fraction(q)
    return _z3().Q(q.numerator, q.denominator)


def _plain(v: Any) -> bool:
    return isinstance(v, (int, Fraction, np.integer))


def _one(r: Relation) -> Any:
    z3 = _z3()
    a, b = (rational(Fraction(int(v) if isinstance(v, np.integer) else v)) if _plain(v) else v for v in (r.lhs, r.rhs))
    if not (z3.is_expr(a) and z3.is_expr(b)):
        raise NotApplicable(f"z3 cannot take {type(a).__name__} and {type(b).__name__}")
    return a <= b if r.op == "<=" else a < b if r.op == "<" else a == b


def _denominators(z3: Any, terms: list[Any]) -> list[Any]:
    """Every divisor that is not a numeral."""
    found: dict[int, Any] = {}
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


def solve(z3: Any, terms: list[Any], rlimit: int) -> tuple[bool | None, Any]:
    """Whether the terms can hold together (None: undecided within `rlimit`), and a model."""
    solver = z3.Solver()
    solver.set("rlimit", rlimit)
    solver.set("random_seed", 0)
    solver.add(*terms)
    answer = solver.check()
    if answer == z3.sat:
        return True, solver.model()
    return (False, None) if answer == z3.unsat else (None, None)


def _free(
    z3: Any, model: Any, symbols: dict[str, Any], shape: dict[str, int], per_client: dict[str, bool]
) -> Free | None:
    def value(s: Any) -> Fraction | None:
        v = model.eval(s, model_completion=True)
        return Fraction(v.numerator_as_long(), v.denominator_as_long()) if z3.is_rational_value(v) else None

    scalars: dict[str, Any] = {}
    for name, s in symbols.items():
        entries = [value(v) for v in s]
        if any(e is None for e in entries):
            return None
        scalars[name] = np.array(entries, dtype=object) if per_client[name] else entries[0]
    return Free(shape, scalars)
