"""Claims that read coordinates: proved as claims about numbers, in each of few dimensions.

Every coordinate is an unknown number (`gram.coordinates`); comparisons, as of Top-k and of signs, are cases. What is a sum over
coordinates is so in every dimension where it is in one. Where values of functions stand beside such a sum, multiples of what the
class says take them away, which is one of values and of such a sum itself.

Rests on `certificates.products` and on the elimination of quantifiers, as `prove.inner_products`. Incomplete: of what is no such
sum the dimensions that are looked at are all that is certified, and the number of cases is bounded.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.coordinates import CoordinateSpace
from ...gram.ratio import text
from ...verdict import Evidence
from ...world import World
from ..budget import Coordinates, InnerProducts
from ..certificates.cases import Case, parameters
from ..certificates.parts import Open, Part
from ..context import Docket
from .in_numbers import Read
from .inner_products import Asked, Goal, Path, Taken, follows
from .sums import numbers_of, of_one
from .without_values import without_values

NAME = "coordinates"


def coordinates(claim: Claim, docket: Docket) -> Evidence:
    """Seek a proof of a claim whose world has axes; of what is no sum over coordinates it certifies the dimensions looked at."""
    world = claim.world
    if not world.axes:
        return Evidence(NAME, "silent")
    try:
        if (said := _of_every(claim, docket)) is not None:
            return said
        return _of_few(claim, docket)
    except (NotApplicable, IndexError) as error:
        return Evidence(NAME, "declines", reason=str(error))
    except ZeroDivisionError:
        return Evidence(NAME, "declines", reason="a side is undefined for all parameters")


UNDEFINED = "a side is undefined wherever the conditions hold"


def _of_every(claim: Claim, docket: Docket) -> Evidence | None:
    """What is said of every dimension; None where the claim is no sum over coordinates."""
    try:
        asked = of_one(claim, docket)
        if not asked.cases:
            return None
    except (NotApplicable, Open, IndexError, ZeroDivisionError):
        return None
    if not _proved(asked):
        return Evidence(NAME, "declines", reason="no proof was found")
    if not asked.met:
        return Evidence(NAME, "declines", ["all"], reason=UNDEFINED)
    part = asked.certificate() if docket.certificates else None
    return Evidence(NAME, "proves", "all", {}, certificate=[{"where": "all", **part}] if part else None)


def _of_few(claim: Claim, docket: Docket) -> Evidence:
    """A proof of each of the dimensions that are looked at."""
    shapes = list(_shapes(claim.world))
    if not shapes:
        return Evidence(NAME, "declines", reason="no dimension or number of clients is small enough")
    parts: dict[str, Part | None] = {}
    for shape in shapes:
        case, space_of = Case(shape), partial(CoordinateSpace, d=shape["d"])
        asked = WithValues(claim, case, docket, numbers_of(claim, case), space_of, Coordinates.splits)
        name = " and ".join(f"{k}={n}" for k, n in shape.items())
        if not _proved(asked):
            continue
        if not asked.met:
            return Evidence(NAME, "declines", [name], reason=UNDEFINED)
        parts[name] = asked.certificate() if docket.certificates else None
    if not parts:
        return Evidence(NAME, "declines", reason="no proof was found")
    where = [{"parameters": "all", "sizes": name} for name in parts]
    certificate = [{"where": at, **part} for at, part in zip(where, parts.values(), strict=True) if part]
    complete = len(certificate) == len(parts)
    return Evidence(NAME, "certifies", where, {}, certificate=certificate if complete else None)


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
        shape = dict(zip(sizes, values, strict=True))
        yield from ({**shape, **chosen} for chosen in world.to_choose(shape))


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
                self._goal[key] = chosen or (Goal(self, found, path, k, asks) if found.known else alone)
            yield self._goal[key]

    @cached_property
    def _goal(self) -> dict[tuple[object, ...], Goal]:
        """What was chosen, by the signs of minima and the place of the relation."""
        return {}

    def _taken(self, alone: Goal, found: Read, k: int) -> Iterator[list[Taken]]:
        left, op, right = found.says[k]
        own = parameters(self.claim.world, self.case)
        known = [(name, value) for name, sign, value in found.known if sign == ">=" and alone.usable(value)]
        for taken in without_values(right - left, [value for _, value in known], own) if known and op != "==" else ():
            if all(alone.usable(times) for _, times in taken):
                yield [(*known[n], times) for n, times in taken]
