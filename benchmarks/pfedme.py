"""pFedMe on Synthetic(0.5, 0.5): a round against its bare products, and a whole run.

The setting of pFedMe's Section 5.1: softmax with d = 10 x 60, N = 100 clients that all train in every round, R = 20, K = 5,
minibatches of 20, S = 10 clients in the mean. A round takes 100 R K = 10,000 client gradients.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from fedtheory.algorithms import PFedMe
from fedtheory.measure.observe import error, objective
from fedtheory.random import stream
from fedtheory.runs.loop import draws_of, run
from problems.clients.softmax import SoftmaxClients
from problems.data.generators import synthetic

from .clock import interleaved
from .fresh import fresh, peak
from .report import Row

CLASSES, STEPS, BATCH = 10, 5, 20
METHOD = PFedMe(20.0, 0.005, 2.0, 20, 10, K=STEPS, inner_eta=0.01, batch=BATCH, everyone=True)
RATIO, SECONDS, MEMORY = 2.5, 60.0, 500.0  # the limits: times the bare work, seconds of the whole run, MiB
ROUNDS, EVERY = 600, 10
QUICK = 250  # samples a client
MIB = 2**20


def benchmark(quick: bool, say: Callable[[str], None]) -> list[Row]:
    """A round, and the run of 600 rounds; with `quick` few samples, 3 repeats and 20 rounds."""
    repeats, rounds, sizes = (3, 20, [QUICK] * 100) if quick else (21, ROUNDS, "power-law")
    say(f"one round, {repeats} repeats")
    one = fresh(round_point, sizes=sizes, repeats=repeats)
    say(f"{rounds} rounds, evaluated every {EVERY}")
    whole = fresh(run_point, sizes=sizes, rounds=rounds)
    seconds, cpu = whole["seconds"], whole["cpu"]
    total, objective = (
        f"data and evaluations included; {cpu:.1f} s of CPU",
        f"f from {whole['first']:.3f} to {whole['last']:.3f}",
    )
    work = f"{1e3 * one['round']:.1f} ms against {1e3 * one['bare']:.1f} ms of products, gathers and exp"
    return [
        Row(f"round of {one['gradients']:,} gradients", one["round"] / one["bare"], RATIO, "x", work),
        Row(f"{rounds} rounds", seconds, SECONDS * rounds / ROUNDS, "s", total),
        Row("peak memory of the process", whole["peak"] / MIB, MEMORY, "MiB", objective),
    ]  # fmt: skip


def clients(sizes: Any) -> SoftmaxClients:
    """The stacked clients; the generated list is gone when this returns."""
    return SoftmaxClients(synthetic(sizes=sizes), classes=CLASSES)


def round_point(sizes: Any, repeats: int) -> dict[str, Any]:
    """Median seconds of a round, its draws included, and of the bare work on the same minibatches."""
    problem = clients(sizes)
    state = METHOD.init(problem)
    bare = Bare(problem)

    def one() -> None:
        nonlocal state
        state = METHOD.step(problem, state, draws_of(METHOD, problem, state, seed=0))

    seconds = interleaved({"bare": bare, "round": one}, repeats)
    return {**{k: median(s) for k, s in seconds.items()}, "gradients": problem.m * METHOD.R * STEPS}


class Bare:
    """The work that no round of pFedMe on NumPy can do without, into arrays that are kept.

    R gathers of all clients' minibatches; after each of them K times the scores of all samples, one exp a score, and the
    product back. No maximum, no sum over classes, no labels, no penalty, no update.
    """

    def __init__(self, problem: Any) -> None:
        draws = METHOD.draw(problem, stream(0, 0, "draw"))
        m, p = problem.m, problem.store.p
        self.samples = problem.store.X
        self.rows = (problem.store.start[:, None] + draws.rows).reshape(METHOD.R, m * BATCH)
        self.W = stream(0, 0, "bare").standard_normal((m, CLASSES, p)) / p
        self.X, self.S, self.G = np.empty((m * BATCH, p)), np.empty((m, CLASSES, BATCH)), np.empty((m, CLASSES, p))

    def __call__(self) -> None:
        X = self.X.reshape(len(self.W), -1, self.X.shape[1])
        for rows in self.rows:
            self.samples.take(rows, axis=0, out=self.X, mode="clip")
            for _ in range(STEPS):
                np.matmul(self.W, X.mT, out=self.S)
                np.exp(self.S, out=self.S)
                np.matmul(self.S, X, out=self.G)


def run_point(sizes: Any, rounds: int) -> dict[str, Any]:
    """Seconds from nothing to the last evaluation, and the peak memory of all of it, in bytes.

    An evaluation is f and |grad f|^2 at the server vector and the mean of f_i(theta_i), each on all samples.
    """
    wall, cpu = time.perf_counter(), time.process_time()
    problem = clients(sizes)
    observers = {
        "objective": lambda s: objective(problem, s.w),
        "error": lambda s: error(problem, s.w),
        "personal": lambda s: np.mean(problem.value(s.w if s.Theta is None else s.Theta)),
    }
    trace = run(METHOD, problem, METHOD.init(problem), rounds=rounds, seed=0, observers=observers, every=EVERY)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    first, last = (float(trace["objective"][k]) for k in (0, -1))
    return {"seconds": wall, "cpu": cpu, "peak": peak(), "first": first, "last": last, "evaluations": len(trace["t"])}
