"""Parameters at which a relation fails while the points stay where they are: z3, with the vectors of a few instances as numbers.

A search draws parameters, and passes by a narrow window of them or a place where two of them meet. With the points given,
both sides are functions of the parameters, roots are unknowns with their squares, and z3 is asked where the relation fails.
A rational answer is replayed exactly; an irrational one, or one at which enclosures of roots overlap, leaves a doubt.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable
from ..numbers import _elementwise
from ..relation import relations_of
from ..verdict import Evidence
from ..world import Free, World
from . import exact
from .docket import Docket
from .shrink import refutation
from .terms import Real, Reals, Term, bare, defined, formulas, scope, solve, z3_module

SHAPES, INSTANCES = 2, 2  # sizes that are looked at, the smallest first, and instances of each
SEED = 20200610
FEW = 3  # parameters that z3 is asked about together
SHARE = 10  # of z3's steps
DIGITS = (5, 20)  # to which an irrational parameter is replaced by a rational one
DOUBT = "z3: a counterexample whose parameters are irrational, or at which roots meet"


class Roots(Reals):
    """z3 terms whose square roots are unknowns; `sides` says what is known of these."""

    def __init__(self) -> None:
        super().__init__()
        self.sides: list[Term] = []

    def sqrt(self, s: Any) -> Any:
        return _elementwise(self._root, s)

    def _root(self, s: Any) -> Real:
        root = self.z3.Real(f"root {len(self.sides)}")
        self.sides.append(self.z3.And(root >= 0, root * root == bare(s)))
        return Real(root)


def frozen(claim: Claim, docket: Docket) -> Evidence:
    """Ask z3 for parameters at a few given points; silent where it has none."""
    world = claim.world
    if not world.scalars or not any((e.engine, e.outcome) == ("falsify", "silent") for e in docket.found):
        return Evidence("frozen", "silent")
    doubtful = False
    try:
        for points in _given_points(world, docket.limits.search_m):
            for symbols in _asked_for(world, points.shape):
                free, doubt = _failing(claim, points, symbols, docket.limits.rlimit // SHARE)
                doubtful |= doubt
                if free is not None:
                    return refutation("frozen", claim, [free])
    except (NotApplicable, ZeroDivisionError, z3_module().Z3Exception):  # the body is none of z3's terms
        pass
    return Evidence("frozen", "declines", reason=DOUBT, doubt=True) if doubtful else Evidence("frozen", "silent")


def _given_points(world: World, largest_m: int) -> Iterator[Free]:
    """Instances in quarters, without scalars."""
    rng = np.random.default_rng(SEED)
    for shape in sorted(world.shapes(largest_m) or [{}], key=lambda s: sum(s.values()))[:SHAPES]:
        drawn = None if world.batched_scalars else next(iter(world.sample(rng, shape, 1, 4 * INSTANCES)), None)
        if drawn is None or not drawn.vectors:
            yield Free(shape, {})
            continue
        rows = [world.pick(drawn, k).map(lambda v: Fraction(round(4 * float(v)), 4)) for k in range(4 * INSTANCES)]
        rows.sort(key=lambda f: -sum(np.count_nonzero(v) for v in f.vectors.values()))
        yield from (f.replace(scalars={}) for f in rows[:INSTANCES])


def _asked_for(world: World, shape: dict[str, int]) -> Iterator[dict[str, np.ndarray]]:
    """Every parameter as a symbol where there are few; else one of them after the other, the others small rationals."""
    _, symbols = scope(world, shape)
    if sum(map(len, symbols.values())) <= FEW:
        yield symbols
        return
    for row in world.grid(shape, 1):
        rest = {name: np.reshape(np.array(row[name], dtype=object), -1) for name in symbols}
        yield from ({**rest, name: symbols[name]} for name in symbols)


def _failing(claim: Claim, points: Free, symbols: dict[str, np.ndarray], rlimit: int) -> tuple[Free | None, bool]:
    """The instance at which a relation fails, and whether there is one that cannot be shown."""
    world, numbers, z3 = claim.world, Roots(), z3_module()
    x = world.build(points.replace(scalars=symbols), numbers)
    given, relations = formulas(x.given), formulas(relations_of(claim.body, x, claim.id))
    if world.batched_scalars and not numbers.sides:
        return None, False  # it has been asked already
    doubt = False
    for relation in relations:
        terms = [*given, *_known_of(numbers.sides, [*given, relation])]
        found, model = solve([*defined([*terms, z3.Not(relation)])], rlimit)
        if not found or model is None:
            continue
        for digits in DIGITS:
            scalars, rational = _values(world, model, symbols, digits)
            free = points.replace(scalars=scalars)
            outcome = exact.replay(claim.body, world, free, claim.id).outcome
            if outcome == "refutes":
                return free, False
            if rational:
                break
        doubt |= not rational or outcome == "undecided"
    return None, doubt


def _known_of(sides: list[Term], terms: list[Term]) -> list[Term]:
    """What is known of the roots that occur in the terms, and of those beneath them: another one may be undefined."""
    out: list[Term] = []
    rest = list(enumerate(sides))
    text = " ".join(t.sexpr() for t in terms)
    while hits := [(k, s) for k, s in rest if f"|root {k}|" in text]:
        out += [s for _, s in hits]
        rest = [e for e in rest if e not in hits]
        text = " ".join(s.sexpr() for _, s in hits)
    return out


def _values(world: World, model: Any, symbols: dict[str, np.ndarray], digits: int) -> tuple[dict[str, Any], bool]:
    """The scalars of a model, irrational ones to so many digits, and whether there are none of these."""
    z3, rational = z3_module(), True
    out: dict[str, Any] = {}
    for name, entries in symbols.items():
        values = np.empty(len(entries), dtype=object)
        for i, e in enumerate(entries):
            if not isinstance(e, Real):
                values[i] = e
                continue
            v = model.eval(e.term, model_completion=True)
            if not z3.is_rational_value(v):
                rational, v = False, v.approx(digits)
            values[i] = Fraction(v.numerator_as_long(), v.denominator_as_long())
        out[name] = values if world.scalars[name].per_client else values[0]
    return out, rational
