"""What is measured of a run of pFedMe: the gradient of the mean envelope, |w - w*|^2, the accuracy delta^2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from array_api_compat import array_namespace

from ...measure.observe import distance_sq, error, norm_sq
from ...method import Observers, Watch
from ...problem import Problem
from ...runs.loop import draws_of
from ...trace import Trace

if TYPE_CHECKING:
    from ...quantity import Quantity


def delta_sq(problem: Problem, method: Any, state: Any, draws: Any) -> Quantity:
    """The largest |theta_tilde_i(w_t) - theta_hat_i(w_t)|^2 of the clients, with the first minibatch of the round. Unit M^2."""
    theta_tilde = method.personal(problem, state, draws)
    theta_hat = problem.prox(state.w, method.lam)
    return array_namespace(theta_hat).max(norm_sq(theta_tilde - theta_hat))


def observers(watch: Watch) -> Observers:
    """|grad F(w_t)|^2 of Theorem 2, Delta_t = |w_t - w*|^2 of Theorem 1, and delta^2 where (7) is not solved exactly."""
    problem, method = watch.problem, watch.method
    found: Observers = {"stationarity": lambda s: error(watch.objective, s.w)}
    if watch.w_star is not None:
        found["lyapunov"] = lambda s: distance_sq(s.w, watch.w_star)
    if not exact(method):
        found["delta_sq"] = lambda s: delta_sq(problem, method, s, draws_of(method, problem, s, watch.seed))
    return found


def given(watch: Watch, trace: Trace) -> dict[str, Quantity]:
    """The hyper-parameters by the paper's names; delta is the largest that the run showed."""
    method = watch.method
    found = {k: getattr(method, k) for k in ("lam", "eta", "beta", "R", "S")}
    if exact(method):
        return {**found, "delta": 0.0}
    return {**found, "delta": float(max(trace["delta_sq"])) ** 0.5} if "delta_sq" in trace else found


def exact(method: Any) -> bool:
    """Whether (7) is solved exactly, on all samples."""
    return method.K is None and method.batch is None and method.delta is None
