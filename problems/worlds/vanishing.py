"""Conditions that say that a vector is zero, as u = v or grad f_i(s_i) = 0: solved for one of the vectors in them.

|u - v|^2 = 0 as an inequality has no interior, so that programs have no multiplier for it, and no draw meets it. Solved for one
vector, which is a combination of the others wherever it stands, nothing is left of it: facial reduction (J. Borwein, H. Wolkowicz,
Regularizing the abstract convex program, Journal of Mathematical Analysis and Applications 83 (1981)).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from fedtheory.errors import NotApplicable, UsageError
from fedtheory.gram import generic
from fedtheory.gram.forms import Form, Space
from fedtheory.gram.generic_space import GenericSpace
from fedtheory.gram.ratio import Ratio, nonzero
from fedtheory.instance import Instance
from fedtheory.relation import Relation

OWN, MEAN, SHARED = "own", "mean", "shared"
W_STAR, STAR = "w_star", "g_star"  # the minimiser, and the gradients there
KINDS = {generic.OWN: OWN, generic.BAR: MEAN, generic.SHARED: SHARED}


class Part(NamedTuple):
    """A vector in an equation: of each client, its mean over them, or of all; a gradient has the number of its point."""

    kind: str
    name: str
    point: int | None = None


Equation = dict[Part, Fraction]


@dataclass(frozen=True)
class Solved:
    """``part = by``, after which a condition holds, where a gradient is one at a point of `points`."""

    part: Part
    by: Equation


@dataclass(frozen=True)
class Equations:
    """What conditions at points say as equations, and the points at which they ask for gradients."""

    solved: tuple[Solved, ...] = ()
    points: tuple[Equation, ...] = ()


def equations(world: Any, scalars: Mapping[str, Any], shape: dict[str, int], space: Space) -> Equations:
    """The conditions at points of a world that are equations of vectors with numbers as coefficients, solved one after the other.

    They are read at these scalars and sizes, in a space of the kind of `space`, in which nothing is known.
    """
    try:
        found, points = _read(world, scalars, shape, space.fresh())
    except (NotApplicable, UsageError, ValueError, IndexError):  # what cannot be read stays an inequality
        return Equations()
    own = {*world.at, *world.clients_at}
    out: list[Solved] = []
    for equation in found:
        left = dict(equation or {})
        for one in out:
            left = _with(left, one)
        target = _target(left, own)
        if target is None or any(p.name == W_STAR for p in left):
            continue
        by = {part: -c / left[target] for part, c in left.items() if part != target}
        at = [points[p.point] or {} for p in left if p.point is not None]
        readable = all(point and target not in point and all(p.name != W_STAR for p in point) for point in at)
        if any(p.name == STAR for p in left):  # known to sum to zero: each of them is zero, or nothing more is said
            readable = target == Part(OWN, STAR) and not by and bool(world.optimum_of) and STAR not in own
        if readable:
            out.append(Solved(target, by))
    return Equations(tuple(out), tuple(point or {} for point in points))


def _with(equation: Equation, known: Solved) -> Equation:
    """An equation with what is known of a vector in its place."""
    out = dict(equation)
    c = out.pop(known.part, Fraction(0))
    by = known.by.items()
    if known.part.kind == OWN:  # of each client, and so in the mean
        mean = known.part._replace(kind=MEAN)
        of_mean = out.pop(mean, Fraction(0))
        parts = [*((part, c * k) for part, k in by), *((_mean(part), of_mean * k) for part, k in by)]
    else:
        parts = [(part, c * k) for part, k in by]
    for part, k in parts:
        out[part] = out.get(part, Fraction(0)) + k
    return {part: k for part, k in out.items() if k}


def _mean(part: Part) -> Part:
    return part._replace(kind=MEAN) if part.kind == OWN else part


def _target(equation: Equation, own_names: Collection[str]) -> Part | None:
    """The vector for which it is solved: the last gradient, else the last vector; of each client where there is one."""
    kind = OWN if any(p.kind == OWN for p in equation) else MEAN if any(p.kind == MEAN for p in equation) else SHARED
    own = [p for p in equation if p.kind == kind]
    both = [p for p in equation if p.kind == OWN and _mean(p) in equation]
    if both and (len(equation) > 2 or sum(equation.values())):  # but that all clients have one vector
        return None
    gradients = [p for p in own if p.point is not None or p.name == STAR]
    if not gradients and any(p.point is not None or p.name == STAR for p in equation):
        return None
    chosen = gradients or [p for p in own if p.name in own_names]
    return max(chosen, key=lambda p: -1 if p.point is None else p.point, default=None)


Read = list[Equation | None]  # None of what is no equation with numbers, the same for every client


def _read(world: Any, scalars: Mapping[str, Any], shape: dict[str, int], space: Space) -> tuple[Read, Read]:
    """(The equations, the points at which gradients were asked for) of a world."""
    space.numbers.squares = {}
    x = world.unsolved(scalars, shape, space)
    found = [r for c in world.at_points for r in c.relations(x)]
    m = shape.get("m", 1)
    points = [zip(*clients._points, strict=True) for clients in space.clients[:1]]
    return (
        [e for r in found for e in _equations(r, space, m)],
        [
            _equation([row.view(np.ndarray) for row, _, _ in each], space, m)
            for all_of_them in points
            for each in all_of_them
        ],
    )


def _equations(r: Relation, space: Space, m: int) -> Iterator[Equation | None]:
    lhs, rhs = np.broadcast_arrays(*(np.asarray(s, dtype=object).view(np.ndarray) for s in (r.lhs, r.rhs)))
    if r.op == "==" and not all(map(_is_zero, rhs.flat)):
        lhs, rhs = rhs, lhs
    if r.op == "<" or not all(map(_is_zero, rhs.flat)):
        return
    rows = [(space.numbers.squares or {}).get(id(form)) for form in lhs.flat]
    if all(row is not None for row in rows):
        yield _equation([row[1].view(np.ndarray) for row in rows if row is not None], space, m)


def _is_zero(value: Any) -> bool:
    return not value.clean() if isinstance(value, Form) else isinstance(value, (int, Fraction)) and value == 0


def _equation(rows: Sequence[np.ndarray], space: Space, m: int) -> Equation | None:
    """A vector of each client, or one of all, in the vectors of the world."""
    try:
        asked = len(space.clients[0]._points[0]) if space.clients else 0
        if isinstance(space, GenericSpace):
            return _of_generic(*rows, space=space, asked=asked)
        table = [{space.leaves[k]: _number(c) for k, c in enumerate(row) if nonzero(c)} for row in rows]
        return _of_explicit(table, m, asked)
    except NotApplicable:
        return None


def _number(c: Any) -> Fraction:
    if isinstance(c, Ratio):
        raise NotApplicable("a coefficient with parameters")
    return Fraction(c)


def _of_generic(row: np.ndarray, *, space: GenericSpace, asked: int) -> Equation:
    own = {bar: slot for slot, bar in space.numbers.bars.items()}
    out: Equation = {}
    for k, c in enumerate(row):
        if nonzero(c):
            slot, kind = own.get(k, k), space.numbers.kinds[k]
            if kind not in KINDS:
                raise NotApplicable("a vector of selected clients")
            family = space.leaves[slot].partition("[")[0]
            out[Part(KINDS[kind], family, _point_of(family, asked))] = _number(c)
    return out


def _of_explicit(table: Sequence[Mapping[str, Fraction]], m: int, asked: int) -> Equation:
    out: Equation = {}
    for name in dict.fromkeys(name for row in table for name in row):
        family = name.partition("[")[0]
        if family == name:
            out[Part(SHARED, name)] = _only({row.get(name, Fraction(0)) for row in table})
            continue
        members = [f"{family}[{j}]" for j in range(m)]
        if len(table) == m:
            others = {row.get(n, Fraction(0)) for i, row in enumerate(table) for j, n in enumerate(members) if i != j}
            mean = _only(others) if others else Fraction(0)
            own = _only({row.get(members[i], Fraction(0)) - mean for i, row in enumerate(table)})
        else:
            mean, own = _only({table[0].get(n, Fraction(0)) for n in members}), Fraction(0)
        point = _point_of(family, asked)
        out[Part(OWN, family, point)], out[Part(MEAN, family, point)] = own, mean * m
    return {part: c for part, c in out.items() if c}


def _point_of(family: str, asked: int) -> int | None:
    """The number of the point, of those where functions were asked, at which it is the gradient."""
    k = int(family[1:]) if family[0] == "g" and family[1:].isdigit() else asked
    return k if k < asked else None


def _only(values: set[Fraction]) -> Fraction:
    if len(values) != 1:
        raise NotApplicable("clients have different equations")
    return next(iter(values))


def optimum(space: Space, problem: Any, m: int, *, zero: bool) -> np.ndarray:
    """w_star with gradients that are any vectors, or zero."""
    w_star = space.leaf(W_STAR)[None]
    problem.declare(w_star, space.of_clients([space.zero()] * m) if zero else space.leaves_for(STAR, m))
    return w_star


class Vectors:
    """The vectors of an abstract instance, of which some are given by conditions."""

    def __init__(self, space: Space, x: Instance, m: int, found: Equations) -> None:
        self.space, self.x, self.m, self.points = space, x, m, found.points
        self.given = {s.part.name: s for s in found.solved if s.part.point is None and s.part.name != STAR}
        self.gradients = sorted((s for s in found.solved if s.part.point is not None), key=lambda s: s.part.point or 0)
        self.star_is_zero = any(s.part == Part(OWN, STAR) for s in found.solved)
        self.names: dict[str, Any] = {}
        self.problem: Any = None

    def named(self, at: Sequence[str], clients_at: Sequence[str]) -> dict[str, Any]:
        """Every point of the world by its name: new unknown vectors, and what is given by others."""
        for name in (*at, *clients_at):
            if name not in self.given:
                self.names[name] = self.space.leaf(name)[None] if name in at else self.space.leaves_for(name, self.m)
        for name in reversed(self.given):  # one that was solved for later has none of the earlier in it
            self.names[name] = self._of(self.given[name], name)
        self.space.given = {name: self.names[name] for name in self.given}
        return {name: self.names[name] for name in (*at, *clients_at)}

    def declare(self, problem: Any) -> None:
        """State what conditions say of gradients."""
        self.problem = problem
        for k, s in enumerate(self.gradients):
            problem.declare(self._sum(self.points[s.part.point or 0]), self._of(s, f"g_zero{k}"))

    def _of(self, s: Solved, name: str) -> Any:
        if _mean(s.part) in s.by and s.part.kind == OWN:
            return self.space.leaf(name)[None] + self._zeros(self.m)
        by = self._sum(s.by)
        if s.part.kind == MEAN:
            return self.space.centered_for(name, self.m) + by
        return by + self._zeros(self.m) if s.part.kind == OWN else by

    def _zeros(self, rows: int) -> Any:
        return self.space.of_clients([self.space.zero()] * rows)

    def _sum(self, by: Equation) -> Any:
        total = self._zeros(1)
        for part, c in by.items():
            total = total + c * self._vector(part)
        return total

    def _vector(self, part: Part) -> Any:
        own = self.names[part.name] if part.point is None else self.problem.grad(self._sum(self.points[part.point]))
        return self.x.mean_vec(own) if part.kind == MEAN else own
