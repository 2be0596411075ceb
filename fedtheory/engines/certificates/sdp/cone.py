"""The semidefinite solver: linear inequalities, and symmetric matrices as columns of their upper triangle."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors import NotApplicable
from ....guard import overtime

WAIT = 60.0  # seconds of processor time that a call may take: thousands of times what one does
SOLVED = ("Solved", "AlmostSolved")


def position(i: int, j: int) -> int:
    """Where the entry of row i and column j >= i stands in the column of an upper triangle."""
    return j * (j + 1) // 2 + i


def coefficient(c: float, i: int, j: int) -> float:
    """The coefficient of an inner product of leaves i and j as an entry of the column; off the diagonal it is two entries."""
    return c if i == j else c / np.sqrt(2)


def column(M: np.ndarray) -> np.ndarray:
    """A symmetric matrix ``(n, n)`` as the column ``(n (n + 1)/2,)`` of its upper triangle."""
    rows, cols = np.triu_indices(M.shape[0])
    order = np.lexsort((rows, cols))
    rows, cols = rows[order], cols[order]
    return M[rows, cols] * np.where(rows == cols, 1.0, np.sqrt(2.0))


def matrix(values: np.ndarray, n: int) -> np.ndarray:
    """The symmetric matrix ``(n, n)`` of a column."""
    M = np.zeros((n, n))
    for j in range(n):
        for i in range(j + 1):
            value = values[position(i, j)]
            M[i, j] = M[j, i] = value if i == j else value / np.sqrt(2)
    return M


def minimise(
    cost: np.ndarray, A: object, b: np.ndarray, *, zeros: int, signed: int, n: int, iterations: int | None = None
) -> Any:
    """Minimise ``cost x`` where ``b - A x`` is zero in the first rows, then non-negative, then a semidefinite column.

    Parameters
    ----------
    cost : array (k,)
    A : matrix (zeros + signed + n (n + 1)/2, k), dense or sparse
    b : array
        As many entries as A has rows.
    zeros, signed, n : int
        Rows that vanish, rows that are non-negative, and the order of the semidefinite matrix.
    iterations : int, optional
        The most that the solver takes.

    Returns
    -------
    solution
        Clarabel's, or None where it found none or was ended.

    Raises
    ------
    NotApplicable
        If no solver is installed.
    """
    try:
        import clarabel
        from scipy import sparse
    except ImportError as error:
        raise NotApplicable(f"no semidefinite solver: {error}") from None
    cones = [clarabel.ZeroConeT(zeros)] if zeros else []
    cones.append(clarabel.NonnegativeConeT(signed))
    cones += [clarabel.PSDTriangleConeT(n)] if n else []
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_threads = 1
    if iterations is not None:
        settings.max_iter = iterations
    quadratic = sparse.csc_matrix((len(cost), len(cost)))
    solver = clarabel.DefaultSolver(quadratic, cost, sparse.csc_matrix(A), b, cones, settings)
    solver.set_termination_callback(overtime("Clarabel", WAIT))
    solution = solver.solve()
    return solution if str(solution.status) in SOLVED else None
