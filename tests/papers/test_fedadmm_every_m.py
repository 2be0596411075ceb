"""FedADMM's sums over any number of clients: proved as they stand, and not without what Algorithm 1 gives."""

from dataclasses import replace

import pytest

import fedtheory
from fedtheory import claim
from fedtheory.premise import Premise
from proofs_checks.fedadmm.lemma4_1.every_m import lemma4_1_every_m, lemma4_1_sum
from proofs_checks.fedadmm.lemma7_1.every_m import AVERAGED
from proofs_checks.fedadmm.lemma7_2.every_m import lemma7_2b_every_m


@pytest.mark.parametrize("statement", [lemma4_1_every_m, lemma7_2b_every_m])
def test_sums_over_all_clients_are_proved_from_one_client(statement):
    v = fedtheory.verify(statement)
    assert (v.verdict, v.trust, v.scope) == ("proved", "kernel", "all")
    assert {e["verdict"] for e in v.given} == {"proved"}


def without(statement, **parts):
    return claim("draft/without", world=replace(statement.world, **parts))(statement.body)


def test_the_average_of_3_3_is_needed():
    given = tuple(c for c in lemma4_1_every_m.world.given if c is not AVERAGED)
    assert fedtheory.verify(without(lemma4_1_every_m, given=given)).verdict == "unknown"


def test_what_one_client_says_is_needed():
    stated = tuple(c for c in lemma4_1_sum.world.every if not isinstance(c, Premise))
    assert fedtheory.verify(without(lemma4_1_sum, every=stated)).verdict == "refuted"
