"""The cost of rounds by hand; bytes of the busiest node from a graph, node by node; what is out of range is named."""

import math

import numpy as np
import pytest

from fedtheory import UsageError
from fedtheory.measure.cost import Device, break_even, busiest_bytes, cost, total, training_flop


def test_time_and_energy_by_hand():
    """DisPFL on CIFAR10, Table II: 5 x 7.1e12/80e12 s and 450 W; 223.1 x 2^20 x 8 bits at 1e9 bit/s and 1 W."""
    one = cost(7.1e12, 223.1 * 2**20)
    assert one.computing == pytest.approx(0.44375, rel=1e-15) and one.computing_joules == pytest.approx(199.6875)
    assert one.sending == one.sending_joules == pytest.approx(1.8714984448)
    assert one.seconds == pytest.approx(2.3152484448) and one.joules == pytest.approx(201.5589984448)
    assert total(0.25, one.seconds, one.joules) == pytest.approx(0.75 * 2.3152484448 + 0.25 * 201.5589984448)
    assert total(0.5, one.seconds, one.joules, per_second=4.0, per_joule=0.0) == pytest.approx(2 * 2.3152484448)


def test_rounds_and_waiting():
    """Seconds and joules grow with the rounds; waiting takes time and no energy, of a whole round or of its training."""
    one, many = cost(1e12, 1e6), cost(1e12, 1e6, rounds=7, wait=3.0)
    assert many.joules == pytest.approx(7 * one.joules) and many.seconds == pytest.approx(7 * 4 * one.seconds)
    trained = cost(1e12, 1e6, rounds=7, wait=3.0, waits="training")
    assert trained.seconds == pytest.approx(7 * (4 * one.computing + one.sending))
    assert trained.joules == many.joules


def test_another_device():
    """Twice as fast, half the power, no correction: a quarter of the energy and a tenth of the time."""
    node = Device(speed=160e12, correction=1.0, watts=225.0, bandwidth=2e9, card_watts=3.0)
    one = cost(160e12, 1e9, device=node)
    assert (one.computing, one.computing_joules, one.sending, one.sending_joules) == (1.0, 225.0, 4.0, 12.0)


def test_arrays_give_what_their_entries_give():
    """Rounds of a run at once, against theta on a further axis."""
    flop, moved, wait = np.array([1e12, 2e12, 5e12]), np.array([1e6, 3e6, 2e6]), np.array([0.0, 1.0, 17.0])
    whole = cost(flop, moved, wait=wait)
    for k in range(3):
        one = cost(flop[k], moved[k], wait=wait[k])
        assert whole.seconds[k] == one.seconds and whole.joules[k] == one.joules
    theta = np.linspace(0, 1, 5)[:, None]
    found = total(theta, whole.seconds, whole.joules)
    assert found.shape == (5, 3) and (found[0] == whole.seconds).all() and (found[-1] == whole.joules).all()


def test_where_two_methods_cost_the_same():
    """At the theta that is found the totals are equal, below it the slower one is dearer, above it cheaper."""
    slow, fast = cost(2e12, 1e6, wait=17.0), cost(8e12, 4e6)
    theta = float(break_even(slow, fast))
    assert 0 < theta < 1
    gap = [float(total(t, slow.seconds, slow.joules) - total(t, fast.seconds, fast.joules)) for t in (0, theta, 1)]
    assert gap[0] > 0 and gap[1] == pytest.approx(0, abs=1e-9) and gap[2] < 0
    assert float(break_even(cost(1e12, 1e6), fast)) == 0 and math.isnan(break_even(fast, slow))
    assert math.isnan(break_even(cost(9e12, 9e6), fast))
    assert float(break_even(fast, fast)) == 0


@pytest.mark.parametrize("direction", ["received", "sent", "both"])
def test_bytes_of_the_busiest_node_by_a_loop(direction):
    """Random graphs and densities of several rounds at once, against every link added up."""
    rng = np.random.default_rng(0)
    kept = rng.integers(0, 1000, size=(4, 6))
    near = rng.random((4, 6, 6)) < 0.4
    near &= ~np.eye(6, dtype=bool)
    found = busiest_bytes(kept, near, direction=direction, mask_of=800)
    for t in range(4):
        moved = [0.0] * 6
        for k in range(6):
            for j in range(6):
                if near[t, k, j]:
                    size = 4 * int(kept[t, j]) + 100
                    moved[k] += size * (direction != "sent")
                    moved[j] += size * (direction != "received")
        assert found[t] == max(moved)


def test_bytes_of_table_ii():
    """Ten dense models of ResNet18's 11,173,962 weights are 426.3 MB of 2^20 bytes."""
    near = ~np.eye(11, dtype=bool)
    dense = busiest_bytes(np.full(11, 11_173_962), near)
    assert dense == 10 * 4 * 11_173_962 and round(float(dense) / 2**20, 1) == 426.3


def test_operations_by_hand():
    """Softmax of 10 classes on 64 features: 640 weights, 20 samples, 5 passes, 4 FLOP a use; a convolution by its places."""
    assert training_flop(640, 20, passes=5, per_use=4) == 640 * 20 * 5 * 4
    assert training_flop([9, 32], 3, uses=[784, 1]) == 6 * 3 * (9 * 784 + 32)
    assert training_flop(640, 20, gradients=2) == 2 * training_flop(640, 20)
    kept = np.array([[[10.0, 5.0], [4.0, 2.0]], [[8.0, 5.0], [3.0, 1.0]]])  # rounds, clients, layers
    found = training_flop(kept, [30, 60], uses=[100, 1])
    assert found.shape == (2, 2) and found[1, 1] == 6 * 60 * 301


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cost(-1, 0), r"`cost\(flop=...\)` must be finite and at least 0, got -1.0"),
        (lambda: cost(1, [1.0, np.nan]), r"`cost\(transferred=...\)` must be finite and at least 0, got nan"),
        (lambda: cost(1, 1, wait=-2), r"`cost\(wait=...\)`"),
        (lambda: cost(1, 1, waits="rounds"), "must be one of round, training, got 'rounds'; did you mean round"),
        (lambda: Device(speed=0), r"`Device\(speed=...\)` must be positive and finite, got 0"),
        (lambda: total(1.5, 1, 1), r"`total\(theta=...\)` must be at most 1, got 1.5"),
        (lambda: total(-0.1, 1, 1), r"`total\(theta=...\)` must be finite and at least 0, got -0.1"),
        (lambda: busiest_bytes([1, 2], np.ones((3, 3))), r"\(..., K, K\) with K of kept, \(2,\), got \(3, 3\)"),
        (lambda: busiest_bytes([1, 2], np.eye(2)), "a client receives its own model"),
        (lambda: busiest_bytes([1, 2], [[0, 1], [1, 0]], direction="send"), "got 'send'; did you mean sent"),
        (lambda: training_flop([1, 2], 3, uses=[1, 2, 3]), r"a number for each layer of kept, \(2,\), got \(3,\)"),
        (lambda: training_flop(1, -3), r"`training_flop\(samples=...\)` must be finite and at least 0, got -3.0"),
    ],
)
def test_what_is_out_of_range_is_named(call, message):
    """Argument, rule and value."""
    with pytest.raises(UsageError, match=message):
        call()
