"""Networks trained without a federation, as a reference: each client alone, or one that holds all samples."""

from __future__ import annotations

from typing import Any

import torch

from fedtheory.random import stream

from .bridge import TorchProblem

STEPS, BATCH, RATE = 500, 32, 1e-3


def trained(problem: TorchProblem) -> Any:
    """Parameters ``(m, d)`` after `STEPS` steps of Adam on each client's own minibatches, from the problem's start.

    Adam works on every coordinate apart, so that the clients, stacked, are trained at once and each alone. The minibatches come
    from ``stream(0, step, "training")``.
    """
    W = problem.start.expand(problem.m, -1).clone()
    optimiser = torch.optim.Adam([W], lr=RATE)
    for step in range(STEPS):
        rows = stream(0, step, "training").integers(problem.n[:, None], size=(problem.m, BATCH))
        W.grad = problem.grad(W, rows)
        optimiser.step()
    return W
