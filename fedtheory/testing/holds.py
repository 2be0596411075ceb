"""Relations as assertions, and bodies as property tests."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import hypothesis
import numpy as np

from .._arrays import to_host
from ..engines.counterexamples.exact import RAISED, Side, decide
from ..errors import NotApplicable, UsageError
from ..relation import Relation, as_relations
from ..show.tables import short_side
from ..world import World
from .instances import LARGEST_M, instances

if TYPE_CHECKING:
    from ..quantity import Quantity

ULP = 64
Relations = Relation | tuple[Relation, ...]


def assert_holds(relation: Relations, *, ulp: float = ULP) -> None:
    """Assert one relation or a tuple of them; in exact numbers exactly, in balls where these decide it, in floats nearly.

    Parameters
    ----------
    relation : Relation or tuple of Relation
        Such as ``le(a, b)``; every entry of an array is a relation of its own.
    ulp : float
        Units in the last place of the larger side by which a relation of floats may fail.

    Raises
    ------
    AssertionError
        With both sides of every entry that fails.
    UsageError
        If `relation` is none.

    Examples
    --------
    >>> from fedtheory import le
    >>> from fractions import Fraction
    >>> assert_holds(le(0.1 + 0.2, 0.3))
    >>> assert_holds(le(Fraction(2), Fraction(1), "(7)"))
    Traceback (most recent call last):
    AssertionError: (7): 2 <= 1 fails by 1
    """
    failing = [line for r in as_relations(relation, "assert_holds(...)") for line in _failing(r, ulp)]
    if failing:
        raise AssertionError("\n".join(failing))


def given_world(
    world: World, *, numbers: str = "fraction", largest_m: int = LARGEST_M, ulp: float = ULP
) -> Callable[[Callable[..., object]], Callable[..., None]]:
    """A hypothesis test of a function whose first argument is an instance of `world`; what it returns is asserted.

    An instance at which a side is undefined is left out, as it is no counterexample.

    Parameters
    ----------
    world, numbers, largest_m
        As in `instances`.
    ulp : float
        As in `assert_holds`.

    Raises
    ------
    UsageError
        As in `instances`; in the test, if the body needs roots, exponentials or logarithms, which Fractions do not have.

    Examples
    --------
    >>> from fedtheory import le
    >>> from problems import Scalars, positive
    >>> @given_world(Scalars(a=positive(), b=positive()))
    ... def test_am_gm(x):
    ...     return le(2 * x.a * x.b, x.a**2 + x.b**2)
    >>> test_am_gm()
    """
    strategy = instances(world, numbers=numbers, largest_m=largest_m)

    def wrap(body: Callable[..., Any]) -> Callable[..., None]:
        taken = [p for p in inspect.signature(body).parameters.values() if p.default is p.empty]  # no constants

        @functools.wraps(body)
        def test(*args: object, **more: object) -> None:
            try:
                said = body(*args, **more)
            except NotApplicable as error:
                raise UsageError(
                    f"{body.__name__}: there is no {error}; use given_world(..., numbers='ball') or 'float'"
                ) from None
            except RAISED as error:
                if isinstance(error, UsageError):
                    raise
                hypothesis.reject()
            if said is not None:
                assert_holds(said, ulp=ulp)

        test.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]
        return hypothesis.given(**{taken[0].name: strategy})(test)

    return wrap


def _failing(r: Relation, ulp: float) -> Iterator[str]:
    """A line for every entry that fails."""
    lhs, rhs = (s if isinstance(s, float) else to_host(s) if hasattr(s, "shape") else s for s in (r.lhs, r.rhs))
    floats = any(isinstance(s, float) or getattr(s, "dtype", None) == np.float64 for s in (lhs, rhs))
    found = list(_near(r, lhs, rhs, ulp) if floats else decide([r]))
    for k, side in enumerate(found):
        if side.truth is False:
            which = f" (entry {k + 1} of {len(found)})" if len(found) > 1 else ""
            name = f"{side.name}: " if side.name else ""
            yield f"{name}{_shown(side.lhs)} {side.op} {_shown(side.rhs)} fails{_by(side, ulp)}{which}"


def _near(r: Relation, lhs: Quantity, rhs: Quantity, ulp: float) -> Iterator[Side]:
    """The entries of a relation of floats with their truth; one that is no number is false."""
    for a, b in zip(
        *(s.flat for s in np.broadcast_arrays(np.asarray(lhs, float), np.asarray(rhs, float))), strict=True
    ):
        room = ulp * float(np.spacing(max(abs(a), abs(b))))
        truth = abs(a - b) <= room if r.op == "==" else a <= b + room if r.op == "<=" else a < b + room
        yield Side(r.name, float(a), r.op, float(b), bool(truth))


def _by(side: Side, ulp: float) -> str:
    gap = side.lhs - side.rhs
    if not isinstance(gap, float):
        return f" by {_shown(abs(gap))}"
    size = float(np.spacing(max(abs(side.lhs), abs(side.rhs))))
    return f" by {abs(gap):.3g}, {abs(gap) / size:.3g} units in the last place ({ulp:g} are allowed)"


def _shown(value: object) -> str:
    return repr(value) if isinstance(value, float) else short_side(value)
