"""Best constants of proved bounds: closed forms that the lift proves; silence or a reason where there is none."""

from fedtheory import Control, claim, le
from fedtheory.engines.best import best
from fedtheory.engines.docket import Docket
from fedtheory.referee.budget import BUDGETS
from problems import Points, Scalars, positive
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
