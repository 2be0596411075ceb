"""The panels of a run of pFedMe: F under (35), its gradient under twice (44), |w - w*|^2 under the end of A.4."""

from __future__ import annotations

from ...catalogue import attempt
from ...measure.curves import EVERY, Curve, View, running_mean, weighted_mean
from .constants import eta_tilde


def curves(v: View) -> list[Curve]:
    """Objective, stationarity and Lyapunov value, those that were observed."""
    half, missing = attempt(lambda x: eta_tilde(x) * x.mu_F / 2, v.x)
    out = []
    for name, title, unit in (
        ("objective", f"objective F(w){v.minus('F*')}", "E"),
        ("stationarity", "|grad F(w)|^2", "(E/M)^2"),
        ("lyapunov", "|w - w*|^2", "M^2"),
    ):
        if name not in v.trace:
            continue
        y = v.gap(name) if name == "objective" else v.trace[name]
        right, where, notes = v.bound(name)
        left, left_title = None, ""
        if name != "lyapunov" and not v.complete:
            right, notes = None, (*notes, EVERY)
        elif name == "objective" and not missing and half < 1:
            left, left_title = weighted_mean(y, 1 - float(half)), "its weighted mean, left side of (33)"
        elif name == "stationarity":
            left, left_title = running_mean(y), "its mean over the rounds"
        notes = notes if right is None else (*notes, *v.sampled(), *v.measured("delta_sq", "delta^2"))
        out.append(
            v.panel(
                name, title, unit, y, left=left, left_title=left_title, bound=right, scale=v.scale(name), where=where,
                notes=notes,
            )
        )  # fmt: skip
    return out
