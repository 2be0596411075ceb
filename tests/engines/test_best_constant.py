"""Best constants of proved bounds: closed forms that the lift proves; silence or a reason where there is none."""

from fractions import Fraction

import pytest

import fedtheory
from fedtheory import Control, claim, le
from fedtheory.engines.budget import BUDGETS
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.best_constant import best
from fedtheory.engines.prove.tightness import tight
from fedtheory.units import CURVATURE
from fedtheory.verdict import Evidence
from problems import Points, Scalars, SmoothConvex, positive
from problems.worlds.steps import Steps
from proofs_checks import claims

THOROUGH = Docket(BUDGETS["standard"])
NO = Control("not used here", lambda x: le(1, 0))


def test_the_best_constant_of_the_envelope_is_found_and_proved():
    e = best(claims()["pfedme/prop1b"], THOROUGH)  # |grad F(w) - grad F(v)| <= lam L/(lam - L) |w - v|
    assert (e.outcome, e.numbers["constant"], e.numbers["proved"]) == ("supports", "L^2 (lam - L)^-2", True)
    assert best(claims()["pfedme/prop1a"], THOROUGH).numbers["constant"] == "1"
    assert best(claims()["pfedme/lemma2b"], THOROUGH).outcome == "declines"


def test_a_factor_of_ten_is_found():
    @claim("draft/ten", world=Points(None, at=(), clients_at=("u",)), control=NO)
    def ten(x):
        return le(x.sq(x.mean_vec(x.u)), 10 * x.mean(x.sq(x.u)))

    e = best(ten, THOROUGH)
    assert (e.outcome, e.numbers["constant"]) == ("supports", "1/10")


def test_claims_about_scalars_have_none():
    @claim("draft/scalars", world=Scalars(a=positive()), control=NO)
    def scalars(x):
        return le(x.a, 2 * x.a)

    assert best(scalars, THOROUGH).outcome == "silent"


@pytest.mark.parametrize(
    ("share", "tightness"), [(1, 1.0), (2, 0.5), (Fraction(5, 3), 0.6)], ids=["the best one", "twice", "five thirds"]
)
def test_the_tightness_of_a_proved_bound_is_that_of_the_program(share, tightness):
    """|grad f(w) - grad f(v)|^2 <= L <grad f(w) - grad f(v), w - v> is attained; the search does not have to come upon it."""
    world = Points(SmoothConvex("L"), at=("w", "v"), L=positive(CURVATURE))

    def body(x):
        step = x.f.grad(x.w) - x.f.grad(x.v)
        return le(x.mean(x.sq(step)), share * x.L * x.mean(x.dot(step, x.w - x.v)))

    v = fedtheory.verify(claim("draft/a", world=world)(body))
    assert v.verdict == "proved" and v.tightness == pytest.approx(tightness, abs=1e-6)
    docket = Docket().after(Evidence("falsify", "silent", figures={"tightness": 0.9}))
    assert tight(claim("draft/a", world=world)(body), docket).figures["tightness"] == max(0.9, v.tightness)


@pytest.mark.parametrize(
    ("body", "least"),
    [
        (lambda x: le(2 * x.a * x.b, 4 * (x.a**2 + x.b**2)), Fraction(1, 4)),
        (lambda x: le(x.a, 3 * (x.a + x.b)), Fraction(1, 3)),
        (lambda x: le(x.a * x.b**2, x.a**3 + x.b**3), 2 ** (2 / 3) / 3),
        (lambda x: le(x.a**3 * x.b, x.a**4 + x.b**4), 3**0.75 / 4),
    ],
    ids=["attained", "in a limit", "a root", "another root"],
)
def test_the_tightness_of_a_proved_bound_on_scalars_is_bracketed(body, least):
    """From whatever the search has seen, an instance below and a proof above."""
    c = claim("draft/a", world=Scalars(a=positive(), b=positive()))(body)
    for seen in (0.01, 0.2):
        e = tight(c, Docket().after(Evidence("falsify", "silent", figures={"tightness": seen})))
        high, low = Fraction(e.numbers["at most"]), e.figures["tightness"]
        assert e.outcome == "supports" and high >= least - 1e-12 and low <= float(high)
        assert low > float(high) - (1 - seen) / 16 and low <= least + 0.01
    v = fedtheory.verify(c)
    assert v.verdict == "proved" and abs(v.tightness - least) < 0.02


def test_nothing_is_said_of_the_tightness_of_scalars_where_there_is_none():
    docket = Docket().after(Evidence("falsify", "silent", figures={"tightness": 0.5}))
    c = claim("draft/a", world=Scalars(a=positive(), b=positive()))
    assert tight(c(lambda x: le(2 * x.a, x.a + x.a)), docket).figures["tightness"] == 1  # z3 has an instance
    assert tight(c(lambda x: le(x.a, 2 * x.a)), Docket()).outcome == "silent"  # a right side may be negative
    assert tight(c(lambda x: le(x.a * x.sqrt(x.b) * x.exp(x.a), x.exp(x.b) * x.a)), docket).outcome == "silent"
    root = tight(c(lambda x: le(x.a * x.sqrt(x.b), x.exp(x.b) * x.a)), docket)
    assert root.numbers == {"at most": "1/2"} and 0.5 > 0.5**0.5 / 2.718281828**0.5  # the largest root of b over e^b


def test_a_run_has_no_tightness_by_a_program():
    """Its states are any that meet the invariants, which no run may reach."""
    runs = [c for c in claims().values() if isinstance(c.world, Steps)]
    assert len(runs) > 5 and all(tight(c, Docket()).figures == {} for c in runs)
