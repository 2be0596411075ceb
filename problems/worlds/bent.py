"""Clients of one variable whose derivative is linear between knots, rational in their data.

Beside quadratics with one symmetric knee they are what a search needs for functions that lean to one side, that have bumps
and wells away from their minimiser, and whose slope goes up and down between iterates. All clients share their knots, so
that their mean is one of them, and whether the centre minimises it is read off its pieces.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from fedtheory.errors import UsageError
from fedtheory.relation import Relation, le

from .quadratics import EXACT, per_client, unbounded


@dataclass(frozen=True)
class Bent:
    """Stacked clients in one dimension.

    Attributes
    ----------
    pieces : array (..., m, k + 1)
        Curvature to the left of the first knot, between each two, and to the right of the last one.
    knots : array (..., 1, k)
        In ascending order, from the centre; equal ones are empty pieces.
    slope : array (..., m, 1)
        Gradient at the centre.
    center : array (..., 1, 1)
    offset : array (..., m)
        Value at the centre.
    numbers : Numbers
        Of the arrays.
    """

    pieces: Any
    knots: Any
    slope: Any
    center: Any
    offset: Any
    numbers: Any

    @property
    def curvatures(self) -> tuple[Any, ...]:
        """Every curvature, ``(..., m, 1)`` each."""
        return tuple(self.pieces[..., k : k + 1] for k in range(self.pieces.shape[-1]))

    @property
    def m(self) -> int:
        return self.pieces.shape[-2]

    @property
    def d(self) -> int:
        return 1

    def _sum(self, a: Any) -> Any:
        return self.numbers.sum(a, axis=-1, keepdims=True)

    def _parts(self, u: Any, knots: Any) -> Any:
        """The nearest point of every piece to u ``(..., m, 1)``, ``(..., m, k + 1)``."""
        xp, low = self.numbers.xp, self.numbers.minimum(u + 0 * knots, knots + 0 * u)
        inner = self.numbers.maximum(low[..., 1:], (knots + 0 * u)[..., :-1])
        last = (knots + 0 * u)[..., -1:]
        return xp.concat([low[..., :1], inner, self.numbers.maximum(u + 0 * last, last)], axis=-1)

    def _along(self, u: Any, knots: Any) -> tuple[Any, Any]:
        """How far every piece goes between 0 and u, and the mean of its two ends there."""
        here, start = self._parts(u, knots), self._parts(u * 0, knots)
        return here - start, (here + start) / 2

    def bend(self, u: Any) -> Any:
        """Gradient without the slope at the distance u from the centre, ``(..., m, 1)``."""
        return self._sum(self.pieces * self._along(u, self.knots)[0])

    def at_knots(self) -> Any:
        """Gradients at the knots, ``(..., m, k)``."""
        xp, knots = self.numbers.xp, self.knots + 0 * self.slope
        return xp.concat([self.bend(knots[..., k : k + 1]) for k in range(knots.shape[-1])], axis=-1) + self.slope

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(..., m)``."""
        u = W - self.center
        width, middle = self._along(u, self.knots)
        return (self._sum(self.pieces * width * (u - middle)) + self.slope * u)[..., 0] + self.offset

    def grad(self, W: Any) -> Any:
        """Gradient of f_i at w_i, ``(..., m, 1)``."""
        return self.bend(W - self.center) + self.slope

    def prox(self, W: Any, lam: Any) -> Any:
        """The stationary point of f_i(theta) + lam_i/2 |theta - w_i|^2, its minimiser where lam_i exceeds minus every curvature."""
        lam = per_client(lam)
        if self.numbers.kind in EXACT and not (self.pieces + lam > 0).all():
            raise ValueError("the prox of an indefinite client does not exist: lam + curvature <= 0")
        images = self.at_knots() - self.slope + self.knots * lam
        width, _ = self._along((W - self.center) * lam - self.slope, images)
        return self.center + self._sum(width / (self.pieces + lam))

    def infimum(self) -> Any:
        """These clients need not be bounded below.

        Raises
        ------
        UsageError
            Always.
        """
        raise UsageError(unbounded())

    def diversity(self, x: Any) -> Any:
        """The largest mean of |grad f_i - grad f|^2, ``(..., 1)``: at a knot, where the outer pieces are equal."""
        G = self.at_knots()
        spread = [x.mean(x.sq(g - x.mean_vec(g))) for g in (G[..., k : k + 1] for k in range(G.shape[-1]))]
        out = spread[0]
        for s in spread[1:]:
            out = self.numbers.maximum(out, s)
        return out

    def at_minimum(self, x: Any) -> list[Relation]:
        """That the centre, where the mean slope is 0, minimises the mean of the clients.

        The mean is nowhere below its value there: at no vertex of a convex piece, at no end of another one, and it does not
        fall beyond the knots.
        """
        xp = self.numbers.xp
        H = x.mean_vec(self.pieces)
        mean = dataclasses.replace(self, pieces=H, slope=x.mean_vec(self.slope) * 0, offset=x.mean(self.offset) * 0)
        G, k = mean.at_knots(), H.shape[-1]
        starts = [self.knots[..., max(j - 1, 0) : max(j, 1)] for j in range(k)]
        slopes = [G[..., max(j - 1, 0) : max(j, 1)] for j in range(k)]
        given = [le(0, H[..., :1], "w_star is a minimiser"), le(0, H[..., -1:], "w_star is a minimiser")]
        outward = (-slopes[0], slopes[-1])
        for h, s in zip((H[..., :1], H[..., -1:]), outward, strict=True):
            given.append(le(0, xp.where(h == 0, s, s * 0), "w_star is a minimiser"))
        for j, (a, s) in enumerate(zip(starts, slopes, strict=True)):
            h = H[..., j : j + 1]
            vertex = a - xp.where(h > 0, s, s * 0) / xp.where(h > 0, h, h * 0 + 1)
            at = mean._parts(vertex, self.knots)[..., j : j + 1]
            width, middle = mean._along(at, self.knots)
            gains = H * width * (at - middle)
            least, most = (self._sum(pick(gains, gains * 0)) for pick in (self.numbers.minimum, self.numbers.maximum))
            given.append(le(-least, most, "w_star is a minimiser"))
        return given
