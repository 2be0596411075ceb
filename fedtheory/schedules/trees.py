"""How high random recursive trees are: rounds in which everybody waits for one earlier client at random (M = K - 1, N = 1).

Client k > 1 hangs below one of the k - 1 before it, each with the same probability, and starts one later than that one. Let
y_h be the exponential generating function of the trees with increasing labels that are no higher than h, y_h' = exp(y_{h-1})
with y_{-1} = 0; then P(height <= h) of the tree of K clients is K times the coefficient of z^K in y_h. All terms are
positive, so that floats lose nothing.
"""

from __future__ import annotations

import numpy as np


def heights(K: int) -> list[float]:
    """The probabilities of the heights 0 .. K - 1.

    Examples
    --------
    >>> heights(3)
    [0.0, 0.5, 0.5]
    """
    y = np.zeros(K + 1)  # coefficients of y_{h-1}
    most = []
    for _ in range(K):
        e = _exponential(y)
        most.append(float(e[K - 1]))  # y_h' has them times n, and P is n times that of y_h
        y = np.concatenate([[0.0], e[:K] / np.arange(1, K + 1)])
        if most[-1] >= 1.0 - 2.0**-50:  # all but what rounding hides
            most += [1.0] * (K - len(most))
            break
    return [float(p) for p in np.diff([0.0, *most])]


def _exponential(y: np.ndarray) -> np.ndarray:
    """The coefficients of exp(y) for a series without a constant term: n e_n is the sum of k y_k e_{n-k}."""
    e = np.zeros_like(y)
    e[0] = 1.0
    weighted = y * np.arange(len(y))
    for n in range(1, len(y)):
        e[n] = weighted[1 : n + 1] @ e[n - 1 :: -1] / n
    return e
