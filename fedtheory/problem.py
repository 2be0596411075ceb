"""What a problem promises: m clients stacked along an axis, with known constants.

Shapes: client vectors ``W`` are ``(..., m, d)``, a server vector ``(..., 1, d)`` stands for m equal ones, values are
``(..., m)``. Instances are leading axes and broadcast. A problem is immutable: none of its functions changes a later
answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

if TYPE_CHECKING:
    from .quantity import Array, Quantity


@dataclass(frozen=True)
class Constants:
    """Smoothness and convexity of every client.

    Attributes
    ----------
    L_i : ndarray (m,)
        Host float64: ``|grad f_i(w) - grad f_i(v)| <= L_i |w - v|``, the largest absolute curvature; inf for a client
        that is not smooth.
    mu_i : ndarray (m,)
        Host float64: ``v' Hess f_i(w) v >= mu_i |v|^2``, the least curvature; negative for a weakly convex client.
    how : str
        One sentence: where the values come from, and whether they are attained or only bounds.
    """

    L_i: np.ndarray
    mu_i: np.ndarray
    how: str

    @property
    def L(self) -> float:
        """The largest L_i: every client is L-smooth."""
        return float(self.L_i.max())

    @property
    def mu(self) -> float:
        """The smallest mu_i: every client is mu-strongly convex (weakly convex where mu is negative)."""
        return float(self.mu_i.min())


@dataclass(frozen=True)
class Optimum:
    """The minimiser of ``f(w) = mean_i f_i(w)``.

    Attributes
    ----------
    w_star : array (1, d)
        On the problem's device.
    f_star : float
        f at `w_star`.
    residual : float
        ``|grad f(w_star)|``, as computed at `w_star`.
    how : str
        One sentence: the method, and what is known of the point (unique, of least norm, only stationary).
    """

    w_star: Array | None
    f_star: float
    residual: float
    how: str


class Layer(NamedTuple):
    """One layer of the flattened model: methods with masks choose their coordinates layer by layer.

    Attributes
    ----------
    name : str
        As its model calls it.
    where : slice or ndarray (size,)
        Its coordinates among the d of the model; host integers where no slice gives them.
    shape : tuple of int
        Of the layer as a matrix, a kernel or a vector; the outputs stand first.
    prunable : bool
        Whether masks may leave coordinates out. Biases are kept whole, as the methods with masks have it.
    """

    name: str
    where: Any
    shape: tuple[int, ...]
    prunable: bool = True

    @property
    def size(self) -> int:
        """How many coordinates it has."""
        return math.prod(self.shape)


def layers_of(problem: Any) -> tuple[Layer, ...]:
    """The layers of a problem; one that names none is a single vector, all of it prunable.

    Examples
    --------
    >>> class Bowl:
    ...     m, d = 2, 3
    >>> layers_of(Bowl())
    (Layer(name='w', where=slice(0, 3, None), shape=(3,), prunable=True),)
    """
    found = getattr(problem, "layers", None)
    return (Layer("w", slice(0, problem.d), (problem.d,)),) if found is None else tuple(found)


class Functions(Protocol):
    """What the bodies of claims and the steps of methods need: m functions with gradients and proximal points.

    On floats, fractions, units or Gram arrays; `m` is the number of clients.
    """

    @property
    def m(self) -> int: ...

    def value(self, W: object) -> Any:
        """f_i(w_i), ``(..., m)``."""

    def grad(self, W: Array) -> Array:
        """Gradient of f_i at w_i, ``(..., m, d)``."""

    def prox(self, W: Array, lam: Quantity) -> Array:
        """The minimiser of f_i(theta) + lam_i/2 |theta - w_i|^2, ``(..., m, d)``; lam is a number or ``(m,)``."""


class Problem(Functions, Protocol):
    """Functions on float arrays, with samples, second derivatives and known constants.

    Attributes
    ----------
    m, d : int
        Clients, and dimension of the flattened model.
    xp, device : namespace, device
        Of every array that goes in and out (array_api_compat names).
    n : ndarray (m,)
        Host int64: samples of each client.
    layers : tuple of Layer, optional
        What the d coordinates are; see `layers_of`.
    """

    d: int
    xp: Any
    device: Any
    n: np.ndarray

    def grad(self, W: Array, rows: Array | None = None) -> Array:
        """Gradient of f_i at w_i, ``(..., m, d)``; with `rows` that of the minibatch, ``minibatch(rows).grad(W)``."""

    def hessian_product(self, W: Array, V: Array, rows: Array | None = None) -> Array:
        """Hessian of f_i at w_i times v_i, ``(..., m, d)``."""

    def hessian(self, W: Array) -> Array:
        """Hessian of f_i at w_i, ``(..., m, d, d)``; for problems of moderate d."""

    def minibatch(self, rows: Array) -> Problem:
        """The problem on b gathered samples of each client, its regulariser included.

        `rows` is ``(m, b)`` integers, positions within each client's own samples (``0 <= rows[i] < n[i]``), repetitions
        allowed. Gather once, then take as many gradients as the method wants.
        """

    def subset(self, clients: object) -> Problem:
        """The problem of the selected clients, in the order given: `clients` is ``(S,)`` host integers."""

    def residual(self, Theta: Array, W: Array, lam: Quantity) -> Array:
        """|grad f_i(theta_i) + lam_i (theta_i - w_i)|, ``(..., m)``: how well theta_i solves the prox."""

    def constants(self) -> Constants:
        """L_i and mu_i; computed once."""

    def optimum(self) -> Optimum:
        """The minimiser of the mean over clients; computed once."""
