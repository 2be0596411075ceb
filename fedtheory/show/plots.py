"""Pictures of runs: curves under their bounds, and several methods in common panels."""

from __future__ import annotations

import io
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..files import check_writable, write_bytes

if TYPE_CHECKING:
    from types import ModuleType

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..measure.curves import Curve

FORMATS = (".svg", ".png", ".pdf")


def check_format(path: str) -> None:
    """Raise UsageError unless the path ends in a format that can be drawn and a file can be written there."""
    if Path(path).suffix not in FORMATS:
        raise UsageError(f"--plot FILE must end in {', '.join(FORMATS)}, got {path!r}")
    check_writable(path, "--plot")


def save(fig: Figure, path: str) -> None:
    """Draw in memory first, so that the file is whole or not there; without a date, so that equal pictures are equal files."""
    drawn = io.BytesIO()
    kind = Path(path).suffix[1:]
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    import matplotlib.pyplot as plt

    with plt.rc_context(SVG):
        fig.savefig(drawn, format=kind, dpi=150, metadata=dates.get(kind))
    write_bytes(path, drawn.getvalue())


# Okabe and Ito's colours, which readers with any colour vision tell apart; markers and dashes say the same again
MEASURED, AVERAGED, BOUND, LEVEL = "#0072B2", "#56B4E9", "#D55E00", "#666666"
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999933", "#882255")
DASHES = ("-", "--", ":", "-.")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
MARKED = 8  # marks along a curve
SVG: Any = {"svg.hashsalt": "fedtheory", "svg.fonttype": "none"}  # the same ids each time; text stays text
WRAP = 62
LINE = 0.12  # inches of a line below a panel
UNITS = "E: unit of the values of the loss, M: of models"
ALONE = "bounds are drawn where there is one setting alone"
MATH = (
    (r"\|grad (\w)\((\w)\)\|\^2(/m)?", r"$\\Vert\\nabla \1(\2)\\Vert^2\3$"), (r"\|w - w\*\|\^2", r"$\\Vert w - w^*\\Vert^2$"),
    (r"\b([fF])\(w\) - \1\*", r"$\1(w) - \1^*$"), (r"\b([fF])\*", r"$\1^*$"), (r"\(E/M\)\^2", r"(E/M)$^2$"),
    (r"\bM\^2", r"M$^2$"),
)  # fmt: skip
LEAVES = 1e3  # times the largest start, from which on a curve leaves the picture
NOISE = 1e-12  # of the largest start: as far below 0 rounding goes
ROUNDING = 1e-17  # of the start of a curve
MARGIN = 1.3  # between the least value and the end of a logarithmic axis
UNEVEN = 8  # runs whose lengths differ by more share a logarithmic axis


def runs(found: list[tuple[str, list[Curve]]], path: str, caption: str) -> None:
    """Draw runs: the panels of one configuration with their bounds, or several configurations in common panels.

    Parameters
    ----------
    found : list of (label, curves)
        Equal labels are seeds of one configuration and share a colour.
    path : str
        svg, png or pdf.
    caption : str
        What the runs have in common.
    """
    import matplotlib

    matplotlib.use("Agg")
    save(figure(found, caption), path)


def figure(found: list[tuple[str, list[Curve]]], caption: str) -> Figure:
    """The figure that `runs` writes, on the current backend; closed, so that a notebook does not show it by itself."""
    import matplotlib.pyplot as plt

    labels = list(dict.fromkeys(label for label, _ in found))
    with plt.rc_context(SVG):
        if len(labels) == 1:
            fig = _panels([curves for _, curves in found], f"{labels[0]}: {caption}", plt)
        else:
            fig = _comparison(found, labels, caption, plt)
        fig.supxlabel(UNITS if len(labels) == 1 else f"{UNITS}; {ALONE}", fontsize=7, color=LEVEL)
    plt.close(fig)
    return fig


def svg(fig: Figure) -> str:
    """A figure as an element of a page."""
    import matplotlib.pyplot as plt

    drawn = io.StringIO()
    with plt.rc_context(SVG):
        fig.savefig(drawn, format="svg", metadata={"Date": None})
    return drawn.getvalue().partition("<svg")[2].join(["<svg", ""])


def math(text: str) -> str:
    """Norms, gradients and optima of a title as formulas.

    Examples
    --------
    >>> math("objective f(w) - f* [E]")
    'objective $f(w) - f^*$ [E]'
    """
    for plain, formula in MATH:
        text = re.sub(plain, formula, text)
    return text


