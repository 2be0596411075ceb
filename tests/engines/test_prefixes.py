"""Induction over lengths whose conditions know the length: the first n of n + 1 steps need not be steps of a run of length n."""

from fractions import Fraction

import pytest

import fedtheory
from fedtheory import claim, eq, le
from problems import Scalars, Sequences, at_least, between, condition, positive

D = {"D": at_least(0)}
CONTRACTS = condition("D_{t+1} <= q D_t", lambda x, t: le(x.D[t + 1], x.q * x.D[t]))
FALLS = condition("D_{t+1} <= D_t", lambda x, t: le(x.D[t + 1], x.D[t]))


def sequences(every=(FALLS,), given=(), **more):
    return Sequences("T", sequences={**D, **more.pop("sequences", {})}, every=every, given=given, **more)


# conditions that read the length

CARELESS = condition("e_t <= c (1 - t/T)", lambda x, t: le(x.e[t], x.c * (x.T - t) / x.T))
COSINE = condition("eta_t <= a (1 - t^2/T^2)", lambda x, t: le(x.eta[t], x.a * (x.T**2 - t**2) / x.T**2))
WARM = condition("D_{t+1} <= D_t + c (T - 1 - t)", lambda x, t: le(x.D[t + 1], x.D[t] + x.c * (x.T - 1 - t)))
SHARED = condition("D_{t+1} <= D_t - eta", lambda x, t: le(x.D[t + 1], x.D[t] - x.eta))
FIXED = condition("D_{t+1} <= D_t + e", lambda x, t: le(x.D[t + 1], x.D[t] + x.e))
ROWS = {"e": at_least(0)}

READS = {
    "sum of a decay": (
        sequences((FALLS, CARELESS), sequences=ROWS, c=positive()),
        lambda x: le(x.sum(lambda t: x.e[t], x.T), 30 * x.c),
    ),
    "sum of a square decay": (
        sequences((FALLS, COSINE), sequences={"eta": positive()}, a=positive()),
        lambda x: le(x.sum(lambda t: x.eta[t], x.T), 40 * x.a),
    ),
    "a bound on the length itself": (
        sequences((FALLS, CARELESS), sequences={"e": positive()}, c=positive()),
        lambda x: le(x.T * x.c, 60 * x.c),
    ),
    "a warm start": (sequences((WARM,), c=positive()), lambda x: le(x.D[x.T], x.D[0])),
    "a formula of the length": (
        sequences((SHARED,), c=positive(), derived={"eta": lambda x: x.c / x.T}),
        lambda x: le(x.D[x.T], x.D[0] - x.c * x.sum(lambda t: 1 / (t + 1), x.T) / 6),
    ),
    "an error of the length": (
        sequences((FIXED,), c=positive(), derived={"e": lambda x: x.c * (x.T - 1)}),
        lambda x: le(x.D[x.T], x.D[0]),
    ),
}
HOLDS = {
    "each step is short": (
        sequences((SHARED,), c=positive(), derived={"eta": lambda x: x.c / x.T}),
        lambda x: le(x.D[x.T], x.D[0]),
    ),
    "an error that knows no length": (sequences((FIXED,), e=positive()), lambda x: le(x.D[x.T], x.D[0] + x.T * x.e)),
}


@pytest.mark.lies
@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", READS)
def test_what_reads_the_length_is_not_proved_by_steps(name):
    world, body = READS[name]
    v = fedtheory.verify(claim("draft/prefix", world=world)(body))
    assert v.verdict in ("refuted", "certified", "supported", "unknown"), v.verdict
    assert not v.crashed, v.reason


@pytest.mark.parametrize("name", HOLDS)
def test_true_ones_are_not_refuted(name):
    world, body = HOLDS[name]
    v = fedtheory.verify(claim("draft/prefix", world=world)(body))
    assert v.verdict in ("proved", "certified"), v.reason


# conditions that are undefined at a length

LATE = condition("eta <= c/(T - 1)", lambda x: le(x.eta, x.c / (x.T - 1)))
THIRD = condition("0 <= c/(T - 3)^2", lambda x: le(0, x.c / (x.T - 3) ** 2))
FAR = condition("7654321 eta = 1234567 c", lambda x: eq(7654321 * x.eta, 1234567 * x.c))
AT_TWO = {"T": 2, "D": 1, "eta": 1234567, "c": 7654321}
AT_FOUR = {"T": 4, "D": 1, "eta": 1234567, "c": 7654321}


