"""Pictures: the verdicts of a report at one look, and the curves of runs under their bounds."""

from __future__ import annotations

import io
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..files import check_writable, write_bytes

if TYPE_CHECKING:
    from ..measure.curves import Curve

FORMATS = (".svg", ".png", ".pdf")
TALLEST = 45  # bars in one column
COLOURS = {
    "proved": "#1b7837", "certified": "#5aae61", "supported": "#4393c3", "refuted": "#b2182b", "vacuous": "#762a83",
    "unknown": "#bababa",
}  # fmt: skip


def check_format(path: str) -> None:
    """Raise UsageError unless the path ends in a format that can be drawn and a file can be written there."""
    if Path(path).suffix not in FORMATS:
        raise UsageError(f"--plot FILE must end in {', '.join(FORMATS)}, got {path!r}")
    check_writable(path, "--plot")


def verdicts(entries: list[dict[str, Any]], path: str) -> None:
    """Draw one bar a claim: the largest lhs/rhs found, coloured by verdict, with the line lhs = rhs.

    A claim whose ratio is not defined (identities, signed right sides) gets a dot at the left edge.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.patches import Patch

    low, high = 1e-3, 1e3
    top = max([r for r in map(_ratio, entries) if r is not None and r <= high], default=1.0)
    columns = -(-len(entries) // TALLEST)
    height = -(-len(entries) // columns)
    fig, axes = plt.subplots(
        1, columns, figsize=(2 + 6 * columns, 1.2 + 0.26 * height), layout="constrained", squeeze=False
    )
    for k, ax in enumerate(axes.flat):
        part = entries[k * height : (k + 1) * height]
        for y, e in enumerate(reversed(part)):
            colour = COLOURS[e["verdict"]]
            ratio = _ratio(e)
            if ratio is None:
                ax.plot([low * 1.25], [y], "o", color=colour, markersize=6)
            else:
                ax.barh(y, min(max(ratio, low * 1.3), high) - low, left=low, color=colour, height=0.7)
        ax.axvline(1.0, color="black", linewidth=1)
        ax.set_xscale("log")
        ax.set_xlim(low, max(3.0, 2 * top))
        ax.set_yticks(range(len(part)), [e["id"] for e in reversed(part)], fontsize=8)
        ax.set_ylim(len(part) - height - 0.6, len(part) - 0.4)
        ax.set_xlabel("largest lhs/rhs found")
    present = [v for v in COLOURS if any(e["verdict"] == v for e in entries)]
    fig.legend(
        handles=[Patch(color=COLOURS[v], label=v) for v in present], loc="outside upper center", ncols=len(present),
        fontsize=9, title="line: lhs = rhs; dot: ratio not defined",
    )  # fmt: skip
    _save(fig, path)
    plt.close(fig)


def _save(fig: Any, path: str) -> None:
    """Draw in memory first, so that the file is whole or not there; without a date, so that equal pictures are equal files."""
    drawn = io.BytesIO()
    kind = Path(path).suffix[1:]
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    fig.savefig(drawn, format=kind, dpi=150, metadata=dates.get(kind))
    write_bytes(path, drawn.getvalue())


def _ratio(e: dict[str, Any]) -> float | None:
    ratio = e["tightness"]
    return float(ratio) if ratio is not None and ratio > 0 else None


MEASURED, AVERAGED, BOUND, LEVEL = "#2166ac", "#67a9cf", "#b2182b", "#666666"
PALETTE = ("#2166ac", "#b2182b", "#1b7837", "#e08214", "#762a83", "#01665e", "#c51b7d", "#8c510a", "#4d4d4d")
DASHES = ("-", "--", ":", "-.")
WRAP = 62
UNITS = "(E: unit of values, M: of models)"
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
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "fedtheory"  # ids in the file would be drawn at random otherwise
    labels = list(dict.fromkeys(label for label, _ in found))
    if len(labels) == 1:
        fig = _panels([curves for _, curves in found], f"{labels[0]}: {caption}", plt)
    else:
        fig = _comparison(found, labels, caption, plt)
    _save(fig, path)
    plt.close(fig)


def _panels(seeds: list[list[Curve]], title: str, plt: Any) -> Any:
    """One panel a curve; every seed is a line, and so is its bound."""
    n = len(seeds[0])
    columns = min(n, 3)
    height = -(-n // columns)
    fig, axes = plt.subplots(
        height, columns, figsize=(4.6 * columns, 4.0 * height), layout="constrained", squeeze=False
    )
    for ax in axes.flat[n:]:
        ax.set_axis_off()
    for k, ax in enumerate(axes.flat[:n]):
        for s, curves in enumerate(seeds):
            _draw(ax, curves[k], named=s == 0)
        _finish(ax, [curves[k] for curves in seeds])
    fig.suptitle(f"{title} {UNITS}", fontsize=10)
    return fig


def _draw(ax: Any, c: Curve, *, named: bool) -> None:
    def name(text: str) -> str | None:
        return text if named else None

    faint = c.left is not None
    ax.plot(c.x, c.y, color=AVERAGED if faint else MEASURED, linewidth=1.0 if faint else 1.6, label=name("measured"))
    if c.left is not None:
        ax.plot(c.x, c.left, color=MEASURED, linewidth=1.6, label=name(c.left_title))
    if c.bound is not None:
        ax.plot(c.x, c.bound, color=BOUND, linewidth=1.4, linestyle="--", label=name(f"bound: {c.where}"))
    if c.threshold is not None:
        ax.axhline(c.threshold, color=LEVEL, linewidth=1.0, linestyle=":", label=name(f"stop at {c.threshold:.3g}"))


def _finish(ax: Any, curves: list[Curve]) -> None:
    from matplotlib.ticker import MaxNLocator

    c = curves[0]
    drawn = [a for k in curves for a in (k.y, k.left, k.bound) if a is not None]
    _scale(ax, drawn)
    ax.set_ylabel(f"{c.title} [{c.unit}]" if c.unit else c.title, fontsize=8)
    notes = list({n.split(" fails")[0]: n for k in reversed(curves) for n in k.notes}.values())  # of the first seed
    outcomes = list(dict.fromkeys(k.outcome for k in curves))
    said = [*(f"bound {o}" for o in outcomes if o != "no bound"), *notes]
    text = "\n".join(line for note in said for line in textwrap.wrap(note, WRAP, subsequent_indent="  "))
    ax.set_xlabel("communications" + (f"\n{text}" if text else ""), fontsize=7)
    ax.tick_params(which="both", labelsize=7)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.legend(fontsize=7, loc="best")


def _scale(ax: Any, drawn: list[Any]) -> None:
    """Logarithmic where everything that is drawn is positive, up to the rounding of the largest of it."""
    import numpy as np

    values = np.concatenate([a[np.isfinite(a)] for a in drawn]) if drawn else np.array([])
    if values.size and values.max() > 0 and values.min() > -1e-12 * values.max():
        ax.set_yscale("log", nonpositive="mask")
        ax.set_ylim(bottom=max(values[values > 0].min() / 2, 1e-17 * values.max()))


def _comparison(found: list[tuple[str, list[Curve]]], labels: list[str], caption: str, plt: Any) -> Any:
    """The curves that all runs have, one colour and dash a configuration, one line a seed."""
    names = [c.name for c in found[0][1] if all(c.name in {k.name for k in curves} for _, curves in found)]
    names = [n for n in names if n in ("objective", "error", "stationarity")][:2]
    fig, axes = plt.subplots(1, len(names), figsize=(5.4 * len(names) + 2.2, 4.2), layout="constrained", squeeze=False)
    families = list(dict.fromkeys(label.split(",")[0] for label in labels))
    for ax, name in zip(axes.flat, names, strict=True):
        drawn, seen = [], set()
        for label, curves in found:
            c = next(k for k in curves if k.name == name)
            family = label.split(",")[0]
            own = [other for other in labels if other.split(",")[0] == family]
            several = len(families) > 1  # a colour a method and a dash a setting, or a colour a setting
            colour = PALETTE[(families.index(family) if several else own.index(label)) % len(PALETTE)]
            dash = DASHES[own.index(label) % len(DASHES)] if several else "-"
            ax.plot(
                c.x,
                c.y,
                color=colour,
                linestyle=dash,
                linewidth=1.2,
                zorder=3 - labels.index(label) / len(labels),
                label=None if label in seen else label,
            )
            seen.add(label)
            drawn.append(c.y)
        _scale(ax, drawn)
        titles = dict.fromkeys(k.title for _, curves in found for k in curves if k.name == name)
        unit = next(k.unit for k in found[0][1] if k.name == name)
        ax.set_ylabel(" / ".join(titles) + (f" [{unit}]" if unit else ""), fontsize=8)
        ends = [float(k.x[-1]) for _, curves in found for k in curves]
        if max(ends) > UNEVEN * max(1.0, min(ends)):
            ax.set_xscale("symlog", linthresh=1.0)
            ax.set_xlim(0, max(ends) * 1.1)
        ax.set_xlabel("communications", fontsize=8)
        ax.tick_params(which="both", labelsize=7)
    axes.flat[-1].legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    fig.suptitle(f"{caption} {UNITS}", fontsize=10)
    return fig
