"""Weights of the clients, positive and of sum one, by which the means of a world are.

Whatever is proved of plain means for every number m of clients, and does not read m, holds for any weights. Of client vectors
u_k(i) with the weights p_i the second moments sum_i p_i <u_k(i), u_l(i)> are B + C, with B those of the means and C positive
semidefinite, and beside the deviations d of one client C is at least <d, d> p_i/(1 - p_i), which is at least <d, d>/(n - 1) for
every whole n of at least 1/p_i. So are the bounds of `mixing`: a matrix that keeps the mean has |A u|^2 of at most n |u|^2 in the
mean, and where rows sum to one none of deviations becomes larger than n - 1 times their mean square. That is all that a proof
about a generic client takes, so that it holds with such an n in the place of m. Clients with the weights n_i/n are n equal ones,
of which n_i are alike; so what is known of a few equal clients says nothing of as many with weights, and nothing is certified
from it. Searches draw the weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fedtheory.errors import UsageError
from fedtheory.numbers import Numbers
from fedtheory.world import Scalar

OWN = "clients of data have no weights"
EQUAL, FEW, DECADES = 0.2, 0.5, 3  # parts of the draws: equal weights, small whole numbers; else over so many decades
SAID = "clients have any positive weights {0}, of sum one, by which means are"
READING = "The weights {0} of the clients are |{0}| over their sum, with 1 in the place of 0."


def require_weights(call: str, name: object, scalars: Mapping[str, Scalar], counting: Mapping[str, object]) -> str:
    """The name of the weights; refused where it is none, or beside what counts clients or has a number of each.

    Raises
    ------
    UsageError
        If it is so.
    """
    if not isinstance(name, str):
        raise UsageError(f"{call}(weights=...) must be a name, such as weights='pi', got {name!r}")
    for what, has in counting.items() if name else ():
        if has:
            raise UsageError(f"{call}(weights={name!r}): means are by weights, beside which there is no {what}=...")
    own = next((k for k, s in scalars.items() if name and s.per_client), None)
    if own is not None:
        raise UsageError(f"{call}(weights={name!r}): {own} is a number of each client, and there are the weights alone")
    return name


def shares(numbers: Numbers, data: Any, m: int) -> Any:
    """The weights ``(..., m)`` of free data ``(..., m, 1)``."""
    sizes = numbers.maximum(data, -data)[..., 0]
    there = numbers.at_least(sizes, 0) * (1 - numbers.at_least(-sizes, 0))
    sizes = sizes + (1 - there)
    return sizes / numbers.total(sizes, None, m)


def drawn(rng: np.random.Generator, batch: int, m: int) -> np.ndarray:
    """Free data of a batch, ``(batch, m, 1)``: equal weights, few and whole ones, and weights over decades."""
    whole = rng.integers(1, rng.integers(2, 6, (batch, 1)), (batch, m)).astype(float)
    wide = 2.0 ** rng.integers(-DECADES * 3, DECADES * 3 + 1, (batch, m))
    kind = rng.random((batch, 1))
    return np.where(kind < EQUAL, 1.0, np.where(kind < EQUAL + FEW, whole, wide))[..., None]
