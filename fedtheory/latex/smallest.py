"""The smallest constant of a bound: a conjecture from what the semidefinite program and the search see, which the referee decides.

A bound is ``A <= c B`` with a claim for every c. That a c is the smallest is known where the referee proves the claim at c, and
an exact instance with ``B > 0`` has equality there; that it is near the smallest, where a counterexample refutes a share of it.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import flint
import numpy as np

from ..claim import Claim
from ..engines.certificates.sdp.program import best_factor
from ..engines.counterexamples import exact
from ..engines.counterexamples.witness import free_of
from ..engines.prove import listed
from ..engines.prove.best_constant import Factor, conjectures, value_of
from ..errors import NotApplicable
from ..formats import Json
from ..gram.forms import Form
from ..quantity import ByName, Quantity
from ..referee.decide import verify
from ..relation import Relation
from ..verdict import Verdict

POINTS = 4  # parameters at which the semidefinite program is solved
FORMS = 6  # closed forms that are tried
MULTIPLES = 2  # in their sums of parameters
TRIES = 16  # numbers that are,
FEW = 3  # and where the constant depends on parameters
WIDTHS = (
    1 + 1e-6,
    1.001,
    1.01,
    1.1,
    1.5,
    2.0,
)  # of the intervals above what was seen, in which a simple number is tried
GROWTH = (1 + 1e-6, 1.01, 1.1, 2.0, 8.0, 64.0, 4096.0, 1e9)  # the same where none is known to hold
SHARES = (Fraction(999, 1000), Fraction(99, 100), Fraction(9, 10))
SQUARES = 64  # largest sum of both parts of a number under a root
BELOW = (0.98, 1 - 2e-6)  # parts of what a verdict calls tight, where the next number is sought
NEAR = 1e-4  # above what the semidefinite program says the first number is sought
SAME = 1e-6  # what a search sees is a float


@dataclass(frozen=True)
class Constant:
    """A constant: as it is typed in plain text, one over it, and its value on an instance."""

    text: str
    inverse: str
    of: Callable[[Any], Quantity]


@dataclass(frozen=True)
class Best:
    """What was found of the smallest constant.

    Attributes
    ----------
    constant : Constant or None
        With which the bound holds; None where none was found.
    verdict : Verdict or None
        At it.
    share : Fraction or None
        At this share of it the bound fails,
    witness : dict or None
        there,
    attained : bool
        and whether both sides are equal there at the constant itself, so that none is smaller.
    seen : list of (dict, float)
        What the semidefinite program says at parameters.
    failed : Verdict or None
        The last one at which it was refuted, where none was found.
    low : Fraction
        An instance asks for at least this number, where it was looked for one.
    """

    constant: Constant | None = None
    verdict: Verdict | None = None
    share: Fraction | None = None
    witness: Json | None = None
    attained: bool = False
    seen: list[tuple[ByName, float]] = dataclasses.field(default_factory=list)
    failed: Verdict | None = None
    low: Fraction = Fraction(0)


def smallest(base: Claim, *, budget: str = "quick", seed: int = 0) -> Best:
    """The smallest c of ``A <= c B``.

    Parameters
    ----------
    base : Claim
        A relation ``A <= B``, or several.
    budget : {"quick", "standard", "deep"}
        Of every decision.
    """

    def decided(c: Constant) -> Verdict:
        return verify(scaled(base, c), budget=budget, seed=seed)

    seen = _seen(base)
    failed = None
    for form in _forms(base, seen):
        said = decided(form)
        if said.verdict == "proved":
            return dataclasses.replace(_near(base, form, said, decided), seen=seen)
        failed = said if said.verdict == "refuted" else failed
    values = [value for _, value in seen]
    if varies(seen):  # it depends on the parameters: a number is no smallest one
        start = simplest(Fraction(max(values)), Fraction(max(values)) * Fraction(21, 20))
        found = _number(base, decided, start, FEW)
        if max(values) <= 1 + SAME and (found.constant is None or Fraction(found.constant.text) > 1):
            found = _number(base, decided, Fraction(1), 1)
    elif values:
        start = simplest(Fraction(max(values)), Fraction(max(values) * (1 + NEAR)))
        found = _number(base, decided, start, TRIES)
    else:
        found = _number(base, decided, Fraction(1), TRIES)
    return dataclasses.replace(found, seen=seen, failed=failed if found.failed is None else found.failed)


def varies(seen: list[tuple[dict[str, object], float]]) -> bool:
    """Whether the constant differs from parameters to parameters, as the semidefinite program sees it."""
    values = [value for _, value in seen]
    return bool(values) and max(values) > min(values) * (1 + NEAR)


def scaled(base: Claim, c: Constant) -> Claim:
    """The claim that ``A <= c B``."""

    def body(x: Any, *time: object) -> tuple[Relation, ...]:
        return tuple(Relation(r.lhs, r.op, r.rhs * c.of(x), r.name) for r in base.relations(x))

    return dataclasses.replace(base, body=body, control=None, repair=None)


def _seen(base: Claim) -> list[tuple[dict[str, object], float]]:
    """The smallest constant by the semidefinite program at some parameters; nothing where it does not apply."""
    world = base.world
    if world.batched_scalars:
        return []
    found = []
    try:
        shape = listed.abstract_shapes(world, 2)[-1]
        for scalars in world.general(shape, POINTS) if world.scalars else [{}]:
            _, space, relations, _ = listed.targets_of(base, world, scalars, shape)
            if len(relations) > 1:
                return []
            (r,) = relations
            sides = np.broadcast_arrays(np.asarray(r.lhs, dtype=object), np.asarray(r.rhs, dtype=object))
            above, below = (Form.of(side.flat[0]) for side in sides)
            value = best_factor(above, below, space)
            if value is None or value <= 0:
                return []
            found.append((scalars, value))
    except (NotApplicable, ZeroDivisionError, IndexError, OverflowError):
        return []
    return found


def _forms(base: Claim, seen: list[tuple[dict[str, object], float]]) -> Iterator[Constant]:
    """Closed forms in the parameters that meet all that was seen, the shortest first."""
    if len({tuple(sorted(scalars.items())) for scalars, _ in seen}) < POINTS and base.world.scalars:
        return  # every form meets one point
    for form in conjectures(base.world, seen, multiples=MULTIPLES)[:FORMS] if seen else []:
        inverse = Factor(1 / form.constant, tuple((atom, -power) for atom, power in form.powers))
        yield Constant(text_of(form), text_of(inverse), partial(_value, form))


def _value(form: Factor, x: Any) -> Any:
    """A form on an instance, in the numbers of the instance."""
    out = x.ratio(form.constant.numerator, form.constant.denominator)
    for atom, power in form.powers:
        value = value_of(x, atom)
        out = out * value**power if power > 0 else out / value**-power
    return out


def text_of(form: Factor) -> str:
    """A form as one types it."""
    above = [str(form.constant.numerator)] if form.constant.numerator != 1 else []
    below = [str(form.constant.denominator)] if form.constant.denominator != 1 else []
    for atom, power in form.powers:
        name = atom[0] if len(atom) == 1 else f"({' '.join(atom)})"
        (above if power > 0 else below).append(name + (f"^{abs(power)}" if abs(power) > 1 else ""))
    top = "*".join(above) or "1"
    text = top if not below else f"{top}/{below[0]}" if len(below) == 1 else f"{top}/({'*'.join(below)})"
    return re.sub(r"\blam\b", "lambda", text)


def number(q: Fraction) -> Constant:
    """A rational number."""
    return Constant(str(q), str(1 / q), lambda x: x.ratio(q.numerator, q.denominator))


def root(q: Fraction) -> Constant:
    """Its square root; a number where that is rational."""
    top, below = math.isqrt(q.numerator), math.isqrt(q.denominator)
    if (top**2, below**2) == (q.numerator, q.denominator):
        return number(Fraction(top, below))
    return Constant(f"sqrt({q})", f"sqrt({1 / q})", lambda x: x.sqrt(x.ratio(q.numerator, q.denominator)))


def _number(base: Claim, decided: Callable[[Constant], Verdict], c: Fraction, tries: int) -> Best:
    """A number: between what instances ask for and what is proved, the simplest ones first, from `c` on."""
    low, high = Fraction(0), None  # an instance asks for the one, and the other is proved
    proof: tuple[Constant, Verdict] | None = None
    failed, step = None, 0
    for _ in range(tries):
        said = decided(number(c))
        if said.verdict == "proved":
            high, proof, step = c, (number(c), said), 0
            hint = c * Fraction(min(said.tightness or Fraction(1, 4), 1))
        elif said.verdict == "refuted":
            failed, before = said, low
            low = max(low, _ratio(base, said) or c)
            step = step + 1 if before and low <= before * Fraction(101, 100) else 0
        else:
            step += 1
        widths = GROWTH if high is None else WIDTHS
        if step >= len(widths) or (high is not None and high <= low * Fraction(1 + SAME)):
            break
        if said.verdict == "proved" and low < hint * Fraction(BELOW[0]):
            c = simplest(hint * Fraction(BELOW[0]), hint * Fraction(BELOW[1]))
            continue
        c = simplest(low * Fraction(1 - SAME), low * Fraction(widths[step])) if low else c / 4 if high else c * 4
        if high is not None and c >= high:
            c = simplest((low * 3 + high) / 4, (low + high) / 2)
            step += 1
    if proof is None:
        return Best(failed=failed, low=low)
    found = dataclasses.replace(_near(base, *proof, decided), low=low)
    q = simplest(low * low * Fraction(1 - 1e-7), low * low * Fraction(1 + 1e-5))
    if tries == TRIES and not found.attained and 1 < q.denominator + q.numerator <= SQUARES:
        said = decided(root(q))
        if said.verdict == "proved":
            return _near(base, root(q), said, decided)
    return found


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of the smallest denominator between two that are not negative."""
    whole = low.numerator // low.denominator
    if low == whole:
        return Fraction(whole) if whole or high == 0 else Fraction(1, high.denominator // high.numerator + 1)
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


def _ratio(base: Claim, said: Verdict) -> Fraction | None:
    """A/B at the witness of a verdict."""
    sides = exact.replay(base.body, base.world, free_of(said.witness or {}, base.world), base.id).relations
    value = exact.ratio(sides)
    return None if value is None else Fraction(value)


def _near(base: Claim, c: Constant, said: Verdict, decided: Callable[[Constant], Verdict]) -> Best:
    """The constant with an instance that fails at a share of it, as near to one as is found."""
    for share in SHARES:
        near = decided(_share(c, share))
        if near.verdict == "refuted" and near.witness is not None:
            free = free_of(near.witness, base.world)
            sides = exact.replay(scaled(base, c).body, base.world, free, base.id).relations
            return Best(c, said, share, near.witness, any(_equal(side) for side in sides))
    return Best(c, said)


def _share(c: Constant, share: Fraction) -> Constant:
    """A part of a constant."""
    return Constant("", "", lambda x: c.of(x) * x.ratio(share.numerator, share.denominator))


def _equal(side: exact.Side) -> bool:
    """Whether both sides are one number above 0, so that no smaller part of the right one is enough."""
    if isinstance(side.lhs, flint.arb) or isinstance(side.rhs, flint.arb):
        return False  # enclosures do not say so
    return bool(side.lhs == side.rhs and side.rhs > 0)
