"""Worlds of one step and of runs: states reached from an allowed start by exact steps, with adversarial inner errors.

The search sees reached states only. The abstract instance takes one step from any state that satisfies the method's
invariants (each of which is a claim), so a certificate covers every step of every run.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from fedtheory.algorithms import FLAME, FedADMM, PFedMe
from fedtheory.algorithms.fedadmm import FedADMMDraws, FedADMMState
from fedtheory.algorithms.flame import FLAMEDraws
from fedtheory.algorithms.pfedme import PFedMeDraws, PFedMeState
from fedtheory.claim import le, lt
from fedtheory.engines.gram import Space
from fedtheory.errors import NotApplicable
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from fedtheory.world import Scalar, at_least, between, positive, weights

from .classes import FunctionClass, Smooth
from .points import COUNTS, FunctionWorld, subsets, unit_vectors
from .scalars import Given


def unit_directions(axis: Any, xp: Any) -> Any:
    """Rational unit vectors ``(..., d)``: the first basis vector reflected along `axis`."""
    first = axis * 0
    norm_sq = xp.sum(axis * axis, axis=-1, keepdims=True)
    e1 = xp.concat([axis[..., :1] * 0 + 1, first[..., 1:]], axis=-1)
    return e1 - axis * (2 * axis[..., :1] / norm_sq)


def filled(value: Any, *size: int) -> np.ndarray:
    """An object array filled with one value."""
    out = np.empty(size, dtype=object)
    out[...] = value
    return out


@dataclass(frozen=True)
class PFedMeRound(FunctionWorld):
    """One round of pFedMe from any server vector; ``x.E`` averages over the S sampled clients.

    Names: ``x.alg``, ``x.state``, ``x.error``, ``x.w_star``, ``x.F``; ``x.E(lambda draw: ...)`` with a draw for `step`.
    """

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
        return tuple(PFedMeDraws(mask, error) for mask in subsets(shape["m"], shape["S"], numbers))

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
    **scalars: Scalar,
) -> PFedMeRound:
    """One pFedMe round on clients of class `f`; scalars lam, eta, beta, delta are added to the given ones."""
    own = {"lam": positive(CURVATURE), "eta": positive(STEP), "beta": at_least(1), "delta": positive(LENGTH)}
    sizes = {**COUNTS, "d": (1, 2), "R": R, "S": (1, 2, 3)}
    return PFedMeRound({**own, **scalars}, given, sizes, f, "lam", ("w",), (), optimum_of)


@dataclass(frozen=True)
class FedADMMSteps(FunctionWorld):
    """`steps` iterations of FedADMM from an allowed start; the last one is the step looked at.

    Names: ``x.alg``, ``x.states`` (all), ``x.state`` (before the last step), ``x.next`` (after it), and
    ``x.each_step(fn)`` for a relation between consecutive states. A body that looks at ``x.states`` has no certificate.
    """

    def shapes(self, largest_m: int) -> list[dict[str, int]]:
        """Every size, with every non-empty selection as the bits of ``select``."""
        return [s for s in super().shapes(largest_m) if 1 <= s["select"] < 2 ** s["m"]]

    def draw_vectors(self, rng: np.random.Generator, shape: Mapping[str, int], batch: int) -> dict[str, np.ndarray]:
        size = (batch, shape["steps"], shape["m"], shape["d"])
        return {
            **super().draw_vectors(rng, shape, batch),
            "error_axis": rng.standard_normal(size),
            "error_reach": signed_reach(rng, (*size[:-1], 1)),
        }

    def masks(self, shape: Mapping[str, int]) -> list[np.ndarray]:
        """Selections of the steps, constant between communications; the last one is the shape's ``select``."""
        m, select, k0 = shape["m"], shape["select"], shape["k0"]
        last = (shape["steps"] - 1) // k0
        return [
            np.array([bool(select >> ((i + last - k // k0) % m) & 1) for i in range(m)]) for k in range(shape["steps"])
        ]

    def _method(self, x: Any, shape: Mapping[str, int]) -> FedADMM:
        return FedADMM(x.sigma, x.alpha, x.nu, shape["k0"])

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        xp = numbers.xp
        x = Instance(numbers, names)
        alg = self._method(x, shape)
        E = unit_directions(data["error_axis"], xp) * data["error_reach"] * x.root_eps[..., None]
        given.append(lt(-x.sigma / x.alpha, min_curvature(x), "the subproblem is strongly convex"))
        above = (1 + x.nu) / 2
        root = x.nu * 2 * above / (above**2 + x.nu)  # a rational at most sqrt(nu): nu over a Newton step from above
        states = [alg.init(x.f, x.w, x.W0, x.root_eps**2)]
        for k, mask in enumerate(self.masks(shape)):
            error = E[..., k, :, :] * root[..., None] ** (k + 1)  # |error|^2 <= nu^{k+1} eps^0 = eps^{k+1}
            chosen = xp.asarray(mask, device=getattr(numbers, "device", None)) if numbers.kind == "float" else mask
            states.append(alg.step(x.f, states[-1], FedADMMDraws(chosen, error)))
            residual = x.f.grad(states[-1].W) * x.alpha[..., None] + states[-1].Pi
            given.append(le(x.sq(residual), states[-1].eps, f"(3.5) at k = {k}"))
        return self._with_states(names, alg, states, numbers, given)

    def _with_states(
        self, names: dict[str, Any], alg: Any, states: list[Any], numbers: Numbers, given: Any
    ) -> Instance:
        extra: dict[str, Any] = {"alg": alg, "state": states[-2], "next": states[-1]}
        if numbers.kind != "gram":
            extra["states"] = tuple(states)  # a certificate sees one step and must not be read as one about a run
        return Instance(numbers, {**names, **extra}, given=given, steps=itertools.pairwise(states))

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
        return self._with_states(x._names, alg, [state, following], numbers, ())

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        x = Instance(numbers, names)
        alg, m = self._method(x, shape), shape["m"]
        states = [alg.init(x.f, x.w, x.W0, filled(GRADIENT**2, m))]
        states.append(alg.step(x.f, states[0], FedADMMDraws(np.ones(m, dtype=bool), filled(GRADIENT, m, 1))))
        return self._with_states(names, alg, states, numbers, given)


def fedadmm_steps(*, given: tuple[Given, ...] = (), steps: tuple[int, ...] = (1, 2, 3)) -> FedADMMSteps:
    """FedADMM under Assumption 4.1: r_i-smooth clients, weights alpha, penalties sigma, nu in [1/2, 1), any eps^0."""
    scalars = {
        "r": positive(CURVATURE, per_client=True),
        "sigma": positive(CURVATURE, per_client=True),
        "alpha": weights(),
        "nu": between(Fraction(1, 2), 1, per_client=True),
        "root_eps": positive(GRADIENT, per_client=True),
    }
    sizes = {"m": (1, 2, 3), "d": (1, 2), "steps": steps, "k0": (1, 2), "select": tuple(range(1, 8))}
    return FedADMMSteps(scalars, given, sizes, Smooth("r"), None, ("w",), ("W0",))


@dataclass(frozen=True)
class FLAMESteps(FedADMMSteps):
    """`steps` rounds of FLAME from an initial point that satisfies (28); ``x.eps`` is the accuracy of the last round."""

    exact: bool = False  # subproblems solved exactly, eps = 0

    def _method(self, x: Any, shape: Mapping[str, int]) -> Any:
        return FLAME(x.lam, x.rho, x.alpha)

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        xp = numbers.xp
        x = Instance(numbers, names)
        alg = self._method(x, shape)
        E = unit_directions(data["error_axis"], xp) * data["error_reach"] * x.root_eps[..., None]
        eps = x.root_eps**2
        if self.exact:
            E, eps = E * 0, eps * 0
        given.append(lt(-x.lam, min_curvature(x), "the subproblem is strongly convex"))
        states = [alg.init(x.f, x.Theta0, x.W0)]
        for k, mask in enumerate(self.masks(shape)):
            chosen = xp.asarray(mask, device=getattr(numbers, "device", None)) if numbers.kind == "float" else mask
            before = states[-1]
            states.append(alg.step(x.f, before, FLAMEDraws(chosen, E[..., k, :, :])))
            theta = states[-1].Theta
            residual = (x.f.grad(theta) + (theta - before.W) * x.lam) * x.alpha[..., None]
            met = le(x.sq(xp.where(chosen[:, None], residual, residual * 0)), eps, f"(13) at t = {k}")
            given.append(met)
        one = numbers.array(mask.astype(object) * 1)
        return self._with_states({**names, "eps": eps, "selected": one}, alg, states, numbers, given)

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        m, numbers = shape["m"], space.numbers
        x = Instance(numbers, {**x._names, **names})
        alg = self._method(x, shape)
        state = alg.init(x.f, x.Theta0, x.W0)
        error, eps = space.leaves_for("error", m), space.values_for("eps", m)
        if self.exact:
            error, eps = error * 0, eps * 0
        space.nonnegative("(13)", eps - x.sq(error))
        mask = self.masks(shape)[-1]
        following = alg.step(x.f, state, FLAMEDraws(mask, error))
        names = {**x._names, "eps": eps, "selected": mask.astype(object) * 1}
        return self._with_states(names, alg, [state, following], numbers, ())

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        x = Instance(numbers, names)
        alg, m = self._method(x, shape), shape["m"]
        states = [alg.init(x.f, x.Theta0, x.W0)]
        states.append(alg.step(x.f, states[0], FLAMEDraws(np.ones(m, dtype=bool), filled(GRADIENT, m, 1))))
        names = {**names, "eps": filled(GRADIENT**2, m), "selected": filled(1, m)}
        return self._with_states(names, alg, states, numbers, given)


def flame_steps(
    *,
    given: tuple[Given, ...] = (),
    steps: tuple[int, ...] = (1, 2),
    f: FunctionClass | None = None,
    exact: bool = False,
) -> FLAMESteps:
    """FLAME under Assumption 1: L-smooth clients, weights alpha, any accuracy eps."""
    scalars = {
        "L": positive(CURVATURE),
        "lam": positive(CURVATURE),
        "rho": positive(CURVATURE),
        "alpha": weights(),
        "root_eps": positive(GRADIENT, per_client=True),
    }
    sizes = {"m": (1, 2, 3), "d": (1, 2), "steps": steps, "k0": (1,), "select": tuple(range(1, 8))}
    return FLAMESteps(scalars, given, sizes, f or Smooth("L"), None, (), ("Theta0", "W0"), exact=exact)


@dataclass(frozen=True)
class Minibatch(FunctionWorld):
    """One client, n samples, a minibatch of `batch` draws with replacement; the clients of the problem are the samples.

    Names: ``x.theta_hat``, ``x.theta_tilde(draw)``, ``x.gamma_f_sq`` (Assumption 2), ``x.batch``; ``x.E`` over minibatches.
    The approximate solution depends on its own minibatch, as in the method. `each_sample` states that every sample
    function, and not only their mean, belongs to the class; only then is there an abstract instance.
    """

    each_sample: bool = False

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
    own = {"lam": positive(CURVATURE), "nu": positive(GRADIENT)}
    sizes = {"m": (1, 2, 3), "d": (1, 2), "batch": (1, 2)}
    return Minibatch({**own, **scalars}, given, sizes, f, "lam", ("w",), (), None, "gamma_f_sq", each_sample)


def min_curvature(x: Any) -> Any:
    """Smallest curvature of each client, ``(..., m)``."""
    h = x.f.curvature
    far = getattr(x.f, "far", h)
    out = h[..., 0]
    for c in (h, far):
        for k in range(h.shape[-1]):
            out = x.minimum(out, c[..., k])
    return out


def signed_reach(rng: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    """Relative sizes of errors in [-1, 1]: the bound itself, zero, or in between; often of one sign in a row."""
    value = rng.choice([-1.0, 1.0, 1.0, 0.0, 0.5], size) * np.where(rng.random(size) < 0.3, rng.random(size), 1.0)
    same = np.broadcast_to(value[:, :1], size)
    return np.where(rng.random((size[0],) + (1,) * (len(size) - 1)) < 0.5, same, value)
