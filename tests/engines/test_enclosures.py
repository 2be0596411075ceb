"""Claims with roots are decided on the instance that their conditions were met by, and each relation on its own domain."""

from fractions import Fraction

import flint
import numpy as np
import pytest

import fedtheory
from fedtheory import claim, le, lt
from fedtheory.engines.counterexamples.exact import replay
from fedtheory.numbers import Balls
from fedtheory.numbers.partial import Partial, Partials
from fedtheory.units import CURVATURE
from fedtheory.world import Free
from problems import Points, Scalars, Smooth, SmoothBoundedBelow, WeaklyConvex, condition, positive

LAM, L, RHO = ({name: positive(CURVATURE)} for name in ("lam", "L", "rho"))
WEAK = Points(WeaklyConvex("rho"), at=("w", "v"), **RHO, **LAM)
STRONG_PULL = (condition("rho < lam", lambda x: lt(x.rho, x.lam)),)
PULLED = Points(WeaklyConvex("rho"), at=("w", "v"), given=STRONG_PULL, **RHO, **LAM)
SMOOTH = Points(Smooth("L"), at=("w", "v"), **L, **LAM)
BELOW = Points(SmoothBoundedBelow("L"), at=("w", "v"), **L, **LAM)
ENVELOPE = Points(WeaklyConvex("rho"), at=("w", "v"), envelope="lam", **RHO, **LAM)


def prox_value(x, p, of):
    return x.f.value(p) + x.sq(x.sqrt(x.lam / 2) * (p - of))


def against_another_point(x):
    return le(prox_value(x, x.f.prox(x.w, x.lam), x.w), prox_value(x, x.v, x.w))


def envelope_below(x):
    return le(x.sqrt(x.lam) * x.F.value(x.w), x.sqrt(x.lam) * x.f.value(x.w))


def moved_by(x):
    p = x.f.prox(x.w, x.lam)
    return le(x.sq(x.sqrt(x.lam) * (x.w - p)), 2 * (x.f.value(x.w) - x.f.value(p)))


TRUE = {
    "weakly convex": (WEAK, against_another_point),
    "smooth": (SMOOTH, against_another_point),
    "bounded below": (BELOW, against_another_point),
    "envelope": (ENVELOPE, envelope_below),
    "moved": (WEAK, moved_by),
    "moved, bounded below": (BELOW, moved_by),
}
FALSE = {
    "three quarters of the move": (
        PULLED,
        lambda x: le(prox_value(x, x.f.prox(x.w, x.lam), x.w), x.f.value(x.w) * 1 / 2),
    ),
    "a move of any length": (
        PULLED,
        lambda x: le(
            x.sq(x.sqrt(x.lam) * (x.w - x.f.prox(x.w, x.lam))) * 2, x.f.value(x.w) - x.f.value(x.f.prox(x.w, x.lam))
        ),
    ),
    "smooth, half": (
        SMOOTH,
        lambda x: le(x.sqrt(x.lam) * x.sq(x.f.prox(x.w, x.lam) - x.w), x.sqrt(x.L) * x.sq(x.w - x.v)),
    ),
    "bounded below, no root": (
        BELOW,
        lambda x: le(x.sqrt(x.L) * x.sq(x.f.grad(x.w)), x.sqrt(x.lam) * x.sq(x.f.grad(x.v))),
    ),
}


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", TRUE)
def test_where_no_prox_exists_nothing_is_refuted(name):
    world, body = TRUE[name]
    v = fedtheory.verify(claim("draft/prox", world=world)(body))
    assert v.verdict in ("unknown", "supported", "certified", "proved"), v.witness
    assert not v.crashed, v.reason


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_with_a_root_is_refuted(name):
    world, body = FALSE[name]
    v = fedtheory.verify(claim("draft/prox", world=world)(body))
    assert v.verdict == "refuted", v.reason


def test_data_of_an_instance_stay_rational():
    """A curvature that is 0 in rationals is 0 here, though 1/10 is no ball without a radius."""
    numbers = Balls()
    u = numbers.array(np.array([Fraction(1, 10)], dtype=object))
    assert (u + (numbers.scalar(0) - u))[0] == 0
    assert isinstance(numbers.sqrt(u)[0], flint.arb)
    assert numbers.minimum(u, u * 2)[0] == flint.fmpq(1, 10)
    assert numbers.maximum(numbers.sqrt(u), u)[0].overlaps(flint.arb(flint.fmpq(1, 10)).sqrt())


def test_an_undefined_relation_with_a_root_beside_a_false_one():
    """Division by zero is a matter of the relation in which it stands."""
    world = Scalars(a=positive(), b=positive())

    def body(x):
        return le(1 / (x.a - x.b), x.sqrt(x.a)), le(x.sqrt(x.a) + x.sqrt(x.b), x.sqrt(x.a))

    result = replay(body, world, Free({}, {"a": Fraction(2), "b": Fraction(2)}))
    assert result.outcome == "refutes"
    assert len(result.relations) == 1


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (lambda x: le(1 / (x.a - x.b), x.sqrt(x.a)), "domain"),
        (lambda x: le(x.sqrt(x.a - 2 * x.b), 1), "domain"),
        (lambda x: le(x.sqrt(x.a) * x.sqrt(x.b), 2), "undecided"),
        (lambda x: lt(x.log(x.a), 1), "holds"),
        (lambda x: le(x.minimum(x.sqrt(x.a), x.b), 1), "refutes"),
        (lambda x: le(1, (x.log(x.a) - x.log(x.b)) ** 2), "refutes"),
        (lambda x: le(1, (x.log(x.a) - x.log(x.b)) ** 3), "refutes"),
        (lambda x: le(1, (x.log(x.a) - x.log(x.b)) ** -2), "domain"),
    ],
)
def test_outcomes_with_roots(body, outcome):
    world = Scalars(a=positive(), b=positive())
    assert replay(body, world, Free({}, {"a": Fraction(2), "b": Fraction(2)})).outcome == outcome


def test_partial_balls():
    numbers = Partials()
    two, none = numbers.scalar(2), Partial(None)
    root = numbers.sqrt(two)
    assert root.value.overlaps(flint.arb(2).sqrt())
    assert (root * root - 2).value.overlaps(flint.arb(0))
    assert numbers.sqrt(numbers.scalar(-1)).value is None
    assert (none + root).value is None
    assert numbers.minimum(root, two).value.overlaps(flint.arb(2).sqrt())
    assert root < two
    assert not (root * root < two)  # not decided
    with pytest.raises(ZeroDivisionError):
        numbers.maximum(none, two)
