"""What a user gives to make clients of: a module, a loss, data; and a line that says what is wrong with it."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from fedtheory.errors import UsageError


def trainable(call: str, model: torch.nn.Module) -> dict[str, Any]:
    """The parameters that require gradients, by name.

    Raises
    ------
    UsageError
        If there are none, they differ in type, or the shape of one is not known yet.
    """
    found = {name: p for name, p in model.named_parameters() if p.requires_grad}
    if not found:
        raise UsageError(f"`{call}` must have parameters that require gradients, got none.")
    for name, p in found.items():
        if torch.nn.parameter.is_lazy(p):
            raise UsageError(
                f"`{call}` must know its shapes, got the lazy parameter {name}; call it on a sample first."
            )
    types = {p.dtype for p in found.values()}
    if len(types) > 1 or not types <= {torch.float32, torch.float64}:
        listed = ", ".join(sorted(str(t) for t in types))
        raise UsageError(f"`{call}` must have parameters of one type, float32 or float64, got {listed}.")
    return found


def require_every_sample_alone(call: str, model: torch.nn.Module) -> None:
    """Raise UsageError where an output depends on the other samples of a batch, or on random numbers of the module.

    Examples
    --------
    >>> require_every_sample_alone("TorchProblem(model=...)", torch.nn.Sequential(torch.nn.Dropout(0.5)))
    Traceback (most recent call last):
    fedtheory.errors.UsageError: `TorchProblem(model=...)` must not draw random numbers of its own, got the layer 0, \
Dropout(p=0.5, inplace=False): minibatches are drawn on the host; use p=0, or model.eval().
    """
    for name, layer in model.named_modules():
        got = f"got the layer {name or 'model'}, {layer}"
        if isinstance(layer, torch.nn.modules.batchnorm._BatchNorm):
            instead = "use GroupNorm or LayerNorm"
            raise UsageError(f"`{call}` must treat every sample alone, {got}: it averages over a batch; {instead}.")
        if isinstance(layer, torch.nn.modules.dropout._DropoutNd) and layer.training and layer.p > 0:
            instead = "minibatches are drawn on the host; use p=0, or model.eval()"
            raise UsageError(f"`{call}` must not draw random numbers of its own, {got}: {instead}.")
        if getattr(layer, "track_running_stats", False):
            instead = "use it without track_running_stats"
            raise UsageError(f"`{call}` must not change while it is evaluated, {got}: it keeps statistics; {instead}.")


def of_every_sample(loss: Callable[..., Any]) -> Callable[..., Any]:
    """A loss of torch, as a module or a function, without its mean over the batch; any other as it is."""
    if isinstance(loss, torch.nn.Module):
        if not hasattr(loss, "reduction"):
            return loss
        alone = copy.deepcopy(loss)
        alone.reduction = "none"  # type: ignore[assignment]
        return alone
    try:
        takes = "reduction" in inspect.signature(loss).parameters
    except (TypeError, ValueError):
        takes = False
    return partial(loss, reduction="none") if takes else loss


def numbers_of_layers(model: torch.nn.Module, X: Any) -> int:
    """Numbers in the outputs of all layers for one sample of X ``(b, ...)``: what a gradient keeps of it, about.

    Examples
    --------
    >>> model = torch.nn.Sequential(torch.nn.Linear(2, 5), torch.nn.ReLU(), torch.nn.Linear(5, 3))
    >>> numbers_of_layers(model, torch.zeros(4, 2))
    13
    """
    found: list[int] = []

    def count(layer: Any, given: Any, out: Any) -> None:
        found.append(out.numel() if isinstance(out, torch.Tensor) else 0)

    hooks = [layer.register_forward_hook(count) for layer in model.modules() if not any(layer.children())]
    with torch.no_grad():
        model(X)
    for hook in hooks:
        hook.remove()
    return max(1, sum(found) // len(X))


def samples(call: str, i: int, client: Any) -> tuple[np.ndarray, np.ndarray]:
    """Features and targets of one client on the host, from a pair, a Dataset or a DataLoader.

    Raises
    ------
    UsageError
        If it is none of them, or a batch is no pair of tensors.
    """
    if isinstance(client, Dataset):
        client = DataLoader(client, batch_size=len(client))  # type: ignore[arg-type]
    batches: Iterable[Any] = client if isinstance(client, DataLoader) else [client]
    try:
        pairs = [(torch.as_tensor(X), torch.as_tensor(y)) for X, y in batches]
    except (TypeError, ValueError) as error:
        rule = "must hold pairs (X, y) of arrays, Datasets or DataLoaders of such pairs"
        raise UsageError(f"`{call}` {rule}, got others for client {i} ({error}).") from None
    if not pairs:
        raise UsageError(f"`{call}` must hold samples, got none for client {i}.")
    X, y = (torch.cat(parts).cpu().numpy() for parts in zip(*pairs, strict=True))
    if X.ndim < 2 or y.ndim != 1:
        raise UsageError(f"`{call}` must hold X (n, ...) and y (n,), got {X.shape} and {y.shape} for client {i}.")
    return X, y
