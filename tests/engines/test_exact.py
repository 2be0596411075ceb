"""The decision at one instance: only an instance that meets every condition refutes, and only where both sides exist."""

from fractions import Fraction

import numpy as np
import pytest

from fedtheory import eq, le, lt
from fedtheory.engines.counterexamples.exact import replay
from fedtheory.errors import UsageError
from fedtheory.world import Free
from problems import Points, Scalars, SmoothStronglyConvex, condition, positive

BELOW = Scalars(a=positive(), b=positive(), given=(condition("a <= b", lambda x: le(x.a, x.b)),))


def outcome(body, a, b, world=BELOW):
    """What the replay says at two scalars."""
    return replay(body, world, Free({}, {"a": Fraction(a), "b": Fraction(b)})).outcome


@pytest.mark.parametrize(
    ("body", "a", "b", "expected"),
    [
        (lambda x: le(x.b, x.a), 1, 1, "holds"),
        (lambda x: le(x.b, x.a), 1, 2, "refutes"),
        (lambda x: lt(x.b, x.a), 1, 1, "refutes"),
        (lambda x: le(x.a, x.b), 2, 1, "outside"),  # the relation fails, and so does the condition
        (lambda x: le(x.a, x.b), -2, 1, "outside"),  # below the range of a
        (lambda x: le(x.b / (x.a - x.b), 0), 1, 1, "domain"),
        (lambda x: le(x.sqrt(x.b), x.sqrt(x.a)), 2, 2, "undecided"),
        (lambda x: le(x.sqrt(x.b), x.sqrt(x.a)), 2, 3, "refutes"),
        (lambda x: le(x.sqrt(x.a), x.sqrt(x.b)), 3, 2, "outside"),
        (lambda x: eq(x.sqrt(x.b) * x.sqrt(x.b), x.a + 1), 1, 3, "refutes"),
    ],
)
def test_outcomes(body, a, b, expected):
    """Exact for rational bodies, by disjoint balls for roots; conditions come first."""
    assert outcome(body, a, b) == expected


def test_membership_in_the_class_is_a_condition():
    """A client curved outside [mu, L] refutes nothing, and an empty class contains nothing."""
    world = Points(SmoothStronglyConvex("mu", "L"), mu=positive(), L=positive())
    rng = np.random.default_rng(0)
    free = world.pick(next(world.sample(rng, {"m": 1, "d": 1}, 1, 1)), 0)
    free = free.replace(scalars={"mu": 1, "L": 2}).map(Fraction)

    def at(mu, L, curvature):
        vectors = {**free.vectors, "curvature": free.vectors["curvature"] * 0 + Fraction(curvature)}
        vectors["kinked"] = vectors["kinked"] * 0
        moved = free.replace(scalars={"mu": Fraction(mu), "L": Fraction(L)}, vectors=vectors)
        return replay(lambda x: le(x.sq(x.w) + 1, 0), world, moved).outcome

    assert at(1, 2, "1/2") == "refutes"
    assert at(1, 2, 2) == "outside"
    assert at(1, 2, -1) == "outside"
    assert at(2, 1, "1/2") == "outside"


def test_floats_made_of_integers_are_refused():
    """A quotient of plain integers is no exact number."""
    with pytest.raises(UsageError, match=r"holds the float 1\.83.*x\.ratio"):
        outcome(lambda x: le(sum(1 / k for k in range(1, 4)) * x.a, x.b), 1, 2)
