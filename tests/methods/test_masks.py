"""Layers of problems; masks by layers; the PQ index; pruning times."""

import math

import array_api_strict
import numpy as np
import pytest
from algorithm_rows import PROBLEMS, WHOLE
from hypothesis import given
from hypothesis import strategies as st

from fedtheory._arrays import to_host
from fedtheory.algorithms import masks, pruning
from fedtheory.problem import Layer, layers_of
from problems.build import build
from problems.clients.softmax import SoftmaxClients

TWO = (
    Layer("a", np.array([0, 2, 3, 5, 6, 7]), (2, 3)),
    Layer("b", slice(1, 5, 3), (2,), prunable=False),
)  # of 8 coordinates
WIDE = (
    Layer("a", slice(0, 60), (6, 10)),
    Layer("b", slice(60, 68), (2, 4)),
    Layer("c", slice(68, 70), (2,), prunable=False),
)

# layers


@pytest.mark.parametrize("name", PROBLEMS)
def test_layers_divide_the_coordinates(name):
    """Every coordinate is in one layer, whose shape has as many."""
    f = PROBLEMS[name](WHOLE)
    found = layers_of(f)
    assert sorted(np.concatenate([np.arange(f.d)[layer.where] for layer in found]).tolist()) == list(range(f.d))
    assert all(np.arange(f.d)[layer.where].size == layer.size for layer in found)


def test_softmax_has_a_matrix_and_a_bias():
    """A feature that is 1 in every sample multiplies the biases, which masks keep; gradients agree with the places."""
    f = build("digits", m=5, bias=True).problem
    weight, bias = f.layers
    assert (weight.shape, bias.shape, weight.prunable, bias.prunable) == ((10, 64), (10,), True, False)
    W = np.zeros((1, f.d))
    W[0, bias.where] = np.arange(10.0)
    b = np.arange(10.0) - np.log(np.exp(np.arange(10.0)).sum())
    y = [f.store.y[s : s + n] for s, n in zip(f.store.start, f.store.n, strict=True)]
    assert np.allclose(f.value(W), [-b[labels].mean() for labels in y])


def test_without_such_a_feature_there_is_one_matrix():
    """No bias, no second layer; padding and other clients' features have no say."""
    assert [layer.shape for layer in build("digits", m=5).problem.layers] == [(10, 64)]
    clients = [(np.array([[1.0, 2.0], [1.0, 3.0]]), np.array([0, 1])), (np.array([[1.0, 1.0]]), np.array([0]))]
    f = SoftmaxClients(clients, classes=2)
    assert [layer.name for layer in f.layers] == ["weight", "bias"] and f.layers[1].where == slice(0, 4, 2)
    clients[1] = (np.array([[0.5, 1.0]]), np.array([0]))
    assert [layer.name for layer in SoftmaxClients(clients, classes=2).layers] == ["weight"]


def test_one_weight_per_feature():
    """Models of one score have a matrix of one row."""
    f = build("breast-cancer", m=4, bias=True).problem
    assert [(layer.shape, layer.where) for layer in f.layers] == [((1, 30), slice(0, 30)), ((1,), slice(30, 31, 31))]


def test_minibatches_and_subsets_have_the_layers_of_their_own_samples():
    """The layers of a problem do not depend on what was asked before."""
    f = build("digits", m=5, bias=True).problem
    assert f.subset(np.array([1, 2])).layers[1].where == f.layers[1].where
    assert len(f.minibatch(np.zeros((5, 2), dtype=int)).layers) == 2


# first masks


@given(density=st.floats(0.02, 1.0), kind=st.sampled_from(masks.FIRST))
def test_densities_meet_the_budget(density, kind):
    """The prunable layers keep the density together; no layer keeps more than all of it."""
    shares = masks.densities(WIDE, density, kind)
    assert all(0 < share <= 1 + 1e-12 for share in shares) and shares[2] == 1
    assert math.isclose(
        sum(share * layer.size for share, layer in zip(shares[:2], WIDE[:2], strict=True)), density * 68
    )


def test_erk_is_in_proportion_to_the_sides():
    """Below the cap a share is in proportion to sum(shape)/prod(shape): 16/60 and 6/8."""
    a, b, _ = masks.densities(WIDE, 0.2, "erk")
    assert math.isclose(a / b, (16 / 60) / (6 / 8))
    a, b, _ = masks.densities(WIDE, 0.8, "erk")
    assert b == 1 and math.isclose(a, (0.8 * 68 - 8) / 60)
    kernel = Layer("k", slice(0, 36), (2, 2, 3, 3))
    (share,) = masks.densities((kernel,), 0.3)
    assert math.isclose(share, 0.3)


