"""Rates on the screen, as a page and as pictures: the tightest legal setting, the run under the bound, measured over bound."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.table import Table
from rich.text import Text

from ..rates.fit import fitted
from ..rates.record import POWER, Rate
from ..rates.search import Best
from ..rates.worst import Worst
from .plots import AVERAGED, BOUND, LEVEL, MEASURED, PALETTE, SVG, WRAP, save
from .runs import table
from .tables import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LEVELLED = 1e-4  # a share of the promised exponent below which a curve is level
WIDE = 50.0  # ratio of horizons from which on their axis is logarithmic
TRUE = ("proved", "certified")


@dataclass(frozen=True)
class Tried:
    """One rate with what came of it.

    Attributes
    ----------
    paper : str
    best : Best
    verdict : str
        The weakest on its claims.
    worst : list of Worst
        What the performance-estimation program says of the first rounds.
    """

    paper: str
    best: Best
    verdict: str
    worst: list[Worst]

    @property
    def rate(self) -> Rate:
        """Which one."""
        return self.best.rate

    @property
    def above(self) -> bool:
        """Whether the run is above the bound somewhere."""
        return self.best.largest > 1

    @property
    def contradicts(self) -> bool:
        """Whether a run is above a bound that is true."""
        return self.above and self.verdict in TRUE

    @property
    def name(self) -> str:
        """Of its picture."""
        return f"{self.paper}-{self.rate.id}.svg"


def said(t: Tried) -> str:
    """What the run shows, in a few words."""
    if t.contradicts:
        return "above a bound that is true: an error"
    if t.above:
        return "a run above it" if t.verdict == "refuted" else "a run above it: not true"
    if t.verdict == "refuted":
        return "no run above it found"
    return "holds on this run" if t.best.says else "holds, says nothing here" if t.best.saying else "says nothing"


def quotient(value: float) -> str:
    """Measured over bound."""
    return "above" if math.isinf(value) else number(value, 3)


def exponent(value: float | None, law: str, promised: float) -> str:
    """A fitted or promised exponent as a power or an exponential of T."""
    if value is None:
        return "-"
    if abs(value) <= LEVELLED * promised:
        return "level"
    return f"T^{number(-value, 3)}" if law == POWER else f"e^({number(-value, 3)} T)"


def fit(t: Tried) -> str:
    """The fitted exponent of the measured curve."""
    p = t.best.played
    return exponent(fitted(p.T, p.left, t.rate.law), t.rate.law, p.promised)


def promised(t: Tried) -> str:
    """And the promised one."""
    return exponent(t.best.played.promised, t.rate.law, t.best.played.promised)


def setting(t: Tried) -> str:
    """The setting in exact numbers."""
    return ", ".join(f"{name} = {value}" for name, value in t.best.setting.items())


def rates_table(found: Iterable[Tried]) -> Table:
    """A line a bound."""
    right = ("T", "at the end", "least", "largest", "worst known")
    out = table("theorem", "", "verdict", *right[:4], "fitted", "promised", right[4], "", right=right)
    for t in found:
        style = "bold red" if t.contradicts else "green" if t.verdict in TRUE else "yellow"
        kind, verdict, *rest = _cells(t)
        out.add_row(
            Text(f"{t.paper} {t.rate.theorem}"), Text(kind), Text(verdict, style), *(Text(cell) for cell in rest)
        )
    return out


def known(t: Tried) -> str:
    """The largest measured/bound that the program knows."""
    return number(max(w.value for w in t.worst), 3) if t.worst else "-"


HEAD = (
    "| theorem | | verdict | T | at the end | least | largest | fitted | promised | worst known | |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
)


ABOUT = """For each explicit bound of a theorem a legal setting was sought, all conditions met in exact arithmetic, at which
measured/bound is as large as it can be had: at the end of a run; of what is refuted, and of a bound whose exponent is smaller than
that of every run, at any horizon. The left side is the theorem's own; nothing is left of its expectation, since all clients take
part or are alike.

