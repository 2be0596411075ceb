"""Masks of models, layer by layer: first ones, pruning by magnitude, regrowth by gradients.

A mask is boolean ``(m, d)``, true where a client keeps the coordinate. The layers are those of the problem
(`fedtheory.problem.Layer`); a layer that is not prunable is kept whole, and a density is the kept share of the others.

Reference: U. Evci, T. Gale, J. Menick, P. S. Castro, E. Elsen, Rigging the Lottery, ICML 2020, arXiv:1911.11134 (the
Erdos-Renyi kernel and the regrowth).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from array_api_compat import array_namespace, device

from .._arrays import moved
from ..problem import Layer

if TYPE_CHECKING:
    from ..quantity import Array, Quantity

FIRST = ("erk", "uniform")


def densities(layers: Sequence[Layer], density: float, kind: str = "erk") -> list[float]:
    """The share that each layer keeps so that the prunable ones together keep `density`; 1 for one that is kept whole.

    "uniform" is the same share for all. "erk" is in proportion to sum(shape)/prod(shape); a layer that would keep more than all
    is kept whole, and the others keep less.

    Examples
    --------
    >>> layers = (Layer("a", slice(0, 100), (10, 10)), Layer("b", slice(100, 108), (2, 4)))
    >>> [round(share, 4) for share in densities(layers, 0.5)]
    [0.46, 1.0]
    """
    out = [1.0] * len(layers)
    left = [k for k, layer in enumerate(layers) if layer.prunable]
    if kind == "uniform":
        return [density if k in left else 1.0 for k in range(len(layers))]
    budget = density * sum(layers[k].size for k in left)
    while left:
        raw = {k: sum(layers[k].shape) / layers[k].size for k in left}
        scale = budget / sum(raw[k] * layers[k].size for k in left)
        whole = [k for k in left if scale * raw[k] > 1]
        if not whole:
            out = [scale * raw[k] if k in left else share for k, share in enumerate(out)]
            break
        budget -= sum(layers[k].size for k in whole)
        left = [k for k in left if k not in whole]
    return out


def kept_counts(layers: Sequence[Layer], density: float, kind: str = "erk") -> list[int]:
    """How many coordinates each layer keeps, rounded to the nearest number, at least one."""
    shares = densities(layers, density, kind)
    return [
        max(1, min(layer.size, math.floor(share * layer.size + 0.5)))
        for layer, share in zip(layers, shares, strict=True)
    ]


def first_masks(keys: np.ndarray, layers: Sequence[Layer], counts: Sequence[int]) -> np.ndarray:
    """Random masks ``(len(keys), d)`` on the host that keep so many coordinates of each layer.

    Each client's mask comes from its own key ``(m,)`` alone, so clients that change places take their masks with them.
    """
    d = sum(layer.size for layer in layers)
    out = np.zeros((len(keys), d), dtype=bool)
    for row, key in zip(out, keys, strict=True):
        draws = np.random.Generator(np.random.Philox(key=int(key)))
        for layer, count in zip(layers, counts, strict=True):
            mine = np.zeros(layer.size, dtype=bool)
            mine[draws.choice(layer.size, count, replace=False) if count < layer.size else slice(None)] = True
            row[layer.where] = mine
    return out


def mask_keys(stream: np.random.Generator, m: int) -> np.ndarray:
    """One key a client for `first_masks`, ``(m,)``."""
    return stream.integers(2**63, size=m)


# Parts of stacks


def part(A: Array, layer: Layer) -> Array:
    """The coordinates of a layer out of ``(..., m, d)``."""
    if isinstance(layer.where, slice):
        return A[..., layer.where]
    return array_namespace(A).take(A, moved(layer.where, A), axis=-1)


def by_layer(layers: Sequence[Layer], fn: Callable[..., Array], mask: Array, *stacks: Array) -> Array:
    """`mask` with the coordinates of every prunable layer replaced by ``fn(mask, *stacks)`` of that layer alone."""
    if len(layers) == 1 and layers[0].prunable and layers[0].where == slice(0, layers[0].size):
        return fn(mask, *stacks)
    xp = array_namespace(mask)
    parts = []
    for layer in layers:
        own = part(mask, layer)
        parts.append(fn(own, *(part(A, layer) for A in stacks)) if layer.prunable else own)
    joined = xp.concat(parts, axis=-1)
    at = np.concatenate([np.arange(mask.shape[-1])[layer.where] for layer in layers])
    if (at[1:] > at[:-1]).all():
        return joined
    return xp.take(joined, moved(np.argsort(at), mask), axis=-1)


def prunable_count(layers: Sequence[Layer]) -> int:
    """Coordinates of all prunable layers."""
    return sum(layer.size for layer in layers if layer.prunable)


def kept(mask: Array) -> Array:
    """How many coordinates a mask keeps, ``(..., 1)``."""
    xp = array_namespace(mask)
    return xp.sum(xp.astype(mask, xp.int64), axis=-1, keepdims=True)


def sparsity(mask: Array, layers: Sequence[Layer]) -> Array:
    """The share of zeros among all prunable coordinates, ``(m, 1)``: s_k of the experiments of DA-DPFL."""
    total = prunable_count(layers)
    counts = sum(kept(part(mask, layer)) for layer in layers if layer.prunable)
    return 1 - array_namespace(mask).astype(counts, array_namespace(mask).float64) / total


def masked(A: Array, mask: Array) -> Array:
    """A where the mask keeps it, and 0 elsewhere."""
    return array_namespace(A).where(mask, A, 0.0)


# Choices of coordinates


def largest(score: Array, among: Array, keep: Array) -> Array:
    """The `keep` ``(m, 1)`` coordinates of the largest score, out of those where `among` is true; of equal ones the first.

    Examples
    --------
    >>> largest(np.array([[3.0, 1.0, 3.0, 2.0]]), np.array([[True, True, True, False]]), np.array([[2]])).tolist()
    [[True, False, True, False]]
    """
    xp = array_namespace(score)
    of = xp.where(among, score, xp.full_like(score, -1.0))  # scores are at least 0
    size = of.shape[-1]
    at = xp.clip(size - keep, 0, size - 1)
    least = xp.take_along_axis(_ordered(of, at), at, axis=-1)
    above, equal = of > least, among & (of == least)
    need = keep - kept(above)
    if bool(xp.any(kept(equal) > need)):
        equal = equal & (xp.cumulative_sum(xp.astype(equal, xp.int64), axis=-1) <= need)
    return (above | equal) & (keep > 0)


def _ordered(of: Array, at: Any) -> Array:
    """`of` such that the entries at the positions `at` of every row are those of the sorted row."""
    if isinstance(of, np.ndarray):
        return np.partition(of, np.unique(at), axis=-1)
    return array_namespace(of).sort(of, axis=-1)


def prune(W: Array, mask: Array, drop: Array) -> Array:
    """The mask without its `drop` ``(m, 1)`` coordinates of the smallest magnitude, within one layer."""
    xp = array_namespace(W)
    return largest(xp.abs(W), mask, kept(mask) - drop)


def annealed(share: float, t: int, T: int) -> float:
    """RigL's ratio share/2 (1 + cos(t pi/T)) in round t of T; 0 after the last one.

    Examples
    --------
    >>> annealed(0.5, 0, 10), annealed(0.5, 10, 10), annealed(0.5, 12, 10)
    (0.5, 0.0, 0.0)
    """
    return share / 2 * (1 + math.cos(min(t, T) * math.pi / T))


def regrown(W: Array, G: Array, mask: Array, share: float) -> Array:
    """RigL within one layer: the share of the kept coordinates of smallest magnitude goes, as many of the largest gradient come.

    What goes may come back at once. As many are kept as before.
    """
    xp = array_namespace(W)
    drop = whole_part(share * xp.astype(kept(mask), W.dtype))
    stay = prune(W, mask, drop)
    return stay | largest(xp.abs(G), ~stay, drop)


def whole_part(a: Quantity) -> Array:
    """The whole part; of what rounding has left just below a whole number, that number."""
    xp = array_namespace(a)
    return xp.astype(xp.floor(a + 1e-9), xp.int64)


def like(mask: np.ndarray, other: Array) -> Array:
    """A host mask on the device of `other`."""
    return array_namespace(other).asarray(mask, device=device(other))
