"""Vectors with coordinates: Top-k, signs, the norms of 1 and infinity, per-coordinate steps, medians and trimmed means.

Beside them there may be functions, of a class that is one in every basis.

A claim about them is of the dimensions d that its world lists, unless it is a sum over coordinates of what holds for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from fedtheory.errors import UsageError
from fedtheory.world import Free, Scalar

from .classes.base import FunctionClass
from .function_world import FunctionWorld
from .points import require_functions, require_kind, require_names
from .region import COUNTS, Given, Region, stated
from .scalars import example_given, sizes_given


@dataclass(frozen=True)
class AxesWorld(FunctionWorld):
    """Vectors whose coordinates a body may read; `Axes` builds it."""

    exchangeable: ClassVar[bool] = True
    axes: ClassVar[bool] = True

    def twins(self, free: Free) -> list[Free]:
        """None: in other coordinates a claim may say something else."""
        return []

    def known_at_points(self) -> list[Region]:
        """None beside functions: those that are known at points alone have no coordinates that a body may read."""
        return super().known_at_points() if self.f is None else []

    def assumptions(self) -> list[str]:
        """That coordinates are given."""
        return [*super().assumptions(), "vectors have coordinates"]


def Axes(
    f: FunctionClass | None = None,
    *,
    at: tuple[str, ...] | None = None,
    clients_at: tuple[str, ...] = (),
    optimum_of: str | None = None,
    given: tuple[Given, ...] = (),
    sizes: Mapping[str, tuple[int, ...]] | None = None,
    example: Mapping[str, Any] | None = None,
    **scalars: Scalar,
) -> AxesWorld:
    """A world of vectors with coordinates; scalars by keyword, such as ``tau=positive(LENGTH)``.

    ``x.absolute``, ``x.sign``, ``x.top(u, k)``, ``x.norm(u, 1)``, ``x.norm(u, "inf")``, ``x.median`` and
    ``x.trimmed_mean(v, b)`` read coordinates, and so do ``u*v``, ``u/v``, ``x.minimum(u, v)`` and ``x.sqrt(u)`` of vectors.
    ``x.dot(u, v)`` is as everywhere the sum of ``u*v``. With a function class there are clients ``x.f``, as in `Points`, and
    the vector is called w where `at` names no other; without one it is called u.

    Raises
    ------
    UsageError
        If an argument is not one of the stated values.
    """
    at = at if at is not None else ("u",) if f is None else ("w",)
    require_functions("Axes", f, scalars)
    if optimum_of not in ((None,) if f is None else (None, "f")):
        raise UsageError(f"Axes(optimum_of=...) must be None, or 'f' beside a function class, got {optimum_of!r}")
    require_names("Axes", at, clients_at, scalars)
    counts = {**COUNTS, **sizes_given(sizes)}
    require_kind("Axes", f, None, None, optimum_of, counts)
    return AxesWorld(
        scalars,
        stated(given),
        counts,
        f,
        None,
        at,
        clients_at,
        optimum_of,
        example=example_given(example, scalars, counts, "Axes"),
    )
