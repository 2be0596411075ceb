"""How different clients and samples are, measured: sigma_f^2, gamma_f^2 (suprema over w), sigma_{F,1}^2, sigma_{F,2}^2.

Source: C. T. Dinh, N. H. Tran, T. D. Nguyen, pFedMe, arXiv:2006.08848, Assumptions 2 and 3, Lemma 2.

A supremum over all w is closed-form, or infinite with a reason, or enclosed: the largest value that a search finds, and a
bound that is proved. For quadratics with different Hessians sigma_f^2 is infinite, and for least squares on more than one
sample so is gamma_f^2: Assumptions 2 and 3 do not hold. Regularisers that all clients share cancel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from fedtheory.measure import estimates
from fedtheory.problem import Problem
from fedtheory.random import stream

from .base import checked_point, name_of
from .envelope import Envelope
from .least_squares import LeastSquaresClients
from .linear_models import LinearModelClients
from .one_variable import HuberClients, ScalarClients
from .quadratic import QuadraticClients
from .spectra import hessian_block
from .store import Block

EQUAL = 1e-12  # relative difference below which two Hessians, or two samples, count as equal
SCALES = (0.1, 1.0, 10.0, 100.0, 1e4)  # sizes of w at which a search starts
DIRECTIONS = 12  # random ones of a search, each at all sizes
CLIMBERS = 3  # starts from which a search climbs
CLIMB = 40  # steps
POINTS = 2**18  # numbers of (points, clients) looked at in one go


class Sampled(Problem, Protocol):
    """A problem whose clients hold samples."""

    def sample_variance(self, W: Any) -> Any:
        """Variance of the gradient of one sample of each client, ``(..., m)``."""


@dataclass(frozen=True)
class Measured:
    """A measured constant.

    Attributes
    ----------
    value : float
        The constant, or the largest value found; inf where it is infinite.
    bound : float
        A proved upper bound; equal to `value` where that is the constant.
    how : str
        One sentence: where both come from.
    """

    value: float
    bound: float
    how: str

    @property
    def exact(self) -> bool:
        """Whether `value` is the constant, up to rounding."""
        return self.value == self.bound


def sigma_f_sq(problem: Problem, at: Any = None, *, seed: int = 0) -> Measured:
    """sup_w mean_i |grad f_i(w) - grad f(w)|^2 (Assumption 3), or its largest value at given points.

    Parameters
    ----------
    problem : Problem
        Any clients; closed forms for quadratics, least squares and Huber functions.
    at : array (..., 1, d), optional
        Points to measure at, instead of all w.
    seed : int
        Of the search.

    Examples
    --------
    >>> from problems.clients.quadratic import QuadraticClients
    >>> sigma_f_sq(QuadraticClients([[[2.0]], [[2.0]]], [[1.0], [5.0]])).value
    4.0
    >>> sigma_f_sq(QuadraticClients([[[2.0]], [[3.0]]], [[1.0], [5.0]])).value
    inf
    """
    if at is not None:
        return _at_points("sigma_f_sq", lambda w: _diversity(problem, w), problem, at)
    if problem.m == 1:
        return Measured(0.0, 0.0, "0, since there is one client")
    if (start := _start(problem)) is not None:
        return _estimated(estimates.diversity(problem, start))
    zero = problem.xp.zeros((1, problem.d), dtype=problem.xp.float64, device=problem.device)
    if isinstance(problem, (LeastSquaresClients, QuadraticClients)):
        gap, i = _unequal_hessians(problem, zero)
        if gap > EQUAL:
            why = f"the Hessian of client {i} differs from that of client 0 by {gap:.2g} of its size"
            return Measured(math.inf, math.inf, f"infinite: {why}, so the gradients drift apart as |w| grows")
        value = float(_diversity(problem, zero))
        return Measured(value, value, "the Hessians are equal, so the gradients differ by the same vectors everywhere")
    if isinstance(problem, HuberClients):
        value = _at_kinks(problem)
        return Measured(value, value, "the largest value at the kinks, between which it is a convex quadratic")
    bound, why = _gradient_bound(problem)
    # far out the rounding of a shared regulariser would pass for a difference
    value = _climb(problem.unregularised() if isinstance(problem, LinearModelClients) else problem, zero, seed)
    return Measured(value, max(bound, value), f"the largest value found by a search; {why}")


def gamma_f_sq(problem: Sampled, at: Any = None, *, seed: int = 0) -> Measured:
    """max_i sup_w of the variance of one sample's gradient (Assumption 2), or its largest value at given points.

    Parameters as of `sigma_f_sq`; points may also be ``(..., m, d)``.

    Examples
    --------
    >>> import numpy as np
    >>> f = LeastSquaresClients([(np.array([[1.0], [2.0]]), np.array([0.0, 0.0]))])
    >>> gamma_f_sq(f).how
    'infinite: the samples of client 0 differ, so the gradients of its samples drift apart as |w| grows'
    """
    if at is not None:
        return _at_points("gamma_f_sq", lambda w: problem.xp.max(problem.sample_variance(w), axis=-1), problem, at)
    if isinstance(problem, (QuadraticClients, ScalarClients)):
        return Measured(0.0, 0.0, "0, since every client is its only sample")
    if (start := _start(problem)) is not None:
        return _estimated(estimates.noise(problem, start))
    if not isinstance(problem, LinearModelClients):
        raise UsageError(f"`gamma_f_sq(problem)` needs clients with samples, got {name_of(problem)}.")
    if isinstance(problem, LeastSquaresClients):
        i = _unequal_samples(problem)
        if i is not None:
            why = f"the samples of client {i} differ, so the gradients of its samples drift apart as |w| grows"
            return Measured(math.inf, math.inf, f"infinite: {why}")
        zero = problem.xp.zeros((1, problem.d), dtype=problem.xp.float64, device=problem.device)
        value = float(problem.xp.max(problem.sample_variance(zero)))
        return Measured(value, value, "the samples of every client are equal up to sign, so the variance is constant")
    value = _climb_variance(problem, seed)
    bound = problem.slope_sq * float(np.max(_mean_square(problem)))
    why = "the bound is that of the squared slope times the mean of |x|^2"
    return Measured(value, max(bound, value), f"the largest value found by a search; {why}")


def sigma_F1_sq(problem: Problem, lam: Any) -> Measured:
    """mean_i |grad F_i(w*)|^2 at the minimiser of the mean Moreau envelope (Lemma 2 (a)).

    Examples
    --------
    >>> from problems.clients.quadratic import QuadraticClients
    >>> sigma_F1_sq(QuadraticClients([[[2.0]], [[2.0]]], [[1.0], [5.0]]), 2.0).value
    1.0
    """
    F = Envelope(problem, lam)
    best = F.optimum()
    value = float(problem.xp.mean(_square(F.grad(best.w_star), problem.xp)))
    return Measured(value, value, f"at the w* of {best.how}, mean gradient {best.residual:.2g}")


def sigma_F2_sq(problem: Problem, lam: float, *, seed: int = 0) -> Measured:
    """lam^2/(lam^2 - 8 L^2) sigma_f^2 (Lemma 2 (b)).

    Raises
    ------
    UsageError
        Unless lam > 2 sqrt(2) L.
    """
    L = problem.constants().L
    if not (isinstance(lam, (int, float)) and math.isfinite(lam) and lam > 0 and lam * lam > 8 * L * L):
        rule = f"must be a number above 2 sqrt(2) L = {math.sqrt(8) * L:.6g} (Lemma 2 (b))"
        raise UsageError(f"`sigma_F2_sq(lam=...)` {rule}, got {lam!r}.")
    of, factor = sigma_f_sq(problem, seed=seed), lam * lam / (lam * lam - 8 * L * L)
    return Measured(factor * of.value, factor * of.bound, f"{factor:.6g} times sigma_f^2: {of.how}")


def _start(problem: Any) -> Any:
    """The point ``(1, d)`` at which a problem without known constants, a network, is looked at; else None."""
    return getattr(problem, "start", None)


def _estimated(value: Any) -> Measured:
    return Measured(
        float(value), math.inf, "at the start: an estimate, since the supremum over all points is not known"
    )


def _square(G: Any, xp: Any) -> Any:
    return xp.sum(G * G, axis=-1)


def _diversity(problem: Problem, w: Any) -> Any:
    """mean_i |grad f_i(w) - grad f(w)|^2, ``(...)``, for w ``(..., 1, d)``."""
    xp = problem.xp
    G = problem.grad(w)
    return xp.mean(_square(G - xp.mean(G, axis=-2, keepdims=True), xp), axis=-1)


def _at_points(call: str, measure: Callable[[Any], Any], problem: Problem, at: Any) -> Measured:
    point = checked_point(problem, call, at)
    if not bool(problem.xp.all(problem.xp.isfinite(point))):
        raise UsageError(f"`{call}(at=...)` must hold finite numbers.")
    return Measured(float(problem.xp.max(measure(point))), math.inf, "the largest value at the given points")


def _unequal_hessians(problem: Problem, zero: Any) -> tuple[float, int]:
    """A relative difference of Hessians above EQUAL and its client, or the largest one there is."""
    xp, size = problem.xp, hessian_block(problem.d)
    first = problem.subset(np.array([0])).hessian(zero)
    unit = float(xp.max(xp.abs(first))) or 1.0
    largest, where = 0.0, 0
    for lo in range(0, problem.m, size):
        hi = min(lo + size, problem.m)
        gaps = to_host(xp.max(xp.abs(problem.subset(np.arange(lo, hi)).hessian(zero) - first), axis=(-2, -1))) / unit
        if gaps.max() > largest:
            largest, where = float(gaps.max()), lo + int(gaps.argmax())
        if largest > EQUAL:
            break
    return largest, where


def _unequal_samples(problem: LeastSquaresClients) -> int | None:
    """A client with two samples that are not equal up to sign, so that their x x' differ."""
    xp = problem.xp

    def gaps(b: Block) -> Any:
        first = b.X[:, :1, :]
        apart = xp.minimum(xp.max(xp.abs(b.X - first), axis=-1), xp.max(xp.abs(b.X + first), axis=-1))
        apart = apart if b.mask is None else apart * b.mask
        size = xp.max(xp.abs(first), axis=(-2, -1))
        return xp.max(apart, axis=-1) - EQUAL * size

    found = to_host(problem.store.map(gaps, axis=0)) > 0
    return int(found.argmax()) if found.any() else None


