"""Claims that are false far out only: at long sequences, many clients, high dimensions, and in valleys beside all draws."""

import pytest

import fedtheory
from fedtheory import Control, claim, le
from fedtheory.engines.counterexamples.exact import replay
from fedtheory.engines.counterexamples.witness import free_of
from fedtheory.units import CURVATURE
from problems import Points, Scalars, Sequences, SmoothConvex, at_least, between, condition, positive

WEAK = Control("the right side is 0", lambda x: le(1, 0))
T = Sequences("T", a=positive())
RATIO = Sequences("T", q=between(0, 1, closed=False))
GROWS = Sequences("T", c=positive(), sequences={"r": at_least(0)},
                  every=(condition("r_{t+1} <= r_t + c", lambda x, t: le(x.r[t + 1], x.r[t] + x.c)),))  # fmt: skip
SLOW = Sequences("T", sequences={"r": at_least(0)},
                 every=(condition("r_{t+1} <= 99/100 r_t + 1", lambda x, t: le(x.r[t + 1], 99 * x.r[t] / 100 + 1)),))  # fmt: skip
EQUAL = Sequences("T", e=positive(), sequences={"r": at_least(0)},
                  every=(condition("r_{t+1} = r_t + e", lambda x, t: fedtheory.eq(x.r[t + 1], x.r[t] + x.e)),))  # fmt: skip
CLIENTS = Points(SmoothConvex("L"), L=positive(CURVATURE))
M = Scalars(a=positive(), sizes={"m": (1, 2, 3)})
A, AB = Scalars(a=positive()), Scalars(a=positive(), b=positive())

FALSE = {
    # lengths
    "sqrt T <= 100": (T, lambda x: le(x.sqrt(x.T) * x.a, 100 * x.a)),
    "sqrt T <= 9": (T, lambda x: le(x.sqrt(x.T) * x.a, 9 * x.a)),
    "H_T <= 1 + 0.9 log T": (T, lambda x: le(x.a * x.sum(lambda t: 1 / (t + 1), x.T), x.a * (1 + 9 * x.log(x.T) / 10))),
    "H_T <= 1 + 0.95 log T": (T, lambda x: le(x.sum(lambda t: 1 / (t + 1), x.T), 1 + 19 * x.log(x.T) / 20)),
    "sum 1/sqrt(t + 1) <= 1.9 sqrt T": (T, lambda x: le(x.sum(lambda t: 1 / x.sqrt(t + 1), x.T), 19 * x.sqrt(x.T) / 10)),
    "T a <= 40 a": (T, lambda x: le(x.T * x.a, 40 * x.a)),
    "sum 0.99^t <= 50": (T, lambda x: le(x.sum(lambda t: x.ratio(99, 100)**t, x.T), 50)),
    "sum q^t <= 60": (RATIO, lambda x: le(x.sum(lambda t: x.q**t, x.T), 60)),
    "T^3 <= 1000 T^2": (T, lambda x: le(x.T**3 * x.a, 1000 * x.T**2 * x.a)),
    "log T <= 5": (T, lambda x: le(x.log(x.T), 5)),
    # recursions
    "r_T <= r_0 + 30 c": (GROWS, lambda x: le(x.r[x.T], x.r[0] + 30 * x.c)),
    "r_T <= r_0 + 60": (SLOW, lambda x: le(x.r[x.T], x.r[0] + 60)),
    "r_T <= r_0 + 200 e": (EQUAL, lambda x: le(x.r[x.T], x.r[0] + 200 * x.e)),
    "sum r <= 50 (r_0 + c)": (GROWS, lambda x: le(x.sum(lambda t: x.r[t], x.T), 500 * (x.r[0] + x.c))),
    # clients and dimensions
    "sqrt m <= 7": (M, lambda x: le(x.sqrt(x.m) * x.a, 7 * x.a)),
    "m <= 12": (M, lambda x: le(x.m * x.a, 12 * x.a)),
    "2^m <= 10^8": (M, lambda x: le(2**x.m * x.a, 10**8 * x.a)),
    "m of functions": (CLIENTS, lambda x: le(x.sqrt(x.m) * x.mean(x.sq(x.f.grad(x.w))), 9 * x.mean(x.sq(x.f.grad(x.w))))),
    # valleys
    "log well": (A, lambda x: le(x.ratio(1, 10**6), (x.log(x.a) - x.ratio(51, 10))**2)),
    "well at 700/3": (A, lambda x: le(x.ratio(1, 10**7), (3 * x.a / 700 - 1)**2)),
    "exp well": (A, lambda x: le(x.ratio(1, 10**6), (x.exp(-x.a / 200) - x.ratio(1, 3))**2)),
    "rosenbrock far": (AB, lambda x: le(x.ratio(1, 10**4), (x.a - 30)**2 + 100 * (x.b - x.a**2)**2)),
}  # fmt: skip
TRUE = {
    "H_T <= 1 + log T": (T, lambda x: le(x.sum(lambda t: 1 / (t + 1), x.T), 1 + x.log(x.T))),
    "sum 1/sqrt(t + 1) <= 2 sqrt T": (T, lambda x: le(x.sum(lambda t: 1 / x.sqrt(t + 1), x.T), 2 * x.sqrt(x.T))),
    "sum 0.99^t <= 100": (T, lambda x: le(x.sum(lambda t: x.ratio(99, 100)**t, x.T), 100)),
    "log T <= T - 1": (T, lambda x: le(x.log(x.T), x.T - 1)),
    "r_T <= r_0 + T c": (GROWS, lambda x: le(x.r[x.T], x.r[0] + x.T * x.c)),
    "r_T <= r_0 + 100": (SLOW, lambda x: le(x.r[x.T], x.r[0] + 100)),
    "sqrt m <= m": (M, lambda x: le(x.sqrt(x.m) * x.a, x.m * x.a)),
    "log a <= a - 1": (A, lambda x: le(x.log(x.a), x.a - 1)),
    "exp a >= 1 + a": (A, lambda x: le(1 + x.a, x.exp(x.a))),
}  # fmt: skip


def world_of(witness, world):
    """The world at the length of the witness."""
    return world.of_length(witness["shape"]["T"]) if "T" in witness["shape"] else world


@pytest.mark.lies
@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", FALSE)
def test_what_fails_far_out_is_no_more_than_unknown(name):
    """With a control that says nothing, as a user may write it; a refutation has a witness that replays."""
    world, body = FALSE[name]
    v = fedtheory.verify(claim("draft/late", world=world, control=WEAK)(body))
    assert v.verdict in ("refuted", "unknown"), (v.verdict, v.scope)
    if v.verdict == "refuted":
        c = claim("draft/late", world=world)(body)
        free = free_of(v.witness, world_of(v.witness, world))
        assert replay(body, world_of(v.witness, world), free, c.id).outcome == "refutes"


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_far_out_is_not_lost(name):
    world, body = TRUE[name]
    v = fedtheory.verify(claim("draft/late", world=world, control=WEAK)(body))
    assert v.verdict in ("proved", "certified", "supported"), (v.verdict, v.reason)