def test_first_masks_keep_the_counts_and_follow_their_keys():
    """As many in each layer as asked; other keys, other masks; the key alone decides."""
    counts = masks.kept_counts(WIDE, 0.5)
    keys = masks.mask_keys(np.random.default_rng(0), 4)
    found = masks.first_masks(keys, WIDE, counts)
    for layer, count in zip(WIDE, counts, strict=True):
        assert (found[:, layer.where].sum(axis=1) == count).all()
    assert (masks.first_masks(keys[::-1], WIDE, counts) == found[::-1]).all()
    assert not (found[0] == found[1]).all()


# choices


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 12))
def test_largest_against_sorting(seed, rows, size):
    """The kept ones are the first of a stable sort by score, with ties, in every row its own number."""
    rng = np.random.default_rng(seed)
    score, among = rng.integers(0, 4, (rows, size)) / 4, rng.random((rows, size)) < 0.7
    keep = np.array([[rng.integers(0, among[i].sum() + 1)] for i in range(rows)])
    for xp in (np, array_api_strict):
        got = to_host(masks.largest(*(xp.asarray(a) for a in (score, among, keep))))
        for i in range(rows):
            want = sorted(np.flatnonzero(among[i]), key=lambda j, i=i: (-score[i, j], j))[: int(keep[i, 0])]
            assert np.flatnonzero(got[i]).tolist() == sorted(want)


@given(st.integers(0, 2**32), st.floats(0, 1))
def test_regrowth_keeps_the_count_of_every_layer(seed, share):
    """What goes is smallest, what comes is largest, as many of each, in layers that are no slices as well; biases stay."""
    rng = np.random.default_rng(seed)
    W, G = rng.standard_normal((2, 3, 8))
    mask = masks.first_masks(masks.mask_keys(rng, 3), TWO, [3, 2])
    got = masks.by_layer(TWO, lambda m, w, g: masks.regrown(w, g, m, share), mask, W, G)
    assert got[:, TWO[1].where].all()
    for i in range(3):
        at = TWO[0].where
        have = [j for j in at if mask[i, j]]
        gone = sorted(have, key=lambda j: abs(W[i, j]))[: math.floor(share * 3 + 1e-9)]
        stay = set(have) - set(gone)
        come = sorted(set(at.tolist()) - stay, key=lambda j: -abs(G[i, j]))[: len(gone)]
        assert set(np.flatnonzero(got[i]).tolist()) == stay | set(come) | {1, 4}


def test_pruning_by_magnitude():
    """The smallest kept ones go; what was not kept does not come back."""
    W, mask = np.array([[3.0, -1.0, 2.0, 9.0]]), np.array([[True, True, True, False]])
    assert masks.prune(W, mask, np.array([[1]])).tolist() == [[True, False, True, False]]
    assert masks.prune(W, mask, np.array([[3]])).tolist() == [[False] * 4]


def test_annealing_ends_at_zero():
    """The whole share at first, half of it half-way, none at T and after."""
    assert [round(masks.annealed(0.3, t, 8), 12) for t in (0, 4, 8, 80)] == [0.3, 0.15, 0, 0]


# the PQ index


@given(st.integers(0, 2**32), st.sampled_from([(0.5, 1), (1, 2), (0.5, 2)]))
def test_pq_index_by_its_formula(seed, pq):
    """Against the formula in words; with the usual exponent in [0, 1), and free of the scale."""
    p, q = pq
    rng = np.random.default_rng(seed)
    W, mask = rng.standard_normal((2, 9)), rng.random((2, 9)) < 0.7
    mask[:, 0] = True
    both = (pruning.pq_index(W, mask, p, q), pruning.pq_index(W, mask, p, q, "printed"))
    for i, (usual, printed) in enumerate(zip(*both, strict=True)):
        w = np.abs(W[i, mask[i]])
        d, ratio = len(w), (w**p).sum() ** (1 / p) / (w**q).sum() ** (1 / q)
        assert np.allclose(usual, 1 - d ** (1 / q - 1 / p) * ratio) and -1e-12 <= usual[0] < 1
        assert np.allclose(printed, 1 - (1 / d) ** (1 / q - 1 / p) * ratio)
    assert np.allclose(pruning.pq_index(1e-200 * W, mask, p, q), pruning.pq_index(W, mask, p, q))


