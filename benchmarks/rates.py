"""What the machine does at best, measured in the same run: bytes a second of a copy, operations a second of a product."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fedtheory._arrays import to_host

NUMBERS, ORDER = 2**25, 2048  # of the copy, and of the square matrices
QUICK = (2**20, 256)


class Rates:
    """A copy and a product of matrices on an array library, as cases of `benchmarks.clock.interleaved`.

    Parameters
    ----------
    xp : namespace
    dtype : dtype
    device : device or None
    quick : bool
        Small arrays, which may fit a cache.
    """

    def __init__(self, xp: Any, dtype: Any, device: Any, quick: bool = False) -> None:
        self.numbers, self.order = QUICK if quick else (NUMBERS, ORDER)
        where = {"dtype": dtype, "device": device}
        self.source, self.target = xp.ones(self.numbers, **where), xp.ones(self.numbers, **where)
        self.A, self.B = xp.ones((self.order, self.order), **where), xp.ones((self.order, self.order), **where)
        self.bytes = 2 * self.numbers * (4 if dtype == xp.float32 else 8)
        self.flops = 2 * self.order**3

    @property
    def cases(self) -> dict[str, Callable[[], Any]]:
        """By the names "copy" and "product"; each ends when its last number is on the host."""
        return {"copy": finished(self.copy), "product": finished(lambda: self.A @ self.B)}

    def copy(self) -> Any:
        """All numbers once, into an array that stays."""
        self.target[...] = self.source
        return self.target

    def measured(self, seconds: dict[str, float]) -> dict[str, float]:
        """Bytes a second of the copy, which reads and writes, and operations a second of the product."""
        return {"bandwidth": self.bytes / seconds["copy"], "rate": self.flops / seconds["product"]}


def finished(work: Callable[[], Any]) -> Callable[[], None]:
    """`work` until a number of the array that it returns is on the host: devices return before they are done."""

    def timed() -> None:
        to_host(work().reshape(-1)[-1:])

    return timed