def _panels(seeds: list[list[Curve]], title: str, plt: ModuleType) -> Figure:
    """One panel a curve, in rows without gaps; several seeds are a mean in a band, and faint lines."""
    n = len(seeds[0])
    columns = min(n, 3) if n != 4 else 2
    height = -(-n // columns)
    lines = max(len(_said([own[k] for own in seeds])) for k in range(n))
    fig = plt.figure(figsize=(4.6 * columns, (4.0 + LINE * lines) * height), layout="constrained")
    grid = fig.add_gridspec(height, 6 if columns == 3 else columns)
    for k in range(n):
        row, column = divmod(k, columns)
        if columns == 3:
            width = 6 // min(3, n - 3 * row)  # the last row has wider panels where it has fewer
            cell = grid[row, column * width : (column + 1) * width]
        else:
            cell = grid[row, column]
        ax = fig.add_subplot(cell)
        curves = [own[k] for own in seeds]
        if len(seeds) > 1:
            _band(ax, curves, MEASURED, "measured", "-", "")
        for s, c in enumerate(curves):
            _draw(ax, c, named=s == 0, faint=len(seeds) > 1)
        _finish(ax, curves)
    fig.suptitle(title, fontsize=10)
    return fig


def _band(ax: Axes, curves: list[Curve], colour: str, label: str, dash: str, marker: str) -> None:
    """Mean, least and largest over seeds, where all of them were observed."""
    import numpy as np

    x = curves[0].x
    for c in curves[1:]:
        x = np.intersect1d(x, c.x)
    values = np.stack([c.y[np.isin(c.x, x)] for c in curves])
    ax.fill_between(x, values.min(axis=0), values.max(axis=0), color=colour, alpha=0.2, linewidth=0)
    ax.plot(
        x, values.mean(axis=0), color=colour, linestyle=dash, linewidth=1.6, marker=marker or None, markersize=4,
        markevery=_every(len(x)), label=f"{label}: mean of {len(curves)} seeds, band from least to largest",
    )  # fmt: skip


def _every(points: int) -> int:
    return max(1, points // MARKED)


def _draw(ax: Axes, c: Curve, *, named: bool, faint: bool) -> None:
    def name(text: str) -> str | None:
        return math(text) if named else None

    behind = c.left is not None
    if not faint:
        colour, width = (AVERAGED, 1.0) if behind else (MEASURED, 1.6)
        ax.plot(c.x, c.y, color=colour, linewidth=width, label=name("measured"))
    if c.left is not None and _somewhere(c.left):
        ax.plot(c.x, c.left, color=MEASURED, linewidth=1.6, linestyle="-.", label=name(c.left_title))
    if c.bound is not None and _somewhere(c.bound):
        ax.plot(c.x, c.bound, color=BOUND, linewidth=1.4, linestyle="--", label=name(f"bound: {c.where}"))
    if c.threshold is not None:
        ax.axhline(c.threshold, color=LEVEL, linewidth=1.0, linestyle=":", label=name(f"stop at {c.threshold:.3g}"))


def _said(curves: list[Curve]) -> list[str]:
    """The lines below a panel: whether the bound holds, and what is to be known of it."""
    notes = list({n.split(" fails")[0]: n for k in reversed(curves) for n in k.notes}.values())  # of the first seed
    outcomes = list(dict.fromkeys(k.outcome for k in curves))
    said = [*(f"bound {o}" for o in outcomes if o != "no bound"), *notes]
    if any(k.bound is not None and not _somewhere(k.bound) for k in curves):
        said.append("the bound is claimed at none of these communications")
    elif not notes and all(k.bound is None for k in curves):
        said.append("the paper states no bound on it")
    return _wrapped(said)


def _wrapped(said: list[str]) -> list[str]:
    return [line for note in said for line in textwrap.wrap(note, WRAP, subsequent_indent="  ")]


def _somewhere(a: Any) -> bool:
    """Whether there is a number in it to be drawn."""
    import numpy as np

    return bool(np.isfinite(a).any())


def _finish(ax: Axes, curves: list[Curve]) -> None:
    from matplotlib.ticker import MaxNLocator

    c = curves[0]
    names = ("what is measured", c.left_title or "the left side", "the bound")
    drawn = [(n, a) for k in curves for n, a in zip(names, (k.y, k.left, k.bound), strict=True) if a is not None]
    unseen = _wrapped(_scale(ax, drawn))
    if c.threshold is not None and ax.get_yscale() == "log":
        ax.set_ylim(bottom=min(ax.get_ylim()[0], c.threshold / 2))  # the level of a legend is in sight
    ax.set_ylabel(math(f"{c.title} [{c.unit}]" if c.unit else c.title), fontsize=8)
    ax.set_xlabel("\n".join(["communications", *_said(curves), *unseen]), fontsize=7)
    ax.tick_params(which="both", labelsize=7)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(ax.get_legend_handles_labels()[0]) > 1 or len(curves) > 1:
        ax.legend(fontsize=7, loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0.2, frameon=False)


def _scale(ax: Axes, drawn: list[tuple[str, Any]]) -> list[str]:
    """Logarithmic where everything that is drawn is positive, up to rounding; what is not in sight as a whole, a line each.

    What grows leaves the picture at the top, so that it hides nothing else; what is at the rounding of its own start is noise.
    """
    import numpy as np

    finite = [(name, a[np.isfinite(a)]) for name, a in drawn]
    starts = [abs(a[0]) for _, a in finite if a.size]
    start = max(starts, default=0.0)
    if not start:
        return []
    top = LEAVES * start
    away = {name: a.max() for name, a in finite if a.size and a.max() > top}
    said = [f"{name} leaves the picture, up to {most:.3g}" for name, most in away.items()]
    seen = [least for _, a in finite for least in a[a > ROUNDING * abs(a[:1])]]
    if seen and all(a.min() > -NOISE * start for _, a in finite if a.size):
        ax.set_yscale("log", nonpositive="mask")
        ax.set_ylim(bottom=min(seen) / MARGIN)
        zero = [name for name, a in finite if a.size and a.max() <= 0]
        said += [f"{name} is 0, which a logarithmic axis does not have" for name in dict.fromkeys(zero)]
    elif away:
        ax.set_ylim(bottom=max(ax.get_ylim()[0], -top))
    if away:
        ax.set_ylim(top=top)
    return list(dict.fromkeys(said))


def _comparison(found: list[tuple[str, list[Curve]]], labels: list[str], caption: str, plt: ModuleType) -> Figure:
    """The curves that all runs have, a colour, a dash and a marker a configuration; objectives of a kind in a panel."""
    from matplotlib.ticker import MaxNLocator

    names = [c.name for c in found[0][1] if all(c.name in {k.name for k in curves} for _, curves in found)]
    names = [n for n in names if n in ("objective", "error", "stationarity")][:2]
    titles = {(n, k.title): k.unit for n in names for _, curves in found for k in curves if k.name == n}
    fig, axes = plt.subplots(1, len(titles), figsize=(5 * len(titles) + 2.4, 4.2), layout="constrained", squeeze=False)
    families = list(dict.fromkeys(label.split(",")[0] for label in labels))
    handles: dict[str, Any] = {}
    for ax, ((name, title), unit) in zip(axes.flat, titles.items(), strict=True):
        drawn = []
        for at, label in enumerate(labels):
            curves = [k for other, own in found for k in own if other == label and k.name == name and k.title == title]
            if not curves:
                continue
            family = label.split(",")[0]
            own = [other for other in labels if other.split(",")[0] == family]
            several = len(families) > 1  # a colour a method and a dash a setting, or a colour a setting
            colour = PALETTE[(families.index(family) if several else at) % len(PALETTE)]
            dash, marker = DASHES[own.index(label) % len(DASHES)], MARKERS[at % len(MARKERS)]
            if len(curves) > 1:
                _band(ax, curves, colour, label, dash, marker)
            else:
                ax.plot(
                    curves[0].x, curves[0].y, color=colour, linestyle=dash, linewidth=1.2, marker=marker, markersize=4,
                    markevery=(at % MARKED, _every(len(curves[0].x))), zorder=3 - at / len(labels), label=label,
                )  # fmt: skip
            handles.setdefault(label, ax.get_lines()[-1])
            drawn += [(label, c.y) for c in curves]
        unseen = _wrapped(_scale(ax, drawn))
        ax.set_ylabel(math(title + (f" [{unit}]" if unit else "")), fontsize=8)
        ends = [float(k.x[-1]) for _, own in found for k in own]
        if max(ends) > UNEVEN * max(1.0, min(ends)):
            ax.set_xscale("symlog", linthresh=1.0)
            ax.set_xlim(0, max(ends) * 1.1)
        else:
            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_xlabel("\n".join(["communications", *unseen]), fontsize=7)
        ax.tick_params(which="both", labelsize=7)
    fig.legend(handles=list(handles.values()), fontsize=7, loc="outside right upper")
    fig.suptitle(caption, fontsize=10)
    return fig
