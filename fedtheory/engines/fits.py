"""That a lemma's world is one in which the claim that uses it lives: what it is built with, beside ranges and conditions.

A lemma holds in its own world. Its sizes, weights, formulas, points, minimisers, envelopes and the bound on diversity are said
nowhere in its relation, so they have to be the same where it is used, and in all lemmas of one claim.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Set
from typing import Any

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable, UnitsMismatch, UsageError
from ..instance import Instance
from ..premise import Premise, every_of, quantities
from ..relation import Relation, as_relations, eq, le
from .certificate.parts import Part
from .counted import Counted
from .docket import Docket
from .induction import NotShown, defining
from .links import FEW, follow
from .meaning import meanings
from .terms import Real, Reals, formulas, names_of, on, own_names

BUILT = ("optimum_of", "envelope", "diversity")  # what says what the names of a world of functions mean
APART = ("scalars", "given", "sizes", "derived", "f", "at", "clients_at")  # of such a world, each looked at by itself
SELECTED = "S"
GENERIC = ("m", SELECTED)  # sizes of which a proof about functions holds for all above one
FREE = "d"  # nothing depends on it


def require_fit(claim: Claim, p: Premise) -> None:
    """What the world of a lemma is built with has to be so in the world of the claim that uses it.

    Raises
    ------
    NotShown
        If it is not.
    """
    where = f"{claim.id} ({p.claim.id})"
    world, lemma = claim.world, p.claim.world
    _same_sizes(where, world, lemma, _unread(p), user=True)
    _are_sizes(where, world, p)
    _same_kinds(where, claim, p)
    if not world.batched_scalars and lemma.batched_scalars:
        for q in _about_functions(p.claim):
            _same_sizes(f"{where}, by {q.claim.id}", world, q.claim.world, _unread(q))
            _same_names(f"{where}, by {q.claim.id}", world, q.claim.world, whole=True)
    if not (world.batched_scalars or lemma.batched_scalars):
        _same_structure(where, world, lemma)
        for name in p.at:  # the class of functions is looked at by `same_functions`
            if lemma.own_names or name in (lemma.envelope, lemma.diversity):
                raise NotShown(f"{where}: at chooses {name}, with which the lemma's world is built")


def require_together(claim: Claim) -> None:
    """The lemmas of one claim have to be about the same sizes, minimisers, envelopes and points.

    Raises
    ------
    NotShown
        If two of them are not.
    """
    lemmas = claim.premises
    for k, p in enumerate(lemmas):
        for q in lemmas[:k]:
            if p.claim.world is not q.claim.world:
                where = f"{claim.id} ({q.claim.id} and {p.claim.id})"
                _same_sizes(where, q.claim.world, p.claim.world, _unread(p) | _unread(q))
                _same_names(where, q.claim.world, p.claim.world)


def derived(p: Premise, view: Instance) -> list[Relation]:
    """That scalars which are formulas in the lemma's world are these where it is used."""
    formulas_: Mapping[str, Any] = getattr(p.claim.world, "derived", {})
    means = {**meanings(p), **quantities(p.claim)}
    return [
        eq(getattr(view, name), fn(view), f"{name} is that of the lemma")
        for name, fn in formulas_.items()
        if name in view._names and name not in means and name not in getattr(p.claim.world, "sequences", ())
    ]


def single(p: Premise, view: Instance) -> None:
    """Raise NotShown where the lemma has one number and it is used at one a client."""
    for name, spec in p.claim.world.scalars.items():
        value = view._names.get(name)
        if not spec.per_client and isinstance(value, np.ndarray) and value.size > 1:
            raise NotShown(f"{p.claim.id}: {name} is one number there, and one a client here")


