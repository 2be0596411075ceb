"""Sizes of many magnitudes, sequences rolled forward, and valleys far out: where a claim that holds at small sizes may fail.

A side that reads a size (m, d, T) is looked at where this is 10, 100, 10^4, at the cheapest instances of each. Sequences of
recursions are rolled forward: every element is as large as what is known of it allows, as random elements of a long sequence
meet no recursion. Where there are parameters alone each is scanned over sixteen decades, and the least of what is seen is
followed downhill. A length is a part of every claim with an index, and a failure there refutes; a world lists its numbers of
clients and its dimensions, and a failure at one beyond leaves the claim undecided.

Rests on the exact replay. Incomplete: a few magnitudes of each size at the cheapest instances, and one valley.
"""

from __future__ import annotations

import dataclasses
import itertools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import Any, SupportsIndex

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable, UsageError
from ...instance import Instance
from ...numbers import Floats, Fractions
from ...quantity import ByName, Quantity, Values
from ...relation import Relation
from ...verdict import Evidence
from ...world import Abstract, Described, Exact, Free, Scalar, World
from ..budget import Magnitudes
from ..context import Docket
from ..counterexamples import exact
from ..counterexamples.hunt import MISALIGNED, Ranked, ranked
from .proposing import Doubt, Proposals, in_rationals, proposes
from .relatives import takes

CLOSE = Fraction(99, 100)  # of a bounded range, where a scalar is that near its end
DECADES = (-8, 8)  # powers of ten between which a parameter is scanned
BLUR = 1e-9  # relative slack that floats are not asked about
DIGITS = (10, 10**3, 10**6, 10**9, None)  # denominators of what is replayed; None for the floats as they are


@proposes("magnitudes")
def magnitudes(claim: Claim, docket: Docket) -> Proposals:
    """Instances of a length, a doubt at a number of clients or a dimension; else the sizes that were looked at."""
    looked: list[dict[str, int]] = []
    for size in _read(claim):
        found = _along(claim, size, docket, looked)
        if found is not None and size == claim.world.index:  # type: ignore[attr-defined]
            yield found
        elif found is not None:
            yield Doubt(
                f"it fails at {size} = {found.shape[size]}, beyond the sizes that its world lists", [found.shape]
            )
            return
    if not docket.certified:
        yield from _valley(claim, docket.limits.of(Magnitudes))
    yield Evidence("magnitudes", "silent", looked)


def _read(claim: Claim) -> list[str]:
    """The index of the claim, and the sizes that its sides read by themselves where instances of more are cheap."""
    world = claim.world
    found = [world.index] if world.index else []
    shape = (world.shapes(2) or [{}])[-1]
    try:
        free = next(iter(world.sample(np.random.default_rng(0), shape, 1, 1)))
        x = world.build(free, Floats())
    except (NotApplicable, *MISALIGNED, ZeroDivisionError, OverflowError, StopIteration):
        return found
    if x._draws:  # all draws of many clients are too many
        return found
    if any(k[:1] == "S" for k in world.sizes):  # selections, through which a body goes
        return found
    for size, others in (("m", ("m", "N")), ("d", ("d",))):
        if size in world.sizes and _reads(claim, x, others):
            found.append(size)
    return found


def _reads(claim: Claim, x: Instance, names: tuple[str, ...]) -> bool:
    """Whether a side reads one of these names of an instance."""
    present = [n for n in names if n in x._names]
    try:
        with np.errstate(all="ignore"):
            claim.relations(x)
    except Exception:  # whatever a body does at floats, other engines tell
        return False
    for name in present:
        try:
            with np.errstate(all="ignore"):
                claim.relations(x.without((name,)))
        except UsageError as error:
            if repr(name) in str(error):
                return True
        except Exception:  # the engine's own names went with it
            continue
    return False


def _along(claim: Claim, size: str, docket: Docket, looked: list[dict[str, int]]) -> Free | None:
    """An instance at which the exact replay refutes, at the least of the magnitudes, and near its beginning."""
    before = max(claim.world.sizes[size])
    for n in sorted(
        {k for k in (Magnitudes.lengths if size == claim.world.index else Magnitudes.counts) if k > before}
    ):  # type: ignore[attr-defined]
        try:
            found = _at(claim, size, n, docket)
        except _TooMuch:
            return None
        except (NotApplicable, *MISALIGNED, MemoryError):
            continue
        looked.append({size: n})
        if found is not None:
            return _least(claim, size, before, found, docket)
        before = n
    return None


class _TooMuch(Exception):
    """Instances of a size are not cheap."""


