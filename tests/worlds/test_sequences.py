"""Worlds of sequences: what their conditions take; and extremes of any number of scalars."""

import pytest

from fedtheory import UsageError, claim, eq, le, verify
from problems import Scalars, Sequences, at_least, condition, positive

D = {"D": at_least(0)}


def test_a_condition_of_one_argument_is_no_condition_at_every_t():
    """In one line, with where it goes."""
    with pytest.raises(
        UsageError, match=r"'a <= b' in every=\(...\) takes \(x, t\).*got \(x\); one of x alone goes to given="
    ):
        Sequences("T", sequences=D, every=(condition("a <= b", lambda x: le(x.a, x.b)),), a=positive(), b=positive())


def test_a_condition_of_two_arguments_is_not_given():
    """In one line, with where it goes."""
    with pytest.raises(UsageError, match=r"'falls' in given=\(...\) takes x alone, got \(x, t\).*goes to every="):
        Sequences("T", sequences=D, given=(condition("falls", lambda x, t: le(x.D[t + 1], x.D[t])),))


@pytest.mark.parametrize("called", ["given", "every"])
def test_one_condition_is_no_tuple_of_them(called):
    """In one line that names the argument."""
    with pytest.raises(UsageError, match=rf"{called}=\(...\) must be a tuple of conditions"):
        Sequences("T", sequences=D, **{called: condition("D >= 0", lambda x, t: le(0, x.D[t]))})


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_extremes_of_any_number_of_scalars(n):
    """Exactly what nested ones of two are, on every kind of number: the claim is proved by z3 and searched in floats."""

    def body(x):
        some = (x.a, x.b, x.c, x.a + x.b)[:n]
        least, most = some[0], some[0]
        for s in some[1:]:
            least, most = x.minimum(least, s), x.maximum(most, s)
        return eq(x.minimum(*some), least), eq(x.maximum(*some), most), le(x.minimum(*some), x.maximum(*some))

    v = verify(claim("draft/extremes", world=Scalars(a=positive(), b=positive(), c=positive()))(body))
    assert v.verdict == "proved"
