"""Clients that are known where a body looks, by their gradients and values there, and not in closed form.

Where the inequalities of a class are sufficient for interpolation, points that meet them belong to a function of the class.
Exact numbers alone can tell whether a body looks at one of the points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory.errors import NotApplicable, UsageError
from fedtheory.gram.forms import Space
from fedtheory.gram.ratio import nonzero
from fedtheory.numbers import fraction
from fedtheory.relation import Relation, eq, le, lt
from fedtheory.world import Free

from .classes.base import Known, Task
from .quadratics import Moreau, per_client, unbounded

DATA = ("looked_at", "grad_there", "value_there")
LEAST = "infimum"  # of every client, where the class has one
SIZE = "points"  # of one client, as a size of the instance
LARGEST_K = 24  # of them
READING = (
    "How to read a counterexample with `looked_at`: clients are given where the claim looks at them. The point k of client i "
    "is looked_at[k][i], its gradient there grad_there[k][i] and its value value_there[k][i]; a row that stands twice fills a "
    "client with fewer points. They meet the interpolation inequalities of the class at every pair, so that a function of the "
    "class has these gradients and values ({source})."
)


@dataclass(frozen=True)
class Tabled:
    """Stacked clients.

    Attributes
    ----------
    points, grads : array (k, m, d)
    values : array (k, m)
    lower : number or array (m,)
        Bound of the curvature from below.
    least : array (m,) or None
        Greatest lower bounds.
    """

    points: Any
    grads: Any
    values: Any
    lower: Any
    least: Any = None

    @property
    def m(self) -> int:
        return self.points.shape[1]

    def _rows(self, W: Any, points: Any) -> list[int]:
        """Which of `points` ``(k, m, d)`` every w_i is."""
        same = (points == np.broadcast_to(W, points.shape[1:])).all(axis=-1)
        if not same.any(axis=0).all():
            raise NotApplicable("a client is looked at where it is not known")
        return [int(k) for k in same.argmax(axis=0)]

    def _picked(self, table: Any, rows: list[int]) -> Any:
        return table[rows, np.arange(self.m)]

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(m,)``."""
        return self._picked(self.values, self._rows(W, self.points))

    def grad(self, W: Any) -> Any:
        """Gradient of f_i at w_i, ``(m, d)``."""
        return self._picked(self.grads, self._rows(W, self.points))

    def prox(self, W: Any, lam: Any) -> Any:
        """The point theta_i with ``grad f_i(theta_i) = lam_i (w_i - theta_i)``, ``(m, d)``."""
        if not np.all(np.asarray(lam + self.lower) > 0):
            raise ValueError("the prox of an indefinite client does not exist: lam + curvature <= 0")
        return self._picked(self.points, self._rows(W, self.points + self.grads / per_client(lam)))

    def infimum(self) -> Any:
        """Their greatest lower bounds, ``(m,)``.

        Raises
        ------
        UsageError
            If the clients of this class need not have one.
        """
        if self.least is None:
            raise UsageError(unbounded())
        return self.least


def tabled_clients(f: Any, x: Any, data: Mapping[str, Any], numbers: Any, task: Task) -> tuple[Tabled, list[Relation]]:
    """The clients, and the conditions under which functions of the class `f` have what is known of them.

    Where a class has no smoothness they are strict, so that a differentiable function has it; in a class that is `strict` all are.
    """
    if numbers.kind != "fraction":
        raise NotApplicable("clients that are known at points alone need exact numbers")
    points, grads, values = (data[name] for name in DATA)
    mu, L = f.bounds(x)
    least = data.get(LEAST)
    clients = Tabled(points, grads, values, mu, least)

    def dot(u: Any, v: Any) -> Any:
        return numbers.dot(u, v)

    given = []
    for i in range(clients.m):
        known = list(zip(points[:, i], grads[:, i], values[:, i], strict=True))
        for label, slack in f.inequalities(x, Known(i, known, None if least is None else least[i], dot)):
            a, *others = (int(word) for word in label.split() if word.isdigit())
            kink = getattr(f, "strict", False) or (
                L is None and any((grads[a, i] != grads[b, i]).any() for b in others)
            )
            where = " and ".join(str(k + 1) for k in (a, *others))
            given.append((lt if kink else le)(0, slack, f"interpolation of client {i + 1} at {where}"))
    if task.lam is not None:
        given.append(lt(0, task.lam + mu, "the inner problem is strongly convex"))
    if task.optimum_of:
        mean = Moreau(clients, task.lam, x.sq) if task.optimum_of == "F" else clients
        given.append(eq(x.sq(x.mean_vec(mean.grad(data["center"]))), 0, "w_star is stationary"))
    return clients, given


class KnownAtPoints:
    """The sizes and free data of instances of a world whose clients are known at points alone; nothing draws them."""

    def reading(self: Any) -> str:
        return str(self.f.tabled(bool(self.optimum_of)))

    def extents(self: Any, shape: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
        """The arrays that are no function's, and what is known of the functions."""
        k, m, d = shape[SIZE], shape.get("m", 1), shape["d"]
        points = replace(self, f=None).draw_vectors(np.random.default_rng(0), shape, 1)
        own = {name: v.shape[1:] for name, v in points.items()}
        own |= {"center": (1, d)} if self.optimum_of else {}
        own |= {LEAST: (m,)} if self.f.bounded_below else {}
        return own | dict(zip(DATA, ((k, m, d), (k, m, d), (k, m)), strict=True))


def _combined(row: np.ndarray, leaves: np.ndarray) -> Any:
    """The vector that a row of coefficients is, where the leaves are these."""
    parts = zip(row[: len(leaves)], leaves, strict=True)
    return sum((fraction(c) * leaf for c, leaf in parts if nonzero(c)), leaves[0] * 0)


def placed_in(
    world: Any,
    space: Space,
    leaves: np.ndarray,
    values: np.ndarray,
    scalars: Mapping[str, object],
    shape: Mapping[str, int],
) -> Free | None:
    """With as many dimensions as suffice, and with clients that are known where the body looks."""
    wide = [d for kind in world.known_at_points() for d in kind.sizes["d"] if d >= leaves.shape[1]]
    if not wide:
        return None
    padded = np.full((len(leaves), min(wide)), Fraction(0))
    padded[:, : leaves.shape[1]] = leaves
    named = dict(zip(space.leaves, padded, strict=True))
    for name, rows in space.given.items():
        given = [_combined(row.view(np.ndarray), padded) for row in rows]
        named |= {name: given[0]} if name in world.at else {f"{name}[{i}]": v for i, v in enumerate(given)}
    m, shape = shape.get("m", 1), {**shape, "d": min(wide)}
    vectors = {name: named[name][None] for name in world.at}
    vectors |= {
        name: np.stack([named[f"{name}[{i}]"] for i in range(m)]) for name in (*world.clients_at, *world.more_vectors())
    }
    vectors |= {world.weights: np.full((m, 1), Fraction(1))} if world.weights else {}
    if world.f is not None:
        vectors |= {"center": named["w_star"][None]} if world.optimum_of else {}
        table = space.clients[0].table(padded, values)
        vectors |= dict(zip((*DATA, LEAST), table, strict=False))
        shape[SIZE] = len(table[0])
    return Free(shape, dict(scalars), vectors)
