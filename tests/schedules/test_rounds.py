"""Scheduled rounds against a simulation in plain Python, exact values, and what the paper says of its example."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from fedtheory import UsageError
from fedtheory.random import stream
from fedtheory.schedules import RULES, drawn, fitted, given, measured, starts
from fedtheory.schedules.measures import exactly, par0
from fedtheory.schedules.rounds import check, members, one, waiting
from fedtheory.schedules.trees import heights

FIGURE_1 = {
    0: (1, 2),
    1: (2, 3),
    2: (1, 5),
    3: (4, 5),
    4: (0, 5),
    5: (0, 4),
}  # what is not in the caption is any posterior


def simulated(prior, N, rule, rng):
    """One round in plain Python: the start of each client; `prior` has a list of earlier clients for each."""
    done = []
    for own in prior:
        if rule == "fastest":
            awaited = sorted(own, key=lambda j: done[j])[:N]
        else:
            awaited = sorted(own)[:N] if rule == "lowest" else rng.sample(own, min(N, len(own)))
        done.append(max((done[j] for j in awaited), default=0) + 1)
    return [time - 1 for time in done]


def independent(K, M, N, rule, draws, seed):
    """Means of the three measures with their standard errors, from rounds in plain Python."""
    rng = random.Random(seed)
    found = []
    for _ in range(draws):
        near = [rng.sample([j for j in range(K) if j != k], M) for k in range(K)]
        start = simulated([[j for j in of if j < k] for k, of in enumerate(near)], N, rule, rng)
        found.append((start.count(0) / K, 1 / (1 + max(start)), max(start)))
    values = np.array(found)
    return values.mean(axis=0), values.std(axis=0, ddof=1) / math.sqrt(draws)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("K", "M", "N"), [(100, 10, 5), (100, 10, 1), (100, 50, 2), (30, 5, 5), (70, 69, 3), (6, 2, 1)]
)
def test_against_an_independent_simulation(K, M, N, rule):
    """All three measures within 4.5 standard errors of the difference: 54 comparisons fail by chance once in 2,500 times."""
    (row,) = measured(K, [(M, N)], [rule], draws=2_000, seed=1)
    mean, error = independent(K, M, N, rule, 400, f"{K} {M} {N} {rule}")
    own = (row.par0, row.waves, row.wait), (0.0, row.waves_error, row.wait_error)
    for a, b, s, t in zip(mean, own[0], error, own[1], strict=True):
        assert abs(a - b) <= 4.5 * math.hypot(s, t) + 1e-12


@pytest.mark.parametrize("rule", RULES[:2])
@pytest.mark.parametrize("N", [0, 1, 3, 20])
@pytest.mark.parametrize(("K", "M"), [(3, 1), (64, 7), (65, 64), (130, 20)])
def test_the_same_rounds_start_at_the_same_times(K, M, N, rule):
    """The neighbours of drawn rounds, taken over by the simulation: equal starts, across the borders of words as well."""
    prior = drawn(K, M, draws=5, rng=stream(2, 0, "test"))
    found = starts(waiting(prior, N, rule))
    for draw in range(5):
        own = [members(prior, k, draw) for k in range(K)]
        assert found[:, draw].tolist() == simulated(own, N, rule, None)


def test_all_rounds_of_four_clients():
    """Every choice of M of the other three: equal starts, and the exact mean inside the interval of the draws."""
    for M, N in ((1, 1), (2, 1), (2, 2)):
        others = [list(itertools.combinations([j for j in range(4) if j != k], M)) for k in range(4)]
        waits = []
        for chosen in itertools.product(*others):
            prior = given(dict(enumerate(chosen)))
            own = [[j for j in of if j < k] for k, of in enumerate(chosen)]
            assert starts(waiting(prior, N, "fastest"))[:, 0].tolist() == simulated(own, N, "fastest", None)
            waits.append(max(simulated(own, N, "fastest", None)))
        (row,) = measured(4, [(M, N)], draws=20_000)
        assert abs(row.wait - sum(waits) / len(waits)) <= 4 * row.wait_error


def test_neighbours_are_uniform():
    """Each earlier client is a neighbour with probability M/(K - 1), and a pair of them with M (M - 1)/((K - 1)(K - 2))."""
    K, M, draws = 8, 3, 40_000
    prior = drawn(K, M, draws=draws, rng=stream(0, 0, "test"))[0]
    is_in = np.array([[(prior[k] >> np.uint64(j)) & np.uint64(1) for j in range(K)] for k in range(K)], dtype=float)
    for k, j in itertools.combinations(range(K), 2):
        p = M / (K - 1)
        assert abs(is_in[j, k].mean() - p) < 5 * math.sqrt(p * (1 - p) / draws)
        assert is_in[k, j].sum() == 0  # nobody after it
    q = M * (M - 1) / ((K - 1) * (K - 2))
    assert abs((is_in[7, 0] * is_in[7, 6]).mean() - q) < 5 * math.sqrt(q * (1 - q) / draws)


def test_who_is_waited_for_at_random_is_uniform():
    """min(N, n) of the n prior neighbours, each of them equally often."""
    prior = np.repeat(given({k: tuple(range(k)) or (1,) for k in range(6)}), 30_000, axis=-1)
    awaited = waiting(prior, 2, "random", stream(0, 0, "test"))
    assert awaited.needed[:, 0].tolist() == [0, 1, 2, 2, 2, 2]
    assert (np.bitwise_count(awaited.of[0]) == awaited.needed).all() and not (awaited.of & ~prior).any()
    for j in range(5):
        share = ((awaited.of[0, 5] >> np.uint64(j)) & np.uint64(1)).mean()
        assert abs(share - 2 / 5) < 5 * math.sqrt(0.24 / 30_000)


def test_the_example_of_figure_1():
    """Its caption: for N = 1 client 3 waits for 2, clients 5 and 6 for 1; N = 2 lets 6 wait for 1 and 5; else all start."""
    for rule in RULES[:2]:
        waits = {N: [[j + 1 for j in of] for _, of in one(given(FIGURE_1), N, rule)] for N in (0, 1, 2)}
        assert waits == {0: [[]] * 6, 1: [[], [], [2], [], [1], [1]], 2: [[], [], [2], [], [1], [1, 5]]}
    start = [[s for s, _ in one(given(FIGURE_1), N, "fastest")] for N in (0, 1, 2)]
    assert start == [[0] * 6, [0, 0, 1, 0, 1, 1], [0, 0, 1, 0, 1, 2]]


@pytest.mark.parametrize(("M", "N"), [(1, 1), (10, 5), (20, 1)])
def test_the_exact_share_is_what_is_drawn(M, N):
    """par0 = 1/(M + 1), for every rule; the draws agree within 4.5 standard errors."""
    for row in measured(100, [(M, N)], RULES, draws=3_000):
        assert row.par0 == 1 / (M + 1) and "par0" in row.exact
        assert abs(row.par0_drawn - row.par0) < 4.5 * row.par0_drawn_error


def test_what_is_exact_is_what_draws_give():
    """Nobody is waited for; all others are neighbours."""
    for K, M, N, rule in ((9, 4, 0, "random"), (9, 8, 3, "fastest"), (9, 8, 3, "lowest"), (9, 8, 8, "random")):
        prior = drawn(K, M, draws=50, rng=stream(0, 0, "test"))
        found = starts(waiting(prior, N, rule, stream(0, 1, "test"))).max(axis=0)
        assert exactly(K, M, N, rule) == (1 / (1 + N), N) and (found == N).all()
        (row,) = measured(K, [(M, N)], [rule])
        assert (row.wait, row.waves, row.wait_error, row.draws) == (N, 1 / (1 + N), 0, 0)
        assert row.par0 == (1 if N == 0 else 1 / K)
    assert exactly(9, 8, 3, "random") is None and exactly(9, 7, 7, "fastest") is None
    assert exactly(9, 7, 1, "random") is None
    assert par0(3, 0) == 1 and par0(3, 1) == Fraction(1, 4)


@pytest.mark.parametrize("K", [2, 3, 5, 7])
def test_heights_of_trees_by_every_tree(K):
    """One earlier client at random, of all: over the (K - 1)! choices, exactly."""
    count = [0] * K
    for parents in itertools.product(*(range(k) for k in range(1, K))):
        start = [0]
        for j in parents:
            start.append(start[j] + 1)
        count[max(start)] += 1
    assert heights(K) == pytest.approx([c / math.factorial(K - 1) for c in count], rel=1e-13, abs=1e-15)


def test_heights_of_trees_by_draws():
    """K = 100, all others as neighbours, one of them at random: the exact means within 4.5 standard errors of the draws."""
    prior = drawn(100, 99, draws=4_000, rng=stream(0, 0, "test"))
    last = starts(waiting(prior, 1, "random", stream(0, 1, "test"))).max(axis=0)
    waves, wait = exactly(100, 99, 1, "random")
    for exact, values in ((wait, last), (waves, 1 / (1 + last))):
        assert abs(values.mean() - exact) < 4.5 * values.std() / math.sqrt(len(values))
    assert math.fsum(heights(100)) == pytest.approx(1, abs=1e-14)


def test_all_rules_are_one_where_all_are_awaited():
    """N = M: the same draws, the same figures; otherwise random waits longer than lowest, and lowest than fastest."""
    rows = measured(40, [(6, 6), (6, 2)], RULES, draws=500)
    assert len({row[4:] for row in rows[:3]}) == 1
    assert rows[3].wait < rows[4].wait < rows[5].wait


def test_figures_do_not_hang_on_what_else_is_asked():
    """Another N, M or rule beside it changes nothing; another seed does."""
    alone = measured(20, [(4, 2)], ["random"], draws=1_500)[0]
    assert alone in measured(20, [(3, 1), (4, 0), (4, 2), (4, 4)], RULES, draws=1_500)
    assert alone.wait != measured(20, [(4, 2)], ["random"], draws=1_500, seed=1)[0].wait


def test_the_exponent_of_the_wait():
    """A power law is found exactly; points beside it widen the interval around it; two points have no fit."""
    (row,) = measured(6, [(5, 5)])

    def law(e, noise=0.0):
        values = [(2, noise), (4, -noise), (8, noise), (16, -noise)]
        return [row._replace(M=M, N=M, wait=3.0 * M**e * math.exp(n)) for M, n in values]

    (exact,) = fitted(law(0.75))
    assert exact.exponent == pytest.approx(0.75) and exact.high - exact.low < 1e-6
    (rough,) = fitted(law(0.75, 0.1))
    assert rough.low < 0.75 < rough.high and rough.high - rough.low > 0.1
    assert rough.between == pytest.approx(
        [0.75 - 0.2 / math.log(2), 0.75 + 0.2 / math.log(2), 0.75 - 0.2 / math.log(2)]
    )
    assert fitted(law(0.75)[:2]) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((5, 5, 1), "M must be below K, .*, got M = 5 and K = 5"),
        ((5, 2, 3), "N must be at most M, the number of neighbours, got N = 3 and M = 2"),
        ((5, 0, 0), "M must be at least 1, got 0"),
        ((5, 2, -1), "N must be at least 0, got -1"),
        ((1, 1, 0), "K must be at least 2, got 1"),
        ((5, 2, 1, "fastst"), "rule must be one of fastest, lowest, random, got 'fastst'; did you mean fastest"),
    ],
)
def test_what_is_out_of_range_is_named(words, message):
    """One line with argument, rule and value."""
    with pytest.raises(UsageError, match=message):
        check(*words)


def test_wrong_sets_are_refused():
    """A neighbour that is no other client; a random rule without a generator."""
    with pytest.raises(UsageError, match="neighbours of client 1 must be others of the clients 0 to 1, got 1"):
        given({0: (1,), 1: (1,)})
    with pytest.raises(UsageError, match="others of the clients 0 to 1, got 2"):
        given({0: (1,), 1: (2,)})
    with pytest.raises(UsageError, match="needs rng"):
        waiting(given(FIGURE_1), 1, "random")


def test_the_method_has_the_same_schedule():
    """The waves in which DA-DPFL computes its clients are those of these measures: who waits for whom, and when."""
    method = pytest.importorskip("fedtheory.algorithms.waiting")
    rng = np.random.default_rng(0)
    for K, M, N in ((6, 2, 1), (20, 5, 2), (70, 30, 30), (70, 69, 4)):
        hears = np.zeros((K, K), dtype=bool)
        for k in range(K):
            hears[k, rng.choice(np.delete(np.arange(K), k), M, replace=False)] = True
        for rule in RULES[:2]:
            plan = method.schedule(method.prior_of(hears, np.arange(K)), np.arange(K), N, rule)
            own = one(given({k: np.flatnonzero(hears[k]).tolist() for k in range(K)}), N, rule)
            assert plan.start.tolist() == [start for start, _ in own]
            assert [np.flatnonzero(row).tolist() for row in plan.waited] == [of for _, of in own]
