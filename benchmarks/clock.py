"""Times of several cases on a machine that others use too: interleaved, so that a busy moment meets all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any


def interleaved(cases: Mapping[str, Callable[[], Any]], repeats: int) -> dict[str, list[float]]:
    """Seconds of every case in each of `repeats` passes through all of them; one pass before is not counted."""
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for counted in range(-1, repeats):
        for name, case in cases.items():
            start = time.perf_counter()
            case()
            if counted >= 0:
                seconds[name].append(time.perf_counter() - start)
    return seconds
