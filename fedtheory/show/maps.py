"""Pictures of regions in two parameters: where a theorem's conditions hold, and which one turns where."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..regions.intervals import Interval
from ..regions.maps import Boundary, Map
from .plots import DASHES, MARKERS, PALETTE, SVG, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STATED, PROVED = "#BBD7EA", "#6FA8CF"  # pale and darker blue
WRAP = 70
APART = 0.12  # of the axes between two numbers on lines
BELOW = 0.17  # inches of a line below the panels
LABEL = 34  # points below a panel in which its numbers and its label stand


class Mark(NamedTuple):
    """A point of the picture: both values and what it is; empty where that is the same as of the one before."""

    x: float
    y: float
    what: str


def maps(found: Sequence[Map], marks: Sequence[Mark], path: str, caption: str) -> None:
    """Draw one panel a theorem, the conditions numbered on their boundaries and listed below.

    Parameters
    ----------
    found : sequence of Map
    marks : sequence of Mark
        The paper's settings and the user's point.
    path : str
        svg, png or pdf.
    caption : str
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with plt.rc_context(SVG):
        lists = [_listed(m) for m in found]
        height = 4.6 + BELOW * (max(map(len, lists)) + len(marks))
        fig, axes = plt.subplots(1, len(found), figsize=(5.6 * len(found), height), layout="constrained", squeeze=False)
        for ax, m, said in zip(axes.flat, found, lists, strict=True):
            _panel(ax, m, marks)
            ax.set_xlabel(m.x, fontsize=8)
            ax.annotate(
                "\n".join(said), (0, 0), (0, -LABEL), "axes fraction", "offset points", fontsize=7, va="top"
            )  # in the layout
        fig.suptitle(caption, fontsize=9)
        save(fig, path)
    plt.close(fig)


def _listed(m: Map) -> list[str]:
    """The conditions by number, and which of them leave nothing, in lines."""
    lines = []
    for k, b in enumerate(m.boundaries, 1):
        there = (
            ""
            if b.lines
            else "; turns nowhere here"
            if {m.x, m.y} & b.form.depends_on()
            else f"; not about {m.x}, {m.y}"
        )
        lines.append(f"{k}: {b.form.condition.printed}{'' if b.stated else ' [proof only]'}{there}")
    lines += [f"left out: {f.condition.printed} ({f.missing})" for f in m.undecided]
    if m.empties:
        number = {id(b.form): k for k, b in enumerate(m.boundaries, 1)}
        clash = " and ".join(str(number[id(f)]) for f in m.empties)
        why = f"no point meets {clash}" + (" together" if len(m.empties) > 1 else "")
        lines.append(f"{'with what the proof uses: ' if any(m.stated) else ''}empty in this window: {why}")
    return [part for line in lines for part in textwrap.wrap(line, WRAP, subsequent_indent="    ")]


def _panel(ax: Axes, m: Map, marks: Sequence[Mark]) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlim(*m.window.x)
    ax.set_ylim(*m.window.y)
    _fill(ax, m, m.stated, STATED, "holds as stated" + (", but for what is left out" if m.undecided else ""))
    if m.proved is not m.stated and any(m.proved):
        _fill(ax, m, m.proved, PROVED, "and with what the proof uses")
    taken: list[tuple[float, float]] = []
    for k, b in enumerate(m.boundaries):
        colour, dash = PALETTE[k % len(PALETTE)], DASHES[0] if b.stated else DASHES[1]
        for line in b.lines:
            ax.plot(*zip(*line, strict=True), color=colour, linestyle=dash, linewidth=1.4)
        if b.lines:
            _number(ax, b, k + 1, colour, taken)
    kind = -1  # of marker
    for mark in marks:
        kind += bool(mark.what)
        ax.plot(
            mark.x, mark.y, marker=MARKERS[kind % len(MARKERS)] if kind else "*", markersize=7 if kind else 11, linestyle="",
            color="black", markerfacecolor="white", zorder=5, label=mark.what,
        )  # fmt: skip
    ax.set_ylabel(m.y, fontsize=8)
    ax.set_title(m.title, fontsize=8)
    ax.tick_params(which="both", labelsize=7)
    if ax.get_legend_handles_labels()[0]:
        ax.legend(fontsize=7, loc="lower left", bbox_to_anchor=(0, 1.06), borderaxespad=0.2, frameon=False, ncols=2)


def _fill(ax: Axes, m: Map, columns: Sequence[Sequence[Interval]], colour: str, label: str) -> None:
    """Fill the intervals column by column, each as wide as to the middle of its neighbours."""
    from matplotlib.collections import PolyCollection

    xs = [float(c) for c in m.columns]
    edges = [xs[0], *((a * b) ** 0.5 for a, b in itertools.pairwise(xs)), xs[-1]]
    quads = []
    for k, intervals in enumerate(columns):
        for i in intervals:
            low = max(float(i.low), m.window.y[0])
            high = m.window.y[1] if i.high is None else min(float(i.high), m.window.y[1])
            if low < high:
                left, right = edges[k], edges[k + 1]
                quads.append([(left, low), (right, low), (right, high), (left, high)])
    ax.add_collection(PolyCollection(quads, facecolor=colour, edgecolor=colour, linewidth=0.3, zorder=0))
    ax.plot([], [], color=colour, linewidth=6, label=label)


def _number(ax: Axes, b: Boundary, number: int, colour: str, taken: list[tuple[float, float]]) -> None:
    """The number of a condition on its boundary, far from the numbers that are there."""
    points = [p for line in b.lines for p in (line if len(line) > 2 else _between(*line))]
    placed = ax.transAxes.inverted().transform(ax.transData.transform(points))
    inside = [(tuple(q), p) for q, p in zip(placed, points, strict=True) if 0.06 < q[0] < 0.94 and 0.06 < q[1] < 0.94]
    if not inside:
        return

    def room(at: tuple[float, float]) -> float:
        near = min((max(abs(at[0] - q[0]), abs(at[1] - q[1])) for q in taken), default=1.0)
        return min(near, APART * 2) - 0.05 * abs(at[0] - 0.5)

    at, point = max(inside, key=lambda pair: room(pair[0]))
    taken.append(at)
    ax.text(
        *point, str(number), fontsize=7, color=colour, ha="center", va="center", zorder=4,
        bbox={"boxstyle": "circle,pad=0.2", "facecolor": "white", "edgecolor": colour, "linewidth": 0.8},
    )  # fmt: skip


def _between(a: tuple[float, float], b: tuple[float, float]) -> list[tuple[float, float]]:
    """Points of a straight line, evenly in the logarithm."""
    return [
        (a[0] * (b[0] / a[0]) ** (k / 20), a[1] * (b[1] / a[1]) ** (k / 20)) for k in range(1, 20)
    ]  # fmt: skip
