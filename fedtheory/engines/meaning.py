"""What the quantities of a claim mean in its lemmas: one thing each, of the same functions, after the same step.

A quantity is a scalar or a sequence of a claim that stands for a function of instances of the lemmas' worlds. A lemma about
functions holds of all of them, so its scalars may be chosen where it is used (`at`); not so those on which a meaning depends.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ..claim import Claim
from ..errors import UnitsMismatch, UsageError
from ..instance import Instance, Later, takes_one
from ..numbers import Floats, Fractions
from ..premise import Change, Following, Inherent, Premise, every_of, quantities
from ..relation import Relation, le
from .certificate.parts import components
from .counted import Counted
from .induction import NotShown, implied
from .polynomials import Reader, Ring, Split
from .terms import Reals, on

RLIMIT = 2_000_000  # of z3, for the inclusion of one class in another


def same_functions(claim: Claim) -> Any:
    """The class of functions that a claim and its lemmas are about; None if they are about none.

    Raises
    ------
    NotShown
        If none of their classes is within all the others, at the arguments at which the lemmas are used.
    """
    own = getattr(claim.world, "f", None)
    below = [p.claim.id for p in claim.premises if own is not None and _chosen_below(p.claim)]
    if below:
        raise NotShown(
            f"{', '.join(below)} chooses constants of the functions that its lemmas are about, and names no functions"
        )
    found: list[tuple[Any, Premise | None]] = [] if own is None else [(own, None)]
    found += [(f, p) for p in claim.premises if (f := same_functions(p.claim)) is not None]
    if not found:
        return None
    chosen = any(name in getattr(f, "needs", ()) for f, p in found if p for name in p.at)
    if len({repr(f) for f, _ in found}) < 2 and not (own is not None and chosen):
        return found[0][0]
    said = "; ".join(f"{p.claim.id if p else claim.id}: {f}" for f, p in found)
    if not all(getattr(f, "by_curvature", False) for f, _ in found):
        raise NotShown(f"its lemmas are about different classes of functions ({said})")
    shape = (claim.world.shapes(1) or [{}])[0]
    x, _ = on(Counted(claim.world.index) if claim.world.index else Reals(), claim.world, shape)
    bounds = [f.bounds(_seen(x, p)) for f, p in found]
    classes = zip(found, bounds, strict=True)
    for (f, _), (low, high) in (
        classes if own is None else [next(classes)]
    ):  # functions of the claim are of its own class
        if all(_within(x, low, high, *other) for other in bounds):
            return f
    raise NotShown(f"its lemmas are about different classes of functions ({said})")


def _chosen_below(claim: Claim) -> bool:
    """Whether a theorem about numbers rests on lemmas about functions with other constants than it has by their names."""
    if getattr(claim.world, "f", None) is not None:
        return False
    return any(
        _chosen_below(p.claim) or any(name in p.at for name in getattr(same_functions(p.claim), "needs", ()))
        for p in claim.premises
    )


def _seen(x: Instance, p: Premise | None) -> Instance:
    """The scalars of a lemma, at those at which it is used for functions of x alone."""
    if p is None:
        return x
    own = {name: fn for name, fn in p.at.items() if name in p.claim.world.scalars and takes_one(fn)}
    return x.at(**{name: fn(x) for name, fn in own.items()})


def _within(x: Instance, low: Any, high: Any, lower: Any, upper: Any) -> bool:
    """Whether one range of curvature is within another."""
    if high is None and upper is not None:
        return False
    asked = [le(lower, low), *([] if upper is None else [le(high, upper)])]
    return implied(list(x.given), asked, RLIMIT) is True


def require_meaning(claim: Claim, lemmas: Sequence[Premise]) -> None:
    """What has to be so of the quantities in the lemmas of a claim.

    Raises
    ------
    NotShown
        If a quantity means one thing in one lemma and another in the next, is a formula of the claim's, is chosen, or depends
        on what is chosen; or if lemmas speak of different steps.
    """
    meant: dict[str, tuple[Any, str]] = {}
    step: tuple[Any, str] | None = None
    own = (*claim.world.scalars, *getattr(claim.world, "sequences", ()))
    for p in lemmas:
        for name, fn in meanings(p).items():
            if meant.setdefault(name, (fn, p.claim.id))[0] != fn:
                raise NotShown(f"the quantity {name} has another meaning in {p.claim.id} than in {meant[name][1]}")
            if name in getattr(claim.world, "derived", ()) and name not in own:
                raise NotShown(f"{name} is a quantity of {p.claim.id} and a formula of the claim's")
        for after in steps(p):
            step = step or (after, p.claim.id)
            if step[0] is not after:
                raise NotShown(f"{p.claim.id} speaks of another step than {step[1]}")
        for name in p.at:
            if name in quantities(p.claim):
                raise NotShown(f"at chooses {name}, a quantity of {p.claim.id}")
            if reads(claim, p, name):
                raise NotShown(f"at chooses {name}, on which the quantities of {p.claim.id} depend")


def require_still(claim: Claim) -> None:
    """What is one number for every t means the same at every t: it does not depend on the points that a step moves.

    Which points a run moves where no lemma speaks of a step is known where the theorem is used for it.

    Raises
    ------
    NotShown
        If it does.
    """
    sequences = getattr(claim.world, "sequences", {})
    lemmas = [p for p in every_of(claim.world) if isinstance(p, Premise) and p.meaning]
    points = sorted({name for p in lemmas for name in _moved_points(p)})
    for p in lemmas:
        still = [name for name in meanings(p) if name not in sequences and name in claim.world.scalars]
        for name, point in itertools.product(still, points):
            if _depends(p, name, point):
                where = f"{claim.id} ({p.claim.id})"
                raise NotShown(f"{where}: {name} is one number for every t, and depends on {point}, which moves")


def _moved_points(p: Premise) -> set[str]:
    """The points that the step of a lemma moves."""
    here = _drawn(p) if p.then and not p.to else None
    if here is None:
        return set(p.to)
    found: set[str] = set()

    def noted(y: Instance) -> Any:
        found.update(k for k, v in y._names.items() if here._names.get(k) is not v)
        return y.sq(y.w) if "w" in y._names else 0

    with suppress(UsageError, TypeError), np.errstate(all="ignore"):
        p.then(here, noted)  # type: ignore[misc]
    return found


def _depends(p: Premise, name: str, point: str) -> bool:
    """Whether a meaning reads a point."""
    here = _drawn(p)
    if here is None or point not in here._names:
        return False
    try:
        with np.errstate(all="ignore"):
            p.meaning_here[name](here.without([point]))
    except UsageError as error:
        return f"name {point!r}" in str(error)
    return False


def _drawn(p: Premise) -> Instance | None:
    """An instance of a lemma's world in floats, with the names that meanings use; None where no draw meets its conditions."""
    world = p.claim.world
    rng = np.random.default_rng(20200603)
    free = next((f for shape in world.shapes(1)[:1] for f in world.sample(rng, shape, 1, 1)), None)
    if free is None:
        return None
    x = world.build(free, Floats())
    return x.at(**{k: fn(x) for k, fn in p.names.items()})