- **At the end**, **least**, **largest**: measured/bound along the run; *above* where the bound is not positive.
- **Fitted**: the rate of the measured curve on its second half, beside the **promised** one.
- **Worst known**: the largest measured/bound over all clients of the function class, in any dimension, in the first rounds,
  by the performance-estimation program. Its right side has the decrease up to T in place of that to the least value.
- *Says nothing*: at no setting that was played is the bound anywhere below what is known without a run, the left side at
  the start."""


def page(found: Sequence[Tried], titles: Mapping[str, str], seed: int, folder: str, quick: bool) -> str:
    """Markdown: a table of all, then every bound with its setting, its conditions, its run and the worst clients."""
    by = f"Generated by `fedtheory rates{' --quick' if quick else ''} --seed {seed} --page FILE`; not written by hand."
    lines = ["# Every rate under its bound", by, ABOUT, "\n".join((*HEAD, *(_line(t, folder) for t in found)))]
    for paper in dict.fromkeys(t.paper for t in found):
        lines.append(f"## {titles[paper]}")
        for t in (t for t in found if t.paper == paper):
            lines += section(t, folder)
    return "\n\n".join(lines) + "\n"


def _cells(t: Tried) -> list[str]:
    b = t.best
    return [
        t.rate.kind, t.verdict, f"{b.played.T[-1]:.6g}", quotient(b.end), quotient(b.least), quotient(b.largest), fit(t),
        promised(t), known(t), said(t),
    ]  # fmt: skip


def _line(t: Tried, folder: str) -> str:
    return f"| [{t.paper} {t.rate.theorem}]({folder}/{t.name}) | {' | '.join(_cells(t))} |"


def section(t: Tried, folder: str) -> list[str]:
    """One bound."""
    r, b = t.rate, t.best
    at = -1 if r.aim == "end" else int(np.argmax(b.played.ratio))
    met = "; ".join(f"`{c.name}`: {number(c.lhs, 4)} {c.op} {number(c.rhs, 4)}" for c in r.rows(b.setting))
    sides = f"the left side is {number(b.played.left[at], 4)}, the bound {number(b.played.right[at], 4)}"
    counts = (
        f"{b.drawn} settings were looked at, {b.legal} legal, {b.tried} played; at {b.saying} the bound said something."
    )
    lines = [
        f"### {r.theorem}, {r.kind}",
        f"![{r.theorem}, {r.kind}]({folder}/{t.name})",
        f"`{r.left} <= {r.printed}`",
        f"{', '.join(f'`{id}`' for id in r.claims)}: **{t.verdict}**. Promised: `{r.promise}`.",
        f"Setting: {setting(t)}. {' '.join(_sentence(text) for text in (r.clients, r.remark) if text)}",
        f"Conditions, exactly: {met}.",
        f"At T = {b.played.T[at]:.6g} {sides}. {counts}"
        + ("" if b.saying else f" Bound over measured is at least {number(1 / b.largest, 3)}."),
    ]
    return lines + ([worst(t)] if t.worst else [])


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def worst(t: Tried) -> str:
    """What the program says, and the clients that it found last."""
    values = "; ".join(
        f"{w.value:.4g} after {w.T}" + (f" ({w.ratio:.4g} by rational clients)" if w.ratio is not None else "")
        for w in t.worst
    )
    last = next((w for w in reversed(t.worst) if w.clients), None)
    text = f"Worst of {t.rate.over}: {values} {t.rate.steps}."
    if last is None:
        return text
    parts = {
        "looked_at": "gradient taken at", "grad_there": "gradients there", "value_there": "values there", "infimum": "least value",
    }  # fmt: skip
    shown = "; ".join(f"{parts.get(name, name)} {_numbers(v)}" for name, v in last.clients.items())
    return f"{text} Those of {last.T}: {shown}."


def _numbers(v: object) -> str:
    return ", ".join(str(e) for e in np.ravel(np.asarray(v, dtype=object)))


def pictures(found: Sequence[Tried], folder: Path) -> None:
    """One picture a bound."""
    folder.mkdir(parents=True, exist_ok=True)
    for t in found:
        save(figure(t), str(folder / t.name))


def figure(t: Tried) -> Figure:
    """The measured curve under its bound, and measured over bound beside it."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    r, p = t.rate, t.best.played
    with plt.rc_context(SVG):
        fig, (ax, beside) = plt.subplots(1, 2, figsize=(9.2, 4.3), layout="constrained", width_ratios=(3, 2))
        _curves(ax, t)
        _ratios(beside, t)
        for a in (ax, beside):
            if p.T[-1] > WIDE * max(p.T[0], 1):
                a.set_xscale("log")
            a.tick_params(which="both", labelsize=7)
            if a.get_legend_handles_labels()[0]:
                a.legend(fontsize=7, loc="lower left", bbox_to_anchor=(0, 1.0), borderaxespad=0.2, frameon=False)
        ax.set_xlabel(f"T [{r.steps}]\n" + "\n".join(_wrapped(f"{setting(t)}", 90)), fontsize=7)
        beside.set_xlim(ax.get_xlim())
        beside.set_xlabel(f"T [{r.steps}]", fontsize=7)
        fig.suptitle(f"{t.paper}: {r.theorem}, {r.kind} ({t.verdict})", fontsize=10)
    plt.close(fig)
    return fig


