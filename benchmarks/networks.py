"""FLAME on a network: a round of 100 clients with 79,510 parameters each against a plain loop over the clients.

FLAME's Section 5.2.1 on the network of its Table I: H = 5 gradient steps of minibatches of 100 in every client, in float32, as
torch has it. Samples are random numbers, for the time of a round does not depend on them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from importlib.util import find_spec
from statistics import median
from typing import Any

from fedtheory.algorithms import FLAME
from fedtheory.random import stream
from fedtheory.runs.loop import draws_of

from .clock import interleaved
from .fresh import fresh, peak
from .rates import Rates, finished
from .report import Row

M, FEATURES, CLASSES, SAMPLES, H, BATCH = 100, 784, 10, 120, 5, 100
METHOD = FLAME(5.0, 0.01, 1 / M, H=H, eta=0.01, batch=BATCH)
RATIO, MEMORY = 1.0, 2000.0  # the limits: times the plain loop, MiB
WARM = 4  # rounds before the first that counts: the operations are recorded by then
MIB = 2**20


def installed() -> bool:
    """Whether torch is there."""
    return find_spec("torch") is not None


def benchmark(quick: bool, say: Callable[[str], None], device: str = "cpu") -> list[Row]:
    """The round on a device beside the loop there; with `quick` 10 clients and 3 repeats."""
    m, repeats = (10, 3) if quick else (M, 11)
    say(f"{m} clients on {device}, {repeats} repeats")
    found = fresh(round_point, m=m, repeats=repeats, device=device)
    gradients, seconds = m * H, found["round"]
    made = gradients * found["flops"] / seconds
    times = f"{1e3 * seconds:.0f} ms against {1e3 * found['loop']:.0f} ms on {found['device']}"
    work = (
        f"{gradients / seconds:,.0f} gradients/s; {made / 1e9:,.1f} GFLOP/s, {made / found['bare']:.0%} of the bare products of "
        f"its first layer, {made / found['rate']:.0%} of {found['rate'] / 1e9:,.1f} GFLOP/s of one large product"
    )
    state = f"four vectors a client are {16 * m * found['d'] / MIB:,.0f} MiB; a copy has {found['bandwidth'] / 1e9:,.1f} GB/s"
    return [
        Row(f"round of {m} clients x {found['d']:,}", found["ratio"], RATIO, "x", f"{times}; {work}"),
        Row("peak memory", found["peak"] / MIB, MEMORY, "MiB", state),
    ]


def round_point(m: int, repeats: int, device: str) -> dict[str, Any]:
    """Median seconds of a round and of the loop and of their ratio, the rates of products and of a copy, the peak memory."""
    import array_api_compat.torch as xp
    import torch

    from problems.networks import TorchProblem, initialised, mlp

    on_device = device != "cpu"
    draws = stream(0, 0, "samples")
    data = [(draws.standard_normal((SAMPLES, FEATURES)), draws.integers(CLASSES, size=SAMPLES)) for _ in range(m)]
    model = initialised(mlp(FEATURES, CLASSES), 0)
    problem = TorchProblem(model, torch.nn.functional.cross_entropy, data, device=device)
    loop, state = Loop(problem, model), METHOD.init(problem)

    def one() -> Any:
        nonlocal state
        state = METHOD.step(problem, state, draws_of(METHOD, problem, state, seed=0))
        return state.w

    for _ in range(WARM):
        one()
    seconds = interleaved({"round": finished(one), "loop": finished(loop)}, repeats)
    most = torch.cuda.max_memory_allocated() if on_device else peak()
    W, X = torch.randn(m, 100, FEATURES, device=device), torch.randn(m, BATCH, FEATURES, device=device)
    rates = Rates(xp, torch.float32, device)
    best = interleaved({"bare": finished(lambda: torch.bmm(X, W.mT)), **rates.cases}, repeats)
    layers = FEATURES * 100 + 100 * CLASSES
    return {
        **{k: median(s) for k, s in seconds.items()}, **rates.measured({k: median(s) for k, s in best.items()}),
        "ratio": median(a / b for a, b in zip(seconds["round"], seconds["loop"], strict=True)), "d": problem.d,
        "flops": 2 * BATCH * (2 * layers + 100 * CLASSES),  # forward, weights, and the inputs of the second layer
        "bare": 2 * m * BATCH * FEATURES * 100 / median(best["bare"]),
        "peak": most, "device": torch.cuda.get_device_name() if on_device else "the processor",
    }  # fmt: skip


class Loop:
    """The same round as one writes it: client after client, a module whose parameters are replaced, in place."""

    def __init__(self, problem: Any, model: Any) -> None:
        import torch

        self.torch, self.problem, self.t = torch, problem, 0
        self.net = copy.deepcopy(model).to(problem.device)
        self.parameters = list(self.net.parameters())
        rows = [slice(int(a), int(a + n)) for a, n in zip(problem.store.start, problem.n, strict=True)]
        self.data = [(problem.store.X[r], problem.store.y[r]) for r in rows]
        start = problem.start.expand(problem.m, -1)
        self.Theta, self.W, self.Pi, self.w = start.clone(), start.clone(), start * 0, problem.start[0].clone()

    def __call__(self) -> Any:
        torch, rows = self.torch, METHOD.draw(self.problem, stream(0, self.t, "draw")).rows
        alpha_lam, rho = METHOD.alpha * METHOD.lam, METHOD.rho
        total = torch.zeros_like(self.w)
        for i, (X, y) in enumerate(self.data):
            theta, pull = self.split(self.Theta[i]), self.split(self.W[i])
            with torch.no_grad():
                for p, value in zip(self.parameters, theta, strict=True):
                    p.copy_(value)
            for h in range(H):
                batch = torch.as_tensor(rows[h, i], device=X.device)
                loss = torch.nn.functional.cross_entropy(self.net(X[batch]), y[batch])
                slopes = torch.autograd.grad(loss, self.parameters)
                with torch.no_grad():
                    for p, g, v in zip(self.parameters, slopes, pull, strict=True):
                        p -= METHOD.eta * (g + METHOD.lam * (p - v))
            with torch.no_grad():
                for p, value in zip(self.parameters, theta, strict=True):
                    value.copy_(p)
                self.W[i] = (self.Theta[i] * alpha_lam + self.w * rho - self.Pi[i]) / (alpha_lam + rho)
                self.Pi[i] += (self.W[i] - self.w) * rho
                total += self.W[i] + self.Pi[i] / rho
        self.w = total / len(self.data)
        self.t += 1
        return self.w

    def split(self, vector: Any) -> list[Any]:
        """A vector ``(d,)`` as parameters, views of it."""
        parts = self.torch.split(vector, self.problem.sizes)
        return [part.view(shape) for part, shape in zip(parts, self.problem.shapes, strict=True)]
