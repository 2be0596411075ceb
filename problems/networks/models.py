"""Two networks for classification, with the default initial values of torch's layers drawn on the host."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import nn

from fedtheory.checks import whole
from fedtheory.errors import UsageError
from fedtheory.random import stream


def mlp(features: int, classes: int, *, hidden: int = 100) -> nn.Module:
    """A network of one hidden layer with ReLU.

    Examples
    --------
    >>> sum(p.numel() for p in mlp(784, 10).parameters())
    79510
    """
    hidden = whole("mlp(hidden=...)", hidden, 1)
    return nn.Sequential(nn.Flatten(), nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, classes))


def cnn(
    side: int,
    classes: int,
    *,
    channels: Sequence[int] = (8, 16),
    kernel: int = 3,
    padding: int = 1,
    hidden: int = 100,
) -> nn.Module:
    """Convolutions with ReLU and pooling by 2 on grey images of `side` times `side` pixels, then one hidden layer.

    Samples may be flat, ``(b, side^2)``.

    Raises
    ------
    UsageError
        If nothing is left of the image after the last layer.

    Examples
    --------
    >>> sum(p.numel() for p in cnn(64, 6, channels=(20, 20, 20), kernel=5, padding=1, hidden=256).parameters())
    206678
    """
    kernel, hidden = whole("cnn(kernel=...)", kernel, 1), whole("cnn(hidden=...)", hidden, 1)
    padding = whole("cnn(padding=...)", padding, 0)
    layers: list[Any] = [nn.Unflatten(-1, (1, side, side))]
    before, left = 1, side
    for after in channels:
        layers += [nn.Conv2d(before, whole("cnn(channels=...)", after, 1), kernel, padding=padding), nn.ReLU()]
        layers.append(nn.MaxPool2d(2))
        before, left = after, (left + 2 * padding - kernel + 1) // 2
        if left < 1:
            raise UsageError(
                f"`cnn(channels=..., kernel={kernel})` must leave a pixel of {side} x {side}, got {list(channels)}; take fewer."
            )
    layers += [nn.Flatten(), nn.Linear(before * left**2, hidden), nn.ReLU(), nn.Linear(hidden, classes)]
    return nn.Sequential(*layers)


def initialised(model: nn.Module, seed: int) -> nn.Module:
    """The model with every weight and bias uniform within 1/sqrt(inputs of the unit), as torch's layers have it.

    The numbers come from ``stream(seed, 0, "initial parameters")``: equal seeds give equal networks on every machine.
    """
    draws = stream(seed, 0, "initial parameters")
    with torch.no_grad():
        for layer in model.modules():
            own = dict(layer.named_parameters(recurse=False))
            if not own:
                continue
            bound = 1 / math.sqrt(own["weight"][0].numel())
            for p in own.values():
                p.copy_(torch.as_tensor(draws.uniform(-bound, bound, tuple(p.shape))))
    return model
