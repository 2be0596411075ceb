"""Certificates with parameters as symbols: true for all of them, and for every number of clients.

The body runs on Gram arrays whose coefficients are rational functions of the claim's parameters. An identity holds when
its difference vanishes (SymPy). For an inequality, certificates at a few rational parameters show which of the class's
inequalities take part; their multipliers are then solved for, or fitted, as rational functions, and checked: the rest
has no function values, its multipliers and constant are non-negative, and its Gram matrix is positive semidefinite, by
the signs of pivots or principal minors on the stated region (`Signs`). One generic client stands for m >= 2 of them
(`generic`); m = 1 is a case of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable
from ..gram.forms import GENERIC_SIZES, SIZES, Form, Key, Space, gaps, with_room
from ..gram.generic import GenericSpace, instantiated, virtual
from ..gram.ratio import at, coefficient, symbols
from ..verdict import Evidence
from ..world import World
from .certificate import program as certificate
from .certificate.multipliers import parse, solved
from .certificate.positivity import Multipliers, proves
from .certificate.signs import Signs

POINTS = 4  # rational parameters at which multipliers are sought before they are fitted
PREMISE = "given"  # in place of the op of a stated condition at points, which is not proved but has to agree
LARGEST_CASES = 8  # structures beyond which a claim is left to listed sizes


@dataclass(frozen=True)
class Case:
    """One structure of a claim: explicit sizes, or a generic client with symbols for `sizes`."""

    shape: dict[str, int]
    sizes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        rest = ", ".join(f"{k}={v}" for k, v in self.shape.items() if k not in (*self.sizes, "d"))
        return ", ".join(filter(None, [f"every {' and '.join(self.sizes)}, m >= 2" if self.sizes else "", rest]))


def lift(claim: Claim, *, stored: dict[str, Any], rlimit: int, partial: bool = True) -> Evidence:
    """Seek a proof for all parameters; it certifies only where some sizes stay listed (not sought unless `partial`).

    Stored multipliers are re-checked without a semidefinite solver; new ones are added to `stored`.
    """
    cases, complete = cases_of(claim.world)
    if not (complete or partial):
        return Evidence("lift", "declines", reason="some sizes of this world can only be listed")
    if len(cases) > LARGEST_CASES:
        return Evidence("lift", "declines", reason=f"more than {LARGEST_CASES} structures")
    identities = True
    found: dict[str, list[dict[str, str]]] = {}
    try:
        for case in cases:
            multipliers, ops = _case(claim, case, stored.get(f"{claim.id} lift {case.name}"), rlimit)
            if multipliers is None:
                return Evidence("lift", "declines", [case.name], reason="no multipliers were found for all parameters")
            identities &= set(ops) <= {"=="}
            found[f"{claim.id} lift {case.name}"] = multipliers
    except (NotApplicable, IndexError) as error:
        return Evidence("lift", "declines", reason=str(error))
    if not any(found.values()):
        return Evidence("lift", "declines", reason="a side is undefined for all parameters")
    stored.update({k: v for k, v in found.items() if any(v)})
    scope: Any = "all" if complete else [{"parameters": "all", "sizes": case.name} for case in cases]
    how = {case.name or "all": _shown(found[f"{claim.id} lift {case.name}"]) for case in cases}
    engine = "symbolic" if identities else "lift"
    return Evidence(engine, "proves" if complete else "certifies", scope, {"multipliers": how}, "any dimension")


def cases_of(world: World) -> tuple[list[Case], bool]:
    """The structures to prove, and whether they are all that the world allows."""
    sizes = world.sizes
    rest = [k for k in sizes if k not in (("m", "S", "d") if "m" in sizes else ("d",))]
    complete = all(len(sizes[k]) == 1 for k in rest)
    generic = world.exchangeable and not any(s.per_client for s in world.scalars.values())
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
                cases += [Case({**structure, "m": 2, **c}) for c in ([{"S": 1}, {"S": 2}] if chosen else [{}])]
    return cases, complete


def _case(claim: Claim, case: Case, known: Any, rlimit: int) -> tuple[list[dict[str, str]] | None, list[str]]:
    """Multipliers of every target of one case, and its relations; both empty where a side is undefined."""
    world = claim.world
    names = _names(world, case)
    params = symbols([*names, *case.sizes])
    try:
        space, targets = _targets(claim, case, params)
    except ZeroDivisionError:
        return [], []
    signs = Signs(world, case.shape, case.sizes, rlimit)
    out: list[dict[str, str]] = []
    for k, (op, target, inequalities) in enumerate(targets):
        if op == "==":
            if target:
                return None, []
            out.append({})
            continue
        given = known[k] if known is not None and len(known) == len(targets) else None
        multipliers = _prove(target, inequalities, space, signs, world, case, given, params)
        if multipliers is None:
            return None, []
        out.append({name: str(m) for name, m in multipliers.items()})
    return out, [op for op, _, _ in targets]


def _names(world: World, case: Case) -> list[str]:
    out: list[str] = []
    for name, spec in world.scalars.items():
        out += [f"{name}{i}" for i in range(case.shape.get("m", 1))] if spec.per_client else [name]
    return out


def _scalars(world: World, case: Case, values: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, spec in world.scalars.items():
        if spec.per_client and name not in values:
            entries = np.empty(case.shape.get("m", 1), dtype=object)
            entries[:] = [values[f"{name}{i}"] for i in range(len(entries))]
            out[name] = entries
        else:
            out[name] = values[name]
    return out


Target = tuple[str, dict[Key, Any], list[tuple[str, dict[Key, Any]]]]


def _targets(claim: Claim, case: Case, params: Mapping[str, Any]) -> tuple[Space, list[Target]]:
    """(space, [(op, form that must be non-negative, inequalities over the same leaves)])."""
    (space, built), (_, again) = with_room(
        lambda size: tuple(_forms(claim, case, params, _space(case, params, size, scale)) for scale in (1, -2)),
        _row_sizes(case),
    )
    if [(op, [_keyed(f) for f in forms]) for op, forms in built] != [
        (op, [_keyed(f) for f in forms]) for op, forms in again
    ]:
        raise NotApplicable("the body reads coordinates of a vector; inner products are x.dot and x.sq")
    if isinstance(space, GenericSpace):
        _require_agreement(claim, case)
    relations = [(op, forms) for op, forms in built if op != PREMISE]
    if any(op != "==" for op, _ in relations):
        space.close()
    if space.equalities:
        raise NotApplicable("equalities of the space are not lifted")
    out: list[Target] = []
    for op, forms in relations:
        for gap in forms:
            form, rows = gap, [*space.inequalities]
            if isinstance(space, GenericSpace):
                form, rows = virtual(gap, space.with_means(), space.numbers)
            distinct = {repr(sorted(_keyed(f).items())): (name, f.clean()) for name, f in reversed(rows)}
            out.append((op, form.clean(), list(reversed(distinct.values()))))
    return space, out


def _require_agreement(claim: Claim, case: Case) -> None:
    """Explicit clients, two and three of them, must give the forms that the generic client gives.

    Raises
    ------
    NotApplicable
        If they do not, or if no rational parameters are at hand to compare at.
    """
    compared = 0
    for m, S in ((2, 1), (3, 2)):
        size = {n: v for n, v in {"m": m, "S": S}.items() if n in case.sizes}
        shape = {**case.shape, **size}
        rows = claim.world.grid(shape, 1) if claim.world.scalars else [{}]
        if not rows:
            continue
        point = {**{n: Fraction(v) for n, v in size.items()}, **rows[0]}
        try:
            explicit, listed = _built(claim, Case(shape), rows[0])
            generic, one = _built(claim, case, {n: coefficient(v) for n, v in point.items()})
        except ZeroDivisionError:
            continue
        assert isinstance(generic, GenericSpace)
        for (op, forms), (_, single) in zip(listed, one, strict=True):
            # a premise has to hold of every client, so one that is stated once must read the same for all of them
            clients, stated = (m, forms * m if len(forms) == 1 else forms) if op == PREMISE else (len(forms), forms)
            try:
                read = [instantiated(single[0], generic, explicit, m, i) for i in range(clients)]
            except KeyError:
                read = []
            if len(single) != 1 or [f.clean() for f in stated] != read:
                raise NotApplicable(f"explicit clients (m = {m}) give another relation {op} than a generic one")
        compared += 1
    if not compared:
        raise NotApplicable("no rational parameters at which to compare explicit with generic clients")


def _keyed(form: Form) -> dict[Key, str]:
    return {k: repr(c) for k, c in form.clean().items()}


def _row_sizes(case: Case) -> tuple[int, ...]:
    return GENERIC_SIZES if case.sizes else SIZES


def _built(claim: Claim, case: Case, params: Mapping[str, Any]) -> tuple[Space, list[tuple[str, list[Form]]]]:
    return with_room(lambda size: _forms(claim, case, params, _space(case, params, size)), _row_sizes(case))


def _space(case: Case, params: Mapping[str, Any], size: int, scale: int = 1) -> Space:
    sizes = {name: params[name] for name in case.sizes}
    return GenericSpace(sizes, size, scale) if case.sizes else Space(size, scale)


def _forms(
    claim: Claim, case: Case, params: Mapping[str, Any], space: Space
) -> tuple[Space, list[tuple[str, list[Form]]]]:
    """The space after the body has run on it, and (op, right minus left side) of every relation and of every premise."""
    x = claim.world.abstract(_scalars(claim.world, case, params), case.shape, space)
    relations = claim.relations(x)
    if any(r.op == "<" for r in relations):
        raise NotApplicable("a strict inequality has no certificate")
    premises = x.given if claim.world.at_points else ()
    return space, [(r.op, gaps(r)) for r in relations] + [(PREMISE, gaps(r)) for r in premises]


def _prove(
    target: dict[Key, Any],
    inequalities: list[tuple[str, dict[Key, Any]]],
    space: Space,
    signs: Signs,
    world: World,
    case: Case,
    known: Mapping[str, str] | None,
    params: Mapping[str, Any],
) -> Multipliers | None:
    """Multipliers, as rational functions, that prove ``target >= 0``."""
    rows = dict(inequalities)
    if known is not None and set(known) <= set(rows):
        recalled = {name: parse(text, params) for name, text in known.items()}
        if proves(target, rows, recalled, signs):
            return recalled
    if proves(target, rows, {}, signs):
        return {}
    samples: list[tuple[dict[str, Fraction], Multipliers]] = []
    for point in _points(world, case):
        try:
            numeric = Space()
            numeric.inequalities = [(n, Form({k: at(c, point) for k, c in f.items()})) for n, f in inequalities]
            proposal = certificate.propose({k: v for k, c in target.items() if (v := at(c, point))}, numeric)
        except ZeroDivisionError:
            continue
        if proposal is None:
            return None
        samples.append((point, dict(proposal.multipliers)))
    tried: list[frozenset[str]] = []
    union = frozenset(n for _, found in samples for n in found)
    for active in sorted({*(frozenset(found) for _, found in samples), union}, key=len):
        if active in tried:
            continue
        tried.append(active)
        multipliers = solved(target, rows, sorted(active), samples, signs)
        if multipliers is not None:
            return multipliers
    return None


def _points(world: World, case: Case) -> list[dict[str, Fraction]]:
    """Rational parameters that meet the conditions, with sizes where these are symbols."""
    sizes = [{}] if not case.sizes else [{"m": 2, "S": 1}, {"m": 3, "S": 2}, {"m": 5, "S": 2}, {"m": 4, "S": 3}]
    out: list[dict[str, Fraction]] = []
    for k, size in enumerate(itertools.islice(itertools.cycle(sizes), POINTS)):
        size = {n: v for n, v in size.items() if n in case.sizes}
        rows = world.grid({**case.shape, **size}, k + 1) if world.scalars else [{}]
        if not rows:
            continue
        point = {n: Fraction(v) for n, v in size.items()}
        for name, value in rows[-1].items():
            point |= {f"{name}{i}": e for i, e in enumerate(value)} if isinstance(value, np.ndarray) else {name: value}
        out.append(point)
    return out


def _shown(multipliers: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    return [dict(m) for m in multipliers]
