"""What follows of forms: sums over clients, divisors, what is affine, and what is not negative."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ...gram.forms import Form, Gap
from ...gram.generic import BAR, SELECTED, SHARED, gram_key
from ...gram.generic_space import virtual
from ...gram.ratio import Ratio, factors, text
from ...relation import Relation
from ..certificates.parts import components
from ..certificates.products.polynomials import Reader, Ring, Split
from ..certificates.sdp.positivity import proves
from ..certificates.signs import Signs
from ..context import Docket
from ..prove.induction import NotShown
from ..z3.terms import Real, rational
from ..z3.trees import constants as constants_of
from .instance import Placed
from .known import View
from .said import AFTER
from .state import TIME, State, single


def require_affine(
    where: str, view: View, relations: Sequence[Relation], constants: Iterable[str], own: Iterable[str] = ()
) -> None:
    """Raise NotShown unless relations are affine in the quantities, as what holds of each client and so in the mean has to be."""
    numbers: Any = view.numbers
    quantities = {*constants, *numbers.elements, *(str(total) for _, total in numbers.sums.values())}
    names = list(dict.fromkeys([*view.symbols, numbers.index, TIME, *numbers.symbols()]))
    for factor, product in numbers.products.values():  # one that reads no quantity is a number
        if any(name in quantities or name.partition("[")[0] in view.world.sequences for name in constants_of([factor])):
            quantities.add(str(product))
    factors = [factor * product for factor, product in numbers.products.values()]
    terms = [(Real(term), Real(rational(0))) for term in (*(term for term, _ in numbers.sums.values()), *factors)]
    sides = [(Real(a), Real(b)) for a, _, b, _ in components(relations)]
    ring = Ring(tuple(dict.fromkeys([*names, *_in_terms(terms)])))
    of = [
        k for k, name in enumerate(ring.names) if name in quantities or name.partition("[")[0] in view.world.sequences
    ]
    of_clients = [k for k, name in enumerate(ring.names) if name in own]
    for a, b in (*sides, *terms):
        read = Reader(ring, {})
        try:
            value = read(b.term) - read(a.term)
        except Split:
            raise NotShown(f"{where}: it has a minimum or maximum, so it says nothing of means") from None
        above = max((sum(int(powers[k]) for k in of) for powers in value.num.monoms()), default=0)
        if above > 1 or any(int(powers[k]) for powers in value.den.monoms() for k in of):
            raise NotShown(f"{where}: what it says is not affine in the quantities, so it says nothing of means")
        if any(int(powers[k]) for powers in (*value.num.monoms(), *value.den.monoms()) for k in of_clients):
            raise NotShown(f"{where}: every client has a factor of its own in it, so it says nothing of means")


def _in_terms(terms: Iterable[tuple[Real, Real]]) -> list[str]:
    return sorted(constants_of([a.term for a, _ in terms]))


def sum_of(state: State, by: Mapping[str, Any]) -> Form:
    """The form that quantities and coefficients make."""
    total = Form({})
    for name, c in by.items():
        if name == "":
            total = total + c
        else:
            total = total + (state.after[name[: -len(AFTER)]] if name.endswith(AFTER) else state.now[name]) * c
    return total


def divisors_of(by: Mapping[str, Any], state: State) -> list[tuple[Any, Mapping[str, Any]]]:
    """The divisors of coefficients over the parameters of a model."""
    found = {str(p): p for c in by.values() for p, e in factors(c)[1] if e < 0}
    return [(p, state.params) for p in found.values()]


def divisors_in(p: Placed) -> list[tuple[Any, Mapping[str, Any]]]:
    """The divisors of what a lemma says of its own leaves, and of what it rests on, with its scalars in the model."""
    found: dict[str, Any] = {}
    forms = [side for _, gap in p.own for side in (gap.lhs, gap.rhs)] + [form for _, form, _ in p.rows]
    for form in forms:
        for c in form.clean().values():
            for poly, e in factors(c)[1]:
                if e < 0:
                    found[str(poly)] = poly
    return [(poly, p.scalars) for poly in found.values()]


def follows_from(form: Form, known: Sequence[tuple[str, Form]], state: State, docket: Docket) -> bool:
    """Whether a form is not negative, by itself or by one inequality of the model that has its values."""
    world = state.world.one_step
    own = {k: dataclasses.replace(spec, per_client=False, weight=False) for k, spec in world.scalars.items()}
    world = dataclasses.replace(world, scalars=own, given=world.on_scalars)  # those of any one client
    numbers: Any = state.space.numbers
    signs = Signs(world, state.case.shape, state.case.sizes, docket.limits.signs)
    values = {k for k in form.clean() if k[:1] == ("v",)}
    rows = [(name, row) for name, row in known if {k for k in row.clean() if k[:1] == ("v",)} == values]
    parts = _by_weight(form, numbers) if state.generic else None
    if parts is not None:
        return all(signs.nonnegative(weight) and proves(one.clean(), {}, {}, signs) for weight, one in parts)
    gap = Gap(Form({}), form)
    if state.generic:
        gap, rows = virtual(gap, rows, numbers)
    target, by_name = gap.clean(), {name: row.clean() for name, row in rows}
    if not values and proves(target, {}, {}, signs):
        return True
    return any(proves(target, by_name, {name: _factor(target, row, values)}, signs) for name, row in by_name.items())


def _by_weight(form: Form, numbers: Any) -> list[tuple[Any, Form]] | None:
    """A form as a sum over the clients of scalars of theirs times forms of leaves of all clients; None where it is none."""
    parts: dict[str, tuple[Any, dict[Any, Any]]] = {}
    for key, c in form.clean().items():
        weighted = [k for k in key[1:] if k in numbers.of_weighted] if key[:1] == ("G",) else []
        if len(weighted) != 1:
            return None
        (slot,) = weighted
        kind, leaf, weight = numbers.of_weighted[slot]
        (other,) = [k for k in key[1:] if k != slot]
        if kind != BAR or numbers.kinds[leaf] != SHARED or numbers.kinds[other] != SHARED:
            return None
        terms = parts.setdefault(text(weight), (weight, {}))[1]
        terms[gram_key(leaf, other)] = terms.get(gram_key(leaf, other), 0) + c
    return [(weight, Form(terms)) for weight, terms in parts.values()] or None


def _factor(target: Mapping[Any, Any], row: Mapping[Any, Any], values: set[Any]) -> Any:
    """How often a row has the values of a target; once where there are none."""
    value = next(iter(values), None)
    return Fraction(1) if value is None else target[value] / row[value]


def _is_square(form: Form) -> bool:
    """Whether a form is plainly not negative: a sum of squares of leaves and of means of such, with positive weights."""
    terms = form.clean()
    return all(
        k[:1] in (("G",), ("M",)) and k[1] == k[2] and not isinstance(c, Ratio) and c > 0 for k, c in terms.items()
    )


def _array(form: Form) -> Any:
    out = np.empty(1, dtype=object)
    out[0] = form
    return out


def drawn(state: State, form: Form) -> bool:
    """Whether a form has a sum over the clients that are drawn."""
    kinds = getattr(state.space.numbers, "kinds", [])
    return any(kinds[k] == SELECTED for key in form.clean() if key[:1] == ("G",) for k in key[1:] if k < len(kinds))


def _itself(state: State, form: Form) -> Form:
    return form


def in_the_mean_of_clients(state: State, form: Form) -> Form:
    """A form in the mean over the clients."""
    return single(state.space.numbers.mean(state.space.per_client(_array(form))))


def _over_selected(state: State, form: Form) -> Form:
    """The sum of a form over the clients that are selected."""
    chosen = getattr(state.x, state.world.selection)
    return single(state.space.numbers.total(state.space.per_client(_array(form)), chosen, getattr(state.x, "m", 1)))


WAYS: dict[Callable[[State, Form], Form], str] = {
    _itself: "itself", in_the_mean_of_clients: "mean", _over_selected: "selected"
}  # fmt: skip


def of_clients(state: State) -> Iterator[Callable[[State, Form], Form]]:
    """What may be done with a relation that holds of every client."""
    yield _itself
    if state.generic:
        yield in_the_mean_of_clients
    if state.world.selection:
        yield _over_selected
