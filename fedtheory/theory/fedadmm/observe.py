"""What is measured of a run of FedADMM: the residuals of (4.1), the Lyapunov value (4.4), whether (3.5) was met."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..._arrays import column
from ...catalogue import Parameters
from ...instance import Instance
from ...measure.observe import error, instance, larger
from ...method import Folds, Observers, Rule, Watch
from ...problem import Problem
from ...runs.loop import number
from ...trace import Trace
from .constants import c, error_target, lyapunov, moves

if TYPE_CHECKING:
    from ...method import Algorithm
    from ...quantity import Array, Quantity


def residuals(problem: Problem, method: Algorithm, state: Any) -> tuple[Quantity, Quantity, Quantity]:
    """The squared residuals of the three rows of (4.1). Units (E/M)^2, M^2, (E/M)^2."""
    x = instance(problem, method)
    dual = x.total(x.sq(_phi(x, state)))
    return dual, x.total(x.sq(state.W - state.w)), x.sq(x.total_vec(state.Pi))


def stationarity(problem: Problem, method: Algorithm, state: Any) -> Quantity:
    """Sum of the squared residuals of the three rows of (4.1), Definition 4.1.

    sum_i |alpha_i grad f_i(w_i) + pi_i|^2 + sum_i |w_i - w|^2 + |sum_i pi_i|^2: zero exactly at the stationary points. The
    rows are two squared gradients and a squared length, so the sum has no one unit; `residuals` gives them apart.
    """
    dual, consensus, balance = residuals(problem, method, state)
    return dual + consensus + balance


def excess(x: Instance, state: Any) -> Quantity:
    """The largest |g_i + pi_i|^2/eps_i (7.6) of the clients; at most 1 where (3.5) was met."""
    return x.xp.max(x.sq(_phi(x, state)) / state.eps)


def observers(watch: Watch) -> Observers:
    """The gradient of (5.1), the residual of (4.1), and L_tilde (4.4) where the gradients are Lipschitz."""
    problem, method = watch.problem, watch.method
    found: Observers = {
        "error": lambda s: error(watch.objective, s.w),
        "stationarity": lambda s: stationarity(problem, method, s),
    }
    if (x := _lipschitz(watch)) is not None:
        found["lyapunov"] = lambda s: lyapunov(x, s)
    return found


def folds(watch: Watch) -> Folds:
    """``moves``, the sum of the right sides of Lemma 4.1; ``excess``, the largest one so far, where (3.5) is not solved exactly."""
    x = _lipschitz(watch)
    if x is None:
        return {}
    c_least = c(x)
    found: Folds = {"moves": lambda so_far, before, after: so_far + moves(x, c_least, before, after)}
    if watch.method.inner_steps is not None:
        found["excess"] = lambda so_far, before, after: larger(so_far, excess(x, after))
    return found


def given(watch: Watch, trace: Trace) -> dict[str, Quantity]:
    """The hyper-parameters by the paper's names, and the `excess` of the first state."""
    method, m = watch.method, watch.problem.m
    S = m if method.S is None else method.S
    at_first = number(excess(instance(watch.problem, method), watch.first))
    return {"sigma": method.sigma, "nu": method.nu, "k0": method.k0, "S": S, "excess": at_first}


def level_5_1(problem: Problem) -> float:
    """The right side of (5.1)."""
    return float(error_target(Parameters({"d": problem.d, "n": int(problem.n.sum())})))


RULE_5_1 = Rule("5.1", "|grad f(w)|^2 <= 5 n 10^-4/d with n the dimension and d the samples", level_5_1)


def _phi(x: Instance, state: Any) -> Array:
    """g_i + pi_i, ``(m, d)``."""
    return x.f.grad(state.W) * column(x.alpha, state.W) + state.Pi


def _lipschitz(watch: Watch) -> Instance | None:
    """The instance with r_i, or None for a client without Lipschitz gradients."""
    r = watch.problem.constants().L_i
    return instance(watch.problem, watch.method, r=r) if np.isfinite(r).all() else None
