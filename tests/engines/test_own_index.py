"""Lemmas about sequences hold at their own index and parameters, hypotheses where they are defined, proofs of something."""

from fractions import Fraction

import pytest

import fedtheory
from fedtheory import claim, eq, le, use
from problems import Sequences, at_least, between, condition, positive

D = {"D": at_least(0)}
UNIT = between(0, 1)
CONTRACTS = condition("D_{t+1} <= (1 - eta) D_t", lambda x, t: le(x.D[t + 1], (1 - x.eta) * x.D[t]))
GROWS = condition("D_{t+1} <= D_t + c T", lambda x, t: le(x.D[t + 1], x.D[t] + x.c * x.T))
FALLS = condition("D_{t+1} <= D_t", lambda x, t: le(x.D[t + 1], x.D[t]))
RUNS_OUT = condition("(T - t) D_{t+1} <= (T - t) D_t", lambda x, t: le((x.T - t) * x.D[t + 1], (x.T - t) * x.D[t]))
BY_PRODUCTS = condition("D_{t+1} D_t <= D_t^2", lambda x, t: le(x.D[t + 1] * x.D[t], x.D[t] ** 2))
FROM_ONE = condition("D_0 = 1", lambda x: eq(x.D[0], 1))
FROM_THREE = condition("D_0 = 3", lambda x: eq(x.D[0], 3))
BEYOND_ONE = condition(
    "(D_t - 1) D_{t+1} <= (D_t - 1) D_t", lambda x, t: le((x.D[t] - 1) * x.D[t + 1], (x.D[t] - 1) * x.D[t])
)
ENDS = condition("D_{t+1} <= 0", lambda x, t: le(x.D[t + 1], 0))


def sequences(*every, given=(), first=1, **scalars):
    lengths = tuple(range(first, 4))
    return Sequences("T", first=first, lengths=lengths, sequences=D, every=every, given=given, **scalars)


@claim("draft/own-rate", world=sequences(CONTRACTS, eta=UNIT))
def rate(x):
    return le(x.D[x.T], (1 - x.eta) ** x.T * x.D[0])


@claim("draft/own-rate0", world=sequences(CONTRACTS, eta=UNIT, first=0))
def rate0(x):
    return le(x.D[x.T], (1 - x.eta) ** x.T * x.D[0])


@claim("draft/own-growth", world=sequences(GROWS, c=positive(), first=0))
def growth(x):
    return le(x.D[x.T], x.D[0] + x.c * x.T**2)


@claim("draft/falling", world=sequences(FALLS, first=0))
def monotone(x):
    return le(x.D[x.T], x.D[0])


@claim("draft/running-out", world=sequences(RUNS_OUT, first=0), by=(monotone,))
def running_out(x):
    return le(x.D[x.T], x.D[0])


ELSEWHERE = {  # false, and nothing of it is proved: the lemma's condition is not met at the argument
    "another scalar": (
        sequences(CONTRACTS, eta=UNIT, mu=UNIT),
        use(rate, eta=lambda x: x.mu),
        lambda x: le(x.D[x.T], (1 - x.mu) ** x.T * x.D[0]),
    ),
    "twice the scalar": (
        sequences(CONTRACTS, eta=between(0, Fraction(1, 2))),
        use(rate, eta=lambda x: 2 * x.eta),
        lambda x: le(x.D[x.T], (1 - 2 * x.eta) ** x.T * x.D[0]),
    ),
    "a number": (
        sequences(CONTRACTS, eta=UNIT),
        use(rate, eta=lambda x: x.ratio(9, 10)),
        lambda x: le(10 * x.D[x.T], x.D[0]),
    ),
    "a number at every t": (
        sequences(CONTRACTS, eta=UNIT),
        use(rate0, T=lambda x, t: t, eta=lambda x, t: x.ratio(1, 2)),
        lambda x: le(x.sum(lambda t: x.D[t], x.T), 2 * x.D[0]),
    ),
    "the length at every t": (
        sequences(GROWS, c=positive()),
        use(growth, T=lambda x, t: t),
        lambda x: le(x.D[x.T], x.D[0] + x.c * ((x.T - 1) ** 2 + x.T)),
    ),
    "a condition that the length makes empty": (
        sequences(),
        use(running_out, T=lambda x, t: t),
        lambda x: le(x.sum(lambda t: x.D[t], x.T), x.T * x.D[0]),
    ),
}
HERE = {  # true, with the same lemmas
    "the same scalar": (
        sequences(CONTRACTS, eta=UNIT),
        use(rate),
        lambda x: le(2 * x.D[x.T], 2 * (1 - x.eta) ** x.T * x.D[0]),
    ),
    "the same at every t": (
        sequences(FALLS),
        use(monotone, T=lambda x, t: t),
        lambda x: le(x.sum(lambda t: x.D[t], x.T), x.T * x.D[0]),
    ),
}
UNDEFINED = {  # false where the hypothesis has no meaning: D = 1, 0, 5
    "a logarithm": (sequences(BY_PRODUCTS, given=(FROM_ONE,)), lambda x: le(x.log(x.D[x.T]), 0)),
    "against the start": (sequences(BY_PRODUCTS), lambda x: le(x.log(x.D[x.T]), x.log(x.D[0]))),
    "of a difference": (sequences(BEYOND_ONE, given=(FROM_THREE,)), lambda x: le(x.log(x.D[x.T] - 1), 1)),
    "in a maximum": (sequences(BY_PRODUCTS, given=(FROM_ONE,)), lambda x: le(x.maximum(x.log(x.D[x.T]), -3), 0)),
}
POSITIVE = Sequences("T", sequences={"D": positive()}, every=(BY_PRODUCTS,), given=(FROM_ONE,))
NOWHERE = {
    "a quotient": lambda x: le(1 / x.D[x.T], -5),
    "a logarithm": lambda x: le(x.log(x.D[x.T]), -5),
    "a later one": lambda x: le(x.D[0] / x.D[x.T], x.D[0] - 1),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_lemma_about_sequences_is_asked_at_its_arguments(name):
    """What a claim and its lemma state in the same words is about other numbers once a parameter or the length is another."""
    world, by, body = ELSEWHERE[name]
    v = fedtheory.verify(claim("draft/use", world=world, by=(by,))(body))
    said = " ".join(e.reason for e in v.evidence if e.engine == "theorem")
    assert v.verdict in ("unknown", "refuted") and "is not met where it is used" in said


@pytest.mark.parametrize("name", HERE)
def test_it_is_used_where_it_holds(name):
    world, by, body = HERE[name]
    assert fedtheory.verify(claim("draft/use", world=world, by=(by,))(body)).verdict == "proved"


@pytest.mark.parametrize("name", UNDEFINED)
def test_a_hypothesis_without_a_meaning_is_not_used(name):
    world, body = UNDEFINED[name]
    v = fedtheory.verify(claim("draft/log", world=world)(body))
    assert v.verdict == "refuted" and not v.crashed


def test_a_hypothesis_that_has_one_is_used():
    v = fedtheory.verify(claim("draft/log", world=POSITIVE)(lambda x: le(x.log(x.D[x.T]), 0)))
    assert v.verdict == "proved"


@pytest.mark.parametrize("name", NOWHERE)
def test_a_proof_of_what_is_nowhere_defined_is_about_nothing(name):
    v = fedtheory.verify(claim("draft/nowhere", world=sequences(ENDS))(NOWHERE[name]))
    assert v.verdict == "unknown" and "at which the claim is defined" in v.reason
