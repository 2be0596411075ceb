"""Quadratic clients with a prescribed spectrum, rational in their data, and abstract and unit-valued counterparts.

``f_i(w) = (w - c)' A_i (w - c)/2 + b_i' (w - c) + a_i`` with ``A_i = Q_i diag(h_i) Q_i`` and the Householder reflection
``Q_i = I - 2 v_i v_i' / v_i' v_i``: exact on Fractions, and the prox needs no linear solve. Along each axis the curvature
may change at a knee, as in Huber's function, so that the search is not confined to quadratics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fedtheory.errors import UsageError

ROUNDING = 2.0**-40  # of the largest entry of a vector
EXACT = ("fraction", "arb")  # numbers that know their sign, or say that they do not


def per_client(lam: Any) -> Any:
    """A scalar as it multiplies ``(..., m, d)``: shared as it is, ``(..., m)`` with a coordinate axis."""
    return lam[..., None] if getattr(lam, "ndim", 0) else lam


def unbounded() -> str:
    """Why a client of this class has no infimum."""
    return (
        "x.f.infimum() needs clients that are bounded below, such as those of SmoothBoundedBelow('L') "
        "or Lojasiewicz('mu', 'L')"
    )


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
    bounded : bool
        Whether every client is known to be bounded below, so that bodies may ask for its infimum.
    """

    curvature: Any
    axis: Any
    slope: Any
    center: Any
    offset: Any
    numbers: Any
    far: Any = None
    knee: Any = None
    bounded: bool = False

    @property
    def curvatures(self) -> tuple[Any, ...]:
        """Every curvature along an axis, one or two arrays ``(..., m, d)``."""
        return (self.curvature,) if self.far is None else (self.curvature, self.far)

    @property
    def m(self) -> int:
        return self.curvature.shape[-2]

    @property
    def d(self) -> int:
        return self.curvature.shape[-1]

    def _dot(self, u: Any, v: Any) -> Any:
        return self.numbers.dot(u, v)

    def reflect(self, u: Any) -> Any:
        """Between coordinates and axes, ``(..., m, d)``; its own inverse."""
        return u - self.axis * (2 * self._dot(self.axis, u) / self._length_sq)[..., None]

    @cached_property
    def _length_sq(self) -> Any:
        """Of the reflection vectors, ``(..., m)``."""
        return self._dot(self.axis, self.axis)

    def spectral(self, h: Any, u: Any) -> Any:
        """``Q diag(h) Q u``, ``(..., m, d)``."""
        return self.reflect(h * self.reflect(u))

    def _require_prox(self, *denominators: Any) -> None:
        """In exact numbers a prox that may not exist is outside the domain; a search leaves it to the replay."""
        if self.numbers.kind in EXACT and not all((d > 0).all() for d in denominators):
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
        near, beyond = self._split(self.reflect(u), self.knee)
        far = self.curvature if self.far is None else self.far
        return self.reflect(self.curvature * near + far * beyond)

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(..., m)``, for W ``(..., m, d)`` or ``(..., 1, d)``."""
        u = W - self.center
        near, beyond = self._split(self.reflect(u), self.knee)
        far = self.curvature if self.far is None else self.far
        height = self._dot(self.curvature * near, near + 2 * beyond) + self._dot(far * beyond, beyond)
        return height / 2 + self._dot(self.slope, u) + self.offset

    def wells(self) -> tuple[Any, Any, Any, Any]:
        """(h, k, s, a) of ``h v^2/2 + s v`` for ``|v| <= a``, curvature k beyond, along every axis, ``(..., m, d)`` each.

        In floats a slope that is rounding of the others is 0, as it is in exact numbers.
        """
        xp, s = self.numbers.xp, self.reflect(self.slope)
        if self.numbers.kind == "float":
            largest = xp.max(xp.abs(self.slope), axis=-1, keepdims=True)
            s = xp.where(xp.abs(s) > ROUNDING * largest, s, s * 0)
        h = self.curvature
        far, knee = (h, h * 0) if self.far is None else (self.far, self.knee)
        return h, far, s, knee

    def lowest(self) -> tuple[Any, Any]:
        """The minimiser and the least value along every axis, from the centre, ``(..., m, d)``.

        The minimiser is where ``h v = -s`` if that is within the knee of a convex middle; else it lies beyond the knee,
        on the side to which the client falls (to the left where s = 0). Meaningful for clients that are bounded below.
        """
        xp, choice = self.numbers.xp, self.numbers.choice
        h, k, s, a = self.wells()
        size = xp.abs(s)
        inner, outer = size < h * a, (size >= h * a) | (h <= 0)
        past = size - h * a  # slope at the knee towards which the client falls
        far = past / xp.where(k == 0, k * 0 + 1, k)
        side = choice(s < 0, s >= 0, s * 0 + 1, s * 0 - 1)
        near = xp.where(outer, h * 0 + 1, h)
        at = choice(inner, outer, -s / near, side * (a + far))
        return at, choice(inner, outer, -s * s / (2 * near), h * a * a / 2 - size * a - past * far / 2)

    def convex_below(self) -> bool:
        """Whether every client is convex and bounded below, on exact numbers."""
        h, k, s, a = self.wells()
        held = (k > 0) | (self.numbers.xp.abs(s) <= h * a)
        return bool(((h >= 0) & (k >= 0) & held).all())

    def minimiser(self) -> Any:
        """A minimiser of every client that is bounded below, ``(..., m, d)``."""
        return self.center + self.reflect(self.lowest()[0])

    def infimum(self) -> Any:
        """The least value of every client, ``(..., m)``.

        Raises
        ------
        UsageError
            If the clients of this class need not be bounded below.
        """
        if not self.bounded:
            raise UsageError(unbounded())
        return self.numbers.xp.sum(self.lowest()[1], axis=-1) + self.offset

    def diversity(self, x: Any) -> Any:
        """The mean of |grad f_i - grad f|^2 of clients that differ by their slopes, ``(..., 1)``."""
        return x.mean(x.sq(self.slope - x.mean_vec(self.slope)))

    def grad(self, W: Any) -> Any:
        """Gradient of f_i at w_i, ``(..., m, d)``."""
        return self.bend(W - self.center) + self.slope

    def prox(self, W: Any, lam: Any) -> Any:
        """The stationary point of f_i(theta) + lam_i/2 |theta - w_i|^2, its minimiser where lam_i + h_i > 0."""
        lam = per_client(lam)
        far = self.curvature if self.far is None else self.far
        self._require_prox(self.curvature + lam, far + lam)
        pull = self.reflect(lam * (W - self.center) - self.slope)
        near, beyond = self._split(pull, self.knee if self.knee is None else self.knee * (self.curvature + lam))
        return self.center + self.reflect(near / (self.curvature + lam) + beyond / (far + lam))


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

    def infimum(self) -> Any:
        """That of f_i: an envelope has the same greatest lower bound, ``(..., m)``."""
        return self.f.infimum()

    def value(self, W: Any) -> Any:
        """F_i(w_i), ``(..., m)``."""
        theta = self.f.prox(W, self.lam)
        return self.f.value(theta) + self.sq(theta - W) * self.lam / 2
