"""Leaves and values of one generic client, and what is known of them over ordinary leaves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..errors import NotApplicable
from .forms import GENERIC_SIZES, Form, Gap, Key, Space, Terms
from .generic import BAR, MASKED, OWN, SELECTED, SHARED, GenericGrams, OneClient, gram_key
from .ratio import Ratio, nonzero

if TYPE_CHECKING:
    from ..quantity import Quantity


class GenericSpace(Space):
    """A space whose clients are one generic client."""

    numbers: GenericGrams

    def __init__(
        self, sizes: Mapping[str, Ratio], size: int = GENERIC_SIZES[-1], scale: int = 1, own: Iterable[str] = ()
    ) -> None:
        super().__init__(size, scale)
        self._kind = sizes, size, tuple(own)
        self.numbers = GenericGrams(sizes, scale, self._kind[2])
        self.numbers.space, self.numbers.length = self, size
        self.centered: set[str] = set()
        self._with_means: list[tuple[str, Form]] = []

    def fresh(self) -> Space:
        sizes, size, own = self._kind
        return GenericSpace(sizes, size, 1, own)

    def per_client(self, s: np.ndarray) -> np.ndarray:
        return s.view(OneClient)

    def _slot(self, name: str, kind: str) -> np.ndarray:
        row = super().leaf(name)
        self.numbers.kinds.append(kind)
        return row

    def new_slot(self, name: str, kind: str) -> int:
        """A leaf of a kind, by its place."""
        self._slot(name, kind)
        return len(self.leaves) - 1

    def leaf(self, name: str) -> np.ndarray:
        return self._slot(name, SHARED)

    def client_leaf(self, name: str) -> np.ndarray:
        row = self._slot(name, OWN)
        own = len(self.leaves) - 1
        self._slot(f"mean {name}", BAR)
        self._slot(f"selected {name}", SELECTED)
        self.numbers.bars[own], self.numbers.selecteds[own] = own + 1, own + 2
        return row

    def depends(self, gradient: np.ndarray, point: np.ndarray) -> None:
        numbers = self.numbers
        at, own = ([k for k, c in enumerate(row.view(np.ndarray)) if nonzero(c)] for row in (point, gradient))
        random = (*numbers.drawn, *numbers.noise)
        if any(numbers.kinds[k] in (SELECTED, MASKED) or k in random for k in at if k not in own):
            for k in own:
                numbers.drawn |= {k, numbers.bars.get(k, k), numbers.selecteds.get(k, k)}

    def require_fixed(self, rows: np.ndarray, what: str) -> None:
        """Refuse vectors that a draw changes.

        Raises
        ------
        NotApplicable
            If they are such.
        """
        numbers = self.numbers
        at = {k for row in rows for k, c in enumerate(row) if nonzero(c)}
        if any(numbers.kinds[k] in (SELECTED, MASKED) or k in numbers.drawn or k in numbers.noise for k in at):
            raise NotApplicable(what)

    def leaves_for(self, name: str, m: int) -> np.ndarray:
        return self.client_leaf(f"{name}[0]")[None]

    def centered_for(self, name: str, m: int) -> np.ndarray:
        rows = self.leaves_for(name, m)
        self.centered.add(f"{name}[0]")
        return rows - self.numbers.mean_vec(rows)

    def client_value(self, name: str) -> Form:
        own = self.value(name)
        self.value(f"mean {name}")
        self.numbers.mean_values[len(self.values) - 2] = len(self.values) - 1
        return own

    def values_for(self, name: str, m: int) -> np.ndarray:
        return self.per_client(np.array([self.client_value(f"{name}[0]")], dtype=object))

    def with_means(self) -> list[tuple[str, Form]]:
        """Every inequality for one client and for the mean over the clients; there only ever come more."""
        for name, form in self.inequalities[len(self._with_means) // 2 :]:
            self._with_means += [(name, form), (f"mean of {name}", self.numbers._mean(form))]
        return self._with_means


def of_one_client(form: Form, numbers: GenericGrams) -> bool:
    """Whether a form speaks of one client, and not of means over the clients alone."""
    return any(
        k[:1] == ("S",)
        or (k[:1] == ("G",) and OWN in (numbers.kinds[k[1]], numbers.kinds[k[2]]))
        or (k[:1] == ("v",) and k[1] in numbers.mean_values)
        for k in form.clean()
    )


def virtual(
    target: Gap,
    inequalities: Sequence[tuple[str, Form]],
    numbers: GenericGrams,
    index: dict[tuple[str, int], int] | None = None,
) -> tuple[Gap, list[tuple[str, Form]]]:
    """The target and the inequalities that can serve it, over ordinary leaves.

    A target that speaks of one client gets the deviations as leaves; one that has means only does not, and then the
    inequalities of a single client are of no use. Given an `index`, the leaves have the same places in all that share it.
    """
    one_client = of_one_client(target, numbers)
    index = {} if index is None else index

    def leaf(kind: str, slot: int) -> int:
        return index.setdefault((kind, slot), len(index))

    def parts(slot: int) -> list[int]:
        if numbers.kinds[slot] == OWN:
            return [leaf("mean", numbers.bars[slot]), leaf("deviation", slot)]
        return [leaf("mean", slot)]

    def rewritten(form: Form) -> Form:
        terms: Terms = {}

        def add(a: int, b: int, c: Quantity) -> None:
            k = gram_key(a, b)
            terms[k] = terms.get(k, 0) + c

        for k, c in form.clean().items():
            if k[:1] == ("G",):
                for a in parts(k[1]):
                    for b in parts(k[2]):
                        add(a, b, c)
            elif k[:1] in (("S",), ("T",)) or len(k) == 4:  # of every client by itself
                add(leaf(k[0], k[1]), leaf(k[0], k[2]), c * (numbers.weights[k[3]] if len(k) == 4 else 1))
            elif k[:1] == ("M",):
                add(leaf("mean", numbers.bars[k[1]]), leaf("mean", numbers.bars[k[2]]), c)
                add(leaf("spread", k[1]), leaf("spread", k[2]), c)
                if one_client:
                    add(leaf("deviation", k[1]), leaf("deviation", k[2]), c / (numbers.sizes["m"] - 1))
            else:
                terms[k] = terms.get(k, 0) + c
        return Form(terms)

    useful = [(name, f) for name, f in inequalities if one_client or not of_one_client(f, numbers)]
    return Gap(rewritten(target.lhs), rewritten(target.rhs)), [(name, rewritten(f)) for name, f in useful]


def instantiated(form: Form, generic: GenericSpace, explicit: Space, m: int, i: int) -> dict[Key, Fraction]:
    """A form with rational coefficients, read for client `i` of `m` over the leaves of an explicit space.

    A relation must come out the same as from `m` explicit clients; a body that counts or sums clients by other means
    than those of the instance is found out here.

    Raises
    ------
    KeyError
        If it has a leaf that explicit clients do not have, as that of the selected ones.
    """
    numbers = generic.numbers
    leaf = {name: k for k, name in enumerate(explicit.leaves)}
    value = {name: k for k, name in enumerate(explicit.values)}

    def client(slot: int, j: int) -> dict[int, Fraction]:
        name = generic.leaves[slot]
        if name in generic.centered and j == m - 1:
            return {leaf[f"{name[:-3]}[{k}]"]: Fraction(-1) for k in range(m - 1)}
        return {leaf[f"{name[:-3]}[{j}]"]: Fraction(1)}

    def vector(slot: int, j: int) -> dict[int, Fraction]:
        kind = numbers.kinds[slot]
        if kind == SHARED:
            return {leaf[generic.leaves[slot]]: Fraction(1)}
        if kind == OWN:
            return client(slot, j)
        own = {bar: o for o, bar in numbers.bars.items()}[slot]
        mean: dict[int, Fraction] = defaultdict(Fraction)
        for k in range(m):
            for at, c in client(own, k).items():
                mean[at] += c / m
        return mean

    def scalar(k: int) -> dict[int, Fraction]:
        name = generic.values[k]
        if k in numbers.mean_values:
            return {value[f"{name[:-3]}[{i}]"]: Fraction(1)}
        if name.startswith("mean ") and name[5:] in generic.values:
            return {value[f"{name[5:-3]}[{j}]"]: Fraction(1, m) for j in range(m)}
        return {value[name]: Fraction(1)}

    out: dict[Key, Fraction] = defaultdict(Fraction)
    for k, c in form.clean().items():
        if k[:1] == ("v",):
            for at, share in scalar(k[1]).items():
                out["v", at] += c * share
            continue
        if k[:1] not in (("G",), ("M",)):
            out[k] += c
            continue
        clients = range(m) if k[0] == "M" else (i,)
        for j in clients:
            for a, p in vector(k[1], j).items():
                for b, q in vector(k[2], j).items():
                    out[gram_key(a, b)] += c * p * q / len(clients)
    return {k: c for k, c in out.items() if c}
