"""What is measured of a state: objectives, the papers' stationarity measures, and their Lyapunov values.

Every function gives one number, an array of one entry ``(1,)`` on the device of the state. The formulas of the papers are
those of `fedtheory.theory`; here they meet a problem.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from array_api_compat import array_namespace

from .._arrays import column, moved
from ..algorithms import FLAME, FedADMM, PFedMe
from ..errors import UsageError
from ..instance import Instance
from ..numbers import Floats
from ..runs.loop import draws_of
from ..theory.fedadmm import constants as of_fedadmm
from ..theory.flame import constants as of_flame

Observers = dict[str, Callable[[Any], Any]]
Folds = dict[str, Callable[[Any, Any, Any], Any]]


def objective(problem: Any, w: Any) -> Any:
    """f(w) = mean_i f_i(w) at a server vector ``(1, d)``, ``(1,)``. Unit E.

    Examples
    --------
    >>> import numpy as np
    >>> class Halves:  # f_i(w) = |w|^2/2 for two clients
    ...     m = 2
    ...     def value(self, W): return np.broadcast_to(np.sum(W * W, axis=-1) / 2, (2,))
    >>> objective(Halves(), np.array([[3.0, 4.0]]))
    array([12.5])
    """
    xp = array_namespace(w)
    return xp.mean(problem.value(w), axis=-1, keepdims=True)


def error(problem: Any, w: Any) -> Any:
    """|grad f(w)|^2, the Error of FedADMM's (5.1); on an envelope |grad F(w)|^2 of pFedMe's Theorem 2. Unit (E/M)^2."""
    xp = array_namespace(w)
    return _sq(xp.mean(problem.grad(w), axis=-2, keepdims=True))


def distance_sq(w: Any, w_star: Any) -> Any:
    """|w - w*|^2, the Delta_t of pFedMe's Theorem 1. Unit M^2."""
    return _sq(w - w_star)


def fedadmm_stationarity(problem: Any, method: FedADMM, state: Any) -> Any:
    """Sum of the squared residuals of the three rows of (4.1), Definition 4.1 of FedADMM.

    sum_i |alpha_i grad f_i(w_i) + pi_i|^2 + sum_i |w_i - w|^2 + |sum_i pi_i|^2: zero exactly at the stationary points. The
    rows are two squared gradients and a squared length, so the sum has no one unit; `fedadmm_residuals` gives them apart.
    """
    dual, consensus, balance = fedadmm_residuals(problem, method, state)
    return dual + consensus + balance


def fedadmm_residuals(problem: Any, method: FedADMM, state: Any) -> tuple[Any, Any, Any]:
    """The squared residuals of the three rows of (4.1). Units (E/M)^2, M^2, (E/M)^2."""
    x = instance(problem, method)
    dual = x.total(x.sq(problem.grad(state.W) * column(x.alpha, state.W) + state.Pi))
    return dual, x.total(x.sq(state.W - state.w)), x.sq(x.total_vec(state.Pi))


def fedadmm_lyapunov(problem: Any, method: FedADMM, state: Any, r: Any) -> Any:
    """L_tilde^k of Lemma 4.1, (4.4), with the clients' Lipschitz constants r ``(m,)``. Unit E."""
    return of_fedadmm.lyapunov(instance(problem, method, r=r), state)


def flame_stationarity(problem: Any, method: FLAME, state: Any) -> Any:
    """|grad L(P^t)|^2 of FLAME's Theorem 2, (40)."""
    return of_flame.lagrangian_gradient_sq(instance(problem, method), state)


def flame_lyapunov(problem: Any, method: FLAME, state: Any) -> Any:
    """L^t, FLAME's augmented Lagrangian (8). Unit E."""
    return of_flame.lagrangian(instance(problem, method), state)


def instance(problem: Any, method: Any, **more: Any) -> Instance:
    """The argument that the formulas of `fedtheory.theory` take: the problem as f, the hyper-parameters by their names.

    Host arrays of one number a client go to the problem's device.
    """
    xp, device = problem.xp, problem.device
    names = {"f": problem, "m": problem.m, **vars(method), **more}
    if names.get("alpha") is None:
        names["alpha"] = 1 / problem.m
    placed = {k: _placed(v, xp, device) if k in ("alpha", "sigma", "nu", "r") else v for k, v in names.items()}
    return Instance(Floats(xp, device), placed)


