"""FedADMM measured: long runs of docs/examples/fedadmm_runs.py in small, and what Example 5.1's clients are tested for."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from fedtheory.algorithms import FedADMM
from fedtheory.theory.fedadmm.observe import residuals
from problems.build import build
from proofs_checks.fedadmm.section5 import chance, rejected

RUNS = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "examples" / "fedadmm_runs.py"))
follow, bowl = RUNS["follow"], RUNS["bowl"]
SELECTIONS = pytest.mark.parametrize("s0", [3, None])


def end(problem, factor, s0):
    sigma = factor * problem.constants().L_i / problem.m
    return follow(problem, sigma, S=problem.m // 2, s0=s0, rounds=300, nu=0.5)


@SELECTIONS
def test_residuals_fall_below_1e_10_within_the_condition_of_theorem_4_1(s0):
    """On Example 5.1, and where one client has negative curvature; L_tilde never rises."""
    for problem in (build("example5.1", m=4, d=5).problem, bowl(-1, 1, 2, 3)):
        found = end(problem, 2.6, s0)
        assert found.residual < 1e-10 and found.rises == 0 and found.communications < 300


@SELECTIONS
def test_outside_of_it_they_may_grow(s0):
    """With a client of negative curvature L_tilde rises and the run leaves every bound."""
    found = end(bowl(-1.8, 6), 1.12, s0)
    assert found.residual > 1e10 and found.rises > 0


@SELECTIONS
def test_outside_of_it_a_non_convex_problem_may_do_as_well(s0):
    problem = build("breast-cancer", m=4, model="logistic-nonconvex", l2=1, standardise=True).problem
    assert end(problem, 0.2, s0).residual < 1e-10


def test_the_residual_is_that_of_the_stationary_point():
    """At the minimiser with pi_i = -g_i all three rows of (4.1) are 0; elsewhere they are not."""
    problem = bowl(1, 3)
    method = FedADMM(np.ones(2), np.full(2, 1 / 2), np.full(2, 0.5))
    w = np.array([[1 / 4, 3 / 4]])
    state = method.init(problem, w, np.broadcast_to(w, (2, 2)))
    assert max(float(np.max(r)) for r in residuals(problem, method, state)) < 1e-30
    assert float(np.max(residuals(problem, method, method.init(problem, w, np.zeros((2, 2))))[2])) > 0.1


def test_what_the_test_of_example_5_1_rejects():
    """Shuffled samples no more than chance allows, and the same samples sorted always."""
    assert chance(200) == 18  # of 200 with probability 1/20 at most 18, in 99 of 100 cases
    assert rejected(40) <= chance(40) and rejected(40, shuffled=False) == 40
