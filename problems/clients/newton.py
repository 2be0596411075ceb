"""Newton's method for a stack of problems at once: the prox of every client, and the minimiser of the mean.

Every client has its own step: halved until the value falls enough, up to the rounding of the value itself; a client is
done when full steps no longer halve its gradient, so what is returned is as exact as the gradient can be computed. The
direction is a dense solve in small dimensions, and conjugate gradients on Hessian products in large ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from fedtheory.problem import Optimum

from .spectra import hessian_block, least_norm, norm

DENSE_PROX = 128  # largest d at which the prox solves with dense Hessians; beyond it the penalty makes CG short
DENSE_OPTIMUM = 1500  # largest d at which the optimum decomposes the dense mean Hessian
STEPS = 100
HALVINGS = 60
ARMIJO = 1e-4
NEAR = 1e-9  # a predicted decrease, relative to the value, below which steps are only polish
FORCING = 1e-3  # relative residual of a CG direction: each Newton step gains three digits

SOLVED = 1e-8  # gradient norm at a stationary point, relative to the one at the start
LOST = 1e-8  # curvature at the end, relative to the one at the start, that counts as none

Vector = Any  # (..., k, d)


def minimise(
    value_and_grad: Callable[[Vector], tuple[Any, Any]],
    direction: Callable[[Vector, Any, Any], Any],
    start: Vector,
) -> tuple[Vector, Any]:
    """Minimise k functions at once from `start` ``(..., k, d)``.

    Parameters
    ----------
    value_and_grad : callable
        Values ``(..., k)`` and gradients ``(..., k, d)`` at points.
    direction : callable
        Descent direction from a point, its gradient and a mask ``(..., k)`` of the functions that still need one.
    start : array (..., k, d)
        First points.

    Returns
    -------
    point, residual : array (..., k, d), (..., k)
        The points of least gradient norm that were met, and that norm.
    """
    xp = array_namespace(start)
    eps = float(xp.finfo(start.dtype).eps)
    x, (v, g) = start, value_and_grad(start)
    best, r = x, norm(g, xp)
    least, open_ = r, r > 0
    for _ in range(STEPS):
        if not bool(xp.any(open_)):
            break
        p = xp.where(open_[..., None], direction(x, g, open_), xp.zeros_like(x))
        fall = xp.sum(g * p, axis=-1)
        near = -fall <= NEAR * xp.abs(v)
        x, v, g = _step(value_and_grad, x, v, g, p, fall, open_, eps)
        r = norm(g, xp)
        stalled = (near & (r > least / 2)) | ~(fall < 0)
        better = r < least
        best, least = xp.where(better[..., None], x, best), xp.where(better, r, least)
        open_ = open_ & ~stalled & (r > 0)
    return best, least


def _step(
    value_and_grad: Callable[[Vector], tuple[Any, Any]],
    x: Vector,
    v: Any,
    g: Any,
    p: Any,
    fall: Any,
    open_: Any,
    eps: float,
) -> tuple[Vector, Any, Any]:
    """One step along p, halved for every function until its value falls by a fraction of what its slope promises."""
    xp = array_namespace(x)
    t = xp.ones_like(v)
    todo = open_
    for _ in range(HALVINGS):
        trial = x + xp.where(todo, t, xp.zeros_like(t))[..., None] * p
        v_t, g_t = value_and_grad(trial)
        fine = todo & (v_t <= v + ARMIJO * t * fall + 16 * eps * xp.abs(v))
        x, g = xp.where(fine[..., None], trial, x), xp.where(fine[..., None], g_t, g)
        v, todo = xp.where(fine, v_t, v), todo & ~fine
        if not bool(xp.any(todo)):
            break
        t = t / 2
    return x, v, g


def conjugate_gradients(product: Callable[[Any], Any], b: Any, open_: Any, forcing: float = FORCING) -> Any:
    """Solve H u = b for every client to a relative residual, ``(..., k, d)``; stops where H is not positive.

    A client that meets a direction of no positive curvature keeps its last iterate, or the right-hand side at first.
    """
    xp = array_namespace(b)
    u, r, p = xp.zeros_like(b), b, b
    rr = xp.sum(r * r, axis=-1)
    aim = rr * forcing**2
    run = open_ & (rr > 0)
    for k in range(max(50, 4 * b.shape[-1])):
        if not bool(xp.any(run)):
            break
        Hp = product(p)
        curvature = xp.sum(p * Hp, axis=-1)
        run = run & (curvature > 0)
        if k == 0:
            u = xp.where(run[..., None], u, b)
        a = xp.where(run, rr / xp.where(run, curvature, xp.ones_like(rr)), xp.zeros_like(rr))[..., None]
        u, r = u + a * p, r - a * Hp
        new = xp.sum(r * r, axis=-1)
        p = r + (new / xp.where(run, rr, xp.ones_like(rr)))[..., None] * p
        rr = xp.where(run, new, rr)
        run = run & (new > aim)
    return u


def prox(problem: Any, W: Any, lam: Any) -> Any:
    """The minimisers of f_i(theta) + lam_i/2 |theta - w_i|^2, ``(..., m, d)``; lam is ``(1,)`` or ``(m,)``, checked."""
    xp, m, d = problem.xp, problem.m, problem.d
    start = W + xp.zeros((m, 1), dtype=W.dtype, device=problem.device)
    if d > DENSE_PROX:
        return _prox(problem, start, lam)
    size = hessian_block(d, math.prod(start.shape[:-2]))
    if m <= size:
        return _prox(problem, start, lam)
    parts = []
    for lo in range(0, m, size):
        hi = min(lo + size, m)
        some = problem.subset(np.arange(lo, hi))
        parts.append(_prox(some, start[..., lo:hi, :], lam if lam.shape[0] == 1 else lam[lo:hi]))
    return xp.concat(parts, axis=-2)


def _prox(problem: Any, W: Any, lam: Any) -> Any:
    xp = problem.xp
    shift = lam[:, None]

    def value_and_grad(T: Any) -> tuple[Any, Any]:
        v, g = problem.value_and_grad(T)
        away = T - W
        return v + lam * xp.sum(away * away, axis=-1) / 2, g + shift * away

    def direction(T: Any, g: Any, open_: Any) -> Any:
        return -solve(problem, T, shift, g, open_)

    return minimise(value_and_grad, direction, W)[0]


def solve(problem: Any, T: Any, shift: Any, g: Any, open_: Any = None, forcing: float = FORCING) -> Any:
    """(Hess f_i(theta_i) + lam_i)^{-1} g_i, ``(..., m, d)``; shift is lam as ``(m, 1)`` or ``(1, 1)``.

    Dense in small dimensions; else by conjugate gradients to a relative residual `forcing`.
    """
    xp = problem.xp
    if problem.d <= DENSE_PROX:
        eye = xp.eye(problem.d, dtype=g.dtype, device=problem.device)
        return xp.linalg.solve(problem.hessian(T) + eye * shift[..., None], g[..., None])[..., 0]
    if open_ is None:
        open_ = xp.ones(g.shape[:-1], dtype=xp.bool, device=problem.device)
    return conjugate_gradients(lambda V: problem.hessian_product(T, V) + shift * V, g, open_, forcing)


def optimum(problem: Any) -> Optimum:
    """The minimiser of the mean of f_i from w = 0, or a stationary point where the f_i may not be convex.

    Raises
    ------
    UsageError
        If Newton's method does not reach a stationary point, as on separable data without a regulariser.
    """
    xp, d = problem.xp, problem.d
    floor = np.asarray(problem.floor)
    convex, strongly = bool((floor >= 0).all()), bool((floor > 0).all())
    dense = d <= DENSE_OPTIMUM

    def value_and_grad(w: Any) -> tuple[Any, Any]:
        v, g = problem.value_and_grad(w)
        return xp.mean(v, axis=-1, keepdims=True), xp.mean(g, axis=-2, keepdims=True)

    def direction(w: Any, g: Any, open_: Any) -> Any:
        if not dense:
            return conjugate_gradients(
                lambda v: xp.mean(problem.hessian_product(w, v), axis=-2, keepdims=True), -g, open_
            )
        if strongly:  # nothing to leave out, so no eigenvalues are needed
            return -xp.linalg.solve(problem.mean_hessian(w), g[..., None])[..., 0]
        return -least_norm(problem.mean_hessian(w), g, convex=convex)[0]

    if not dense and not strongly:
        rule = f"needs a strongly convex problem where d > {DENSE_OPTIMUM}; use l2 > 0"
        raise UsageError(f"`{problem.name}.optimum()` {rule}, got d={d}.")
    start = xp.zeros((1, d), dtype=xp.float64, device=problem.device)
    w, residual = minimise(value_and_grad, direction, start)
    size = float(residual[0])
    if not size <= SOLVED * float(norm(value_and_grad(start)[1], xp)[0]):
        rule = f"did not find a stationary point, the mean gradient is still {size:.2g}; use l2 > 0"
        raise UsageError(f"`{problem.name}.optimum()` {rule}.")
    kind = "unique" if strongly else _kind(problem, start, w, convex)
    how = f"Newton's method with {'the dense mean Hessian' if dense else 'conjugate gradients'}; {kind}"
    return Optimum(w, float(value_and_grad(w)[0][0]), size, how)


def _kind(problem: Any, start: Any, w: Any, convex: bool) -> str:
    """What the Hessian at a stationary point tells about it.

    A function whose infimum is not attained is flat far out, where its gradient vanishes too. So a Hessian that has lost
    its curvature on the way from `start` is refused.
    """
    before, at = (to_host(problem.xp.linalg.eigvalsh(problem.mean_hessian(v))) for v in (start, w))
    cut = len(at) * np.finfo(float).eps * np.abs(at).max()
    sizes = [np.sort(np.abs(e))[::-1] for e in (before, at)]
    rank = int((sizes[0] > len(at) * np.finfo(float).eps * sizes[0][0]).sum())
    if rank and sizes[1][rank - 1] <= LOST * sizes[0][rank - 1]:
        rule = "finds no minimiser: the curvature vanishes along the way, as on separable data; use l2 > 0"
        raise UsageError(f"`{problem.name}.optimum()` {rule}.")
    if convex:
        return (
            "unique"
            if at[0] > cut
            else f"one of several: the mean Hessian has rank {int((at > cut).sum())} of {len(at)}"
        )
    least = f"the least eigenvalue of the mean Hessian there is {at[0]:.2g}"
    return f"a stationary point, since not every client is convex; {least}"
