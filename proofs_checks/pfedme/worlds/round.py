"""The world of one round of pFedMe: any server vector, adversarial inner errors, every selection of S clients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedtheory.algorithms import PFedMe
from fedtheory.algorithms.pfedme import PFedMeDraws, PFedMeState
from fedtheory.gram.forms import Space
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import le
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import LENGTH
from fedtheory.world import Scalar, positive
from problems.worlds.classes.base import FunctionClass
from problems.worlds.function_world import COUNTS, FunctionWorld, unit_vectors
from problems.worlds.region import Given
from problems.worlds.steps import signed_reach, unit_directions


@dataclass(frozen=True)
class PFedMeRound(FunctionWorld):
    """One round of pFedMe from any server vector; ``x.E`` averages over the S sampled clients.

    Names: ``x.alg``, ``x.state``, ``x.error``, ``x.w_star``, ``x.F``; ``x.E(lambda draw: ...)`` with a draw for `step`.
    """

    bendable: ClassVar[bool] = True
    own_names: ClassVar[tuple[str, ...]] = ("alg", "state", "error")
    local_steps: ClassVar[str] = "R"

    def draw_vectors(self, rng: np.random.Generator, shape: Mapping[str, int], batch: int) -> dict[str, np.ndarray]:
        size = (batch, shape["R"], shape["m"], shape["d"])
        return {
            **super().draw_vectors(rng, shape, batch),
            "error_axis": rng.standard_normal(size),
            "error_reach": signed_reach(rng, (*size[:-1], 1)),
        }

    def _method(self, x: Any, shape: Mapping[str, int]) -> PFedMe:
        return PFedMe(x.lam, x.eta, x.beta, shape["R"], shape["S"])

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        xp = numbers.xp
        x = Instance(numbers, names)
        E = unit_directions(data["error_axis"], xp) * data["error_reach"] * x.delta
        error = tuple(E[..., r, :, :] for r in range(shape["R"]))
        given += [le(xp.sum(e * e, axis=-1), x.delta**2, "|theta_tilde - theta_hat|^2 <= delta^2") for e in error]
        alg = self._method(x, shape)
        names = {**names, "alg": alg, "state": alg.init(names["f"], names["w"]), "error": error}
        return Instance(numbers, names, given=given, draws=self._draws(error, shape, numbers))

    def _draws(self, error: tuple[Any, ...], shape: Mapping[str, int], numbers: Numbers) -> tuple[PFedMeDraws, ...]:
        return tuple(PFedMeDraws(mask, error) for mask in numbers.selections(shape["m"], shape["S"]))

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        error = tuple(space.leaves_for(f"error{r}", shape["m"]) for r in range(shape["R"]))
        for r, e in enumerate(error):
            space.nonnegative(f"delta^2 - |error{r}|^2", x.delta**2 - x.sq(e))
        names = {**x._names, **names, "alg": self._method(x, shape), "state": PFedMeState(names["w"]), "error": error}
        return Instance(space.numbers, names, draws=self._draws(error, shape, space.numbers))

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        x = Instance(numbers, names)
        error = tuple(unit_vectors(shape["m"]) for _ in range(shape["R"]))
        names = {**names, "alg": self._method(x, shape), "state": PFedMeState(names["w"]), "error": error}
        return Instance(numbers, names, draws=self._draws(error, shape, numbers), given=given)


def pfedme_round(
    f: FunctionClass,
    *,
    optimum_of: str | None,
    given: tuple[Given, ...] = (),
    R: tuple[int, ...] = (1, 2, 3),
    S: tuple[int, ...] = (1, 2, 3),
    **scalars: Scalar,
) -> PFedMeRound:
    """One pFedMe round on clients of class `f`; scalars lam, eta, beta, delta > 0 are added to the given ones."""
    own = {**symbols("lam", "eta", "beta"), "delta": positive(LENGTH)}
    sizes = {**COUNTS, "d": (1, 2), "R": R, "S": S}
    return PFedMeRound({**own, **scalars}, given, sizes, f, "lam", ("w",), (), optimum_of)
