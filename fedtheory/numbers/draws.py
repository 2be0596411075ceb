"""Draws of a random step, of clients, of matrices and of signs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..quantity import Array


class Draws(tuple[Any, ...]):
    """Draws of a random step with the chance of each, numbers whose sum is one; those of any other tuple are equally likely."""

    chances: tuple[Any, ...]

    def __new__(cls, draws: Sequence[object], chances: Sequence[object]) -> Draws:
        out = super().__new__(cls, draws)
        out.chances = tuple(chances)
        return out

    def __add__(self, other: object) -> Draws:
        """A draw of these or of those, as a fair coin says: the mean over ``draws + draws`` is that over ``draws``."""
        if not isinstance(other, Draws):  # which are of a tuple, equally likely, is said by nobody
            return NotImplemented
        return Draws((*self, *other), [c / 2 for c in (*self.chances, *other.chances)])


class Repeated(Draws):
    """Draws of clients with replacement: how often each of them is drawn."""


class OfMatrices(tuple[object, ...]):
    """Draws of a matrix: two that are equally likely, by which its second moments are given, and nothing else."""


class Noisy(tuple["Array", ...]):
    """Vectors of the clients with their signs turned, each by itself and as likely as not: errors of mean zero."""


class Both(tuple[object, ...]):
    """Draws of clients and, independent of them, their errors: of each pair one of the first and one of the second."""

    clients: tuple[object, ...]
    errors: tuple[object, ...]

    def __new__(cls, clients: tuple[object, ...], errors: tuple[object, ...]) -> Both:
        out = super().__new__(cls, (clients, errors))
        out.clients, out.errors = clients, errors
        return out

    def __add__(self, other: object) -> Both:
        """Pairs of which either part is one of these or of those."""
        if not isinstance(other, Both):
            return NotImplemented
        return Both(self.clients + other.clients, self.errors + other.errors)
