"""One client of Algorithm 1 and one of its updates (9) to (11), for claims that speak of a single client.

Any theta_i^t, w_i^t, theta_i^{t+1} and w^t are admitted, with w_i^{t+1} and pi_i^{t+1} of l14 and l15. With (25) and (13) this is
every update of every run, whatever the other clients do, and more: a proof covers all runs, the update that an unselected
client would make included. What fails here need not fail on a run; such claims are taken to `worlds.flame_steps`.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from fedtheory import le
from fedtheory.theory.flame.symbols import symbols
from fedtheory.world import Scalar
from problems import Points, Smooth, condition
from problems.worlds.classes.base import FunctionClass
from problems.worlds.function_world import FunctionWorld
from problems.worlds.region import Given

ONE = {"m": (1,)}
VIRTUAL = "For one client, every update of every run, that which an unselected client would make included."
TERMWISE = "Summand by summand, for one client; the sum over any number of clients follows."
NAMES = ("L", "lam", "rho", "alpha")


def own(*names: str) -> dict[str, Scalar]:
    """The scalars of one client, which are numbers where the paper has one a client; a weight is any positive number."""
    return {name: replace(s, per_client=False, weight=False) for name, s in symbols(*names).items()}


class Update(NamedTuple):
    """Before and after one update: vectors ``(..., 1, d)``."""

    theta: Any
    theta_next: Any
    w_i: Any
    w_i_next: Any
    Pi: Any
    Pi_next: Any
    w: Any  # w^t

    @property
    def moved(self) -> Any:
        """theta_i^{t+1} - theta_i^t."""
        return self.theta_next - self.theta

    @property
    def local(self) -> Any:
        """w_i^{t+1} - w_i^t."""
        return self.w_i_next - self.w_i

    @property
    def turn(self) -> Any:
        """pi_i^{t+1} - pi_i^t."""
        return self.Pi_next - self.Pi


def updated(x: Any, Pi: Any) -> Update:
    """The update by l14 and l15 from this pi_i^t."""
    a = x.lam * x.alpha
    w_i_next = (a * x.theta_next + x.rho * x.w - Pi) / (a + x.rho)
    return Update(x.theta, x.theta_next, x.w_i, w_i_next, Pi, Pi + x.rho * (w_i_next - x.w), x.w)


def update(x: Any) -> Update:
    """The update from the pi_i^t of (25)."""
    return updated(x, x.lam * x.alpha * (x.theta - x.w_i))


def update_to(x: Any) -> Update:
    """The update from the pi_i^t of (25) to a given w_i^{t+1}, with the w^t that makes it: the same updates, in fewer terms."""
    a = x.lam * x.alpha
    Pi, Pi_next = a * (x.theta - x.w_i), a * (x.theta_next - x.w_i_next)
    return Update(x.theta, x.theta_next, x.w_i, x.w_i_next, Pi, Pi_next, x.w_i_next - (Pi_next - Pi) / x.rho)


def free_update(x: Any) -> Update:
    """The update from any pi_i^t = rho p."""
    return updated(x, x.rho * x.p)


def residual(x: Any, theta: Any) -> Any:
    """alpha_i (grad f_i(theta) + lam (theta - w_i^t)), the gradient of L_i in theta_i. Unit E/M."""
    return x.alpha * (x.f.grad(theta) + x.lam * (theta - x.w_i))


def least_eps(x: Any) -> Any:
    """The least eps_i^t that meets (13). Where a right side grows with eps, a relation holds for it or fails for some."""
    return x.sq(residual(x, x.theta_next))


LEAST_EPS = "With the least eps that meets (13); a larger one only adds to the right side."
ACCURATE = condition(
    "|grad_{theta_i} L_i(theta_i^{t+1})|^2 <= eps_i", lambda x: le(x.sq(residual(x, x.theta_next)), x.eps), "(13)"
)
EPS_MAX = condition("eps_i <= eps_max", lambda x: le(x.eps, x.eps_max))
SMOOTH = Smooth("L")


def one_client(
    *,
    at: Iterable[str] = ("theta", "theta_next", "w_i", "w"),
    given: tuple[Given, ...] = (),
    f: FunctionClass | None = SMOOTH,
    names: tuple[str, ...] = NAMES,
    **scalars: Scalar,
) -> FunctionWorld:
    """One L-smooth client with these vectors, and the named scalars of the paper."""
    return Points(f, at=tuple(at), given=given, sizes=ONE, **own(*names), **scalars)


def one_update(*given: Given, **scalars: Scalar) -> FunctionWorld:
    """An update under (13)."""
    return one_client(given=(ACCURATE, *given), names=(*NAMES, "eps"), **scalars)
