"""Errors of the clients beside draws of them: no verdict is wrong on statements of which half are false by a hundredth."""

from fractions import Fraction

import pytest

from fedtheory import claim, eq, le, verify
from fedtheory.errors import UsageError
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import Points, SmoothConvex, at_least, between, condition, positive

V = {"f": None, "at": ("w",), "clients_at": ("v",), "sigma": positive(LENGTH), "noise": lambda x: x.sigma**2}
SOME = {"sizes": {"S": (1, 2, 3)}}
AGAIN = {**SOME, "participation": "replacement"}
EACH = {"p": between(0, 1, closed=False), "participation": "independent"}
VS, VR, VE = (Points(**V, **how) for how in (SOME, AGAIN, EACH))
FUNCTIONS = {
    "f": SmoothConvex("L"), "optimum_of": "f", "L": positive(CURVATURE), "eta": positive(STEP), "sigma": positive(GRADIENT),
    "given": (condition("eta <= 1/(4 L)", lambda x: le(4 * x.eta * x.L, 1)),), "noise": lambda x: x.sigma**2,
}  # fmt: skip
FS, FR, FE = (Points(**FUNCTIONS, **how) for how in (SOME, AGAIN, EACH))
C = Points(None, clients_at=("v",), omega=at_least(0), noise=lambda x: x.omega * x.sq(x.v), **SOME)
CE = Points(None, clients_at=("v",), omega=at_least(0), noise=lambda x: x.omega * x.sq(x.v), **EACH)


def spread(x):
    return x.mean(x.sq(x.v - x.mean_vec(x.v)))


def average(x, u, draw):
    return x.total_vec(u, over=draw) / x.S


def part(x, u, draw):
    return x.total_vec(u, over=draw) / (x.p * x.m)


def of_some(x):
    return x.E(lambda draw, n: x.sq(average(x, x.v + n, draw)))


def of_each(x):
    return x.E(lambda draw, n: x.sq(part(x, x.v + n, draw)))


def moved(x, send):
    """E|w - w*|^2 after a step along what is sent."""
    return x.E(lambda draw, n: x.sq(x.w - x.eta * send(x, x.f.grad(x.w) + n, draw) - x.w_star))


def ahead(x):
    return x.sq(x.w - x.w_star) - 2 * x.eta * x.dot(x.mean_vec(x.f.grad(x.w)), x.w - x.w_star)


def squares(x):
    return x.mean(x.sq(x.f.grad(x.w)))


STATEMENTS = {
    "some": (VS, lambda x, s: le(
        x.S * (x.m - 1) * of_some(x),
        x.S * (x.m - 1) * x.sq(x.mean_vec(x.v)) + (x.m - x.S) * spread(x) + s * (x.m - 1) * x.sigma**2)),
    "again": (VR, lambda x, s: le(
        x.S * of_some(x), x.S * x.sq(x.mean_vec(x.v)) + spread(x) + s * (1 + (x.S - 1) / x.m) * x.sigma**2)),
    "each": (VE, lambda x, s: le(
        of_each(x), x.sq(x.mean_vec(x.v)) + ((1 - x.p) * x.mean(x.sq(x.v)) + s * x.sigma**2) / (x.p * x.m))),
    "total of some": (VS, lambda x, s: le(
        x.E(lambda draw, n: x.sq(x.total_vec(n, over=draw))), s * x.S * x.sigma**2)),
    "around a point": (VS, lambda x, s: le(
        x.E(lambda draw, n: x.sq(average(x, x.v + n, draw) - x.w)),
        x.E(lambda draw, n: x.sq(average(x, x.v, draw) - x.w)) + s * x.sigma**2 / x.S)),
    "no less": (VS, lambda x, s: le(x.sq(x.mean_vec(x.v)), s * of_some(x))),
    "no less, each": (VE, lambda x, s: le(x.sq(x.mean_vec(x.v)), s * of_each(x))),
    "the others keep theirs": (VE, lambda x, s: le(
        x.E(lambda draw, n: x.mean(x.sq(x.where(draw, x.w + n, x.v)))),
        (1 - x.p) * x.mean(x.sq(x.v)) + x.p * x.sq(x.w) + s * x.p * x.sigma**2)),
    "of all and of some": (VS, lambda x, s: le(
        x.E(lambda draw, n: x.sq(x.mean_vec(n) - average(x, n, draw))), s * (1 / x.S - x.ratio(1, 1) / x.m) * x.sigma**2)),
    "with the mean": (VS, lambda x, s: le(
        x.E(lambda draw, n: x.dot(average(x, n, draw), x.mean_vec(n))) + x.sigma**2, (1 + s / x.m) * x.sigma**2)),
    "compressed, of some": (C, lambda x, s: le(
        x.S * (x.m - 1) * x.E(lambda draw, n: x.sq(average(x, x.v + n, draw))),
        x.S * (x.m - 1) * x.sq(x.mean_vec(x.v)) + (x.m - x.S) * spread(x)
        + s * (x.m - 1) * x.omega * x.mean(x.sq(x.v)))),
    "compressed, of each": (CE, lambda x, s: le(
        x.E(lambda draw, n: x.sq(part(x, x.v + n, draw))),
        x.sq(x.mean_vec(x.v)) + (1 - x.p + s * x.omega) / (x.p * x.m) * x.mean(x.sq(x.v)))),
    "a step of some": (FS, lambda x, s: le(
        moved(x, average), ahead(x) + x.eta**2 * squares(x) + s * x.eta**2 * x.sigma**2 / x.S)),
    "a step again": (FR, lambda x, s: le(
        moved(x, average), ahead(x) + x.eta**2 * squares(x) + s * x.eta**2 * (1 + (x.S - 1) / x.m) / x.S * x.sigma**2)),
    "a step of each": (FE, lambda x, s: le(
        moved(x, part), ahead(x) + x.eta**2 * squares(x) / x.p + s * x.eta**2 * x.sigma**2 / (x.p * x.m))),
    "a step to the optimum": (FS, lambda x, s: le(
        moved(x, average),
        x.sq(x.w - x.w_star) - 2 * x.eta * (1 - 2 * x.eta * x.L) * x.mean(x.f.value(x.w) - x.f.value(x.w_star))
        + 2 * x.eta**2 * x.mean(x.sq(x.f.grad(x.w_star))) + s * x.eta**2 * x.sigma**2 / x.S)),
}  # fmt: skip


