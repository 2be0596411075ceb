"""z3 on claims about scalars: proofs, witnesses, and conditions that are needed, exact boundaries, or to be dropped."""

import pytest

from fedtheory import Control, claim, le, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.scalars import boundaries, smt
from problems import Points, Scalars, condition, positive, real
from proofs_checks import claims

BELOW = condition("a <= b", lambda x: le(x.a, x.b))
HALF = condition("2 a <= b", lambda x: le(2 * x.a, x.b))
IDLE = condition("c <= 1", lambda x: le(x.c, 1))
NO = Control("not used here", lambda x: le(1, 0))


def found(given, body):
    world = Scalars(a=positive(), b=positive(), c=positive(), given=given)
    return {b.name: (b.needed, b.sharp) for b in boundaries(body, world, {}, rlimit=1_000_000)}


def test_an_exact_boundary_is_proved_from_both_sides():
    assert found((BELOW, IDLE), lambda x: le(x.a**2, x.b**2)) == {"a <= b": (True, True), "c <= 1": (False, False)}


def test_a_condition_that_asks_for_more_is_needed_but_not_sharp():
    assert found((HALF,), lambda x: le(x.a, x.b)) == {"2 a <= b": (True, False)}


def test_the_step_limit_of_theorem_1_is_the_exact_boundary_of_its_bracket():
    c = claims()["pfedme/thm1-proof-s4-b"]
    by_name = {b.name: b for b in boundaries(c.body, c.world, {}, rlimit=2_000_000)}
    assert by_name["eta_tilde <= eta1_hat (31)"].needed and by_name["eta_tilde <= eta1_hat (31)"].sharp


def test_the_report_says_which_conditions_are_needed():
    @claim("draft/needed", world=Scalars(a=positive(), b=positive(), c=positive(), given=(BELOW, IDLE)), control=NO)
    def needed(x):
        return le(x.a**2, x.b**2)

    v = verify(needed, budget="standard")
    assert v.verdict == "proved" and v.hypotheses["needed"] is False
    (e,) = [e for e in v.evidence if e.engine == "smt"]
    assert e.numbers == {"needed": ["a <= b"], "sharp": ["a <= b"], "can be dropped": ["c <= 1"]}


def scalars(body, *given, **options):
    world = Scalars(a=positive(), b=positive(), given=given, **options)
    return smt(claim("draft/x", world=world, control=NO)(body), Docket())


def test_a_proof_for_all_parameters():
    e = scalars(lambda x: le(2 * x.a * x.b, x.a**2 + x.b**2))
    assert (e.outcome, e.scope, dict(e.hypotheses)) == ("proves", "all", {"satisfiable": True})


def test_listed_sizes_are_certified():
    e = scalars(lambda x: le(x.a, x.n * x.a), sizes={"n": (1, 2)})
    assert (e.outcome, e.scope) == ("certifies", [{"n": 1}, {"n": 2}])


def test_a_model_counts_as_a_witness_after_its_exact_replay():
    e = scalars(lambda x: le(x.a, x.b))
    assert e.outcome == "refutes" and e.witness["lhs"] == e.witness["scalars"]["a"]


def test_contradictory_conditions():
    e = scalars(lambda x: le(x.a, x.b), condition("a < 0", lambda x: le(x.a + 1, 0)))
    assert e.hypotheses["satisfiable"] is False and "unsatisfiable" in e.reason


def test_roots_are_numbers():
    """Of which the square is known; a counterexample is replayed."""
    assert scalars(lambda x: le(x.sqrt(x.a), x.b)).outcome == "refutes"
    assert scalars(lambda x: le(2 * x.sqrt(x.a * x.b), x.a + x.b)).outcome == "proves"


def test_a_branch_on_a_parameter_is_declined():
    e = scalars(lambda x: le(x.a, x.b if x.a <= x.b else x.a))
    assert (e.outcome, e.reason) == ("declines", "a branch on the value of a parameter")


def test_of_vectors_it_says_whether_the_conditions_can_hold():
    world = Points(None, clients_at=("u",), a=positive())
    e = smt(claim("draft/x", world=world, control=NO)(lambda x: le(0, x.sq(x.u))), Docket())
    assert (e.outcome, dict(e.hypotheses)) == ("silent", {"satisfiable": True})


@pytest.mark.parametrize("c, verdict", [(2, "certified"), (3, "refuted")])
def test_scalars_of_either_sign_at_a_larger_budget(c, verdict):
    """The constants for which it holds are looked for, with scalars that have no low end."""
    control = Control("three times as much", lambda x: le(3 * x.a * x.b, x.a**2 + x.b**2))
    one = claim("draft/am-gm", world=Scalars(a=real(), b=real(), sizes={"n": (1, 2)}), control=control)(
        lambda x: le(c * x.a * x.b, x.n * (x.a**2 + x.b**2))
    )
    v = verify(one, budget="standard")
    assert (v.verdict, [e.outcome for e in v.evidence if e.outcome == "crashes"]) == (verdict, [])


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        (lambda x: le(x.exp(x.log(x.a)), x.a), "proved"), (lambda x: le(x.a, x.exp(x.log(x.a))), "proved"),
        (lambda x: le(x.exp(x.minimum(x.log(x.a), -1)), x.a), "proved"), (lambda x: le(x.exp(x.log(x.a)), x.a / 2), "refuted"),
        (lambda x: le(x.exp(x.maximum(x.log(x.a), -1)), x.a), "refuted"),
    ],
)  # fmt: skip
def test_the_exponential_of_a_logarithm_is_what_it_is_of(body, verdict):
    """And of nothing else."""
    v = verify(claim("draft/x", world=Scalars(a=positive()))(body))
    assert (v.verdict, v.trust) == (verdict, "kernel" if verdict == "proved" else "replayed")