def defined_where(where: str, claim: Claim, p: Premise, docket: Docket) -> list[Part | None]:
    """The parts of a certificate that the relation of a lemma about numbers is defined where it is used.

    That is wherever the lemma's conditions hold and what is used is defined; wherever they hold if it is used for functions.

    Raises
    ------
    NotShown
        If that is not shown.
    """
    lemma: Any = p.claim.world
    whole, at_every = not claim.world.batched_scalars, p in every_of(claim.world)
    if not lemma.batched_scalars or p.meaning or (p.says is p.claim.body and not whole):
        return []
    own = tuple(c for c in lemma.given if not isinstance(c, Premise))
    alone = dataclasses.replace(lemma, given=own)
    shapes = [{lemma.index: 1}] if lemma.index else lemma.shapes(docket.limits.largest_m) or [{}]
    parts = []
    for shape in shapes:
        numbers = Counted(lemma.index, lemma.first) if lemma.index else Reals()
        x, symbols = on(numbers, alone, shape)
        said = list(p.claim.relations(x))
        used = [] if whole else list(as_relations(p.says(x, *((0,) if at_every else ())), where))
        known = [r.name for r in defining(used, numbers)]
        needed = [r for r in defining(said, numbers) if r.name not in known]
        if any(name == "log" for name, _ in numbers.transcendental):
            raise NotShown(f"{where}: the lemma has a logarithm, which may be undefined where it is used")
        if needed:
            given = [*x.given, *numbers.elementary(formulas([*x.given, *used])), *defining(used, numbers)]
            names = [*names_of(lemma, symbols), *own_names(x)]
            if isinstance(numbers, Counted):
                n = Real(numbers.z3.Real(numbers.index))
                given += [*numbers.ranges(), le(lemma.first, n, "the least length")]
                names += [numbers.index, *numbers.symbols()]
            parts.append(follow(f"{where} is defined", list(dict.fromkeys(names)), given, needed, docket))
    return parts


def _unread(p: Premise) -> set[str]:
    """The number of selected clients, where a lemma has no draws and does not read it."""
    world: Any = p.claim.world
    if SELECTED not in world.sizes or world.batched_scalars:
        return set()
    x = world.units().without([SELECTED])
    bare = Instance(x._numbers, x._names, dot=x._dot, steps=x._steps)
    try:
        p.claim.relations(bare)
    except (UsageError, NotApplicable):
        return set()
    return {SELECTED}


def _same_sizes(where: str, one: Any, other: Any, unread: Set[str] = frozenset(), *, user: bool = False) -> None:
    """Sizes that two worlds have are listed alike; of functions it is enough that both are for one client, or for more.

    A lemma for every length may have a `user` that lists some.
    """
    for name in one.sizes.keys() & other.sizes.keys() - {FREE} - unread:
        if name in (one.index, other.index):
            any_length = user and name == other.index and min(one.sizes[name]) >= getattr(other, "first", 0)
            if one.index != other.index and not any_length:
                raise NotShown(f"{where}: {name} is any length in one of them, and listed in the other")
            continue
        a, b = set(one.sizes[name]), set(other.sizes[name])
        functions = name in GENERIC and not (one.batched_scalars or other.batched_scalars)
        if functions:
            same = (1 in a) == (1 in b) and (max(a) > 1) == (max(b) > 1)
        else:  # of runs, any number of steps is meant where several are listed
            any_number = not (one.batched_scalars or other.batched_scalars) and min(len(a), len(b)) > 1
            same = a == b or (any_number and one.sizes[name][:FEW] == other.sizes[name][:FEW])
        if not same:
            raise NotShown(f"{where}: {name} is in {sorted(b)} in one of them, and in {sorted(a)} in the other")


def _same_kinds(where: str, claim: Claim, p: Premise) -> None:
    """Weights are weights, and what is one number is no number a client."""
    means = {**meanings(p), **quantities(p.claim)}
    for name, spec in p.claim.world.scalars.items():
        if name in means:
            continue
        chosen = name in p.at or name in getattr(claim.world, "derived", ())
        if chosen and (spec.weight or spec.per_client):
            raise NotShown(f"{where}: {name} is one a client in the lemma, and is chosen here")
        own = None if chosen else claim.world.scalars.get(name)
        if own is not None and (spec.per_client != own.per_client or (spec.weight and not own.weight)):
            raise NotShown(f"{where}: {name} is another kind of scalar in the lemma")