def meanings(p: Premise) -> dict[str, Any]:
    """What the quantities mean of which a lemma speaks, by name."""
    return dict(p.meaning or quantities(p.claim))


def steps(p: Premise) -> Iterable[Any]:
    """The steps after which a lemma says what a quantity is."""
    return [*([p.then] if p.then else []), *(fn.step for fn in meanings(p).values() if isinstance(fn, Change))]


def reads(user: Claim, p: Premise, name: str) -> bool:
    """Whether a meaning depends on a scalar of the lemma: it reads it, or the world is built with it."""
    if not p.meaning:  # it is about quantities of its own lemmas, of which those have the scalar that do not choose it
        return any(name not in q.at and reads(p.claim, q, name) for q in p.claim.premises)
    world: Any = p.claim.world
    if name not in world.scalars:
        return False
    functions = getattr(world, "f", None)
    bounds = getattr(functions, "needs", ())
    of_a_method = bool(getattr(world, "own_names", False))
    if name in (getattr(world, "envelope", None), getattr(world, "diversity", None)) or (
        of_a_method and name not in bounds
    ):
        return True
    without = world.units().without([name])
    spoken, later = asked(user, p)
    try:
        here = without.at(**{k: fn(without) for k, fn in p.names.items()})
        for quantity in spoken:
            p.meaning_here[quantity](here)
        then = p.then_here
        for quantity in later if then else ():
            then(here, p.meaning[quantity])  # type: ignore[misc]
    except UsageError as error:
        return f"name {name!r}" in str(error)
    return False


