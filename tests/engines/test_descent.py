"""Claims about parameters that fail in narrow windows, or beyond what floats hold."""

import numpy as np
import pytest

import fedtheory
from fedtheory import Control, claim, le, lt
from fedtheory.engines.search.vector_descent import _simplex
from fedtheory.units import CURVATURE
from fedtheory.world import Free
from problems import Points, Run, Scalars, SmoothConvex, at_least, condition, positive

A = Scalars(a=positive())
AB = Scalars(a=positive(), b=positive())
ABC = Scalars(a=positive(), b=positive(), c=positive())
FROM_ONE = Scalars(b=at_least(1))
FROM_ZERO = Scalars(a=positive(), b=at_least(0))
ABOVE = Scalars(a=positive(), b=positive(), given=(condition("exp(a) <= b", lambda x: le(x.exp(x.a), x.b)),))

FALSE = {
    "window of a square": (A, lambda x: le(x.ratio(1, 10**8), (x.log(x.a) - 3) ** 2)),  # at e^3
    "window of a tangent": (FROM_ONE, lambda x: le(50 * x.log(x.b), x.b + x.ratio(1455, 10))),  # at 50
    "three means": (
        ABC,
        lambda x: le(x.ratio(1001, 1000) * 3 * x.exp((x.log(2 * x.a) + x.log(3 * x.b) + x.log(5 * x.c)) / 3),
                     2 * x.a + 3 * x.b + 5 * x.c),
    ),
    "window of a root": (AB, lambda x: le(x.ratio(100001, 100000) * 2 * x.sqrt(7 * x.a * x.b), 7 * x.a + x.b)),
    "both sides too large": (A, lambda x: le(x.exp(x.a), 1000 * x.exp(97 * x.a / 100))),
    "both sides too small": (A, lambda x: le(x.exp(-(97 * x.a) / 100), 1000 * x.exp(-x.a))),
    "a tower of logarithms": (A, lambda x: le(x.log(1 + x.log(1 + x.a)), x.ratio(69, 10))),
    "window at a closed end": (FROM_ZERO, lambda x: le(x.ratio(1, 10**8), (x.log(x.a) - 3) ** 2 + x.b)),
    "a point under a condition with exp": (ABOVE, lambda x: le(1, 10**8 * (x.a - 3) ** 2)),
    "window under a condition with exp": (ABOVE, lambda x: le(x.ratio(1, 10**8), (x.log(x.b) - 5) ** 2)),
    "a well beside a wider one": (
        A, lambda x: lt(x.ratio(1, 10**7), (x.log(x.a) - 7) ** 2 * ((x.log(x.a) + 2) ** 2 + 1)),
    ),
    "a far well beside a wider one": (
        AB,
        lambda x: le(1, 10**8 * (x.log(x.a) - 18) ** 2 * (x.log(x.a) ** 2 + 2) + 10**6 * x.log(x.b) ** 2),
    ),
    "a slow root": (A, lambda x: le(x.log(1 + x.a), 730)),
}  # fmt: skip
TRUE = {
    "logarithm under a condition with exp": (ABOVE, lambda x: le(x.a, x.log(x.b))),
    "tangent": (FROM_ONE, lambda x: le(50 * x.log(x.b), x.b + 146)),
    "square": (A, lambda x: le(0, (x.log(x.a) - 3) ** 2)),
    "growth": (A, lambda x: le(x.exp(97 * x.a / 100), x.exp(x.a))),
    "two means": (AB, lambda x: le(2 * x.sqrt(7 * x.a * x.b), 7 * x.a + x.b)),
}
THREE = Points(None, at=("w", "v", "u"))
SIX = ("w", "v", "u", "a", "b", "c")


def products(x):
    """A positive definite Gram matrix."""
    squares = ((x.w, x.w, 3), (x.v, x.v, 2), (x.u, x.u, 4), (x.w, x.v, 1), (x.v, x.u, -1), (x.w, x.u, 2))
    return sum((x.dot(p, q) - k) ** 2 for p, q, k in squares)


