"""Worlds of scalars alone: `Scalars`, and the checks of what is given for sizes and examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fedtheory.errors import UsageError, did_you_mean
from fedtheory.world import Scalar

from .region import Given, Region, stated


def Scalars(
    *,
    given: tuple[Given, ...] = (),
    sizes: Mapping[str, tuple[int, ...]] | None = None,
    example: Mapping[str, Any] | None = None,
    **scalars: Scalar,
) -> Region:
    """A world of scalars: `Scalars(lam=positive(CURVATURE), beta=at_least(1), given=(...,))`.

    With an `example`, values of all of them, where draws hardly ever meet the conditions.

    Raises
    ------
    UsageError
        If a scalar is not a `Scalar`, or the example has another name or lacks one.
    """
    for name, spec in scalars.items():
        if not isinstance(spec, Scalar):
            raise UsageError(
                f"Scalars({name}=...) must be positive(), at_least(), between(), real() or weights(), got {spec!r}"
            )
    counts = {"m": (1, 2, 3, 4, 5, 8)} if any(s.per_client for s in scalars.values()) else {}
    own = {**counts, **sizes_given(sizes)}
    return Region(scalars, stated(given), own, example=example_given(example, scalars, own, "Scalars"))


def example_given(
    example: Mapping[str, Any] | None, scalars: Mapping[str, Scalar], sizes: Mapping[str, Any], world: str
) -> dict[str, Any]:
    """Values of all scalars, and perhaps of sizes, as they were given.

    Raises
    ------
    UsageError
        If there is another name, or a scalar has none.
    """
    known = (*sizes, *scalars)
    for name in example or {}:
        if name not in known:
            raise UsageError(f"{world}: example has {name!r}, no size or scalar{did_you_mean(name, known)}")
    missing = [name for name in scalars if name not in (example or {})]
    if example and missing:
        raise UsageError(f"{world}: example needs {missing[0]} as well")
    return dict(example or {})


def sizes_given(sizes: Any) -> dict[str, tuple[int, ...]]:
    """The sizes that a world is asked to look at; none where they are left out.

    Raises
    ------
    UsageError
        If they are not by name.
    """
    if sizes is not None and not isinstance(sizes, Mapping):
        raise UsageError(f"sizes=... must be a dict such as {{'m': (1, 2)}}, got {sizes!r}")
    return dict(sizes or {})
