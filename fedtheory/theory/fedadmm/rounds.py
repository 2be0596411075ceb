"""Rounds of FedADMM counted: tau_k of Algorithm 1, and how likely selections are (Sections 2.1 and 4.2)."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...quantity import Named, Quantity


def tau(k: int, k0: int) -> int:
    """tau_k with the bracket of Section 2.1, the largest integer below k/k_0 + 1, which is k/k_0 rounded up.

    Examples
    --------
    >>> [tau(k, 3) for k in range(7)]
    [0, 1, 1, 1, 2, 2, 2]
    """
    return -(-k // k0)


def covered(x: Named, m: int, S: int, s0: int) -> Quantity:
    """Probability that s_0 independent uniform selections of S of the m clients reach every client. Unit 1.

    By inclusion and exclusion over the j clients that are missed in every round.
    """
    rounds = comb(m, S) ** s0
    return sum((-1) ** j * comb(m, j) * x.ratio(comb(m - j, S) ** s0, rounds) for j in range(m - S + 1))
