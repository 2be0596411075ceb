"""A claim read as relations between numbers: inner products, values and roots; and whether it speaks of each client by itself.

What is said is compared in words that depend on no order: gradients and values are named by their points, roots by what is under
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.products import Choose, Point, ProductSpace, Undecided, names_in, names_of, number
from ...gram.ratio import Coefficient, Ratio, symbols
from ...quantity import Values
from ...relation import Relation
from ..budget import Products
from ..certificates.cases import Case, parameters, scalars_of

OPS = {"<=": ">=", "<": ">", "==": "=="}
Sides = tuple[Coefficient, str, Coefficient]  # left, operator, right
Spaces = Callable[..., ProductSpace]  # of numbers, what chooses among them, and a scale
Known = tuple[str, str, Coefficient]  # where it comes from, operator, what is compared with 0


@dataclass(frozen=True)
class Read:
    """A claim in numbers: its relations, what is known of them, and the space in which it was read."""

    says: list[Sides]
    given: list[Known]  # ranges and conditions
    known: list[Known]  # what the class says at the points that were looked at
    space: ProductSpace


def read(
    claim: Claim,
    case: Case,
    given: Values,
    numbers: Mapping[str, Ratio],
    choose: Choose,
    scale: int = 1,
    *,
    uncounted: bool = False,
    space_of: Spaces = ProductSpace,
) -> Read:
    """The claim on one structure; where clients are `uncounted` it declines if the body asks how many they are.

    Raises
    ------
    Undecided
        Where a minimum may be either.
    NotApplicable
        If it is none of products, quotients and roots of numbers.
    """
    space = space_of(numbers, choose, scale, uncounted=uncounted)
    x = claim.world.abstract(scalars_of(claim.world, case, given), case.shape, space)
    if uncounted and x._draws:
        raise NotApplicable("draws of clients that are counted")
    space.named = len(space.leaves), len(space.values)
    says = list(sides_of(claim.relations(x)))
    space.close()
    stated = (*claim.world.scope(scalars_of(claim.world, case, given), case.shape, space.numbers).given, *x.given)
    conditions = [(r.name or "stated", OPS[r.op], b - a) for r in stated for a, _, b in sides_of([r])]
    known = [(name, ">=", number(form)) for name, form in space.inequalities if not name.startswith("given ")]
    known += [(name, "==", number(form)) for name, form in space.equalities]
    return Read(says, conditions, known, space)


def sides_of(relations: Iterable[Relation]) -> Iterator[Sides]:
    for r in relations:
        both = np.broadcast_arrays(*(np.asarray(side, dtype=object).view(np.ndarray) for side in (r.lhs, r.rhs)))
        for a, b in zip(*(side.flat for side in both), strict=True):
            yield number(a), r.op, number(b)


def symbols_of(claim: Claim, case: Case) -> dict[str, Ratio]:
    """Every number that there may be, by name; the number of clients among them where it is a symbol."""
    return symbols(names_of(parameters(claim.world, case)))


def is_of_one_client(claim: Claim, case: Case) -> bool:
    """Whether of m clients every one is spoken of by itself, as one alone is: looked at with two and three of them.

    Then what is proved of one client is so for every m: all that its proof rests on is known of each of them. A body that
    counts clients, sums over them or picks one of them is refused there; what is left acts on each entry alone.
    """
    try:
        return _of_each(claim, case, {})
    except (NotApplicable, ZeroDivisionError, KeyError):
        return False


def _of_each(claim: Claim, case: Case, signs: Mapping[Coefficient, bool]) -> bool:
    """The same where gaps of minima, in the words of any client, have these signs, and in every case beyond."""
    try:
        alone = _by_client(claim, case, 1, signs)[0]
    except Undecided as needed:
        if len(signs) == Products.splits:
            return False
        return all(_of_each(claim, case, {**signs, needed.gap: yes}) for yes in (True, False))
    return all(
        says == alone[0] and alone[1] <= known for m in (2, 3) for says, known in _by_client(claim, case, m, signs)
    )


def _by_client(
    claim: Claim, case: Case, m: int, signs: Mapping[Coefficient, bool]
) -> list[tuple[list[Coefficient], frozenset[Coefficient]]]:
    """Of every client what the claim says of it and what is known of it, both in words that are the same for each."""

    def choose(gap: Coefficient, space: ProductSpace) -> bool:
        if not isinstance(gap, Ratio):
            return bool(gap >= 0)
        said = next((said for i in range(m) if (said := Words(space, i).of(gap)) is not None), None)
        if said is None:
            raise NotApplicable("a minimum over several clients")
        if said not in signs:
            raise Undecided(said)
        return signs[said]

    case = Case({**case.shape, "m": m}, ("m",))
    found = read(claim, case, numbers := symbols_of(claim, case), numbers, choose, uncounted=True)
    gaps = (gap for gap, _ in found.space.numbers.gaps)
    sides = (side for a, _, b in found.says for side in (a, b))
    under = (inside for inside, _ in found.space.numbers.roots)
    if "m" in names_in([*sides, *gaps, *under, *(p for _, _, p in (*found.given, *found.known))]):
        raise NotApplicable("the number of clients")
    each = [Words(found.space, i) for i in range(m)]
    says: list[list[Coefficient]] = [[(w.of(a), op, w.of(b)) for w in each] for a, op, b in found.says]
    if not all(any(None not in said for said in one) for one in says):
        raise NotApplicable("a relation of several clients")
    out = []
    for i, words in enumerate(each):
        own: list[Coefficient] = [one[i] for one in says if None not in one[i]]
        out.append((own, frozenset((op, words.of(p)) for _, op, p in (*found.given, *found.known))))
    return out


class Words:
    """Numbers in words that do not depend on their order: gradients and values by their points, roots by what is under them.

    Of one client `i`, it is named as any one; None for what speaks of another client.
    """

    def __init__(self, space: ProductSpace, i: int | None = None) -> None:
        self.space, self.own = space, None if i is None else f"[{i}]"
        self.points: dict[int | str, Point] = {}
        self._said: dict[Coefficient, Coefficient] = {}

    def of(self, value: Coefficient) -> Coefficient:
        if not isinstance(value, Ratio):
            return Fraction(value)
        top, bottom = self._terms(value.top), self._terms(value.bottom)
        if top is None or bottom is None:
            return None
        lead = bottom[min(bottom, key=repr)]
        return tuple(frozenset((k, c / lead) for k, c in terms.items()) for terms in (top, bottom))

    def _terms(self, p: Coefficient) -> dict[Coefficient, Coefficient] | None:
        names = p.context().names()
        out = {}
        for powers, c in p.terms():
            said = [(self._name(n), int(e)) for n, e in zip(names, powers, strict=True) if e]
            if any(n is None for n, _ in said):
                return None
            out[frozenset(said)] = c
        return out

    def _name(self, name: str) -> Coefficient:
        kind, *places = name.split(":")
        if not places:
            return self._any(name)
        if kind == "root":
            inside = self.of(self.space.numbers.roots[int(places[0])][0])
            return inside and ("root", inside)
        if kind == "g":
            place, which = self.space.place_of(name)
            own = self._unknown(place, self.space.leaves[place])
            return own and ("g", own, which)
        if kind == "G":
            both = [self._unknown(int(k), self.space.leaves[int(k)]) for k in places]
            return None if None in both else ("G", frozenset(both), both[0] == both[1])
        return self._unknown(name, self.space.values[int(places[0])])

    def _unknown(self, place: int | str, name: str) -> Coefficient:
        """An unknown vector by its place, or number by its name among all; in itself it is just that.

        Raises
        ------
        NotApplicable
            If it has a name that depends on what the body asked for before.
        """
        if place not in self.points:  # or it was asked for since
            self.points = {name: p for p in self.space.points() for name in (p.leaf, p.value) if name is not None}
        if place not in self.points:
            number = place if isinstance(place, int) else int(place.split(":")[1])
            if number >= self.space.named[isinstance(place, str)]:
                raise NotApplicable("an unknown vector or number that is neither gradient nor value at a point")
            return self._any(name)
        if place not in self._said:
            self._said[place] = ("itself",)
            self._said[place] = self._at(self.points[place], name[0])
        return self._said[place]

    def _at(self, point: Point, kind: str) -> Coefficient:
        at, of = point.said(self.of, lambda k: self._unknown(k, self.space.leaves[k])), self._any(point.of)
        return None if of is None or None in at else (kind, of, frozenset(at))

    def _any(self, name: str) -> str | None:
        if self.own is None or not name.endswith("]"):
            return name
        return f"{name.removesuffix(self.own)}[]" if name.endswith(self.own) else None


def in_words(found: Read) -> list[Coefficient]:
    words = Words(found.space)
    return [(words.of(a), op, words.of(b)) for a, op, b in found.says]
