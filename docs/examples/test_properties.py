"""Property tests: no verdict, but a search by hypothesis in a test of one's own.

pytest test_properties.py
"""

from fractions import Fraction

import numpy as np
from hypothesis import HealthCheck, given, settings

from fedtheory import le
from fedtheory.algorithms import FedAvg
from fedtheory.testing import assert_holds, clients, given_world, partitions, states
from fedtheory.units import CURVATURE
from problems import Points, SmoothConvex, positive

# exact numbers take their time, more of it where a machine is busy
settings.register_profile("exact", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("exact")

CONVEX = SmoothConvex("L")


@given_world(Points(CONVEX, at=("w", "v"), L=positive(CURVATURE)))
def test_gradients_are_monotone(x):
    """What is returned is asserted, exactly."""
    return le(0, x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))


@given_world(Points(CONVEX, at=("w", "v"), L=positive(CURVATURE)), numbers="ball")
def test_norms_without_squares(x):
    """Roots need balls, or floats."""
    gap = x.sqrt(x.sq(x.f.grad(x.w) - x.f.grad(x.v)))
    return le(gap, x.L * x.sqrt(x.sq(x.w - x.v)))


@given(states(FedAvg(Fraction(1, 100), 2, alpha=1), clients(CONVEX, L=positive())))
def test_states_that_are_reached(run):
    """A run of a method in exact numbers: two steps of length 1/100 do not move a model far on a flat client."""
    for before, after in zip(run.states, run.states[1:], strict=False):
        largest = np.max(np.abs(run.problem.grad(before.w)))
        assert_holds(le(np.max(np.abs(after.w - before.w)), 2 * largest * (1 + run.problem.curvature.max())))


@given(partitions(largest_m=5))
def test_partitions(p):
    """Every sample has one owner."""
    assert sum(map(len, p.rows)) == len(set().union(*map(set, p.rows)))
