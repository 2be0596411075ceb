"""A counterexample as plain data: exact numbers as text, and back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import flint
import numpy as np

from ...errors import UsageError, did_you_mean
from ...numbers import fraction, readable
from ...world import Described, Free, Scalar, World
from . import exact

if TYPE_CHECKING:
    from ...formats import Document
    from ...quantity import ByName, Values

    pass

NUMBER = re.compile(r"^-?[0-9]+(/[0-9]+)?$")
PARTS = ("shape", "scalars", "free", "given", "relation", "op", "lhs", "rhs")
LONGEST = 20_000  # characters of one number
LENGTHS = 1_000_000  # of a sequence, at most


def text(value: object) -> Any:
    """An exact number as "p/q", a ball as ["lo", "hi"], an array as nested lists of these."""
    if isinstance(value, np.ndarray):
        return [text(v) for v in value]
    if isinstance(value, flint.arb):
        return [value.lower().str(30, radius=False), value.upper().str(30, radius=False)]
    return str(fraction(value))


def witness(free: Free, result: exact.Replay, scalars: Mapping[str, Scalar]) -> ByName:
    """The counterexample as plain data; weights sum to one, as the instance has them."""
    worst = result.worst
    return {
        "shape": dict(free.shape),
        "scalars": {k: text(v / v.sum() if scalars[k].weight else v) for k, v in free.scalars.items()},
        "free": {k: text(v) for k, v in free.vectors.items()},
        "given": [
            {"name": s.name, "lhs": text(readable(s.lhs)), "op": s.op, "rhs": text(readable(s.rhs))}
            for s in result.given
        ],
        "relation": worst.name if worst else "",
        "op": worst.op if worst else "",
        "lhs": text(readable(worst.lhs)) if worst else None,
        "rhs": text(readable(worst.rhs)) if worst else None,
    }


def free_of(data: Values, world: World) -> Free:
    """Read the free data of a witness back, exactly.

    Raises
    ------
    UsageError
        If a part is missing, a number is not of the form "p/q", or the parts are not those of an instance of `world`.
    """
    free = _read(data)
    _fits(free, kin(free, world))
    return free


def kin(free: Free, world: World) -> World:
    """The world, or its relative that has such instances."""

    def has(w: World) -> bool:
        return free.shape in w.shapes(free.shape.get("m", 1)) and set(w.extents(free.shape)) == set(free.vectors)

    return next(
        (w for w in (world, *world.relatives(), *world.known_at_points(), *_longer(free, world)) if has(w)), world
    )


def _longer(free: Free, world: Any) -> list[World]:
    """A world about every length at the length of an instance."""
    n = free.shape.get(world.index) if hasattr(world, "of_length") else None
    return [world.of_length(n)] if isinstance(n, int) and world.first <= n <= LENGTHS else []


def _fits(free: Free, world: Described) -> None:
    """Refuse names, sizes and shapes that no instance of the world has."""
    if free.shape not in world.shapes(free.shape.get("m", 1)):
        sizes = ", ".join(f"{k}: {', '.join(map(str, v))}" for k, v in world.sizes.items()) or "none"
        raise UsageError(f"the witness has the sizes {free.shape}, and the claim's world has {sizes}")
    extents = world.extents(free.shape)
    m = free.shape.get("m", 1)
    shapes = {name: (m,) if s.per_client else () for name, s in world.scalars.items()}
    for what, expected, found in (("scalars", shapes, free.scalars), ("vectors", extents, free.vectors)):
        if set(expected) != set(found):
            odd = ", ".join(sorted(set(expected) ^ set(found)))
            raise UsageError(f"the witness does not have the {what} of the claim's world: {odd} is missing or too many")
        for name, value in found.items():
            if np.shape(value) != expected[name]:
                raise UsageError(
                    f"the witness has {name} of shape {np.shape(value)}, and the sizes {free.shape} ask for {expected[name]}"
                )


def _read(data: Document) -> Free:
    for part in (
        (data, *(data.get(name, {}) for name in ("shape", "scalars", "free"))) if isinstance(data, dict) else (data,)
    ):
        if not isinstance(part, dict):
            raise UsageError(f"the witness cannot be read: it must hold numbers by name, got {str(part)[:40]!r}")
    if odd := [name for name in data if name not in PARTS]:
        raise UsageError(
            f"the witness must have the parts {', '.join(PARTS)}, got {odd[0]!r}{did_you_mean(odd[0], PARTS)}"
        )
    try:
        to_fraction: Callable[[Any], Any] = np.frompyfunc(_fraction, 1, 1)

        def read(v: object) -> Any:
            return to_fraction(np.array(v, dtype=object)) if isinstance(v, list) else _fraction(v)

        return Free(
            {k: _size(n) for k, n in data["shape"].items()},
            {k: read(v) for k, v in data["scalars"].items()},
            {k: read(v) for k, v in data["free"].items()},
        )
    except (KeyError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        raise UsageError(f"the witness cannot be read: {type(error).__name__}: {error}") from None


def _fraction(value: object) -> Fraction:
    """A number that stands as text "p/q" of at most `LONGEST` characters."""
    if not isinstance(value, str) or len(value) > LONGEST or not NUMBER.match(value):
        raise ValueError(f'{repr(value)[:40]} is no number "p/q"')
    return Fraction(value)


def _size(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{value!r} is no size")
    return value
