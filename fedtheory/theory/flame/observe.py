"""What is measured of a run of FLAME: the gradient of the augmented Lagrangian and its value, the accuracy (13)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._arrays import column, moved
from ...instance import Instance
from ...measure.observe import instance, larger
from ...method import Folds, Observers, Watch
from ...trace import Trace
from .constants import descent, lagrangian, lagrangian_gradient_sq

if TYPE_CHECKING:
    from ...quantity import Quantity


def accuracy(x: Instance, before: Any, after: Any) -> Quantity:
    """The largest left side of (13), |alpha_i (grad f_i(theta_i^{t+1}) + lam (theta_i^{t+1} - w_i^t))|^2, of S^t."""
    left = x.sq((x.f.grad(after.Theta) + (after.Theta - before.W) * x.lam) * column(x.alpha, after.Theta))
    return x.xp.max(x.xp.where(moved(after.selected, left), left, left * 0))


def observers(watch: Watch) -> Observers:
    """|grad L(P^t)|^2 (40) and L^t (8)."""
    x = instance(watch.problem, watch.method)
    return {"stationarity": lambda s: lagrangian_gradient_sq(x, s), "lyapunov": lambda s: lagrangian(x, s)}


def folds(watch: Watch) -> Folds:
    """``moves``, the sum of the moves of (16); ``eps_max``, the largest left side of (13) so far, with inexact subproblems."""
    x = instance(watch.problem, watch.method)
    found: Folds = {"moves": lambda so_far, before, after: so_far + descent(x, before, after)}
    if not exact(watch.method):
        found["eps_max"] = lambda so_far, before, after: larger(so_far, accuracy(x, before, after))
    return found


def given(watch: Watch, trace: Trace) -> dict[str, Quantity]:
    """The hyper-parameters by the paper's names; eps is what the run showed."""
    method, last = watch.method, trace.last()
    S = watch.problem.m if method.S is None else method.S
    found = {"lam": method.lam, "rho": method.rho, "S": S, "biased": method.candidates is not None}
    if exact(method):
        return {**found, "eps": 0.0}
    return {**found, "eps": last["eps_max"]} if "eps_max" in last else found


def exact(method: Any) -> bool:
    """Whether subproblems are solved exactly, on all samples."""
    return method.H is None and method.batch is None and method.eps is None