def _same_structure(where: str, world: Any, lemma: Any) -> None:
    """Two worlds of functions are built alike; the claim's may have more points."""
    if type(world) is not type(lemma):
        raise NotShown(f"{where}: the lemma is about {type(lemma).__name__}, not {type(world).__name__}")
    for field in dataclasses.fields(lemma):
        if field.name not in APART and getattr(world, field.name) != getattr(lemma, field.name):
            raise NotShown(f"{where}: {field.name} is another one in the lemma")
    if not (set(lemma.at) <= set(world.at) and set(lemma.clients_at) <= set(world.clients_at)):
        raise NotShown(f"{where}: the lemma has other points")


def _about_functions(claim: Claim) -> Iterator[Premise]:
    """The lemmas about functions on which a theorem about numbers rests."""
    for p in claim.premises:
        if p.claim.world.batched_scalars:
            yield from _about_functions(p.claim)
        else:
            yield p


def sizes_here(world: Any, p: Premise) -> list[str]:
    """The sizes of a lemma that its relation reads and that are parameters of the claim."""
    lemma: Any = p.claim.world
    sizes = {*lemma.sizes, *(("N",) if "m" in lemma.sizes else ())} - {FREE}
    return sorted(name for name in sizes & world.scalars.keys() if _read(p, name))


def _are_sizes(where: str, world: Any, p: Premise) -> None:
    """Raise NotShown where a size of the lemma is a formula of the claim or is chosen, or is a parameter with other values."""
    lemma: Any = p.claim.world
    sizes = {*lemma.sizes, *(("N",) if "m" in lemma.sizes else ())} - {FREE}
    formulas_ = {*getattr(world, "derived", ()), *getattr(world, "sequences", ())} - world.scalars.keys()
    for name in sorted(sizes & (formulas_ | (p.at.keys() - {lemma.index}))):
        raise NotShown(f"{where}: {name} is a size of the lemma, and any number here")
    for name in sizes_here(world, p):
        several = not lemma.batched_scalars and len(lemma.sizes.get(name, ())) > 1  # any number is meant
        if not (several or name in (*GENERIC, "N", lemma.index)):
            raise NotShown(f"{where}: {name} is listed in the lemma, and any number here")
        least = lemma.first if name == lemma.index else 1
        if world.scalars[name].low is None or world.scalars[name].low < least:
            raise NotShown(f"{where}: {name} is a size of the lemma, and may be less than {least} here")


def _read(p: Premise, name: str) -> bool:
    """Whether what a lemma says depends on a size."""
    try:
        x = p.claim.world.units().without([name])
        p.claim.relations(Instance(x._numbers, x._names, dot=x._dot, steps=x._steps, draws=x._draws))
    except (UsageError, NotApplicable, UnitsMismatch):
        return True
    return False


def _same_names(where: str, one: Any, other: Any, *, whole: bool = False) -> None:
    """What both of two worlds of functions have under one name is the same there; `whole`, what the other one is built with."""
    if one.batched_scalars or other.batched_scalars:
        return
    for what in BUILT:
        a, b = getattr(one, what, None), getattr(other, what, None)
        if b is not None and a != b and (whole or a is not None):
            raise NotShown(f"{where}: {what} is {a} in one of them, and {b} in the other")
    for kind, opposite in (("at", "clients_at"), ("clients_at", "at")):
        both = set(getattr(one, kind, ())) & set(getattr(other, opposite, ()))
        if both:
            raise NotShown(
                f"{where}: {', '.join(sorted(both))} is a vector of the server in one of them, and of clients in the other"
            )
