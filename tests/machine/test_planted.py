"""Planted claims: false ones are refuted, true ones never, and nothing is supported without power."""

import dataclasses

import pytest
from planted import FALSE, HARD, MISSED, TRUE, UNDECIDED, WITNESSES, WRONGED

from fedtheory import Control, verify
from fedtheory.engines.counterexamples.exact import replay
from fedtheory.engines.counterexamples.witness import free_of
from fedtheory.errors import UsageError
from fedtheory.verdict import POSITIVE
from fedtheory.world import Free

SEEDS = (0, 1)
BY_SEED = pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
STORED: dict = {}  # certificates, shared by the seeds


def rows(claims):
    """One test a claim, named by it."""
    return pytest.mark.parametrize("planted", claims, ids=lambda c: c.id.removeprefix("planted/"))


def decide(planted, seed=0):
    """The verdict at the quick budget."""
    return verify(planted, budget="quick", seed=seed, stored=STORED)


def describe(v):
    """What a failing test shows."""
    return f"{v.id}: {v.verdict}, {v.reason or v.witness or v.scope}"


def refuted(planted, seed):
    """Whether the claim is refuted, by a witness that replays exactly."""
    v = decide(planted, seed)
    return (
        v.verdict == "refuted"
        and replay(planted.body, planted.world, free_of(v.witness, planted.world)).outcome == "refutes"
    )


def test_the_table_is_large_enough():
    assert len(FALSE) >= 18 and len(TRUE) >= 15
    ids = [c.id for c in (*FALSE, *HARD, *TRUE, *MISSED, *WRONGED, *UNDECIDED)]
    assert len(set(ids)) == len(ids)
    assert all(c.note and c.control for c in (*FALSE, *HARD, *TRUE, *MISSED, *WRONGED, *UNDECIDED))


@BY_SEED
@rows([*FALSE, *HARD])
def test_false_is_refuted(planted, seed):
    v = decide(planted, seed)
    assert v.verdict == "refuted", describe(v)
    result = replay(planted.body, planted.world, free_of(v.witness, planted.world), planted.id)
    assert result.outcome == "refutes", result.reason


@BY_SEED
@rows(TRUE)
def test_true_is_never_refuted(planted, seed):
    v = decide(planted, seed)
    assert v.verdict in POSITIVE, describe(v)


@pytest.mark.xfail(strict=True, reason="the search, or the world, lets this one through")
@rows(MISSED)
def test_missed_is_refuted(planted):
    assert all(refuted(planted, seed) for seed in range(8))


@rows([c for c in HARD if c.id in WITNESSES])
def test_hard_is_false(planted):
    result = replay(planted.body, planted.world, Free({}, WITNESSES[planted.id]), planted.id)
    assert result.outcome == "refutes", result.reason


@rows(WRONGED)
def test_wronged_is_not_refuted(planted):
    for seed in SEEDS:
        try:
            v = decide(planted, seed)
        except UsageError:  # saying what the claim lacks is a good answer
            return
        assert v.verdict != "refuted", describe(v)


@pytest.mark.xfail(strict=True, reason="the referee does not decide a true claim")
@rows(UNDECIDED)
def test_undecided_is_decided(planted):
    for seed in SEEDS:
        v = decide(planted, seed)
        assert v.verdict in POSITIVE, describe(v)


@rows(UNDECIDED)
def test_undecided_is_not_refuted(planted):
    assert all(decide(planted, seed).verdict != "refuted" for seed in SEEDS)


def powerless(planted):
    """The verdict on a true claim with a control that is true as well."""
    v = decide(dataclasses.replace(planted, control=Control("it is true", planted.body)))
    assert v.verdict in ("proved", "certified", "unknown"), describe(v)
    if v.verdict == "unknown":
        assert "no power" in v.reason, describe(v)
        bare = decide(dataclasses.replace(planted, control=None))
        assert any("by default" in e.reason for e in bare.evidence), describe(bare)
    return v.verdict


@pytest.mark.in_turn(4)
@rows(TRUE)
def test_without_power_nothing_is_supported(planted):
    """Not with a control that is true; proofs and certificates need no power, and half of the right side is a control too."""
    powerless(planted)


@pytest.mark.slow
def test_some_need_power():
    """So that the test before says something."""
    assert sum(powerless(planted) == "unknown" for planted in TRUE) >= 5
