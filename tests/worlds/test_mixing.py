"""Gossip: one symmetric doubly stochastic matrix wherever a body mixes, with a bound on its spectrum."""

import re

import numpy as np
import pytest
from off_mean import both, dev, off, young

from fedtheory import claim, eq, le, verify
from fedtheory.engines.context import Docket
from fedtheory.engines.prove.listed import certify
from fedtheory.errors import UsageError
from fedtheory.numbers import Floats, Fractions
from fedtheory.units import CURVATURE, STEP
from problems import Points, Run, Smooth, at_least, between, condition, positive

LAM, TAU = between(0, 1, closed=False), positive()
ONE = Points(None, at=("w",), clients_at=("v", "u"), mixing={"W": "lam"}, lam=LAM, tau=TAU, beta=between(0, 1))
TWO = Points(None, at=(), clients_at=("v",), mixing={"W": "lam", "V": "rho"}, lam=LAM, rho=LAM)
SMOOTH = Points(
    Smooth("L"),
    at=(),
    clients_at=("v", "s"),
    mixing={"W": "lam"},
    lam=LAM,
    L=positive(CURVATURE),
    eta=positive(STEP),
    tau=TAU,
)


def adapt_then_combine(x, s):
    g = x.f.grad(x.v)
    return le(s * dev(x, x.W(x.v - x.eta * g)), x.lam**2 * young(x, dev(x, x.v), x.eta**2 * dev(x, g)))


def combine_then_adapt(x, s):
    """Koloskova et al. (2020): the consensus of D-SGD."""
    g = x.f.grad(x.v)
    return le(s * dev(x, x.W(x.v) - x.eta * g), young(x, x.lam**2 * dev(x, x.v), x.eta**2 * dev(x, g)))


def tracking(x, s):
    """Gradient tracking: the tracker and the models are mixed by one matrix."""
    after = x.W(x.v - x.eta * x.s)
    g, h = x.f.grad(x.v), x.f.grad(after)
    bound = young(x, x.lam**2 * dev(x, x.s), x.L**2 * x.mean(x.sq(after - x.v)))
    return le(s * dev(x, x.W(x.s) + h - g), bound)


def tracked_mean(x, s):
    """The tracker has the mean of the gradients for ever, where it begins with them."""
    after = x.W(x.v - x.eta * x.s)
    g, h = x.f.grad(x.v), x.f.grad(after)
    return eq(x.sq(x.mean_vec(x.W(x.s) + h - g) - x.mean_vec(x.s) - s * x.mean_vec(h) + s * x.mean_vec(g)), 0)


def moved(x, s):
    after = x.W(x.v - x.eta * x.s)
    there = 2 * (1 + x.lam) ** 2 * dev(x, x.v) + 2 * x.eta**2 * x.mean(x.sq(x.W(x.s)))
    return le(s * x.mean(x.sq(after - x.v)), there)


def heavy_ball(x, s):
    y = (1 + x.beta) * x.W(x.v) - x.beta * x.u
    return le(s * dev(x, y), young(x, (1 + x.beta) ** 2 * x.lam**2 * dev(x, x.v), x.beta**2 * dev(x, x.u)))


