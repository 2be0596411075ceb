"""Powers of which no engine comes back are declined; others are decided."""

from fractions import Fraction

import pytest

import fedtheory
from fedtheory import claim, le
from fedtheory.errors import NotApplicable
from fedtheory.numbers.bounded import Powers
from problems import Scalars, between, positive

UNIT = Scalars(q=between(0, 1))
PAIR = Scalars(a=positive(), b=positive())
DECIDED = {
    "high": (UNIT, lambda x: le(x.q**2700, 1), ("supported", "unknown")),
    "high, false": (UNIT, lambda x: le(x.q**2, x.q**2700), ("refuted",)),
    "low": (UNIT, lambda x: le(x.q**9, 1), ("proved",)),
    "of a parameter": (PAIR, lambda x: le((1 + x.b) ** x.a, x.exp(x.a * x.b)), ("supported", "unknown")),
    "of a parameter, false": (PAIR, lambda x: le(x.exp(x.a * x.b), (1 + x.b) ** x.a), ("refuted", "unknown")),
}


@pytest.mark.parametrize("name", DECIDED)
def test_a_power_is_decided_or_declined(name):
    world, body, verdicts = DECIDED[name]
    v = fedtheory.verify(claim("draft/power", world=world)(body))
    assert v.verdict in verdicts and not v.crashed


def test_exact_powers_are_bounded():
    three, many = (Powers().scalar(n) for n in (3, 10**18))
    for base in (three, 1 + three, 2 / three, 3):
        for power in (many, 2 * many, -many):
            with pytest.raises(NotApplicable, match="bits"):
                base**power
    assert (1 + three) ** (three - 1) == 16 and 2**-three == Fraction(1, 8) and (three / 3) ** many == 1
