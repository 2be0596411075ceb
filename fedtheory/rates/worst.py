"""The worst clients that the performance-estimation program knows: of a whole function class, in any dimension."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from ..claim import Claim
from ..engines.certificates.sdp.primal import Primal
from ..engines.counterexamples import exact
from ..engines.prove.listed import steady, targets_of, tightness
from ..errors import NotApplicable
from ..gram.forms import Form

if TYPE_CHECKING:
    from ..quantity import Quantity

SHARES = (0.99, 0.9, 0.5)  # of the program's value: rational clients that come so near are sought


@dataclass(frozen=True)
class Worst:
    """What the program says of T rounds.

    Attributes
    ----------
    T : int
    value : float
        The largest measured/bound over all clients of the class, in any dimension (numeric).
    ratio : float or None
        That of the rational clients that were found, exactly.
    clients : mapping of str to list
        These: points at which they are looked at, their gradients and values there; empty where none were found.
    """

    T: int
    value: float
    ratio: float | None
    clients: Mapping[str, Quantity]


def worst(claim: Claim, scalars: Mapping[str, Quantity], T: int) -> Worst | None:
    """Solve the program of a claim on T rounds at given parameters; None where it has no value."""
    world = claim.world
    shape = {name: 1 for name in world.sizes if name in ("m", "d")}
    try:
        _, space, relations, _ = targets_of(claim, world, scalars, shape)
        value = steady(tightness(relations, space))
    except (NotApplicable, ZeroDivisionError, IndexError):
        return None
    if value is None:
        return None
    lhs, rhs = (Form.of(np.asarray(side, dtype=object).flat[0]) for side in (relations[0].lhs, relations[0].rhs))
    for share in SHARES:
        near = Fraction(value * share).limit_denominator(10**6)
        target = (near * rhs + -lhs).clean()
        space.close()
        for found in Primal(target, space).solutions():
            free = world.placed(space, found.leaves, found.values, scalars, shape)
            if free is None:
                continue
            replay = exact.replay(claim.body, world, free, claim.id)
            if all(side.truth for side in replay.given):
                return Worst(T, value, exact.ratio(replay.relations), dict(free.vectors))
    return Worst(T, value, None, {})
