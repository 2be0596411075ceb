"""How fedtheory says no: the user's input is wrong, an engine cannot handle a claim, or the units of a formula do not fit."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class UsageError(ValueError):
    """Input that breaks a stated rule; the message names the argument, the rule and the value (exit status 2)."""


class UnitsMismatch(ValueError):
    """Two terms of one sum or relation carry different units."""


_watched: ContextVar[tuple[list[NotApplicable], ...]] = ContextVar("watched", default=())


class NotApplicable(Exception):
    """Raised by an engine's numbers when a body asks for an operation that this engine does not have."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        for seen in _watched.get():
            seen.append(self)


@contextmanager
def sticking() -> Iterator[None]:
    """What runs within gains nothing by catching a refusal: one that was made there is raised at the end."""
    seen: list[NotApplicable] = []
    token = _watched.set((*_watched.get(), seen))
    try:
        yield
    finally:
        _watched.reset(token)
    if seen:
        raise seen[0]


def inexact(value: float) -> str:
    """What to say of a float among exact numbers."""
    if not math.isfinite(value):
        return f"a side is the float {value!r}, which is no number"
    return f"a side holds the float {value!r}, which is not exact; write x.ratio(p, q), or x.sqrt, x.exp and x.log"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean a, b?"`` for the nearest known names, or an empty string."""
    near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.6)
    return f"; did you mean {', '.join(near)}?" if near else ""
