"""Relations as data: a side, an operator, a side; nobody has decided them yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn

from .bodies import attempt
from .errors import UsageError, sticking
from .outside import bound

if TYPE_CHECKING:
    from .formats import Json
    from .quantity import Named, Quantity

OPERATORS = ("<=", "<", "==")


@dataclass(frozen=True)
class Relation:
    """``lhs op rhs`` as data; `op` is one of ``<=``, ``<``, ``==``; nobody has decided it yet."""

    lhs: Any
    op: str
    rhs: Any
    name: str = ""

    def __post_init__(self) -> None:
        if self.op not in OPERATORS:
            raise UsageError(
                f"a relation is made by le(a, b), lt(a, b) or eq(a, b), and its operator is one of {', '.join(OPERATORS)}, "
                f"got {self.op!r}; a >= b is le(b, a)"
            )
        if not isinstance(self.name, str):
            raise UsageError(
                f"a relation has two sides, and its name is a text, got {self.name!r}; a chain is a tuple (le(a, b), le(b, c))"
            )

    def __bool__(self) -> NoReturn:
        raise UsageError(
            "a relation has no truth value of its own (and, or, not, if): return several as a tuple (first, second)"
        )


def le(a: Quantity, b: Quantity, name: str = "") -> Relation:
    """The relation a <= b."""
    return Relation(a, "<=", b, name)


def lt(a: Quantity, b: Quantity, name: str = "") -> Relation:
    """The relation a < b."""
    return Relation(a, "<", b, name)


def eq(a: Quantity, b: Quantity, name: str = "") -> Relation:
    """The relation a == b."""
    return Relation(a, "==", b, name)


def says_nothing(x: object) -> Relation:
    """The body of a claim that says nothing, 0 <= 0."""
    return le(0, 0)


@dataclass(frozen=True)
class Condition:
    """A condition as the paper states it; claims, catalogues, `constants` and reports share the one record.

    Attributes
    ----------
    printed : str
        As the paper prints it.
    where : str
        Its locator in the paper.
    relation : callable
        From an instance to a relation, or to a tuple of relations that hold together; from an instance and t, where it
        is about every element of a sequence.
    bound : dict
        Numbers, texts, containers and functions that it reads from outside, as they were when the condition was made.
    """

    printed: str
    where: str
    relation: Callable[..., Any]
    bound: Json = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.printed, str) or not callable(self.relation):
            raise UsageError(
                f"a condition needs a text and a function, such as condition('mu < L', lambda x: lt(x.mu, x.L)), "
                f"got {self.printed!r} and {self.relation!r}"
            )
        object.__setattr__(self, "bound", bound(self.relation))

    def relations(self, x: Named, *t: Quantity, where: str = "") -> tuple[Relation, ...]:
        """The relations on one instance, at t, each under the printed form unless it has a name of its own.

        What is undefined is not met.
        """
        printed = self.printed + where
        try:
            found = relations_of(self._at(*t) if t else self.relation, x, printed, what="condition")
        except ZeroDivisionError:
            return (Relation(1, "<", 0, f"{printed}, which is undefined"),)
        return tuple(r if r.name else Relation(r.lhs, r.op, r.rhs, printed) for r in found)

    def _at(self, *t: Quantity) -> Callable[[Named], object]:
        """The function of an instance alone; a message still names the line of the user's own."""
        return wraps(self.relation)(lambda x: self.relation(x, *t))

    @staticmethod
    def of(given: Condition | Callable[..., object]) -> Condition:
        """A condition as it is; a plain function under its own name.

        Raises
        ------
        UsageError
            If `given` is neither.
        """
        if isinstance(given, Condition):
            return given
        if not callable(given):
            raise UsageError(f"given=(...) must hold conditions such as condition('mu < L', ...), got {given!r}")
        return Condition(getattr(given, "__name__", "condition"), "", given)


def relations_of(body: Callable[[Any], object], x: Named, owner: str, *, what: str = "claim") -> tuple[Relation, ...]:
    """The relations of a body on one instance.

    What it raises is told as in `attempt`, and it has nothing of a refusal of the engine's numbers that it catches.
    """
    with sticking():
        result = attempt(body, x, f"{what} {owner}")
    return as_relations(result, owner)


def as_relations(result: Any, owner: str) -> tuple[Relation, ...]:
    """Return `result` as a tuple of relations, or say what the body returned instead."""
    relations = result if isinstance(result, tuple) else (result,)
    for r in relations:
        if not isinstance(r, Relation):
            raise UsageError(
                f"claim {owner}: the body must return le(a, b), lt(a, b) or eq(a, b), got {type(r).__name__}"
            )
        for side in (r.lhs, r.rhs):
            if side is None or isinstance(side, (str, bytes, list, tuple, dict, set, Relation)):
                raise UsageError(f"claim {owner}: a side of the relation is {side!r}, which is no number")
            if any(type(n) is int and n == 0 for n in getattr(side, "shape", ())):
                raise UsageError(f"claim {owner}: a side of the relation is an array without entries")
    if not relations:
        raise UsageError(f"claim {owner}: the body returned no relation")
    return relations
