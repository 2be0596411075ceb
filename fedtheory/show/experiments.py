"""Pictures of published tables and figures: curves, trends along a hyper-parameter, printed beside measured figures."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..formats import Document
from ..results.groups import Cell, Group
from . import table_cost
from .plots import DASHES, LEVEL, MARKED, MARKERS, PALETTE, SVG, save

if TYPE_CHECKING:
    from types import ModuleType

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..formats import Document, Json

PAPER: Any = {
    **SVG, "font.size": 8, "axes.labelsize": 8, "legend.fontsize": 7, "xtick.labelsize": 7, "ytick.labelsize": 7,
    "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 8,
}  # fmt: skip
NAMES = {
    "communications": "communication rounds", "seconds": "seconds", "objective": "objective f(w)",
    "accuracy": "test accuracy", "accuracy_pooled": "test accuracy, pooled", "gap": "f(w) - f*",
    "error": r"$\Vert\nabla f(w)\Vert^2$",
    "own_accuracy": "test accuracy, own models", "test_accuracy": "test accuracy", "density": "density of the models",
    "score": "detection score (4)", "time": "units of training time", "t_star": "first pruning time t* (0: none)",
    "personal_objective": "training loss, personalised", "personal_accuracy": "test accuracy, personalised",
    "personal_accuracy_pooled": "test accuracy, personalised, pooled",
}  # fmt: skip
SYMBOLS = {"lam": r"$\lambda$", "rho": r"$\rho$", "eta": r"$\eta$", "beta": r"$\beta$", "k0": "$k_0$"}  # of the papers
OBJECTIVE = ("l2", "smoothing")  # options of a problem that make another objective of it
LEGEND, LETTERS = 1.8, 15  # inches beside the panels, and letters of a title in an inch
FAR = 100.0  # times the largest value of a panel from which on a bound is told and not drawn
LONG = 40  # letters of a title from which on it has two lines
NEAR = 0.08  # of an axis: nearer than this its numbers are set aslant
SPAN = 10.0  # largest over least value from which on an axis is logarithmic
FEW = 1e3  # and up to which its numbers are written out
AWAY = 1e6  # times the largest value at the start from which on a curve leaves the picture of the others
Lines = Sequence[Document]


def draw(
    table: Document,
    groups: Sequence[Cell],
    lines: Lines,
    path: str,
    caption: str,
    *,
    titles: Mapping[str, str] | None = None,
) -> None:
    """Draw a table or figure.

    Parameters
    ----------
    table : mapping
        Its settings.
    groups : list of Cell
        Its runs; for a trend also figures that are kept.
    lines : list of dict
        Its rows.
    path : str
        svg, png or pdf.
    caption : str
        What the picture is called.
    titles : mapping of str to str, optional
        What the panels of a problem are called, where not by its name alone.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    runs = [g for g in groups if isinstance(g, Group)]
    if table["shows"] == "cost":
        table_cost.draw(table["show"], runs, titles or {}, path, f"{caption}: {table['title']}")
        return
    with plt.rc_context(PAPER):
        if table["shows"] == "curves":
            fig = _curves(table["show"], runs, titles or {}, plt)
        elif table["shows"] == "trend":
            fig = _trend(table["show"], groups, titles or {}, plt)
        else:
            fig = _dots(lines, titles or {}, plt, rounds=table["shows"] == "rounds")
        room = int((fig.get_figwidth() - LEGEND) * LETTERS)  # left of the legend
        fig.suptitle(textwrap.fill(f"{caption}: {table['title']}", max(room, 20)), fontsize=9, x=0.01, ha="left")
        save(fig, path)
    plt.close(fig)


def _panels(plt: ModuleType, rows: int, columns: int, width: float = 3.4, height: float = 2.6) -> Any:
    return plt.subplots(
        rows, columns, figsize=(width * columns + 1.8, height * rows + 0.3), layout="constrained", squeeze=False
    )


def _folded(panels: int) -> int:
    """The rows of panels that could stand in one: two of four or more, where both are as long."""
    return 2 if panels >= 4 and panels % 2 == 0 else 1


def _folded_title(title: str) -> str:
    """What stands in for a problem's data in a line of its own, so that titles of panels side by side do not meet."""
    return title.replace(" (", "\n(") if len(title) > LONG else title


