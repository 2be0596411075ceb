"""Storage of unequal clients: every sample once, in blocks of one width, padded to at most twice the data.

All samples lie in one array ``(rows, p)``, client after client. Clients are sorted into buckets: the widest client opens a
bucket, and every client with at least half of its samples is padded with zero rows to that width. So a bucket is a view
``(k, width, p)``, a minibatch of all clients is a single gather of rows, and a subset of clients is a list of first rows.
Work goes through the buckets in blocks that fit the cache, so temporaries stay small however many clients there are.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device, is_numpy_namespace

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError

HOST_BLOCK = 2**20  # bytes of features in a block: half of a small second-level cache
DEVICE_BLOCK = 2**28
GATHERED = 2**26  # bytes of features above which a minibatch is gathered anew, block by block, for every use
KEPT = 2**24  # bytes of features up to which the blocks of a store, or of a subset of one, are kept
LOAD = 16  # a store of one block is taken as one up to this load

Targets = Callable[[str, np.ndarray], np.ndarray]
CHECKED = 2**24  # entries looked at in one go when data are checked


class Block:
    """Clients of one width, ``lo`` to ``hi`` in the store's order.

    Attributes
    ----------
    X, y : array (k, width, p), (k, width)
        Samples; rows beyond a client's own are zero.
    weight : float or array (k, 1, 1)
        1/n_i.
    mask : array (k, width) or None
        1 for a sample, 0 for padding; None where nothing is padded.
    kept : dict
        What a problem derives from the targets alone; lives as long as the block.
    """

    def __init__(self, X: Any, y: Any, n: np.ndarray, lo: int, hi: int) -> None:
        self.X, self.y, self.lo, self.hi = X, y, lo, hi
        self.Xt = X.mT
        self.kept: dict[str, Any] = {}
        self.xp = xp = array_namespace(X)
        where = {"device": device(X)}
        equal = bool((n == n[0]).all())
        self.weight = 1 / float(n[0]) if equal else xp.asarray(1 / n, dtype=X.dtype, **where)[:, None, None]
        self.mask = None
        if int(n.min()) < X.shape[1]:
            self.mask = xp.asarray((np.arange(X.shape[1]) < n[:, None]) * 1.0, dtype=X.dtype, **where)

    def total(self, losses: Any) -> Any:
        """Mean over each client's own samples of ``(..., k, width)``, ``(..., k)``."""
        losses = losses if self.mask is None else losses * self.mask
        weight = self.weight if isinstance(self.weight, float) else self.weight[:, 0, 0]
        return self.xp.sum(losses, axis=-1) * weight

    def is_label(self, classes: int) -> Any:
        """Whether class c is the label, bool ``(k, classes, width)``."""
        return self.y[:, None, :] == self.xp.arange(classes, device=device(self.y))[:, None]


