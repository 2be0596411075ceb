"""The world of runs of pFedMe: T rounds from any start, averaged exactly over every history of sampled clients.

Starts at the minimiser, at the biased fixed point of the method, and anywhere; clients of the class as in `FunctionWorld`;
errors of the inner solver adversarial, of size at most delta. The states are computed when a body looks at them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any, ClassVar

import numpy as np

from fedtheory._arrays import array_namespace
from fedtheory.algorithms import PFedMe
from fedtheory.algorithms.pfedme import PFedMeDraws, PFedMeState
from fedtheory.errors import NotApplicable
from fedtheory.gram.forms import Space
from fedtheory.instance import Instance
from fedtheory.numbers import Numbers
from fedtheory.relation import le
from fedtheory.theory.pfedme.symbols import symbols
from fedtheory.theory.pfedme.theorem1 import w_bar
from fedtheory.world import Scalar
from problems.worlds.classes.base import FunctionClass
from problems.worlds.derived import Derived, DerivedRegion
from problems.worlds.function_world import FunctionWorld, unit_vectors
from problems.worlds.region import Given
from problems.worlds.steps import signed_reach, unit_directions

from .round import PFedMeRound

HISTORIES = 64  # most histories that a shape may have
PERIOD = 3  # rounds after which the errors repeat


class Along(Sequence[Any]):
    """What a run has at t = 0, 1, ..., each computed when a body looks at it, and then kept."""

    def __init__(self, of: Callable[[int], Any], count: int) -> None:
        self._of, self._places = cache(of), range(count)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, t: Any) -> Any:
        return [self._of(k) for k in self._places[t]] if isinstance(t, slice) else self._of(self._places[t])


class Run:
    """All histories of one run as a tree: level t holds the states after t rounds, one for each history so far."""

    def __init__(
        self, alg: PFedMe, problem: Any, start: Any, errors: Sequence[Any], masks: Sequence[Any], rounds: int
    ) -> None:
        self.alg, self.problem, self.errors, self.masks, self.rounds = alg, problem, errors, masks, rounds
        self._levels = [[PFedMeState(start)]]

    def error(self, t: int) -> tuple[Any, ...]:
        """theta_tilde - theta_hat of round t: R arrays ``(..., m, d)``."""
        return self.errors[t % len(self.errors)]

    def level(self, t: int) -> list[PFedMeState]:
        """The equally likely states after t rounds."""
        while len(self._levels) <= t:
            error = self.error(len(self._levels) - 1)
            self._levels.append(
                [
                    self.alg.step(self.problem, state, PFedMeDraws(mask, error))
                    for state in self._levels[-1]
                    for mask in self.masks
                ]
            )
        return self._levels[t]

    def expected(self, fn: Callable[[PFedMeState], Any], last: int | None = None) -> Sequence[Any]:
        """E fn(state_t) for t = 0 .. last (T by default), exactly."""
        return Along(lambda t: self._expected(fn, t), (self.rounds if last is None else last) + 1)

    def _expected(self, fn: Callable[[PFedMeState], Any], t: int) -> Any:
        level = self.level(t)
        return reduce(lambda a, b: a + b, map(fn, level)) / len(level)

    def averaged(self, weights: Sequence[Any], fn: Callable[[PFedMeState], Any]) -> Any:
        """E fn(sum of weights[t] w_t), exactly, over the histories; there are T weights, or T + 1."""
        T, b = self.rounds, len(self.masks)
        runs = [[self.level(t)[n // b ** (T - t)] for t in range(T + 1)] for n in range(b**T)]
        return reduce(lambda a, b: a + b, [fn(PFedMeState(w_bar(weights, states))) for states in runs]) / len(runs)


class AffineRun(Run):
    """A run whose rounds are affine maps of a number: each is read off the method's own round at two points.

    Level t holds one state, the mean of w_t over the histories; with its variance it gives the expectation of every
    quadratic function, for any number of histories.
    """

    def level(self, t: int) -> list[PFedMeState]:
        if not hasattr(self, "_maps"):
            self._maps = [self._map(mask) for mask in self.masks]
            self._slope = self._mean([slope for _, slope in self._maps])
            self._spread = [self._levels[0][0].w * 0]  # variance of w_t
            self._news: list[Any] = []  # variance of w_{t+1} given w_t, averaged
        while len(self._levels) <= t:
            k, u = len(self._levels), self._levels[-1][0].w - self.problem.center
            reached = [base + u * slope for base, slope in self._maps]
            mean = self._mean(reached)
            if len(self._maps) > 1:
                moved = self._mean([(w - mean) ** 2 for w in reached])
                bent = self._mean([(slope - self._slope) ** 2 for _, slope in self._maps])
                self._news.append(moved + bent * self._spread[-1])
                self._spread.append(self._slope**2 * self._spread[-1] + self._news[-1])
            self._levels.append([PFedMeState(mean, k, k)])
        return self._levels[t]

    def _expected(self, fn: Callable[[PFedMeState], Any], t: int) -> Any:
        """E fn(state_t), exactly, for a quadratic function of w."""
        return self._quadratic(fn, self.level(t)[0].w, self._spread[t : t + 1])

    def averaged(self, weights: Sequence[Any], fn: Callable[[PFedMeState], Any]) -> Any:
        """E fn(sum of weights[t] w_t), exactly, for a quadratic `fn`.

        A deviation that comes in at round k is uncorrelated with the earlier ones, and the mean slope carries it on: it counts
        as often as echo_k = sum of weights[t] slope^(t-1-k) over t > k, which is weights[k+1] + slope echo_{k+1}.
        """
        mean = w_bar(weights, [self.level(t)[0] for t in range(self.rounds + 1)])
        echo, spread = mean * 0, []
        for k in reversed(range(len(self._news))):
            echo = (weights[k + 1] if k + 1 < len(weights) else 0) + self._slope * echo
            spread.append(self._news[k] * echo**2)
        return self._quadratic(fn, mean, [reduce(lambda a, b: a + b, spread)] if spread else [])

    def _quadratic(self, fn: Callable[[PFedMeState], Any], mean: Any, spread: Sequence[Any]) -> Any:
        """E fn from mean and variance by second differences."""
        middle = fn(PFedMeState(mean))
        if len(self._maps) == 1 or not spread:
            return middle
        h = self._apart(spread[0])
        ahead, behind = fn(PFedMeState(mean + h)), fn(PFedMeState(mean - h))
        return middle + (spread[0] / h**2)[..., 0] * (ahead + behind - 2 * middle) / 2

    def _apart(self, spread: Any) -> Any:
        """Distance of the points of a second difference; exact numbers take any."""
        return spread * 0 + 1

    def _mean(self, values: Sequence[Any]) -> Any:
        return reduce(lambda a, b: a + b, values) / len(values)

    def _map(self, mask: Any) -> tuple[Any, Any]:
        """The server vector after a round from the centre, and how it changes with the start."""
        draw, center = PFedMeDraws(mask, self.error(0)), self.problem.center
        base, above = (self.alg.step(self.problem, PFedMeState(w), draw).w for w in (center, center + 1))
        return base, above - base


class RankedRun(AffineRun):
    """The same in floats, where a second difference keeps its digits over one standard deviation."""

    def _apart(self, spread: Any) -> Any:
        xp = array_namespace(spread)
        return xp.where(spread > 0, xp.sqrt(xp.abs(spread)), 1.0 + spread * 0)


@dataclass(frozen=True)
class History:
    """One history of sampled clients."""

    run: Run
    leaf: int

    @property
    def states(self) -> list[PFedMeState]:
        """The T + 1 states along this history."""
        T, b = self.run.rounds, len(self.run.masks)
        return [self.run.level(t)[self.leaf // b ** (T - t)] for t in range(T + 1)]


@dataclass(frozen=True)
class PFedMeRuns(PFedMeRound, DerivedRegion):
    """T rounds of pFedMe; `pfedme_runs` builds it.

    Names: ``x.w`` and ``x.state`` (the start), ``x.alg``, ``x.T``, ``x.errors(t)`` (R arrays, the errors of round t),
    ``x.error`` (of round 0), ``x.expected(fn, last)`` (E fn(state_t) for t = 0 .. last, T by default),
    ``x.averaged(weights, fn)`` (E fn of the sum of weights[t] w_t) and
    ``x.E(lambda h: ...)`` over histories with ``h.states``. The free vector ``w`` of a searched instance is the distance
    of the start from the centre of the clients, which is w_star where the world has one; with ``settled = 1`` the start
    is where the averaged round has its fixed point for quadratic clients in one dimension.
    """

    own_names: ClassVar[tuple[str, ...]] = (*PFedMeRound.own_names, "errors", "expected", "averaged")
    still: ClassVar[tuple[str, ...]] = (*PFedMeRound.still, "settled")
    own_clients: ClassVar[str] = "the claim is about runs that start near the centre of the search's own clients"

    def shapes(self, largest_m: int) -> list[dict[str, int]]:
        """Every combination of sizes with at most `HISTORIES` histories."""
        return [s for s in super().shapes(largest_m) if math.comb(s["m"], s["S"]) ** s["T"] <= HISTORIES]

    def _period(self, shape: Mapping[str, int]) -> int:
        return min(shape["T"], PERIOD)

    def draw_vectors(self, rng: np.random.Generator, shape: Mapping[str, int], batch: int) -> dict[str, np.ndarray]:
        size = (batch, self._period(shape) * shape["R"], shape["m"], shape["d"])
        free = super().draw_vectors(rng, shape, batch)
        return {
            **free,
            "w": free["w"] * (rng.random((batch, 1, 1)) < 0.7),
            "settled": (rng.random((batch, 1, 1)) < 0.1) * 1.0,
            "error_axis": rng.standard_normal(size),
            "error_reach": signed_reach(rng, (*size[:-1], 1)),
        }

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        return (v != 0) * 1.0 if name == "settled" else super().admit(name, v)

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        xp = numbers.xp
        x = Instance(numbers, names)
        E = unit_directions(data["error_axis"], xp) * data["error_reach"] * x.delta
        R = shape["R"]
        given = [*given, le(xp.sum(E * E, axis=-1), x.delta**2, "|theta_tilde - theta_hat|^2 <= delta^2")]
        errors = [tuple(E[..., p * R + r, :, :] for r in range(R)) for p in range(self._period(shape))]
        alg = self._method(x, shape)
        start = x.f.center + data["w"]
        if numbers.kind == "float" or any(v != 0 for v in np.ravel(data["settled"])):
            start = start + data["settled"] * (fixed_point(alg, x.f, errors[0], x) - start)
        return self._instance({**names, "w": start}, alg, errors, shape, numbers, given)

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        errors = []
        for t in range(self._period(shape)):
            errors.append(tuple(space.leaves_for(f"error{t}.{r}", shape["m"]) for r in range(shape["R"])))
            for r, e in enumerate(errors[-1]):
                space.nonnegative(f"delta^2 - |error{t}.{r}|^2", x.delta**2 - x.sq(e))
        return self._instance({**x._names, **names}, self._method(x, shape), errors, shape, space.numbers, ())

    def unit_finish(self, names: dict[str, Any], shape: dict[str, int], numbers: Numbers, given: Any) -> Instance:
        x = Instance(numbers, names)
        errors = [tuple(unit_vectors(shape["m"]) for _ in range(shape["R"]))]
        return self._instance(names, self._method(x, shape), errors, {**shape, "T": 1}, numbers, given)

    def _run(self, numbers: Numbers) -> type[Run]:
        return Run

    def _instance(
        self,
        names: dict[str, Any],
        alg: PFedMe,
        errors: list[Any],
        shape: Mapping[str, int],
        numbers: Numbers,
        given: Any,
    ) -> Instance:
        run = self._run(numbers)(
            alg, names["f"], names["w"], errors, numbers.selections(shape["m"], shape["S"]), shape["T"]
        )
        histories = (
            []
            if len(run.masks) ** shape["T"] > HISTORIES
            else [History(run, n) for n in range(len(run.masks) ** shape["T"])]
        )
        start = {"alg": alg, "state": run.level(0)[0], "error": errors[0]}
        later = {
            "errors": run.error,
            "expected": run.expected,
            "averaged": run.averaged,
            "T": numbers.count(shape["T"]),
        }
        return Instance(numbers, {**names, **start, **later}, draws=histories, given=given)


@dataclass(frozen=True)
class AffineRuns(PFedMeRuns):
    """Many rounds with quadratic clients in one dimension and the same errors in every round; no certificates.

    `x.expected` and `x.averaged` take quadratic functions, for any number of histories; ``x.E`` where there are few.
    """

    def shapes(self, largest_m: int) -> list[dict[str, int]]:
        """Every combination of sizes: moments take the place of histories."""
        return FunctionWorld.shapes(self, largest_m)

    def _period(self, shape: Mapping[str, int]) -> int:
        return 1

    def draw_vectors(self, rng: np.random.Generator, shape: Mapping[str, int], batch: int) -> dict[str, np.ndarray]:
        free = super().draw_vectors(rng, shape, batch)
        return {k: self.admit(k, v) for k, v in free.items()}

    def admit(self, name: str, v: np.ndarray) -> np.ndarray:
        idle = {"kinked": 0.0, "far": 0.0, "knee": 1.0, "axis": 1.0, "error_axis": 1.0, "offset": 0.0, "center": 0.0}
        return np.full(v.shape, idle[name]) if name in idle else super().admit(name, v)

    def finish(
        self, names: dict[str, Any], given: list[Any], shape: Mapping[str, int], data: dict[str, Any], numbers: Numbers
    ) -> Instance:
        if shape["d"] != 1 or (numbers.kind != "float" and any(v != 0 for v in np.ravel(data["kinked"]))):
            raise ValueError("affine rounds need quadratic clients in one dimension")
        return super().finish(names, given, shape, data, numbers)

    def abstract_finish(self, names: dict[str, Any], x: Instance, shape: dict[str, int], space: Space) -> Instance:
        raise NotApplicable("a run of affine rounds has quadratic clients and no certificate")

    def _run(self, numbers: Numbers) -> type[Run]:
        return {"units": Run, "float": RankedRun}.get(numbers.kind, AffineRun)


def fixed_point(alg: PFedMe, f: Any, error: tuple[Any, ...], x: Instance) -> Any:
    """Where a round averaged over client sampling leaves w, if its local rounds are an affine map of each coordinate."""
    first = x.mean_vec(alg.local(f, f.center, error)[0][-1])
    second = x.mean_vec(alg.local(f, f.center + 1, error)[0][-1])
    return f.center + (first - f.center) / (1 - (second - first))


def pfedme_runs(
    f: FunctionClass,
    *,
    optimum_of: str | None,
    given: tuple[Given, ...] = (),
    rounds: tuple[int, ...] = (1, 2, 3),
    R: tuple[int, ...] = (1, 2),
    m: tuple[int, ...] = (1, 2),
    S: tuple[int, ...] = (1, 2),
    d: tuple[int, ...] = (1,),
    derived: Derived | None = None,
    affine: bool = False,
    **scalars: Scalar,
) -> PFedMeRuns:
    """T rounds of pFedMe on clients of class `f`, over every history of S sampled clients.

    Parameters
    ----------
    f : FunctionClass
    optimum_of : None, "f" or "F"
        What ``x.w_star`` minimises.
    given : tuple of Condition
        Stated conditions on the scalars.
    rounds, R, m, S, d : tuple of int
        Sizes: T, local steps, clients, sampled clients, dimension.
    derived : dict of formulas
        Scalars that follow from others, such as ``eta``; what is derived is not drawn.
    affine : bool
        Whether the clients are quadratics in one dimension with the same errors in every round: for many rounds.
    **scalars : Scalar
        Beside lam, eta, beta (at least 1) and delta (at least 0), which are added unless derived.
    """
    derived = dict(derived or {})
    own = symbols("lam", "eta", "beta", "delta")
    free = {k: v for k, v in {**own, **scalars}.items() if k not in derived}
    sizes = {"m": m, "d": d, "R": R, "S": S, "T": rounds}
    world = AffineRuns if affine else PFedMeRuns
    return world(free, given, sizes, f=f, envelope="lam", optimum_of=optimum_of, derived=derived)
