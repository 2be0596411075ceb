"""The audit of units: a mixed sum is reported, of a body and of a condition, and refutes nothing."""

from fedtheory import Control, claim, le
from fedtheory.engines.context import Docket
from fedtheory.engines.units import units
from fedtheory.units import CURVATURE, LENGTH
from problems import Points, Scalars, condition, positive

NO = Control("not used here", lambda x: le(1, 0))
WORLD = {"lam": positive(CURVATURE), "w": positive(LENGTH)}


def audited(body, *given, world=None):
    world = Scalars(**WORLD, given=given) if world is None else world
    return units(claim("draft/x", world=world, control=NO)(body), Docket())


def test_one_unit_on_both_sides():
    e = audited(lambda x: le(x.lam * x.w**2, 2 * x.lam * x.w**2))
    assert (e.outcome, e.numbers, dict(e.hypotheses)) == ("supports", {"homogeneous": True}, {"homogeneous": True})


def test_sides_of_two_units():
    e = audited(lambda x: le(x.lam, x.w))
    assert (e.outcome, e.numbers["homogeneous"]) == ("declines", False) and "a relation between" in e.reason


def test_a_mixed_sum():
    e = audited(lambda x: le(x.lam + x.w, 3 * x.lam))
    assert e.outcome == "declines" and "a sum of" in e.reason


def test_a_condition_of_two_units_is_a_matter_of_the_hypotheses():
    e = audited(lambda x: le(x.lam, 2 * x.lam), condition("lam <= w", lambda x: le(x.lam, x.w)))
    assert (e.outcome, dict(e.hypotheses)) == ("supports", {"homogeneous": False})


def test_a_mixed_sum_in_a_condition():
    e = audited(lambda x: le(x.lam, 2 * x.lam), condition("lam + w <= lam", lambda x: le(x.lam + x.w, x.lam)))
    assert (e.outcome, dict(e.hypotheses)) == ("declines", {"homogeneous": False})
    assert e.reason.startswith("conditions: ")


def test_vectors_carry_lengths():
    world = Points(None, at=("w", "v"))
    assert audited(lambda x: le(x.sq(x.w), x.dot(x.w, x.v)), world=world).outcome == "supports"
    assert audited(lambda x: le(x.sq(x.w), x.sqrt(x.sq(x.w))), world=world).outcome == "declines"
