"""Where the methods of DA-DPFL's comparison end: `python converge.py [PICTURE.svg] [--small]`.

Ten strongly convex quadratic clients with minimisers of their own, from zero, full gradients, one step a round. Drawn is f, the
mean of all clients, less its minimum:

- at the mean model (the server's, where there is one), on the full graph with a constant step, where a round is one of gradient
  descent;
- at the worst of the clients' models, on a ring, or where clients wait, with a constant step (thin lines) and one that decays by
  0.999 a round: a constant one leaves a bias of its own size, but for BEER, which tracks the gradient;
- with masks, less the minimum over the weights that are kept: one mask for all, at the mean model with a constant step and at the
  worst model with a decaying one; and masks that DA-DPFL draws and prunes itself, on clients with one minimiser and separate
  weights, at the worst model, less the minimum inside of its own mask of that round.
"""

import sys

import numpy as np

from fedtheory.algorithms.beer import BEER
from fedtheory.algorithms.dadpfl import DADPFL
from fedtheory.algorithms.dfedavgm import DFedAvgM
from fedtheory.algorithms.dfedsam import DFedSAM
from fedtheory.algorithms.dispfl import DisPFL
from fedtheory.algorithms.ditto import Ditto
from fedtheory.algorithms.fedavg import FedAvg
from fedtheory.algorithms.feddst import FedDST
from fedtheory.algorithms.gossipfl import GossipFL
from fedtheory.algorithms.local import Local
from fedtheory.algorithms.pruning import Pruning
from fedtheory.algorithms.sparse import Masking
from fedtheory.graphs import Graph
from fedtheory.random import stream
from fedtheory.show.plots import PALETTE, SVG, save
from problems.clients.quadratic import QuadraticClients

K, d, ROUNDS, SMALL, DECAY = 10, 8, 8000, 1500, 0.999
MASK = np.arange(d) % 3 != 2  # six of eight weights
DENSE, KEPT = Masking(1, T=1), Masking(6 / 8, T=1)  # T = 1: masks stay as they are
FULL, RING = Graph("full"), Graph("ring")


def clients():
    """Curvatures between about 0.5 and 3."""
    rng = stream(4, 0, "clients")
    B, b = rng.standard_normal((K, d, d)), rng.standard_normal((K, d))
    return QuadraticClients(B @ B.mT / d + 0.5 * np.eye(d), b)


def separate():
    """Clients with one minimiser and a curvature of its own for every weight."""
    rng = stream(5, 0, "clients")
    a, c = rng.uniform(0.5, 1, (K, d)), rng.standard_normal((1, d)) * 3
    return QuadraticClients(a[:, :, None] * np.eye(d), a * c)


def least(f, mask):
    """The minimiser (r, d) of the mean f inside of masks (r, d)."""
    A, b, w = f.A.mean(axis=0), f.b.mean(axis=0), np.zeros(mask.shape)
    for own, kept in zip(w, mask, strict=True):
        own[kept] = np.linalg.solve(A[np.ix_(kept, kept)], b[kept])
    return w


def gaps(f, method, state, rounds, mean):
    """(rounds + 1,) f at the mean of the models, or the largest at one of them, less the minimum inside of its mask."""
    A = f.A.mean(axis=0)
    found, mask, w = [], np.ones((1, d), dtype=bool), None
    for t in range(rounds + 1):
        X = state.X if hasattr(state, "X") else state.w
        X = X.mean(axis=0, keepdims=True) if mean else X
        new = getattr(state, "mask", None)
        if w is None or (new is not None and not np.array_equal(new, mask)):
            mask = mask if new is None else new
            w = least(f, mask[: len(X)])
        away = X - w  # inside of the mask, where the gradient at w is 0
        found.append(((away @ A) * away).sum(axis=-1).max() / 2)
        if t < rounds:
            state = method.step(f, state, method.draw(f, stream(0, t, "draw")))
    return np.array(found)


