"""Conditions that are equations, which no draw meets: parameters for which they are solved, and claims that are decided there."""

from fractions import Fraction
from itertools import islice

import pytest

import fedtheory
from fedtheory import claim, eq, le, lt
from problems import Points, Scalars, condition, positive
from problems.worlds.grids import meets, small_rationals, solved
from proofs_checks.fedadmm.worlds import fedadmm_steps

RATIO = condition("7654321 a = 1234567 b", lambda x: eq(7654321 * x.a, 1234567 * x.b))
PRODUCT = condition("a c = 3/11", lambda x: eq(11 * x.a * x.c, 3))
ORDER = condition("b < a", lambda x: lt(x.b, x.a))
SQUARES = condition("a^2 = 2 b^2", lambda x: eq(x.a**2, 2 * x.b**2))


def pair(*given, **more):
    return Scalars(a=positive(), b=positive(), given=given, **more)


@pytest.mark.parametrize(
    "world",
    [
        pair(RATIO),
        pair(PRODUCT, c=positive()),
        pair(condition("7 a = 22 b", lambda x: eq(7 * x.a, 22 * x.b)), PRODUCT, ORDER, c=positive()),
        Scalars(
            a=positive(per_client=True),
            b=positive(),
            sizes={"m": (3,)},
            given=(condition("7 a = 22 b", lambda x: eq(7 * x.a, 22 * x.b)),),
        ),
    ],
)
def test_rows_meet_every_condition(world):
    shape = next(iter(world.shapes(3)))
    rows = list(islice(small_rationals(world, shape), 5))
    assert len(rows) == 5
    assert all(meets(world, row, shape) for row in rows)


@pytest.mark.parametrize("given", [(SQUARES,), (ORDER, condition("a < b", lambda x: lt(x.a, x.b)))])
def test_the_search_for_rows_ends(given):
    assert list(small_rationals(pair(*given), {})) == []


def test_what_meets_them_is_left_alone():
    row = {"a": Fraction(1234567), "b": Fraction(7654321)}
    assert solved(pair(RATIO), row, {}) == row
    one = {"a": Fraction(1), "b": Fraction(2)}
    assert solved(pair(SQUARES), one, {}) is one


def test_a_condition_with_roots_is_not_solved():
    one = {"a": Fraction(1), "b": Fraction(2)}
    assert solved(pair(condition("sqrt(a) = b", lambda x: eq(x.sqrt(x.a), x.b))), one, {}) is one


POINTS = Points(None, at=("u",), a=positive(), b=positive(), given=(RATIO,))
STEPS = fedadmm_steps(
    k0=(1,), m=(1,), steps=(1,), given=(condition("11 sigma = 91 r", lambda x: eq(11 * x.sigma, 91 * x.r)),)
)


@pytest.mark.parametrize(
    ("world", "body"),
    [
        (pair(RATIO), lambda x: le(7 * x.a, x.b)),
        (POINTS, lambda x: le(7 * x.a * x.sq(x.u), x.b * x.sq(x.u))),
        (STEPS, lambda x: le(x.sq(x.next.w), x.sq(x.state.w))),
    ],
)
def test_what_is_false_under_an_equation_is_refuted(world, body):
    v = fedtheory.verify(claim("draft/equation", world=world)(body))
    assert v.verdict == "refuted", v.reason


@pytest.mark.parametrize(
    ("world", "body"),
    [
        (pair(RATIO), lambda x: le(6 * x.a, x.b)),
        (POINTS, lambda x: le(6 * x.a * x.sq(x.u), x.b * x.sq(x.u))),
    ],
)
def test_what_is_true_under_an_equation_is_proved(world, body):
    assert fedtheory.verify(claim("draft/equation", world=world)(body)).verdict == "proved"


def test_an_equation_that_is_undefined_beside_is_left_alone():
    """At a = 2 and at a = 3 the second one divides by zero."""
    pole = condition("1/((a - 2)(a - 3)) = b", lambda x: eq(1 / ((x.a - 2) * (x.a - 3)), x.b))
    world = pair(condition("a = 5 c", lambda x: eq(x.a, 5 * x.c)), pole, c=positive())
    for a in range(1, 6):
        solved(world, {"a": Fraction(a), "b": Fraction(1), "c": Fraction(1)}, {})
    assert all(meets(world, row, {}) for row in islice(small_rationals(world, {}), 3))


@pytest.mark.parametrize(
    "given",
    [
        condition("a <= 1/(2 b)", lambda x: le(x.a, Fraction(1, 2) / x.b)),
        condition("a b = 3/7", lambda x: eq(x.a * x.b, Fraction(3, 7))),
        condition("a = 12/77/b", lambda x: eq(x.a, Fraction(12, 77) / x.b)),
        condition("b - 2/3 <= a - 2/3", lambda x: le(x.b - Fraction(2, 3), x.a - Fraction(2, 3))),
    ],
)
@pytest.mark.parametrize("world", [Scalars, lambda **options: Points(None, at=("u",), **options)])
def test_a_condition_may_have_fractions(world, given):
    """They do not mix with the fast rationals."""
    made = world(a=positive(), b=positive(), given=(given,))
    v = fedtheory.verify(claim("draft/fractions", world=made)(lambda x: le(0, x.a + x.b)))
    assert v.verdict == "proved", v.reason
    v = fedtheory.verify(claim("draft/fractions", world=made)(lambda x: le(x.a**3, x.b**3 / 1000)))
    assert v.verdict == "refuted", v.reason
