"""Kinds of mixing matrices, no entry of which is negative: what is known of each, and those that a search draws, exactly.

A kind is a class, and one that is a kind of another is known to be all that this is: `Symmetric` matrices are `Directed` ones,
whose rows and columns both sum to one. A doubly stochastic matrix contracts what is off the mean by its second largest singular
value, which of a symmetric one is an eigenvalue (S. Boyd, A. Ghosh, B. Prabhakar, D. Shah, Randomized gossip algorithms, IEEE
Transactions on Information Theory 52 (2006)). Of a column-stochastic one the mean is kept alone (D. Kempe, A. Dobra, J. Gehrke,
Gossip-based computation of aggregate information, FOCS 2003: push-sum), of a row-stochastic one consensus.

Where clients have weights p, these kinds are meant by them. Columns that sum to one are then p^T W = p^T, which keeps the mean by
p; one whose rows sum to one as well is a row-stochastic matrix with p for its stationary weights (`Directed`), with a bound
|W v - mean(v)| <= lam |v - mean(v)| in the norm sum_i p_i |v_i|^2, and `Symmetric` is one that is reversible, p_i W_ij = p_j W_ji.
That is how gossip with rows alone converges, and push-sum: its quotients z_i = x_i/y_i of what is sent by a column-stochastic B
move by diag(B y)^-1 B diag(y), whose rows sum to one, and with y at rest, B y = y, by one whose stationary weights are y over its
sum; their mean by these is the sum of the x_i over that of the y_i (A. Nedic, A. Olshevsky, Distributed optimization over
time-varying directed graphs, IEEE Transactions on Automatic Control 60 (2015); F. Saadatniaki, R. Xin, U. Khan, Decentralized
optimization over time-varying directed graphs with row and column-stochastic matrices, ibid. 65 (2020), of norms with weights).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, ClassVar, NoReturn

import numpy as np

from fedtheory.errors import NotApplicable, UsageError
from fedtheory.instance import WEIGHTS, Instance
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
    by_weights: ClassVar[str] = "Its entry in row i and column j is that times {1}_j/{1}_i."

    def __post_init__(self) -> None:
        if self.random and not (self.varying and isinstance(self, Directed)):
            raise UsageError("a matrix that is drawn is doubly stochastic, and another one at every step: Drawn('lam')")

    @property
    def free(self) -> tuple[str, ...]:
        """All that is among the free data, behind its name: of a drawn one of both, and how far their bounds are apart."""
        return (*self.data, "_apart") if self.random else self.data

    def said(self, name: str, weights: str) -> str:
        """What is known of it, in words, with the name of the weights of the clients where there are any."""
        raise NotImplementedError

    def read(self, name: str, weights: str) -> str:
        """How it is made of free data."""
        both = (
            " It is one of two, as likely as not, the first with (1 - k^2 + 2 k)/(1 + k^2) times the bound and the second with "
            f"(1 - k^2 - 2 k)/(1 + k^2) times, where k is {name}_apart."
        )
        by = [self.by_weights.format(name, weights)] if weights and self.by_weights else []
        return " ".join([self.reading.format(name), *by]) + both * self.random

    def drawn(self, rng: np.random.Generator, batch: int, m: int) -> list[np.ndarray]:
        """Free data of a batch, in the order of their names."""
        few = rng.integers(rng.integers(0, 2, (batch, 1, 1)), 3, (batch, m, m)).astype(float)
        one = np.eye(m)[rng.integers(0, m, batch)][..., None]  # all go to it
        few = np.where(rng.random((batch, 1, 1)) < 0.3, few * one, few)
        return [np.where(rng.random((batch, 1, 1)) < 0.7, few, vectors(rng, batch, m, m))]

    def entries(self, x: Instance, numbers: Numbers, data: list[Any], m: int, share: Any) -> Any:
        """The matrix of free data, ``(..., m, m)``; `share` has the weights ``(..., m, 1)``, None of equal ones."""
        weights = numbers.maximum(data[0], -data[0])
        total = numbers.sum(weights, axis=-2)[..., None, :]
        there = _nonzero(numbers, total)
        columns = (weights + (1 - there) * _whole(numbers, np.eye(m, dtype=int))) / (total + (1 - there))
        if self.of_rows:
            return _transposed(columns)
        return columns if share is None else columns * _transposed(share) / share

    def within(self, name: str, data: list[Any]) -> list[Relation]:
        """What has to hold of free data."""
        return []


@dataclass(frozen=True)
class ColumnStochastic(Stochastic):
    """Columns that sum to one, as in push-sum: the mean of the clients is kept, by weights with p^T W = p^T."""

    def said(self, name: str, weights: str) -> str:
        if weights:
            return f"{name} leaves the weights {weights} as they are: it keeps the mean, and what clients share need not stay"
        return f"{name} is column-stochastic: it keeps the mean, and what clients share need not stay"


@dataclass(frozen=True)
class RowStochastic(Stochastic):
    """Rows that sum to one: what all clients share stays as it is."""

    of_rows: ClassVar[bool] = True
    reading: ClassVar[str] = (
        "The rows of {0} are the columns of |{0}_weights|, each over its sum; a client with none keeps its own."
    )
    by_weights: ClassVar[str] = ""

    def said(self, name: str, weights: str) -> str:
        return f"{name} is row-stochastic: what clients share stays, and their mean need not"


@dataclass(frozen=True)
class Directed(ColumnStochastic, RowStochastic):
    """Doubly stochastic, with |W v - mean(v)| <= lam |v - mean(v)| in the mean square: a directed graph with balanced weights.

    Its bound is a scalar, ``Directed("lam")``; of its transpose no engine knows anything. Where clients have weights it is
    row-stochastic, its transpose leaves the weights as they are, and the mean square is by them.
    """

    bound: str
    doubly: ClassVar[str] = "doubly stochastic and need not be symmetric"
    stationary: ClassVar[str] = "row-stochastic with the stationary weights {0} and need not be reversible"
    others: ClassVar[str] = "its other singular values at most {0}"
    data: ClassVar[tuple[str, ...]] = ("_reach", "_along", "_turn")
    reading: ClassVar[str] = (
        "{0} = J + s lam (a (I - J) + (b - a) P)(I - 2 Q)((1 - |c|) I + c C), where J averages, P and Q project on {0}_along and "
        "{0}_turn less their means, C hands the vector of a client on to the next one, a, b and c are {0}_reach, and s is 1, or as "
        "large as leaves no entry negative."
    )
    by_weights: ClassVar[str] = (
        "Here J averages by the weights {1}, means and projections are by them, and I - 2 P is in the place of C."
    )

    def said(self, name: str, weights: str) -> str:
        doubly = self.stationary.format(weights) if weights else self.doubly
        by = f" in the norm by {weights}" if weights else ""
        if self.random:
            bound = f"E|{name} u|^2 <= {self.bound}^2 |u|^2 off the mean"
            return f"{name} is {doubly}, and drawn whatever was drawn before, with {bound}{by}"
        return f"{name} is {doubly}, with {self.others.format(self.bound)}{by}"

    def drawn(self, rng: np.random.Generator, batch: int, m: int) -> list[np.ndarray]:
        turn = np.where(rng.random((batch, 1, 1)) < 0.5, 0.0, _direction(rng, batch, m))
        return [_reach(rng, batch, 3), _direction(rng, batch, m), turn]

    def entries(self, x: Instance, numbers: Numbers, data: list[Any], m: int, share: Any) -> Any:
        reach, along, turn = data
        own = _two_ends(numbers, reach, along, m, share)
        turned = own - 2 * _product(numbers, own, _projection(numbers, turn, m, share))
        c = reach[..., 2:3, :]
        if share is None:
            again = turned[..., [*range(1, m), 0]]
        else:
            again = turned - 2 * _product(numbers, turned, _projection(numbers, along, m, share))
        kept = (1 - numbers.maximum(c, -c)) * turned + c * again
        return _positive(numbers, getattr(x, self.bound) * kept, m, share)

    def within(self, name: str, data: list[Any]) -> list[Relation]:
        """That the eigenvalues are no larger than their bound."""
        return [le(data[0], 1, f"spectrum of {name}"), le(-1, data[0], f"spectrum of {name}")]


@dataclass(frozen=True)
class Symmetric(Directed):
    """Symmetric and doubly stochastic, with all eigenvalues but that of the mean in [-lam, lam]."""

    doubly: ClassVar[str] = "symmetric and doubly stochastic"
    stationary: ClassVar[str] = "row-stochastic and reversible with the stationary weights {0}"
    others: ClassVar[str] = "its other eigenvalues in [-{0}, {0}]"
    data: ClassVar[tuple[str, ...]] = ("_reach", "_along")
    reading: ClassVar[str] = (
        "{0} = J + s lam (a (I - J) + (b - a) P), where J averages, P projects on {0}_along less its mean, a and b are {0}_reach, "
        "and s is 1, or as large as leaves no entry negative."
    )
    by_weights: ClassVar[str] = "Here J averages by the weights {1}, and P projects by them."

    def drawn(self, rng: np.random.Generator, batch: int, m: int) -> list[np.ndarray]:
        return [_reach(rng, batch, 2), _direction(rng, batch, m)]

    def entries(self, x: Instance, numbers: Numbers, data: list[Any], m: int, share: Any) -> Any:
        reach, along = data
        return _positive(numbers, getattr(x, self.bound) * _two_ends(numbers, reach, along, m, share), m, share)


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
    of_clients = x._names.get(WEIGHTS)
    for name, kind in mixing.items():
        own = [data[name + part] for part in kind.data]
        share = None if of_clients is None else of_clients[..., None]
        if share is not None:  # the same of every step, and of both that are drawn
            share = share[(..., *(None,) * (own[0].ndim - share.ndim), slice(None), slice(None))]
        if isinstance(kind, Directed) and kind.random:
            k = data[name + "_apart"]
            shares = [(1 - k * k + 2 * s * k) / (1 + k * k) for s in (1, -1)]  # whose squares are two together
            y = x.at(**{kind.bound: getattr(x, kind.bound) * numbers.xp.concat(shares, axis=-3)})
            out[name] = Pair(numbers, kind.entries(y, numbers, own, m, share), True)
        else:
            out[name] = Matrix(numbers, kind.entries(x, numbers, own, m, share), isinstance(kind, RowStochastic))
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


def _two_ends(numbers: Numbers, reach: Any, along: Any, m: int, share: Any) -> Any:
    """The symmetric matrix with the eigenvalue b along a direction off the mean, and a in the others off it."""
    a, b = reach[..., 0:1, :], reach[..., 1:2, :]
    off = _whole(numbers, np.eye(m, dtype=int)) - _average(numbers, m, share)
    return a * off + (b - a) * _projection(numbers, along, m, share)


def _positive(numbers: Numbers, own: Any, m: int, share: Any) -> Any:
    """Averaging and what is done off the mean, this scaled down where an entry would be negative."""
    over = own * m if share is None else own / _transposed(share)
    flat = [over[..., i : i + 1, j : j + 1] for i in range(m) for j in range(m)]
    lowest = reduce(numbers.maximum, [-entry for entry in flat])
    return _average(numbers, m, share) + own / numbers.maximum(lowest, 1)


def _projection(numbers: Numbers, along: Any, m: int, share: Any) -> Any:
    """On a direction less its mean; zero where all clients have the same."""
    v = along - along[..., :1, :]  # zero in floats, too, where all have the same
    if share is None:
        v = dual = v - numbers.sum(v, axis=-2)[..., None, :] * numbers.quotient(1, m)
    else:
        v = v - numbers.sum(share * v, axis=-2)[..., None, :]
        dual = share * v
    size = numbers.sum(v * dual, axis=-2)[..., None, :]
    there = _nonzero(numbers, size)
    return there * v * _transposed(dual) / (size + (1 - there))


def _nonzero(numbers: Numbers, size: Any) -> Any:
    """One where a number that is not negative is positive, and zero where it is zero."""
    return numbers.at_least(size, 0) * (1 - numbers.at_least(-size, 0))


def _product(numbers: Numbers, one: Any, other: Any) -> Any:
    return numbers.sum(one[..., None] * other[..., None, :, :], axis=-2)


def _transposed(v: Any) -> Any:
    return v.swapaxes(-1, -2)


def _average(numbers: Numbers, m: int, share: Any) -> Any:
    ones = _whole(numbers, np.ones((m, m), dtype=int))
    return numbers.quotient(1, m) * ones if share is None else ones * _transposed(share)


def _whole(numbers: Numbers, plain: np.ndarray) -> Any:
    return numbers.array(plain.astype(object))
