"""Parameters at which a relation of vectors must fail: where z3 makes a coefficient of its Gram form negative.

A certificate at listed parameters says nothing of a narrow window between them. The body runs once on Gram arrays with the
parameters as symbols; z3 is asked where the constant, or the coefficient of one squared norm, of the slack is negative.
What it finds is only looked at: an exact replay decides.

Rests on a necessary condition: a Gram form that is non-negative for all vectors has a non-negative constant and non-negative
diagonal coefficients (Sylvester). Incomplete: minors of higher order are not looked at, and roots and exponentials are none
of its coefficients.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

import numpy as np

from ...claim import Claim
from ...errors import NotApplicable
from ...gram.forms import CONSTANT
from ...gram.ratio import Ratio, entry
from ...numbers import Floats
from ...quantity import ByName
from ...world import Described, Free
from ..budget import Budget, Coefficients
from ..certificates.cases import Case, parameters, slacks_of
from ..certificates.signs import Signs
from ..context import Docket
from ..counterexamples.hunt import ranked
from ..prove.listed import abstract_shapes
from .proposing import Proposals, proposes

CLEAR = 1e-3  # slack beyond which floats clear an instance
SEED = 20200609


@proposes("edges")
def edges(claim: Claim, docket: Docket) -> Proposals:
    """Instances at parameters where a coefficient of the slack is negative."""
    world = claim.world
    if world.batched_scalars or world.at_points or not world.scalars:
        return
    shapes = sorted(abstract_shapes(world, docket.limits.largest_m), key=lambda s: sum(s.values()))
    for shape in shapes[: docket.limits.of(Coefficients).sizes]:
        for scalars in _negative(claim, shape, docket.limits):
            yield from _instances(claim, shape, scalars, docket.limits.of(Coefficients))


def _negative(claim: Claim, shape: dict[str, int], limits: Budget) -> Iterator[dict[str, object]]:
    """Parameters that meet the conditions and make a coefficient of a slack negative."""
    world, case = claim.world, Case(shape)
    try:
        signs = Signs(world, shape, (), limits.signs)
        looked = [
            c
            for form in slacks_of(claim, case, parameters(world, case))
            for key, c in form.items()
            if isinstance(c, Ratio) and (key == CONSTANT or (key[0] == "G" and key[1] == key[2]))
        ]
        for c in looked[: limits.of(Coefficients).questions]:
            point = signs.negative_at(c)
            if point is not None:
                yield _scalars(world, shape, point)
    except (NotApplicable, ZeroDivisionError, IndexError):
        return


def _scalars(world: Described, shape: Mapping[str, int], point: Mapping[str, Fraction]) -> dict[str, object]:
    out: ByName = {}
    for name, spec in world.scalars.items():
        if spec.per_client:
            out[name] = np.empty(shape.get("m", 1), dtype=object)
            out[name][:] = [point[entry(name, i)] for i in range(shape.get("m", 1))]
        else:
            out[name] = point[name]
    return out


def _instances(claim: Claim, shape: dict[str, int], scalars: ByName, effort: Coefficients) -> Iterator[Free]:
    """The instances of least slack at these parameters."""
    rng = np.random.default_rng(SEED)
    world = claim.world
    shapes = [{**s, **chosen} for s in world.shapes(shape.get("m", 1)) for chosen in world.to_choose(s)]
    for other in (s for s in shapes if {**s, "d": 1} == shape):
        as_floats = {k: v.astype(float) if isinstance(v, np.ndarray) else float(v) for k, v in scalars.items()}
        drawn = world.at_scalars(rng, other, as_floats, effort.rows)
        if drawn is None or not drawn.vectors:
            continue
        slack = ranked(claim.body, world, drawn, Floats(), claim.id).slack
        for place, index in enumerate(np.argsort(slack)[: effort.replays]):
            if place and slack[index] > CLEAR:
                break
            yield world.pick(drawn, int(index)).replace(scalars=scalars)
