"""Mixing matrices, each the same wherever a body applies it: what a world has of them, and what is known without numbers.

A matrix W acts on the vectors of the clients; it is linear. Rows that sum to one leave what all clients share as it is, columns
their mean. A doubly stochastic one with a bound contracts deviations u from the mean, |W u| <= lam |u|, so that <u, W u> is
between -lam |u|^2 and lam |u|^2, in the mean over the clients; of a symmetric one <u, W v> = <W u, v> is known as well, of no
other. Else, as no entry is negative, |W u|^2 is at most m |u|^2 where columns sum to one, and where rows do |(W u)_i|^2 is at most
the largest |u_j|^2, which of m deviations is at most (m - 1) |u|^2. This is said of each vector that a body mixes, and of the
unknown vectors in it.
That is necessary. What is exact is one inequality of matrices: N. Bousselmi, J. Hendrickx, F. Glineur, Interpolation
conditions for linear operators and applications to performance estimation problems, SIAM Journal on Optimization 34 (2024);
for averaging S. Colla, J. Hendrickx, Automatic performance estimation for decentralized optimization, IEEE Transactions on
Automatic Control 68 (2023).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial, reduce
from typing import Any

import numpy as np

from fedtheory.errors import NotApplicable, UsageError
from fedtheory.gram.forms import Space
from fedtheory.gram.linear import linear_solution
from fedtheory.gram.ratio import Coefficient, coefficient, exact_key, nonzero
from fedtheory.instance import Instance
from fedtheory.world import Scalar

from .matrices import ColumnStochastic, Directed, RowStochastic, Stochastic, Symmetric, drawn_in_a_step

Mixing = Mapping[str, str | Stochastic]


def require_mixing(call: str, mixing: object, scalars: Mapping[str, Scalar]) -> dict[str, Stochastic]:
    """The matrices of a world, each with its kind.

    Raises
    ------
    UsageError
        If it is no mapping of names, a kind is none, or the scalar of a bound is not there.
    """
    if not isinstance(mixing, Mapping) or not all(
        isinstance(name, str) and isinstance(kind, str | Stochastic) for name, kind in mixing.items()
    ):
        raise UsageError(
            f"{call}(mixing=...) must be the names of matrices with those of their scalars, {{'W': 'lam'}}, got {mixing!r}; "
            "of other kinds are Directed('lam'), ColumnStochastic() and RowStochastic()"
        )
    kinds = {name: Symmetric(kind) if isinstance(kind, str) else kind for name, kind in mixing.items()}
    for name, kind in kinds.items():
        if kind.varying:
            said = f"{name} is another matrix at every step, and only a Run has steps"
            raise UsageError(f"{call}(mixing=...): {said}; several matrices of a body have several names")
        if not isinstance(kind, Directed):
            continue
        scalar = scalars.get(kind.bound) if isinstance(kind.bound, str) else None
        if scalar is None or scalar.per_client:
            said = f"{name} is bounded by the scalar {kind.bound}=between(0, 1), which is not there"
            raise UsageError(f"{call}(mixing=...): the spectrum of {said}")
    return kinds


def at_one_step(mixing: object) -> tuple[Any, dict[str, Stochastic]]:
    """(The matrices of a run, each as it is at one step, those that are others at every step)."""
    if not isinstance(mixing, Mapping):
        return mixing, {}
    varying = {name: kind for name, kind in mixing.items() if isinstance(kind, Stochastic) and kind.varying}
    return {**mixing, **{name: replace(kind, varying=False, random=False) for name, kind in varying.items()}}, varying


@dataclass
class AbstractMatrix:
    """A mixing matrix without numbers: of what it makes of vectors what is known goes into a space."""

    space: Space
    x: Instance
    name: str
    kind: Stochastic
    m: int
    mixed: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)  # vectors, and what is beside their mean
    drawn: set[int] = field(default_factory=set)  # leaves that are there after a draw alone
    _known: dict[Any, np.ndarray] = field(default_factory=dict)  # the same by these

    def __call__(self, u: np.ndarray) -> Any:
        """What it makes of client vectors, ``(m, size)``."""
        plain = u.view(np.ndarray)
        if plain.ndim != 2:
            raise NotApplicable(f"{self.name} of an array that has other axes than clients and coordinates")
        self.space.require_fixed(plain, f"{self.name} of what a draw changes")
        require_settled(plain, self.drawn, f"{self.name} of what a matrix that is drawn makes")
        if plain.shape[0] < self.m:
            if isinstance(self.kind, RowStochastic):
                return u
            u = self.space.of_clients([u[0]] * self.m)
        return self.x.mean_vec(u) + self.beside_mean(u)

    def another(self, at: str) -> AbstractMatrix:
        """Any other one of the kind, of which nothing else is known: that of another step."""
        return replace(self, name=f"{self.name}({at})", mixed=[], _known={})

    def beside_mean(self, u: np.ndarray) -> np.ndarray:
        """What it makes of client vectors ``(m, size)``, less their mean."""
        u = self._free(u)
        if (key := _key(u)) in self._known:
            return self._known[key]
        parts = [c * self._image(one) for c, one in self._parts(u)]
        y = reduce(lambda a, b: a + b, parts) if parts else u
        if len(parts) > 1:
            self._bounded(u, y)
        return y

    def _parts(self, u: np.ndarray) -> list[tuple[Coefficient, np.ndarray]]:
        """The vectors of which one is a sum, with their multiples: what is mixed already and unknown vectors, or itself."""
        basis = [*(one for one, _ in self.mixed), *self._vectors()]
        times = combination(basis, u.view(np.ndarray))
        if times is None:
            return [(Fraction(1), u)]
        return [(c, one) for c, one in zip(times, basis, strict=True) if nonzero(c)]

    def _free(self, u: np.ndarray) -> np.ndarray:
        """The part of a vector of which it is not known what becomes of it: the deviations, where what is shared stays as it is."""
        return u - self.x.mean_vec(u) if isinstance(self.kind, RowStochastic) else u

    def _vectors(self) -> list[np.ndarray]:
        """The unknown vectors of the clients."""
        out = []
        for name in [n for n in self.space.leaves if n.endswith("[0]")]:
            own = [f"{name[:-3]}[{i}]" for i in range(self.m)]
            if {*own} <= {*self.space.leaves}:
                rows = np.full((self.m, self.space.size), Fraction(0), dtype=object)
                for i, one in enumerate(own):
                    rows[i, self.space.leaves.index(one)] = Fraction(self.space.numbers.scale)
                out.append(self._free(self.space.row(rows)))
        return out

    def _image(self, u: np.ndarray) -> np.ndarray:
        """What it makes of vectors that are no sum of others: new unknown vectors, where they have not been mixed."""
        if (key := _key(u)) not in self._known:
            keeps = isinstance(self.kind, ColumnStochastic)  # the mean
            new = self.space.centered_for if keeps else self.space.leaves_for
            y = new(f"{self.name}{len(self.mixed)}", self.m)
            for k, (one, mixed) in enumerate(self.mixed):
                self._symmetric(f"{k} {len(self.mixed)}", one, mixed, u, y)
            self.mixed.append((u, y))
            self._known[key] = y
            self._bounded(u, y)
        return self._known[key]

    def _symmetric(self, which: str, u: np.ndarray, mixed: np.ndarray, v: np.ndarray, y: np.ndarray) -> None:
        if not isinstance(self.kind, Symmetric):
            return
        gap = self.x.mean(self.x.dot(u, y)) - self.x.mean(self.x.dot(mixed, v))
        self.space.nonnegative(f"{self.name} is symmetric {which}", gap)
        self.space.nonnegative(f"{self.name} is symmetric {which} reversed", -gap)

    def _bounded(self, u: np.ndarray, y: np.ndarray) -> None:
        known = sum(name.startswith(f"|{self.name} u|") for name, _ in self.space.inequalities)
        size, m = self.x.mean(self.x.sq(u)), self.x._m
        if not isinstance(self.kind, RowStochastic):
            image = self.x.mean(self.x.sq(self.x.mean_vec(u) + y))
            self.space.nonnegative(f"|{self.name} u|^2 <= m |u|^2 {known}", m * size - image)
            return
        if not isinstance(self.kind, Directed):
            self.space.nonnegative(f"|{self.name} u|^2 <= (m - 1) |u|^2 {known}", (m - 1) * size - self.x.sq(y))
            return
        lam, along = getattr(self.x, self.kind.bound), self.x.mean(self.x.dot(u, y))
        self.space.nonnegative(f"|{self.name} u| <= lam |u| {known}", lam * lam * size - self.x.mean(self.x.sq(y)))
        for sign in (1, -1):
            self.space.nonnegative(f"|<u, {self.name} u>| <= lam |u|^2 {known} {sign}", lam * size - sign * along)


@dataclass
class AbstractPair(AbstractMatrix):
    """A matrix that is drawn, by its second moments: its mean is a matrix, and what it is off that is +V or -V, as likely as not.

    W u = E W u + V u is linear in u, and the inner products of all that it makes have, in the mean over a draw, those of
    (E W + V) u and (E W - V) u: their covariances are inner products of vectors V u, in as many dimensions as they need, which no
    other vector meets. So all that is linear in inner products after a draw is as it is of these two; nothing else is, and so no
    function is asked at what was drawn, and no matrix takes it.

    Attributes
    ----------
    off : list
        The vectors that are mixed, and what is made of them less its mean over the draws.
    """

    off: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)

    def __call__(self, u: np.ndarray) -> Any:
        return drawn_in_a_step()

    def another(self, at: str) -> AbstractMatrix:
        raise NotApplicable("a run with matrices that are drawn is proved from what is known of one step")

    def draws(self) -> tuple[Any, ...]:
        """Both, equally likely."""
        return tuple(partial(self._drawn, sign) for sign in (1, -1))

    def _drawn(self, sign: int, u: np.ndarray) -> Any:
        mean = super().__call__(u)
        if u.view(np.ndarray).shape[0] < self.m:  # what all clients share stays as it is
            return mean
        return mean + sign * self.beside_draws(u)

    def beside_draws(self, u: np.ndarray) -> np.ndarray:
        """What it makes of client vectors, less its mean over the draws."""
        u = self._free(u)
        parts = [c * self._off(one) for c, one in self._parts(u)]
        return reduce(lambda a, b: a + b, parts) if parts else u

    def _off(self, u: np.ndarray) -> np.ndarray:
        self._image(u)
        return next(other for one, other in self.off if _key(one) == _key(u))

    def _image(self, u: np.ndarray) -> np.ndarray:
        if _key(u) not in self._known:
            before = len(self.space.leaves)
            self.off.append((u, self.space.centered_for(f"{self.name} off {len(self.off)} ", self.m)))
            self.drawn |= {*range(before, len(self.space.leaves))}
        return super()._image(u)

    def _bounded(self, u: np.ndarray, y: np.ndarray) -> None:
        known = sum(name.startswith(f"E|{self.name} u|") for name, _ in self.space.inequalities)
        size, along = self.x.mean(self.x.sq(u)), self.x.mean(self.x.dot(u, y))
        after = self.x.mean(self.x.sq(y)) + self.x.mean(self.x.sq(self.beside_draws(u)))
        lam = getattr(self.x, self.kind.bound)  # type: ignore[attr-defined]
        self.space.nonnegative(f"E|{self.name} u|^2 <= lam^2 |u|^2 {known}", lam * lam * size - after)
        for sign in (1, -1):
            self.space.nonnegative(f"|<u, E {self.name} u>| <= lam |u|^2 {known} {sign}", lam * size - sign * along)


def abstract_matrices(
    mixing: Mapping[str, Stochastic], space: Space, x: Instance, m: int, drawn: set[int]
) -> dict[str, AbstractMatrix]:
    """The matrices of an instance by name, and into `drawn` the leaves that are there after a draw alone."""
    kinds: dict[bool, type[AbstractMatrix]] = {True: AbstractPair, False: AbstractMatrix}
    return {name: kinds[kind.random](space, x, name, kind, m, drawn=drawn) for name, kind in mixing.items()}


def require_settled(rows: np.ndarray, drawn: Set[int], what: str) -> None:
    """Refuse vectors that a matrix which is drawn has made, of which second moments alone are known.

    Raises
    ------
    NotApplicable
        If they are such.
    """
    if drawn and any(nonzero(row[k]) for row in rows for k in drawn):
        raise NotApplicable(what)


def combination(rows: list[np.ndarray], target: np.ndarray) -> list[Coefficient] | None:
    """The multiples of arrays of coefficients that add up to another, found without a division by parameters; None without."""
    columns = [[_plain(c) for c in row.view(np.ndarray).flat] for row in rows]
    A = [list(row) for row in zip(*columns, strict=True)] or [[]] * target.size
    return linear_solution(A, [_plain(c) for c in target.flat], len(rows), dividing=False)[0]


def _key(u: np.ndarray) -> tuple[Any, ...]:
    return tuple(exact_key(c) for c in map(_plain, u.view(np.ndarray).flat))


def _plain(c: Coefficient) -> Coefficient:
    return coefficient(c) if nonzero(c) else Fraction(0)


def owners(mixing: Mapping[str, Stochastic]) -> Iterator[tuple[str, str]]:
    """Every name of an instance that a matrix brings, with what it is."""
    for name, kind in mixing.items():
        yield name, "a mixing matrix"
        yield from ((name + part, f"free data of {name}") for part in kind.free)


def same(u: Any) -> Any:
    """What a matrix makes of units."""
    return u
