"""How far the minimum of the mean of the clients' envelopes lies, without a proximal point: bounds from the joint function.

The mean of the envelopes F_i(w) = min_theta f_i(theta) + lam/2 |theta - w|^2 has the minimum of

    J(w, theta_1 ... theta_m) = mean_i f_i(theta_i) + lam/2 |theta_i - w|^2,

of which a value and a gradient cost one of every f_i. Where every f_i is mu-strongly convex, J is c-strongly convex in
|w|^2 + mean_i |theta_i|^2, with c the smaller eigenvalue of ((lam, -lam), (-lam, lam + mu)); so its gradient g at any point bounds
what is left: J - J* <= |g|^2/(2 c), and the distance to the minimiser is at most |g|/c.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from fedtheory._arrays import to_host
from fedtheory.problem import Problem

from .clients.least_squares import LeastSquaresClients
from .clients.logistic import LogisticClients
from .clients.margin import MarginClients
from .clients.softmax import SoftmaxClients
from .measured import Measured

NOT_NEGATIVE = (LeastSquaresClients, LogisticClients, MarginClients, SoftmaxClients)
STEPS = 1000
NEAR = 0.5  # of the way from the start that may be left
MEMORY = 20  # pairs that L-BFGS keeps


@dataclass(frozen=True)
class Near:
    """A point near the minimiser of the mean of the envelopes, and bounds on what is left.

    Attributes
    ----------
    gap : Measured
        A bound on f(w_0) - F*, and so on F(w_0) - F*.
    distance_sq : Measured
        A bound on |w_0 - w*|^2.
    at_optimum_sq : Measured
        A bound on the mean of |grad F_i(w*)|^2.
    """

    gap: Measured
    distance_sq: Measured
    at_optimum_sq: Measured


def near(problem: Problem, lam: float, start: Any) -> Near:
    """Bounds on how far the minimum of the mean of the envelopes is from `start`, ``(1, d)``.

    Parameters
    ----------
    problem : Problem
        Clients on NumPy; where they are not strongly convex, only the gap has a bound, and only of losses that are not negative.
    lam : float
        Moreau parameter.

    Examples
    --------
    >>> from problems.clients.quadratic import QuadraticClients
    >>> f = QuadraticClients([[[1.0]], [[3.0]]], [[0.0], [4.0]])  # f(0) = 0, and F* = -1.2 at w* = 0.8
    >>> found = near(f, 1.0, np.zeros((1, 1)))
    >>> 1.2 <= found.gap.value < 1.3, 0.8**2 <= found.distance_sq.value < 1.8
    (True, True)
    """
    m, d = problem.m, problem.d
    first = float(to_host(problem.value(start)).mean())
    mu = float(problem.constants().mu)
    if not mu > 0:
        return _flat(problem, first)
    c = lam * mu / (lam + mu / 2 + math.hypot(lam, mu / 2))
    w0 = to_host(start)
    left = math.inf

    def joint(x: np.ndarray) -> tuple[float, np.ndarray]:
        """J and its gradient at theta ``(m d,)``, with w the mean of theta, which is best."""
        nonlocal left
        Theta = x.reshape(m, d)
        away = Theta - Theta.mean(axis=0)
        point = problem.xp.asarray(Theta, device=problem.device)
        values, G = to_host(problem.value(point)), to_host(problem.grad(point)) + lam * away
        left = math.sqrt((G * G).sum(axis=1).mean()) / c
        return float(values.mean() + lam / 2 * (away * away).sum(axis=1).mean()), G.ravel() / m

    def enough(x: np.ndarray) -> None:
        if left <= NEAR * np.linalg.norm(x.reshape(m, d).mean(axis=0) - w0):
            raise StopIteration

    from scipy.optimize import minimize

    options = {"maxiter": STEPS, "maxfun": 2 * STEPS, "maxcor": MEMORY, "ftol": 0, "gtol": 0}
    x0 = np.repeat(w0, m, axis=0).ravel()
    found = minimize(joint, x0, jac=True, method="L-BFGS-B", callback=enough, options=options)
    value, _ = joint(found.x)
    Theta = found.x.reshape(m, d)
    w = Theta.mean(axis=0)
    moved = float(np.linalg.norm(w - w0))
    slope = lam * math.sqrt(((Theta - w) ** 2).sum(axis=1).mean())
    gap = max(first - value, 0.0) + c * left**2 / 2
    how = f"L-BFGS on the joint function, whose strong convexity {c:.2g} bounds the way left by {left:.2g}"
    return Near(
        Measured(gap, "bound", f"f(w_0) - F*; {how}"),
        Measured((moved + left) ** 2, "bound", f"|w_0 - w*|^2; {how}"),
        Measured((slope + math.sqrt(2) * lam * left) ** 2, "bound", f"mean of |grad F_i(w*)|^2; {how}"),
    )


def _flat(problem: Problem, first: float) -> Near:
    """Of clients that are not strongly convex: the gap alone, where their losses are not negative."""
    unknown = Measured(None, "unknown", "the clients are not strongly convex")
    if not isinstance(problem, NOT_NEGATIVE):
        return Near(unknown, unknown, unknown)
    return Near(Measured(first, "bound", "f(w_0), as no loss is negative"), unknown, unknown)
