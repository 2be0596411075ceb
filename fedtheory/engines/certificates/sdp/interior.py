"""Multipliers far from the boundary of the face on which given null vectors stay null; they survive rounding.

Rests on facial reduction (J. Borwein, H. Wolkowicz 1981): on the face that the null vectors leave, the feasible set has an
interior.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from . import cone
from .program import Numeric, Program

TINY = 1e-300
RANK = 1e-9  # relative, of the numeric null spaces


def inner_point(
    program: Program,
    numeric: Numeric,
    active: list[int],
    A: list[list[Fraction]],
    b: list[Fraction],
    null: list[list[Fraction]],
) -> np.ndarray | None:
    """Multipliers with ``A x = b`` whose least entry, and least eigenvalue of the residual, are as large as possible.

    Parameters
    ----------
    active : list of int
        Columns of the multipliers that take part.
    A, b : exact equations of these multipliers, those of `null` among them
    null : list of vectors over the program's leaves

    Returns
    -------
    array (len(active),) or None
        None where the face is a point, or the solver finds none.
    """
    weights = 2.0 ** numeric.powers[active]
    start, Z = _solutions(numeric.scaled[active], weights, A, b)
    face = _face(numeric, null)
    if not Z.shape[1] or not face.shape[1]:
        return None
    D = np.array([float(d) for d in numeric.D])

    def on_face(M: np.ndarray) -> np.ndarray:
        return face.T @ (M * np.outer(D, D)) @ face

    target = on_face(program.gram(program.target))
    forms = [on_face(program.gram(program.forms[c])) * w for c, w in zip(active, weights, strict=True)]
    size = max(1.0, float(np.abs(numeric.S).max()))
    base = (target - sum(v * F for v, F in zip(start, forms, strict=True))) / size
    moves = [-sum(v * F for v, F in zip(z, forms, strict=True)) / size for z in Z.T]
    step = _deepest(start, Z, [k for k, c in enumerate(active) if c < program.signed], base, moves)
    return None if step is None else (start + Z @ step) * weights


def _solutions(
    near: np.ndarray, weights: np.ndarray, A: list[list[Fraction]], b: list[Fraction]
) -> tuple[np.ndarray, np.ndarray]:
    """The balanced multipliers nearest to `near` that meet the equations, and directions in which these stay met."""
    from scipy import linalg

    E = np.array([[float(v) for v in row] for row in A]).reshape(len(A), len(near)) * weights
    e = np.array([float(v) for v in b])
    norms = np.linalg.norm(np.column_stack([E, e]), axis=1) + TINY
    E, e = E / norms[:, None], e / norms
    start = near + np.linalg.lstsq(E, e - E @ near, rcond=None)[0]
    return start, linalg.null_space(E, rcond=RANK) if len(E) else np.eye(len(near))


def _face(numeric: Numeric, null: list[list[Fraction]]) -> np.ndarray:
    """A basis of what is orthogonal to the null vectors, in the balanced program."""
    from scipy import linalg

    D = np.array([float(d) for d in numeric.D])
    N = np.array([[float(v) for v in row] for row in null]).reshape(len(null), len(D)) / D
    return linalg.null_space(N, rcond=RANK) if len(N) else np.eye(len(D))


def _deepest(
    start: np.ndarray, Z: np.ndarray, signed: list[int], base: np.ndarray, moves: list[np.ndarray]
) -> np.ndarray | None:
    """The step y of the largest s <= 1 with ``start + Z y >= s`` where signed and ``base + sum(y move) >= s I``."""
    n, k = base.shape[0], Z.shape[1]
    A = np.vstack([
        np.column_stack([-Z[signed], np.ones(len(signed))]),
        np.append(np.zeros(k), 1.0)[None],
        np.column_stack([*(-cone.column(M) for M in moves), cone.column(np.eye(n))]),
    ])  # fmt: skip
    b = np.concatenate([start[signed], [1.0], cone.column(base)])
    solution = cone.minimise(np.append(np.zeros(k), -1.0), A, b, zeros=0, signed=len(signed) + 1, n=n)
    return None if solution is None else np.asarray(solution.x)[:-1]
