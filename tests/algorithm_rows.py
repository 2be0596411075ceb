"""The table of methods and problems, and what the tests of the methods share."""

from __future__ import annotations

import numpy as np
import pytest

from fedtheory._arrays import to_host
from fedtheory.algorithms import FLAME, FedADMM, FedAvg, FedAvgStored, FedProx, FedProxStored, PerFedAvg, PFedMe
from fedtheory.algorithms.gong import Gong
from fedtheory.algorithms.scaffold import Scaffold
from fedtheory.random import stream
from problems.clients.least_squares import LeastSquaresClients
from problems.clients.logistic import LogisticClients, NonconvexLogisticClients
from problems.clients.margin import MarginClients
from problems.clients.one_variable import HuberClients, TanhClients
from problems.clients.quadratic import QuadraticClients
from problems.clients.softmax import SoftmaxClients

M = 5  # clients
SIZES = (4, 9, 5, 7, 4)  # their samples


def data(labels):
    """Clients of unequal size, with real targets or that many labels."""
    rng = np.random.default_rng(11)
    X = [rng.standard_normal((n, 3)) * (1 + i) / 3 for i, n in enumerate(SIZES)]
    y = [rng.standard_normal(n) if labels == 0 else np.arange(n) % labels for n in SIZES]
    return list(zip(X, y, strict=True))


def quadratics(clients, **where):
    """Strongly convex quadratics."""
    rng = np.random.default_rng(5)
    B, b = rng.standard_normal((M, 4, 4)), rng.standard_normal((M, 4))
    A = B @ B.mT / 4 + 0.3 * np.eye(4)
    return QuadraticClients(A[clients], b[clients], **where)


def scalars(kind):
    """Clients of one variable."""
    c, k, s = (
        np.array([-2.0, 0.5, 1.0, 3.0, -1.0]),
        np.array([0.7, 1.0, 0.5, 2.0, 1.5]),
        np.array([1.0, 2.0, 0.5, 1.5, 1.0]),
    )
    return lambda clients, **where: kind(c[clients], k[clients], s[clients], **where)


def samples(kind, labels, **options):
    """Clients on samples."""
    return lambda clients, **where: kind([data(labels)[i] for i in clients], **options, **where)


PROBLEMS = {
    "least squares": samples(LeastSquaresClients, 0, l2=0.05),
    "logistic": samples(LogisticClients, 2, l2=0.1),
    "non-convex logistic": samples(NonconvexLogisticClients, 2, l2=0.1),
    "softmax": samples(SoftmaxClients, 3, classes=3, l2=0.1),
    "margin": samples(MarginClients, 3, classes=3, l2=0.1, smoothing=0.5),
    "quadratic": quadratics,
    "huber": scalars(HuberClients),
    "tanh": scalars(TanhClients),
}

SIGMA, ALPHA, NU = (
    np.array([1.0, 2.0, 0.5, 1.5, 3.0]),
    np.array([0.1, 0.3, 0.2, 0.15, 0.25]),
    np.array([0.5, 0.9, 0.6, 0.7, 0.8]),
)
EPS = np.array([1e-3, 1e-2, 1e-1, 1e-3, 1e-4])

# Every row: a method whose step sizes are in units of 1/L; `c` picks the clients' entries of a hyper-parameter.
ROWS = {
    "fedavg": lambda L, c: FedAvg(0.5 / L, 2, S=min(3, len(c))),
    "fedavg, minibatches": lambda L, c: FedAvg(0.5 / L, 3, S=min(2, len(c)), batch=3, alpha=1),
    "fedavg, weights": lambda L, c: FedAvg(0.5 / L, 1, alpha=ALPHA[c]),
    "fedavg stored": lambda L, c: FedAvgStored(2.0 / L, 2, S=min(3, len(c))),
    "fedavg stored, constant step": lambda L, c: FedAvgStored(2.0 / L, decreasing=False),
    "fedprox": lambda L, c: FedProx(0.3 / L, 3, L, S=min(3, len(c)), batch=4, replace=False),
    "fedprox stored": lambda L, c: FedProxStored(2.0 / L, 0.1, 2, S=min(3, len(c))),
    "fedprox stored, other sign": lambda L, c: FedProxStored(2.0 / L, 0.1, S=min(3, len(c)), printed=False),
    "perfedavg": lambda L, c: PerFedAvg(0.5 / L, 0.3 / L, 2, S=min(3, len(c)), batch=3),
    "perfedavg, hessian": lambda L, c: PerFedAvg(0.5 / L, 0.3 / L, 2, S=min(3, len(c)), hessian="product", batch=3),
    "perfedavg, difference": lambda L, c: PerFedAvg(0.5 / L, 0.3 / L, 1, hessian="difference", delta=0.1),
    "pfedme": lambda L, c: PFedMe(3 * L, 0.2 / L, 1.5, 2, min(3, len(c))),
    "pfedme, error": lambda L, c: PFedMe(3 * L, 0.2 / L, 1.0, 2, min(3, len(c)), delta=0.05),
    "pfedme, gradients": lambda L, c: PFedMe(3 * L, 0.2 / L, 2.0, 3, min(2, len(c)), K=3, inner_eta=0.2 / L, batch=3),
    "pfedme, accuracy": lambda L, c: PFedMe(3 * L, 0.2 / L, 1.0, 2, min(3, len(c)), K=9, inner_eta=0.2 / L, nu=0.05, warm=False),
    "pfedme, everyone": lambda L, c: PFedMe(3 * L, 0.2 / L, 1.0, 2, min(2, len(c)), K=2, inner_eta=0.2 / L, everyone=True),
    "pfedme, exact on minibatches": lambda L, c: PFedMe(3 * L, 0.2 / L, 1.0, 2, min(2, len(c)), batch=3),
    "fedadmm": lambda L, c: FedADMM(SIGMA[c] * L, ALPHA[c], NU[c], 2, S=min(3, len(c))),
    "fedadmm, error": lambda L, c: FedADMM(0.7 * L, 1 / len(c), 0.95, S=min(3, len(c)), adversarial=True),
    "fedadmm, one gradient": lambda L, c: FedADMM(0.7 * L, 0.2, 0.95, r=L, inner_steps=1),
    "fedadmm, gradients": lambda L, c: FedADMM(SIGMA[c] * L, ALPHA[c], NU[c], S=min(3, len(c)), r=SIGMA[c] * L, inner_steps=6),
    "fedadmm, scheme 4.1": lambda L, c: FedADMM(0.7 * L, 0.2, 0.95, 2, S=min(2, len(c)), s0=3, r=L, inner_steps=2),
    "flame": lambda L, c: FLAME(2 * L, 0.5 * L, ALPHA[c], S=min(3, len(c))),
    "flame, error": lambda L, c: FLAME(2 * L, 0.5 * L, ALPHA[c], S=min(3, len(c)), eps=EPS[c], decay=0.9),
    "flame, gradients": lambda L, c: FLAME(2 * L, 0.5 * L, 0.2, H=3, eta=0.2 / L, batch=3),
    "flame, accuracy": lambda L, c: FLAME(2 * L, 0.5 * L, ALPHA[c], S=min(3, len(c)), H=9, eta=0.3 / L, eps=EPS[c]),
    "flame, biased": lambda L, c: FLAME(2 * L, L, 0.2, S=min(2, len(c)), candidates=min(4, len(c)), H=2, eta=0.2 / L, batch=3),
    "gong": lambda L, c: Gong(0.3 / L, 3, 0.4 * L, S=min(3, len(c)), batch=3),
    "gong, everybody": lambda L, c: Gong(0.2 / L, 2, 0.5 * L, eta_s=0.5),
    "scaffold": lambda L, c: Scaffold(0.3 / L, 3, S=min(3, len(c)), batch=3),
    "scaffold, gradient at x": lambda L, c: Scaffold(0.3 / L, 2, eta_g=1.5, S=min(2, len(c)), control="i", batch=2),
    "scaffold, everybody": lambda L, c: Scaffold(0.3 / L, 4, eta_g=0.5),
}  # fmt: skip

