"""A parameter that every instance of a batch has for itself, in place of a number that they share."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._arrays import to_host

if TYPE_CHECKING:
    from ..quantity import Array, Quantity


class PerRow:
    """Numbers ``(batch, 1)`` that multiply scalars ``(batch, m)`` and vectors ``(batch, m, d)`` as one number does.

    Whatever array it meets, it stands in front of all axes but the first. An index, such as ``[..., None]``, gives the
    bare array.

    Parameters
    ----------
    values : array (batch, 1)
        Of any backend.
    """

    __slots__ = ("values",)
    __array_ufunc__ = None  # an array that meets it leaves the arithmetic to it

    def __init__(self, values: Any) -> None:
        self.values = values

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.values.shape)

    @property
    def ndim(self) -> int:
        return int(self.values.ndim)

    @property
    def dtype(self) -> Any:
        return self.values.dtype

    def __getitem__(self, key: Any) -> Array:
        return self.values[key]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return to_host(self.values).astype(dtype or float)

    def along(self, ndim: int) -> Array:
        """The numbers as an array of that many axes."""
        if ndim == self.values.ndim:
            return self.values
        return self.values[(..., *(None,) * (ndim - self.ndim))]

    def __neg__(self) -> PerRow:
        return PerRow(-self.values)

    def __pos__(self) -> PerRow:
        return self

    def __abs__(self) -> PerRow:
        return PerRow(abs(self.values))


def _left(op: Callable[[Quantity, Quantity], Quantity]) -> Any:
    return lambda self, other: over_rows(op, self, other)


def _right(op: Callable[[Quantity, Quantity], Quantity]) -> Any:
    return lambda self, other: over_rows(op, other, self)


for _name in ("add", "sub", "mul", "truediv", "pow", "floordiv", "mod"):
    setattr(PerRow, f"__{_name}__", _left(getattr(operator, _name)))
    setattr(PerRow, f"__r{_name}__", _right(getattr(operator, _name)))


def over_rows(fn: Callable[..., object], *args: Any) -> Any:
    """An elementwise function of arrays, numbers and `PerRow`; of the latter two alone it is one as well."""
    most, rows, alone = 0, False, True
    for a in args:
        own, ndim = isinstance(a, PerRow), getattr(a, "ndim", 0)
        rows, alone, most = rows or own, alone and (own or not ndim), max(most, ndim)
    if not rows:
        return fn(*args)
    out = fn(*[a.along(most) if isinstance(a, PerRow) else a for a in args])
    return PerRow(out) if alone else out
