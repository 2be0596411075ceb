"""pFedMe's (21) for every number of local rounds, and the two convexities of Theorem 1: proved, and not without what they need."""

from dataclasses import replace

import pytest

import fedtheory
from fedtheory import claim
from fedtheory.engines.meaning import taken_over
from proofs_checks.pfedme.lemma3.rounds import lemma3_mean_over_rounds, prop3_every_n
from proofs_checks.pfedme.lemma5.unrolled import eq21_distance, eq21_every_R
from proofs_checks.pfedme.theorem1.every_T import eq35_every_T
from proofs_checks.pfedme.theorem1.jensen import MEAN, thm1_jensen
from proofs_checks.pfedme.theorem1.personal_every_T import thm1b_every_T
from proofs_checks.pfedme.theorem1.rates_every_T import thm1a_every_T
from proofs_checks.pfedme.theorem2.every_T import eq44_every_T


@pytest.mark.parametrize("statement", [eq21_every_R, lemma3_mean_over_rounds, thm1_jensen])
def test_they_are_proved_from_their_lemmas(statement):
    v = fedtheory.verify(statement)
    assert (v.verdict, v.trust, v.scope) == ("proved", "kernel", "all")
    assert {e["verdict"] for e in v.given} == {"proved"}


@pytest.mark.parametrize("theorem", [eq35_every_T, thm1a_every_T, thm1b_every_T])
def test_theorem_1_rests_on_nothing_that_is_stated_only(theorem):
    assert taken_over(theorem) == []


def test_theorem_2_rests_on_the_infimum():
    assert taken_over(eq44_every_T) == ["F* <= F(w_t), the infimum"]


def without(statement, *dropped):
    """The statement without some of its conditions."""
    given = tuple(c for c in statement.world.given if c not in dropped)
    return claim("draft/without", world=replace(statement.world, given=given))(statement.body)


def test_the_first_point_is_needed():
    start = next(c for c in eq21_distance.world.given if c.printed == "w_{i,0} = w_t")
    assert fedtheory.verify(without(eq21_distance, start)).verdict == "unknown"


def test_the_first_of_the_sums_is_needed():
    (first,) = prop3_every_n.world.given
    assert fedtheory.verify(without(prop3_every_n, first)).verdict != "proved"


def test_that_w_bar_is_the_mean_is_needed():
    assert fedtheory.verify(without(thm1_jensen, MEAN)).verdict != "proved"
