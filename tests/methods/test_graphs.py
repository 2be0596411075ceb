"""Graphs, mixing matrices and `mix`: what they are, what they keep, what they refuse."""

from fractions import Fraction

import numpy as np
import pytest
from algorithm_rows import close

from fedtheory._arrays import to_host
from fedtheory.algorithms.mixing import SPARSE, graph_of, matrix, mix, require_mixing, sent
from fedtheory.errors import UsageError
from fedtheory.graphs import Graph, edges, named, of_name
from fedtheory.random import stream


def drawn(graph, m, t=0):
    """The graph of a round."""
    return graph.draw(stream(3, t, "draw"), m)


class Clients:
    """So many clients."""

    def __init__(self, m):
        self.m = m


@pytest.mark.parametrize(("m", "M"), [(2, 1), (7, 3), (12, 10), (12, 11)])
def test_random_neighbourhoods_are_uniform_subsets(m, M):
    """Everybody hears exactly M others, and every pair is as frequent as any."""
    graphs = np.array([drawn(Graph("random", M=M), m, t) for t in range(600)])
    assert (graphs.sum(axis=2) == M).all() and not graphs[:, np.arange(m), np.arange(m)].any()
    p = M / (m - 1)
    off = graphs.mean(axis=0)[~np.eye(m, dtype=bool)]
    assert np.abs(off - p).max() <= 5 * np.sqrt(p * (1 - p) / 600)
    assert (drawn(Graph("random", M=M), m) == graphs[0]).all()


def test_groups_are_a_division_that_changes():
    """M + 1 clients who hear each other, one smaller group where it does not divide, another division each round."""
    for m, M, sizes in ((6, 1, [2, 2, 2]), (7, 1, [1, 2, 2, 2]), (10, 3, [2, 4, 4])):
        hears = drawn(Graph("groups", M=M), m)
        groups = {tuple(np.flatnonzero(row)) for row in hears | np.eye(m, dtype=bool)}
        assert sorted(map(len, groups)) == sizes and (hears == hears.T).all()
    assert (drawn(Graph("groups", M=3), 12) != drawn(Graph("groups", M=3), 12, 1)).any()
    once = Graph("groups", M=3, redraw=False)
    assert (drawn(once, 12) == drawn(once, 12, 1)).all()
    assert (drawn(once, 12) != drawn(Graph("groups", M=3, redraw=False, seed=1), 12)).any()


def test_rings_and_full_graphs():
    """M nearest, half to each side; redrawn the clients change places; a ring of M = m - 1 is the full graph."""
    ring = drawn(Graph("ring", M=4), 9)
    assert (np.flatnonzero(ring[0]) == [1, 2, 7, 8]).all() and (ring.sum(axis=0) == 4).all()
    moved = drawn(Graph("ring", M=4, redraw=True), 9)
    assert (moved != ring).any() and (moved == moved.T).all() and (moved.sum(axis=0) == 4).all()
    assert (drawn(Graph("ring", M=4), 5) == drawn(Graph("full"), 5)).all()
    for m in (1, 2, 3):
        assert drawn(Graph("ring"), m).sum() == min(m - 1, 2) * m == drawn(Graph("full"), m).sum()
    assert not drawn(Graph("random"), 1).any() and not drawn(Graph("groups"), 1).any()


