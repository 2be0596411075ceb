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

Reference: exchangeable clients are the standard reduction by symmetry of a semidefinite program; the sampling moments
are E[I_i] = S/m and E[I_i I_j] = S(S-1)/(m(m-1)).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ..errors import NotApplicable, UsageError
from .forms import GENERIC_SIZES, Extent, Form, Gap, Grams, Key, Rows, Space
from .ratio import ZERO, Ratio, nonzero

OWN, BAR, SHARED, SELECTED = "own", "bar", "shared", "selected"


class Selection:
    """S of the m clients, drawn uniformly; stands for its mask, and knows only how to select a sum."""

    __array_ufunc__ = None

    def __init__(self, numbers: GenericGrams) -> None:
        self.numbers = numbers

    def _unknown(self, *_: Any) -> Any:
        raise NotApplicable("the mask of a generic selection has no entries")

    __bool__ = __getitem__ = __mul__ = __rmul__ = __add__ = __radd__ = __sub__ = __rsub__ = __array__ = _unknown


class OneClient(np.ndarray):
    """Forms ``(1,)`` of a generic client; a sum over this axis would miss the other clients."""

    @property  # type: ignore[misc]
    def shape(self) -> tuple[Any, ...]:  # type: ignore[override]
        whole = self.view(np.ndarray).shape
        return (*whole[:-1], *(Extent(n) for n in whole[-1:]))

    def __iter__(self) -> Any:
        raise NotApplicable("a loop over generic clients")

    def __getitem__(self, key: Any) -> Any:
        if any(
            k is not None and k is not Ellipsis and k != slice(None)
            for k in (key if isinstance(key, tuple) else (key,))
        ):
            raise NotApplicable("the body picks one of the generic clients")
        return super().__getitem__(key)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        raise NotApplicable(f"numpy.{func.__name__} over generic clients")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__":
            raise NotApplicable("a sum over generic clients other than x.mean and x.total")
        if options.get("out") is not None:
            raise UsageError("the body changes a number of x in place; write after = before + ... instead")
        plain = [i.view(np.ndarray) if isinstance(i, OneClient) else i for i in inputs]
        out = ufunc(*plain, **options)
        return out.view(OneClient) if isinstance(out, np.ndarray) else out


