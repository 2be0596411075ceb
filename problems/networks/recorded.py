"""Functions that are called often at the same shapes, as the graph of their operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import make_fx

OFTEN = 20  # calls at the same shapes after which a function is recorded
RESHAPES = {torch.ops.aten.expand.default, torch.ops.aten.view.default, torch.ops.aten._unsafe_view.default}


class Recorder:
    """Calls of functions, counted by name and shapes, and the graphs of those that are called often.

    The operations are the same, and so are the bytes; only the work of the transforms that produce them is saved, which is
    more than that of the operations where few or small clients are computed at once.
    """

    def __init__(self) -> None:
        self.calls: dict[Any, int] = {}
        self.graphs: dict[Any, Callable[..., Any]] = {}

    def run(self, name: tuple[Any, ...], fn: Callable[..., Any], *args: Any) -> Any:
        """`fn(*args)`, where all functions of a `name` are the same one."""
        key = (*name, *(a.shape for a in args))
        if key in self.graphs:
            return self.graphs[key](*args)
        self.calls[key] = self.calls.get(key, 0) + 1
        if self.calls[key] < OFTEN:
            return fn(*args)
        self.graphs[key] = recorded(fn, *args)
        return self.graphs[key](*args)


def recorded(fn: Callable[..., Any], *args: Any) -> Callable[..., Any]:
    """The operations of `fn(*args)` one after the other, without those that nothing follows from or that change no shape."""
    found = make_fx(lambda *a: fn(*a))(*args)  # the transforms keep the signature of one client
    for node in found.graph.nodes:
        if node.target in RESHAPES and _shape(node) == _shape(node.args[0]):
            node.replace_all_uses_with(node.args[0])
    found.graph.eliminate_dead_code()
    found.recompile()
    return found


def _shape(node: torch.fx.Node) -> torch.Size:
    return node.meta["tensor_meta"].shape
