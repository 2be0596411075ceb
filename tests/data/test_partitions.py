"""Partitions are disjoint and complete, have the laws they claim, and say what every client holds."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fedtheory.errors import UsageError
from problems.data.generators import synthetic
from problems.data.partitions import (
    PARTITIONS,
    as_they_come,
    dirichlet,
    iid,
    power_law,
    quantiles,
    shards,
    train_test,
)

FIVE_SIGMA = 5
WAYS = {
    "iid": lambda y, m, s: iid(y, m, seed=s),
    "iid, random sizes": lambda y, m, s: iid(y, m, sizes="random", seed=s),
    "shards": lambda y, m, s: shards(y, m, per_client=1 + s % 3, seed=s),
    "dirichlet": lambda y, m, s: dirichlet(y, m, alpha=[0.1, 0.5, 5][s % 3], seed=s),
    "zipf": lambda y, m, s: power_law(y, m, steepness=s % 4, seed=s),
    "lognormal": lambda y, m, s: power_law(y, m, weights="lognormal", steepness=2, seed=s),
    "labels": lambda y, m, s: power_law(y, m, labels_per_client=2, seed=s),
    "quantiles": lambda y, m, s: quantiles(y, m),
}
MAY_REFUSE = {"shards": "shards from", "dirichlet": "none of 1000 draws", "labels": "power_law("}
"""Ways that cannot serve every (y, m): too many shards, no draw without an empty client, a label without a holder."""


def check(partition, y):
    """Disjoint, complete, no client empty, rows ascending, and the table counts them."""
    together = np.concatenate(partition.rows)
    assert len(together) == len(y) and np.array_equal(np.sort(together), np.arange(len(y)))
    assert all(len(rows) and rows.dtype == np.int64 and (np.diff(rows) > 0).all() for rows in partition.rows)
    assert partition.m == len(partition.rows) == len(partition.counts)
    assert partition.sizes.tolist() == [len(rows) for rows in partition.rows]
    if partition.labels is None:
        assert partition.counts.shape == (partition.m, 1)
        return
    assert partition.labels.tolist() == sorted(set(y.tolist()))
    for rows, counts in zip(partition.rows, partition.counts, strict=True):
        assert counts.tolist() == [int((y[rows] == c).sum()) for c in partition.labels]


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=25, deadline=None)
@given(m=st.integers(1, 12), classes=st.integers(1, 6), extra=st.integers(0, 60), seed=st.integers(0, 2**32))
def test_disjoint_and_complete(way, m, classes, extra, seed):
    """Every sample belongs to one client, for any number of clients, samples and labels."""
    y = np.random.default_rng(seed).integers(-2, classes - 2, size=m + extra)
    try:
        partition = WAYS[way](y, m, seed)
    except UsageError as refused:
        assert MAY_REFUSE.get(way, "never") in str(refused)
        return
    check(partition, y)
    assert partition.m == m
    again = WAYS[way](y, m, seed)
    assert all(np.array_equal(a, b) for a, b in zip(partition.rows, again.rows, strict=True))


@pytest.mark.parametrize("way", [w for w in WAYS if w != "quantiles"])
def test_another_seed_is_another_partition(way):
    """The seed is used."""
    y = np.arange(300) % 5
    a, b = (np.concatenate(WAYS[way](y, 5, s).rows).tolist() for s in (0, 12))
    assert a != b


def test_the_ways_by_name():
    """The table of names has a function each."""
    assert set(PARTITIONS) == {"iid", "shards", "dirichlet", "power-law", "quantiles"}
    y = np.arange(40) % 4
    for divide in PARTITIONS.values():
        check(divide(y, 3), y)


def test_take_gives_the_rows():
    """X and y of a client are its rows, as copies."""
    X, y = np.arange(20.0).reshape(10, 2), np.arange(10) % 2
    partition = iid(y, 3)
    for (X_i, y_i), rows in zip(partition.take(X, y), partition.rows, strict=True):
        assert np.array_equal(X_i, X[rows]) and np.array_equal(y_i, y[rows]) and not np.shares_memory(X_i, X)


def test_iid_equal_sizes_and_labels():
    """Sizes differ by at most one; label counts are hypergeometric."""
    y = np.arange(10_000) % 4
    partition = iid(y, 7)
    assert partition.sizes.max() - partition.sizes.min() <= 1
    assert np.abs(partition.counts - partition.sizes[:, None] / 4).max() <= FIVE_SIGMA * math.sqrt(10_000 / 7 * 3 / 16)


def test_iid_random_sizes_are_uniform_over_all_size_vectors():
    """The 10 ways to write 6 as three positive sizes, 2,000 times; chi-squared with 9 degrees of freedom."""
    seen = {}
    for seed in range(2000):
        key = tuple(iid(np.zeros(6), 3, sizes="random", seed=seed).sizes)
        seen[key] = seen.get(key, 0) + 1
    assert len(seen) == 10
    assert (
        sum((k - 200) ** 2 / 200 for k in seen.values()) < 30
    )  # exceeded with probability 4e-4, and the seeds are fixed


@pytest.mark.parametrize("n", [8992, 800])
def test_iid_random_sizes_exceed_a_fortieth_of_the_mean(n):
    """The rule of FedADMM's code."""
    smallest = min(iid(np.zeros(n), 20, sizes="random", seed=s).sizes.min() for s in range(50))
    assert smallest > n / 800
    assert smallest < n / 200