@dataclass(frozen=True, eq=False)
class Store:
    """Samples of all clients on one device.

    Attributes
    ----------
    X, y : array (rows, p), (rows,)
        Padded samples.
    n, start, width : ndarray (m,)
        Host int64: samples, first row and padded width of each client.
    pick : ndarray (m, b) or None
        Rows of a minibatch that has not been gathered.
    """

    X: Any
    y: Any
    n: np.ndarray
    start: np.ndarray
    width: np.ndarray
    pick: np.ndarray | None = None

    @property
    def m(self) -> int:
        return len(self.n)

    @property
    def p(self) -> int:
        return int(self.X.shape[1])

    @cached_property
    def order(self) -> np.ndarray | None:
        """Clients by decreasing width, ``(m,)``; None if they stand like that already."""
        if (self.width[1:] <= self.width[:-1]).all():
            return None
        return np.argsort(-self.width, kind="stable")

    @cached_property
    def rank(self) -> np.ndarray | None:
        """Place of every client in `order`."""
        return None if self.order is None else np.argsort(self.order, kind="stable")

    @cached_property
    def whole(self) -> Block | None:
        """The one block of a store that fits into one, else None."""
        if self.order is None and self.width[0] == self.width[-1] and self.m <= self._most(int(self.width[0]), 1):
            return next(iter(self.blocks()))
        return None

    def _most(self, width: int, load: float) -> int:
        """Clients in a block whose every sample costs `load` times its features."""
        host = is_numpy_namespace(array_namespace(self.X)) or "cpu" in str(device(self.X)).lower()
        return max(1, int((HOST_BLOCK if host else DEVICE_BLOCK) / (8 * width * self.p * max(1.0, load))))

    def blocks(self, load: float = 1.0, most: int | None = None) -> Iterable[Block]:
        """The blocks, in order of `lo`; `load` counts the numbers made of a sample per feature of it.

        Given `most`, a block has at most that many clients, whatever their size. Up to `KEPT` bytes of samples keep their blocks,
        so that those of a subset are gathered once.
        """
        if self.pick is not None or 8 * int(self.width.sum()) * self.p > KEPT:
            return self._cut(load, most)
        key = (max(1.0, load), most)
        if key not in self._kept:
            self._kept[key] = list(self._together._cut(load, most))
        return self._kept[key]

    @cached_property
    def _kept(self) -> dict[tuple[float, int | None], list[Block]]:
        """Blocks by what they were cut with."""
        return {}

    @cached_property
    def _together(self) -> Store:
        """The same samples, one client after the other in `order`: gathered where a subset has them apart."""
        order = slice(None) if self.order is None else self.order
        n, start, width = self.n[order], self.start[order], self.width[order]
        if (start[1:] == start[:-1] + width[:-1]).all():
            return self
        first = np.cumsum(width) - width
        rows = np.arange(int(width.sum())) + np.repeat(start - first, width)
        return Store(*self._take(rows), n, first, width)

    def _cut(self, load: float, most: int | None) -> Iterator[Block]:
        """The blocks, made anew; gathered where clients of one width do not adjoin."""
        xp = array_namespace(self.X)
        order = slice(None) if self.order is None else self.order
        n, start, width = self.n[order], self.start[order], self.width[order]
        follows = start[1:] == start[:-1] + width[:-1]
        edges = [0, *(np.flatnonzero(width[1:] != width[:-1]) + 1).tolist(), self.m]
        for a, b in itertools.pairwise(edges):
            w = int(width[a])
            size = self._most(w, load) if most is None else most
            for lo in range(a, b, size):
                hi = min(lo + size, b)
                if self.pick is None:
                    X, y = self._rows(start[lo:hi], w, bool(follows[lo : hi - 1].all()))
                else:  # minibatches have one width, so the order is the clients' own
                    X, y = self._take(self.pick[lo:hi])
                shape = (hi - lo, w)
                yield Block(xp.reshape(X, (*shape, self.p)), xp.reshape(y, shape), n[lo:hi], lo, hi)

    def _rows(self, start: np.ndarray, w: int, adjacent: bool) -> tuple[Any, Any]:
        """Samples of clients of one width: a view where they are adjacent, gathered otherwise."""
        if not adjacent:
            return self._take(start[:, None] + np.arange(w))
        rows = slice(int(start[0]), int(start[0]) + len(start) * w)
        return self.X[rows, :], self.y[rows]

    def minibatch(self, rows: np.ndarray) -> Store:
        """b samples of each client; `rows` is ``(m, b)``, checked. A large minibatch is gathered block by block, when used."""
        m, b = rows.shape
        pick = self.start[:, None] + rows if self.pick is None else np.take_along_axis(self.pick, rows, axis=1)
        n = np.full(m, b, dtype=np.int64)
        start = np.arange(0, m * b, b)
        if 8 * m * b * self.p > GATHERED:
            return Store(self.X, self.y, n, start, n, pick)
        return Store(*self._take(pick), n, start, n)

    def _take(self, pick: np.ndarray) -> tuple[Any, Any]:
        """Rows of the samples, one after the other."""
        xp, index = array_namespace(self.X), pick.reshape(-1)
        if is_numpy_namespace(xp):  # the rows are checked, so that take need not look at them again
            return self.X.take(index, axis=0, mode="clip"), self.y.take(index, mode="clip")
        index = xp.asarray(index, device=device(self.X))
        return xp.take(self.X, index, axis=0), xp.take(self.y, index, axis=0)

    def subset(self, clients: np.ndarray) -> Store:
        """The selected clients, without a copy of their samples."""
        pick = None if self.pick is None else self.pick[clients]
        return Store(self.X, self.y, self.n[clients], self.start[clients], self.width[clients], pick)

    def map(self, fn: Callable[..., Any], *stacks: Any, axis: int, load: float = 1.0, most: int | None = None) -> Any:
        """`fn(block, ...)` of every block, joined along the client axis.

        Parameters
        ----------
        fn : callable
            Gets a block and the clients' part of each stack.
        stacks : array (..., m, C, p) or (..., 1, C, p)
            In the clients' own order.
        axis : int
            The client axis of what `fn` returns.
        load : float
            Numbers made of a sample per feature of it.
        most : int, optional
            Clients in a block, at most, in place of a bound on its bytes.
        """
        if most is None and self.whole is not None and load <= LOAD:
            return fn(self.whole, *stacks)
        xp = array_namespace(self.X)
        if self.order is not None:
            order = xp.asarray(self.order, device=device(self.X))
            stacks = tuple(s if s.shape[-3] == 1 else xp.take(s, order, axis=-3) for s in stacks)
        parts = []
        for b in self.blocks(load, most):
            parts.append(fn(b, *(s if s.shape[-3] == 1 else s[..., b.lo : b.hi, :, :] for s in stacks)))
        out = parts[0] if len(parts) == 1 else xp.concat(parts, axis=axis)
        return out if self.rank is None else xp.take(out, xp.asarray(self.rank, device=device(self.X)), axis=axis)


