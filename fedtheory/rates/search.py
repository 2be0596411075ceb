"""The search for a legal setting at which a bound is as tight as it can be had: seeded draws, then one axis after the other."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..errors import UsageError
from .record import Played, Rate

DRAWS, QUICK = 40, 12  # settings that are played before the climb
CLIMB = 1  # times as many may be played in it
LOOKED_AT = 40  # times as many settings are drawn, legal or not


@dataclass(frozen=True)
class Best:
    """The tightest legal setting found.

    Attributes
    ----------
    rate : Rate
    setting : dict of str to Fraction
    played : Played
    drawn, legal, tried, saying : int
        How many settings were drawn, were legal, were played, and how many of these had a bound that said something.
    """

    rate: Rate
    setting: dict[str, Fraction]
    played: Played
    drawn: int
    legal: int
    tried: int
    saying: int

    @property
    def end(self) -> float:
        """Measured over bound at the end."""
        return float(self.played.ratio[-1])

    @property
    def least(self) -> float:
        """And the least of the run."""
        return float(self.played.ratio.min())

    @property
    def largest(self) -> float:
        """And the largest."""
        return float(self.played.ratio.max())

    @property
    def says(self) -> bool:
        """Whether the bound says anything at this setting."""
        return self.played.says


def search(rate: Rate, *, seed: int = 0, draws: int = DRAWS, tell: Callable[[], object] = lambda: None) -> Best:
    """The legal setting of the largest measured/bound where the rate aims, the first one of equal ones.

    Same seed and draws, same setting. `tell` is called for every setting that is played.

    Raises
    ------
    UsageError
        If no legal setting was drawn.
    """
    rng = np.random.default_rng(np.random.SeedSequence([seed, zlib.crc32(rate.id.encode())]))
    names, sizes = list(rate.axes), [len(v) for v in rate.axes.values()]
    known: dict[tuple[int, ...], float] = {}
    counts = {"drawn": 0, "legal": 0, "tried": 0, "saying": 0}

    def setting(at: tuple[int, ...]) -> dict[str, Fraction]:
        return {name: rate.axes[name][k] for name, k in zip(names, at, strict=True)}

    def score(at: tuple[int, ...]) -> float:
        if at not in known:
            counts["drawn"] += 1
            known[at] = -1.0
            if rate.legal(setting(at)):
                counts["legal"] += 1
                found = rate.play(setting(at), rate.constants(setting(at)))
                if found is not None:
                    counts["tried"] += 1
                    counts["saying"] += found.says
                    known[at] = rate.aimed(found)
                    tell()
        return known[at]

    for _ in range(LOOKED_AT * draws):
        if counts["tried"] >= draws or len(known) == math.prod(sizes):
            break
        score(tuple(int(rng.integers(n)) for n in sizes))
    best = max(known, key=lambda at: known[at], default=None)
    if best is None or known[best] < 0:
        raise UsageError(f"no legal setting of {rate.theorem}, {rate.kind}, among {counts['drawn']} was short enough")
    better = True
    while better and counts["tried"] < (1 + CLIMB) * draws:
        better = False
        for k in range(len(names)):
            for other in range(sizes[k]):
                near = (*best[:k], other, *best[k + 1 :])
                if score(near) > known[best]:
                    best, better = near, True
    found = rate.play(setting(best), rate.constants(setting(best)))
    assert found is not None
    return Best(rate, setting(best), found, **counts)
