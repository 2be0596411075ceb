"""Extreme curvatures of the features of stacked clients, and clients that are quadratic by their spectra."""

from __future__ import annotations

from typing import Any

import numpy as np
from array_api_compat import array_namespace, device

from fedtheory._arrays import to_host
from fedtheory.problem import Optimum

from .store import Block, Store

HESSIANS = 2**26  # bytes of (k, d, d) matrices held at once
FLAT = 1e-10  # least curvature, relative to the largest, by which a Newton direction of an indefinite Hessian divides
REFINEMENTS = 2


def largest(store: Store) -> np.ndarray:
    """lambda_max(X_i'X_i)/n_i, ``(m,)`` on the host: eigenvalues of the smaller Gram matrix, a block of clients at a time."""
    xp = array_namespace(store.X)

    def of(b: Block) -> Any:
        G = xp.matmul(b.X, b.Xt) if b.X.shape[1] < store.p else xp.matmul(b.Xt, b.X)
        return xp.linalg.eigvalsh(G)[..., -1]

    return np.maximum(to_host(store.map(of, axis=0)), 0) / store.n


def smallest(store: Store) -> np.ndarray:
    """lambda_min(X_i'X_i)/n_i, ``(m,)`` on the host: squared singular values, 0 where a client has fewer samples than features.

    Squaring singular values keeps half of the digits that the eigenvalues of a Gram matrix would lose to its condition.
    """
    xp = array_namespace(store.X)

    def of(b: Block) -> Any:
        if b.X.shape[1] < store.p:
            return xp.zeros((b.X.shape[0],), dtype=b.X.dtype, device=device(b.X))
        return xp.linalg.svdvals(b.X)[..., -1] ** 2

    return np.where(store.n < store.p, 0.0, to_host(store.map(of, axis=0)) / store.n)


def hessian_block(d: int, instances: int = 1) -> int:
    """Clients whose ``(d, d)`` matrices are held at once."""
    return max(1, HESSIANS // (8 * d * d * max(1, instances)))


def keeps_hessians(m: int, d: int) -> bool:
    """Whether the ``(d, d)`` matrices of all clients may be kept."""
    return 8 * m * d * d <= HESSIANS


def shifted_solve(values: Any, vectors: Any, shift: Any, q: Any) -> Any:
    """``(V diag(values) V' + shift)^{-1} q`` for q ``(..., m, d)``, by the spectral decomposition."""
    xp = array_namespace(q)
    inner = xp.matmul(q[..., None, :], vectors)[..., 0, :] / (values + shift)
    return xp.matmul(vectors, inner[..., None])[..., 0]


def least_norm(H: Any, r: Any, *, convex: bool = True) -> tuple[Any, int]:
    """The solution of least norm of H w = r ``(1, d)`` for a symmetric H ``(d, d)``, and the rank of H.

    Eigenvalues below d eps times the largest count as zero. For an H that may be indefinite (``convex=False``) the
    absolute values of its eigenvalues are inverted, bounded away from zero, so that -w descends along r.
    """
    xp = array_namespace(H)
    values, V = xp.linalg.eigh(H)
    size = xp.abs(values)
    kept = size > H.shape[0] * float(xp.finfo(H.dtype).eps) * xp.max(size)
    one = xp.ones_like(values)
    if convex:
        inverse = xp.where(kept, 1 / xp.where(kept, values, one), xp.zeros_like(values))
    else:
        inverse = 1 / xp.maximum(size, one * (FLAT * float(xp.max(size)) or 1.0))
    return xp.matmul(xp.matmul(r, V) * inverse, V.mT), int(xp.sum(xp.astype(kept, xp.int64)))


def norm(v: Any, xp: Any) -> Any:
    """Euclidean norm along the coordinates, ``(..., m)``."""
    return xp.sqrt(xp.sum(v * v, axis=-1))


def quadratic_optimum(problem: Any, pull: Any) -> Optimum:
    """The minimiser of a mean of quadratics with mean Hessian H, positive semidefinite, and H w* = pull ``(1, d)``."""
    xp = problem.xp
    H = problem.mean_hessian(xp.zeros_like(pull))
    w, rank = least_norm(H, pull)

    def slope(w: Any) -> Any:
        return xp.mean(problem.grad(w), axis=-2, keepdims=True)

    def size(w: Any) -> float:
        return float(norm(slope(w), xp)[0])

    for _ in range(REFINEMENTS):
        better = w - least_norm(H, slope(w))[0]
        w = better if size(better) < size(w) else w
    unique = "unique" if rank == problem.d else f"of least norm, since the mean Hessian has rank {rank} of {problem.d}"
    how = f"closed form from the mean Hessian, refined on the gradient; {unique}"
    return Optimum(w, float(xp.mean(problem.value(w))), size(w), how)
