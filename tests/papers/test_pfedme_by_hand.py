"""pFedMe's rows as they are printed: of the method, for every size, from lemmas; what a row needs is needed."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import fedtheory
from fedtheory import claim
from fedtheory.engines.counterexamples.exact import replay
from fedtheory.units import LENGTH
from fedtheory.world import at_least, positive
from problems.worlds.run import RunWorld
from proofs_checks import claims
from proofs_checks.pfedme.lemma1.proof import lemma1a_s5
from proofs_checks.pfedme.theorem1.one_step import eq26
from proofs_checks.pfedme.theorem1.weights import thm1_proof_s9_a, thm1_proof_s10_power
from proofs_checks.pfedme.theorem2.along_runs import BIASED
from proofs_checks.pfedme.theorem2.one_step import eq38

PAPER = {id: c for id, c in claims().items() if id.startswith("pfedme/")}

OF_THE_METHOD = (
    "lemma5", "eq24", "eq26", "eq30-a~repaired", "eq32-a~repaired", "eq34~repaired", "eq35~repaired",
    "thm1-proof-s14-a~repaired", "thm1-proof-s15~repaired", "thm1a-b~repaired", "thm1b-proof-s2-a", "thm1b-proof-s2-b",
    "thm1b-proof-s3-a~repaired", "thm1b",
    "rem1-neighbourhood", "rem1-neighbourhood@eps", "rem1-neighbourhood~points", "rem1-ball~repaired-eps",
    "eq38", "eq44~repaired", "thm2-proof-s6~repaired",
    "thm2-proof-s7~repaired", "thm2a-b~repaired",
)  # fmt: skip


def test_nothing_is_assumed():
    assert [id for id, c in PAPER.items() if c.assumed] == []


@pytest.mark.parametrize("id", OF_THE_METHOD)
def test_what_is_said_of_the_method_has_the_method(id):
    """A run of its rounds, global or local, of clients whose number is a size; and lemmas."""
    c = PAPER[f"pfedme/{id}"]
    assert isinstance(c.world, RunWorld) and c.world.f is not None and c.world.step and c.lemmas
    assert len(c.world.sizes["m"]) > 1 and "R" in c.world.sizes


def test_repairs_of_the_theorems_are_of_the_method():
    """No repair of a rate of a theorem is about numbers alone."""
    cases = ("thm1-proof-s14-a", "thm1-proof-s15", "thm2-proof-s6", "thm2-proof-s7")
    for id in ("thm1a-b", "thm2a-b", "eq34", "eq35", "eq44", *cases):
        assert isinstance(PAPER[PAPER[f"pfedme/{id}"].repair].world, RunWorld), id


def test_conditions_that_are_not_printed_are_not_asked():
    """Lemma 5 prints no beta >= 1, an inner solution may be exact, and Lemma 4 has no convex clients."""
    lemma5 = PAPER["pfedme/lemma5"].world
    assert lemma5.scalars["beta"] == positive() and lemma5.scalars["delta"] == at_least(0, LENGTH)
    assert PAPER["pfedme/thm1b"].world.scalars["delta"] == at_least(0, LENGTH)
    assert type(PAPER["pfedme/lemma4"].world.f) is type(lemma5.f)
    assert "rho" in PAPER["pfedme/lemma4"].world.scalars


FOR_EVERY_SIZE = (
    "thm1-proof-s7", "thm1-proof-s8-a", "thm1-proof-s8-b", "thm1-proof-s8-c", "thm1-proof-s9-a", "thm1-proof-s9-b",
    "thm1-proof-s10-a", "thm1-proof-s10-b", "thm1-proof-s10-c", "thm1-proof-s11", "thm1-proof-s12-a", "thm1-proof-s12-b",
    "thm1-proof-s12-c", "eq32-b", "eq33-a", "eq33-b", "eq22", "lemma5-proof-s4-a", "lemma5-proof-s4-b", "lemma5-proof-s5",
    "lemma1a-proof-s5", "lemma2b-proof-s4", "thm1b-proof-s1-b",
)  # fmt: skip


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("id", FOR_EVERY_SIZE)
def test_proved_for_every_size(id):
    v = fedtheory.verify(PAPER[f"pfedme/{id}"])
    assert (v.verdict, v.scope) == ("proved", "all")
    assert v.trust in ("kernel", "z3")


def without(statement, by=None, **changes):
    """The statement in a world that lacks something, or from fewer lemmas."""
    lemmas = statement.by if by is None else by
    return claim("draft/without", world=replace(statement.world, **changes), by=lemmas)(statement.body)


@pytest.mark.in_turn(5)
@pytest.mark.parametrize(
    "lacking",
    [
        without(thm1_proof_s10_power, given=thm1_proof_s10_power.world.given[:1]),  # eta_tilde T >= 2/mu_F
        without(thm1_proof_s9_a, given=thm1_proof_s9_a.world.given[:1]),
        without(lemma1a_s5, start={}),  # the sum begins at 0
        without(eq26, by=eq26.by[1:]),  # Lemma 5
        without(eq38, by=eq38.by[1:]),  # Lemma 5
    ],
    ids=["half", "s9-a", "start", "26", "38"],
)
def test_what_a_row_needs_is_needed(lacking):
    assert fedtheory.verify(lacking).verdict in ("unknown", "refuted")


def test_the_literal_44_fails_where_rounds_rest():
    """Both sides of (44) with the braces as printed, by hand: lam = 2, L = 1/2, beta = 1, a = 1, exact solutions, both sampled."""
    q = Fraction
    lam, L, R, step = q(2), q(1, 2), 2, q(1, 75 * 2 * 4)
    eta, curvature = step / R, lam * L / (lam + L)
    b = (1 + (1 - eta * curvature)) / 2  # the mean of the two gradients of client 1, which starts at slope 1
    assert lam**2 - 8 * L**2 >= 1
    left = ((1 - b) / 2) ** 2 / 2  # grad F = (1 - b)/2, and nothing moves
    variance = lam**2 / (lam**2 - 8 * L**2) * ((1 + b) / 2) ** 2
    brace = step**3 * 16 * 3 * R * variance / R
    right = step**2 * brace
    assert left > right
    free = next(iter(BIASED.sample(np.random.default_rng(0), {"m": 2, "d": 1, "R": 2, "S": 2, "T": 1}, 1, 1)))
    at = BIASED.pick(free, 0).map(Fraction).replace(scalars={"lam": lam, "beta": q(1), "a": q(1)})
    found = replay(PAPER["pfedme/eq44@literal"].body, PAPER["pfedme/eq44@literal"].world, at)
    assert found.outcome == "refutes" and all(s.truth is True for s in found.given)
    assert [(s.lhs, s.rhs) for s in found.relations] == [(left, right)]


@pytest.mark.parametrize("seed", range(8))
def test_so_many_inner_steps_reach_8(seed):
    """K of rem-k-gd~repaired and of rem-k-nesterov~repaired on quadratics, in floats."""
    rng = np.random.default_rng(seed)
    root, L, d = 1.1 + 5 * rng.random(), 10 ** rng.uniform(-2, 2), 10 ** rng.uniform(-2, 2)
    mu, nu = L / root**2, L * d * 10 ** rng.uniform(-6, -0.5)
    H = np.array([mu, (mu + L) / 2, L])
    start = rng.standard_normal(3)
    start *= d / np.linalg.norm(start)
    w = start
    for _ in range(math.ceil(root**2 * math.log(L * d / nu))):
        w = w - H * w / L
    assert np.linalg.norm(H * w) <= nu
    w = z = start
    for _ in range(math.ceil(2 * root * math.log(math.sqrt(2) * L * d / nu))):
        y = (root * w + z) / (root + 1)
        w, z = y - H * y / L, z + (y - z - H * y / mu) / root
    assert np.linalg.norm(H * w) <= nu
