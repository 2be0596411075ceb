"""A lemma about numbers, or a theorem for every length, as data of a certificate: what its names are where it is used."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from ...claim import Claim
from ...instance import Instance
from ...relation import as_relations
from ..certificates.theorems import ANY_TIME, ELEMENT, Closed, NotClosed, quotient_text
from ..prove.induction import NotShown
from ..z3.index import Counted
from ..z3.terms import Called, Index, Real, Reals, Term, bare, names_of, on
from ..z3.trees import constants, z3_module
from .known import View
from .placement import Data
from .recorded import plain_use


def of_numbers(
    closed: Closed, lemma: Claim, view: View, y: Instance, *, index: Index | None = None, run: list[Data] | None = None,
    averaged: Collection[str] = (), named: Collection[str] = (),
) -> Data:  # fmt: skip
    """A lemma about numbers, or a theorem at the length `index`, where its names are what `y` has.

    `run` has its model here, where it is about one; `averaged` names its quantities that are a client's there and the mean here,
    and `named` those that are written even where they are called so here.
    """
    world: Any = lemma.world
    out = plain_use(lemma.id, place=[ANY_TIME if view.at_every else "", 0])
    parts = world.parts()
    free = [name for name in world.scalars if name not in parts.listed]
    if run is not None:
        out["run"] = run
        free += [name for name in world.constant if _is_there(y, name)]
    for name in free:
        said = closed.text(_single(getattr(y, name)))
        if said != name or name in named:
            out["at"][name] = said
    out["at"] |= _exponentials(closed, lemma, view, y)
    if averaged:
        out["averaged"] = sorted(averaged)
    if index is not None:
        out["place"] = [index.name, index.offset]
        at = Index(view.numbers, ANY_TIME)
        followed = parts.quantities
        rows = parts.sequences if followed is None else [n for n in followed if n not in world.constant]
        for name in rows:
            if run is None or _is_there(y, name):
                out["sequences"][name] = _combined(closed, _single(getattr(y, name)[at]))
        out["sequences"] |= _defined_ones(closed, lemma, view, y)
    if lemma.at_t:
        out["values"] = closed.one_way(as_relations(lemma.at_t(y, Index(view.numbers, ANY_TIME)), lemma.id))
        return out
    found = as_relations(lemma.body(y), lemma.id)
    out["values"] = [one[:2] for one in closed.said(found)] if index is None else closed.one_way(found)
    return out


def _exponentials(closed: Closed, lemma: Claim, view: View, y: Instance) -> Data:
    """What the exponentials of a lemma about numbers are here, where they are called otherwise."""
    world, z3 = lemma.world, z3_module()
    theirs, x, names = _own_numbers(lemma, {})
    as_relations(lemma.at_t(x, Index(theirs, ANY_TIME)) if lemma.at_t else lemma.body(x), lemma.id)
    out: Data = {}
    for (kind, _), (inside, symbol) in theirs.transcendental.items():
        read = constants([inside])
        if kind == "exp" and read <= names.keys():
            here = z3.substitute(inside, *((names[name], _single(getattr(y, name))) for name in sorted(read)))
            said = closed.text(_single(view.numbers.exp(Real(here))))
            own = Closed(lemma, {}).exponential_of(inside) if world.index or lemma.by else str(symbol)
            out[own] = said
    return out


def _own_numbers(lemma: Claim, called: Called) -> tuple[Reals, Instance, dict[str, Term]]:
    """Terms of a lemma alone: (the numbers, an instance of them, its symbols by name)."""
    world: Any = lemma.world
    numbers = Counted(world.index, world.first, called) if world.index else Reals(called=called)
    in_numbers = world.in_numbers(()) if hasattr(world, "in_numbers") else world
    x, symbols = on(numbers, in_numbers, {world.index: 1} if world.index else {})
    return numbers, x, names_of(in_numbers, symbols)


def _is_there(y: Instance, name: str) -> bool:
    """Whether a quantity of another run is one here."""
    try:
        getattr(y, name)
    except NotShown:
        return False
    return True


def _single(value: object) -> Term:
    plain = np.asarray(value, dtype=object).reshape(-1)
    if plain.size != 1:
        raise NotClosed("a number of each client")
    return bare(plain[0])


def _combined(closed: Closed, term: Term) -> list[list[Any]]:
    """A term as a combination of elements of sequences at any t: [coefficient, name of the sequence, or nothing]."""
    q = closed.value(term)
    names = q.num.context().names()
    found: dict[str, Any] = {}
    for powers, c in q.num.terms():
        own = [names[k] for k, e in enumerate(powers) if e and ELEMENT.fullmatch(names[k])]
        if len(own) > 1 or any(powers[names.index(name)] > 1 for name in own):
            raise NotClosed("a sequence that is no combination of sequences")
        rest = tuple(0 if names[k] in own else e for k, e in enumerate(powers))
        terms = found.setdefault(own[0] if own else "", {})
        terms[rest] = terms.get(rest, 0) + c
    out = []
    for name, terms in found.items():
        element = ELEMENT.fullmatch(name) if name else None
        if element and (element[2] or element[4] or element[3] != ANY_TIME):
            raise NotClosed("a sequence at another index")
        out.append([quotient_text(q.num.context().from_dict(terms), q.den), element[1] if element else ""])
    return out


def _defined_ones(closed: Closed, lemma: Claim, view: View, y: Instance) -> Data:
    """The powers and sums of a theorem as those of the claim: both ask for them in one order."""
    world: Any = lemma.world
    theirs = Closed(lemma, {})
    own, x, _ = _own_numbers(lemma, theirs.called)
    assert isinstance(own, Counted)
    own.asked.clear()
    mine: Any = view.numbers
    before = list(mine.asked)
    mine.asked.clear()
    for numbers, at in ((own, x), (mine, y)):
        if lemma.at_t:
            as_relations(lemma.at_t(at, Index(numbers, ANY_TIME)), lemma.id)
        else:
            as_relations(lemma.body(at), lemma.id)
        for c in world.given:
            c.relations(at)
        for c in world.every:
            c.relation(at, Index(numbers, ANY_TIME))
    asked, mine.asked[:] = list(mine.asked), before
    if len(asked) != len(own.asked):
        raise NotClosed("other powers and sums than in the lemma")
    called = {closed.called[key][0]: key for key in closed.called}
    named = {theirs.called[key][0]: theirs.called[key] for key in theirs.called}
    out: Data = {}
    for name, other in zip(own.asked, asked, strict=True):
        out[theirs.sequence_called(named[name])] = [["1", closed.sequence_called(closed.called[called[other]])]]
    return out
