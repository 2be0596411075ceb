"""A claim's relations as affine forms whose coefficients are rational functions of its parameters, case by case.

A case is one structure of the claim: explicit sizes, or one generic client that stands for m >= 2 of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.described import Described, placed_leaves
from ...gram.forms import (
    GENERIC_SIZES,
    SIZES,
    Form,
    Gap,
    Key,
    Space,
    Terms,
    TooManyLeaves,
    gaps,
    with_room,
)
from ...gram.generic_space import GenericSpace, instantiated, virtual
from ...gram.ratio import Ratio, at, entry, symbols, text
from ...gram.roots import squared
from ...quantity import ByName, Values
from ...relation import Relation
from ...world import World
from ..budget import Symbolic
from ..z3.terms import satisfiable

EXPLICIT_SIZES = (*SIZES, 250)
PREMISE = "given"  # in place of the op of a stated condition at points, which is not proved but has to agree
Read = list[tuple[str, list[Form]]]
Gaps = list[tuple[str, list[Gap]]]  # operator of every relation, and its right minus left sides


@dataclass(frozen=True)
class Case:
    """One structure of a claim: explicit sizes, or a generic client with symbols for `sizes`."""

    shape: dict[str, int]
    sizes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        rest = ", ".join(f"{k}={v}" for k, v in self.shape.items() if k not in (*self.sizes, "d"))
        return ", ".join(filter(None, [f"every {' and '.join(self.sizes)}, m >= 2" if self.sizes else "", rest]))


@dataclass(frozen=True)
class Target:
    """``form >= 0``, or ``form == 0``, to be proved from `rows`: inequalities by name, over the same leaves.

    `relation` is the place of its relation in the body, and `sides` are the left and right side, of which the form is the
    difference; `named` has the names of leaves and of values by their places.
    """

    op: str
    form: Terms
    rows: dict[str, Terms]
    relation: int = 0
    sides: tuple[Terms, Terms] = ({}, {})
    named: Mapping[str, Mapping[int, str]] = field(default_factory=dict)


def cases_of(world: World, *, own_scalars: bool = False) -> tuple[list[Case], bool]:
    """The structures to prove, and whether they are all that the world allows: of a size that is listed there may be others.

    With `own_scalars` a generic client may have scalars of its own.
    """
    sizes = world.sizes
    rest = [k for k in sizes if k not in (("m", "S", "d") if "m" in sizes else ("d",))]
    complete = not rest
    generic = world.exchangeable and (own_scalars or not any(s.per_client for s in world.scalars.values()))
    cases: list[Case] = []
    for values in itertools.product(*(sizes[k] for k in rest)):
        structure = dict(zip(rest, values, strict=True)) | ({"d": 1} if "d" in sizes else {})
        if "m" not in sizes:
            cases.append(Case(structure))
            continue
        chosen = {"S": 1} if "S" in sizes else {}
        if 1 in sizes["m"]:
            cases.append(Case({**structure, "m": 1, **chosen}))
        if max(sizes["m"]) > 1:
            if generic:
                cases.append(Case({**structure, "m": 1, **chosen}, ("m", *chosen)))
            else:
                complete = False
                few = several(sizes["m"])
                cases += [Case({**structure, "m": few, **c}) for c in ([{"S": 1}, {"S": 2}] if chosen else [{}])]
    chosen_in = ((case, world.to_choose(case.shape, generic=bool(case.sizes))) for case in cases)
    return [replace(case, shape={**case.shape, **own}) for case, choices in chosen_in for own in choices], complete


def one_drawn(world: World, cases: Sequence[Case]) -> list[Case]:
    """The same structures with one client that is drawn, of any number; none where a world lists other numbers of them."""
    if world.sizes.get("S") != (1,):
        return []
    return [replace(case, sizes=tuple(k for k in case.sizes if k != "S")) for case in cases]


def counts(case: Case, params: Values) -> ByName:
    """How many clients there are in a case of a generic one, and how many of them are drawn, where it is not any number: one."""
    alone = {"S": params["m"] ** 0} if case.sizes == ("m",) and "S" in case.shape else {}
    return {name: params[name] for name in case.sizes} | alone


def several(sizes: Iterable[int]) -> int:
    """The fewest clients of which there are several."""
    return min(m for m in sizes if m > 1)


def parameters(world: World, case: Case) -> dict[str, Ratio]:
    """One symbol a scalar (``sigma[0]`` for client 0 of a per-client scalar) and a size that is a symbol."""
    names: list[str] = []
    for name, spec in world.scalars.items():
        names += [entry(name, i) for i in range(case.shape.get("m", 1))] if spec.per_client else [name]
    return symbols([*names, *case.sizes])


def targets_of(claim: Claim, case: Case, params: Mapping[str, object]) -> list[Target]:
    """What has to be proved in one case.

    Raises
    ------
    NotApplicable
        If the body does what Gram arrays cannot, or reads a generic client otherwise than explicit ones.
    """
    (space, built), (_, again) = with_room(
        lambda size: tuple(run(claim, case, params, size, scale) for scale in (1, -2)), _row_sizes(case)
    )
    if _printed(built) != _printed(again):
        raise NotApplicable("the body reads coordinates of a vector; inner products are x.dot and x.sq")
    if isinstance(space, GenericSpace):
        _require_agreement(claim, case, space, built)
    else:
        _require_same(claim, case, built)
    relations = [(op, forms) for op, forms in built if op != PREMISE]
    if any(op != "==" for op, _ in relations):
        space.close()
    if space.equalities:
        raise NotApplicable("equalities of the space are not lifted")
    index: dict[tuple[str, int], int] | None = {} if isinstance(space, GenericSpace) else None
    found = [t for k, (op, forms) in enumerate(relations) for gap in forms for t in _both(op, gap, space, k, index)]
    of = Described(space)
    named = {"leaves": placed_leaves(space, index), "values": {k: of.value(k) for k in range(len(space.values))}}
    return [replace(target, named=named) for target in found]


def slacks_of(claim: Claim, case: Case, params: Mapping[str, object]) -> list[Terms]:
    """The right less the left sides in one case, for a search: nothing is asked of how the body came to them.

    Raises
    ------
    NotApplicable
        If the body does what Gram arrays cannot.
    """
    _, built = with_room(partial(run, claim, case, params), _row_sizes(case))
    return [form.clean() for op, forms in built if op != PREMISE for form in forms]


def _both(op: str, gap: Gap, space: Space, relation: int, index: dict[tuple[str, int], int] | None) -> Iterator[Target]:
    """One component of a relation; an equation that is no identity as two inequalities."""
    target = _target(op, gap, space, relation, index)
    if op != "==" or not target.form:
        yield target
        return
    space.close()
    for way in (gap, Gap(gap.rhs, gap.lhs)):
        yield _target("<=", way, space, relation, index)


def _target(op: str, gap: Gap, space: Space, relation: int, index: dict[tuple[str, int], int] | None) -> Target:
    """One component of a relation with the inequalities that can serve it, each once."""
    rows = [*space.inequalities]
    if isinstance(space, GenericSpace):
        gap, rows = virtual(gap, space.with_means(), space.numbers, index)
    distinct = {repr(sorted(_keyed(f).items())): (name, f.clean()) for name, f in reversed(rows)}
    return Target(op, gap.clean(), dict(reversed(distinct.values())), relation, (gap.lhs.clean(), gap.rhs.clean()))


def _require_agreement(claim: Claim, case: Case, generic: GenericSpace, built: Gaps) -> None:
    """Explicit clients, `Symbolic.agreed` of them, must give the forms that the generic client gives there.

    Raises
    ------
    NotApplicable
        If they do not, or if no rational parameters are at hand to compare at.
    """
    compared = 0
    agreed = [{n: v for n, v in {"m": m, "S": S}.items() if n in case.sizes} for m, S in Symbolic.agreed]
    for k, size in enumerate(agreed):
        if size in agreed[:k]:
            continue
        shape, m = {**case.shape, **size}, size["m"]
        for row in claim.world.general(shape, 1) if claim.world.scalars else [{}]:
            point = {n: Fraction(v) for n, v in size.items()} | flat(row)
            try:
                explicit, listed = with_room(partial(run, claim, Case(shape), row), EXPLICIT_SIZES)
                one = [(op, [_valued(f, point) for f in forms]) for op, forms in built]
            except ZeroDivisionError:
                continue
            except TooManyLeaves:
                if compared < Symbolic.least_agreed:
                    raise
                continue
            _compare(listed, one, generic, explicit, m)
            compared += 1
    if not compared:
        raise NotApplicable("no rational parameters at which to compare explicit with generic clients")


def _compare(listed: Gaps, one: Read, generic: GenericSpace, explicit: Space, m: int) -> None:
    """Raise NotApplicable unless the relations of m explicit clients are those of the generic one."""
    if [op for op, _ in listed] != [op for op, _ in one]:
        raise NotApplicable(f"explicit clients (m = {m}) give other relations than a generic one")
    for (op, forms), (_, single) in zip(listed, one, strict=True):
        # a premise has to hold of every client, so one that is stated once must read the same for all of them
        clients, stated = (m, forms * m if len(forms) == 1 else forms) if op == PREMISE else (len(forms), forms)
        try:
            read = [instantiated(single[0], generic, explicit, m, i) for i in range(clients)]
        except KeyError:
            read = []
        if len(single) != 1 or [f.clean() for f in stated] != read:
            raise NotApplicable(f"explicit clients (m = {m}) give another relation {op} than a generic one")


def _require_same(claim: Claim, case: Case, built: Gaps) -> None:
    """The body must say of parameters as symbols what it says of numbers.

    Raises
    ------
    NotApplicable
        If it does not.
    """
    rows = claim.world.general(case.shape, Symbolic.same) if claim.world.scalars else []
    if claim.world.scalars and not rows and not _empty(claim.world, case.shape):
        raise NotApplicable("no rational parameters at which to compare symbols with numbers")
    for row in rows:
        point = flat(row)
        try:
            _, listed = with_room(partial(run, claim, case, row), EXPLICIT_SIZES)
            read = [(op, [_valued(f, point).clean() for f in forms]) for op, forms in built]
        except ZeroDivisionError:
            continue
        if [(op, [f.clean() for f in forms]) for op, forms in listed] != read:
            raise NotApplicable("the body says something else of symbols than of numbers")


def _empty(world: World, shape: dict[str, int]) -> bool:
    """Whether the conditions on scalars contradict each other at a size, so that there is nothing to prove."""
    return satisfiable(world, shape, rlimit=Symbolic.aside) is False


def _valued(form: Form, point: Mapping[str, Fraction]) -> Form:
    """A form at rational parameters."""
    return Form({k: at(c, point) for k, c in form.terms.items()})


def run(
    claim: Claim, case: Case, params: Values, size: int, scale: int = 1, *, roots: bool = True
) -> tuple[Space, Gaps]:
    """The space after the body has run on it with rows of length `size`, and its relations; those of roots as of squares."""
    space = GenericSpace(counts(case, params), size, scale) if case.sizes else Space(size, scale)
    x = claim.world.abstract(scalars_of(claim.world, case, params), case.shape, space)
    relations = claim.relations(x)
    if roots:
        under = (Relation(0, "<=", c, "what is under a root") for c in space.numbers.under_roots)
        relations = (*squared(relations), *under)
    if any(r.op == "<" for r in relations):
        raise NotApplicable("a strict inequality has no certificate")
    premises = x.given if claim.world.at_points else ()
    return space, [(r.op, gaps(r)) for r in relations] + [(PREMISE, gaps(r)) for r in premises]


def _row_sizes(case: Case) -> tuple[int, ...]:
    return GENERIC_SIZES if case.sizes else SIZES


def scalars_of(world: World, case: Case, values: Mapping[str, object]) -> dict[str, object]:
    """A world's scalars from their values by name; those of a per-client scalar may stand one by one (see `flat`)."""
    out: ByName = {}
    for name, spec in world.scalars.items():
        if spec.per_client and name not in values:
            entries = np.empty(case.shape.get("m", 1), dtype=object)
            entries[:] = [values[entry(name, i)] for i in range(len(entries))]
            out[name] = entries
        else:
            out[name] = values[name]
    return out


def flat(scalars: Mapping[str, object]) -> ByName:
    """A world's scalars one by one: ``sigma[0]``, ``sigma[1]`` for an array ``sigma`` over clients."""
    out: ByName = {}
    for name, value in scalars.items():
        out |= {entry(name, i): e for i, e in enumerate(value)} if isinstance(value, np.ndarray) else {name: value}
    return out


def _printed(gaps: Gaps) -> list[tuple[str, list[dict[Key, str]]]]:
    return [(op, [_keyed(f) for f in forms]) for op, forms in gaps]


def _keyed(form: Form) -> dict[Key, str]:
    return {k: text(c) for k, c in form.clean().items()}
