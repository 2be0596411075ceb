"""What Table II of DA-DPFL says of itself, and Figures 3 and 4 from its numbers: `python cost.py [PICTURE.svg]`.

The paper does not say what a waiting client waits for: a whole round of another one, computing and sending, or its computing
alone. Both readings are drawn. `python cost.py PICTURE.svg RUNS` draws the runs in a folder of `fedtheory run` or `sweep` in
the same way.
"""

import json
import re
import sys
from pathlib import Path

import numpy as np

from fedtheory.measure.cost import WAITS, Cost, of_run, total
from fedtheory.schedules import measured
from fedtheory.show.cost import Panel, totals
from fedtheory.theory.dadpfl import efficiency as table

READINGS = {"round": "waits for whole rounds", "training": "waits for trainings alone"}
FIGURES = {"CIFAR10": "Figure 3, CIFAR10", "CIFAR100": "Figure 4, CIFAR100"}


PROBLEM = re.compile(r"m = (\d+) clients of (?:\d+ to )?(\d+).*d = (\d+)$")  # how the results of a run describe it


def of_folder(folder: Path, waits: str) -> Cost:
    """Time and energy of each round of one run, of its busiest node on the device of the paper."""
    run, trace = json.loads((folder / "run.json").read_text()), np.load(folder / "trace.npz")
    options, results = run["inputs"]["options"], run["results"]
    m, samples, d = map(int, PROBLEM.search(results["problem"]).groups())
    rounds = int(results["last"]["communications"])
    if run["inputs"]["every"] != 1:
        raise SystemExit(f"{folder} does not have every round; run it with --every 1")
    density = trace["density"][1:] if "density" in trace else np.ones(rounds)
    units = np.diff(trace["time"]) if "time" in trace else np.ones(rounds)
    return of_run(
        gradients=results["gradients"], transferred=results["bytes"], clients=options.get("S") or m, weights=d,
        samples=options.get("batch") or samples, density=density, units=units, per_use=4, waits=waits,
    )  # fmt: skip


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
            cost = of_folder(path.parent, reading)
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
