"""One generic client in place of m of them: Gram arrays with a symbolic number of clients.

Clients that are alike up to their data are described by one of them and by means. A vector of client i is a combination
of *own* leaves u_k(i), of their means over the clients *bar* u_k, and of shared leaves; a mean over clients replaces own
by bar, and the mean of an inner product <u_k(i), u_l(i)> is a second moment M_kl. What is known of second moments is

    M = B + C,            B_kl = <bar u_k, bar u_l>,  C positive semidefinite

for a relation in which every client occurs only through means. A relation that speaks of one client i has the
deviations d_k = u_k(i) - bar u_k as well; the other m - 1 clients deviate by -d_k in sum, so that

    M = B + <d_k, d_l>/(m - 1) + C,    C positive semidefinite.

Both are all that holds for m >= 2 in a space of any dimension (C = 0 is attained at m = 2). `virtual` rewrites a form
accordingly over ordinary leaves, where it is certified like any other; m = 1 is a case of its own.

A client may have scalars of its own, such as a weight a(i). The mean of a u_k is a shared leaf by itself, and that of a <u_k, u_l>
an entry ``("M", k, l, "a")``. A client that is selected may be at another point than one that is not: s(i) u_k, where s(i) is 1 for
the former and 0 for the latter, is a *masked* leaf. The inner product of two of them, or of one and another leaf, is s(i)
<u_k(i), u_l(i)>, ``("S", k, l)``; its mean is 1/m of the sum over the selected clients, ``("T", k, l)``.

Reference: exchangeable clients are the standard reduction by symmetry of a semidefinite program. How often client i is drawn, N_i,
has the moments E[N_i], E[N_i^2] and, of two clients, E[N_i N_j]: of S without replacement S/m, S/m and S(S-1)/(m(m-1)); with
replacement S/m, S/m + S(S-1)/m^2 and S(S-1)/m^2; of each with the chance p by itself p, p and p^2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import NotApplicable
from ..numbers import Draws, Noisy, Repeated
from .clients import OneClient, Selection
from .forms import Form, Grams, Key, Rows, Terms
from .kinds import BAR, MASKED, OWN, SELECTED, SHARED, gram_key
from .noise import quiet, quiet_rows
from .partial_fractions import split
from .ratio import ZERO, Ratio, nonzero, text

if TYPE_CHECKING:
    from ..quantity import Array, Quantity


class GenericGrams(Grams):
    """Client sums of a generic client; `sizes` has the symbols that stand for m and S, `own` the scalars that every client has.

    Attributes
    ----------
    kinds : list of str
        Of every slot of a row.
    bars, selecteds, masks : dict
        Slots of the mean of an own leaf, of its sum over the selection, and of a leaf that is 0 for those that are not selected.
    weighted : dict
        Slots of the means and of the sums over the selection of a leaf times scalars of the client, as text; `of_weighted` is the
        inverse, and `weights` has the scalars by their text.
    """

    def __init__(self, sizes: Mapping[str, Ratio], scale: int = 1, own: Iterable[str] = ()) -> None:
        super().__init__(scale)
        self.sizes = dict(sizes)
        self.own = frozenset(own)
        self.kinds: list[str] = []
        self.bars: dict[int, int] = {}
        self.selecteds: dict[int, int] = {}
        self.masks: dict[int, int] = {}
        self.weighted: dict[tuple[str, int, str], int] = {}
        self.of_weighted: dict[int, tuple[str, int, Ratio]] = {}
        self.weights: dict[str, Ratio] = {}
        self.drawing = False  # within an expectation
        self.chance: Quantity | None = None  # of each client, where they are drawn independently
        self.replaced = False  # where S are drawn with replacement
        self.noise: frozenset[int] = frozenset()  # slots of independent errors of mean zero, and of their mean
        self.mean_values: dict[int, int] = {}  # value of one client -> its mean
        self.weighted_values: dict[int, int] = {}  # value of one client times its scalars -> the value
        self.value_parts: dict[int, Ratio] = {}  # -> these scalars
        self.selected_values: dict[int, int] = {}  # -> its sum over the selection
        self.masked_values: dict[int, int] = {}  # -> itself for the selected, 0 for the others
        self.drawn: set[int] = set()  # slots of gradients at points that depend on the selection
        self.space: Any = None

    def size(self, name: str, n: int) -> Any:
        return self.sizes.get(name, self.count(n))

    @property
    def selected(self) -> Quantity:
        """How many clients are selected."""
        if "S" not in self.sizes:
            raise NotApplicable("a sum over selected clients, of which there may be any number")
        return self.sizes["S"]

    def selections(self, m: int, S: int) -> tuple[Any, ...]:
        return (Selection(self),)

    def independent(self, m: int, p: Quantity) -> Draws:
        self.chance = p
        return Draws((Selection(self),), (Fraction(1),))

    def with_replacement(self, m: int, S: int) -> Repeated:
        self.replaced = True
        return Repeated((Selection(self),), (Fraction(1),))

    def noisy(self, u: Array, m: int) -> Noisy:
        (own,) = (slot for slot, c in enumerate(np.asarray(u, dtype=object).reshape(-1)) if nonzero(c))
        self.noise = frozenset({own, self.bars[own]})
        return Noisy((u,))

    def of_draws(self) -> tuple[Quantity, Quantity, Quantity]:
        """E[N_i], E[N_i^2] and E[N_i N_j] of how often clients are drawn."""
        m = self.sizes["m"]
        if self.chance is not None:
            return self.chance, self.chance, self.chance * self.chance
        S = self.selected
        if self.replaced:
            return S / m, S / m + S * (S - 1) / (m * m), S * (S - 1) / (m * m)
        return S / m, S / m, S * (S - 1) / (m * (m - 1))

    def mean(self, s: Quantity) -> Any:
        return self._forms(s, self._mean) if hasattr(s, "shape") else s

    def mean_vec(self, u: Array) -> Array:
        return self._rows(u, self.bars)

    def total(self, s: Quantity, over: Array | None, m: Quantity) -> Any:
        if over is None or _shared(over):
            return self.mean(s) * m * (1 if over is None else over)
        _require(over)
        return self._forms(s, self._select)

    def total_vec(self, u: Array, over: Array | None, m: Quantity) -> Array:
        if over is None or _shared(over):
            return self.mean_vec(u) * m * (1 if over is None else over)
        _require(over)
        return self._rows(u, self.selecteds)

    def where(self, draw: Array, new: Array, old: Array) -> Any:
        _require(draw)
        if isinstance(new, Rows) and isinstance(old, Rows):
            return old + self.masked(new - old)
        raise NotApplicable("a choice between other things than vectors by a selection")

    def masked(self, u: Array) -> Rows:
        """A vector of the selected clients, and 0 of the others."""
        plain = np.asarray(u, dtype=object).view(np.ndarray)
        out = np.empty(plain.shape, dtype=object)
        out[...] = ZERO
        for index in np.ndindex(*plain.shape[:-1]):
            for slot, c in enumerate(plain[index]):
                if nonzero(c):
                    target = slot if self.kinds[slot] == MASKED else self._mask(slot)
                    out[index][target] = out[index][target] + c
        return out.view(Rows)

    def unmasked(self, u: Array) -> tuple[Rows, Rows] | None:
        """A vector of a client that is selected, and of one that is not; None where they are one."""
        plain = np.asarray(u, dtype=object).view(np.ndarray)
        leaf = {masked: slot for slot, masked in self.masks.items()}
        if not any(nonzero(row[masked]) for row in plain.reshape(-1, plain.shape[-1]) for masked in leaf):
            return None
        new, old = plain.copy(), plain.copy()
        for index in np.ndindex(*plain.shape[:-1]):
            for masked, slot in leaf.items():
                if nonzero(plain[index][masked]):
                    new[index][slot] = new[index][slot] + plain[index][masked]
                    new[index][masked] = old[index][masked] = ZERO
        return new.view(Rows), old.view(Rows)

    def masked_form(self, form: Form) -> Form:
        """A number of a selected client, and 0 of the others."""

        def key(k: Key, c: Quantity) -> Terms:
            if k[:1] == ("v",):
                return {("v", self._masked_value(k[1])): c}
            if k[:1] in (("G",), ("S",)):
                return {("S", *k[1:]): c}
            raise NotApplicable("a number of all clients for the selected ones alone")

        return self._mapped(form, key)

    def expectation(self, fn: Callable[[Any], Quantity], draws: Sequence[Any]) -> Quantity:
        if isinstance(draws, Noisy):
            value = fn(draws[0])
            return quiet_rows(self, value) if isinstance(value, Rows) else self._forms(value, partial(quiet, self))
        if draws and not any(isinstance(draw, Selection) for draw in draws):
            return super().expectation(fn, draws)  # outcomes that are written out
        if len(draws) != 1 or not isinstance(draws[0], Selection):
            raise NotApplicable("an expectation over something other than the selection of clients")
        if self.drawing:
            raise NotApplicable("an expectation within an expectation has a selection of its own")
        self.drawing = True
        try:
            value = fn(draws[0])
        finally:
            self.drawing = False
        if isinstance(value, Selection):
            return self.of_draws()[0]  # of the mask: every client's chance to be drawn
        if isinstance(value, Rows):
            return self._expected_rows(value)
        return self._forms(value, self._expect)

    def _expected_rows(self, u: Rows) -> Rows:
        """A selected sum becomes S times the mean, and what is masked S/m of itself, where S/m are drawn in the mean."""
        plain = u.view(np.ndarray)
        out = plain.copy()
        share = self.of_draws()[0]
        count = share * self.sizes["m"]
        to = {chosen: (self.bars.get(own, own), count) for own, chosen in self.selecteds.items()}
        for (kind, leaf, _), slot in list(self.weighted.items()):
            if kind == SELECTED:
                to[slot] = (self._summed(BAR, leaf, self.of_weighted[slot][2])[0], count)
        to |= {masked: (slot, share) for slot, masked in self.masks.items() if not self._depends(slot)}
        for chosen, (target, factor) in to.items():
            for index in np.ndindex(*plain.shape[:-1]):
                if nonzero(plain[index][chosen]):
                    out[index][target] = out[index][target] + plain[index][chosen] * factor
                    out[index][chosen] = ZERO
        return out.view(Rows)

    def dot(self, u: Array, v: Array) -> Array:
        out: Any = np.asarray(super().dot(u, v), dtype=object)
        for index in np.ndindex(*out.shape):
            if self.masks:
                out[index] = self._with_masks(out[index])
            if self.of_weighted:
                out[index] = self._in_order(out[index])
        return out.view(OneClient)

    def minimum(self, a: Quantity, b: Quantity) -> Quantity:
        raise NotApplicable("a minimum of parameters")

    maximum = minimum

    def over_clients(self, s: Array, pick: Callable[[Quantity, Quantity], Quantity]) -> Quantity:
        raise NotApplicable("an extreme over generic clients")

    # leaves and values that are made where they are asked for

    def _mask(self, slot: int) -> int:
        if slot not in self.masks:
            self.masks[slot] = self.space.new_slot(f"selected of {self.space.leaves[slot]}", MASKED)
        return self.masks[slot]

    def _summed(self, kind: str, leaf: int, part: Quantity) -> tuple[int, Quantity]:
        """(the slot, its factor) of the mean (kind BAR) or the selected sum of a leaf times scalars of the client."""
        if isinstance(part, Ratio):
            key = (kind, leaf, self._weight(part))
            if key not in self.weighted:
                what = "mean" if kind == BAR else "selected"
                self.weighted[key] = self.space.new_slot(f"{what} ({key[2]}) {self.space.leaves[leaf]}", kind)
                self.of_weighted[self.weighted[key]] = (kind, leaf, part)
            return self.weighted[key], 1
        if self._is_own(leaf):
            return (self.bars if kind == BAR else self.selecteds)[leaf], 1
        if kind == SELECTED and self.chance is not None:  # as many times as clients are drawn, which is random
            return self._times_drawn(leaf), 1
        return leaf, 1 if kind == BAR else self.selected

    def _times_drawn(self, leaf: int) -> int:
        if self.kinds[leaf] != SHARED:
            raise NotApplicable("a sum over the selected clients of what depends on how many they are")
        if leaf not in self.selecteds:
            self.selecteds[leaf] = self.space.new_slot(f"drawn times {self.space.leaves[leaf]}", SELECTED)
        return self.selecteds[leaf]

    def _weight(self, part: Ratio) -> str:
        name = text(part)
        self.weights.setdefault(name, part)
        return name

    def _is_own(self, leaf: int) -> bool:
        return self.kinds[leaf] == OWN

    def _depends(self, slot: int) -> bool:
        """Whether a vector depends on the draw otherwise than as a sum over those that are drawn."""
        leaf = self.of_weighted[slot][1] if slot in self.of_weighted else slot
        return leaf in self.drawn or (leaf != slot and (self.kinds[leaf] == SELECTED or self._depends(leaf)))

    def _gram(self, i: int, j: int) -> Key:
        """The inner product of shared leaves: a client's scalars within a sum stand before the first leaf of all clients."""
        sums = [self.of_weighted.get(k) for k in (i, j)]
        shared = [k is not None and not self._is_own(k[1]) for k in sums]
        if all(shared) and sums[0][0] == sums[1][0]:  # type: ignore[index]
            leaves, parts = sorted(k[1] for k in sums), sorted((k[2] for k in sums), key=text)  # type: ignore[index]
            i, j = (self._summed(sums[0][0], *pair)[0] for pair in zip(leaves, parts, strict=True))  # type: ignore[index]
        elif any(shared) and not all(shared):
            (kind, leaf, part), other = (sums[0], j) if shared[0] else (sums[1], i)  # type: ignore[misc]
            least, j = sorted((leaf, other))
            i = self._summed(kind, least, part)[0]
        return gram_key(i, j)

    def _value_part(self, k: int, part: Quantity) -> int:
        if not isinstance(part, Ratio):
            return k
        name = f"({text(part)}) {self.space.values[k]}"
        if name not in self.space.values:
            self.space.client_value(name)
            self.weighted_values[self.space.values.index(name)] = k
            self.value_parts[self.space.values.index(name)] = part
        return int(self.space.values.index(name))

    def _masked_value(self, k: int) -> int:
        if k in self.masked_values.values():
            return k
        if k not in self.masked_values:
            self.space.value(f"selected of {self.space.values[k]}")
            self.masked_values[k] = len(self.space.values) - 1
        return self.masked_values[k]

    def _selected_value(self, k: int) -> int:
        if k not in self.selected_values:
            self.space.value(f"selected {self.space.values[k]}")
            self.selected_values[k] = len(self.space.values) - 1
        return self.selected_values[k]

    def _split(self, c: Quantity) -> list[tuple[Quantity, Quantity]]:
        """A coefficient as a sum of products of a factor of all clients and one of a client's own scalars, 1 where it has none."""
        return split(c, self.own) if self.own and isinstance(c, Ratio) else [(c, Fraction(1))]

    # rows and forms

    def _rows(self, u: Array, to: Mapping[int, int]) -> Rows:
        """Move the own coefficients of every row to the slots `to`, of the means or of the selected sums."""
        plain = np.asarray(u, dtype=object).view(np.ndarray)
        out = np.empty(plain.shape, dtype=object)
        out[...] = ZERO
        leaf = {masked: slot for slot, masked in self.masks.items()}
        for index in np.ndindex(*plain.shape[:-1]):
            for slot, c in enumerate(plain[index]):
                if nonzero(c):
                    masked = slot in leaf
                    kind = SELECTED if masked or to is self.selecteds else BAR
                    share = 1 / self.sizes["m"] if masked and to is self.bars else 1
                    for factor, part in self._split(c):
                        target, times = self._summed(kind, leaf.get(slot, slot), part)
                        out[index][target] = out[index][target] + factor * times * share
        return out.view(Rows)

    def _forms(self, s: object, fn: Callable[[Form], Form]) -> np.ndarray:
        plain = np.asarray(s, dtype=object).view(np.ndarray)
        plain = plain.reshape(1) if plain.ndim == 0 else plain
        if plain.shape[-1] != 1:
            raise NotApplicable("an array over clients in place of a generic one")
        out = np.empty(plain.shape, dtype=object)
        for index, entry in np.ndenumerate(plain):
            out[index] = fn(Form.of(entry))
        return out.view(OneClient)

    def _mapped(self, form: Form, key: Callable[[Key, Quantity], Mapping[Key, Quantity]]) -> Form:
        terms: Terms = {}
        for k, c in form.terms.items():
            for target, value in key(k, c).items():
                terms[target] = terms.get(target, 0) + value
        return Form(terms)

    def _with_masks(self, form: Form) -> Form:
        """Products of masked leaves as products of selected clients."""
        leaf = {masked: slot for slot, masked in self.masks.items()}

        def key(k: Key, c: Quantity) -> Terms:
            if k[:1] != ("G",) or not {k[1], k[2]} & leaf.keys():
                return {k: c}
            slots: Any = k[1:3]
            first, second = (leaf.get(slot, slot) for slot in slots)
            return {("S", *sorted((first, second))): c}

        return self._mapped(form, key)

    def _in_order(self, form: Form) -> Form:
        """Products of shared leaves in the one order that they have."""

        def key(k: Key, c: Quantity) -> Terms:
            return {self._gram(*k[1:]): c} if k[:1] == ("G",) and not any(map(self._is_own, k[1:])) else {k: c}

        return self._mapped(form, key)

    def _mean(self, form: Form) -> Form:
        return self._mapped(form, lambda k, c: self._averaged(k, c, of_all=True))

    def _averaged(self, key: Key, c: Quantity, *, of_all: bool = False) -> dict[Key, Quantity]:
        """The mean over the clients of an entry: `of_all`, or of a sum over the selected ones in expectation."""
        if key[:1] == ("v",):
            return self._averaged_value(key[1], c)
        if key[:1] in (("G",), ("S",)):
            if not of_all and {SELECTED, OWN} <= {self.kinds[i] for i in key[1:]}:
                raise NotApplicable("a sum over the selected clients of inner products with a selected sum")
            return self._moments(key[1], key[2], c, key[0] == "S")
        if len(self._split(c)) > 1 or isinstance(self._split(c)[0][1], Ratio):
            raise NotApplicable("a mean of scalars of the clients")
        return {key: c}

    def _averaged_value(self, k: int, c: Quantity) -> dict[Key, Quantity]:
        base = {masked: own for own, masked in self.masked_values.items()}
        out: dict[Key, Quantity] = {}
        for factor, part in self._split(c):
            if k in base:
                out["v", self._selected_value(self._value_part(base[k], part))] = factor / self.sizes["m"]
            elif k in self.mean_values:
                out["v", self.mean_values[self._value_part(k, part)]] = factor
            elif isinstance(part, Ratio):
                raise NotApplicable("a mean of scalars of the clients times a value of all")
            else:
                out["v", k] = factor
        return out

    def _moments(self, i: int, j: int, c: Quantity, masked: bool) -> dict[Key, Quantity]:
        """The mean over the clients, or 1/m of the sum over the selected ones, of an inner product times scalars of the client."""
        first, second = sorted((i, j), key=lambda leaf: (not self._is_own(leaf), leaf))
        kind, share = (SELECTED, 1 / self.sizes["m"]) if masked else (BAR, 1)
        out: dict[Key, Quantity] = {}
        for factor, part in self._split(c):
            if self._is_own(second):
                weight = (self._weight(part),) if isinstance(part, Ratio) else ()
                key: Key = ("T" if masked else "M", first, second, *weight)
            else:
                slot, times = self._summed(kind, first, part)
                key, factor = self._gram(slot, second), factor * times * share
            out[key] = out.get(key, 0) + factor
        return out

    def _select(self, form: Form) -> Form:
        """The sum of one client's form over the selected clients."""
        if not self.drawing:
            m = self.sizes["m"]
            return self._mapped(self._mean(self.masked_form(form)), lambda k, c: {k: c * m})
        S = self.of_draws()[0] * self.sizes["m"]

        def key(k: Key, c: Quantity) -> Terms:  # under the expectation that must follow
            if self.chance is not None and self._is_random(k):
                raise NotApplicable("a sum over the selected clients of what depends on how many they are")
            own = k[:1] == ("G",) and OWN in (self.kinds[k[1]], self.kinds[k[2]])
            if k[:1] == ("v",) or own:
                return {t: v * S for t, v in self._averaged(k, c).items()}
            if k[:1] in (("S",), ("T",)):
                raise NotApplicable("a sum over the selected clients of what the selection has made of them")
            return {k: c * S}

        return self._mapped(form, key)

    def _is_random(self, k: Key) -> bool:
        """Whether an entry depends on the draw beside a client's own; a plain number as well, which may be squared later."""
        if k[:1] == ("v",):
            return k[1] in self.selected_values.values() or k[1] in self.masked_values.values()
        return not k or any(self.kinds[i] in (SELECTED, MASKED) or self._depends(i) for i in k[1:3])

    def _expect(self, form: Form) -> Form:
        m = self.sizes["m"]
        one, same, two = self.of_draws()
        own_of = {s: own for own, s in self.selecteds.items()}
        masked_of = {s: own for own, s in self.masked_values.items()}
        total_of = {s: own for own, s in self.selected_values.items()}

        def of_sum(slot: int) -> tuple[int, Quantity]:
            return self.of_weighted[slot][1:] if slot in self.of_weighted else (own_of[slot], Fraction(1))

        def key(k: Key, c: Quantity) -> Terms:
            if k[:1] in (("S",), ("T",)) and any(map(self._depends, k[1:3])):
                return {k: c}
            if k[:1] == ("S",):
                return {gram_key(*k[1:]): c * one}
            if k[:1] == ("T",):
                return {("M", *k[1:]): c * one}
            if k[:1] == ("v",) and k[1] in masked_of:
                return {("v", masked_of[k[1]]): c * one}
            if k[:1] == ("v",) and k[1] in total_of:
                return {("v", self.mean_values[total_of[k[1]]]): c * one * m}
            if k[:1] != ("G",):
                return {k: c}
            i, j = k[1:]
            drawn = [self.kinds[s] == SELECTED for s in (i, j)]
            if not any(drawn) or any(map(self._depends, (i, j))):  # the mean has no other form
                return {k: c}
            if all(drawn):
                (a, p), (b, q) = of_sum(i), of_sum(j)
                out = self._moments(a, b, c * m * (same - two) * p * q, False)
                product = self._gram(self._summed(BAR, a, p)[0], self._summed(BAR, b, q)[0])
                return {**out, product: out.get(product, 0) + c * m * m * two}
            other, chosen = (i, j) if drawn[1] else (j, i)
            return {self._gram(other, self._summed(BAR, *of_sum(chosen))[0]): c * one * m}

        return self._mapped(form, key)


def _shared(over: Array) -> bool:
    """Whether a weight is one number for all clients, such as the expectation of a mask."""
    return isinstance(over, (Ratio, Fraction, int))


def _require(over: Array) -> None:
    if not isinstance(over, Selection):
        raise NotApplicable("a selection of clients other than the drawn one")
