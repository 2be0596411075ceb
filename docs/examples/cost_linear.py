"""What a round of DA-DPFL costs against K, M and d: `python cost_linear.py [PICTURE.svg] [--small]`.

Softmax of ten classes on normal samples, five steps of minibatches of 20, nobody waits (N = 0): the processor time of a round, the
least of several, and the bytes of the busiest node, its mean. One of the three numbers varies, the others stay. A line is fitted to
the points; what it misses is the largest distance of a point from it, in shares of the largest point.
"""

import sys
import time

import numpy as np

from fedtheory.algorithms.dadpfl import DADPFL
from fedtheory.algorithms.local import Local
from fedtheory.graphs import Graph
from fedtheory.random import stream
from fedtheory.show.plots import LEVEL, PALETTE, SVG, save
from problems.clients.softmax import SoftmaxClients

CLASSES, SAMPLES, BATCH = 10, 40, 20
BASE = {"K": 100, "M": 10, "d": 5000}
AXES = {"K": (50, 100, 200, 300, 400), "M": (5, 10, 20, 40, 80), "d": (2000, 5000, 10_000, 15_000, 20_000)}
SMALL = {"K": (10, 20, 40), "M": (2, 4, 8), "d": (100, 200, 400)}
WHAT = {"K": "clients K", "M": "neighbours M", "d": "parameters d"}


def cost(K, M, d, rounds):
    """Milliseconds of processor time of the fastest round, and the mean megabytes of the busiest node in a round."""
    rng = stream(0, K, "samples")
    clients = [(rng.standard_normal((SAMPLES, d // CLASSES)), rng.integers(0, CLASSES, SAMPLES)) for _ in range(K)]
    problem = SoftmaxClients(clients, classes=CLASSES)
    method = DADPFL(Local(0.1, 5, batch=BATCH), Graph("random", M=M), N=0)
    state, taken = method.init(problem), []
    for t in range(rounds + 1):
        began = time.process_time()
        state = method.step(problem, state, method.draw(problem, stream(0, t, "draw")))
        taken.append(time.process_time() - began)
    return 1e3 * min(taken[1:]), state.load.max() / (rounds + 1) / 1e6  # the first round draws the masks


def measured(axes, base, rounds):
    """The cost along every axis: ``{name: (values, milliseconds, megabytes)}``."""
    found = {}
    for name, values in axes.items():
        points = [cost(**{**base, name: value}, rounds=rounds) for value in values]
        found[name] = np.array(values), *(np.array(column) for column in zip(*points, strict=True))
    return found


def line(x, y):
    """(slope, intercept, largest distance from the line as a share of the largest point)."""
    slope, at_zero = np.polyfit(x, y, 1)
    return slope, at_zero, float(np.max(np.abs(y - slope * x - at_zero)) / np.max(y))


def draw(found, base, path):
    """A column of panels a number, time above bytes, each with its line."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    with plt.rc_context({**SVG, "font.size": 8, "axes.spines.top": False, "axes.spines.right": False}):
        fig, axes = plt.subplots(2, len(found), figsize=(9.6, 5.2), layout="constrained")
        for column, (name, (x, *costs)) in zip(axes.T, found.items(), strict=True):
            others = ", ".join(f"{k} = {v:,}" for k, v in base.items() if k != name)
            for k, (ax, y, unit) in enumerate(zip(column, costs, ("ms", "MB"), strict=True)):
                slope, at_zero, off = line(x, y)
                ends = np.array([0, x[-1]])
                label = f"line, off by {100 * off:.1f} % at most"
                ax.plot(ends, slope * ends + at_zero, color=LEVEL, linewidth=1.0, label=label)
                ax.plot(x, y, "o", color=PALETTE[k], markersize=4, label="measured")
                ax.set(xlabel=WHAT[name], ylim=(0, 1.15 * y.max()), xlim=(0, None))
                ax.set_ylabel(f"{('processor time', 'bytes of the busiest node')[k]} [{unit}]")
                ax.legend(fontsize=7, frameon=False, loc="lower right")
            column[0].set_title(others, fontsize=8)
        fig.suptitle("A round of DA-DPFL: softmax, N = 0, five steps of 20 samples", fontsize=9, x=0.01, ha="left")
        save(fig, path)
    plt.close(fig)


def main(picture="", small=""):
    """Print a line an axis, and draw."""
    base = {"K": 20, "M": 4, "d": 200} if small else BASE
    found = measured(SMALL if small else AXES, base, 2 if small else 6)
    for name, (x, milliseconds, megabytes) in found.items():
        for what, y, unit in (("time", milliseconds, "ms"), ("bytes", megabytes, "MB")):
            slope, at_zero, off = line(x, y)
            values = ", ".join(f"{v:.3g}" for v in y)
            print(
                f"{WHAT[name]:13} {what:6} {values} {unit}: {at_zero:.3g} + {slope:.3g} {name}, off by {100 * off:.1f} %"
            )
    if picture:
        draw(found, base, picture)


if __name__ == "__main__":
    words = [w for w in sys.argv[1:] if w != "--small"]
    main(*words[:1] or [""], small="--small" if "--small" in sys.argv else "")
