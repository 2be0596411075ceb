"""Generated clients have the papers' sizes and laws, and depend on the seed alone."""

import math
import time

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import linprog

from fedtheory.errors import UsageError
from problems.data import generators
from problems.data.generators import example5_1, law_counts, synthetic

FIVE_SIGMA = 5
"""Statistics of a fixed seed are compared at five standard errors of the law that is claimed."""


def same(a, b):
    """Whether two lists of clients hold the same numbers."""
    return len(a) == len(b) and all(
        np.array_equal(p, q) for c, e in zip(a, b, strict=True) for p, q in zip(c, e, strict=True)
    )


def rows_of(clients):
    """All rows (a, b) of Example 5.1."""
    return np.concatenate([np.column_stack(c) for c in clients])


def uniform_rows(rows):
    """Which rows are of the uniform law: bounded by 5 with a mean square near 25/3, where the others are below 2."""
    return (np.abs(rows).max(axis=1) <= 5) & ((rows**2).mean(axis=1) > 4)


@pytest.mark.parametrize("make", [lambda s: example5_1(32, seed=s), lambda s: synthetic(4, sizes=[9] * 4, seed=s)])
def test_same_seed_same_data(make):
    """The seed decides every number."""
    assert same(make(3), make(3))
    assert not same(make(3), make(4))


@pytest.mark.parametrize("m", [32, 64, 96, 128, 160])
def test_example5_1_has_the_papers_sizes(m):
    """Sizes of the paper's range, 100 features, float64, own memory."""
    clients = example5_1(m)
    sizes = [len(y) for _, y in clients]
    assert len(clients) == m and all(50 <= n <= 150 for n in sizes)
    assert all(X.shape == (len(y), 100) and X.dtype == y.dtype == np.float64 for X, y in clients)
    assert all(X.flags.owndata and y.flags.owndata for X, y in clients)


def test_example5_1_uses_its_whole_range_of_sizes():
    """Both ends are reached."""
    sizes = [len(y) for _, y in example5_1(3000, d=1, least=2, most=4)]
    assert set(sizes) == {2, 3, 4}


def test_the_thirds_as_printed_and_as_coded():
    """The paper's thirds are of all samples, the code's of the number of clients."""
    assert law_counts(10, 3) == (3, 3, 4)
    assert law_counts(10, 4, as_coded=True) == (6, 2, 2)
    for n in range(1, 30):
        assert sum(law_counts(n, 3)) == n


@pytest.mark.parametrize("as_coded", [False, True])
def test_the_rows_are_of_the_three_laws(as_coded):
    """Uniform rows are counted exactly; Student rows by their entries beyond 5.5, which a normal row hardly has."""
    clients = example5_1(32, as_coded=as_coded, seed=1)
    rows = rows_of(clients)
    normal, student, uniform = law_counts(len(rows), 32, as_coded=as_coded)
    others = rows[~uniform_rows(rows)]
    assert len(rows) - len(others) == uniform
    far = 1 - (1 - 2 * stats.t.sf(5.5, 5)) ** rows.shape[1]
    seen = int((np.abs(others).max(axis=1) > 5.5).sum())
    assert abs(seen - far * student) <= FIVE_SIGMA * math.sqrt(far * (1 - far) * student)
    fourth = math.sqrt((3 * normal + 25 * student) * rows.shape[1])  # E x^4 is 3 and 25 for the two laws
    expected = (normal + 5 / 3 * student) * rows.shape[1]
    assert abs((others**2).sum() - expected) <= FIVE_SIGMA * fourth


def test_example5_1_is_shuffled_over_the_clients():
    """Every client has rows of the uniform law and others, in no order."""
    shares = [uniform_rows(np.column_stack(c)) for c in example5_1(32)]
    assert all(0 < s.sum() < len(s) for s in shares)
    assert any((np.diff(s.astype(int)) != 0).sum() > 2 for s in shares)


def test_sizes_may_be_given():
    """Instead of drawn."""
    assert [len(y) for _, y in example5_1(3, sizes=[1, 2, 3])] == [1, 2, 3]
    assert [len(y) for _, y in synthetic(2, sizes=(4, 5))] == [4, 5]


