"""Sums over coordinates: what holds of one of them, in each case of its minima, holds of their sum in every dimension.

A claim is read twice with the same signs: where coordinates are not counted, so that only sums over them and their multiples
are known (`gram.coordinates.SumOver`), and of one coordinate, by numbers. Both have to say the same. In another coordinate other
signs may hold. So whatever is one for all of them is the same in every case: at which points functions are asked, which of
these coincide, and the multiples of what the class says that take the values away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.coordinates import CoordinateSpace, SumOver, names_of
from ...gram.forms import Form
from ...gram.products import ProductSpace, Undecided, names_in, substituted
from ...gram.ratio import Coefficient, Ratio, nonzero, symbols, text
from ...relation import Relation
from ...world import World
from ..budget import Coordinates, InnerProducts
from ..certificates.cases import Case, cases_of, parameters, scalars_of
from ..certificates.parts import Open
from ..context import Docket
from .drawn import Drawn
from .in_numbers import OPS, Read
from .inner_products import Asked, Goal, Path, Taken, follows
from .without_values import slopes, without_values


def vectors_of(world: World, m: int) -> list[str]:
    """The vectors of an instance, by the names that a space gives them."""
    own = world.parts()
    star = ["w_star"] if own.optimum_of else []
    return [*own.at, *star, *(f"{name}[{i}]" for name in own.clients_at for i in range(m))]


def numbers_of(claim: Claim, case: Case, *others: str) -> dict[str, Ratio]:
    """Every number that there may be, by name."""
    vectors = vectors_of(claim.world, case.shape.get("m", 1))
    own, functions = parameters(claim.world, case), claim.world.parts().f is not None
    return symbols((*others, *names_of(own, vectors, case.shape["d"], functions=functions)))


def is_sum(claim: Claim) -> bool:
    """Whether every relation is, in any dimension, the sum over the coordinates of what it says of one of them."""
    try:
        return bool(of_one(claim, Docket()).cases)
    except (NotApplicable, IndexError, ZeroDivisionError, Open):
        return False


def of_one(claim: Claim, docket: Docket) -> OfOne:
    """The claim at one coordinate.

    Conditions at points need not hold of each coordinate. Where clients have vectors or scalars of their own, or a minimiser of
    several of them is there, one client does not stand for all; and sizes that are listed are no symbols.

    Raises
    ------
    NotApplicable
        If its world is one of these.
    """
    world = claim.world
    own = world.parts()
    if own.clients_at or world.at_points or any(s.per_client for s in world.scalars.values()):
        raise NotApplicable("vectors or scalars of clients, or conditions at points")
    if own.optimum_of and tuple(world.sizes.get("m", (1,))) != (1,):
        raise NotApplicable("a minimiser of several clients")
    if not {*world.sizes} <= {"m", "d"} or not cases_of(world)[1]:
        raise NotApplicable("sizes that are listed")
    case = Case({"m": 1, "d": 1})
    return OfOne(claim, case, docket)


@dataclass(frozen=True)
class Whole:
    """A claim where coordinates are not counted.

    Attributes
    ----------
    said : list of str
        What it says at one coordinate, as `_said`.
    sums : list of bool
        Of all that the class says, whether it is a sum over coordinates beside values of functions.
    shared : list of str
        What is one for all coordinates.
    """

    said: list[str]
    sums: list[bool]
    shared: list[str]


class OfOne(Asked):
    """What a sum over coordinates says of one of them; of what the class says nothing else is known of one coordinate."""

    def __init__(self, claim: Claim, case: Case, docket: Docket) -> None:
        self.merged: dict[int, int] = {}  # points at which functions are asked that are one, in every case
        space_of = partial(CoordinateSpace, d=1, merged=self.merged)
        super().__init__(claim, case, docket, numbers_of(claim, case), space_of, Coordinates.splits)

    def _read(self, path: Path) -> Read:
        """The same where coordinates are counted and where they are not.

        Raises
        ------
        NotApplicable
            If it is not, or is no sum over coordinates.
        """
        key = _key(path)
        if key not in self._found:
            found = super()._read(path)
            known = [form for _, _, form in found.known]
            whole = self._whole(dict(key))
            if _said([(b - a, op) for a, op, b in found.says], found.given, known, found.space) != whole.said:
                raise NotApplicable("the body says of one coordinate or client something else than of each of many")
            self._found[key] = found, whole
        return self._found[key][0]

    @cached_property
    def _found(self) -> dict[tuple[tuple[str, bool], ...], tuple[Read, Whole]]:
        return {}

    def _whole(self, signs: Mapping[str, bool]) -> Whole:
        """The claim where coordinates and clients are not counted.

        Raises
        ------
        NotApplicable
            If a relation is no sum over coordinates, or it asks how many clients there are.
        """

        def choose(gap: Coefficient, space: ProductSpace) -> bool:
            if not isinstance(gap, Ratio):
                return bool(gap >= 0)
            if text(gap) not in signs:
                raise NotApplicable("a comparison with the number of clients or coordinates")
            return signs[text(gap)]

        world, case = self.claim.world, self.case
        numbers = numbers_of(self.claim, case, "m")
        space = CoordinateSpace(numbers, choose, d=1, uncounted=True, merged=self.merged)
        x = world.abstract(scalars_of(world, case, numbers), case.shape, space)
        relations = [(gap, r.op) for r in self.claim.relations(x) for gap in gaps_of(r)]
        space.close()
        scope = world.scope(scalars_of(world, case, numbers), case.shape, space.numbers)
        given = [(r.name, OPS[r.op], gap) for r in (*scope.given, *x.given) for gap in gaps_of(r)]
        if space.equalities or x._draws or any(isinstance(gap, SumOver) for _, _, gap in given):
            raise NotApplicable("draws of clients, or conditions with the number of coordinates")
        own = parameters(world, case)
        if not all(_is_sum(gap, own) for gap, _ in relations):
            raise NotApplicable("a relation that is no sum over coordinates")
        known = [form for name, form in space.inequalities if not name.startswith("given ")]
        shared = [f"{_rest(gap)} {op}" for gap, op in relations]
        shared += [f"{name} {_rest(form)}" for name, form in space.inequalities]
        shared += [str(len(asked)) for clients in space.clients for asked in clients.asked]
        return Whole(_said(relations, given, known, space), [_is_sum(form, own) for form in known], shared)

    @cached_property
    def cases(self) -> list[Path]:
        """Every case of the minima at one coordinate.

        Points are one that have the same coordinate in all of them.

        Raises
        ------
        Open
            If there are more than are looked at.
        NotApplicable
            If what is one for all coordinates differs between them.
        """
        while True:
            out = list(self._cases())
            first, *others = (self._found[_key(path)] for path in out)
            if any(whole.shared != first[1].shared for _, whole in others):
                raise NotApplicable("other values, or other points, in some of the cases of one coordinate")
            asked = [clients.asked[0] for found, _ in (first, *others) for clients in found.space.clients]
            pair = self._same(list(zip(*asked, strict=True)))
            if pair is None:
                self._require_sum()
                return out
            self.merged.update([pair])
            self._found.clear()

    def _require_sum(self) -> None:
        """That of two coordinates of two clients the claim says the sum of what it says of each, at few values of all numbers.

        A body that asks what kind of number it has may say something else of many.

        Raises
        ------
        NotApplicable
            If it does not.
        """
        m, own = min(2, max(self.claim.world.sizes.get("m", (1,)))), parameters(self.claim.world, self.case)
        for seed in range(Coordinates.looked):
            drawn = Drawn(seed)
            many, space = self._at(drawn, Case({"m": m, "d": 2}))
            for i in range(m):
                each, spaces = zip(*(self._at(drawn, self.case, i, j) for j in (0, 1)), strict=True)
                if [len(forms) for forms in each[0]] != [1] * len(many):
                    raise NotApplicable("a relation of several numbers")
                for whole, *forms in zip(many, *each, strict=True):
                    parts = [form if isinstance(form, SumOver) else SumOver(Fraction(0), form) for (form,) in forms]
                    if not all(_is_sum(part, own) for part in parts):
                        continue
                    total = drawn.of(parts[0].rest, spaces[0], i)
                    total += sum(
                        drawn.of(part.each, one, i, j) for j, (part, one) in enumerate(zip(parts, spaces, strict=True))
                    )
                    if total != drawn.of(whole[min(i, len(whole) - 1)], space):
                        raise NotApplicable("the body says of two coordinates or clients something else than of each")

    def _at(
        self, drawn: Drawn, case: Case, client: int | None = None, coordinate: int | None = None
    ) -> tuple[list[list[Coefficient]], CoordinateSpace]:
        """The gaps of every relation, and what the class says of every client, where minima are those at such values."""
        world, alone = self.claim.world, client is not None
        numbers = numbers_of(self.claim, case, *(["m"] if alone else []))

        def choose(gap: Coefficient, space: ProductSpace) -> bool:
            assert isinstance(space, CoordinateSpace)
            return drawn.of(gap, space, client, coordinate) >= 0

        space = CoordinateSpace(numbers, choose, d=case.shape["d"], uncounted=alone, merged=self.merged)
        x = world.abstract(scalars_of(world, case, numbers), case.shape, space)
        said = [list(gaps_of(r)) for r in self.claim.relations(x)]
        space.close()
        of_clients = [
            [f for name, f in space.inequalities if f"[{i}]" in name.split(" ")[0]] for i in range(case.shape["m"])
        ]
        return said + [list(one) for one in zip(*of_clients, strict=True)], space

    def _same(self, asked: Sequence[tuple[object, ...]]) -> tuple[int, int] | None:
        """(A point, the earlier one that it is) by what they are in each case; None where there is no other."""
        for n, one in enumerate(asked):
            earlier = asked.index(one)
            if earlier < n and n not in self.merged:
                return n, earlier
        return None

    def _cases(self) -> Iterator[Path]:
        todo, n = [Path()], 0
        while todo:
            path = todo.pop()
            try:
                self._read(path)
                n += 1
                yield path
            except Undecided as needed:
                if len(path) == self.splits or n + len(todo) > Coordinates.cases:
                    raise Open("more comparisons than are looked at") from None
                todo += [(*path, (needed.gap, yes)) for yes in (False, True)]

    def _goals(self, path: Path, found: Read) -> Iterator[Goal]:
        return iter(self._chosen[_key(path)])

    @cached_property
    def _chosen(self) -> dict[tuple[tuple[str, bool], ...], list[Goal]]:
        """The goals of every case, each with the same multiples of what the class says in all.

        Raises
        ------
        NotApplicable
            If none do for a relation.
        """
        rlimit = self.docket.limits.rlimit // InnerProducts.part
        out: dict[tuple[tuple[str, bool], ...], list[Goal]] = {_key(path): [] for path in self.cases}
        asks = {_key(path): self.asks(path, self._read(path)) for path in self.cases}
        for k in range(len(self._read(self.cases[0]).says)):
            for times in self._multiples(k):
                goals = list[Goal]()
                for path in self.cases:
                    goal = self._goal(path, k, asks[_key(path)][k], times)
                    if goal is None or not follows(goal, rlimit):
                        break
                    goals.append(goal)
                else:
                    break
            else:
                raise NotApplicable("the same multiples of what the class says prove it in no way in every case")
            for path, goal in zip(self.cases, goals, strict=True):
                out[_key(path)].append(goal)
        return out

    def _multiples(self, k: int) -> Iterator[list[tuple[int, Coefficient]]]:
        """Those that take the values of functions away in the first case."""
        found, whole = self._found[_key(self.cases[0])]
        left, op, right = found.says[k]
        places = [n for n, (_, sign, _) in enumerate(found.known) if sign == ">=" and whole.sums[n]]
        own = parameters(self.claim.world, self.case)
        for taken in without_values(right - left, [found.known[n][2] for n in places] if op != "==" else [], own):
            yield [(places[n], times) for n, times in taken]

    def _goal(self, path: Path, k: int, asks: Sequence[Ratio], times: Sequence[tuple[int, Coefficient]]) -> Goal | None:
        """A relation in one case less such multiples; None where a value is left, or one of them is not defined."""
        found, whole = self._found[_key(path)]
        bare = replace(found, known=[])
        left, _, right = found.says[k]
        alone, gap = Goal(self, bare, path, k, asks), right - left
        taken = list[Taken]()
        for n, c in times:
            name, _, value = found.known[n]
            if not (whole.sums[n] and alone.usable(value) and alone.usable(c)):
                return None
            taken.append((name, value, c))
            gap = gap - c * value
        return None if _values_in([gap]) else Goal(self, bare, path, k, asks, taken)


def gaps_of(r: Relation) -> Iterator[Coefficient]:
    """Right less left, entry by entry."""
    both = np.broadcast_arrays(*(np.asarray(side, dtype=object).view(np.ndarray) for side in (r.lhs, r.rhs)))
    return (b - a for a, b in zip(*(side.flat for side in both), strict=True))


def _key(path: Path) -> tuple[tuple[str, bool], ...]:
    return tuple((text(gap), yes) for gap, yes in path)


def _values_in(values: Sequence[Coefficient]) -> bool:
    return any(n.startswith("v:") for n in names_in(values))


def _one(form: Coefficient) -> Coefficient:
    """What it is where there is one coordinate."""
    return form.each + form.rest if isinstance(form, SumOver) else form


def _rest(form: Coefficient) -> str:
    """What stands beside the sum, which is one for all coordinates."""
    return text(form.rest if isinstance(form, SumOver) else form)


def _said(
    relations: Sequence[tuple[Coefficient, str]],
    given: Sequence[tuple[str, str, Coefficient]],
    known: Sequence[Coefficient],
    space: ProductSpace,
) -> list[str]:
    """What a claim says of one coordinate: its relations and conditions, roots, points, and what the class says of these."""
    out = [f"{text(_one(gap))} {op}" for gap, op in relations]
    out += [f"given {text(gap)} {op}" for _, op, gap in given]
    out += [f"known {text(_one(form))}" for form in known]
    out += [f"root {text(inside)}" for inside, _ in space.numbers.roots]
    for clients in space.clients:
        (points,) = clients._points
        out += [
            f"point {[text(c) for part in (row, gradient) for c in part.view(np.ndarray)]}"
            for row, gradient, _ in points
        ]
        out += [f"value {text(_one(value))}" for *_, value in points if not isinstance(value, Form)]
    return out


def _is_sum(form: Coefficient, own: Mapping[str, Ratio]) -> bool:
    """Whether a number is a sum over coordinates, with nothing beside it but multiples of values of functions."""
    if not isinstance(form, SumOver):
        form = SumOver(Fraction(0), form)
    if "m" in names_in([form.each, form.rest]) or _values_in([form.each]):
        return False
    by = slopes(form.rest, own)
    return by is not None and not nonzero(substituted(form.rest, dict.fromkeys(by, Fraction(0))))
