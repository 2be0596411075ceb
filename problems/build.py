"""A problem from names: a data set divided among clients, and a model on it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np

from fedtheory.checks import one_of
from fedtheory.errors import UsageError
from fedtheory.problem import Problem

from .clients.least_squares import LeastSquaresClients
from .clients.logistic import LogisticClients, NonconvexLogisticClients
from .clients.margin import MarginClients
from .clients.softmax import SoftmaxClients
from .data.datasets import clients as clients_of
from .data.holdings import Partition
from .data.split import train_test

NETWORKS = {"mlp": ("hidden",), "cnn": ("channels", "kernel", "padding", "hidden")}  # and the options of their layers
OF_NETWORKS = {"precision", "chunk_size"}.union(*NETWORKS.values())
MODELS: Mapping[str, tuple[type, str]] = {
    "least-squares": (LeastSquaresClients, "targets"),
    "logistic": (LogisticClients, "two labels"),
    "logistic-nonconvex": (NonconvexLogisticClients, "two labels"),
    "softmax": (SoftmaxClients, "labels"),
    "margin": (MarginClients, "labels"),
}


@dataclass(frozen=True, eq=False)
class Setup:
    """A problem and where it comes from.

    Attributes
    ----------
    problem : Problem
    model : str
        One of `MODELS` or `NETWORKS`.
    partition : Partition
        Who holds which samples.
    digest : str
        SHA-256 of the clients' samples, so that a run is named by its data and not by a file name.
    test : Problem or None
        The same clients with their test samples, where these were set apart.
    """

    problem: Problem
    model: str
    partition: Partition
    digest: str
    test: Problem | None = None

    def describe(self) -> str:
        """One line: model, clients, samples, dimension."""
        n = self.partition.sizes
        if self.test is not None:
            n = self.problem.n
        sizes = f"{n.min()}" if n.min() == n.max() else f"{n.min()} to {n.max()}"
        samples = "samples" if self.test is None else "training samples"
        return f"{self.model}, m = {self.problem.m} clients of {sizes} {samples} ({self.partition.name}), d = {self.problem.d}"


def build(
    data: str | PathLike[str],
    *,
    m: int,
    model: str | None = None,
    l2: float = 0.0,
    smoothing: float | None = None,
    partition: str | None = None,
    train: float | None = None,
    seed: int = 0,
    root: str | PathLike[str] | None = None,
    xp: Any = None,
    device: Any = None,
    **options: Any,
) -> Setup:
    """Load a data set, divide it among `m` clients, and put a model on it.

    Parameters
    ----------
    data : str or path
        As in `problems.data.datasets.load`.
    m : int
        Clients.
    model : {"least-squares", "logistic", "logistic-nonconvex", "softmax", "margin", "mlp", "cnn"}, optional
        By default least-squares for real targets, logistic for two labels, softmax for more. The last two are networks; the
        seed is that of their initial parameters as well.
    l2 : float
        Coefficient of the regulariser.
    smoothing : float, optional
        Smoothing of the hinge of "margin".
    train : float, optional
        Share of each client's samples for training; the others are set apart as test samples. Without it there are none.
    partition, seed, root, options
        As in `problems.data.datasets.clients`. Those of a network are `hidden` units; for "cnn" `channels`, `kernel` and
        `padding` (`problems.networks.models`); `precision` "float64" (the default) or "float32"; and `chunk_size`, clients
        that are computed at once.
    xp, device : namespace, device, optional
        Where the arrays go; NumPy if not given.

    Raises
    ------
    UsageError
        If a name or an option is unknown or out of range, or the model does not fit the targets.

    Examples
    --------
    >>> setup = build("breast-cancer", m=3, l2=0.01, standardise=True)
    >>> setup.model, setup.problem.m, setup.problem.d
    ('logistic', 3, 30)
    """
    if model is not None:
        one_of("build(model=...)", model, [*MODELS, *NETWORKS])
    network = {name: options.pop(name) for name in OF_NETWORKS & options.keys()}
    if network and model not in NETWORKS:
        raise UsageError(f"`build({min(network)}=...)` goes with model='mlp' or 'cnn', got model={model!r}.")
    clients, held = clients_of(data, m, partition=partition, seed=seed, root=root, **options)
    real = any(y.dtype.kind == "f" for _, y in clients)
    classes = None if real else 1 + max(int(y.max()) for _, y in clients)
    if model is None:
        model = "least-squares" if classes is None else "logistic" if classes == 2 else "softmax"
    kind, needs = (None, "labels") if model in NETWORKS else MODELS[model]
    if needs != "targets" and classes is None:
        raise UsageError(f"`build(model={model!r})` needs labels, and {data} has real targets; use least-squares.")
    if needs == "two labels" and classes != 2:
        raise UsageError(f"`build(model={model!r})` needs two labels, and {data} has {classes}; use softmax.")
    if smoothing is not None and model != "margin":
        raise UsageError(f"`build(smoothing=...)` goes with model='margin', got model={model!r}.")
    more: dict[str, Any] = {"classes": max(2, classes or 2)} if needs == "labels" else {}
    if model == "margin":
        more["smoothing"] = smoothing
    test: list[tuple[np.ndarray, np.ndarray]] = []
    if train is not None:
        clients, test = train_test(clients, train=train, seed=seed)

    def on(clients: list[tuple[np.ndarray, np.ndarray]]) -> Problem:
        if kind is None:
            return _network(model, clients, l2=l2, seed=seed, xp=xp, device=device, **more, **network)
        return kind(clients, l2=l2, xp=xp, device=device, **more)

    return Setup(on(clients), model, held, digest([*clients, *test]), on(test) if test else None)


def _network(
    model: str,
    clients: list[tuple[np.ndarray, np.ndarray]],
    *,
    classes: int,
    l2: float,
    seed: int,
    xp: Any,
    device: Any,
    precision: str = "float64",
    chunk_size: int | None = None,
    **layers: Any,
) -> Problem:
    """The clients of a network, its initial parameters from the seed.

    Raises
    ------
    UsageError
        If the backend is another one than torch, or an option is of the other network or out of range.
    """
    for name in layers.keys() - set(NETWORKS[model]):
        raise UsageError(f"`build({name}=...)` goes with model='cnn', got model={model!r}.")
    one_of("build(precision=...)", precision, ("float64", "float32"))
    if getattr(xp, "__name__", "") != "array_api_compat.torch":
        raise UsageError(f"`build(model={model!r})` needs torch: take --backend torch.")
    from .networks import clients as networks  # not at the top: torch is an extra

    return networks.of(
        model, clients, classes=classes, l2=l2, seed=seed, device=device, precision=precision,
        chunk_size=chunk_size, layers=layers,
    )  # fmt: skip


def digest(clients: list[tuple[np.ndarray, np.ndarray]]) -> str:
    """SHA-256 of the shapes, types and bytes of all clients' samples.

    Examples
    --------
    >>> digest([(np.zeros((1, 2)), np.zeros(1))])[:8] == digest([(np.zeros((1, 2)), np.zeros(1))])[:8]
    True
    """
    h = hashlib.sha256()
    for X, y in clients:
        for a in (X, y):
            h.update(f"{a.shape}{a.dtype.str}".encode())
            h.update(np.ascontiguousarray(a).data)
    return h.hexdigest()
