"""What a claim is given by lemmas: that each lemma says it, and holds where it is used.

Four things are checked of every lemma. In its own world its relation is the one that is used, at the meaning of the quantities:
an identity of forms, at the smallest of the listed sizes. Its ranges and conditions hold at the arguments at which it is used,
by what is stated there apart from lemmas. It is about the same functions as the other lemmas. Its quantities are in the ranges
that the claim states, by what they mean. What the lemmas' own verdicts are is another matter (`referee.composition`).
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable, UnitsMismatch, UsageError
from ..instance import Instance, Later
from ..numbers import Floats
from ..premise import TAKEN, Along, Inherent, Premise, at_t, every_of, lemmas_of, quantities
from ..relation import Condition, Relation, as_relations, eq, le
from ..verdict import Evidence
from ..world import Scalar, World
from .certificate.parts import Part
from .counted import Counted
from .docket import Docket
from .fits import defined_where, derived, require_fit, require_together, single, sizes_here
from .induction import GLANCE, NOT_ZERO, NotShown, defining, implied, rational_of
from .links import ANY_ELEMENT, ANY_TIME, decided, follow
from .meaning import (
    inherited,
    meanings,
    moved,
    require_affine,
    require_meaning,
    require_still,
    same_functions,
    taken_over,
)
from .ranges import in_ranges, same_range
from .spoken import AnyT, meant, require_as_many
from .terms import Index, Real, Reals, formulas, names_of, on, own_names
from .trees import constants, z3_module

Parts = dict[str, list[Part | None]]  # of a certificate, by what they show; None where there is none

REFUSED = (NotShown, NotApplicable, UsageError, UnitsMismatch, ZeroDivisionError)


def _said(error: BaseException) -> str:
    """Why a lemma is of no use."""
    return "a lemma is undefined where it is used" if isinstance(error, ZeroDivisionError) else str(error)


def premises(claim: Claim, docket: Docket) -> Evidence:
    """Check the lemmas among the conditions of a claim."""
    stated = lemmas_of(claim.world)
    if not stated:
        return Evidence("premises", "silent")
    try:
        same_functions(claim)
        require_meaning(claim, stated)
        require_together(claim)
        require_still(claim)
        parts: Parts = {}
        for p in stated:  # a lemma may be used at several arguments
            parts.setdefault(p.claim.id, []).extend([*_says(claim, p, docket), *_applies(claim, p, docket)])
        parts["the ranges of its quantities"] = in_ranges(claim, stated, docket)
    except REFUSED as error:
        return Evidence("premises", "declines", reason=_said(error), doubt=True)
    return Evidence("premises", "supports", numbers=_numbers(claim, stated, parts), certificate=_certificate(parts))


def follows(claim: Claim, docket: Docket) -> Evidence:
    """Prove a claim that is what its lemmas say at some arguments."""
    if not claim.given:
        return Evidence("lemma", "silent")

    def said(x: Instance) -> list[Relation]:
        return [r for p in claim.given for r in p.all_of(x)]

    def averaged(x: Instance) -> list[Relation]:
        return [Relation(x.mean(r.lhs), r.op, x.mean(r.rhs), r.name) for r in said(x)]

    where, own = f"{claim.id} by its lemmas", lambda x: list(claim.relations(x))
    parts: Parts = {}
    try:
        same_functions(claim)
        require_together(claim)
        for p in claim.given:
            parts.setdefault(p.claim.id, []).extend([*_same_run(claim, p, docket), *_applies(claim, p, docket)])
        try:
            parts[where] = _same(where, claim.world, own, said, docket)
        except NotShown:  # what holds for every client holds in the mean
            parts[where] = _same(where, claim.world, own, averaged, docket)
    except REFUSED as error:
        return Evidence("lemma", "declines", reason=_said(error), doubt=True)
    return Evidence("lemma", "proves", numbers=_numbers(claim, claim.given, parts), certificate=_certificate(parts))


def _same_run(claim: Claim, p: Premise, docket: Docket) -> list[Part | None]:
    """The parts of a certificate that the claim's own run makes the steps that the lemma is about, of whose quantities it is used.

    Raises
    ------
    NotShown
        If that is not shown.
    """
    parts: list[Part | None] = []
    chosen = sorted(p.at.keys() & quantities(p.claim).keys())
    if chosen:
        raise NotShown(f"{claim.id} ({p.claim.id}): at chooses {', '.join(chosen)}, a quantity of the lemma")
    lemma: Any = p.claim.world
    if not lemma.index:
        return parts
    _at_whole_numbers(claim, p)
    moves = {(of, step) for q in every_of(lemma) if isinstance(q, Premise) for of, step in moved(p.claim, q)}
    still = {name: of for name, of in quantities(p.claim).items() if name not in lemma.sequences}

    def longest(x: Instance) -> int:
        return max(int(getattr(view, lemma.index)) for view in p.views(x))

    def body(x: Instance) -> tuple[Relation, ...]:
        out = []
        for of, step in moves:
            run = Along(x, p.along, of)
            for t in range(longest(x)):
                here = x.at(**p.along(x, t)) if p.along else x
                out.append(eq(run[t + 1], step(here, of), f"t = {t}"))
        start = p.along(x, 0) if p.along else {}
        for name, of in still.items():
            run = Along(x, p.along, of)
            if start and _reads(x.at(**start), of, start):
                out += [eq(run[t], run[0], f"{name} at t = {t}") for t in range(1, longest(x) + 1)]
        return tuple(out) or (eq(0, 0),)

    where = f"{claim.id} (steps of {p.claim.id})"
    answer = decided(where, claim.world, body, docket, parts)
    if answer.outcome not in ("proves", "certifies"):
        raise NotShown(f"{where}: the run makes other steps than the lemma is about ({answer.reason})")
    return parts


def _reads(x: Instance, of: Callable[[Instance], Any], names: Iterable[str]) -> bool:
    """Whether a quantity depends on any of these names."""
    try:
        of(x.without(names))
    except UsageError:
        return True
    return False


def _at_whole_numbers(claim: Claim, p: Premise) -> None:
    """Raise NotShown unless a lemma for every length is used at whole numbers from its least one on."""
    lemma: Any = p.claim.world
    rng = np.random.default_rng(20200604)
    for shape in claim.world.shapes(2) or [{}]:
        for free in itertools.islice(claim.world.sample(rng, shape, 1, 1), 1):
            lengths = [getattr(view, lemma.index) for view in p.views(claim.world.build(free, Floats()))]
            if not all(isinstance(n, int) and n >= lemma.first for n in lengths):
                raise NotShown(
                    f"{claim.id} ({p.claim.id}): {lemma.index} is no whole number from {lemma.first} on where it is used"
                )


def _numbers(claim: Claim, lemmas: Sequence[Premise], parts: Parts) -> dict[str, Any]:
    alone = [what for what, own in parts.items() if None in own]
    whole = {
        f"{name} is a whole number, a size of {p.claim.id}": None for p in lemmas for name in sizes_here(claim.world, p)
    }
    stated = [*taken_over(claim), *whole]
    return {
        "lemmas": [p.claim.id for p in lemmas],
        **({TAKEN: stated} if stated else {}),
        **({"on z3 alone": alone} if alone else {}),
    }


def _certificate(parts: Parts) -> list[Part]:
    return [part for own in parts.values() for part in own if part]


def _says(claim: Claim, p: Premise, docket: Docket) -> list[Part | None]:
    """The parts of a certificate that the relation that is used is what the lemma says.

    Raises
    ------
    NotShown
        If it is not.
    """
    if p.says is p.claim.body and not p.meaning:
        return []
    sequences = getattr(claim.world, "sequences", {})

    where = f"{claim.id} ({p.claim.id})"
    require_as_many(where, claim, p)

    def used(x: Instance) -> list[Relation]:
        here = x.at(**{name: fn(x) for name, fn in p.names.items()})
        names = {name: Later(partial(meant, p, here, of, name in sequences)) for name, of in p.meaning_here.items()}
        return list(
            as_relations(p.says(here.at(**names), *((AnyT(where),) if p in every_of(claim.world) else ())), p.claim.id)
        )

    return _same(where, p.claim.world, lambda x: list(p.claim.relations(x)), used, docket)


def _same(
    id: str, world: World, one: Callable[[Instance], Sequence[Relation]], other: Callable[[Instance], Sequence[Relation]],
    docket: Docket,
) -> list[Part | None]:  # fmt: skip
    """The parts of a certificate that two statements about one world are the same relations.

    Raises
    ------
    NotShown
        If they are not.
    """
    parts: list[Part | None] = []

    def body(x: Instance) -> tuple[Relation, ...]:
        a, b = one(x), other(x)
        if [r.op for r in a] != [r.op for r in b]:
            raise NotShown(f"{id}: the lemma says {len(a)} relations ({', '.join(r.op for r in a)}), not what is used")
        return tuple(eq(p.rhs - p.lhs, q.rhs - q.lhs) for p, q in zip(a, b, strict=True))

    answer = decided(id, world, body, docket, parts)
    if answer.outcome not in ("proves", "certifies") or answer.hypotheses.get("satisfiable") is False:
        raise NotShown(f"{id}: the lemma does not say what is used ({answer.reason})")
    return parts


def _applies(claim: Claim, p: Premise, docket: Docket) -> list[Part | None]:
    """The parts of a certificate that the ranges and conditions of a lemma hold at the arguments at which it is used.

    Raises
    ------
    NotShown
        If that is not shown.
    """
    world, lemma = claim.world, p.claim.world
    where = f"{claim.id} ({p.claim.id})"
    require_fit(claim, p)
    parts = defined_where(where, claim, p, docket)
    if lemma.at_points:
        printed = ", ".join(c.printed for c in lemma.at_points)
        raise NotShown(
            f"{where}: the lemma has conditions at points ({printed}); state what they bound as a quantity in its relation, and "
            "the bound on it in every=(...) or given=(...) of the claim that uses it"
        )
    if lemma.index and p not in claim.given:
        _same_sequences(where, world, lemma, p)
    shapes = world.shapes(docket.limits.largest_m) or [{}]
    if not world.batched_scalars:  # sizes are symbols, but for the clients that have scalars of their own
        several = any(s.per_client for w in (world, lemma) for s in w.scalars.values())
        shapes = list({s.get("m", 1): s for s in reversed(shapes)}.values()) if several else shapes[:1]
    elif world.index:  # which is a symbol
        shapes = shapes[:1]
    for shape in shapes:
        at = " at " + ", ".join(f"{k} = {v}" for k, v in shape.items()) if len(shapes) > 1 else ""
        parts += _applies_at(where + at, claim, p, shape, docket)
    return parts


def _applies_at(where: str, claim: Claim, p: Premise, shape: Mapping[str, int], docket: Docket) -> list[Part | None]:
    """What `_applies` returns, at one shape."""
    parts: list[Part | None] = []
    world, lemma = claim.world, p.claim.world
    own = tuple(c for c in world.given if not isinstance(c, Premise))
    sizes = {} if world.batched_scalars else {k: z3_module().Real(k) for k in world.sizes if k != "d"}
    numbers: Reals = Counted(world.index, getattr(world, "first", 0)) if world.index else Reals(sizes)
    x, symbols = on(numbers, dataclasses.replace(world, given=own), shape)  # type: ignore[type-var]
    at_every = p in every_of(world)
    known: list[Relation] = []
    of_elements: list[Relation] = []  # what is asked of an element, of which there may be none
    before: list[Relation] = []
    if world.batched_scalars:
        t = (Index(numbers, ANY_TIME),) if at_every else ()  # type: ignore[arg-type]
        seen = at_t(p.claim, x, *t) if t and not p.meaning else x
        view = seen.at(**{name: fn(x, *t) for name, fn in p.at.items()})
        view = view.at(**{lemma.index: t[0]}) if t and lemma.index else view
        single(p, view)
        needed = [*derived(p, view), *(r for says in _asked(p) for r in says(view))]
        used = as_relations(p.relation(x, *t), where)
        needed += defining(used, numbers)
        some = Index(numbers, ANY_ELEMENT if t else ANY_TIME)
        if lemma.index:
            moved = [(name, spec) for name, spec in lemma.sequences.items() if name in p.at]
            at_length = t[0] if t else Index(numbers, world.index)
            for place, asked in ((at_length, needed), (some, of_elements)):
                asked += [r for name, spec in moved for r in spec.relations(name, getattr(view, name)[place])]
            of_elements += [r for c in lemma.every for r in _printed(c, view, some)]
        known = _before(world, p, x, t)
        before = _before(world, p, x, (*t, some)) if of_elements else []
    else:
        needed = _on_scalars(where, claim, p, x, docket, parts)
    needed += defining(needed, numbers)
    of_elements += defining(of_elements, numbers)
    always = [*x.given, *(le(1, Real(n), f"{name} >= 1") for name, n in sizes.items())]
    names = [*names_of(world, symbols), *sizes, *own_names(x)]
    if any(name == "log" for name, _ in numbers.transcendental):
        raise NotShown(f"{where}: the lemma has a logarithm, which may be undefined where it is used")
    exists: list[Relation] = []
    if isinstance(numbers, Counted):
        n, some_t, some_s = (Real(numbers.z3.Real(name)) for name in (numbers.index, ANY_TIME, ANY_ELEMENT))
        always += [*numbers.ranges(), le(getattr(world, "first", 0), n, "the least length")]
        of_t = [le(0, some_t, "t >= 0"), le(some_t + 1, n, "t < the length")]
        always += of_t if at_every else []
        exists = [le(0, some_s, "s >= 0"), le(some_s + 1, some_t, "s < t")] if at_every else of_t
        names += [numbers.index, ANY_TIME, *([ANY_ELEMENT] if at_every else []), *numbers.symbols()]
    names = list(dict.fromkeys(names))
    if world.batched_scalars:
        require_affine(where, names, _symbols(p, numbers, names), used)
    for name, given, asked in ((where, known, needed), (f"{where} at every element", [*before, *exists], of_elements)):
        if asked or name == where:
            stated = [*always, *given]
            positive = _positive_powers(name, names, numbers, stated, asked, docket, parts)
            stated += positive
            asked = [_signed(r, stated) for r in asked] if positive else asked
            parts.append(follow(name, names, [*stated, *numbers.elementary(formulas(stated))], asked, docket))
    return parts


def _positive_powers(
    where: str, names: Sequence[str], numbers: Reals, stated: Sequence[Relation], asked: Sequence[Relation],
    docket: Docket, parts: list[Part | None],
) -> list[Relation]:  # fmt: skip
    """Of the powers that are asked about, those of positive numbers are positive."""
    if not isinstance(numbers, Counted):
        return []
    out: list[Relation] = []
    shown: dict[str, bool] = {}
    mentioned = constants(formulas(asked))
    for q, symbol in (found for found in numbers.powers.values() if str(found[1]) in mentioned):
        base = Relation(rational_of(0), "<", Real(q), f"0 < {q}")
        if base.name not in shown:
            shown[base.name] = False
            with suppress(NotShown):
                parts.append(follow(f"{where}: {base.name}", names, stated, [base], docket))
                shown[base.name] = True
        out += [Relation(rational_of(0), "<", Real(symbol), f"0 < ({q})^n")] if shown[base.name] else []
    return out


def _signed(r: Relation, stated: Sequence[Relation]) -> Relation:
    """That a divisor is positive in place of its square, where z3 says that it is: which is easier to certify."""
    square = getattr(r.rhs, "term", None)
    if not r.name.endswith(NOT_ZERO) or square is None or square.num_args() != 2:
        return r
    positive = Relation(rational_of(0), "<", Real(square.arg(0)), r.name)
    return positive if implied(stated, [positive], GLANCE) is True else r


def _symbols(p: Premise, numbers: Reals, names: Sequence[str]) -> list[str]:
    """The symbols of the quantities of which a lemma speaks: scalars, and elements of sequences."""
    means = meanings(p)
    elements = numbers.elements if isinstance(numbers, Counted) else {}
    return [n for n in names if n in means or (n in elements and n.partition("[")[0] in means)]


def _asked(p: Premise) -> list[Callable[[Instance], list[Relation]]]:
    """The ranges and conditions of a lemma, and of its class of functions, as functions of an instance that has its names.

    Its quantities are in range.
    """
    lemma: Any = p.claim.world
    meant = quantities(p.claim)

    def within(name: str, spec: Scalar) -> Callable[[Instance], list[Relation]]:
        return lambda x: spec.relations(name, getattr(x, name))

    def stated(c: Condition) -> Callable[[Instance], list[Relation]]:
        return lambda x: list(c.relations(x))

    listed = (*getattr(lemma, "listed", ()),)
    ranges = [within(name, spec) for name, spec in lemma.scalars.items() if name not in (*listed, *meant)]
    taken = [c for c in lemma.given if isinstance(c, Inherent) and inherited(p.claim, c)]
    return [*ranges, lemma.implied, *(stated(c) for c in lemma.given if not isinstance(c, Premise) and c not in taken)]


def _asked_of_every(lemma: Any) -> list[Callable[[Instance], list[Relation]]]:
    """What a lemma about sequences states of every element, as functions of an instance that has the sequences."""

    def stated(c: Any) -> Callable[[Instance], list[Relation]]:
        def everywhere(x: Instance) -> list[Relation]:
            return [r for t in range(getattr(x, lemma.index)) for r in as_relations(c.relation(x, t), c.printed)]

        return everywhere

    return [stated(c) for c in every_of(lemma) if not isinstance(c, Premise)]


def _on_scalars(
    where: str, claim: Claim, p: Premise, x: Instance, docket: Docket, parts: list[Part | None]
) -> list[Relation]:
    """What a lemma asks of scalars, where it is used for a claim about functions; what it asks of its quantities is shown.

    Raises
    ------
    NotShown
        If that is not shown.
    """
    on_scalars: list[Relation] = []
    others: list[Callable[[Instance], list[Relation]]] = []
    hidden = {*p.at, *quantities(p.claim)}
    alone = Instance(x._numbers, {name: v for name, v in x._names.items() if name not in hidden})
    for says in (*_asked(p), *_asked_of_every(p.claim.world)):
        try:
            on_scalars += says(alone)
        except UsageError:  # it is about quantities
            others.append(says)
    if others:

        def body(y: Instance) -> tuple[Relation, ...]:
            return tuple(r for view in p.views(y) for says in others for r in says(view))

        answer = decided(f"{where} applies", claim.world, body, docket, parts)
        if answer.outcome not in ("proves", "certifies"):
            raise NotShown(f"{where}: its conditions are not shown where it is used ({answer.reason})")
    return on_scalars


def _printed(c: Any, x: Instance, t: Index) -> list[Relation]:
    """What is stated of every element, at t, each relation under the printed form unless it has a name of its own."""
    return [Relation(r.lhs, r.op, r.rhs, r.name or c.printed) for r in as_relations(c.relation(x, t), c.printed)]


def _before(world: Any, p: Premise, x: Instance, times: Sequence[Index]) -> list[Relation]:
    """What is known at any t, and by the lemmas before one: of those at every t, and of those at the length."""
    out: list[Relation] = []
    for c in every_of(world):
        if c is p:
            return out
        out += [r for t in times for r in _printed(c, x, t)]
    for c in world.given:
        if c is p:
            return out
        out += c.relations(x) if isinstance(c, Premise) else []
    return out


def _same_sequences(where: str, world: Any, lemma: Any, p: Premise) -> None:
    """Raise NotShown unless a lemma about sequences may be used for those of the claim."""
    if world.index != lemma.index or lemma.index in p.at:
        raise NotShown(f"{where}: the lemma is about another index, {lemma.index}")
    if (0 if p in every_of(world) else world.first) < lemma.first:
        raise NotShown(f"{where}: the lemma is about {lemma.index} >= {lemma.first}")
    for name, spec in lemma.sequences.items():
        if name not in p.at and not same_range(world.sequences.get(name), spec):
            raise NotShown(f"{where}: the lemma is about another sequence {name}")
    for c in lemma.every:
        if isinstance(c, Premise) and c not in world.every:
            raise NotShown(f"{where}: the lemma rests on {c.printed} at every t, which the claim does not state")
