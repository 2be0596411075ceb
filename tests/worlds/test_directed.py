"""Gossip beyond symmetric matrices: directed graphs with balanced weights, column- and row-stochastic matrices."""

import re

import numpy as np
import pytest

from fedtheory import claim, eq, le, use, verify
from fedtheory.errors import UsageError
from fedtheory.numbers import Floats, Fractions
from fedtheory.units import CURVATURE, GRADIENT, STEP
from problems import (
    ColumnStochastic,
    ConvexLipschitz,
    Directed,
    Points,
    RowStochastic,
    Run,
    Smooth,
    between,
    positive,
    real,
)

LAM, OPEN, TAU = between(0, 1), between(0, 1, closed=False), positive()
KINDS = {"W": Directed("lam"), "A": ColumnStochastic(), "R": RowStochastic()}


def world(*names, f=None, clients_at=("v", "u"), lam=LAM, at=("w",), **more):
    """Points with some of the matrices above."""
    more |= {"lam": lam} if "W" in names else {}
    return Points(f, at=at, clients_at=clients_at, mixing={name: KINDS[name] for name in names}, **more)


ONE, PUSH, PULL, BOTH = world("W"), world("A"), world("R"), world("R", "A")
YOUNG = world("W", tau=TAU, beta=LAM)
STEPS = {"f": Smooth("L"), "clients_at": ("v", "s"), "at": (), "L": positive(CURVATURE), "eta": positive(STEP)}
SMOOTH = world("W", tau=TAU, lam=OPEN, **STEPS)
PUSHED, PUSH_PULL = world("A", **STEPS), world("R", "A", **STEPS)
TWO = Points(
    None, at=(), clients_at=("v", "u"), mixing={"W": Directed("lam"), "V": Directed("rho")}, lam=LAM, rho=LAM
)
PAIR = Points(None, at=(), clients_at=("v", "u"), mixing={"W": Directed("lam"), "S": "rho"}, lam=LAM, rho=LAM)


def off(x, v):
    return v - x.mean_vec(v)


def dev(x, v):
    """The mean squared distance from the mean."""
    return x.mean(x.sq(off(x, v)))


def both(x, u, v):
    return x.mean(x.dot(off(x, u), off(x, v)))


def apart(x, u, v):
    return x.mean(x.sq(u - v))


def young(x, one, other):
    return (1 + x.tau) * one + (1 + 1 / x.tau) * other


def combine_then_adapt(x, s):
    g = x.f.grad(x.v)
    return le(s * dev(x, x.W(x.v) - x.eta * g), young(x, x.lam**2 * dev(x, x.v), x.eta**2 * dev(x, g)))


def tracking(x, s):
    after = x.W(x.v - x.eta * x.s)
    new = x.W(x.s) + x.f.grad(after) - x.f.grad(x.v)
    return le(s * dev(x, new), young(x, x.lam**2 * dev(x, x.s), x.L**2 * apart(x, after, x.v)))


def tracked_mean(mixed, tracked):
    """The tracker has the mean of the gradients for ever, where it begins with them."""

    def body(x, s):
        after = mixed(x)(x.v - x.eta * x.s)
        moved = x.f.grad(after) - x.f.grad(x.v)
        return eq(x.sq(x.mean_vec(tracked(x)(x.s) + moved) - x.mean_vec(x.s) - s * x.mean_vec(moved)), 0)

    return body


def heavy_ball(x, s):
    y = (1 + x.beta) * x.W(x.v) - x.beta * x.u
    return le(s * dev(x, y), young(x, (1 + x.beta) ** 2 * x.lam**2 * dev(x, x.v), x.beta**2 * dev(x, x.u)))


def commute(x, s):
    """Polynomials of one matrix."""
    one = x.v + 2 * x.W(x.v)
    other = x.v - x.W(x.W(x.v))
    return eq(apart(x, one - x.W(x.W(one)), s * (other + 2 * x.W(other))), 0)


