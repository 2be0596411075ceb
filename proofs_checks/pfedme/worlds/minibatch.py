"""The world of one inner problem of pFedMe: one client, its samples, every minibatch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fedtheory.errors import NotApplicable
from fedtheory.gram.forms import Space
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import le
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.units import GRADIENT
from fedtheory.world import Scalar, positive
from problems.worlds.classes.base import FunctionClass
from problems.worlds.function_world import FunctionWorld, unit_vectors
from problems.worlds.region import Given
from problems.worlds.steps import signed_reach, unit_directions


@dataclass(frozen=True)
class Minibatch(FunctionWorld):
    """One client, n samples, a minibatch of `batch` draws with replacement; the clients of the problem are the samples.

    Names: ``x.theta_hat``, ``x.theta_tilde(draw)``, ``x.gamma_f_sq`` (Assumption 2), ``x.batch``; ``x.E`` over minibatches.
    The approximate solution depends on its own minibatch, as in the method. `each_sample` states that every sample
    function, and not only their mean, belongs to the class; only then is there an abstract instance.
    """

    each_sample: bool = False

    own_names: ClassVar[tuple[str, ...]] = ("theta_hat", "theta_tilde")
    own_clients: ClassVar[str] = (
        "the claim is about minibatches of one client; the clients of the data are not its samples"
    )

    def draw_vectors(self, rng: np.random.Generator, shape: Mapping[str, int], batch: int) -> dict[str, np.ndarray]:
        size = (batch, shape["m"] ** shape["batch"], 1, shape["d"])
        return {
            **super().draw_vectors(rng, shape, batch),
            "error_axis": rng.standard_normal(size),
            "error_reach": signed_reach(rng, (*size[:-1], 1)),
        }

    def _minibatches(self, shape: Mapping[str, int]) -> list[np.ndarray]:
        """Weights ``(n,)`` of every minibatch: how often each sample occurs."""
        n, size = shape["m"], shape["batch"]
        return [np.bincount([(k // n**j) % n for j in range(size)], minlength=n) for k in range(n**size)]

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        xp = numbers.xp
        x = Instance(numbers, names)
        f = x.f
        h, axis, far, knee = (a[..., :1, :] for a in (f.curvature, f.axis, f.far, f.knee))
        mean = type(f)(h, axis, x.mean_vec(f.slope), f.center, f.offset, numbers, far, knee)
        theta_hat = mean.prox(x.w, x.lam)
        E = unit_directions(data["error_axis"], xp) * data["error_reach"] * x.nu
        solutions = []
        for k, weight in enumerate(self._minibatches(shape)):
            e = E[..., k, :, :]
            slope = x.total_vec(f.slope * numbers.array(weight.astype(object))[:, None]) / shape["batch"]
            theta = mean.prox(x.w + (e + mean.slope - slope) / x.lam, x.lam)
            residual = mean.grad(theta) - mean.slope + slope + (theta - x.w) * x.lam
            given.append(le(x.sq(residual), x.nu**2, "(8)"))
            solutions.append(theta)
        names = {**names, "theta_hat": theta_hat, "theta_tilde": lambda k: solutions[k]}
        return Instance(numbers, names, given=given, draws=range(len(solutions)))

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        if not self.each_sample:
            raise NotApplicable("the class is stated for the mean of the samples only")
        m, numbers = shape["m"], space.numbers
        samples, w = names["f"], names["w"]
        G = space.leaves_for("g_hat", m)  # gradients of the samples at theta_hat, optimal by substitution
        theta_hat = w - x.mean_vec(G) / x.lam
        samples.declare(theta_hat, G)
        space.nonnegative("Assumption 2 at theta_hat", names["gamma_f_sq"][0] - x.mean(x.sq(G - x.mean_vec(G))))
        solutions = []
        for k, weight in enumerate(self._minibatches(shape)):
            error = space.leaf(f"error{k}")[None]
            space.nonnegative(f"(8) {k}", x.nu**2 - x.sq(error))
            g = space.leaves_for(f"g_tilde{k}", m)
            theta = w - (x.total_vec(g * weight.astype(object)[:, None]) / shape["batch"] - error) / x.lam
            samples.declare(theta, g)
            solutions.append(theta)
        names = {**x._names, **names, "theta_hat": theta_hat, "theta_tilde": lambda k: solutions[k]}
        return Instance(numbers, names, draws=range(len(solutions)))

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        names = {**names, "theta_hat": unit_vectors(1), "theta_tilde": lambda k: unit_vectors(1)}
        return Instance(numbers, names, draws=(0,), given=given)


def minibatch(
    f: FunctionClass, *, each_sample: bool = False, given: tuple[Given, ...] = (), **scalars: Scalar
) -> Minibatch:
    """The inner problem (7) of pFedMe solved to the accuracy nu of (8) on a minibatch of |D| = batch samples."""
    own = {**symbols("lam"), "nu": positive(GRADIENT)}
    sizes = {"m": (1, 2, 3), "d": (1, 2), "batch": (1, 2)}
    return Minibatch(
        {**own, **scalars}, given, sizes, f, "lam", ("w",), diversity="gamma_f_sq", each_sample=each_sample
    )
