"""Pictures: the verdicts of a report at one look."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .errors import UsageError

FORMATS = (".svg", ".png", ".pdf")
COLOURS = {
    "proved": "#1b7837", "certified": "#5aae61", "supported": "#4393c3", "refuted": "#b2182b", "vacuous": "#762a83",
    "unknown": "#bababa",
}  # fmt: skip


def check_format(path: str) -> None:
    """Raise UsageError unless the path ends in a format that can be drawn and its folder exists."""
    if Path(path).suffix not in FORMATS:
        raise UsageError(f"--plot FILE must end in {', '.join(FORMATS)}, got {path!r}")
    if not Path(path).resolve().parent.is_dir():
        raise UsageError(f"--plot {path} cannot be written: its folder is missing")


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
    fig, ax = plt.subplots(figsize=(8, 0.9 + 0.26 * len(entries)), layout="constrained")
    for y, e in enumerate(reversed(entries)):
        colour = COLOURS[e["verdict"]]
        ratio = _ratio(e)
        if ratio is None:
            ax.plot([low * 1.25], [y], "o", color=colour, markersize=6)
        else:
            ax.barh(y, min(max(ratio, low * 1.3), high) - low, left=low, color=colour, height=0.7)
    ax.axvline(1.0, color="black", linewidth=1)
    ax.set_xscale("log")
    ax.set_xlim(low, max(3.0, 2 * top))
    ax.set_yticks(range(len(entries)), [e["id"] for e in reversed(entries)], fontsize=8)
    ax.set_ylim(-0.6, len(entries) - 0.4)
    ax.set_xlabel("largest lhs/rhs found (line: lhs = rhs; dot: ratio not defined)")
    present = [v for v in COLOURS if any(e["verdict"] == v for e in entries)]
    ax.legend(
        handles=[Patch(color=COLOURS[v], label=v) for v in present],
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        fontsize=8,
    )
    fig.savefig(path, dpi=150, metadata={"Date": None} if path.endswith(".svg") else None)
    plt.close(fig)


def _ratio(e: dict[str, Any]) -> float | None:
    ratio = e["tightness"]
    return float(ratio) if ratio is not None and ratio > 0 else None