def pairs(x, names):
    return [(getattr(x, p), getattr(x, q)) for p in names for q in names if p < q]


MOVED = {  # false of points: world, body, a control that is easily refuted
    "given inner products": (THREE, lambda x: le(x.ratio(1, 10**5), products(x)), lambda x: le(1, x.sq(x.w))),
    "two parameters in a window": (
        Points(None, **{k: positive() for k in ("a", "b", "c", "e")}),
        lambda x: le(
            x.sqrt(x.sq(x.w)) * (x.c + x.e),
            x.sqrt(x.sq(x.w)) * (x.c + x.e) * 10**5 * ((x.a - x.ratio(17, 11)) ** 2 + (x.b - x.ratio(7, 3)) ** 2),
        ),
        lambda x: le(x.sqrt(x.sq(x.w)), x.a * x.sqrt(x.sq(x.w))),
    ),
    "six points away from one another": (
        Points(None, at=SIX),
        lambda x: le(0, x.maximum(*(x.dot(p, q) for p, q in pairs(x, SIX)))),
        lambda x: le(0, x.maximum(x.dot(x.w, x.v), x.dot(x.w, x.u), x.dot(x.v, x.u))),
    ),
}
STRICT = {
    "far out": (A, lambda x: lt(0, (x.log(x.a) - 8) ** 2)),
    "near one": (A, lambda x: lt(0, (x.log(x.a) - x.ratio(1, 3)) ** 2)),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_where_no_draw_lies_is_refuted(name):
    world, body = FALSE[name]
    v = fedtheory.verify(claim("draft/window", world=world)(body))
    assert v.verdict == "refuted" and v.trust == "replayed"


@pytest.mark.parametrize("name", MOVED)
def test_points_that_no_draw_comes_near_are_found(name):
    world, body, easy = MOVED[name]
    v = fedtheory.verify(claim("draft/moved", world=world, control=Control("easy", easy))(body))
    assert v.verdict == "refuted" and v.trust == "replayed"


def test_strict_sides_of_points_that_meet_leave_a_doubt():
    c = claim("draft/touch", world=THREE, control=Control("easy", lambda x: lt(1, x.sq(x.w))))(
        lambda x: lt(0, products(x))
    )
    v = fedtheory.verify(c)
    assert v.verdict == "unknown" and "its sides meet" in v.reason


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_not(name):
    world, body = TRUE[name]
    v = fedtheory.verify(claim("draft/holds", world=world, control=Control("too much", lambda x: le(1, 0)))(body))
    assert v.verdict in ("proved", "supported")


@pytest.mark.parametrize("name", STRICT)
def test_sides_that_meet_leave_a_doubt(name):
    world, body = STRICT[name]
    v = fedtheory.verify(claim("draft/meets", world=world)(body))
    assert v.verdict == "unknown" and "its sides meet in floats near a = " in v.reason


def test_points_that_are_new_at_every_step_stay_so():
    """Three points of the server, one of them new at every step: none loses its steps where a descent begins at a simplex."""
    run = Run(
        SmoothConvex("L"), at=("w", "v", "e"), fresh=("e",), optimum_of="f", L=positive(CURVATURE),
        step={"w": lambda x: x.w - x.mean_vec(x.f.grad(x.w)) / x.L + x.e, "v": lambda x: x.v + x.e},
        quantities={"D": lambda x: x.sq(x.w - x.w_star), "e2": lambda x: x.sq(x.e)},
    )  # fmt: skip
    rng, shape = np.random.default_rng(0), {"m": 1, "d": 3, "T": 2}
    free = Free(shape, {"L": 1}, {k: v[0] for k, v in run.draw_vectors(rng, shape, 4).items()})
    turned = _simplex(run, free)
    assert {k: np.shape(v) for k, v in turned.vectors.items()} == {k: np.shape(v) for k, v in free.vectors.items()}
    assert not np.array_equal(turned.vectors["e"], free.vectors["e"])
