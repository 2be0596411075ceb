"""A counterexample as plain data: exact numbers as text, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import flint
import numpy as np

from ..engines import exact
from ..errors import UsageError
from ..world import Free


def text(value: Any) -> Any:
    """An exact number as "p/q", a ball as ["lo", "hi"], an array as nested lists of these."""
    if isinstance(value, np.ndarray):
        return [text(v) for v in value]
    if isinstance(value, flint.arb):
        return [value.lower().str(30, radius=False), value.upper().str(30, radius=False)]
    return str(Fraction(value))


def witness(free: Free, result: exact.Replay) -> dict[str, Any]:
    """The counterexample as plain data."""
    worst = result.worst
    return {
        "shape": dict(free.shape),
        "scalars": {k: text(v) for k, v in free.scalars.items()},
        "free": {k: text(v) for k, v in free.vectors.items()},
        "given": [{"name": s.name, "lhs": text(s.lhs), "op": s.op, "rhs": text(s.rhs)} for s in result.given],
        "relation": worst.name if worst else "",
        "op": worst.op if worst else "",
        "lhs": text(worst.lhs) if worst else None,
        "rhs": text(worst.rhs) if worst else None,
    }


def free_of(data: Mapping[str, Any]) -> Free:
    """Read the free data of a witness back, exactly.

    Raises
    ------
    UsageError
        If a part is missing or a number is not of the form "p/q".
    """
    try:
        to_fraction: Callable[[Any], Any] = np.frompyfunc(Fraction, 1, 1)

        def read(v: Any) -> Any:
            return to_fraction(np.array(v, dtype=object)) if isinstance(v, list) else Fraction(v)

        return Free(
            {k: int(n) for k, n in data["shape"].items()},
            {k: read(v) for k, v in data["scalars"].items()},
            {k: read(v) for k, v in data["free"].items()},
        )
    except (KeyError, ValueError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise UsageError(f"the witness cannot be read: {type(error).__name__}: {error}") from None
