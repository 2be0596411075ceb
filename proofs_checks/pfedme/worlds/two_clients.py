"""Worlds of two listed clients on a line that satisfy Assumption 3 and on which misprints of Theorem 2 show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedtheory.errors import NotApplicable
from fedtheory.gram.forms import Space
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import le, lt
from fedtheory.world import Free
from problems.worlds.derived import DerivedFunctionWorld, formula
from problems.worlds.function_world import FunctionWorld, unit_vectors
from problems.worlds.quadratics import Moreau, Quadratics

from .runs import PFedMeRuns

L_A_QUARTER = {"L": formula("lam/4", lambda x: x.lam / 4)}
SOLVED_EXACTLY = {"delta": formula("0", lambda x: x.ratio(0, 1))}


@dataclass(frozen=True)
class TwoClients(FunctionWorld):
    """Two clients that are given by the scalars and seen from any point w; not a class of functions."""

    def draw_vectors(self, rng: np.random.Generator, shape: Mapping[str, int], batch: int) -> dict[str, np.ndarray]:
        return {"w": rng.standard_normal((batch, 1, 1))}

    def twins(self, free: Free) -> list[Free]:
        """The clients lie on a line and differ to the left and to the right."""
        return []

    def abstract(self, scalars: Mapping[str, Any], shape: dict[str, int], space: Space) -> Instance:
        raise NotApplicable("two listed clients are no class of functions")


@dataclass(frozen=True)
class HuberAndLinear(TwoClients, PFedMeRuns):
    """Two clients on a line that satisfy Assumption 3 with different curvatures, started where a round leaves w.

    The slope of f_1 is 0, then rises with curvature L to `a`, which it reaches at prox(w) and keeps; that of f_2 is -b
    everywhere, b the mean of the gradients g that client 1 takes on its way. Both clients are sampled and solve exactly,
    so that w_{t+1} = w_t although grad F(w_t) = (a - b)/2 > 0. The slopes differ by at most a + b.
    """

    def build(self, free: Free, numbers: Numbers) -> Instance:
        x = self.scope(self.convert(free.scalars, numbers), free.shape, numbers)
        w = numbers.array(free.vectors["w"])
        first, second = (numbers.array(np.array(e, dtype=object)) for e in ([[1], [0]], [[0], [1]]))
        zero = w * 0 + first * 0
        curve = x.lam * x.L / (x.lam + x.L)  # of F_1 on the way
        b = x.a * sum((1 - x.eta * curve) ** r for r in range(x.R)) / x.R
        knee = x.a / x.L / 2  # half of the way on which the slope of f_1 rises
        f = Quadratics(
            curvature=x.L * first + zero,
            axis=zero + 1,
            slope=x.a / 2 * first - b * second + zero,
            center=w - (x.a / x.lam + knee) * first,
            offset=zero[..., 0],
            numbers=numbers,
            far=zero,
            knee=knee * first + x.a / x.L * second + zero,
        )
        variance = ((x.a + b) / 2) ** 2 + w[..., 0] * 0
        given = list(x.given)
        for kink in (f.center - f.knee * first, f.center + f.knee * first):
            G = f.grad(kink[..., :1, :])
            given.append(le(x.mean(x.sq(G - x.mean_vec(G))), variance, "Assumption 3 where f_1 bends"))
        names = {**x._names, "f": f, "F": Moreau(f, x.lam, x.sq), "w": w, "sigma_f_sq": variance}
        errors = [tuple(zero for _ in range(x.R))]
        return self._instance(names, self._method(x, free.shape), errors, free.shape, numbers, given)


@dataclass(frozen=True)
class Opposed(TwoClients, DerivedFunctionWorld):
    """Two concave clients -L/2 theta^2 +- slope theta on a line, seen from w where grad F = 0, with errors away from w.

    Their Hessians are equal, so that Assumption 3 holds with sigma_f = slope everywhere. The errors are as long as
    theta_hat_i - w.
    """

    def build(self, free: Free, numbers: Numbers) -> Instance:
        x = self.scope(self.convert(free.scalars, numbers), free.shape, numbers)
        w, signs = numbers.array(free.vectors["w"]), numbers.array(np.array([[1], [-1]], dtype=object))
        zero = w * 0 + signs * 0
        f = Quadratics(zero - x.L, zero + 1, x.slope * signs + zero, w, zero[..., 0], numbers)
        names = {"w": w, "f": f, "F": Moreau(f, x.lam, x.sq), "sigma_f_sq": x.slope**2 + w[..., 0] * 0}
        given = [*x.given, lt(x.L, x.lam, "the inner problem is strongly convex")]
        return Instance(numbers, {**x._names, **names, "error": -x.delta * signs + zero}, given=given)

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        return Instance(numbers, {**names, "error": unit_vectors(shape["m"])}, given=given)