def panels(rounds):
    """``{title: [(label, gaps, whether thin)]}``."""
    f = clients()
    eta = 1 / f.constants().L
    step, tracked = Local(eta), Local(0.1 * eta)
    falling = [(Local(0.5 * eta, decay=DECAY), False), (Local(0.5 * eta), True)]

    def run(label, method, thin=False, on=f, mean=False, **start):
        return label, gaps(on, method, method.init(on, **start), rounds, mean), thin

    masks = np.repeat(MASK[None], K, axis=0)
    own, pruned = separate(), Pruning(delta_pr=0.5, eta_c=0.2, target=0.5)
    return {
        "full graph, constant step": [
            run("FedAvg", FedAvg(eta, 1, alpha=1)),
            run("Ditto, its server", Ditto(step, 1, lam=1.0, alpha=1)),
            run("DFedAvgM", DFedAvgM(Local(eta, momentum=0.9), FULL)),
            run("DFedSAM, rho = 1e-6", DFedSAM(step, FULL, rho=1e-6)),
            run("BEER", BEER(tracked, FULL, gamma=0.3)),
            run("DisPFL, dense", DisPFL(step, FULL, masking=DENSE), mean=True),
            run("DA-DPFL, dense, N = 0", DADPFL(step, FULL, N=0, masking=DENSE, pruning=None), mean=True),
        ],
        "ring, or waiting: decaying step (thin: constant)": [
            *(run("GossipFL, ring", GossipFL(local, RING), thin) for local, thin in falling),
            *(run("DFedAvgM, ring", DFedAvgM(local, RING), thin) for local, thin in falling),
            *(run("DFedSAM, ring", DFedSAM(local, RING, rho=1e-6), thin) for local, thin in falling),
            run("BEER, ring, constant", BEER(tracked, RING, gamma=0.3)),
            *(
                run("DA-DPFL, full, N = 5", DADPFL(local, FULL, N=5, masking=DENSE, pruning=None), thin)
                for local, thin in falling
            ),
        ],
        "masks: from the masked minimum": [
            run("FedDST", FedDST(step, masking=KEPT, interval=rounds + 1, alpha=1), mask0=MASK[None]),
            run("DisPFL, full", DisPFL(step, FULL, masking=KEPT), mean=True, masks0=masks),
            run("DA-DPFL, full, N = 0", DADPFL(step, FULL, N=0, masking=KEPT, pruning=None), mean=True, masks0=masks),
            *(
                run("DA-DPFL, full, N = 5", DADPFL(local, FULL, N=5, masking=KEPT, pruning=None), thin, masks0=masks)
                for local, thin in falling
            ),
            run(
                "DA-DPFL, ring, pruned",
                DADPFL(Local(0.5, 2), RING, masking=Masking(0.8, T=30), pruning=pruned),
                on=own,
            ),
        ],
    }  # fmt: skip


def draw(found, path):
    """A panel a setting; what is below rounding is not drawn."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    styles = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))
    with plt.rc_context({**SVG, "font.size": 8, "axes.spines.top": False, "axes.spines.right": False}):
        fig, axes = plt.subplots(1, len(found), figsize=(11.0, 3.8), sharey=True, layout="constrained")
        for ax, (title, curves) in zip(axes, found.items(), strict=True):
            names = list(dict.fromkeys(label for label, _, _ in curves))
            for label, y, thin in curves:
                k = names.index(label)
                at = np.unique(np.geomspace(1, len(y), 160).astype(int)) - 1  # enough for a picture
                ax.plot(
                    at, np.maximum(y[at], 1e-16), color=PALETTE[k % len(PALETTE)], linestyle=styles[k],
                    linewidth=0.7 if thin else 1.4, label="" if thin else label, alpha=0.6 if thin else 1,
                )  # fmt: skip
            ax.set(xscale="symlog", yscale="log", xlim=(0, None), xlabel="rounds", ylim=(1e-16, 200))
            ax.set_title(title, fontsize=8)
            ax.legend(fontsize=6.5, frameon=False, loc="lower left")
        axes[0].set_ylabel("f less its minimum")
        fig.suptitle(f"Ten strongly convex clients, d = {d}", fontsize=9, x=0.01, ha="left")
        save(fig, path)
    plt.close(fig)


def main(picture="", small=""):
    """Print a line a curve: the gap at the start and at the end."""
    rounds = SMALL if small else ROUNDS
    found = panels(rounds)
    for title, curves in found.items():
        for label, y, thin in curves:
            print(f"{title.split(':')[0]:27} {label + (', constant' if thin else ''):35} {y[0]:8.3g} -> {y[-1]:.2g}")
    if picture:
        draw(found, picture)


if __name__ == "__main__":
    words = [w for w in sys.argv[1:] if w != "--small"]
    main(*words[:1] or [""], small="--small" if "--small" in sys.argv else "")
