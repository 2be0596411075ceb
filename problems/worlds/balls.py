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
            missed = [lhs > rhs for lhs, rhs in _sides(pull, free)]
            clients = free.vectors[name].shape[1 + len(at)]
            for k, one in enumerate(missed):
                of_all = one.shape[1] not in (1, clients)  # an inequality of every client about a point of all of them
                for column in range(one.shape[1]) if of_all else (None,):
                    if one.any():
                        free = _moved(rng, pull, free, (name, at), k, column, each=one.shape[1] == clients)
            if not any(one.any() for one in missed):
                break
    return free


def _sides(pull: Pull, free: Free) -> list[np.ndarray]:
    """Both sides of every inequality of a batch, ``(2, rows, clients)`` or ``(2, rows, 1)``."""
    rows = len(next(iter(free.vectors.values())))
    out = []
    with np.errstate(all="ignore"):
        for r in pull.relations(free):
            if r.op != "==":
                both = [
                    np.asarray(to_host(s) if hasattr(s, "shape") else float(s), dtype=float) for s in (r.lhs, r.rhs)
                ]
                width = np.broadcast_shapes(*(side.shape for side in both))[-1:] or (1,)
                out.append(np.stack([np.broadcast_to(side, (rows, *width)) for side in both]))
    return out


def _moved(
    rng: np.random.Generator,
    pull: Pull,
    free: Free,
    point: tuple[str, tuple[int, ...]],
    k: int,
    column: int | None,
    *,
    each: bool,
) -> Free:
    """The batch with a point in the ball of the k-th inequality, mostly on its surface, where it missed that and meets it now."""
    name, at = point
    where: tuple[slice | int, ...] = (slice(None), *at)
    old = np.array(free.vectors[name][where], dtype=float)
    rows, clients, d = old.shape

    def batch(points: Sequence[np.ndarray]) -> Free:
        """As many times the batch as there are points for this one."""
        times = len(points)
        vectors = {n: np.concatenate([np.asarray(u, dtype=float)] * times) for n, u in free.vectors.items()}
        vectors[name][where] = np.concatenate(points)
        own = {n: np.concatenate([u] * times) if np.ndim(u) == 2 else u for n, u in free.scalars.items()}
        return free.replace(vectors=vectors, scalars=own)

    def sides(*points: np.ndarray) -> np.ndarray:
        """Both sides of the inequality at each of these points, ``(2, points, rows, clients or 1)``."""
        found = _sides(pull, batch(points))[k]
        found = found if column is None else found[..., column : column + 1]
        return found.reshape(2, len(points), rows, -1)

    size = np.abs(old).max(axis=(1, 2), keepdims=True)
    size = np.where(size > 0, size, 1.0)
    with np.errstate(all="ignore"):
        axes = np.eye(d)[:, None, :] * np.ones((1, clients, 1)) if each else np.eye(clients * d).reshape(-1, clients, d)
        line = [n * size * axes[0] for n in range(4)]
        seen = sides(old, *line, *(size * axis for axis in axes[1:]))
        gap = _gap if _is_quadratic(_gap(seen)[1:5]) else _gap_of_squares
        before, none, one, two, _, *others = gap(seen)
        if not (before > 0).any():
            return free
        centre, radius_sq = _ball(
            none, two, np.stack([one, *others]), each, old.shape, lambda u: gap(sides(u * size))[0]
        )
        centre, radius_sq = centre * size, radius_sq * size[:, :, 0] ** 2
        away = ((old - centre) ** 2).sum(axis=-1 if each else (1, 2)).reshape(before.shape)
        share = np.sqrt(radius_sq / away) * INSIDE
        share = share * np.where(rng.random((rows, 1)) < DEEPER, rng.random((rows, 1)), 1)
        ball = (radius_sq >= 0) & (before > 0) & (share < 1)
        new = np.where(ball[..., None], centre + np.where(ball, share, 1)[..., None] * (old - centre), old)
        known = np.isfinite(new).all(axis=(1, 2), keepdims=True)
        met = (gap(sides(np.where(known, new, old)))[0] <= np.maximum(before, 0)).all(axis=1)
    return batch([np.where(met[:, None, None] & known, new, old)])


def _gap(sides: np.ndarray) -> np.ndarray:
    return sides[0] - sides[1]


def _gap_of_squares(sides: np.ndarray) -> np.ndarray:
    """Of the squares of the sides, which keep their signs."""
    return sides[0] * abs(sides[0]) - sides[1] * abs(sides[1])


def _is_quadratic(at: np.ndarray) -> bool:
    """Whether third differences along a line vanish."""
    third, largest = at[3] - 3 * at[2] + 3 * at[1] - at[0], np.max(np.abs(at), axis=0)
    return bool((np.abs(third) <= ROUNDING * largest).all())


def _ball(
    none: np.ndarray,
    two: np.ndarray,
    ones: np.ndarray,
    each: bool,
    shape: tuple[int, ...],
    gap: Callable[[np.ndarray], np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """(The centre ``(rows, clients, d)``, the squared radius ``(rows, clients)``) of a ball; of all clients together ``(rows, 1)``.

    From the gap at 0, at one of every axis, and at two of the first. The squared radius is negative, or not a number, where there
    is no ball.
    """
    rows, clients, d = shape
    a = (two - 2 * ones[0] + none) / 2
    centre = -(ones - none - a) / (2 * a)
    centre = np.moveaxis(centre, 0, -1) if each else np.transpose(centre.reshape(clients, d, rows), (2, 0, 1))
    inner = gap(np.where(np.isfinite(centre), centre, 0))
    return centre, np.where(a > 0, -inner / a, -1)