class GenericGrams(Grams):
    """Client sums of a generic client; `sizes` has the symbols that stand for m and S."""

    def __init__(self, sizes: Mapping[str, Ratio], scale: int = 1) -> None:
        super().__init__(scale)
        self.sizes = dict(sizes)
        self.kinds: list[str] = []  # of every slot of a row
        self.bars: dict[int, int] = {}  # own slot -> slot of its mean
        self.selecteds: dict[int, int] = {}  # own slot -> slot of its sum over the selection
        self.drawing = False  # within an expectation
        self.mean_values: dict[int, int] = {}  # value of one client -> its mean

    def size(self, name: str, n: int) -> Any:
        return self.sizes.get(name, self.count(n))

    def selections(self, m: int, S: int) -> tuple[Any, ...]:
        return (Selection(self),)

    def mean(self, s: Any) -> Any:
        return self._forms(s, self._mean) if hasattr(s, "shape") else s

    def mean_vec(self, u: Any) -> Any:
        return self._rows(u, self.bars)

    def total(self, s: Any, over: Any, m: Any) -> Any:
        if over is None or _shared(over):
            return self.mean(s) * m * (1 if over is None else over)
        _require(over)
        return self._forms(s, self._select)

    def total_vec(self, u: Any, over: Any, m: Any) -> Any:
        if over is None or _shared(over):
            return self.mean_vec(u) * m * (1 if over is None else over)
        _require(over)
        return self._rows(u, self.selecteds, self.sizes["S"])

    def expectation(self, fn: Callable[[Any], Any], draws: Sequence[Any]) -> Any:
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
            return self.sizes["S"] / self.sizes["m"]  # of the mask: every client's chance to be drawn
        if isinstance(value, Rows):
            return self._expected_rows(value)
        return self._forms(value, self._expect)

    def _expected_rows(self, u: Rows) -> Rows:
        """A selected sum becomes S times the mean."""
        plain = u.view(np.ndarray)
        out = plain.copy()
        for own, chosen in self.selecteds.items():
            for index in np.ndindex(*plain.shape[:-1]):
                if nonzero(plain[index][chosen]):
                    bar = self.bars[own]
                    out[index][bar] = out[index][bar] + plain[index][chosen] * self.sizes["S"]
                    out[index][chosen] = ZERO
        return out.view(Rows)

    def dot(self, u: Any, v: Any) -> Any:
        return np.asarray(super().dot(u, v), dtype=object).view(OneClient)

    def minimum(self, a: Any, b: Any) -> Any:
        raise NotApplicable("a minimum of parameters")

    maximum = minimum

    def over_clients(self, s: Any, pick: Callable[[Any, Any], Any]) -> Any:
        raise NotApplicable("an extreme over generic clients")

    # rows and forms

    def _rows(self, u: Any, to: Mapping[int, int], others: Any = 1) -> Rows:
        """Move the own coefficients of every row to the slots `to`; multiply the others by `others`."""
        plain = np.asarray(u, dtype=object).view(np.ndarray)
        out = np.empty(plain.shape, dtype=object)
        out[...] = ZERO
        for index in np.ndindex(*plain.shape[:-1]):
            for slot, c in enumerate(plain[index]):
                if nonzero(c):
                    own = self.kinds[slot] == OWN
                    target = to[slot] if own else slot
                    out[index][target] = out[index][target] + (c if own else c * others)
        return out.view(Rows)

    def _forms(self, s: Any, fn: Callable[[Form], Form]) -> np.ndarray:
        plain = np.asarray(s, dtype=object).view(np.ndarray)
        plain = plain.reshape(1) if plain.ndim == 0 else plain
        if plain.shape[-1] != 1:
            raise NotApplicable("an array over clients in place of a generic one")
        out = np.empty(plain.shape, dtype=object)
        for index, entry in np.ndenumerate(plain):
            out[index] = fn(Form.of(entry))
        return out.view(OneClient)

    def _mapped(self, form: Form, key: Callable[[Key], Mapping[Key, Any]]) -> Form:
        terms: dict[Key, Any] = {}
        for k, c in form.terms.items():
            for target, factor in key(k).items():
                terms[target] = terms.get(target, 0) + c * factor
        return Form(terms)

    def _mean(self, form: Form) -> Form:
        return self._mapped(form, lambda k: {self._averaged(k): 1})

    def _averaged(self, key: Key) -> Key:
        if key[:1] == ("v",):
            return ("v", self.mean_values.get(key[1], key[1]))
        if key[:1] != ("G",):
            return key
        if SELECTED in (self.kinds[key[1]], self.kinds[key[2]]) and OWN in (self.kinds[key[1]], self.kinds[key[2]]):
            raise NotApplicable("a mean of inner products with a selected sum")
        own = [self.kinds[i] == OWN for i in key[1:]]
        if all(own):
            return ("M", *key[1:])
        return gram_key(*(self.bars[i] if mine else i for i, mine in zip(key[1:], own, strict=True)))

    def _select(self, form: Form) -> Form:
        """The sum of one client's form over the selected clients, under the expectation that must follow."""
        S = self.sizes["S"]

        def key(k: Key) -> Mapping[Key, Any]:
            if k[:1] == ("v",):
                return {self._averaged(k): S}
            if k[:1] == ("G",) and OWN in (self.kinds[k[1]], self.kinds[k[2]]):
                return {self._averaged(k): S}
            return {k: S}

        return self._mapped(form, key)

    def _expect(self, form: Form) -> Form:
        m, S = self.sizes["m"], self.sizes["S"]
        own_of = {s: own for own, s in self.selecteds.items()}

        def key(k: Key) -> Mapping[Key, Any]:
            if k[:1] != ("G",):
                return {k: 1}
            i, j = k[1:]
            drawn = [self.kinds[s] == SELECTED for s in (i, j)]
            if not any(drawn):
                return {k: 1}
            if all(drawn):
                a, b = own_of[i], own_of[j]
                both = S * (S - 1) / (m - 1)
                return {("M", *sorted((a, b))): S - both, gram_key(self.bars[a], self.bars[b]): both * m}
            other, chosen = (i, j) if drawn[1] else (j, i)
            if self.kinds[other] == OWN:
                raise NotApplicable("an inner product of one client with a selected sum")
            return {gram_key(other, self.bars[own_of[chosen]]): S}

        return self._mapped(form, key)


def _shared(over: Any) -> bool:
    """Whether a weight is one number for all clients, such as the expectation of a mask."""
    return isinstance(over, (Ratio, Fraction, int))


def _require(over: Any) -> None:
    if not isinstance(over, Selection):
        raise NotApplicable("a selection of clients other than the drawn one")


def gram_key(i: int, j: int) -> Key:
    return ("G", i, j) if i <= j else ("G", j, i)


