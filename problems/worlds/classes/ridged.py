"""Search clients in several dimensions that bend along axes which are not orthogonal."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from fedtheory.numbers import Numbers
from fedtheory.numbers.per_row import PerRow
from fedtheory.relation import Relation, eq, le, lt

from ..bent import Bent
from ..quadratics import Moreau
from ..ridges import Ridges
from .base import Task
from .bends import Bends, outer_in_common
from .knees import at_optimum, vectors

AXES = 2
READING = (
    "How to read a counterexample with `ridge_axis`: a client is a sum of two functions of one variable, of <a, w - center> for "
    "the two rows a of `ridge_axis`, with the value offset_i at the centre; mu/2 |w - center|^2 is added where mu > 0. With t "
    "the larger sum of |<a, b>| over the rows b, the curvature of each is that of the class, less mu where mu > 0, with `bent` as "
    "the position between its bounds, and divided by t, piece by piece between the distances `bent_at`: so that of the sum stays "
    "within its bounds. Its slope at the centre is L slope_i (|mu|, or 1, where the class has no L). Where there are envelopes "
    "the second axis is made orthogonal to the first. With w_star the slopes have the mean 0; a bound on diversity makes the "
    "outer pieces those of the first client, and is larger by room^2 than what the lines need. Parts that are zero are left out."
)


class Ridged(Bends):
    """Free data of such clients: how they are drawn, edited and read."""

    data: ClassVar[tuple[str, ...]] = ("bent", "bent_at", "slope", "offset", "center", "ridge_axis", "room")
    spatial: ClassVar[tuple[str, ...]] = ("center", "ridge_axis")
    spectral: ClassVar[Mapping[str, int]] = MappingProxyType({})

    @property
    def flat(self) -> float:
        """Where a curvature of 0 stands between the bounds."""
        raise NotImplementedError

    def draw(self, rng: np.random.Generator, batch: int, m: int, d: int) -> dict[str, np.ndarray]:
        """Free data of a batch; lines as on a line, half of the axes in small integers, some of them nearly parallel."""
        lines = super().draw(rng, batch * AXES, m, 1)
        whole = rng.integers(-2, 3, (batch, AXES, d)).astype(float)
        axes = np.where(rng.random((batch, 1, 1)) < 0.5, whole, rng.standard_normal((batch, AXES, d)))
        long = rng.choice([1.0, 3.0, 10.0], (batch, 1, 1))
        turned = axes[:, :1] - 2 * axes[:, :1] * (np.arange(d) == rng.integers(d, size=(batch, 1, 1)))
        stretched = np.concatenate(
            [axes[:, :1], np.where(rng.random((batch, 1, 1)) < 0.5, turned, axes[:, 1:])], axis=1
        )
        axes = stretched * np.where(np.arange(d) == rng.integers(d, size=(batch, 1, 1)), long, 1.0)
        axes = np.where(np.all(axes == 0, axis=-1, keepdims=True), 1.0, axes)
        parted = {k: lines[k].reshape(batch, AXES, *lines[k].shape[1:]) for k in ("bent", "bent_at", "slope")}
        empty = (rng.random((batch, 1, 1, 1)) < 0.3) & (np.arange(AXES) == 1)[:, None, None]  # the second line
        parted["bent"] = np.where(empty, self.flat, parted["bent"])
        parted["slope"] = np.where(empty, 0.0, parted["slope"])
        return {
            **parted,
            "offset": rng.standard_normal((batch, m)) * (rng.random((batch, 1)) < 0.2),
            "center": vectors(rng, batch, 1, d) * (rng.random((batch, 1, 1)) < 0.1),
            "ridge_axis": axes,
            "room": rng.standard_normal((batch, 1)) * (rng.random((batch, 1)) < 0.5),
        }

    def settle(self, rng: np.random.Generator, free: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Free data with half of the points at knots of both lines, or beside them."""
        axes, knots = free["ridge_axis"], free["bent_at"][:, :, 0]
        back = np.linalg.pinv(axes)  # from coordinates along the axes
        out = dict(free)
        for name, v in free.items():
            if name in self.data or v.shape[-1] != axes.shape[-1]:
                continue
            pick = rng.integers(knots.shape[-1], size=(*v.shape[:2], AXES))
            spots = np.stack([np.take_along_axis(knots[:, j], pick[..., j], axis=1) for j in range(AXES)], axis=-1)
            spots = spots * rng.choice([0.5, 1.0, 1.0, 1.5, 2.0], (*v.shape[:2], 1))
            here = np.einsum("bdk,bmk->bmd", back, spots) + free["center"]
            out[name] = np.where(rng.random((*v.shape[:2], 1)) < 0.5, here, v)
        return out

    def legible(self, vectors: Mapping[str, Any]) -> dict[str, Any]:
        """Without what is zero."""
        silent = {k for k in ("offset", "center", "room") if not np.any(np.asarray(vectors.get(k, 0)) != 0)}
        return {k: v for k, v in vectors.items() if k not in silent}


