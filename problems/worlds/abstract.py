"""Clients of a function class without numbers: abstract leaves to certify on, and units."""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory.errors import UsageError
from fedtheory.gram.forms import Form, Rows, Space
from fedtheory.gram.ratio import coefficient, exact_key, nonzero
from fedtheory.numbers import fraction
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, VALUE, Unit

from .classes.base import FunctionClass, Known
from .mixing import require_settled
from .quadratics import unbounded

VALUELESS = (
    "x.f.value needs functions whose values are known; of {} only the gradients, or the values of operators, are"
)


class AbstractClients:
    """Any clients of a function class: a new leaf and value wherever a body looks, one leaf per exact point.

    Parameters
    ----------
    space : Space
        Where leaves, values and inequalities go.
    m : int
        Clients; 1 for a generic one.
    f : FunctionClass
        Class of every client.
    x : Instance
        The scalars that the class reads.
    drawn : set of int
        Leaves of which second moments alone are known, so that nothing is asked where they are.
    """

    def __init__(self, space: Space, m: int, f: FunctionClass, x: Any, drawn: Set[int] = frozenset()) -> None:
        self.space, self._m, self.f, self.x, self._drawn = space, m, f, x, drawn
        self.valued = getattr(f, "valued", True)  # operators have no values
        self._counted = self.valued and not getattr(f, "zero", False)  # those of an indicator are 0
        self._infimum: list[Form] = [space.client_value(f"inf[{i}]") for i in range(m)] if f.bounded_below else []
        self._points: list[list[tuple[np.ndarray, np.ndarray, Form]]] = [[] for _ in range(m)]
        self._index: list[dict[Any, int]] = [{} for _ in range(m)]
        self.asked: list[list[Any]] = [[] for _ in range(m)]  # the points at which each client was asked, in order
        self._prox: list[dict[Any, np.ndarray]] = [{} for _ in range(m)]
        space.closes_with(self)

    @property
    def m(self) -> Any:
        """The number of clients, which is that of the claim where one of them stands for all."""
        return getattr(self.x, "m", self._m)

    def _rows(self, W: np.ndarray) -> list[np.ndarray]:
        require_point(W)
        plain = W.view(np.ndarray)
        require_settled(
            plain, self._drawn, "a function at what a matrix that is drawn makes, of which second moments are known"
        )
        return [self.space.row(row) for row in np.broadcast_to(plain, (self._m, plain.shape[-1]))]

    def _point(self, i: int, x: np.ndarray, g: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, Form]:
        key = self._key(i, _exact(x))
        if key not in self._index[i]:
            k = len(self._points[i])
            g = self.space.client_leaf(f"g{k}[{i}]") if g is None else g
            self._index[i][key] = k
            self.space.depends(g, x)
            self._points[i].append((x, g, self.space.client_value(f"f{k}[{i}]") if self._counted else Form({})))
        elif g is not None and _exact(g) != _exact(self._points[i][self._index[i][key]][1]):
            raise ValueError(f"client {i} has another gradient at this point already; declare it before looking at it")
        return self._points[i][self._index[i][key]]

    def _key(self, i: int, exact: Any) -> Any:
        """What two points of a client share that are one; the space says which these are."""
        self.asked[i].append(exact)
        return self.space.key(exact, len(self.asked[i]) - 1)

    def declare(self, W: np.ndarray, G: np.ndarray) -> None:
        """State that the gradient of f_i at w_i is g_i."""
        for i, (x, g) in enumerate(zip(self._rows(W), self._rows(G), strict=True)):
            self._point(i, x, g)

    def declare_prox(self, W: np.ndarray, lam: Any, G: np.ndarray) -> None:
        """State that the gradient of the Moreau envelope F_i at w_i is g_i, so that prox(w_i) = w_i - g_i/lam."""
        for i, (x, g, own) in enumerate(zip(self._rows(W), self._rows(G), self._own(lam), strict=True)):
            theta = x - g / own
            self._point(i, theta, g)
            self._prox[i][self._key(i, (_exact(x), exact_key(own)))] = theta

    def _own(self, lam: Any) -> np.ndarray:
        """A parameter of every client, ``(m,)``."""
        return np.broadcast_to(np.frompyfunc(coefficient, 1, 1)(np.asarray(lam, dtype=object)), (self._m,))

    def _where_selected(self, W: np.ndarray, of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray | None:
        """What is asked at points that are others for the selected clients; None where they are not."""
        numbers: Any = self.space.numbers
        points = numbers.unmasked(W) if getattr(numbers, "masks", None) else None
        if points is None:
            return None
        new, old = map(of, points)
        if isinstance(new, Rows):
            return old + numbers.masked(new - old)
        return old + self.space.per_client(
            np.array([numbers.masked_form(f) for f in (new - old).view(np.ndarray)], dtype=object)
        )

    def value(self, W: np.ndarray) -> np.ndarray:
        """The values of the clients, ``(m,)``.

        Raises
        ------
        UsageError
            If the class knows of none.
        """
        if not self.valued:
            raise UsageError(VALUELESS.format(self.f.name))
        if (chosen := self._where_selected(W, self.value)) is not None:
            return chosen
        out = np.empty(self._m, dtype=object)
        for i, x in enumerate(self._rows(W)):
            out[i] = self._point(i, x)[2]
        return self.space.per_client(out)

    def grad(self, W: np.ndarray) -> np.ndarray:
        if (chosen := self._where_selected(W, self.grad)) is not None:
            return chosen
        return self.space.of_clients(self._point(i, x)[1] for i, x in enumerate(self._rows(W)))

    def prox(self, W: np.ndarray, lam: Any) -> np.ndarray:
        if (chosen := self._where_selected(W, lambda points: self.prox(points, lam))) is not None:
            return chosen
        lams = self._own(lam)
        out = []
        for i, x in enumerate(self._rows(W)):
            key = self._key(i, (_exact(x), exact_key(lams[i])))
            if key not in self._prox[i]:
                g = self.space.client_leaf(f"g{len(self._points[i])}[{i}]")
                theta = x - g / lams[i]
                self._point(i, theta, g)
                self._prox[i][key] = theta
            out.append(self._prox[i][key])
        return self.space.of_clients(out)

    def infimum(self) -> np.ndarray:
        """The greatest lower bound of every client, ``(m,)``.

        Raises
        ------
        UsageError
            If the clients of this class need not have one.
        """
        if not self._infimum:
            raise UsageError(unbounded())
        out = np.empty(self._m, dtype=object)
        out[:] = self._infimum
        return self.space.per_client(out)

    def table(self, leaves: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, ...]:
        """(points, gradients, values) ``(k, m, d)``, ``(k, m, d)`` and ``(k, m)`` where the leaves ``(n, d)`` and values are these.

        Greatest lower bounds ``(m,)`` follow where the class has them. A client with fewer points than another has its last
        one again.
        """

        def vector(row: Any) -> Any:
            parts = zip(row.view(np.ndarray)[: len(leaves)], leaves, strict=True)
            return sum((fraction(c) * leaf for c, leaf in parts if nonzero(c)), leaves[0] * 0)

        def number(form: Form) -> Any:
            return next((values[key[1]] for key in form.terms), Fraction(0))

        most = max(map(len, self._points))
        rows = [[points[min(k, len(points) - 1)] for points in self._points] for k in range(most)]
        looked, grads = (np.array([[vector(p[part]) for p in row] for row in rows], dtype=object) for part in (0, 1))
        heights = np.array([[number(p[2]) for p in row] for row in rows], dtype=object)
        least = (np.array([number(form) for form in self._infimum], dtype=object),) if self._infimum else ()
        return looked, grads, heights, *least

    def interpolate(self, space: Space, name: str) -> None:
        """Add the class's inequalities at the points of every client."""

        def dot(u: Any, v: Any) -> Any:
            return space.numbers.dot(u, v)[()]

        for i, points in enumerate(self._points):
            known = Known(i, points, self._infimum[i] if self._infimum else None, dot)
            for label, form in self.f.inequalities(self.x, known):
                space.inequalities.append((f"{name}[{i}] {label}", form))


def require_point(W: Any) -> None:
    """Raise UsageError unless clients are asked at a vector."""
    if not isinstance(W, np.ndarray):
        raise UsageError(f"x.f and x.F are asked at a vector such as x.w, got {W!r}; the origin is 0 * x.w")


def _exact(row: np.ndarray) -> tuple[Any, ...]:
    """Coefficients of a row that are not zero, with their places, as a key."""
    return tuple((k, exact_key(c)) for k, c in enumerate(row.view(np.ndarray)) if nonzero(c))


def filled(value: Any, *size: int) -> np.ndarray:
    """An object array filled with one value."""
    out = np.empty(size, dtype=object)
    out[...] = value
    return out


@dataclass(frozen=True)
class UnitClients:
    """Clients on units: checks what it is given and answers with the unit of a value, a gradient or a point."""

    m: int
    valued: bool = True
    unit: Unit = GRADIENT  # of gradients; of maps, that of points

    @classmethod
    def of(cls, f: FunctionClass, m: int) -> UnitClients:
        """Clients of a class."""
        return cls(m, getattr(f, "valued", True), LENGTH if getattr(f, "maps", False) else GRADIENT)

    def _check(self, W: Any, lam: Any = None) -> None:
        require_point(W)
        for w in np.asarray(W, dtype=object).flat:
            Unit.of(w) + LENGTH
        if lam is not None:
            for s in np.asarray(lam, dtype=object).flat:
                Unit.of(s) + CURVATURE

    def value(self, W: Any) -> np.ndarray:
        self._check(W)
        if not self.valued:
            raise UsageError(VALUELESS.format("this class"))
        return filled(VALUE, self.m)

    def infimum(self) -> np.ndarray:
        return filled(VALUE, self.m)

    def grad(self, W: Any) -> np.ndarray:
        self._check(W)
        return filled(self.unit, self.m, 1)

    def prox(self, W: Any, lam: Any) -> np.ndarray:
        self._check(W, lam)
        return filled(LENGTH, self.m, 1)
