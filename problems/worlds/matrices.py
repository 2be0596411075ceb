"""Kinds of mixing matrices, no entry of which is negative: what is known of each, and those that a search draws, exactly.

A kind is a class, and one that is a kind of another is known to be all that this is: `Symmetric` matrices are `Directed` ones,
whose rows and columns both sum to one. A doubly stochastic matrix contracts what is off the mean by its second largest singular
value, which of a symmetric one is an eigenvalue (S. Boyd, A. Ghosh, B. Prabhakar, D. Shah, Randomized gossip algorithms, IEEE
Transactions on Information Theory 52 (2006)). Of a column-stochastic one the mean is kept alone (D. Kempe, A. Dobra, J. Gehrke,
Gossip-based computation of aggregate information, FOCS 2003: push-sum), of a row-stochastic one consensus.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, ClassVar, NoReturn

import numpy as np

from fedtheory.errors import NotApplicable, UsageError
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Relation, le

from .classes.knees import vectors


@dataclass(frozen=True)
class Matrix:
    """A mixing matrix ``(..., m, m)`` of numbers."""

    numbers: Numbers
    entries: Any
    shares: bool  # whether what all clients share stays as it is

    def __call__(self, u: Any) -> Any:
        """What it makes of client vectors ``(..., m, d)``, or of one that all clients share, ``(..., 1, d)``."""
        if u.shape[-2] == 1 and self.shares:
            return u
        return self.numbers.sum(self.entries[..., None] * u[..., None, :, :], axis=-2)

    def at(self, t: int) -> Matrix:
        """That of one step, where there is one for every step, ``(..., T + 1, m, m)``."""
        return replace(self, entries=self.entries[..., t, :, :])


@dataclass(frozen=True)
class Pair(Matrix):
    """Two matrices ``(..., 2, m, m)``, one of which is drawn."""

    def at(self, t: int) -> Pair:
        return replace(self, entries=self.entries[..., t, :, :, :])

    def __call__(self, u: Any) -> Any:
        return drawn_in_a_step()

    def draws(self) -> tuple[Matrix, ...]:
        """Both, equally likely."""
        return tuple(Matrix(self.numbers, self.entries[..., k, :, :], self.shares) for k in (0, 1))


@dataclass(frozen=True)
class Stochastic:
    """A matrix of weights, in each column or each row of which they sum to one; another one at every step if it is varying."""

    varying: bool = field(default=False, kw_only=True)
    random: bool = field(default=False, kw_only=True)  # drawn at every step
    data: ClassVar[tuple[str, ...]] = ("_weights",)  # among the free data, behind its name
    of_rows: ClassVar[bool] = False
    reading: ClassVar[str] = (
        "The columns of {0} are those of |{0}_weights|, each over its sum; a client with none keeps its own."
    )

    def __post_init__(self) -> None:
        if self.random and not (self.varying and isinstance(self, Directed)):
            raise UsageError("a matrix that is drawn is doubly stochastic, and another one at every step: Drawn('lam')")

    @property
    def free(self) -> tuple[str, ...]:
        """All that is among the free data, behind its name: of a drawn one of both, and how far their bounds are apart."""
        return (*self.data, "_apart") if self.random else self.data

    def said(self, name: str) -> str:
        """What is known of it, in words."""
        raise NotImplementedError

    def read(self, name: str) -> str:
        """How it is made of free data."""
        both = (
            " It is one of two, as likely as not, the first with (1 - k^2 + 2 k)/(1 + k^2) times the bound and the second with "
            f"(1 - k^2 - 2 k)/(1 + k^2) times, where k is {name}_apart."
        )
        return self.reading.format(name) + both * self.random

    def drawn(self, rng: np.random.Generator, batch: int, m: int) -> list[np.ndarray]:
        """Free data of a batch, in the order of their names."""
        few = rng.integers(rng.integers(0, 2, (batch, 1, 1)), 3, (batch, m, m)).astype(float)
        one = np.eye(m)[rng.integers(0, m, batch)][..., None]  # all go to it
        few = np.where(rng.random((batch, 1, 1)) < 0.3, few * one, few)
        return [np.where(rng.random((batch, 1, 1)) < 0.7, few, vectors(rng, batch, m, m))]

    def entries(self, x: Instance, numbers: Numbers, data: list[Any], m: int) -> Any:
        """The matrix of free data, ``(..., m, m)``."""
        weights = numbers.maximum(data[0], -data[0])
        total = numbers.sum(weights, axis=-2)[..., None, :]
        there = _nonzero(numbers, total)
        columns = (weights + (1 - there) * _whole(numbers, np.eye(m, dtype=int))) / (total + (1 - there))
        return _transposed(columns) if self.of_rows else columns

    def within(self, name: str, data: list[Any]) -> list[Relation]:
        """What has to hold of free data."""
        return []


@dataclass(frozen=True)
class ColumnStochastic(Stochastic):
    """Columns that sum to one, as in push-sum: the mean of the clients is kept."""

    def said(self, name: str) -> str:
        return f"{name} is column-stochastic: it keeps the mean, and what clients share need not stay"


@dataclass(frozen=True)
class RowStochastic(Stochastic):
    """Rows that sum to one: what all clients share stays as it is."""

    of_rows: ClassVar[bool] = True
    reading: ClassVar[str] = (
        "The rows of {0} are the columns of |{0}_weights|, each over its sum; a client with none keeps its own."
    )

    def said(self, name: str) -> str:
        return f"{name} is row-stochastic: what clients share stays, and their mean need not"


@dataclass(frozen=True)
class Directed(ColumnStochastic, RowStochastic):
    """Doubly stochastic, with |W v - mean(v)| <= lam |v - mean(v)| in the mean square: a directed graph with balanced weights.

    Its bound is a scalar, ``Directed("lam")``; of its transpose no engine knows anything.
    """

    bound: str
    doubly: ClassVar[str] = "doubly stochastic and need not be symmetric"
    others: ClassVar[str] = "its other singular values at most {0}"
    data: ClassVar[tuple[str, ...]] = ("_reach", "_along", "_turn")
    reading: ClassVar[str] = (
        "{0} = J + s lam (a (I - J) + (b - a) P)(I - 2 Q)((1 - |c|) I + c C), where J averages, P and Q project on {0}_along and "
        "{0}_turn less their means, C hands the vector of a client on to the next one, a, b and c are {0}_reach, and s is 1, or as "
        "large as leaves no entry negative."
    )

    def said(self, name: str) -> str:
        if self.random:
            bound = f"E|{name} u|^2 <= {self.bound}^2 |u|^2 off the mean"
            return f"{name} is {self.doubly}, and drawn whatever was drawn before, with {bound}"
        return f"{name} is {self.doubly}, with {self.others.format(self.bound)}"

    def drawn(self, rng: np.random.Generator, batch: int, m: int) -> list[np.ndarray]:
        turn = np.where(rng.random((batch, 1, 1)) < 0.5, 0.0, _direction(rng, batch, m))
        return [_reach(rng, batch, 3), _direction(rng, batch, m), turn]

    def entries(self, x: Instance, numbers: Numbers, data: list[Any], m: int) -> Any:
        reach, along, turn = data
        own = _two_ends(numbers, reach, along, m)
        turned = own - 2 * _product(numbers, own, _projection(numbers, turn, m))
        c = reach[..., 2:3, :]
        kept = (1 - numbers.maximum(c, -c)) * turned + c * turned[..., [*range(1, m), 0]]
        return _positive(numbers, getattr(x, self.bound) * kept, m)

    def within(self, name: str, data: list[Any]) -> list[Relation]:
        """That the eigenvalues are no larger than their bound."""
        return [le(data[0], 1, f"spectrum of {name}"), le(-1, data[0], f"spectrum of {name}")]


@dataclass(frozen=True)
class Symmetric(Directed):
    """Symmetric and doubly stochastic, with all eigenvalues but that of the mean in [-lam, lam]."""

    doubly: ClassVar[str] = "symmetric and doubly stochastic"
    others: ClassVar[str] = "its other eigenvalues in [-{0}, {0}]"
    data: ClassVar[tuple[str, ...]] = ("_reach", "_along")
    reading: ClassVar[str] = (
        "{0} = J + s lam (a (I - J) + (b - a) P), where J averages, P projects on {0}_along less its mean, a and b are {0}_reach, "
        "and s is 1, or as large as leaves no entry negative."
    )

    def drawn(self, rng: np.random.Generator, batch: int, m: int) -> list[np.ndarray]:
        return [_reach(rng, batch, 2), _direction(rng, batch, m)]

    def entries(self, x: Instance, numbers: Numbers, data: list[Any], m: int) -> Any:
        reach, along = data
        return _positive(numbers, getattr(x, self.bound) * _two_ends(numbers, reach, along, m), m)


def Varying(kind: str | Stochastic) -> Stochastic:
    """Another matrix of a kind at every step of a run; within a step it is the same wherever its name stands.

    ``Varying("lam")`` is symmetric, ``Varying(Directed("lam"))`` and the others are as their kinds say.

    Raises
    ------
    UsageError
        If what is given is no kind of matrix, or one that is another at every step already.
    """
    if not isinstance(kind, str | Stochastic):
        raise UsageError(f"Varying(kind) needs the name of a scalar, such as 'lam', or a kind of matrix, got {kind!r}")
    _require_same("Varying", kind)
    return replace(Symmetric(kind) if isinstance(kind, str) else kind, varying=True)


def Drawn(kind: str | Stochastic) -> Stochastic:
    """A doubly stochastic matrix W that is drawn at every step of a run, whatever was drawn before, and that the step takes.

    Its bound is one in the mean, E|W v - mean(v)|^2 <= lam^2 |v - mean(v)|^2, and of a draw nothing else is known:
    ``Run(..., mixing={"W": Drawn("lam")}, step={"v": lambda x, W: W(x.v)})``. It is symmetric, or ``Drawn(Directed("lam"))``.

    Raises
    ------
    UsageError
        If what is given is no kind of matrix with a bound, or one that is another at every step already.
    """
    _require_same("Drawn", kind)
    kind = Symmetric(kind) if isinstance(kind, str) else kind
    if not isinstance(kind, Directed):
        raise UsageError(f"Drawn(kind) needs the name of a scalar, such as 'lam', or Directed('lam'), got {kind!r}")
    return replace(kind, varying=True, random=True)


def _require_same(call: str, kind: object) -> None:
    """Refuse a kind of matrix that is another one at every step already."""
    if isinstance(kind, Stochastic) and kind.varying:
        raise UsageError(
            f"{call}(kind) needs a kind of matrix that is the same at every step, got {kind!r}, another at every step already"
        )


def drawn_in_a_step() -> NoReturn:
    """Refuse to apply a matrix that is drawn elsewhere than in a step."""
    raise NotApplicable(
        "a matrix that is drawn is what a step takes: step={'v': lambda x, W: W(x.v)}, and no name of x"
    )


def matrices(
    mixing: Mapping[str, Stochastic], x: Instance, numbers: Numbers, data: Mapping[str, Any], m: int
) -> tuple[dict[str, Matrix], list[Relation]]:
    """(The matrices of an instance by name, what has to hold of their free data)."""
    out: dict[str, Matrix] = {}
    given: list[Relation] = []
    for name, kind in mixing.items():
        own = [data[name + part] for part in kind.data]
        if isinstance(kind, Directed) and kind.random:
            k = data[name + "_apart"]
            shares = [(1 - k * k + 2 * s * k) / (1 + k * k) for s in (1, -1)]  # whose squares are two together
            y = x.at(**{kind.bound: getattr(x, kind.bound) * numbers.xp.concat(shares, axis=-3)})
            out[name] = Pair(numbers, kind.entries(y, numbers, own, m), True)
        else:
            out[name] = Matrix(numbers, kind.entries(x, numbers, own, m), isinstance(kind, RowStochastic))
        given += kind.within(name, own)
    return out, given


def drawn(rng: np.random.Generator, mixing: Mapping[str, Stochastic], batch: int, m: int) -> dict[str, np.ndarray]:
    """Free data of the matrices, ``(batch, ...)``; of drawn ones of both, ``(batch, 2, ...)``."""
    out = {}
    for name, kind in mixing.items():
        count = 2 if kind.random else 1
        for part, value in zip(kind.data, kind.drawn(rng, batch * count, m), strict=True):
            out[name + part] = value.reshape(batch, 2, *value.shape[1:]) if kind.random else value
        if kind.random:
            same = rng.random((batch, 1, 1, 1)) < 0.5
            out[name + "_apart"] = np.where(same, rng.choice([0.0, 1.0], same.shape), rng.uniform(-1, 1, same.shape))
    return out


def drawn_at_every_step(
    rng: np.random.Generator, mixing: Mapping[str, Stochastic], batch: int, times: int, m: int
) -> dict[str, np.ndarray]:
    """Free data of matrices at every step, ``(batch, times, ...)``; now and then the same at all."""
    if not mixing:
        return {}
    each = drawn(rng, mixing, batch * times, m)
    held = rng.random(batch) < 0.3
    rows = {name: v.reshape(batch, times, *v.shape[1:]) for name, v in each.items()}
    return {name: np.where(held.reshape(batch, *(1,) * (v.ndim - 1)), v[:, :1], v) for name, v in rows.items()}


def _reach(rng: np.random.Generator, batch: int, count: int) -> np.ndarray:
    """Parts of a bound in [-1, 1], mostly at its ends, and half of the time there together, ``(batch, count, 1)``."""
    ends = rng.choice([-1.0, 0.0, 0.5, 1.0], (batch, count, 1))
    some = np.where(rng.random((batch, count, 1)) < 0.7, ends, rng.uniform(-1, 1, (batch, count, 1)))
    return np.where(rng.random((batch, 1, 1)) < 0.5, some, np.where(ends > 0, 1.0, -1.0))


def _direction(rng: np.random.Generator, batch: int, m: int) -> np.ndarray:
    """A vector, or two clients that are exchanged, as in a permutation, ``(batch, m, 1)``."""
    one, other = np.eye(m)[rng.integers(0, m, (2, batch))][..., None]
    return np.where(rng.random((batch, 1, 1)) < 0.5, vectors(rng, batch, m, 1), one - other)


def _two_ends(numbers: Numbers, reach: Any, along: Any, m: int) -> Any:
    """The symmetric matrix with the eigenvalue b along a direction off the mean, and a in the others off it."""
    a, b = reach[..., 0:1, :], reach[..., 1:2, :]
    return a * (_whole(numbers, np.eye(m, dtype=int)) - _average(numbers, m)) + (b - a) * _projection(numbers, along, m)


def _positive(numbers: Numbers, own: Any, m: int) -> Any:
    """Averaging and what is done off the mean, this scaled down where an entry would be negative."""
    flat = [own[..., i : i + 1, j : j + 1] for i in range(m) for j in range(m)]
    lowest = reduce(numbers.maximum, [-entry * m for entry in flat])
    return _average(numbers, m) + own / numbers.maximum(lowest, 1)


def _projection(numbers: Numbers, along: Any, m: int) -> Any:
    """On a direction less its mean; zero where all clients have the same."""
    v = along - along[..., :1, :]  # zero in floats, too, where all have the same
    v = v - numbers.sum(v, axis=-2)[..., None, :] * numbers.quotient(1, m)
    size = numbers.sum(v * v, axis=-2)[..., None, :]
    there = _nonzero(numbers, size)
    return there * v * _transposed(v) / (size + (1 - there))


def _nonzero(numbers: Numbers, size: Any) -> Any:
    """One where a number that is not negative is positive, and zero where it is zero."""
    return numbers.at_least(size, 0) * (1 - numbers.at_least(-size, 0))


def _product(numbers: Numbers, one: Any, other: Any) -> Any:
    return numbers.sum(one[..., None] * other[..., None, :, :], axis=-2)


def _transposed(v: Any) -> Any:
    return v.swapaxes(-1, -2)


def _average(numbers: Numbers, m: int) -> Any:
    return numbers.quotient(1, m) * _whole(numbers, np.ones((m, m), dtype=int))


def _whole(numbers: Numbers, plain: np.ndarray) -> Any:
    return numbers.array(plain.astype(object))
