"""What is shown of an audit: a table of theorems and settings, what the methods did, and a picture of the factors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from ..paper import Paper
from ..regions.audit import Line, Setting
from .plots import LEVEL, PALETTE, SVG, save
from .regions import region
from .runs import table
from .tables import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.table import Table


def audit_table(found: Sequence[Line]) -> Table:
    """One line a theorem and a problem: at how many settings it applies, what fails and by which factor, the nearest legal one."""
    out = table("paper", "problem", "theorem", "applies", "fails, by the factor", "one alone", "nearest legal setting")
    for line in found:
        held = sum(o.holds is True for o in line.outcomes)
        open_ = sum(o.holds is None for o in line.outcomes)
        total = len(line.outcomes)
        style = "green" if held == total else "yellow" if held + open_ == total else "bold red"
        said = f"{held} of {total}" + (f", {open_} not decided" if open_ else "")
        kind = "" if line.kind == "as printed" else f", {line.kind}"
        out.add_row(
            line.paper, Text(line.label + kind), Text(line.theorem), Text(said, style), Text(fails(line)),
            Text(alone(line)), Text(legal(line)),
        )  # fmt: skip
    return out


def fails(line: Line) -> str:
    """The conditions that fail with their factors; what is not decided, and for which values the theorem holds."""
    said = [f"{name}: {factors(*ends)}" for name, ends in line.worst().items()]
    if line.needs is not None:
        return "; ".join([*said, f"needs {region(line.needs)}"])
    said += [f"{name}: {why}" for name, why in line.undecided().items()]
    return "; ".join(said)


def factors(least: float, largest: float) -> str:
    """The range of the factors by which a condition is missed.

    Examples
    --------
    >>> factors(2.0, 2.0), factors(2.0, 30.0), factors(math.inf, math.inf)
    ('2', '2 .. 30', 'no factor')
    """
    if math.isinf(largest):
        return "no factor"
    return " .. ".join(dict.fromkeys(number(v, 3) for v in (least, largest)))


def alone(line: Line) -> str:
    """The least change of one parameter."""
    if line.alone is None:
        return "none does" if line.fails else ""
    return f"{line.alone.name} = {line.alone.value:.4g} (x {line.alone.factor:.3g})"


def legal(line: Line) -> str:
    """The nearest setting: what moves in it."""
    if line.nearest is None:
        return "none found" if line.fails else ""
    moved = {k: v for k, v in line.nearest.values.items() if float(v) != float(line.example.values[k])}
    return ", ".join(f"{k} = {float(v):.4g}" for k, v in moved.items()) or "as printed"


def runs_table(runs: Mapping[tuple[str, str], tuple[Any, Any]]) -> Table:
    """Two lines a problem: what the method does at the printed setting and at the nearest legal one."""
    columns = ("rounds", "to a tenth of |grad f|^2", "|grad f|^2", "f(w)", "Lyapunov value", "promised", "")
    out = table("paper", "problem", "setting", *columns, right=("rounds",))
    for (paper, label), pair in runs.items():
        for what, run in zip(("printed", "legal"), pair, strict=True):
            if run is None:
                out.add_row(paper, Text(label), what, *["-"] * 6, Text("no legal setting was found"))
            elif run.rounds == 0:
                out.add_row(paper, Text(label), what, *["-"] * 6, Text(f"no run: {run.why}"))
            else:
                reached = f"> {run.rounds}" if run.reached is None else str(run.reached)
                slope, value = (" -> ".join(number(v, 4) for v in ends) for ends in (run.slope, run.objective))
                out.add_row(
                    paper, Text(label), what, str(run.rounds), reached, slope, value, run.lyapunov or "not observed",
                    Text(run.promised),
                    Text(run.why),
                )  # fmt: skip
    return out


NETWORKS = "torch"  # the backend of settings of networks


def notes_of(settings: Sequence[Setting], papers: Sequence[Paper]) -> Iterator[str]:
    """What stands in for what, what is left out, and which papers print no setting."""
    yield from dict.fromkeys(f"{s.paper}: {s.note}" for s in settings if s.note)
    for p in papers:
        networks = [
            f"{p.id}/{name}" for name, table in p.experiments().items() if table["plan"].get("backend") == NETWORKS
        ]
        if networks:
            yield f"{', '.join(networks)}: left out, networks whose constants are not known"
        if not any(s.paper == p.id for s in settings):
            yield f"{p.id}: prints no setting that is known here"


def picture(found: Sequence[Line], path: str) -> None:
    """A bar a problem and condition that fails there, as long as the factor by which it does, a panel a paper."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    papers = list(dict.fromkeys(line.paper for line in found))
    bars = {p: _bars([line for line in found if line.paper == p]) for p in papers}
    heights = [max(1, len(bars[p])) + 1.5 for p in papers]
    with plt.rc_context(SVG):
        fig, axes = plt.subplots(
            len(papers), 1, figsize=(11, 0.27 * sum(heights) + 0.8), layout="constrained", squeeze=False,
            sharex=True, gridspec_kw={"height_ratios": heights},
        )  # fmt: skip
        for ax, p in zip(axes.flat, papers, strict=True):
            _panel(ax, p, bars[p])
        axes.flat[-1].set_xlabel(
            "factor by which a condition of the paper's own theorem is missed (1: met)\n"
            "dark: the least of the settings, pale: the largest",
            fontsize=8,
        )
        save(fig, path)
    plt.close(fig)


def _bars(found: Sequence[Line]) -> list[tuple[str, float, float]]:
    """(label, least, largest factor) of every condition that fails on a problem, at whichever setting, in whichever theorem."""
    out: dict[str, tuple[float, float]] = {}
    for line in found:
        for name, (least, largest) in line.worst().items():
            label = f"{line.label}: {name}"
            before = out.get(label, (least, largest))
            out[label] = min(least, before[0]), max(largest, before[1])
    return [(label, *ends) for label, ends in out.items()]


def _panel(ax: Axes, paper: str, bars: list[tuple[str, float, float]]) -> None:
    ax.set_xscale("log")
    ax.axvline(1.0, color=LEVEL, linewidth=1.0, linestyle=":")
    ax.set_title(paper, fontsize=9, loc="left")
    ax.set_yticks(range(len(bars)), [b[0] for b in bars], fontsize=6.5)
    ax.set_ylim(len(bars) - 0.4, -0.6)
    ax.tick_params(axis="x", labelsize=7)
    for k, (_, least, largest) in enumerate(bars):
        if math.isinf(largest):
            ax.text(
                1.1, k, "no factor: a side is not positive, or infinite", fontsize=6.5, va="center", color=PALETTE[1]
            )
            continue
        ax.barh(k, largest - 1, left=1, height=0.6, color=PALETTE[0], alpha=0.45 if least != largest else 0.9)
        if least != largest:
            ax.barh(k, least - 1, left=1, height=0.6, color=PALETTE[0])
    if not bars:
        ax.text(1.1, 0, "nothing fails that can be decided", fontsize=7, va="center")
        ax.set_yticks([])
        ax.set_ylim(0.6, -0.6)
