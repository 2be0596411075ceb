"""Convex clients on NumPy, torch or CuPy: a round's throughput beside the bandwidth and the matrix rate of the machine.

FLAME with one gradient a round on least squares, 10,000 clients of 50 samples of dimension 100, which is bound by reading the
samples; pFedMe on softmax, 100 clients of 200 samples in one minibatch, 784 -> 10, R = 4, K = 5, whose work is products. In
float64. `benchmarks.pfedme` and `benchmarks.least_squares` have the limits on a host; here are none.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import median
from typing import Any

from fedtheory._arrays import backend as namespace_of
from fedtheory.algorithms import FLAME, PFedMe
from fedtheory.random import stream
from fedtheory.runs.loop import draws_of
from problems.clients.least_squares import LeastSquaresClients
from problems.clients.softmax import SoftmaxClients

from .clock import interleaved
from .fresh import fresh
from .rates import Rates, finished
from .report import Row

LEAST_SQUARES = (10_000, 50, 100)  # clients, samples, dimension
SOFTMAX = (100, 200, 784, 10)  # clients, samples, features, classes
QUICK = ((200, 50, 100), (10, 40, 64, 10))
R, K = 4, 5


def benchmark(quick: bool, say: Callable[[str], None], backend: str = "numpy", device: str = "") -> list[Row]:
    """Both rounds; with `quick` small sizes, at which the shares mean nothing."""
    repeats = 3 if quick else 11
    say(f"rounds on {' '.join(filter(None, (backend, device)))}, {repeats} repeats")
    found = fresh(point, quick=quick, repeats=repeats, backend=backend, device=device)
    read, made = found["bytes"] / found["FLAME"], found["flops"] / found["pFedMe"]
    where = f"on {found['device']}"
    return [
        Row(
            f"FLAME, least squares, {found['m']:,} clients", found["m"] / found["FLAME"], math.inf, "gradients/s",
            f"{1e3 * found['FLAME']:.1f} ms {where}; samples read once at {read / 1e9:.1f} GB/s, "
            f"{read / found['bandwidth']:.0%} of {found['bandwidth'] / 1e9:.1f} GB/s of a copy",
        ),
        Row(
            f"pFedMe, softmax, {found['softmax_m']:,} clients", found["softmax_m"] * R * K / found["pFedMe"], math.inf,
            "gradients/s", f"{1e3 * found['pFedMe']:.1f} ms {where}; products at {made / 1e9:.1f} GFLOP/s, "
            f"{made / found['rate']:.0%} of {found['rate'] / 1e9:.1f} GFLOP/s of one product",
        ),
    ]  # fmt: skip


def point(quick: bool, repeats: int, backend: str, device: str) -> dict[str, Any]:
    """Median seconds of both rounds, the bytes and operations in them, and what the machine does at best."""
    xp, where = namespace_of(backend, "--backend"), device or None
    (m, n, d), (M, N, p, classes) = QUICK if quick else (LEAST_SQUARES, SOFTMAX)
    draws = stream(0, 0, "benchmark")
    X, y = draws.standard_normal((m, n, d)), draws.standard_normal((m, n))
    squares = LeastSquaresClients.stacked(xp.asarray(X, device=where), xp.asarray(y, device=where))
    pairs = [(draws.standard_normal((N, p)), draws.integers(classes, size=N)) for _ in range(M)]
    softmax = SoftmaxClients(pairs, classes=classes, xp=xp, device=where)
    methods = {
        "FLAME": (FLAME(5.0, 0.01, 1 / m, H=1, eta=0.01), squares),
        "pFedMe": (PFedMe(20.0, 0.005, 2.0, R, M, K=K, inner_eta=0.01), softmax),
    }
    rates = Rates(xp, xp.float64, where, quick)
    rounds = {name: finished(Round(*of)) for name, of in methods.items()}
    seconds = {name: median(s) for name, s in interleaved({**rounds, **rates.cases}, repeats).items()}
    return {
        **{name: seconds[name] for name in methods}, **rates.measured(seconds), "m": m, "softmax_m": M,
        "bytes": X.nbytes + y.nbytes, "flops": R * K * M * N * 4 * p * classes, "device": f"{named(backend, device)}, {backend}",
    }  # fmt: skip


class Round:
    """The next round of a method, whenever it is called; gives the server's vector."""

    def __init__(self, method: Any, problem: Any) -> None:
        self.method, self.problem, self.state = method, problem, method.init(problem)

    def __call__(self) -> Any:
        draws = draws_of(self.method, self.problem, self.state, seed=0)
        self.state = self.method.step(self.problem, self.state, draws)
        return self.state.w


def named(backend: str, device: str) -> str:
    """The device in words, by its own name where it is a GPU."""
    if backend == "cupy":
        import cupy

        return str(cupy.cuda.runtime.getDeviceProperties(cupy.cuda.runtime.getDevice())["name"].decode())
    if device.startswith("cuda"):
        import torch

        return torch.cuda.get_device_name(device)
    return "the processor"
