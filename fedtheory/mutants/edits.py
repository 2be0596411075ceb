"""Mutants: small changes of a true claim that should make it false; the share that the search refutes is its power.

- ``bound``: the right side halved (doubled where it is negative), and 9/10 of the tightest constant that a certificate
  or the search shows to be attained;
- ``exponent``: one constant exponent raised by one, on one side of the relation;
- ``sign``: one plus or minus exchanged, on one side;
- ``extreme``: one min and max exchanged, on one side;
- ``hypothesis``: one stated condition, or the lower end of one range, dropped. One that survives is advice: the search
  finds no need for it.

Exponents, signs and extremes are found in the source of the body and of the functions of its paper, or of its draft, that it calls.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from .._arrays import to_host
from ..claim import Body, Claim
from ..errors import NotApplicable, UsageError
from ..numbers import Floats
from ..relation import Relation, relations_of
from ..world import Scalar

if TYPE_CHECKING:
    from ..instance import Instance

OPERATORS = ("bound", "exponent", "sign", "extreme", "hypothesis")
SIDES = {"rhs": "right side", "lhs": "left side"}
SAME = 1e-9  # relative difference below which two float sides are the same formula
EXTREMES = {"minimum": "maximum", "maximum": "minimum", "min": "max", "max": "min"}


@dataclass(frozen=True)
class Mutant:
    """A claim changed by one operator; `change` says how, in the words of the source."""

    operator: str
    change: str
    claim: Claim


def mutants(claim: Claim, tightness: float | None = None, packages: tuple[str, ...] = ()) -> Iterator[Mutant]:
    """Every mutant of a claim.

    Parameters
    ----------
    claim : Claim
    tightness : float, optional
        The share of the bound that is known to be attained.
    packages : tuple of str
        Whose functions may be edited, besides those of the body's own module: of the paper's claims and formulas.
    """
    if claim.limits:  # of which no search says whether an edit is false
        return
    sign = bound_sign(claim)
    if sign:
        factor = Fraction(1, 2) if sign > 0 else Fraction(2)
        yield _scaled(claim, factor, f"right side times {factor}")
        if sign > 0 and tightness is not None and 0 < tightness < 1:
            near = Fraction(tightness * 0.9).limit_denominator(1000)
            if 0 < near < 1:
                yield _scaled(claim, near, f"right side times {near}, nine tenths of what is attained")
    for operator, change, body in _edited(claim.body, packages):
        for side in SIDES:
            one = _one_side(claim, body, side)
            if _differs(claim, one, side):
                yield Mutant(operator, f"{change}, on the {SIDES[side]}", dataclasses.replace(claim, body=one))
    yield from _dropped(claim)


def _one_side(claim: Claim, body: Body, side: str) -> Body:
    """The claim with one side taken from an edited body; an edit of a factor that both sides share says nothing."""

    def mixed(x: Instance) -> tuple[Relation, ...]:
        edited = relations_of(body, x, claim.id)
        return tuple(
            dataclasses.replace(r, **{side: getattr(e, side)}) for r, e in zip(claim.relations(x), edited, strict=True)
        )

    return mixed


def _differs(claim: Claim, body: Body, side: str) -> bool:
    """Whether the edited side has other values somewhere, or none at all."""
    world = claim.world
    for shape in (world.shapes(2) or [{}])[:4]:
        try:
            for free in world.sample(np.random.default_rng(0), shape, 1, 20):
                with np.errstate(all="ignore"):
                    x = world.build(free, Floats())
                    for r, e in zip(claim.relations(x), relations_of(body, x, claim.id), strict=True):
                        a, b = (np.asarray(to_host(v) if hasattr(v, "shape") else v, dtype=float)
                                for v in (getattr(r, side), getattr(e, side)))  # fmt: skip
                        if a.shape != b.shape or not np.allclose(a, b, rtol=SAME, atol=0, equal_nan=True):
                            return True
        except (NotApplicable, ZeroDivisionError, OverflowError):
            continue
        except Exception:  # an edit may break the body in any way; the judge says so
            return True
    return False


def bound_sign(claim: Claim) -> int:
    """1 if every searched right side is positive, -1 if every one is negative, 0 if they are mixed or zero."""
    world = claim.world
    signs: set[float] = set()
    for shape in (world.shapes(2) or [{}])[:4]:
        try:
            for free in world.sample(np.random.default_rng(0), shape, 4, 20):
                with np.errstate(all="ignore"):
                    for r in claim.relations(world.build(free, Floats())):
                        b = np.asarray(to_host(r.rhs) if hasattr(r.rhs, "shape") else r.rhs, dtype=float)
                        signs |= set(np.sign(b[np.isfinite(b) & (b != 0)]).tolist())
        except (NotApplicable, ZeroDivisionError, OverflowError):
            continue
    return int(signs.pop()) if len(signs) == 1 else 0


def _scaled(claim: Claim, factor: Fraction, change: str) -> Mutant:
    def body(x: Instance) -> tuple[Relation, ...]:
        return tuple(
            Relation(r.lhs, r.op, r.rhs * factor.numerator / factor.denominator, r.name) for r in claim.relations(x)
        )

    return Mutant("bound", change, dataclasses.replace(claim, body=body))


def _dropped(claim: Claim) -> Iterator[Mutant]:
    world: Any = claim.world
    for stated in world.given:
        less = world.without(stated)
        yield Mutant("hypothesis", f"without {stated.printed}", dataclasses.replace(claim, world=less))
    for name, spec in world.scalars.items():
        if spec.low is not None and spec.low > 0 and spec.high is None:
            free = Scalar(spec.unit, per_client=spec.per_client, weight=spec.weight)
            less = dataclasses.replace(world, scalars={**world.scalars, name: free})
            yield Mutant("hypothesis", f"without {name} >= {spec.low}", dataclasses.replace(claim, world=less))


def _edited(body: Body, packages: tuple[str, ...]) -> Iterator[tuple[str, str, Body]]:
    """Copies of the body with one edit each, anywhere in the functions of these packages that it calls."""
    called = _called(body, packages)
    for fn in called.values():
        tree = _tree(fn)
        if tree is None:
            continue
        for index, (operator, change) in enumerate(_sites(tree)):
            edited = _tree(fn)
            assert edited is not None
            _edit(edited, index)
            try:
                yield operator, f"{change} in {fn.__name__}", _rebuilt(body, called, fn, edited)
            except (UsageError, SyntaxError):
                continue


def _called(body: Body, packages: tuple[str, ...]) -> dict[str, FunctionType]:
    """The body and the functions of its module and of these packages that it calls, by qualified name, outermost first."""
    within = (body.__module__, *packages)
    out: dict[str, FunctionType] = {}
    stack = [body]
    while stack:
        fn = stack.pop(0)
        key = f"{getattr(fn, '__module__', '')}.{getattr(fn, '__qualname__', '')}"
        if not isinstance(fn, FunctionType) or key in out or fn.__name__ == "<lambda>" or fn.__closure__:
            continue
        out[key] = fn
        for name in _names(fn.__code__):
            value = fn.__globals__.get(name)
            if isinstance(value, Claim):
                value = value.body
            if isinstance(value, FunctionType) and f"{value.__module__}.".startswith(tuple(f"{p}." for p in within)):
                stack.append(value)
    return out


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _tree(fn: FunctionType) -> ast.Module | None:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(fn)))
    except (OSError, TypeError, SyntaxError):
        return None
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        return None
    tree.body[0].decorator_list = []
    return tree


def _sites(tree: ast.AST) -> list[tuple[str, str]]:
    return [found for node in ast.walk(tree) for found in [_site(node)] if found is not None]


def _site(node: ast.AST) -> tuple[str, str] | None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and isinstance(node.right, ast.Constant):
        return "exponent", f"{ast.unparse(node)}: exponent + 1"
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)) and not _counts(node):
        return "sign", f"{ast.unparse(node)}: sign of the second term"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in EXTREMES:
        return "extreme", f"{ast.unparse(node)}: {EXTREMES[node.func.attr]}"
    return None


def _counts(node: ast.BinOp) -> bool:
    """Whether the sum is an index or a length rather than a quantity, such as ``r - 1`` in a subscript or a range."""
    return isinstance(node.left, ast.Name) and isinstance(node.right, ast.Constant) and node.left.id in ("r", "t", "k")


def _edit(tree: ast.AST, index: int) -> None:
    node: Any = [n for n in ast.walk(tree) if _site(n) is not None][index]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        node.func.attr = EXTREMES[node.func.attr]
    elif isinstance(node.op, ast.Pow):
        node.right.value += 1
    else:
        node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()


def _rebuilt(body: Body, called: dict[str, FunctionType], target: FunctionType, tree: ast.Module) -> Body:
    """The body over a copy of its functions in which `target` is compiled from `tree`."""
    fresh: dict[int, FunctionType] = {}
    for fn in called.values():
        code = fn.__code__
        if fn is target:
            module = compile(ast.fix_missing_locations(tree), fn.__code__.co_filename, "exec")
            found = [c for c in module.co_consts if isinstance(c, CodeType) and c.co_name == fn.__name__]
            if len(found) != 1:
                raise UsageError(f"the source of {fn.__name__} is no longer the one that runs")
            code = found[0]
        copy = FunctionType(code, dict(fn.__globals__), fn.__name__, fn.__defaults__)
        copy.__kwdefaults__ = fn.__kwdefaults__
        fresh[id(fn)] = copy
    for fn in called.values():
        names = fresh[id(fn)].__globals__
        for name in set(_names(fn.__code__)):
            value = fn.__globals__.get(name)
            if id(value) in fresh:
                names[name] = fresh[id(value)]
    return fresh[id(body)]
