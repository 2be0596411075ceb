"""The audit before a verdict: what it refuses, what it lets through, and what a user is told."""

import math
import os
import time
from fractions import Fraction

import numpy as np
import pytest

from fedtheory import Control, claim, eq, le, lt, verify
from fedtheory.errors import UsageError
from fedtheory.relation import Relation
from fedtheory.wellformed.evaluated_twice import audit
from fedtheory.wellformed.shapes import preflight
from problems import Points, Scalars, Smooth, between, condition, positive
from problems.worlds.derived import DerivedScalars

HALF = 0.5
VECTORS = Points(None, at=("w", "v"))
A = Scalars(a=positive())


def half_of(s):
    return s * HALF


def planted(body, world=VECTORS, control=None):
    return claim("draft/planted", world=world, control=control)(body)


REFUSED = {
    "a coordinate": (VECTORS, lambda x: le(0, x.w[..., 0] ** 2), "reads coordinates"),
    "coordinates through einsum": (VECTORS, lambda x: le(np.sum(x.w, axis=-1), 1), "reads coordinates"),
    "a shape": (VECTORS, lambda x: le(x.w.shape[-1] * x.sq(x.w), 9 * x.sq(x.w)), "write x.d"),
    "rows of clients": (Points(None, at=(), clients_at=("u",)), lambda x: le(x.sq(x.u[..., -1:, :]), x.total(x.sq(x.u))),
                        "rows that belong to no client"),
    "conditions": (A, lambda x: le(len(x.given) * x.a, 9 * x.a), "x.given"),
    "the clock": (A, lambda x: le(0, time.time_ns() * x.a), "two evaluations"),
    "in place": (VECTORS, lambda x: le(0, x.sq(x.w.__iadd__(x.v))), "write after = before + ..."),
    "a function of NumPy": (A, lambda x: le(np.sqrt(x.a), 1 + x.a), "np.sqrt(s): write x.sqrt(s)"),
    "a function of math": (A, lambda x: le(math.sqrt(x.a), 1 + x.a), "for math.sqrt(s) write x.sqrt(s)"),
    "a broken power": (A, lambda x: le(x.a ** x.ratio(1, 2), 1 + x.a), "which is not exact"),
    "a huge power": (A, lambda x: lt(0, x.a ** (10**6)), "take a smaller power"),
    "a global": (A, lambda x: le(HALF * x.a, x.a), "the body reads HALF = 0.5"),
    "a helper": (A, lambda x: le(half_of(x.a), x.a), "the helper half_of of the body reads HALF = 0.5"),
    "a formula": (DerivedScalars({"k": lambda x: HALF * x.a}, a=positive()), lambda x: le(x.k, x.a),
                  "the formula of k reads HALF"),
    "a condition": (Scalars(a=positive(), given=(condition("a < 1/2", lambda x: lt(x.a, HALF)),)), lambda x: lt(x.a, 1),
                    "the condition 'a < 1/2' reads HALF"),
    "infinity": (A, lambda x: le(x.a, math.inf), "which is no number"),
    "a missing side": (A, lambda x: le(x.a, None), "None, which is no number"),
    "a condition on vectors": (
        Points(None, at=("u", "v"), given=(condition("u = v", lambda x: eq(x.u, x.v)),)),
        lambda x: le(x.sq(x.u), x.sq(x.v)), "the lhs of the condition 'u = v' has shape",
    ),
    "sizes": (Points(None, clients_at=("u",), sizes={"S": (9,)}), lambda x: le(0, x.sq(x.w)), "no sizes fit together"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    """In one line that names the claim and says what to write instead."""
    world, body, message = REFUSED[case]
    with pytest.raises(UsageError) as refused:
        verify(planted(body, world))
    assert message in str(refused.value) and str(refused.value).startswith("claim draft/planted")
    assert "\n" not in str(refused.value)


def test_a_control_is_audited_too():
    bad = planted(lambda x: le(0, x.sq(x.w)), control=Control("no", lambda x: le(x.w[..., -1], 0)))
    with pytest.raises(UsageError, match=r"draft/planted \(control\): the body reads coordinates"):
        verify(bad)


@pytest.mark.parametrize("body", [
    lambda x: le(x.sq(x.w + x.v), 2 * x.sq(x.w) + 2 * x.sq(x.v)),
    lambda x: le(x.sq(x.w), x.d * x.sq(x.w)),
    lambda x: le(x.sqrt(x.sq(x.w)), 1 + x.sq(x.w)),
    lambda x: le(x.minimum(x.sq(x.w), x.sq(x.v)), x.sq(x.v)),
])  # fmt: skip
def test_honest(body):
    audit(planted(body))


@pytest.mark.in_turn(10)
def test_published_claims_pass(published):
    """Every decision begins with this; here it is the audit that is named when a body fails it."""
    preflight(published)
    audit(published)


def test_an_end_of_a_range_is_exact():
    with pytest.raises(UsageError, match=r"write Fraction\(1, 10\)"):
        between(0, 0.1)
    assert between(0, Fraction(1, 10)).high == Fraction(1, 10)


def test_what_an_engine_cannot_take_is_declined():
    """A body's own arithmetic on symbols is no crash, and the next engines are asked."""
    v = verify(planted(lambda x: lt(x.a % 1, 1), A, Control("no", lambda x: lt(x.a, 1))))
    said = {e.engine: e.reason for e in v.evidence}
    assert v.verdict == "supported" and said["smt"] == "z3: a remainder or a floor of a parameter"


def test_a_fault_of_our_own_is_a_crash(monkeypatch):
    """What our code raises beneath a body is never taken for the body's."""
    from problems.worlds.abstract import AbstractClients

    monkeypatch.setattr(AbstractClients, "_point", None)
    world = Points(Smooth("L"), L=positive())
    v = verify(planted(lambda x: le(0, x.L * x.sq(x.f.grad(x.w))), world))
    assert v.crashed and "'NoneType' object is not callable" in v.reason


def test_no_body_ends_the_process_and_nothing_is_changed_for_it():
    """While a verdict is reached os._exit is Python's own, so that a child that another thread forks ends as it should."""
    ends, met = (os._exit, os.abort), []

    def looks(x):
        met.append((os.getpid(), (getattr(os, "_ex" + "it"), getattr(os, "ab" + "ort")) == ends))
        return le(0, x.a)

    verify(claim("draft/looks", world=A)(looks))
    assert met and all(same for _, same in met)

    def helper(x):
        return os._exit(7)

    for body in (
        lambda x: os.abort(),
        lambda x: os._exit(7),
        helper,
        lambda x: helper(x),
        lambda x: os.kill(os.getpid(), 9),
    ):
        with pytest.raises(UsageError, match="ends the program: it calls"):
            verify(claim("draft/ends", world=A)(body))


@pytest.mark.parametrize("op", [">=", ">", "!=", "=<", "", None, "in", "<= "])
def test_a_relation_by_hand_has_one_of_three_operators(op):
    """Another one meant something else in every engine; it is refused where it is made, in a claim with its line."""
    with pytest.raises(UsageError, match="a >= b is le"):
        Relation(1, op, 2)
    with pytest.raises(UsageError, match="its operator is one of <=, <, =="):
        verify(claim("draft/op", world=A)(lambda x: Relation(2 * x.a, op, x.a)))
