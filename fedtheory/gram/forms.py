"""Gram arrays: a vector is its row of coefficients over abstract leaves, an inner product an affine form.

An abstract instance consists of leaves (unknown vectors), function values (unknown numbers) and the inequalities that
its function classes satisfy at the points where a body looks. A relation whose two sides are affine in Gram entries and
values holds for the whole class, in any dimension, when its slack is a combination of those inequalities with
non-negative multipliers plus a positive semidefinite form (Drori and Teboulle 2014; Taylor, Hendrickx, Glineur 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from ..errors import NotApplicable, UsageError, inexact
from ..numbers import Numbers
from ..relation import Relation
from .ratio import ZERO, Coefficient, coefficient, no_attribute, nonzero
from .roots import Root

if TYPE_CHECKING:
    from typing import NoReturn

    from ..quantity import Array, Quantity

Key = tuple[Any, ...]
Terms = dict[Key, Any]  # coefficients: numbers, quotients, polynomials
CONSTANT: Key = ()
SIZES = (24, 64)  # lengths of a row; a claim that needs more leaves than the first gets the second
GENERIC_SIZES = (47, 191)  # the same where one client stands for all; a plain sum over clients is refused there


class TooManyLeaves(NotApplicable):
    """The rows of this space are too short for what the body looks at."""


Result = TypeVar("Result")


def with_room(build: Callable[[int], Result], sizes: Sequence[int]) -> Result:
    """What `build` makes with the shortest rows that suffice."""
    for size in sizes[:-1]:
        try:
            return build(size)
        except TooManyLeaves:
            continue
    return build(sizes[-1])


OTHERS = (np.ndarray, Root)  # whose arithmetic with a form is theirs


class Form:
    """An affine form: rational coefficients of Gram entries ``("G", i, j)``, values ``("v", k)`` and the constant."""

    __slots__ = ("terms",)

    def __init__(self, terms: dict[Key, Quantity]) -> None:
        self.terms = terms

    @staticmethod
    def of(value: Quantity) -> Form:
        if isinstance(value, float):
            raise UsageError(inexact(value))
        if isinstance(value, Form):
            return value
        if isinstance(value, Root):
            raise NotApplicable("a root beside inner products or values")
        c = coefficient(value)
        return Form({CONSTANT: c} if nonzero(c) else {})

    def is_constant(self) -> bool:
        return all(k == CONSTANT for k, c in self.terms.items() if nonzero(c))

    def __add__(self, other: Quantity) -> Form:
        if isinstance(other, OTHERS):
            return NotImplemented
        terms = dict(self.terms)
        for k, c in Form.of(other).terms.items():
            terms[k] = terms.get(k, 0) + c
        return Form(terms)

    __radd__ = __add__

    def __neg__(self) -> Form:
        return Form({k: -c for k, c in self.terms.items()})

    def __sub__(self, other: Quantity) -> Form:
        return NotImplemented if isinstance(other, OTHERS) else self + -Form.of(other)

    def __rsub__(self, other: Quantity) -> Form:
        return NotImplemented if isinstance(other, OTHERS) else Form.of(other) + -self

    def __mul__(self, other: Quantity) -> Form:
        if isinstance(other, OTHERS):
            return NotImplemented
        if isinstance(other, Form):
            if other.is_constant():
                other = other.terms.get(CONSTANT, 0)
            elif self.is_constant():
                return other * self.terms.get(CONSTANT, 0)
            else:
                raise NotApplicable("a product of two inner products or values is not affine in Gram entries")
        return Form({k: c * other for k, c in self.terms.items()})

    __rmul__ = __mul__

    def __truediv__(self, other: Quantity) -> Form:
        if isinstance(other, OTHERS):
            return NotImplemented
        if isinstance(other, Form):
            if not other.is_constant():
                raise NotApplicable("a quotient by an inner product or value is not affine in Gram entries")
            other = other.terms.get(CONSTANT, 0)
        return self * (1 / coefficient(other))

    def __rtruediv__(self, other: Quantity) -> Form:
        return NotImplemented if isinstance(other, OTHERS) else Form.of(other) / self

    def __pow__(self, p: int) -> Form:
        if p == 1:
            return self
        if self.is_constant():
            return Form.of(self.terms.get(CONSTANT, Fraction(0)) ** p)
        raise NotApplicable("a power of an inner product or value is not affine in Gram entries")

    def _no_order(self, other: object) -> bool:
        raise NotApplicable("a branch on an inner product or value")

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _no_order  # type: ignore[assignment]

    def _no_branch(self, *_: object) -> NoReturn:
        raise NotApplicable("a branch on an inner product or value")

    __bool__ = __abs__ = __float__ = __int__ = __index__ = __complex__ = __round__ = __hash__ = _no_branch
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __rpow__ = __repr__ = __str__ = __format__ = _no_branch

    def __getattr__(self, name: str) -> Any:
        return no_attribute(name)

    def clean(self) -> Terms:
        """Nonzero coefficients."""
        for c in self.terms.values():
            if isinstance(c, float):
                raise UsageError(inexact(c))
        return {k: coefficient(c) for k, c in self.terms.items() if nonzero(c)}


class Gap(Form):
    """The right less the left side of a relation, with both of them."""

    __slots__ = ("lhs", "rhs")

    def __init__(self, lhs: Form, rhs: Form) -> None:
        super().__init__((rhs - lhs).terms)
        self.lhs, self.rhs = lhs, rhs


def gaps(relation: Relation) -> list[Gap]:
    """The right less the left side of a relation, entry by entry."""
    sides = (np.asarray(side, dtype=object).view(np.ndarray) for side in (relation.lhs, relation.rhs))
    lhs, rhs = np.broadcast_arrays(*sides)
    return [Gap(Form.of(a), Form.of(b)) for a, b in zip(lhs.flat, rhs.flat, strict=True)]


class Grams(Numbers):
    """The number type of Gram arrays: scalars are Fractions or ratios, vectors coefficient rows, inner products forms."""

    kind: ClassVar[str] = "gram"

    def scalar(self, s: Quantity) -> Quantity:
        return coefficient(s)

    def __init__(self, scale: int = 1) -> None:
        self.scale = scale
        self.length = 0  # of a row, as its space has them
        self.under_roots: list[Coefficient] = []  # coefficients that are not negative wherever the body is defined
        self.squares: dict[int, tuple[object, np.ndarray]] | None = (
            None  # of which vector a form is the square, where asked
        )

    def sqrt(self, s: Coefficient) -> Coefficient:
        return np.frompyfunc(self._root_of, 1, 1)(s)

    def _root_of(self, s: Quantity) -> Root:
        form = Form.of(s)
        if form.is_constant():
            self.under_roots.append(form.terms.get(CONSTANT, Fraction(0)))
        return Root.of(form)

    def require_vectors(self, *vectors: Array) -> None:
        """Refuse an inner product of numbers, which have no coefficients.

        Raises
        ------
        NotApplicable
            If one of these is no array of coefficient rows.
        """
        if any(np.asarray(u, dtype=object).shape[-1:] != (self.length,) for u in vectors):
            raise NotApplicable("an inner product of what is no vector")

    def dot(self, u: Array, v: Array) -> Array:
        self.require_vectors(u, v)
        out = _dot(np.asarray(u, dtype=object), np.asarray(v, dtype=object))
        if self.squares is not None and u is v:
            for index in np.ndindex(*out.shape):
                self.squares[id(out[index])] = out[index], np.asarray(u)[index]
        return out if self.scale == 1 else np.asarray(out * Fraction(1, self.scale**2), dtype=object)


def _dot_rows(a: np.ndarray, b: np.ndarray) -> Form:
    terms: Terms = {}
    left = [(i, c) for i, c in enumerate(a) if nonzero(c)]
    right = [(j, c) for j, c in enumerate(b) if nonzero(c)]
    for i, ci in left:
        for j, cj in right:
            key = ("G", i, j) if i <= j else ("G", j, i)
            terms[key] = terms.get(key, 0) + ci * cj
    return Form(terms)


def _dot(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    u, v = np.broadcast_arrays(u.view(np.ndarray), v.view(np.ndarray))
    out = np.empty(u.shape[:-1], dtype=object)
    for index in np.ndindex(*out.shape):
        out[index] = _dot_rows(u[index], v[index])
    return out


SUMS = "a sum over generic clients other than x.mean_vec and x.total_vec"
COORDINATES = "the body reads coordinates of a vector; inner products are x.dot and x.sq"
ARRANGE = {  # functions of NumPy that move whole vectors, with the position of their axis argument (None: they have none)
    np.stack: 1, np.concatenate: 1, np.roll: 2, np.repeat: 2, np.expand_dims: 1, np.squeeze: 1, np.flip: 1, np.take: 2,
    np.sum: 1, np.mean: 1, np.where: None, np.broadcast_to: None, np.broadcast_arrays: None, np.zeros_like: None,
    np.copy: None,
}  # fmt: skip

ELEMENTWISE = (np.zeros_like, np.copy, np.broadcast_to, np.broadcast_arrays, np.expand_dims, np.where)


class Extent:
    """The length of an axis that a body may not count: coordinates, or clients of whom one stands for all."""

    def __init__(self, length: int) -> None:
        self._length = length

    def _refuse(self, *_: object) -> NoReturn:
        raise NotApplicable("the body counts coordinates or clients by a shape; write x.d and x.m")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __floordiv__ = _refuse
    __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = __pow__ = __rpow__ = __and__ = __rand__ = _refuse
    __or__ = __ror__ = __xor__ = __rxor__ = __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __neg__ = _refuse
    __pos__ = __abs__ = __invert__ = __round__ = __bool__ = __int__ = __float__ = __complex__ = __index__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __str__ = __repr__ = __format__ = _refuse  # type: ignore[assignment]

    def __getattr__(self, name: str) -> NoReturn:
        no_attribute(name)

    def __eq__(self, other: object) -> bool:
        return self._length == other._length if isinstance(other, Extent) else self._refuse()


class Uncounted(np.ndarray):
    """An array whose entries a body may neither count nor take one by one, where `_counted` says why."""

    def _counted(self) -> str | None:
        raise NotImplementedError

    def _refuse(self) -> None:
        if (reason := self._counted()) is not None:
            raise NotApplicable(reason)

    def __iter__(self) -> Iterator[np.ndarray]:
        self._refuse()
        return super().__iter__()

    def __len__(self) -> int:
        self._refuse()
        return super().__len__()

    def __contains__(self, value: object) -> bool:
        self._refuse()
        return super().__contains__(value)

    @property  # type: ignore[misc]
    def size(self) -> Extent:  # type: ignore[override]
        return Extent(self.view(np.ndarray).size)

    def _moved(self, *_: object) -> NoReturn:
        raise NotApplicable("the body counts, moves or takes entries of an array; write x.m, x.mean and x.dot")


KEPT = ("shape", "ndim", "dtype", "size", "view", "sum", "mean")  # attributes that a body has, or that are hidden above
for _name in dir(np.ndarray):
    if not _name.startswith("_") and _name not in KEPT:
        setattr(Uncounted, _name, property(Uncounted._moved))


def _plain(value: object) -> Any:
    """Rows and numbers of clients as ordinary arrays, also within lists and tuples."""
    if isinstance(value, Uncounted):
        return value.view(np.ndarray)
    return type(value)(_plain(v) for v in value) if isinstance(value, (list, tuple)) else value


def _vectors(value: object) -> Iterator[np.ndarray]:
    """The coefficient rows among the arguments of a function, as ordinary arrays."""
    if isinstance(value, Rows):
        yield value.view(np.ndarray)
    for one in value if isinstance(value, (list, tuple)) else ():
        yield from _vectors(one)


class Rows(Uncounted):
    """Coefficient rows ``(..., size)``: linear combinations are fine, reading or counting coordinates is not."""

    @property  # type: ignore[misc]
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        whole = self.view(np.ndarray).shape
        hidden = 2 if whole[-1:] and whole[-1] in GENERIC_SIZES else 1
        return (*whole[:-hidden], *(Extent(n) for n in whole[-hidden:]))

    def _counted(self) -> str | None:
        if self.ndim < 2:
            return COORDINATES
        generic = self.ndim == 2 and self.view(np.ndarray).shape[-1] in GENERIC_SIZES
        return "a loop over generic clients" if generic else None

    def __getitem__(self, key: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key,)
        named = [k for k in keys if k is not None and k is not Ellipsis]
        whole = isinstance(named[-1], slice) and named[-1] == slice(None) if named else True
        last = len(named) == self.ndim or (any(k is Ellipsis for k in keys) and keys[-1] is not Ellipsis)
        if named and last and not whole:
            raise NotApplicable(COORDINATES)
        if self.view(np.ndarray).shape[-1] in GENERIC_SIZES and any(k != slice(None) for k in named):
            raise NotApplicable("the body picks one of the generic clients")
        return super().__getitem__(key)

    def __setitem__(self, key: object, value: object) -> None:
        raise UsageError("the body changes a vector of x in place; write after = before + ... instead")

    def __array_function__(self, func: Any, types: object, args: Any, kwargs: Any) -> Any:
        if func not in ARRANGE:
            raise NotApplicable(f"numpy.{func.__name__} of a vector; {COORDINATES}")
        if func not in ELEMENTWISE and any(row.shape[-1:] and row.shape[-1] in GENERIC_SIZES for row in _vectors(args)):
            raise NotApplicable(SUMS if func in (np.sum, np.mean) else f"numpy.{func.__name__} over generic clients")
        where = ARRANGE[func]
        if where is not None:
            axis = kwargs.get("axis", args[where] if len(args) > where else 0 if func is np.stack else None)
            first = args[0][0] if func in (np.stack, np.concatenate) else args[0]
            ndim = first.ndim + (func in (np.stack, np.expand_dims))
            if not isinstance(axis, (int, np.integer)) or axis % ndim == ndim - 1:
                raise NotApplicable(COORDINATES)
        if func is np.where and np.ndim(args[0]) and np.shape(args[0])[-1] != 1:
            raise NotApplicable(COORDINATES)
        out = func(*_plain(args), **{k: _plain(v) for k, v in kwargs.items()})
        return [o.view(Rows) for o in out] if isinstance(out, (list, tuple)) else out.view(Rows)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Array:
        if options.get("out") is not None:
            raise UsageError("the body changes a vector of x in place; write after = before + ... instead")
        vectors = [i for i in inputs if isinstance(i, Rows)]
        linear = ufunc in (np.add, np.subtract, np.negative, np.positive, np.conjugate)
        scaled = ufunc in (np.multiply, np.true_divide) and len(vectors) == 1
        others = [_plain(i) for i in inputs if not isinstance(i, Rows)]
        wide = [np.ndim(f) > 0 and np.shape(f)[-1] != 1 for f in others]
        number = any(nonzero(c) for f, w in zip(others, wide, strict=True) if not w for c in np.ravel(f))
        if not (linear or scaled) or (any(wide) if scaled else number) or method not in ("reduce", "__call__"):
            raise NotApplicable(COORDINATES)
        if method == "reduce":
            whole = vectors[0].view(np.ndarray)
            axis = options.get("axis", 0)
            axes = tuple(range(whole.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
            if any(a % whole.ndim == whole.ndim - 1 for a in axes):
                raise NotApplicable(COORDINATES)
            if whole.shape[-1] in GENERIC_SIZES:
                raise NotApplicable(SUMS)
        plain = [i.view(np.ndarray) if isinstance(i, Uncounted) else i for i in inputs]
        out = getattr(ufunc, method)(*plain, **options)
        return out.view(Rows) if isinstance(out, np.ndarray) else out


class Space:
    """Leaves, values and inequalities of one abstract instance.

    Attributes
    ----------
    size : int
        Length of a coefficient row; raising more leaves than this is an error of the world.
    scale : int
        Coefficient of a new leaf in its own row. No inner product depends on it; a body that reads coordinates does.
    inequalities, equalities : list of (name, Form)
        Forms known to be non-negative, and forms known to vanish.
    clients : list
        Abstract clients, whose interpolation inequalities close the space.
    """

    def __init__(self, size: int = SIZES[-1], scale: int = 1) -> None:
        self.size = size
        self.leaves: list[str] = []
        self.values: list[str] = []
        self.inequalities: list[tuple[str, Form]] = []
        self.equalities: list[tuple[str, Form]] = []
        self.numbers = Grams(scale)
        self.numbers.length = size
        self.clients: list[Any] = []
        self.given: dict[str, np.ndarray] = {}  # vectors of the world that conditions give by others
        self.solves = True  # whether they do, or stay as they are stated
        self._closed = 0  # of them

    def fresh(self) -> Space:  # in which the same vectors can be read
        return Space()

    def zero(self) -> np.ndarray:
        """The zero vector ``(size,)``; the origin of a translation-invariant world."""
        row = np.empty(self.size, dtype=object)
        row[:] = ZERO
        return row

    def leaf(self, name: str) -> np.ndarray:
        """A new unknown vector, as its coefficient row ``(size,)``."""
        if len(self.leaves) == self.size:
            raise TooManyLeaves(f"more than {self.size} leaves")
        if name in self.leaves:
            raise NotApplicable(f"two unknown vectors are called {name}")
        row = self.zero()
        row[len(self.leaves)] = Fraction(self.numbers.scale)
        self.leaves.append(name)
        return self.row(row)

    def leaves_for(self, name: str, m: int) -> np.ndarray:
        """One new leaf a client, ``(m, size)``."""
        return self.of_clients([self.leaf(f"{name}[{i}]") for i in range(m)])

    def row(self, plain: np.ndarray) -> np.ndarray:
        """A vector, of an ordinary array that has its row."""
        return plain.view(Rows)

    def of_clients(self, rows: Iterable[np.ndarray]) -> np.ndarray:
        """One vector a client, ``(m, size)``."""
        return self.row(np.stack([row.view(np.ndarray) for row in rows]))

    def client_leaf(self, name: str) -> np.ndarray:
        """A new unknown vector of one client."""
        return self.leaf(name)

    def centered_for(self, name: str, m: int) -> np.ndarray:
        """New unknown vectors of the clients that sum to zero, by substitution, ``(m, size)``."""
        first = [self.leaf(f"{name}[{i}]") for i in range(m - 1)]
        return self.of_clients([*first, -sum(first, start=self.zero())])

    def value(self, name: str) -> Form:
        """A new unknown number."""
        if name in self.values:
            raise NotApplicable(f"two unknown numbers are called {name}")
        self.values.append(name)
        return Form({("v", len(self.values) - 1): Fraction(1)})

    def client_value(self, name: str) -> Form:
        """A new unknown number of one client."""
        return self.value(name)

    def per_client(self, s: np.ndarray) -> np.ndarray:
        """Mark an array ``(m,)`` as one entry a client."""
        return s

    def values_for(self, name: str, m: int) -> np.ndarray:
        """One new unknown number a client, ``(m,)``."""
        out = np.empty(m, dtype=object)
        for i in range(m):
            out[i] = self.value(f"{name}[{i}]")
        return out

    def nonnegative(self, name: str, form: Quantity) -> None:
        """Declare a form, or every entry of an array of forms, non-negative."""
        for index, f in np.ndenumerate(np.asarray(form, dtype=object)):
            self.inequalities.append((name + "".join(f"[{i}]" for i in index), Form.of(f)))

    def require_fixed(self, rows: np.ndarray, what: str) -> None:
        """Refuse vectors that a draw changes, where draws are not told one by one."""

    def depends(self, gradient: np.ndarray, point: np.ndarray) -> None:
        """Note that a gradient is that at a point."""

    def key(self, point: Key, n: int) -> Key | int:
        """What points share that are one: all that is known of them; this is the n-th at which clients are asked."""
        return point

    def closes_with(self, clients: object) -> None:
        """Register abstract clients whose interpolation inequalities close the space."""
        self.clients.append(clients)

    def close(self) -> None:
        """Add the interpolation inequalities at every point that the body has looked at."""
        for k, clients in enumerate(self.clients[self._closed :]):
            clients.interpolate(self, f"interpolation{k or ''}")
        self._closed = len(self.clients)
