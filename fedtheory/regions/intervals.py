"""The values of one parameter at which conditions hold, the others given: intervals with exact ends and what binds there."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import flint
import numpy as np

from ..errors import NotApplicable
from ..gram.ratio import Polynomial, Ratio
from ..numbers import rational
from .forms import EXPONENTIALS, Form, names_in
from .roots import ZERO, Root, in_order, roots_of, sign

if TYPE_CHECKING:
    from ..quantity import Quantity, Values


@dataclass(frozen=True)
class Interval:
    """An interval of one parameter.

    Attributes
    ----------
    low, high : Root
        Its ends; None for `high` is infinity.
    low_closed, high_closed : bool
        Whether an end belongs to it.
    below, above : tuple of str
        The conditions that fail beyond an end, as printed.
    """

    low: Root
    high: Root | None
    low_closed: bool = False
    high_closed: bool = False
    below: tuple[str, ...] = ()
    above: tuple[str, ...] = ()

    def __contains__(self, value: Fraction) -> bool:
        return _beyond(self.low, value, self.low_closed, 1) and _beyond(self.high, value, self.high_closed, -1)


def _beyond(end: Root | None, value: Fraction, closed: bool, side: int) -> bool:
    if end is None:
        return True
    if end.value is not None:
        return side * (value - end.value) > 0 or (closed and value == end.value)
    low, high = end.apart_from(value)  # an irrational end is no rational value
    return value > high if side > 0 else value < low


@dataclass(frozen=True)
class Solution:
    """What conditions come to in one parameter.

    Attributes
    ----------
    name : str
        The parameter.
    intervals : tuple of Interval
        Where all of them hold, in order; none where they contradict each other.
    undecided : tuple of Form
        Conditions that say nothing here, with the reason in `missing`; they are left out.
    conflict : tuple of str
        Where there is no interval: conditions, as few as there are, that no value meets together.
    """

    name: str
    intervals: tuple[Interval, ...]
    undecided: tuple[Form, ...] = ()
    conflict: tuple[str, ...] = ()

    def __contains__(self, value: Fraction) -> bool:
        return any(value in i for i in self.intervals)


@dataclass(frozen=True)
class _Piece:
    """One relation of one condition for one client, in the parameter alone."""

    op: str
    gap: Quantity  # Ratio, or a number
    divisors: tuple[Quantity, ...]
    exponents: Mapping[str, Fraction]

    def polys(self) -> Iterator[Polynomial]:
        for part in (self.gap, *self.divisors):
            if isinstance(part, Ratio):
                yield from (part.top, part.bottom)

    def at(self, value: Fraction) -> bool:
        """Whether it holds at a rational number."""
        if any(self._sign(d, value) == 0 for d in self.divisors):
            return False
        return _holds(self.op, self._sign(self.gap, value))

    def at_root(self, root: Root, beside: Fraction) -> bool:
        """Whether it holds at a root, where `beside` lies between it and the next one."""
        if any(_vanishes(d.top, root) if isinstance(d, Ratio) else d == 0 for d in self.divisors):
            return False
        if isinstance(self.gap, Ratio) and _vanishes(self.gap.bottom, root):
            return False
        if isinstance(self.gap, Ratio) and _vanishes(self.gap.top, root):
            return _holds(self.op, 0)
        return _holds(self.op, self._sign(self.gap, beside))

    def _sign(self, part: Any, value: Fraction) -> int:
        if not isinstance(part, Ratio):
            return int(part > 0) - int(part < 0)
        return sign(part.top, value, self.exponents) * sign(part.bottom, value, self.exponents)


def _holds(op: str, gap: int) -> bool:
    return gap >= 0 if op == "<=" else gap > 0 if op == "<" else gap == 0


def _vanishes(poly: Polynomial, root: Root) -> bool:
    """Whether an irreducible polynomial with this root divides another one."""
    return poly.gcd(root.poly).degrees()[0] > 0


def solve(
    forms: Sequence[Form], name: str, given: Mapping[str, object], *, zero: bool = False, conflict: bool = True
) -> Solution:
    """The values of `name` above 0, or from 0 on with `zero`, at which every condition holds; a condition on clients for each.

    Parameters
    ----------
    forms : sequence of Form
    name : str
        The parameter that is sought.
    given : mapping of str to number or ndarray (m,)
        Numbers for the other ones; floats are taken exactly as they are.
    """
    pieces: list[tuple[Form, list[_Piece]]] = []
    undecided: list[Form] = []
    roots: list[Root] = []
    for f in forms:
        try:
            own = pieces_of(f, name, given)
            roots += [r for p in own for poly in p.polys() for r in _factored(poly, p.exponents) if _positive(r)]
            pieces.append((f, own))
        except NotApplicable as error:
            undecided.append(_because(f, str(error)))
    try:
        placed = in_order(roots)
        rows = [_cells(own, placed, zero) for _, own in pieces]
    except NotApplicable as error:
        return Solution(name, (), tuple(_because(f, str(error)) for f in forms))
    names = [f.condition.printed for f, _ in pieces]
    whole = [all(column) for column in zip(*rows, strict=True)] if rows else [True] * (2 * len(placed) + 2)
    if not zero:
        whole[0] = False
    found = tuple(_intervals(whole, rows, names, [p[0] for p in placed], zero))
    clash = _conflict(rows, names, zero) if conflict and not found else ()
    return Solution(name, found, tuple(undecided), clash)


def _because(f: Form, why: str) -> Form:
    return Form(f.condition, f.names, missing=why)


def pieces_of(f: Form, name: str, given: Mapping[str, object]) -> list[_Piece]:
    """The relations of a condition with numbers for all parameters but one, for every client.

    Raises
    ------
    NotApplicable
        If the condition is no rational function of that one.
    """
    if f.missing:
        raise NotApplicable(f.missing)
    out: list[_Piece] = []
    for values in clients({n: given[n] for n in f.depends_on() if n != name}):
        exponents = {n: in_one(e, name, values) for n, e in f.exponents.items()}
        used = {n for _, gap in f.pieces for n in names_in(gap)} | {n for d in f.divisors for n in names_in(d)}
        if any(isinstance(e, Ratio) and n in used for n, e in exponents.items()):
            raise NotApplicable(f"{name} stands in an exponential")
        numbers = {n: Fraction(e) for n, e in exponents.items() if not isinstance(e, Ratio)}
        divisors = tuple(in_one(d, name, values) for d in f.divisors)
        for op, gap in f.pieces:
            if isinstance(gap, bool):
                gap, op = Fraction(1 if gap else -1), "<="
            out.append(_Piece(op, in_one(gap, name, values), divisors, numbers))
    return out


def clients(values: Values) -> Iterator[dict[str, Fraction]]:
    """The parameters of every client, each once."""
    arrays = {n: np.ravel(v) for n, v in values.items() if isinstance(v, np.ndarray)}
    m = max((len(a) for a in arrays.values()), default=1)
    seen = set()
    for i in range(m):
        own = {n: Fraction(a[i if len(a) > 1 else 0].item()) for n, a in arrays.items()}
        if (key := tuple(own.values())) not in seen:
            seen.add(key)
            yield {**{n: Fraction(v) for n, v in values.items() if n not in arrays}, **own}


def in_one(part: object, name: str, values: Mapping[str, Fraction]) -> Any:
    """A rational function with numbers for all of its parameters but one.

    Raises
    ------
    NotApplicable
        If its denominator is zero for all values of that one.
    """
    if not isinstance(part, Ratio):
        return part
    context = flint.fmpq_mpoly_ctx.get((name, *EXPONENTIALS), "lex")
    top, bottom = (_numbers(p, context, values) for p in (part.top, part.bottom))
    if not bottom:
        raise NotApplicable("division by zero")
    common = top.gcd(bottom)
    top, bottom = top / common, bottom / common
    if top.is_constant() and bottom.is_constant():
        q = top.leading_coefficient() / bottom.leading_coefficient() if top else flint.fmpq(0)
        return Fraction(int(q.p), int(q.q))
    return Ratio(top, bottom)


def _numbers(p: Polynomial, context: Any, values: Mapping[str, Fraction]) -> Polynomial:
    kept = context.names()
    terms: dict[tuple[int, ...], Any] = {}
    names = p.context().names()
    numbers = {n: rational(v) for n, v in values.items()}
    for powers, c in p.terms():
        key = [0] * len(kept)
        for n, power in zip(names, powers, strict=True):
            if power and n in kept:
                key[kept.index(n)] = int(power)
            elif power:
                c = c * numbers[n] ** int(power)
        terms[tuple(key)] = terms.get(tuple(key), flint.fmpq(0)) + c
    return context.from_dict({k: c for k, c in terms.items() if c != 0})


def _factored(poly: Polynomial, exponents: Mapping[str, Fraction]) -> Iterator[Root]:
    for part, _ in poly.factor()[1]:
        if part.degrees()[0] > 0:
            yield from roots_of(part / part.leading_coefficient(), exponents)


def _positive(root: Root) -> bool:
    return root.value > 0 if root.value is not None else root.apart_from(Fraction(0))[0] > 0


def _cells(own: Sequence[_Piece], placed: Sequence[tuple[Root, Fraction, Fraction]], zero: bool) -> list[bool]:
    """Truth at 0, then between the roots and at each of them in turn; the last one is above all of them."""
    ends = [Fraction(0), *(high for _, _, high in placed)]
    lows = [*(low for _, low, _ in placed), None]
    inside = [(a + b) / 2 if b is not None else a + 1 for a, b in zip(ends, lows, strict=True)]
    out = [zero and all(p.at(Fraction(0)) for p in own), all(p.at(inside[0]) for p in own)]
    for (root, _, _), beside in zip(placed, inside[1:], strict=True):
        out += [all(p.at_root(root, beside) for p in own), all(p.at(beside) for p in own)]
    return out


def _intervals(
    whole: list[bool], rows: Sequence[Sequence[bool]], names: Sequence[str], roots: Sequence[Root], zero: bool
) -> Iterator[Interval]:
    """Runs of cells; an even cell is a point, 0 or a root, and an odd one lies between two of them."""

    def failing(cell: int) -> tuple[str, ...]:
        return tuple(dict.fromkeys(n for n, row in zip(names, rows, strict=True) if not row[cell]))

    k = 0
    while k < len(whole):
        if not whole[k]:
            k += 1
            continue
        end = k
        while end + 1 < len(whole) and whole[end + 1]:
            end += 1
        ends = (ZERO, *roots)  # cell 2 j is the end j, and cell 2 j + 1 lies above it
        low, high = ends[k // 2], ends[(end + 1) // 2] if end + 1 < len(whole) else None
        of_range = k == 0 or (k == 1 and not zero)
        yield Interval(
            low, high, low_closed=k % 2 == 0, high_closed=end % 2 == 0,
            below=() if of_range else failing(k - 1), above=() if high is None else failing(end + 1),
        )  # fmt: skip
        k = end + 1


def _conflict(rows: Sequence[Sequence[bool]], names: Sequence[str], zero: bool) -> tuple[str, ...]:
    """The fewest conditions that no value meets together."""
    start = 0 if zero else 1
    for size in range(1, len(rows) + 1):
        for chosen in itertools.combinations(range(len(rows)), size):
            if not any(all(rows[i][k] for i in chosen) for k in range(start, len(rows[0]))):
                return tuple(names[i] for i in chosen)
    return ()


def whole_numbers(interval: Interval) -> tuple[int, int | None]:
    """The least and the largest whole number from 1 on in an interval; None is no largest one."""
    low = max(1, math.floor(interval.low.between()[0]))
    while not _beyond(interval.low, Fraction(low), interval.low_closed, 1):
        low += 1
    if interval.high is None:
        return low, None
    high = math.ceil(interval.high.between()[1])
    while not _beyond(interval.high, Fraction(high), interval.high_closed, -1):
        high -= 1
    return low, high