def test_a_graph_of_the_user(tmp_path):
    """Pairs, a graph of networkx and a file are the same; one way and both ways; who sends is heard."""

    class Like:
        def __init__(self, directed):
            self.directed = directed

        def is_directed(self):
            return self.directed

        def edges(self):
            return [(0, 1), (2, 1)]

    both = edges([(0, 1), (2, 1)])
    assert both == edges(Like(False)) and edges([(0, 1), (2, 1)], directed=True) == edges(Like(True))
    one = drawn(edges(Like(True)), 3)
    assert one[1, 0] and one[1, 2] and one.sum() == 2
    file = tmp_path / "path.txt"
    file.write_text("# who hears whom\n0 1\n1,2  # both\n\n0 > 2\n")
    value = named(str(file))
    assert value == "path.txt: 0-1 1-2 0>2"
    hears = drawn(of_name(value), 4)
    assert hears.astype(int).tolist() == [[0, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    nx = pytest.importorskip("networkx")
    assert edges(nx.path_graph(4)) == edges([(0, 1), (1, 2), (2, 3)])


@pytest.mark.parametrize(
    "graph",
    [
        Graph("groups", M=2),
        Graph("ring", M=2),
        Graph("ring", redraw=True),
        Graph("full"),
        edges([(0, 1), (1, 2), (1, 3), (4, 0)]),
    ],
)
def test_metropolis_weights_keep_the_mean(graph):
    """Symmetric, doubly stochastic, positive on the neighbourhood and zero elsewhere; mixing keeps the mean."""
    hears = drawn(graph, 7)
    V = matrix(hears, "metropolis")
    assert (V == V.T).all() and close(V.sum(axis=0), np.ones(7), 1e-15)
    assert ((V > 0) == (hears | np.eye(7, dtype=bool))).all()
    X = np.random.default_rng(0).standard_normal((7, 5))
    assert close(mix(V, X).mean(axis=0), X.mean(axis=0), 1e-15)


def test_uniform_weights():
    """1/(M_i + 1) each; they keep the mean where everybody has as many neighbours both ways, else not."""
    hears = drawn(Graph("random", M=3), 9)
    V = matrix(hears)
    assert close(V, np.where(hears | np.eye(9, dtype=bool), 1 / 4, 0)) and close(V.sum(axis=1), np.ones(9))
    X = np.random.default_rng(0).standard_normal((9, 5))
    assert not close(mix(V, X).mean(axis=0), X.mean(axis=0), 1e-3)
    assert close(mix(matrix(drawn(Graph("ring"), 9)), X).mean(axis=0), X.mean(axis=0), 1e-15)


@pytest.mark.parametrize("m", [5, 4 * SPARSE])
def test_mix_is_the_sum_over_neighbours(m, backend):
    """Dense and sparse ways, with masks and without, against loops, on every backend."""
    _, xp, device = backend
    xp = xp or np
    rng = np.random.default_rng(1)
    X, masks = rng.standard_normal((m, 6)), rng.random((m, 6)) < 0.4
    V = matrix(drawn(Graph("random", M=2), m))
    want, averaged = np.zeros((m, 6)), np.zeros((m, 6))
    for i in range(m):
        for c in range(6):
            own = [j for j in range(m) if V[i, j]]
            want[i, c] = sum(V[i, j] * X[j, c] for j in own)
            kept = [X[j, c] for j in own if masks[j, c]]
            averaged[i, c] = np.mean(kept) if kept else 0.0
    on, of = xp.asarray(X, device=device), xp.asarray(masks, device=device)
    assert close(to_host(mix(V, on)), want, 1e-14)
    got = to_host(mix((V > 0) * 1.0, on, of))
    assert close(got, averaged, 1e-14) and (averaged == 0).any() and not got[averaged == 0].any()
    assert close(to_host(mix(V[:2], on, of)), averaged[:2], 1e-14)


def test_mix_in_exact_numbers():
    """Fractions stay exact: one third each of 1, 0 and 0."""
    V = np.full((3, 3), Fraction(1, 3), dtype=object)
    X = np.array([[Fraction(1)], [Fraction(0)], [Fraction(0)]], dtype=object)
    assert mix(V, X)[0, 0] == Fraction(1, 3)


def test_what_a_client_sends_and_receives():
    """On a ring two each way; the hub of a star as often as it has leaves."""
    assert (sent(matrix(drawn(Graph("ring"), 6))) == 4).all()
    assert sent(matrix(drawn(edges([(0, 1), (2, 0)], directed=True), 3))).tolist() == [2, 1, 1]


BAD = [
    (lambda: Graph("star"), r"Graph\(kind=...\) must be one of random, groups, ring, full, pairs, got 'star'"),
    (lambda: Graph("full", M=3), r"Graph\(M=...\) goes with random, groups, ring, got 3 with 'full'"),
    (lambda: Graph("random", M=0), r"Graph\(M=...\) must be an integer of at least 1, got 0"),
    (lambda: Graph("ring", M=3), r"Graph\(M=...\) of a ring must be even, half of them to each side, got 3"),
    (lambda: Graph("ring", redraw=1), r"Graph\(redraw=...\) must be True or False, got 1"),
    (lambda: Graph("random", seed=-1), r"Graph\(seed=...\) must be an integer of at least 0, got -1"),
    (lambda: Graph("ring", pairs=((0, 1),)), r"Graph\(pairs=...\) goes with 'pairs' and with no other, got 'ring'"),
    (lambda: edges([(0, 0)]), r"Graph\(pairs=...\) must join different clients, got \(0, 0\)"),
    (lambda: edges([(0, -1)]), r"Graph\(pairs=...\) must hold pairs of clients, counted from 0, got \(0, -1\)"),
    (lambda: edges([(0, 1, 2)]), r"Graph\(pairs=...\) must hold pairs of clients, counted from 0, got \(0, 1, 2\)"),
    (lambda: edges(3), r"edges\(graph\) must be pairs of clients or a graph of networkx, got 3"),
    (lambda: edges([]), r"Graph\(pairs=...\) goes with 'pairs'"),
    (lambda: drawn(Graph("random", M=5), 5), r"must have M below the number of clients, M <= 4, got M = 5"),
    (lambda: drawn(edges([(0, 5)]), 5), r"must join clients 0 to 4, got client 5"),
    (lambda: named("rign"), r"--graph must be one of random, groups, ring, full, or a file .*, got 'rign'; did you mean ring\?"),
    (
        lambda: require_mixing("X", Clients(5), Graph("random", M=2), "uniform", symmetric=True),
        r"X needs a symmetric doubly stochastic mixing matrix, and that of a random graph, .*; take groups, ring, full or pairs",
    ),
    (
        lambda: require_mixing("X", Clients(3), edges([(0, 1)], directed=True), "uniform", symmetric=True),
        r"X needs a symmetric doubly stochastic mixing matrix, and that of a file of directed pairs, is none",
    ),
    (
        lambda: require_mixing("X", Clients(3), edges([(0, 1), (1, 2)]), "uniform", symmetric=True),
        r"X needs .*, and uniform weights give none where clients have different numbers of neighbours; take metropolis",
    ),
    (
        lambda: require_mixing("X", Clients(5), Graph("random", M=2), "metropolis"),
        r"X\(weights='metropolis'\) needs clients that hear each other; take weights='uniform'",
    ),
    (
        lambda: graph_of({"graph": "ring", "M": 3, "redraw": None, "graph-seed": None}, 5),
        r"--M of --graph ring must be even, half of them to each side, got 3",
    ),
    (
        lambda: graph_of({"graph": "random", "M": 3, "redraw": None, "graph-seed": 2}, 5),
        r"--graph-seed goes with --graph random or groups and --redraw once, got --graph random",
    ),
    (
        lambda: graph_of({"graph": "full", "M": 2, "redraw": None, "graph-seed": None}, 5),
        r"--M goes with --graph random, groups or ring, got --graph full",
    ),
    (
        lambda: graph_of({"graph": "random", "M": 7, "redraw": None, "graph-seed": None}, 5),
        r"--graph random must have M below the number of clients, M <= 4, got M = 7",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("make", "message"), BAD, ids=[f"{k}" for k in range(len(BAD))])
def test_refused(make, message):
    """The argument, the rule and the value."""
    with pytest.raises(UsageError, match=message):
        make()


@pytest.mark.parametrize("text", ["0 1 2", "a b", "0 0", "0 < 1", "1"])
def test_a_file_with_other_lines_is_refused(text, tmp_path):
    """With the number of the line; an empty file too."""
    file = tmp_path / "g.txt"
    file.write_text(f"0 1\n{text}\n")
    with pytest.raises(UsageError, match="line 2: must be two clients such as 0 1 or 0 > 1"):
        named(str(file))
    file.write_text("# none\n")
    with pytest.raises(UsageError, match="has no pair of clients"):
        named(str(file))


def test_a_doubly_stochastic_matrix_is_not_refused():
    """Of groups, rings, full graphs, a random graph of everybody, and metropolis weights of any pairs."""
    for graph in (Graph("groups", M=2), Graph("ring"), Graph("full"), Graph("random", M=6)):
        require_mixing("X", Clients(7), graph, "uniform", symmetric=True)
    require_mixing("X", Clients(3), edges([(0, 1), (1, 2)]), "metropolis", symmetric=True)