def asked(user: Claim, p: Premise) -> tuple[set[str], set[str]]:
    """The quantities of which a lemma about functions speaks, and those of them that it names at t + 1."""
    x = p.claim.world.units()
    here = x.at(**{k: fn(x) for k, fn in p.names.items()})
    sequences = getattr(user.world, "sequences", ())
    spoken: set[str] = set()
    later: set[str] = set()

    class Elements:
        def __init__(self, name: str) -> None:
            self.name = name

        def __getitem__(self, t: int) -> Any:
            (later if t else spoken).add(self.name)
            return p.meaning_here[self.name](here)  # which has the unit of what follows it

    def noted(name: str) -> Any:
        spoken.add(name)
        return p.meaning_here[name](here)

    own = {n: Elements(n) if n in sequences else Later(partial(noted, n)) for n in p.meaning}
    try:
        p.says(here.at(**own), *((0,) if p in getattr(user.world, "every", ()) else ()))
    except UnitsMismatch:  # as the paper prints it; so any of them may be spoken of
        return set(p.meaning), {n for n in p.meaning if n in sequences and p.then_here}
    return spoken, later


def require_affine(where: str, names: Sequence[str], quantity: Iterable[str], relations: Sequence[Relation]) -> None:
    """Raise NotShown unless relations are affine in quantities, as what holds for expectations has to be."""
    ring, of = Ring(tuple(names)), set(quantity)
    places = [k for k, name in enumerate(ring.names) if name in of]

    def affine(a: Any, b: Any, signs: dict[str, bool]) -> bool:
        read = Reader(ring, signs)
        try:
            value = read(b) - read(a)
        except Split as needed:  # a minimum or maximum of what is no quantity may be either
            numbers = not ring.names_in(needed.poly) & of
            return numbers and all(affine(a, b, {**signs, str(needed.poly): yes}) for yes in (True, False))
        degrees = [sum(int(powers[k]) for k in places) for powers in value.num.monoms()]
        below = [sum(int(powers[k]) for k in places) for powers in value.den.monoms()]
        return max(degrees, default=0) <= 1 and not any(below)

    if not all(affine(a, b, {}) for a, _, b, _ in components(relations)):
        raise NotShown(f"{where}: what it says of its quantities is not affine, so it says nothing of expectations")


def inherited(claim: Claim, condition: Inherent) -> bool:
    """Whether a condition is about quantities of a claim alone, so that whoever uses the claim takes it over."""
    one = np.array([Fraction(1)], dtype=object)
    try:
        condition.relation(Instance(Fractions(), dict.fromkeys(quantities(claim), one)))
    except UsageError:
        return False
    return True


def taken_over(claim: Claim) -> list[str]:
    """What is stated of quantities, and not proved, in a claim and in all of its lemmas."""
    own = [c.printed for c in claim.world.given if isinstance(c, Inherent)]
    return list(dict.fromkeys([*own, *(text for p in claim.premises for text in taken_over(p.claim))]))


def moved(user: Claim, p: Premise) -> list[tuple[Any, Any]]:
    """The quantities, with the step, whose value at t + 1 a lemma for every t speaks of."""
    following = [(fn.of, fn.step) for fn in meanings(p).values() if isinstance(fn, Following)]
    return [*following, *((p.meaning[name], p.then) for name in sorted(asked(user, p)[1]))] if p.then else following