PLANTED = {  # world, body with a factor that makes it false
    "once": (ONE, lambda x, s: le(s * dev(x, x.W(x.v)), x.lam**2 * dev(x, x.v))),
    "twice": (ONE, lambda x, s: le(s * dev(x, x.W(x.W(x.v))), x.lam**4 * dev(x, x.v))),
    "three times": (ONE, lambda x, s: le(s * dev(x, x.W(x.W(x.W(x.v)))), x.lam**6 * dev(x, x.v))),
    "two matrices": (TWO, lambda x, s: le(s * dev(x, x.V(x.W(x.v))), x.lam**2 * x.rho**2 * dev(x, x.v))),
    "the mean": (ONE, lambda x, s: eq(x.sq(x.mean_vec(x.W(x.v)) - s * x.mean_vec(x.v)), 0)),
    "linear": (ONE, lambda x, s: eq(x.mean(x.sq(x.W(x.v - 2 * x.u) - x.W(x.v) + 2 * s * x.W(x.u))), 0)),
    "symmetric": (ONE, lambda x, s: eq(s * x.mean(x.dot(x.W(x.v), x.u)), x.mean(x.dot(x.v, x.W(x.u))))),
    "its square": (ONE, lambda x, s: eq(s * both(x, x.v, x.W(x.W(x.v))), dev(x, x.W(x.v)))),
    "of two vectors": (ONE, lambda x, s: le(2 * s * both(x, x.W(x.v), x.u), x.lam * (dev(x, x.v) + dev(x, x.u)))),
    "half a step": (ONE, lambda x, s: le(4 * s * dev(x, x.v + x.W(x.v)), 4 * (1 + x.lam) ** 2 * dev(x, x.v))),
    "nonexpansive": (ONE, lambda x, s: le(s * x.mean(x.sq(x.W(x.v))), x.mean(x.sq(x.v)))),
    "the Laplacian from below": (ONE, lambda x, s: le(s * (1 - x.lam) * dev(x, x.v), both(x, x.v, x.v - x.W(x.v)))),
    "the Laplacian from above": (ONE, lambda x, s: le(s * both(x, x.v, x.v - x.W(x.v)), (1 + x.lam) * dev(x, x.v))),
    "a difference": (ONE, lambda x, s: le(s * dev(x, x.v - x.W(x.v)), (1 + x.lam) ** 2 * dev(x, x.v))),
    "what all share": (ONE, lambda x, s: eq(x.sq(x.W(x.w) - s * x.w), 0)),
    "with what all share": (ONE, lambda x, s: eq(x.mean(x.sq(x.W(x.v + x.w) - x.W(x.v) - s * x.w)), 0)),
    "heavy ball": (ONE, heavy_ball), "adapt, then combine": (SMOOTH, adapt_then_combine),
    "combine, then adapt": (SMOOTH, combine_then_adapt),
    "tracking": (SMOOTH, tracking), "the tracked mean": (SMOOTH, tracked_mean), "how far it moves": (SMOOTH, moved),
}  # fmt: skip
TRUE_OF_FEW = {
    "one direction": lambda x: eq(
        both(x, x.v, x.W(x.v)) ** 2, dev(x, x.v) * dev(x, x.W(x.v))
    ),  # of two clients in one dimension
    "positive": lambda x: le(0, both(x, x.v, x.W(x.v))),
    "the largest eigenvalue": lambda x: le(x.lam**2 * dev(x, x.v), dev(x, x.W(x.v))),
    "once more": lambda x: le(dev(x, x.W(x.v)), x.lam**3 * dev(x, x.v)),
    "all of them": lambda x: le(x.mean(x.sq(x.W(x.v))), x.lam**2 * x.mean(x.sq(x.v))),
    "of each client": lambda x: le(x.sq(off(x, x.W(x.v))), x.lam**2 * x.sq(off(x, x.v))),
    "what the mean says of one": lambda x: le(x.sq(off(x, x.W(x.v))), x.lam**2 * dev(x, x.v)),
}


def made(name, world, body):
    return claim(f"mixing/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}", world=world)(body)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", PLANTED)
def test_what_is_true_is_proved_for_every_m_and_what_is_false_refuted(name):
    world, body = PLANTED[name]
    true = verify(made(name, world, lambda x: body(x, x.ratio(1, 1))))
    assert (true.verdict, true.trust) == ("proved", "kernel"), (true.verdict, true.reason)
    false = verify(made(name, world, lambda x: body(x, x.ratio(101, 100))))
    assert false.verdict == "refuted", (false.verdict, false.reason)


@pytest.mark.parametrize("name", TRUE_OF_FEW)
def test_what_is_true_of_few_matrices_is_refuted(name):
    assert verify(made(name, ONE, TRUE_OF_FEW[name])).verdict == "refuted"


def test_matrices_do_not_commute():
    v = verify(made("commute", TWO, lambda x: eq(x.mean(x.sq(x.V(x.W(x.v)) - x.W(x.V(x.v)))), 0)))
    assert v.verdict == "refuted" and v.witness["shape"]["m"] >= 3


def test_entries_are_not_negative():
    """A mean of vectors is no longer than the longest; of the spectrum alone that does not follow, so that nothing proves it."""
    v = verify(made("largest", ONE, lambda x: le(x.sq(x.W(x.v)), x.max(x.sq(x.v)))))
    assert v.verdict in ("supported", "unknown")


@pytest.mark.parametrize("numbers", [Floats(), Fractions()], ids=["floats", "fractions"])
def test_matrices_that_are_drawn(numbers):
    rng = np.random.default_rng(7)
    for shape in ({"m": m, "d": 2} for m in (1, 2, 3, 5, 8)):
        for free in ONE.sample(rng, shape, 3, 20):
            for k in range(3):
                x = ONE.build(ONE.pick(free, k), numbers)
                eye = numbers.array(np.eye(shape["m"], dtype=int).astype(object))
                W = np.asarray(x.W(eye), dtype=float).reshape(shape["m"], shape["m"])
                assert np.allclose(W, W.T) and np.allclose(W.sum(0), 1) and W.min() >= -1e-12
                rest = np.linalg.eigvalsh(W - 1 / shape["m"])
                assert np.abs(rest).max() <= float(np.ravel(x.lam)[0]) * (1 + 1e-9) + 1e-12


