"""The best constant of a proved bound: read off the semidefinite program, conjectured in closed form, proved by `lift`.

Rests on the value of the program at a few parameters (strong duality, as `tightness`), which only suggests; `symbolic`
proves. Incomplete: the closed form is sought among few, and its proof may be missing.
"""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...formats import Json
from ...instance import Instance
from ...quantity import ByName
from ...relation import Relation
from ...verdict import Evidence
from ...world import Described
from ..budget import Tightness
from ..context import Docket
from . import listed
from .symbolic import lift

ACCURACY = 1e-6  # within which a numeric optimum is read as a closed form; the lift then decides


def best(claim: Claim, docket: Docket) -> Evidence:
    """The least c with ``lhs <= c rhs`` on the whole class, where the program shows one and `lift` proves it."""
    world = claim.world
    if world.batched_scalars:
        return Evidence("best", "silent")
    if not world.sufficient:
        return Evidence("best", "declines", reason="only necessary inequalities are known of the class")
    found: list[tuple[ByName, float]] = []
    try:
        shape = listed.abstract_shapes(world, 2)[-1]
        for scalars in world.grid(shape, Tightness.fitted) if world.scalars else [{}]:
            _, space, relations, _ = listed.targets_of(claim, world, scalars, shape)
            value = listed.tightness(relations, space)
            if value is None:
                return Evidence("best", "declines", reason="the bound has no measure of tightness")
            found.append((scalars, value))
    except (NotApplicable, ZeroDivisionError, IndexError) as error:
        return Evidence("best", "declines", reason=str(error))
    numbers: Json = {"sdp": [value for _, value in found]}
    if all(abs(value - 1) < ACCURACY for _, value in found):
        reason = "the semidefinite program attains the bound (numeric)"
        return Evidence("best", "supports", numbers=numbers | {"constant": "1"}, reason=reason)
    for form in conjectures(world, found):
        if lift(_scaled(claim, form), Docket(docket.limits)).outcome == "proves":
            numbers |= {"constant": form.text, "proved": True}
            reason = f"the bound holds with {form.text} times its right side"
            return Evidence("best", "supports", numbers=numbers, reason=reason)
    return Evidence("best", "declines", numbers=numbers, reason="no closed form was proved")


@dataclass(frozen=True)
class Factor:
    """A constant times powers of parameters, and of sums and differences of two that have one unit."""

    constant: Fraction
    powers: tuple[tuple[tuple[str, ...], int], ...]

    @property
    def text(self) -> str:
        parts = [f"({' '.join(atom)})" if len(atom) > 1 else atom[0] for atom, _ in self.powers]
        shown = [f"{part}^{p}" if p != 1 else part for part, (_, p) in zip(parts, self.powers, strict=True)]
        return " ".join([str(self.constant), *shown]) if self.constant != 1 or not shown else " ".join(shown)

    def of(self, x: Instance) -> Any:
        """Its value on an instance."""
        out: Any = self.constant
        for atom, p in self.powers:
            value = value_of(x, atom)
            out = out * value**p if p > 0 else out / value**-p
        return out


def value_of(x: object, atom: tuple[str, ...]) -> Any:
    """A parameter, or the sum or difference of two or their multiples, ``("2*L", "-", "mu")``, on an instance."""
    first, *rest = atom
    *times, name = first.split("*")
    value = getattr(x, name) * int(times[0]) if times else getattr(x, name)
    if not rest:
        return value
    other = value_of(x, (rest[1],))
    return value + other if rest[0] == "+" else value - other


def conjectures(world: Described, found: list[tuple[dict[str, object], float]], *, multiples: int = 1) -> list[Factor]:
    """The shortest forms that meet every numeric optimum.

    Parameters
    ----------
    world : World
        Whose scalars they are in.
    found : list of (dict, float)
        Parameters, and the optimum there.
    multiples : int
        The largest k of the sums and differences a + k b, k a - b and the like of two parameters with one unit.
    """
    names = [k for k, spec in world.scalars.items() if not spec.per_client][:3]
    pairs = [(a, b) for a, b in itertools.combinations(names, 2) if world.scalars[a].unit.same(world.scalars[b].unit)]
    weights = [(1, 1), *(w for k in range(2, multiples + 1) for w in ((k, 1), (1, k)))]
    atoms: list[tuple[str, ...]] = [(n,) for n in names]
    for (k, n), (a, b) in itertools.product(weights, pairs):
        first, second = (a if k == 1 else f"{k}*{a}"), (b if n == 1 else f"{n}*{b}")
        atoms += [(first, "+", second), (first, "-", second), (second, "-", first)]
    points = [SimpleNamespace(**scalars) for scalars, _ in found]
    atoms = [atom for atom in atoms if all(value_of(x, atom) > 0 for x in points)]
    logs = np.array([[np.log(float(value_of(x, atom))) for atom in atoms] for x in points])
    values = np.log([value for _, value in found])
    out: list[Factor] = []
    for powers in _powers(len(atoms)):
        rest = values - logs @ np.array(powers, dtype=float) if atoms else values
        if np.ptp(rest) > ACCURACY:
            continue
        ratio = float(np.exp(rest.max()))
        c = Fraction(ratio).limit_denominator(Tightness.denominator)
        if c > 0 and abs(float(c) - ratio) <= ACCURACY * ratio:
            out.append(Factor(c, tuple((atom, p) for atom, p in zip(atoms, powers, strict=True) if p)))
    return out


def _powers(atoms: int) -> list[tuple[int, ...]]:
    """Powers of the atoms, of at most three of them and of degree 4 in all, the smallest first."""
    out = [(0,) * atoms]
    for count in range(1, min(atoms, 3) + 1):
        for places, powers in itertools.product(
            itertools.combinations(range(atoms), count), itertools.product((1, -1, 2, -2), repeat=count)
        ):
            if sum(map(abs, powers)) <= 4:
                chosen = dict(zip(places, powers, strict=True))
                out.append(tuple(chosen.get(k, 0) for k in range(atoms)))
    return sorted(out, key=lambda e: sum(map(abs, e)))


def _scaled(claim: Claim, form: Factor) -> Claim:
    def body(x: Instance) -> tuple[Relation, ...]:
        return tuple(Relation(r.lhs, r.op, r.rhs * form.of(x), r.name) for r in claim.relations(x))

    return dataclasses.replace(claim, body=body)