def _of(world: Any, size: str, n: int) -> World:
    """The world at one number of this size, and at its least other sizes."""
    if world.index == size:
        return world.of_length(n)
    others = {k: (n,) if k == size else (min(v),) if k in ("m", "d") else v for k, v in world.sizes.items()}
    return world.at_sizes(others)


def _at(claim: Claim, size: str, n: int, docket: Docket) -> Free | None:
    """An instance of one magnitude at which the exact replay refutes."""
    world, effort = _of(claim.world, size, n), docket.limits.of(Magnitudes)
    if not world.shapes(n):  # such as runs in which all clients are selected, with listed selections
        raise NotApplicable(f"the world has no instance of {size} = {n}")
    short = claim.at_t is not None or _sums(claim)
    with _counted():
        asked = takes(claim, _of(claim.world, size, min(n, Magnitudes.asked)) if short else world)
    if not asked:
        raise _TooMuch
    if world.parts().sequences:
        if n > Magnitudes.rolled:
            raise _TooMuch
        some = effort.long if n > Magnitudes.lengths[1] else effort.many
        for row in _own_scalars(claim.world, some, n):
            for pattern, first in itertools.product(PATTERNS, STARTS if world.given else STARTS[:1]):
                free = rolled(world, n, row, pattern, first)
                if free is not None and exact.judge(claim.body, world, free, claim.id).outcome == "refutes":
                    return free
        return None
    if (n > Magnitudes.each and _dear(world)) or (n > Magnitudes.summed and short):
        raise _TooMuch
    shape = min(world.shapes(n), key=lambda s: sum(s.values()))
    rng = np.random.default_rng(np.random.SeedSequence([docket.seed, 41]))
    rows = max(1, min(Magnitudes.rows, int(Magnitudes.entries // n**2 if world.batched_scalars else 2)))
    for exactly in _rational(world, shape, effort.grid):
        floats = {k: np.array([np.ravel(np.asarray(v, dtype=float))]) for k, v in exactly.scalars.items()}
        at = ranked(claim.body, world, Free(shape, floats), Floats(), claim.id)
        if _worst(at) and exact.judge(claim.body, world, exactly, claim.id).outcome == "refutes":
            return exactly
    for free in itertools.islice(world.sample(rng, shape, 1, rows), 2):
        for k in _worst(ranked(claim.body, world, free, Floats(), claim.id)):
            one = world.pick(free, k)
            if exact.judge(claim.body, world, one, claim.id).outcome == "refutes":
                return one
    return None


@contextmanager
def _counted() -> Iterator[None]:
    """End a body that takes too many lines of Python, such as one that goes through all subsets of clients."""
    left, before = Magnitudes.lines, sys.gettrace()

    def traced(*_: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise _TooMuch
        return traced

    sys.settrace(traced)
    try:
        yield
    finally:
        sys.settrace(before)


def _dear(world: Described) -> bool:
    """Whether an instance has numbers for every client and dimension."""
    return not world.batched_scalars or any(s.per_client or s.weight for s in world.scalars.values())


class _Counting(Floats):
    """Floats that tell whether a body has summed up."""

    summed = False

    def sum_up(self, term: Any, n: Any) -> Any:
        _Counting.summed = True
        return super().sum_up(term, n)

    def product_up(self, term: Callable[[Quantity], Quantity], n: SupportsIndex, first: SupportsIndex = 0) -> Quantity:
        _Counting.summed = True
        return super().product_up(term, n, first)


def _sums(claim: Claim) -> bool:
    """Whether a side is a sum over an index."""
    world = claim.world
    shape = (world.shapes(1) or [{}])[-1]
    _Counting.summed = False
    with suppress(Exception):  # whatever a body does at floats, other engines tell
        free = next(iter(world.sample(np.random.default_rng(0), shape, 1, 1)))
        claim.relations(world.build(free, _Counting()))
        return _Counting.summed
    return True


def _worst(at: Ranked) -> list[int]:
    """The instances of least slack that fail by more than rounding, at most two."""
    order = np.argsort(at.slack)[:2]
    return [int(k) for k in order if at.slack[k] < -BLUR]


def _rational(world: Abstract, shape: dict[str, int], count: int) -> list[Free]:
    """Small rational parameters, where they are the whole instance."""
    if not world.batched_scalars:
        return []
    try:
        return [Free(shape, row) for row in world.grid(shape, count)]
    except NotApplicable:
        return []


def _least(claim: Claim, size: str, below: int, found: Free, docket: Docket) -> Free:
    """The instance at about the least number of this size at which it fails, by halving."""
    low, high = below, found.shape[size]
    while high - low > max(1, high // 64):
        middle = (low + high) // 2
        try:
            other = _at(claim, size, middle, docket)
        except (_TooMuch, NotApplicable, *MISALIGNED):
            other = None
        if other is None:
            low = middle
        else:
            found, high = other, middle
    return found


# -- sequences --------------------------------------------------------------------------------------------------------

PATTERNS: tuple[Callable[[int], Fraction], ...] = (
    lambda t: Fraction(0), lambda t: Fraction(1), lambda t: Fraction(1, t + 1), lambda t: Fraction(1, 2),
    lambda t: Fraction(1, 1000),
)  # fmt: skip  # of elements that no condition bounds from above
STARTS = (Fraction(1), Fraction(0))  # of the first elements, where their range allows it


def _own_scalars(world: Any, count: int, n: int) -> list[dict[str, object]]:
    """Rational values of the scalars that are no elements: small ones, near the ends of bounded ranges, and one that is n."""
    own = {k: s for k, s in world.scalars.items() if k not in world.listed}
    rows: list[ByName] = []
    choices = []
    for spec in own.values():
        low = Fraction(spec.low) if spec.low is not None else Fraction(-1)
        if spec.high is not None:
            high = Fraction(spec.high)
            choices.append([low + (high - low) * share for share in (CLOSE, Fraction(1, 2), 1 - CLOSE)])
        else:
            choices.append([low + 1, low + Fraction(1, 10), low + 10])
    for k, values in enumerate(itertools.product(*choices)):
        if k == count:
            break
        rows.append(dict(zip(own, values, strict=True)))
    open_ended = [name for name, spec in own.items() if spec.high is None and not (spec.low or 0) > n]
    return rows + [{**row, name: Fraction(n)} for row in rows[:1] for name in open_ended[:count]]


def rolled(
    world: Any, n: int, row: Values, pattern: Callable[[int], Fraction], first: Fraction = STARTS[0]
) -> Free | None:
    """An instance of length n whose elements are as large as the conditions at every t allow; None where this has no end.

    What no condition bounds from above follows `pattern`, and the other first elements are `first` where their range allows it.
    """
    numbers = Fractions()
    shape = {world.index: n}
    lists = {name: [_within(spec, first)] for name, spec in world.sequences.items()}
    start = {f"{s}{t}": _within(spec, pattern(t)) for s, spec in world.sequences.items() for t in range(n + 1)}
    plain = dataclasses.replace(world, every=(), given=())
    try:
        x = plain.build(Free(shape, {**row, **start}), numbers)
        views = {}
        for name, values in lists.items():
            view = getattr(x, name)
            view.listed = values
            views[name] = view
        x = x._but(names=views)
        for name in _unbounded(world, x, lists) if n else ():
            lists[name][0] = _within(world.sequences[name], pattern(0))
        for t in range(n):
            for name, spec in world.sequences.items():
                lists[name].append(_within(spec, pattern(t + 1)))
            for name, spec in world.sequences.items():
                value = _largest(world, x, t, lists[name], spec)
                if value is None:
                    return None
                lists[name][t + 1] = value
    except (NotApplicable, ZeroDivisionError, OverflowError, ValueError, TypeError):
        return None
    elements = {f"{name}{t}": v for name, values in lists.items() for t, v in enumerate(values)}
    return Free(shape, {**row, **elements})


def _unbounded(world: Any, x: Instance, lists: Mapping[str, list[Fraction]]) -> list[str]:
    """The sequences whose second element is bounded by no condition, of which the first one may be as any."""
    for values in lists.values():
        values.append(values[0])
    found = [
        name
        for name, spec in world.sequences.items()
        if _largest(world, x, 0, lists[name], spec) in (None, lists[name][0])
    ]
    for values in lists.values():
        values.pop()
    return found


def _within(spec: Scalar, value: Fraction) -> Fraction:
    """The value, or the nearest one within a range."""
    low, high = spec.low, spec.high
    if low is not None and (value < low or (value == low and not spec.closed)):
        value = Fraction(low) + (
            0 if spec.closed else (Fraction(1, 1000) if high is None else (Fraction(high) - Fraction(low)) / 100)
        )
    if high is not None and (value > high or (value == high and not spec.closed)):
        value = Fraction(high) - (Fraction(high) - Fraction(low or 0)) / 100
    return value


def _largest(world: Any, x: Instance, t: int, values: list[Fraction], spec: Scalar) -> Fraction | None:
    """The largest value of the last element that the conditions at t allow, which are affine in it; itself where none does."""
    start = values[-1]
    at = x._numbers.count(t)  # a quotient of whole numbers would be rounded
    values[-1] = Fraction(0)
    at_zero = world.at(x, at)
    values[-1] = Fraction(1)
    at_one = world.at(x, at)
    values[-1] = start
    highest: Fraction | None = None
    lowest: Fraction | None = None
    for one, other in zip(at_zero, at_one, strict=True):
        g0, g1 = _excess(one), _excess(other)
        if g0 == g1:
            continue
        end = -g0 / (g1 - g0)
        if one.op == "==":
            return end if end.denominator.bit_length() <= 20 * Magnitudes.bits else None
        if g1 > g0:
            highest = end if highest is None else min(highest, end)
        else:
            lowest = end if lowest is None else max(lowest, end)
    if highest is None:
        return start if lowest is None else max(start, lowest)
    if highest.denominator.bit_length() > Magnitudes.bits:
        scale = 2 ** max(0, Magnitudes.bits - max(0, (highest.numerator // highest.denominator).bit_length()))
        highest = Fraction(highest.numerator * scale // highest.denominator, scale)
    if spec.high is not None and highest > spec.high:
        highest = _within(spec, Fraction(spec.high))
    return highest


def _excess(r: Relation) -> Fraction:
    """The left side less the right one."""
    lhs, rhs = (np.ravel(np.asarray(s, dtype=object))[0] for s in (r.lhs, r.rhs))
    return Fraction(lhs) - Fraction(rhs)


# -- valleys ----------------------------------------------------------------------------------------------------------


def _valley(claim: Claim, effort: Magnitudes) -> Iterator[Free]:
    """Parameters far out: every parameter scanned alone, the least followed downhill."""
    world = claim.world
    if not world.batched_scalars or world.parts().sequences:
        return
    names = [k for k, s in world.scalars.items() if not (s.per_client or s.weight)]
    if not names or len(names) < len(world.scalars):
        return
    for shape in world.shapes(1)[:1] or [{}]:
        starts: list[tuple[float, dict[str, float]]] = []
        for base in _bases(world, shape, names, effort.bases):
            for name in names:
                starts += _scanned(claim, world, shape, base, name)
        starts.sort(key=lambda s: s[0])
        for _, start in starts[: effort.followed]:
            yield from _followed(claim, world, shape, start, effort.steps)


def _bases(world: Abstract, shape: dict[str, int], names: list[str], count: int) -> list[dict[str, float]]:
    try:
        rows = world.grid(shape, count)
    except NotApplicable:
        return []
    return [{k: float(row[k]) for k in names} for row in rows]


def _scanned(
    claim: Claim, world: Exact, shape: dict[str, int], base: dict[str, float], name: str
) -> list[tuple[float, dict[str, float]]]:
    """(slack, parameters) of the valleys that are seen where one parameter goes through all decades, or through its range."""
    spec = world.scalars[name]
    low = float(spec.low) if spec.low is not None else 0.0
    if spec.high is not None:
        values = np.linspace(low, float(spec.high), Magnitudes.scanned + 2)[1:-1]
    else:
        values = low + np.logspace(*DECADES, Magnitudes.scanned)
        values = np.concatenate([-values[::-1], values]) if spec.low is None else values
    rows = {k: np.full((len(values), 1), v) for k, v in base.items()} | {name: values[:, None]}
    try:
        slack = ranked(claim.body, world, Free(shape, rows), Floats(), claim.id).slack
    except MISALIGNED:
        return []
    padded = np.concatenate([[np.inf], np.where(np.isfinite(slack), slack, np.inf), [np.inf]])
    lowest = np.flatnonzero((padded[1:-1] < padded[:-2]) & (padded[1:-1] <= padded[2:]))
    lowest = lowest[np.argsort(slack[lowest])][:2]
    return [(float(slack[k]), {**base, name: float(values[k])}) for k in lowest]


def _followed(claim: Claim, world: Exact, shape: dict[str, int], start: dict[str, float], steps: int) -> Iterator[Free]:
    """The end of a walk downhill on the parameters in rational numbers, where its slack is negative."""
    from scipy.optimize import minimize

    names = list(start)
    size = np.array([abs(start[k]) or 1.0 for k in names])

    def height(at: np.ndarray) -> float:
        rows = {k: np.array([[v]]) for k, v in zip(names, at * size, strict=True)}
        try:
            found = float(ranked(claim.body, world, Free(shape, rows), Floats(), claim.id).slack[0])
        except MISALIGNED:
            return 1e3
        return found if np.isfinite(found) else 1e3

    at = np.array([start[k] for k in names]) / size
    for method in ("Powell", "Nelder-Mead"):
        done = minimize(height, at, method=method, options={"maxfev": steps})
        if done.fun < height(at):
            at = done.x
    if not height(at) < -BLUR / 1000:
        return
    yield from in_rationals(Free(shape, dict(zip(names, at * size, strict=True))), DIGITS)
