"""Quadratic clients with a prescribed spectrum, rational in their data, and abstract and unit-valued counterparts.

``f_i(w) = (w - c)' A_i (w - c)/2 + b_i' (w - c) + a_i`` with ``A_i = Q_i diag(h_i) Q_i`` and the Householder reflection
``Q_i = I - 2 v_i v_i' / v_i' v_i``: exact on Fractions, and the prox needs no linear solve. Along each axis the curvature
may change at a knee, as in Huber's function, so that the search is not confined to quadratics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedtheory.engines.gram import Form, Rows, Space
from fedtheory.engines.ratio import coefficient, exact_key
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, VALUE, Unit

from .classes import interpolation


def per_client(lam: Any) -> Any:
    """A scalar as it multiplies ``(..., m, d)``: shared as it is, ``(..., m)`` with a coordinate axis."""
    return lam[..., None] if getattr(lam, "ndim", 0) else lam


@dataclass(frozen=True)
class Quadratics:
    """Stacked quadratic clients.

    Attributes
    ----------
    curvature, axis, slope : array (..., m, d)
        Spectrum h, reflection vector v (nonzero), gradient b at the centre.
    far, knee : array (..., m, d)
        Curvature beyond a positive distance from the centre along each axis; equal to `curvature` for a quadratic.
    center : array (..., 1, d)
        Where the slope is the gradient.
    offset : array (..., m)
        Value at the centre.
    numbers : Numbers
        Of the arrays.
    """

    curvature: Any
    axis: Any
    slope: Any
    center: Any
    offset: Any
    numbers: Any
    far: Any = None
    knee: Any = None

    @property
    def m(self) -> int:
        return self.curvature.shape[-2]

    @property
    def d(self) -> int:
        return self.curvature.shape[-1]

    def _dot(self, u: Any, v: Any) -> Any:
        return self.numbers.dot(u, v)

    def _reflect(self, u: Any) -> Any:
        return u - self.axis * (2 * self._dot(self.axis, u) / self._dot(self.axis, self.axis))[..., None]

    def spectral(self, h: Any, u: Any) -> Any:
        """``Q diag(h) Q u``, ``(..., m, d)``."""
        return self._reflect(h * self._reflect(u))

    def _require_prox(self, *denominators: Any) -> None:
        """In exact numbers a prox that does not exist is outside the domain; a search leaves it to the replay."""
        if self.numbers.kind == "fraction" and any((d <= 0).any() for d in denominators):
            raise ValueError("the prox of an indefinite client does not exist: lam + curvature <= 0")

    def _split(self, v: Any, knee: Any) -> tuple[Any, Any]:
        """The part of v within the knee and the part beyond it."""
        if self.far is None:
            return v, v * 0
        bound = knee + v * 0
        near = self.numbers.maximum(self.numbers.minimum(v, bound), -bound)
        return near, v - near

    def bend(self, u: Any) -> Any:
        """Gradient without the slope at the distance u from the centre, ``(..., m, d)``."""
        near, beyond = self._split(self._reflect(u), self.knee)
        far = self.curvature if self.far is None else self.far
        return self._reflect(self.curvature * near + far * beyond)

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(..., m)``, for W ``(..., m, d)`` or ``(..., 1, d)``."""
        u = W - self.center
        near, beyond = self._split(self._reflect(u), self.knee)
        far = self.curvature if self.far is None else self.far
        height = self._dot(self.curvature * near, near + 2 * beyond) + self._dot(far * beyond, beyond)
        return height / 2 + self._dot(self.slope, u) + self.offset

    def grad(self, W: Any) -> Any:
        """Gradient of f_i at w_i, ``(..., m, d)``."""
        return self.bend(W - self.center) + self.slope

    def prox(self, W: Any, lam: Any) -> Any:
        """The stationary point of f_i(theta) + lam_i/2 |theta - w_i|^2, its minimiser where lam_i + h_i > 0."""
        lam = per_client(lam)
        far = self.curvature if self.far is None else self.far
        self._require_prox(self.curvature + lam, far + lam)
        pull = self._reflect(lam * (W - self.center) - self.slope)
        near, beyond = self._split(pull, self.knee if self.knee is None else self.knee * (self.curvature + lam))
        return self.center + self._reflect(near / (self.curvature + lam) + beyond / (far + lam))


@dataclass(frozen=True)
class Moreau:
    """The Moreau envelopes ``F_i(w) = min f_i(theta) + lam/2 |theta - w|^2`` of a problem's clients."""

    f: Any
    lam: Any
    sq: Callable[[Any], Any]

    @property
    def m(self) -> int:
        return self.f.m

    def grad(self, W: Any) -> Any:
        """lam (w - prox(w)), ``(..., m, d)``."""
        return (W - self.f.prox(W, self.lam)) * per_client(self.lam)

    def value(self, W: Any) -> Any:
        """F_i(w_i), ``(..., m)``."""
        theta = self.f.prox(W, self.lam)
        return self.f.value(theta) + self.sq(theta - W) * self.lam / 2


