"""Compressors of what clients send: the largest entries, random entries, few bits an entry; none needs a number of the other side.

Each is a contraction, |C(x) - x|^2 <= (1 - delta) |x|^2 (in expectation over random entries) with some delta > 0; no entry is
scaled up to make it unbiased.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from array_api_compat import array_namespace

from .._arrays import moved
from ..checks import require_one_of, require_positive
from ..errors import UsageError
from ..method import Option
from .serverless import size_of

if TYPE_CHECKING:
    from ..quantity import Array, Values

KINDS = ("none", "top", "random", "quantised")
POSITION = 4  # bytes of the position of an entry, unless one bit an entry is less


@dataclass(frozen=True)
class Compressor:
    """What of a vector is sent.

    "none": all of it. "top": its ceil(ratio d) entries of largest magnitude, of equals the first. "random": ceil(ratio d) uniform
    ones, others for every client, which a common seed tells the receiver. "quantised": every entry, as the nearest of levels
    between plus and minus the largest magnitude; `ratio` times the bits of a number each, at least two.

    Examples
    --------
    >>> Compressor("top", 0.5).apply(np.array([[3.0, -4.0, 1.0]]))
    array([[ 3., -4.,  0.]])
    >>> Compressor("quantised", 1 / 32).apply(np.array([[3.0, -4.0, 1.0]]))
    array([[ 4., -4.,  0.]])
    """

    kind: str = "none"
    ratio: float = 1 / 2

    def __post_init__(self) -> None:
        require_one_of("Compressor(kind=...)", self.kind, KINDS)
        require_positive("Compressor(ratio=...)", self.ratio)
        if self.ratio > 1:
            raise UsageError(f"Compressor(ratio=...) must be at most 1, got {self.ratio}.")

    def kept(self, d: int) -> int:
        """Entries that are sent."""
        return math.ceil(self.ratio * d) if self.kind in ("top", "random") else d

    def draw(self, stream: np.random.Generator, m: int, d: int) -> Array | None:
        """Which entries are sent, ``(m, d)`` bool, where they are random."""
        if self.kind != "random":
            return None
        chosen = np.zeros((m, d), dtype=bool)
        k = self.kept(d)
        np.put_along_axis(chosen, np.argpartition(stream.random((m, d)), k - 1, axis=1)[:, :k], True, axis=1)
        return chosen

    def apply(self, X: Array, chosen: Array | None = None) -> Array:
        """C(x_i) of every client, ``(m, d)``."""
        if self.kind == "none":
            return X
        xp = array_namespace(X)
        if self.kind == "quantised":
            largest = xp.max(xp.abs(X), axis=-1, keepdims=True)
            step = largest / (2 ** (self.bits(X) - 1) - 1)
            safe = xp.where(step > 0, step, xp.ones_like(step))
            return xp.round(X / safe) * step
        chosen = largest_entries(xp.abs(X), self.kept(X.shape[-1])) if self.kind == "top" else moved(chosen, X)
        return xp.where(chosen, X, xp.zeros_like(X))

    def bits(self, X: Array) -> int:
        """Of an entry that is quantised."""
        return max(2, math.floor(self.ratio * 8 * size_of(X)))

    def bytes(self, X: Array) -> float:
        """Of what one client sends to one other in place of x_i."""
        d, size = X.shape[-1], size_of(X)
        if self.kind == "quantised":
            return self.bits(X) * d / 8 + size
        k = self.kept(d)
        return k * size + (min(POSITION * k, math.ceil(d / 8)) if self.kind == "top" else 0)


WHOLE = Compressor()
TOP_HALF = Compressor("top")


def compress_options(kind: str) -> dict[str, Option]:
    """The options of a compressor, with the kind of the method where nothing is said."""
    return {
        "compress": Option(
            "choice",
            "what is sent: whole vectors (none), their largest or random entries, or few bits an entry",
            kind,
            KINDS,
        ),
        "ratio": Option("share", "of a compressed vector's entries or bits (default: 1/2)"),
    }


def compressor_of(o: Values) -> Compressor:
    """The compressor of the options.

    Raises
    ------
    UsageError
        If a ratio is given where all of a vector is sent.
    """
    if o["ratio"] is None:
        return Compressor(o["compress"])
    if o["compress"] == "none":
        raise UsageError(f"--ratio goes with --compress {', '.join(KINDS[1:])}, got --compress none")
    return Compressor(o["compress"], o["ratio"])


def largest_entries(A: Array, k: Any) -> Array:
    """The mask ``(m, d)`` of the k largest entries of each row, of equal ones the first; k is a number or ``(m,)`` on the host.

    Examples
    --------
    >>> largest_entries(np.array([[1.0, 3.0, 3.0], [5.0, 0.0, 2.0]]), np.array([1, 2]))
    array([[False,  True, False],
           [ True, False,  True]])
    """
    xp = array_namespace(A)
    m, d = A.shape[-2:]
    k = np.zeros(m, dtype=np.int64) + k
    place = np.clip(d - k, 0, d - 1)
    if type(A) is np.ndarray and A.dtype.kind == "f":  # of a million entries a sixth of the time of a sort
        ordered = np.partition(A, sorted(set(place.tolist())), axis=-1)
    else:
        ordered = xp.sort(A, axis=-1)
    least = xp.take_along_axis(ordered, moved(place[:, None], A), axis=-1)
    above, equal = least < A, least == A
    left = moved(k[:, None], A) - xp.sum(xp.astype(above, xp.int64), axis=-1, keepdims=True)
    return above | (equal & (xp.cumulative_sum(xp.astype(equal, xp.int64), axis=-1) <= left))
