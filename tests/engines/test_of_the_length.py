"""Conditions and lemmas that read the length: within an induction they hold at n where those at n + 1 say so."""

from fractions import Fraction

import pytest

from fedtheory import claim, eq, le
from fedtheory.engines.context import Docket
from fedtheory.engines.lemmas.compose import theorem
from fedtheory.engines.prove.induction import induction
from fedtheory.referee.composition import verify
from problems import Sequences, at_least, condition, positive

GROWS = condition("D_{t+1} <= (1 + eta) D_t", lambda x, t: le(x.D[t + 1], (1 + x.eta) * x.D[t]))
ADDS = condition("D_{t+1} <= D_t + eta", lambda x, t: le(x.D[t + 1], x.D[t] + x.eta))
SHORT = condition("eta T <= 1", lambda x: le(x.eta * x.T, 1))
LONG = condition("eta T >= 1", lambda x: le(1, x.eta * x.T))
EXACT = condition("eta T = 1", lambda x: eq(x.eta * x.T, 1))
FEW = condition("T <= 3", lambda x: le(x.T, 3))
TOTAL = condition("D_0 <= T", lambda x: le(x.D[0], x.T))


def numbers(*every, given=(), **more):
    return Sequences(
        "T", sequences={"D": at_least(0), "b": at_least(0)}, eta=positive(), every=every, given=given, **more
    )


def made(name, world, body, *by):
    return claim(f"length/{name}", world=world, by=by)(body)


def grown(x, s=1):
    return le(s * x.D[x.T], (1 + x.eta) ** x.T * x.D[0])


def at_most_one(x, s=1):
    """Bernoulli's inequality the other way round."""
    return le(s * (1 + x.eta) ** x.T * (1 - x.eta * x.T), 1)


def summed(x, s=1):
    return le(s * x.sum(lambda t: x.D[t], x.T), x.T * (1 + x.eta) ** x.T * x.D[0])


def added(x, s=1):
    return le(s * x.D[x.T], x.D[0] + x.eta * x.T)


def by_one(x, s=1):
    return le(s * x.D[x.T], x.D[0] + 1)


SHORTER, LONGER, FIXED = (numbers(GROWS, given=(c,)) for c in (SHORT, LONG, EXACT))
GROWN = made("grown", SHORTER, grown)
ADDED = made("added", numbers(ADDS, given=(SHORT,)), added)
TRUE = {
    "growth": GROWN,
    "a power": made("power", SHORTER, at_most_one),
    "a sum": made("sum", SHORTER, summed, GROWN),
    "what is added": ADDED,
    "at most one": made("one", numbers(ADDS, given=(SHORT,)), by_one, ADDED),
}


@pytest.mark.parametrize("name", TRUE)
def test_steps_that_are_short_for_the_length(name):
    """What eta (n + 1) <= 1 says of n as well: proved by the kernel, and off by a hundredth refuted."""
    one = TRUE[name]
    found = verify(one)
    assert (found.verdict, found.trust) == ("proved", "kernel"), found.reason
    body = one.body
    assert verify(made("false", one.world, lambda x: body(x, Fraction(101, 100)))).verdict == "refuted"


# false at the first length at which anything can be: proofs alone are asked, as a search refutes them at once

UNTIL = numbers(ADDS, given=(FEW,))
BOUNDED = numbers(condition("D_{t+1} <= D_t + b_t", lambda x, t: le(x.D[t + 1], x.D[t] + x.b[t])), given=(TOTAL,))
STEPS = numbers(condition("T (D_{t+1} - D_t) = 1", lambda x, t: eq(x.T * (x.D[t + 1] - x.D[t]), 1)))
DERIVED = numbers(
    condition("D_{t+1} = D_t + a", lambda x, t: eq(x.D[t + 1], x.D[t] + x.a)), derived={"a": lambda x: 1 / x.T}, first=1,
)  # fmt: skip
EQUAL = condition("b_t T <= 1", lambda x, t: le(x.b[t] * x.T, 1))


def half(x):
    """What is so of the sum where every shorter run ends as the whole one."""
    return le(x.sum(lambda t: x.D[t], x.T), x.T * x.D[0] + (x.T - 1) / 3)


FALSE = {
    "exactly one": (numbers(ADDS, given=(EXACT,)), by_one, half),
    "at least one": (numbers(ADDS, given=(LONG,)), added, lambda x: le(x.D[x.T], x.D[0] + 1)),
    "steps by the length": (STEPS, lambda x: eq(x.D[x.T], x.D[0] + 1), lambda x: eq(
        x.sum(lambda t: x.D[t], x.T), x.T * x.D[0] + x.T - 1)),
    "steps derived from it": (DERIVED, lambda x: eq(x.D[x.T], x.D[0] + 1), lambda x: eq(
        x.sum(lambda t: x.D[t], x.T), x.T * x.D[0] + x.T - 1)),
    "a start below the length": (BOUNDED, lambda x: le(x.D[0], x.T), lambda x: le(x.D[0], 1)),
    "every element by the length": (
        numbers(EQUAL, ADDS), lambda x: le(x.b[0] * x.T, 1), lambda x: le(x.sum(lambda t: x.b[t], x.T), Fraction(1, 2)),
    ),
}  # fmt: skip


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not_proved(name):
    """Neither from the conditions nor from a lemma that is true of the whole length, taken for what it says of a shorter one."""
    world, lemma, body = FALSE[name]
    assert induction(made("false", world, body), Docket()).outcome != "proves"
    known = made("lemma", world, lambda x: lemma(x))
    assert verify(known).verdict in ("proved", "certified")
    one = made("from", world, body, known)
    assert theorem(one, Docket()).outcome != "proves"
    assert verify(one).verdict == "refuted"


def test_a_length_that_is_bounded():
    """T <= 3 is so of every shorter one."""
    found = verify(made("few", UNTIL, lambda x: le(x.D[x.T], x.D[0] + 3 * x.eta), made("added", UNTIL, added)))
    assert (found.verdict, found.trust) == ("proved", "kernel"), found.reason
