"""Schedules of rounds in which clients wait: their measures in a table and against M, and single rounds as bars in time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.text import Text

from ..schedules.measures import CONFIDENCE, Fit, Row, par0
from .plots import MARKERS, PALETTE, SVG, save
from .runs import table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.table import Table


BLACK, WAITED, DONE = "#000000", "#D55E00", "#0072B2"
ARROWS = 12  # clients up to which the picture of a round shows who waits for whom
LEGEND = 8  # points of the text of legends


class Round(NamedTuple):
    """One round: of each client, in the order, when it starts and for whom it waits, counted from 0.

    Attributes
    ----------
    clients : list of (start, list of clients)
    """

    M: int
    N: int
    rule: str
    clients: Sequence[tuple[int, Sequence[int]]]


def measures_table(rows: Sequence[Row]) -> Table:
    """One line a setting, and one for all rules where N = 0 or N = M; means of draws with their standard errors."""
    out = table("M", "N", "rule", "par0", "waves", "wait", right=("M", "N", "par0", "waves", "wait"))
    first = rows[0].rule if rows else ""
    for r in rows:
        alike = r.N in (0, r.M)
        if alike and r.rule != first:
            continue
        rule = "any" if alike else r.rule
        waves, wait = _mean(r.waves, r.waves_error, r.draws), _mean(r.wait, r.wait_error, r.draws)
        out.add_row(str(r.M), str(r.N), rule, _mean(r.par0, 0.0, 0), waves, wait)
    return out


def _mean(value: float, error: float, draws: int) -> str:
    return f"{value:.4g} +- {error:.1g}" if draws > 1 else f"{value:.4g}"


def fit_line(f: Fit) -> str:
    """What the fit says, in one line."""
    between = ", ".join(f"{e:.2f}" for e in f.between)
    return (
        f"where N = M: wait ~ M^{f.exponent:.3f}, {100 * CONFIDENCE:.0f} % interval {f.low:.3f} to {f.high:.3f}, from M = "
        f"{', '.join(map(str, f.M))}; between one M and the next {between}; 1 is linear"
    )


def round_table(r: Round) -> Table:
    """A line a client of one round."""
    out = table("client", "starts at", "waits for", right=("client", "starts at"))
    for k, (start, of) in enumerate(r.clients, 1):
        out.add_row(str(k), str(start), Text(", ".join(str(j + 1) for j in of) or "-"))
    return out


def curves(rows: Sequence[Row], path: str, caption: str) -> None:
    """Draw parallelism (Figure 8) and delay (Figure 9) against M: a column a rule, a line a value of N, N = M in black.

    Parameters
    ----------
    rows : list of Row
    path : str
        svg, png or pdf.
    caption : str
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    rules = list(dict.fromkeys(r.rule for r in rows))
    fixed = sorted({r.N for r in rows if r.N < r.M})  # of these there is a line
    with plt.rc_context(SVG):
        fig, axes = plt.subplots(
            2, len(rules), figsize=(4.2 * len(rules) + 1.8, 7.4), layout="constrained", squeeze=False, sharex=True,
            sharey="row",
        )  # fmt: skip
        handles: dict[str, Any] = {}
        for column, rule in enumerate(rules):
            own = [r for r in rows if r.rule == rule]
            for at, N in enumerate(fixed):
                look = {"color": PALETTE[at % 6], "marker": MARKERS[at % len(MARKERS)], "linestyle": "-"}
                _line(axes[:, column], [r for r in own if N == r.N], f"N = {N}", look, handles)
            every = {"color": BLACK, "marker": "*", "linestyle": "-", "markersize": 7}
            _line(axes[:, column], [r for r in own if r.N == r.M], "N = M", every, handles)
            Ms = [r.M for r in own if r.N]
            if Ms:
                x = range(min(Ms), max(Ms) + 1)
                (h,) = axes[0, column].plot(x, [float(par0(M, M)) for M in x], "--", color="#666666", linewidth=1.4)
                handles.setdefault("start at once: 1/(M + 1), N >= 1", h)
            axes[0, column].set_title(_named(rule), fontsize=10)
            axes[1, column].set_xlabel("neighbours M", fontsize=9)
        axes[0, 0].set_ylabel("parallelism: mean of 1/(1 + largest start)", fontsize=9)
        axes[1, 0].set_ylabel("delay: mean of the largest start\n[local trainings]", fontsize=9)
        axes[0, 0].set_yscale("log")
        ticks = sorted({r.M for r in rows})
        for ax in axes.flat:
            ax.grid(alpha=0.3)
            ax.tick_params(which="both", labelsize=8)
            ax.set_xticks(ticks if len(ticks) <= LEGEND else ax.get_xticks())
            if len(ticks) > 1:
                ax.set_xlim(0, 1.04 * ticks[-1])
        fig.legend(handles=list(handles.values()), labels=list(handles), fontsize=LEGEND, loc="outside right center")
        fig.suptitle(caption, fontsize=10)
        save(fig, path)
    plt.close(fig)


