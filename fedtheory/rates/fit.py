"""The rate at which a curve falls, fitted to the second half of it."""

from __future__ import annotations

import numpy as np

from .record import POWER

LEAST = 4  # points of a fit


def fitted(T: np.ndarray, y: np.ndarray, law: str) -> float | None:
    """p of T^-p, or the fall of the logarithm a step, by least squares; None where too few values are positive.

    Examples
    --------
    >>> T = np.arange(1, 100)
    >>> round(fitted(T, 3/T, "power"), 6), round(fitted(T, 5*0.5**T, "exponential"), 6)
    (1.0, 0.693147)
    """
    last = np.arange(len(T)) >= len(T) - LEAST
    late = ((T[-1] / 2 <= T) | last) & (y > 0) & np.isfinite(y)
    if late.sum() < LEAST:
        return None
    x = np.log(T[late]) if law == POWER else T[late].astype(float)
    if np.ptp(x) == 0:
        return None
    slope = np.polyfit(x, np.log(y[late]), 1)[0]
    return float(0.0 - slope)
