"""The waves of a round: the example of Figure 1, an event simulation, no deadlock."""

import heapq

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fedtheory.algorithms.waiting import RULES, prior_of, prior_of_own, schedule
from fedtheory.errors import UsageError
from fedtheory.graphs import Graph

FIGURE = [
    {2, 3},
    {3, 4},
    {2, 4},
    {5, 6},
    {1, 6},
    {1, 5},
]  # clients 1 to 6 and whom they hear, M = 2, as Figure 1's caption has it


def of_sets(sets):
    """A graph of sets of neighbours, counted from 1."""
    hears = np.zeros((len(sets), len(sets)), dtype=bool)
    for k, heard in enumerate(sets):
        hears[k, [j - 1 for j in heard]] = True
    return hears


def test_figure_1():
    """N = 0: all at once; N = 1: 3 waits for 2, 5 and 6 for 1, 1, 2, 4 begin; N = 2: 6 waits for 1 and 5."""
    order = np.arange(6)
    prior = prior_of(of_sets(FIGURE), order)
    assert not schedule(prior, order, 0).start.any() and not schedule(prior, order, 0).waited.any()
    one, two = schedule(prior, order, 1), schedule(prior, order, 2)
    assert one.start.tolist() == [0, 0, 1, 0, 1, 1] and two.start.tolist() == [0, 0, 1, 0, 1, 2]
    waited = [(np.flatnonzero(row) + 1).tolist() for row in one.waited]
    assert waited == [[], [], [2], [], [1], [1]]
    assert (np.flatnonzero(two.waited[5]) + 1).tolist() == [1, 5]


def simulated(prior, order, N, rule, chance):
    """Starts and waited sets by events, client by client: a client starts when enough of its prior neighbours have finished."""
    m = len(prior)
    need = [min(N, int(row.sum())) for row in prior]
    fixed = {}
    if rule != "fastest":
        score = (lambda k, j: order[j]) if rule == "lowest" else (lambda k, j: chance[k, j])
        fixed = {k: set(sorted(np.flatnonzero(prior[k]), key=lambda j, k=k: score(k, j))[: need[k]]) for k in range(m)}
    start, finish, waited, events = {}, {}, {}, []
    for k in range(m):
        if need[k] == 0:
            start[k], waited[k] = 0, set()
            heapq.heappush(events, (1, order[k], k))
    while events:
        now = events[0][0]
        while events and events[0][0] == now:
            _, _, k = heapq.heappop(events)
            finish[k] = now
        for k in set(range(m)) - set(start):
            over = [j for j in np.flatnonzero(prior[k]) if j in finish]
            over = [j for j in over if j in fixed[k]] if fixed else over
            if len(over) >= need[k]:
                start[k], waited[k] = now, set(sorted(over, key=lambda j: (finish[j], order[j]))[: need[k]])
                heapq.heappush(events, (now + 1, order[k], k))
    return start, waited


@given(st.integers(0, 2**32), st.integers(2, 9), st.data(), st.sampled_from(RULES))
def test_against_a_simulation_and_never_a_deadlock(seed, K, data, rule):
    """For all K, M, N and rules every client trains once, and starts when the last one that it waits for has finished."""
    M = data.draw(st.integers(1, K - 1))
    N = data.draw(st.integers(0, M))
    rng = np.random.default_rng(seed)
    hears, order, chance = Graph("random", M=M).draw(rng, K), rng.permutation(K), rng.random((K, K))
    prior = prior_of(hears, order)
    found = schedule(prior, order, N, rule, chance)
    start, waited = simulated(prior, order, N, rule, chance)
    assert found.start.tolist() == [start[k] for k in range(K)]
    assert [set(np.flatnonzero(row)) for row in found.waited] == [waited[k] for k in range(K)]
    assert (found.waited.sum(axis=1) == np.minimum(prior.sum(axis=1), N)).all() and not (found.waited & ~prior).any()
    for k in range(K):
        assert found.start[k] == max((found.start[j] + 1 for j in np.flatnonzero(found.waited[k])), default=0)


def test_rules_differ_where_a_later_client_finishes_first():
    """Client 3 may wait for 1, which waits itself, or for 2, which does not: lowest, fastest, and random by its chance."""
    order = np.arange(4)
    prior = prior_of(of_sets([{3, 4}, {1, 4}, {4}, {2, 3}]), order)
    chance = np.array([[0.0, 0.1, 0.2, 0.3]] * 4)
    found = {rule: schedule(prior, order, 1, rule, chance) for rule in RULES}
    assert {rule: np.flatnonzero(s.waited[3]).tolist() for rule, s in found.items()} == {
        "fastest": [2],
        "lowest": [1],
        "random": [1],
    }
    assert {rule: int(s.start[3]) for rule, s in found.items()} == {"fastest": 1, "lowest": 2, "random": 2}
    assert schedule(prior, order, 1, "random", 1 - chance).waited[3].tolist() == [False, False, True, False]


def test_indices_of_ones_own_wait_for_each_other():
    """As printed, two clients can be prior to each other: the run says who, and what to take instead."""
    hears, order = ~np.eye(3, dtype=bool), np.array([1, 1, 2])
    prior = prior_of_own(hears, order, np.array([[0, 0, 2], [1, 0, 2], [0, 1, 0]]))
    assert prior.tolist() == [[False, True, False], [True, False, False], [True, True, False]]
    for rule in RULES:
        with pytest.raises(UsageError, match=r"clients wait for each other: 0 -> 1 -> 0.*--indices global"):
            schedule(prior, order, 1, rule, np.zeros((3, 3)))
    assert not schedule(prior, order, 0).start.any()


def test_a_permutation_of_clients_permutes_the_schedule():
    """Who is who does not matter, only their places."""
    rng = np.random.default_rng(5)
    hears, order, chance = Graph("random", M=3).draw(rng, 8), rng.permutation(8), rng.random((8, 8))
    to = rng.permutation(8)
    for rule in RULES:
        a = schedule(prior_of(hears, order), order, 2, rule, chance)
        b = schedule(prior_of(hears[to][:, to], order[to]), order[to], 2, rule, chance[to][:, to])
        assert (b.start == a.start[to]).all() and (b.waited == a.waited[to][:, to]).all()
