"""Constants estimated at one point, for problems whose constants are not known: none of them is a bound.

They need products with the Hessian, gradients and the variance of a sample's gradient, and stand for suprema over all points:
the curvature for L and mu, the diversity for sigma_f^2, the noise for gamma_f^2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._arrays import to_host
from ..errors import UsageError
from ..method import Method, Observers, Watch
from ..problem import Problem
from ..random import stream
from .observe import error, norm_sq, objective

if TYPE_CHECKING:
    from ..quantity import Array

DIGITS = 1e-3  # relative accuracy of an eigenvalue
RESTARTS = 200  # of Lanczos, at most
SMALL = 8  # least order for Lanczos; below it the matrix is formed


def curvature(problem: Problem, w: Array) -> tuple[float, float]:
    """(largest, least) eigenvalue of the Hessians of all clients at w ``(1, d)`` or ``(m, d)``, by Lanczos. Unit E/M^2.

    The Hessians of the clients are one block-diagonal operator of order m d, one product of which is one of all clients.

    Raises
    ------
    UsageError
        If the Hessian is not finite at w, or Lanczos does not converge.

    Examples
    --------
    >>> import numpy as np
    >>> class Bowls:  # f_i(w) = a_i |w|^2/2
    ...     m, d, xp, device = 2, 5, np, None
    ...     def hessian_product(self, W, V): return np.array([[1.0], [-3.0]]) * V
    >>> [round(v, 6) for v in curvature(Bowls(), np.zeros((1, 5)))]
    [1.0, -3.0]
    """
    m, d, xp = problem.m, problem.d, problem.xp
    order = m * d

    def product(v: np.ndarray) -> np.ndarray:
        V = xp.asarray(v.reshape(m, d), dtype=w.dtype, device=problem.device)
        found = to_host(problem.hessian_product(w, V)).astype(np.float64).reshape(order)
        if not np.isfinite(found).all():
            raise UsageError("the Hessian is not finite at this point, so that its curvature cannot be estimated")
        return found

    if order < SMALL:
        values = np.linalg.eigvalsh(np.stack([product(e) for e in np.eye(order)]))
        return float(values[-1]), float(values[0])
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh  # of which other clients need nothing

    operator = LinearOperator((order, order), matvec=lambda v: product(v.reshape(-1)), dtype=np.float64)
    first = stream(0, 0, "Lanczos").standard_normal(order)
    if not product(first).any():  # nothing but zeros: Lanczos has no second vector
        return 0.0, 0.0
    options = {"k": 1, "v0": first, "tol": DIGITS, "maxiter": RESTARTS, "return_eigenvectors": False}
    try:
        ends = [eigsh(operator, which=which, **options) for which in ("LA", "SA")]
    except ArpackError:
        raise UsageError("Lanczos does not converge at this point, so that the curvature cannot be estimated") from None
    return float(ends[0][0]), float(ends[1][0])


def diversity(problem: Problem, w: Array) -> Array:
    """mean_i |grad f_i(w) - grad f(w)|^2 at a server vector ``(1, d)``, a number. Unit (E/M)^2."""
    xp = problem.xp
    G = problem.grad(w)
    return xp.mean(norm_sq(G - xp.mean(G, axis=-2, keepdims=True)))


def noise(problem: Any, w: Array) -> Array:
    """Largest over clients of the variance of one sample's gradient at w ``(1, d)``, a number. Unit (E/M)^2."""
    return problem.xp.max(problem.sample_variance(w))


def observers_of(entry: Method, watch: Watch) -> Observers:
    """Objective, squared gradient and the estimates along a run, at the method's point, by columns that say which are."""
    f, at = watch.problem, entry.at
    return {
        "objective": lambda s: objective(f, at(s)),
        "error": lambda s: error(f, at(s)),
        "L_estimate": lambda s: max(np.abs(curvature(f, at(s)))),
        "diversity_estimate": lambda s: diversity(f, at(s)),
        "noise_estimate": lambda s: noise(f, at(s)),
    }
