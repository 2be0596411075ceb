"""Which clients work in a round, on which samples: the host draws, and the way of their rows out of a stack and back."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from array_api_compat import array_namespace

from .._arrays import column, moved, numbers_like, to_host
from ..checks import require_count, require_flag, require_one_a_client
from ..errors import UsageError
from ..method import Option
from ..problem import Functions, Problem

if TYPE_CHECKING:
    from ..quantity import Array, Quantity, Values

SELECTION = {
    "S": Option("count", "selected clients (default: all)"),
    "participation": Option("share", "share of the clients that is selected, in place of --S"),
}
BATCH = {"batch": Option("count", "samples of a minibatch (default: all)")}


@dataclass(frozen=True)
class Participants:
    """The clients that work in a round.

    Attributes
    ----------
    problem : Functions
        Of the clients whose rows are computed: the selected ones where the problem offers `subset`, else all.
    chosen : (m,) mask or None
        The selected clients; None stands for all of them.
    index : (S,) host integers or None
        Their positions where only their rows are computed.
    """

    problem: Functions
    chosen: Any = None
    index: np.ndarray | None = None

    @property
    def size(self) -> int:
        """How many clients are selected."""
        return self.problem.m if self.chosen is None else int(np.count_nonzero(to_host(self.chosen)))

    def rows(self, A: Any) -> Any:
        """Out of a stack ``(..., m, d)`` the rows that are computed, a view where they adjoin; a server vector passes."""
        if self.index is None or A.shape[-2] == 1:
            return A
        first, last = int(self.index[0]), int(self.index[-1])
        if last - first + 1 == len(self.index):
            return A[..., first : last + 1, :]
        return array_namespace(A).take(A, moved(self.index, A), axis=-2)

    def entries(self, a: Quantity | None, like: Array) -> Quantity:
        """Out of per-client numbers ``(..., m)`` those that are computed, in the dtype of `like`; a number passes."""
        a = numbers_like(a, like)
        if self.index is None or not getattr(a, "ndim", 0):
            return a
        return array_namespace(a).take(a, moved(self.index, a), axis=-1)

    def column(self, a: Quantity | None, like: Array) -> Any:
        """`entries` as they multiply ``(..., m, d)``."""
        return column(self.entries(a, like), like)

    def error(self, E: Quantity, like: Array) -> Quantity:
        """An error ``(..., m, d)`` of the draws, or its direction, in the dtype of `like`; a number passes."""
        E = numbers_like(E, like)
        return self.rows(E) if hasattr(E, "shape") else E

    def batch(self, rows: Array | None, h: int) -> Functions:
        """The problem on minibatch h of `rows` ``(..., m, b)`` (host integers), gathered once; None is all samples."""
        if rows is None:
            return self.problem
        whole = cast(Problem, self.problem)  # who drew minibatches has samples
        return whole.minibatch(rows[h] if self.index is None else rows[h][..., self.index, :])

    def each(self, local: Callable[[Participants], tuple[Array, ...]]) -> tuple[Array, ...]:
        """`local(work)`, stacks ``(..., m, d)`` of what the clients at work compute on their own.

        Where the problem has a `chunk_size`, so many of them at a time, which keeps what they work on small.
        """
        size = getattr(self.problem, "chunk_size", None)
        if size is None or self.problem.m <= size:
            return local(self)
        index = np.arange(self.problem.m) if self.index is None else self.index
        whole, parts = cast(Problem, self.problem), []
        for lo in range(0, len(index), size):
            some = np.arange(lo, min(lo + size, len(index)))
            parts.append(local(Participants(whole.subset(some), self.chosen, index[some])))
        return tuple(array_namespace(stacks[0]).concat(stacks, axis=-2) for stacks in zip(*parts, strict=True))

    def put(self, new: Array, old: Array) -> Array:
        """`old` ``(..., m, d)`` with the rows of the selected clients replaced."""
        return self._put(new, old, -2)

    def put_entries(self, new: Any, old: Array) -> Array:
        """`old` ``(..., m)`` with the entries of the selected clients replaced."""
        return self._put(new, old, -1)

    def _put(self, new: Array, old: Array, axis: int) -> Array:
        if self.chosen is None:
            return new
        xp = array_namespace(old)
        if self.index is not None:
            slot = np.cumsum(self.chosen) - 1  # where a selected client's row stands among the computed ones
            new = xp.take(new, moved(np.maximum(slot, 0), old), axis=axis)
        chosen = moved(self.chosen, old)
        return xp.where(chosen[:, None] if axis == -2 else chosen, new, old)

    def total(self, A: Array) -> Array:
        """Sum of the selected clients' rows, ``(..., 1, d)``."""
        if self.chosen is not None and self.index is None:
            A = A * numbers_like(self.chosen, A)[:, None]
        return array_namespace(A).sum(A, axis=-2, keepdims=True)

    def mean(self, A: Array, alpha: Quantity | None = None) -> Array:
        """Mean of the selected clients' rows, ``(..., 1, d)``, with weights ``(m,)`` or, for None, equal ones."""
        if alpha is None:
            return self.total(A) / self.size
        weight = self.column(alpha, A)
        return self.total(A * weight) / self.total(weight)


