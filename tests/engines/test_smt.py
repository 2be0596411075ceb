"""Conditions from both sides: needed, exact boundary, or to be dropped."""

from fedtheory import Control, claim, le, verify
from fedtheory.engines.smt import boundaries
from problems import Scalars, condition, positive
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
