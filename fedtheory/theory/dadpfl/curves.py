"""The panels of a run of DA-DPFL: f at the mean model without a rate, |grad f|^2 there under (13)."""

from __future__ import annotations

import numpy as np

from ...measure.curves import EVERY, Curve, View

NO_RATE = ("the paper states no rate for f(omega)",)
DENSE = "Assumption 3, (11), divides by M: it is of dense models, a density of 1 and no further pruning"
OTHERS = "Assumption 3, (11), leaves client k out of its mean, against (7)"


def curves(v: View) -> list[Curve]:
    """Objective and stationarity at the mean model."""
    return v.drawn(objective, stationarity)


def objective(v: View) -> Curve:
    """f(omega^t), for which there is no rate."""
    return v.panel("objective", f"objective f(omega){v.minus('f*')}", "E", v.gap("objective"), notes=NO_RATE)


def stationarity(v: View) -> Curve:
    """|grad f(omega^t)|^2 and its least value so far under (13) of Theorem 3; none for masks, which Assumption 3 leaves out."""
    y = v.trace["error"]
    right, where, notes = v.bound("stationarity")
    left = np.concatenate([[np.nan], np.minimum.accumulate(y)[:-1]]) if v.complete else None
    if not v.complete:
        right, notes = None, (*notes, EVERY)
    lacking = [said for name, said in (("dense", DENSE), ("others", OTHERS)) if not v.setting.given.get(name)]
    right = None if lacking else right
    notes = (*notes, *lacking)
    return v.panel(
        "stationarity", "|grad f(omega)|^2", "(E/M)^2", y, left=left, left_title="its least value so far, left side of (13)",
        bound=right, scale=v.scale("error"), where=where, notes=notes,
    )  # fmt: skip