def test_printed_exponent_never_prunes():
    """A thousand normal weights: the printed index is about -10^6 and the bound above d; the usual one prunes."""
    W, mask = np.random.default_rng(0).standard_normal((1, 1000)), np.ones((1, 1000), dtype=bool)
    options = {"p": 0.5, "q": 1.0, "eta_c": 1.0, "gamma": 0.9, "beta": 0.9}
    assert pruning.pq_index(W, mask, 0.5, 1.0, "printed")[0, 0] < -8e5
    assert pruning.pq_drop(W, mask, **options, exponent="printed")[0, 0] == 0
    drop = pruning.pq_drop(W, mask, **options)[0, 0]
    assert drop == math.floor(1000 * 0.9 * (1 - (1 - pruning.pq_index(W, mask, 0.5, 1.0)[0, 0]) / 4)) and drop >= 675


def test_bounds_differ_where_q_is_not_one_alone():
    """p/(q - p) against p q/(q - p): the same at q = 1; for q = 2 the derived one is the bound of Hoelder's inequality."""
    W, mask = np.random.default_rng(1).standard_normal((1, 400)) ** 3, np.ones((1, 400), dtype=bool)
    options = {"eta_c": 0.0, "gamma": 1.0, "beta": 1.0}
    for p, q, same in ((0.5, 1.0, True), (1.0, 2.0, False)):
        printed = pruning.pq_drop(W, mask, p=p, q=q, **options)
        derived = pruning.pq_drop(W, mask, p=p, q=q, **options, bound="derived")
        assert (printed == derived).all() == same
    w, (p, q) = np.abs(W[0]), (1.0, 2.0)
    ratio = w.sum() / (w**2).sum() ** 0.5
    assert pruning.pq_drop(W, mask, p=p, q=q, **options, bound="derived")[0, 0] == math.floor(400 - ratio**2)


def test_a_layer_of_zeros_is_pruned_as_one_without_structure():
    """0/0 := 0: an index of 0, no crash and no number that is not finite."""
    W, mask = np.zeros((2, 5)), np.array([[True] * 5, [False] * 5])
    assert pruning.pq_index(W, mask, 0.5, 1.0).tolist() == [[0.0], [0.0]]
    assert pruning.pq_drop(W, mask, p=0.5, q=1.0, eta_c=1.0, gamma=0.9, beta=0.9).tolist() == [[3], [0]]


# when to prune


@given(
    st.integers(1, 30),
    st.integers(2, 120),
    st.fractions(0, 9, max_denominator=4),
    st.fractions("11/10", 3, max_denominator=10),
)
def test_pruning_times_by_their_sums(first, T, b, c):
    """Eq. (6) with exact ceilings; both readings lie between t* and T, and grow."""
    gaps = [math.ceil((first + b) / c ** (tau - 1)) for tau in range(1, T + 1)]
    assert pruning.pruning_times(first, T, b, c) == tuple(t for t in np.cumsum(gaps).tolist() if first < t < T)
    coded = pruning.pruning_times(first, T, b, c, "coded")
    assert all(first < t < T for t in coded) and list(coded) == sorted(set(coded))


def test_coded_intervals_round_what_was_rounded():
    """By hand: t* = 10, b = 2, c = 2 gives 6, 4, 3, 3 (2.5 up), where the print has 12, 6, 3, 2, 1."""
    assert pruning.pruning_times(10, 30, 2, 2, "coded") == (16, 20, 23, 26, 29)
    assert pruning.pruning_times(10, 30, 2, 2) == (12, 18, 21, 23, 24, 25, 26, 27, 28, 29)
    assert pruning.pruning_times(17, 100, 0, 1.7)[0] == 27  # 17/1.7 is 10, not the 11 of its float


@pytest.mark.parametrize("what", ["slices", "indices"])
def test_layers_on_every_backend(what, backend):
    """The same masks everywhere."""
    _, xp, device = backend
    xp = np if xp is None else xp
    layers = WIDE if what == "slices" else TWO
    d = sum(layer.size for layer in layers)
    rng = np.random.default_rng(3)
    W, G = rng.standard_normal((2, 3, d))
    mask = masks.first_masks(masks.mask_keys(rng, 3), layers, masks.kept_counts(layers, 0.5))

    def of(mask, W, G):
        fewer = masks.by_layer(
            layers,
            lambda m, w: masks.prune(w, m, pruning.pq_drop(w, m, p=0.5, q=1, eta_c=0, gamma=0.9, beta=0.9)),
            mask,
            W,
        )
        return masks.by_layer(layers, lambda m, w, g: masks.regrown(w, g, m, 0.4), fewer, W, G)

    there = [xp.asarray(a, device=device) for a in (mask, W, G)]
    assert (to_host(of(*there)) == of(mask, W, G)).all()
    assert np.allclose(to_host(masks.sparsity(there[0], layers)), masks.sparsity(mask, layers))
