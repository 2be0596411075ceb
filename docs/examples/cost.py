"""What Table II of DA-DPFL says of itself, and Figures 3 and 4 from its numbers: `python cost.py [PICTURE.svg]`.

The paper does not say what a waiting client waits for: a whole round of another one, computing and sending, or its computing
alone. Both readings are drawn. `python cost.py PICTURE.svg RUNS` draws the runs in a folder of `fedtheory run` or `sweep` in
the same way.
"""

import json
import sys
from pathlib import Path

import numpy as np

from fedtheory.commands.experiment import kept
from fedtheory.measure.cost import WAITS, total
from fedtheory.schedules import measured
from fedtheory.show.cost import Panel, totals
from fedtheory.show.table_cost import READINGS, cost_of
from fedtheory.theory.dadpfl import efficiency as table

FIGURES = {"CIFAR10": "Figure 3, CIFAR10", "CIFAR100": "Figure 4, CIFAR100"}


def runs(picture: str, folder: str) -> None:
    """Print and draw what the runs of a folder come to: of linear models, of which a gradient has 4 FLOP a weight and sample."""
    theta, panels = np.linspace(0, 1, 201), []
    for reading in WAITS:
        costs = {}
        for path in sorted(Path(folder).glob("*/run.json")):
            inputs = json.loads(path.read_text())["inputs"]
            name = inputs["method"] + "".join(
                f", {k} {inputs['options'][k]}" for k in ("M", "wait") if k in inputs["options"]
            )
            cost = cost_of(kept(folder, path.parent.name), reading)
            seconds, joules = float(np.sum(cost.seconds)), float(np.sum(cost.joules))
            costs[name] = total(theta, seconds, joules)
            print(f"{name:28}{READINGS[reading]:28}{seconds:12.5g} s {joules:12.5g} J")
        panels.append(Panel(READINGS[reading], theta, costs))
    totals(panels, picture, f"Total cost of the runs in {Path(folder).name}, 1 USD a second and a joule")


def main(picture: str = "") -> None:
    """Print the relations and the thetas, and draw the figures."""
    for r in table.relations():
        said = "below 1" if r.said is None else f"{float(r.said.value):.2f}"
        ratio = f"{float(r.found.value):.4f} ({float(r.found.low):.4f} to {float(r.found.high):.4f})"
        print(f"{r.outcome:8}{r.dataset:10}{ratio:28} said {said:8} {r.where}: {r.what}")
    (row,) = measured(table.K, [(table.M, table.N)])
    print(f"\na round of DA-DPFL takes 1 + {row.wait:.3f} times as long (standard error {row.wait_error:.3f})")
    panels, theta = [], np.linspace(0, 1, 201)
    for reading, what in READINGS.items():
        for dataset, figure in FIGURES.items():
            mark = {}
            for ours in table.OURS:
                found = table.crossings(ours, dataset, wait=row.wait, waits=reading)
                mark[f"{ours} cheaper than all without a server from"] = last = float(np.max(list(found.values())))
                energy = max(table.energy_ratio(ours, other, dataset) for other in found)
                print(
                    f"{dataset:9}{ours:12} {what:26}: no dearer from theta = {last:.3f} on; energy 1/{energy:.2f} at most"
                )
            costs = table.curves(dataset, theta, wait=row.wait, waits=reading)
            panels.append(Panel(f"{figure}: {what}", theta, costs, table.CENTRAL, mark))
    if picture:
        totals(panels, picture, "Total cost from Table II: 1 USD a second and a joule, 500 rounds, MB = 2^20 bytes")


if __name__ == "__main__":
    (runs if len(sys.argv) > 2 else main)(*sys.argv[1:])