def participants(problem: Functions, selected: Array | None, *, everyone: bool = False) -> Participants:
    """The selected clients of a problem; `selected` is a mask ``(m,)``.

    A host mask and a problem with `subset` leave the others' work undone (not with `everyone`); otherwise every row is
    computed and masked afterwards.
    """
    if everyone or not (isinstance(selected, np.ndarray) and hasattr(problem, "subset")):
        return Participants(problem, selected)
    if selected.all():
        return Participants(problem)
    index = np.flatnonzero(selected)
    return Participants(problem.subset(index), selected, index)


def everyone_of(problem: Functions) -> np.ndarray:
    """The mask ``(m,)`` of all clients."""
    return np.ones(problem.m, dtype=bool)


def how_many(o: Values, m: int) -> int:
    """Selected clients of m from the options `SELECTION`; all of them where neither is given.

    Raises
    ------
    UsageError
        If both are given, or S is above m.
    """
    S, share = o["S"], o["participation"]
    if S is not None and share is not None:
        raise UsageError("--S and --participation exclude each other; give one of them")
    if S is not None and m < S:
        raise UsageError(f"--S must be at most the {m} clients, got {S}")
    if share is not None:
        return max(1, math.floor(share * m + Fraction(1, 2)))
    return m if S is None else int(S)


def select(stream: np.random.Generator, call: str, m: int, S: int | None) -> np.ndarray:
    """A mask ``(m,)`` of S clients, uniform without replacement; None is all of them."""
    if S is None:
        return np.ones(m, dtype=bool)
    require_count(f"{call}(S=...)", S, 1, m)
    selected = np.zeros(m, dtype=bool)
    selected[stream.choice(m, S, replace=False)] = True
    return selected


def cover(order: np.ndarray, unseen: np.ndarray, left: int, S: int) -> np.ndarray:
    """Scheme 4.1 of FedADMM: a mask of S clients such that `left` selections, this one included, can reach everybody.

    `order` ``(m,)`` is a random permutation; `unseen` ``(m,)`` marks the clients that this cycle has not selected yet.
    As few of them as will do are forced, in random order; the other places go to the first of all the rest.
    """
    forced = order[unseen[order]][: max(0, int(unseen.sum()) - (left - 1) * S)]
    selected = np.zeros(len(order), dtype=bool)
    selected[forced] = True
    selected[order[~selected[order]][: S - len(forced)]] = True
    return selected


def require_participation(call: str, S: int | None, batch: int | None = None, replace: bool = True) -> None:
    """Raise UsageError unless S and `batch` are None or positive integers and `replace` is a flag."""
    for name, value in (("S", S), ("batch", batch)):
        if value is not None:
            require_count(f"{call}({name}=...)", value, 1)
    require_flag(f"{call}(replace=...)", replace)


def require_clients(call: str, problem: Functions, S: int | None, **per_client: Quantity | None) -> None:
    """Raise UsageError unless the problem has S clients, and one number each in the `per_client` arrays."""
    if S is not None:
        require_count(f"{call}(S=...)", S, 1, problem.m)
    for name, value in per_client.items():
        require_one_a_client(f"{call}({name}=...)", value, problem.m)


def minibatches(
    stream: np.random.Generator, call: str, problem: Functions, shape: Sequence[int], batch: int | None, replace: bool
) -> np.ndarray | None:
    """Positions ``(*shape, m, batch)`` within each client's own n_i samples; None, all samples, without a batch size.

    With replacement the samples of a minibatch are independent, as a variance of gamma_f^2/|D| needs; without, a
    minibatch is a uniform subset (Floyd's algorithm, over all minibatches at once).

    Raises
    ------
    UsageError
        If the clients have no samples, or without replacement one of them has fewer than `batch`.
    """
    if batch is None:
        return None
    n = getattr(problem, "n", None)
    if n is None:
        raise UsageError(
            f"{call}(batch=...) needs clients with samples, and {type(problem).__name__} has none; leave batch=None."
        )
    size = (*shape, problem.m)
    if replace:
        return stream.integers(n[:, None], size=(*size, batch))
    if batch > n.min():
        raise UsageError(
            f"{call}(batch=..., replace=False) must be at most {n.min()}, the samples of the smallest client, "
            f"got {batch}; use replace=True."
        )
    rows = np.empty((*size, batch), dtype=np.int64)
    for j in range(batch):
        last = n - batch + j
        pick = stream.integers(last + 1, size=size)
        taken = (rows[..., :j] == pick[..., None]).any(axis=-1)
        rows[..., j] = np.where(taken, last, pick)
    return rows
