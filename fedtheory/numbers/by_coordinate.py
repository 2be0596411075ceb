"""What a body does with coordinates in a world of `Axes`, on any kind of number: by minima and comparisons of that kind."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from .kinds import Numbers

if TYPE_CHECKING:
    from ..quantity import Array, Quantity


def absolute(numbers: Numbers, u: Array) -> Array:
    """|u_j|, ``(..., d)``."""
    return numbers.maximum(u, -u)


def sum_of_sizes(numbers: Numbers, u: Array) -> Quantity:
    """The sum of all |u_j|, ``(...)``."""
    return numbers.sum(absolute(numbers, u), axis=-1)


def largest_size(numbers: Numbers, u: Array) -> Quantity:
    """The largest |u_j|, ``(...)``."""
    sizes = absolute(numbers, u)
    return reduce(numbers.maximum, [sizes[..., j] for j in range(u.shape[-1])])


def sign(numbers: Numbers, u: Array) -> Array:
    """-1, 0 or 1, ``(..., d)``."""
    return numbers.at_least(u, 0) - numbers.at_least(-u, 0)


def top(numbers: Numbers, u: Array, k: int) -> Array:
    """The k entries of largest magnitude, of equal ones the first; 0 in place of the others, ``(..., d)``."""
    sizes, d = absolute(numbers, u), u.shape[-1]
    if not k or d <= k:
        return u if k else u * 0
    columns = [sizes[..., j : j + 1] for j in range(d)]
    before = {(i, j): numbers.at_least(columns[i], columns[j]) for j in range(d) for i in range(j)}
    kept = []
    for j in range(d):
        larger = [*(before[i, j] for i in range(j)), *(1 - before[j, i] for i in range(j + 1, d))]
        rank = reduce(lambda a, b: a + b, larger)
        kept.append(u[..., j : j + 1] * numbers.at_least(k - 1 - rank, 0))
    return numbers.xp.concat(kept, axis=-1)
