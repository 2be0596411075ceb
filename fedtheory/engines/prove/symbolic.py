"""Certificates with parameters as symbols: true for all of them, and for every number of clients.

The body runs on Gram arrays whose coefficients are rational functions of the claim's parameters. An identity holds when
its difference vanishes (SymPy). For an inequality, certificates at a few rational parameters show which of the class's
inequalities take part; their multipliers are then solved for, or fitted, as rational functions, and checked: the rest
has no function values, its multipliers and constant are non-negative, and its Gram matrix is positive semidefinite, by
the signs of pivots or principal minors on the stated region (`Signs`). One generic client stands for m >= 2 of them
(`gram.generic`); m = 1 is a case of its own.

Rests on weak duality of the performance-estimation program (see `listed`), with multipliers that are functions of the
parameters; positive semidefinite is shown by Schur complements (E. Haynsworth 1968), or by all principal minors. Incomplete:
multipliers need not be rational functions of the degree that is fitted, nor need their signs be found.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.forms import Form, Space
from ...gram.ratio import Ratio, at, text
from ...verdict import Evidence
from ...world import World
from ..budget import Products, Symbolic
from ..certificates.cases import Case, Target, cases_of, flat, one_drawn, parameters, targets_of
from ..certificates.parts import Part
from ..certificates.products.recall import sought
from ..certificates.sdp.multipliers import of_few, parse, solved
from ..certificates.sdp.positivity import Multipliers, proves
from ..certificates.sdp.propose import propose
from ..certificates.signs import Signs
from ..certificates.slack import lifted_part
from ..context import Docket
from .listed import of_runs

# sizes there, where these are symbols
SAMPLED = ({"m": 2, "S": 1}, {"m": 3, "S": 2}, {"m": 5, "S": 2}, {"m": 4, "S": 3})
Texts = list[dict[str, str]]  # multipliers of every target of a case, by the name of their inequality


def lift(claim: Claim, docket: Docket) -> Evidence:
    """Seek a proof for all parameters; it certifies where some sizes stay listed, which is sought where there is time.

    Stored multipliers are re-checked without a semidefinite solver; new ones are added to the store.
    """
    if of_runs(claim.world):
        return Evidence("lift", "declines", reason="some sizes of this world can only be listed")
    return for_all_parameters(claim, docket)


def for_all_parameters(claim: Claim, docket: Docket) -> Evidence:
    """`lift`, also at the listed lengths of a run."""
    cases, complete = cases_of(claim.world)
    complete &= not claim.world.index  # the sizes that it lists are not all
    if not (complete or docket.limits.thorough):
        return Evidence("lift", "declines", reason="some sizes of this world can only be listed")
    said = _lifted(claim, cases, complete, docket)
    if said.outcome == "declines" and complete and (drawn := one_drawn(claim.world, cases)):
        at_one = _lifted(claim, drawn, False, docket)
        return at_one if at_one.outcome == "certifies" else said
    return said


def _lifted(claim: Claim, cases: Sequence[Case], complete: bool, docket: Docket) -> Evidence:
    """A proof of every case; it certifies where these are not all, as not `complete`."""
    if len(cases) > Symbolic.cases:
        return Evidence("lift", "declines", reason=f"more than {Symbolic.cases} structures")
    identities = True
    relations = 0
    undefined: list[str] = []
    found: dict[str, Texts] = {}
    parts: list[Part | None] = []
    try:
        for case in cases:
            key = f"{claim.id} lift {case.name}"
            try:
                multipliers, ops, count = _case(claim, case, docket, parts)
            except ZeroDivisionError:
                undefined.append(case.name or "all")
                continue
            relations = max(relations, count)
            if multipliers is None:
                return Evidence("lift", "declines", [case.name], reason="no multipliers were found for all parameters")
            identities &= set(ops) <= {"=="}
            found[key] = multipliers
    except (NotApplicable, IndexError) as error:
        return Evidence("lift", "declines", reason=str(error))
    if not any(found.values()):
        return Evidence("lift", "declines", reason="a side is undefined for all parameters")
    if undefined and relations > 1:  # one of them is undefined there, and another may fail
        reason = f"a side is undefined at {'; '.join(undefined)}, where the other relations are not judged"
        return Evidence("lift", "declines", undefined, reason=reason)
    docket.stored.update({key: texts for key, texts in found.items() if any(texts)})
    scope: object = "all" if complete else [{"parameters": "all", "sizes": case.name} for case in cases]
    how = {case.name or "all": found[key] for case in cases if (key := f"{claim.id} lift {case.name}") in found}
    engine = "symbolic" if identities else "lift"
    figures = {"domain": f"a side is undefined at {'; '.join(undefined)}"} if undefined else {}
    numbers = {"multipliers": how}
    outcome = "proves" if complete else "certifies"
    certificate = None if None in parts else [part for part in parts if part]
    if certificate and not complete:
        certificate = [{**part, "where": {"parameters": "all", "sizes": part["where"]}} for part in certificate]
    return Evidence(engine, outcome, scope, numbers, "any dimension", figures=figures, certificate=certificate)


def _case(claim: Claim, case: Case, docket: Docket, parts: list[Part | None]) -> tuple[Texts | None, list[str], int]:
    """Multipliers of every target of one case, the operators of the targets, and how many relations the body has.

    The part of its certificate is added to `parts`, None where there is none.

    Raises
    ------
    ZeroDivisionError
        If a side is undefined in this case.
    """
    stored = docket.stored.get(f"{claim.id} lift {case.name}")
    recalled = docket.stored.get(f"{claim.id} products {case.name}", [{}])[0]
    signs = Signs(claim.world, case.shape, case.sizes, docket.limits.signs, recalled)
    setting = Setting(claim.world, case, parameters(claim.world, case), signs)
    targets = targets_of(claim, case, setting.params)
    relations = len({target.relation for target in targets})
    known: Sequence[Mapping[str, str] | None] = [None] * len(targets)
    if stored is not None and len(stored) == len(targets):
        known = stored
    out: Texts = []
    proofs: list[Multipliers] = []
    for target, before in zip(targets, known, strict=True):
        multipliers: Multipliers | None = None if target.form else {}
        if target.op != "==":
            with suppress(ZeroDivisionError):  # of a search, which says nothing of the sides
                multipliers = _prove(target, setting, before)
        if multipliers is None:
            return None, [], relations
        proofs.append(multipliers)
        out.append({name: text(factor) for name, factor in multipliers.items()})
    parts.append(_part(claim, setting, targets, proofs, docket) if docket.certificates else None)
    return out, [target.op for target in targets], relations


def _part(
    claim: Claim, setting: Setting, targets: Sequence[Target], proofs: Sequence[Multipliers], docket: Docket
) -> Part | None:
    """The part of the certificate of one case; proofs of signs that took a search are stored."""
    case, key = setting.case, f"{claim.id} products {setting.case.name}"
    stated = [(t.op, t.sides, t.rows, found) for t, found in zip(targets, proofs, strict=True)]
    programs = Products.long if docket.limits.thorough else Products.short

    def search(recalled: Mapping[str, str]) -> tuple[Part, dict[str, str]]:
        return lifted_part(claim.world, case.shape, setting.params, case.sizes, stated, recalled, programs=programs)

    part = sought(docket.stored, key, programs, search)
    return part and {"where": case.name or "all", **part, **_named(part, targets)}


def _named(part: Part, targets: Sequence[Target]) -> dict[str, dict[str, str]]:
    """What the leaves and values are that occur in the relations of a part."""
    forms = [form for r in part["relations"] for form in (r["lhs"], r["rhs"], *r.get("rows", {}).values())]
    keys = [key.split(" ") for form in forms for key in form]
    leaves = {k for kind, *places in keys if kind == "G" for k in places}
    leaves |= {k for r in part["relations"] for piece in r["pieces"] for k in piece.get("square", ())}
    values = {k for kind, *places in keys if kind == "v" for k in places}
    named = targets[0].named if targets else {"leaves": {}, "values": {}}
    said = {"leaves": leaves, "values": values}
    return {what: {k: named[what][int(k)] for k in sorted(ks, key=int)} for what, ks in said.items()}


@dataclass(frozen=True)
class Setting:
    """Where a case is proved: its parameters as symbols, the signs on the stated region, and points of the region."""

    world: World
    case: Case
    params: Mapping[str, Ratio]
    signs: Signs

    @cached_property
    def points(self) -> list[dict[str, Fraction]]:
        """Rational parameters that meet the conditions, with sizes where these are symbols."""
        out: list[dict[str, Fraction]] = []
        for k, sampled in enumerate(itertools.islice(itertools.cycle(SAMPLED), Symbolic.points)):
            size = {n: v for n, v in sampled.items() if n in self.case.sizes}
            rows = self.world.grid({**self.case.shape, **size}, k + 1) if self.world.scalars else [{}]
            if rows:
                out.append({n: Fraction(v) for n, v in size.items()} | flat(rows[-1]))
        return out


def _prove(target: Target, setting: Setting, known: Mapping[str, str] | None) -> Multipliers | None:
    """Multipliers, as rational functions, that prove ``form >= 0``: those known, none, or those that samples suggest."""
    form, rows, signs = target.form, target.rows, setting.signs
    if known is not None and set(known) <= set(rows):
        recalled = {name: parse(text, setting.params) for name, text in known.items()}
        if proves(form, rows, recalled, signs):
            return recalled
    if proves(form, rows, {}, signs):
        return {}
    samples = _samples(target, setting.points)
    if samples is None:
        return None
    union = frozenset(name for _, found in samples for name in found)
    fewest_first = sorted(
        {union, *(frozenset(found) for _, found in samples)}, key=lambda names: (len(names), sorted(names))
    )
    for active in fewest_first:
        multipliers = solved(form, rows, sorted(active), samples, signs, target.sides)
        if multipliers is not None:
            return multipliers
    return of_few(form, rows, samples, signs)


def _samples(
    target: Target, points: Sequence[Mapping[str, Fraction]]
) -> list[tuple[Mapping[str, Fraction], Multipliers]] | None:
    """Certificates at rational parameters; None where one of them has none."""
    samples: list[tuple[Mapping[str, Fraction], Multipliers]] = []
    for point in points:
        try:
            numeric = Space()
            numeric.inequalities = [
                (name, Form({k: at(c, point) for k, c in row.items()})) for name, row in target.rows.items()
            ]
            proposal = propose({k: v for k, c in target.form.items() if (v := at(c, point))}, numeric)
        except ZeroDivisionError:
            continue
        if proposal is None:
            return None
        samples.append((point, dict(proposal.multipliers)))
    return samples
