"""Parts of a certificate that state just the relations of a rule, as the stand-alone checker looks for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import NotApplicable
from ...relation import Relation, le
from ..budget import Products
from ..certificates.parts import Part, components, parts_of
from ..certificates.products.polynomials import Reader, Ring
from ..prove.induction import narrowed
from ..z3.terms import Real, formulas, own_names
from ..z3.trees import constants
from .steps import ANY_TIME


def exactly(where: str, view: Any, relations: Sequence[Relation]) -> Part | None:
    """The part of a certificate with just these relations, from all that is known; None where no products show them."""
    numbers, x = view.numbers, view.x
    index = Real(numbers.z3.Real(numbers.index))
    stated = [*x.given, *numbers.ranges(), le(view.world.first, index, "the least length")]
    if view.at_every:
        t = Real(numbers.z3.Real(ANY_TIME))
        stated += [le(0, t, "t >= 0"), le(t + 1, index, "t < the length"), *view._facts(view.t)]
    stated += numbers.elementary(formulas([*stated, *relations]))
    names = list(dict.fromkeys([*view.symbols, *own_names(x), numbers.index, ANY_TIME, *numbers.symbols()]))
    each: list[Any] = []
    for r in relations:
        try:
            part, _ = parts_of(names, components(narrowed(stated, [r])), components([r]), {}, programs=Products.short)
        except NotApplicable:
            return None
        each.append(part)
    sums = {str(total): _text(term) for term, total in numbers.sums.values()}
    powers = {str(symbol): _text(q) for q, symbol in numbers.raised()}
    return {"where": where, "each": each, "sums": sums, "powers": powers}


def _text(term: Any) -> str:
    """A polynomial as text; what is none has no rule."""
    try:
        q = Reader(Ring(tuple(sorted(constants([term])))), {})(term)
    except NotApplicable:
        return ""
    return str(q.num) if q.den.is_one() else ""


def one_of(value: Any) -> Any:
    """A number, or the one entry of an array."""
    return value.reshape(-1)[0] if isinstance(value, np.ndarray) else value
