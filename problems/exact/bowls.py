"""Quadratic clients of one variable in exact arithmetic: ``f_i(w) = h_i (w - c_i)^2/2``, every constant in closed form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..clients.quadratic import QuadraticClients


@dataclass(frozen=True)
class Bowls:
    """Curvatures and centres; a problem on arrays of Fractions, `floats` makes one on floats.

    Parameters
    ----------
    h, c : sequence of Fraction
        Curvatures, of any sign, and the points at which the gradients vanish.

    Examples
    --------
    >>> f = Bowls((Fraction(1), Fraction(3)), (Fraction(0), Fraction(4)))
    >>> f.w_star, f.envelope(Fraction(1)).h
    (Fraction(3, 1), (Fraction(1, 2), Fraction(3, 4)))
    """

    h: Sequence[Fraction]
    c: Sequence[Fraction]
    d = 1

    @property
    def m(self) -> int:
        """Clients."""
        return len(self.h)

    @property
    def L(self) -> Fraction:
        """The largest |h_i|."""
        return max(abs(h) for h in self.h)

    @property
    def mu(self) -> Fraction:
        """The least h_i."""
        return min(self.h)

    @property
    def mean_h(self) -> Fraction:
        """Curvature of the mean."""
        return sum(self.h, Fraction(0)) / self.m

    @property
    def w_star(self) -> Fraction:
        """Where the mean gradient vanishes."""
        return sum((h * c for h, c in zip(self.h, self.c, strict=True)), Fraction(0)) / sum(self.h)

    def mean(self, w: Fraction) -> Fraction:
        """The mean of the f_i at one point."""
        return sum((h * (w - c) ** 2 for h, c in zip(self.h, self.c, strict=True)), Fraction(0)) / (2 * self.m)

    @property
    def least(self) -> Fraction:
        """The least mean, of clients with a positive one."""
        return self.mean(self.w_star)

    @property
    def spread_sq(self) -> Fraction:
        """Mean of |grad f_i(w*)|^2."""
        at = self.w_star
        return sum((h**2 * (at - c) ** 2 for h, c in zip(self.h, self.c, strict=True)), Fraction(0)) / self.m

    def envelope(self, lam: Fraction) -> Bowls:
        """The Moreau envelopes, bowls of curvature lam h_i/(lam + h_i) with the same centres."""
        return Bowls(tuple(lam * h / (lam + h) for h in self.h), self.c)

    def floats(self) -> QuadraticClients:
        """The same on floats."""
        h, c = (np.array([float(v) for v in values]) for values in (self.h, self.c))
        return QuadraticClients(h[:, None, None], (h * c)[:, None], h * c**2 / 2)

    def _columns(self) -> tuple[np.ndarray, np.ndarray]:
        h, c = (np.array(list(v), dtype=object)[:, None] for v in (self.h, self.c))
        return h, c

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(m,)``."""
        h, c = self._columns()
        return (h * (W - c) ** 2 / 2)[..., 0]

    def grad(self, W: Any) -> Any:
        """h_i (w_i - c_i), ``(m, 1)``."""
        h, c = self._columns()
        return h * (W - c)

    def prox(self, W: Any, lam: Any) -> Any:
        """(h_i c_i + lam w_i)/(h_i + lam), ``(m, 1)``."""
        h, c = self._columns()
        return (h * c + lam * W) / (h + lam)