class AbstractClients:
    """Any clients of a function class: a new leaf and value wherever a body looks, one leaf per exact point."""

    def __init__(self, space: Space, m: int, mu: Any, L: Any) -> None:
        self.space, self.m, self.mu, self.L = space, m, mu, L
        self._points: list[list[tuple[np.ndarray, np.ndarray, Form]]] = [[] for _ in range(m)]
        self._index: list[dict[Any, int]] = [{} for _ in range(m)]
        self._prox: list[dict[Any, np.ndarray]] = [{} for _ in range(m)]
        space.closes_with(self)

    def _rows(self, W: np.ndarray) -> np.ndarray:
        return np.broadcast_to(W, (self.m, W.shape[-1]))

    def _point(self, i: int, x: np.ndarray, g: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, Form]:
        key = _exact(x)
        if key not in self._index[i]:
            k = len(self._points[i])
            g = self.space.client_leaf(f"g{k}[{i}]") if g is None else g
            self._index[i][key] = k
            self._points[i].append((x, g, self.space.client_value(f"f{k}[{i}]")))
        elif g is not None and _exact(g) != _exact(self._points[i][self._index[i][key]][1]):
            raise ValueError(f"client {i} has another gradient at this point already; declare it before looking at it")
        return self._points[i][self._index[i][key]]

    def declare(self, W: np.ndarray, G: np.ndarray) -> None:
        """State that the gradient of f_i at w_i is g_i."""
        for i, (x, g) in enumerate(zip(self._rows(W), self._rows(G), strict=True)):
            self._point(i, x, g)

    def declare_prox(self, W: np.ndarray, lam: Any, G: np.ndarray) -> None:
        """State that the gradient of the Moreau envelope F_i at w_i is g_i, so that prox(w_i) = w_i - g_i/lam."""
        for i, (x, g) in enumerate(zip(self._rows(W), self._rows(G), strict=True)):
            theta = x - g / coefficient(lam)
            self._point(i, theta, g)
            self._prox[i][(_exact(x), exact_key(coefficient(lam)))] = theta

    def value(self, W: np.ndarray) -> np.ndarray:
        out = np.empty(self.m, dtype=object)
        for i, x in enumerate(self._rows(W)):
            out[i] = self._point(i, x)[2]
        return self.space.per_client(out)

    def grad(self, W: np.ndarray) -> np.ndarray:
        return np.stack([self._point(i, x)[1] for i, x in enumerate(self._rows(W))]).view(Rows)

    def prox(self, W: np.ndarray, lam: Any) -> np.ndarray:
        lams = np.broadcast_to(np.frompyfunc(coefficient, 1, 1)(np.asarray(lam, dtype=object)), (self.m,))
        out = []
        for i, x in enumerate(self._rows(W)):
            key = (_exact(x), exact_key(lams[i]))
            if key not in self._prox[i]:
                g = self.space.client_leaf(f"g{len(self._points[i])}[{i}]")
                theta = x - g / lams[i]
                self._point(i, theta, g)
                self._prox[i][key] = theta
            out.append(self._prox[i][key])
        return np.stack(out).view(Rows)

    def interpolate(self, space: Space, name: str) -> None:
        """Add the class's inequality for every ordered pair of points of every client."""
        for i, points in enumerate(self._points):
            mu, L = (b[i] if isinstance(b, np.ndarray) else b for b in (self.mu, self.L))
            for a, p in enumerate(points):
                for b, q in enumerate(points):
                    if a != b:
                        form = interpolation(mu, L, lambda u, v: space.numbers.dot(u, v)[()], p, q)
                        space.inequalities.append((f"{name}[{i}] {a} {b}", form))


def _exact(row: np.ndarray) -> tuple[Any, ...]:
    """Coefficients of a row as a key."""
    return tuple(exact_key(c) for c in row)


@dataclass(frozen=True)
class UnitClients:
    """Clients on units: checks what it is given and answers with the unit of a value, a gradient or a point."""

    m: int

    def _check(self, W: Any, lam: Any = None) -> None:
        for w in np.asarray(W, dtype=object).flat:
            Unit.of(w) + LENGTH
        if lam is not None:
            for s in np.asarray(lam, dtype=object).flat:
                Unit.of(s) + CURVATURE

    def _array(self, unit: Unit, *shape: int) -> np.ndarray:
        out = np.empty(shape, dtype=object)
        out[...] = unit
        return out

    def value(self, W: Any) -> np.ndarray:
        self._check(W)
        return self._array(VALUE, self.m)

    def grad(self, W: Any) -> np.ndarray:
        self._check(W)
        return self._array(GRADIENT, self.m, 1)

    def prox(self, W: Any, lam: Any) -> np.ndarray:
        self._check(W, lam)
        return self._array(LENGTH, self.m, 1)
