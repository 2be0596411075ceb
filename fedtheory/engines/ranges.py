"""The ranges of the quantities of a claim: shown by what they mean, or by facts that are stated of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from ..claim import Claim
from ..errors import NotApplicable, UsageError
from ..instance import Instance
from ..premise import Following, Premise, every_of
from ..relation import Relation, as_relations
from ..world import Scalar
from .certificate.parts import Part
from .counted import Counted
from .docket import Docket
from .induction import NotShown
from .links import ANY_TIME, decided, follow
from .meaning import meanings
from .terms import Index, Reals, names_of, on


def same_range(one: Scalar | None, other: Scalar) -> bool:
    return one is not None and (one.low, one.high, one.closed) == (other.low, other.high, other.closed)


def _ranges(world: Any) -> dict[str, Scalar]:
    """The range of every scalar, and of the elements of every sequence."""
    listed = getattr(world, "listed", ())
    scalars = {name: spec for name, spec in world.scalars.items() if name not in listed}
    return {**scalars, **getattr(world, "sequences", {})}


def in_ranges(claim: Claim, lemmas: Sequence[Premise], docket: Docket) -> list[Part | None]:
    """The parts of a certificate that quantities are in their ranges, by what they mean and by what is stated of them.

    Raises
    ------
    NotShown
        If that is not shown.
    """
    parts: list[Part | None] = []
    spoken = {name for p in lemmas for name in meanings(p) if name not in p.at}
    ranges = _ranges(claim.world)
    open_ = [name for name in ranges if name in spoken and not _shown(claim, name, ranges[name], docket, parts)]
    means = {name: fn for p in lemmas for name, fn in meanings(p).items()}
    shown = [(means[name], ranges[name]) for name in ranges if name in spoken and name not in open_]

    def follows(name: str) -> bool:
        """Whether it is what follows a quantity that is in the same range at every state."""
        fn = means[name]
        return isinstance(fn, Following) and any(fn.of is of and same_range(spec, ranges[name]) for of, spec in shown)

    open_ = [name for name in open_ if not follows(name)]
    if not open_:
        return parts
    world = dataclasses.replace(claim.world, given=())  # type: ignore[type-var]
    numbers: Reals = Counted(world.index, getattr(world, "first", 0)) if world.index else Reals()
    x, symbols = on(numbers, world, (world.shapes(1) or [{}])[0])
    some = Index(numbers, ANY_TIME)  # type: ignore[arg-type]

    def within(name: str) -> list[Relation]:
        value = getattr(x, name)
        return ranges[name].relations(name, value[some] if name in getattr(world, "sequences", ()) else value)

    known = [r for name in ranges if name not in open_ for r in within(name)]
    known += [r for c in claim.world.given if not isinstance(c, Premise) for r in c.relations(x)]
    known += [
        r for c in every_of(world) if not isinstance(c, Premise) for r in as_relations(c.relation(x, some), c.printed)
    ]
    needed = [r for name in open_ for r in within(name)]
    counted = [numbers.index, ANY_TIME, *numbers.symbols()] if isinstance(numbers, Counted) else []
    names = [*names_of(world, symbols), *counted]
    return [*parts, follow(f"{claim.id} ranges", list(dict.fromkeys(names)), known, needed, docket)]


def _shown(claim: Claim, name: str, spec: Scalar, docket: Docket, parts: list[Part | None]) -> bool:
    """Whether a quantity is in a range by its meaning in a lemma of the claim, or as a lemma has it."""
    for p in sorted(claim.premises, key=lambda p: bool(p.meaning)):  # what needs no proof first
        if name not in meanings(p) or name in p.at:
            continue
        if not p.meaning:  # its own verdict says that they are in its ranges
            if same_range(_ranges(p.claim.world).get(name), spec):
                return True
        elif _meant_in_range(claim, p, name, spec, docket, parts):
            return True
    return False


def _meant_in_range(
    claim: Claim, p: Premise, name: str, spec: Scalar, docket: Docket, parts: list[Part | None]
) -> bool:
    """Whether it is shown in the lemma's world, where it may mean nothing."""
    where, world = f"{claim.id} ({p.claim.id}) {name} in range", p.claim.world

    def body(x: Instance) -> tuple[Relation, ...]:
        here = x.at(**{key: fn(x) for key, fn in p.names.items()})
        return tuple(spec.relations(name, p.meaning_here[name](here)))

    x, symbols = on(Reals(), world, (world.shapes(1) or [{}])[0])
    try:
        needed = list(body(x))
    except (UsageError, NotApplicable):  # it means more than scalars
        try:
            return decided(where, world, body, docket, parts).outcome in ("proves", "certifies")
        except UsageError:
            return False
    try:
        parts.append(follow(where, list(names_of(world, symbols)), x.given, needed, docket))
    except NotShown:
        return False
    return True
