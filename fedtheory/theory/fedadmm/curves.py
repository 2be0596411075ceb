"""The panels of a run of FedADMM: f and L_tilde (4.4) under Lemma 4.1 summed, its moves under (7.20), and two limits."""

from __future__ import annotations

import numpy as np

from ...catalogue import Parameters, attempt
from ...measure.curves import Curve, View
from .conditions import THEOREM_4_1
from .constants import error_target, objective_gap

NO_RATE = ("Theorem 4.1 c) states the limit 0 and no rate",)
LEMMA_7_2 = "Lemma 7.2 b) with Lemma 4.1"


def curves(v: View) -> list[Curve]:
    """Objective, stationarity and error, then what stands under Lemma 4.1 where it was observed."""
    title, y = f"objective f(w){v.minus('f*')}", v.gap("objective")
    limits = []
    if "stationarity" in v.trace:
        limits.append(v.panel("stationarity", "squared residual of (4.1)", "", v.trace["stationarity"], notes=NO_RATE))
    if "error" in v.trace:
        level = attempt(error_target, v.x)[0]
        limits.append(v.panel("error", "|grad f(w)|^2", "(E/M)^2", v.trace["error"], notes=NO_RATE, threshold=level))
    absent = [n for n in ("lyapunov", "moves") if n not in v.trace]
    if absent:
        v.lacking.append(
            f"what stands under Lemma 4.1 needs the column {absent[0]}, which is neither in the trace nor measured"
        )
        return [v.panel("objective", title, "E", y, where=LEMMA_7_2), *limits]
    holds, notes = accurate(v)
    lyapunov, moved = v.gap("lyapunov"), v.trace["moves"]
    start, scale = float(lyapunov[0]), v.scale("lyapunov", "moves")
    falling = objective_gap(Parameters({"gap": start}), moved) if holds else None
    under = None if falling is None else np.where(v.T > 0, falling, np.nan)
    mean = np.where(v.T > 0, moved / np.where(v.T > 0, v.T, 1), np.nan)
    right, where, said = v.bound("moves", gap=start)
    return [
        v.panel("objective", title, "E", y, bound=under, scale=scale, where=LEMMA_7_2, notes=notes),
        *limits,
        v.panel(
            "lyapunov", f"Lyapunov value of (4.4){v.minus('f*')}", "E", lyapunov, bound=falling, scale=scale,
            where="Lemma 4.1 summed", notes=notes,
        ),
        v.panel(
            "moves", "mean move, right side of Lemma 4.1", "E", mean, bound=right if holds else None, scale=scale,
            where=where, notes=notes or said,
        ),
    ]  # fmt: skip


def accurate(v: View) -> tuple[bool, tuple[str, ...]]:
    """(whether Theorem 4.1's conditions hold, (3.5) was met in every step and (7.6) at the start, what to say about them)."""
    holds, notes = v.conditions(THEOREM_4_1)
    largest = v.trace["excess"][-1] if "excess" in v.trace else 0.0
    if largest > 1:
        unmet = f"(3.5) fails: |g_i + pi_i|^2 reaches {largest:.3g} times eps_i; allow more inner steps"
        holds, notes = False, (*notes, unmet)
    at_first = v.setting.given.get("excess", 0.0)
    if at_first > 1:
        holds, notes = False, (*notes, f"(7.6) fails at the start: |g_i^0 + pi_i^0|^2 is {at_first:.3g} times eps_i^0")
    return holds, notes
