"""An instance in other coordinates, and in more of them, at which a body has to say the same."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

import numpy as np

from fedtheory.world import Free


def twins_of(base: Free, spatial: Set[str], spectral: Mapping[str, Any]) -> list[Free]:
    """The instance, with its coordinates turned, and with one more: zero of `spatial` data, and of spectral ones as they say."""
    d = base.shape.get("d", 1)
    signs = np.array([1 if k % 2 else -1 for k in range(d)], dtype=object)

    def turned(name: str, v: Any) -> Any:
        return v[..., ::-1] * signs if name in spatial else v[..., ::-1] if name in spectral else v

    def padded(name: str, v: Any) -> Any:
        if name not in spatial and name not in spectral:
            return v
        return np.concatenate([v, v[..., :1] * 0 + spectral.get(name, 0)], axis=-1)

    vectors = [{k: fn(k, v) for k, v in base.vectors.items()} for fn in (turned, padded)]
    return [base, base.replace(vectors=vectors[0]), base.replace(vectors=vectors[1], shape={**base.shape, "d": d + 1})]
