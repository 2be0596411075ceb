"""Clients ``f_i(w) = 1/n_i sum_j loss(model(x_ij; w), y_ij) + l2/2 |w|^2`` of any torch module.

The trainable parameters of the module, one after the other as `named_parameters` has them, are w; values and derivatives of
all clients are `torch.func` transforms of one function, mapped over the clients. What a method needs of its state it gets as
for any other problem, and draws stay on the host.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import array_api_compat.torch as xp
import numpy as np
import torch
from array_api_compat import array_namespace
from torch.func import functional_call, grad, grad_and_value, hessian, jvp, vmap

from fedtheory.checks import whole
from fedtheory.errors import UsageError
from fedtheory.measure.estimates import curvature
from fedtheory.problem import Constants, Layer, Optimum

from ..clients import newton
from ..clients.base import Clients, checked_penalty, curvature_penalty
from ..clients.store import Block, Store, checked_rows, store_clients
from .inputs import (
    counts_of_samples,
    numbers_of_layers,
    of_every_sample,
    require_every_sample_alone,
    samples,
    trainable,
)
from .recorded import Recorder

PARAMETERS = {"cpu": 2**23, "other": 2**27}  # of the clients that are computed at once, on the host and on a device
OUTPUTS = {"cpu": 2**25, "other": 2**29}  # numbers in the outputs of all layers on their samples
GRADIENTS = 2**24  # numbers in the gradients of single samples that are held at once
LOOKED, LABELS = 64, 1000  # samples at which a loss is compared with its mean, and labels of which one is


class TorchProblem(Clients):
    """Stacked clients of one torch module.

    Parameters
    ----------
    model : torch.nn.Module
        From a batch of samples to a batch of outputs, of every sample alone. It is copied: neither its parameters nor its mode
        change. Parameters that do not require gradients stay as they are. Its mode counts: in ``eval()`` dropout does nothing.
    loss : callable
        From outputs and targets ``(b, ...)``, ``(b, ...)`` to one number a sample, ``(b,)``. A loss that takes ``reduction``,
        as those of torch do, is asked for ``reduction="none"``. Weights of classes and ``ignore_index`` of torch's own losses
        count as there: f_i divides by the weights of the client's samples, a minibatch by those of its own.
    data : sequence
        For every client a pair ``(X, y)`` of arrays or tensors, ``(n_i, ...)`` and ``(n_i,)``, a Dataset, or a DataLoader, which is
        read once, in its order. Features become the dtype of the parameters, but integers stay what they are where the module
        takes them, as an Embedding does; integer targets stay integers.
    l2 : float
        Coefficient of the regulariser ``l2/2 |w|^2``, at least 0.
    convex : bool
        Whether the loss is convex in w, as for a linear model: your word, on which proximal points and the optimum rest.
    device : device, optional
        Where the clients live; that of the parameters if not given.
    chunk_size : int, optional
        Clients that are computed at once; bounds the memory. By default as many as their parameters and the outputs of the
        layers on their samples allow.

    Attributes
    ----------
    start : tensor (1, d)
        The parameters that the module came with, from which methods start.

    Raises
    ------
    UsageError
        If the module has no trainable parameters, or of several types; if it has a layer whose output depends on other
        samples or on random numbers of its own; if the loss is no number a sample; if the data do not fit together.

    Examples
    --------
    >>> model = torch.nn.Linear(2, 3).double()
    >>> data = [(np.ones((4, 2)), np.array([0, 1, 2, 0])), (np.ones((2, 2)), np.array([1, 1]))]
    >>> f = TorchProblem(model, torch.nn.functional.cross_entropy, data)
    >>> f.m, f.d, f.value(f.start * 0).numpy().round(4)
    (2, 9, array([1.0986, 1.0986]))
    """

    def __init__(
        self,
        model: torch.nn.Module,
        loss: Callable[[Any, Any], Any],
        data: Sequence[Any],
        *,
        l2: float = 0.0,
        convex: bool = False,
        device: Any = None,
        chunk_size: int | None = None,
    ) -> None:
        self.l2, self.convex = curvature_penalty(self.name, l2), convex
        if not isinstance(model, torch.nn.Module):
            raise UsageError(f"`{self.name}(model=...)` must be a torch.nn.Module, got {type(model).__name__}.")
        require_every_sample_alone(f"{self.name}(model=...)", model)
        trained = trainable(f"{self.name}(model=...)", model)
        self.xp = xp
        self.names, self.shapes = list(trained), [p.shape for p in trained.values()]
        self.sizes = [p.numel() for p in trained.values()]
        start = torch.cat([p.detach().reshape(-1) for p in trained.values()])[None, :]
        self.start = start.to(device) if device is not None else start.clone()
        self.dtype, self.device = self.start.dtype, self.start.device
        self.module = copy.deepcopy(model).to(self.device).requires_grad_(False)
        self.loss, self.counts = of_every_sample(loss), counts_of_samples(loss)
        if chunk_size is not None:
            whole(f"{self.name}(chunk_size=...)", chunk_size, 1)
        place = "cpu" if self.device.type == "cpu" else "other"
        self.chunk_size = chunk_size or max(1, PARAMETERS[place] // sum(self.sizes))
        self.recorder = Recorder()
        self.integers = True
        self._hold(self._stored([samples(f"{self.name}(data=...)", i, one) for i, one in enumerate(data)]))
        self.integers = self.integers and self._takes_integers()
        self._try()
        self._require_mean(loss)
        self.most_samples = None if chunk_size else OUTPUTS[place] // numbers_of_layers(self.module, self._two()[0])

    def _stored(self, data: Sequence[tuple[np.ndarray, np.ndarray]]) -> Store:
        """All samples, features flattened, on the device."""
        shapes = {X.shape[1:] for X, _ in data}
        if len(shapes) > 1:
            raise UsageError(f"`{self.name}(data=...)` must have features of one shape, got {sorted(shapes)}.")
        self.shape = shapes.pop() if shapes else ()
        labels = all(y.dtype.kind in "iub" for _, y in data)
        self.integers = all(X.dtype.kind in "iu" for X, _ in data)
        flat = [(X.reshape(len(X), -1), y) for X, y in data]
        store = store_clients(self.name, flat, xp, None, lambda _, y: y.astype(np.int64) if labels else y)
        y = store.y.to(self.device) if labels else store.y.to(self.device, self.dtype)
        dtype = torch.float64 if self.integers else self.dtype  # so that no integer is rounded
        return Store(store.X.to(self.device, dtype), y, store.n, store.start, store.width)

    def _hold(self, store: Store) -> None:
        self.store, self.m, self.d, self.n = store, store.m, sum(self.sizes), store.n

    def _two(self) -> tuple[Any, Any]:
        """Two samples, as the module takes them, and their targets."""
        X, y = (a[:2] if len(a) > 1 else torch.cat([a, a]) for a in (self.store.X, self.store.y))
        return self._features(X), y

    def _features(self, X: Any) -> Any:
        """Samples ``(b, p)`` of the store as the module takes them."""
        return (X.long() if self.integers else X.to(self.dtype)).reshape(-1, *self.shape)

    def _takes_integers(self) -> bool:
        """Whether the module takes integer features as they are."""
        try:
            with torch.no_grad():
                self.module(self._two()[0])
        except (RuntimeError, TypeError):
            return False
        return True

    def _try(self) -> None:
        """Raise UsageError unless the loss of two samples is two numbers, and its gradient can be mapped over clients."""
        X, y = self._two()
        with torch.no_grad():
            found = self.loss(self.module(X), y)
        if tuple(found.shape) != (2,):
            rule = "must give one number a sample, as with reduction='none'"
            raise UsageError(f"`{self.name}(loss=...)` {rule}, got shape {tuple(found.shape)} for two samples.")
        try:
            flat = self.store.X[:1].expand(2, -1)[None]
            half = torch.full((1, 2), 0.5, dtype=self.dtype, device=self.device)
            for fn in (self._value, grad(self._value)):
                vmap(fn, in_dims=(None, 0, 0, 0))(self.start[0], flat, y[None], half)
                vmap(fn, in_dims=(0, 0, 0, 0))(self.start, flat, y[None], half)
        except RuntimeError as error:
            no = "no random numbers, no branch on values, no buffer that is written to, no nn.RNN, GRU or LSTM"
            rule = f"must run under torch.func.vmap and grad: {no}"
            raise UsageError(f"`{self.name}(model=...)` {rule}, got {str(error).splitlines()[0]}") from None

    def _require_mean(self, loss: Callable[..., Any]) -> None:
        """Raise UsageError unless the loss as it was given is the mean of what it is of every sample.

        Otherwise f_i would be another function than the one that is trained elsewhere. Samples of every label are looked at.
        """
        if self.loss is loss:
            return
        y = self.store.y
        first = list(range(min(len(y), LOOKED)))
        if y.ndim == 1 and not y.dtype.is_floating_point:
            first += [int(torch.nonzero(y == label)[0]) for label in torch.unique(y)[:LABELS]]
        X, y = self._features(self.store.X[first]), y[first]
        with torch.no_grad():
            outputs = self.module(X)
            each, given = self.loss(outputs, y), loss(outputs, y)
            each = each.mean() if self.counts is None else each.sum() / self.counts(y).sum()
        room = 1e3 * torch.finfo(each.dtype).eps * (1 + abs(float(each)))
        if tuple(given.shape) not in ((), tuple(y.shape)) or not abs(float(given.mean()) - float(each)) <= room:
            rule = "must be the mean of the losses of single samples, by weights of classes at most"
            raise UsageError(
                f"`{self.name}(loss=...)` {rule}, got {float(given.mean()):.6g} where that is {float(each):.6g}."
            )

    def _on(self, store: Store) -> TorchProblem:
        """The same module on other samples; nothing that is kept of these ones goes along."""
        out = object.__new__(type(self))
        out.__dict__.update({k: v for k, v in self.__dict__.items() if not k.startswith("_")})
        out._hold(store)
        return out

    @property
    def floor(self) -> float:
        """l2 where the loss is convex; else nothing is known."""
        return self.l2 if self.convex else -math.inf

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The trained parameters of the module by their names; those of one dimension, biases and scales, are kept whole."""
        ends = np.cumsum(self.sizes).tolist()
        return tuple(
            Layer(name, slice(end - size, end), tuple(shape), prunable=len(shape) > 1)
            for name, shape, size, end in zip(self.names, self.shapes, self.sizes, ends, strict=True)
        )

    # One client

    def _outputs(self, w: Any, X: Any) -> Any:
        """Outputs of the model at one w ``(d,)`` for samples ``(width, p)``."""
        parts = [p.reshape(s) for p, s in zip(torch.split(w, self.sizes), self.shapes, strict=True)]
        return functional_call(self.module, dict(zip(self.names, parts, strict=True)), (self._features(X),))

    def _losses(self, w: Any, X: Any, y: Any) -> Any:
        """Loss of every sample ``(width,)``."""
        return self.loss(self._outputs(w, X), y)

    def _value(self, w: Any, X: Any, y: Any, weight: Any) -> Any:
        """f_i at one w, a number; the weights ``(width,)`` are 1/n_i, and 0 on padding."""
        mean = (self._losses(w, X, y) * weight).sum()
        if self.counts is not None:
            mean = mean / (self.counts(y).to(self.dtype) * weight).sum()
        return mean + self.l2 / 2 * (w * w).sum() if self.l2 else mean

    def _right(self, w: Any, X: Any, y: Any, weight: Any) -> Any:
        return ((self._outputs(w, X).argmax(-1) == y) * weight).sum()

    def _spread(self, w: Any, X: Any, y: Any, weight: Any) -> Any:
        """Mean over samples of |grad of the sample|^2 less |mean gradient|^2."""

        def norm_sq(x: Any, t: Any) -> Any:
            g = grad(lambda v: self._losses(v, x[None], t[None])[0])(w)
            return (g * g).sum()

        each = vmap(norm_sq, chunk_size=max(1, GRADIENTS // (self.d * min(self.m, self.chunk_size))))(X, y)
        mean = grad(lambda v: (self._losses(v, X, y) * weight).sum())(w)
        return (each * weight).sum() - (mean * mean).sum()

    # All of them

    def _most(self) -> int:
        """Clients that are computed at once, by their parameters and by what the layers make of their samples."""
        if self.most_samples is None:
            return self.chunk_size
        return min(self.chunk_size, max(1, self.most_samples // int(self.store.width.max())))

    def _each(self, call: str, fn: Callable[..., Any], W: Any, *more: Any, axis: int = -1, record: bool = True) -> Any:
        """`fn(w_i, ..., X_i, y_i, weight_i)` of every client, ``(..., m, ...)``, with the client axis at `axis`."""
        like = W
        stacks = [self._tensor(call, A) for A in (W, *more)]
        lead = np.broadcast_shapes(*(tuple(A.shape[:-2]) for A in stacks))

        def of(b: Block, *parts: Any) -> Any:
            own = [p[..., 0, :].expand(*lead, -1, -1) if lead else p[..., 0, :] for p in parts]
            shared = [p.shape[-2] == 1 for p in own]
            own = [p[..., 0, :] if s else p for p, s in zip(own, shared, strict=True)]
            mapped = vmap(fn, in_dims=(*(None if s else 0 for s in shared), 0, 0, 0))
            for _ in lead:
                mapped = vmap(mapped, in_dims=(*(0 for _ in own), None, None, None))
            weight = weights(b).to(self.dtype)
            if not record:
                return mapped(*own, b.X, b.y, weight)
            return self.recorder.run((call, len(lead), *shared), mapped, *own, b.X, b.y, weight)

        out = self.store.map(of, *(A[..., None, :] for A in stacks), axis=axis, most=self._most())
        return out if isinstance(like, torch.Tensor) else array_namespace(like).from_dlpack(out)

    def _tensor(self, call: str, W: Any) -> Any:
        """`W` as a tensor of the problem; an array of another library comes by DLPack, without a copy."""
        W = self.point(call, W)
        W = W if isinstance(W, torch.Tensor) else torch.from_dlpack(W)
        if W.dtype != self.dtype or W.device != self.device:
            rule = f"must be {self.dtype} on {self.device}, as the parameters of the model"
            raise UsageError(f"`{self.name}.{call}(W)` {rule}, got {W.dtype} on {W.device}.")
        return W

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(..., m)``."""
        return self._each("value", self._value, W)

    def grad(self, W: Any, rows: Any = None) -> Any:
        """Gradient of f_i at w_i, ``(..., m, d)``; with `rows` that of the minibatch."""
        if rows is not None:
            return self.minibatch(rows).grad(W)
        return self._each("grad", grad(self._value), W, axis=-2)

    def value_and_grad(self, W: Any) -> tuple[Any, Any]:
        """Values ``(..., m)`` and gradients ``(..., m, d)`` of one pass."""

        def both(*args: Any) -> Any:
            g, v = grad_and_value(self._value)(*args)
            return torch.cat([v[None], g])

        found = self._each("value_and_grad", both, W, axis=-2)
        return found[..., 0], found[..., 1:]

    def hessian_product(self, W: Any, V: Any, rows: Any = None) -> Any:
        """Hessian of f_i at w_i times v_i, ``(..., m, d)``."""
        if rows is not None:
            return self.minibatch(rows).hessian_product(W, V)

        def product(w: Any, v: Any, *samples: Any) -> Any:
            return jvp(lambda u: grad(self._value)(u, *samples), (w,), (v,))[1]

        return self._each("hessian_product", product, W, V, axis=-2)

    def hessian(self, W: Any) -> Any:
        """Hessian of f_i at w_i, ``(..., m, d, d)``."""
        return self._each("hessian", hessian(self._value), W, axis=-3)

    def accuracy(self, W: Any) -> Any:
        """Share of its samples whose largest output is that of their label, ``(..., m)``.

        Raises
        ------
        UsageError
            If the targets are no labels.
        """
        if self.store.y.dtype != torch.int64:
            raise UsageError(f"`{self.name}.accuracy(...)` needs integer labels, and these data have real targets.")
        return self._each("accuracy", self._right, W)

    def metric(self, W: Any, of: Callable[[Any, Any], Any]) -> Any:
        """A measure of your own, ``(..., m)``: the mean over a client's samples of `of` (outputs, targets), one number a sample."""

        def mean(w: Any, X: Any, y: Any, weight: Any) -> Any:
            return (of(self._outputs(w, X), y) * weight).sum()

        return self._each("metric", mean, W, record=False)

    def state_dict(self, w: Any) -> dict[str, Any]:
        """Parameters w, ``(d,)`` or ``(1, d)`` such as a server vector, as the module's `state_dict`, with all that is not trained.

        ``model.load_state_dict(problem.state_dict(state.w))`` gives the model that a run ended with.
        """
        row = torch.as_tensor(w).detach().reshape(-1)
        if row.numel() != self.d:
            raise UsageError(f"`{self.name}.state_dict(w)` must get {self.d} numbers, got {row.numel()}.")
        parts = zip(self.names, torch.split(row, self.sizes), self.shapes, strict=True)
        own = {name: part.reshape(shape).clone() for name, part, shape in parts}
        return {name: own.get(name, value.detach().clone()) for name, value in self.module.state_dict().items()}

    def sample_variance(self, W: Any) -> Any:
        """Mean over a client's samples of |grad of the sample - grad f_i|^2 at w_i, ``(..., m)``."""
        if self.counts is not None:
            raise UsageError(
                f"`{self.name}.sample_variance(...)` needs samples that count alike, and the loss weighs them."
            )
        return self._each("sample_variance", self._spread, W).clip(min=0)

    def minibatch(self, rows: Any) -> TorchProblem:
        """The problem on b gathered samples of each client; `rows` is ``(m, b)``, positions in their own samples."""
        return self._on(self.store.minibatch(checked_rows(f"{self.name}.minibatch", rows, self.n)))

    def _select(self, clients: np.ndarray) -> TorchProblem:
        return self._on(self.store.subset(clients))

    # What is known of them

    def penalty(self, call: str, lam: Any) -> Any:
        """`lam` as an array ``(1,)`` or ``(m,)`` on the device.

        Raises
        ------
        UsageError
            If the model is not said to be convex: a proximal point need not be unique.
        """
        if not self.convex:
            why = "needs convex clients, and a network is none: take gradient steps (on the command line --inner gradient)"
            raise UsageError(f"`{self.name}.{call}(lam=...)` {why}, or say convex=True of a convex model.")
        return checked_penalty(self, call, lam).to(self.dtype)

    @cached_property
    def _constants(self) -> Constants:
        largest, least = curvature(self, self.start)
        how = "the largest |eigenvalue| of the clients' Hessians at the start, by Lanczos: an estimate"
        if self.convex:
            how = f"L_i = {how}; mu_i = l2, a bound, by convex=True"
            return Constants(np.full(self.m, largest), np.full(self.m, self.l2), how)
        how = f"L_i = {how}; mu_i = the least eigenvalue there: an estimate"
        return Constants(np.full(self.m, max(largest, -least)), np.full(self.m, least), how)

    @cached_property
    def _optimum(self) -> Optimum:
        if not self.convex:
            raise UsageError("the minimiser of a network is not known")
        return newton.optimum(self)


def weights(b: Block) -> Any:
    """1/n_i of a client's own samples and 0 of its padding, ``(k, width)``."""
    mask = torch.ones_like(b.X[..., 0]) if b.mask is None else b.mask
    return mask * (b.weight if isinstance(b.weight, float) else b.weight[..., 0])
