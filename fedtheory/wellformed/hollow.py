"""Claims that say less than what is printed: a conclusion that is a hypothesis, and a world without anything of the method.

Nothing here decides a verdict. A conclusion restates a hypothesis where the gap between its sides is that of a stated
condition times a factor that is positive for all parameters, in canonical forms: it follows by an identity. A world is
bare where a row speaks of iterates, functions or expectations and the claim's world has no functions, no step of a method
and no lemma: what is proved is arithmetic, of any vectors or any numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable, UsageError
from ..gram.forms import CONSTANT, SIZES, Gap, Space, gaps, with_room
from ..gram.ratio import Ratio, entry, nonzero, occurring, symbols
from ..instance import Instance
from ..relation import Relation
from ..world import Abstract, Described

if TYPE_CHECKING:
    from ..gram.forms import Key
    from ..gram.ratio import Polynomial
    from ..quantity import ByName, Quantity

SPOKEN = ("identity", "implication", "inequality", "rate")  # kinds of rows that claim something
OF_METHOD = re.compile(
    r"\\nabla|\\mathcal|\\mathbb\{E\}|\\widetilde|\\lim|\\to\b|\\Omega|\bf\b|f_|F_|F\(|"
    r"[\^_]\{?\\?(?:[ktThlR](?![a-zA-Z])|tau|ell|infty|[a-zA-Z_{}]+\^?\{?[kt][+}])"
)
UNDEFINED = (NotApplicable, UsageError, ArithmeticError, LookupError, ValueError)
WEAKER = (("<=", "<"), ("<=", "=="))  # what a conclusion may say of a stronger hypothesis


def hollow(claim: Claim) -> str:
    """What a claim says less than its row, as a heading: empty where it is neither bare nor restates a hypothesis."""
    return "; ".join(filter(None, (bare(claim), restates(claim))))


def bare(claim: Claim) -> str:
    """``arithmetic of any vectors`` (numbers, sequences) where a row about the method has nothing of it in its world."""
    world = claim.world
    if claim.kind not in SPOKEN or not OF_METHOD.search(claim.latex) or claim.lemmas:
        return ""
    parts = world.parts()
    if parts.f is not None or parts.step or "steps" in world.sizes:
        return ""
    if parts.sequences:
        return "arithmetic of any sequences of numbers"
    if hasattr(world, "clients_at"):
        return "arithmetic of any vectors"
    return "arithmetic of any numbers" if world.scalars else ""


def restates(claim: Claim) -> str:
    """Which hypotheses the conclusion is, or a part of it; empty where no relation of it is one of them."""
    world: Described = claim.world
    if not (world.given or world.parts().every or world.parts().optimum_of):
        return ""
    try:
        said = with_room(lambda size: _restated(claim, size), SIZES)
    except UNDEFINED:
        return ""
    found = dict.fromkeys(filter(None, said))
    if not found:
        return ""
    return ("its conclusion is " if None not in said else "a part of its conclusion is ") + " and ".join(found)


def _restated(claim: Claim, size: int) -> list[str | None]:
    """Of every relation that is no identity the hypothesis that it is, None where it is none."""
    world: Any = claim.world
    if world.parts().quantities and world.index:  # a theorem about a run, whose quantities are numbers
        world = world.in_numbers(())
    x = _abstract(world, Space(size))
    known = list(_stated(world, x))
    out: list[str | None] = []
    for n, relation in enumerate(claim.relations(x)):
        for gap in gaps(relation):
            if gap.clean():
                found = (_from(relation.op, gap, op, form, world, name) for name, op, form in known)
                out.append(next(filter(None, found), None))
            elif relation.op == "==" and _of_minimiser(claim, n, size):
                out.append("what makes w_star a minimiser")
    return out


def _abstract(world: Abstract, space: Space) -> Instance:
    """The instance on symbols, at the first sizes that have two clients and the longest of a sequence."""
    shapes = world.shapes(2) or [{}]
    shape = max(shapes, key=lambda s: (s.get("m", 0), s.get(world.index, 0), -s.get("d", 0)))
    shape |= world.to_choose(shape)[0]
    m = shape.get("m", 1)
    names = [n for k, s in world.scalars.items() for n in ([entry(k, i) for i in range(m)] if s.per_client else [k])]
    params = symbols(names)
    scalars: ByName = {}
    for k, s in world.scalars.items():
        scalars[k] = params[k] if not s.per_client else np.array([params[entry(k, i)] for i in range(m)], dtype=object)
    space.solves = False  # a conclusion that is a condition would be an identity
    return world.abstract(scalars, shape, space)


def _stated(world: Described, x: Instance) -> Iterator[tuple[str, str, Gap]]:
    """The stated conditions, those for every t at every t."""
    for c in world.given:
        yield from _gaps(c.printed, c.relations(x))
    for c in world.parts().every:
        for t in range(int(getattr(x, world.index))):
            yield from _gaps(c.printed, c.relations(x, x._numbers.count(t)))


def _gaps(printed: str, relations: Sequence[Relation]) -> Iterator[tuple[str, str, Gap]]:
    try:
        for r in relations:
            for gap in gaps(r):
                yield printed, r.op, gap
    except UNDEFINED:  # a condition that is no form is no conclusion of one
        return


def _from(op: str, conclusion: Gap, known: str, condition: Gap, world: Described, name: str) -> str:
    """How a conclusion follows from a condition by an identity: it is the condition times a factor; empty where it does not."""
    if known != op and (op, known) not in WEAKER:
        return ""
    one, other = conclusion.clean(), condition.clean()
    if one.keys() != other.keys() or not one:
        return ""
    first, *rest = one
    factor = one[first] / other[first]
    if any(nonzero(one[key] - factor * other[key]) for key in rest):
        return ""
    if not _defined(factor, other, world) or not (known == "==" or _positive(factor, world)):
        return ""
    return ("a multiple of " if nonzero(factor - 1) else "") + f"the hypothesis {name}"


def _defined(factor: Quantity, condition: Mapping[Key, Quantity], world: Described) -> bool:
    """Whether a factor divides by positive numbers alone, and not by the condition itself, which may be zero."""
    if not isinstance(factor, Ratio):
        return True
    own = [c.top for c in condition.values() if isinstance(c, Ratio)] if condition.keys() == {CONSTANT} else []
    if any(not factor.bottom.gcd(top).is_constant() for top in own):
        return False
    positive = {name for name, s in world.scalars.items() if s.low is not None and not (s.low == 0 and s.closed)}
    return all(c > 0 for c in factor.bottom.coeffs()) and _names(factor.bottom) <= positive


def _positive(factor: Any, world: Described) -> bool:
    """Whether the coefficients of a factor have one sign, and it is in numbers that have none other."""
    if not isinstance(factor, Ratio):
        return bool(Fraction(factor) > 0)
    either = {name for name, s in world.scalars.items() if s.low is None}
    return all(c > 0 for c in factor.top.coeffs()) and not either & _names(factor.top)


def _names(p: Polynomial) -> set[str]:
    """The scalars that occur in a polynomial."""
    return {name.split("[")[0] for name in occurring(p)}


def _of_minimiser(claim: Claim, n: int, size: int) -> bool:
    """Whether an equation that holds says of w_star what is stated of it: that the gradients there sum to zero."""
    world: Any = claim.world
    if world.parts().optimum_of != "f":
        return False
    free = replace(world, optimum_of=None, at=(*world.at, "w_star"))
    x = _abstract(free, Space(size))
    said = gaps(claim.relations(x)[n])
    stated = gaps(Relation(0, "==", x.sq(x.total_vec(x.f.grad(x.w_star)))))
    return any(_from("==", gap, "==", stated[0], free, "") for gap in said)


def listed(claims: Mapping[str, Claim]) -> dict[str, str]:
    """What is hollow of some claims, by id, with its heading."""
    return {id: said for id, c in claims.items() if (said := hollow(c))}