def _at_kinks(problem: HuberClients) -> float:
    xp, kinks = problem.xp, problem.kinks
    step, best = max(1, POINTS // problem.m), 0.0
    for lo in range(0, len(kinks), step):
        w = xp.asarray(kinks[lo : lo + step, None, None], device=problem.device)
        best = max(best, float(xp.max(_diversity(problem, w))))
    return best


def _gradient_bound(problem: Problem) -> tuple[float, str]:
    """A bound on sigma_f^2 by the mean square of the largest gradients without their shared regulariser."""
    if isinstance(problem, ScalarClients):
        return float((problem.slope_bound**2).mean()), "the bound is the mean of the squared suprema of |f_i'|"
    if isinstance(problem, LinearModelClients) and math.isfinite(problem.slope_sq):
        mean_norm = _mean_norm(problem)
        return problem.slope_sq * float((mean_norm**2).mean()), "the bound is that of the slope times the mean of |x|"
    return math.inf, "no bound is known"


def _mean_norm(problem: LinearModelClients) -> np.ndarray:
    """Mean of |x_ij| over the samples, ``(m,)``."""
    xp = problem.xp
    return to_host(problem.store.map(lambda b: b.total(xp.sqrt(xp.sum(b.X * b.X, axis=-1))), axis=-1))


def _mean_square(problem: LinearModelClients) -> np.ndarray:
    """Mean of |x_ij|^2 over the samples, ``(m,)``."""
    xp = problem.xp
    return to_host(problem.store.map(lambda b: b.total(xp.sum(b.X * b.X, axis=-1)), axis=-1))


def _starts(problem: Problem, W: Any, seed: int, purpose: str) -> list[Any]:
    """Random points and both ends of the gradient's direction at 0, of every size, shaped like W."""
    xp = problem.xp
    rng = stream(seed, 0, purpose)
    noise = xp.asarray(rng.standard_normal((DIRECTIONS, *W.shape)) / math.sqrt(problem.d), device=problem.device)
    g = problem.grad(W)
    g = g if W.shape[-2] == problem.m else xp.mean(g, axis=-2, keepdims=True)
    size = xp.sqrt(xp.sum(g * g, axis=-1, keepdims=True))
    g = g / xp.where(size > 0, size, xp.ones_like(size))
    return [s * v for s in SCALES for v in (g, -g, *(noise[k, ...] for k in range(DIRECTIONS)))]


def _climb(problem: Problem, zero: Any, seed: int) -> float:
    """The largest diversity found from the best starts, by steps along its gradient, random ones, and doubling."""
    xp = problem.xp
    rng = stream(seed, 1, "sigma_f_sq")
    starts = [(float(_diversity(problem, w)), w) for w in (zero, *_starts(problem, zero, seed, "sigma_f_sq"))]
    values = []
    for value, w in sorted(starts, key=lambda s: -s[0])[:CLIMBERS]:
        for _ in range(CLIMB):
            G = problem.grad(w)
            up = xp.mean(problem.hessian_product(w, G - xp.mean(G, axis=-2, keepdims=True)), axis=-2, keepdims=True)
            length = float(xp.sqrt(xp.sum(up * up))) or 1.0
            reach = max(1.0, float(xp.sqrt(xp.sum(w * w))))
            step = xp.asarray(rng.standard_normal((2, *w.shape)) / math.sqrt(problem.d), device=problem.device)
            moves = (up / length, 0.1 * up / length, step[0, ...], 0.3 * step[1, ...])
            for trial in (2 * w, *(w + reach * v for v in moves)):
                if (v := float(_diversity(problem, trial))) > value:
                    w, value = trial, v
        values.append(value)
    return max(values)


def _climb_variance(problem: Sampled, seed: int) -> float:
    """The largest variance of a sample's gradient found: every client at its own point, by random steps and doubling."""
    xp = problem.xp
    W = xp.zeros((problem.m, problem.d), dtype=xp.float64, device=problem.device)
    best, value = W, problem.sample_variance(W)
    rng = stream(seed, 1, "gamma_f_sq")
    starts = _starts(problem, W, seed, "gamma_f_sq")
    for k in range(len(starts) + CLIMB):
        if k < len(starts):
            trial = starts[k]
        else:
            step = xp.asarray(rng.standard_normal(tuple(W.shape)) / math.sqrt(problem.d), device=problem.device)
            size = xp.sqrt(xp.sum(best * best, axis=-1, keepdims=True))
            trial = 2 * best if k % 5 == 0 else best + step * size * 0.5 ** (k % 5)
        v = problem.sample_variance(trial)
        best, value = xp.where((v > value)[:, None], trial, best), xp.maximum(v, value)
    return float(xp.max(value))
