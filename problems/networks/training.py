"""Networks trained without a federation, as a reference: each client alone, or one that holds all samples."""

from __future__ import annotations

from typing import Any

import torch

from fedtheory.random import stream

from .bridge import TorchProblem

STEPS, BATCH, RATE = 1000, 32, 1e-3


def trained(problem: TorchProblem, *, steps: int = STEPS, batch: int = BATCH, rate: float = RATE) -> Any:
    """Parameters ``(m, d)`` after steps of Adam on each client's own minibatches, from the problem's start.

    Adam works on every coordinate apart, so that the clients, stacked, are trained at once and each alone. The minibatches come
    from ``stream(0, step, "training")``.
    """
    W = problem.start.expand(problem.m, -1).clone()
    optimiser = torch.optim.Adam([W], lr=rate)
    for step in range(steps):
        rows = stream(0, step, "training").integers(problem.n[:, None], size=(problem.m, batch))
        W.grad = problem.grad(W, rows)
        optimiser.step()
    return W