def halved(x):
    return le(x.D[x.T], x.D[0] / 2)


UNDEFINED = {
    "at the first": (sequences(given=(LATE,), eta=positive(), c=positive()), halved),
    "at the first, and no draw": (sequences(given=(LATE, FAR), eta=positive(), c=positive(), example=AT_TWO), halved),
    "at the third": (
        sequences(given=(THIRD, FAR), eta=positive(), c=positive(), example=AT_FOUR, lengths=(1,)),
        lambda x: le(x.c * (x.T - 1) * (x.T - 2), 0),
    ),
    "whole numbers": (
        sequences(given=(condition("0 <= 1/(T - 1)", lambda x: le(0, 1 / (x.T - 1))),), lengths=(1, 2)),
        halved,
    ),
    "at every t": (
        sequences((FALLS, condition("e_t <= 1/t", lambda x, t: le(x.e[t], 1 / t))), sequences=ROWS),
        halved,
    ),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_where_a_condition_is_undefined_there_is_no_instance_to_go_on_from(name):
    world, body = UNDEFINED[name]
    v = fedtheory.verify(claim("draft/undefined", world=world)(body))
    assert v.verdict in ("refuted", "certified", "unknown", "vacuous"), v.verdict
    assert not v.crashed, v.reason


@pytest.mark.parametrize(
    ("body", "verdict"),
    [(lambda x: le(x.a, 1), ("certified", "proved")), (lambda x: le(x.a, Fraction(1, 2)), ("refuted",))],
)
def test_a_size_at_which_a_condition_is_undefined_has_no_instance(body, verdict):

    given = (condition("a <= 1/(K - 1)", lambda x: le(x.a, 1 / (x.K - 1))),)
    v = fedtheory.verify(claim("draft/pole", world=Scalars(a=positive(), sizes={"K": (1, 2, 3)}, given=given))(body))
    assert v.verdict in verdict
    assert {"K": 1} not in (v.scope or [])


# exponents that are not affine in the length

N = Sequences("T", a=positive())


@pytest.mark.parametrize(
    "exponent",
    [
        lambda n: n * (n - 1) * (n - 2),
        lambda n: n * (n - 1) * (n - 2) * (n - 30),
        lambda n: n + n * (n - 1) * (n - 2) * (n - 3),
        lambda n: n**2,
    ],
)
def test_an_exponent_has_to_be_affine_everywhere(exponent):
    v = fedtheory.verify(claim("draft/exponent", world=N)(lambda x: le(x.exp(x.a * exponent(x.T)), x.exp(x.a * x.T))))
    assert v.verdict != "proved"


def test_an_affine_exponent_is_a_power():
    body = lambda x: (le(x.exp(-x.a * (2 * x.T + 3)), x.exp(-2 * x.a * x.T)), le(x.exp(-x.a * x.T), 1))  # noqa: E731
    assert fedtheory.verify(claim("draft/exponent", world=N)(body)).verdict == "proved"


def test_a_share_that_knows_no_length_is_still_a_power():
    world = Sequences("T", q=between(0, 1, closed=False), sequences=D, every=(CONTRACTS,))
    assert (
        fedtheory.verify(claim("draft/power", world=world)(lambda x: le(x.D[x.T], x.q**x.T * x.D[0]))).verdict
        == "proved"
    )


BELOW = (condition("a (K - 1) <= 1", lambda x: le(x.a * (x.K - 1), 1)),)
SIZED = Scalars(a=positive(), sizes={"K": (1, 2, 3)}, given=BELOW)


@claim("draft/of-a-size", world=SIZED)
def of_a_size(x):
    return le(x.a, 1 / (x.K - 1))


@pytest.mark.parametrize("body", [lambda x: le(x.a, 1), lambda x: le(x.a * (x.K - 1), 1)])
def test_a_lemma_that_is_undefined_at_a_size_is_told(body):
    v = fedtheory.verify(claim("draft/use", world=SIZED, by=(of_a_size,))(body))
    said = " ".join(e.reason for e in v.evidence if e.engine == "theorem")
    assert v.verdict != "proved" and not v.crashed, v.reason
    assert "undefined" in said or "not met where it is used" in said or "does not follow" in said