class GenericSpace(Space):
    """A space whose clients are one generic client."""

    numbers: GenericGrams

    def __init__(self, sizes: Mapping[str, Ratio], size: int = GENERIC_SIZES[-1], scale: int = 1) -> None:
        super().__init__(size, scale)
        self.numbers = GenericGrams(sizes, scale)
        self.centered: set[str] = set()

    def per_client(self, s: np.ndarray) -> np.ndarray:
        return s.view(OneClient)

    def _slot(self, name: str, kind: str) -> np.ndarray:
        row = super().leaf(name)
        self.numbers.kinds.append(kind)
        return row

    def leaf(self, name: str) -> np.ndarray:
        return self._slot(name, SHARED)

    def client_leaf(self, name: str) -> np.ndarray:
        row = self._slot(name, OWN)
        own = len(self.leaves) - 1
        self._slot(f"mean {name}", BAR)
        self._slot(f"selected {name}", SELECTED)
        self.numbers.bars[own], self.numbers.selecteds[own] = own + 1, own + 2
        return row

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
        """Every inequality for one client and for the mean over the clients."""
        out = []
        for name, form in self.inequalities:
            out.append((name, form))
            out.append((f"mean of {name}", self.numbers._mean(form)))
        return out


def virtual(
    target: Gap, inequalities: Sequence[tuple[str, Form]], numbers: GenericGrams
) -> tuple[Gap, list[tuple[str, Form]]]:
    """The target and the inequalities that can serve it, over ordinary leaves.

    A target that speaks of one client gets the deviations as leaves; one that has means only does not, and then the
    inequalities of a single client are of no use.
    """

    def single(form: Form) -> bool:
        return any(
            (k[:1] == ("G",) and OWN in (numbers.kinds[k[1]], numbers.kinds[k[2]]))
            or (k[:1] == ("v",) and k[1] in numbers.mean_values)
            for k in form.clean()
        )

    one_client = single(target)
    index: dict[tuple[str, int], int] = {}

    def leaf(kind: str, slot: int) -> int:
        return index.setdefault((kind, slot), len(index))

    def parts(slot: int) -> list[int]:
        if numbers.kinds[slot] == SELECTED:
            raise NotApplicable("a selected sum outside of its expectation")
        if numbers.kinds[slot] == OWN:
            return [leaf("mean", numbers.bars[slot]), leaf("deviation", slot)]
        return [leaf("mean", slot)]

    def rewritten(form: Form) -> Form:
        terms: dict[Key, Any] = {}

        def add(a: int, b: int, c: Any) -> None:
            k = gram_key(a, b)
            terms[k] = terms.get(k, 0) + c

        for k, c in form.clean().items():
            if k[:1] == ("G",):
                for a in parts(k[1]):
                    for b in parts(k[2]):
                        add(a, b, c)
            elif k[:1] == ("M",):
                add(leaf("mean", numbers.bars[k[1]]), leaf("mean", numbers.bars[k[2]]), c)
                add(leaf("spread", k[1]), leaf("spread", k[2]), c)
                if one_client:
                    add(leaf("deviation", k[1]), leaf("deviation", k[2]), c / (numbers.sizes["m"] - 1))
            else:
                terms[k] = terms.get(k, 0) + c
        return Form(terms)

    useful = [(name, f) for name, f in inequalities if one_client or not single(f)]
    form, rows = rewritten(target), [(name, rewritten(f)) for name, f in useful]
    try:
        return Gap(rewritten(target.lhs), rewritten(target.rhs)), rows
    except NotApplicable:  # the selected sum cancels
        return Gap(Form({}), form), rows


def instantiated(form: Form, generic: GenericSpace, explicit: Space, m: int, i: int) -> dict[Key, Fraction]:
    """A form with rational coefficients, read for client `i` of `m` over the leaves of an explicit space.

    A relation must come out the same as from `m` explicit clients; a body that counts or sums clients by other means
    than those of the instance is found out here.
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
        own = next(o for o, bar in numbers.bars.items() if bar == slot)
        out: dict[int, Fraction] = {}
        for k in range(m):
            for at, c in client(own, k).items():
                out[at] = out.get(at, Fraction(0)) + c / m
        return out

    def scalar(k: int) -> dict[int, Fraction]:
        name = generic.values[k]
        if k in numbers.mean_values:
            return {value[f"{name[:-3]}[{i}]"]: Fraction(1)}
        if name.startswith("mean ") and name[5:] in generic.values:
            return {value[f"{name[5:-3]}[{j}]"]: Fraction(1, m) for j in range(m)}
        return {value[name]: Fraction(1)}

    out: dict[Key, Fraction] = {}

    def add(key: Key, c: Fraction) -> None:
        out[key] = out.get(key, Fraction(0)) + c

    for k, c in form.clean().items():
        if k[:1] == ("v",):
            for at, share in scalar(k[1]).items():
                add(("v", at), c * share)
            continue
        if k[:1] not in (("G",), ("M",)):
            add(k, c)
            continue
        clients = range(m) if k[0] == "M" else (i,)
        for j in clients:
            for a, p in vector(k[1], j).items():
                for b, q in vector(k[2], j).items():
                    add(gram_key(a, b), c * p * q / len(clients))
    return {k: c for k, c in out.items() if c}