def drawn(of, other=None, f=None, **more):
    """That E<v, of(v)> shrinks with the share of clients that are drawn, as it would were of(v) no function of the draw."""
    run = Run(
        f, at=(), clients_at=("v", "u"), sizes={"S": (1, 2)}, mixing={"W": "lam"}, lam=LAM, first=7, lengths=(7, 8), **more,
        step={"v": lambda x, draw: x.where(draw, x.v, 0 * x.v), "u": lambda x: x.v},
        quantities={"P": lambda x: both(x, x.v, of(x)), "Q": lambda x: both(x, x.u, of(x))},
    )  # fmt: skip
    return claim("mixing/drawn", world=run)(lambda x: eq(x.P[x.T], x.S / x.m * x.Q[x.T]))


def test_what_a_draw_changes_is_not_mixed_in_the_mean():
    L = {"f": Smooth("L"), "L": positive(CURVATURE)}
    for c in (
        drawn(lambda x: x.W(x.v)),
        drawn(lambda x: x.W(x.f.grad(x.v)), **L),
        drawn(lambda x: x.f.grad(off(x, x.W(x.v))), **L),
    ):
        assert verify(c).verdict in ("unknown", "refuted")


ROOT = condition(
    "(b^3 - 2)^2 (b - 2) >= 0", lambda x: le(0, (x.b**3 - 2) ** 2 * (x.b - 2))
)  # b >= 2, or the cube root of 2
SHARES = {"a": positive(per_client=True), "c": positive(per_client=True)}


@pytest.mark.parametrize(
    ("scalars", "factors"),
    [
        (SHARES, lambda x: (x.a, x.c)),
        ({}, lambda x: (1 / x.norm(x.v), 1 / x.norm(x.s))),
    ],
)
def test_no_parameter_divides_what_is_mixed(scalars, factors):
    """W B from W(A + q B) and W A is none where q = 0."""
    world = Points(
        None, at=(), clients_at=("v", "s"), b=at_least(0), given=(ROOT,), sizes={"m": (1, 2)}, mixing={"W": "lam"}, lam=LAM,
        **scalars,
    )  # fmt: skip

    def body(x):
        a, c = factors(x)
        A, B = a[..., None] * x.v, c[..., None] * x.s
        x.W(A + (x.b**3 - 2) * B), x.W(A)
        return le(2 * dev(x, x.W(B)) ** 2, x.b * dev(x, x.W(B)) ** 2)

    assert verify(made("pole", world, body)).verdict not in ("proved", "certified")


def test_an_array_with_other_axes_is_not_mixed():
    world = Points(None, at=(), clients_at=("v",), sizes={"m": (1, 2)}, mixing={"W": "lam"}, lam=LAM)
    c = made("axes", world, lambda x: eq(x.mean(x.sq(x.W(x.v[None])[0] - x.v)), 0))
    assert certify(c, Docket()).outcome == "declines" and verify(c).verdict == "refuted"


def test_a_step_of_a_run():
    run = Run(
        None, at=(), clients_at=("v",), mixing={"W": "lam"}, lam=LAM, step={"v": lambda x: x.W(x.v)},
        quantities={"V": lambda x: dev(x, x.v)},
    )  # fmt: skip
    step = made("step", run.one_step, lambda x: le(x.next.V, x.lam**2 * x.V))
    assert verify(step).verdict == "proved"
    false = claim("mixing/every-T-false", world=run)(lambda x: le(x.V[x.T], x.lam ** (3 * x.T) * x.V[0]))
    assert verify(false).verdict == "refuted"


@pytest.mark.parametrize(
    ("mixing", "said"),
    [
        ("W", "must be the names of matrices with those of their scalars, {'W': 'lam'}, got 'W'"),
        ({"W": 1}, "must be the names of matrices"),
        ({"W": "rho"}, r"is bounded by the scalar rho=between\(0, 1\), which is not there"),
        ({"lam": "lam"}, "the name 'lam' means two things"),
    ],
)
def test_what_is_refused(mixing, said):
    with pytest.raises(UsageError, match=said):
        Points(None, at=(), clients_at=("v",), mixing=mixing, lam=LAM)