PLANTED = {  # world, body with a factor that makes it false
    "once": (ONE, lambda x, s: le(s * dev(x, x.W(x.v)), x.lam**2 * dev(x, x.v))),
    "twice": (ONE, lambda x, s: le(s * dev(x, x.W(x.W(x.v))), x.lam**4 * dev(x, x.v))),
    "three times": (ONE, lambda x, s: le(s * dev(x, x.W(x.W(x.W(x.v)))), x.lam**6 * dev(x, x.v))),
    "two matrices": (TWO, lambda x, s: le(s * dev(x, x.V(x.W(x.v))), x.lam**2 * x.rho**2 * dev(x, x.v))),
    "directed, then symmetric": (PAIR, lambda x, s: le(s * dev(x, x.S(x.W(x.v))), x.lam**2 * x.rho**2 * dev(x, x.v))),
    "the mean": (ONE, lambda x, s: eq(x.sq(x.mean_vec(x.W(x.v)) - s * x.mean_vec(x.v)), 0)),
    "what all share": (ONE, lambda x, s: eq(apart(x, x.W(x.v + x.w), x.W(x.v) + s * x.w), 0)),
    "linear": (ONE, lambda x, s: eq(apart(x, x.W(x.v - 2 * x.u), x.W(x.v) - 2 * s * x.W(x.u)), 0)),
    "nonexpansive": (ONE, lambda x, s: le(s * x.mean(x.sq(x.W(x.v))), x.mean(x.sq(x.v)))),
    "Cauchy, Schwarz": (ONE, lambda x, s: le(2 * s * both(x, x.W(x.v), x.u), x.lam * (dev(x, x.v) + dev(x, x.u)))),
    "the Laplacian": (ONE, lambda x, s: le(s * (1 - x.lam) * dev(x, x.v), both(x, x.v, x.v - x.W(x.v)))),
    "a difference": (ONE, lambda x, s: le(s * dev(x, x.v - x.W(x.v)), (1 + x.lam) ** 2 * dev(x, x.v))),
    "lazy": (ONE, lambda x, s: le(4 * s * dev(x, x.v + x.W(x.v)), 4 * (1 + x.lam) ** 2 * dev(x, x.v))),
    "polynomials commute": (ONE, commute),
    "heavy ball": (YOUNG, heavy_ball),
    "combine, then adapt": (SMOOTH, combine_then_adapt),
    "tracking": (SMOOTH, tracking),
    "the tracked mean": (SMOOTH, tracked_mean(lambda x: x.W, lambda x: x.W)),
    "pushed: the mean": (PUSH, lambda x, s: eq(x.sq(x.mean_vec(x.A(x.v)) - s * x.mean_vec(x.v)), 0)),
    "pushed: of what all share": (PUSH, lambda x, s: eq(x.sq(x.mean_vec(x.A(x.w)) - s * x.w), 0)),
    "pushed: linear": (PUSH, lambda x, s: eq(apart(x, x.A(x.v - 2 * x.w), x.A(x.v) - 2 * s * x.A(x.w)), 0)),
    "pushed: twice": (PUSH, lambda x, s: eq(x.sq(x.mean_vec(x.A(x.A(x.v) + x.u)) - s * x.mean_vec(x.v + x.u)), 0)),
    "gradient-push": (PUSHED, lambda x, s: eq(x.sq(x.mean_vec(x.A(x.v - x.eta * x.f.grad(x.s)))
        - x.mean_vec(x.v) + s * x.eta * x.mean_vec(x.f.grad(x.s))), 0)),
    "pulled: what all share": (PULL, lambda x, s: eq(apart(x, x.R(x.w + 0 * x.v), s * x.w), 0)),
    "pulled: consensus twice": (PULL, lambda x, s: eq(apart(x, x.R(x.R(x.v + x.w)), x.R(x.R(x.v)) + s * x.w), 0)),
    "pulled: what is not": (PULL, lambda x, s: eq(x.mean(x.sq(x.R(off(x, x.v)))), s * apart(x, x.R(x.v), x.mean_vec(x.v)))),
    "pushed and pulled": (BOTH, lambda x, s: eq(x.sq(x.mean_vec(x.A(x.R(x.v))) - s * x.mean_vec(x.R(x.v))), 0)),
    "pushed and pulled, the tracked mean": (PUSH_PULL, tracked_mean(lambda x: x.R, lambda x: x.A)),
}  # fmt: skip
FALSE = {  # of some matrix of its kind
    "symmetric": (ONE, lambda x: eq(both(x, x.W(x.v), x.u), both(x, x.v, x.W(x.u)))),
    "symmetric, of an image": (ONE, lambda x: eq(both(x, x.v, x.W(x.W(x.v))), dev(x, x.W(x.v)))),
    "a square is positive": (ONE, lambda x: le(0, both(x, x.v, x.W(x.W(x.v))))),
    "positive": (ONE, lambda x: le(0, both(x, x.v, x.W(x.v)))),
    "along itself": (ONE, lambda x: le(both(x, x.v, x.W(x.v)), x.lam**2 * dev(x, x.v))),
    "along itself, downwards": (ONE, lambda x: le(-both(x, x.v, x.W(x.v)), x.lam**2 * dev(x, x.v))),
    "no less than lam": (ONE, lambda x: le(x.lam**2 * dev(x, x.v), dev(x, x.W(x.v)))),
    "Chebyshev": (ONE, lambda x: le(dev(x, 2 * x.W(x.W(x.v)) - x.lam**2 * x.v), x.lam**4 * dev(x, x.v))),
    "firmly": (ONE, lambda x: le(dev(x, x.W(x.v)) * (1 - x.lam), (1 + x.lam) * both(x, x.v, x.v - x.W(x.v)) / 2)),
    "commute": (TWO, lambda x: eq(apart(x, x.V(x.W(x.v)), x.W(x.V(x.v))), 0)),
    "commute, with a symmetric one": (PAIR, lambda x: eq(apart(x, x.S(x.W(x.v)), x.W(x.S(x.v))), 0)),
    "of one client": (ONE, lambda x: le(x.sq(off(x, x.W(x.v))), x.lam**2 * dev(x, x.v))),
    "pushed: consensus": (PUSH, lambda x: eq(apart(x, x.A(x.w), x.w), 0)),
    "pushed: consensus of a mean": (PUSH, lambda x: eq(apart(x, x.A(x.v - x.mean_vec(x.v)), x.A(x.v) - x.mean_vec(x.v)), 0)),
    "pushed: nonexpansive": (PUSH, lambda x: le(x.mean(x.sq(x.A(x.v))), x.mean(x.sq(x.v)))),
    "pushed: contracts": (PUSH, lambda x: le(dev(x, x.A(x.v)), dev(x, x.v))),
    "pushed: symmetric": (PUSH, lambda x: eq(x.mean(x.dot(x.A(x.v), x.u)), x.mean(x.dot(x.v, x.A(x.u))))),
    "pulled: the mean": (PULL, lambda x: eq(x.sq(x.mean_vec(x.R(x.v)) - x.mean_vec(x.v)), 0)),
    "pulled: the mean of deviations": (PULL, lambda x: eq(x.sq(x.mean_vec(x.R(off(x, x.v)))), 0)),
    "pulled: nonexpansive": (PULL, lambda x: le(x.mean(x.sq(x.R(x.v))), x.mean(x.sq(x.v)))),
    "pulled: contracts": (PULL, lambda x: le(dev(x, x.R(x.v)), dev(x, x.v))),
    "pulled: symmetric": (PULL, lambda x: eq(x.mean(x.dot(x.R(x.v), x.u)), x.mean(x.dot(x.v, x.R(x.u))))),
    "push-pull, the other way": (PUSH_PULL, lambda x: tracked_mean(lambda x: x.A, lambda x: x.R)(x, 1)),
    "pushed and pulled commute": (BOTH, lambda x: eq(apart(x, x.A(x.R(x.v)), x.R(x.A(x.v))), 0)),
}  # fmt: skip


def made(name, world, body, **more):
    return claim(f"directed/{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}", world=world, **more)(body)


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("name", PLANTED)
def test_what_is_true_is_proved_for_every_m_and_what_is_false_refuted(name):
    world, body = PLANTED[name]
    true = verify(made(name, world, lambda x: body(x, x.ratio(1, 1))))
    assert (true.verdict, true.trust) == ("proved", "kernel"), (true.verdict, true.reason)
    false = verify(made(name, world, lambda x: body(x, x.ratio(101, 100))))
    assert false.verdict == "refuted", (false.verdict, false.reason)


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", FALSE)
def test_what_a_kind_does_not_have_is_refuted(name):
    false = verify(made(name, *FALSE[name]))
    assert false.verdict == "refuted", (false.verdict, false.reason)
