"""Vectors with coordinates: Top-k, signs, the norms of 1 and infinity, per-coordinate steps, medians and trimmed means.

A claim about them is of the dimensions d that its world lists, unless it is a sum over coordinates of what holds for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from fedtheory.world import Free, Scalar

from .function_world import COUNTS, FunctionWorld
from .points import require_names
from .region import Given, stated
from .scalars import example_given, sizes_given


@dataclass(frozen=True)
class AxesWorld(FunctionWorld):
    """Vectors whose coordinates a body may read; `Axes` builds it."""

    exchangeable: ClassVar[bool] = True
    axes: ClassVar[bool] = True

    def twins(self, free: Free) -> list[Free]:
        """None: in other coordinates a claim may say something else."""
        return []

    def assumptions(self) -> list[str]:
        """That coordinates are given."""
        return [*super().assumptions(), "vectors have coordinates"]


def Axes(
    *,
    at: tuple[str, ...] = ("u",),
    clients_at: tuple[str, ...] = (),
    given: tuple[Given, ...] = (),
    sizes: Mapping[str, tuple[int, ...]] | None = None,
    example: Mapping[str, Any] | None = None,
    **scalars: Scalar,
) -> AxesWorld:
    """A world of vectors with coordinates; scalars by keyword, such as ``tau=positive(LENGTH)``.

    ``x.absolute``, ``x.sign``, ``x.top(u, k)``, ``x.norm(u, 1)``, ``x.norm(u, "inf")``, ``x.median`` and
    ``x.trimmed_mean(v, b)`` read coordinates, and so do ``u*v``, ``u/v``, ``x.minimum(u, v)`` and ``x.sqrt(u)`` of vectors.
    ``x.dot(u, v)`` is as everywhere the sum of ``u*v``.

    Raises
    ------
    UsageError
        If an argument is not one of the stated values.
    """
    require_names("Axes", at, clients_at, scalars)
    counts = {**COUNTS, **sizes_given(sizes)}
    return AxesWorld(
        scalars,
        stated(given),
        counts,
        None,
        None,
        at,
        clients_at,
        example=example_given(example, scalars, counts, "Axes"),
    )
