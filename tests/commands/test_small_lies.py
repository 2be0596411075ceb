"""The stand-alone checker accepts every lemma of a small false theorem, and not the theorem."""

import pytest
from small_lies import LIES, after_the_last, first_of_none

from fedtheory import fedtheory_check


@pytest.mark.parametrize("what", LIES)
def test_a_small_lie_is_rejected(what):
    build, why = LIES[what]
    *lemmas, false = build()
    earlier: dict = {}
    for one in lemmas:
        good, said = fedtheory_check.accepted(one, earlier)
        assert good, f"{one['id']}: {said}"
    good, said = fedtheory_check.accepted(false, earlier)
    assert not good and why in said


@pytest.mark.parametrize("build", [lambda: first_of_none(first=1), lambda: after_the_last("DT", "DT")])
def test_what_is_true_beside_a_small_lie_is_accepted(build):
    earlier: dict = {}
    for one in build():
        good, said = fedtheory_check.accepted(one, earlier)
        assert good, f"{one['id']}: {said}"
