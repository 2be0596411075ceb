"""Kinds of leaves of a generic client, and the key of an inner product of two of them."""

from .forms import Key

OWN, BAR, SHARED, SELECTED, MASKED = "own", "bar", "shared", "selected", "masked"


def gram_key(i: int, j: int) -> Key:
    """The inner product of two leaves, in the one order that it has."""
    return ("G", i, j) if i <= j else ("G", j, i)
