"""Stand-ins for what a body sees of the clients where one of them stands for all: a selection of them, and an array over them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..errors import NotApplicable, UsageError
from .forms import Extent, Uncounted

if TYPE_CHECKING:
    from typing import NoReturn

    from ..quantity import Array


class Selection:
    """S of the m clients, drawn uniformly; stands for its mask, and knows only how to select a sum."""

    __array_ufunc__ = None

    def __init__(self, numbers: object) -> None:
        self.numbers = numbers

    def _unknown(self, *_: object) -> NoReturn:
        raise NotApplicable("the mask of a generic selection has no entries")

    __bool__ = __getitem__ = __mul__ = __rmul__ = __add__ = __radd__ = __sub__ = __rsub__ = __array__ = _unknown


class OneClient(Uncounted):
    """Forms ``(1,)`` of a generic client, or one a client that a body may not count: a sum over this axis is refused."""

    @property  # type: ignore[misc]
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        whole = self.view(np.ndarray).shape
        return (*whole[:-1], *(Extent(n) for n in whole[-1:]))

    def _counted(self) -> str:
        return "a loop over generic clients"

    def __getitem__(self, key: Any) -> Any:
        if any(
            k is not None and k is not Ellipsis and k != slice(None)
            for k in (key if isinstance(key, tuple) else (key,))
        ):
            raise NotApplicable("the body picks one of the generic clients")
        return super().__getitem__(key)

    def __array_function__(self, func: Any, types: object, args: object, kwargs: object) -> NoReturn:
        raise NotApplicable(f"numpy.{func.__name__} over generic clients")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: object, **options: Any) -> Array:
        if method != "__call__":
            raise NotApplicable("a sum over generic clients other than x.mean and x.total")
        if options.get("out") is not None:
            raise UsageError("the body changes a number of x in place; write after = before + ... instead")
        plain = [i.view(np.ndarray) if isinstance(i, OneClient) else i for i in inputs]
        out = ufunc(*plain, **options)
        return out.view(OneClient) if isinstance(out, np.ndarray) else out
