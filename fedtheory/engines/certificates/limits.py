"""Limits as plain data that are closed: the same as of a theorem, and each limit with its rule, its quotients and its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...errors import NotApplicable, UsageError
from ..z3.trees import z3_module
from .parts import Part
from .products.polynomials import Split
from .theorems import ANY_TIME, Closed, NotClosed, note_roots


def data(closed: Closed, limits: Sequence[dict[str, Any]], printed: Sequence[list[Any]]) -> dict[str, Any] | None:
    """The limits with what was used for them; None where it cannot be written."""
    if closed.open:
        return None
    try:
        return _data(closed, limits, printed)
    except (NotClosed, NotApplicable, UsageError, Split, ZeroDivisionError, z3_module().Z3Exception) as error:
        closed.open = str(error)
        return None


def _data(closed: Closed, limits: Sequence[dict[str, Any]], printed: Sequence[list[Any]]) -> dict[str, Any]:
    parts = list(_parts(limits))
    numbers = closed.numbers()
    quotients = [list(one["to"].values()) + one["of"] for one in limits] + [values for _, *values in printed]
    stated = list(closed._stated(numbers))
    if any(kind == "exp" for kind, *_ in closed.called):  # of a logarithm no rule uses more than what it is called
        stated += closed._elementary(numbers, quotients)
    defined, names = closed.symbols()
    said = (
        [one[2] for one in stated]
        + quotients
        + [[use["at"], use["sequences"], use.get("values")] for use in closed.uses]
    )
    words = closed._words(parts) | set(re.findall(r"[A-Za-z_]\w*", str(said)))
    elements = {name: closed.element_of(name) for name in words}
    for part in (*parts, *(p for use in closed.uses for p in use["parts"])):
        note_roots(part)
    return {
        "index": closed.world.index, "first": closed.world.parts().first, "model": closed.model, "by": ["limits"],
        "names": {**names, **{name: to for name, to in elements.items() if to}, "t": ANY_TIME},
        "defined": defined, "stated": stated, "uses": closed.uses, "statement": [],
        "printed": list(printed), "limits": list(limits), **closed.exponentials(),
    }  # fmt: skip


def _parts(limits: Sequence[dict[str, Any]]) -> Iterator[Part]:
    for one in limits:
        for role in one["roles"].values():
            yield from role["parts"]
