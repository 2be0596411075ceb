"""Search clients for classes of operators: affine ones that stretch, and turn in a plane.

``A_i(w) = a_i u + b_i S_i u + slope_i`` with ``u = w - center`` and the skew-symmetric ``S = (q p' - p q')/n`` of two vectors p and
q, where ``n = (|p|^2 + |q|^2)/2``. In the plane of p and q ``S^2`` is ``-s^2``, ``s^2 = (|p|^2 |q|^2 - <p, q>^2)/n^2 <= 1``, and S
vanishes on what is orthogonal to it, so that the eigenvalues of A are a and ``a +- i b s``: all that is said of them is rational.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from fedtheory.errors import UsageError
from fedtheory.numbers import Numbers

from ..quadratics import EXACT, per_client
from .knees import curvatures, vectors

READING = (
    "How to read a counterexample: A_i(w) = a_i u + b_i S_i u + slope_i with u = w - center and "
    "S_i = (q p' - p q') 2/(|p|^2 + |q|^2) for p = `plane_axis` and q = `other_axis`; a and b follow from `stretch` and "
    "`turn`, `fedtheory explain ID` has them. Parts that are zero are left out."
)


@dataclass(frozen=True)
class Turned:
    """Stacked affine operators.

    Attributes
    ----------
    a, b : array (..., m, 1)
        How much is stretched and turned.
    p, q, slope : array (..., m, d)
    center : array (..., 1, d)
    numbers : Numbers
        Of the arrays.
    """

    a: Any
    b: Any
    p: Any
    q: Any
    slope: Any
    center: Any
    numbers: Any

    @property
    def m(self) -> int:
        return int(self.p.shape[-2])

    @property
    def d(self) -> int:
        return int(self.p.shape[-1])

    def _dot(self, u: Any, v: Any) -> Any:
        return self.numbers.dot(u, v)[..., None]

    def _n(self) -> Any:
        return (self._dot(self.p, self.p) + self._dot(self.q, self.q)) / 2

    def turned(self, u: Any) -> Any:
        """S u, ``(..., m, d)``."""
        u = u + self.p * 0
        return (self.q * self._dot(self.p, u) - self.p * self._dot(self.q, u)) / self._n()

    def area_sq(self) -> Any:
        """s^2, ``(..., m, 1)``."""
        across = self._dot(self.p, self.q)
        n = self._n()
        return (self._dot(self.p, self.p) * self._dot(self.q, self.q) - across * across) / (n * n)

    def grad(self, W: Any) -> Any:
        """A_i(w_i), ``(..., m, d)``."""
        u = W - self.center
        return self.a * u + self.b * self.turned(u) + self.slope

    def value(self, W: Any) -> Any:
        """There is none.

        Raises
        ------
        UsageError
            Always.
        """
        raise UsageError("x.f.value needs a function: operators have no values")

    infimum = value

    def prox(self, W: Any, lam: Any) -> Any:
        """The resolvent: theta with ``theta + A_i(theta)/lam_i = w_i``, ``(..., m, d)``."""
        lam = per_client(lam)
        stretch, turn = 1 + self.a / lam, self.b / lam
        if self.numbers.kind in EXACT and not (stretch > 0).all():
            raise ValueError("the resolvent of an operator that is not monotone: lam + a <= 0")
        r = W - self.center - self.slope / lam
        once = self.turned(r)
        whole = stretch * stretch + turn * turn * self.area_sq()
        return self.center + (r - (turn * stretch * once - turn * turn * self.turned(once)) / whole) / stretch


class Turns:
    """Free data of such clients: how they are drawn, edited and read."""

    data: ClassVar[tuple[str, ...]] = ("stretch", "turn", "plane_axis", "other_axis", "slope", "center")
    spatial: ClassVar[tuple[str, ...]] = ("plane_axis", "other_axis", "slope", "center")
    spectral: ClassVar[Mapping[str, int]] = MappingProxyType({})
    reading: ClassVar[str] = READING

    bounded: Any  # whether `stretch` is a part of what is allowed, in [0, 1]

    def draw(self, rng: np.random.Generator, batch: int, m: int, d: int) -> dict[str, np.ndarray]:
        """Free data of a batch; where there is a plane, half of the clients turn by right angles in it."""
        p = rng.standard_normal((batch, m, d))
        q = rng.standard_normal((batch, m, d))
        if d > 1:
            right = np.zeros_like(p)
            right[..., 0], right[..., 1] = -p[..., 1], p[..., 0]
            flat = p * (np.arange(d) < 2)
            turned = rng.random((batch, 1, 1)) < 0.5
            p, q = np.where(turned, flat, p), np.where(turned, right, q)
        turn = rng.choice([0.0, 1.0, -1.0, 0.5, 3.0], (batch, m, 1))
        loose = rng.standard_normal((batch, m, 1)) * 10.0 ** rng.uniform(-2, 2, (batch, m, 1))
        return {
            "stretch": curvatures(rng, (batch, m, 1), self.bounded),
            "turn": np.where(rng.random((batch, m, 1)) < 0.6, turn, loose),
            "plane_axis": p,
            "other_axis": q,
            "slope": vectors(rng, batch, m, d),
            "center": vectors(rng, batch, 1, d) * (rng.random((batch, 1, 1)) < 0.3),
        }

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        """What is stretched in its range."""
        return np.clip(np.abs(v), 0.0, 1.0 if self.bounded else None) if name == "stretch" else v

    def legible(self, vectors: Mapping[str, Any]) -> dict[str, Any]:
        """Without what is zero."""
        silent = {k for k in ("turn", "slope", "center") if not np.any(np.asarray(vectors.get(k, 0)) != 0)}
        return {k: v for k, v in vectors.items() if k not in silent}


def on_circle(t: Any) -> tuple[Any, Any]:
    """A rational point of the unit circle."""
    whole = 1 + t * t
    return (1 - t * t) / whole, 2 * t / whole


def turning(a: Any, b: Any, data: Mapping[str, Any], numbers: Numbers) -> Turned:
    """The clients with these a and b."""
    return Turned(a, b, data["plane_axis"], data["other_axis"], data["slope"], data["center"], numbers)


def at_zero(clients: Turned, x: Any) -> Turned:
    """The clients with values at the centre that sum to zero."""
    return dataclasses.replace(clients, slope=clients.slope - x.mean_vec(clients.slope))