def observers_of(
    method: Any, problem: Any, *, envelope: Any = None, w_star: Any = None, r: Any = None, seed: int = 0
) -> Observers:
    """What is recorded of a method: objective, stationarity, lyapunov, where its paper has them.

    Parameters
    ----------
    method, problem, seed
        As for `fedtheory.runs.loop.run`.
    envelope : Problem, optional
        The clients' Moreau envelopes at the method's lam, for pFedMe and FLAME: their objective is the mean of F_i.
    w_star : array (1, d), optional
        Minimiser of the mean envelope, for pFedMe's |w - w*|^2.
    r : (m,), optional
        Lipschitz constants of the gradients, for FedADMM's L_tilde.

    Raises
    ------
    UsageError
        If pFedMe or FLAME get no envelope.
    """
    if isinstance(method, (PFedMe, FLAME)) and envelope is None:
        raise UsageError(f"`observers_of(envelope=...)` must be the clients' envelopes for {type(method).__name__}.")
    if isinstance(method, PFedMe):
        found: Observers = {
            "objective": lambda s: objective(envelope, s.w),
            "stationarity": lambda s: error(envelope, s.w),
        }
        if w_star is not None:
            found["lyapunov"] = lambda s: distance_sq(s.w, w_star)
        if not (method.K is None and method.batch is None and method.delta is None):
            found["delta_sq"] = lambda s: pfedme_delta_sq(problem, method, s, draws_of(method, problem, s, seed))
        return found
    if isinstance(method, FLAME):
        y = instance(problem, method)
        return {
            "objective": lambda s: objective(envelope, s.w),
            "stationarity": lambda s: of_flame.lagrangian_gradient_sq(y, s),
            "lyapunov": lambda s: of_flame.lagrangian(y, s),
        }
    found = {"objective": lambda s: objective(problem, s.w), "error": lambda s: error(problem, s.w)}
    if isinstance(method, FedADMM):
        found["stationarity"] = lambda s: fedadmm_stationarity(problem, method, s)
        if r is not None:
            x = instance(problem, method, r=r)
            found["lyapunov"] = lambda s: of_fedadmm.lyapunov(x, s)
    return found


def pfedme_delta_sq(problem: Any, method: PFedMe, state: Any, draws: Any) -> Any:
    """The largest |theta_tilde_i(w_t) - theta_hat_i(w_t)|^2 of the clients, with the first minibatch of the round. Unit M^2."""
    theta_tilde = method.personal(problem, state, draws)
    theta_hat = problem.prox(state.w, method.lam)
    return array_namespace(theta_hat).max(_sq(theta_tilde - theta_hat))


def folds_of(method: Any, problem: Any, *, r: Any = None) -> Folds:
    """Running values that the papers' inequalities need, one update a step.

    ``moves`` is for FedADMM the sum of the right sides of Lemma 4.1, for FLAME the sum of the moves on the right side of
    (16). Where subproblems are not solved exactly, ``eps_max`` is for FLAME the largest left side of (13) so far, and
    ``excess`` for FedADMM the largest |g_i + pi_i|^2/eps_i of (7.6), which is at most 1 where (3.5) was met.
    """
    if isinstance(method, FedADMM) and r is not None:
        x = instance(problem, method, r=r)
        c_least = of_fedadmm.c(x)
        found: Folds = {"moves": lambda so_far, before, after: so_far + of_fedadmm.moves(x, c_least, before, after)}
        if method.inner_steps is not None:
            found["excess"] = lambda so_far, before, after: _larger(so_far, fedadmm_excess(x, after))
        return found
    if isinstance(method, FLAME):
        y = instance(problem, method)
        found = {"moves": lambda so_far, before, after: so_far + of_flame.descent(y, before, after)}
        if not (method.H is None and method.batch is None and method.eps is None):
            found["eps_max"] = lambda so_far, before, after: _larger(so_far, flame_accuracy(y, before, after))
        return found
    return {}


def fedadmm_excess(x: Any, state: Any) -> Any:
    """The largest |g_i + pi_i|^2/eps_i (7.6) of the clients."""
    return x.xp.max(x.sq(x.f.grad(state.W) * column(x.alpha, state.W) + state.Pi) / state.eps)


def flame_accuracy(x: Any, before: Any, after: Any) -> Any:
    """The largest left side of (13), |alpha_i (grad f_i(theta_i^{t+1}) + lam (theta_i^{t+1} - w_i^t))|^2, of S^t."""
    left = x.sq((x.f.grad(after.Theta) + (after.Theta - before.W) * x.lam) * column(x.alpha, after.Theta))
    return x.xp.max(x.xp.where(moved(after.selected, left), left, left * 0))


def _larger(so_far: Any, value: Any) -> Any:
    return array_namespace(value).maximum(value, array_namespace(value).zeros_like(value) + so_far)


def _sq(u: Any) -> Any:
    xp = array_namespace(u)
    return xp.sum(u * u, axis=-1)


def _placed(value: Any, xp: Any, device: Any) -> Any:
    return xp.asarray(value, device=device) if isinstance(value, np.ndarray) and value.ndim else value