def test_shards_give_few_labels():
    """Where shards and labels end together, a client has as many labels as shards, and equal sizes."""
    y = np.repeat(np.arange(10), 60)[np.random.default_rng(0).permutation(600)]
    partition = shards(y, 20, per_client=2)
    assert set(partition.sizes) == {30} and ((partition.counts > 0).sum(axis=1) <= 2).all()
    assert (partition.counts % 15 == 0).all()
    assert (iid(y, 20).counts > 0).sum(axis=1).min() > 2


def test_dirichlet_shares_have_the_variance_of_the_law():
    """A share of Dir(alpha 1_m) has mean 1/m and variance (1/m)(1 - 1/m)/(m alpha + 1); 400 labels of 500 samples."""
    m, n_c, labels = 4, 500, 400
    y = np.repeat(np.arange(labels), n_c)
    for alpha in (0.3, 5.0):
        shares = dirichlet(y, m, alpha=alpha).counts.T / n_c  # (labels, m), each within 1 / n_c of what was drawn
        variance = (1 / m) * (1 - 1 / m) / (m * alpha + 1)
        spread = shares.std(axis=0, ddof=1) ** 2
        fourth = ((shares - 1 / m) ** 4).mean(axis=0)
        assert np.abs(shares.mean(axis=0) - 1 / m).max() <= FIVE_SIGMA * math.sqrt(variance / labels)
        rounding = 2 * math.sqrt(variance) / n_c + 1 / n_c**2
        assert (np.abs(spread - variance) <= FIVE_SIGMA * np.sqrt((fourth - spread**2) / labels) + rounding).all()


def test_dirichlet_skew_falls_with_alpha():
    """The share of a client's most frequent label."""
    y = np.repeat(np.arange(10), 200)
    top = [(p := dirichlet(y, 10, alpha=a)).counts.max(axis=1) / p.sizes for a in (0.1, 1, 1000)]
    means = [float(t.mean()) for t in top]
    assert means[0] > 0.45 > means[1] > 0.2 > means[2] > 0.1


def test_dirichlet_least():
    """Drawn again until every client has what is asked for."""
    y = np.repeat([0, 1, 2], 40)
    free = min(dirichlet(y, 6, alpha=0.3, seed=s).sizes.min() for s in range(30))
    assert free < 8 <= min(dirichlet(y, 6, alpha=0.3, least=8, seed=s).sizes.min() for s in range(30))


@pytest.mark.parametrize("steepness", [0, 0.5, 1.0, 2.0])
def test_zipf_sizes(steepness):
    """Each size is within one sample of its share of what is left above `least`."""
    n, m = 7001, 25
    sizes = power_law(np.zeros(n), m, steepness=steepness, least=3).sizes
    w = np.arange(1.0, m + 1) ** -steepness
    assert np.abs(sizes - 3 - (n - 3 * m) * w / w.sum()).max() <= 1 + 1e-9
    assert (np.diff(sizes) <= 0).all() and sizes.min() >= 3


def test_lognormal_sizes_are_heavy_tailed():
    """Logarithms of the sizes have the standard deviation asked for."""
    sizes = power_law(np.zeros(10**6), 400, weights="lognormal", steepness=0.5).sizes
    assert abs(np.log(sizes).std() / 0.5 - 1) <= FIVE_SIGMA / math.sqrt(2 * 400)


def test_two_labels_a_client():
    """pFedMe's MNIST in small: 20 clients, 2 of 10 labels, sizes that differ, every label shared out."""
    y = np.repeat(np.arange(10), 700)
    partition = power_law(y, 20, labels_per_client=2, weights="lognormal", least=10)
    for i, counts in enumerate(partition.counts):
        assert set(np.flatnonzero(counts)) == {i % 10, (i + 1) % 10}
    assert partition.counts[partition.counts > 0].min() >= 10 and len(set(partition.sizes.tolist())) > 10


def test_quantiles_are_ordered():
    """Targets of client i are at most those of client i + 1."""
    y = np.random.default_rng(0).normal(size=101)
    parts = [y[rows] for rows in quantiles(y, 4).rows]
    assert all(a.max() <= b.min() for a, b in pairwise(parts))


