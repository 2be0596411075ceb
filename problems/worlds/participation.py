"""Which clients take part: S of them without or with replacement, or each with a chance by itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fedtheory.errors import UsageError, did_you_mean
from fedtheory.numbers import Numbers
from fedtheory.world import Scalar

WITHOUT, REPLACEMENT, INDEPENDENT = "", "replacement", "independent"
CHANCE = "p"  # of each client, where they take part independently
SAID = {
    REPLACEMENT: "S clients are drawn uniformly with replacement, S <= m",
    INDEPENDENT: "each client takes part with the chance p, independently",
}


def require_participation(kind: str, scalars: Mapping[str, Scalar], sizes: Mapping[str, object]) -> None:
    """Refuse a way to take part that lacks what it is about.

    Raises
    ------
    UsageError
        If it is unknown, S or p are missing, or p may be more than 1.
    """
    if kind == WITHOUT:
        return
    if kind not in SAID:
        raise UsageError(
            f"Points(participation=...) must be 'replacement' or 'independent', got {kind!r}; S clients without "
            f"replacement need sizes={{'S': ...}} alone{did_you_mean(str(kind), SAID)}"
        )
    if kind == REPLACEMENT and "S" not in sizes:
        raise UsageError("Points(participation='replacement') needs sizes={'S': (1, 2, 3)}, how many are drawn")
    if kind == INDEPENDENT:
        p = scalars.get(CHANCE)
        if p is None or p.per_client or p.low is None or p.low < 0 or p.high is None or p.high > 1:
            raise UsageError(
                "Points(participation='independent') needs p=between(0, 1, closed=False), every client's chance"
            )
        if "S" in sizes:
            raise UsageError("Points(participation='independent') has no size S: how many take part is random")


def takings(kind: str, shape: Mapping[str, int], numbers: Numbers, names: Mapping[str, Any]) -> tuple[Any, ...]:
    """The draws of clients ``(m,)``, with their chances where these differ; none where nothing is drawn."""
    if kind == INDEPENDENT:
        return numbers.independent(shape["m"], names[CHANCE])
    if "S" not in shape:
        return ()
    return (numbers.with_replacement if kind == REPLACEMENT else numbers.selections)(shape["m"], shape["S"])


def ways_to_take_part(kind: str, shape: Mapping[str, int]) -> int:
    """How many draws of clients there are."""
    m = shape["m"]
    S = shape.get("S", m)
    return {REPLACEMENT: math.comb(m + S - 1, S), INDEPENDENT: 2**m}.get(kind, math.comb(m, S))
