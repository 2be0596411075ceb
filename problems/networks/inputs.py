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
        kept = bool(getattr(layer, "track_running_stats", False))
        if kept and not layer.training:  # what it divides by is kept from before, the same for every sample
            continue
        if isinstance(layer, torch.nn.modules.batchnorm._BatchNorm):
            instead = "use GroupNorm or LayerNorm" + ", or model.eval(), where it keeps what it has" * kept
            raise UsageError(f"`{call}` must treat every sample alone, {got}: it averages over a batch; {instead}.")
        if isinstance(layer, torch.nn.modules.dropout._DropoutNd) and layer.training and layer.p > 0:
            instead = "minibatches are drawn on the host; use p=0, or model.eval()"
            raise UsageError(f"`{call}` must not draw random numbers of its own, {got}: {instead}.")
        if kept:
            instead = "use it without track_running_stats, or model.eval()"
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


def counts_of_samples(loss: Any) -> Callable[[Any], Any] | None:
    """What torch divides a loss by, of targets ``(b,)``: weights of classes, and nothing for the label to ignore; else None.

    Examples
    --------
    >>> counts = counts_of_samples(torch.nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0])))
    >>> counts(torch.tensor([1, 0, 1]))
    tensor([3., 1., 3.])
    """
    weight, ignored = getattr(loss, "weight", None), getattr(loss, "ignore_index", -1)
    if not isinstance(loss, torch.nn.CrossEntropyLoss | torch.nn.NLLLoss) or loss.reduction != "mean":
        return None
    if weight is None and ignored < 0:
        return None

    def counts(y: Any) -> Any:
        own = torch.ones_like(y, dtype=torch.get_default_dtype()) if weight is None else weight.to(y.device)[y]
        return own * (y != ignored)

    return counts


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
    if isinstance(client, Dataset) and len(client):  # type: ignore[arg-type]
        client = DataLoader(client, batch_size=len(client))  # type: ignore[arg-type]
    batches: Iterable[Any] = (
        client if isinstance(client, DataLoader) else [] if isinstance(client, Dataset) else [client]
    )
    try:
        pairs = [(torch.as_tensor(X), torch.as_tensor(y)) for X, y in batches]
    except (TypeError, ValueError) as error:
        rule = "must hold pairs (X, y) of arrays, Datasets or DataLoaders of such pairs"
        raise UsageError(f"`{call}` {rule}, got others for client {i} ({error}).") from None
    if not sum(len(y) for _, y in pairs if y.ndim):
        raise UsageError(f"`{call}` must hold samples, got none for client {i}; leave it out.")
    X, y = (torch.cat(parts).cpu().numpy() for parts in zip(*pairs, strict=True))
    if X.ndim < 2 or y.ndim != 1:
        raise UsageError(f"`{call}` must hold X (n, ...) and y (n,), got {X.shape} and {y.shape} for client {i}.")
    return X, y
