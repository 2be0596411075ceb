"""The picture of the least-squares benchmark: time per round and peak memory against the number of clients."""

from __future__ import annotations

from typing import Any

COLOURS = {"FedADMM": "#2166ac", "FLAME": "#b2182b"}
GREY = "#777777"


def draw(points: list[dict[str, Any]], path: str, what: str) -> None:
    """Draw two log-log panels, each with a line of slope one above what was measured.

    Parameters
    ----------
    points : list of dict
        Of `benchmarks.least_squares.point`, with ``method``, ``m``, and ``used`` beyond the interpreter in bytes.
    path : str
        svg, png or pdf.
    what : str
        Head line.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams["svg.hashsalt"] = "fedtheory"
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained")
    of = {name: [p for p in points if p["method"] == name] for name in COLOURS}
    m = [p["m"] for p in next(iter(of.values()))]
    for name, mine in of.items():
        style = {"color": COLOURS[name], "marker": "o", "markersize": 4, "linewidth": 1.4, "label": name}
        left.plot(m, [1e3 * p["round"] for p in mine], **style)
        right.plot(m, [p["used"] / 2**20 for p in mine], **style)
    copies = [1e3 * min(p["copy"] for p in points if p["m"] == k) for k in m]
    data = [next(iter(of.values()))[k]["data"] / 2**20 for k in range(len(m))]
    for ax, reference, name, unit in (
        (left, copies, "copy of the data", "time per round [ms]"),
        (right, data, "the data", "peak memory [MiB]"),
    ):
        ax.plot(m, reference, color=GREY, marker="s", markersize=3, linewidth=1.0, label=name)
        last = max(line.get_ydata()[-1] for line in ax.lines)
        ax.plot(m, [2 * last * k / m[-1] for k in m], color="black", linestyle=":", linewidth=1.0, label="slope one")
        ax.set(xscale="log", yscale="log", xlabel="clients", ylabel=unit)
        ax.grid(True, which="major", linewidth=0.4, alpha=0.5)
        ax.legend(fontsize=8)
    fig.suptitle(what, fontsize=10)
    fig.savefig(path, dpi=150, metadata={"Date": None} if path.endswith(".svg") else None)
    plt.close(fig)
