"""The audit before: whether a body is a function of what a statement may speak of, and of nothing else.

On a few small instances the body is evaluated again, in other coordinates, with one coordinate more, with conditions and
draws listed otherwise, and on other kinds of numbers. A statement says the same each time; a body that keeps state, draws
at random, reads coordinates or shapes, or asks for the kind of number does not, and no verdict on it would mean anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import flint
import numpy as np

from .._arrays import as_floats
from ..bodies import told
from ..claim import Body, Claim
from ..errors import NotApplicable, UsageError, inexact
from ..instance import Instance
from ..numbers import Balls, Floats, Fractions, Numbers, ball, fraction
from ..numbers.bounded import LARGEST
from ..relation import Relation, relations_of
from ..world import Described, Free, World
from .branches import require_no_branch
from .reads import floats_in, require_own_arrays, require_unchanged
from .shapes import without_conditions_at_points

if TYPE_CHECKING:
    from ..quantity import Array, Quantity

SEED = 20200607
CELLS, ROWS = 6, 4  # draws of the scalars, and of the vectors at each; the most moderate and the fullest are looked at
BITS = 8  # of every number
PRECISION = 128  # bits of a ball
GROSS = 1e-3  # relative difference between floats and exact numbers that no rounding explains
LARGEST_M = 4
STRANGERS = 3  # rows that belong to no client
UNDEFINED = (ZeroDivisionError, ValueError, OverflowError)

Values = list[tuple[str, list[Any], list[Any]]]  # operator, left and right sides of every relation

AGAIN = (
    "two evaluations on one instance differ: the body keeps state, draws at random or reads the clock; "
    "a claim is a function of x alone"
)
TURNED = "the body reads coordinates of a vector: it changes in other coordinates; inner products are x.dot and x.sq"
PADDED = "the body counts coordinates by a shape: it changes with one coordinate more, which is zero; write x.d"
LISTED = "the body counts what is listed for the engines only: x.given, or the draws that x.E averages over"
COUNTED = (
    "the body counts clients by a shape, or picks rows: it changes with rows that belong to no client; "
    "write x.m, x.total, x.mean, x.total_vec and x.mean_vec"
)
CAUGHT = "the body says something else where an engine refuses x.d or x.states; let NotApplicable through"
KIND = "the body asks on which kind of number it runs: {} and exact numbers differ; write it with x.minimum, x.sqrt ..."


class Strangers(Fractions):
    """Fractions for arrays with rows after those of the `m` clients; what x sums over clients leaves them out."""

    def __init__(self, m: int) -> None:
        self.m = m

    def own(self, s: Any, axis: int = -1) -> Any:
        """The part of the clients."""
        several = getattr(s, "ndim", 0) >= -axis and s.shape[axis] > self.m
        return s[(..., slice(self.m), *(slice(None),) * (-1 - axis))] if several else s

    def mean(self, s: Any) -> Any:
        return super().mean(self.own(s))

    def mean_vec(self, u: Array) -> Array:
        return super().mean_vec(self.own(u, -2))

    def total(self, s: Quantity, over: Array | None, m: Quantity) -> Quantity:
        return super().total(self.own(s), over, m)

    def total_vec(self, u: Array, over: Array | None, m: Quantity) -> Array:
        return super().total_vec(self.own(u, -2), over, m)

    def over_clients(self, s: Any, pick: Callable[[Quantity, Quantity], Quantity]) -> Quantity:
        return super().over_clients(self.own(s), pick)

    def in_order(self, u: Array) -> list[Array]:
        return super().in_order(self.own(u, -2))


class Dimensionless(Fractions):
    """Fractions on which an instance refuses what it refuses on Gram arrays."""

    kind: ClassVar[str] = "gram"


def audit(claim: Claim) -> None:
    """Evaluate the body and its control on twins of a few instances.

    Raises
    ------
    UsageError
        If one of them says something else than the others, or holds a float.
    """
    require_unchanged(claim)
    require_own_arrays(claim)
    for what, value in floats_in(claim):
        raise UsageError(
            f"claim {claim.id}: {what} {value!r}, a float, which is not exact; write Fraction(p, q) or x.ratio(p, q)"
        )
    if claim.limits:  # engines evaluate them on terms, and where nothing moves
        return
    shapes = claim.world.shapes(LARGEST_M) or [{}]
    bodies = {"": claim.body} | ({" (control)": claim.control.body} if claim.control else {})
    with np.errstate(all="ignore"), _precision():
        turned = [claim.world.twins(free) or [free] for free in _instances(claim.world, min(shapes, key=_order))]
        bench = Bench(claim.world)
        for what, body in bodies.items() if turned else ():
            _same_again(bench, body, claim.id + what, [base for base, *_ in turned], turned[0][1:])
            require_no_branch(claim.world, body, claim.id + what, turned[0][0])
        _every_m(claim, shapes)


def _order(shape: dict[str, int]) -> tuple[bool, bool, int]:
    """Two clients and two coordinates, and little else."""
    return shape.get("m", 2) != 2, shape.get("d", 2) != 2, sum(shape.values())


@contextmanager
def _precision() -> Iterator[None]:
    before = flint.ctx.prec
    flint.ctx.prec = PRECISION
    try:
        yield
    finally:
        flint.ctx.prec = before


# instances


def _instances(world: World, shape: dict[str, int]) -> list[Free]:
    """Two instances of one size in short dyadic numbers, which share their scalars; none where no draw meets the conditions."""
    try:
        cells = list(world.sample(np.random.default_rng(SEED), shape, CELLS, ROWS))
    except NotApplicable:
        return []
    if not cells:
        return []
    if world.batched_scalars:
        rows = [world.pick(cells[0], i) for i in range(CELLS * ROWS)] if cells[0].scalars else [cells[0]]
        return [_short(free) for free in sorted(rows, key=_spread)[:2]]
    free = min(cells, key=_spread)
    if not free.vectors:
        return [_short(free)]
    picked = [_short(world.pick(free, i)) for i in range(ROWS)]
    return sorted(picked, key=lambda f: -sum(np.count_nonzero(v) for v in f.vectors.values()))[:2]


def _spread(free: Free) -> float:
    """How far the scalars are from 1, in decades."""
    return sum(float(np.sum(np.abs(np.log10(np.maximum(np.abs(v), 1e-300))))) for v in free.scalars.values())


def _short(free: Free) -> Free:
    """The scalars in few bits, and every vector scaled to entries of at most 1."""
    scaled = {k: v / max(float(np.max(np.abs(v), initial=0.0)), 1e-300) for k, v in free.vectors.items()}
    return free.replace(vectors=scaled).map(_dyadic)


def _dyadic(v: Any) -> Fraction:
    mantissa, exponent = np.frexp(float(v))
    return Fraction(int(float(mantissa) * 2**BITS), 2**BITS) * Fraction(2) ** int(exponent)


# evaluations


@dataclass
class Bench:
    """Instances of one world, each built once on every kind of numbers, on which the bodies of a claim are evaluated."""

    world: World
    built: dict[tuple[int, str], Instance] = field(default_factory=dict)
    among: Instance | None = None  # the first instance with rows that belong to no client

    def on(self, free: Free, numbers: Numbers, copy: int = 0) -> Instance:
        """The instance on these numbers; `copy` tells fresh ones apart."""
        key = (id(free), f"{numbers.kind} {copy}")
        if key not in self.built:
            self.built[key] = self.world.build(free, numbers)
        return self.built[key]

    def says(
        self, body: Body, owner: str, free: Free, numbers: Numbers, copy: int = 0, other: Any = None
    ) -> Values | None:
        """The relations at one instance, entry by entry; None where a side is undefined."""
        try:
            x = self.on(free, numbers, copy)
        except (UsageError, *UNDEFINED):  # shortened numbers that left the range of a method's parameter
            return None
        try:
            return _values(relations_of(body, x._but(**other) if other else x, owner), owner)
        except UsageError:
            raise
        except UNDEFINED:
            return None

    def unless_refused(self, body: Body, owner: str, free: Free, *numbers: Numbers) -> Values | None:
        """The relations on the first kind of numbers that takes the body."""
        for n in numbers:
            try:
                return self.says(body, owner, free, n)
            except NotApplicable:
                continue
        return None


def _same_again(bench: Bench, body: Body, owner: str, instances: Sequence[Free], twins: Sequence[Free]) -> None:
    """Compare one body with itself."""
    base = instances[0]
    numbers: Numbers = Fractions()
    try:
        first = bench.says(body, owner, base, numbers)
    except NotApplicable:
        numbers = Balls()
        first = bench.unless_refused(body, owner, base, numbers)
    if first is None:
        return
    for copy in (0, 1):
        _require(first, bench.says(body, owner, base, numbers, copy), AGAIN, owner)
    refused = bench.unless_refused(body, owner, base, Dimensionless())
    _require(first, refused, CAUGHT, owner)
    for twin in twins:
        padded = {"names": {"d": numbers.size("d", base.shape["d"])}} if twin.shape != base.shape else {}
        if padded and refused is None:  # it may read x.d
            continue
        _require(first, bench.says(body, owner, twin, numbers, other=padded), PADDED if padded else TURNED, owner)
    draws = bench.on(base, numbers)._draws
    _require(first, bench.says(body, owner, base, numbers, other={"given": (), "draws": draws + draws}), LISTED, owner)
    if isinstance(numbers, Fractions):
        _require(first, _among_strangers(bench, body, owner, base), COUNTED, owner)
        _require(first, bench.unless_refused(body, owner, base, Balls()), KIND.format("balls"), owner)
    _against_floats(bench, body, owner, instances)


def _among_strangers(bench: Bench, body: Body, owner: str, free: Free) -> Values | None:
    """What the body says of the clients where every array has rows after theirs; None in worlds with sums of their own."""
    world, m = bench.world, free.shape.get("m", 1)
    if not world.exchangeable or m == 1 or any(s.weight for s in world.scalars.values()):
        return None
    numbers = Strangers(m)
    try:
        if bench.among is None:
            bench.among = world.build(_with_strangers(world, free, m), numbers)
        sides = [Relation(numbers.own(r.lhs), r.op, numbers.own(r.rhs)) for r in relations_of(body, bench.among, owner)]
    except (NotApplicable, *UNDEFINED):  # also a UsageError: an array of the body's own has no such rows
        return None
    return _values(sides, owner)


def _with_strangers(world: Described, free: Free, m: int) -> Free:
    """One instance with rows after those of the clients, copies of the first one."""
    extents = world.extents({**free.shape, "m": m + STRANGERS})

    def longer(v: Any, axis: int) -> Array:
        return np.concatenate([v, *[np.take(v, [0], axis=axis)] * STRANGERS], axis=axis)

    vectors = {}
    for name, v in free.vectors.items():
        axis = next((k for k, (a, b) in enumerate(zip(v.shape, extents[name], strict=True)) if a != b), None)
        vectors[name] = v if axis is None else longer(v, axis)
    scalars = {k: longer(v, 0) if world.scalars[k].per_client else v for k, v in free.scalars.items()}
    return free.replace(vectors=vectors, scalars=scalars)


def _values(relations: Sequence[Relation], owner: str) -> Values:
    out = []
    for r in relations:
        sides = np.broadcast_arrays(np.asarray(r.lhs, dtype=object), np.asarray(r.rhs, dtype=object))
        lhs, rhs = (list(s.flat) for s in sides)
        for v in (*lhs, *rhs):
            if isinstance(v, float):
                raise UsageError(told(inexact(v), f"claim {owner}"))
            if isinstance(v, (int, Fraction)) and max(v.numerator, v.denominator).bit_length() > LARGEST:
                raise UsageError(
                    f"claim {owner}: a side has more than {LARGEST} bits at small numbers; take a smaller power"
                )
        out.append((r.op, lhs, rhs))
    return out


def _require(first: Values, again: Values | None, message: str, owner: str) -> None:
    """Raise UsageError unless the relations are the same; what is undefined says nothing."""
    if again is not None and not _same(first, again):
        raise UsageError(f"claim {owner}: {message}")


def _same(a: Values, b: Values) -> bool:
    return [(op, len(lhs)) for op, lhs, _ in a] == [(op, len(lhs)) for op, lhs, _ in b] and all(
        _equal(p, q)
        for one, other in zip(a, b, strict=True)
        for p, q in zip((*one[1], *one[2]), (*other[1], *other[2]), strict=True)
    )


def _equal(p: Quantity, q: Quantity) -> bool:
    if isinstance(p, flint.arb) or isinstance(q, flint.arb):
        p, q = ball(p), ball(q)
        return not (p.is_finite() and q.is_finite()) or bool(p.overlaps(q))
    return bool(p == q or fraction(p) == fraction(q))


# floats


def _against_floats(bench: Bench, body: Body, owner: str, instances: Sequence[Free]) -> None:
    """One batch in floats against its instances in exact numbers."""
    exact = [bench.unless_refused(body, owner, free, Fractions(), Balls()) for free in instances]
    if None in exact:
        return
    try:
        relations = relations_of(body, bench.world.build(_batch(bench.world, instances), Floats()), owner)
    except UNDEFINED:
        return
    scalars = [abs(float(v)) for s in instances[0].scalars.values() for v in np.ravel(s)] + [1.0]
    noise = 1e-10 * np.float64(max(max(scalars), 1 / max(min(scalars), 1e-300))) ** 3
    for i, values in enumerate(exact):
        assert values is not None
        for r, (op, lhs, rhs) in zip(relations, values, strict=False):
            got = [_row(side, i, len(instances)) for side in np.broadcast_arrays(as_floats(r.lhs), as_floats(r.rhs))]
            want = [as_floats([_float(v) for v in side]) for side in (lhs, rhs)]
            if r.op != op or any(
                g.size != w.size and 1 not in (g.size, w.size) for g, w in zip(got, want, strict=True)
            ):
                raise UsageError(f"claim {owner}: {KIND.format('floats')}")
            for g, w in zip(got, want, strict=True):
                gap, size = np.abs(g - w), np.maximum(np.abs(g), np.abs(w))
                if (np.isfinite(gap) & (gap > GROSS * size) & (gap > noise)).any():
                    raise UsageError(f"claim {owner}: {KIND.format('floats')}")


def _float(v: Any) -> float:
    return float(v.mid()) if isinstance(v, flint.arb) else float(v) if abs(v) < 10**300 else np.inf


def _row(side: np.ndarray, i: int, rows: int) -> np.ndarray:
    """The entries of instance i of a batch."""
    return side[i] if side.ndim == 2 and side.shape[0] == rows else np.atleast_1d(side)


def _batch(world: Described, instances: Sequence[Free]) -> Free:
    first = instances[0]
    if world.batched_scalars:
        rows = {k: np.stack([np.atleast_1d(as_floats(f.scalars[k])) for f in instances]) for k in first.scalars}
        return first.replace(scalars=rows)
    vectors = {k: np.stack([as_floats(f.vectors[k]) for f in instances]) for k in first.vectors}
    return first.map(float).replace(vectors=vectors)


def _every_m(claim: Claim, shapes: Sequence[dict[str, int]]) -> None:
    """The body raises at no listed number of clients, at an instance that need not meet the conditions at points."""
    world = without_conditions_at_points(claim.world)
    for m in {s.get("m", 1) for s in shapes}:
        shape = min((s for s in shapes if s.get("m", 1) == m), key=_order)
        try:
            free = next(iter(world.sample(np.random.default_rng(SEED), shape, 1, 1)), None)
            if free is not None:
                relations_of(claim.body, world.build(free, Floats()), claim.id)
        except UsageError:
            raise
        except (NotApplicable, *UNDEFINED):
            continue
