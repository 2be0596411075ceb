"""How often Python looks for circles of objects, which it cannot free otherwise."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = (100_000, 50, 100)  # objects that are made between two looks; Python's are 700, 10, 10


@contextmanager
def seldom_looked_for() -> Iterator[None]:
    """Look for circles seldom within: deciding claims leaves few, and looking took a sixth of the time.

    Runs of methods leave circles with large arrays; they take gigabytes within.
    """
    before = gc.get_threshold()
    gc.set_threshold(*map(max, SELDOM, before))
    try:
        yield
    finally:
        gc.set_threshold(*before)
