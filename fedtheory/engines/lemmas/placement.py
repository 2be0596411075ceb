"""States over ordinary leaves, as data of a certificate: of one client and of means, or of means over the clients alone.

Where clients have scalars of their own, or are selected, a mean or a sum over the selected clients of inner products is written
as what it is the mean of, with the scalars of the client and its selection in the coefficients; the mean of a vector is a vector
of its own, with what it is the mean of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import NotApplicable
from ...gram.forms import Form, Gap, Rows
from ...gram.generic import BAR, MASKED, OWN, SELECTED
from ...gram.generic_space import GenericSpace, of_one_client, virtual
from ...gram.ratio import nonzero
from ..certificates.theorems import NotClosed, ratio_text
from .state import State, canonical, selected_name, slots

Data = dict[str, Any]


class Placement:
    """A state over ordinary leaves: its forms as data, all with the same places."""

    def __init__(self, state: State, *, single: bool) -> None:
        self.state, self.single = state, single
        self.index: dict[tuple[str, int], int] = {}
        self.numbers: Any = state.space.numbers

    @property
    def generic(self) -> bool:
        return isinstance(self.state.space, GenericSpace)

    def mean(self, form: Form) -> Form:
        """A form of all clients."""
        return self.form(form)

    def form(self, form: Form) -> Form:
        """A form over ordinary leaves."""
        if not self.generic:
            return form
        if of_one_client(form, self.numbers) and not self.single:
            found, _ = virtual(Gap(Form({}), form), [], self.numbers, self.index)
            return found
        target = form
        if self.single and not of_one_client(
            form, self.numbers
        ):  # second moments with the deviations of the one client
            slot = next(k for k, kind in enumerate(self.numbers.kinds) if kind == OWN)
            extra = Form({("G", slot, slot): 1})
            both, _ = virtual(Gap(Form({}), form + extra), [], self.numbers, self.index)
            alone, _ = virtual(Gap(Form({}), extra), [], self.numbers, self.index)
            return both - alone
        found, _ = virtual(Gap(Form({}), target), [], self.numbers, self.index)
        return found

    def value(self, form: Form) -> Form:
        """A combination of values."""
        return form

    @property
    def others(self) -> Any:
        """How many clients there are besides one."""
        return self.numbers.sizes["m"] - 1 if self.generic else 1

    def whole(self) -> dict[int, int]:
        """The deviation of the one client by the spread in which it is not, where the state speaks of one client."""
        slots = [slot for kind, slot in list(self.index) if kind == "spread"] if self.single else []
        return {self.place("spread", slot): self.place("deviation", slot) for slot in slots}

    def place(self, kind: str, slot: int) -> int:
        return self.index.setdefault((kind, slot), len(self.index))

    def of_draws(self) -> Data:
        """The sums over the clients that are drawn, by the mean and the spread of what is summed; and what no draw touches."""
        numbers = self.numbers
        if self.single or not (self.generic and self.state.world.random and "S" in self.state.case.sizes):
            return {}
        sums = {
            str(self.index["mean", to]): [self.place("mean", numbers.bars[own]), self.place("spread", own)]
            for own, to in numbers.selecteds.items()
            if ("mean", to) in self.index
        }
        new = self.state.world.one_step.new_names().values()
        later = {k for name in new for k in slots(self.state.x._names[name])} | numbers.drawn
        before = [k for (_, slot), k in self.index.items() if slot not in later and numbers.kinds[slot] != SELECTED]
        return {"selected": sums, "before": sorted(before)} if sums else {}

    def vector(self, row: Any, kind: str = "") -> dict[int, Any]:
        """A row over ordinary leaves; of a generic client its mean, its deviation or its spread where `kind` says so."""
        plain = np.asarray(row, dtype=object).view(np.ndarray).reshape(-1)
        out: dict[int, Any] = {}
        for slot, c in enumerate(plain):
            if not nonzero(c):
                continue
            if not self.generic:
                places = [slot]
            elif self.numbers.kinds[slot] != OWN:
                places = [self.place("mean", slot)] if kind in ("", "mean") else []
            elif kind in ("", "mean"):
                places = [self.place("mean", self.numbers.bars[slot])]
                places += [self.place("deviation", slot)] if not kind else []
            else:
                places = [self.place(kind, slot)]
            for place in places:
                out[place] = out[place] + c if place in out else c
        return out


def form_data(form: Form) -> Data:
    """A form as plain data."""
    keys = {("G",): lambda k: f"G {k[1]} {k[2]}", ("v",): lambda k: f"v {k[1]}", (): lambda k: ""}
    out = {}
    for key, c in form.clean().items():
        if key[:1] not in keys:
            raise NotClosed("an entry of a form that has no place in a certificate")
        out[keys[key[:1]](key)] = ratio_text(c)
    return out


def vector_data(vector: Mapping[int, Any]) -> Data:
    return {str(k): ratio_text(c) for k, c in vector.items() if nonzero(c)}


def is_of_all(state: State, forms: Any) -> bool:
    """Whether the numbers of a state are means over clients that have scalars of their own, or are selected."""
    if not isinstance(state.space, GenericSpace):
        return False
    numbers = state.space.numbers
    unlike = bool(numbers.own) or bool(numbers.masks) or bool(state.world.selection)
    return unlike and not any(of_one_client(form, numbers) for form in forms)


@dataclass
class RowsOf:
    """The inequalities of a state over ordinary leaves, of which there only ever come more: each is written once.

    Attributes
    ----------
    looked : int
        How many inequalities of the state were looked at.
    forms, data : dict
        Those that have a place, by name, and the same as plain data.
    """

    looked: int = 0
    forms: dict[str, Form] = field(default_factory=dict)
    data: dict[str, Data] = field(default_factory=dict)
    _said: tuple[int, dict[Any, str]] = (0, {})

    def look(self, place: Any, inequalities: Sequence[tuple[str, Form]]) -> None:
        """Write those that have come; those that have no place are of no use."""
        for name, form in inequalities[self.looked :]:
            try:
                self.forms[name] = place.form(form)
                self.data[name] = form_data(self.forms[name])
            except (NotApplicable, NotClosed):
                self.forms.pop(name, None)
                self.data.pop(name, None)
        self.looked = len(inequalities)

    def named(self) -> dict[Any, str]:
        """The name of every one of them, the first of those that are the same."""
        if self._said[0] != self.looked:
            self._said = self.looked, {canonical(form): name for name, form in reversed(list(self.forms.items()))}
        return self._said[1]


class OfAll:
    """The leaves and values of a state in the mean over its clients, and the forms of these.

    Attributes
    ----------
    index : dict
        The places of leaves by (what they are, slot).
    sums : dict
        The means among them: [coefficient, place] of what each is the mean of.
    """

    generic = True
    single = False

    def __init__(self, state: State) -> None:
        self.state = state
        self.numbers: Any = state.space.numbers
        self.index: dict[tuple[str, int], int] = {}
        self.sums: dict[int, list[tuple[Any, int]]] = {}
        self.chosen = state.params.get(selected_name(state.world))
        self.values: set[int] = set()

    def clients(self) -> Data:
        """What the checker needs to know of the places."""
        own = sorted(place for (kind, _), place in self.index.items() if kind == "client")
        return {
            "leaves": own, "values": sorted(self.values),
            "sums": {str(p): [[ratio_text(c), k] for c, k in terms] for p, terms in self.sums.items()},
            "chosen": selected_name(self.state.world) or None, "count": "S" if "S" in self.state.case.sizes else None,
            **({"before": self._before()} if self.state.world.random else {}),
        }  # fmt: skip

    def _before(self) -> Data:
        """The places of leaves and values that do not depend on those that are drawn."""
        x, numbers = self.state.x, self.numbers
        new = self.state.world.one_step.new_names().values()
        later = {k for name in new for k in slots(x._names[name])} | numbers.drawn
        values: set[int] = set()
        for clients in self.state.space.clients:
            for points in clients._points:
                for point, gradient, value in points:
                    read = slots(point)
                    if read & later or any(numbers.kinds[k] in (SELECTED, MASKED) for k in read):
                        later |= slots(gradient)
                        values |= {k[1] for k in value.terms if k[:1] == ("v",)}
        leaves = sorted(place for (kind, slot), place in self.index.items() if kind != "sum" and slot not in later)
        known = set(range(len(self.state.space.values))) - values
        return {"G": leaves, "v": sorted(known), "": []}

    # leaves

    def place(self, slot: int) -> int:
        """The place of a leaf of a client or of all, and of a mean."""
        kind = self.numbers.kinds[slot]
        if kind not in (BAR, SELECTED):
            if kind == MASKED:
                raise NotClosed("a leaf of the selected clients by itself")
            return self.index.setdefault(("client" if kind == OWN else "shared", slot), len(self.index))
        if ("sum", slot) not in self.index:
            leaf, c = self._summed(slot)
            of = self.place(leaf)
            self.index["sum", slot] = len(self.index)
            self.sums[self.index["sum", slot]] = [(c, of)]
        return self.index["sum", slot]

    def _summed(self, slot: int) -> tuple[int, Any]:
        """(leaf, coefficient) of which a slot is the mean over the clients."""
        numbers = self.numbers
        if slot in numbers.of_weighted:
            kind, leaf, c = numbers.of_weighted[slot]
        else:
            kind, c = numbers.kinds[slot], 1
            leaf = next(own for t in (numbers.bars, numbers.selecteds) for own, other in t.items() if other == slot)
        return leaf, (c if kind == BAR else c * self._of_selected())

    def _mark(self) -> Any:
        if self.chosen is None:
            raise NotClosed("a selection that is drawn")
        return self.chosen

    def _of_selected(self) -> Any:
        """The factor in a mean of what is summed over the selected clients."""
        return self._mark() * self.numbers.sizes["m"]

    def vector(self, row: Any, kind: str = "") -> dict[int, Any]:
        """A row; its `spread` is what it is less its mean, and of what is masked (S, T) what it is of a selected client."""
        if kind == "deviation":
            raise NotClosed("a client's deviation")
        plain = np.asarray(row, dtype=object).view(np.ndarray)
        plain = plain.reshape(-1, plain.shape[-1])[:1]
        out: dict[int, Any] = {}
        less = np.asarray(self.numbers.mean_vec(plain.view(Rows)), dtype=object) if kind == "spread" else None
        factor = self._mark() if kind in ("S", "T") else 1
        for own, sign in ((plain, factor), (less, -1)):
            for slot, c in enumerate(own.view(np.ndarray)[0]) if own is not None else ():
                if nonzero(c):
                    masked = {other: leaf for leaf, other in self.numbers.masks.items()}.get(slot)
                    at, c = (slot, c * sign) if masked is None else (masked, c * sign * self._mark())
                    place = self.place(at)
                    out[place] = out[place] + c if place in out else c
        return out

    # forms

    def form(self, form: Form) -> Form:
        """A form of one client, in which means are vectors of all clients."""
        return self._written(form, of_one=True)

    def value(self, form: Form) -> Form:
        """A combination of values of a client, or of what means of values are the mean of."""
        of_one = any(key[1] in self.numbers.mean_values for key in form.clean() if key[:1] == ("v",))
        return self._written(form, of_one=of_one)

    def mean(self, form: Form) -> Form:
        """What a form of all clients is the mean of."""
        return self._written(form, of_one=False)

    def _written(self, form: Form, *, of_one: bool) -> Form:
        terms: dict[Any, Any] = {}
        for key, c in form.clean().items():
            if key[:1] == ("v",):
                value, factor = self._value(key[1], of_one=of_one)
                at: Any = ("v", value)
            elif key:
                at, factor = self._product(key, of_one=of_one)
            else:
                at, factor = (), 1
            terms[at] = terms[at] + c * factor if at in terms else c * factor
        return Form(terms)

    def _product(self, key: Any, *, of_one: bool) -> tuple[Any, Any]:
        """(entry, factor) of an inner product."""
        kind, i, j, *weight = key
        factor = self.numbers.weights[weight[0]] if weight else 1
        if (kind in ("M", "T")) if of_one else (kind == "S"):
            raise NotClosed("a mean and a client in one form")
        factor = factor * self._mark() if kind in ("S", "T") else factor
        leaf = {masked: own for own, masked in self.numbers.masks.items()}
        kinds = [self.numbers.kinds[slot] for slot in (i, j)]
        if not of_one and kind == "G":
            if OWN in kinds or MASKED in kinds:
                raise NotClosed("a client in a mean")
            slot = next((slot for slot, k in zip((i, j), kinds, strict=True) if k in (BAR, SELECTED)), None)
            if slot is not None:  # it is the mean of the product
                (own, c), other = self._summed(slot), j if slot == i else i
                i, j, factor = own, other, factor * c
        elif kind == "G":
            factor = factor * (self._mark() if MASKED in kinds else 1)
            i, j = leaf.get(i, i), leaf.get(j, j)
        a, b = self.place(i), self.place(j)
        return ("G", min(a, b), max(a, b)), factor

    def _value(self, slot: int, *, of_one: bool) -> tuple[int, Any]:
        """(value, coefficient) of which one is the mean over the clients, or that of a client; one of all is itself."""
        numbers, factor = self.numbers, 1
        base = {other: own for own, other in numbers.mean_values.items()}
        chosen = {other: own for own, other in numbers.selected_values.items()}
        masked = {other: own for own, other in numbers.masked_values.items()}
        if (slot in base or slot in chosen) if of_one else (slot in numbers.mean_values or slot in masked):
            raise NotClosed("a mean and a client in one form")
        if slot in chosen:
            slot, factor = chosen[slot], self._of_selected()
        elif slot in masked:
            slot, factor = masked[slot], self._mark()
        elif slot in base:
            slot = base[slot]
        if slot in numbers.weighted_values:
            factor = factor * numbers.value_parts[slot]
            slot = numbers.weighted_values[slot]
        self.values |= {slot} & set(numbers.mean_values)
        return slot, factor
