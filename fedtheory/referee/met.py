"""Whether the printed experiments of a paper meet what one of its claims assumes, as far as numbers say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..catalogue import Parameters, attempt
from ..claim import Claim
from ..paper import Paper
from ..relation import Condition, Relation
from ..world import Scalar

if TYPE_CHECKING:
    from ..quantity import Quantity


def met_in_experiments(claim: Claim, paper: Paper) -> bool | None:
    """True where a printed setting meets every stated condition and every range of a scalar, False where each breaks one.

    The settings are those of the paper's ``audited.json``. None where there are none, where a condition is about points or
    about what no setting has, or where nothing is asked of the scalars that a setting has: then numbers say nothing. Of a
    function class its constants are looked at.
    """
    said = []
    for x in _settings(paper):
        said.append(_meets(claim, x))
        if said[-1]:
            return True
    return False if said and all(s is False for s in said) else None


SETTINGS: dict[int, tuple[Paper, list[Parameters]]] = {}  # by papers, which stay alive here


def _settings(paper: Paper) -> list[Parameters]:
    """The audited settings of a paper, as numbers."""
    if id(paper) not in SETTINGS:
        catalogue, audited = paper.catalogue(), paper.audited()
        if catalogue is None or not audited:
            found = []
        else:
            given = [{**audited["problems"][s["problem"]], **s["values"]} for s in audited["settings"]]
            found = [Parameters({k: _number(v) for k, v in own.items()}, catalogue.derived) for own in given]
        SETTINGS[id(paper)] = paper, found
    return SETTINGS[id(paper)][1]


def _number(value: Any) -> Quantity:
    return np.array(value, dtype=np.float64) if isinstance(value, list) else float(value)


def _meets(claim: Claim, x: Parameters) -> bool | None:
    """Whether one setting meets what is assumed; None where that is not decided."""
    ranges = [r for name, spec in claim.world.scalars.items() if not spec.weight for r in _range(name, spec, x)]
    stated = [_holds(c, x) for c in claim.world.given if c not in claim.world.at_points]
    said = [*ranges, *stated, *[None for _ in claim.world.at_points]]
    return False if False in said else None if None in said or not said else True


def _range(name: str, spec: Scalar, x: Parameters) -> list[bool | None]:
    """Whether a scalar is in its range, and finite; undecided where the setting has none, unless it is any size from 0 on."""
    value, missing = attempt(lambda x: getattr(x, name), x)
    if missing:
        any_size = spec.low is None or (spec.closed and spec.low == 0)
        return [] if any_size and spec.high is None else [None]
    return [bool(np.isfinite(value).all()), *(_true(r) for r in spec.relations(name, value))]


def _holds(condition: Condition, x: Parameters) -> bool | None:
    """Whether a condition holds for every client; None where it needs what a setting has not."""
    try:
        found, missing = attempt(condition.relation, x)
    except (TypeError, AttributeError):  # it is about every element of a sequence, or about more than numbers
        return None
    if missing:
        return None
    return all(_true(r) for r in (found if isinstance(found, tuple) else (found,)))


def _true(r: Relation) -> bool:
    with np.errstate(invalid="ignore"):
        return bool(np.all(r.lhs <= r.rhs if r.op == "<=" else r.lhs < r.rhs if r.op == "<" else r.lhs == r.rhs))
