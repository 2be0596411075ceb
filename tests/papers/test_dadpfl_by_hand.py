"""DA-DPFL: the witnesses of refuted claims, computed again without the claims' own code, and the method's code at them."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from fedtheory.algorithms.pruning import pq_drop, pq_index, pruning_times
from proofs_checks.dadpfl import section4_b, selection
from proofs_checks.dadpfl.displacement import moved
from proofs_checks.dadpfl.enumerated import played
from proofs_checks.dadpfl.pruning.times import gap


def test_the_displacement_of_three_clients():
    """Ends 1, 5/4 and 25/16 in the mean over the one neighbour: 61/48 of E_l steps, where Lemma 2 has 5/4."""
    second = (1 + Fraction(1, 2)) / 2 + Fraction(1, 2)  # hears client 1, which ends at 1, or client 3: 1 + 1/2 or 1
    third = 1 + (1 + second) / 2 / 2
    assert (second, third) == (Fraction(5, 4), Fraction(25, 16))
    assert moved(3, 1) == (1 + second + third) / 3 == Fraction(61, 48) != Fraction(3 * 1 + 2, 2 * (1 + 1))
    assert moved(2, 1) == Fraction(5, 4)
    for K, M in ((3, 1), (4, 2), (6, 3)):
        a = Fraction(M, (M + 1) * (K - 1))
        assert moved(K, M) == ((1 + a) ** K - 1) / (a * K)


def test_the_displacement_by_running_rounds():
    """All rounds of four clients with two neighbours: a model that was waited for counts as it has ended."""
    total, rounds = Fraction(0), 0
    for hears, _, plan in played(4, 2, 2):
        ends = [Fraction(0)] * 4
        for k in range(4):  # who is waited for comes before
            ends[k] = 1 + sum((ends[j] for j in range(4) if plan.waited[k, j] and hears[k, j]), Fraction(0)) / 3
        total, rounds = total + sum(ends) / 4, rounds + 1
    assert rounds == 81 and total / rounds == moved(4, 2)


@pytest.mark.parametrize("weights", [(1, 1), (3, 3, 3), (1, 4, 9, 16)])
def test_the_index_as_printed_is_negative(weights):
    """1 - d |w|_p/|w|_q is at most 1 - d, and with 1/d in the place of d between 0 and 1 - 1/d."""
    W, mask = np.array([weights], dtype=float), np.ones((1, len(weights)), dtype=bool)
    d = len(weights)
    norms = sum(np.sqrt(weights)) ** 2, sum(weights)
    printed, usual = (float(pq_index(W, mask, 0.5, 1, e)[0, 0]) for e in ("printed", "usual"))
    assert printed == pytest.approx(1 - d * norms[0] / norms[1]) and printed <= 1 - d
    assert usual == pytest.approx(1 - norms[0] / norms[1] / d) and -1e-12 <= usual <= 1 - 1 / d
    assert (printed == pytest.approx(-3)) == (weights == (1, 1))


def test_nothing_is_pruned_as_printed():
    """Layers of 1 to 64 weights of many kinds at the paper's values: 0, where the usual exponent prunes some."""
    rng = np.random.default_rng(0)
    some = 0
    for d in range(1, 65):
        for W in (np.ones((1, d)), np.eye(1, d), rng.exponential(size=(1, d)) ** 4):
            mask = np.ones((1, d), dtype=bool)
            values = {"p": 0.5, "q": 1, "eta_c": 1, "gamma": 0.9, "beta": 0.9}
            assert int(pq_drop(W, mask, exponent="printed", **values)[0, 0]) == 0
            some += int(pq_drop(W, mask, exponent="usual", **values)[0, 0]) > 0
    assert some > 150


def test_the_bounds_on_what_is_kept():
    """Of (1, 0) and of (1, 0, 0, 0) one weight is all, and the bounds say 4 and 2."""
    index = float(pq_index(np.array([[1.0, 0.0]]), np.ones((1, 2), dtype=bool), 0.5, 1, "printed")[0, 0])
    assert 2 * (1 - index) == 4
    index = float(pq_index(np.array([[1.0, 0, 0, 0]]), np.ones((1, 4), dtype=bool), 1, 2, "usual")[0, 0])
    assert 4 * (1 - index) ** (1 / (2 - 1)) == pytest.approx(2) and 4 * (1 - index) ** 2 == pytest.approx(1)


def test_gaps_and_times():
    """c = 1/2 doubles the gaps; t* = 1, b = 0 and c = 1.3 prune in every round from the second one on."""
    assert [gap(1, 1, 5, tau) for tau in (1, 2, 3)] == [2, 4, 8]
    assert [gap(1, 0, 13, tau) for tau in (1, 2, 9)] == [1, 1, 1] and gap(10, 0, 13, 2) == 8
    assert pruning_times(1, 500, 0, Fraction(13, 10)) == tuple(range(2, 500))
    assert pruning_times(3, 500, 0, Fraction(13, 10))[:6] == (6, 8, 10, 12, 13, 14)


def test_two_clients_that_wait_for_each_other():
    """Client 2 hears 3 by the index 1, and client 3 hears 2 by the index 1: each is prior to the other."""
    assert section4_b.ended((0, 1, 1), (0, 0, 0)) == 0
    assert section4_b.ended((0, 1, 1), (0, 1, 0)) == 1  # the index of client 2 for client 3 is 3, above its own


def test_the_law_by_other_counting():
    """K = 7, k = 4, M = 3: of the 20 choices 1, 9, 9 and 1 have 0, 1, 2 and 3 before."""
    others = [1, 2, 3, 5, 6, 7]
    found = [sum(sum(j < 4 for j in c) == m for c in combinations(others, 3)) for m in range(4)]
    assert found == [1, 9, 9, 1] == [comb(3, m) * comb(3, 3 - m) for m in range(4)]
    assert [selection.counted(3, 3, 3, m) for m in range(4)] == [(n, 20) for n in found]
