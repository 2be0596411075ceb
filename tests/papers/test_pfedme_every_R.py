"""pFedMe's (21) for every number of local rounds, and the two convexities of Theorem 1: proved, and not without what they need."""

from dataclasses import replace

import pytest

import fedtheory
from fedtheory import claim
from proofs_checks.pfedme.lemma3.rounds import lemma3_mean_over_rounds, prop3_every_n
from proofs_checks.pfedme.lemma5.unrolled import eq21_distance, eq21_every_R
from proofs_checks.pfedme.theorem1.jensen import thm1_jensen


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("statement", [eq21_every_R, lemma3_mean_over_rounds, thm1_jensen])
def test_they_are_proved_from_their_lemmas(statement):
    v = fedtheory.verify(statement)
    assert (v.verdict, v.scope) == ("proved", "all")
    assert {e["verdict"] for e in v.given} == {"proved"}


def without(statement, **changes):
    """The statement about runs that lack something."""
    return claim("draft/without", world=replace(statement.world, **changes), by=statement.by)(statement.body)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    ("statement", "changes"),
    [(eq21_distance, {"start": {}}), (prop3_every_n, {"start": {}}), (thm1_jensen, {"means": {}})],
)
def test_where_it_starts_and_of_what_it_is_the_mean_is_needed(statement, changes):
    assert fedtheory.verify(without(statement, **changes)).verdict in ("unknown", "refuted")
