"""What methods without a server share: mixing matrices of a graph, one `mix`, their options, the load of every client.

A mixing matrix V is a host array ``(m, m)``, part of the draws of a round: client i takes sum_j V_ij x_j, rows sum to one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from array_api_compat import array_namespace

from .._arrays import moved, numbers_like
from ..errors import UsageError
from ..graphs import REDRAWN, Graph, of_name
from ..method import Option
from ..problem import Functions
from ..random import stream

if TYPE_CHECKING:
    from ..quantity import Array, Values

WEIGHTS = ("uniform", "metropolis")
SPARSE = (
    16  # where a row has fewer entries than one in so many, the entries are summed instead of a product of matrices
)
EPS = 64 * np.finfo(np.float64).eps  # of a sum of at most m weights


def graph_options(kind: str, weights: str = "uniform") -> dict[str, Option]:
    """The options of a graph and of its mixing matrix, with the kind and the weights of the method where nothing is said."""
    return {
        "graph": Option(
            "graph", "who hears whom: random, groups (M + 1 clients who hear each other), ring, full, or a file of pairs", kind
        ),
        "M": Option("count", "neighbours of a client (default: random 10, groups 1, ring 2)"),
        "redraw": Option("choice", "a new graph (default: random and groups each round, others once)", None, ("round", "once")),
        "graph-seed": Option("count", "seed of a random graph, or of groups, with --redraw once (default: 1)"),
        "mixing": Option("choice", "weights of a client's neighbours and its own", weights, WEIGHTS),
    }  # fmt: skip


def graph_of(o: Values, m: int) -> Graph:
    """The graph of the options, for m clients.

    Raises
    ------
    UsageError
        If M goes with another graph, is odd on a ring or not below m, a pair names a client that there is not, or a seed is
        given for what is drawn each round or not at all.
    """
    name, M, seed = o["graph"].split(":")[0], o["M"], o["graph-seed"]
    if M is not None and (name == "full" or ": " in o["graph"]):
        raise UsageError(f"--M goes with --graph random, groups or ring, got --graph {name}")
    if M is not None and name == "ring" and M % 2:
        raise UsageError(f"--M of --graph ring must be even, half of them to each side, got {M}")
    graph = of_name(o["graph"], M=M, redraw=None if o["redraw"] is None else o["redraw"] == "round", seed=seed or 1)
    if seed is not None and (graph.redrawn or graph.kind not in REDRAWN):
        raise UsageError(f"--graph-seed goes with --graph random or groups and --redraw once, got --graph {name}")
    graph.require(f"--graph {name}", m)
    return graph


def matrix(hears: np.ndarray, weights: str = "uniform") -> np.ndarray:
    """The mixing matrix of a graph ``(m, m)``.

    "uniform": 1/(M_i + 1) for each of the M_i neighbours of client i and for itself; "metropolis", of a graph in which clients
    hear each other: 1/(1 + max(M_i, M_j)), and the rest for itself, which is symmetric and doubly stochastic.

    Examples
    --------
    >>> matrix(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=bool), "metropolis").round(3)
    array([[0.667, 0.333, 0.   ],
           [0.333, 0.333, 0.333],
           [0.   , 0.333, 0.667]])
    """
    degree = hears.sum(axis=1)
    if weights == "uniform":
        return (hears | np.eye(len(hears), dtype=bool)) / (degree[:, None] + 1.0)
    V = hears / (1.0 + np.maximum(degree[:, None], degree))
    return V + np.diag(1.0 - V.sum(axis=1))


def mix(V: np.ndarray, X: Array, masks: Array | None = None) -> Array:
    """``sum_j V_ij x_j`` of vectors ``(..., m, d)``, ``(..., r, d)`` for the rows of V ``(r, m)``.

    With boolean masks ``(m, d)`` the masked average ``sum_j V_ij m_j x_j / sum_j V_ij m_j`` in every coordinate, 0 where the
    masks of all j with a weight leave it out (0/0 := 0): eq. (7) of DA-DPFL before its mask of client i, for equal weights.

    Parameters
    ----------
    V : ndarray (r, m)
        Weights on the host, of floats or, for exact numbers, of Fractions. Rows need not sum to one under masks.
    X : array (..., m, d)
    masks : array (m, d), optional
        Boolean, on the device of X.

    Examples
    --------
    >>> X = np.array([[1.0, 2.0, 0.0], [3.0, 0.0, 0.0]])
    >>> mix(np.ones((1, 2)), X, X != 0)
    array([[2., 2., 0.]])
    """
    if masks is None:
        return _product(V, X)
    xp = array_namespace(X)
    above, below = _product(V, xp.where(masks, X, xp.zeros_like(X))), _product(V, xp.astype(masks, X.dtype))
    some = below > 0
    return xp.where(some, above / xp.where(some, below, xp.ones_like(below)), xp.zeros_like(above))


def _product(V: np.ndarray, X: Array) -> Any:
    """V X; the sum over the entries of each row where there are few, so that a round costs as much as it has edges."""
    xp = array_namespace(X)
    most = int(np.count_nonzero(V, axis=1).max(initial=0))
    if V.dtype.kind == "O" or SPARSE * most >= V.shape[1]:
        return xp.matmul(numbers_like(V, X), X)
    which = np.argsort(V == 0, axis=1, kind="stable")[
        :, :most
    ]  # the entries that are not zero, in the order of the clients
    weight = np.take_along_axis(V, which, axis=1)
    out = None
    for k in range(most):
        part = xp.take(X, moved(which[:, k], X), axis=-2) * numbers_like(weight[:, k : k + 1], X)
        out = part if out is None else out + part
    return out


def require_doubly_stochastic(call: str, graph: Graph, weights: str, m: int) -> None:
    """Raise UsageError unless every mixing matrix of the graph is symmetric and doubly stochastic; `call` is the method."""
    needs = f"{call} needs a symmetric doubly stochastic mixing matrix"
    if not graph.symmetric(m):
        what = (
            "file of directed pairs"
            if graph.kind == "pairs"
            else f"{graph.kind} graph, in which i may hear j and j not i"
        )
        raise UsageError(
            f"{needs}, and that of a {what}, is none; take groups, ring, full or pairs that hear each other."
        )
    V = matrix(graph.draw(stream(0, 0, "graph"), m), weights)  # of another round only the places differ
    if np.abs(V - V.T).max() > EPS or np.abs(V.sum(axis=0) - 1).max() > EPS * m:
        raise UsageError(
            f"{needs}, and uniform weights give none where clients have different numbers of neighbours; take metropolis."
        )


def require_mixing(call: str, problem: Functions, graph: Graph, weights: str, *, symmetric: bool = False) -> None:
    """Raise UsageError unless the problem's clients can stand in the graph, with a mixing matrix of the kind that is asked for."""
    graph.require(f"{call}(graph=...)", problem.m)
    if symmetric:
        require_doubly_stochastic(call, graph, weights, problem.m)
    if weights == "metropolis" and not graph.symmetric(problem.m):
        raise UsageError(f"{call}(weights='metropolis') needs clients that hear each other; take weights='uniform'.")


def sent(V: np.ndarray) -> np.ndarray:
    """Vectors that each client sends and receives where each goes to whoever gives it a weight, ``(m,)``."""
    others = (V != 0) & ~np.eye(len(V), dtype=bool)
    return others.sum(axis=0) + others.sum(axis=1)
