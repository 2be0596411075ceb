"""What methods with masks share: their first masks, masked local steps, RigL's new masks, bytes by density.

A client's model is 0 outside of its mask ``(m, d)``, which the first round draws. What is sent of a model are the numbers that its
mask keeps and, for which they are, a bit a coordinate.
"""

from __future__ import annotations

import math
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from array_api_compat import array_namespace

from .._arrays import moved, to_host
from ..checks import require_count, require_one_of, require_positive
from ..errors import UsageError
from ..method import Option
from ..problem import Functions, layers_of
from . import serverless
from .local import Local, LocalDraws
from .masks import FIRST, annealed, by_layer, first_masks, kept, kept_counts, masked, regrown
from .participation import Participants, minibatches
from .serverless import size_of

if TYPE_CHECKING:
    from ..method import Algorithm
    from ..problem import Problem
    from ..quantity import Array, Values


@dataclass(frozen=True)
class Masking:
    """Hyper-parameters of masks.

    Parameters
    ----------
    density : number
        Share of the prunable coordinates that the first masks keep.
    alpha : number
        Share of them that RigL exchanges in the first round.
    T : int
        Rounds after which it exchanges none: the horizon of the cosine.
    first : {"erk", "uniform"}
        How the layers share the density.

    Examples
    --------
    >>> Masking(1.5)
    Traceback (most recent call last):
    fedtheory.errors.UsageError: Masking(density=...) must be at most 1, got 1.5.
    """

    density: float = 0.5
    _: KW_ONLY
    alpha: float = 0.3
    T: int = 500
    first: str = "erk"

    def __post_init__(self) -> None:
        for name in ("density", "alpha"):
            require_positive(f"Masking({name}=...)", getattr(self, name))
            if getattr(self, name) > 1:
                raise UsageError(f"Masking({name}=...) must be at most 1, got {getattr(self, name)}.")
        require_count("Masking(T=...)", self.T, 1)
        require_one_of("Masking(first=...)", self.first, FIRST)

    def counts(self, problem: Functions) -> list[int]:
        """Coordinates that each layer keeps at first."""
        return kept_counts(layers_of(problem), self.density, self.first)

    def start(self, problem: Functions, keys: np.ndarray, X: Array) -> Array:
        """The first masks ``(len(keys), d)``, on the device of X."""
        return moved(first_masks(keys, layers_of(problem), self.counts(problem)), X)

    def renewed(self, problem: Functions, X: Array, G: Array, mask: Array, t: int) -> Array:
        """Algorithm 3 of DA-DPFL in round t = 1, 2, ...: the masks after RigL's exchange, layer by layer."""
        share = annealed(self.alpha, t, self.T)  # line 3
        return by_layer(layers_of(problem), lambda own, x, g: regrown(x, g, own, share), mask, X, G)  # lines 5 to 8


def checked_masks(call: str, masks: Array | None, clients: int, X: Array) -> Array | None:
    """Masks ``(clients, d)`` as they were given, or None.

    Raises
    ------
    UsageError
        If they are not boolean, or of another shape.
    """
    shape = tuple(getattr(masks, "shape", ()))
    if masks is None or (shape == (clients, X.shape[-1]) and masks.dtype == array_namespace(X).bool):
        return masks
    raise UsageError(f"{call} must be a boolean array ({clients}, {X.shape[-1]}), got {shape or type(masks).__name__}.")


def gradient_rows(stream: np.random.Generator, call: str, problem: Functions, local: Local) -> np.ndarray | None:
    """One minibatch a client for the dense gradient of Algorithm 3, line 4, ``(1, m, batch)``; None is all samples."""
    return minibatches(stream, call, problem, (1,), local.batch, replace=True)


def trained(local: Local, work: Participants, X: Array, mask: Array, draws: LocalDraws, t: int) -> Array:
    """The local steps of round t from X, with gradients inside the mask."""
    return local.run(work, X, draws, t, lambda f, Z: masked(f.grad(Z), mask))


def weight_of(mask: Any, X: Array) -> np.ndarray:
    """Bytes of each client's masked model ``(m,)``, on the host: its numbers, and a bit a coordinate."""
    return to_host(kept(mask))[..., 0] * float(size_of(X)) + math.ceil(mask.shape[-1] / 8)


def exchanged(edges: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Bytes that each client sends and receives ``(m,)``, where client k takes the model of j at ``edges[k, j]``."""
    each = edges * weight
    return each.sum(axis=1) + each.sum(axis=0)


def density(state: Any) -> float:
    """The mean share of coordinates that masks keep, biases included; 1 before the first round has drawn them."""
    if state.mask is None:
        return 1.0
    return float(np.mean(to_host(kept(state.mask)))) / state.mask.shape[-1]


def bytes_so_far(state: Any) -> float:
    """What the busiest node has sent and received."""
    return float(np.max(state.load))


NUMBERS = {"density": density, "bytes": bytes_so_far}


def cost(method: Algorithm, problem: Problem, state: Any) -> dict[str, int | None]:
    """As of methods without a server, with the gradient that every client computes for its new mask."""
    found = serverless.cost(method, problem, state)
    return {**found, "gradients": int(found["gradients"] or 0) + problem.m * int(state.communications)}


def masking_options() -> dict[str, Option]:
    """The options of masks, with the values of DA-DPFL's experiments, or of its code where nothing is printed."""
    return {
        "density": Option("share", "share of the weights that the first masks keep", 0.5),
        "first": Option("choice", "how layers share it", "erk", FIRST),
        "alpha": Option("share", "share of the kept weights that RigL exchanges at first", 0.3),
        "T": Option("count", "rounds of the whole run, the horizon of RigL's cosine", 500),
    }


def masking_of(o: Values) -> Masking:
    """The masks of the options."""
    return Masking(o["density"], alpha=o["alpha"], T=o["T"], first=o["first"])
