"""Function classes and their interpolation inequalities.

Reference: A. Taylor, J. Hendrickx, F. Glineur, Smooth strongly convex interpolation and exact worst-case performance of
first-order methods, Mathematical Programming 161 (2017), Theorem 4; with mu < 0 for weakly convex and L-smooth
non-convex functions, T. Rotaru, F. Glineur, P. Patrinos (2022), Theorem 3.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FunctionClass:
    """Functions with ``mu <= curvature <= L``; `lower` and `upper` read mu and L off the instance.

    ``upper=None`` is no smoothness. Names of scalars are given as strings, ``"-L"`` is minus the scalar.
    """

    name: str
    lower: str | None = None
    upper: str | None = None

    def bounds(self, x: Any) -> tuple[Any, Any]:
        """(mu, L) on the instance's numbers; L is None when it is infinite."""
        return _read(self.lower, x) if self.lower else 0, _read(self.upper, x) if self.upper else None


def _read(expression: str, x: Any) -> Any:
    return -getattr(x, expression[1:]) if expression.startswith("-") else getattr(x, expression)


def Convex() -> FunctionClass:
    """Closed, proper and convex."""
    return FunctionClass("convex")


def StronglyConvex(mu: str = "mu") -> FunctionClass:
    """mu-strongly convex, not necessarily smooth."""
    return FunctionClass("strongly convex", lower=mu)


def Smooth(L: str = "L") -> FunctionClass:
    """L-Lipschitz gradient, not necessarily convex."""
    return FunctionClass("smooth", lower=f"-{L}", upper=L)


def SmoothConvex(L: str = "L") -> FunctionClass:
    """Convex with L-Lipschitz gradient."""
    return FunctionClass("smooth convex", upper=L)


def SmoothStronglyConvex(mu: str = "mu", L: str = "L") -> FunctionClass:
    """mu-strongly convex with L-Lipschitz gradient, mu < L."""
    return FunctionClass("smooth strongly convex", lower=mu, upper=L)


def WeaklyConvex(rho: str = "rho") -> FunctionClass:
    """f + rho/2 |.|^2 convex."""
    return FunctionClass("weakly convex", lower=f"-{rho}")


def interpolation(
    mu: Any, L: Any, dot: Callable[[Any, Any], Any], x: tuple[Any, Any, Any], y: tuple[Any, Any, Any]
) -> Any:
    """The slack, non-negative on the class, of the interpolation inequality between two points.

    Parameters
    ----------
    mu, L : number
        Curvature bounds, ``mu < L``; L is None for a class without smoothness.
    dot : callable
        The inner product.
    x, y : (point, gradient, value)
        For one client.

    Returns
    -------
    f(x) - f(y) - <g(y), x - y> minus the class's lower bound on it.
    """
    (px, gx, fx), (py, gy, fy) = x, y
    dx, dg = px - py, gx - gy
    slack = fx - fy - dot(gy, dx)
    if L is None:
        return slack - dot(dx, dx) * mu / 2
    # 1/(2(1 - mu/L)) (|dg|^2/L + mu |dx|^2 - 2 mu/L <dg, dx>)
    return slack - (dot(dg, dg) + dot(dx, dx) * (mu * L) - dot(dg, dx) * (2 * mu)) / (2 * (L - mu))