class _Looks:
    """A colour a method, a dash and a marker a setting of it; a dash a method where each has one setting."""

    def __init__(self, groups: Sequence[Cell], *without: str) -> None:
        self.methods = list(dict.fromkeys(g.method for g in groups))
        self.labels = {m: list(dict.fromkeys(g.label(*without) for g in groups if g.method == m)) for m in self.methods}
        self.without = without

    def of(self, g: Cell) -> Json:
        several = len(self.methods) > 1
        at, method = self.labels[g.method].index(g.label(*self.without)), self.methods.index(g.method)
        below = 1 - method / max(1, len(self.methods) - 1)  # what is drawn first is wider, and seen below the rest
        return {
            "color": PALETTE[(method if several else at) % len(PALETTE)],
            "linestyle": DASHES[(method if several and len(self.labels[g.method]) == 1 else at) % len(DASHES)],
            "marker": MARKERS[at % len(MARKERS)], "markersize": 3.5 + 2.5 * below * several, "linewidth": 1.2 + below * several,
        }  # fmt: skip


def _curves(show: Document, groups: Sequence[Group], titles: Mapping[str, str], plt: ModuleType) -> Figure:
    """A row of panels a problem, a panel a column of the trace: mean over seeds in a band from least to largest.

    Settings that change the objective have a row of their own: their losses are other losses. Four panels or more of one
    problem alone, an even number, are folded into two rows.
    """
    problems, columns = list(dict.fromkeys((g.problem, _objective(g)) for g in groups)), show["columns"]
    folded = _folded(len(columns)) if len(problems) == 1 else 1
    fig, axes = _panels(plt, folded * len(problems), len(columns) // folded)
    axes = axes.reshape(len(problems), -1)
    looks = _Looks(groups)
    handles: dict[str, Any] = {}
    for row, problem in zip(axes, problems, strict=True):
        for ax, column in zip(row, columns, strict=True):
            drawn = []
            for g in (g for g in groups if (g.problem, _objective(g)) == problem):
                shown = show.get("by", {}).get(column, {}).get(g.method, column)
                runs = [f for f in g.runs.values() if _series(f, shown) is not None]
                if not runs:
                    continue
                x, Y = _common(runs, shown)
                away = np.max(Y) > AWAY * max(np.max(Y[:, 0]), 0) > 0
                if len(runs) > 1 and not away:
                    ax.fill_between(
                        x, Y.min(axis=0), Y.max(axis=0), color=looks.of(g)["color"], alpha=0.15, linewidth=0
                    )
                every = max(1, len(x) // MARKED)
                name = _named(g.label(), show)
                (line,) = ax.plot(x, Y.mean(axis=0), markevery=every, label=name, **looks.of(g))
                handles.setdefault(name, line)
                drawn += [x[-1]]
                name = "objective" if column == "gap" else column
                bound = next((c for c in runs[0].curves if c.name == name and c.bound is not None), None)
                least = 0.0 if bound is None or bound.bound is None else _least(bound.bound)
                if bound is not None and column != "objective" and least > FAR * np.max(Y):
                    ax.set_title(f"bound of {bound.where}: at least {least:.0e}", loc="right", fontsize=6)
                elif bound is not None and column != "objective":  # it bounds the gap, a panel of its own
                    (dash,) = ax.plot(bound.x, bound.bound, color="black", linestyle=(0, (1, 1)), linewidth=1.2)
                    handles.setdefault(f"bound: {bound.where}", dash)
            if drawn and max(drawn) > SPAN * max(1, min(drawn)):
                ax.set_xscale("symlog", linthresh=1.0)
            _log(ax, column)
            ax.set_xlabel("communication rounds")
            ax.set_ylabel(NAMES.get(column, column))
        row[0].set_title(
            _folded_title(titles.get(problem[0], problem[0])) + (f", {problem[1]}" if problem[1] else ""), loc="left"
        )
    fig.legend(handles.values(), handles.keys(), loc="outside right upper", frameon=False)
    return fig


def _least(bound: Any) -> float:
    """The least value of a bound where it has one: it may begin after the first round."""
    return float(np.min(bound, initial=np.inf, where=np.isfinite(bound)))


def _objective(g: Group) -> str:
    """What is added to the loss of a group's problem or changes it, in words; empty for the loss as it is."""
    data = next(iter(g.runs.values())).plan.data if g.runs else {}
    return ", ".join(f"{name} = {data[name]}" for name in OBJECTIVE if data.get(name))


def _named(label: str, show: Document) -> str:
    """A label with the paper's symbols for hyper-parameters, `names` of what is shown before the common ones."""
    for word, symbol in {**SYMBOLS, **show.get("names", {})}.items():
        label = label.replace(f", {word} = ", f", {symbol} = ")
    return label


def _common(runs: Sequence[Any], column: str) -> tuple[np.ndarray, np.ndarray]:
    """The communications at which some seed was observed, and the values there; a run that has ended keeps its last."""
    x = np.unique(np.concatenate([f.trace["communications"] for f in runs]))
    Y = []
    for f in runs:
        at = np.searchsorted(f.trace["communications"], x, side="right") - 1
        Y.append(_series(f, column)[np.maximum(at, 0)])
    return x, np.stack(Y)


def _series(f: Any, column: str) -> Any:
    """A column of the trace, or the objective less its optimal value as ``gap``; None where there is none."""
    if column != "gap":
        return f.trace.get(column)
    return None if f.setting.optimal is None else f.trace["objective"] - f.setting.optimal


def _leaving(ax: Any) -> list[Any]:
    """The curves of methods that diverge beside others that do not."""
    curves = [line for line in ax.get_lines() if line.get_marker() != "None" and len(line.get_ydata())]
    start = max((line.get_ydata()[0] for line in curves), default=0.0)
    away = [line for line in curves if np.max(line.get_ydata()) > AWAY * start > 0]
    return away if len(away) < len(curves) else []


def _log(ax: Axes, column: str) -> None:
    """A logarithmic axis for what spans more than a decade, with plain numbers where it spans less than three.

    A curve that diverges leaves it at the top, and a line of text says how far.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator

    away = _leaving(ax)
    shown = [line.get_ydata() for line in ax.get_lines() if line not in away]
    values = np.concatenate([np.asarray(y, dtype=np.float64) for y in shown] or [np.ones(1)])
    values = values[np.isfinite(values)]
    if away and len(values):
        low, room = values.min(), 0.1 * np.ptp(values)
        ax.set_ylim(max(low - room, low / 2) if low > 0 else low - room, values.max() + 4 * room)
        said = [f"{line.get_label()}: up to {np.max(line.get_ydata()):.0e}" for line in away]
        ax.text(0.5, 0.98, "\n".join(said), transform=ax.transAxes, ha="center", va="top", fontsize=6)
    positive = values[values > 0]
    if "accuracy" not in column and len(positive) and (column == "gap" or positive.max() > SPAN * values.min() > 0):
        ax.set_yscale("log", nonpositive="mask")
        if positive.max() < FEW * positive.min():
            plain = FuncFormatter(lambda value, _: f"{value:g}")
            ax.yaxis.set_minor_locator(LogLocator(subs=(2, 5)))
            ax.yaxis.set_major_formatter(plain)
            ax.yaxis.set_minor_formatter(plain)


def _trend(show: Document, groups: Sequence[Cell], titles: Mapping[str, str], plt: ModuleType) -> Any:
    """A row of panels a problem, a panel a figure, against a hyper-parameter: mean and deviation over seeds."""
    axis, columns = show["x"], show["columns"]
    problems = list(dict.fromkeys(g.problem for g in groups))
    fig, axes = _panels(plt, len(problems), len(columns))
    looks = _Looks([g for g in groups if axis in g.axes], axis)
    levels = list(dict.fromkeys(g.label() for g in groups if axis not in g.axes))  # drawn as lines across
    handles: dict[str, Any] = {}
    for row, problem in zip(axes, problems, strict=True):
        for ax, column in zip(row, columns, strict=True):
            own = [g for g in groups if g.problem == problem and axis in g.axes]
            for label in dict.fromkeys(g.label(axis) for g in own):
                line = sorted((g for g in own if g.label(axis) == label), key=lambda g: g.axes[axis])
                x = [g.axes[axis] for g in line]
                bars = ax.errorbar(
                    x,
                    [g.mean(column) for g in line],
                    yerr=list(zip(*(_bar(g, column) for g in line), strict=True)),
                    capsize=2,
                    **looks.of(line[0]),
                )
                handles.setdefault(label, bars)
            every = sorted({g.axes[axis] for g in own})
            ax.set_xticks(every if len(every) <= MARKED else every[:: len(every) // MARKED])
            if len(every) > 1 and min(np.diff(every)) < NEAR * (every[-1] - every[0]):
                ax.tick_params(axis="x", labelrotation=60)
            for g in (g for g in groups if g.problem == problem and axis not in g.axes and g.has(column)):
                look = {"color": LEVEL, "linestyle": DASHES[1 + levels.index(g.label()) % 3], "linewidth": 1.0}
                handles.setdefault(g.label(), ax.axhline(g.mean(column), **look))
            _log(ax, column)
            ax.set_xlabel(SYMBOLS.get(show.get("name", axis), show.get("name", axis)))
            ax.set_ylabel(NAMES.get(column, column))
        row[0].set_title(_folded_title(titles.get(problem, problem)), loc="left")
    fig.legend(handles.values(), handles.keys(), loc="outside right upper", frameon=False)
    return fig


def _bar(g: Cell, column: str) -> tuple[float, float]:
    """How far the bar of a group goes below and above its mean: a deviation, and never beyond what a seed had."""
    seen, mean, deviation = g.values(column).values(), g.mean(column), g.deviation(column)
    if mean is None or deviation is None:
        return 0.0, 0.0
    return min(deviation, mean - min(seen)), min(deviation, max(seen) - mean)


def _dots(lines: Lines, titles: Mapping[str, str], plt: ModuleType, *, rounds: bool) -> Figure:
    """A panel a problem, a line a row and value of an axis: the printed figure hollow, the measured ones filled, with deviations.

    Rounds to a level that was not reached are an arrow at the last round, without a bar.
    """
    lines = [line for line in lines if rounds or not str(line.get("figure", "")).startswith("reach")]
    problems = list(dict.fromkeys(line["problem"] for line in lines))
    most = max(len(dict.fromkeys(_line_name(n) for n in lines if n["problem"] == p)) for p in problems)
    folded = _folded(len(problems))
    fig, axes = _panels(plt, folded, len(problems) // folded, 3.6, 0.32 * most + 1.0)
    settings = list(dict.fromkeys(line["setting"] for line in lines))
    handles: dict[str, Any] = {}
    for ax, problem in zip(axes.flat, problems, strict=True):
        own = [line for line in lines if line["problem"] == problem]
        names = list(dict.fromkeys(_line_name(line) for line in own))
        for line in own:
            y, k = names.index(_line_name(line)), settings.index(line["setting"])
            shift = 0.12 * (k - (len(settings) - 1) / 2)
            if line.get("printed") is not None:
                bars = ax.errorbar(
                    line["printed"],
                    y,
                    xerr=line["printed deviation"] or 0,
                    fmt="o",
                    mfc="white",
                    color=LEVEL,
                    markersize=7,
                )
                handles.setdefault("printed", bars)
            if line.get("measured") is not None:
                look = {"fmt": MARKERS[k % len(MARKERS)], "color": PALETTE[k % len(PALETTE)], "markersize": 4}
                spread = line["deviation"] or 0
                low = min(spread, line["measured"]) if rounds else spread
                bars = ax.errorbar(line["measured"], y + shift, xerr=[[low], [spread]], **look)
                handles.setdefault(line["setting"] or "measured", bars)
            elif rounds and line.get("rounds") is not None:
                ax.plot(line["rounds"], y + shift, ">", color=PALETTE[k % len(PALETTE)], mfc="white", markersize=5)
        ax.set_yticks(range(len(names)), names)
        ax.invert_yaxis()
        ax.set_xlabel("communication rounds" if rounds else "test accuracy, %")
        ax.set_title(_folded_title(titles.get(problem, problem)))
        ax.grid(axis="x", linewidth=0.3)
    fig.legend(handles.values(), handles.keys(), loc="outside right upper", frameon=False)
    return fig


def _line_name(line: Document) -> str:
    """What a line of a table is called: its row, and the hyper-parameters in which lines of one row differ."""
    axes = [f"{name} = {value}" for name, value in line.items() if name in line.get("axes", ())]
    return ", ".join([str(line["row"]), *(_named(f", {a}", {})[2:] for a in axes)])
