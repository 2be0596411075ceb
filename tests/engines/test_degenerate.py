"""Conditions that say nothing at one client, and power where there is nothing between listed parameters."""

import fedtheory
from fedtheory import Control, claim, le
from problems import Points, condition


def gossip(x):
    mean = x.mean_vec(x.u)
    return le(x.mean(x.sq(x.v - x.mean_vec(x.v))), x.mean(x.sq(x.u - mean)))


KEPT = (
    condition("the mean is kept", lambda x: le(x.sq(x.mean_vec(x.v) - x.mean_vec(x.u)), 0)),
    condition(
        "deviations shrink", lambda x: le(x.mean(x.sq(x.v - x.mean_vec(x.v))), x.mean(x.sq(x.u - x.mean_vec(x.u))))
    ),
)


def test_a_condition_that_says_nothing_at_one_client_is_no_crash():
    """0 <= 0 among the inequalities of the program for an instance."""
    world = Points(None, at=(), clients_at=("u", "v"), given=KEPT)
    for body in (gossip, lambda x: le(2 * x.mean(x.sq(x.v - x.mean_vec(x.v))), x.mean(x.sq(x.u - x.mean_vec(x.u))))):
        v = fedtheory.verify(claim("draft/gossip", world=world)(body))
        assert not v.crashed, v.reason


def test_an_inequality_without_terms_is_no_crash():
    """In the instance search, which looks for equalities among what stands with both signs."""
    from fedtheory.engines.certificates.sdp.primal import Primal
    from fedtheory.gram.forms import Form, Space

    space = Space()
    space.leaf("w")
    space.inequalities.append(("0 <= 0", Form({})))
    assert Primal({}, space).equal == []


def test_nothing_lies_between_where_there_are_no_parameters():
    """A certificate at the one point that there is needs no power of a search between points."""
    world = Points(None, at=("u", "v"), given=(condition("|v| <= |u|", lambda x: le(x.sq(x.v), x.sq(x.u))),))
    weak = Control("half is too little, and no draw says so", lambda x: le(0, x.sq(x.u)))
    v = fedtheory.verify(claim("draft/none", world=world, control=weak)(lambda x: le(x.sq(x.u + x.v), 4 * x.sq(x.u))))
    assert v.verdict in ("proved", "certified"), v.reason
