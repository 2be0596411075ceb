"""What methods with local steps draw and send: passes, graphs that come first, compressors."""

import numpy as np
import pytest
from algorithm_rows import PROBLEMS, WHOLE, M, play
from hypothesis import given, settings
from hypothesis import strategies as st

from fedtheory._arrays import to_host
from fedtheory.algorithms.beer import BEER
from fedtheory.algorithms.compression import KINDS, Compressor, largest_entries
from fedtheory.algorithms.dfedavgm import DFedAvgM
from fedtheory.algorithms.dfedsam import DFedSAM
from fedtheory.algorithms.gossipfl import GossipFL
from fedtheory.algorithms.local import Local
from fedtheory.graphs import Graph
from fedtheory.random import stream

# the draws


@pytest.mark.parametrize("batch", [1, 3, 4])
def test_a_pass_takes_every_sample_once(batch):
    """n_i // batch minibatches a pass of each client, no sample twice in a pass; those who have finished wait."""
    f = PROBLEMS["softmax"](WHOLE)
    local = Local(0.1, 2, passes=True, batch=batch)
    rows, active = local.draw(f, stream(0, 0, "draw"))
    steps = f.n // batch
    assert rows.shape == (2 * steps.max(), M, batch) and (active.sum(axis=0) == 2 * steps).all()
    assert (local.each(f) == 2 * steps).all()
    for i, n in enumerate(f.n):
        for half in np.split(np.arange(len(rows)), 2):
            seen = rows[half][active[half, i], i].reshape(-1)
            assert len(set(seen)) == len(seen) == n // batch * batch and seen.max() < n
    again = local.draw(f, stream(0, 0, "draw"))
    assert (again.rows == rows).all() and (local.draw(f, stream(0, 1, "draw")).rows != rows).any()


def test_every_order_of_a_pass_is_as_likely():
    """Four samples in minibatches of two: the first one is each of six pairs equally often."""
    f = PROBLEMS["softmax"](WHOLE[:1])
    local, count = Local(0.1, 1, passes=True, batch=2), np.zeros(16)
    for t in range(3000):
        count[sum(2 ** local.draw(f, stream(0, t, "draw")).rows[0, 0])] += 1
    assert (count > 0).sum() == 6 and np.abs(count[count > 0] - 500).max() <= 5 * np.sqrt(3000 / 6 * 5 / 6)


def test_passes_and_steps_differ_only_where_said():
    """Without minibatches a pass is a step, to the bit; with one minibatch as large as everybody's samples it is too."""
    f = PROBLEMS["logistic"](WHOLE)
    W = np.ones((M, f.d))
    ends = [
        play(alg, f, alg.init(f, W)).X
        for alg in (DFedAvgM(Local(0.1, 3, passes=p), Graph("ring")) for p in (True, False))
    ]
    assert (ends[0] == ends[1]).all()
    batches = [
        play(alg, f, alg.init(f, W)).X
        for alg in (DFedAvgM(Local(0.1, 3, passes=p, batch=2), Graph("ring")) for p in (True, False))
    ]
    assert np.abs(batches[0] - batches[1]).max() > 1e-3


def test_the_graph_is_drawn_first():
    """Methods of one seed have one graph, whatever their minibatches and compressors."""
    f = PROBLEMS["softmax"](WHOLE)
    g = Graph("groups", M=1)
    algs = [
        DFedAvgM(Local(0.1), g),
        DFedAvgM(Local(0.1, 3, batch=2), g, compressor=Compressor("random")),
        DFedSAM(Local(0.1, 2, batch=1, passes=True), g, rho=1.0),
        BEER(Local(0.1), g, gamma=0.1),
        GossipFL(Local(0.1), g, weights="metropolis"),
    ]
    for t in range(4):
        V = [alg.draw(f, stream(7, t, "draw")).V for alg in algs]
        assert all((v == V[0]).all() for v in V)


# compressors


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([k for k in KINDS if k != "none"]), st.integers(1, 12), st.integers(0, 2**32), st.floats(0.05, 1.0)
)
def test_compressors_are_contractions(kind, d, seed, ratio):
    """|C(x) - x|^2 <= (1 - k/d) |x|^2 for the largest entries, below |x|^2 for any; zero stays, and so does the sign."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((3, d)) * rng.integers(0, 2, (3, d))
    C = Compressor(kind, ratio)
    got = C.apply(X, C.draw(rng, 3, d))
    left, whole = ((got - X) ** 2).sum(axis=1), (X**2).sum(axis=1)
    assert (left <= (1 - C.kept(d) / d) * whole * (1 + 1e-12) if kind == "top" else left <= whole * (1 + 1e-12)).all()
    assert (got * X >= 0).all() and not C.apply(X * 0, C.draw(rng, 3, d)).any()
    if kind != "quantised":
        assert ((got == X) | (got == 0)).all() and (np.count_nonzero(got, axis=1) <= C.kept(d)).all()


def test_the_largest_entries_of_each_row(backend):
    """As many as asked for, of equal ones the first, a number of their own for each row; zero of them too."""
    _, xp, device = backend
    xp = xp or np
    A = np.array([[1.0, 2.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.0], [4.0, 3.0, 2.0, 1.0], [1.0, 1.0, 5.0, 1.0]])
    k = np.array([2, 3, 0, 4])
    want = [[0, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 0], [1, 1, 1, 1]]
    got = to_host(largest_entries(xp.asarray(A, device=device), k))
    assert got.astype(int).tolist() == want