def _wrapped(text: str, width: int = WRAP) -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent="  ")


def _curves(ax: Axes, t: Tried) -> None:
    p = t.best.played
    positive = p.right > 0
    marker = "." if len(p.T) <= 60 else None
    ax.plot(
        p.T,
        np.where(p.left > 0, p.left, np.nan),
        color=MEASURED,
        linewidth=1.6,
        marker=marker,
        markersize=4,
        label="measured",
    )
    alone = "." if positive.sum() == 1 else None  # one point makes no line
    if positive.any():
        ax.plot(
            p.T,
            np.where(positive, p.right, np.nan),
            color=BOUND,
            linewidth=1.4,
            linestyle="--",
            marker=alone,
            label="bound",
        )
    if not positive.all():
        first = p.T[np.argmin(positive)]
        ax.plot([], [], color=BOUND, linestyle=":", label=f"bound is negative from T = {first:.6g} on")
    if p.error is not None:
        ax.fill_between(p.T, p.left - 2 * p.error, p.left + 2 * p.error, color=AVERAGED, alpha=0.3, linewidth=0)
    ax.axhline(
        p.start, color=LEVEL, linewidth=1.0, linestyle=":", label="known without a run: the left side at the start"
    )
    ax.set_yscale("log")
    unit = f" [{t.rate.unit}]" if t.rate.unit else ""
    ax.set_ylabel("\n".join(_wrapped(f"{t.rate.left}{unit}", 48)), fontsize=8)


def _ratios(ax: Axes, t: Tried) -> None:
    p = t.best.played
    ratio = np.where(np.isfinite(p.ratio) & (p.ratio > 0), p.ratio, np.nan)
    marker = "." if len(p.T) <= 60 else None
    if np.isfinite(ratio).any():
        ax.plot(p.T, ratio, color=MEASURED, linewidth=1.6, marker=marker, markersize=4, label="measured/bound")
        ax.set_yscale("log")
    else:
        ax.text(0.5, 0.5, "the bound is negative", ha="center", va="center", transform=ax.transAxes, fontsize=8)
        ax.set_yticks([])
        return
    ax.axhline(1.0, color=BOUND, linewidth=1.2, linestyle="--", label="the bound")
    if t.worst:
        ax.plot(
            [w.T for w in t.worst], [w.value for w in t.worst], color=PALETTE[2], marker="D", linestyle="", markersize=5,
            label="worst clients of the class",
        )  # fmt: skip
    ax.set_ylabel("measured/bound", fontsize=8)
