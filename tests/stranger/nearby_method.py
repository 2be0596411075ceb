"""Nearby: every client takes E gradient steps on f_i + lam/2 |v - w|^2, and w becomes the mean of the v_i."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from fedtheory.checks import initial, require_count, require_positive
from fedtheory.method import Method, Option


class NearbyState(NamedTuple):
    """State at round t."""

    w: Any  # (..., 1, d) common model
    V: Any  # (..., m, d) personal models
    t: int = 0
    communications: int = 0


@dataclass(frozen=True)
class Nearby:
    """Hyper-parameters: pull lam, step size eta, E local steps."""

    lam: Any
    eta: Any
    E: int

    def __post_init__(self):
        require_positive("Nearby(lam=...)", self.lam)
        require_positive("Nearby(eta=...)", self.eta)
        require_count("Nearby(E=...)", self.E, 1)

    def init(self, problem, w0=None):
        """Start every model at ``w0`` ``(..., 1, d)``, at zero by default."""
        w = initial("Nearby.init(w0=...)", w0, problem, 1)
        return NearbyState(w, initial("Nearby.init(V0=...)", None, problem, problem.m) + w)

    def draw(self, problem, stream):
        """No randomness."""
        return None

    def step(self, problem, state, draws):
        """One communication round."""
        V = state.V
        for _ in range(self.E):
            V = V - (problem.grad(V) + (V - state.w) * self.lam) * self.eta  # gradient of h_i, (1)
        return NearbyState(problem.xp.mean(V, axis=-2, keepdims=True), V, state.t + 1, state.communications + 1)

    def invariants(self, x, state):
        """None: every state is a possible start."""
        return ()


def make(o, problem):
    """The method of the options and its first state."""
    method = Nearby(o["lam"], o["eta"], o["E"])
    return method, method.init(problem)


def methods():
    """The methods of this package."""
    return [
        Method(
            name="nearby",
            make=make,
            options={
                "lam": Option("positive", "pull towards the common model", 1.0),
                "eta": Option("positive", "step size", 0.1),
                "E": Option("count", "local steps", 5),
            },
        )
    ]
