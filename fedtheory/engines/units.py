"""The audit of units: every term of a relation, and of a stated condition, has one unit (f -> E f, w -> M w).

Rests on the homogeneity of dimensions (Fourier 1822; Buckingham 1914): a relation that holds of every instance holds of the
instance in other units. It is a test, not a proof: what is homogeneous may be false, and a sum of different units may be
true.
"""

from __future__ import annotations

import numpy as np

from ..claim import Claim
from ..errors import NotApplicable, UnitsMismatch
from ..relation import Relation
from ..units import Unit
from ..verdict import Evidence
from .context import Docket


def units(claim: Claim, docket: Docket) -> Evidence:
    """Run the conditions and the body on units; a mixed sum is reported and refutes nothing by itself."""
    try:
        x = claim.world.units()
    except (UnitsMismatch, NotApplicable) as error:
        known = None if isinstance(error, NotApplicable) else False
        return Evidence(
            "units", "declines", numbers={"homogeneous": False}, reason=f"conditions: {error}",
            hypotheses={"homogeneous": known},
        )  # fmt: skip
    hypotheses = {"homogeneous": not any(_mismatch(r) for r in x.given)}
    try:
        wrong = [text for text in map(_mismatch, claim.relations(x)) if text]
    except UnitsMismatch as error:
        wrong = [str(error)]
    except (NotApplicable, ZeroDivisionError) as error:
        return Evidence("units", "declines", reason=str(error), hypotheses=hypotheses)
    numbers = {"homogeneous": not wrong}
    outcome = "declines" if wrong else "supports"
    return Evidence("units", outcome, numbers=numbers, reason="; ".join(wrong), hypotheses=hypotheses)


def _mismatch(relation: Relation) -> str:
    """How the sides of a relation differ in unit; empty where they do not."""
    sides = (np.asarray(side, dtype=object) for side in (relation.lhs, relation.rhs))
    for a, b in np.broadcast(*sides):
        if not Unit.of(a).same(Unit.of(b)):
            return f"a relation between [{Unit.of(a)}] and [{Unit.of(b)}]"
    return ""
