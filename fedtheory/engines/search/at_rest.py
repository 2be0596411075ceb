"""Refutations of limits: a state at which the method stays for ever, at which what is said of the limit is false.

At such a state every quantity is one number. That the step leaves every point where it is, that the state is a start, and that
every stated condition holds there at every t, is checked in exact numbers, and again by every replay.

Rests on this: a run that never moves is a run, and of constants every limit is known. Incomplete: a limit may be false of
moving runs alone.
"""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..._arrays import as_floats
from ...claim import Claim
from ...errors import NotApplicable, UsageError
from ...instance import Instance
from ...limits import at_rest, limits_of
from ...numbers import Floats
from ...relation import Condition, Relation, as_relations, eq, le, says_nothing
from ...theorem import Printed, Terms
from ...verdict import Evidence
from ...world import Free
from ..budget import AtRest
from ..context import Docket
from ..prove.feasible import exhibit
from .proposing import Proposals, judged

if TYPE_CHECKING:
    from ...quantity import Named, Quantity

VALUES = np.array([0.0, 0.0, 1.0, -1.0])
NEAR = 1e-9


def rest(claim: Claim, docket: Docket) -> Evidence:
    """Look for a state at which the method stays and a limit is false."""
    world = claim.world
    if not hasattr(world, "one_step"):
        return Evidence("rest", "silent")
    try:
        staying = at_a_fixed_state(claim)
        return judged("rest", staying, _near(staying, docket))
    except NotApplicable as error:
        return Evidence("rest", "declines", reason=str(error))


def shown_to_be_met(claim: Claim, docket: Docket) -> Evidence:
    """As `feasible.exhibit`: a run that meets the conditions, or a proof would be about nothing."""
    return exhibit(dataclasses.replace(claim, body=says_nothing, by=(), control=None), docket)


def replayed(claim: Claim) -> Claim:
    """What a witness of a claim is an instance of: the claim, or where it says limits, what these say where nothing moves."""
    return at_a_fixed_state(claim) if claim.limits else claim


def at_a_fixed_state(claim: Claim) -> Claim:
    """The claim about one state at which the run stays: what its limits say there.

    Raises
    ------
    NotApplicable
        If the state of the run is more than its points.
    """
    run: Any = claim.world
    if not hasattr(run, "one_step"):
        raise NotApplicable("a limit of numbers has no state at which a method stays")
    if run.means or run.within:
        raise NotApplicable("the state of a run with means or with runs within its steps is more than its points")
    if any(isinstance(one, Printed) for one in claim.by) and run.selection:
        raise NotApplicable("whether what is stated of a whole run holds where nothing moves is not known")
    world = run.one_step
    given = [
        *(c for c in world.given if c not in run.obeys),
        *run.obeys,
        _at_points(run, "the step leaves every point where it is", "", partial(_stays, run)),
        *(_at_points(run, f"the state is a start: {name}", "", partial(_begins, run, name)) for name in run.start),
    ]
    given += [
        _at_points(run, c.printed, c.where, partial(_for_ever, run, c, False))
        for c in run.given
        if c not in world.given
    ]
    given += [_at_points(run, c.printed, c.where, partial(_for_ever, run, c, True)) for c in run.every]
    own = dataclasses.replace(world, given=tuple(given))
    return Claim(claim.id, partial(_says, claim), own)


def _at_points(run: Any, printed: str, where: str, relation: Any) -> Condition:
    """A condition that is one at points, whatever else it reads."""
    point = (*run.at, *run.clients_at)[0]

    def of(x: Named) -> Any:
        return relation(x) if isinstance(x, Instance) else le(0, getattr(x, point))

    return Condition(printed, where, of)


def _stays(run: Any, x: Instance) -> tuple[Relation, ...]:
    out = []
    for draw in x._draws if run.random else (None,):
        after = run.moved(x, draw, {})
        out += [eq(x.sq(after._names[name] - x._names[name]), 0, f"{name} stays") for name in run.step]
    return tuple(out) or (le(0, 0),)


def _begins(run: Any, name: str, x: Instance) -> Relation:
    return eq(x.sq(run.begun(x)._names[name] - x._names[name]), 0)


def _for_ever(run: Any, c: Condition, at_t: bool, x: Instance) -> tuple[Relation, ...]:
    """A condition at every t, or at every length, where every quantity is one number."""
    y, t = _still(run, x), AnyTime()
    return as_relations(c.relation(y, t) if at_t else c.relation(y.at(**{run.index: t})), c.printed)


