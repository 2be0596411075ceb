"""The table of methods with masks and their problems, and where they start."""

import numpy as np
from algorithm_rows import PROBLEMS, M

from fedtheory.algorithms.dadpfl import DADPFL
from fedtheory.algorithms.dispfl import DisPFL
from fedtheory.algorithms.feddst import FedDST
from fedtheory.algorithms.local import Local
from fedtheory.algorithms.masks import first_masks
from fedtheory.algorithms.pruning import Pruning
from fedtheory.algorithms.sparse import Masking
from fedtheory.graphs import Graph
from fedtheory.problem import layers_of
from problems.clients.quadratic import QuadraticClients
from problems.clients.softmax import SoftmaxClients


def biased(clients, **where):
    """Softmax clients of unequal size with five features and a bias, which masks keep."""
    rng = np.random.default_rng(2)
    data = [
        (np.concatenate([rng.standard_normal((n, 5)), np.ones((n, 1))], axis=1), np.arange(n) % 3)
        for n in (4, 9, 5, 7, 4)
    ]
    return SoftmaxClients([data[i] for i in clients], classes=3, l2=0.1, **where)


def wide(clients, **where):
    """Quadratics of twelve variables."""
    rng = np.random.default_rng(6)
    B, b = rng.standard_normal((M, 12, 12)), rng.standard_normal((M, 12))
    return QuadraticClients((B @ B.mT / 12 + 0.3 * np.eye(12))[clients], b[clients], **where)


def diagonal(h, c):
    """Quadratics with Hessian diag(h_i) and minimisers c_i."""
    return QuadraticClients(h[..., None] * np.eye(h.shape[1]), h * c)


ON = {"biased": biased, "wide": wide, "least squares": PROBLEMS["least squares"]}
OFTEN = {
    "delta_pr": 2.0,
    "eta_c": 0.2,
    "target": 0.9,
}  # everybody votes in the first round; prunes in all from the second
MASKS = Masking(0.6, alpha=0.4, T=7)


def rich(E=3, **options):
    """Local steps with everything, of a size that fits all three problems."""
    return Local(0.15, E, **{"batch": 3, "momentum": 0.5, "weight_decay": 0.05, "decay": 0.8, **options})


def graph(c, **options):
    """A random graph of M = 3 neighbours; for one client one without."""
    return Graph("full") if len(c) == 1 else Graph("random", M=3, **options)


def da(c, pruning=OFTEN, **options):
    """DA-DPFL that prunes often."""
    return DADPFL(options.pop("local", rich()), options.pop("graph", graph(c)), masking=MASKS, **options,
                  pruning=None if pruning is None else Pruning(**{**OFTEN, **pruning}))  # fmt: skip


ROWS = {
    "dispfl": lambda c: DisPFL(rich(), graph(c), masking=MASKS),
    "dispfl, passes, uniform": lambda c: DisPFL(rich(2, passes=True), graph(c), masking=Masking(0.4, first="uniform", T=3)),
    "dispfl, ring, full gradients": lambda c: DisPFL(Local(0.1, 2), Graph("full" if len(c) == 1 else "ring"), masking=MASKS),
    "feddst": lambda c: FedDST(rich(), masking=MASKS, interval=2, S=min(3, len(c))),
    "feddst, equal weights, at the end": lambda c: FedDST(rich(2), masking=MASKS, interval=1, before=2, alpha=1),
    "feddst, passes": lambda c: FedDST(rich(3, passes=True), masking=MASKS, interval=1, before=1, S=min(2, len(c))),
    "dadpfl": lambda c: da(c),
    "dadpfl, no further": lambda c: da(c, None, N=None if len(c) == 1 else 2),
    "dadpfl, nobody waits": lambda c: da(c, N=0),
    "dadpfl, full, all wait": lambda c: da(c, graph=Graph("full")),
    "dadpfl, lowest": lambda c: da(c, N=min(1, len(c) - 1), rule="lowest"),
    "dadpfl, random": lambda c: da(c, N=min(2, len(c) - 1), rule="random"),
    "dadpfl, indices of ones own": lambda c: da(c, N=0, indices="own"),
    "dadpfl, out of its mean": lambda c: da(c, mean="out"),
    "dadpfl, carried": lambda c: da(c, carry="printed"),
    "dadpfl, passes": lambda c: da(c, local=rich(1, passes=True)),
    "dadpfl, plain delta, few votes": lambda c: da(c, {"delta": "plain", "delta_pr": 0.4, "delta_v": 0.3}),
    "dadpfl, vote below": lambda c: da(c, {"vote": "below", "delta_pr": 0.01}),
    "dadpfl, coded intervals": lambda c: da(c, {"intervals": "coded", "b": 1.5, "c": 1.6}),
    "dadpfl, printed exponent": lambda c: da(c, {"exponent": "printed"}),
    "dadpfl, derived bound": lambda c: da(c, {"bound": "derived", "p": 1.0, "q": 2.0}),
    "dadpfl, share kept": lambda c: da(c, {"share": "kept", "target": 0.55}),
    "dadpfl, as printed": lambda c: da(c, {"vote": "below", "exponent": "printed", "share": "kept", "eta_c": 1.0}, N=0,
                                       indices="own", carry="printed"),
}  # fmt: skip
DADPFLS = [row for row in ROWS if row.startswith("dadpfl")]


def begin(alg, f):
    """A first state with models and masks that differ between clients."""
    rng = np.random.default_rng(3)
    count = 1 if isinstance(alg, FedDST) else f.m
    W = f.xp.asarray(rng.standard_normal((count, f.d)) / 2, device=f.device)
    masks = first_masks(np.arange(count) + 5, layers_of(f), alg.masking.counts(f))
    return alg.init(f, W, f.xp.asarray(masks, device=f.device))
