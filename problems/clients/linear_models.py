"""Clients ``f_i(w) = 1/n_i sum_j loss(w x_ij; y_ij) + l2/2 |w|^2`` with w reshaped to (classes, p).

A loss states its per-sample value, its slope and its curvature in the scores ``S = w x``, ``(..., k, classes, width)``.
Samples stand last, so that the products with the features are batched matrix products in the layout of w itself. Padding
needs no mask but in the value: a padded row of features is zero, and multiplies whatever slope it is given.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from array_api_compat import array_namespace, device, is_numpy_namespace

from fedtheory._arrays import to_host
from fedtheory.errors import UsageError
from fedtheory.problem import Layer

from .base import Clients, curvature_penalty, namespace
from .store import Block, Store, checked_rows, store_clients, store_stack


class LinearModelClients(Clients):
    """Stacked clients of a linear model; a subclass gives the loss.

    Attributes
    ----------
    store : Store
        The samples.
    classes : int
        Rows of w.
    l2 : float
        Coefficient of the regulariser ``l2/2 |w|^2``.
    slope_sq : float
        Bound on the squared norm of the slope of one sample, inf if there is none.
    """

    classes: int = 1
    slope_sq: float = float("inf")

    def __init__(
        self, clients: Sequence[tuple[Any, Any]], *, l2: float = 0.0, xp: Any = None, device: Any = None
    ) -> None:
        self._configure(l2=l2)
        self._hold(store_clients(self.name, clients, namespace(xp), device, self._targets))

    @classmethod
    def stacked(cls, X: Any, y: Any, **options: Any) -> Any:
        """The problem of equal clients that are stacked already, without a copy of the features.

        Parameters
        ----------
        X, y : array (m, n, p), (m, n)
            Float64 features on any device, and targets there too; the problem lives on that device.
        **options
            As of the constructor, without `xp` and `device`.
        """
        out = cls.__new__(cls)
        out._configure(**options)
        out._hold(store_stack(cls.__name__, X, y, out._targets))
        return out

    def _configure(self, *, l2: float = 0.0) -> None:
        self.l2 = curvature_penalty(self.name, l2)

    def _hold(self, store: Store) -> None:
        self.store = store
        self.xp, self.device = array_namespace(store.X), device(store.X)
        self.in_place = is_numpy_namespace(self.xp)
        self.m, self.d, self.n = store.m, self.classes * store.p, store.n

    def _on(self, store: Store) -> Any:
        """The same loss on other samples; nothing that is kept of these ones goes along."""
        out = object.__new__(type(self))
        out.__dict__.update({k: v for k, v in self.__dict__.items() if not k.startswith("_")})
        out.store, out.m, out.n = store, store.m, store.n
        return out

    @property
    def floor(self) -> Any:
        """l2, a lower bound on mu_i."""
        return self.l2

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The weights ``(classes, p)`` and, where features are 1 in every sample, the biases that multiply them."""
        return self._layers

    @cached_property
    def _layers(self) -> tuple[Layer, ...]:
        p, every = self.store.p, np.arange(self.d).reshape(self.classes, -1)
        ones = self._ones()
        if not ones.any() or ones.all():
            return (Layer("weight", slice(0, self.d), (self.classes, p)),)
        bias = np.flatnonzero(ones)
        at = slice(int(bias[0]), self.d, p) if len(bias) == 1 else every[:, ones].reshape(-1)
        shape = (self.classes,) if len(bias) == 1 else (self.classes, len(bias))
        others = every[:, ~ones].reshape(-1)
        adjoin = others[-1] - others[0] + 1 == len(others)
        of_weight = slice(int(others[0]), int(others[-1]) + 1) if adjoin else others
        weight = Layer("weight", of_weight, (self.classes, p - len(bias)))
        return weight, Layer("bias", at, shape, prunable=False)

    def _ones(self) -> np.ndarray:
        """Which features are 1 in every sample, ``(p,)`` on the host."""
        xp = self.xp

        def of(b: Block) -> Any:
            other = xp.abs(b.X - 1)
            return xp.max(other if b.mask is None else other * b.mask[..., None], axis=-2)  # padding has no say

        return np.asarray(to_host(self.store.map(of, axis=0)).max(axis=0) == 0)

    def _targets(self, name: str, y: np.ndarray) -> np.ndarray:
        """What the loss reads of all targets ``(N,)``; raises UsageError where it cannot."""
        return y

    # What a loss gives; all but the first carry the weight 1/n_i

    def _loss(self, S: Any, b: Block) -> Any:
        """Loss of every sample, ``(..., k, width)``; may overwrite S where `in_place` is set."""
        raise NotImplementedError

    def _slope(self, S: Any, b: Block) -> Any:
        """Derivative in the scores, ``(..., k, classes, width)``; may overwrite S where `in_place` is set."""
        raise NotImplementedError

    def _bend(self, S: Any, D: Any, b: Block) -> Any:
        """Second derivative in the scores times D, ``(..., k, classes, width)``."""
        raise NotImplementedError

    def _curvature(self, S: Any, b: Block) -> tuple[Any, list[tuple[int, Any]]]:
        """Second derivative in the scores as ``diag(D) + sum of sign u u'``: D and the u are ``(..., k, classes, width)``.

        D has the weight, every u its square root.
        """
        raise NotImplementedError

    def _right(self, S: Any, b: Block) -> Any:
        """Which samples the scores label rightly, bool ``(..., k, width)``; where the targets are labels."""
        raise UsageError(f"`{self.name}.accuracy(...)` needs labels, and this model has targets.")

    # The regulariser, on w as (..., k, classes, p)

    def _penalty_value(self, W: Any) -> Any:
        return self.xp.sum(W * W, axis=(-2, -1)) * (self.l2 / 2)

    def _penalty_slope(self, W: Any) -> Any:
        return W * self.l2

    def _penalty_bend(self, W: Any, V: Any) -> Any:
        return V * self.l2

    # What follows from them

    def _matrix(self, call: str, W: Any) -> Any:
        W = self.point(call, W)
        return self.xp.reshape(W, (*W.shape[:-1], self.classes, self.store.p))

    def _flat(self, W: Any) -> Any:
        return self.xp.reshape(W, (*W.shape[:-2], self.d))

    def _load(self, W: Any, scores: int = 1) -> float:
        """Numbers made of a sample per feature of it."""
        return scores * self.classes * math.prod(W.shape[:-3]) / self.store.p

    def value(self, W: Any) -> Any:
        """f_i(w_i), ``(..., m)``."""
        W = self._matrix("value", W)

        def of(b: Block, Wb: Any) -> Any:
            return b.total(self._loss(self.xp.matmul(Wb, b.Xt), b))

        out = self.store.map(of, W, axis=-1, load=self._load(W, 2))
        return out + self._penalty_value(W) if self.l2 else out

    def accuracy(self, W: Any) -> Any:
        """Share of its samples that w_i labels rightly, ``(..., m)``.

        Raises
        ------
        UsageError
            If the targets are no labels.
        """
        W = self._matrix("accuracy", W)

        def of(b: Block, Wb: Any) -> Any:
            right = self._right(self.xp.matmul(Wb, b.Xt), b)
            return b.total(
                self.xp.where(right, self.xp.ones_like(b.Xt[..., 0, :]), self.xp.zeros_like(b.Xt[..., 0, :]))
            )

        return self.store.map(of, W, axis=-1, load=self._load(W, 2))

    def grad(self, W: Any, rows: Any = None) -> Any:
        """Gradient of f_i at w_i, ``(..., m, d)``; with `rows` that of the minibatch, ``minibatch(rows).grad(W)``."""
        if rows is not None:
            return self.minibatch(rows).grad(W)
        xp = self.xp
        W = self._matrix("grad", W)

        def of(b: Block, Wb: Any) -> Any:
            G = xp.matmul(self._slope(xp.matmul(Wb, b.Xt), b), b.X)
            if not self.l2:
                return G
            if self.in_place:
                G += self._penalty_slope(Wb)
                return G
            return G + self._penalty_slope(Wb)

        return self._flat(self.store.map(of, W, axis=-3, load=self._load(W)))

    def hessian_product(self, W: Any, V: Any, rows: Any = None) -> Any:
        """Hessian of f_i at w_i times v_i, ``(..., m, d)``."""
        if rows is not None:
            return self.minibatch(rows).hessian_product(W, V)
        xp = self.xp
        W, V = self._matrix("hessian_product", W), self._matrix("hessian_product", V)

        def of(b: Block, Wb: Any, Vb: Any) -> Any:
            out = xp.matmul(self._bend(xp.matmul(Wb, b.Xt), xp.matmul(Vb, b.Xt), b), b.X)
            return out + self._penalty_bend(Wb, Vb) if self.l2 else out

        return self._flat(self.store.map(of, W, V, axis=-3, load=max(self._load(W, 2), self._load(V, 2))))

    def hessian(self, W: Any) -> Any:
        """Hessian of f_i at w_i, ``(..., m, d, d)``."""
        xp = self.xp
        W = self._matrix("hessian", W)

        def of(b: Block, Wb: Any) -> Any:
            return self._assemble(b.X, *self._curvature(xp.matmul(Wb, b.Xt), b))

        H = self.store.map(of, W, axis=-3, load=self.classes * math.prod(W.shape[:-3]))
        return H + self._diagonal(W) if self.l2 else H

    def mean_hessian(self, w: Any) -> Any:
        """Hessian of the mean over clients at one point w ``(1, d)``, ``(d, d)``."""
        xp, C, p = self.xp, self.classes, self.store.p
        w = self._matrix("mean_hessian", w)

        def joined(A: Any) -> Any:
            return xp.reshape(xp.permute_dims(A, (1, 0, 2)), (C, -1))

        out = xp.zeros((self.d, self.d), dtype=w.dtype, device=self.device)
        for b in self.store.blocks():
            D, terms = self._curvature(xp.matmul(w, b.Xt), b)
            out = out + self._assemble(xp.reshape(b.X, (-1, p)), joined(D), [(s, joined(U)) for s, U in terms])
        out = out / self.m
        return out + self._diagonal(w)[0, ...] if self.l2 else out

    def _assemble(self, X: Any, D: Any, terms: list[tuple[int, Any]]) -> Any:
        """Sum over samples of ``(diag(D) + sum of sign u u') (x) x x'``, for X ``(..., N, p)``, D and u ``(..., C, N)``."""
        xp, C = self.xp, self.classes
        blocks = [xp.matmul((X * D[..., c, :, None]).mT, X) for c in range(C)]
        if C == 1:
            return blocks[0]
        zero = xp.zeros_like(blocks[0])
        H = xp.concat(
            [xp.concat([blocks[c] if c == e else zero for e in range(C)], axis=-1) for c in range(C)], axis=-2
        )
        for sign, U in terms:
            U = xp.reshape(xp.reshape(U.mT, (-1,)), U.mT.shape)  # classes last in memory, so that Z need not be copied
            Z = U[..., None] * X[..., None, :]
            Z = xp.reshape(Z, (*Z.shape[:-2], self.d))
            H = H + sign * xp.matmul(Z.mT, Z)
        return H

    def _diagonal(self, W: Any) -> Any:
        """Hessian of the regulariser, ``(..., d, d)``."""
        eye = self.xp.eye(self.d, dtype=W.dtype, device=self.device)
        return eye * self._flat(self._penalty_bend(W, self.xp.ones_like(W)))[..., None]

    def minibatch(self, rows: Any) -> Any:
        """The problem on b gathered samples of each client; `rows` is ``(m, b)``, positions in their own samples."""
        return self._on(self.store.minibatch(checked_rows(f"{self.name}.minibatch", rows, self.n)))

    def _select(self, clients: np.ndarray) -> Any:
        return self._on(self.store.subset(clients))

    def unregularised(self) -> Any:
        """The same clients with l2 = 0."""
        out = self._on(self.store)
        out.l2 = 0.0
        return out

    def sample_variance(self, W: Any) -> Any:
        """Mean over a client's samples of |grad of the sample - grad f_i|^2 at w_i, ``(..., m)``."""
        xp = self.xp
        W = self._matrix("sample_variance", W)

        def of(b: Block, Wb: Any) -> Any:
            A = self._slope(xp.matmul(Wb, b.Xt), b) / b.weight
            G = xp.matmul(A * b.weight, b.X)
            each = xp.sum(A * A, axis=-2) * xp.sum(b.X * b.X, axis=-1)
            return b.total(each) - xp.sum(G * G, axis=(-2, -1))

        out = self.store.map(of, W, axis=-1, load=self._load(W, 2) + 1)
        return xp.where(out > 0, out, xp.zeros_like(out))
