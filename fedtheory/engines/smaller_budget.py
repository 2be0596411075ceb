"""What the counts of a smaller budget show: a larger budget looks at more sizes and parameters, and never says less.

A certificate at each of the sizes and parameters of a budget is sought, and one that is missing leaves the claim without any.
What holds at those of a smaller budget, or follows with its steps, holds all the same; the scope says where.

Rests on the engines that it asks, and is as complete as they are.
"""

from __future__ import annotations

from dataclasses import replace

from ..claim import Claim
from ..verdict import Evidence
from .budget import smaller
from .context import Docket, Engine
from .lemmas.compose import theorem
from .prove.induction import induction
from .prove.listed import certify
from .prove.scalars import smt
from .prove.symbolic import lift

PROVING: tuple[Engine, ...] = (theorem, induction, smt, lift, certify)


def counts(claim: Claim, docket: Docket) -> Evidence:
    """A proof with the counts of a smaller budget, or a certificate where there is none yet; silent where there is neither."""
    wanted = ("proves",) if docket.certified else ("proves", "certifies")
    for limits in smaller(docket.limits):
        for engine in PROVING:
            said = engine(claim, replace(docket, limits=limits))
            if said.outcome in wanted and said.hypotheses.get("satisfiable") is not False:
                return replace(
                    said, reason=f"with the counts of {limits.name}" + (f"; {said.reason}" if said.reason else "")
                )
    return Evidence("counts", "silent")
