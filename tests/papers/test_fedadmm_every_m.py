"""FedADMM for every number of clients and of iterations: proved from one client, and not without what Algorithm 1 gives."""

from dataclasses import replace

import pytest

import fedtheory
from fedtheory import claim, use
from fedtheory.engines.context import Docket
from fedtheory.referee.order import proving
from proofs_checks.fedadmm.corollary4_1.every_k import cor4_1c_sum
from proofs_checks.fedadmm.iterations import ITERATIONS, SHRINKS
from proofs_checks.fedadmm.lemma4_1.every_m import lemma4_1_every_m, paid_in_p3
from proofs_checks.fedadmm.lemma7_1.every_m import eq7_5_every_m
from proofs_checks.fedadmm.lemma7_2.every_m import lemma7_2b_every_m
from proofs_checks.fedadmm.lemma7_2.sums import ALONE, eq7_20_b_repaired, lemma7_2_proof_s14, lemma7_2_proof_s16
from proofs_checks.fedadmm.theorem4_1.every_k import thm4_1_proof_s1


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    "statement",
    [eq7_5_every_m, lemma4_1_every_m, lemma7_2b_every_m, eq7_20_b_repaired, thm4_1_proof_s1, cor4_1c_sum],
)
def test_statements_about_all_are_proved_from_their_lemmas(statement):
    v = fedtheory.verify(statement)
    assert (v.verdict, v.scope) == ("proved", "all")
    assert {e["verdict"] for e in v.given} <= {"proved"}


def without(statement, by=None, **parts):
    changed = replace(statement.world, **parts)
    return claim("draft/without", world=changed, by=statement.by if by is None else by)(statement.body)


def kept(body):
    """A statement (x, t) as it was written."""
    return getattr(body, "at_t", body)


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("parts", [{"every": ()}, {"given": ()}, {"obeys": ()}])
def test_the_average_the_least_c_and_the_accuracy_are_needed(parts):
    """(3.3), c <= c_i and (3.4)."""
    statement = claim("draft/without", world=replace(ITERATIONS, **parts), by=lemma4_1_every_m.by)
    assert fedtheory.verify(statement(kept(lemma4_1_every_m.body))).verdict in ("unknown", "refuted")


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("lost", range(len(lemma4_1_every_m.by)))
def test_each_lemma_is_needed(lost):
    by = lemma4_1_every_m.by[:lost] + lemma4_1_every_m.by[lost + 1 :]
    statement = claim("draft/without", world=ITERATIONS, by=by)(kept(lemma4_1_every_m.body))
    said = [stage.engine(statement, Docket()) for stage in proving(statement)]  # no search: it is true
    assert {e.outcome for e in said} <= {"declines", "silent", "supports"}


def test_the_accuracy_is_needed_of_one_client():
    assert ALONE.obeys == (SHRINKS,)
    assert fedtheory.verify(without(lemma7_2_proof_s14, obeys=())).verdict in ("unknown", "refuted")


def test_the_step_of_the_dual_vector_is_needed():
    """phi_i that moves otherwise is not (3.6), so that the lemma on it says another thing."""
    step = {**ALONE.step, "p": lambda x: x.p}
    v = fedtheory.verify(without(lemma7_2_proof_s14, step=step))
    assert v.verdict in ("unknown", "refuted")
    assert use(paid_in_p3).claim in lemma7_2_proof_s14.lemmas
    assert fedtheory.verify(lemma7_2_proof_s16).verdict == "proved"
