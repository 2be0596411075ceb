"""The panels of a run of FLAME: F without a rate, |grad L(P)|^2 under (51), the augmented Lagrangian under (16) summed."""

from __future__ import annotations

from ...catalogue import attempt
from ...measure.curves import EVERY, Curve, View, running_mean
from .conditions import LEMMA_1, PROPOSITION_3
from .constants import inexactness

NO_RATE = ("the paper states no rate for F(w)",)
SKEW = "the selection is biased: (20) bounds |grad L(Theta)|^2 by the least relative skew (18), which is not known"


def curves(v: View) -> list[Curve]:
    """Objective where it is measured, stationarity, Lyapunov value."""
    makes = (stationarity, lagrangian)
    return v.drawn(*makes) if "objective" not in v.trace else v.drawn(objective, *makes)


def objective(v: View) -> Curve:
    """F(w), for which there is no rate."""
    return v.panel("objective", f"objective F(w){v.minus('F*')}", "E", v.gap("objective"), notes=NO_RATE)


def stationarity(v: View) -> Curve:
    """|grad L(P^t)|^2/m and its mean under (51) of Theorem 2 1); a biased selection has no bound."""
    y = v.trace["stationarity"] / v.setting.given["m"]
    at_start = {"gap": float(v.gap("lyapunov")[0])} if "lyapunov" in v.trace else {}
    right, where, notes = v.bound("stationarity", **at_start)
    left = running_mean(y) if v.complete else None
    if not v.complete:
        right, notes = None, (*notes, EVERY)
    if v.setting.given.get("biased"):
        right, where, notes = None, "Theorem 2 2), (57)", (*notes, SKEW)
    if right is not None:
        notes = (*notes, *v.sampled(), *v.measured("eps_max", "eps_max"))
    return v.panel(
        "stationarity", "|grad L(P)|^2/m", "", y, left=left, left_title="its mean over the rounds, left side of (51)",
        bound=right, scale=v.scale("stationarity"), where=where, notes=notes,
    )  # fmt: skip


def lagrangian(v: View) -> Curve:
    """L^t under (16) of Lemma 1, summed over the rounds."""
    value, moved = v.gap("lyapunov"), v.trace.get("moves")
    falling, scale = None, v.scale("lyapunov")
    notes: tuple[str, ...] = ("its right side is a sum over every round and was not observed",)
    if moved is not None:
        scale = v.scale("lyapunov", "moves")
        holds, notes = v.conditions(LEMMA_1, (PROPOSITION_3,))
        inexact, missing = attempt(inexactness, v.x)
        notes = (*notes, f"the bound has no value: {missing}") if missing else notes
        falling = float(value[0]) + moved + v.T * float(inexact) if holds and not missing else None
    return v.panel(
        "lyapunov", f"augmented Lagrangian L{v.minus('F*')}", "E", value, bound=falling, scale=scale,
        where="Lemma 1, (16) summed", notes=notes,
    )  # fmt: skip
