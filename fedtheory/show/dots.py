"""The verdicts of a report in one picture: what is refuted, by how much, and the tightest of what is true."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ..formats import Document
from .plots import SVG, save
from .tables import short
from .verdicts import counts

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TIGHTEST = 30  # true claims that are drawn
ATTAINED = 0.999
LARGEST = 10**300
NO_BREAK = "\N{NO-BREAK SPACE}"
WIDE = 92  # letters of a line below a panel
LOOK = {
    "refuted": ("#D55E00", "X"), "vacuous": ("#CC79A7", "D"), "proved": ("#0072B2", "o"), "certified": ("#009E73", "s"),
    "supported": ("#E69F00", "^"), "unknown": ("#666666", "P"),
}  # fmt: skip
FALSE = ("refuted", "vacuous")
Entry = Document


def verdicts(entries: Sequence[Entry], path: str) -> None:
    """Draw a dot a claim at the largest lhs/rhs that was found, its number beside it, sorted; the rest are counted.

    One panel has what is refuted, and below it, by their names, the claims of which no ratio is defined; the other the true
    claims whose ratio comes nearest to 1. Where there are many of these, those that attain it are only counted.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.lines import Line2D

    wrong = [e for e in entries if e["verdict"] in FALSE]
    false = sorted((e for e in wrong if _ratio(e)), key=lambda e: -(_ratio(e) or 0))
    true = sorted((e for e in entries if e["verdict"] not in FALSE and _ratio(e)), key=lambda e: -(_ratio(e) or 0))
    many = len(true) > TIGHTEST
    attained = sum(_ratio(e) > ATTAINED for e in true) if many else 0  # type: ignore[operator]
    below = true[attained:][:TIGHTEST] or true[:TIGHTEST]
    title = (
        f"true, the tightest ({attained} more within 0.1 % of lhs = rhs)" if attained and true[attained:] else "true"
    )
    panels = [p for p in ((false, "not true as printed"), (below, title)) if p[0]]
    rows = max((len(shown) for shown, _ in panels), default=1)
    lines = _without(wrong, WIDE * max(1, len(panels)))
    with plt.rc_context(SVG):
        fig, axes = plt.subplots(
            1,
            max(1, len(panels)),
            figsize=(6.6 * max(1, len(panels)), 1.6 + 0.2 * rows + 0.14 * len(lines)),
            layout="constrained",
            squeeze=False,
        )
        for ax, (shown, title) in zip(axes.flat, panels, strict=False):
            _panel(ax, shown, title, rows)
        if not panels:
            axes.flat[0].set_axis_off()
        drawn = [e for shown, _ in panels for e in shown]
        fig.legend(
            handles=[
                Line2D([], [], color=c, marker=m, linestyle="", label=v)
                for v, (c, m) in LOOK.items()
                if any(e["verdict"] == v for e in drawn)
            ],
            loc="outside upper center", ncols=6, fontsize=9, frameon=False,
        )  # fmt: skip
        rest = [e for e in entries if not any(e is d for d in (*drawn, *wrong))]
        undefined = sum(not _ratio(e) for e in rest)
        more = f"; not drawn: {len(rest)}, of which {undefined} have no ratio lhs/rhs" if rest else ""
        fig.supxlabel("\n".join([*lines, f"{len(entries)} claims: {counts(entries)}{more}"]), fontsize=8)
        save(fig, path)
    plt.close(fig)


def _without(wrong: Sequence[Entry], wide: int) -> list[str]:
    """The claims that are not true and have no ratio, each with both sides of its witness, in lines."""
    named = [f"{e['id']}{_sides(e)}".replace(" ", NO_BREAK) for e in wrong if not _ratio(e)]
    said = "not true, of which no ratio lhs/rhs is defined: " + ", ".join(named)
    lines = textwrap.wrap(said, wide, break_on_hyphens=False, break_long_words=False) if named else []
    return [line.replace(NO_BREAK, " ") for line in lines]


def _panel(ax: Axes, shown: Sequence[Entry], title: str, rows: int) -> None:
    from matplotlib.transforms import blended_transform_factory

    ratios = [_ratio(e) or 0.0 for e in shown]
    beside = blended_transform_factory(ax.transAxes, ax.transData)
    for y, (e, ratio) in enumerate(zip(shown, ratios, strict=True)):
        colour, marker = LOOK[e["verdict"]]
        ax.plot([ratio], [y], marker=marker, color=colour, linestyle="", markersize=5)
        ax.text(1.01, y, f"{ratio:.4g}", transform=beside, fontsize=7, va="center")
    ax.axvline(1.0, color="black", linewidth=0.8)
    ax.set_xlabel("largest lhs/rhs found; line: lhs = rhs", fontsize=8)
    if max(ratios) > 3:
        ax.set_xscale("log")
    else:
        ax.set_xlim(min(0.95, min(ratios) - 0.03), max(1.03, max(ratios) + 0.03))
        ax.ticklabel_format(axis="x", useOffset=False)
    ax.set_yticks(range(len(shown)), [e["id"] for e in shown], fontsize=7)
    ax.set_ylim(rows - 0.4, -0.6)
    ax.grid(axis="y", color="#dddddd", linewidth=0.5)
    ax.set_axisbelow(True)
    ax.tick_params(axis="x", which="both", labelsize=7)
    ax.set_title(title, fontsize=9)


def _sides(e: Entry) -> str:
    """Both sides of the witness, in brackets; empty where there is none."""
    w = e.get("witness")
    return f" ({short(w['lhs'])} {w['op']} {short(w['rhs'])})".replace("==", "=") if w else ""


def _ratio(e: Entry) -> float | None:
    """The largest ratio that was found, or that of the witness where its right side is positive."""
    false = e["verdict"] in FALSE
    if e["tightness"] is not None and (not false or e["tightness"] > 1):  # or it does not show what is false
        return float(e["tightness"]) if e["tightness"] > 0 else None
    w = e.get("witness")
    if not false or not w or w["op"] == "==":
        return None
    lhs, rhs = (Fraction(v[0] if isinstance(v, list) else v) for v in (w["lhs"], w["rhs"]))
    return min(float(lhs / rhs), LARGEST) if rhs > 0 and 0 < lhs < LARGEST * rhs else None
