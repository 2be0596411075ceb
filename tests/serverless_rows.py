"""The table of methods without a server, and of Ditto, and what their tests share."""

from types import SimpleNamespace

import numpy as np
from algorithm_rows import PROBLEMS

from fedtheory.algorithms.beer import BEER
from fedtheory.algorithms.compression import Compressor
from fedtheory.algorithms.dfedavgm import DFedAvgM
from fedtheory.algorithms.dfedsam import DFedSAM
from fedtheory.algorithms.ditto import Ditto
from fedtheory.algorithms.gossipfl import GossipFL
from fedtheory.algorithms.local import Local
from fedtheory.graphs import Graph, edges


def graph(kind, c, **options):
    """A graph of the clients; for one client one without neighbours."""
    if len(c) == 1:
        return Graph("full")
    return edges([(0, 1), (1, 2), (1, 3), (3, 4)]) if kind == "tree" else Graph(kind, **options)


def rich(L, E=3, **options):
    """Local steps with everything."""
    return Local(0.3 / L, E, **{"batch": 3, "momentum": 0.7, "weight_decay": 0.05, "decay": 0.8, **options})


ROWS = {
    "dfedavgm": lambda L, c: DFedAvgM(rich(L), graph("ring", c)),
    "dfedavgm, full gradients": lambda L, c: DFedAvgM(Local(0.2 / L, 2, momentum=0.9), graph("tree", c)),
    "dfedavgm, top": lambda L, c: DFedAvgM(rich(L), graph("full", c), compressor=Compressor("top")),
    "dfedavgm, random": lambda L, c: DFedAvgM(rich(L), graph("ring", c, redraw=True), compressor=Compressor("random")),
    "dfedavgm, quantised": lambda L, c: DFedAvgM(rich(L), graph("groups", c), compressor=Compressor("quantised", 1 / 16)),
    "dfedsam": lambda L, c: DFedSAM(rich(L), graph("ring", c), rho=0.1),
    "dfedsam, tree": lambda L, c: DFedSAM(rich(L, 2, batch=None), graph("tree", c), rho=0.5),
    "gossipfl": lambda L, c: GossipFL(rich(L), graph("groups", c)),
    "gossipfl, random graph": lambda L, c: GossipFL(rich(L, momentum=0), graph("random", c, M=2 if len(c) > 1 else None), keep=0.3),
    "beer": lambda L, c: BEER(Local(0.1 / L, batch=3, weight_decay=0.05, decay=0.9), graph("ring", c), gamma=0.3),
    "beer, full gradients": lambda L, c: BEER(Local(0.1 / L), graph("tree", c), gamma=0.2),
    "beer, random": lambda L, c: BEER(Local(0.1 / L), graph("full", c), gamma=0.2, compressor=Compressor("random", 0.7)),
    "beer, quantised": lambda L, c: BEER(Local(0.1 / L), graph("groups", c), gamma=0.2, compressor=Compressor("quantised", 1 / 16)),
    "ditto": lambda L, c: Ditto(rich(L), 2, lam=L, S=min(3, len(c))),
    "ditto, equal weights": lambda L, c: Ditto(rich(L, 1, momentum=0), 3, lam=0.1 * L, alpha=1),
}  # fmt: skip
PASSES = {
    "dfedavgm, passes": lambda L, c: DFedAvgM(rich(L, 2, passes=True), graph("ring", c)),
    "gossipfl, passes": lambda L, c: GossipFL(rich(L, 1, passes=True), graph("groups", c)),
    "ditto, passes": lambda L, c: Ditto(rich(L, 2, passes=True), 1, lam=L, S=min(2, len(c))),
}
SAMPLES = ("least squares", "logistic", "softmax")  # problems whose clients have samples of unequal number
CASES = [(r, n) for r in ROWS for n in PROBLEMS] + [(r, n) for r in PASSES for n in SAMPLES]


def begin(alg, f):
    """A first state with models that differ between clients."""
    rng = np.random.default_rng(3)
    w, W = (f.xp.asarray(rng.standard_normal((size, f.d)) / 2, device=f.device) for size in (1, f.m))
    return alg.init(f, w, W) if isinstance(alg, Ditto) else alg.init(f, W)


def unstacked(state):
    """A state with a list of vectors for every stack, a vector for that of a server."""
    out = SimpleNamespace(**state._asdict())
    for name, value in vars(out).items():
        if isinstance(value, np.ndarray) and name != "load":
            setattr(out, name, np.array(value[0]) if name == "w" else [np.array(v) for v in value])
    return out
