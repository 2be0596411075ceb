"""Relations as data: a side, an operator, a side; nobody has decided them yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import UsageError

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Relation:
    """``lhs op rhs`` as data; `op` is one of ``<=``, ``<``, ``==``; nobody has decided it yet."""

    lhs: Any
    op: str
    rhs: Any
    name: str = ""


def le(a: Any, b: Any, name: str = "") -> Relation:
    """The relation a <= b."""
    return Relation(a, "<=", b, name)


def lt(a: Any, b: Any, name: str = "") -> Relation:
    """The relation a < b."""
    return Relation(a, "<", b, name)


def eq(a: Any, b: Any, name: str = "") -> Relation:
    """The relation a == b."""
    return Relation(a, "==", b, name)


def as_relations(result: Any, owner: str) -> tuple[Relation, ...]:
    """Return `result` as a tuple of relations, or say what the body returned instead."""
    relations = result if isinstance(result, tuple) else (result,)
    for r in relations:
        if not isinstance(r, Relation):
            raise UsageError(
                f"claim {owner}: the body must return le(a, b), lt(a, b) or eq(a, b), got {type(r).__name__}"
            )
    if not relations:
        raise UsageError(f"claim {owner}: the body returned no relation")
    return relations
