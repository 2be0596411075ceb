"""Claims that read coordinates: proved as claims about numbers, in each of few dimensions.

Every coordinate is an unknown number (`gram.coordinates`); comparisons, as of Top-k and of signs, are cases. What is a sum over
coordinates is so in every dimension where it is in one.

Rests on `certificates.products` and on the elimination of quantifiers, as `prove.inner_products`. Incomplete: of what is no such
sum the dimensions that are looked at are all that is certified, and the number of cases is bounded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.coordinates import CoordinateSpace, SumOver, names_of
from ...gram.products import ProductSpace, Undecided, names_in
from ...gram.ratio import Coefficient, Ratio, nonzero, symbols, text
from ...relation import Relation
from ...verdict import Evidence
from ...world import World
from ..budget import Coordinates
from ..certificates.cases import Case, cases_of, parameters, scalars_of
from ..certificates.parts import Open, Part
from ..context import Docket
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

    Where coordinates are not counted a body can combine them one by one, sum over them, and take multiples of sums
    (`gram.coordinates.SumOver`); the number of coordinates is the sum of ones. So a relation is such a sum where nothing stands
    beside it. Conditions at points need not hold of each coordinate, and clients may be counted.
    """
    world = claim.world
    if world.parts().clients_at or world.at_points:
        return False
    try:
        return all(_is_sum(gap) for gap in _gaps_of_one(claim))
    except (NotApplicable, ZeroDivisionError):
        return False


def _is_sum(gap: Coefficient) -> bool:
    if not isinstance(gap, SumOver):
        return False
    return not nonzero(gap.rest) and "m" not in names_in([gap.each])


def _gaps_of_one(claim: Claim) -> Iterator[Coefficient]:
    """Right less left of every relation, in every case of the minima at one coordinate."""
    world = claim.world
    case = Case({**{name: min(values) for name, values in world.sizes.items()}, "m": 1, "d": 1})
    numbers = symbols(("m", *names_of(parameters(world, case), _vectors(world, 1), 1)))
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
        if x._draws or "m" in names_in([inside for inside, _ in space.numbers.roots]):
            raise NotApplicable("the number of clients")
        for r in relations:
            yield from _gaps(r)


def _gaps(r: Relation) -> Iterator[Coefficient]:
    both = np.broadcast_arrays(*(np.asarray(side, dtype=object).view(np.ndarray) for side in (r.lhs, r.rhs)))
    return (b - a for a, b in zip(*(side.flat for side in both), strict=True))