# How a method starts from a server vector w and client vectors W and V; from w alone where it is not listed.
STARTS = {
    "FedADMM": lambda alg, f, w, W, V: alg.init(f, w, W, EPS[: f.m]),
    "FLAME": lambda alg, f, w, W, V: alg.init(f, V, W),
    "FedAvgStored": lambda alg, f, w, W, V: alg.init(f, w, W),
    "FedProxStored": lambda alg, f, w, W, V: alg.init(f, w, W),
    "Gong": lambda alg, f, w, W, V: alg.init(f, w, V - W),
    "Scaffold": lambda alg, f, w, W, V: alg.init(f, w, V - W),
}

WHOLE = np.arange(M)
BATCHLESS = {"quadratic", "huber", "tanh"}  # one sample a client: no minibatch without replacement of four


def begin(alg, f, w, W, V):
    """The method's state from a server vector ``(1, d)`` and client vectors ``(m, d)``."""
    return STARTS.get(type(alg).__name__, lambda alg, f, w, W, V: alg.init(f, w))(alg, f, w, W, V)


def start(alg, f):
    """The method's state from vectors that differ between clients."""
    rng = np.random.default_rng(3)
    w, W = (f.xp.asarray(rng.standard_normal((size, f.d)) / 2, device=f.device) for size in (1, f.m))
    return begin(alg, f, w, W, W + w)


def play(alg, f, state, steps=3, seed=1):
    """A few steps with the draws of a seed."""
    for k in range(steps):
        state = alg.step(f, state, alg.draw(f, stream(seed, k, "draw")))
    return state


def arrays(state):
    """The arrays of a state by name, on the host."""
    return {k: to_host(v) for k, v in state._asdict().items() if hasattr(v, "shape")}


def close(got, want, tolerance=1e-12):
    """Whether two arrays agree relative to the larger one's size."""
    got, want = np.asarray(got, dtype=float), np.asarray(want, dtype=float)
    return got.shape == want.shape and np.abs(got - want).max() <= tolerance * max(1.0, np.abs(want).max())


def scale(name):
    """L of a problem."""
    return PROBLEMS[name](WHOLE).constants().L


def table(problems=PROBLEMS):
    """All rows on all problems that have samples enough."""
    return [
        pytest.param(row, name, id=f"{row}-{name}")
        for row in ROWS
        for name in problems
        if not (row == "fedprox" and name in BATCHLESS)
    ]


def frozen(value):
    """The same with every host array read-only: nothing may be written in place."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    for part in value if isinstance(value, tuple) else ():
        frozen(part)
    return value


class Counted:
    """A problem that counts gradients, rows of gradients and gathers."""

    def __init__(self, f, count=None):
        self._f, self.count = f, count if count is not None else {"gradients": 0, "rows": 0, "gathers": 0, "proxes": 0}

    def __getattr__(self, name):
        return self.count[name] if name in self.count else getattr(self._f, name)

    def grad(self, W):
        self.count["gradients"] += 1
        self.count["rows"] += self._f.m
        return self._f.grad(W)

    def prox(self, W, lam):
        self.count["proxes"] += 1
        return self._f.prox(W, lam)

    def minibatch(self, rows):
        assert rows.shape[0] == self._f.m
        self.count["gathers"] += 1
        return Counted(self._f.minibatch(rows), self.count)

    def subset(self, clients):
        return Counted(self._f.subset(clients), self.count)
