"""Of two counterexamples the one with convex functions that are bounded below is shown."""

from fractions import Fraction

import numpy as np
import pytest

import fedtheory
from fedtheory import claim, le
from fedtheory.engines.counterexamples.ordinary import ordinary
from fedtheory.engines.counterexamples.refutation import shrink
from fedtheory.engines.counterexamples.witness import free_of
from fedtheory.units import CURVATURE
from fedtheory.world import Free
from problems import Convex, Points, Scalars, Smooth, SmoothBoundedBelow, WeaklyConvex, positive
from proofs_checks import claims

LONELY = {"L": positive(CURVATURE)}
ONE = {"m": (1,), "d": (1,)}
SMOOTH = Points(Smooth("L"), at=("w", "v"), sizes=ONE, **LONELY)


def at(world, curvature, slope, **scalars):
    """An instance of one client on a line at w = 1, v = 0."""
    one = np.array([[Fraction(1)]], dtype=object)
    data = {
        "curvature": one * Fraction(curvature), "far": one * Fraction(curvature), "kinked": one * 0, "knee": one, "axis": one,
        "slope": one * Fraction(slope), "offset": one[0] * 0, "center": one * 0, "w": one, "v": one * 0,
    }  # fmt: skip
    return Free({"m": 1, "d": 1}, {k: Fraction(v) for k, v in scalars.items()}, data)


@pytest.mark.parametrize(
    ("position", "slope", "told"),
    [
        (1, 0, True),
        (1, 1, True),
        ("3/4", 5, True),
        ("1/2", 0, True),
        ("1/2", 1, False),
        (0, 0, False),
        ("1/4", 1, False),
    ],
)
def test_what_is_convex_and_bounded_below(position, slope, told):
    """A position of 1/2 is no curvature where they lie between -L and L."""
    assert SMOOTH.ordinary(at(SMOOTH, position, slope, L=1)) is told


def test_clients_that_are_undefined_are_not_known_to_be_convex():
    free = at(SMOOTH, 1, 0, L=1)
    free.vectors["axis"] = free.vectors["axis"] * 0
    assert not SMOOTH.ordinary(free)


def test_there_are_none_among_numbers_and_vectors():
    assert Scalars(a=positive()).ordinary(Free({}, {"a": Fraction(1)}))
    assert Points(None, at=("w",)).convex_part() is None


@pytest.mark.parametrize(("f", "scalars"), [(Smooth("L"), {"L": 2}), (WeaklyConvex("L"), {"L": 2}), (Convex(), {})])
def test_convex_clients_of_a_class_are_clients_of_it(f, scalars):
    world = Points(f, at=("w", "v"), sizes=ONE, **(LONELY if scalars else {}))
    inner, outward = world.convex_part()
    for position, slope in ((0, 0), ("1/3", 1), (1, -2)):
        free = at(world, position, slope, **scalars)
        own = world.build(outward(free), fedtheory.numbers.Fractions())
        assert all(g.lhs <= g.rhs if g.op == "<=" else g.lhs < g.rhs for g in own.given if np.ndim(g.lhs) == 0)
        theirs = inner.build(free, fedtheory.numbers.Fractions())
        assert (own.f.curvature == theirs.f.curvature).all() and (own.f.curvature >= 0).all()


@claim("draft/flat", world=SMOOTH, expect="refuted")
def flat(x):
    """False of everything that bends, either way."""
    return le(x.sq(x.f.grad(x.w) - x.f.grad(x.v)), x.L**2*x.sq(x.w - x.v)/2)  # fmt: skip


@claim("draft/no-fall", world=SMOOTH, expect="refuted")
def no_fall(x):
    """False of what bends the wrong way only."""
    return le(0, x.dot(x.f.grad(x.w) - x.f.grad(x.v), x.w - x.v))


def test_a_witness_that_bends_the_wrong_way_gives_way():
    found = ordinary(flat, at(SMOOTH, 0, 1, L=1))
    assert found is not None and SMOOTH.ordinary(found)
    v = fedtheory.verify(flat)
    assert v.verdict == "refuted" and SMOOTH.ordinary(free_of(v.witness, SMOOTH))


def test_where_nothing_else_refutes_it_stays():
    assert ordinary(no_fall, at(SMOOTH, 0, 1, L=1)) is None
    v = fedtheory.verify(no_fall)
    assert v.verdict == "refuted" and not SMOOTH.ordinary(free_of(v.witness, SMOOTH))


def test_shrinking_keeps_what_is_ordinary():
    best, result = shrink(flat, at(SMOOTH, "7/8", "-3/7", L="9/8"))
    assert result.outcome == "refutes" and SMOOTH.ordinary(best)


def test_without_a_knee_what_is_bounded_below_is_convex():
    world = Points(SmoothBoundedBelow("L"), at=("w", "v"), sizes=ONE, **LONELY)
    kinked = at(world, "1/4", 0, L=1)
    kinked.vectors["kinked"] = kinked.vectors["kinked"] + 1
    assert world.ordinary(at(world, 1, 3, L=1)) and not world.ordinary(kinked)
    assert world.ordinary(world.convex_part()[1](kinked))


@pytest.mark.parametrize("name", ["flame/eq19@exact", "flame/eq20@exact", "flame/lemma1@exact", "flame/eq49@positive"])
def test_published_refutations_need_no_strange_function(name):
    one = claims()[name]
    v = fedtheory.verify(one)
    assert v.verdict == "refuted" and one.world.ordinary(free_of(v.witness, one.world))
