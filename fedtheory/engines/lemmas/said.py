"""What a lemma says where it is used, as functions of the claim's numbers, at the length or at any t."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ...gram.ratio import Ratio
from ...instance import Instance
from ...numbers import Count
from ...relation import Relation, eq, le
from ...theorem import Terms, Use
from ..prove.induction import NotShown
from ..z3.terms import Index, Real
from .instance import given_by, lacking
from .state import TIME, polynomial_at

AFTER = "'"  # of a quantity at t + 1


def quantity_of(by: Mapping[str, Any], constant: bool, x: Instance, *t: Any) -> Any:
    """A combination of quantities, as a sequence or as a number; one of them as it is."""
    (name, c), *others = by.items() or (("", 0),)
    if name and not others and not isinstance(c, Ratio) and c == 1:
        return getattr(x, name)
    return combination(by, x, 0) if constant else Terms(partial(combination, by, x))


def combination(by: Mapping[str, Any], x: Instance, t: Any) -> Any:
    """A combination of quantities at t."""
    total: Any = 0
    for name, c in by.items():
        value: Any = getattr(x, name) if name else 1
        value = value[t] if hasattr(value, "listed") else value
        total = total + coefficient_of(c, x, t) * value
    return total


def along(one: Use, index: str, x: Instance, *t: Any) -> Instance:
    """The numbers of a claim of this index under the names of a theorem, at its length."""
    lemma: Any = one.claim.world
    names: dict[str, Any] = {}
    for name, fn in one.at.items():
        if name in getattr(lemma, "sequences", ()):
            names[name] = Terms(partial(_of_index, fn, x))
        else:
            names[name] = given_by(one.at[name], x, *t)
    names.setdefault(lemma.index, getattr(x, index))
    y = x.at(**names)
    for name, fn in getattr(lemma, "derived", {}).items():
        if name not in _accessors(lemma):
            y = y.at(**{name: fn(y)})
    return y


def _accessors(lemma: Any) -> set[str]:
    """The sequences, which a world of sequences makes of their listed elements."""
    return {*getattr(lemma, "sequences", ())}


class AtTheEnd:
    """A quantity of a run within a step, of which the last element alone is known."""

    listed = ()

    def __init__(self, index: str, end: object, value: Any) -> None:
        self.index, self.end, self.value = index, end, value

    def __getitem__(self, t: Any) -> Any:
        same = (
            isinstance(t, Index)
            and isinstance(self.end, Index)
            and (t.name, t.offset) == (self.end.name, self.end.offset)
        )
        if t is not self.end and not same:
            raise NotShown(f"of a run within a step the state after {self.index} steps is known, and no other")
        return self.value


def ended(one: Use, found: Any, x: Instance, t: Any, *, end: Mapping[str, object] | None = None) -> Instance:
    """The numbers of a claim at t under the names of a theorem about the run within a step, at its end.

    `end` has the number of steps by its names, where it is each client's own.
    """
    run: Any = one.claim.world
    names: dict[str, Any] = dict(end or {run.index: Index(x._numbers, run.index)})
    last = names[run.index]
    names |= {name: given_by(one.at[name], x, t) for name in one.at if name in run.scalars}
    for name, by in found.written.items():
        value = combination(by, x, t)
        names[name] = value if name in run.constant else AtTheEnd(run.index, last, value)
    y = x.at(**names, **{k: lacking(f"{k} of {one.claim.id}: {why}", None) for k, why in found.lacking.items()})
    for name, fn in run.derived.items():
        y = y.at(**{name: fn(y)})
    return y


def of_the_end(one: Use, found: Any, end: Mapping[str, object] | None, x: Instance, t: Any) -> Any:
    return one.claim.body(ended(one, found, x, t, end=end))


def _of_index(fn: Callable[..., Any], x: Instance, t: Any) -> Any:
    return fn(x, Count(t, x.ratio) if isinstance(t, int) else t)


def of_length(one: Use, index: str, x: Instance, *t: Any) -> Any:
    return one.claim.body(along(one, index, x, *t))


def of_every_t(one: Use, index: str, x: Instance, t: Any) -> Any:
    assert one.claim.at_t is not None
    return one.claim.at_t(along(one, index, x, t), t)


def seen_as(one: Use, x: Instance, *t: Any) -> Instance:
    """The numbers of a claim under the names of a lemma about numbers."""
    names = {name: given_by(one.at[name], x, *t) for name in one.at}
    world: Any = one.claim.world
    y = x.at(**names)
    for name, fn in world.parts().derived.items():
        y = y.at(**{name: fn(y)})
    return y


def of_numbers(one: Use, x: Instance, *t: Any) -> Any:
    return one.claim.body(seen_as(one, x, *t))


def combined(op: str, by: Mapping[str, Any], x: Instance, t: Any) -> Relation:
    """0 op the combination of quantities at t and at t + 1."""
    total: Any = 0
    for name, c in by.items():
        factor = coefficient_of(c, x, t)
        if name == "":
            total = total + factor
            continue
        own = name[: -len(AFTER)] if name.endswith(AFTER) else name
        value = getattr(x, own)
        if hasattr(value, "listed"):
            value = value[t + 1] if name.endswith(AFTER) else value[t]
        total = total + factor * value
    return eq(0, total) if op == "==" else le(0, total)


def combined_at_the_last(index: str, op: str, by: Mapping[str, Any], x: Instance) -> Relation:
    """0 op the combination of quantities at the last state."""
    return combined(op, by, x, getattr(x, index))


def combined_at_0(by: Mapping[str, Any], x: Instance) -> Relation:
    """0 == the combination of quantities at the start and after the first step."""
    return combined("==", by, x, 0)


def in_the_mean(index: str, quantity: str, weight: Callable[..., Any], by: Mapping[str, Any], x: Instance) -> Relation:
    """The weighted sum of a quantity is the sum of the weights times what it is at the mean."""
    n = getattr(x, index)
    left = x.sum(lambda t: weight(x, t) * getattr(x, quantity)[t], n)
    total: Any = 0
    for name, c in by.items():
        total = total + coefficient_of(c, x, 0) * (getattr(x, name) if name else 1)
    return eq(left, x.sum(lambda t: weight(x, t), n) * total)


def coefficient_of(c: Any, x: Instance, t: Any) -> Any:
    """A coefficient at the numbers of an instance, and at t."""
    if not isinstance(c, Ratio):
        return x.ratio(Fraction(c).numerator, Fraction(c).denominator)
    values = _Names(x, t)
    return polynomial_at(c.top, values) / polynomial_at(c.bottom, values)


class _Names(dict):  # type: ignore[type-arg]
    """The numbers of an instance by name, the time among them."""

    def __init__(self, x: Instance, t: Any) -> None:
        super().__init__()
        self.x, self.t = x, t

    def __missing__(self, name: str) -> Any:
        return _plain(self.t if name == TIME else getattr(self.x, name))


def _plain(value: Any) -> Any:
    if isinstance(value, Index):
        return Real(value.term)
    return value


def number_at(value: Any, x: Instance) -> Any:
    """A coefficient as one number of an instance."""
    value = coefficient_of(value, x, x._names.get(TIME))
    return value.reshape(-1)[0] if isinstance(value, np.ndarray) else value


def at_least_0(name: str, x: Instance) -> Relation:
    return le(0, getattr(x, name))