def ridged_clients(
    bounds: tuple[Any, Any], x: Any, data: Mapping[str, Any], numbers: Numbers, task: Task, nonconvex: bool
) -> tuple[Ridges, list[Relation]]:
    """The clients with curvatures between the bounds, and the conditions under which they are what is asked for."""
    mu, L = bounds
    p, slope = data["bent"], data["slope"]
    if task.diversity:
        p = outer_in_common(p, numbers)
    given = [le(0, p, "curvature at least mu")] + ([le(p, 1, "curvature at most L")] if L is not None else [])
    plain = isinstance(mu, int)
    base: Any = 0 if nonconvex or plain else mu
    low, size = (mu, -mu) if nonconvex else (0, mu)
    unit = _lined(L if L is not None else 1 if plain else size)
    axes = data["ridge_axis"]
    if task.lam is not None:
        axes = _orthogonal(axes, numbers)
    spread = unit if L is None else _lined(L - mu)
    pieces = p * spread + _lined(low)
    lines = Bent(
        pieces / _largest(axes, numbers), numbers.xp.sort(data["bent_at"], axis=-1), slope * unit,
        slope[..., :1, :] * 0, slope[..., 0] * 0, numbers,
    )  # fmt: skip
    clients = Ridges(lines, axes, base, data["center"], data["offset"], data["room"], numbers, task.lam is not None)
    if task.lam is not None:
        given.append(lt(0, pieces + _lined(task.lam + base), "the inner problem is strongly convex"))
    if task.optimum_of:
        own = task if task.lam is None else task._replace(lam=clients.stiffness(task.lam))
        lines, more = at_optimum(lines, x, own)
        given += more
        clients = dataclasses.replace(clients, lines=lines)
        if nonconvex:
            alone = lines.m == 1  # its envelope has the same minimisers
            given += (
                lines.at_minimum(x) if task.optimum_of == "f" or alone else [le(0, pieces, "w_star is a minimiser")]
            )
        f: Any = Moreau(clients, task.lam, x.sq) if task.optimum_of == "F" else clients
        given.append(eq(x.sq(x.mean_vec(f.grad(clients.center))), 0, "w_star is stationary"))
    return clients, given


def bounded_below(lines: Bent) -> list[Relation]:
    """That every line of every client is bounded below: it does not fall beyond its knots."""
    xp, H, G = lines.numbers.xp, lines.pieces, lines.at_knots()
    out = []
    for h, s in ((H[..., :1], -G[..., :1]), (H[..., -1:], G[..., -1:])):
        out += [le(0, h, "bounded below"), le(0, xp.where(h == 0, s, s * 0), "bounded below")]
    return out


def _lined(value: Any) -> Any:
    """A scalar as it multiplies ``(..., k, m, .)``."""
    return value[..., None] if getattr(value, "ndim", 0) and not isinstance(value, PerRow) else value


def _largest(axes: Any, numbers: Numbers) -> Any:
    """At least the largest eigenvalue of the sum of a a', ``(..., 1, 1, 1)``."""
    a, b = axes[..., :1, :], axes[..., 1:, :]
    across = numbers.dot(a, b)
    across = numbers.maximum(across, -across)
    return numbers.maximum(numbers.dot(a, a) + across, numbers.dot(b, b) + across)[..., None, None]


def _orthogonal(axes: Any, numbers: Numbers) -> Any:
    """The axes with the second one less its part along the first."""
    a, b = axes[..., :1, :], axes[..., 1:, :]
    part = (numbers.dot(a, b) / numbers.dot(a, a))[..., None]
    return numbers.xp.concat([a, b - a * part], axis=-2)