def _named(rule: str) -> str:
    return {
        "fastest": "waits for the fastest N (as printed)", "lowest": "waits for the N of lowest index",
        "random": "waits for N at random",
    }[rule]  # fmt: skip


def _line(axes: Any, rows: Sequence[Row], label: str, look: Mapping[str, object], handles: dict[str, object]) -> None:
    """Both measures of one N, with bars of two standard errors."""
    if not rows:
        return
    own = sorted(rows, key=lambda r: r.M)
    for ax, name in zip(axes, ("waves", "wait"), strict=True):
        error = [2 * getattr(r, f"{name}_error") for r in own]
        drawn = ax.errorbar(
            [r.M for r in own], [getattr(r, name) for r in own],
            yerr=[0.0 if math.isnan(e) else e for e in error], linewidth=1.3, **{"markersize": 4, **look},
        )  # fmt: skip
        handles.setdefault(label, drawn)


def rounds(found: Sequence[Round], path: str, caption: str) -> None:
    """Draw rounds side by side: a bar a client from its start on, an arrow to it from each client that it waits for.

    Parameters
    ----------
    found : list of Round
    path : str
        svg, png or pdf.
    caption : str
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.patches import Patch

    K = len(found[0].clients)
    last = max(start for r in found for start, _ in r.clients)
    with plt.rc_context(SVG):
        height = 1.6 + 0.35 * K if K <= ARROWS else 1.6 + 0.07 * K
        width = min(2.2 + 0.9 * (last + 1), 6.0)
        fig, axes = plt.subplots(
            1, len(found), figsize=(max(width * len(found), 5.0), height), layout="constrained", squeeze=False, sharey=True
        )  # fmt: skip
        for ax, r in zip(axes.flat, found, strict=True):
            for k, (start, of) in enumerate(r.clients, 1):
                ax.barh(k, 1, left=start, height=0.7, color=WAITED if of else DONE, alpha=0.85)
                for j in of if K <= ARROWS else ():
                    _arrow(ax, (r.clients[j][0] + 1, j + 1), (start, k))
            ax.set_xlim(0, last + 1.2)
            ax.set_ylim(K + 0.6, 0.4)
            if K <= ARROWS:
                ax.set_yticks(range(1, K + 1))
            ax.set_xticks(range(last + 2) if last < ARROWS else ax.get_xticks())
            ax.set_xlim(0, last + 1.2)
            waves = 1 + max(start for start, _ in r.clients)
            rule = "" if r.N == 0 or r.N >= r.M else f", {r.rule}"
            near = f"M = {r.M}, " if len({r.M for r in found}) > 1 else ""
            ax.set_title(f"{near}N = {r.N}{rule}: {waves} wave{'s' if waves > 1 else ''}", fontsize=9)
            ax.set_xlabel("time [local trainings]", fontsize=8)
            ax.tick_params(labelsize=8)
        axes[0, 0].set_ylabel("client, by its reuse index", fontsize=8)
        looks = [Patch(color=DONE, label="starts at once"), Patch(color=WAITED, label="waits for others first")]
        fig.legend(handles=looks, fontsize=LEGEND, loc="outside lower center", ncols=2, frameon=False)
        fig.suptitle(caption, fontsize=10)
        save(fig, path)
    plt.close(fig)


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    """From where a client is done to where another one starts, curved where that is at the same time."""
    ax.annotate(
        "", xy=(end[0] + 0.08, end[1]), xytext=(start[0] - 0.08, start[1]),
        arrowprops={"arrowstyle": "-|>", "color": BLACK, "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0},
    )  # fmt: skip
