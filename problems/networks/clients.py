"""The clients of a network by its name, with initial parameters by a seed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from fedtheory.errors import UsageError

from .bridge import TorchProblem
from .models import cnn, initialised, mlp


def of(
    model: str,
    clients: list[tuple[np.ndarray, np.ndarray]],
    *,
    classes: int,
    l2: float,
    seed: int,
    device: Any,
    precision: str,
    chunk_size: int | None,
    layers: Mapping[str, Any],
) -> TorchProblem:
    """Clients with cross-entropy; `model` is "mlp" or "cnn" of `.models`, `layers` are its options.

    Raises
    ------
    UsageError
        If features are no square grey image where the network needs one, or an option is out of range.
    """
    p = clients[0][0].shape[1]
    if model == "mlp":
        network = mlp(p, classes, **layers)
    else:
        side = math.isqrt(p)
        if side**2 != p:
            raise UsageError(
                f"`build(model='cnn')` needs square grey images, got {p} features; leave --bias out of it."
            )
        channels = {"channels": listed(layers["channels"])} if "channels" in layers else {}
        network = cnn(side, classes, **{**layers, **channels})
    network = initialised(network, seed).to(getattr(torch, precision))
    return TorchProblem(
        network, torch.nn.functional.cross_entropy, clients, l2=l2, device=device, chunk_size=chunk_size
    )


def listed(value: Any) -> list[Any]:
    """Channels as a list, from a list, a number, or text.

    Examples
    --------
    >>> listed("8,16"), listed(8), listed([8, 16])
    ([8, 16], [8], [8, 16])
    """
    if isinstance(value, str):
        return [int(word) if word.strip().isdigit() else word for word in value.split(",")]
    return list(value) if isinstance(value, (list, tuple)) else [value]