def widths(n: np.ndarray) -> np.ndarray:
    """Padded width of every client, at most twice its own size.

    Examples
    --------
    >>> import numpy as np
    >>> widths(np.array([9, 5, 4, 2]))
    array([9, 9, 4, 4])
    >>> widths(np.array([9, 5, 4, 1]))
    array([9, 9, 4, 1])
    """
    out = np.zeros(len(n), dtype=np.int64)
    left = np.ones(len(n), dtype=bool)
    while left.any():
        widest = n[left].max()
        bucket = left & (2 * n >= widest)
        out[bucket] = widest
        left &= ~bucket
    return out


def store_clients(name: str, clients: Sequence[tuple[Any, Any]], xp: Any, where: Any, targets: Targets) -> Store:
    """Copy a list of ``(X, y)`` into a store on a device.

    `targets` turns all targets, one after the other, into what the loss reads; it may refuse them.

    Raises
    ------
    UsageError
        If there is no client, shapes do not fit together, or an entry is not a finite number.
    """
    data = _pairs(name, clients)
    n = np.array([len(y) for _, y in data], dtype=np.int64)
    width = widths(n)
    order = np.argsort(-width, kind="stable")
    start = np.empty_like(n)
    start[order] = np.cumsum(width[order]) - width[order]
    rows = np.repeat(start - (np.cumsum(n) - n), n) + np.arange(n.sum())
    X_all = np.zeros((int(width.sum()), data[0][0].shape[1]))
    for s, (X, _) in zip(start, data, strict=True):
        X_all[s : s + len(X)] = X
    y = np.concatenate([y for _, y in data]).astype(np.float64, copy=False)
    require_finite(name, X_all, y)
    y = targets(name, y)
    y_all = np.zeros(len(X_all), dtype=y.dtype)
    y_all[rows] = y
    X_all, y_all = (xp.asarray(a) if where is None else xp.asarray(a, device=where) for a in (X_all, y_all))
    return Store(X_all, y_all, n, start, width)