def test_generated_clients_as_a_partition():
    """Successive blocks of the stacked samples."""
    clients = synthetic(3, sizes=[4, 5, 6])
    partition = as_they_come(clients)
    check(partition, np.concatenate([y for _, y in clients]))
    assert partition.sizes.tolist() == [4, 5, 6] and partition.rows[1].tolist() == [4, 5, 6, 7, 8]


@pytest.mark.parametrize("train", [0.75, 0.9, 0.8, 0.5, 0.1])
@pytest.mark.parametrize("n", [2, 3, 7, 10, 30, 100, 110])
def test_train_test_sizes(train, n):
    """floor(train n) in exact arithmetic, at least one sample on both sides, nothing lost."""
    X = np.arange(2.0 * n).reshape(n, 2)
    ((X_a, y_a),), ((X_b, y_b),) = train_test([(X, np.arange(n))], train=train)
    assert len(y_a) == max(math.floor(Fraction(str(train)) * n), 1) < n
    assert sorted([*y_a, *y_b]) == list(range(n))
    assert np.array_equal(X_a, X[y_a]) and np.array_equal(X_b, X[y_b])


def test_train_test_streams():
    """Same seed, same split; another seed, another one; a client's split does not depend on the others."""
    clients = [(np.zeros((50, 1)), np.arange(50)) for _ in range(3)]
    a, b, c = (train_test(clients, seed=s)[0] for s in (0, 0, 1))
    assert all(np.array_equal(p[1], q[1]) for p, q in zip(a, b, strict=True))
    assert not np.array_equal(a[0][1], c[0][1]) and not np.array_equal(a[0][1], a[1][1])
    assert np.array_equal(train_test(clients[:1])[0][0][1], a[0][1])


Y = np.array([0, 1, 0, 1, 2, 2])
BAD = [
    (lambda: iid(Y, 0), "m=...", "0"),
    (lambda: iid(Y, 7), "from 1 to 6", "7"),
    (lambda: iid(Y, True), "m=...", "True"),
    (lambda: iid(Y, 2.0), "m=...", "2.0"),
    (lambda: iid(Y.reshape(2, 3), 2), "y=...", "(2, 3)"),
    (lambda: iid(np.array([]), 1), "y=...", "(0,)"),
    (lambda: iid(np.array([1.0, np.nan]), 1), "finite", "float64"),
    (lambda: iid(np.array(["a", "b"]), 1), "finite numbers", "<U1"),
    (lambda: iid(Y, 2, sizes="equals"), "sizes=...", "did you mean equal"),
    (lambda: iid(Y, 2, seed=-1), "seed=...", "-1"),
    (lambda: iid(Y, 2, seed=0.5), "seed=...", "0.5"),
    (lambda: shards(Y, 4, per_client=2), "8 shards", "6 samples"),
    (lambda: shards(Y, 2, per_client=0), "per_client=...", "0"),
    (lambda: shards(Y / 2, 2), "integer type", "quantiles"),
    (lambda: dirichlet(Y, 2, alpha=0), "alpha=...", "0"),
    (lambda: dirichlet(Y, 2, alpha=math.inf), "alpha=...", "inf"),
    (lambda: dirichlet(Y, 2, alpha=1e308), "use iid", "1e+308"),
    (lambda: dirichlet(Y, 2, least=4), "least=...", "4"),
    (lambda: dirichlet(Y, 6, alpha=1e-6), "none of 1000 draws", "larger alpha"),
    (lambda: dirichlet(Y * 1.0, 2), "integer type", "float64"),
    (lambda: power_law(Y, 2, steepness=-1), "steepness=...", "-1"),
    (lambda: power_law(Y, 2, steepness=1e300), "steepness=...", "1e+300"),
    (lambda: power_law(Y, 2, weights="zip"), "weights=...", "did you mean zipf"),
    (lambda: power_law(Y, 2, labels_per_client=4), "labels_per_client=...", "4"),
    (lambda: power_law(Y, 2, labels_per_client=1), "without a holder", "3 clients"),
    (lambda: power_law(Y, 6, labels_per_client=2), "label 0", "2 samples for 4 clients"),
    (lambda: power_law(Y / 2, 2, labels_per_client=1), "integer type", "float64"),
    (lambda: power_law(Y, 3, least=3), "least=...", "3"),
    (lambda: train_test([(Y[:, None], Y)], train=1), "below 1", "1"),
    (lambda: train_test([(Y[:, None], Y)], train=0), "train=...", "0"),
    (lambda: train_test([(Y[:, None], Y), (Y[:1, None], Y[:1])]), "two samples", "client 1"),
]


@pytest.mark.parametrize(("call", "rule", "value"), BAD, ids=range(len(BAD)))
def test_refusals(call, rule, value):
    """One line with the argument, the rule and the value."""
    with pytest.raises(UsageError) as refused:
        call()
    said = str(refused.value)
    assert rule in said and value in said and "\n" not in said
