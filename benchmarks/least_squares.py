"""Up to 100,000 least-squares clients: memory against the data, time against one look at the data, and how both grow.

FedADMM with one step (3.12) and FLAME with one step of l12 in a round, all clients, nothing observed: the least that a
round can read is every sample once.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import linear_regression, median
from typing import Any

import numpy as np

from fedtheory.algorithms import FLAME, FedADMM
from fedtheory.random import stream
from fedtheory.runs.loop import run
from problems.clients.least_squares import LeastSquaresClients

from .clock import interleaved
from .fresh import fresh, peak
from .report import Row

METHODS = ("FedADMM", "FLAME")
CLIENTS, QUICK = (1_000, 3_000, 10_000, 30_000, 100_000), (1_000, 4_000)
SAMPLES, DIMENSION = 50, 100  # of a client
MEMORY, TIME, SLOPE = 1.3, 5.0, 1.1  # the limits: times the data, times the copy, growth on log-log axes
BUFFER = 64 * 10**6  # bytes that the copy goes to, more than the caches hold
CHUNK = 500  # clients that are generated at a time
WORK = 300_000  # clients' rounds that are timed, so that few clients are watched as long as many
FIRST = 5  # rounds before the peak is read: from then on every array of the state has been replaced
CURVATURE = 7.0  # a bound on r_i = lambda_max(X_i'X_i)/n_i of normal samples, about (1 + sqrt(d/n))^2


def benchmark(quick: bool, say: Callable[[str], None], plot: str | None = None) -> list[Row]:
    """Every method at every number of clients, and how it grows; with `quick` few clients, too few to speak of growth."""
    points = []
    for m in QUICK if quick else CLIENTS:
        for method in METHODS:
            say(f"{method}, {m:,} clients")
            found = fresh(point, method=method, m=m, repeats=21 if quick else max(7, WORK // m))
            points.append({"method": method, "m": m, **found})
    if plot:
        from .scaling import draw

        what = f"least squares, {SAMPLES} samples of dimension {DIMENSION} a client, one gradient a round, one thread"
        draw([{**p, "used": used(p)} for p in points], plot, what)
    figures = [row for method in METHODS for row in rows(method, [p for p in points if p["method"] == method])]
    return [row for row in figures if row.unit] if quick else figures


def rows(method: str, points: list[dict[str, Any]]) -> list[Row]:
    """The figures of one method: at the most clients, and the growth from the fewest to them, which has no unit."""
    m, last = [p["m"] for p in points], points[-1]
    memory, fastest = [used(p) for p in points], [p["fastest"] for p in points]
    mib = f"{memory[-1] / 2**20:,.0f} MiB above the interpreter against {last['data'] / 2**20:,.0f} MiB of data"
    seconds = f"{1e3 * last['round']:,.1f} ms a round against {1e3 * last['copy']:,.1f} ms to copy the data"
    span = f"slope from {m[0]:,} to {m[-1]:,} clients, log-log"
    return [
        Row(f"{method}, {m[-1]:,} clients: memory", memory[-1] / last["data"], MEMORY, "x", mib),
        Row(f"{method}, {m[-1]:,} clients: time", last["round"] / last["copy"], TIME, "x", seconds),
        Row(f"{method}: growth of memory", slope(m, memory), SLOPE, "", span),
        Row(f"{method}: growth of time", slope(m, fastest), SLOPE, "", f"fastest rounds, {span}"),
    ]


def used(p: dict[str, Any]) -> int:
    """Peak memory of a point beyond that of the interpreter with its imports, in bytes."""
    return int(p["peak"] - p["baseline"])


def slope(x: list[int], y: list[float] | list[int]) -> float:
    """Least-squares slope on log-log axes.

    Examples
    --------
    >>> round(slope([1, 10, 100], [3, 30, 300]), 12)
    1.0
    """
    return linear_regression(np.log(x), np.log(y)).slope


def clients(m: int, n: int, d: int) -> LeastSquaresClients:
    """m clients of n normal samples, generated in place."""
    X, y = np.empty((m, n, d)), np.empty((m, n))
    for i, lo in enumerate(range(0, m, CHUNK)):
        rng = stream(0, i, "benchmark")
        rng.standard_normal(out=X[lo : lo + CHUNK])
        rng.standard_normal(out=y[lo : lo + CHUNK])
    return LeastSquaresClients.stacked(X, y)


def made(method: str, m: int) -> Any:
    """The method with one gradient of every client in a round."""
    if method == "FedADMM":
        return FedADMM(0.2 * CURVATURE / m, 1 / m, 0.95, 1, r=CURVATURE, inner_steps=1)
    return FLAME(5.0, 0.01, 1 / m, H=1, eta=0.01)


def point(method: str, m: int, repeats: int, n: int = SAMPLES, d: int = DIMENSION) -> dict[str, Any]:
    """Median seconds of a round and of a copy of the data, those of the fastest round, and the peak memory before the copies.

    The points of a curve are minutes apart, so that no interleaving makes their loads equal; the fastest rounds meet the
    least. Rounds go through the driver loop of `fedtheory.runs.loop`, as every run does.
    """
    problem, one = clients(m, n, d), made(method, m)
    state = one.init(problem)

    def rounds(more: int) -> None:
        nonlocal state
        state = run(one, problem, state, rounds=state.communications + more, seed=0, observers={}, every=0).state

    rounds(FIRST)
    most = peak()
    seconds = interleaved({"copy": Copy(problem.store.X, problem.store.y), "round": lambda: rounds(1)}, repeats)
    data = problem.store.X.nbytes + problem.store.y.nbytes
    times = {**{name: median(s) for name, s in seconds.items()}, "fastest": min(seconds["round"])}
    return {**times, "peak": most, "data": data, "finite": bool(np.isfinite(state.w).all())}


class Copy:
    """All data once, block after block, into one buffer that stays."""

    def __init__(self, *data: np.ndarray) -> None:
        self.data = [a.reshape(-1) for a in data]
        self.buffer = np.zeros(BUFFER // 8)
        self.buffer[:] = 1  # resident from here on

    def __call__(self) -> None:
        for a in self.data:
            for lo in range(0, len(a), len(self.buffer)):
                part = a[lo : lo + len(self.buffer)]
                self.buffer[: len(part)] = part