def test_power_law_sizes():
    """5 (floor(LogNormal(4, 2)) + 50): multiples of five from 250 on, with the median of the law."""
    n = np.array([len(y) for _, y in synthetic(1500, d=1, classes=2)])
    assert (n % 5 == 0).all() and n.min() == 250
    below = int((n / 5 - 50 < math.exp(4)).sum())
    assert abs(below - 750) <= FIVE_SIGMA * math.sqrt(1500 / 4)
    assert n.max() > 25_000


def test_flame_sizes():
    """Integers in [5000, 10000)."""
    n = np.array([len(y) for _, y in synthetic(200, sizes="uniform", d=1, classes=2)])
    assert n.min() >= 5000 and n.max() < 10000
    assert abs(n.mean() - 7499.5) <= FIVE_SIGMA * 5000 / math.sqrt(12 * 200)


def test_shapes_and_labels():
    """60 features, labels 0 to 9, and clients that differ in their labels."""
    clients = synthetic(20, sizes=[300] * 20)
    assert all(X.shape == (300, 60) and y.dtype == np.int64 and y.min() >= 0 and y.max() <= 9 for X, y in clients)
    tables = np.stack([np.bincount(y, minlength=10) for _, y in clients])
    assert (tables > 0).sum(axis=1).max() < 10 and (tables.sum(axis=0) > 0).all()  # skewed, yet no label is missing


def test_the_first_clients_do_not_depend_on_how_many_there_are():
    """A smaller federation is the beginning of a larger one, its power-law sizes included."""
    assert same(synthetic(2, d=3, classes=2), synthetic(5, d=3, classes=2)[:2])


def test_feature_variances():
    """Around its centre feature j has variance j^-1.2."""
    n = 20000
    (X, _), *_ = synthetic(1, sizes=[n])
    ratio = X.var(axis=0) * np.arange(1, 61) ** 1.2
    assert np.abs(ratio - 1).max() <= FIVE_SIGMA * math.sqrt(2 / n)
    off = np.corrcoef(X.T) - np.eye(60)
    assert np.abs(off).max() <= 6 / math.sqrt(n)  # 1,770 correlations: one sigma more


@pytest.mark.parametrize(("spread", "variance"), [("std", 4.0), ("variance", 2.0)])
def test_beta_bar_is_the_spread_of_the_centres(spread, variance):
    """The mean of a client's features has variance beta^2 (or beta) + 1/60 + sum j^-1.2 / 3600 for one sample a client."""
    m = 3000
    means = np.array([X.mean() for X, _ in synthetic(m, beta_bar=2, spread=spread, sizes=[1] * m)])
    expected = variance + 1 / 60 + (np.arange(1, 61) ** -1.2).sum() / 3600
    assert abs(means.var() / expected - 1) <= FIVE_SIGMA * math.sqrt(2 / m)


def test_alpha_bar_has_no_effect_and_beta_bar_has():
    """One u_i for all entries shifts all scores alike; read as a variance, 0.25 is the standard deviation 0.5."""
    sizes = [50] * 30
    assert same(synthetic(30, alpha_bar=0, sizes=sizes), synthetic(30, alpha_bar=5, sizes=sizes))
    assert not same(synthetic(30, beta_bar=0, sizes=sizes), synthetic(30, beta_bar=5, sizes=sizes))
    assert same(
        synthetic(30, sizes=sizes), synthetic(30, alpha_bar=0.25, beta_bar=0.25, spread="variance", sizes=sizes)
    )


def test_labels_are_the_largest_entry_of_a_linear_model():
    """A linear program finds weights and offsets that give every sample its label with a margin; one wrong label: none."""
    ((X, y),) = synthetic(1, sizes=[60], d=3, classes=3, seed=2)
    assert len(np.unique(y)) > 1
    Z = np.column_stack([X, np.ones(len(X))])
    rows = []
    for z, label in zip(Z, y, strict=True):
        for other in {0, 1, 2} - {int(label)}:
            row = np.zeros((3, 4))
            row[label], row[other] = -z, z
            rows.append(row.ravel())
    fit = linprog(np.zeros(12), A_ub=np.array(rows), b_ub=-np.ones(len(rows)), bounds=(None, None))
    assert fit.status == 0
    flipped = np.array(rows)
    flipped[:2] = -flipped[:2]  # the control: the first sample's own score is to be below both others
    assert linprog(np.zeros(12), A_ub=flipped, b_ub=-np.ones(len(rows)), bounds=(None, None)).status == 2