def _pairs(name: str, clients: Sequence[tuple[Any, Any]]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Clients as host arrays whose shapes fit together."""
    where = f"`{name}(clients=...)`"
    out: list[tuple[np.ndarray, np.ndarray]] = []
    for i, client in enumerate(clients):
        try:
            X, y = (np.asarray(a) for a in client)
        except (TypeError, ValueError):
            raise UsageError(f"{where} must hold pairs (X, y), got others for client {i}.") from None
        if X.dtype.kind not in "fiub" or y.dtype.kind not in "fiub":
            raise UsageError(f"{where} must hold real numbers, got {X.dtype} and {y.dtype} for client {i}.")
        if X.ndim != 2 or 0 in X.shape or y.shape != X.shape[:1] or (out and X.shape[1] != out[0][0].shape[1]):
            rule = "must hold X (n_i, p) and y (n_i,) with n_i >= 1 and one p for all"
            raise UsageError(f"{where} {rule}, got {X.shape} and {y.shape} for client {i}.")
        out.append((X, y))
    if not out:
        raise UsageError(f"{where} must hold at least one client, got none.")
    return out


def store_stack(name: str, X: Any, y: Any, targets: Targets) -> Store:
    """A store that holds a stack ``(m, n, p)``, ``(m, n)`` of equal clients as it is, without a copy of the features.

    Raises
    ------
    UsageError
        If the shapes do not fit together, the features are not float64 or could not be viewed without a copy, or an
        entry is not finite.
    """
    call = f"`{name}.stacked(X, y)`"
    try:
        xp = array_namespace(X, y)
    except TypeError:
        raise UsageError(f"{call} must get two arrays of one library, got {type(X)} and {type(y)}.") from None
    if X.ndim != 3 or 0 in X.shape or tuple(y.shape) != tuple(X.shape[:2]):
        raise UsageError(f"{call} must get X (m, n, p) and y (m, n), got {tuple(X.shape)} and {tuple(y.shape)}.")
    if X.dtype != xp.float64:
        raise UsageError(f"{call} must get float64 features, since it does not copy them, got {X.dtype}.")
    if isinstance(X, np.ndarray) and not X.flags.c_contiguous:
        raise UsageError(
            f"{call} must get C-contiguous features, since it does not copy them, got strides {X.strides}."
        )
    m, n, p = X.shape
    X, y = xp.reshape(X, (m * n, p)), xp.reshape(y, (m * n,))
    y = y if y.dtype == xp.float64 else xp.astype(y, xp.float64)
    require_finite(name, X, y)
    y = xp.asarray(targets(name, to_host(y)), device=device(X))
    sizes = np.full(m, n, dtype=np.int64)
    return Store(X, y, sizes, np.arange(0, m * n, n), sizes)


def require_finite(name: str, X: Any, y: Any) -> None:
    """Raise UsageError unless all samples are finite; looks at a few rows at a time."""
    xp = array_namespace(X)
    step = max(1, CHECKED // X.shape[1])
    for lo in range(0, X.shape[0], step):
        hi = min(lo + step, X.shape[0])
        rows, targets = X[lo:hi, :], y[lo:hi]
        if not bool(xp.all(xp.isfinite(rows))) or not bool(xp.all(xp.isfinite(targets))):
            raise UsageError(f"`{name}(clients=...)` must hold finite numbers, got others near sample {lo}.")


def checked_rows(where: str, rows: Any, n: np.ndarray) -> np.ndarray:
    """Positions ``(m, b)`` within each client's own samples, on the host."""
    rows = to_host(rows)
    if rows.ndim != 2 or rows.shape[0] != len(n) or rows.shape[1] == 0 or rows.dtype.kind not in "iu":
        raise UsageError(f"`{where}(rows=...)` must be ({len(n)}, b) integers, got {rows.dtype} {rows.shape}.")
    if int(rows.min()) < 0 or (rows >= n[:, None]).any():
        i = int(((rows < 0) | (rows >= n[:, None])).any(axis=1).argmax())
        got = f"{rows[i].min()} to {rows[i].max()} for client {i} with {n[i]} samples"
        raise UsageError(f"`{where}(rows=...)` must lie from 0 to n_i - 1, got {got}.")
    return rows


def checked_clients(where: str, clients: Any, m: int) -> np.ndarray:
    """Indices ``(S,)`` of clients, on the host."""
    clients = to_host(clients)
    if clients.ndim != 1 or len(clients) == 0 or clients.dtype.kind not in "iu":
        raise UsageError(f"`{where}(clients=...)` must be (S,) integers, S >= 1, got {clients.dtype} {clients.shape}.")
    if int(clients.min()) < 0 or int(clients.max()) >= m:
        raise UsageError(f"`{where}(clients=...)` must lie from 0 to m - 1 = {m - 1}, got {clients.tolist()}.")
    return clients
