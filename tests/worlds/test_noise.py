"""Independent errors of the clients: no verdict is wrong on statements of which half are false by a hundredth."""

from fractions import Fraction

import pytest

from fedtheory import claim, eq, le, verify
from fedtheory.errors import UsageError
from fedtheory.units import CURVATURE, GRADIENT, LENGTH, STEP
from problems import Points, Run, Smooth, SmoothConvex, at_least, condition, positive

V = Points(None, at=("w",), clients_at=("v",), sigma=positive(LENGTH), noise=lambda x: x.sigma**2)
EACH = Points(None, clients_at=("v",), s=positive(LENGTH, per_client=True), noise=lambda x: x.s**2)
C = Points(None, at=("w",), clients_at=("v",), omega=at_least(0), noise=lambda x: x.omega * x.sq(x.v))
SHORT = condition("eta <= 1/L", lambda x: le(x.eta * x.L, 1))
RANGES = {"L": positive(CURVATURE), "eta": positive(STEP), "sigma": positive(GRADIENT)}
F = Points(SmoothConvex("L"), optimum_of="f", given=(SHORT,), noise=lambda x: x.sigma**2, **RANGES)
G = Points(Smooth("L"), given=(SHORT,), noise=lambda x: x.sigma**2, sizes={"m": (1,)}, **RANGES)
RELATIVE = Points(Smooth("L"), rho=at_least(0), noise=lambda x: x.rho * x.sq(x.f.grad(x.w)) + x.sigma**2, **RANGES)


def spread(x, v):
    return x.mean(x.sq(v - x.mean_vec(v)))


def E(x, fn):
    return x.E(lambda n: fn(x.v + n))


def grad(x):
    return x.f.grad(x.w)


def stepped(x, n):
    return x.w - x.eta * x.mean_vec(grad(x) + n)


def away(x):
    return x.sq(x.w - x.eta * x.mean_vec(grad(x)) - x.w_star)


STATEMENTS = {
    "mean": (V, lambda x, s: le(E(x, lambda u: x.sq(x.mean_vec(u))), x.sq(x.mean_vec(x.v)) + s * x.sigma**2 / x.m)),
    "total": (V, lambda x, s: le(E(x, lambda u: x.sq(x.total_vec(u))), x.sq(x.total_vec(x.v)) + s * x.m * x.sigma**2)),
    "of one": (V, lambda x, s: le(E(x, x.sq), x.sq(x.v) + s * x.sigma**2)),
    "of all": (V, lambda x, s: le(E(x, lambda u: x.mean(x.sq(u))), x.mean(x.sq(x.v)) + s * x.sigma**2)),
    "spread": (V, lambda x, s: le(
        x.m * E(x, lambda u: spread(x, u)), x.m * spread(x, x.v) + s * (x.m - 1) * x.sigma**2)),
    "around a point": (V, lambda x, s: le(
        E(x, lambda u: x.sq(x.mean_vec(u) - x.w)), x.sq(x.mean_vec(x.v) - x.w) + s * x.sigma**2 / x.m)),
    "no less": (V, lambda x, s: le(x.sq(x.mean_vec(x.v)), s * E(x, lambda u: x.sq(x.mean_vec(u))))),
    "with itself": (V, lambda x, s: le(
        x.E(lambda n: x.mean(x.dot(n, x.mean_vec(n)))) + x.sigma**2, (1 + s / x.m) * x.sigma**2)),
    "mean of zero": (V, lambda x, s: le(x.sq(x.mean_vec(x.v) * s), x.sq(x.E(lambda n: x.mean_vec(x.v + n))) * s**3)),
    "with a point": (V, lambda x, s: le(
        E(x, lambda u: x.dot(x.mean_vec(u), x.w)) + (1 - s) * x.sigma**2, x.dot(x.mean_vec(x.v), x.w))),
    "two in a sum": (V, lambda x, s: le(
        x.E(lambda n: x.sq(x.mean_vec(x.v) + x.mean_vec(n) * 2)), x.sq(x.mean_vec(x.v)) + 4 * s * x.sigma**2 / x.m)),
    "compressed": (C, lambda x, s: le(
        E(x, lambda u: x.sq(x.mean_vec(u))), x.sq(x.mean_vec(x.v)) + s * x.omega / x.m * x.mean(x.sq(x.v)))),
    "compressed, of all": (C, lambda x, s: le(E(x, lambda u: x.mean(x.sq(u))), (1 + s * x.omega) * x.mean(x.sq(x.v)))),
    "compressed, of one": (C, lambda x, s: le(E(x, x.sq), (1 + s * x.omega) * x.sq(x.v))),
    "own variances": (EACH, lambda x, s: le(
        E(x, lambda u: x.sq(x.mean_vec(u))), x.sq(x.mean_vec(x.v)) + s * x.mean(x.s**2) / x.m)),
    "a step": (F, lambda x, s: le(
        x.E(lambda n: x.sq(stepped(x, n) - x.w_star)), away(x) + s * x.eta**2 * x.sigma**2 / x.m)),
    "a step of one": (F, lambda x, s: le(
        x.E(lambda n: x.mean(x.sq(x.w - x.eta * (grad(x) + n) - x.w_star))),
        x.mean(x.sq(x.w - x.eta * grad(x) - x.w_star)) + s * x.eta**2 * x.sigma**2)),
    "descent of one": (G, lambda x, s: le(
        x.E(lambda n: x.f.value(stepped(x, n))),
        x.f.value(x.w) - x.eta * (1 - x.eta * x.L / 2) * x.sq(grad(x)) + s * x.L * x.eta**2 * x.sigma**2 / 2)),
    "relative": (RELATIVE, lambda x, s: le(
        x.E(lambda n: x.sq(x.mean_vec(grad(x) + n))),
        x.sq(x.mean_vec(grad(x))) + s * (x.rho * x.mean(x.sq(grad(x))) + x.sigma**2) / x.m)),
}  # fmt: skip


def decided(name, share):
    world, body = STATEMENTS[name]
    return verify(claim("noise/planted", world=world)(lambda x: body(x, x.ratio(share.numerator, share.denominator))))


@pytest.mark.parametrize("name", STATEMENTS)
def test_what_is_true_is_proved(name):
    found = decided(name, Fraction(1))
    assert found.verdict == ("certified" if name in LISTED else "proved"), found.reason


@pytest.mark.parametrize("name", STATEMENTS)
def test_what_is_false_by_a_hundredth_is_refuted(name):
    assert decided(name, Fraction(99, 100)).verdict == "refuted"


LISTED = {"own variances"}


@pytest.mark.parametrize("how", [{"noise": 1}, {"noise": lambda x, t: 1}])
def test_what_is_no_noise_is_told(how):
    with pytest.raises(UsageError, match="noise"):
        Points(None, clients_at=("v",), **how)


def test_errors_of_a_run_are_points():
    with pytest.raises(UsageError, match="fresh"):
        Run(None, step={"w": lambda x: x.w}, quantities={"D": lambda x: x.sq(x.w)}, noise=lambda x: 1)


def test_errors_of_two_clients_are_not_one():
    found = verify(claim("noise/shared", world=V)(lambda x: eq(x.E(lambda n: x.sq(x.mean_vec(n))), x.sigma**2)))
    assert found.verdict == "refuted"
