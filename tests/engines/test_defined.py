"""Nothing is assumed to be defined that a relation does not evaluate, and no premise says anything where it is not."""

import pytest

import fedtheory
from fedtheory import claim, le, lt
from problems import Scalars, Sequences, at_least, condition, positive

ABOVE = condition("a^2 >= 3", lambda x: le(3, x.a**2))
FROM_ZERO = {"first": 0, "lengths": (0, 1, 2)}
NUMBERS = Scalars(a=at_least(0))
CLIENTS = Scalars(a=positive(per_client=True))
LONG = Sequences("T", sequences={"D": at_least(0)})


def length(**options):
    return Sequences("T", **{"a": at_least(0), **options})


def summed(term, last=lambda x: x.T):
    return lambda x: x.sum(lambda t: term(x, t), last(x))


def beside(term, last=lambda x: x.T, low=lambda x: 0, high=lambda x: x.a):
    """A strict relation of `low` and `high` with a sum on both sides."""

    def body(x):
        s = summed(term, last)(x)
        return lt(low(x) + s, high(x) + s)

    return body


def before(x):
    return x.T - 1


FALSE = {
    "log in a sum of nothing": (length(**FROM_ZERO), beside(lambda x, t: x.log(x.a))),
    "log there, at a root": (
        length(**FROM_ZERO, given=(ABOVE,)),
        beside(lambda x, t: x.log(x.a**2 - 3), low=lambda x: 3, high=lambda x: x.a**2),
    ),
    "within another sum": (
        length(**FROM_ZERO),
        beside(lambda x, t: x.sum(lambda s: x.log(x.a), x.T)),
    ),
    "exponential there": (length(**FROM_ZERO), beside(lambda x, t: x.exp(2 / x.a))),
    "power there": (length(**FROM_ZERO), beside(lambda x, t: x.exp(-1 / x.a) ** t)),
    "quotient after a sum": (length(), beside(lambda x, t: 1 / x.a, before)),
    "log after a sum": (length(), beside(lambda x, t: x.log(x.a), before)),
    "exponential after a sum": (length(), beside(lambda x, t: x.exp(1 / x.a), before)),
    "the element after a sum": (LONG, beside(lambda x, t: 3 / x.D[t], before, high=lambda x: x.D[x.T - 1])),
    "another client's log": (
        CLIENTS,
        lambda x: lt(0 * x.log((x.a**2 - 3) ** 2), x.min((x.a**2 - 3) ** 2)),
    ),
    "another relation's exponential": (NUMBERS, lambda x: (le(0, x.exp(3 / x.a)), lt(0, x.a))),
    "another relation's power": (length(), lambda x: (le(0, (1 / x.a) ** (x.T - 1)), lt(0, x.a))),
}
TRUE = {
    "a sum of something": (length(), beside(lambda x, t: x.log(x.a))),
    "a sum of nothing": (length(a=positive(), **FROM_ZERO), beside(lambda x, t: x.log(x.a))),
    "its last term": (
        length(**FROM_ZERO),
        lambda x: le(x.sum(lambda t: x.log(x.a), x.T + 1), (x.T + 1) * (x.a - 1)),
    ),
    "its exponential": (length(), beside(lambda x, t: x.exp(2 / x.a))),
    "quotients up to the last": (LONG, lambda x: le(0, x.sum(lambda t: 3 / x.D[t], x.T))),
    "every client's own": (CLIENTS, lambda x: le(x.log(x.a), x.a - 1)),
    "the mean of the clients'": (CLIENTS, lambda x: le(x.mean(x.log(x.a)), x.mean(x.a) - 1)),
    "a squared one": (NUMBERS, lambda x: lt(0 * x.log(x.a), x.a)),
    "its own exponential": (NUMBERS, lambda x: lt(0 * x.exp(3 / x.a), x.a)),
    "two relations": (Scalars(a=positive()), lambda x: (le(x.log(x.a), x.a - 1), lt(0, x.a))),
    "two that ask for the same": (NUMBERS, lambda x: (le(x.log(x.a), x.a - 1), lt(0 * x.log(x.a), x.a))),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_not_evaluated_may_be_undefined(name):
    world, body = FALSE[name]
    v = fedtheory.verify(claim("draft/undefined", world=world)(body))
    assert v.verdict in ("refuted", "unknown") and not v.crashed and "internal" not in v.reason


@pytest.mark.parametrize("name", TRUE)
def test_what_is_evaluated_is_defined(name):
    world, body = TRUE[name]
    v = fedtheory.verify(claim("draft/defined", world=world)(body))
    assert v.verdict in ("proved", "certified")
