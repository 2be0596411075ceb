"""The world of runs of FedADMM: states reached from an allowed start by exact steps with adversarial inner errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedtheory.algorithms import FedADMM
from fedtheory.algorithms.fedadmm import FedADMMDraws, FedADMMState
from fedtheory.gram.forms import Space
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import le, lt
from fedtheory.theory.fedadmm.symbols import symbols
from fedtheory.units import CURVATURE, GRADIENT
from fedtheory.world import Free, positive
from problems.worlds.abstract import filled
from problems.worlds.classes.curvature import Smooth, SmoothStronglyConvex
from problems.worlds.region import Given
from problems.worlds.steps import Steps, min_curvature

ROOTS = (1e-150, 1e150)  # between which the square of root_eps is a positive float


@dataclass(frozen=True)
class FedADMMSteps(Steps):
    """`steps` iterations of FedADMM from any first vectors w^0 and W^0, with any eps^0 > 0."""

    def _method(self, x: Any, shape: Mapping[str, int]) -> FedADMM:
        return FedADMM(x.sigma, x.alpha, x.nu, shape["k0"])

    def far(self, free: Free, power: int, scale: float) -> Free:
        """Accuracies stay where their squares are numbers."""
        out = super().far(free, power, scale)
        root = np.clip(out.scalars["root_eps"], *ROOTS)
        return out.replace(scalars={**out.scalars, "root_eps": root})

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        x = Instance(numbers, names)
        alg = self._method(x, shape)
        E = self.errors(x, data, numbers)
        given.append(lt(-x.sigma / x.alpha, min_curvature(x), "the subproblem is strongly convex"))
        above = (1 + x.nu) / 2
        root = x.nu * 2 * above / (above**2 + x.nu)  # a rational at most sqrt(nu): nu over a Newton step from above
        states = [alg.init(x.f, x.w, x.W0, x.root_eps**2)]
        for k, mask in enumerate(self.masks(shape)):
            error = E[..., k, :, :] * root[..., None] ** (k + 1)  # |error|^2 <= nu^{k+1} eps^0 = eps^{k+1}
            states.append(alg.step(x.f, states[-1], FedADMMDraws(self.chosen(mask, numbers), error)))
            residual = x.f.grad(states[-1].W) * x.alpha[..., None] + states[-1].Pi
            given.append(le(x.sq(residual), states[-1].eps, f"(3.5) at k = {k}"))
        return self.with_states(names, alg, states, numbers, given)

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        m, numbers = shape["m"], space.numbers
        x = Instance(numbers, {**x._names, **names})
        alg = self._method(x, shape)
        W, phi = x.W0, space.leaves_for("phi", m)
        Pi = phi - x.f.grad(W) * x.alpha[..., None]
        eps = space.values_for("eps", m)
        space.nonnegative("(7.6)", eps - x.sq(phi))
        k = (shape["steps"] - 1) % shape["k0"]
        state = FedADMMState(x.w, W, Pi, W * x.sigma[..., None] + Pi, eps, k)
        error = space.leaves_for("error", m)
        after = space.values_for("eps_next", m)
        space.nonnegative("(3.4)", eps * x.nu - after)
        space.nonnegative("(3.5)", after - x.sq(error))
        mask = self.masks(shape)[-1]
        following = alg.step(x.f, state, FedADMMDraws(mask, error))
        following = following._replace(eps=np.where(mask, after, eps))
        return self.with_states(x._names, alg, [state, following], numbers, ())

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        x = Instance(numbers, names)
        alg, m = self._method(x, shape), shape["m"]
        states = [alg.init(x.f, x.w, x.W0, filled(GRADIENT**2, m))]
        states.append(alg.step(x.f, states[0], FedADMMDraws(np.ones(m, dtype=bool), filled(GRADIENT, m, 1))))
        return self.with_states(names, alg, states, numbers, given)


def fedadmm_steps(
    *,
    given: tuple[Given, ...] = (),
    steps: tuple[int, ...] = (1, 2, 3),
    k0: tuple[int, ...] = (1, 2),
    m: tuple[int, ...] = (1, 2, 3),
    convex: bool = False,
    optimum_of: str | None = None,
) -> FedADMMSteps:
    """FedADMM under Assumption 4.1: r_i-smooth clients, weights alpha, penalties sigma, nu in [1/2, 1), any eps^0.

    With `convex` the clients are strongly convex: a part of what the paper admits, on which they are bounded from below and f
    is coercive. `optimum_of` is for one client alone, since ``x.w_star`` minimises the plain mean.
    """
    scalars = symbols("r", "sigma", "alpha", "nu", "root_eps") | ({"mu": positive(CURVATURE)} if convex else {})
    sizes = {"m": m, "d": (1, 2), "steps": steps, "k0": k0, "select": tuple(range(1, 2 ** max(m)))}
    f = SmoothStronglyConvex("mu", "r") if convex else Smooth("r")
    return FedADMMSteps(scalars, given, sizes, f, None, ("w",), ("W0",), optimum_of)


def few_clients(**options: Any) -> FedADMMSteps:
    """`fedadmm_steps` of one or two clients, for relations that more clients add nothing to."""
    return fedadmm_steps(**{"m": (1, 2), **options})


def outside(x: Any, s: Any, selected: Any) -> Any:
    """Sum of a ``(..., m)`` number over the clients that are not selected; None is Omega^0 = [m]."""
    return x.total(s * 0 if selected is None else x.xp.where(selected, s * 0, s))


def kept(x: Any, new: Any, old: Any, selected: Any) -> Any:
    """Sum of vectors ``(..., m, d)``, `new` ones of the selected clients, who are all for None, and `old` ones of the others."""
    return x.total_vec(new if selected is None else x.xp.where(selected[..., None], new, old))