def decided(name, share):
    world, body = STATEMENTS[name]
    return verify(claim("both/planted", world=world)(lambda x: body(x, x.ratio(share.numerator, share.denominator))))


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", STATEMENTS)
def test_what_is_true_is_proved(name):
    found = decided(name, Fraction(1))
    assert (found.verdict, found.trust) == ("proved", "kernel"), found.reason


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", STATEMENTS)
def test_what_is_false_by_a_hundredth_is_refuted(name):
    assert decided(name, Fraction(99, 100)).verdict == "refuted"


FALSE = {
    "the errors of those that are not drawn": (VS, lambda x: eq(of_some(x), x.E(
        lambda draw, n: x.sq(average(x, x.v, draw) + x.mean_vec(n))))),
    "one error for all": (VS, lambda x: le(x.S * x.sigma**2, x.E(
        lambda draw, n: x.sq(x.total_vec(n, over=draw))))),
    "no error": (VE, lambda x: eq(of_each(x), x.E(lambda draw, n: x.sq(part(x, x.v, draw))))),
    "all take part": (VS, lambda x: eq(of_some(x), x.E(lambda draw, n: x.sq(x.mean_vec(x.v + n))))),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_what_mixes_draws_and_errors_is_refuted(name):
    world, body = FALSE[name]
    assert verify(claim("both/false", world=world)(body)).verdict == "refuted"


def test_a_function_at_a_point_that_was_drawn_with_an_error():
    """Certified at most: the value there has no second moments; a hundredth less is false of one client."""

    def after(x, s):
        w = lambda draw, n: x.w - x.eta * average(x, x.f.grad(x.w) + n, draw)  # noqa: E731
        return le(
            x.E(lambda draw, n: x.mean(x.f.value(w(draw, n)))),
            x.mean(x.f.value(x.w))
            - x.eta * (1 - x.eta * x.L) * x.sq(x.mean_vec(x.f.grad(x.w)))
            + x.L * x.eta**2 / 2 * (squares(x) + s * x.sigma**2 / x.S),
        )

    true, false = (verify(claim("both/at", world=FS)(lambda x, s=s: after(x, s))) for s in (1, Fraction(1, 2)))
    assert true.verdict in ("certified", "unknown", "supported")
    assert false.verdict == "refuted"


def test_both_are_handed_over():
    with pytest.raises(UsageError, match=r"x\.E\(lambda draw, n: \.\.\.\)"):
        verify(claim("both/one", world=VS)(lambda x: eq(x.E(lambda n: x.sq(x.mean_vec(n))), 0)))


def test_with_replacement_nothing_is_chosen_by_a_draw():
    with pytest.raises(UsageError, match="replacement"):
        verify(claim("both/where", world=VR)(lambda x: eq(x.E(lambda draw, n: x.sq(x.where(draw, x.v, n))), 0)))