def _still(run: Any, x: Instance) -> Instance:
    """The instance of a run in which every quantity is for ever what it is at this state."""
    values = {name: run.quantity(name, x) for name in run.quantities}
    moving = {k: Terms(partial(_always, v)) for k, v in values.items() if k not in run.constant}
    hidden = {*run.at, *run.clients_at, "f", "F", "w_star", "next", *run.chosen}
    return x.without(hidden).at(**{**values, **moving})


def _always(value: object, t: object) -> Any:
    return value


class AnyTime:
    """An index of which nothing but elements is read: what is so at one is so at all."""

    def __add__(self, other: Quantity) -> AnyTime:
        return self

    __radd__ = __sub__ = __add__

    def _read(self, *_: object) -> NoReturn:
        raise NotApplicable("a condition reads the time, so that it may change where nothing moves")

    __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __rsub__ = __neg__ = _read
    __index__ = __iter__ = __bool__ = __lt__ = __le__ = __gt__ = __ge__ = _read


def _says(claim: Claim, x: Instance) -> tuple[Relation, ...]:
    run: Any = claim.world
    y = _still(run, x)
    y = y.at(**{run.index: y._numbers.count(1)})
    found = limits_of(claim.body(y))
    if not found:
        raise UsageError(f"claim {claim.id}: a body returns limits alone, or relations alone")
    return tuple(r for k, one in enumerate(found) for r in at_rest(one, y, run.index, claim.body, k))


# the search


def _near(staying: Claim, docket: Docket) -> Proposals:
    world: Any = staying.world
    bare = dataclasses.replace(world, given=tuple(c for c in world.given if c not in world.at_points))
    rng = np.random.default_rng(np.random.SeedSequence([docket.seed, 17]))
    effort = docket.limits.of(AtRest)
    left = effort.replayed
    shapes = [s for s in world.shapes(AtRest.size) if s.get("d", 1) <= AtRest.size]
    for shape in sorted(shapes, key=lambda s: sum(s.values())):
        try:
            cells = bare.sample(rng, shape, effort.cells, effort.rows)
            for free in map(partial(_simple, rng, world), cells):
                for index in _staying(staying, free):
                    yield world.pick(free, index)
                    left -= 1
                    if not left:
                        return
        except NotApplicable:  # no draw of the scalars at this size
            continue


def _simple(rng: np.random.Generator, world: Any, free: Free) -> Free:
    """A batch with its points among few small numbers, many of them the same, and every second one with plain functions."""
    vectors = dict(free.vectors)
    names = [k for k in (*world.at, *world.clients_at) if k in vectors]
    rows = len(next(iter(vectors.values())))
    common = rng.choice(VALUES, (rows, 1, 1))
    for k in names:
        own = rng.choice(VALUES, vectors[k].shape)
        same = rng.random((rows, 1, 1)) < 0.7
        vectors[k] = np.where(same, np.broadcast_to(common, own.shape), own)
    for k in ("slope", "center", "offset", "kinked"):
        if k in vectors and not any(np.issubdtype(vectors[k].dtype, kind) for kind in (np.bool_,)):
            plain = (rng.random((rows, *(1,) * (vectors[k].ndim - 1))) < 0.7) & np.ones_like(vectors[k], dtype=bool)
            vectors[k] = np.where(plain, 0 * vectors[k], vectors[k])
    return free.replace(vectors=vectors)


def _staying(staying: Claim, free: Free) -> list[int]:
    """The states of a batch that stay, in floats, and at which some limit is false."""
    world: Any = staying.world
    with np.errstate(all="ignore"):
        x = world.build(free, Floats())
        rows = len(next(iter(free.vectors.values())))
        good = np.ones(rows, dtype=bool)
        for c in world.at_points:
            for r in c.relations(x):
                good &= ~_fails(r, rows, NEAR)
        for r in x.given:
            good &= ~_fails(r, rows, NEAR)
        wrong = np.zeros(rows, dtype=bool)
        for r in staying.body(x):  # type: ignore[union-attr]
            wrong |= _fails(r, rows, -NEAR)
    return [int(k) for k in np.flatnonzero(good & wrong)]


def _fails(r: Relation, rows: int, slack: float) -> np.ndarray:
    """Where a relation fails by more than so much of its sides."""
    lhs, rhs = np.broadcast_arrays(*(as_floats(side) for side in (r.lhs, r.rhs)))
    size = np.maximum(np.abs(lhs), np.abs(rhs))
    gap = np.abs(lhs - rhs) if r.op == "==" else lhs - rhs
    wrong = np.asarray(gap > abs(slack) * np.maximum(size, 1 if slack > 0 else 0))
    if wrong.ndim > 1 and len(wrong) == rows:
        return np.asarray(wrong.reshape(rows, -1).any(axis=1))
    return np.full(rows, bool(wrong.any()))
