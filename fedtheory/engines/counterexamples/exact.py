"""The decision at one instance: exact in rationals, or by disjoint enclosures where roots and exponentials occur.

`judge` decides in the fast rationals of python-flint while a search goes on; `replay` decides once more in Python's own
Fractions, and what it says is what a verdict rests on.

Rests on arithmetic alone: rationals are exact, and an enclosure contains its value (ball arithmetic, F. Johansson, Arb, IEEE
Transactions on Computers 66 (2017)). Complete in rationals; enclosures that overlap at the highest precision are undecided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import flint
import numpy as np

from ...claim import Body
from ...errors import NotApplicable, UsageError, inexact
from ...numbers import Balls, Fractions, Numbers, Rationals, rational
from ...numbers import ball as as_ball
from ...numbers.bounded import Powers
from ...numbers.partial import Partial, Partials
from ...relation import Relation, relations_of
from ...world import Exact, Free

if TYPE_CHECKING:
    from ...instance import Instance

COMPARED = {"<=": np.less_equal, "<": np.less, "==": np.equal}
OUTSIDE = "the search client breaks {!r}, an inequality of its class: write `clients` that are of the class"
RAISED = (ZeroDivisionError, ValueError, OverflowError)


class Side(NamedTuple):
    """One component of a relation, decided: holds, fails or is undefined or undecided."""

    name: str
    lhs: Any
    op: str
    rhs: Any
    truth: bool | None


@dataclass(frozen=True)
class Replay:
    """What exact evaluation at one instance says.

    Attributes
    ----------
    outcome : str
        ``refutes``, ``holds``, ``domain`` (a side is undefined), ``outside`` (a condition fails) or ``undecided``.
    given, relations : list of Side
        The conditions, which `judge` leaves out where all of them hold, and the relations of the body.
    """

    outcome: str
    given: list[Side] = field(default_factory=list)
    relations: list[Side] = field(default_factory=list)
    reason: str = ""

    @property
    def worst(self) -> Side | None:
        """The failing component of least slack, if any."""
        return min((s for s in self.relations if s.truth is False), key=slack, default=None)


def replay(body: Body, world: Exact, free: Free, owner: str = "") -> Replay:
    """Evaluate conditions and body at one instance, in Fractions, then in balls of growing precision.

    An undefined side is never a counterexample; a relation that is defined and false is one, whatever another one of the
    same body is there.
    """
    try:
        result = _evaluate(body, world, free, Powers(), owner)
        return _each(body, world, free, owner, result) if result.outcome == "domain" else result
    except NotApplicable:
        return _enclosed(body, world, free, owner)


def judge(body: Body, world: Exact, free: Free, owner: str = "") -> Replay:
    """The same decision, several times faster where the body has no numbers of its own kind and no roots."""
    try:
        result = _evaluate(body, world, free, Rationals(), owner)
    except NotApplicable:
        return _enclosed(body, world, free, owner)
    except (TypeError, AttributeError, UsageError):  # such as Fractions in the body, with which these do not mix
        return replay(body, world, free, owner)
    return _each(body, world, free, owner, result) if result.outcome == "domain" else result


def _enclosed(body: Body, world: Exact, free: Free, owner: str) -> Replay:
    """The decision in balls of growing precision."""
    before = flint.ctx.prec
    try:
        for precision in (128, 512, 2048):
            flint.ctx.prec = precision
            try:
                result = _evaluate(body, world, free, Balls(), owner)
            except NotApplicable as error:
                return Replay("undecided", reason=str(error))
            if result.outcome == "domain":
                return _each(body, world, free, owner, result)
            if result.outcome != "undecided":
                return result
        return result
    finally:
        flint.ctx.prec = before


def _evaluate(body: Body, world: Exact, free: Free, numbers: Numbers, owner: str) -> Replay:
    try:
        x = world.build(free, numbers)
        conditions = _rational_given(world, free, x, numbers)
        given = [] if isinstance(numbers, Rationals) and _all_hold(conditions) else list(decide(conditions))
    except UsageError:  # also a ValueError, but never a matter of the domain
        raise
    except RAISED as error:
        return Replay("outside", reason=f"{type(error).__name__}: {error}")
    if any(s.truth is False for s in given):
        failing = next(s for s in given if s.truth is False)
        return Replay("outside", given, reason=f"{failing.name} fails")
    try:
        relations = list(decide(relations_of(body, x, owner)))
    except UsageError:
        raise
    except RAISED as error:
        return Replay("domain", given, reason=f"{type(error).__name__}: {error}")
    if any(s.truth is None for s in given):
        return Replay("undecided", given, relations, "a condition is not decided by enclosures")
    finite = [s for s in relations if _finite(s.lhs) and _finite(s.rhs)]
    if any(s.truth is False for s in finite):
        broken = world.breaks(x)
        return Replay("outside", given, reason=OUTSIDE.format(broken)) if broken else Replay("refutes", given, finite)
    if len(finite) < len(relations):
        return Replay("domain", given, relations, "a side is not a finite number")
    if any(s.truth is None for s in relations):
        return Replay("undecided", given, relations, "enclosures overlap")
    return Replay("holds", given, relations)


def _each(body: Body, world: Exact, free: Free, owner: str, undefined: Replay) -> Replay:
    """The relations that are defined at an instance where a division by zero ended the body, each on its own."""
    try:
        found = relations_of(body, world.build(free, Partials()), owner)
        sides = list(decide(found))
    except (*RAISED, NotApplicable, TypeError):  # it branches on what is undefined, or looks at the kind of a number
        return undefined
    failing = [s for s in sides if s.truth is False]
    if not failing or any(s.truth is not True for s in undefined.given):
        return undefined
    return Replay("refutes", undefined.given, failing)


def _rational_given(world: Exact, free: Free, x: Instance, numbers: Numbers) -> Any:
    """The conditions in Fractions where they have no roots, so that equalities among them are decided."""
    if isinstance(numbers, Fractions):
        return x.given
    try:
        return world.build(free.map(Fraction), Powers()).given
    except NotApplicable:
        return x.given


def decide(relations: Iterable[Relation]) -> Iterable[Side]:
    """Every component of every relation with its truth."""
    for r in relations:
        lhs, rhs = np.asarray(r.lhs, dtype=object), np.asarray(r.rhs, dtype=object)
        if lhs.shape != rhs.shape:
            lhs, rhs = np.broadcast_arrays(lhs, rhs)
        for a, b in zip(lhs.ravel(), rhs.ravel(), strict=True):
            p, q = (v.value if isinstance(v, Partial) else v for v in (a, b))
            yield Side(r.name, p, r.op, q, None if p is None or q is None else _truth(p, r.op, q))


def _all_hold(relations: Iterable[Relation]) -> bool:
    """Whether every component of relations between rationals of flint is true; False also where that takes a closer look."""
    try:
        for r in relations:
            a, b = (np.asarray(side, dtype=object) for side in (r.lhs, r.rhs))
            if isinstance(r.lhs, float) or isinstance(r.rhs, float) or not COMPARED[r.op](a, b).all():
                return False
    except TypeError:  # a float or a Fraction among them
        return False
    return True


def _finite(value: object) -> bool:
    return bool(value.is_finite()) if isinstance(value, flint.arb) else True


def _truth(a: Any, op: str, b: Any) -> bool | None:
    for side in (a, b):
        if isinstance(side, float):
            raise UsageError(inexact(side))
    if not isinstance(a, flint.arb) and not isinstance(b, flint.arb):
        if isinstance(a, flint.fmpq) is not isinstance(b, flint.fmpq):
            a, b = rational(a), rational(b)
        return bool(a <= b if op == "<=" else a < b if op == "<" else a == b)
    gap = flint.arb(as_ball(b)) - as_ball(a)
    if op == "==":
        return False if not gap.overlaps(flint.arb(0)) else True if gap == 0 else None
    if gap > 0:
        return True
    if gap < 0:
        return False
    if gap == 0:
        return op == "<="
    return None


def slack(side: Side) -> float:
    """(rhs - lhs)/(|lhs| + |rhs|) as a float, minus the same without sign for an equality; 0 for 0/0."""
    if isinstance(side.lhs, flint.arb) or isinstance(side.rhs, flint.arb):
        ball = as_ball(side.rhs) - as_ball(side.lhs)
        radius = abs(as_ball(side.lhs)) + abs(as_ball(side.rhs))
        value = float(ball / radius) if radius != 0 and radius.is_finite() else 0.0
        return -abs(value) if side.op == "==" else value
    a, b = rational(side.lhs), rational(side.rhs)
    size = abs(a) + abs(b)
    value = float((b - a) / size) if size else 0.0
    return -abs(value) if side.op == "==" else value


def ratio(sides: Iterable[Side]) -> float | None:
    """Largest lhs/rhs of the components with rhs > 0, as a float; None if there is none or a right side is negative."""
    best: float | None = None
    for s in sides:
        if s.op == "==" or isinstance(s.rhs, flint.arb) or isinstance(s.lhs, flint.arb) or s.rhs < 0:
            return None
        if s.rhs > 0:
            quotient = rational(s.lhs) / rational(s.rhs)
            if abs(quotient) > 10**300:
                return None
            best = max(best or 0.0, float(quotient))
    return best
