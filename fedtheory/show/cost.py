"""Total cost against theta, the weight of energy: a line a method, those of equal costs as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..formats import Document
from .plots import DASHES, MARKERS, PALETTE, SVG, save

BESIDE = 7  # points of the text of a legend
ATTENDED = "#444444"


class Panel(NamedTuple):
    """One picture of a figure.

    Attributes
    ----------
    title : str
    theta : array, (n,)
    costs : dict of arrays, (n,)
        C_total by the name of the method.
    dotted : list of str
        Methods that are drawn dotted.
    mark : dict of float
        A theta to mark, by what it is.
    """

    title: str
    theta: np.ndarray
    costs: Document
    dotted: Sequence[str] = ()
    mark: Mapping[str, float] = {}


def totals(
    panels: Sequence[Panel], path: str, caption: str, *, currency: str = "USD", columns: int = 2, below: bool = False
) -> None:
    """Draw C_total against theta.

    Parameters
    ----------
    panels : list of Panel
    path : str
        svg, png or pdf.
    caption : str
    currency : str
        Of the sums.
    columns : int
        Panels in a row.
    below : bool
        Whether legends stand below their panels.
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    wide = min(columns, len(panels))
    high = -(-len(panels) // wide)
    with plt.rc_context(SVG):
        size = (5.0 * wide + 0.4, 4.4 * high)
        fig, axes = plt.subplots(high, wide, figsize=size, layout="constrained", squeeze=False)
        for ax in axes.flat[len(panels) :]:
            ax.set_axis_off()
        for ax, panel in zip(axes.flat, panels, strict=False):
            for at, (label, names) in enumerate(_alike(panel.costs)):
                dash = ":" if names[0] in panel.dotted else DASHES[at % 2]
                ax.plot(
                    panel.theta, panel.costs[names[0]], color=PALETTE[at % len(PALETTE)], linestyle=dash, linewidth=1.5,
                    marker=MARKERS[at % len(MARKERS)], markersize=4, markevery=(at, 20), label=label,
                )  # fmt: skip
            for what, theta in panel.mark.items():
                ax.axvline(theta, color=ATTENDED, linestyle="--", linewidth=0.9, label=f"{what}: {theta:.3g}")
            ax.set_yscale("log")
            ax.set_xlim(0, 1)
            ax.set_title(panel.title, fontsize=9)
            ax.set_xlabel("theta: 0 time alone, 1 energy alone", fontsize=8)
            ax.set_ylabel(f"C_total [{currency}]", fontsize=8)
            ax.tick_params(which="both", labelsize=8)
            ax.grid(alpha=0.3)
            place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.13), "ncol": 2} if below else {"loc": "best"}
            ax.legend(fontsize=BESIDE, **place)
        fig.suptitle(caption, fontsize=10)
        save(fig, path)
    plt.close(fig)


def _alike(costs: Document) -> list[tuple[str, list[str]]]:
    """The methods in groups of equal costs, with a label each."""
    groups: list[list[str]] = []
    for name, values in costs.items():
        same = next((g for g in groups if np.array_equal(costs[g[0]], values)), None)
        if same is None:
            groups.append([name])
        else:
            same.append(name)
    return [(" / ".join(g), g) for g in groups]
