"""Claims that read coordinates: proved as claims about numbers, in each of few dimensions.

Every coordinate is an unknown number (`gram.coordinates`); comparisons, as of Top-k and of signs, are cases. What is a sum over
coordinates is so in every dimension where it is in one.

Rests on `certificates.products` and on the elimination of quantifiers, as `prove.inner_products`. Incomplete: of what is no such
sum the dimensions that are looked at are all that is certified, and the number of cases is bounded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.coordinates import CoordinateSpace, coordinates_of, names_of
from ...gram.products import ProductSpace, Undecided, names_in, substituted
from ...gram.ratio import Coefficient, Ratio, exact_key, symbols
from ...verdict import Evidence
from ...world import World
from ..budget import Coordinates
from ..certificates.cases import Case, cases_of, parameters
from ..certificates.parts import Open, Part
from ..context import Docket
from .in_numbers import Read, Words, read
from .inner_products import Asked

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
            asked = _asked(claim, Case(shape), docket)
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
    most = {"m": Coordinates.m if world.parts().clients_at else 1, "d": Coordinates.d}
    sizes = {name: [n for n in values if n <= most.get(name, n)] for name, values in world.sizes.items()}
    for values in itertools.product(*sizes.values()):
        yield dict(zip(sizes, values, strict=True))


def _vectors(world: World, m: int) -> list[str]:
    """The vectors of an instance, by the names that a space gives them."""
    own = world.parts()
    return [*own.at, *(f"{name}[{i}]" for name in own.clients_at for i in range(m))]


def _numbers(claim: Claim, case: Case) -> dict[str, Ratio]:
    vectors = _vectors(claim.world, case.shape.get("m", 1))
    return symbols(names_of(parameters(claim.world, case), vectors, case.shape["d"]))


def _asked(claim: Claim, case: Case, docket: Docket) -> Asked:
    return Asked(
        claim, case, docket, _numbers(claim, case), partial(CoordinateSpace, d=case.shape["d"]), Coordinates.splits
    )


# sums over coordinates


def is_sum(claim: Claim) -> bool:
    """Whether every relation is, in any dimension, the sum over the coordinates of what it says of one of them.

    It is looked at in two dimensions, in every case of every minimum, each of which has to be of one coordinate, and in three
    with the same case at each.
    A body that counts coordinates or clients, or says something of several by itself, is none; and conditions at points are
    none, as they need not hold of each coordinate.
    """
    world = claim.world
    if world.parts().clients_at or world.at_points:
        return False
    try:
        one = list(itertools.islice(_read_by_coordinate(claim, 1), Coordinates.cases + 1))
        alone = {choices[1]: found for choices, found in one}
        if len(one) > Coordinates.cases:
            return False
        pairs = all(_adds_up(alone, *case, 2) for case in _read_by_coordinate(claim, 2))
        return pairs and all(_adds_up(alone, *case, 3) for case in _read_by_coordinate(claim, 3, alike=True))
    except (NotApplicable, ZeroDivisionError, KeyError, StopIteration):
        return False


Choices = frozenset[tuple[Coefficient, bool]]  # gaps at one coordinate, and whether each is at least 0
Signs = Mapping[tuple[int, Coefficient], bool]  # by the coordinate of a gap, 0 of none, and the gap in words


def _read_by_coordinate(claim: Claim, d: int, *, alike: bool = False) -> Iterator[tuple[dict[int, Choices], Read]]:
    """The claim in every case of its minima, by the choices at each coordinate; or where they are `alike` at all."""
    case = Case({**{name: min(values) for name, values in claim.world.sizes.items()}, "m": 1, "d": d})
    vectors = _vectors(claim.world, 1)
    numbers = symbols(("m", "d", *names_of(parameters(claim.world, case), vectors, Coordinates.d)))
    todo: list[Signs] = [{}]
    while todo:
        signs = todo.pop()
        try:
            found = read(
                claim,
                case,
                numbers,
                numbers,
                partial(_chosen, signs),
                uncounted=True,
                space_of=partial(CoordinateSpace, d=d),
            )
        except Undecided as needed:
            at, gap = needed.gap
            places = range(1, d + 1) if alike and at else (at,)
            todo += [{**signs, **dict.fromkeys(((j, gap) for j in places), yes)} for yes in (True, False)]
            continue
        sides = [side for a, _, b in found.says for side in (a, b)]
        compared = [*(gap for gap, _ in found.space.numbers.gaps), *(r for r, _ in found.space.numbers.roots)]
        if "m" in names_in([*sides, *compared]) or "d" in names_in(compared):
            raise NotApplicable("the number of clients, or of coordinates under a root or in a comparison")
        yield {j: frozenset((w, yes) for (at, w), yes in signs.items() if at in (0, j)) for j in range(1, d + 1)}, found


def _chosen(signs: Signs, gap: Coefficient, space: ProductSpace) -> bool:
    if not isinstance(gap, Ratio):
        return bool(gap >= 0)
    for j in range(Coordinates.d + 1):  # of no coordinate first
        said, turned = (OfCoordinate(space, j).of(g) for g in (gap, -gap))
        if said is not None:
            if (j, said) in signs:
                return signs[j, said]
            if signs.get((j, turned)) is False:  # it is above 0
                return True
            raise Undecided((j, said))
    raise NotApplicable("a comparison of several coordinates")


class OfCoordinate(Words):
    """Words of one coordinate, which is named as any; None for what speaks of another."""

    def __init__(self, space: ProductSpace, j: int) -> None:
        super().__init__(space)
        self.j = j

    def _coordinate(self, name: str) -> Coefficient:
        vector, _, place = self.coordinates[name]
        return (vector, "") if place == str(self.j) else None


def _adds_up(alone: Mapping[Choices, Read], choices: Mapping[int, Choices], found: Read, d: int) -> bool:
    """Whether right less left is the sum of what one coordinate says by itself, at the choices of each."""
    own = [next(one for asked, one in alone.items() if asked <= choices[j]) for j in range(1, d + 1)]
    each = [_moved(one, found, j) for j, one in enumerate(own, 1)]
    gaps = [(op, b - a) for a, op, b in found.says]
    return all([op for op, _ in one] == [op for op, _ in gaps] for one in each) and all(
        exact_key(_at_d(gap, d)) == exact_key(sum((_at_d(one[k][1], 1) for one in each), start=Fraction(0)))
        for k, (_, gap) in enumerate(gaps)
    )


def _at_d(gap: Coefficient, d: int) -> Coefficient:
    """With a number in place of that of coordinates, of which it has to be affine.

    Raises
    ------
    NotApplicable
        If it is not.
    """
    if isinstance(gap, Ratio):
        place = gap.top.context().names().index("d")
        if gap.bottom.degrees()[place] or gap.top.degrees()[place] > 1:
            raise NotApplicable("more than a multiple of the number of coordinates")
    return substituted(gap, {"d": Fraction(d)})


def _moved(alone: Read, found: Read, j: int) -> list[tuple[str, Coefficient]]:
    """Operators, and right less left sides, of one coordinate as of coordinate j, with the roots that are there.

    Raises
    ------
    KeyError
        If a root is not there.
    """
    numbers = found.space.numbers.numbers
    by: dict[str, Coefficient] = {
        mine: numbers[theirs]
        for mine, theirs in zip(
            coordinates_of(alone.space.leaves, 1), (f"{name}_{j}" for name in alone.space.leaves), strict=True
        )
    }
    there = {exact_key(inside): numbers[f"root:{k}"] for k, (inside, _) in enumerate(found.space.numbers.roots)}
    roots: dict[str, Coefficient] = {}
    for k, (inside, _) in enumerate(alone.space.numbers.roots):
        roots[f"root:{k}"] = there[exact_key(substituted(inside, by | roots))]
    return [(op, substituted(b - a, by | roots)) for a, op, b in alone.says]
