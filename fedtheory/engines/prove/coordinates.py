"""Claims that read coordinates: proved as claims about numbers, in each of few dimensions.

Every coordinate is an unknown number (`gram.coordinates`); comparisons, as of Top-k and of signs, are cases. What is a sum over
coordinates is so in every dimension where it is in one. Where values of functions stand beside such a sum, multiples of what the
class says take them away, which is one of values and of such a sum itself.

Rests on `certificates.products` and on the elimination of quantifiers, as `prove.inner_products`. Incomplete: of what is no such
sum the dimensions that are looked at are all that is certified, and the number of cases is bounded.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.coordinates import CoordinateSpace, SumOver, names_of
from ...gram.linear import linear_solution
from ...gram.products import ProductSpace, Undecided, names_in, substituted
from ...gram.ratio import Coefficient, Ratio, nonzero, polynomial, symbols, text
from ...relation import Relation
from ...verdict import Evidence
from ...world import World
from ..budget import Coordinates, InnerProducts
from ..certificates.cases import Case, cases_of, parameters, scalars_of
from ..certificates.parts import Open, Part
from ..context import Docket
from .in_numbers import Read
from .inner_products import Asked, Goal, Path, Taken, follows

NAME = "coordinates"


def coordinates(claim: Claim, docket: Docket) -> Evidence:
    """Seek a proof of a claim whose world has axes; of what is no sum over coordinates it certifies the dimensions looked at."""
    world = claim.world
    if not world.axes:
        return Evidence(NAME, "silent")
    shapes = list(_shapes(world))
    if not shapes:
        return Evidence(NAME, "declines", reason="no dimension or number of clients is small enough")
    parts: dict[str, Part | None] = {}
    try:
        every = cases_of(world)[1] and is_sum(claim)
        for shape in [{**shapes[0], "d": 1}] if every else shapes:
            asked = _asked(claim, Case(shape), docket, OfOne if every else WithValues)
            name = "all" if every else " and ".join(f"{k}={n}" for k, n in shape.items())
            if not _proved(asked):
                continue
            if not asked.met:
                reason = "a side is undefined wherever the conditions hold"
                return Evidence(NAME, "declines", [name], reason=reason)
            parts[name] = asked.certificate() if docket.certificates else None
    except (NotApplicable, IndexError) as error:
        return Evidence(NAME, "declines", reason=str(error))
    except ZeroDivisionError:
        return Evidence(NAME, "declines", reason="a side is undefined for all parameters")
    if not parts:
        return Evidence(NAME, "declines", reason="no proof was found")
    where = [name if every else {"parameters": "all", "sizes": name} for name in parts]
    certificate = [{"where": at, **part} for at, part in zip(where, parts.values(), strict=True) if part]
    return Evidence(
        NAME, "proves" if every else "certifies", "all" if every else where, {},
        certificate=certificate if len(certificate) == len(parts) else None,
    )  # fmt: skip


def _proved(asked: Asked) -> bool:
    """Whether there is a proof with as many comparisons as are told apart."""
    try:
        return asked.proved(())
    except Open:
        return False


def _shapes(world: World) -> Iterator[dict[str, int]]:
    """The structures that are looked at: all sizes of the world that are small."""
    own = world.parts()
    m = Coordinates.m if own.clients_at else Coordinates.m_asked if own.f else 1
    most = {"m": m, "d": Coordinates.d}
    sizes = {name: [n for n in values if n <= most.get(name, n)] for name, values in world.sizes.items()}
    for values in itertools.product(*sizes.values()):
        yield dict(zip(sizes, values, strict=True))


def _vectors(world: World, m: int) -> list[str]:
    """The vectors of an instance, by the names that a space gives them."""
    own = world.parts()
    star = ["w_star"] if own.optimum_of else []
    return [*own.at, *star, *(f"{name}[{i}]" for name in own.clients_at for i in range(m))]


def _numbers(claim: Claim, case: Case, *others: str) -> dict[str, Ratio]:
    vectors = _vectors(claim.world, case.shape.get("m", 1))
    own, functions = parameters(claim.world, case), claim.world.parts().f is not None
    return symbols((*others, *names_of(own, vectors, case.shape["d"], functions=functions)))


def _asked(claim: Claim, case: Case, docket: Docket, kind: type[Asked]) -> Asked:
    return kind(
        claim, case, docket, _numbers(claim, case), partial(CoordinateSpace, d=case.shape["d"]), Coordinates.splits
    )


# sums over coordinates


class WithValues(Asked):
    """What is said of functions, with multiples of what the class says, after which no value is left; else with all of it."""

    def _goals(self, path: Path, found: Read) -> Iterator[Goal]:
        rlimit = self.docket.limits.rlimit // InnerProducts.part
        bare = replace(found, known=[])
        for k, asks in enumerate(self.asks(path, found)):
            key = (*((text(gap), yes) for gap, yes in path), k)
            if key not in self._goal:
                alone = Goal(self, bare, path, k, asks)
                choices = (Goal(self, bare, path, k, asks, taken) for taken in self._taken(alone, found, k))
                chosen = next((goal for goal in choices if follows(goal, rlimit)), None)
                self._goal[key] = chosen or self._other(alone, found, path, k, asks)
            yield self._goal[key]

    @cached_property
    def _goal(self) -> dict[tuple[object, ...], Goal]:
        """What was chosen, by the signs of minima and the place of the relation."""
        return {}

    def _taken(self, alone: Goal, found: Read, k: int) -> Iterator[list[Taken]]:
        left, op, right = found.says[k]
        own = parameters(self.claim.world, self.case)
        known = [(name, value) for name, sign, value in found.known if sign == ">=" and alone.usable(value)]
        for taken in without_values(right - left, known, own) if known and op != "==" else ():
            if all(alone.usable(times) for _, _, times in taken):
                yield taken

    def _other(self, alone: Goal, found: Read, path: Path, k: int, asks: Sequence[Ratio]) -> Goal:
        return Goal(self, found, path, k, asks) if found.known else alone


class OfOne(WithValues):
    """What a sum over coordinates says of one of them; of what the class says nothing else is known of one coordinate."""

    def _other(self, alone: Goal, *_: object) -> Goal:
        return alone


def without_values(
    gap: Coefficient, known: Sequence[tuple[str, Coefficient]], own: Collection[str]
) -> Iterator[list[Taken]]:
    """Multiples of few of what is known to be at least 0 after which no value of a function is left in a gap.

    These are of the parameters, `own`, alone.
    """
    target, rows = slopes(gap, own), [slopes(value, own) for _, value in known]
    if target is None:
        return
    if not target:
        yield []
        yield from ([(*known[i], Fraction(1)), (*known[j], Fraction(1))] for i, j in _cycles(rows))
    for size in range(1, Coordinates.taken + 1):
        for chosen in itertools.combinations(range(len(known)), size):
            times = _times([rows[k] for k in chosen], target) if target else None
            if times is not None and not any(isinstance(c, Fraction) and c <= 0 for c in times):
                yield [(*known[k], c) for k, c in zip(chosen, times, strict=True)]


def _times(
    rows: Sequence[Mapping[str, Coefficient] | None], target: Mapping[str, Coefficient]
) -> list[Coefficient] | None:
    """The only multiples of rows that add up to a target; None where there are none, or several."""
    each = [row for row in rows if row is not None]
    names = sorted({*target, *(v for row in each for v in row)})
    A = [[row.get(v, Fraction(0)) for row in each] for v in names]
    found, loose = linear_solution(A, [target.get(v, Fraction(0)) for v in names], len(each))
    return None if loose or len(each) < len(rows) else found


def _cycles(rows: Sequence[Mapping[str, Coefficient] | None]) -> Iterator[tuple[int, int]]:
    """Pairs of rows that cancel each other."""
    for (i, a), (j, b) in itertools.combinations(enumerate(rows), 2):
        if a and b and a.keys() == b.keys() and not any(nonzero(a[v] + b[v]) for v in a):
            yield i, j


def slopes(value: Coefficient, own: Collection[str]) -> dict[str, Coefficient] | None:
    """How many times each value of a function is in a number; None where it is not affine in them, by the parameters alone."""
    if not isinstance(value, Ratio):
        return {}
    names = value.top.context().names()
    values = [n for n in names_in([value]) if n.startswith("v:")]
    if not {*values}.isdisjoint(names_in([polynomial(value.bottom)])):
        return None
    out: dict[str, Coefficient] = {}
    for name in sorted(values):
        out[name] = polynomial(value.top.derivative(names.index(name))) / polynomial(value.bottom)
        if not names_in([out[name]]) <= {*own}:
            return None
    return out


def is_sum(claim: Claim) -> bool:
    """Whether every relation is, in any dimension, the sum over the coordinates of what it says of one of them.

    Where coordinates are not counted a body can combine them one by one, sum over them, and take multiples of sums
    (`gram.coordinates.SumOver`); the number of coordinates is the sum of ones. So a relation is such a sum where nothing stands
    beside it but multiples of values of functions, as in what the class says. Conditions at points need not hold of each
    coordinate. Where there are vectors of clients, or a minimiser of several of them, one client does not stand for all.
    """
    own = claim.world.parts()
    several = tuple(claim.world.sizes.get("m", (1,))) != (1,)
    if own.clients_at or claim.world.at_points or (own.optimum_of and several):
        return False
    try:
        case = Case({"m": 1})
        return all(_is_sum(gap, parameters(claim.world, case)) for gap in _gaps_of_one(claim))
    except (NotApplicable, ZeroDivisionError):
        return False


def _values_in(form: Coefficient) -> bool:
    parts = [form.each, form.rest] if isinstance(form, SumOver) else [form]
    return any(n.startswith("v:") for n in names_in(parts))


def _is_sum(gap: Coefficient, own: Collection[str]) -> bool:
    if isinstance(gap, Ratio) and _values_in(gap):
        gap = SumOver(Fraction(0), gap)
    if not isinstance(gap, SumOver) or any(n == "m" or n.startswith("v:") for n in names_in([gap.each])):
        return False
    by = slopes(gap.rest, own)
    if by is None:
        return False
    values = {name: Fraction(0) for name in by}
    return not nonzero(substituted(gap.rest, values))


def _gaps_of_one(claim: Claim) -> Iterator[Coefficient]:
    """Right less left of every relation, in every case of the minima at one coordinate."""
    world = claim.world
    case = Case({**{name: min(values) for name, values in world.sizes.items()}, "m": 1, "d": 1})
    numbers = _numbers(claim, case, "m")
    todo: list[dict[str, bool]] = [{}]
    for signs in todo:

        def choose(gap: Coefficient, space: ProductSpace, signs: Mapping[str, bool] = signs) -> bool:
            if not isinstance(gap, Ratio):
                return bool(gap >= 0)
            if "m" in names_in([gap]):
                raise NotApplicable("a comparison with the number of clients")
            if text(gap) not in signs:
                raise Undecided(gap)
            return signs[text(gap)]

        space = CoordinateSpace(numbers, choose, d=1, uncounted=True)
        x = world.abstract(scalars_of(world, case, numbers), case.shape, space)
        stated = [
            gap
            for r in world.scope(scalars_of(world, case, numbers), case.shape, space.numbers).given
            for gap in _gaps(r)
        ]
        if any(isinstance(gap, SumOver) or "m" in names_in([gap]) for gap in stated):
            raise NotApplicable("a condition with the number of clients or coordinates")
        try:
            relations = claim.relations(x)
        except Undecided as needed:
            if len(todo) > Coordinates.cases:
                raise NotApplicable("more comparisons than are looked at") from None
            todo += [{**signs, text(needed.gap): yes} for yes in (True, False)]
            continue
        space.close()
        yield from (form for _, form in space.inequalities if _values_in(form))  # others are not taken
        if space.equalities or x._draws or "m" in names_in([inside for inside, _ in space.numbers.roots]):
            raise NotApplicable("the number of clients")
        for r in relations:
            yield from _gaps(r)


def _gaps(r: Relation) -> Iterator[Coefficient]:
    both = np.broadcast_arrays(*(np.asarray(side, dtype=object).view(np.ndarray) for side in (r.lhs, r.rhs)))
    return (b - a for a, b in zip(*(side.flat for side in both), strict=True))