BAD = [
    (lambda: example5_1(0), "m=...", "0"),
    (lambda: example5_1(True), "m=...", "True"),
    (lambda: example5_1(2.0), "m=...", "2.0"),
    (lambda: example5_1(2, d=0), "d=...", "0"),
    (lambda: example5_1(2, least=0), "least=...", "0"),
    (lambda: example5_1(2, least=9, most=8), "most=...", "8"),
    (lambda: example5_1(2, sizes=[3]), "sizes=...", "1 of them"),
    (lambda: example5_1(2, sizes=[3, 0]), "sizes=...", "0"),
    (lambda: example5_1(2, sizes=7), "sizes=...", "7"),
    (lambda: example5_1(1, sizes=[1], as_coded=True), "as_coded=True", "1 in all"),
    (lambda: example5_1(2, seed=-1), "seed=...", "-1"),
    (lambda: synthetic(-1), "m=...", "-1"),
    (lambda: synthetic(2, classes=1), "classes=...", "1"),
    (lambda: synthetic(2, alpha_bar=-0.5), "alpha_bar=...", "-0.5"),
    (lambda: synthetic(2, beta_bar=math.nan), "beta_bar=...", "nan"),
    (lambda: synthetic(2, beta_bar=math.inf), "beta_bar=...", "inf"),
    (lambda: synthetic(2, alpha_bar="a"), "alpha_bar=...", "'a'"),
    (lambda: synthetic(2, spread="sdt"), "spread=...", "did you mean std"),
    (lambda: synthetic(2, sizes="powerlaw"), "sizes=...", "did you mean power-law"),
    (lambda: synthetic(2, sizes=[5, 5, 5]), "sizes=...", "3 of them"),
]


@pytest.mark.parametrize(("call", "argument", "value"), BAD, ids=range(len(BAD)))
def test_refusals(call, argument, value):
    """One line with the argument, the rule and the value."""
    with pytest.raises(UsageError) as refused:
        call()
    said = str(refused.value)
    assert argument in said and value in said and "\n" not in said


def test_the_published_synthetic_set_has_the_printed_sizes():
    """pFedMe, Section 5.1: sizes in [250, 25810], which the power law meets with NumPy's seed 0 alone; whatever the seed."""
    clients = synthetic(as_coded=True, seed=5)
    sizes = [len(y) for _, y in clients]
    assert (min(sizes), max(sizes), len(sizes)) == (250, 25_810, 100)
    again = synthetic(as_coded=True)
    assert all(
        np.array_equal(a, b) for one, other in zip(clients, again, strict=True) for a, b in zip(one, other, strict=True)
    )
    with pytest.raises(UsageError, match="leave both out"):
        synthetic(as_coded=True, sizes="uniform")


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (example5_1, {"m": 10**9}), (example5_1, {"m": 5, "d": 10**12}), (example5_1, {"m": 5, "most": 10**12}),
        (example5_1, {"m": 1, "sizes": [10**13]}), (synthetic, {"m": 10**9}), (synthetic, {"m": 10**8, "sizes": "uniform"}),
        (synthetic, {"m": 4, "d": 10**12}), (synthetic, {"m": 4, "classes": 10**13}), (synthetic, {"m": 10**9, "as_coded": True}),
        (synthetic, {"m": 2, "sizes": [10**13, 1]}),
    ],
    ids=lambda v: v.__name__ if callable(v) else "-".join(v),
)  # fmt: skip
def test_what_no_memory_holds_is_refused_at_once(make, options):
    """Before a single number is drawn, with the size that it would have."""
    started = time.process_time()
    with pytest.raises(UsageError, match=r"must fit in the memory of this machine, .* GiB, got about .* samples"):
        make(**options)
    assert time.process_time() - started < 0.1


def test_a_number_beyond_all_sizes():
    """One that no float holds is refused as such."""
    with pytest.raises(
        UsageError, match=r"example5_1\(m=...\)` must be an integer from 1 to 1000000000000000, got 1000"
    ):
        example5_1(10**400)


def test_what_fits_is_made(monkeypatch):
    """The limit is the memory of the machine, to the byte."""
    monkeypatch.setattr(generators.os, "sysconf", {"SC_PHYS_PAGES": 7 * 4 * 8, "SC_PAGE_SIZE": 1}.get)
    assert len(example5_1(1, d=3, sizes=[7])) == 1
    with pytest.raises(UsageError, match="must fit"):
        example5_1(1, d=3, sizes=[8])
