"""Mixing matrices: symmetric and doubly stochastic, the same wherever a body applies them, with a bound on their spectrum.

A matrix W acts on the vectors of the clients, and leaves their mean as it is. Of what it makes of deviations u from the mean
every engine knows that it is linear, that <u, W v> = <W u, v> in the mean over the clients, that |W u| <= lam |u|, and that
<u, W u> is between -lam |u|^2 and lam |u|^2; this is said of each vector that a body mixes, and of the unknown vectors in it.
That is necessary. What is exact is one inequality of matrices: N. Bousselmi, J. Hendrickx, F. Glineur, Interpolation
conditions for linear operators and applications to performance estimation problems, SIAM Journal on Optimization 34 (2024);
for averaging S. Colla, J. Hendrickx, Automatic performance estimation for decentralized optimization, IEEE Transactions on
Automatic Control 68 (2023).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np

from fedtheory.errors import NotApplicable, UsageError
from fedtheory.gram.forms import Space
from fedtheory.gram.linear import linear_solution
from fedtheory.gram.ratio import Coefficient, coefficient, exact_key, nonzero
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import Relation, le
from fedtheory.world import Scalar

from .classes.knees import vectors

SAID = "{} is symmetric and doubly stochastic, with its other eigenvalues in [-{}, {}]"
READING = (
    "{0} = J + s lam (a (I - J) + (b - a) P), where J averages, P projects on {0}_along less its mean, a and b are {0}_reach, "
    "and s is 1, or as large as leaves no entry negative."
)
REACH, ALONG = "_reach", "_along"  # of a matrix, among the free data


def require_mixing(call: str, mixing: object, scalars: Mapping[str, Scalar]) -> dict[str, str]:
    """The matrices of a world, each with the scalar that bounds its spectrum.

    Raises
    ------
    UsageError
        If it is no mapping of names, or a scalar is not there.
    """
    said = "must be the names of matrices with those of their scalars, {'W': 'lam'}"
    if not isinstance(mixing, Mapping) or not all(isinstance(n, str) for pair in mixing.items() for n in pair):
        raise UsageError(f"{call}(mixing=...) {said}, got {mixing!r}")
    for name, bound in mixing.items():
        if bound not in scalars or scalars[bound].per_client:
            raise UsageError(
                f"{call}(mixing=...): the spectrum of {name} is bounded by the scalar {bound}=between(0, 1), which is not there"
            )
    return dict(mixing)


def data_of(name: str) -> tuple[str, str]:
    """The free data of a matrix: two eigenvalues as parts of the bound, and a direction in which the second one is."""
    return name + REACH, name + ALONG


def drawn(rng: np.random.Generator, mixing: Mapping[str, str], batch: int, m: int) -> dict[str, np.ndarray]:
    """Free data of the matrices, ``(batch, 2, 1)`` and ``(batch, m, 1)``."""
    out = {}
    for name in mixing:
        ends = rng.choice([-1.0, 0.0, 0.5, 1.0], (batch, 2, 1))
        reach, along = data_of(name)
        out[reach] = np.where(rng.random((batch, 2, 1)) < 0.7, ends, rng.uniform(-1, 1, (batch, 2, 1)))
        out[along] = vectors(rng, batch, m, 1)
    return out


@dataclass(frozen=True)
class Matrix:
    """A mixing matrix ``(..., m, m)`` of numbers."""

    numbers: Numbers
    entries: Any

    def __call__(self, u: Any) -> Any:
        """What it makes of client vectors ``(..., m, d)``; a vector that all clients share stays as it is."""
        if u.shape[-2] == 1:
            return u
        return self.numbers.sum(self.entries[..., None] * u[..., None, :, :], axis=-2)


def matrix(numbers: Numbers, lam: Any, reach: Any, along: Any, m: int) -> Matrix:
    """The matrix of free data, scaled down where an entry would be negative."""
    eye = numbers.array(np.eye(m, dtype=int).astype(object))
    mean, one = numbers.quotient(1, m), numbers.array(np.ones((m, m), dtype=int).astype(object))
    v = along - numbers.sum(along, axis=-2)[..., None, :] * mean
    size = numbers.sum(v * v, axis=-2)[..., None, :]
    there = numbers.at_least(size, 0) * (1 - numbers.at_least(-size, 0))
    outer = v * v[..., None, :, 0] / (size + (1 - there))
    a, b = reach[..., 0:1, :], reach[..., 1:2, :]
    own = lam * (a * (eye - mean * one) + (b - a) * there * outer)
    flat = [own[..., i : i + 1, j : j + 1] for i in range(m) for j in range(m)]
    lowest = reduce(numbers.maximum, [-entry * m for entry in flat])
    return Matrix(numbers, mean * one + own / numbers.maximum(lowest, 1))


def within(name: str, reach: Any) -> list[Relation]:
    """That the eigenvalues are no larger than their bound."""
    return [le(reach, 1, f"spectrum of {name}"), le(-1, reach, f"spectrum of {name}")]


@dataclass
class AbstractMatrix:
    """A mixing matrix without numbers: of what it makes of vectors what is known goes into a space."""

    space: Space
    x: Instance
    name: str
    lam: Any
    m: int
    mixed: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)  # deviations, and what became of them
    _known: dict[Any, np.ndarray] = field(default_factory=dict)  # the same by these

    def __call__(self, u: np.ndarray) -> Any:
        """What it makes of client vectors, ``(m, size)``."""
        plain = u.view(np.ndarray)
        if plain.ndim != 2:
            raise NotApplicable(f"{self.name} of an array that has other axes than clients and coordinates")
        self.space.require_fixed(plain, f"{self.name} of what a draw changes")
        if plain.shape[0] < self.m:
            return u
        mean = self.x.mean_vec(u)
        return mean + self.of_deviations(u - mean)

    def of_deviations(self, u: np.ndarray) -> np.ndarray:
        """What it makes of client vectors ``(m, size)`` of which the mean is zero."""
        if (key := _key(u)) in self._known:
            return self._known[key]
        plain = u.view(np.ndarray)
        basis = [*(one for one, _ in self.mixed), *self._vectors()]
        times = combination(basis, plain)
        if times is None:
            basis, times = [*basis, u], [*[Fraction(0)] * len(basis), Fraction(1)]
        parts = [c * self._image(one) for c, one in zip(times, basis, strict=True) if nonzero(c)]
        y = reduce(lambda a, b: a + b, parts) if parts else u
        if len(parts) > 1:
            self._shorter(u, y)
        return y

    def _vectors(self) -> list[np.ndarray]:
        """The deviations of the unknown vectors of the clients."""
        out = []
        for name in [n for n in self.space.leaves if n.endswith("[0]")]:
            own = [f"{name[:-3]}[{i}]" for i in range(self.m)]
            if {*own} <= {*self.space.leaves}:
                rows = np.full((self.m, self.space.size), Fraction(0), dtype=object)
                for i, one in enumerate(own):
                    rows[i, self.space.leaves.index(one)] = Fraction(self.space.numbers.scale)
                mine = self.space.row(rows)
                out.append(mine - self.x.mean_vec(mine))
        return out

    def _image(self, u: np.ndarray) -> np.ndarray:
        """What it makes of deviations that are no sum of others: new unknown vectors, where they have not been mixed."""
        if (key := _key(u)) not in self._known:
            y = self.space.centered_for(f"{self.name}{len(self.mixed)}", self.m)
            for k, (one, mixed) in enumerate(self.mixed):
                self._symmetric(f"{k} {len(self.mixed)}", one, mixed, u, y)
            self.mixed.append((u, y))
            self._known[key] = y
            self._shorter(u, y)
        return self._known[key]

    def _symmetric(self, which: str, u: np.ndarray, mixed: np.ndarray, v: np.ndarray, y: np.ndarray) -> None:
        gap = self.x.mean(self.x.dot(u, y)) - self.x.mean(self.x.dot(mixed, v))
        self.space.nonnegative(f"{self.name} is symmetric {which}", gap)
        self.space.nonnegative(f"{self.name} is symmetric {which} reversed", -gap)

    def _shorter(self, u: np.ndarray, y: np.ndarray) -> None:
        known = sum(name.startswith(f"|{self.name} u|") for name, _ in self.space.inequalities)
        size, along = self.x.mean(self.x.sq(u)), self.x.mean(self.x.dot(u, y))
        self.space.nonnegative(
            f"|{self.name} u| <= lam |u| {known}", self.lam * self.lam * size - self.x.mean(self.x.sq(y))
        )
        for sign in (1, -1):
            self.space.nonnegative(f"|<u, {self.name} u>| <= lam |u|^2 {known} {sign}", self.lam * size - sign * along)


def combination(rows: list[np.ndarray], target: np.ndarray) -> list[Coefficient] | None:
    """The multiples of arrays of coefficients that add up to another, found without a division by parameters; None without."""
    columns = [[_plain(c) for c in row.view(np.ndarray).flat] for row in rows]
    A = [list(row) for row in zip(*columns, strict=True)] or [[]] * target.size
    return linear_solution(A, [_plain(c) for c in target.flat], len(rows), dividing=False)[0]


def _key(u: np.ndarray) -> tuple[Any, ...]:
    return tuple(exact_key(c) for c in map(_plain, u.view(np.ndarray).flat))


def _plain(c: Coefficient) -> Coefficient:
    return coefficient(c) if nonzero(c) else Fraction(0)


def owners(mixing: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Every name of an instance that a matrix brings, with what it is."""
    for name in mixing:
        yield name, "a mixing matrix"
        yield from ((data, f"free data of {name}") for data in data_of(name))


def said(mixing: Mapping[str, str]) -> list[str]:
    """What is known of the matrices, in words."""
    return [SAID.format(name, bound, bound) for name, bound in mixing.items()]


def same(u: Any) -> Any:
    """What a matrix makes of units."""
    return u
