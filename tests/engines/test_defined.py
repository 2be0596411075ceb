"""Nothing is assumed to be defined that a relation does not evaluate, and no lemma says anything where it is not."""

import pytest

import fedtheory
from fedtheory import claim, le, lt, use
from problems import Points, Run, Scalars, Sequences, at_least, condition, positive

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


MEANS = {"D": lambda x: x.sq(x.w), "e": lambda x: x.sq(x.v), "s": lambda x: x.sq(x.w - x.v)}


@claim("draft/distance", world=Points(None, at=("w", "v"), tau=positive()))
def distance(x):
    return le(x.sq(x.w - x.v), (1 + x.tau) * x.sq(x.w) + (1 + 1 / x.tau) * x.sq(x.v))


def number(x, n):
    return x.ratio(1, 1) * n


def points(**scalars):
    """Any two points at every t."""
    return Run(
        None, at=("w", "v"), fresh=("w", "v"), step={}, quantities=MEANS, sizes={"m": (1,), "d": (1, 2)}, **scalars
    )


SILENT = {
    "at the first": (
        lambda x, t: number(x, 3 * t),
        points(),
        lambda x: le(x.s[x.T - 1], (3 * x.T - 2) * x.D[x.T - 1] + 2 * x.e[x.T - 1]),
    ),
    "at the last": (
        lambda x, t: number(x, x.T - 1 - t),
        points(),
        lambda x: le(x.s[x.T - 1], 2 * x.D[x.T - 1] + 2 * x.e[x.T - 1]),
    ),
    "at a scalar that may be zero, at every t": (lambda x, t: x.c, points(c=at_least(0)), lambda x: lt(0, x.c)),
}
SAID = {
    "from one on": (
        lambda x, t: number(x, 3 * t + 1),
        points(),
        lambda x: le(x.s[x.T - 1], (3 * x.T - 1) * x.D[x.T - 1] + 2 * x.e[x.T - 1]),
    ),
    "down to one": (
        lambda x, t: number(x, x.T - t),
        points(),
        lambda x: le(x.s[x.T - 1], 2 * x.D[x.T - 1] + 2 * x.e[x.T - 1]),
    ),
    "away from zero": (
        lambda x: x.c,
        points(c=positive()),
        lambda x, t: le(x.c * x.s[t], (x.c + x.c**2) * x.D[t] + (1 + x.c) * x.e[t]),
    ),
}


@pytest.mark.parametrize("name", SILENT)
def test_a_lemma_says_nothing_where_it_is_undefined(name):
    tau, world, body = SILENT[name]
    v = fedtheory.verify(claim("draft/silent", world=world, by=(use(distance, tau=tau),))(body))
    assert v.verdict in ("refuted", "unknown") and not v.crashed and "internal" not in v.reason
    assert not any(e.outcome == "proves" for e in v.evidence)


@pytest.mark.parametrize("name", SAID)
def test_it_is_used_where_it_is_defined(name):
    tau, world, body = SAID[name]
    assert fedtheory.verify(claim("draft/said", world=world, by=(use(distance, tau=tau),))(body)).verdict == "proved"
