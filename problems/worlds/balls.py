"""Draws that miss a condition, with one of their points moved to where it holds.

A condition between squared norms and inner products, such as |v_i - grad f_i(w)|^2 <= omega |w|^2, or one between norms, whose
squares are compared, says of each of its points that it lies in a ball, given all else. Its gap is a |v|^2 + <b, v> + c there,
which is known from its values at two more points than there are dimensions: the centre is -b/(2a), and a point outside is moved
straight towards it. Where that does not meet the condition, as in one that is none of a ball, the point stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from fedtheory._arrays import to_host
from fedtheory.instance import Instance
from fedtheory.numbers import Floats, Numbers
from fedtheory.relation import Condition, Relation
from fedtheory.world import Free

from .conditions import names_of

INSIDE = 1 - 1e-9  # of the radius, which is known to rounding
DEEPER = 1 / 3  # of the points are moved farther than to the surface
ROUNDING = 1e-6  # of a third difference, relative to what it is one of


class Pull(NamedTuple):
    """What a condition says of a batch, and the free vectors that may be moved for it: names, and places within one instance."""

    relations: Callable[[Free], Sequence[Relation]]
    points: tuple[tuple[str, tuple[int, ...]], ...]


def stated_pulls(
    given: Iterable[Condition], build: Callable[[Free, Numbers], Instance], free: Sequence[str]
) -> list[Pull]:
    """Conditions at points, with those of their points that are free."""

    def of(c: Condition) -> Pull:
        return Pull(lambda batch: c.relations(build(batch, Floats())), tuple((n, ()) for n in names_of(c) if n in free))

    return [of(c) for c in given]


def pulled(rng: np.random.Generator, free: Free, pulls: Sequence[Pull]) -> Free:
    """A batch whose points are moved so that it meets the conditions, in their order, where one point suffices for each.

    Of the points of a condition those of none before it are moved first, which leaves the others where they are.
    """
    held: set[tuple[str, tuple[int, ...]]] = set()
    for pull in pulls:
        order = sorted((pull.points[k] for k in rng.permutation(len(pull.points))), key=lambda point: point in held)
        held.update(pull.points)
        for name, at in order:
            missed = [g > 0 for g in _gaps(pull, free)]
            for k, one in enumerate(missed):
                for column in range(one.shape[1]) if _split(free, name, at, one) else (None,):
                    if one.any():
                        free = _moved(rng, pull, free, (name, at), k, column)
            if not any(one.any() for one in missed):
                break
    return free


def _gaps(pull: Pull, free: Free, squares: bool = False) -> list[np.ndarray]:
    """lhs - rhs of every inequality of a batch, ``(rows, clients)`` or ``(rows, 1)``; of the `squares`, which keep their signs."""
    rows = len(next(iter(free.vectors.values())))
    out = []
    with np.errstate(all="ignore"):
        for r in pull.relations(free):
            if r.op != "==":
                lhs, rhs = (
                    np.asarray(to_host(s) if hasattr(s, "shape") else float(s), dtype=float) for s in (r.lhs, r.rhs)
                )
                gap = lhs * abs(lhs) - rhs * abs(rhs) if squares else lhs - rhs
                out.append(np.broadcast_to(gap, (rows, gap.shape[-1] if gap.ndim else 1)))
    return out


def _split(free: Free, name: str, at: tuple[int, ...], gap: np.ndarray) -> bool:
    """Whether an inequality of every client is about a point of all of them."""
    return gap.shape[1] not in (1, free.vectors[name].shape[1 + len(at)])


def _moved(
    rng: np.random.Generator, pull: Pull, free: Free, point: tuple[str, tuple[int, ...]], k: int, column: int | None
) -> Free:
    """The batch with a point in the ball of the k-th inequality, mostly on its surface, where it missed that and meets it now."""
    name, at = point
    where: tuple[slice | int, ...] = (slice(None), *at)
    v = np.array(free.vectors[name], dtype=float)
    old = v[where].copy()
    rows, clients = old.shape[:2]
    squares = False

    def gap(new: np.ndarray) -> np.ndarray:
        v[where] = new
        found = _gaps(pull, free.replace(vectors={**free.vectors, name: v.copy()}), squares)[k]
        return found if column is None else found[:, column : column + 1]

    before = gap(old)
    if not (before > 0).any():
        return free
    if not _is_quadratic(gap, old):
        squares = True
        before = gap(old)
    each = before.shape[1] == clients
    with np.errstate(all="ignore"):
        centre, radius_sq = _ball(gap, old, each)
        away = ((old - centre) ** 2).sum(axis=-1 if each else (1, 2)).reshape(before.shape)
        share = np.sqrt(radius_sq / away) * INSIDE
        share = share * np.where(rng.random((rows, 1)) < DEEPER, rng.random((rows, 1)), 1)
        ball = (radius_sq >= 0) & (before > 0) & (share < 1)
        new = np.where(ball[..., None], centre + np.where(ball, share, 1)[..., None] * (old - centre), old)
    known = np.isfinite(new).all(axis=(1, 2), keepdims=True)
    met = (gap(np.where(known, new, old)) <= np.maximum(before, 0)).all(axis=1)
    v[where] = np.where(met[:, None, None] & known, new, old)
    return free.replace(vectors={**free.vectors, name: v})


def _is_quadratic(gap: Callable[[np.ndarray], np.ndarray], old: np.ndarray) -> bool:
    """Whether third differences along a coordinate vanish."""
    size = np.where((size := np.abs(old).max(axis=(1, 2), keepdims=True)) > 0, size, 1.0)
    axis = np.eye(old.shape[-1])[0] * np.ones((1, old.shape[1], 1))
    with np.errstate(all="ignore"):
        at = [gap(k * size * axis) for k in range(4)]
        third, largest = at[3] - 3 * at[2] + 3 * at[1] - at[0], np.max(np.abs(at), axis=0)
        return bool((np.abs(third) <= ROUNDING * largest).all())


def _ball(gap: Callable[[np.ndarray], np.ndarray], old: np.ndarray, each: bool) -> tuple[np.ndarray, np.ndarray]:
    """(The centre ``(rows, clients, d)``, the squared radius ``(rows, clients)``) of a ball; of all clients together ``(rows, 1)``.

    The squared radius is negative, or not a number, where there is no ball.
    """
    rows, clients, d = old.shape
    size = np.abs(old).max(axis=(1, 2), keepdims=True)
    size = np.where(size > 0, size, 1.0)
    axes = np.eye(d)[:, None, :] * np.ones((1, clients, 1)) if each else np.eye(clients * d).reshape(-1, clients, d)
    none, two = gap(0 * old), gap(2 * size * axes[0])
    ones = np.stack([gap(size * axis) for axis in axes])
    a = (two - 2 * ones[0] + none) / 2  # in units of the size, as all is here
    centre = -(ones - none - a) / (2 * a)
    centre = np.moveaxis(centre, 0, -1) if each else np.transpose(centre.reshape(clients, d, rows), (2, 0, 1))
    inner = gap(np.where(np.isfinite(centre), centre * size, 0))
    return centre * size, np.where(a > 0, -inner / a, -1) * size[:, :, 0] ** 2
