"""The world of runs of FLAME: states reached from a start of l1, with (28) or without, with adversarial inner errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedtheory.algorithms import FLAME
from fedtheory.algorithms.flame import FLAMEDraws
from fedtheory.gram.forms import Space
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import le, lt
from fedtheory.theory.flame.symbols import symbols
from fedtheory.units import GRADIENT
from problems.worlds.abstract import filled
from problems.worlds.classes.base import FunctionClass
from problems.worlds.classes.curvature import Smooth
from problems.worlds.region import Given
from problems.worlds.steps import Steps, min_curvature


@dataclass(frozen=True)
class FLAMESteps(Steps):
    """`steps` rounds of FLAME; ``x.eps`` is the accuracy of every round, ``x.selected`` the last selection as numbers.

    The start satisfies (28), unless the vectors of the clients have ``P0``: then pi_i^0 = rho P0, which is any vector.
    """

    exact: bool = False  # subproblems solved exactly, eps = 0
    everyone: bool = False  # S^t = [m]: s = m, the expectations are over nothing, and (17) is 1

    own_names: ClassVar[tuple[str, ...]] = (*Steps.own_names, "eps", "selected")

    def shapes(self, largest_m: int) -> list[dict[str, int]]:
        """Every size, with every selection or that of all clients."""
        found = super().shapes(largest_m)
        return [s for s in found if s["select"] == 2 ** s["m"] - 1] if self.everyone else found

    def _start(self, alg: FLAME, x: Any) -> Any:
        """The state at t = 0."""
        Pi0 = x.P0 * x.rho if "P0" in self.clients_at else None
        return alg.init(x.f, x.Theta0, x.W0, Pi0=Pi0)

    def _method(self, x: Any, shape: Mapping[str, int]) -> Any:
        return FLAME(x.lam, x.rho, x.alpha)

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        xp = numbers.xp
        x = Instance(numbers, names)
        alg = self._method(x, shape)
        E = self.errors(x, data, numbers)
        eps = x.root_eps**2
        if self.exact:
            E, eps = E * 0, eps * 0
        given.append(lt(-x.lam, min_curvature(x), "the subproblem is strongly convex"))
        states = [self._start(alg, x)]
        for k, mask in enumerate(self.masks(shape)):
            chosen = self.chosen(mask, numbers)
            before = states[-1]
            states.append(alg.step(x.f, before, FLAMEDraws(chosen, E[..., k, :, :])))
            theta = states[-1].Theta
            residual = (x.f.grad(theta) + (theta - before.W) * x.lam) * x.alpha[..., None]
            met = le(x.sq(xp.where(chosen[:, None], residual, residual * 0)), eps, f"(13) at t = {k}")
            given.append(met)
        one = numbers.array(mask.astype(object) * 1)
        return self.with_states({**names, "eps": eps, "selected": one}, alg, states, numbers, given)

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        m, numbers = shape["m"], space.numbers
        x = Instance(numbers, {**x._names, **names})
        alg = self._method(x, shape)
        state = self._start(alg, x)
        error, eps = space.leaves_for("error", m), space.values_for("eps", m)
        if self.exact:
            error, eps = error * 0, eps * 0
        space.nonnegative("(13)", eps - x.sq(error))
        mask = self.masks(shape)[-1]
        following = alg.step(x.f, state, FLAMEDraws(mask, error))
        names = {**x._names, "eps": eps, "selected": mask.astype(object) * 1}
        return self.with_states(names, alg, [state, following], numbers, ())

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        x = Instance(numbers, names)
        alg, m = self._method(x, shape), shape["m"]
        states = [self._start(alg, x)]
        states.append(alg.step(x.f, states[0], FLAMEDraws(np.ones(m, dtype=bool), filled(GRADIENT, m, 1))))
        names = {**names, "eps": filled(GRADIENT**2, m), "selected": filled(1, m)}
        return self.with_states(names, alg, states, numbers, given)


def flame_steps(
    *,
    given: tuple[Given, ...] = (),
    steps: tuple[int, ...] = (1, 2),
    m: tuple[int, ...] = (1, 2, 3),
    f: FunctionClass | None = None,
    exact: bool = False,
    everyone: bool = False,
    free_start: bool = False,
) -> FLAMESteps:
    """FLAME under Assumption 1: L-smooth clients, weights alpha, any accuracy eps, a start that satisfies (28) or any start."""
    scalars = symbols("L", "lam", "rho", "alpha", "root_eps")
    sizes = {"m": m, "d": (1, 2), "steps": steps, "k0": (1,), "select": tuple(range(1, 2 ** max(m)))}
    start = ("Theta0", "W0", "P0") if free_start else ("Theta0", "W0")
    return FLAMESteps(scalars, given, sizes, f or Smooth("L"), None, (), start, exact=exact, everyone=everyone)
