"""Parameters at which a relation fails while the points stay where they are: z3, with the vectors of a few instances as numbers.

A search draws parameters, and passes by a narrow window of them or a place where two of them meet. With the points given,
both sides are functions of the parameters, and z3 is asked where the relation fails; a root is an unknown with its square, an
exponential or a logarithm one of which little more is known than that it grows. A rational answer is replayed exactly; an
irrational one, or one at which enclosures overlap, leaves a doubt.

Rests on the elimination of quantifiers, as `prove.scalars`, in the parameters alone. Complete for polynomials and roots at
the given points, up to the count of steps; other points are not looked at.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...numbers.kinds import _elementwise
from ...relation import relations_of
from ...world import Abstract, Described, Free, World
from ..budget import Budget, Parameters
from ..context import Docket
from ..counterexamples import exact
from ..z3.terms import Real, Reals, Term, bare, defined, formulas, scope, solve
from ..z3.trees import z3_module
from .proposing import Doubt, Proposals, proposes

if TYPE_CHECKING:
    from ...quantity import Array, ByName, Quantity

SEED = 20200610
DIGITS = (5, 20)  # to which an irrational parameter is replaced by a rational one
DOUBT = "z3: a counterexample whose parameters are irrational, or at which both sides meet"


class Unknown(NamedTuple):
    """The value of a function at a term, as a symbol."""

    name: str
    fn: str
    at: Term
    value: Term

    def known(self) -> Term:
        """What is known of it alone: roots are exact, exponentials and logarithms are bounded by their tangents."""
        z3 = z3_module()
        if self.fn == "sqrt":
            return z3.And(self.value >= 0, self.value * self.value == self.at)
        if self.fn == "exp":
            return z3.And(self.value > 0, self.value >= 1 + self.at)
        return z3.And(self.at > 0, self.value <= self.at - 1)


class Unknowns(Reals):
    """z3 terms on which a root, an exponential or a logarithm is an unknown."""

    def __init__(self, roots_only: bool) -> None:
        super().__init__()
        self.roots_only = roots_only
        self.unknowns: list[Unknown] = []

    def _unknown(self, fn: str, s: Quantity) -> Any:
        return _elementwise(lambda v: self._one(fn, bare(v)), s)

    def _one(self, fn: str, at: Term) -> Real:
        if len(self.unknowns) == Parameters.unknowns or (self.roots_only and fn != "sqrt"):
            raise NotApplicable(f"{fn} in z3")
        name = f"unknown {len(self.unknowns)}"
        self.unknowns.append(Unknown(name, fn, at, self.z3.Real(name)))
        return Real(self.unknowns[-1].value)

    def sqrt(self, s: Quantity) -> Array:
        return self._unknown("sqrt", s)

    def exp(self, s: Quantity) -> Quantity:
        return self._unknown("exp", s)

    def log(self, s: Quantity) -> Quantity:
        return self._unknown("log", s)

    def known(self, terms: list[Term]) -> list[Term]:
        """What is known of the unknowns in the terms, and of those beneath them: each function grows."""
        found: list[Unknown] = []
        texts = [t.sexpr() for t in terms]
        while new := [u for u in self.unknowns if u not in found and any(f"|{u.name}|" in t for t in texts)]:
            found += new
            texts = [u.at.sexpr() for u in new]
        pairs = [(u, v) for u, v in itertools.combinations(found, 2) if u.fn == v.fn]
        return [u.known() for u in found] + [(u.at < v.at) == (u.value < v.value) for u, v in pairs] + [
            (u.at == v.at) == (u.value == v.value) for u, v in pairs
        ]  # fmt: skip

    @property
    def exact(self) -> bool:
        """Whether a model is one of the functions themselves."""
        return all(u.fn == "sqrt" for u in self.unknowns)


@proposes("frozen")
def frozen(claim: Claim, docket: Docket) -> Proposals:
    """What z3 names at a few given points; a doubt where it cannot be shown."""
    world = claim.world
    if not world.scalars or docket.searched is None:
        return
    try:
        for points in _given_points(world, docket.limits):
            for symbols in _asked_for(world, points.shape):
                yield from _failing(claim, points, symbols, docket.limits.rlimit // Parameters.share)
    except (NotApplicable, ZeroDivisionError, z3_module().Z3Exception):  # the body is none of z3's terms
        pass


def _given_points(world: World, limits: Budget) -> Iterator[Free]:
    """Instances in quarters, without scalars."""
    rng, effort = np.random.default_rng(SEED), limits.of(Parameters)
    for shape in sorted(world.shapes(limits.search_m) or [{}], key=lambda s: sum(s.values()))[: effort.sizes]:
        drawn = None if world.batched_scalars else next(iter(world.sample(rng, shape, 1, 4 * effort.instances)), None)
        if drawn is None and not world.batched_scalars:  # no draw meets the conditions at points
            continue
        if drawn is None or not drawn.vectors:
            yield Free(shape, {})
            continue
        rows = [
            world.pick(drawn, k).map(lambda v: Fraction(round(4 * float(v)), 4)) for k in range(4 * effort.instances)
        ]
        rows.sort(key=lambda f: -sum(np.count_nonzero(v) for v in f.vectors.values()))
        yield from (f.replace(scalars={}) for f in rows[: effort.instances])


def _asked_for(world: Abstract, shape: dict[str, int]) -> Iterator[dict[str, np.ndarray]]:
    """Every parameter as a symbol where there are few; else one of them after the other, the others small rationals."""
    _, symbols = scope(world, shape)
    if sum(map(len, symbols.values())) <= Parameters.together:
        yield symbols
        return
    for row in world.grid(shape, 1):
        rest = {name: np.reshape(np.array(row[name], dtype=object), -1) for name in symbols}
        yield from ({**rest, name: symbols[name]} for name in symbols)


def _failing(claim: Claim, points: Free, symbols: dict[str, np.ndarray], rlimit: int) -> Iterator[Free | Doubt]:
    """Instances at which z3 says that a relation fails; a doubt where one cannot be shown."""
    world, numbers, z3 = claim.world, Unknowns(not claim.world.batched_scalars), z3_module()
    x = world.build(points.replace(scalars=symbols), numbers)
    given, relations = formulas(x.given), relations_of(claim.body, x, claim.id)
    if world.batched_scalars and not numbers.unknowns:
        return  # it has been asked already
    for relation in relations:
        for claimed in formulas([relation]):
            terms = [*given, *numbers.known([*given, claimed])]
            found, model = solve(defined([*terms, z3.Not(claimed)]), rlimit)
            if not found or model is None:
                continue
            for digits in DIGITS:
                scalars, rational = _values(world, model, symbols, digits)
                free = points.replace(scalars=scalars)
                outcome = exact.judge(claim.body, world, free, claim.id).outcome
                yield free
                if rational:
                    break
            meets = outcome == "undecided" and (numbers.exact or relation.op == "<")  # z3 knows little of functions
            if meets or (numbers.exact and not rational):
                yield Doubt(DOUBT)


def _values(world: Described, model: Any, symbols: dict[str, np.ndarray], digits: int) -> tuple[ByName, bool]:
    """The scalars of a model, irrational ones to so many digits, and whether there are none of these."""
    z3, rational = z3_module(), True
    out: ByName = {}
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
