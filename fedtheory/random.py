"""The one source of randomness: host generators keyed by seed, round and purpose."""

from __future__ import annotations

import hashlib
from numbers import Integral

import numpy as np

from .errors import UsageError

WORD = 2**64


def stream(seed: int, round: int, purpose: str) -> np.random.Generator:
    """The generator of one purpose in one round; equal arguments give equal numbers on every platform.

    The seed and a hash of the purpose are the Philox key, the round is the highest word of its counter: two rounds of
    one seed and purpose are disjoint parts of one sequence, and no order of calls matters.

    Parameters
    ----------
    seed, round : int
        From 0 to 2^64 - 1.
    purpose : str
        What the numbers are for, for example ``"participation"``.

    Raises
    ------
    UsageError
        If an argument is out of range or of another type.

    Examples
    --------
    >>> a = stream(0, 3, "participation").integers(100, size=3)
    >>> b = stream(0, 3, "participation").integers(100, size=3)
    >>> bool((a == b).all())
    True
    """
    for name, value in (("seed", seed), ("round", round)):
        if not isinstance(value, Integral) or isinstance(value, bool) or not 0 <= value < WORD:
            raise UsageError(f"`stream({name}=...)` must be an integer from 0 to 2^64 - 1, got {value!r}.")
    if not isinstance(purpose, str) or not purpose:
        raise UsageError(f"`stream(purpose=...)` must be a non-empty string, got {purpose!r}.")
    digest = hashlib.blake2b(purpose.encode(), digest_size=8).digest()
    key = np.array([int(seed), int.from_bytes(digest, "little")], dtype=np.uint64)
    counter = np.array([0, 0, 0, int(round)], dtype=np.uint64)
    return np.random.Generator(np.random.Philox(key=key, counter=counter))
