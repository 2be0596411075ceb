"""One client of Algorithm 1 and one of its updates (3.4) to (3.7), for claims that speak of a single client.

Any w_i^k, w_i^{k+1}, phi_i^k and phi_i^{k+1} are admitted that meet (3.4) and (7.6). Then pi_i follows from (7.6) and
w^{tau_{k+1}} from (3.6), so that this is every update of every run, whatever the other clients do, and more: a proof covers
all runs. What fails here need not fail on a run; such claims are taken to `worlds.fedadmm_steps`.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from fedtheory import le
from fedtheory.theory.fedadmm.symbols import symbols
from fedtheory.units import GRADIENT
from problems import Points, Smooth, condition, positive

ONE = {"m": (1,)}
EVERY_UPDATE = "For one client, every update of every run."
TERMWISE = "Summand by summand, for one client; the sum over any number of clients follows."


def own(*names):
    """The scalars of one client, which are numbers where the paper has one a client; a weight is any positive number."""
    return {name: replace(s, per_client=False, weight=False) for name, s in symbols(*names).items()}


class Alone:
    """The instance of a world of one client without weights, with alpha_1 = 1, as it is for m = 1."""

    def __init__(self, x: Any) -> None:
        self._x = x
        self.alpha = 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._x, name)


class Update(NamedTuple):
    """Before and after one update: vectors ``(..., 1, d)``, accuracies."""

    w: Any  # w^{tau_{k+1}}
    W: Any  # w_i^k
    W_next: Any
    g: Any  # alpha_i grad f_i
    g_next: Any
    phi: Any
    phi_next: Any
    Pi: Any
    Pi_next: Any

    @property
    def move(self):
        """w_i^{k+1} - w_i^k."""
        return self.W_next - self.W

    @property
    def away(self):
        """w_i^{k+1} - w^{tau_{k+1}}."""
        return self.W_next - self.w

    @property
    def turn(self):
        """pi_i^{k+1} - pi_i^k."""
        return self.Pi_next - self.Pi


def update(x):
    """The update of the instance."""
    g, g_next = x.alpha * x.f.grad(x.w_i), x.alpha * x.f.grad(x.w_i_next)
    phi, phi_next = x.sigma * x.p, x.sigma * x.p_next
    Pi, Pi_next = phi - g, phi_next - g_next
    w = x.w_i_next - (Pi_next - Pi) / x.sigma  # (3.6)
    return Update(w, x.w_i, x.w_i_next, g, g_next, phi, phi_next, Pi, Pi_next)


def drop(x):
    """eps_i^{k+1} - eps_i^k. Unit (E/M)^2."""
    return x.eps_next - x.eps


ACCURATE_NOW = condition(
    "|phi_i^k|^2 <= epsilon_i^k, phi_i^k = sigma_i p", lambda x: le(x.sq(x.sigma * x.p), x.eps), "(7.6)"
)
SHRINKS = condition("epsilon_i^{k+1} <= nu_i epsilon_i^k", lambda x: le(x.eps_next, x.nu * x.eps), "(3.4)")
ACCURATE = (
    SHRINKS,
    ACCURATE_NOW,
    condition(
        "|phi_i^{k+1}|^2 <= epsilon_i^{k+1}, phi_i^{k+1} = sigma_i p_next",
        lambda x: le(x.sq(x.sigma * x.p_next), x.eps_next),
        "(7.6)",
    ),
)


R_SMOOTH = Smooth("r")


def one_client(*, at=("w_i",), given=(), f=R_SMOOTH, names=("r", "sigma", "alpha"), **scalars):
    """One client with the named scalars of the paper and these vectors."""
    return Points(f, at=at, given=given, sizes=ONE, **own(*names), **scalars)


def one_update(*given):
    """An update under (3.4) and (7.6), of an r_i-smooth client with any alpha_i, sigma_i > 0."""
    return one_client(
        at=("w_i", "w_i_next", "p", "p_next"),
        given=(*ACCURATE, *given),
        names=("r", "sigma", "alpha", "nu", "eps"),
        eps_next=positive(GRADIENT**2),
    )


def free_update():
    """An update that need not be accurate, for identities."""
    return one_client(at=("w_i", "w_i_next", "p", "p_next"))
