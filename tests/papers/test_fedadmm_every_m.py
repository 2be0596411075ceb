"""FedADMM's sums over any number of clients and of iterations: proved as they stand, and not without what Algorithm 1 gives."""

from dataclasses import replace

import pytest

import fedtheory
from fedtheory import claim, le
from fedtheory.premise import Premise
from proofs_checks.fedadmm.corollary4_1.every_k import cor4_1c_sum
from proofs_checks.fedadmm.lemma4_1.every_m import lemma4_1_every_m, lemma4_1_sum
from proofs_checks.fedadmm.lemma7_1.every_m import AVERAGED
from proofs_checks.fedadmm.lemma7_2.equal import TWO_STATES, eq7_20_b_equal, following, lyapunov
from proofs_checks.fedadmm.lemma7_2.every_m import lemma7_2b_every_m
from proofs_checks.fedadmm.lemma7_2.sums import EQ_7_7, eq7_20_a_repaired, lemma7_2_proof_s14
from proofs_checks.fedadmm.theorem4_1.every_k import thm4_1a_every_k


@pytest.mark.parametrize(
    "statement", [lemma4_1_every_m, lemma7_2b_every_m, eq7_20_b_equal, thm4_1a_every_k, cor4_1c_sum]
)
def test_statements_about_all_are_proved_from_their_lemmas(statement):
    v = fedtheory.verify(statement)
    assert (v.verdict, v.trust, v.scope) == ("proved", "kernel", "all")
    assert {e["verdict"] for e in v.given} == {"proved"}


def test_what_is_stated_of_the_clients_is_said():
    v = fedtheory.verify(lemma4_1_every_m)
    said = [text for e in v.evidence for text in e.numbers.get("stated, not proved", ())]
    lower = [f"{name} >= 0: -b is a lower bound" for name in ("L", "L_next", "average", "cross", "upload")]
    assert sorted(said) == sorted(["c <= c_i", "credit >= 0", *lower])


def without(statement, **parts):
    return claim("draft/without", world=replace(statement.world, **parts))(statement.body)


def test_the_average_of_3_3_is_needed():
    given = tuple(c for c in lemma4_1_every_m.world.given if c is not AVERAGED)
    assert fedtheory.verify(without(lemma4_1_every_m, given=given)).verdict == "unknown"


def test_what_one_client_says_is_needed():
    stated = tuple(c for c in lemma4_1_sum.world.every if not isinstance(c, Premise))
    assert fedtheory.verify(without(lemma4_1_sum, every=stated)).verdict == "refuted"


def test_what_is_summed_over_the_iterations_is_needed():
    every = tuple(c for c in lemma7_2_proof_s14.world.every if c is not EQ_7_7)
    assert fedtheory.verify(without(lemma7_2_proof_s14, every=every)).verdict == "refuted"
    assert fedtheory.verify(without(eq7_20_a_repaired, every=())).verdict == "refuted"


def test_the_penalty_and_the_credit_of_equal_clients_are_needed():
    v = fedtheory.verify(claim("draft/no-credit", world=TWO_STATES)(no_credit))
    assert v.verdict == "refuted"
    assert fedtheory.verify(without(eq7_20_b_equal, given=())).verdict != "proved"


def no_credit(x):
    return le(following(x, lyapunov), lyapunov(x))
